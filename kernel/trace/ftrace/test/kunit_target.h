/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that are traced by the tests of ftrace/: the only code of this directory that has
 * call sites.
 */
#ifndef _TRACE_FTRACE_TEST_KUNIT_TARGET_H
#define _TRACE_FTRACE_TEST_KUNIT_TARGET_H

#include <kunit/test.h>
#include <linux/array_size.h>

struct ftrace_kunit_pair {
	long	first;
	long	second;
};

struct ftrace_kunit_words {
	long	word[8];
};

int ftrace_kunit_add(int a, int b);
int ftrace_kunit_mul(int a, int b);
int ftrace_kunit_sub(int a, int b);
int ftrace_kunit_eight(int a, int b, int c, int d, int e, int f, int g, int h);
struct ftrace_kunit_pair ftrace_kunit_pair(long a, long b);
struct ftrace_kunit_words ftrace_kunit_words(long first);
int ftrace_kunit_caller(int a, int b);
int ftrace_kunit_tail(int a, int b);
int ftrace_kunit_deep(int n);
int ftrace_kunit_run(int (*function)(void *data), void *data);
int ftrace_kunit_tail_run(int (*function)(void *data), void *data);

/* The functions whose arguments and results use more registers than those of other functions. */
#define FTRACE_KUNIT_CALLS	"ftrace_kunit_eight ftrace_kunit_pair ftrace_kunit_words"
#define FTRACE_KUNIT_NR_CALLS	3

/* Call these functions, ftrace_kunit_eight() last. */
static inline void ftrace_kunit_check_calls(struct kunit *test)
{
	struct ftrace_kunit_pair pair = ftrace_kunit_pair(1, 2);
	struct ftrace_kunit_words words = ftrace_kunit_words(3);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, 2, pair.first);
	KUNIT_EXPECT_EQ(test, 1, pair.second);
	for (i = 0; i < ARRAY_SIZE(words.word); i++)
		KUNIT_EXPECT_EQ(test, 3 + i, words.word[i]);
	KUNIT_EXPECT_EQ(test, 87654321, ftrace_kunit_eight(1, 2, 3, 4, 5, 6, 7, 8));
}

struct ftrace_kunit_words
ftrace_kunit_untraced(long a, long b, long c, long d, long e, long f, long g, long h);

/* For callbacks: overwrite all registers of arguments and results. */
static inline void ftrace_kunit_clobber(void)
{
	ftrace_kunit_untraced(-1, -2, -3, -4, -5, -6, -7, -8);
}

/* Targets of direct calls, and the number of calls of each. */
extern unsigned int ftrace_kunit_counts[2];
void ftrace_kunit_direct_a(void);
void ftrace_kunit_direct_b(void);

#endif /* _TRACE_FTRACE_TEST_KUNIT_TARGET_H */
