// SPDX-License-Identifier: GPL-2.0
/*
 * Boot parameters of the top instance and what they have in common with
 * sysctls: admin-guide/kernel-parameters.rst, admin-guide/sysctl/kernel.rst.
 */
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/sysctl.h>

#include <asm/setup.h>

#include "instance/instance.h"

char trace_boot_tracer[MAX_TRACER_SIZE] __initdata;
char trace_boot_clock[MAX_TRACER_SIZE] __initdata;
char trace_boot_options[COMMAND_LINE_SIZE] __initdata;
unsigned long trace_boot_size __initdata;

/* What of the buffers goes to the console on an oops; also a sysctl. */
char ftrace_dump_on_oops[MAX_TRACER_SIZE] = "0";

/* Stop recording at a WARN(); also a sysctl. */
int __disable_trace_on_warning;

/* Print events as they happen; there are none yet. Also a sysctl. */
int tracepoint_printk;

static int __init boot_tracer(char *str)
{
	return strscpy(trace_boot_tracer, str, MAX_TRACER_SIZE) > 0;
}
__setup("ftrace=", boot_tracer);

static int __init boot_clock(char *str)
{
	return strscpy(trace_boot_clock, str, MAX_TRACER_SIZE) > 0;
}
__setup("trace_clock=", boot_clock);

static int __init boot_options(char *str)
{
	return strscpy(trace_boot_options, str, COMMAND_LINE_SIZE) > 0;
}
__setup("trace_options=", boot_options);

static int __init boot_size(char *str)
{
	unsigned long size = memparse(str, &str);

	if (!size || *str)
		return 0;

	/* A page is the least; less was a slip of the keyboard. */
	trace_boot_size = max(size, PAGE_SIZE);

	return 1;
}
__setup("trace_buf_size=", boot_size);

static int __init boot_dump_on_oops(char *str)
{
	/* Alone it means all CPUs; "=" or "," begin a list of its own. */
	if (!*str) {
		strscpy(ftrace_dump_on_oops, "1", MAX_TRACER_SIZE);
		return 1;
	}

	if (*str == ',') {
		snprintf(ftrace_dump_on_oops, MAX_TRACER_SIZE, "1%s", str);
		return 1;
	}

	if (*str != '=')
		return 0;

	return strscpy(ftrace_dump_on_oops, str + 1, MAX_TRACER_SIZE) > 0;
}
__setup("ftrace_dump_on_oops", boot_dump_on_oops);

static int __init boot_off_on_warning(char *str)
{
	if (strcmp(str, "=0") && strcmp(str, "=off"))
		__disable_trace_on_warning = 1;

	return 1;
}
__setup("traceoff_on_warning", boot_off_on_warning);

/* There are no events that could be printed, or their printing stopped. */
static int __init boot_tp_printk(char *str)
{
	return !*str || !strcmp(str, "_stop_on_boot");
}
__setup("tp_printk", boot_tp_printk);

/**
 * disable_trace_on_warning - a warning is about to be printed; any context
 *
 * What led to it stays in the buffer, where the printing would drive it out.
 */
void disable_trace_on_warning(void)
{
	static const char off[] = "Disabling tracing due to warning\n";

	if (!__disable_trace_on_warning)
		return;

	__trace_puts(_THIS_IP_, off, strlen(off));
	tracing_off();
}

/**
 * ftrace_dump_on_oops_enabled - whether an oops dumps any buffer
 */
int ftrace_dump_on_oops_enabled(void)
{
	return strcmp(ftrace_dump_on_oops, "0") != 0;
}

/**
 * tracepoint_printk_sysctl - kernel.tracepoint_printk
 * @table: its row
 * @write: whether it is written
 * @buffer: the text
 * @lenp: length of the text
 * @ppos: where in the file
 *
 * Without tp_printk at boot a 1 has no effect, says the documentation, and
 * there are no events to be printed.
 */
int tracepoint_printk_sysctl(const struct ctl_table *table, int write,
			     void *buffer, size_t *lenp, loff_t *ppos)
{
	int ret = proc_dointvec(table, write, buffer, lenp, ppos);

	if (write)
		tracepoint_printk = 0;

	return ret;
}

#ifndef CONFIG_TRACER_SNAPSHOT
/**
 * tracing_snapshot - nothing without a spare buffer; any context
 */
void tracing_snapshot(void)
{
}
EXPORT_SYMBOL_GPL(tracing_snapshot);

/**
 * tracing_snapshot_alloc - nothing without a spare buffer; any context
 */
void tracing_snapshot_alloc(void)
{
}
EXPORT_SYMBOL_GPL(tracing_snapshot_alloc);
#endif
