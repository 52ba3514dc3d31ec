/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entries handed to others as they are written: register_ftrace_export().
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
 * trace_export_function - hand out the entry of a function call
 *
 * Any context, between reserve and commit of the entry.
 */
static __always_inline void trace_export_function(const void *entry, unsigned int size)
{
	if (static_branch_unlikely(&trace_exports_functions))
		trace_export_call(TRACE_EXPORT_FUNCTION, entry, size);
}

/* trace_export_event - the same for the entry of a trace event */
static __always_inline void trace_export_event(const void *entry, unsigned int size)
{
	if (static_branch_unlikely(&trace_exports_events))
		trace_export_call(TRACE_EXPORT_EVENT, entry, size);
}

/* trace_export_marker - the same for text that user space wrote */
static __always_inline void trace_export_marker(const void *entry, unsigned int size)
{
	if (static_branch_unlikely(&trace_exports_markers))
		trace_export_call(TRACE_EXPORT_MARKER, entry, size);
}

#endif /* _TRACE_INSTANCE_RECORD_EXPORT_H */
