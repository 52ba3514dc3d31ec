// SPDX-License-Identifier: GPL-2.0
/*
 * The header of the tracer timerlat, as in Documentation/trace/timerlat-tracer.rst.
 */
#include <linux/init.h>
#include <linux/seq_file.h>

#include "instance/core/options.h"
#include "instance/tracer/register_tracer.h"
#include "output/reader.h"
#include "tracer/osnoise/timerlat.h"

/* With the column of migrate-disable, which every line has */
static void timerlat_header(struct seq_file *m, struct trace_iterator *iter)
{
	if (!(trace_reader_of(iter)->options & TRACE_OPT(CONTEXT_INFO)))
		return;

	seq_puts(m,
		 "# tracer: timerlat\n#\n"
		 "#                                _-----=> irqs-off\n"
		 "#                               / _----=> need-resched\n"
		 "#                              | / _---=> hardirq/softirq\n"
		 "#                              || / _--=> preempt-depth\n"
		 "#                              ||| / _-=> migrate-disable\n"
		 "#                              |||| /\n"
		 "#                              |||||              ACTIVATION\n"
		 "#           TASK-PID      CPU# |||||   TIMESTAMP     ID            CONTEXT                LATENCY\n"
		 "#              | |         |   |||||      |          |                  |                       |\n");
}

static int __init timerlat_output_init(void)
{
	if (!trace_top.main.buffer)
		return -ENODEV;

	trace_timerlat_tracer.header = timerlat_header;

	return register_tracer(&trace_timerlat_tracer);
}

/* As osnoise, which shares the threads' code. */
late_initcall(timerlat_output_init);
