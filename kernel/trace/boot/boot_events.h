/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events enabled on the command line.
 */
#ifndef _TRACE_BOOT_BOOT_EVENTS_H
#define _TRACE_BOOT_BOOT_EVENTS_H

struct trace_array;

void trace_boot_events(void);
int trace_boot_event(struct trace_array *tr, char *spec);

#endif /* _TRACE_BOOT_BOOT_EVENTS_H */
