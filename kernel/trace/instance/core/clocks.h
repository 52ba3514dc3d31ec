/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of an instance (trace_clock).
 */
#ifndef _TRACE_INSTANCE_CORE_CLOCKS_H
#define _TRACE_INSTANCE_CORE_CLOCKS_H

#include <asm/barrier.h>

#include "instance/core/instance.h"

struct seq_file;

int trace_array_choose_clock(struct trace_array *tr, const char *name);
void trace_array_apply_clock(struct trace_array *tr, struct trace_buffer *buffer);
void trace_array_first_clock(struct trace_array *tr);
bool trace_array_clock_is(struct trace_array *tr, const char *name);
bool trace_array_clock_in_ns(struct trace_array *tr);
void trace_array_show_clocks(struct seq_file *m, struct trace_array *tr);

/*
 * trace_clock_changes - number of times that the clock was changed
 *
 * Read before a time stamp is taken, and stored with it. A stamp with a count other than the
 * current one was taken with another clock. Any context.
 */
static __always_inline unsigned int trace_clock_changes(const struct trace_array *tr)
{
	/* Pairs with smp_store_release() in trace_array_choose_clock(). */
	return smp_load_acquire(&tr->clock_changes);
}

#endif /* _TRACE_INSTANCE_CORE_CLOCKS_H */
