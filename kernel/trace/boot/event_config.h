/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events in a boot config: enabling, setup and definition.
 */
#ifndef _TRACE_BOOT_EVENT_CONFIG_H
#define _TRACE_BOOT_EVENT_CONFIG_H

#include <linux/list.h>

struct trace_array;
struct trace_event_call;
struct xbc_node;

/**
 * struct trace_bootconfig_definer - definer of events that a boot config describes
 * @list: entry in the list of all definers
 * @system: system of such events
 * @key: the key "event.SYSTEM.EVENT.KEY" that describes an event
 * @define: define an event. @node has its keys; errors are reported with
 *	trace_bootconfig_report(). Called without locks, during boot.
 */
struct trace_bootconfig_definer {
	struct list_head	list;
	const char		*system;
	const char		*key;
	void			(*define)(struct trace_array *tr, const char *event,
					  struct xbc_node *node);
};

/**
 * struct trace_bootconfig_key - a key of events in a boot config
 * @list: entry in the list of all keys
 * @key: the key "event.SYSTEM.EVENT.KEY"
 * @apply: apply it to an event in an instance, before the event is enabled. @node has its
 *	subkeys; errors are reported with trace_bootconfig_report(). Called with
 *	trace_event_lock held, during boot; may sleep.
 */
struct trace_bootconfig_key {
	struct list_head	list;
	const char		*key;
	void			(*apply)(struct trace_array *tr, struct trace_event_call *call,
					 struct xbc_node *node);
};

void trace_bootconfig_events(struct trace_array *tr, struct xbc_node *node);
void trace_bootconfig_definer(struct trace_bootconfig_definer *definer);
void trace_bootconfig_key(struct trace_bootconfig_key *key);

#endif /* _TRACE_BOOT_EVENT_CONFIG_H */
