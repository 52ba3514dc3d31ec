/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Exports: entries passed to other subsystems as they are written, register_ftrace_export().
 */
#ifndef _TRACE_INSTANCE_RECORD_EXPORT_H
#define _TRACE_INSTANCE_RECORD_EXPORT_H

#include <linux/jump_label.h>
#include <linux/trace.h>

DECLARE_STATIC_KEY_FALSE(trace_exports_events);
DECLARE_STATIC_KEY_FALSE(trace_exports_functions);
DECLARE_STATIC_KEY_FALSE(trace_exports_markers);

void trace_export_call(int kind, const void *entry, unsigned int size);

/*
 * trace_export_function - export the entry of a function call
 *
 * Any context, between reserve and commit of the entry.
 */
static __always_inline void trace_export_function(const void *entry, unsigned int size)
{
	if (static_branch_unlikely(&trace_exports_functions))
		trace_export_call(TRACE_EXPORT_FUNCTION, entry, size);
}

/* trace_export_event - export the entry of a trace event; context as above */
static __always_inline void trace_export_event(const void *entry, unsigned int size)
{
	if (static_branch_unlikely(&trace_exports_events))
		trace_export_call(TRACE_EXPORT_EVENT, entry, size);
}

/* trace_export_marker - export the text of a trace marker; context as above */
static __always_inline void trace_export_marker(const void *entry, unsigned int size)
{
	if (static_branch_unlikely(&trace_exports_markers))
		trace_export_call(TRACE_EXPORT_MARKER, entry, size);
}

#endif /* _TRACE_INSTANCE_RECORD_EXPORT_H */
