/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Size of entries for perf.
 */
#ifndef _TRACE_EVENT_RECORD_PERF_ENTRY_H
#define _TRACE_EVENT_RECORD_PERF_ENTRY_H

#include <linux/align.h>
#include <linux/types.h>

/*
 * trace_perf_size - convert the size of an entry to the size for perf_trace_buf_alloc()
 *
 * Also for perf_trace_buf_submit(). Along with the four bytes that contain the size, the entry
 * is a multiple of 8 bytes.
 */
static inline int trace_perf_size(size_t size)
{
	return ALIGN(size + sizeof(u32), sizeof(u64)) - sizeof(u32);
}

#endif /* _TRACE_EVENT_RECORD_PERF_ENTRY_H */
