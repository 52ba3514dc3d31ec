// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_export - a trace_export that counts and checks the entries that it gets.
 *
 * The parameter `kinds` has the flags for registration; writing Y to `on` registers the export,
 * and N unregisters it. `functions` and `markers` count the entries, `marker` has the text of
 * the last marker, and `wrong` counts malformed entries. The callback calls
 * ftest_export_callee(), which may be traced itself.
 */
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/trace_events.h>

/* The IDs in events/ftrace/function and print. */
#define TYPE_FUNCTION	1
#define TYPE_PRINT	5

static int kinds;
module_param(kinds, int, 0600);

static atomic_t functions = ATOMIC_INIT(0);
static atomic_t markers = ATOMIC_INIT(0);
static atomic_t wrong = ATOMIC_INIT(0);
static char marker[64];
module_param_string(marker, marker, sizeof(marker), 0400);

static noinline __noclone void ftest_export_callee(const struct trace_entry *entry)
{
	if (!preemptible() && entry->pid == current->pid)
		return;
	atomic_inc(&wrong);
}

static void got_marker(const void *entry, unsigned int size)
{
	const char *text = entry + sizeof(struct trace_entry) + sizeof(long);

	/* There may be padding after it */
	if (!memchr(text, '\0', entry + size - (void *)text)) {
		atomic_inc(&wrong);
		return;
	}
	strscpy(marker, text);
	atomic_inc(&markers);
}

static void got(struct trace_export *export, const void *data, unsigned int size)
{
	const struct trace_entry *entry = data;

	if (entry->type == TYPE_FUNCTION) {
		if (size != sizeof(*entry) + 2 * sizeof(long))
			atomic_inc(&wrong);
		atomic_inc(&functions);
	} else if (entry->type == TYPE_PRINT) {
		got_marker(data, size);
	} else {
		atomic_inc(&wrong);
	}
	ftest_export_callee(entry);
	/* so that the call above is not a tail call */
	barrier();
}

static struct trace_export export = {
	.write = got,
};

static bool on;

/* Registering it twice is rejected, and so is unregistering it twice. */
static int on_set(const char *val, const struct kernel_param *kp)
{
	bool want;
	int ret;

	ret = kstrtobool(val, &want);
	if (ret)
		return ret;

	export.flags = want && !on ? kinds : export.flags;
	ret = want ? register_ftrace_export(&export) : unregister_ftrace_export(&export);
	if (!ret)
		on = want;
	return ret;
}

static const struct kernel_param_ops on_ops = {
	.set = on_set,
	.get = param_get_bool,
};
module_param_cb(on, &on_ops, &on, 0600);

static int number_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", atomic_read(kp->arg));
}

static const struct kernel_param_ops number_ops = {
	.get = number_get,
};
module_param_cb(functions, &number_ops, &functions, 0400);
module_param_cb(markers, &number_ops, &markers, 0400);
module_param_cb(wrong, &number_ops, &wrong, 0400);

/* An export without a write callback. */
static int unable_set(const char *val, const struct kernel_param *kp)
{
	static struct trace_export unable;

	return register_ftrace_export(&unable);
}

static const struct kernel_param_ops unable_ops = {
	.set = unable_set,
};
module_param_cb(unable, &unable_ops, NULL, 0200);

static int __init ftest_export_init(void)
{
	return 0;
}
module_init(ftest_export_init);

static void __exit ftest_export_exit(void)
{
	if (on)
		unregister_ftrace_export(&export);
}
module_exit(ftest_export_exit);

MODULE_DESCRIPTION("A trace_export that checks the entries it gets");
MODULE_LICENSE("GPL");
