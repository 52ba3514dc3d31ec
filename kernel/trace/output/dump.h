/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Printing a buffer in any context.
 */
#ifndef _TRACE_OUTPUT_DUMP_H
#define _TRACE_OUTPUT_DUMP_H

#include <linux/kernel.h>
#include <linux/types.h>

struct trace_array;

/**
 * struct trace_dump_to - where a dump goes
 * @print: prints a line, whose line feed is not among its @len characters. Any context.
 *	   Return: false if the dump is to end, before it consumes the entry at hand
 * @width: the most characters that @print takes; a line that is longer goes on in the next
 */
struct trace_dump_to {
	bool		(*print)(const char *line, int len);
	unsigned int	width;
};

bool trace_dump(struct trace_array *tr, enum ftrace_dump_mode mode);
bool trace_dump_top(int cpu, long skip, const struct trace_dump_to *to);

#endif /* _TRACE_OUTPUT_DUMP_H */
