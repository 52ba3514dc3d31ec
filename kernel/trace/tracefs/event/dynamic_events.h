/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of dynamic events.
 */
#ifndef _TRACE_TRACEFS_EVENT_DYNAMIC_EVENTS_H
#define _TRACE_TRACEFS_EVENT_DYNAMIC_EVENTS_H

#include <linux/fs.h>

struct probe_kind;

int tracefs_probes_open(struct inode *inode, struct file *file, const char *name,
			const struct probe_kind *kind);
ssize_t tracefs_probes_write(struct file *file, const char __user *ubuf, size_t count,
			     loff_t *ppos);

#endif /* _TRACE_TRACEFS_EVENT_DYNAMIC_EVENTS_H */
