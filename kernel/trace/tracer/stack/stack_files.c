// SPDX-License-Identifier: GPL-2.0
/*
 * Files of the stack tracer, except stack_trace_filter, which is with the other filters. Tools
 * parse the lines of stack_trace.
 */
#include <linux/cleanup.h>
#include <linux/limits.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>

#include "tracefs/files.h"
#include "tracefs/tables.h"
#include "tracer/stack/stack_tracer.h"

/* A copy, since symbols cannot be looked up while the stack is locked. */
static struct trace_stack shown;
static DEFINE_MUTEX(shown_lock);

static void stack_files_show(struct seq_file *m, const struct trace_stack *stack)
{
	unsigned int i;

	seq_printf(m, "        Depth    Size   Location    (%u entries)\n", stack->nr);
	seq_puts(m, "        -----    ----   --------\n");
	for (i = 0; i < stack->nr; i++) {
		unsigned int below = i + 1 < stack->nr ? stack->frame[i + 1].depth : 0;
		unsigned int depth = stack->frame[i].depth;

		seq_printf(m, "%3u) %8u   %5u   %pS\n", i, depth, depth - below,
			   (void *)stack->frame[i].addr);
	}
}

static void stack_files_trace_show(struct seq_file *m, const struct tracefs_node *node)
{
	guard(mutex)(&shown_lock);

	trace_stack_copy(&shown);
	if (shown.nr || READ_ONCE(stack_tracer_enabled)) {
		stack_files_show(m, &shown);
		return;
	}

	seq_puts(m,
		 "# The stack tracer is off. These switch it on:\n"
		 "#   echo 1 > /proc/sys/kernel/stack_tracer_enabled\n"
		 "#   the word stacktrace on the command line of the kernel\n");
}

static void stack_files_max_size_show(struct seq_file *m, const struct tracefs_node *node)
{
	seq_printf(m, "%u\n", trace_stack_max_size());
}

static int stack_files_max_size_set(const struct tracefs_node *node, unsigned long value)
{
	if (value > UINT_MAX)
		return -ERANGE;

	trace_stack_set_max_size(value);

	return 0;
}

/* Only in the top directory. */
const struct tracefs_entry tracefs_stack_files[] = {
	{ "stack_trace", TRACEFS_READ, .show = stack_files_trace_show },
	{ "stack_max_size", TRACEFS_BOTH, .show = stack_files_max_size_show,
	  .set_number = stack_files_max_size_set },
	{ }
};
