/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the checks of a module expect. A module that includes this defines pr_fmt() first.
 */
#ifndef FTEST_EXPECT_H
#define FTEST_EXPECT_H

#include <linux/printk.h>

static unsigned int nr_unmet;

/* Logs the place and what was found there if @cond does not hold, and fails the check. */
#define expect(cond, fmt, ...)							\
do {										\
	if (!(cond)) {								\
		pr_err("%s:%d: %s; " fmt "\n", __func__, __LINE__, #cond,	\
		       ##__VA_ARGS__);						\
		nr_unmet++;							\
	}									\
} while (0)

/* Begins a check: nothing is unmet so far. */
static inline void expect_begin(void)
{
	nr_unmet = 0;
}

/* Ends a check that returned @ret: an error if that is one, or if something was unmet. */
static inline int expect_end(int ret)
{
	return ret ?: nr_unmet ? -EINVAL : 0;
}

#endif /* FTEST_EXPECT_H */
