/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of a block device, in its binary stream and in the buffer of an instance.
 */
#ifndef _TRACE_TRACER_BLK_BLK_WRITE_H
#define _TRACE_TRACER_BLK_BLK_WRITE_H

#include <linux/blktrace_api.h>
#include <linux/build_bug.h>
#include <linux/cgroup.h>
#include <linux/stddef.h>
#include <linux/trace_events.h>
#include <linux/types.h>

/**
 * struct blk_event - an event of a block device
 * @sector: position on the device; 0 if the operation has no position
 * @bytes: size of the request in bytes
 * @action: BLK_TA_* or BLK_TN_*, and BLK_TC_ACT() of the categories of the request
 * @error: negative errno of a completed request, or 0
 * @cgroup: id of the cgroup that caused it, only used in entries; 0 if it is unknown or not
 *	requested
 * @data: additional data, in the format of the type of action
 * @len: length of @data in bytes
 */
struct blk_event {
	u64		sector;
	u32		bytes;
	u32		action;
	int		error;
	u64		cgroup;
	const void	*data;
	unsigned int	len;
};

/**
 * struct blk_entry - an entry of type TRACE_BLK
 * @ent: the fields that all entries have, in place of the first fields of @event
 * @event: the event, as in a binary stream
 * @rest: the id of the cgroup, if @event.action has __BLK_TA_CGROUP, then the data
 */
struct blk_entry {
	union {
		struct trace_entry	ent;
		struct blk_io_trace	event;
	};
	u8				rest[];
};

static_assert(offsetof(struct blk_io_trace, time) == sizeof(struct trace_entry));
static_assert(offsetof(struct blk_entry, rest) == sizeof(struct blk_io_trace));

struct cgroup_subsys_state;

/* blk_cgroup_id - get the id of a cgroup for struct blk_event; 0 for NULL */
static inline u64 blk_cgroup_id(const struct cgroup_subsys_state *css)
{
#ifdef CONFIG_BLK_CGROUP
	return css ? cgroup_id(css->cgroup) : 0;
#else
	return 0;
#endif
}

void blk_trace_write(struct blk_trace *bt, const struct blk_event *event);
void blk_trace_run(struct blk_trace *bt);
void blk_trace_halt(struct blk_trace *bt);

#endif /* _TRACE_TRACER_BLK_BLK_WRITE_H */
