// SPDX-License-Identifier: GPL-2.0
/*
 * The header of the tracer timerlat, as in Documentation/trace/timerlat-tracer.rst.
 */
#include <linux/seq_file.h>

#include "instance/core/options.h"
#include "output/reader.h"
#include "tracer/osnoise/timerlat.h"

/**
 * trace_timerlat_header - print the header of the tracer timerlat
 * @m: destination
 * @iter: iterator of a reader
 *
 * It includes the column migrate-disable, which each line has.
 */
void trace_timerlat_header(struct seq_file *m, struct trace_iterator *iter)
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
