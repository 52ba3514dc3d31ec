/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registration of a tracer.
 */
#ifndef _TRACE_INSTANCE_TRACER_REGISTER_TRACER_H
#define _TRACE_INSTANCE_TRACER_REGISTER_TRACER_H

#include "instance/tracer/tracer.h"
#include "instance/tracer/tracer_options.h"

int register_tracer(struct tracer *tracer);
int trace_selftests_run(void);

#endif /* _TRACE_INSTANCE_TRACER_REGISTER_TRACER_H */
