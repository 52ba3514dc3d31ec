// SPDX-License-Identifier: GPL-2.0
/*
 * WANT of each record: when ops come to mean other functions, only the records
 * of these functions are looked at. A record's users are a set, so that one
 * user more or fewer is a step from one set to another, and as a rule the same
 * step for the next record.
 */
#include <linux/slab.h>

#include "hook/dispatch.h"
#include "hook/ops.h"
#include "hook/opset.h"
#include "hook/want.h"
#include "lib/hash.h"
#include "patch/patch.h"

static bool means(const struct ftrace_meaning *meaning, unsigned long ip)
{
	return meaning->on &&
	       ftrace_ops_means(meaning->filter, meaning->exclude, ip);
}

static bool is_list(unsigned int nr)
{
	return nr == FTRACE_NR_LIST || nr == FTRACE_NR_LIST_REGS;
}

static struct ftrace_ops *first_ops(void)
{
	return rcu_dereference_protected(ftrace_ops_list,
					 lockdep_is_held(&ftrace_lock));
}

static struct ftrace_ops *next_ops(const struct ftrace_ops *ops)
{
	return rcu_dereference_protected(ops->next,
					 lockdep_is_held(&ftrace_lock));
}

#define for_each_ops(ops) \
	for ((ops) = first_ops(); (ops); (ops) = next_ops(ops))

static bool shifts(const struct ftrace_shift *shift, const struct ftrace_ops *ops)
{
	return shift->ops ? ops == shift->ops : ops->func_hash == shift->hash;
}

/* The ops that shift: as a rule it is one, and known. */
static struct ftrace_ops *first_shifting(const struct ftrace_shift *shift)
{
	struct ftrace_ops *ops;

	if (shift->ops)
		return shift->ops;

	for_each_ops(ops)
		if (shifts(shift, ops))
			break;
	return ops;
}

static struct ftrace_ops *next_shifting(const struct ftrace_shift *shift,
					struct ftrace_ops *ops)
{
	if (shift->ops)
		return NULL;

	do {
		ops = next_ops(ops);
	} while (ops && !shifts(shift, ops));
	return ops;
}

#define for_each_shifting(ops, shift)				\
	for ((ops) = first_shifting(shift); (ops);		\
	     (ops) = next_shifting(shift, ops))

static struct ftrace_meaning meaning_of(const struct ftrace_ops *ops)
{
	return (struct ftrace_meaning) {
		.on = true,
		.filter = rcu_dereference_protected(ops->func_hash->filter_hash,
						    lockdep_is_held(&ftrace_lock)),
		.exclude = rcu_dereference_protected(ops->func_hash->notrace_hash,
						     lockdep_is_held(&ftrace_lock)),
	};
}

/*
 * The set of all ops that mean a function, from scratch. @shift, if there is
 * one, has precedence over what its ops mean so far.
 */
static unsigned int want_anew(const struct ftrace_shift *shift, unsigned long ip)
{
	struct ftrace_ops *member[FTRACE_OPSET_MAX + 1];
	unsigned int count = 0;
	struct ftrace_ops *ops;

	for_each_ops(ops) {
		struct ftrace_meaning meaning = meaning_of(ops);

		if (ops->flags & FTRACE_OPS_FL_STUB)
			continue;
		if (shift && shifts(shift, ops))
			meaning = shift->new;
		if (!means(&meaning, ip))
			continue;
		if (count == ARRAY_SIZE(member)) {
			/* Too many for a set: what matters is who wants registers. */
			if (ops->flags & (FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_DIRECT))
				member[0] = ops;
			continue;
		}
		member[count++] = ops;
	}
	return ftrace_opset_of(member, count);
}

/* One ops more or fewer on a set. */
static unsigned int step(unsigned int nr, struct ftrace_ops *ops, bool more)
{
	return more ? ftrace_opset_with(nr, ops) : ftrace_opset_without(nr, ops);
}

/* The set of @nr with those ops more, or fewer, that shift. */
static unsigned int want_shifted(const struct ftrace_shift *shift,
				 unsigned int nr, unsigned long ip, bool more)
{
	struct ftrace_ops *ops;

	for_each_shifting(ops, shift) {
		if (ops->flags & FTRACE_OPS_FL_STUB)
			continue;
		nr = step(nr, ops, more);
		/* The list's number tells nothing of the members. */
		if (is_list(nr))
			return want_anew(shift, ip);
	}
	return nr;
}

/**
 * struct claims - users of a function that do not go with others of their kind
 * @hijackers: those that may change the instruction pointer
 * @directs: those with a direct call
 */
struct claims {
	unsigned int	hijackers;
	unsigned int	directs;
};

/**
 * struct walk - going over the records that a shift may touch
 * @shift: the shift
 * @patch: collects what changes
 * @from: WANT of the last record that changed
 * @to: what it changed to
 * @more: whether ops were added to it
 * @claims: those of the ops that shift
 */
struct walk {
	const struct ftrace_shift	*shift;
	struct ftrace_patch		patch;
	unsigned int			from;
	unsigned int			to;
	bool				more;
	struct claims			claims;
};

static void claim(struct claims *claims, const struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_DIRECT)
		claims->directs++;
	else if (ops->flags & FTRACE_OPS_FL_IPMODIFY)
		claims->hijackers++;
}

/* Do the ops that come to a function not go with those that are there? */
static bool collides(const struct walk *walk, unsigned int nr, unsigned long ip)
{
	const struct ftrace_opset *set = ftrace_opset(nr);
	struct claims claims = walk->claims;
	struct ftrace_ops *ops;
	unsigned int i;

	if (!claims.hijackers && !claims.directs)
		return false;

	for (i = 0; set && i < set->count; i++)
		claim(&claims, set->ops[i]);

	/* The list's number tells nothing of the members. */
	if (is_list(nr)) {
		for_each_ops(ops) {
			struct ftrace_meaning meaning = meaning_of(ops);

			if (!shifts(walk->shift, ops) && means(&meaning, ip))
				claim(&claims, ops);
		}
	}
	return claims.hijackers > 1 || claims.directs > 1 ||
	       (claims.hijackers && claims.directs && !walk->shift->agreed);
}

static int walk_record(struct walk *walk, struct dyn_ftrace *rec)
{
	const struct ftrace_shift *shift = walk->shift;
	unsigned long ip = ftrace_rec_ip(rec);
	unsigned int nr = ftrace_rec_want(rec);
	bool more = means(&shift->new, ip);

	if (more == means(&shift->old, ip))
		return 0;

	if (more && collides(walk, nr, ip))
		return -EBUSY;

	if (is_list(nr))
		return ftrace_patch_add(&walk->patch, rec, want_anew(shift, ip));

	if (!walk->patch.nr || nr != walk->from || more != walk->more) {
		walk->from = nr;
		walk->more = more;
		walk->to = want_shifted(shift, nr, ip, more);
	}
	return ftrace_patch_add(&walk->patch, rec, walk->to);
}

static int walk_all(struct walk *walk)
{
	struct ftrace_rec_iter iter;
	struct dyn_ftrace *rec;
	int err;

	for_each_ftrace_rec(rec, &iter) {
		err = walk_record(walk, rec);
		if (err)
			return err;
	}
	return 0;
}

/* Go over the members of one or two sets, by ascending address. */
static int walk_hashes(struct walk *walk, const struct ftrace_hash *a,
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
		err = rec ? walk_record(walk, rec) : 0;
		if (err)
			return err;
	}
	return 0;
}

/* Only functions that one meaning has and the other has not can change. */
static int walk_shift(struct walk *walk)
{
	const struct ftrace_meaning *old = &walk->shift->old;
	const struct ftrace_meaning *new = &walk->shift->new;

	if (old->on == new->on && old->filter == new->filter)
		return walk_hashes(walk, old->exclude, new->exclude);

	if ((old->on && !old->filter) || (new->on && !new->filter))
		return walk_all(walk);

	return walk_hashes(walk, old->on ? old->filter : NULL,
			   new->on ? new->filter : NULL);
}

static bool same_change(const struct ftrace_change *a,
			const struct ftrace_change *b)
{
	return a->rec->state == b->rec->state && a->old == b->old;
}

/* Whom records refer to changes with their numbers; most change alike. */
static void account(const struct ftrace_patch *patch)
{
	const struct ftrace_opset *set;
	unsigned int i, j, times;

	for (i = 0; i < patch->nr; i += times) {
		const struct ftrace_change *change = &patch->change[i];

		for (times = 1; i + times < patch->nr; times++)
			if (!same_change(change, change + times))
				break;

		ftrace_opset_get(ftrace_rec_want(change->rec), times);
		ftrace_opset_put(ftrace_state_want(change->old), times);

		set = ftrace_opset(ftrace_rec_have(change->rec));
		for (j = 0; set && (set->ipmodify || set->direct) && j < times; j++)
			change[j].rec->state |= FTRACE_REC_MODIFIED;
	}
}

static int apply(struct ftrace_patch *patch, bool enabled)
{
	int err = ftrace_patch_apply(patch, enabled, ftrace_opset_code);

	if (!err)
		account(patch);
	return err;
}

/**
 * ftrace_want_shift - let ops mean other functions
 * @shift: which ops, and what they mean
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: 0; -ENOMEM; -EBUSY, where a function would have two users that change
 * the instruction pointer, or two direct calls; -EINVAL, where a site is not what it
 * should be, or -EFAULT, where there is no text. In an error, all sites call what they did.
 */
int ftrace_want_shift(const struct ftrace_shift *shift)
{
	struct walk walk = { .shift = shift };
	struct ftrace_ops *ops;
	int err;

	lockdep_assert_held(&ftrace_lock);

	for_each_shifting(ops, shift)
		claim(&walk.claims, ops);
	ftrace_patch_init(&walk.patch, shift->ops ? "ops" : "filters", shift->gfp);
	walk.patch.func = shift->ops ? shift->ops->func : NULL;
	err = walk_shift(&walk);
	if (!err)
		err = apply(&walk.patch, ftrace_enabled);
	ftrace_patch_free(&walk.patch);
	ftrace_opset_sweep();
	return err;
}

/**
 * ftrace_want_again - an ops has got another direct call
 * @ops: the ops, registered
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: as ftrace_want_shift()
 */
int ftrace_want_again(struct ftrace_ops *ops)
{
	struct ftrace_meaning meaning = meaning_of(ops);
	const struct ftrace_hash *hash = meaning.filter;
	unsigned int i, from = FTRACE_NR_NOP, to = FTRACE_NR_NOP;
	struct ftrace_patch patch;
	int err = 0;

	ftrace_patch_init(&patch, "direct call", GFP_KERNEL);
	for (i = 0; !err && hash && i < hash->count; i++) {
		struct dyn_ftrace *rec = ftrace_rec_find(hash->ip[i]);
		unsigned int nr = rec ? ftrace_rec_want(rec) : FTRACE_NR_NOP;

		/* The list function asks the ops. */
		if (nr < FTRACE_NR_SET || !means(&meaning, hash->ip[i]))
			continue;
		if (nr != from) {
			from = nr;
			to = ftrace_opset_again(nr);
		}
		err = ftrace_patch_add(&patch, rec, to);
	}
	if (!err)
		err = apply(&patch, ftrace_enabled);
	ftrace_patch_free(&patch);
	ftrace_opset_sweep();
	return err;
}

/**
 * ftrace_want_range - find the users of call sites that are new
 * @start: first address of the sites
 * @end: first address behind them
 *
 * Sites that somebody wants are changed.
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: as ftrace_want_shift()
 */
int ftrace_want_range(unsigned long start, unsigned long end)
{
	struct ftrace_rec_iter iter;
	struct ftrace_patch patch;
	struct dyn_ftrace *rec;
	int err = 0;

	ftrace_patch_init(&patch, "new call sites", GFP_KERNEL);
	for (rec = ftrace_rec_seek_ip(&iter, start);
	     rec && ftrace_rec_ip(rec) < end; rec = ftrace_rec_next(&iter)) {
		unsigned int nr = want_anew(NULL, ftrace_rec_ip(rec));

		rec->state &= ~FTRACE_REC_NOT_READY;
		if (nr != FTRACE_NR_NOP && !err)
			err = ftrace_patch_add(&patch, rec, nr);
	}
	if (!err)
		err = apply(&patch, ftrace_enabled);
	ftrace_patch_free(&patch);
	ftrace_opset_sweep();
	return err;
}

/**
 * ftrace_want_range_nothing - turn sites to NOPs whose text goes
 * @start: first address of the text
 * @end: first address behind it
 *
 * Some of the text may run for a little longer.
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: 0, or -EINVAL or -EFAULT as ftrace_want_shift()
 */
int ftrace_want_range_nothing(unsigned long start, unsigned long end)
{
	struct ftrace_rec_iter iter;
	struct ftrace_patch patch;
	struct dyn_ftrace *rec;
	int err = 0;

	ftrace_patch_init(&patch, "text that goes", GFP_KERNEL | __GFP_NOFAIL);
	for_each_ftrace_rec_used(rec, &iter, start, end) {
		err = ftrace_patch_add(&patch, rec, FTRACE_NR_NOP);
		if (err)
			break;
	}
	if (!err)
		err = apply(&patch, ftrace_enabled);
	ftrace_patch_free(&patch);
	ftrace_opset_sweep();
	return err;
}

/* Change all sites that call something or shall: to WANT, or to nothing. */
static int want_all(bool enabled, bool nothing, gfp_t gfp)
{
	struct ftrace_rec_iter iter;
	struct ftrace_patch patch;
	struct dyn_ftrace *rec;
	int err = 0;

	ftrace_patch_init(&patch, "kernel.ftrace_enabled", gfp);
	for_each_ftrace_rec_used(rec, &iter, 0, ULONG_MAX) {
		err = ftrace_patch_add(&patch, rec, nothing ? FTRACE_NR_NOP :
				       ftrace_rec_want(rec));
		if (err)
			break;
	}
	if (!err)
		err = apply(&patch, enabled);
	ftrace_patch_free(&patch);
	ftrace_opset_sweep();
	return err;
}

/**
 * ftrace_want_all - let all sites call what they shall, or nothing for now
 * @enabled: kernel.ftrace_enabled
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: as ftrace_want_shift()
 */
int ftrace_want_all(bool enabled)
{
	return want_all(enabled, false, GFP_KERNEL);
}

/**
 * ftrace_want_nothing - turn all sites to NOPs for good, whoever wants them
 *
 * A site that is not what it should be stays as it is: the first pass that
 * stumbles over such sites marks them all, and the next leaves them out.
 *
 * Context: ftrace_lock held; may sleep
 */
void ftrace_want_nothing(void)
{
	int err;

	do {
		err = want_all(false, true, GFP_KERNEL | __GFP_NOFAIL);
	} while (err == -EINVAL || err == -EFAULT);

	if (err)
		pr_err("ftrace: some functions are still traced (%d)\n", err);
}
