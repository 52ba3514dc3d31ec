// SPDX-License-Identifier: GPL-2.0
/*
 * Exports: entries that are written to a buffer are also passed to other subsystems, such as
 * the system trace module, which transmit them by their own means.
 *
 * An export is called between reserve and commit of the entry. The ring accepts only one nested
 * entry of the same context. So functions that an export calls may be traced and exported, but
 * functions called while such an entry is exported are not: this ends the recursion.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/trace.h>

#include "instance/core/instance.h"
#include "instance/record/export.h"

DEFINE_STATIC_KEY_FALSE(trace_exports_events);
DEFINE_STATIC_KEY_FALSE(trace_exports_functions);
DEFINE_STATIC_KEY_FALSE(trace_exports_markers);

static DEFINE_MUTEX(exports_lock);
static struct trace_export __rcu *exports;

/**
 * trace_export_call - pass an entry to all exports that accept its kind
 * @kind: TRACE_EXPORT_FUNCTION, TRACE_EXPORT_EVENT or TRACE_EXPORT_MARKER
 * @entry: the complete entry
 * @size: size of the entry in bytes
 *
 * Any context, with preemption disabled, also where RCU is not watching.
 */
void trace_export_call(int kind, const void *entry, unsigned int size)
{
	struct trace_export *export;

	for (export = rcu_dereference_raw_check(exports); export;
	     export = rcu_dereference_raw_check(export->next)) {
		if (export->flags & kind)
			export->write(export, entry, size);
	}
}

static void export_count(struct static_key_false *key, bool wanted, bool more)
{
	if (!wanted)
		return;
	if (more)
		static_branch_inc(key);
	else
		static_branch_dec(key);
}

static void export_count_kinds(const struct trace_export *export, bool more)
{
	export_count(&trace_exports_functions,
		     export->flags & TRACE_EXPORT_FUNCTION, more);
	export_count(&trace_exports_events,
		     export->flags & TRACE_EXPORT_EVENT, more);
	export_count(&trace_exports_markers,
		     export->flags & TRACE_EXPORT_MARKER, more);
}

/* Get the link that points to @export, or the last link. */
static struct trace_export __rcu **export_link(const struct trace_export *export)
{
	struct trace_export __rcu **link = &exports;
	struct trace_export *at;

	for (;;) {
		at = rcu_dereference_protected(*link, lockdep_is_held(&exports_lock));
		if (!at || at == export)
			return link;
		link = &at->next;
	}
}

/**
 * register_ftrace_export - register an export of entries
 * @export: the export. Its write() is called with each entry, in any context, with preemption
 *	disabled; an interrupt may call it again. Its flags select the kinds of entries:
 *	function calls, trace events, text of trace_marker. They must not change while it is
 *	registered
 *
 * May sleep.
 *
 * Return: 0; -EINVAL if there is no write(), -EEXIST if it is already registered
 */
int register_ftrace_export(struct trace_export *export)
{
	struct trace_export __rcu **link;

	if (!export->write)
		return -EINVAL;

	guard(mutex)(&exports_lock);

	link = export_link(export);
	if (rcu_access_pointer(*link))
		return -EEXIST;

	RCU_INIT_POINTER(export->next, NULL);
	rcu_assign_pointer(*link, export);
	export_count_kinds(export, true);

	return 0;
}
EXPORT_SYMBOL_GPL(register_ftrace_export);

/**
 * unregister_ftrace_export - undo register_ftrace_export()
 * @export: the export. No call of its write() is in progress after the return
 *
 * May sleep.
 *
 * Return: 0; -ENOENT if it is not registered
 */
int unregister_ftrace_export(struct trace_export *export)
{
	struct trace_export __rcu **link;

	guard(mutex)(&exports_lock);

	link = export_link(export);
	if (!rcu_access_pointer(*link))
		return -ENOENT;

	export_count_kinds(export, false);
	rcu_assign_pointer(*link, rcu_access_pointer(export->next));
	trace_wait_for_users(false);

	return 0;
}
EXPORT_SYMBOL_GPL(unregister_ftrace_export);
