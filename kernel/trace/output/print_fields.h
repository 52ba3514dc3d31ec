/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Option fields.
 */
#ifndef _TRACE_OUTPUT_PRINT_FIELDS_H
#define _TRACE_OUTPUT_PRINT_FIELDS_H

#include <linux/types.h>

struct trace_iterator;

bool trace_print_fields(struct trace_iterator *iter);

#endif /* _TRACE_OUTPUT_PRINT_FIELDS_H */
