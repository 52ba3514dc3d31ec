/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The option "fields": print the fields of an entry instead of its text.
 */
#ifndef _TRACE_OUTPUT_PRINT_FIELDS_H
#define _TRACE_OUTPUT_PRINT_FIELDS_H

#include <linux/types.h>

struct trace_iterator;

bool trace_print_fields(struct trace_iterator *iter);

#endif /* _TRACE_OUTPUT_PRINT_FIELDS_H */
