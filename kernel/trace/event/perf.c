// SPDX-License-Identifier: GPL-2.0
/*
 * Events in perf: there are none yet, so perf_event_open() refuses them.
 */
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/trace_events.h>

DEFINE_PER_CPU(struct pt_regs, perf_trace_regs);
EXPORT_PER_CPU_SYMBOL_GPL(perf_trace_regs);

/**
 * perf_trace_init - make an event ready for perf
 * @event: asks for it
 *
 * Return: -EOPNOTSUPP, so that none of the functions below has anything to do
 */
int perf_trace_init(struct perf_event *event)
{
	return -EOPNOTSUPP;
}

void perf_trace_destroy(struct perf_event *event)
{
}

int perf_trace_add(struct perf_event *event, int flags)
{
	return -EOPNOTSUPP;
}

void perf_trace_del(struct perf_event *event, int flags)
{
}

int ftrace_profile_set_filter(struct perf_event *event, int event_id, char *filter_str)
{
	return -EOPNOTSUPP;
}

void ftrace_profile_free_filter(struct perf_event *event)
{
}

int trace_event_get_offsets(struct trace_event_call *call)
{
	return sizeof(struct trace_entry);
}

void *perf_trace_buf_alloc(int size, struct pt_regs **regs, int *rctxp)
{
	return NULL;
}
EXPORT_SYMBOL_GPL(perf_trace_buf_alloc);

void perf_trace_buf_update(void *record, u16 type)
{
}
