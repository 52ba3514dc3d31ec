// SPDX-License-Identifier: GPL-2.0
/*
 * The function commands traceon, traceoff, stacktrace and snapshot. For setting commands see
 * filter/func_command.h.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>

#include "filter/func_command.h"
#include "instance/core/buffer.h"
#include "instance/core/instance.h"
#include "instance/record/cmdlines.h"
#include "instance/record/entry.h"
#include "instance/record/record_stack.h"
#include "instance/snapshot/snapshot.h"

static bool func_commands_run_traceon(struct trace_array *tr, void *data, unsigned long ip,
				      unsigned long parent_ip, struct ftrace_regs *fregs)
{
	return trace_array_on(tr);
}

static bool func_commands_run_traceoff(struct trace_array *tr, void *data, unsigned long ip,
				       unsigned long parent_ip, struct ftrace_regs *fregs)
{
	return trace_array_off(tr);
}

static bool func_commands_run_stacktrace(struct trace_array *tr, void *data, unsigned long ip,
					 unsigned long parent_ip, struct ftrace_regs *fregs)
{
	struct pt_regs *regs = arch_ftrace_unwind_regs(fregs);
	/* The address after the call site identifies the function itself. */
	const struct trace_stack_start start = { .caller = ip + MCOUNT_INSN_SIZE };
	unsigned int context = trace_context_now();

	if (!trace_array_is_on(tr))
		return false;

	if (regs)
		trace_record_stack(tr, context, regs, 0);
	else
		trace_record_stack_from(tr, context, &start);
	return true;
}

static int func_commands_get_traceon(struct trace_array *tr, void *data)
{
	return trace_array_expand_now(tr);
}

/* The stacks are shown with the names of tasks even if no tracer is active. */
static int func_commands_get_stacktrace(struct trace_array *tr, void *data)
{
	int err = trace_array_expand_now(tr);

	return err < 0 ? err : trace_cmdlines_record();
}

static void func_commands_put_stacktrace(struct trace_array *tr, void *data)
{
	trace_cmdlines_unrecord();
}

static struct ftrace_func_command commands[] = {
	{ .name = "traceon", .run = func_commands_run_traceon, .get = func_commands_get_traceon },
	{ .name = "traceoff", .run = func_commands_run_traceoff },
	{ .name = "stacktrace", .run = func_commands_run_stacktrace,
	 .get = func_commands_get_stacktrace,
	  .put = func_commands_put_stacktrace },
};

#ifdef CONFIG_TRACER_SNAPSHOT
static bool func_commands_run_snapshot(struct trace_array *tr, void *data, unsigned long ip,
				       unsigned long parent_ip, struct ftrace_regs *fregs)
{
	return trace_array_is_on(tr) && trace_snapshot_request(tr);
}

/* Allocate the spare buffer now: this is not possible when the functions are called. */
static int func_commands_get_snapshot(struct trace_array *tr, void *data)
{
	return trace_snapshot_arm(tr);
}

static void func_commands_put_snapshot(struct trace_array *tr, void *data)
{
	trace_snapshot_disarm(tr);
}

static struct ftrace_func_command snapshot_command = {
	.name	= "snapshot",
	.run	= func_commands_run_snapshot,
	.get	= func_commands_get_snapshot,
	.put	= func_commands_put_snapshot,
};

static int __init func_commands_snapshot_init(void)
{
	return register_ftrace_command(&snapshot_command);
}
early_initcall(func_commands_snapshot_init);
#endif

static int __init func_commands_init(void)
{
	int i, err = 0;

	for (i = 0; !err && i < ARRAY_SIZE(commands); i++)
		err = register_ftrace_command(&commands[i]);
	return err;
}
early_initcall(func_commands_init);
