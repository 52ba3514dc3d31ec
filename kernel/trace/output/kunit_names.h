/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions with the names that examples of the documentation have.
 */
#ifndef _TRACE_OUTPUT_KUNIT_NAMES_H
#define _TRACE_OUTPUT_KUNIT_NAMES_H

#include <linux/types.h>

unsigned long kunit_named_func(const char *name, size_t len);

#endif /* _TRACE_OUTPUT_KUNIT_NAMES_H */
