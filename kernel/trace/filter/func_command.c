// SPDX-License-Identifier: GPL-2.0
/*
 * Commands on functions. See func_command.h.
 */
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "filter/func_command.h"
#include "filter/name_match.h"
#include "ftrace/entry/ftrace_rcu.h"
#include "ftrace/ops/ops.h"
#include "lib/array.h"
#include "lib/count.h"
#include "lib/hash.h"
#include "lib/pattern.h"
#include "patch/records.h"

/*
 * Protects the commands and the functions that have them. Taken before the locks of instances
 * and of call sites.
 */
static DEFINE_MUTEX(command_lock);
static LIST_HEAD(commands);
static LIST_HEAD(probes);

/*
 * Probes removed from all functions whose callbacks may still be running. Freed by the caller
 * that removed them, or with the instance, whichever comes first.
 */
static LIST_HEAD(ended_probes);

/* A number shared by probes that are removed together; command_lock. */
static unsigned long last_end;

/**
 * struct func_command_count - remaining number of times that a command runs for a function
 * @left: the number
 * @rcu: frees it after a grace period
 */
struct func_command_count {
	struct trace_count	left;
	struct rcu_head		rcu;
};

/**
 * struct func_command_site_count - a function of a table of counts
 * @ip: call site of the function
 * @count: its count, which outlives the table if the function is in the next one
 */
struct func_command_site_count {
	unsigned long	ip;
	struct func_command_count	*count;
};

/**
 * struct func_command_counts - a table of counts
 * @rcu: frees it after a grace period
 * @nr: number of functions
 * @of: functions, sorted by address
 */
struct func_command_counts {
	struct rcu_head		rcu;
	unsigned int		nr;
	struct func_command_site_count	of[] __counted_by(nr);
};

/**
 * struct func_command_probe - a command that some functions have, with or without counts
 * @ops: ops whose filter selects these functions
 * @list: node in probes, or in ended_probes
 * @end: number of its removal, 0 if the instance is being removed
 * @command: command to run
 * @tr: instance to run it for
 * @data: parameters of @command
 * @counted: the functions have counts
 * @counts: array with at least one count for each function of @ops; NULL if not @counted
 */
struct func_command_probe {
	struct ftrace_ops		ops;
	struct list_head		list;
	unsigned long			end;
	struct ftrace_func_command	*command;
	struct trace_array		*tr;
	void				*data;
	bool				counted;
	struct func_command_counts __rcu	*counts;
};

/**
 * struct func_command_change - change that a pattern with a command requests
 * @command: the command, once it was found
 * @tr: the instance
 * @data: parameters of @command
 * @serial: serial number of the call sites before @sites were looked up, see
 *	ftrace_records_serial()
 * @sites: call sites of the functions
 * @counted: the command has a count
 * @count: number of times that it must run, if @counted
 */
struct func_command_change {
	struct ftrace_func_command	*command;
	struct trace_array		*tr;
	void				*data;
	unsigned long			serial;
	struct ftrace_hash		*sites;
	bool				counted;
	long				count;
};

static struct ftrace_func_command *func_command_find(const char *name)
{
	struct ftrace_func_command *command;

	list_for_each_entry(command, &commands, list)
		if (!strcmp(command->name, name))
			return command;
	return NULL;
}

/**
 * register_ftrace_command - register a command
 * @command: the command, which must remain valid until it is unregistered
 *
 * Context: may sleep
 *
 * Return: 0, or -EBUSY if there is a command of that name
 */
int register_ftrace_command(struct ftrace_func_command *command)
{
	guard(mutex)(&command_lock);

	if (func_command_find(command->name))
		return -EBUSY;

	list_add_tail(&command->list, &commands);
	return 0;
}

/**
 * unregister_ftrace_command - undo register_ftrace_command()
 * @command: command that register_ftrace_command() has registered
 *
 * Context: may sleep
 *
 * Return: 0; -EBUSY if a function has the command; -ENODEV if it is not registered
 */
int unregister_ftrace_command(struct ftrace_func_command *command)
{
	guard(mutex)(&command_lock);

	if (func_command_find(command->name) != command)
		return -ENODEV;
	if (command->users)
		return -EBUSY;

	list_del(&command->list);
	return 0;
}

static struct func_command_count *func_command_count_of(const struct func_command_counts *counts,
							unsigned long ip)
{
	unsigned int i;

	if (!counts)
		return NULL;

	i = ftrace_lower_bound(counts->of, counts->nr, sizeof(counts->of[0]), ip);
	return i < counts->nr && counts->of[i].ip == ip ? counts->of[i].count : NULL;
}

/**
 * struct func_command_hit - a call of a function with a command
 * @probe: probe that has the command
 * @ip: call site of the function
 * @parent_ip: caller of the function
 * @fregs: registers of the function
 */
struct func_command_hit {
	struct func_command_probe		*probe;
	unsigned long		ip;
	unsigned long		parent_ip;
	struct ftrace_regs	*fregs;
};

static bool func_command_run(const void *data)
{
	const struct func_command_hit *hit = data;
	struct func_command_probe *probe = hit->probe;

	return probe->command->run(probe->tr, probe->data, hit->ip, hit->parent_ip, hit->fregs);
}

/* Called with preemption disabled, which makes it an RCU reader. */
static void func_command_probe_call(unsigned long ip, unsigned long parent_ip,
				    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct func_command_probe *probe = container_of(op, struct func_command_probe, ops);
	const struct func_command_hit hit = {
		.probe = probe, .ip = ip, .parent_ip = parent_ip, .fregs = fregs,
	};
	struct func_command_count *count;

	if (!probe->counted) {
		func_command_run(&hit);
		return;
	}

	count = func_command_count_of(rcu_dereference_sched(probe->counts), ip);
	if (count)
		trace_count_hit(&count->left, func_command_run, &hit);
}

static struct func_command_counts *
func_command_counts_locked(const struct func_command_probe *probe)
{
	return rcu_dereference_protected(probe->counts,
					 lockdep_is_held(&command_lock));
}

/* Make a table in which functions of @sites get a new count, and other functions keep theirs. */
static struct func_command_counts *
func_command_counts_merge(const struct func_command_counts *old, const struct ftrace_hash *sites,
			  long left)
{
	unsigned int i = 0, j = 0, most = (old ? old->nr : 0) + sites->count;
	struct func_command_counts *counts = kvzalloc(struct_size(counts, of, most), GFP_KERNEL);

	if (!counts)
		return NULL;

	while ((old && i < old->nr) || j < sites->count) {
		struct func_command_count *count;

		if (j == sites->count ||
		    (old && i < old->nr && old->of[i].ip < sites->ip[j])) {
			counts->nr++;
			counts->of[counts->nr - 1] = old->of[i++];
			continue;
		}
		if (old && i < old->nr && old->of[i].ip == sites->ip[j])
			i++;

		count = kmalloc(sizeof(*count), GFP_KERNEL);
		if (!count)
			break;
		trace_count_set(&count->left, left);
		counts->nr++;
		counts->of[counts->nr - 1] = (struct func_command_site_count) {
			.ip = sites->ip[j++], .count = count,
		};
	}
	if (j == sites->count)
		return counts;

	/* Free the new counts: the other counts are in @old. */
	for (i = 0; i < counts->nr; i++)
		if (func_command_count_of(old, counts->of[i].ip) != counts->of[i].count)
			kfree(counts->of[i].count);
	kvfree(counts);
	return NULL;
}

/* Free a table that was replaced, and the counts that are not in the new one. */
static void func_command_counts_free(struct func_command_counts *old,
				     const struct func_command_counts *now)
{
	unsigned int i;

	if (!old)
		return;

	for (i = 0; i < old->nr; i++)
		if (func_command_count_of(now, old->of[i].ip) != old->of[i].count)
			kfree_rcu(old->of[i].count, rcu);
	kvfree_rcu(old, rcu);
}

static struct func_command_probe *func_command_probe_find(const struct func_command_change *change)
{
	struct func_command_probe *probe;

	list_for_each_entry(probe, &probes, list)
		if (probe->command == change->command && probe->tr == change->tr &&
		    probe->data == change->data && probe->counted == change->counted)
			return probe;
	return NULL;
}

static struct func_command_probe *func_command_probe_make(const struct func_command_change *change)
{
	struct func_command_probe *probe = kzalloc(sizeof(*probe), GFP_KERNEL);
	int err = 0;

	if (!probe)
		return ERR_PTR(-ENOMEM);

	if (change->command->get)
		err = change->command->get(change->tr, change->data);
	if (err) {
		kfree(probe);
		return ERR_PTR(err);
	}

	change->command->users++;
	probe->command = change->command;
	probe->tr = change->tr;
	probe->data = change->data;
	probe->counted = change->counted;
	probe->ops.func = func_command_probe_call;
	probe->ops.flags = FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU;
	return probe;
}

/* The callback is not running, and will not be called again. */
static void func_command_probe_free(struct func_command_probe *probe)
{
	if (probe->command->put)
		probe->command->put(probe->tr, probe->data);
	probe->command->users--;
	ftrace_free_filter(&probe->ops);
	func_command_counts_free(func_command_counts_locked(probe), NULL);
	kfree(probe);
}

static struct ftrace_hash *func_command_with_sites(struct ftrace_hash *old, const void *data)
{
	const struct func_command_change *change = data;

	/* Modules may have been unloaded since the functions were looked up. */
	ftrace_records_intersect(change->sites, change->serial);
	return ftrace_hash_union(old, change->sites) ?: ERR_PTR(-ENOMEM);
}

/* Add functions to a probe. Set the counts first: the callback may be called immediately. */
static int func_command_probe_extend(struct func_command_probe *probe,
				     const struct func_command_change *change)
{
	struct func_command_counts *old = func_command_counts_locked(probe), *counts = NULL;
	int err;

	if (probe->counted) {
		counts = func_command_counts_merge(old, change->sites, change->count);
		if (!counts)
			return -ENOMEM;
		rcu_assign_pointer(probe->counts, counts);
	}

	ftrace_ops_init(&probe->ops);
	err = ftrace_ops_edit_hash(probe->ops.func_hash, false, func_command_with_sites, change,
				   GFP_KERNEL);
	if (!counts)
		return err;

	if (err) {
		rcu_assign_pointer(probe->counts, old);
		func_command_counts_free(counts, old);
	} else {
		func_command_counts_free(old, counts);
	}
	return err;
}

static int func_command_add(const struct func_command_change *change)
{
	struct func_command_probe *probe = func_command_probe_find(change);
	int err;

	if (probe)
		return func_command_probe_extend(probe, change);

	probe = func_command_probe_make(change);
	if (IS_ERR(probe))
		return PTR_ERR(probe);

	err = func_command_probe_extend(probe, change);
	if (!err)
		err = register_ftrace_function(&probe->ops);
	if (err)
		func_command_probe_free(probe);
	else
		list_add(&probe->list, &probes);
	return err;
}

/* No function calls the probe any longer; tasks may still be in its callback. */
static void func_command_probe_end(struct func_command_probe *probe, unsigned long end)
{
	ftrace_ops_detach(&probe->ops);
	list_move(&probe->list, &ended_probes);
	probe->end = end;
}

static bool func_command_has_ended(unsigned long end)
{
	struct func_command_probe *probe;

	guard(mutex)(&command_lock);

	list_for_each_entry(probe, &ended_probes, list)
		if (probe->end == end)
			return true;
	return false;
}

/*
 * The probes are off the list, so other writers can add and remove commands while this one
 * waits. Their instances may also be removed.
 */
static void func_command_probes_free(unsigned long end)
{
	struct func_command_probe *probe, *next;

	if (!func_command_has_ended(end))
		return;

	ftrace_synchronize();

	guard(mutex)(&command_lock);
	list_for_each_entry_safe(probe, next, &ended_probes, list) {
		if (probe->end != end)
			continue;
		list_del(&probe->list);
		func_command_probe_free(probe);
	}
}

/*
 * The functions of a probe. Functions of a module are removed from it when the module is
 * unloaded.
 */
static const struct ftrace_hash *func_command_sites_locked(const struct func_command_probe *probe)
{
	return rcu_dereference_protected(probe->ops.func_hash->filter_hash,
					 lockdep_is_held(&ftrace_lock));
}

/* Remove the probes whose functions were all removed with their modules. */
static void func_command_sweep(unsigned long end)
{
	struct func_command_probe *probe, *next;
	bool empty;

	list_for_each_entry_safe(probe, next, &probes, list) {
		scoped_guard(mutex, &ftrace_lock)
			empty = !func_command_sites_locked(probe)->count;
		if (empty)
			func_command_probe_end(probe, end);
	}
}

/* Unlike in other filters, an empty set must not select all functions. */
static struct ftrace_hash *func_command_without_sites(struct ftrace_hash *old, const void *gone)
{
	return ftrace_hash_minus(old, gone) ?: ERR_PTR(-ENOMEM);
}

/* A probe is removed with its last function. */
static int func_command_probe_shrink(struct func_command_probe *probe,
				     const struct ftrace_hash *gone, bool all, unsigned long end)
{
	if (!all)
		return ftrace_ops_edit_hash(probe->ops.func_hash, false, func_command_without_sites,
					    gone,
					    GFP_KERNEL);

	func_command_probe_end(probe, end);
	return 0;
}

static int func_command_remove(const struct func_command_change *change, unsigned long end)
{
	struct ftrace_hash *have, *rest, *gone = NULL;
	struct func_command_probe *probe = func_command_probe_find(change);
	int err = -ENOMEM;

	if (!probe)
		return -EINVAL;

	scoped_guard(mutex, &ftrace_lock)
		have = ftrace_hash_copy(func_command_sites_locked(probe), GFP_KERNEL);
	rest = have ? ftrace_hash_minus(have, change->sites) : NULL;
	if (rest)
		gone = ftrace_hash_minus(have, rest);
	if (gone)
		err = gone->count ? func_command_probe_shrink(probe, gone, !rest->count, end) :
				    -EINVAL;

	ftrace_hash_free(have);
	ftrace_hash_free(rest);
	ftrace_hash_free(gone);
	return err;
}

static int func_command_parse_count(struct func_command_change *change, const char *text)
{
	int err = 0;

	if (text && *text)
		err = trace_count_parse(text, &change->counted, &change->count);
	if (change->command->once) {
		change->counted = true;
		change->count = 1;
	}

	return err;
}

/* The parameters must be freed by func_command_params_free() even if the count is invalid. */
static int func_command_params_parse(struct func_command_change *change,
				     const struct ftrace_pattern *pattern)
{
	struct ftrace_func_command *command = func_command_find(pattern->command);
	char *text = pattern->param;
	int err = 0;

	if (!command)
		return -EINVAL;

	if (command->parse)
		err = command->parse(change->tr, &text, &change->data);
	if (err)
		return err;

	change->command = command;
	return func_command_parse_count(change, text);
}

static void func_command_params_free(const struct func_command_change *change)
{
	if (change->command && change->command->free)
		change->command->free(change->data);
}

static int func_command_change_prepare(struct func_command_change *change,
				       const struct ftrace_pattern *pattern)
{
	struct ftrace_hash *sites;
	int err = func_command_params_parse(change, pattern);

	if (err)
		return err;

	change->serial = ftrace_records_serial();
	sites = ftrace_match_pattern(pattern);
	if (IS_ERR(sites))
		return PTR_ERR(sites);

	change->sites = sites;
	return sites->count ? 0 : -EINVAL;
}

/**
 * ftrace_command_do - add a command to functions, or remove it from them
 * @tr: instance to run the command for
 * @pattern: pattern with the command
 *
 * Context: may sleep; takes the locks of instances, and ftrace_lock
 *
 * Return: 0; -EINVAL if there is no such command, the count is not a number, no function
 * matches, or no function that matches has the command that is to be removed; -ERANGE if the
 * count is too large; -ENOMEM; or as register_ftrace_function() or the command. After an error,
 * nothing has changed.
 */
int ftrace_command_do(struct trace_array *tr, const struct ftrace_pattern *pattern)
{
	struct func_command_change change = { .tr = tr };
	unsigned long end;
	int err;

	scoped_guard(mutex, &command_lock) {
		end = ++last_end;
		func_command_sweep(end);
		err = func_command_change_prepare(&change, pattern);
		if (!err)
			err = pattern->negate ? func_command_remove(&change, end) :
						func_command_add(&change);
		ftrace_hash_free(change.sites);
		func_command_params_free(&change);
	}

	func_command_probes_free(end);
	return err;
}

/**
 * ftrace_command_sweep - free commands whose functions no longer exist
 *
 * Functions are removed with their modules.
 *
 * Context: may sleep; takes the locks of instances, and ftrace_lock
 */
void ftrace_command_sweep(void)
{
	unsigned long end;

	scoped_guard(mutex, &command_lock) {
		end = ++last_end;
		func_command_sweep(end);
	}

	func_command_probes_free(end);
}

/**
 * ftrace_command_end_all - remove all commands of an instance
 * @tr: the instance, which is being removed
 *
 * Tasks may still be in a callback: ftrace_command_free_all() is called when they no longer are.
 *
 * Context: may sleep; takes ftrace_lock
 */
void ftrace_command_end_all(struct trace_array *tr)
{
	struct func_command_probe *probe, *next;

	guard(mutex)(&command_lock);

	list_for_each_entry_safe(probe, next, &probes, list)
		if (probe->tr == tr)
			func_command_probe_end(probe, 0);
}

/**
 * ftrace_command_free_all - free the probes that ftrace_command_end_all() and other callers have
 * removed
 * @tr: the instance; a grace period of RCU Tasks and one of RCU Tasks Rude have passed since
 *
 * Context: may sleep; takes the locks of instances
 */
void ftrace_command_free_all(struct trace_array *tr)
{
	struct func_command_probe *probe, *next;

	guard(mutex)(&command_lock);

	list_for_each_entry_safe(probe, next, &ended_probes, list) {
		if (probe->tr != tr)
			continue;
		list_del(&probe->list);
		func_command_probe_free(probe);
	}
}

/**
 * ftrace_command_lock - prevent changes of the commands on functions
 *
 * To be taken before ftrace_lock.
 */
void ftrace_command_lock(void)
{
	mutex_lock(&command_lock);
}

/**
 * ftrace_command_unlock - undo ftrace_command_lock()
 */
void ftrace_command_unlock(void)
{
	mutex_unlock(&command_lock);
}

/**
 * ftrace_command_line - get one of the commands on functions
 * @tr: the instance
 * @nr: index of the command, from 0 on
 * @line: set to the function and the command
 *
 * Context: ftrace_command_lock() and ftrace_lock held
 *
 * Return: false if there is no such command
 */
bool ftrace_command_line(struct trace_array *tr, unsigned long nr,
			 struct ftrace_command_line *line)
{
	struct func_command_probe *probe;

	list_for_each_entry(probe, &probes, list) {
		const struct ftrace_hash *set;
		struct func_command_count *count;

		if (probe->tr != tr)
			continue;

		set = func_command_sites_locked(probe);
		if (nr >= set->count) {
			nr -= set->count;
			continue;
		}

		count = func_command_count_of(func_command_counts_locked(probe), set->ip[nr]);
		*line = (struct ftrace_command_line) {
			.ip = set->ip[nr],
			.command = probe->command,
			.data = probe->data,
			.counted = probe->counted,
			.left = count ? trace_count_left(&count->left) : 0,
		};
		return true;
	}
	return false;
}
