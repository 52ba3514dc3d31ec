/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracer mmiotrace, for tracer/mmiotrace/mmiotrace_text.c, which prints its entries and
 * registers it.
 */
#ifndef _TRACE_TRACER_MMIOTRACE_MMIOTRACE_H
#define _TRACE_TRACER_MMIOTRACE_MMIOTRACE_H

#include "instance/tracer/tracer.h"

extern struct tracer trace_mmio_tracer;

#endif /* _TRACE_TRACER_MMIOTRACE_MMIOTRACE_H */
