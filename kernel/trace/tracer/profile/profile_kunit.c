// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the slots that the function profiler uses for durations.
 */
#include <kunit/test.h>
#include <linux/limits.h>

#include "tracer/profile/profile.h"

static void test_slots(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, profile_slot(0), 0);
	KUNIT_EXPECT_EQ(test, profile_slot(63), 0);
	KUNIT_EXPECT_EQ(test, profile_slot(64), 1);
	KUNIT_EXPECT_EQ(test, profile_slot(127), 1);
	KUNIT_EXPECT_EQ(test, profile_slot(128), 2);
	KUNIT_EXPECT_EQ(test, profile_slot(2147483647ULL), PROFILE_SLOTS - 2);
	KUNIT_EXPECT_EQ(test, profile_slot(2147483648ULL), PROFILE_SLOTS - 1);
	KUNIT_EXPECT_EQ(test, profile_slot(U64_MAX), PROFILE_SLOTS - 1);
}

/* Each slot begins where the file shows it, and slots do not overlap. */
static void test_limits(struct kunit *test)
{
	unsigned int i;

	KUNIT_EXPECT_EQ(test, profile_slot_begin(0), 0);
	KUNIT_EXPECT_EQ(test, profile_slot_begin(1), 64);
	KUNIT_EXPECT_EQ(test, profile_slot_begin(PROFILE_SLOTS - 1), 2147483648ULL);
	for (i = 1; i < PROFILE_SLOTS; i++) {
		KUNIT_EXPECT_EQ(test, profile_slot(profile_slot_begin(i)), i);
		KUNIT_EXPECT_EQ(test, profile_slot(profile_slot_begin(i) - 1), i - 1);
	}
}

static void test_short(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < PROFILE_SLOTS - 1; i++) {
		u64 begin = profile_slot_begin(i), end = profile_slot_begin(i + 1);

		KUNIT_EXPECT_EQ(test, profile_slot_u32(begin), i);
		KUNIT_EXPECT_EQ(test, profile_slot_u32(end - 1), i);
	}
}

static struct kunit_case profile_cases[] = {
	KUNIT_CASE(test_slots),
	KUNIT_CASE(test_limits),
	KUNIT_CASE(test_short),
	{ }
};

static struct kunit_suite profile_suite = {
	.name		= "trace_profile",
	.test_cases	= profile_cases,
};

kunit_test_suite(profile_suite);
