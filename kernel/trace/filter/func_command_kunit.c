// SPDX-License-Identifier: GPL-2.0
/* Tests of commands on functions, with a command that is registered for them. */
#include <kunit/test.h>

#include "filter/func_command.h"
#include "ftrace/test/kunit_target.h"
#include "lib/pattern.h"

/* Number of calls of the command's get, put and run callbacks. */
static unsigned int gets, puts, runs;
static bool counts = true;

/* The next run of the command performs no action, but calls the function from inside. */
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

static int do_pattern(const char *text)
{
	struct ftrace_pattern pattern;
	char buf[64];

	strscpy(buf, text);
	return ftrace_pattern_parse(&pattern, buf) ?: ftrace_command_do(NULL, &pattern);
}

/* Call the function @nr times. Return: the number of runs of the command. */
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

	KUNIT_EXPECT_EQ(test, -EINVAL, do_pattern("ftrace_kunit_add:kunit_note"));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_command(&note));
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_command(&same));
	KUNIT_EXPECT_EQ(test, -ENODEV, unregister_ftrace_command(&same));

	KUNIT_EXPECT_EQ(test, 0, do_pattern("ftrace_kunit_add:kunit_note"));
	KUNIT_EXPECT_EQ(test, 1, gets);
	KUNIT_EXPECT_EQ(test, 3, calls(3));
	KUNIT_EXPECT_EQ(test, -EBUSY, unregister_ftrace_command(&note));
	KUNIT_EXPECT_EQ(test, 0, do_pattern("!ftrace_kunit_*:kunit_note"));
	KUNIT_EXPECT_EQ(test, 1, puts);
	KUNIT_EXPECT_EQ(test, 0, calls(3));
	KUNIT_EXPECT_EQ(test, -EINVAL, do_pattern("!ftrace_kunit_add:kunit_note"));

	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_command(&note));
	KUNIT_EXPECT_EQ(test, -ENODEV, unregister_ftrace_command(&note));
}

/* Only performed actions count, and each function has its own count. */
static void test_counted(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_command(&note));
	KUNIT_EXPECT_EQ(test, 0, do_pattern("ftrace_kunit_*:kunit_note:2"));
	KUNIT_EXPECT_EQ(test, 2, calls(3));
	KUNIT_EXPECT_EQ(test, 0, do_pattern("ftrace_kunit_add:kunit_note:1"));
	counts = false;
	KUNIT_EXPECT_EQ(test, 3, calls(3));
	counts = true;
	KUNIT_EXPECT_EQ(test, 1, calls(3));
	ftrace_kunit_mul(1, 1);
	KUNIT_EXPECT_EQ(test, 2, runs);

	/* Add the same command without a count; each is removed by a pattern of its form. */
	KUNIT_EXPECT_EQ(test, 0, do_pattern("ftrace_kunit_add:kunit_note"));
	KUNIT_EXPECT_EQ(test, 3, calls(3));
	KUNIT_EXPECT_EQ(test, 0, do_pattern("!ftrace_kunit_*:kunit_note:0"));
	KUNIT_EXPECT_EQ(test, 3, calls(3));
	KUNIT_EXPECT_EQ(test, 0, do_pattern("!ftrace_kunit_*:kunit_note"));
	KUNIT_EXPECT_EQ(test, 0, calls(3));
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_command(&note));
}

/* If a call finds no count left because of another call that performs no action, it is retried. */
static void test_counted_meanwhile(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_command(&note));
	KUNIT_EXPECT_EQ(test, 0, do_pattern("ftrace_kunit_add:kunit_note:1"));
	nests = true;
	KUNIT_EXPECT_EQ(test, 2, calls(1));
	KUNIT_EXPECT_FALSE(test, nests);
	KUNIT_EXPECT_EQ(test, 0, calls(3));
	KUNIT_EXPECT_EQ(test, 0, do_pattern("!ftrace_kunit_*:kunit_note:0"));
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_command(&note));
}

/* Counts in the form that files show. */
static void test_shown(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_command(&note));
	KUNIT_EXPECT_EQ(test, 0, do_pattern("ftrace_kunit_add:kunit_note:count=2"));
	KUNIT_EXPECT_EQ(test, 2, calls(3));
	KUNIT_EXPECT_EQ(test, 0, do_pattern("ftrace_kunit_add:kunit_note:unlimited"));
	KUNIT_EXPECT_EQ(test, 3, calls(3));
	KUNIT_EXPECT_EQ(test, 0, do_pattern("!ftrace_kunit_add:kunit_note:unlimited"));
	KUNIT_EXPECT_EQ(test, 0, calls(3));
	KUNIT_EXPECT_EQ(test, -EINVAL, do_pattern("!ftrace_kunit_add:kunit_note:count="));
	KUNIT_EXPECT_EQ(test, 0, do_pattern("!ftrace_kunit_add:kunit_note:count=0"));
	KUNIT_EXPECT_EQ(test, -EINVAL, do_pattern("ftrace_kunit_add:kunit_note:count=-1"));
	KUNIT_EXPECT_EQ(test, -ERANGE,
			do_pattern("ftrace_kunit_add:kunit_note:99999999999999999999"));
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
