// SPDX-License-Identifier: GPL-2.0
/*
 * Text of the entries of the tracers hwlat, osnoise and timerlat, which tools parse.
 */
#include <linux/init.h>
#include <linux/math64.h>
#include <linux/time64.h>

#include "output/entry_text.h"
#include "output/reader.h"

/*
 * Result of the hardware latency detector; durations in microseconds. Format:
 * Documentation/trace/hwlat_detector.rst
 */
static enum print_line_t noise_text_print_hwlat(struct trace_iterator *iter, int flags,
						struct trace_event *event)
{
	struct hwlat_entry *entry = (struct hwlat_entry *)iter->ent;
	struct trace_seq *s = &iter->seq;

	trace_seq_printf(s, "#%-5u inner/outer(us): %4llu/%-5llu ts:%lld.%09ld count:%u",
			 entry->seqnum, entry->duration, entry->outer_duration,
			 (long long)entry->timestamp.tv_sec, entry->timestamp.tv_nsec,
			 entry->count);
	if (entry->nmi_count)
		trace_seq_printf(s, " nmi-total:%llu nmi-count:%u",
				 entry->nmi_total_ts, entry->nmi_count);
	trace_seq_putc(s, '\n');

	return trace_handle_return(s);
}

/* Result of a period of osnoise. Format: Documentation/trace/osnoise-tracer.rst */
static enum print_line_t noise_text_print_osnoise(struct trace_iterator *iter, int flags,
						  struct trace_event *event)
{
	struct osnoise_entry *entry = (struct osnoise_entry *)iter->ent;
	u64 noise = min(entry->noise, entry->runtime);
	u64 share = 0;
	u32 fraction;

	/* Percent of the runtime, with five decimal places */
	if (entry->runtime)
		share = mul_u64_u64_div_u64(entry->runtime - noise, 10000000, entry->runtime);
	share = div_u64_rem(share, 100000, &fraction);

	trace_seq_printf(&iter->seq, "%llu %10llu %3llu.%05u %7llu %6u %6u %6u %6u %6u\n",
			 entry->runtime, entry->noise, share, fraction, entry->max_sample,
			 entry->hw_count, entry->nmi_count, entry->irq_count,
			 entry->softirq_count, entry->thread_count);

	return trace_handle_return(&iter->seq);
}

/* Latency of a timer or its thread. Format: Documentation/trace/timerlat-tracer.rst */
static enum print_line_t noise_text_print_timerlat(struct trace_iterator *iter, int flags,
						   struct trace_event *event)
{
	static const char * const contexts[] = { "irq", "thread", "user-ret" };
	struct timerlat_entry *entry = (struct timerlat_entry *)iter->ent;
	unsigned int context = entry->context;

	trace_seq_printf(&iter->seq, "#%-5u context %6s timer_latency %9llu ns\n",
			 entry->seqnum,
			 context < ARRAY_SIZE(contexts) ? contexts[context] : "?",
			 entry->timer_latency);

	return trace_handle_return(&iter->seq);
}

static int __init noise_text_init(void)
{
	trace_fixed_funcs[TRACE_HWLAT].trace = noise_text_print_hwlat;
	trace_fixed_funcs[TRACE_HWLAT].raw = noise_text_print_hwlat;
	trace_fixed_funcs[TRACE_OSNOISE].trace = noise_text_print_osnoise;
	trace_fixed_funcs[TRACE_OSNOISE].raw = noise_text_print_osnoise;
	trace_fixed_funcs[TRACE_TIMERLAT].trace = noise_text_print_timerlat;
	trace_fixed_funcs[TRACE_TIMERLAT].raw = noise_text_print_timerlat;

	return 0;
}
early_initcall(noise_text_init);
