// SPDX-License-Identifier: GPL-2.0
/*
 * Start-up self tests of the tracers hwlat, osnoise and timerlat.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/delay.h>
#include <linux/init.h>
#include <linux/printk.h>
#include <linux/ring_buffer.h>

#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/snapshot/max_latency.h"
#include "instance/tracer/tracer.h"
#include "tracer/osnoise/hwlat.h"
#include "tracer/osnoise/osnoise_workload.h"
#include "tracer/selftest/selftest.h"

/* Is there an entry of a type in the buffer? */
static bool osnoise_selftest_has_entry(struct trace_array *tr, u16 type)
{
	struct ring_buffer_event *event;
	struct trace_entry *ent;
	unsigned long lost;
	unsigned int cpu;
	u64 ts;

	for_each_possible_cpu(cpu) {
		while ((event = ring_buffer_consume(tr->main.buffer, cpu, &ts, &lost))) {
			ent = ring_buffer_event_data(event);
			if (ent->type == type)
				return true;
		}
	}

	return false;
}

/*
 * The tracer must record something while this task sleeps for up to 500 intervals of 20 ms.
 * That takes seconds of this machine's own time: if the host delays a guest, both are delayed.
 */
static int osnoise_selftest_records(struct trace_array *tr, struct tracer *tracer, u16 type)
{
	bool found = false;
	int i, ret;

	ret = tracer->init(tr);
	if (ret)
		return ret;

	for (i = 0; i < 500 && !found; i++) {
		msleep(20);
		found = osnoise_selftest_has_entry(tr, type);
	}
	tracer->reset(tr);

	if (!found)
		pr_err("%s recorded nothing\n", tracer->name);

	return found ? 0 : -EIO;
}

#ifdef CONFIG_HWLAT_TRACER
/* With a threshold of one nanosecond, some gap between readings of the clock exceeds it. */
int hwlat_selftest(struct trace_array *tr, struct tracer *tracer)
{
	u64 thresh = trace_latency_thresh, max_latency = tr->max_latency;
	unsigned long width = trace_hwlat_width();
	int ret;

	trace_hwlat_set_width(USEC_PER_MSEC);
	WRITE_ONCE(trace_latency_thresh, 1);
	ret = osnoise_selftest_records(tr, tracer, TRACE_HWLAT);
	WRITE_ONCE(trace_latency_thresh, thresh);
	trace_hwlat_forget_thresh();
	trace_hwlat_set_width(width);
	trace_latency_set_max(tr, max_latency);

	return ret;
}
#endif

#ifdef CONFIG_OSNOISE_TRACER
int osnoise_selftest(struct trace_array *tr, struct tracer *tracer)
{
	unsigned long runtime = trace_osnoise_number(OSNOISE_RUNTIME);
	unsigned long period = trace_osnoise_number(OSNOISE_PERIOD);
	int ret;

	trace_osnoise_set_number(OSNOISE_RUNTIME, USEC_PER_MSEC);
	trace_osnoise_set_number(OSNOISE_PERIOD, 10 * USEC_PER_MSEC);
	ret = osnoise_selftest_records(tr, tracer, TRACE_OSNOISE);
	trace_osnoise_set_number(OSNOISE_PERIOD, period);
	trace_osnoise_set_number(OSNOISE_RUNTIME, runtime);

	return ret;
}
#endif

#ifdef CONFIG_TIMERLAT_TRACER
int timerlat_selftest(struct trace_array *tr, struct tracer *tracer)
{
	return osnoise_selftest_records(tr, tracer, TRACE_TIMERLAT);
}
#endif
