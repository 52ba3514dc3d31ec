/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events with fields of each kind.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ftest

#if !defined(_FTEST_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define _FTEST_EVENTS_H

#include <linux/tracepoint.h>

#ifndef _FTEST_EVENTS_ENUM
#define _FTEST_EVENTS_ENUM
enum { FTEST_LOW = 3, FTEST_HIGH = 70, FTEST_CHARS = 12 };

int ftest_events_reg(void);
void ftest_events_unreg(void);
#endif

TRACE_DEFINE_ENUM(FTEST_LOW);
TRACE_DEFINE_ENUM(FTEST_HIGH);
TRACE_DEFINE_ENUM(FTEST_CHARS);
TRACE_DEFINE_SIZEOF(pid_t);

TRACE_EVENT(ftest_numbers,
	TP_PROTO(long count, const char *text),
	TP_ARGS(count, text),
	TP_STRUCT__entry(
		__field(s8, tiny)
		__field(u16, half)
		__field(int, negative)
		__field(u64, wide)
		__array(char, chars, FTEST_CHARS)
		__array(u32, words, 2)
	),
	TP_fast_assign(
		__entry->tiny = -count;
		__entry->half = 0xff00 + count;
		__entry->negative = -count;
		__entry->wide = (u64)count << 40;
		strscpy(__entry->chars, text, FTEST_CHARS);
		__entry->words[0] = count;
		__entry->words[1] = count + 1;
	),
	TP_printk("%d %u %d %llu %s %s %s", __entry->tiny, __entry->half,
		  __entry->negative, __entry->wide, __entry->chars,
		  __print_array(__entry->words, 2, 4),
		  __print_symbolic(__entry->words[0], { FTEST_LOW, "FTEST_LOW" },
				   { FTEST_HIGH, "high" }))
);

TRACE_EVENT(ftest_texts,
	TP_PROTO(long count, const char *text),
	TP_ARGS(count, text),
	TP_STRUCT__entry(
		__field(unsigned long, count)
		__string(text, text)
		__rel_string(again, text)
		__dynamic_array(u8, bytes, 3)
		__cpumask(cpus)
	),
	TP_fast_assign(
		__entry->count = count;
		__assign_str(text);
		__assign_rel_str(again);
		memset(__get_dynamic_array(bytes), count, 3);
		__assign_cpumask(cpus, cpumask_bits(cpumask_of(0)));
	),
	TP_printk("%s|%s|%s|%s|%s|%lu", __get_str(text), __get_rel_str(again),
		  __print_hex(__get_dynamic_array(bytes), __get_dynamic_array_len(bytes)),
		  __get_cpumask(cpus),
		  __print_flags(__entry->count, "+", { 1, "one" }, { 2, "two" }),
		  sizeof(pid_t))
);

/* Fields whose values are a single word, or several. */
TRACE_EVENT(ftest_words,
	TP_PROTO(long count),
	TP_ARGS(count),
	TP_STRUCT__entry(
		__field(long, count)
		__array(char, letters, 4)
		__bitmask(bits, FTEST_HIGH)
		__rel_bitmask(again, FTEST_HIGH)
	),
	TP_fast_assign(
		unsigned long mask[] = { count, count & 1 };

		__entry->count = count;
		memset(__entry->letters, 'a' + count % 26, 3);
		__entry->letters[3] = '\0';
		__assign_bitmask(bits, mask, FTEST_HIGH);
		__assign_rel_bitmask(again, mask, FTEST_HIGH);
	),
	TP_printk("%ld|%s|%s|%s", __entry->count, __entry->letters, __get_bitmask(bits),
		  __get_rel_bitmask(again))
);

DECLARE_EVENT_CLASS(ftest_pair,
	TP_PROTO(long count),
	TP_ARGS(count),
	TP_STRUCT__entry(__field(long, count)),
	TP_fast_assign(__entry->count = count;),
	TP_printk("%ld", __entry->count)
);

DEFINE_EVENT(ftest_pair, ftest_first, TP_PROTO(long count), TP_ARGS(count));

DEFINE_EVENT_PRINT(ftest_pair, ftest_second, TP_PROTO(long count), TP_ARGS(count),
	TP_printk("second %ld", __entry->count)
);

TRACE_EVENT(ftest_pointer,
	TP_PROTO(long count, const char *text),
	TP_ARGS(count, text),
	TP_STRUCT__entry(
		__field(long, count)
		__field(const char *, text)
	),
	TP_fast_assign(
		__entry->count = count;
		__entry->text = text;
	),
	TP_printk("%5ld %8s|%-*s|%c %lld %%", __entry->count, __entry->text, 6,
		  __entry->text, 'c', (long long)__entry->count)
);

TRACE_EVENT_CONDITION(ftest_odd,
	TP_PROTO(long count),
	TP_ARGS(count),
	TP_CONDITION(count & 1),
	TP_STRUCT__entry(__field(long, count)),
	TP_fast_assign(__entry->count = count;),
	TP_printk("%ld", __entry->count)
);

TRACE_EVENT_FN(ftest_fn,
	TP_PROTO(long count),
	TP_ARGS(count),
	TP_STRUCT__entry(__field(long, count)),
	TP_fast_assign(__entry->count = count;),
	TP_printk("%ld", __entry->count),
	ftest_events_reg, ftest_events_unreg
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE ftest_events
#include <trace/define_trace.h>
