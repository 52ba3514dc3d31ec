// SPDX-License-Identifier: GPL-2.0
/*
 * Function commands that enable and disable events:
 *
 *	function:enable_event:system:event[:count]
 *	function:disable_event:system:event[:count]
 *
 * Functions are called in any context, including those where a probe cannot be registered. So
 * the probe of the event is registered as long as a function has the command. The command
 * changes a bit that makes the probe do nothing, see event/record/event_file.c. The data of the
 * command is the event in the instance, which pins the event's module.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/init.h>

#include "event/core/event_list.h"
#include "event/record/event_file.h"
#include "event/record/file_ref.h"
#include "filter/func_command.h"

static int event_func_commands_parse(struct trace_array *tr, char **text, void **data)
{
	struct trace_event_file *file;

	guard(mutex)(&trace_event_lock);

	file = trace_event_file_get_named(tr, text);
	if (IS_ERR(file))
		return PTR_ERR(file);

	*data = file;
	return 0;
}

static void event_func_commands_free(void *data)
{
	trace_event_file_put(data);
}

static int event_func_commands_get(struct trace_array *tr, void *data)
{
	struct trace_event_file *file = data;
	int err;

	guard(mutex)(&trace_event_lock);

	/* The reference of the write ends with it: take another one. */
	if (!trace_event_call_pin(file->event_call))
		return -EBUSY;

	err = trace_event_soft_enable(file);
	if (err)
		trace_event_file_put(file);
	return err;
}

static void event_func_commands_put(struct trace_array *tr, void *data)
{
	guard(mutex)(&trace_event_lock);

	trace_event_soft_disable(data);
	trace_event_file_put(data);
}

static bool event_func_commands_run_enable(struct trace_array *tr, void *data, unsigned long ip,
					   unsigned long parent_ip, struct ftrace_regs *fregs)
{
	return trace_event_file_switch(data, true);
}

static bool event_func_commands_run_disable(struct trace_array *tr, void *data, unsigned long ip,
					    unsigned long parent_ip, struct ftrace_regs *fregs)
{
	return trace_event_file_switch(data, false);
}

static void event_func_commands_show(struct seq_file *m, const void *data)
{
	trace_event_file_show(m, data);
}

static struct ftrace_func_command enable_command = {
	.name	= "enable_event",
	.parse	= event_func_commands_parse,
	.free	= event_func_commands_free,
	.get	= event_func_commands_get,
	.put	= event_func_commands_put,
	.run	= event_func_commands_run_enable,
	.show	= event_func_commands_show,
};

static struct ftrace_func_command disable_command = {
	.name	= "disable_event",
	.parse	= event_func_commands_parse,
	.free	= event_func_commands_free,
	.get	= event_func_commands_get,
	.put	= event_func_commands_put,
	.run	= event_func_commands_run_disable,
	.show	= event_func_commands_show,
};

static int __init event_func_commands_init(void)
{
	return register_ftrace_command(&enable_command) ?:
	       register_ftrace_command(&disable_command);
}
early_initcall(event_func_commands_init);
