/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Strings that entries only point to.
 */
#ifndef _TRACE_OUTPUT_STRINGS_H
#define _TRACE_OUTPUT_STRINGS_H

#include <linux/stdarg.h>

struct trace_iterator;

const char *trace_format_check(struct trace_iterator *iter, const char *fmt, va_list args);

#endif /* _TRACE_OUTPUT_STRINGS_H */
