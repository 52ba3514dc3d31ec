/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events as a boot config asks for them, and those that it defines.
 */
#ifndef _TRACE_BOOT_EVENT_CONFIG_H
#define _TRACE_BOOT_EVENT_CONFIG_H

#include <linux/list.h>

struct trace_array;
struct xbc_node;

/**
 * struct trace_bootconfig_definer - what defines events that a boot config describes
 * @list: of all definers
 * @system: the system of such events
 * @key: the key "event.SYSTEM.EVENT.KEY" that describes an event
 * @define: define an event. @node has its keys, and reports with trace_bootconfig_report() what
 *	    is wrong with them. Called without locks, during boot.
 */
struct trace_bootconfig_definer {
	struct list_head	list;
	const char		*system;
	const char		*key;
	void			(*define)(struct trace_array *tr, const char *event,
					  struct xbc_node *node);
};

void trace_bootconfig_events(struct trace_array *tr, struct xbc_node *node);
void trace_bootconfig_definer(struct trace_bootconfig_definer *definer);

#endif /* _TRACE_BOOT_EVENT_CONFIG_H */
