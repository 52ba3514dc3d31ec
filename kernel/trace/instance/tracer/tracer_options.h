/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options of a single tracer, set per instance; and access to options by name.
 */
#ifndef _TRACE_INSTANCE_TRACER_TRACER_OPTIONS_H
#define _TRACE_INSTANCE_TRACER_TRACER_OPTIONS_H

#include <linux/types.h>

struct trace_array;
struct tracer;
struct tracer_option;

int tracer_options_create(struct trace_array *tr);
void tracer_options_destroy(struct trace_array *tr);
int tracer_options_add(struct tracer *tracer);
void tracer_options_remove(struct tracer *tracer);

u32 tracer_flags(struct trace_array *tr, const struct tracer *tracer);
const struct tracer_option *tracer_find_option(const char *name,
					       struct tracer **owner);
const char *tracer_option_name(unsigned int nr);
int trace_option_set_name(struct trace_array *tr, const char *name, bool on);
int trace_option_write(struct trace_array *tr, const char *text);
void trace_option_apply_boot(struct trace_array *tr);

#endif /* _TRACE_INSTANCE_TRACER_TRACER_OPTIONS_H */
