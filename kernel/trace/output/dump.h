/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Dumps: printing a buffer in any context.
 */
#ifndef _TRACE_OUTPUT_DUMP_H
#define _TRACE_OUTPUT_DUMP_H

#include <linux/kernel.h>
#include <linux/types.h>

struct trace_array;

/**
 * struct trace_dump_to - destination of a dump
 * @print: prints a line of @len characters, without the line feed. Any context. Return: false
 *	to end the dump before the current entry is consumed
 * @width: maximum number of characters passed to @print; longer lines are split
 */
struct trace_dump_to {
	bool		(*print)(const char *line, int len);
	unsigned int	width;
};

bool trace_dump(struct trace_array *tr, enum ftrace_dump_mode mode);
bool trace_dump_top(int cpu, long skip, const struct trace_dump_to *to);

#endif /* _TRACE_OUTPUT_DUMP_H */
