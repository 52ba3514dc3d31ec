// SPDX-License-Identifier: GPL-2.0
/*
 * The plan (kernel/trace/patch/plan.h), over all states of a record.
 *
 * The oracle does not use the encoding of a state. It keeps HAVE, WANT and the properties of a
 * site in separate variables, follows the rules, and compares these with the state after each
 * change.
 */
#include "patch/plan.h"
#include "tap.h"

/* nothing is called; a NOP */
#define NOTHING 0

/* the bits of a state that are not its number, each alone */
static const u32 bits[] = {
	FTRACE_REC_CALLS, FTRACE_REC_NOT_READY, FTRACE_REC_CORRUPT,
	FTRACE_REC_TOUCHED, FTRACE_REC_MODIFIED,
};

/* both entries of the list function, and sets at both ends and at powers of two */
static const unsigned int numbers[] = {
	FTRACE_NR_NOP, FTRACE_NR_LIST, FTRACE_NR_LIST_REGS,
	FTRACE_NR_SET, FTRACE_NR_SET + 1, 100, 1 << 7, (1 << 14) - 1, 1 << 14,
	(1 << (FTRACE_NR_BITS - 1)) - 1, 1 << (FTRACE_NR_BITS - 1),
	FTRACE_NR_MAX - 1, FTRACE_NR_MAX,
};

static u32 flags_of(unsigned int set)
{
	u32 flags = 0;
	unsigned int i;

	for (i = 0; i < TAP_NUM(bits); i++)
		if (set & (1 << i))
			flags |= bits[i];
	return flags;
}

static void check_change(u32 state, unsigned int want, bool enabled)
{
	u32 new = ftrace_plan(state, want, enabled);
	unsigned int calls = ftrace_state_have(new);

	/* A corrupt site keeps all of its state */
	if (state & FTRACE_REC_CORRUPT) {
		EXPECT_EQ(new, state);
		return;
	}
	EXPECT_EQ(ftrace_state_want(new), want);
	if (!enabled || state & FTRACE_REC_NOT_READY)
		EXPECT_EQ(calls, NOTHING);
	else
		EXPECT_EQ(calls, want);
	/*
	 * the properties of the site are kept, and it is marked as touched once it has called
	 * something
	 */
	EXPECT_EQ(new & FTRACE_REC_NOT_READY, state & FTRACE_REC_NOT_READY);
	EXPECT_EQ(new & FTRACE_REC_MODIFIED, state & FTRACE_REC_MODIFIED);
	EXPECT_EQ(!!(new & FTRACE_REC_TOUCHED),
		  state & FTRACE_REC_TOUCHED || calls != NOTHING);
	EXPECT_EQ(new & FTRACE_REC_CORRUPT, 0);
	/* repeating the same change changes nothing */
	EXPECT_EQ(ftrace_plan(new, want, enabled), new);
}

static void no_bit_is_used_twice(void)
{
	u32 seen = FTRACE_REC_WANT;
	unsigned int i;

	for (i = 0; i < TAP_NUM(bits); i++) {
		EXPECT_EQ(seen & bits[i], 0);
		seen |= bits[i];
	}
	EXPECT_EQ(seen, ~(u32)0);
	EXPECT_EQ(FTRACE_REC_WANT, FTRACE_NR_MAX);
}

static void every_state_and_change(void)
{
	unsigned int i, j, set;

	for (set = 0; set < 1 << TAP_NUM(bits); set++)
		for (i = 0; i < TAP_NUM(numbers); i++)
			for (j = 0; j < TAP_NUM(numbers); j++) {
				check_change(flags_of(set) | numbers[i], numbers[j], false);
				check_change(flags_of(set) | numbers[i], numbers[j], true);
			}
}

/* a prime stride through all numbers, from and to, with every set of bits */
static void numbers_far_and_wide(void)
{
	unsigned int nr, set;

	for (nr = 0; nr <= FTRACE_NR_MAX - 4099; nr += 4099)
		for (set = 0; set < 1 << TAP_NUM(bits); set++) {
			check_change(flags_of(set) | nr, FTRACE_NR_MAX - nr, true);
			check_change(flags_of(set) | (FTRACE_NR_MAX - nr), nr, true);
			check_change(flags_of(set) | nr, nr, false);
		}
}

/* a site follows any sequence of wanted states, and of kernel.ftrace_enabled */
static void histories(void)
{
	unsigned int step, seed = 1, want;
	u32 state = FTRACE_REC_NOT_READY;
	bool enabled;

	for (step = 0; step < 1000000; step++) {
		seed = seed * 1664525 + 1013904223;
		want = numbers[(seed >> 8) % TAP_NUM(numbers)];
		enabled = (seed >> 20) % 8;
		if (step == 1000)
			state &= ~FTRACE_REC_NOT_READY;
		state = ftrace_plan(state, want, enabled);
		if (!EXPECT_EQ(ftrace_state_want(state), want) ||
		    !EXPECT_EQ(ftrace_state_have(state),
			       enabled && step >= 1000 ? want : NOTHING))
			return;
	}
}

static const struct tap_case cases[] = {
	TAP_CASE(no_bit_is_used_twice),
	TAP_CASE(every_state_and_change),
	TAP_CASE(numbers_far_and_wide),
	TAP_CASE(histories),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
