/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a call site calls, what it shall call, and what to do about it.
 *
 * A site calls nothing (a NOP), the list function through one of two
 * trampolines, or the trampoline of a set of ops. Each of these has a number;
 * a record keeps two of them, HAVE and WANT.
 */
#ifndef _TRACE_PATCH_PLAN_H
#define _TRACE_PATCH_PLAN_H

#include "lib/env.h"

#define FTRACE_NR_BITS		14
#define FTRACE_NR_NOP		0	/* nothing is called */
#define FTRACE_NR_LIST		1	/* ftrace_caller */
#define FTRACE_NR_LIST_REGS	2	/* ftrace_regs_caller */
#define FTRACE_NR_SET		3	/* first number of a set */
#define FTRACE_NR_MAX		((1 << FTRACE_NR_BITS) - 1)

/**
 * enum ftrace_site - kinds of what a site may call
 * @FTRACE_SITE_NOP: nothing
 * @FTRACE_SITE_LIST: the list function, with the arguments saved
 * @FTRACE_SITE_LIST_REGS: the list function, with all registers saved
 * @FTRACE_SITE_SET: a set's own trampoline
 */
enum ftrace_site {
	FTRACE_SITE_NOP,
	FTRACE_SITE_LIST,
	FTRACE_SITE_LIST_REGS,
	FTRACE_SITE_SET,
	FTRACE_SITES,
};

/**
 * enum ftrace_action - what brings a site from HAVE to WANT
 * @FTRACE_KEEP: nothing to do
 * @FTRACE_MAKE_CALL: a NOP becomes a call
 * @FTRACE_MODIFY_CALL: a call gets another target
 * @FTRACE_MAKE_NOP: a call becomes a NOP
 */
enum ftrace_action {
	FTRACE_KEEP,
	FTRACE_MAKE_CALL,
	FTRACE_MODIFY_CALL,
	FTRACE_MAKE_NOP,
};

enum ftrace_site ftrace_site_of(unsigned int nr);
unsigned int ftrace_plan_goal(unsigned int want, bool enabled);
enum ftrace_action ftrace_plan(unsigned int have, unsigned int goal, bool fixed);

#endif /* _TRACE_PATCH_PLAN_H */
