/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Start-up self tests of the tracers, and functions for them to trace.
 */
#ifndef _TRACE_TRACER_SELFTEST_H
#define _TRACE_TRACER_SELFTEST_H

struct trace_array;

#ifdef CONFIG_FTRACE_STARTUP_TEST
int function_selftest(struct trace_array *tr);
int graph_selftest(struct trace_array *tr);

/* In an object that is traced, unlike the rest of kernel/trace. */
unsigned long trace_selftest_outer(unsigned long n);
unsigned long trace_selftest_inner(unsigned long n);
#else
#define function_selftest	NULL
#define graph_selftest		NULL
#endif

#endif /* _TRACE_TRACER_SELFTEST_H */
