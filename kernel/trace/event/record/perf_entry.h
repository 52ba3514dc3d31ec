/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entries for perf.
 */
#ifndef _TRACE_EVENT_RECORD_PERF_ENTRY_H
#define _TRACE_EVENT_RECORD_PERF_ENTRY_H

#include <linux/align.h>
#include <linux/types.h>

/*
 * trace_perf_size - what perf_trace_buf_alloc() and perf_trace_buf_submit() take as the size
 * of an entry of @size bytes: with the four bytes that tell it, it fills whole words
 */
static inline int trace_perf_size(size_t size)
{
	return ALIGN(size + sizeof(u32), sizeof(u64)) - sizeof(u32);
}

#endif /* _TRACE_EVENT_RECORD_PERF_ENTRY_H */
