/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reactors, and their assignment to monitors.
 */
#ifndef _TRACE_RV_REACTORS_H
#define _TRACE_RV_REACTORS_H

#include <linux/list.h>
#include <linux/types.h>

struct rv_monitor;
struct rv_reactor;
struct seq_file;

/**
 * struct rv_reaction - reaction of a monitor
 * @monitor: the monitor, whose react() is the one of @reactor
 * @reactor: its reactor, never NULL
 * @list: entry in the list of all reactions
 */
struct rv_reaction {
	struct rv_monitor		*monitor;
	const struct rv_reactor		*reactor;
	struct list_head		list;
};

#ifdef CONFIG_RV_REACTORS
void rv_reaction_begin(struct rv_reaction *reaction, struct rv_monitor *monitor);
void rv_reaction_end(struct rv_reaction *reaction);
int rv_reaction_set(struct rv_reaction *reaction, const char *name);
void rv_reaction_show(struct seq_file *m, const struct rv_reaction *reaction);
void rv_reactors_show(struct seq_file *m);
void rv_reactors_switch(bool on);
#else
static inline void rv_reaction_begin(struct rv_reaction *reaction, struct rv_monitor *monitor) { }
static inline void rv_reaction_end(struct rv_reaction *reaction) { }
#endif

#endif /* _TRACE_RV_REACTORS_H */
