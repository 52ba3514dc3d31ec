/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts of commands and triggers: how often what a hit asks for is still done.
 *
 * Only what was done counts, which a hit knows when it has tried. So it takes one of the count
 * before, and gives it back if it did nothing. Another hit that finds none left meanwhile leaves a
 * mark, and the one that gives back tries once more in its stead: so what nobody did uses up
 * nothing, and no more is done than the count says.
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
 * @left: how often, without the hits that are under way
 * @missed: a hit has found none left
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
		 * count:A, pairs with count:D: what came before this hit is seen by the one that
		 * clears the mark and tries again.
		 */
		smp_mb();
		if (atomic_read(&count->missed))
			return false;
		atomic_set(&count->missed, 1);
		/* count:B, pairs with count:C: one of both sees what the other has written. */
		smp_mb();
		if (!trace_count_left(count))
			return false;
	}

	return true;
}

/* Return: whether one was taken again, for a hit that had found none */
static inline bool trace_count_give_back(struct trace_count *count)
{
	atomic_long_inc(&count->left);
	/* count:C */
	smp_mb__after_atomic();
	/* count:D: an exchange is a full barrier. */
	return atomic_read(&count->missed) && atomic_xchg(&count->missed, 0) &&
	       trace_count_take(count);
}

/**
 * trace_count_hit - do something if the count allows it
 * @count: the count, which is one less if something was done
 * @run: does it; returns false if there was nothing to be done
 * @hit: for @run
 *
 * Context: that of @run, which may itself cause a hit
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

	/* A mark may be that of several hits, and others may still give back. */
	if (again)
		atomic_set(&count->missed, 1);
}

/**
 * trace_count_parse - read a count, as users write it and as files show it
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
