/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The body of ftest_same_plain.c and ftest_same_cold.c, except for the functions ftest_same()
 * and ftest_half(): each file has its own. Only the ftest_half() of ftest_same_plain.c can be
 * traced.
 */
#ifndef _FTEST_SAME_H
#define _FTEST_SAME_H

#include <linux/moduleparam.h>
#include <linux/sysfs.h>

static int ftest_same(int x);
static int ftest_half(int x);

static int value_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", ftest_half(ftest_same(0)));
}

static const struct kernel_param_ops value_ops = {
	.get = value_get,
};

#endif /* _FTEST_SAME_H */
