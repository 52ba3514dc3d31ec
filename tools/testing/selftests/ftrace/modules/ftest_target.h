/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions for the ftrace tests to trace. Only the tests call them, so that every call can be
 * counted.
 */
#ifndef _FTEST_TARGET_H
#define _FTEST_TARGET_H

#include <linux/kthread.h>
#include <linux/sched.h>

/* The numbers that the functions add to their argument; a replacement adds another number. */
#define FTEST_ONE_ADDS	1
#define FTEST_TWO_ADDS	2

int ftest_one(int x);
int ftest_two(int x);
int ftest_three(int x);

/**
 * ftest_caller - call each of the functions above once
 * @x: any number
 *
 * Context: any, NMI included.
 */
void ftest_caller(int x);

/* A kernel thread sleeps here until it is to stop. */
static __always_inline void ftest_sit(void)
{
	set_current_state(TASK_INTERRUPTIBLE);
	while (!kthread_should_stop()) {
		schedule();
		set_current_state(TASK_INTERRUPTIBLE);
	}
	__set_current_state(TASK_RUNNING);
}

/* Targets of direct calls for ftest_direct; C must not call them. */
void ftest_direct_first(void);
void ftest_direct_second(void);

#endif /* _FTEST_TARGET_H */
