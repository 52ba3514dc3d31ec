/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reactors, and which of them each monitor has.
 */
#ifndef _TRACE_RV_REACTORS_H
#define _TRACE_RV_REACTORS_H

#include <linux/list.h>
#include <linux/types.h>

struct rv_monitor;
struct rv_reactor;
struct seq_file;

/**
 * struct rv_reaction - how a monitor reacts
 * @monitor: the monitor, whose react() is that of @reactor
 * @reactor: never NULL
 * @list: all of them
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
