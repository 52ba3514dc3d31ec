/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files in the subdirectories of "events".
 */
#ifndef _TRACE_TRACEFS_EVENT_EVENT_FILES_H
#define _TRACE_TRACEFS_EVENT_EVENT_FILES_H

#include "tracefs/files.h"

/* In "events" itself, and in the directory of a system, which is the subject. */
extern const struct tracefs_entry tracefs_events_files[];
extern const struct tracefs_entry tracefs_system_files[];

/* In the directory of an event, whose number is the subject. */
extern const struct tracefs_entry tracefs_event_files[];

/**
 * typedef tracefs_system_fn - get the name of a system
 * @tr: the instance
 * @subject: subject number of the files of the system
 *
 * trace_event_lock held.
 *
 * Return: the name, or NULL if the system no longer exists
 */
typedef const char *(*tracefs_system_fn)(struct trace_array *tr, unsigned int subject);

void tracefs_event_files_init(tracefs_system_fn name_of);

#endif /* _TRACE_TRACEFS_EVENT_EVENT_FILES_H */
