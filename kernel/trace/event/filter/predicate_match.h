/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compiled event filters, and matching entries with them.
 *
 * A filter is an array of predicates in source order; each has a jump target for true and for
 * false, always forward, or terminates the match. So matching takes at most one pass, and the
 * operators have no cost: && and || are jump targets, and ! exchanges the two.
 *
 * A comparison of numbers is a range of values: v == 3 is 3..3, v < 3 is the opposite of 3.. up
 * to the highest value of the field. The arithmetic wraps like the field, so the test `v - low
 * <= span' works for both signed and unsigned numbers.
 */
#ifndef _TRACE_EVENT_FILTER_PREDICATE_MATCH_H
#define _TRACE_EVENT_FILTER_PREDICATE_MATCH_H

#include "event/filter/env.h"

/* Jump targets that end the match. */
#define REJECT		0xfffe
#define ACCEPT		0xffff
#define TESTS_MAX	(REJECT / 2 - 1)

/* How a test loads its value. */
enum load {
	LOAD_8, LOAD_16, LOAD_32, LOAD_64,
	LOAD_CPU,
	/* strings and masks */
	LOAD_STATIC,		/* at a fixed offset in the entry */
	LOAD_DYN,		/* in the entry, at the offset in a __data_loc */
	LOAD_REL,		/* in the entry, at the offset in a __rel_loc */
	LOAD_PTR,		/* in kernel memory */
	LOAD_UPTR,		/* in user memory */
	LOAD_COMM,		/* comm of the task */
};

/* What a test does with the value. */
enum test {
	TEST_RANGE,
	TEST_BITS,
	TEST_CPU_IN,		/* the number is a CPU of the mask */
	TEST_TEXT_IS,
	TEST_TEXT_GLOB,
	TEST_MASK_IS,
	TEST_MASK_MEETS,
	TEST_FUNCTION,		/* function of ftrace:function, only for trace_filter_functions() */
};

/**
 * struct predicate - a test
 * @test: enum test
 * @load: enum load
 * @not: the result of the test is negated; but a string that cannot be read makes any test
 *	false
 * @offset: offset of the field in the entry
 * @size: size of the field
 * @next: jump targets: [0] if the test is false, [1] if it is true
 * @low: the lowest value, or the bits
 * @span: the highest value minus the lowest one
 * @bits: mask of the field's bits
 * @text: the string or glob, in event_filter.strings
 * @len: its length
 * @mask: the CPUs
 */
struct predicate {
	u8	test;
	u8	load;
	bool	not;
	u16	offset;
	u16	size;
	u16	next[2];
	union {
		struct {
			u64		low;
			u64		span;
			u64		bits;
		};
		struct {
			const char	*text;
			size_t		len;
		};
		struct cpumask		*mask;
	};
};

/**
 * struct event_filter - a compiled filter
 * @rcu: frees it after a grace period
 * @text: the original text
 * @strings: a copy of @text, in which the values of tests are NUL-terminated
 * @from: offset of the first byte of entries that tests access
 * @need: minimum length of an entry in bytes
 * @nr: number of tests
 * @test: the tests
 */
struct event_filter {
	struct rcu_head		rcu;
	char			*text;
	char			*strings;
	unsigned int		from;
	unsigned int		need;
	unsigned int		nr;
	struct predicate	test[];
};

bool trace_filter_match(const struct event_filter *filter, const void *entry, size_t len);
bool trace_filter_reads_kernel(const struct event_filter *filter);
int trace_pointed_prepare(void);
void trace_filter_free(struct event_filter *filter);
void trace_filter_free_rcu(struct event_filter *filter);

#endif /* _TRACE_EVENT_FILTER_PREDICATE_MATCH_H */
