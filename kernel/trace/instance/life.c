// SPDX-License-Identifier: GPL-2.0
/*
 * How instances begin and end.
 */
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/printk.h>

#include "instance/buffer.h"
#include "instance/clocks.h"
#include "instance/cmdlines.h"
#include "instance/instance.h"
#include "instance/options.h"
#include "instance/printk.h"
#include "instance/registry.h"
#include "instance/snapshot.h"

/**
 * trace_array_get_by_name - find or make an instance
 * @name: of the instance
 * @systems: of the events it is to have, NULL for all
 *
 * Return: NULL, until there are instances beside the top one.
 */
struct trace_array *trace_array_get_by_name(const char *name,
					    const char *systems)
{
	return NULL;
}
EXPORT_SYMBOL_GPL(trace_array_get_by_name);

/**
 * trace_array_destroy - remove an instance made by trace_array_get_by_name()
 * @tr: the instance
 *
 * Return: -EINVAL for what is no such instance, the top one among it.
 */
int trace_array_destroy(struct trace_array *tr)
{
	return -EINVAL;
}
EXPORT_SYMBOL_GPL(trace_array_destroy);

/**
 * trace_array_set_clr_event - enable events in an instance, or disable them
 * @tr: the instance
 * @system: of the events
 * @event: which one, NULL for all of @system
 * @enable: whether they are to be enabled
 *
 * Return: -ENOENT without an instance; -EINVAL, as there are no events yet.
 */
int trace_array_set_clr_event(struct trace_array *tr, const char *system,
			      const char *event, bool enable)
{
	return tr ? -EINVAL : -ENOENT;
}
EXPORT_SYMBOL_GPL(trace_array_set_clr_event);

static int set_overwrite(struct trace_array *tr, bool on)
{
	ring_buffer_change_overwrite(tr->main.buffer, on);
	if (tr->snap.buffer)
		ring_buffer_change_overwrite(tr->snap.buffer, on);

	return 0;
}

/* Return: 0, or -ENOMEM with nothing made. */
static int trace_array_init(struct trace_array *tr)
{
	int ret;

	tr->options = TRACE_OPT_DEFAULT;
	INIT_LIST_HEAD(&tr->errors);
	trace_snapshot_create(tr);

	ret = trace_buffer_create(tr);
	if (ret)
		return ret;

	ret = tracers_create(tr);
	if (ret)
		trace_buffer_destroy(tr);

	return ret;
}

/**
 * early_trace_init - make the top instance, as soon as there is memory
 *
 * Interrupts are off and there is no scheduler yet.
 */
void __init early_trace_init(void)
{
	struct trace_array *tr = &trace_top;
	int ret;

	trace_option_handle(TRACE_OPTION_OVERWRITE, set_overwrite);
	trace_buffer_apply_boot();
	tracers_init();
	trace_printk_init();

	mutex_lock(&trace_lock);
	ret = trace_cmdlines_init() ?: trace_array_init(tr);
	if (!ret) {
		tr->options |= TRACE_OPT(TRACE_PRINTK_DEST);
		list_add(&tr->list, &trace_instances);
	}
	mutex_unlock(&trace_lock);

	if (ret)
		pr_err("tracing: no memory for the trace buffer, tracing is off\n");
}

/**
 * trace_init - what of booting needs interrupts and a clock
 */
void __init trace_init(void)
{
	struct trace_array *tr = &trace_top;

	if (!tr->main.buffer)
		return;

	trace_clock_apply_boot(tr);
	trace_option_apply_boot(tr);
}
