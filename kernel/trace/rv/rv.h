/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The monitors that are registered, for the files that control them.
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
 * struct rv_record - a monitor that is registered
 * @monitor: the monitor
 * @id: its index in @rv_records, from 1 to RV_ID_MOST. Numbers do not come again soon.
 * @reaction: its reactor
 * @dir: its directory, NULL for none
 */
struct rv_record {
	struct rv_monitor	*monitor;
	u32			id;
	struct rv_reaction	reaction;
	struct dentry		*dir;
};

#define RV_ID_MOST	(BIT(26) - 1)

/**
 * struct rv_part - what comes and goes with a monitor
 * @create: the monitor registers. rv_lock held. Return: 0, or an error that it is refused with
 * @destroy: the monitor goes; it is disabled. Likewise
 */
struct rv_part {
	int	(*create)(struct rv_record *record);
	void	(*destroy)(struct rv_record *record);
};

/*
 * Monitors come and go, and are enabled and disabled, under this lock, so that each is called
 * by one task at a time. What monitors and tracefs lock to do these things is locked under it.
 * No probe takes it.
 */
extern struct mutex rv_lock;

/* Under rv_lock: by id, and so in the order in which they registered */
extern struct xarray rv_records;

#define for_each_rv_record(id, record)	xa_for_each(&rv_records, id, record)

struct rv_record *rv_find(const char *name);
int rv_enable(struct rv_record *record);
void rv_disable(struct rv_record *record);
void rv_monitoring_switch(bool on);
void rv_part_register(const struct rv_part *part);

#endif /* _TRACE_RV_RV_H */
