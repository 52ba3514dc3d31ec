// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_api - functions of tracing for modules, which nothing else in the tests calls.
 *
 * Writing a name to the parameter `run` calls the functions that the name stands for. If one of
 * them does not behave as its header or Documentation/trace/ describes, the log has the
 * mismatch and the write returns EINVAL.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitmap.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>

#include "ftest_expect.h"
#include "ftest_snapshot.h"

static int run_off(void)
{
	tracing_off();
	expect(!tracing_is_on(), "recording is on");
	return 0;
}

static int run_on(void)
{
	tracing_on();
	expect(tracing_is_on(), "recording is off");
	return 0;
}

static int run_snapshot(void)
{
	tracing_snapshot();
	return 0;
}

static int run_snapshot_alloc(void)
{
	tracing_snapshot_alloc();
	return 0;
}

/* Takes a snapshot if the number is larger than all earlier numbers. */
static bool is_larger(struct trace_array *tr, void *number)
{
	static int largest;

	if (*(int *)number <= largest)
		return false;

	largest = *(int *)number;
	return true;
}

/* A snapshot is taken a moment after it was requested, and until then nothing is recorded. */
static void record(struct trace_array *tr, const char *text)
{
	unsigned long end = jiffies + 10 * HZ;
	int ret;

	while ((ret = trace_array_printk(tr, _THIS_IP_, "%s\n", text)) <= 0 &&
	       time_before(jiffies, end))
		msleep(20);
	expect(ret > 0, "trace_array_printk %d of %s", ret, text);
}

/* Two snapshots are requested: the second one is not taken. */
static int run_snapshot_cond(void)
{
	struct trace_array *tr = trace_array_get_by_name("ftest_api", NULL);
	int three = 3, two = 2, ret;

	if (!tr)
		return -EOPNOTSUPP;
	trace_array_init_printk(tr);
	ret = tracing_alloc_snapshot();
	expect(!ret, "tracing_alloc_snapshot %d", ret);
	expect(!tracing_cond_snapshot_data(tr), "data of no condition");
	ret = tracing_snapshot_cond_enable(tr, &three, is_larger);
	expect(!ret, "tracing_snapshot_cond_enable %d", ret);
	ret = tracing_snapshot_cond_enable(tr, &three, is_larger);
	expect(ret == -EBUSY, "tracing_snapshot_cond_enable again %d", ret);
	expect(tracing_cond_snapshot_data(tr) == &three, "other data");
	record(tr, "larger");
	tracing_snapshot_cond(tr, &three);
	record(tr, "smaller");
	tracing_snapshot_cond(tr, &two);
	/* If a snapshot was requested, it was taken before this is recorded. */
	record(tr, "last");
	ret = tracing_snapshot_cond_disable(tr);
	expect(!ret, "tracing_snapshot_cond_disable %d", ret);
	trace_array_put(tr);
	return 0;
}

/* Static, because it is too large for a stack. */
static struct trace_seq seq;

static __printf(1, 2) void append(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	trace_seq_vprintf(&seq, fmt, args);
	va_end(args);
}

static int run_seq(void)
{
	DECLARE_BITMAP(bits, 40) = { BIT(0) | BIT(5) | BIT(33) };
	const char *want = "number 7, text|02,00000021|";

	trace_seq_init(&seq);
	append("number %d, %s|", 7, "text");
	trace_seq_bitmask(&seq, bits, 40);
	trace_seq_putc(&seq, '|');
	expect(trace_seq_used(&seq) == strlen(want) && !memcmp(seq.buffer, want, strlen(want)),
	       "%.*s", (int)trace_seq_used(&seq), seq.buffer);
	return 0;
}

/* Text that does not fit is left out as a whole, and so is all text after it. */
static int run_seq_full(void)
{
	unsigned int used = 0;
	int i;

	trace_seq_init(&seq);
	for (i = 0; i < 100000 && !trace_seq_has_overflowed(&seq); i++) {
		used = trace_seq_used(&seq);
		append("twenty characters %02d", i % 100);
	}
	expect(trace_seq_has_overflowed(&seq), "%d texts and no overflow", i);
	expect(trace_seq_used(&seq) == used, "%u characters, not %u",
	       (unsigned int)trace_seq_used(&seq), used);
	trace_seq_putc(&seq, 'x');
	expect(trace_seq_used(&seq) == used, "more after an overflow");
	return 0;
}

/* Callers need not check whether they got an instance. */
static int run_null_array(void)
{
	int ret;

	ret = trace_array_printk(NULL, _THIS_IP_, "%s\n", "text");
	expect(ret == -ENOENT, "trace_array_printk %d", ret);
	ret = trace_array_init_printk(NULL);
	expect(ret == -ENOENT, "trace_array_init_printk %d", ret);
	ret = trace_array_set_clr_event(NULL, "sched", NULL, true);
	expect(ret == -ENOENT, "trace_array_set_clr_event %d", ret);
	return 0;
}

static int run_array(void)
{
	struct trace_array *tr = trace_array_get_by_name("ftest_api", NULL);
	int ret;

	if (!tr)
		return -EOPNOTSUPP;
	ret = trace_array_init_printk(tr);
	expect(!ret, "trace_array_init_printk %d", ret);
	ret = trace_array_printk(tr, _THIS_IP_, "number %d\n", 7);
	expect(ret > 0, "trace_array_printk %d", ret);
	trace_array_puts(tr, "text\n");
	trace_array_put(tr);
	return 0;
}

/* The instance has only the events of one system. */
static int run_array_events(void)
{
	struct trace_array *tr = trace_array_get_by_name("ftest_api", "sched");
	int ret;

	if (!tr)
		return -EOPNOTSUPP;
	ret = trace_array_set_clr_event(tr, "sched", NULL, true);
	expect(!ret, "trace_array_set_clr_event %d", ret);
	ret = trace_array_set_clr_event(tr, "sched", "sched_switch", false);
	expect(!ret, "trace_array_set_clr_event to disable %d", ret);
	ret = trace_array_set_clr_event(tr, "irq", NULL, true);
	expect(ret == -EINVAL, "trace_array_set_clr_event of another system %d", ret);
	trace_array_put(tr);
	return 0;
}

static int run_array_destroy(void)
{
	struct trace_array *tr = trace_array_get_by_name("ftest_api", NULL);
	int ret;

	if (!tr)
		return -EOPNOTSUPP;
	trace_array_put(tr);
	ret = trace_array_destroy(tr);
	expect(!ret, "trace_array_destroy %d", ret);
	return 0;
}

/* Another user also has a reference to the instance. */
static int run_array_busy(void)
{
	struct trace_array *tr = trace_array_get_by_name("ftest_api", "sched");
	int ret;

	if (!tr)
		return -EOPNOTSUPP;
	ret = trace_array_destroy(tr);
	expect(ret == -EBUSY, "trace_array_destroy %d", ret);
	trace_array_put(tr);
	ret = trace_array_destroy(tr);
	expect(!ret, "trace_array_destroy %d", ret);
	ret = trace_array_destroy(tr);
	expect(ret == -ENODEV, "trace_array_destroy %d", ret);
	expect(!trace_array_get_by_name("a/b", NULL), "an instance with a bad name");
	return 0;
}

/* An entry of the type that the module registers. */
struct own_entry {
	struct trace_entry	ent;
	unsigned int		number;
};

static enum print_line_t print_own(struct trace_iterator *iter, int flags,
				   struct trace_event *event)
{
	struct own_entry *entry = (struct own_entry *)iter->ent;

	trace_seq_printf(&iter->seq, "own type: %u\n", entry->number);
	return trace_handle_return(&iter->seq);
}

static struct trace_event_functions own_functions = {
	.trace = print_own,
};

static struct trace_event own_type = {
	.funcs = &own_functions,
};

/* Writes an entry of the module's type, with the structures of a kernel event. */
static int run_own_type(void)
{
	static struct trace_event_call call;
	static struct trace_event_file file;
	struct trace_event_buffer fbuffer = { };
	struct trace_event_file *some;
	struct own_entry *entry;

	expect(register_trace_event(&own_type) > 0, "type %d", own_type.type);
	expect(!register_trace_event(&own_type), "it was registered twice");
	some = trace_get_event_file(NULL, "sched", "sched_switch");
	if (IS_ERR(some))
		return -EOPNOTSUPP;

	call.class = some->event_call->class;
	call.event = own_type;
	file.tr = some->tr;
	file.event_call = &call;
	preempt_disable();
	entry = trace_event_buffer_reserve(&fbuffer, &file, sizeof(*entry));
	if (entry) {
		entry->number = 7;
		trace_event_buffer_commit(&fbuffer);
	}
	preempt_enable();
	expect(entry, "no entry");
	trace_put_event_file(some);
	return 0;
}

static const struct {
	const char	*name;
	int		(*fn)(void);
} runs[] = {
	{ "off", run_off },
	{ "on", run_on },
	{ "snapshot", run_snapshot },
	{ "snapshot_alloc", run_snapshot_alloc },
	{ "snapshot_cond", run_snapshot_cond },
	{ "seq", run_seq },
	{ "seq_full", run_seq_full },
	{ "null_array", run_null_array },
	{ "array", run_array },
	{ "array_events", run_array_events },
	{ "array_destroy", run_array_destroy },
	{ "array_busy", run_array_busy },
	{ "own_type", run_own_type },
};

static int run_set(const char *val, const struct kernel_param *kp)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		if (!sysfs_streq(val, runs[i].name))
			continue;
		expect_begin();
		return expect_end(runs[i].fn());
	}
	return -ENOENT;
}

static const struct kernel_param_ops run_ops = {
	.set = run_set,
};
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "What to call");

static int __init ftest_api_init(void)
{
	return 0;
}
module_init(ftest_api_init);

static void __exit ftest_api_exit(void)
{
	if (own_type.type)
		unregister_trace_event(&own_type);
}
module_exit(ftest_api_exit);

MODULE_DESCRIPTION("Functions of tracing that modules call");
MODULE_LICENSE("GPL");
