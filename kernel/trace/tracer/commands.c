// SPDX-License-Identifier: GPL-2.0
/*
 * What can be done when a function is called, besides tracing it: traceon,
 * traceoff, stacktrace, snapshot, dump, cpudump. filter/command.h says how a
 * function comes by it.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/printk.h>

#include "filter/command.h"
#include "instance/instance.h"
#include "instance/names.h"
#include "instance/printk.h"
#include "instance/write.h"

/* run_stacktrace(), the callback, its guard, and the trampoline. */
#define FRAMES_OF_OURS	4

static bool run_traceon(struct trace_array *tr, unsigned long ip,
			unsigned long parent_ip, struct ftrace_regs *fregs)
{
	if (trace_array_is_on(tr))
		return false;

	trace_array_on(tr);
	return true;
}

static bool run_traceoff(struct trace_array *tr, unsigned long ip,
			 unsigned long parent_ip, struct ftrace_regs *fregs)
{
	if (!trace_array_is_on(tr))
		return false;

	trace_array_off(tr);
	return true;
}

static bool run_stacktrace(struct trace_array *tr, unsigned long ip,
			   unsigned long parent_ip, struct ftrace_regs *fregs)
{
	if (!trace_array_is_on(tr))
		return false;

	trace_record_stack(tr, trace_context_now(),
			   arch_ftrace_unwind_regs(fregs), FRAMES_OF_OURS);
	return true;
}

/* The names of tasks are told apart in the trace even if nothing else traces. */
static int get_stacktrace(struct trace_array *tr)
{
	int err = trace_array_use_now(tr);

	return err < 0 ? err : trace_names_watch();
}

static void put_stacktrace(struct trace_array *tr)
{
	trace_names_unwatch();
}

/*
 * Who has interrupts off may hold a lock that a console takes, or the scheduler
 * when it wakes somebody up: then the text is in the log at once, and on the
 * consoles when they can be used.
 */
static bool dump(enum ftrace_dump_mode mode)
{
	bool defer = irqs_disabled();

	if (defer)
		printk_deferred_enter();
	ftrace_dump(mode);
	if (defer)
		printk_deferred_exit();
	return true;
}

static bool run_dump(struct trace_array *tr, unsigned long ip,
		     unsigned long parent_ip, struct ftrace_regs *fregs)
{
	return dump(DUMP_ALL);
}

static bool run_cpudump(struct trace_array *tr, unsigned long ip,
			unsigned long parent_ip, struct ftrace_regs *fregs)
{
	return dump(DUMP_ORIG);
}

/* Whatever is in the buffer is not there any more behind a dump: once is enough. */
static struct ftrace_func_command commands[] = {
	{ .name = "traceon", .run = run_traceon, .get = trace_array_use_now },
	{ .name = "traceoff", .run = run_traceoff },
	{ .name = "stacktrace", .run = run_stacktrace, .get = get_stacktrace,
	  .put = put_stacktrace },
	{ .name = "dump", .run = run_dump, .once = true },
	{ .name = "cpudump", .run = run_cpudump, .once = true },
};

#ifdef CONFIG_TRACER_SNAPSHOT
static bool run_snapshot(struct trace_array *tr, unsigned long ip,
			 unsigned long parent_ip, struct ftrace_regs *fregs)
{
	if (!trace_array_is_on(tr))
		return false;

	tracing_snapshot();
	return true;
}

/* The spare buffer can neither be made nor given back where functions are called. */
static struct ftrace_func_command snapshot_command = {
	.name	= "snapshot",
	.run	= run_snapshot,
	.get	= trace_snapshot_arm,
	.put	= trace_snapshot_disarm,
};

static int __init snapshot_command_init(void)
{
	return register_ftrace_command(&snapshot_command);
}
early_initcall(snapshot_command_init);
#endif

static int __init commands_init(void)
{
	int i, err = 0;

	for (i = 0; !err && i < ARRAY_SIZE(commands); i++)
		err = register_ftrace_command(&commands[i]);
	return err;
}
early_initcall(commands_init);
