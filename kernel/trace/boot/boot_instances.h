/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the command line asks of instances.
 */
#ifndef _TRACE_BOOT_BOOT_INSTANCES_H
#define _TRACE_BOOT_BOOT_INSTANCES_H

struct trace_array;

typedef int (*trace_boot_event_fn)(struct trace_array *tr, char *word);

void trace_boot_settings(void);
void trace_boot_instances(trace_boot_event_fn enable);

#endif /* _TRACE_BOOT_BOOT_INSTANCES_H */
