/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts of commands and triggers: the number of hits that still perform their action.
 *
 * Only performed actions count, but a hit knows only afterwards whether it performed one. So it
 * decrements the count first, and increments it again if it did not perform the action. If the
 * count is 0 for another hit in the meantime, that hit sets a mark, and the hit that increments
 * the count tries once more on its behalf. So hits without effect do not use up the count, and
 * the action is never performed more often than the count allows.
 */
#ifndef _TRACE_LIB_COUNT_H
#define _TRACE_LIB_COUNT_H

#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <linux/types.h>

/**
 * struct trace_count - a count
 * @left: remaining number, without the hits that are in progress
 * @missed: the mark: the count was 0 for a hit
 */
struct trace_count {
	atomic_long_t	left;
	atomic_t	missed;
};

static inline void trace_count_set(struct trace_count *count, long left)
{
	atomic_long_set(&count->left, left);
	atomic_set(&count->missed, 0);
}

static inline long trace_count_left(const struct trace_count *count)
{
	return atomic_long_read(&count->left);
}

static inline bool trace_count_take(struct trace_count *count)
{
	while (!atomic_long_add_unless(&count->left, -1, 0)) {
		/*
		 * count:A, pairs with count:D: memory accesses before this hit are seen by the
		 * hit that clears the mark and tries again.
		 */
		smp_mb();
		if (atomic_read(&count->missed))
			return false;
		atomic_set(&count->missed, 1);
		/* count:B, pairs with count:C: at least one side sees the other's write. */
		smp_mb();
		if (!trace_count_left(count))
			return false;
	}

	return true;
}

/* Return: true if the count was decremented again, on behalf of a hit that had missed it */
static inline bool trace_count_give_back(struct trace_count *count)
{
	atomic_long_inc(&count->left);
	/* count:C: the returned count is visible before the mark is read. */
	smp_mb__after_atomic();
	/* count:D: an exchange is a full barrier. */
	return atomic_read(&count->missed) && atomic_xchg(&count->missed, 0) &&
	       trace_count_take(count);
}

/**
 * trace_count_hit - perform an action if the count allows it
 * @count: the count, decremented if the action was performed
 * @run: performs the action; returns false if there was nothing to do
 * @hit: argument for @run
 *
 * Each further try is on behalf of a hit of another CPU that has missed the count since the try
 * before, and that does not try itself: there are never more tries than hits.
 *
 * Context: as @run, which may itself cause a hit
 */
static __always_inline void trace_count_hit(struct trace_count *count,
					    bool (*run)(const void *hit), const void *hit)
{
	bool again = false;

	if (!trace_count_take(count))
		return;

	while (!run(hit)) {
		if (!trace_count_give_back(count))
			return;
		again = true;
	}

	/* A mark may stand for several hits, and other hits may still give back. */
	if (again)
		atomic_set(&count->missed, 1);
}

/**
 * trace_count_parse - parse a count, as users write it and as files show it
 * @text: a number, "count=" and a number, or "unlimited"
 * @counted: set to whether there is a count
 * @left: set to the count
 *
 * Return: 0; -EINVAL if @text is none of these, -ERANGE if the number is too large
 */
static inline int trace_count_parse(const char *text, bool *counted, long *left)
{
	unsigned long value = 0;
	int err = 0;

	*counted = strcmp(text, "unlimited");
	if (*counted)
		err = kstrtoul(text + (strncmp(text, "count=", 6) ? 0 : 6), 0, &value);
	if (!err && value > LONG_MAX)
		err = -ERANGE;
	*left = value;

	return err;
}

#endif /* _TRACE_LIB_COUNT_H */
