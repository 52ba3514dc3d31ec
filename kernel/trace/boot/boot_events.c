// SPDX-License-Identifier: GPL-2.0
/*
 * Trace events enabled on the command line: trace_event=.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cache.h>
#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/string.h>

#include <asm/setup.h>

#include "boot/boot_events.h"
#include "event/control/event_set.h"
#include "event/core/event_list.h"
#include "instance/core/instance.h"
#include "lib/boot_list.h"

static char boot_events[COMMAND_LINE_SIZE] __initdata;

static int __init boot_events_setup(char *str)
{
	return boot_list_append(boot_events, sizeof(boot_events), str);
}
__setup("trace_event=", boot_events_setup);

/**
 * trace_boot_event - enable events in an instance
 * @tr: the instance
 * @spec: event specifier, as in set_event
 *
 * Return: 0; -EINVAL if there is no such event; or another error
 */
int __init trace_boot_event(struct trace_array *tr, char *spec)
{
	guard(mutex)(&trace_event_lock);

	return trace_events_apply(tr, spec);
}

static void __init boot_events_enable_specs(struct trace_array *tr, char *specs)
{
	char *spec;
	int ret;

	while ((spec = strsep(&specs, ","))) {
		ret = *spec ? trace_boot_event(tr, spec) : 0;
		if (ret == -EINVAL)
			pr_warn("trace_event=%s: no such event\n", spec);
		else if (ret)
			pr_warn("trace_event=%s: error %d\n", spec, ret);
	}
}

/**
 * trace_boot_events - enable the events of trace_event= in the top instance
 */
void __init trace_boot_events(void)
{
	boot_events_enable_specs(&trace_top, boot_events);
}
