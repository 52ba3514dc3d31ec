// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_events - trace events with fields of each kind.
 *
 * Writing a number to the parameter `fire` triggers each event with it. The parameter
 * `registered` is 1 while ftest_fn has a probe. A string written to `set` is passed to
 * trace_array_set_clr_event() for the instance `ftest`, with a leading ! to disable. A string
 * written to `point` makes entries that point to a constant, to NULL, and to that string, which
 * is then freed.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/trace_events.h>

#define CREATE_TRACE_POINTS
#include "ftest_events.h"

static int registered;
module_param(registered, int, 0444);

int ftest_events_reg(void)
{
	registered++;
	return 0;
}

void ftest_events_unreg(void)
{
	registered--;
}

static int fire_set(const char *val, const struct kernel_param *kp)
{
	long count;
	int err = kstrtol(val, 0, &count);

	if (err)
		return err;

	trace_ftest_numbers(count, "some text that is long");
	trace_ftest_texts(count, count ? "text" : NULL);
	trace_ftest_words(count);
	trace_ftest_first(count);
	trace_ftest_second(count);
	trace_ftest_odd(count);
	trace_ftest_fn(count);

	return 0;
}
module_param_call(fire, fire_set, NULL, NULL, 0200);

static int point_set(const char *val, const struct kernel_param *kp)
{
	char *gone = kstrdup(val, GFP_KERNEL);

	trace_ftest_pointer(1, "constant");
	trace_ftest_pointer(2, NULL);
	if (gone)
		trace_ftest_pointer(3, gone);
	kfree(gone);

	return 0;
}
module_param_call(point, point_set, NULL, NULL, 0200);

static int set_set(const char *val, const struct kernel_param *kp)
{
	struct trace_array *tr = trace_array_get_by_name("ftest", "ftest,sched");
	bool on = *val != '!';
	char *word, *name, *system;
	int err = -ENOMEM;

	if (!tr)
		return -ENOMEM;

	word = kstrdup(on ? val : val + 1, GFP_KERNEL);
	if (word) {
		name = strim(word);
		system = strsep(&name, ":");
		err = trace_array_set_clr_event(tr, system, name, on);
	}
	kfree(word);
	trace_array_put(tr);

	return err;
}
module_param_call(set, set_set, NULL, NULL, 0200);

static int __init ftest_events_init(void)
{
	return 0;
}
module_init(ftest_events_init);

static void __exit ftest_events_exit(void)
{
}
module_exit(ftest_events_exit);

MODULE_DESCRIPTION("Trace events of the ftrace selftests");
MODULE_LICENSE("GPL");
