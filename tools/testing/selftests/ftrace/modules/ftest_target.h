/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions for the ftrace tests to trace. Only the tests call them, so that every call
 * can be counted.
 */
#ifndef _FTEST_TARGET_H
#define _FTEST_TARGET_H

/* What the functions add to their argument, unlike a replacement. */
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

/* Targets of direct calls for ftest_direct; C must not call them. */
void ftest_direct_first(void);
void ftest_direct_second(void);

#endif /* _FTEST_TARGET_H */
