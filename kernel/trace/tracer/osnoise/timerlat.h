/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracer timerlat, for tracer/osnoise/osnoise_text.c, which gives it a header and registers
 * it, and the threads of user space that measure with it.
 */
#ifndef _TRACE_TRACER_OSNOISE_TIMERLAT_H
#define _TRACE_TRACER_OSNOISE_TIMERLAT_H

#include "instance/tracer/tracer.h"

struct timerlat_user;

extern struct tracer trace_timerlat_tracer;

struct timerlat_user *trace_timerlat_attach(unsigned int cpu);
int trace_timerlat_cycle(struct timerlat_user *user);
void trace_timerlat_detach(struct timerlat_user *user);

#endif /* _TRACE_TRACER_OSNOISE_TIMERLAT_H */
