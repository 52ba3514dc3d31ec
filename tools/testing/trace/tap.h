/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A minimal test framework: named cases, expectations, a KTAP report.
 *
 *	static void sums(void)
 *	{
 *		EXPECT_EQ(1 + 1, 2);
 *	}
 *
 *	static const struct tap_case cases[] = { TAP_CASE(sums) };
 *
 *	int main(void)
 *	{
 *		return tap_run(cases, TAP_NUM(cases));
 *	}
 *
 * An expectation that is not met is printed and fails its case, but the case continues; it
 * evaluates to true if it was met.
 */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct tap_case {
	const char	*name;
	void		(*run)(void);
};

#define TAP_CASE(f)	{ .name = #f, .run = f }
#define TAP_NUM(cases)	(sizeof(cases) / sizeof((cases)[0]))

/* failures of the running case */
static unsigned long tap_failures;
static const char *tap_skipped;

static inline bool tap_check(bool met, const char *file, int line, const char *what)
{
	if (!met && tap_failures++ < 10)
		printf("# %s:%d: expected %s\n", file, line, what);
	return met;
}

static inline bool tap_check_eq(long long a, long long b, const char *file, int line,
				const char *what_a, const char *what_b)
{
	if (a != b && tap_failures++ < 10)
		printf("# %s:%d: expected %s == %s, have %lld and %lld\n",
		       file, line, what_a, what_b, a, b);
	return a == b;
}

#define EXPECT(cond) \
	tap_check((cond), __FILE__, __LINE__, #cond)
#define EXPECT_EQ(a, b) \
	tap_check_eq((long long)(a), (long long)(b), __FILE__, __LINE__, #a, #b)

/**
 * tap_seed - get the seed for the random numbers of a test
 *
 * The seed is different each time, and is printed once; SEED in the environment sets it.
 *
 * Return: not 0.
 */
static inline unsigned long long tap_seed(void)
{
	static unsigned long long seed;
	const char *given = getenv("SEED");

	if (!seed) {
		seed = given ? strtoull(given, NULL, 0) :
			       (unsigned long long)time(NULL) * 2654435761u;
		seed |= 1;
		printf("# SEED=%llu\n", seed);
	}
	return seed;
}

/* must be followed by return; @why is printed */
static inline void tap_skip(const char *why)
{
	tap_skipped = why;
}

/**
 * tap_run - run all cases and print the report
 * @cases: cases in the order to run
 * @num: number of cases
 *
 * Return: the exit status of the program.
 */
static inline int tap_run(const struct tap_case *cases, size_t num)
{
	size_t i;
	int status = 0;

	printf("KTAP version 1\n1..%zu\n", num);
	for (i = 0; i < num; i++) {
		tap_failures = 0;
		tap_skipped = NULL;
		cases[i].run();
		printf("%sok %zu %s", tap_failures ? "not " : "", i + 1, cases[i].name);
		printf(tap_skipped ? " # SKIP %s\n" : "\n", tap_skipped);
		fflush(stdout);
		if (tap_failures)
			status = 1;
	}
	return status;
}

#endif
