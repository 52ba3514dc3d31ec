// SPDX-License-Identifier: GPL-2.0
/*
 * The header of the tracer osnoise, as in Documentation/trace/osnoise-tracer.rst.
 */
#include <linux/init.h>
#include <linux/seq_file.h>

#include "instance/core/options.h"
#include "instance/tracer/register_tracer.h"
#include "output/reader.h"
#include "tracer/osnoise/osnoise.h"

/* With the column of migrate-disable, which every line has */
static void osnoise_header(struct seq_file *m, struct trace_iterator *iter)
{
	if (!(trace_reader_of(iter)->options & TRACE_OPT(CONTEXT_INFO)))
		return;

	seq_puts(m,
		 "# tracer: osnoise\n#\n"
		 "#                                _-----=> irqs-off\n"
		 "#                               / _----=> need-resched\n"
		 "#                              | / _---=> hardirq/softirq\n"
		 "#                              || / _--=> preempt-depth\n"
		 "#                              ||| / _-=> migrate-disable                           MAX\n"
		 "#                              |||| /                                            SINGLE     Interference counters:\n"
		 "#                              |||||               RUNTIME      NOISE   % OF CPU  NOISE    +-----------------------------+\n"
		 "#           TASK-PID      CPU# |||||   TIMESTAMP    IN US       IN US  AVAILABLE  IN US     HW    NMI    IRQ   SIRQ THREAD\n"
		 "#              | |         |   |||||      |           |             |    |            |      |      |      |      |      |\n");
}

static int __init osnoise_output_init(void)
{
	if (!trace_top.main.buffer)
		return -ENODEV;

	trace_osnoise_tracer.header = osnoise_header;

	return register_tracer(&trace_osnoise_tracer);
}

/* Threads that never sleep must not be there before all CPUs are. */
late_initcall(osnoise_output_init);
