// SPDX-License-Identifier: GPL-2.0
/*
 * Settings that are both boot parameters and sysctls, documented in
 * admin-guide/kernel-parameters.rst and admin-guide/sysctl/kernel.rst: what an oops or a
 * warning does to the trace buffer.
 */
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/trace.h>

#include "instance/core/instance.h"

/* ftrace_dump_on_oops: buffers that an oops prints to the console */
char ftrace_dump_on_oops[MAX_TRACER_SIZE] = "0";

/* traceoff_on_warning: WARN() stops recording */
int __disable_trace_on_warning;

/*
 * Return: 1; 0 without a change if the text is too long: a truncated instance name could
 * match another instance.
 */
static int __init boot_options_set_dump_on_oops(const char *all, const char *names)
{
	if (strlen(all) + strlen(names) >= MAX_TRACER_SIZE)
		return 0;

	snprintf(ftrace_dump_on_oops, MAX_TRACER_SIZE, "%s%s", all, names);

	return 1;
}

static int __init boot_options_dump_on_oops(char *str)
{
	/* Without a value, all CPUs are dumped; a list begins with "=" or ",". */
	if (!*str) {
		strscpy(ftrace_dump_on_oops, "1", MAX_TRACER_SIZE);
		return 1;
	}

	if (*str == ',')
		return boot_options_set_dump_on_oops("1", str);

	return *str == '=' && str[1] && boot_options_set_dump_on_oops("", str + 1);
}
__setup("ftrace_dump_on_oops", boot_options_dump_on_oops);

static int __init boot_options_off_on_warning(char *str)
{
	if (strcmp(str, "=0") && strcmp(str, "=off"))
		__disable_trace_on_warning = 1;

	return 1;
}
__setup("traceoff_on_warning", boot_options_off_on_warning);

/**
 * disable_trace_on_warning - stop recording before a warning is printed; any context
 *
 * Printing the warning then does not overwrite the entries that led to it.
 */
void disable_trace_on_warning(void)
{
	static const char off[] = "Disabling tracing due to warning\n";

	if (!__disable_trace_on_warning)
		return;

	/* Write to the buffer that is being stopped, regardless of trace_printk_dest. */
	__trace_array_puts(&trace_top, _THIS_IP_, off, strlen(off));
	tracing_off();
}

/**
 * ftrace_dump_on_oops_enabled - check whether an oops dumps any buffer
 */
int ftrace_dump_on_oops_enabled(void)
{
	return strcmp(ftrace_dump_on_oops, "0") != 0;
}

#ifndef CONFIG_TRACER_SNAPSHOT
/**
 * tracing_snapshot - stub for this configuration; any context
 */
void tracing_snapshot(void)
{
}
EXPORT_SYMBOL_GPL(tracing_snapshot);

/**
 * tracing_snapshot_alloc - stub for this configuration; any context
 */
void tracing_snapshot_alloc(void)
{
}
EXPORT_SYMBOL_GPL(tracing_snapshot_alloc);
#endif
