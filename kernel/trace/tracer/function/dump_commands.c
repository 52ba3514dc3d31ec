// SPDX-License-Identifier: GPL-2.0
/*
 * The commands dump and cpudump: a call of the function prints the buffer of the instance, of
 * all CPUs or of the calling CPU. For setting commands see filter/func_command.h.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/printk.h>

#include "filter/func_command.h"
#include "output/dump.h"

/*
 * A caller with interrupts off may hold a lock that a console takes, or that the scheduler
 * takes to wake a task. In this case the text is written only to the log, and printed on the
 * consoles later.
 */
static bool dump_commands_print(struct trace_array *tr, enum ftrace_dump_mode mode)
{
	bool defer = irqs_disabled();
	bool done;

	if (defer)
		printk_deferred_enter();
	done = trace_dump(tr, mode);
	if (defer)
		printk_deferred_exit();
	return done;
}

static bool dump_commands_run_dump(struct trace_array *tr, void *data, unsigned long ip,
				   unsigned long parent_ip, struct ftrace_regs *fregs)
{
	return dump_commands_print(tr, DUMP_ALL);
}

static bool dump_commands_run_cpudump(struct trace_array *tr, void *data, unsigned long ip,
				      unsigned long parent_ip, struct ftrace_regs *fregs)
{
	return dump_commands_print(tr, DUMP_ORIG);
}

/* A dump empties the buffer and stops recording: once is enough. */
static struct ftrace_func_command commands[] = {
	{ .name = "dump", .run = dump_commands_run_dump, .once = true },
	{ .name = "cpudump", .run = dump_commands_run_cpudump, .once = true },
};

static int __init dump_commands_init(void)
{
	return register_ftrace_command(&commands[0]) ?: register_ftrace_command(&commands[1]);
}
early_initcall(dump_commands_init);
