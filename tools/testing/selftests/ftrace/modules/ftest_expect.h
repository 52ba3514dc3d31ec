/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Expectations in the checks of a module. A module that includes this must define pr_fmt()
 * first.
 */
#ifndef FTEST_EXPECT_H
#define FTEST_EXPECT_H

#include <linux/printk.h>

static unsigned int nr_unmet;

/* Logs the place and the actual values if @cond is false, and fails the check. */
#define expect(cond, fmt, ...)							\
do {										\
	if (!(cond)) {								\
		pr_err("%s:%d: %s; " fmt "\n", __func__, __LINE__, #cond,	\
		       ##__VA_ARGS__);						\
		nr_unmet++;							\
	}									\
} while (0)

/* Begins a check: no expectation has failed yet. */
static inline void expect_begin(void)
{
	nr_unmet = 0;
}

/* Ends a check: returns @ret if it is an error, or an error if an expectation has failed. */
static inline int expect_end(int ret)
{
	return ret ?: nr_unmet ? -EINVAL : 0;
}

#endif /* FTEST_EXPECT_H */
