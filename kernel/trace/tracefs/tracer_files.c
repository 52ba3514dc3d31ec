// SPDX-License-Identifier: GPL-2.0
/*
 * Files that control recording in an instance: the tracer, the on/off switch, the clock and the
 * CPUs.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/ring_buffer.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "instance/core/buffer.h"
#include "instance/core/clocks.h"
#include "instance/core/errlog.h"
#include "instance/core/instance.h"
#include "instance/snapshot/buffer_change.h"
#include "instance/tracer/current_tracer.h"
#include "instance/tracer/tracer.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

static void tracer_files_available_show(struct seq_file *m,
					const struct tracefs_node *node)
{
	tracer_show_all(m, node->tr);
}

static void tracer_files_current_show(struct seq_file *m,
				      const struct tracefs_node *node)
{
	guard(mutex)(&trace_lock);

	seq_printf(m, "%s\n", node->tr->tracer->name);
}

static int tracer_files_current_set(const struct tracefs_node *node, char *name)
{
	int ret = tracing_set_tracer(node->tr, name);

	if (ret == -EBUSY)
		trace_error(node->tr, "current_tracer",
			    "Another instance has it, trace_pipe is open, or triggers, commands or mappings use the snapshot",
			    name, strlen(name), 0);

	return ret;
}

static void tracer_files_tracing_on_show(struct seq_file *m, const struct tracefs_node *node)
{
	/* The number is first, for programs that parse one. */
	seq_printf(m, "%d%s\n", trace_array_is_on(node->tr),
		   ring_buffer_is_disabled_permanent(node->tr->main.buffer) ?
		   " (permanently disabled)" : "");
}

static int tracer_files_tracing_on_set(const struct tracefs_node *node, unsigned long value)
{
	struct trace_array *tr = node->tr;

	if (value) {
		if (ring_buffer_is_disabled_permanent(tr->main.buffer))
			return -EPERM;
		trace_array_on(tr);
		return 0;
	}

	trace_array_off(tr);

	return 0;
}

static void tracer_files_trace_clock_show(struct seq_file *m, const struct tracefs_node *node)
{
	guard(mutex)(&trace_lock);

	trace_array_show_clocks(m, node->tr);
}

static int tracer_files_trace_clock_set(const struct tracefs_node *node, char *name)
{
	return trace_array_set_clock(node->tr, name);
}

static void tracer_files_timestamp_mode_show(struct seq_file *m,
					     const struct tracefs_node *node)
{
	bool absolute = ring_buffer_time_stamp_abs(node->tr->main.buffer);

	seq_puts(m, absolute ? "delta [absolute]\n" : "[delta] absolute\n");
}

static void tracer_files_tracing_cpumask_show(struct seq_file *m,
					      const struct tracefs_node *node)
{
	guard(mutex)(&trace_lock);

	seq_printf(m, "%*pb\n", cpumask_pr_args(node->tr->cpumask));
}

static int tracer_files_tracing_cpumask_set(const struct tracefs_node *node, char *name)
{
	return trace_array_set_cpumask(node->tr, name);
}

/* In the directory of every instance. */
const struct tracefs_entry tracefs_control_files[] = {
	{ "available_tracers", TRACEFS_READ, .show = tracer_files_available_show },
	{ "current_tracer", TRACEFS_BOTH, .show = tracer_files_current_show,
	  .set_token = tracer_files_current_set, .refused = "No such tracer" },
	{ "tracing_on", TRACEFS_BOTH, .show = tracer_files_tracing_on_show,
	  .set_number = tracer_files_tracing_on_set },
	{ "trace_clock", TRACEFS_BOTH, .show = tracer_files_trace_clock_show,
	  .set_token = tracer_files_trace_clock_set, .refused = "No such clock" },
	{ "timestamp_mode", TRACEFS_READ, .show = tracer_files_timestamp_mode_show },
	{ "tracing_cpumask", TRACEFS_BOTH, .show = tracer_files_tracing_cpumask_show,
	  .set_token = tracer_files_tracing_cpumask_set,
	  .refused = "Not a mask of CPUs" },
	{ }
};
