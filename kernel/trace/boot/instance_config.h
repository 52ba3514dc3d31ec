/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracing as a boot config asks for it.
 */
#ifndef _TRACE_BOOT_INSTANCE_CONFIG_H
#define _TRACE_BOOT_INSTANCE_CONFIG_H

struct trace_array;
struct xbc_node;

typedef void (*trace_bootconfig_fn)(struct trace_array *tr, struct xbc_node *node);

void trace_bootconfig_events(trace_bootconfig_fn fn);
void trace_bootconfig_report(struct trace_array *tr, const char *key, const char *value,
			     int error);

#endif /* _TRACE_BOOT_INSTANCE_CONFIG_H */
