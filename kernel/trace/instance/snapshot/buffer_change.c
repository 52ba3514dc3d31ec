// SPDX-License-Identifier: GPL-2.0
/*
 * Settings of an instance whose change invalidates the recorded entries: its clock and its
 * sub-buffer size. The buffer and the snapshot are emptied, and the maximum latency is dropped.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/printk.h>
#include <linux/ring_buffer.h>
#include <linux/string.h>

#include "instance/core/buffer.h"
#include "instance/core/clocks.h"
#include "instance/core/instance.h"
#include "instance/snapshot/buffer_change.h"
#include "instance/snapshot/max_latency.h"
#include "ring/resize.h"

static char boot_clock_name[MAX_TRACER_SIZE] __initdata;

static int buffer_change_clock(struct trace_array *tr, const char *name)
{
	int ret;

	ret = trace_array_choose_clock(tr, name);
	if (ret)
		return ret;

	trace_array_clear_all(tr);
	trace_latency_drop(tr);

	return 0;
}

/**
 * trace_array_set_clock - choose the clock
 * @tr: the instance
 * @name: name of the clock
 *
 * Entries are dropped because time stamps of different clocks are not comparable. Takes
 * trace_lock.
 *
 * Return: 0, or -EINVAL if there is no such clock.
 */
int trace_array_set_clock(struct trace_array *tr, const char *name)
{
	guard(mutex)(&trace_lock);

	return buffer_change_clock(tr, name);
}

/**
 * trace_array_need_clock - choose the clock, unless it is already in use
 * @tr: the instance
 * @name: name of the clock
 *
 * Same as trace_array_set_clock(), except that entries are kept if the clock does not change.
 */
int trace_array_need_clock(struct trace_array *tr, const char *name)
{
	guard(mutex)(&trace_lock);

	return trace_array_clock_is(tr, name) ? 0 : buffer_change_clock(tr, name);
}

static int __init buffer_change_boot_clock(char *str)
{
	return strscpy(boot_clock_name, str, sizeof(boot_clock_name)) > 0;
}
__setup("trace_clock=", buffer_change_boot_clock);

/**
 * trace_clock_apply_boot - apply the clock of trace_clock=
 * @tr: the top instance
 */
void __init trace_clock_apply_boot(struct trace_array *tr)
{
	if (*boot_clock_name && trace_array_set_clock(tr, boot_clock_name))
		pr_warn("trace_clock=%s: no such clock\n",
			boot_clock_name);
}

/**
 * trace_array_set_subbuf - change the sub-buffer size
 * @tr: the instance
 * @order: new order; sub-buffers have PAGE_SIZE << @order bytes
 *
 * Takes trace_lock. No effect if the sub-buffers already have this order.
 *
 * Return: 0; -EINVAL if the order is out of range or the buffer outlives the kernel; -EBUSY
 * while the buffer or the snapshot is read or mapped; -ENOMEM. An error has no effect.
 */
int trace_array_set_subbuf(struct trace_array *tr, int order)
{
	int old, ret;

	guard(mutex)(&trace_lock);

	old = ring_buffer_subbuf_order_get(tr->main.buffer);
	scoped_guard(rwsem_write, &tr->consume)
		ret = ring_buffers_subbuf_order_set(tr->main.buffer, tr->snap.buffer, order);
	if (!ret && order != old)
		trace_latency_drop(tr);

	return ret;
}
