// SPDX-License-Identifier: GPL-2.0
/*
 * kprobe_event= on the command line: kprobe events that are defined and enabled during boot.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cache.h>
#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/printk.h>
#include <linux/string.h>

#include <asm/setup.h>

#include "event/core/event_list.h"
#include "event/record/event_file.h"
#include "instance/core/instance.h"
#include "probe/core/probe_event.h"
#include "probe/kind/kprobe.h"

static char definitions[COMMAND_LINE_SIZE] __initdata;

/* Several lists are concatenated. */
static int __init boot_probes_kprobe_event_setup(char *text)
{
	size_t len = strlen(definitions);

	/* A truncated definition could be a different valid one. */
	if (len + strlen(text) + 1 >= sizeof(definitions))
		return 0;

	snprintf(definitions + len, sizeof(definitions) - len, "%s%s", len ? ";" : "", text);

	return 1;
}
__setup("kprobe_event=", boot_probes_kprobe_event_setup);

/* Enable the probe events after @last, which are from the command line. */
static void __init boot_probes_enable(struct list_head *last)
{
	struct probe_event *event = list_entry(last, struct probe_event, list);
	int err;

	guard(mutex)(&probe_lock);

	list_for_each_entry_continue(event, &probe_events, list) {
		scoped_guard(mutex, &trace_event_lock)
			err = trace_event_set(&trace_top, &event->call, true);
		if (err)
			pr_warn("kprobe_event=: %s: error %d\n", event->call.name, err);
	}
}

static int __init boot_probes_define(void)
{
	char *rest = definitions, *text;
	struct list_head *last;

	if (!trace_top.main.buffer || !*rest)
		return 0;

	/* The events before are from the boot config, which tells which of them are enabled. */
	scoped_guard(mutex, &probe_lock)
		last = probe_events.prev;
	/* Blanks end a parameter, so commas are used instead. */
	strreplace(rest, ',', ' ');
	while ((text = strsep(&rest, ";"))) {
		int err = probe_command(probe_kprobes, text, "kprobe_event=");

		if (err)
			pr_warn("kprobe_event=%s: error %d\n", text, err);
	}
	boot_probes_enable(last);

	return 0;
}
fs_initcall(boot_probes_define);
