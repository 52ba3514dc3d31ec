// SPDX-License-Identifier: GPL-2.0
/*
 * Header of the function graph text: the names of the columns.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "instance/core/options.h"
#include "instance/tracer/tracer.h"
#include "output/reader.h"
#include "tracer/graph/graph_header.h"
#include "tracer/graph/graph_options.h"

/* Print the meaning of the characters of an entry's context, above their column. */
static void graph_header_print_context_legend(struct seq_file *m, int column)
{
	static const char *const legend[] = {
		"  _-----=> irqs-off/BH-disabled",
		" / _----=> need-resched",
		"| / _---=> hardirq/softirq",
		"|| / _--=> preempt-depth",
		"||| / _-=> migrate-disable",
		"|||| /",
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(legend); i++)
		seq_printf(m, "#%*s%s\n", column, "", legend[i]);
}

/**
 * graph_print_columns - print the header of the text of the function graph
 * @m: destination
 * @reader: the reader, whose options determine whether a header is printed, and its form
 * @flags: the columns in use, GRAPH_*
 */
void graph_print_columns(struct seq_file *m, struct trace_reader *reader, u32 flags)
{
	bool latency = reader->options & TRACE_OPT(LATENCY_FORMAT);
	const struct {
		bool		shown;
		const char	*name;
		const char	*mark;
	} columns[] = {
		{ flags & GRAPH_ABSTIME,  "     TIME       ", "      |         " },
		{ flags & GRAPH_REL_TIME, "   REL TIME     ", "      |         " },
		{ flags & GRAPH_CPU,	  " CPU", " |  " },
		{ flags & GRAPH_PROC,	  "  TASK/PID       ", "   |    |        " },
		{ latency,		  "|||||  ", "|||||  " },
		{ flags & GRAPH_DURATION, "  DURATION   ", "   |   |      " },
		{ true, "               FUNCTION CALLS\n",
			"               |   |   |   |\n" },
	};
	int i;

	if (!(reader->options & TRACE_OPT(CONTEXT_INFO))) {
		seq_printf(m, "# tracer: %s\n#\n", reader->iter.trace->name);
		return;
	}

	if (latency) {
		int column = 0;

		trace_print_latency(m, reader);
		/* Only the context column has no space before it. */
		for (i = 0; columns[i].mark[0] == ' '; i++)
			column += columns[i].shown ? strlen(columns[i].mark) : 0;
		graph_header_print_context_legend(m, column);
	} else {
		seq_printf(m, "# tracer: %s\n#\n", reader->iter.trace->name);
	}

	seq_putc(m, '#');
	for (i = 0; i < ARRAY_SIZE(columns); i++)
		seq_puts(m, columns[i].shown ? columns[i].name : "");
	seq_putc(m, '#');
	for (i = 0; i < ARRAY_SIZE(columns); i++)
		seq_puts(m, columns[i].shown ? columns[i].mark : "");
}
