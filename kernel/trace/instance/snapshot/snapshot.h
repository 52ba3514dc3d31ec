/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshots: a spare buffer that is exchanged with the active one.
 */
#ifndef _TRACE_INSTANCE_SNAPSHOT_SNAPSHOT_H
#define _TRACE_INSTANCE_SNAPSHOT_SNAPSHOT_H

#include <linux/errno.h>
#include <linux/types.h>

#include "instance/core/instance.h"

#ifdef CONFIG_TRACER_SNAPSHOT
void trace_snapshot_create(struct trace_array *tr);
struct trace_buffer *trace_snapshot_end(struct trace_array *tr);
void trace_snapshot_destroy(struct trace_array *tr);

void trace_boot_snapshots(void);
int trace_snapshot_alloc(struct trace_array *tr);
int trace_snapshot_arm(struct trace_array *tr);
void trace_snapshot_disarm(struct trace_array *tr);
bool trace_snapshot_request(struct trace_array *tr);
bool trace_snapshot_pending(struct trace_array *tr);
void trace_snapshot_settle(struct trace_array *tr);
void trace_snapshot_settle_locked(struct trace_array *tr);
int trace_snapshot_take(struct trace_array *tr, int cpu);
int trace_snapshot_free(struct trace_array *tr);
int trace_snapshot_clear(struct trace_array *tr, int cpu);
int trace_snapshot_get(struct trace_array *tr);
bool trace_snapshot_get_owned(struct trace_array *tr);
void trace_snapshot_put(struct trace_array *tr);

int trace_snapshot_own(struct trace_array *tr);
void trace_snapshot_empty(struct trace_array *tr);
void trace_snapshot_disown(struct trace_array *tr);
int trace_snapshot_take_here(struct trace_array *tr);

int tracing_alloc_snapshot(void);
void tracing_snapshot_cond(struct trace_array *tr, void *cond_data);
void *tracing_cond_snapshot_data(struct trace_array *tr);
int tracing_snapshot_cond_enable(struct trace_array *tr, void *cond_data,
				 cond_update_fn_t update);
int tracing_snapshot_cond_disable(struct trace_array *tr);
#else
static inline void trace_boot_snapshots(void)
{
}

static inline void trace_snapshot_create(struct trace_array *tr)
{
}

static inline struct trace_buffer *trace_snapshot_end(struct trace_array *tr)
{
	return NULL;
}

static inline void trace_snapshot_destroy(struct trace_array *tr)
{
}

static inline bool trace_snapshot_get_owned(struct trace_array *tr)
{
	return false;
}

static inline void trace_snapshot_put(struct trace_array *tr)
{
}

static inline int trace_snapshot_own(struct trace_array *tr)
{
	return -EINVAL;
}

static inline void trace_snapshot_empty(struct trace_array *tr)
{
}

static inline void trace_snapshot_disown(struct trace_array *tr)
{
}

static inline int trace_snapshot_take_here(struct trace_array *tr)
{
	return -EINVAL;
}

static inline bool trace_snapshot_pending(struct trace_array *tr)
{
	return false;
}

static inline void trace_snapshot_settle(struct trace_array *tr)
{
}

static inline void trace_snapshot_settle_locked(struct trace_array *tr)
{
}

static inline int trace_snapshot_alloc(struct trace_array *tr)
{
	return -ENODEV;
}
#endif

#endif /* _TRACE_INSTANCE_SNAPSHOT_SNAPSHOT_H */
