// SPDX-License-Identifier: GPL-2.0
/*
 * Printing of trace events to the kernel log as they are recorded: tp_printk,
 * tp_printk_stop_on_boot and the sysctl kernel.tracepoint_printk, see
 * admin-guide/kernel-parameters.txt.
 *
 * An event may occur while locks of the console or the scheduler are held, so printing to
 * consoles is left to the next printk() caller or the next interrupt. Printing may itself
 * trigger events: while a CPU prints an event it prints no other, not even one of an NMI.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/memblock.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/spinlock.h>
#include <linux/sysctl.h>

#include "event/record/event_commit.h"
#include "output/reader.h"

/* kernel.tracepoint_printk; changed under switch_lock */
int tracepoint_printk;
static DEFINE_MUTEX(switch_lock);

static bool stop_on_boot __initdata;

/* Prints entries, under print_lock. NULL without tp_printk. */
static struct trace_reader *printer;
static DEFINE_RAW_SPINLOCK(print_lock);

static DEFINE_PER_CPU(bool, is_printing);

static void tp_printk_print_entry(struct trace_event_file *file, void *entry, unsigned int size)
{
	struct trace_event *event = &file->event_call->event;
	struct trace_iterator *iter = &printer->iter;

	guard(raw_spinlock)(&print_lock);

	iter->tr = file->tr;
	iter->array_buffer = &file->tr->main;
	iter->ent = entry;
	iter->ent_size = size;
	iter->cpu = smp_processor_id();
	printer->options = READ_ONCE(file->tr->options);
	trace_seq_init(&iter->seq);

	event->funcs->trace(iter, 0, event);
	printk_deferred("%s", seq_buf_str(&iter->seq.seq));
}

/* See trace_event_printk. */
static void tp_printk_print_event(struct trace_event_file *file, void *entry, unsigned int size)
{
	guard(irqsave)();

	if (__this_cpu_read(is_printing))
		return;

	__this_cpu_write(is_printing, true);
	tp_printk_print_entry(file, entry, size);
	__this_cpu_write(is_printing, false);
}

static void tp_printk_print_events(bool on)
{
	tracepoint_printk = on;
	if (on)
		static_branch_enable(&trace_event_printk_on);
	else
		static_branch_disable(&trace_event_printk_on);
}

/**
 * tracepoint_printk_sysctl - handle the sysctl kernel.tracepoint_printk
 * @table: its table entry
 * @write: true if the value is written
 * @buffer: the text
 * @lenp: length of the text
 * @ppos: position in the file
 *
 * Without tp_printk at boot the value is always 0.
 *
 * Return: as proc_dointvec()
 */
int tracepoint_printk_sysctl(const struct ctl_table *table, int write,
			     void *buffer, size_t *lenp, loff_t *ppos)
{
	int ret;

	guard(mutex)(&switch_lock);

	ret = proc_dointvec(table, write, buffer, lenp, ppos);
	if (write)
		tp_printk_print_events(printer && tracepoint_printk);

	return ret;
}

static int __init tp_printk_set_up(char *str)
{
	if (!strcmp(str, "_stop_on_boot")) {
		stop_on_boot = true;
		return 1;
	}
	if (*str && strcmp(str, "=1") && strcmp(str, "=on"))
		return !strcmp(str, "=0") || !strcmp(str, "=off");

	/* Events can occur before any other allocator is available. */
	printer = memblock_alloc(sizeof(*printer), SMP_CACHE_BYTES);
	if (!printer) {
		pr_warn("no memory for tp_printk\n");
		return 1;
	}

	printer->symbols.no_alloc = true;
	trace_event_printk = tp_printk_print_event;
	tp_printk_print_events(true);

	return 1;
}
__setup("tp_printk", tp_printk_set_up);

static int __init tp_printk_stop(void)
{
	guard(mutex)(&switch_lock);

	if (stop_on_boot)
		tp_printk_print_events(false);

	return 0;
}
late_initcall_sync(tp_printk_stop);
