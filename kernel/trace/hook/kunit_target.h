/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions to be traced by the tests of hook/. The only code here that has
 * call sites.
 */
#ifndef _TRACE_HOOK_KUNIT_TARGET_H
#define _TRACE_HOOK_KUNIT_TARGET_H

int ftrace_kunit_add(int a, int b);
int ftrace_kunit_mul(int a, int b);
int ftrace_kunit_sub(int a, int b);
int ftrace_kunit_six(int a, int b, int c, int d, int e, int f);
int ftrace_kunit_caller(int a, int b);

#endif /* _TRACE_HOOK_KUNIT_TARGET_H */
