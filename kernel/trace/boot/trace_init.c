// SPDX-License-Identifier: GPL-2.0
/*
 * Boot-time initialization of trace events and instances.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/printk.h>

#include "boot/boot_events.h"
#include "boot/boot_instances.h"
#include "event/control/event_add.h"
#include "event/core/type.h"
#include "event/record/event_file.h"
#include "instance/core/instance.h"
#include "instance/core/last_boot.h"
#include "instance/record/printk.h"
#include "instance/snapshot/snapshot.h"
#include "tracer/branch/branch_profile.h"

/**
 * trace_init - the part of initialization that needs RCU and a clock
 *
 * Interrupts are off and the scheduler is not running yet.
 */
void __init trace_init(void)
{
	if (!trace_top.main.buffer)
		return;

	trace_branch_init();
	trace_boot_settings();
	if (trace_event_files_init() || trace_events_init())
		pr_err("no memory for trace events\n");
	trace_boot_events();
	trace_saved_events(trace_event_types_end());
	trace_boot_instances();
	trace_boot_snapshots();
	trace_printk_grow();
}
