/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracer mmiotrace, for output/mmiotrace.c, which prints its entries and registers it.
 */
#ifndef _TRACE_TRACER_MMIOTRACE_H
#define _TRACE_TRACER_MMIOTRACE_H

#include "instance/tracer.h"

extern struct tracer trace_mmio_tracer;

#endif /* _TRACE_TRACER_MMIOTRACE_H */
