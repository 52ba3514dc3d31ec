// SPDX-License-Identifier: GPL-2.0
/*
 * The header of the tracer osnoise, as in Documentation/trace/osnoise-tracer.rst.
 */
#include <linux/seq_file.h>

#include "instance/core/options.h"
#include "output/reader.h"
#include "tracer/osnoise/osnoise.h"

/**
 * trace_osnoise_header - print the header of the tracer osnoise
 * @m: destination
 * @iter: iterator of a reader
 *
 * It includes the column migrate-disable, which each line has.
 */
void trace_osnoise_header(struct seq_file *m, struct trace_iterator *iter)
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
