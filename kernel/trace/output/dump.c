// SPDX-License-Identifier: GPL-2.0
/*
 * The buffer on the console: ftrace_dump(), by sysrq-z, after an oops, in a panic.
 *
 * This may be the last thing that the machine does, and the caller may hold any
 * lock. So a dump allocates no memory, its iterator is made at boot, and it only
 * tries the locks of rings and of the saved command names: an entry whose ring is
 * locked by the caller is left out, a name that cannot be had is "<...>".
 */
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kdebug.h>
#include <linux/kernel.h>
#include <linux/nmi.h>
#include <linux/panic_notifier.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "instance/instance.h"
#include "output/reader.h"
#include "ring/read.h"

static struct trace_reader *dump_reader;
static atomic_t dumping;

static void dump_line(struct trace_reader *reader)
{
	struct trace_seq *s = &reader->iter.seq;

	trace_seq_init(s);
	if (trace_print_entry(reader) == TRACE_TYPE_PARTIAL_LINE)
		trace_seq_puts(s, "[LINE TOO BIG]\n");
	pr_emerg("%s", seq_buf_str(&s->seq));
}

static void dump_buffer(struct trace_reader *reader, int cpu)
{
	const char *rule = "---------------------------------";
	bool any = false;

	reader->iter.cpu_file = cpu;
	/* The tracer was another one when the reader was made. */
	reader->iter.trace = reader->iter.tr->tracer;

	pr_emerg("Dumping ftrace buffer:\n");
	trace_reader_look(reader);

	while (trace_reader_next(reader)) {
		if (!any)
			pr_emerg("%s\n", rule);
		any = true;

		dump_line(reader);
		trace_reader_consumed(reader);
		/* A full buffer takes long on a serial line. */
		touch_nmi_watchdog();
	}

	if (any)
		pr_emerg("%s\n", rule);
	else
		pr_emerg("   (ftrace buffer empty)\n");
}

/* ftrace_dump_on_oops: the part before a comma is about the top instance. */
static enum ftrace_dump_mode mode_of_sysctl(void)
{
	const char *text = ftrace_dump_on_oops;
	size_t len = strcspn(text, ",\n");

	if (len == 1 && *text == '1')
		return DUMP_ALL;

	if ((len == 1 && *text == '2') ||
	    (len == strlen("orig_cpu") && str_has_prefix(text, "orig_cpu")))
		return DUMP_ORIG;

	return DUMP_NONE;
}

/**
 * ftrace_dump - print the top buffer to the console, as KERN_EMERG
 * @oops_dump_mode: all CPUs, this CPU, or what ftrace_dump_on_oops says
 *
 * Recording stops, so that the entries there are do not get overwritten. Entries
 * that were printed are consumed. Any context. While one dump is going on,
 * others return at once.
 */
void ftrace_dump(enum ftrace_dump_mode oops_dump_mode)
{
	int cpu = RING_BUFFER_ALL_CPUS;

	if (oops_dump_mode == DUMP_PARAM)
		oops_dump_mode = mode_of_sysctl();
	if (oops_dump_mode == DUMP_NONE || !dump_reader)
		return;

	if (atomic_xchg(&dumping, 1))
		return;

	tracing_off();
	ring_buffer_read_hastily(true);
	if (oops_dump_mode == DUMP_ORIG)
		cpu = raw_smp_processor_id();
	dump_buffer(dump_reader, cpu);
	ring_buffer_read_hastily(false);
	atomic_set(&dumping, 0);
}
EXPORT_SYMBOL_GPL(ftrace_dump);

static int dump_at_die(struct notifier_block *nb, unsigned long event,
		       void *unused)
{
	if (event == DIE_OOPS)
		ftrace_dump(DUMP_PARAM);

	return NOTIFY_DONE;
}

static int dump_at_panic(struct notifier_block *nb, unsigned long unused,
			 void *unused2)
{
	ftrace_dump(DUMP_PARAM);

	return NOTIFY_DONE;
}

/* Other notifiers save things, and this one takes long: it comes late. */
static struct notifier_block die_nb = {
	.notifier_call	= dump_at_die,
	.priority	= INT_MIN + 1,
};

static struct notifier_block panic_nb = {
	.notifier_call	= dump_at_panic,
	.priority	= INT_MIN + 1,
};

static int __init dump_init(void)
{
	if (!trace_top.main.buffer)
		return 0;

	scoped_guard(mutex, &trace_lock)
		dump_reader = trace_reader_alloc(&trace_top.main,
						 RING_BUFFER_ALL_CPUS, true);
	if (!dump_reader)
		return -ENOMEM;

	/* Without room for a copy entries are not joined, and that is all. */
	trace_reader_alloc_temp(dump_reader);
	dump_reader->symbols.bare = true;
	register_die_notifier(&die_nb);
	atomic_notifier_chain_register(&panic_notifier_list, &panic_nb);

	return 0;
}
early_initcall(dump_init);
