// SPDX-License-Identifier: GPL-2.0
/*
 * Updates of WANT of each record, which is derived from the filters of ops. When filters of ops
 * change, only the records of the affected functions are visited. The users of a function are a
 * set, and adding or removing one user leads from one set to another; for most records in a row
 * this is the same step.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/slab.h>

#include "ftrace/entry/list.h"
#include "ftrace/entry/ops_filter.h"
#include "ftrace/ops/lost.h"
#include "ftrace/ops/opset.h"
#include "ftrace/ops/update.h"
#include "lib/hash.h"
#include "patch/patch.h"

/* kernel.ftrace_enabled: when it is 0, all sites are NOPs, whatever their WANT is. */
int ftrace_enabled __read_mostly = 1;

/* Sites call their WANT. Unlike kernel.ftrace_enabled, it survives a shutdown. */
static bool sites_on = true;

/* Function tracing is shut down: sites call only the users with FTRACE_OPS_KEPT. */
static bool only_kept;

static bool ftrace_update_is_list(unsigned int nr)
{
	return nr == FTRACE_NR_LIST || nr == FTRACE_NR_LIST_REGS;
}

static bool ftrace_update_shifts(const struct ftrace_filter_change *shift,
				 const struct ftrace_ops *ops)
{
	return shift->ops ? ops == shift->ops : ops->func_hash == shift->hash;
}

/* The first node, beginning with @node, whose ops changes its filter; or NULL. */
static struct ftrace_ops_node *ftrace_update_find_shifting(const struct ftrace_filter_change *shift,
							   struct ftrace_ops_node *node)
{
	hlist_for_each_entry_from(node, link)
		if (ftrace_update_shifts(shift, node->ops))
			return node;
	return NULL;
}

/* In most cases a single ops changes its filter, and is known. */
static struct ftrace_ops_node *
ftrace_update_first_shifting(const struct ftrace_filter_change *shift)
{
	if (shift->ops)
		return shift->ops->node;

	return ftrace_update_find_shifting(shift, hlist_entry_safe(ftrace_ops_list.first,
								   struct ftrace_ops_node, link));
}

static struct ftrace_ops_node *ftrace_update_next_shifting(const struct ftrace_filter_change *shift,
							   struct ftrace_ops_node *node)
{
	if (shift->ops)
		return NULL;

	return ftrace_update_find_shifting(shift, hlist_entry_safe(node->link.next,
								   struct ftrace_ops_node, link));
}

#define for_each_shifting(node, shift)				\
	for ((node) = ftrace_update_first_shifting(shift); (node);	\
	     (node) = ftrace_update_next_shifting(shift, node))

/**
 * struct ftrace_update_members - ops that are collected for a set
 * @ops: ops, in the order they were found
 * @count: number of ops; FTRACE_OPSET_MAX + 1 if there are more than a set can have
 */
struct ftrace_update_members {
	struct ftrace_ops	*ops[FTRACE_OPSET_MAX + 1];
	unsigned int		count;
};

static void ftrace_update_members_add(struct ftrace_update_members *members, struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_STUB)
		return;
	if (only_kept && !(ops->flags & FTRACE_OPS_KEPT))
		return;

	if (members->count < ARRAY_SIZE(members->ops))
		members->ops[members->count++] = ops;
	else if (ops->flags & (FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_DIRECT))
		/* Too many for a set: it only matters whether one needs registers. */
		members->ops[0] = ops;
}

/*
 * The filter of @ops after the change @shift; its current filter if @shift does not affect it or
 * is NULL.
 */
static struct ftrace_ops_filter ftrace_update_filter_after(const struct ftrace_filter_change *shift,
							   const struct ftrace_ops *ops)
{
	return shift && ftrace_update_shifts(shift, ops) ? shift->new :
					     ftrace_ops_filter_of(ops->func_hash);
}

/*
 * Slow path: walk the list of registered ops and build the set of those that trace @ip after the
 * change.
 */
static unsigned int ftrace_update_want_from_list(const struct ftrace_filter_change *shift,
						 unsigned long ip)
{
	struct ftrace_update_members members = { };
	struct ftrace_ops_node *node;

	/* There may be many ops, and many functions for which all ops are checked. */
	cond_resched();

	for_each_ftrace_ops(node) {
		struct ftrace_ops_filter meaning = ftrace_update_filter_after(shift, node->ops);

		if (ftrace_ops_filter_has(&meaning, ip))
			ftrace_update_members_add(&members, node->ops);
	}
	return ftrace_opset_of(members.ops, members.count);
}

/* Fast path: the set @nr plus the changing ops (@more) or minus them (!@more). */
static unsigned int ftrace_update_want_from_set(const struct ftrace_filter_change *shift,
						unsigned int nr, unsigned long ip, bool more)
{
	struct ftrace_ops_node *node;

	for_each_shifting(node, shift) {
		if (node->ops->flags & FTRACE_OPS_FL_STUB)
			continue;
		nr = more ? ftrace_opset_with(nr, node->ops) :
			    ftrace_opset_without(nr, node->ops);
		/* The number of the list function does not identify the users. */
		if (ftrace_update_is_list(nr))
			return ftrace_update_want_from_list(shift, ip);
	}
	return nr;
}

/**
 * struct ftrace_update_exclusive - the users of a function that exclude other users
 * @ipmodify: number of IPMODIFY ops; at most one is allowed
 * @direct: number of DIRECT ops; at most one is allowed
 * @unshared: a DIRECT ops has not agreed to share functions with an IPMODIFY ops
 */
struct ftrace_update_exclusive {
	unsigned int	ipmodify;
	unsigned int	direct;
	bool		unshared;
};

static void ftrace_update_exclusive_add(struct ftrace_update_exclusive *users,
					const struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_DIRECT) {
		users->direct++;
		users->unshared |= !(ops->flags & FTRACE_OPS_FL_SHARE_IPMODIFY);
	} else if (ops->flags & FTRACE_OPS_FL_IPMODIFY) {
		users->ipmodify++;
	}
}

/**
 * struct ftrace_update_walk - a walk over the records that a filter change may affect
 * @shift: the filter change
 * @patch: collects the changes
 * @from: old WANT of the last record that changed
 * @to: new WANT of the last record that changed
 * @more: true if ops were added to that record
 * @exclusive: exclusive users among the changing ops
 */
struct ftrace_update_walk {
	const struct ftrace_filter_change	*shift;
	struct ftrace_patch		patch;
	unsigned int			from;
	unsigned int			to;
	bool				more;
	struct ftrace_update_exclusive	exclusive;
};

/*
 * Would adding the changing ops give @ip two IPMODIFY or two DIRECT ops, or an IPMODIFY and an
 * unshared DIRECT ops?
 */
static bool ftrace_update_conflicts(const struct ftrace_update_walk *walk, unsigned int nr,
				    unsigned long ip)
{
	const struct ftrace_opset *set = ftrace_opset(nr);
	struct ftrace_update_exclusive users = walk->exclusive;
	struct ftrace_ops_node *node;
	unsigned int i;

	if (!users.ipmodify && !users.direct)
		return false;

	for (i = 0; set && i < set->count; i++)
		ftrace_update_exclusive_add(&users, set->ops[i]);

	/* The number of the list function does not identify the users. */
	if (ftrace_update_is_list(nr)) {
		for_each_ftrace_ops(node) {
			struct ftrace_ops_filter filter;

			filter = ftrace_ops_filter_of(node->ops->func_hash);
			if (!ftrace_update_shifts(walk->shift, node->ops) &&
			    ftrace_ops_filter_has(&filter, ip))
				ftrace_update_exclusive_add(&users, node->ops);
		}
	}
	return users.ipmodify > 1 || users.direct > 1 ||
	       (users.ipmodify && users.unshared);
}

static int ftrace_update_walk_record(struct ftrace_update_walk *walk, struct dyn_ftrace *rec)
{
	const struct ftrace_filter_change *shift = walk->shift;
	unsigned long ip = ftrace_rec_ip(rec);
	unsigned int nr = ftrace_rec_want(rec);
	bool more = ftrace_ops_filter_has(&shift->new, ip);

	if (more == ftrace_ops_filter_has(&shift->old, ip))
		return 0;

	/*
	 * WANT of a corrupt site never changes, and other users of it may have been
	 * unregistered.
	 */
	if (!more && rec->state & FTRACE_REC_CORRUPT)
		return 0;
	if (more && only_kept)
		return -ENODEV;
	if (more && ftrace_update_conflicts(walk, nr, ip))
		return -EBUSY;

	if (ftrace_update_is_list(nr))
		return ftrace_patch_add(&walk->patch, rec, ftrace_update_want_from_list(shift, ip));

	if (!walk->patch.nr || nr != walk->from || more != walk->more) {
		walk->from = nr;
		walk->more = more;
		walk->to = ftrace_update_want_from_set(shift, nr, ip, more);
	}
	return ftrace_patch_add(&walk->patch, rec, walk->to);
}

static int ftrace_update_walk_all(struct ftrace_update_walk *walk)
{
	struct ftrace_rec_iter iter;
	struct dyn_ftrace *rec;
	int err;

	for_each_ftrace_rec(rec, &iter) {
		err = ftrace_update_walk_record(walk, rec);
		if (err)
			return err;
	}
	return 0;
}

/* Visit the members of two sets by ascending address; either may be NULL. */
static int ftrace_update_walk_hashes(struct ftrace_update_walk *walk, const struct ftrace_hash *a,
				     const struct ftrace_hash *b)
{
	unsigned int na = a ? a->count : 0, nb = b ? b->count : 0;
	unsigned int i = 0, j = 0;

	while (i < na || j < nb) {
		struct dyn_ftrace *rec;
		unsigned long ip;
		int err;

		if (j == nb || (i < na && a->ip[i] <= b->ip[j])) {
			ip = a->ip[i];
			j += j < nb && b->ip[j] == ip;
			i++;
		} else {
			ip = b->ip[j++];
		}

		rec = ftrace_rec_find(ip);
		err = rec ? ftrace_update_walk_record(walk, rec) : 0;
		if (err)
			return err;
	}
	return 0;
}

/* Only functions that one of the two filters includes can change. */
static int ftrace_update_walk_shift(struct ftrace_update_walk *walk)
{
	const struct ftrace_ops_filter *old = &walk->shift->old;
	const struct ftrace_ops_filter *new = &walk->shift->new;

	if (old->on == new->on && old->filter == new->filter)
		return ftrace_update_walk_hashes(walk, old->exclude, new->exclude);

	if ((old->on && !old->filter) || (new->on && !new->filter))
		return ftrace_update_walk_all(walk);

	return ftrace_update_walk_hashes(walk, old->on ? old->filter : NULL,
					 new->on ? new->filter : NULL);
}

static bool ftrace_update_same_change(const struct ftrace_change *a,
				      const struct ftrace_change *b)
{
	return a->rec->state == b->rec->state && a->old == b->old;
}

/* Can a user that the list function calls for @ip redirect the function? */
static bool ftrace_update_list_modifies(const struct ftrace_filter_change *shift, unsigned long ip)
{
	struct ftrace_ops_node *node;

	for_each_ftrace_ops(node) {
		struct ftrace_ops_filter meaning = ftrace_update_filter_after(shift, node->ops);

		if (node->ops->flags & (FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_DIRECT) &&
		    ftrace_ops_filter_has(&meaning, ip))
			return true;
	}
	return false;
}

/* Mark records, whose sites all have the same target, if a user can redirect functions. */
static void ftrace_update_mark_modified(const struct ftrace_change *change, unsigned int nr,
					const struct ftrace_filter_change *shift)
{
	unsigned int i, have = ftrace_rec_have(change->rec);
	const struct ftrace_opset *set = ftrace_opset(have);

	if (set ? !set->ipmodify && !set->direct : !ftrace_update_is_list(have))
		return;

	for (i = 0; i < nr; i++)
		if (set || ftrace_update_list_modifies(shift, ftrace_rec_ip(change[i].rec)))
			change[i].rec->state |= FTRACE_REC_MODIFIED;
}

/* Count references to sets as records change their numbers; most change in the same way. */
static void ftrace_update_account(const struct ftrace_patch *patch,
				  const struct ftrace_filter_change *shift)
{
	unsigned int i, times;

	for (i = 0; i < patch->nr; i += times) {
		const struct ftrace_change *change = &patch->change[i];

		for (times = 1; i + times < patch->nr; times++)
			if (!ftrace_update_same_change(change, change + times))
				break;

		ftrace_opset_get(ftrace_rec_want(change->rec), times);
		ftrace_opset_put(ftrace_state_want(change->old), times);

		ftrace_update_mark_modified(change, times, shift);
	}
}

static bool ftrace_update_found_spoilt(int err)
{
	return err == -EINVAL || err == -EFAULT;
}

static void ftrace_update_report_lost(const struct ftrace_patch *patch)
{
	unsigned int i;

	for (i = 0; i < patch->nr; i++) {
		const struct ftrace_change *change = &patch->change[i];

		if (change->rec->state & ~change->old & FTRACE_REC_CORRUPT)
			ftrace_report_lost(ftrace_rec_ip(change->rec),
					   ftrace_state_have(change->old));
	}
}

/* Finish a change: apply the collected changes unless collecting failed, and clean up. */
static int ftrace_update_finish(struct ftrace_patch *patch, int err,
				const struct ftrace_filter_change *shift)
{
	if (!err) {
		err = ftrace_patch_apply(patch, sites_on, ftrace_opset_code);
		if (ftrace_update_found_spoilt(err))
			ftrace_update_report_lost(patch);
	}
	if (!err)
		ftrace_update_account(patch, shift);
	ftrace_patch_free(patch);
	ftrace_opset_sweep();
	return err;
}

/**
 * ftrace_update_sites - update the sites when the filters of ops change
 * @shift: the ops, and their filters before and after the change
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: 0; -ENOMEM; -EBUSY if a function would have two IPMODIFY ops, two DIRECT ops, or one
 * of each without an agreement; -ERANGE if a site cannot reach its target; -EINVAL if a site
 * does not hold the expected bytes, -EFAULT if there is no text; -ENODEV if a function would get
 * a user and tracing is shut down. After an error, all sites are unchanged.
 */
int ftrace_update_sites(const struct ftrace_filter_change *shift)
{
	struct ftrace_update_walk walk = { .shift = shift };
	struct ftrace_ops_node *node;

	lockdep_assert_held(&ftrace_lock);

	for_each_shifting(node, shift)
		ftrace_update_exclusive_add(&walk.exclusive, node->ops);
	ftrace_patch_init(&walk.patch, shift->ops ? "ops" : "filters", shift->gfp);
	walk.patch.func = shift->ops ? shift->ops->func : NULL;
	return ftrace_update_finish(&walk.patch, ftrace_update_walk_shift(&walk), shift);
}

/**
 * ftrace_update_direct - update the sites when an ops gets another direct call
 * @ops: the registered ops
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: as ftrace_update_sites()
 */
int ftrace_update_direct(struct ftrace_ops *ops)
{
	struct ftrace_ops_filter meaning = ftrace_ops_filter_of(ops->func_hash);
	unsigned int i, from = FTRACE_NR_NOP, to = FTRACE_NR_NOP;
	const struct ftrace_hash *hash = meaning.filter;
	struct ftrace_patch patch;
	int err = 0;

	ftrace_patch_init(&patch, "direct call", GFP_KERNEL);
	for (i = 0; !err && hash && i < hash->count; i++) {
		struct dyn_ftrace *rec = ftrace_rec_find(hash->ip[i]);
		unsigned int nr = rec ? ftrace_rec_want(rec) : FTRACE_NR_NOP;

		/* The list function reads the direct call from the ops. */
		if (nr < FTRACE_NR_SET || !ftrace_ops_filter_has(&meaning, hash->ip[i]))
			continue;
		/* As in ftrace_update_walk_record() */
		if (rec->state & FTRACE_REC_CORRUPT)
			continue;
		if (nr != from) {
			from = nr;
			to = ftrace_opset_again(nr);
		}
		err = ftrace_patch_add(&patch, rec, to);
	}
	return ftrace_update_finish(&patch, err, NULL);
}

/**
 * struct ftrace_update_candidates - the ops that can trace functions of some text
 * @ops: registered ops, in the order of the list
 * @meaning: filter of each ops
 * @nr: number of ops
 */
struct ftrace_update_candidates {
	struct ftrace_ops	**ops;
	struct ftrace_ops_filter	*meaning;
	unsigned int		nr;
};

static void ftrace_update_candidates_free(struct ftrace_update_candidates *candidates)
{
	kvfree(candidates->ops);
	kvfree(candidates->meaning);
}

/*
 * Most ops trace functions elsewhere, so new text costs little for each of them. The caller
 * frees the candidates, also after an error.
 */
static int ftrace_update_candidates_find(struct ftrace_update_candidates *candidates,
					 unsigned long start,
					 unsigned long end)
{
	struct ftrace_ops_node *node;
	unsigned int nr = 0;

	*candidates = (struct ftrace_update_candidates) { };
	for_each_ftrace_ops(node) {
		struct ftrace_ops_filter meaning = ftrace_ops_filter_of(node->ops->func_hash);

		nr += ftrace_ops_filter_touches(&meaning, start, end);
	}
	if (!nr)
		return 0;

	candidates->ops = kvmalloc_array(nr, sizeof(*candidates->ops), GFP_KERNEL);
	candidates->meaning = kvmalloc_array(nr, sizeof(*candidates->meaning), GFP_KERNEL);
	if (!candidates->ops || !candidates->meaning)
		return -ENOMEM;

	for_each_ftrace_ops(node) {
		struct ftrace_ops_filter meaning = ftrace_ops_filter_of(node->ops->func_hash);

		if (ftrace_ops_filter_touches(&meaning, start, end)) {
			candidates->ops[candidates->nr] = node->ops;
			candidates->meaning[candidates->nr++] = meaning;
		}
	}
	return 0;
}

static unsigned int
ftrace_update_want_from_candidates(const struct ftrace_update_candidates *candidates,
				   unsigned long ip)
{
	struct ftrace_update_members members = { };
	unsigned int i;

	for (i = 0; i < candidates->nr; i++)
		if (ftrace_ops_filter_has(&candidates->meaning[i], ip))
			ftrace_update_members_add(&members, candidates->ops[i]);
	return ftrace_opset_of(members.ops, members.count);
}

/**
 * ftrace_update_range - find the users of new call sites
 * @start: first address of the sites
 * @end: end of the sites, exclusive
 *
 * The sites can be changed from now on; sites that an ops traces are changed here.
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: as ftrace_update_sites()
 */
int ftrace_update_range(unsigned long start, unsigned long end)
{
	struct ftrace_update_candidates candidates;
	struct ftrace_rec_iter iter;
	struct ftrace_patch patch;
	struct dyn_ftrace *rec;
	int err;

	err = ftrace_update_candidates_find(&candidates, start, end);

	ftrace_patch_init(&patch, "new call sites", GFP_KERNEL);
	for (rec = ftrace_rec_seek_ip(&iter, start);
	     rec && ftrace_rec_ip(rec) < end; rec = ftrace_rec_next(&iter)) {
		unsigned int nr = FTRACE_NR_NOP;

		rec->state &= ~FTRACE_REC_NOT_READY;
		if (!err)
			nr = ftrace_update_want_from_candidates(&candidates, ftrace_rec_ip(rec));
		if (nr != FTRACE_NR_NOP)
			err = ftrace_patch_add(&patch, rec, nr);
	}
	ftrace_update_candidates_free(&candidates);
	return ftrace_update_finish(&patch, err, NULL);
}

#ifdef CONFIG_FTRACE_DISCOVER
/**
 * ftrace_update_these - find the users of newly discovered call sites
 * @ip: addresses of the sites, ascending; they have records
 * @nr: number of sites
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: as ftrace_update_sites()
 */
int ftrace_update_these(const unsigned long *ip, unsigned int nr)
{
	struct ftrace_update_candidates candidates;
	struct ftrace_patch patch;
	unsigned int i;
	int err;

	err = ftrace_update_candidates_find(&candidates, ip[0], ip[nr - 1] + 1);

	ftrace_patch_init(&patch, "found call sites", GFP_KERNEL);
	for (i = 0; i < nr && !err && candidates.nr; i++) {
		unsigned int want = ftrace_update_want_from_candidates(&candidates, ip[i]);

		if (want != FTRACE_NR_NOP)
			err = ftrace_patch_add(&patch, ftrace_rec_find(ip[i]), want);
	}
	ftrace_update_candidates_free(&candidates);
	return ftrace_update_finish(&patch, err, NULL);
}
#endif

/* The site gets a set now if memory was short before. */
static unsigned int ftrace_update_want_again(const struct dyn_ftrace *rec)
{
	unsigned int nr = ftrace_rec_want(rec);

	if (!ftrace_update_is_list(nr))
		return nr;

	return ftrace_update_want_from_list(NULL, ftrace_rec_ip(rec));
}

static unsigned int ftrace_update_want_nothing(const struct dyn_ftrace *rec)
{
	return FTRACE_NR_NOP;
}

static unsigned int ftrace_update_want_kept(const struct dyn_ftrace *rec)
{
	unsigned int i, nr = ftrace_rec_want(rec);
	const struct ftrace_opset *set = ftrace_opset(nr);
	struct ftrace_update_members members = { };

	if (ftrace_update_is_list(nr))
		return ftrace_update_want_from_list(NULL, ftrace_rec_ip(rec));

	/* The users of a corrupt site may have been unregistered, and it never changes. */
	if (rec->state & FTRACE_REC_CORRUPT)
		return nr;

	for (i = 0; set && i < set->count; i++)
		ftrace_update_members_add(&members, set->ops[i]);
	return ftrace_opset_of(members.ops, members.count);
}

/* Change WANT of all sites in a range that call something or have a requested target. */
static int ftrace_update_want_used(struct ftrace_patch *patch, unsigned long start,
				   unsigned long end,
				   unsigned int (*want)(const struct dyn_ftrace *rec))
{
	struct ftrace_rec_iter iter;
	struct dyn_ftrace *rec;
	int err;

	for_each_ftrace_rec_used(rec, &iter, start, end) {
		err = ftrace_patch_add(patch, rec, want(rec));
		if (err)
			return err;
	}
	return 0;
}

/*
 * As ftrace_update_want_used(), and apply the changes. The first pass that finds corrupt sites
 * marks all of them, and the next pass leaves them out. Return: error that a pass found, or 0
 */
static int ftrace_update_until_unspoilt(const char *owner, unsigned long start, unsigned long end,
					unsigned int (*want)(const struct dyn_ftrace *rec))
{
	struct ftrace_patch patch;
	int err, found = 0;

	for (;;) {
		ftrace_patch_init(&patch, owner, GFP_KERNEL | __GFP_NOFAIL);
		err = ftrace_update_finish(&patch,
					   ftrace_update_want_used(&patch, start, end, want), NULL);
		if (!ftrace_update_found_spoilt(err))
			return err ?: found;
		found = err;
	}
}

/**
 * ftrace_update_range_off - turn sites into NOPs before their text is freed
 * @start: first address of the text
 * @end: end of the text, exclusive
 *
 * Some of the text may run for a little longer. A corrupt site is left as it is.
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: 0, or -EINVAL or -EFAULT as ftrace_update_sites()
 */
int ftrace_update_range_off(unsigned long start, unsigned long end)
{
	return ftrace_update_until_unspoilt("text that goes", start, end,
					    ftrace_update_want_nothing);
}

/**
 * ftrace_update_all - make all sites call their targets, or turn them into NOPs for now
 * @enabled: kernel.ftrace_enabled
 *
 * Sites that call the list function for lack of memory get a set if memory is available by now.
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: as ftrace_update_sites()
 */
int ftrace_update_all(bool enabled)
{
	struct ftrace_patch patch;
	bool was_on = sites_on;
	int err;

	sites_on = enabled;
	ftrace_patch_init(&patch, "all users", GFP_KERNEL);
	err = ftrace_update_want_used(&patch, 0, ULONG_MAX,
				      enabled ? ftrace_update_want_again : ftrace_rec_want);
	err = ftrace_update_finish(&patch, err, NULL);
	if (err)
		sites_on = was_on;
	return err;
}

/**
 * ftrace_update_kept - shut down: from now on sites call only the users with FTRACE_OPS_KEPT
 *
 * A corrupt site is left as it is.
 *
 * Context: ftrace_lock held; may sleep. The users of each site are registered.
 */
void ftrace_update_kept(void)
{
	int err;

	only_kept = true;
	err = ftrace_update_until_unspoilt("shutting down", 0, ULONG_MAX, ftrace_update_want_kept);
	if (err && !ftrace_update_found_spoilt(err))
		pr_err("some functions are still traced (%d)\n", err);
}
