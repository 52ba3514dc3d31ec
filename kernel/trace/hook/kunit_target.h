/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that the tests of hook/ trace: the only code of this room that has call
 * sites.
 */
#ifndef _TRACE_HOOK_KUNIT_TARGET_H
#define _TRACE_HOOK_KUNIT_TARGET_H

int ftrace_kunit_add(int a, int b);
int ftrace_kunit_mul(int a, int b);
int ftrace_kunit_sub(int a, int b);
int ftrace_kunit_six(int a, int b, int c, int d, int e, int f);
int ftrace_kunit_caller(int a, int b);
int ftrace_kunit_tail(int a, int b);
int ftrace_kunit_deep(int n);
int ftrace_kunit_run(int (*function)(void *data), void *data);
int ftrace_kunit_tail_run(int (*function)(void *data), void *data);

/* Targets of direct calls, and the number of calls of each. */
extern unsigned int ftrace_kunit_counts[2];
void ftrace_kunit_direct_a(void);
void ftrace_kunit_direct_b(void);

#endif /* _TRACE_HOOK_KUNIT_TARGET_H */
