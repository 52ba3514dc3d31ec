// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of commands on functions: one that is registered for them.
 */
#include <kunit/test.h>

#include "filter/func_command.h"
#include "ftrace/test/kunit_target.h"
#include "lib/pattern.h"

/* How often the command got and lost its functions, and was done. */
static unsigned int gets, puts, runs;
static bool counts = true;

/* The next time that it is done there is nothing to do, but the function is called meanwhile. */
static bool nests;

static int note_get(struct trace_array *tr, void *data)
{
	gets++;
	return 0;
}

static void note_put(struct trace_array *tr, void *data)
{
	puts++;
}

static bool note_run(struct trace_array *tr, void *data, unsigned long ip,
		     unsigned long parent_ip, struct ftrace_regs *fregs)
{
	runs++;
	if (nests) {
		nests = false;
		ftrace_kunit_add(1, 1);
		return false;
	}
	return counts;
}

static struct ftrace_func_command note = {
	.name	= "kunit_note",
	.get	= note_get,
	.put	= note_put,
	.run	= note_run,
};

static int word(const char *text)
{
	struct ftrace_pattern pattern;
	char buf[64];

	strscpy(buf, text);
	return ftrace_pattern_parse(&pattern, buf) ?: ftrace_command_do(NULL, &pattern);
}

/* How often the command is done in so many calls. */
static unsigned int calls(unsigned int nr)
{
	runs = 0;
	while (nr--)
		ftrace_kunit_add(1, 1);
	return runs;
}

static void test_registered(struct kunit *test)
{
	struct ftrace_func_command same = { .name = note.name, .run = note_run };

	KUNIT_EXPECT_EQ(test, -EINVAL, word("ftrace_kunit_add:kunit_note"));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_command(&note));
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_command(&same));
	KUNIT_EXPECT_EQ(test, -ENODEV, unregister_ftrace_command(&same));

	KUNIT_EXPECT_EQ(test, 0, word("ftrace_kunit_add:kunit_note"));
	KUNIT_EXPECT_EQ(test, 1, gets);
	KUNIT_EXPECT_EQ(test, 3, calls(3));
	KUNIT_EXPECT_EQ(test, -EBUSY, unregister_ftrace_command(&note));
	KUNIT_EXPECT_EQ(test, 0, word("!ftrace_kunit_*:kunit_note"));
	KUNIT_EXPECT_EQ(test, 1, puts);
	KUNIT_EXPECT_EQ(test, 0, calls(3));
	KUNIT_EXPECT_EQ(test, -EINVAL, word("!ftrace_kunit_add:kunit_note"));

	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_command(&note));
	KUNIT_EXPECT_EQ(test, -ENODEV, unregister_ftrace_command(&note));
}

/* Only what was done counts, and each function has a count of its own. */
static void test_counted(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_command(&note));
	KUNIT_EXPECT_EQ(test, 0, word("ftrace_kunit_*:kunit_note:2"));
	KUNIT_EXPECT_EQ(test, 2, calls(3));
	KUNIT_EXPECT_EQ(test, 0, word("ftrace_kunit_add:kunit_note:1"));
	counts = false;
	KUNIT_EXPECT_EQ(test, 3, calls(3));
	counts = true;
	KUNIT_EXPECT_EQ(test, 1, calls(3));
	ftrace_kunit_mul(1, 1);
	KUNIT_EXPECT_EQ(test, 2, runs);

	/* Beside it one without a count; each goes by a word of its form. */
	KUNIT_EXPECT_EQ(test, 0, word("ftrace_kunit_add:kunit_note"));
	KUNIT_EXPECT_EQ(test, 3, calls(3));
	KUNIT_EXPECT_EQ(test, 0, word("!ftrace_kunit_*:kunit_note:0"));
	KUNIT_EXPECT_EQ(test, 3, calls(3));
	KUNIT_EXPECT_EQ(test, 0, word("!ftrace_kunit_*:kunit_note"));
	KUNIT_EXPECT_EQ(test, 0, calls(3));
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_command(&note));
}

/* A call that finds nothing left because of one that does nothing is made up for. */
static void test_counted_meanwhile(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_command(&note));
	KUNIT_EXPECT_EQ(test, 0, word("ftrace_kunit_add:kunit_note:1"));
	nests = true;
	KUNIT_EXPECT_EQ(test, 2, calls(1));
	KUNIT_EXPECT_FALSE(test, nests);
	KUNIT_EXPECT_EQ(test, 0, calls(3));
	KUNIT_EXPECT_EQ(test, 0, word("!ftrace_kunit_*:kunit_note:0"));
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_command(&note));
}

/* Counts as they are shown. */
static void test_shown(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_command(&note));
	KUNIT_EXPECT_EQ(test, 0, word("ftrace_kunit_add:kunit_note:count=2"));
	KUNIT_EXPECT_EQ(test, 2, calls(3));
	KUNIT_EXPECT_EQ(test, 0, word("ftrace_kunit_add:kunit_note:unlimited"));
	KUNIT_EXPECT_EQ(test, 3, calls(3));
	KUNIT_EXPECT_EQ(test, 0, word("!ftrace_kunit_add:kunit_note:unlimited"));
	KUNIT_EXPECT_EQ(test, 0, calls(3));
	KUNIT_EXPECT_EQ(test, -EINVAL, word("!ftrace_kunit_add:kunit_note:count="));
	KUNIT_EXPECT_EQ(test, 0, word("!ftrace_kunit_add:kunit_note:count=0"));
	KUNIT_EXPECT_EQ(test, -EINVAL, word("ftrace_kunit_add:kunit_note:count=-1"));
	KUNIT_EXPECT_EQ(test, -ERANGE, word("ftrace_kunit_add:kunit_note:99999999999999999999"));
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_command(&note));
}

static struct kunit_case ftrace_command_cases[] = {
	KUNIT_CASE(test_registered),
	KUNIT_CASE(test_counted),
	KUNIT_CASE(test_counted_meanwhile),
	KUNIT_CASE(test_shown),
	{ }
};

static struct kunit_suite ftrace_command_suite = {
	.name		= "ftrace_command",
	.test_cases	= ftrace_command_cases,
};

kunit_test_suite(ftrace_command_suite);

MODULE_DESCRIPTION("KUnit tests of commands on functions");
MODULE_LICENSE("GPL");
