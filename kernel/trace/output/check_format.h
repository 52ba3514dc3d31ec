/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks and changes of a trace event's format string before its entry is printed.
 */
#ifndef _TRACE_OUTPUT_CHECK_FORMAT_H
#define _TRACE_OUTPUT_CHECK_FORMAT_H

#include <linux/stdarg.h>

struct trace_iterator;
struct trace_seq;

const char *trace_format_check(struct trace_iterator *iter, const char *fmt, va_list args);
const char *trace_format_pointers(struct trace_seq *p, const char *fmt);

#endif /* _TRACE_OUTPUT_CHECK_FORMAT_H */
