/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Printing a buffer in any context.
 */
#ifndef _TRACE_OUTPUT_DUMP_H
#define _TRACE_OUTPUT_DUMP_H

/**
 * typedef trace_dump_fn - print a line of a dump
 * @line: the line, with its line feed
 */
typedef void (*trace_dump_fn)(const char *line);

void trace_dump_top(int cpu, long skip, trace_dump_fn print);

#endif /* _TRACE_OUTPUT_DUMP_H */
