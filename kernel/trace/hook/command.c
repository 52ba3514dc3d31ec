// SPDX-License-Identifier: GPL-2.0
/*
 * Commands on functions. See command.h.
 */
#include <linux/bsearch.h>
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "hook/command.h"
#include "hook/match.h"
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
 * @list: in the changes of one text
 * @command: the command
 * @tr: the instance
 * @sites: the functions
 * @counted: the kind
 * @count: how often, if so
 * @remove: they are to have it no more
 */
struct change {
	struct list_head		list;
	struct ftrace_func_command	*command;
	struct trace_array		*tr;
	struct ftrace_hash		*sites;
	bool				counted;
	long				count;
	bool				remove;
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
 * register_ftrace_command - one more command, for good
 * @command: the command
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

	if (!probe)
		return NULL;

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
	ftrace_free_filter(&probe->ops);
	counts_free(counts_locked(probe), NULL);
	kfree(probe);
}

static int probe_attach(struct probe *probe, const struct ftrace_hash *sites,
			bool first)
{
	int err;

	err = ftrace_set_filter_ips(&probe->ops, (unsigned long *)sites->ip,
				    sites->count, 0, 0);
	if (!err && first)
		err = register_ftrace_function(&probe->ops);
	return err;
}

static int add(const struct change *change)
{
	struct probe *probe = probe_find(change);
	struct counts *old = NULL, *counts = NULL;
	bool first = !probe;
	int err = 0;

	if (first && change->command->get)
		err = change->command->get(change->tr);
	if (first && !err)
		probe = probe_make(change);
	if (err || !probe)
		return err ?: -ENOMEM;

	if (change->counted) {
		old = counts_locked(probe);
		counts = counts_merge(old, change->sites, change->count);
		err = counts ? 0 : -ENOMEM;
	}
	if (counts)
		rcu_assign_pointer(probe->counts, counts);
	if (!err)
		err = probe_attach(probe, change->sites, first);

	if (err && counts) {
		rcu_assign_pointer(probe->counts, old);
		counts_free(counts, old);
	} else if (counts) {
		counts_free(old, counts);
	}
	if (first && err)
		probe_free(probe);
	else if (first)
		list_add_tail(&probe->list, &probes);
	return err;
}

/* The functions of a probe. Under command_lock nobody but modules' going changes it. */
static struct ftrace_hash *probe_sites(const struct probe *probe)
{
	guard(mutex)(&ftrace_lock);

	return ftrace_hash_union(rcu_dereference_protected(probe->ops.func_hash->filter_hash,
							   lockdep_is_held(&ftrace_lock)),
				 NULL);
}

/* No filter would be all functions: with the last one the probe goes. */
static int detach(struct probe *probe, const struct ftrace_hash *gone, bool all)
{
	int err;

	if (!all) {
		err = ftrace_set_filter_ips(&probe->ops, (unsigned long *)gone->ip,
					    gone->count, 1, 0);
		/* Some may just have gone with their module. */
		return err == -ENOENT || err == -EINVAL ? 0 : err;
	}

	err = unregister_ftrace_function(&probe->ops);
	if (err)
		return err;

	list_del(&probe->list);
	probe_free(probe);
	return 0;
}

static int remove(const struct change *change)
{
	struct probe *probe = probe_find(change);
	struct ftrace_hash *have, *rest, *gone = NULL;
	int err = -ENOMEM;

	if (!probe)
		return -EINVAL;

	have = probe_sites(probe);
	rest = have ? ftrace_hash_minus(have, change->sites) : NULL;
	if (rest)
		gone = ftrace_hash_minus(have, rest);
	if (gone)
		err = gone->count ? detach(probe, gone, !rest->count) : -EINVAL;

	ftrace_hash_free(have);
	ftrace_hash_free(rest);
	ftrace_hash_free(gone);
	return err;
}

static void change_free(struct change *change)
{
	ftrace_hash_free(change->sites);
	kfree(change);
}

/* The kind, and how often. */
static int parse_count(struct change *change, const char *count)
{
	unsigned long value = change->command->always;

	change->counted = value || (count && *count);
	if (!change->counted)
		return 0;

	if (!value && kstrtoul(count, 0, &value))
		return -EINVAL;

	if (value > LONG_MAX)
		return -EINVAL;

	change->count = value;
	return 0;
}

/**
 * ftrace_command_prepare - what a word asks for
 * @changes: the changes of the same text; one is added
 * @tr: the instance
 * @pattern: the word, with a command
 *
 * Context: may sleep; takes ftrace_lock
 *
 * Return: 0; -EINVAL if there is no such command, the count is none, or no
 * function matches; -ENOMEM
 */
int ftrace_command_prepare(struct list_head *changes, struct trace_array *tr,
			   const struct ftrace_pattern *pattern)
{
	struct change *change = kzalloc(sizeof(*change), GFP_KERNEL);
	int err = -EINVAL;

	if (!change)
		return -ENOMEM;

	change->tr = tr;
	change->remove = pattern->negate;
	scoped_guard(mutex, &command_lock)
		change->command = command_find(pattern->command);
	if (change->command)
		err = parse_count(change, pattern->param);
	if (!err)
		change->sites = ftrace_match_pattern(pattern);
	if (IS_ERR(change->sites)) {
		err = PTR_ERR(change->sites);
		change->sites = NULL;
	} else if (!err && !change->sites->count) {
		err = -EINVAL;
	}

	if (err)
		change_free(change);
	else
		list_add_tail(&change->list, changes);
	return err;
}

/**
 * ftrace_command_apply - let the changes of a text take effect, in their order
 * @changes: the changes; none is left
 *
 * Context: may sleep; takes the locks of instances, and ftrace_lock
 *
 * Return: 0, or the error of the first that could not be made: -EINVAL where
 * no function has what is to be taken away; -ENOMEM; as
 * register_ftrace_function(). The later ones are not made.
 */
int ftrace_command_apply(struct list_head *changes)
{
	struct change *change;
	int err = 0;

	mutex_lock(&command_lock);
	list_for_each_entry(change, changes, list) {
		err = change->remove ? remove(change) : add(change);
		if (err)
			break;
	}
	mutex_unlock(&command_lock);

	ftrace_command_drop(changes);
	return err;
}

/**
 * ftrace_command_drop - forget about changes
 * @changes: the changes; none is left
 */
void ftrace_command_drop(struct list_head *changes)
{
	struct change *change, *next;

	list_for_each_entry_safe(change, next, changes, list) {
		list_del(&change->list);
		change_free(change);
	}
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

		set = rcu_dereference_protected(probe->ops.func_hash->filter_hash,
						lockdep_is_held(&ftrace_lock));
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
