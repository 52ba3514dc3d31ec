// SPDX-License-Identifier: GPL-2.0
/*
 * The planner: a table over what a site has and what it shall have. It knows
 * nothing of memory, locks or instructions, so that all of it can be tested.
 */
#include "patch/plan.h"

/* From the row's kind to the column's. Sets differ among themselves. */
static const enum ftrace_action action_of[FTRACE_SITES][FTRACE_SITES] = {
	[FTRACE_SITE_NOP] = {
		[FTRACE_SITE_NOP]	= FTRACE_KEEP,
		[FTRACE_SITE_LIST]	= FTRACE_MAKE_CALL,
		[FTRACE_SITE_LIST_REGS]	= FTRACE_MAKE_CALL,
		[FTRACE_SITE_SET]	= FTRACE_MAKE_CALL,
	},
	[FTRACE_SITE_LIST] = {
		[FTRACE_SITE_NOP]	= FTRACE_MAKE_NOP,
		[FTRACE_SITE_LIST]	= FTRACE_KEEP,
		[FTRACE_SITE_LIST_REGS]	= FTRACE_MODIFY_CALL,
		[FTRACE_SITE_SET]	= FTRACE_MODIFY_CALL,
	},
	[FTRACE_SITE_LIST_REGS] = {
		[FTRACE_SITE_NOP]	= FTRACE_MAKE_NOP,
		[FTRACE_SITE_LIST]	= FTRACE_MODIFY_CALL,
		[FTRACE_SITE_LIST_REGS]	= FTRACE_KEEP,
		[FTRACE_SITE_SET]	= FTRACE_MODIFY_CALL,
	},
	[FTRACE_SITE_SET] = {
		[FTRACE_SITE_NOP]	= FTRACE_MAKE_NOP,
		[FTRACE_SITE_LIST]	= FTRACE_MODIFY_CALL,
		[FTRACE_SITE_LIST_REGS]	= FTRACE_MODIFY_CALL,
		[FTRACE_SITE_SET]	= FTRACE_MODIFY_CALL,
	},
};

/**
 * ftrace_site_of - the kind of what a number stands for
 * @nr: FTRACE_NR_*, or the number of a set
 */
enum ftrace_site ftrace_site_of(unsigned int nr)
{
	return min_t(unsigned int, nr, FTRACE_SITE_SET);
}

/**
 * ftrace_plan_goal - what a site shall have for now
 * @want: WANT of its record
 * @enabled: kernel.ftrace_enabled
 *
 * Return: a number to give to ftrace_plan()
 */
unsigned int ftrace_plan_goal(unsigned int want, bool enabled)
{
	return enabled ? want : FTRACE_NR_NOP;
}

/**
 * ftrace_plan - what to do about a site
 * @have: HAVE of its record
 * @goal: what ftrace_plan_goal() says
 * @fixed: the site is not to be touched
 */
enum ftrace_action ftrace_plan(unsigned int have, unsigned int goal, bool fixed)
{
	if (fixed || have == goal)
		return FTRACE_KEEP;

	return action_of[ftrace_site_of(have)][ftrace_site_of(goal)];
}
