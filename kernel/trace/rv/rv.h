/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registered monitors, for the files that control them.
 */
#ifndef _TRACE_RV_RV_H
#define _TRACE_RV_RV_H

#include <linux/bits.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/xarray.h>

#include "rv/reactors.h"

struct dentry;
struct rv_monitor;

/**
 * struct rv_record - a registered monitor
 * @monitor: the monitor
 * @id: its index in @rv_records, from 1 to RV_ID_MOST. Ids are not reused soon.
 * @reaction: its reactor
 * @dir: its directory, or NULL
 */
struct rv_record {
	struct rv_monitor	*monitor;
	u32			id;
	struct rv_reaction	reaction;
	struct dentry		*dir;
};

#define RV_ID_MOST	(BIT(26) - 1)

/**
 * struct rv_part - callbacks for registering and unregistering monitors
 * @create: called when a monitor is registered. rv_lock held. Return: 0, or an error, which
 *	registering then returns
 * @destroy: called when a monitor is unregistered; it is already disabled. rv_lock held.
 */
struct rv_part {
	int	(*create)(struct rv_record *record);
	void	(*destroy)(struct rv_record *record);
};

/*
 * Monitors are registered, unregistered, enabled and disabled under this lock, so that the
 * functions of each monitor are called by one task at a time. Locks that monitors and tracefs
 * take for this nest inside it. No probe takes it.
 */
extern struct mutex rv_lock;

/* Protected by rv_lock: indexed by id, and so in the order of registration */
extern struct xarray rv_records;

#define for_each_rv_record(id, record)	xa_for_each(&rv_records, id, record)

struct rv_record *rv_find(const char *name);
int rv_enable(struct rv_record *record);
void rv_disable(struct rv_record *record);
void rv_monitoring_switch(bool on);
void rv_part_register(const struct rv_part *part);

#endif /* _TRACE_RV_RV_H */
