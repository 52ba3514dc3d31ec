/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracer osnoise, for tracer/osnoise/osnoise_text.c, which gives it a header and registers it.
 */
#ifndef _TRACE_TRACER_OSNOISE_OSNOISE_H
#define _TRACE_TRACER_OSNOISE_OSNOISE_H

#include "instance/tracer/tracer.h"

extern struct tracer trace_osnoise_tracer;

#endif /* _TRACE_TRACER_OSNOISE_OSNOISE_H */
