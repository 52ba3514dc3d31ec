/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FTEST_WEAK_H
#define _FTEST_WEAK_H

#include <linux/compiler.h>

int ftest_weak(int x);

#endif /* _FTEST_WEAK_H */
