// SPDX-License-Identifier: GPL-2.0
/*
 * What the command line says of events, and how they begin.
 */
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/string.h>

#include <asm/setup.h>

#include "boot/boot_instances.h"
#include "event/control/event_add.h"
#include "event/control/event_set.h"
#include "event/core/event_list.h"
#include "event/core/type.h"
#include "event/record/event_file.h"
#include "instance/core/instance.h"
#include "instance/core/last_boot.h"
#include "instance/record/printk.h"
#include "instance/snapshot/snapshot.h"

static char boot_events[COMMAND_LINE_SIZE] __initdata;

/* Given more than once, the lists are one; an array of a boot config is given so. */
static int __init boot_events_setup(char *str)
{
	size_t len = strlen(boot_events);

	/* Half a word would be another one. */
	if (len + strlen(str) + 1 >= sizeof(boot_events))
		return 0;

	snprintf(boot_events + len, sizeof(boot_events) - len, "%s%s", len ? "," : "", str);

	return 1;
}
__setup("trace_event=", boot_events_setup);

static int __init enable_word(struct trace_array *tr, char *word)
{
	guard(mutex)(&trace_event_lock);

	return trace_events_word(tr, word);
}

static void __init enable_words(struct trace_array *tr, char *words)
{
	char *word;
	int ret;

	while ((word = strsep(&words, ","))) {
		ret = *word ? enable_word(tr, word) : 0;
		if (ret == -EINVAL)
			pr_warn("tracing: trace_event=%s: no such event\n", word);
		else if (ret)
			pr_warn("tracing: trace_event=%s: error %d\n", word, ret);
	}
}

/**
 * trace_init - what of booting needs RCU and a clock
 *
 * Interrupts are off and there is no scheduler yet.
 */
void __init trace_init(void)
{
	if (!trace_top.main.buffer)
		return;

	trace_boot_settings();
	if (trace_event_files_init() || trace_events_init())
		pr_err("tracing: no memory for trace events\n");
	enable_words(&trace_top, boot_events);
	trace_saved_events(trace_event_types_end());
	trace_boot_instances(enable_word);
	trace_boot_snapshots();
	trace_printk_grow();
}
