/* SPDX-License-Identifier: GPL-2.0 */
/* Look-up of functions by their line in available_filter_functions. */
#ifndef _TRACE_FILTER_LINE_LOOKUP_H
#define _TRACE_FILTER_LINE_LOOKUP_H

#include <linux/types.h>

struct ftrace_hash;

/**
 * struct ftrace_lines - lines that are looked up together
 * @line: numbers of the lines, from 1 on
 * @nr: number of lines
 * @max: capacity of @line
 * @missing: after a failed look-up, the number of a line that does not exist
 */
struct ftrace_lines {
	unsigned int	*line;
	unsigned int	nr;
	unsigned int	max;
	unsigned int	missing;
};

bool ftrace_line_parse(const char *token, unsigned int *line);
int ftrace_lines_add(struct ftrace_lines *lines, unsigned int line);
void ftrace_lines_free(struct ftrace_lines *lines);
struct ftrace_hash *ftrace_lines_sites(struct ftrace_lines *lines);

#endif /* _TRACE_FILTER_LINE_LOOKUP_H */
