/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Start-up self tests of the tracers, and functions for them to trace.
 */
#ifndef _TRACE_TRACER_SELFTEST_SELFTEST_H
#define _TRACE_TRACER_SELFTEST_SELFTEST_H

struct trace_array;
struct tracer;

#ifdef CONFIG_FTRACE_STARTUP_TEST
int function_selftest(struct trace_array *tr, struct tracer *tracer);
int graph_selftest(struct trace_array *tr, struct tracer *tracer);
int irqsoff_selftest(struct trace_array *tr, struct tracer *tracer);
int preemptoff_selftest(struct trace_array *tr, struct tracer *tracer);
int preemptirqsoff_selftest(struct trace_array *tr, struct tracer *tracer);
int wakeup_selftest(struct trace_array *tr, struct tracer *tracer);
int wakeup_rt_selftest(struct trace_array *tr, struct tracer *tracer);
int wakeup_dl_selftest(struct trace_array *tr, struct tracer *tracer);
int hwlat_selftest(struct trace_array *tr, struct tracer *tracer);
int osnoise_selftest(struct trace_array *tr, struct tracer *tracer);
int timerlat_selftest(struct trace_array *tr, struct tracer *tracer);

/* Defined in an object that is traced, unlike the rest of kernel/trace. */
unsigned long trace_selftest_outer(unsigned long n);
unsigned long trace_selftest_inner(unsigned long n);
#else
#define function_selftest	NULL
#define graph_selftest		NULL
#define irqsoff_selftest	NULL
#define preemptoff_selftest	NULL
#define preemptirqsoff_selftest	NULL
#define wakeup_selftest		NULL
#define wakeup_rt_selftest	NULL
#define wakeup_dl_selftest	NULL
#define hwlat_selftest		NULL
#define osnoise_selftest	NULL
#define timerlat_selftest	NULL
#endif

#endif /* _TRACE_TRACER_SELFTEST_SELFTEST_H */
