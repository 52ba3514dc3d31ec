/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The directory "events".
 */
#ifndef _TRACE_TRACEFS_EVENT_EVENT_DIRS_H
#define _TRACE_TRACEFS_EVENT_EVENT_DIRS_H

struct dentry;
struct trace_array;

int tracefs_events_init(void);
int tracefs_add_events(struct dentry *dir, struct trace_array *tr);
void tracefs_remove_events(struct trace_array *tr);

#endif /* _TRACE_TRACEFS_EVENT_EVENT_DIRS_H */
