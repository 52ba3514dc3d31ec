/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace event whose entries take 64 bytes, and one that follows it.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM bench

#if !defined(BENCH_EVENT_H) || defined(TRACE_HEADER_MULTI_READ)
#define BENCH_EVENT_H

#include <linux/tracepoint.h>

#define BENCH_EVENT_DATA	48

TRACE_EVENT(bench_event,
	TP_PROTO(u64 number, const void *data),
	TP_ARGS(number, data),
	TP_STRUCT__entry(
		__field(u64, number)
		__array(u8, data, BENCH_EVENT_DATA)
	),
	TP_fast_assign(
		__entry->number = number;
		memcpy(__entry->data, data, BENCH_EVENT_DATA);
	),
	TP_printk("number=%llu", __entry->number)
);

TRACE_EVENT(bench_after,
	TP_PROTO(u64 number),
	TP_ARGS(number),
	TP_STRUCT__entry(
		__field(u64, number)
	),
	TP_fast_assign(
		__entry->number = number;
	),
	TP_printk("number=%llu", __entry->number)
);

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE bench_event
#include <trace/define_trace.h>
