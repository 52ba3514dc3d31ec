/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters of events as programs, and matching entries with them.
 *
 * A filter is an array of tests, in the order of its text. Each test names the one to go
 * on with if it is true and the one if it is false, or says that the entry matches or does
 * not. Those it names come after it, so matching takes one pass at most, and the operators
 * cost nothing: && and || are where tests go on, and ! exchanges the two.
 *
 * A comparison of numbers is a range of values: v == 3 is 3..3, v < 3 is the opposite of
 * 3.. up to the highest value of the field. With arithmetic that wraps as the field does,
 * `v - low <= span' tells for signed and unsigned numbers alike.
 */
#ifndef _TRACE_EVENT_FILTER_PREDICATE_MATCH_H
#define _TRACE_EVENT_FILTER_PREDICATE_MATCH_H

#include "event/filter/env.h"

/* A test goes on with another one, or this is known. */
#define REJECT		0xfffe
#define ACCEPT		0xffff
#define TESTS_MAX	(REJECT / 2 - 1)

/* How a test finds its value. */
enum load {
	LOAD_8, LOAD_16, LOAD_32, LOAD_64,
	LOAD_CPU,
	/* strings and masks */
	LOAD_STATIC,		/* in the entry, at a fixed place */
	LOAD_DYN,		/* in the entry, where a __data_loc says */
	LOAD_REL,		/* in the entry, where a __rel_loc says */
	LOAD_PTR,		/* in kernel memory */
	LOAD_UPTR,		/* in user memory */
	LOAD_COMM,		/* the name of the task */
};

/* What it does with the value. */
enum test {
	TEST_RANGE,
	TEST_BITS,
	TEST_CPU_IN,		/* the number is a CPU of the mask */
	TEST_TEXT_IS,
	TEST_TEXT_GLOB,
	TEST_MASK_IS,
	TEST_MASK_MEETS,
	TEST_FUNCTION,		/* of ftrace:function, for trace_filter_functions() only */
};

/**
 * struct predicate - a test
 * @test: enum test
 * @load: enum load
 * @not: the test is true if the value is not what it says; but a string that cannot be
 *	read makes any test false
 * @offset: of the field in the entry
 * @size: of the field
 * @next: what to go on with: [0] if the test is false, [1] if it is true
 * @low: the lowest value, or the bits
 * @span: the highest value less the lowest one
 * @bits: those that the field has
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
 * @text: as it was written
 * @strings: a copy of @text, in which the values of tests are terminated
 * @from: offset of the first byte of entries that tests look at
 * @need: how many bytes an entry has at least
 * @nr: how many tests there are
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
