/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entries that are not recorded, for triggers that look at them.
 */
#ifndef _TRACE_EVENT_SCRATCH_H
#define _TRACE_EVENT_SCRATCH_H

#include <linux/types.h>

int trace_scratch_prepare(void);
void *trace_scratch_get(size_t len);
size_t trace_scratch_len(const void *entry);
void trace_scratch_put(void);

#endif /* _TRACE_EVENT_SCRATCH_H */
