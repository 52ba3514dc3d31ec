// SPDX-License-Identifier: GPL-2.0
/*
 * Commands on functions. See command.h.
 */
#include <linux/bsearch.h>
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "filter/command.h"
#include "filter/match.h"
#include "hook/ops.h"
#include "lib/hash.h"
#include "lib/pattern.h"
#include "patch/records.h"

/*
 * Commands, and the functions that have them. Taken before the instances' locks
 * and those of call sites.
 */
static DEFINE_MUTEX(command_lock);
static LIST_HEAD(commands);
static LIST_HEAD(probes);

/**
 * struct count - how often a command will yet be done for a function
 * @ip: the call site
 * @left: how often
 * @rcu: frees it
 */
struct count {
	unsigned long	ip;
	atomic_long_t	left;
	struct rcu_head	rcu;
};

/**
 * struct counts - the counts of a command
 * @rcu: frees it
 * @nr: number of functions
 * @of: their counts by ascending address
 */
struct counts {
	struct rcu_head	rcu;
	unsigned int	nr;
	struct count	*of[] __counted_by(nr);
};

/**
 * struct probe - a command in use, of one kind
 * @ops: attached to the functions that have it
 * @list: in the list of all
 * @command: what to do
 * @tr: the instance that it is done to
 * @counted: the kind
 * @counts: of each function that @ops means one, and maybe of others; none if
 *	not @counted
 */
struct probe {
	struct ftrace_ops		ops;
	struct list_head		list;
	struct ftrace_func_command	*command;
	struct trace_array		*tr;
	bool				counted;
	struct counts __rcu		*counts;
};

/**
 * struct change - what a word asks for
 * @command: the command
 * @tr: the instance
 * @sites: the functions
 * @counted: the kind
 * @count: how often, if so
 */
struct change {
	struct ftrace_func_command	*command;
	struct trace_array		*tr;
	struct ftrace_hash		*sites;
	bool				counted;
	long				count;
};

static struct ftrace_func_command *command_find(const char *name)
{
	struct ftrace_func_command *command;

	list_for_each_entry(command, &commands, list)
		if (!strcmp(command->name, name))
			return command;
	return NULL;
}

/**
 * register_ftrace_command - one more command
 * @command: the command; stays where it is
 *
 * Context: may sleep
 *
 * Return: 0, or -EBUSY if there is one of that name
 */
int register_ftrace_command(struct ftrace_func_command *command)
{
	guard(mutex)(&command_lock);

	if (command_find(command->name))
		return -EBUSY;

	list_add_tail(&command->list, &commands);
	return 0;
}

/**
 * unregister_ftrace_command - a command is not there any more
 * @command: the command
 *
 * Context: may sleep
 *
 * Return: 0; -EBUSY if a function has it, -ENODEV if it is not registered
 */
int unregister_ftrace_command(struct ftrace_func_command *command)
{
	struct probe *probe;

	guard(mutex)(&command_lock);

	if (command_find(command->name) != command)
		return -ENODEV;

	list_for_each_entry(probe, &probes, list)
		if (probe->command == command)
			return -EBUSY;

	list_del(&command->list);
	return 0;
}

static int compare_count(const void *key, const void *elt)
{
	unsigned long ip = *(const unsigned long *)key;
	const struct count *count = *(struct count * const *)elt;

	return ip < count->ip ? -1 : ip > count->ip;
}

static struct count *count_of(const struct counts *counts, unsigned long ip)
{
	struct count **hit;

	hit = counts ? bsearch(&ip, counts->of, counts->nr, sizeof(*hit),
			       compare_count) : NULL;
	return hit ? *hit : NULL;
}

/* Preemption is disabled: that is a read side of RCU. */
static void probe_call(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct probe *probe = container_of(op, struct probe, ops);
	struct count *count;

	if (!probe->counted) {
		probe->command->run(probe->tr, ip, parent_ip, fregs);
		return;
	}

	count = count_of(rcu_dereference_sched(probe->counts), ip);
	if (!count || !atomic_long_add_unless(&count->left, -1, 0))
		return;

	if (!probe->command->run(probe->tr, ip, parent_ip, fregs))
		atomic_long_inc(&count->left);
}

static struct counts *counts_locked(const struct probe *probe)
{
	return rcu_dereference_protected(probe->counts,
					 lockdep_is_held(&command_lock));
}

/* Those of functions not in @sites stay, those in @sites begin anew. */
static struct counts *counts_merge(const struct counts *old,
				   const struct ftrace_hash *sites, long left)
{
	unsigned int i = 0, j = 0, most = (old ? old->nr : 0) + sites->count;
	struct counts *counts = kvzalloc(struct_size(counts, of, most), GFP_KERNEL);

	if (!counts)
		return NULL;

	while ((old && i < old->nr) || j < sites->count) {
		struct count *count;

		if (j == sites->count ||
		    (old && i < old->nr && old->of[i]->ip < sites->ip[j])) {
			counts->nr++;
			counts->of[counts->nr - 1] = old->of[i++];
			continue;
		}
		if (old && i < old->nr && old->of[i]->ip == sites->ip[j])
			i++;

		count = kmalloc(sizeof(*count), GFP_KERNEL);
		if (!count)
			break;
		count->ip = sites->ip[j++];
		atomic_long_set(&count->left, left);
		counts->nr++;
		counts->of[counts->nr - 1] = count;
	}
	if (j == sites->count)
		return counts;

	/* The new ones go; the others are still in @old. */
	for (i = 0; i < counts->nr; i++)
		if (!old || count_of(old, counts->of[i]->ip) != counts->of[i])
			kfree(counts->of[i]);
	kvfree(counts);
	return NULL;
}

/* Another table is in force; what only the one before had goes. */
static void counts_free(struct counts *old, const struct counts *now)
{
	unsigned int i;

	if (!old)
		return;

	for (i = 0; i < old->nr; i++)
		if (count_of(now, old->of[i]->ip) != old->of[i])
			kfree_rcu(old->of[i], rcu);
	kvfree_rcu(old, rcu);
}

static struct probe *probe_find(const struct change *change)
{
	struct probe *probe;

	list_for_each_entry(probe, &probes, list)
		if (probe->command == change->command &&
		    probe->tr == change->tr && probe->counted == change->counted)
			return probe;
	return NULL;
}

static struct probe *probe_make(const struct change *change)
{
	struct probe *probe = kzalloc(sizeof(*probe), GFP_KERNEL);
	int err;

	if (!probe)
		return ERR_PTR(-ENOMEM);

	err = change->command->get ? change->command->get(change->tr) : 0;
	if (err) {
		kfree(probe);
		return ERR_PTR(err);
	}

	probe->command = change->command;
	probe->tr = change->tr;
	probe->counted = change->counted;
	probe->ops.func = probe_call;
	probe->ops.flags = FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU;
	return probe;
}

/* Nobody is in the callback, or will be. */
static void probe_free(struct probe *probe)
{
	if (probe->command->put)
		probe->command->put(probe->tr);
	ftrace_free_filter(&probe->ops);
	counts_free(counts_locked(probe), NULL);
	kfree(probe);
}

/* More functions for a probe: its counts first, for who is called already. */
static int probe_extend(struct probe *probe, const struct change *change)
{
	struct counts *old = counts_locked(probe), *counts = NULL;
	int err;

	if (probe->counted) {
		counts = counts_merge(old, change->sites, change->count);
		if (!counts)
			return -ENOMEM;
		rcu_assign_pointer(probe->counts, counts);
	}

	err = ftrace_set_filter_ips(&probe->ops, change->sites->ip,
				    change->sites->count, 0, 0);
	if (!counts)
		return err;

	if (err) {
		rcu_assign_pointer(probe->counts, old);
		counts_free(counts, old);
	} else {
		counts_free(old, counts);
	}
	return err;
}

static int add(const struct change *change)
{
	struct probe *probe = probe_find(change);
	int err;

	if (probe)
		return probe_extend(probe, change);

	probe = probe_make(change);
	if (IS_ERR(probe))
		return PTR_ERR(probe);

	err = probe_extend(probe, change);
	if (!err)
		err = register_ftrace_function(&probe->ops);
	if (err)
		probe_free(probe);
	else
		list_add(&probe->list, &probes);
	return err;
}

static void probe_end(struct probe *probe)
{
	unregister_ftrace_function(&probe->ops);
	list_del(&probe->list);
	probe_free(probe);
}

/* Of a probe; those of a module that goes leave it at any time. */
static const struct ftrace_hash *sites_locked(const struct probe *probe)
{
	return rcu_dereference_protected(probe->ops.func_hash->filter_hash,
					 lockdep_is_held(&ftrace_lock));
}

/* Those that are left behind when the modules with all their functions go. */
static void sweep(void)
{
	struct probe *probe, *next;
	bool empty;

	list_for_each_entry_safe(probe, next, &probes, list) {
		scoped_guard(mutex, &ftrace_lock)
			empty = !sites_locked(probe)->count;
		if (empty)
			probe_end(probe);
	}
}

/* None left is not all functions, as it is for others who take away the last. */
static struct ftrace_hash *without(struct ftrace_hash *old, const void *gone)
{
	return ftrace_hash_minus(old, gone) ?: ERR_PTR(-ENOMEM);
}

/* With the last function the probe goes; modules may take theirs meanwhile. */
static int probe_shrink(struct probe *probe, const struct ftrace_hash *gone, bool all)
{
	if (!all)
		return ftrace_ops_edit_hash(probe->ops.func_hash, false, without, gone,
					    GFP_KERNEL);

	probe_end(probe);
	return 0;
}

static int remove(const struct change *change)
{
	struct ftrace_hash *have, *rest, *gone = NULL;
	struct probe *probe = probe_find(change);
	int err = -ENOMEM;

	if (!probe)
		return -EINVAL;

	scoped_guard(mutex, &ftrace_lock)
		have = ftrace_hash_copy(sites_locked(probe), GFP_KERNEL);
	rest = have ? ftrace_hash_minus(have, change->sites) : NULL;
	if (rest)
		gone = ftrace_hash_minus(have, rest);
	if (gone)
		err = gone->count ? probe_shrink(probe, gone, !rest->count) : -EINVAL;

	ftrace_hash_free(have);
	ftrace_hash_free(rest);
	ftrace_hash_free(gone);
	return err;
}

/* The kind, and how often. */
static int parse_count(struct change *change, const char *text)
{
	unsigned long value = 0;
	int err = 0;

	change->counted = change->command->once || (text && *text);
	if (text && *text)
		err = kstrtoul(text, 0, &value);
	if (!err && value > LONG_MAX)
		err = -ERANGE;

	change->count = change->command->once ? 1 : value;
	return err;
}

static int change_prepare(struct change *change, const struct ftrace_pattern *pattern)
{
	struct ftrace_hash *sites;
	int err;

	change->command = command_find(pattern->command);
	if (!change->command)
		return -EINVAL;

	err = parse_count(change, pattern->param);
	if (err)
		return err;

	sites = ftrace_match_pattern(pattern);
	if (IS_ERR(sites))
		return PTR_ERR(sites);

	change->sites = sites;
	return sites->count ? 0 : -EINVAL;
}

/**
 * ftrace_command_do - give functions a command, or take it away
 * @tr: the instance
 * @pattern: the word that says so
 *
 * Context: may sleep; takes the locks of instances, and ftrace_lock
 *
 * Return: 0; -EINVAL if there is no such command, its count is none, no function
 * matches, or none of those has what is to be taken away; -ERANGE for a count
 * too large; -ENOMEM; as register_ftrace_function(). In an error, nothing has
 * changed.
 */
int ftrace_command_do(struct trace_array *tr, const struct ftrace_pattern *pattern)
{
	struct change change = { .tr = tr };
	int err;

	guard(mutex)(&command_lock);

	sweep();
	err = change_prepare(&change, pattern);
	if (!err)
		err = pattern->negate ? remove(&change) : add(&change);
	ftrace_hash_free(change.sites);
	return err;
}

/**
 * ftrace_command_sweep - forget the commands that no function has any more
 *
 * Those of functions of modules that went, that is.
 *
 * Context: may sleep; takes the locks of instances, and ftrace_lock
 */
void ftrace_command_sweep(void)
{
	guard(mutex)(&command_lock);
	sweep();
}

/**
 * ftrace_command_lock - nobody gives functions commands until it is undone
 *
 * Before ftrace_lock.
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
 * ftrace_command_line - one of all functions with a command
 * @tr: the instance
 * @nr: which, from 0 on
 * @line: set to what is done where
 *
 * Context: ftrace_command_lock() and ftrace_lock held
 *
 * Return: whether there are so many
 */
bool ftrace_command_line(struct trace_array *tr, unsigned long nr,
			 struct ftrace_command_line *line)
{
	struct probe *probe;

	list_for_each_entry(probe, &probes, list) {
		const struct ftrace_hash *set;
		struct count *count;

		if (probe->tr != tr)
			continue;

		set = sites_locked(probe);
		if (nr >= set->count) {
			nr -= set->count;
			continue;
		}

		count = count_of(counts_locked(probe), set->ip[nr]);
		*line = (struct ftrace_command_line) {
			.ip = set->ip[nr],
			.name = probe->command->name,
			.counted = probe->counted,
			.left = count ? atomic_long_read(&count->left) : 0,
		};
		return true;
	}
	return false;
}
