/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Settings of an instance whose change invalidates the recorded entries.
 */
#ifndef _TRACE_INSTANCE_SNAPSHOT_BUFFER_CHANGE_H
#define _TRACE_INSTANCE_SNAPSHOT_BUFFER_CHANGE_H

#include <linux/init.h>

struct trace_array;

int trace_array_set_clock(struct trace_array *tr, const char *name);
int trace_array_need_clock(struct trace_array *tr, const char *name);
void __init trace_clock_apply_boot(struct trace_array *tr);
int trace_array_set_subbuf(struct trace_array *tr, int order);

#endif /* _TRACE_INSTANCE_SNAPSHOT_BUFFER_CHANGE_H */
