// SPDX-License-Identifier: GPL-2.0
/*
 * Dumps of buffers to the console: ftrace_dump(), sysrq-z, after an oops, in a panic.
 *
 * This may be the last thing that the machine does, and the caller may hold any lock. So a dump
 * allocates no memory, its iterator is allocated at boot, and it only tries the locks of rings
 * and of the saved command names: entries of a ring that the caller has locked are left out,
 * and a name that cannot be read is printed as "<...>".
 */
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kdebug.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/nmi.h>
#include <linux/panic_notifier.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "instance/core/instance.h"
#include "output/dump.h"
#include "output/reader.h"
#include "ring/read.h"

static struct trace_reader *dump_reader;
static atomic_t dumping;

static bool dump_print_to_console(const char *line, int len)
{
	pr_emerg("%.*s\n", len, line);

	return true;
}

/* A printk() record has space for 1024 bytes. */
static const struct trace_dump_to console = {
	.print	= dump_print_to_console,
	.width	= 1000,
};

/* Return: false if the dump is to end. */
static bool dump_text(const struct trace_dump_to *to, const char *text)
{
	size_t len;

	for (; *text; text += len + (text[len] == '\n')) {
		len = min(strcspn(text, "\n"), to->width);
		if (!to->print(text, len))
			return false;
	}

	return true;
}

static bool dump_print_entry(struct trace_reader *reader, const struct trace_dump_to *to)
{
	struct trace_seq *s = &reader->iter.seq;

	trace_seq_init(s);
	trace_print_entry(reader);

	return dump_text(to, seq_buf_str(&s->seq));
}

/* The reader was made for the top instance, and may have read another instance since. */
static void dump_read_instance(struct trace_reader *reader, struct trace_array *tr,
			       int cpu)
{
	struct trace_iterator *iter = &reader->iter;
	unsigned int each;

	iter->tr = tr;
	iter->array_buffer = &tr->main;
	iter->trace = READ_ONCE(tr->tracer);
	iter->private = NULL;
	iter->cpu_file = cpu;
	iter->idx = 0;
	reader->copied = false;
	reader->joined = false;
	for_each_possible_cpu(each)
		reader->heads[each] = (struct trace_head){};
	trace_reader_look(reader);
}

static void dump_buffer(struct trace_reader *reader, struct trace_array *tr,
			int cpu, long skip, const struct trace_dump_to *to)
{
	const char *rule = "---------------------------------\n";
	bool any = false;

	dump_read_instance(reader, tr, cpu);
	while (trace_reader_next(reader)) {
		if (skip > 0) {
			skip--;
			trace_reader_consumed(reader);
			continue;
		}

		if (!any && !dump_text(to, rule))
			return;
		any = true;

		if (!dump_print_entry(reader, to))
			return;
		trace_reader_consumed(reader);
		/* Printing a full buffer on a serial line takes long. */
		touch_nmi_watchdog();
	}

	dump_text(to, any ? rule : "   (ftrace buffer empty)\n");
}

/* Return: the reader, with preemption off until dump_end(); NULL if it is in use. */
static struct trace_reader *dump_begin(void)
{
	if (!dump_reader || atomic_xchg(&dumping, 1))
		return NULL;

	preempt_disable_notrace();
	ring_buffer_set_trylock(true);

	return dump_reader;
}

static void dump_end(void)
{
	ring_buffer_set_trylock(false);
	preempt_enable_notrace();
	atomic_set(&dumping, 0);
}

/* Number of entries. Locks of rings are only tried. */
static unsigned long dump_nr_entries(struct trace_buffer *buffer, int cpu)
{
	return cpu == RING_BUFFER_ALL_CPUS ? ring_buffer_entries(buffer) :
					     ring_buffer_entries_cpu(buffer, cpu);
}

/**
 * trace_dump_top - print the top buffer to a destination of the caller
 * @cpu: CPU to print, or RING_BUFFER_ALL_CPUS
 * @skip: number of entries not to print; -N to print only the last N
 * @to: the destination
 *
 * Recording stops. All entries are consumed, unless @to ends the dump. Any context.
 *
 * Return: false if another dump is in progress: nothing was printed
 */
bool trace_dump_top(int cpu, long skip, const struct trace_dump_to *to)
{
	struct trace_reader *reader = dump_begin();

	if (!reader)
		return false;

	tracing_off();
	if (skip < 0)
		skip += dump_nr_entries(trace_top.main.buffer, cpu);
	dump_buffer(reader, &trace_top, cpu, skip, to);
	dump_end();

	return true;
}

static void dump_instance(struct trace_reader *reader, struct trace_array *tr,
			  enum ftrace_dump_mode mode)
{
	int cpu = mode == DUMP_ORIG ? raw_smp_processor_id() :
				      RING_BUFFER_ALL_CPUS;

	trace_array_off(tr);
	if (tr->name)
		pr_emerg("Dumping ftrace instance %s buffer:\n", tr->name);
	else
		pr_emerg("Dumping ftrace buffer:\n");
	dump_buffer(reader, tr, cpu, 0, &console);
}

/* Return: the mode given by a token of ftrace_dump_on_oops, DUMP_NONE if it is not a mode. */
static enum ftrace_dump_mode dump_mode_of(const char *item, size_t len)
{
	if (len == 1 && *item == '1')
		return DUMP_ALL;

	if ((len == 1 && *item == '2') ||
	    (len == strlen("orig_cpu") && str_has_prefix(item, "orig_cpu")))
		return DUMP_ORIG;

	return DUMP_NONE;
}

/* @item is NAME, or NAME=MODE. */
static void dump_named(struct trace_reader *reader, const char *item, size_t len)
{
	const char *equals = memchr(item, '=', len);
	size_t name_len = equals ? equals - item : len;
	enum ftrace_dump_mode mode = DUMP_ALL;
	struct trace_array *tr;

	if (equals)
		mode = dump_mode_of(equals + 1, len - name_len - 1);
	tr = trace_array_find_atomic(item, name_len);

	if (tr && mode != DUMP_NONE)
		dump_instance(reader, tr, mode);
	else
		pr_emerg("ftrace_dump_on_oops: no instance or mode %.*s\n",
			 (int)len, item);
}

/* ftrace_dump_on_oops: the mode of the top instance, if it is first, followed by instances. */
static void dump_by_sysctl(struct trace_reader *reader)
{
	const char *item = ftrace_dump_on_oops;
	size_t len = strcspn(item, ",\n");
	enum ftrace_dump_mode mode = dump_mode_of(item, len);

	if (mode != DUMP_NONE)
		dump_instance(reader, &trace_top, mode);
	else if (len && !(len == 1 && *item == '0'))
		dump_named(reader, item, len);

	while (item[len] == ',') {
		item += len + 1;
		len = strcspn(item, ",\n");
		if (len)
			dump_named(reader, item, len);
	}
}

/**
 * trace_dump - print the buffer of an instance to the console, as KERN_EMERG
 * @tr: the instance
 * @mode: DUMP_ALL for all CPUs, DUMP_ORIG for this one
 *
 * Like ftrace_dump() for the top buffer.
 *
 * Return: false if another dump is in progress: nothing was printed, and recording continues
 */
bool trace_dump(struct trace_array *tr, enum ftrace_dump_mode mode)
{
	struct trace_reader *reader = dump_begin();

	if (!reader)
		return false;

	dump_instance(reader, tr, mode);
	dump_end();

	return true;
}

/**
 * ftrace_dump - print buffers to the console, as KERN_EMERG
 * @oops_dump_mode: the top buffer of all CPUs, or of this one; or the buffers that
 *		    ftrace_dump_on_oops names
 *
 * Recording into these buffers stops, so that their entries are not overwritten. Printed
 * entries are consumed. Any context. While one dump is in progress, other calls return at once.
 */
void ftrace_dump(enum ftrace_dump_mode oops_dump_mode)
{
	struct trace_reader *reader;

	if (oops_dump_mode == DUMP_NONE)
		return;

	if (oops_dump_mode != DUMP_PARAM) {
		trace_dump(&trace_top, oops_dump_mode);
		return;
	}

	reader = dump_begin();
	if (!reader)
		return;

	dump_by_sysctl(reader);
	dump_end();
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

/* Run late: other notifiers save data, and this one takes long. */
static struct notifier_block die_nb = {
	.notifier_call	= dump_at_die,
	.priority	= INT_MIN + 1,
};

static struct notifier_block panic_nb = {
	.notifier_call	= dump_at_panic,
	.priority	= INT_MIN + 1,
};

static int __init dump_reader_init(void)
{
	if (!trace_top.main.buffer)
		return 0;

	scoped_guard(mutex, &trace_lock)
		dump_reader = trace_reader_alloc(&trace_top.main,
						 RING_BUFFER_ALL_CPUS, true);
	if (!dump_reader)
		return -ENOMEM;

	/* Allocation failure is harmless: leaf calls are then printed as two lines. */
	trace_reader_alloc_temp(dump_reader);
	dump_reader->symbols.no_alloc = true;
	register_die_notifier(&die_nb);
	atomic_notifier_chain_register(&panic_notifier_list, &panic_nb);

	return 0;
}
early_initcall(dump_reader_init);
