// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_synth - synthetic events by the functions of events.rst, "In-kernel trace event API".
 *
 * Loading it defines two events, generates them in each possible way, and leaves them disabled.
 * Unloading it removes them. The parameter `failed` has the number of failed checks.
 */
#define pr_fmt(fmt) "ftest_synth: " fmt

#include <linux/module.h>
#include <linux/slab.h>
#include <linux/trace.h>
#include <linux/trace_events.h>

#include "ftest_expect.h"

static int failed;
module_param(failed, int, 0400);

static struct trace_event_file *file;

static struct synth_field_desc fields[] = {
	{ .type = "pid_t",		.name = "next_pid" },
	{ .type = "char[16]",		.name = "next_comm" },
	{ .type = "u64",		.name = "ts_ns" },
	{ .type = "unsigned int",	.name = "cpu" },
	{ .type = "char[64]",		.name = "my_string" },
	{ .type = "int",		.name = "my_int" },
};

static void define_in_steps(void)
{
	char *buf = kzalloc(MAX_DYNEVENT_CMD_LEN, GFP_KERNEL);
	struct dynevent_cmd cmd;

	if (!buf)
		return;

	synth_event_cmd_init(&cmd, buf, MAX_DYNEVENT_CMD_LEN);
	expect(!synth_event_gen_cmd_start(&cmd, "ftest_dynamic", THIS_MODULE, "char[]", "text"),
	       "");
	expect(!synth_event_add_field(&cmd, "int", "n"), "");
	expect(!synth_event_gen_cmd_end(&cmd), "");
	expect(synth_event_gen_cmd_end(&cmd) == -EEXIST, "");

	synth_event_cmd_init(&cmd, buf, MAX_DYNEVENT_CMD_LEN);
	expect(!synth_event_gen_cmd_array_start(&cmd, "ftest_third", THIS_MODULE, fields, 2), "");
	expect(!synth_event_add_fields(&cmd, fields + 2, 2), "");
	expect(!synth_event_add_field_str(&cmd, "unsigned char c"), "");
	expect(synth_event_add_field(&cmd, "int", NULL) == -EINVAL, "");
	expect(!synth_event_gen_cmd_end(&cmd), "");
	expect(!synth_event_delete("ftest_third"), "");
	expect(synth_event_delete("ftest_third") == -ENOENT, "");

	/* The text does not fit. */
	synth_event_cmd_init(&cmd, buf, 16);
	synth_event_gen_cmd_start(&cmd, "ftest_fourth", THIS_MODULE, "unsigned long", "field");
	expect(synth_event_gen_cmd_end(&cmd) == -E2BIG, "");
	kfree(buf);
}

static void trace_at_once(void)
{
	u64 vals[] = { 777, (u64)(unsigned long)"tiddlywinks", 2000000, 8,
		       (u64)(unsigned long)"thneed", 398 };

	expect(!synth_event_trace(file, 6, (u64)444, (u64)(unsigned long)"clackers", (u64)1000000,
				  (u64)7, (u64)(unsigned long)"Thneed", (u64)999), "");
	expect(!synth_event_trace_array(file, vals, ARRAY_SIZE(vals)), "");
	expect(synth_event_trace_array(file, vals, 5) == -EINVAL, "");
}

static void trace_piecewise(void)
{
	struct synth_event_trace_state state;

	expect(!synth_event_trace_start(file, &state), "");
	expect(!synth_event_add_next_val(778, &state), "");
	expect(!synth_event_add_next_val((u64)(unsigned long)"slinky", &state), "");
	expect(!synth_event_add_next_val(3000000, &state), "");
	expect(!synth_event_add_next_val(9, &state), "");
	expect(!synth_event_add_next_val((u64)(unsigned long)"thneed_2.01", &state), "");
	expect(!synth_event_add_next_val(-395, &state), "");
	expect(synth_event_add_next_val(1, &state) == -EINVAL, "");
	expect(synth_event_add_val("cpu", 1, &state) == -EINVAL, "");
	expect(!synth_event_trace_end(&state), "");

	expect(!synth_event_trace_start(file, &state), "");
	expect(!synth_event_add_val("my_int", 3999, &state), "");
	expect(!synth_event_add_val("next_pid", 779, &state), "");
	expect(!synth_event_add_val("next_comm", (u64)(unsigned long)"silly putty", &state), "");
	expect(!synth_event_add_val("my_string", (u64)(unsigned long)"thneed_9", &state), "");
	expect(synth_event_add_val("no_such", 1, &state) == -EINVAL, "");
	expect(synth_event_add_next_val(1, &state) == -EINVAL, "");
	expect(!synth_event_trace_end(&state), "");
}

static void trace_dynamic(void)
{
	struct trace_event_file *other = trace_get_event_file(NULL, "synthetic", "ftest_dynamic");
	struct synth_event_trace_state state;

	expect(!IS_ERR(other), "");
	if (IS_ERR(other))
		return;

	expect(!trace_array_set_clr_event(other->tr, "synthetic", "ftest_dynamic", true), "");
	expect(synth_event_trace_start(other, &state) == -EINVAL, "");
	expect(!synth_event_trace(other, 2, (u64)(unsigned long)"as long as it is", (u64)3), "");
	expect(!trace_array_set_clr_event(other->tr, "synthetic", "ftest_dynamic", false), "");
	trace_put_event_file(other);
}

static int __init synth_init(void)
{
	struct synth_event_trace_state state;
	int ret = synth_event_create("ftest_schedtest", fields, ARRAY_SIZE(fields), THIS_MODULE);

	if (ret)
		return ret;

	expect_begin();
	define_in_steps();
	file = trace_get_event_file(NULL, "synthetic", "ftest_schedtest");
	if (IS_ERR(file)) {
		synth_event_delete("ftest_schedtest");
		return PTR_ERR(file);
	}

	/* The event is not recorded yet. */
	expect(!synth_event_trace(file, 6, 0ULL, 0ULL, 0ULL, 0ULL, 0ULL, 0ULL), "");
	expect(!synth_event_trace_start(file, &state), "");
	expect(!synth_event_add_next_val(1, &state), "");
	expect(!synth_event_trace_end(&state), "");

	expect(!trace_array_set_clr_event(file->tr, "synthetic", "ftest_schedtest", true), "");
	expect(synth_event_delete("ftest_schedtest") == -EBUSY, "");
	trace_at_once();
	trace_piecewise();
	trace_dynamic();
	expect(!trace_array_set_clr_event(file->tr, "synthetic", "ftest_schedtest", false), "");
	trace_put_event_file(file);
	failed = nr_unmet;

	return 0;
}

static void __exit synth_exit(void)
{
	synth_event_delete("ftest_dynamic");
	synth_event_delete("ftest_schedtest");
}

module_init(synth_init);
module_exit(synth_exit);
MODULE_DESCRIPTION("Synthetic events of kernel code");
MODULE_LICENSE("GPL");
