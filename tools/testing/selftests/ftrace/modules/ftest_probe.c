// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_probe - kprobe events by the functions of events.rst, "In-kernel trace event API".
 *
 * Loading it defines the events ftest/gen and ftest/gen_ret, and unloading it removes them. The
 * parameter `failed` has the number of failed checks.
 */
#define pr_fmt(fmt) "ftest_probe: " fmt

#include <linux/module.h>
#include <linux/slab.h>
#include <linux/trace_events.h>

#include "ftest_expect.h"

static int failed;
module_param(failed, int, 0400);

static void define_events(char *buf)
{
	struct dynevent_cmd cmd;

	kprobe_event_cmd_init(&cmd, buf, MAX_DYNEVENT_CMD_LEN);
	expect(!kprobe_event_gen_cmd_start(&cmd, "ftest/gen", "vfs_read", "count=$arg3",
					   "stack=$stack0"), "");
	expect(!kprobe_event_add_fields(&cmd, "a=$arg1", "b=$arg2"), "");
	expect(!kprobe_event_add_field(&cmd, "who=$comm"), "");
	expect(!kprobe_event_gen_cmd_end(&cmd), "");
	expect(kprobe_event_gen_cmd_end(&cmd) == -EEXIST, "");

	kprobe_event_cmd_init(&cmd, buf, MAX_DYNEVENT_CMD_LEN);
	expect(!kretprobe_event_gen_cmd_start(&cmd, "ftest/gen_ret", "vfs_read", "v=$retval:s64"),
	       "");
	expect(!kretprobe_event_gen_cmd_end(&cmd), "");
}

static void mistakes(char *buf)
{
	struct dynevent_cmd cmd;
	unsigned int i;
	int err = 0;

	kprobe_event_cmd_init(&cmd, buf, MAX_DYNEVENT_CMD_LEN);
	expect(kprobe_event_gen_cmd_start(&cmd, NULL, "vfs_read") == -EINVAL, "");
	expect(kprobe_event_gen_cmd_start(&cmd, "ftest/x", NULL) == -EINVAL, "");
	expect(!kprobe_event_gen_cmd_start(&cmd, "ftest/x", "no_such_function"), "");
	expect(kprobe_event_gen_cmd_end(&cmd) == -ENOENT, "");

	kprobe_event_cmd_init(&cmd, buf, MAX_DYNEVENT_CMD_LEN);
	expect(!kprobe_event_gen_cmd_start(&cmd, "ftest/x", "vfs_read"), "");
	for (i = 0; i < 1000 && !err; i++)
		err = kprobe_event_add_field(&cmd, "\\1");
	expect(err == -EINVAL && i == 129, "after %u arguments", i);

	/* The text does not fit. */
	kprobe_event_cmd_init(&cmd, buf, 16);
	kprobe_event_gen_cmd_start(&cmd, "ftest/x", "vfs_read", "count=$arg3");
	expect(kprobe_event_gen_cmd_end(&cmd) == -E2BIG, "");

	cmd.type = DYNEVENT_TYPE_SYNTH;
	expect(kprobe_event_add_field(&cmd, "\\1") == -EINVAL, "");
	expect(kprobe_event_delete("ftest/x") == -ENOENT, "");
}

static int __init ftest_probe_init(void)
{
	char *buf = kzalloc(MAX_DYNEVENT_CMD_LEN, GFP_KERNEL);

	if (!buf)
		return -ENOMEM;

	expect_begin();
	mistakes(buf);
	define_events(buf);
	failed = nr_unmet;
	kfree(buf);

	return 0;
}
module_init(ftest_probe_init);

static void __exit ftest_probe_exit(void)
{
	kprobe_event_delete("ftest/gen");
	kprobe_event_delete("ftest/gen_ret");
}
module_exit(ftest_probe_exit);

MODULE_DESCRIPTION("Kprobe events that kernel code defines");
MODULE_LICENSE("GPL");
