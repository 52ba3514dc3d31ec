/* SPDX-License-Identifier: GPL-2.0 */
/* Snapshot functions that are exported, but that no public header declares */
#ifndef FTEST_SNAPSHOT_H
#define FTEST_SNAPSHOT_H

#include <linux/types.h>

struct trace_array;

typedef bool (*cond_update_fn_t)(struct trace_array *tr, void *cond_data);

int tracing_alloc_snapshot(void);
int tracing_snapshot_cond_enable(struct trace_array *tr, void *cond_data,
				 cond_update_fn_t update);
int tracing_snapshot_cond_disable(struct trace_array *tr);
void tracing_snapshot_cond(struct trace_array *tr, void *cond_data);
void *tracing_cond_snapshot_data(struct trace_array *tr);

#endif
