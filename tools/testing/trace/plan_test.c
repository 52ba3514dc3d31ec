// SPDX-License-Identifier: GPL-2.0
/*
 * The planner (kernel/trace/patch/plan.c), over all it can be asked.
 *
 * The oracle knows nothing of kinds and tables. It makes the change that the
 * planner names to a site that remembers what it calls, refuses a change that
 * does not fit what it finds, and looks at what the site calls afterwards.
 */
#include "patch/plan.h"
#include "tap.h"

/* nothing called; a NOP */
#define NOTHING 0

/* numbers at both ends of each kind, and the sets next to each other */
static const unsigned int numbers[] = {
	FTRACE_NR_NOP, FTRACE_NR_LIST, FTRACE_NR_LIST_REGS,
	FTRACE_NR_SET, FTRACE_NR_SET + 1, FTRACE_NR_SET + 2, 100, 1 << 7,
	(1 << (FTRACE_NR_BITS - 1)) - 1, 1 << (FTRACE_NR_BITS - 1),
	FTRACE_NR_MAX - 1, FTRACE_NR_MAX,
};

/* does what @action says to a site that calls @have; false if it cannot */
static bool act(enum ftrace_action action, unsigned int *have, unsigned int goal)
{
	switch (action) {
	case FTRACE_KEEP:
		return true;
	case FTRACE_MAKE_CALL:
		if (*have != NOTHING || goal == NOTHING)
			return false;
		*have = goal;
		return true;
	case FTRACE_MODIFY_CALL:
		if (*have == NOTHING || goal == NOTHING || *have == goal)
			return false;
		*have = goal;
		return true;
	case FTRACE_MAKE_NOP:
		if (*have == NOTHING)
			return false;
		*have = NOTHING;
		return true;
	}
	return false;
}

static void check_pair(unsigned int have, unsigned int want)
{
	unsigned int flags;

	for (flags = 0; flags < 4; flags++) {
		bool enabled = flags & 1, fixed = flags & 2;
		unsigned int goal = ftrace_plan_goal(want, enabled);
		enum ftrace_action action = ftrace_plan(have, goal, fixed);
		unsigned int site = have;

		EXPECT_EQ(goal, enabled ? want : NOTHING);
		if (!EXPECT(act(action, &site, goal)))
			printf("# have %u, want %u, enabled %d, fixed %d: action %d\n",
			       have, want, enabled, fixed, action);
		EXPECT_EQ(site, fixed ? have : goal);
		/* nothing is touched without need: a write costs */
		EXPECT_EQ(action == FTRACE_KEEP, fixed || have == goal);
		/* and what is done is done */
		EXPECT_EQ(ftrace_plan(site, goal, fixed),
			  fixed ? ftrace_plan(have, goal, fixed) : FTRACE_KEEP);
	}
}

static void every_pair_of_kinds(void)
{
	unsigned int i, j;

	for (i = 0; i < TAP_NUM(numbers); i++)
		for (j = 0; j < TAP_NUM(numbers); j++)
			check_pair(numbers[i], numbers[j]);
}

/* every number there is against some of each kind, both ways */
static void every_number(void)
{
	unsigned int nr, i;

	for (nr = 0; nr <= FTRACE_NR_MAX; nr++) {
		for (i = 0; i < TAP_NUM(numbers); i++) {
			check_pair(nr, numbers[i]);
			check_pair(numbers[i], nr);
		}
		check_pair(nr, nr);
		check_pair(nr, (nr + 1) & FTRACE_NR_MAX);
	}
}

static void kinds(void)
{
	unsigned int nr;

	EXPECT_EQ(ftrace_site_of(FTRACE_NR_NOP), FTRACE_SITE_NOP);
	EXPECT_EQ(ftrace_site_of(FTRACE_NR_LIST), FTRACE_SITE_LIST);
	EXPECT_EQ(ftrace_site_of(FTRACE_NR_LIST_REGS), FTRACE_SITE_LIST_REGS);
	for (nr = FTRACE_NR_SET; nr <= FTRACE_NR_MAX; nr++)
		EXPECT_EQ(ftrace_site_of(nr), FTRACE_SITE_SET);
}

/* any sequence of wishes ends at the last one, whatever happens in between */
static void histories(void)
{
	unsigned int site = FTRACE_NR_NOP, step, seed = 1;

	for (step = 0; step < 1000000; step++) {
		unsigned int want, goal;
		bool enabled, fixed;

		seed = seed * 1664525 + 1013904223;
		want = numbers[(seed >> 8) % TAP_NUM(numbers)];
		enabled = (seed >> 20) % 8;
		fixed = (seed >> 24) % 8 == 0;
		goal = ftrace_plan_goal(want, enabled);
		if (!EXPECT(act(ftrace_plan(site, goal, fixed), &site, goal)))
			return;
		if (!fixed && !EXPECT_EQ(site, goal))
			return;
	}
}

static const struct tap_case cases[] = {
	TAP_CASE(every_pair_of_kinds),
	TAP_CASE(every_number),
	TAP_CASE(kinds),
	TAP_CASE(histories),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
