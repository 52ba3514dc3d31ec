// SPDX-License-Identifier: GPL-2.0
/*
 * Commands on functions that enable and disable events:
 *
 *	function:enable_event:system:event[:count]
 *	function:disable_event:system:event[:count]
 *
 * Functions are called in any context, where no probe can be attached. So the probe of the
 * event is attached as long as a function has the command, which changes a bit that tells
 * the probe to do nothing, see event/file.c. The data of the command is the event in the
 * instance; the event's module stays as long.
 */
#include <linux/bitops.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "event/file.h"
#include "event/pin.h"
#include "event/registry.h"
#include "filter/command.h"

static int parse_event(struct trace_array *tr, char **text, void **data)
{
	const char *system = strsep(text, ":"), *name = strsep(text, ":");
	struct trace_event_file *file;

	if (!name)
		return -EINVAL;

	guard(mutex)(&trace_event_lock);

	file = trace_event_file_pin(tr, system, name);
	if (IS_ERR(file))
		return PTR_ERR(file);

	*data = file;
	return 0;
}

static void free_event(void *data)
{
	trace_event_file_unpin(data);
}

static int get_event(struct trace_array *tr, void *data)
{
	struct trace_event_file *file = data;
	int err;

	guard(mutex)(&trace_event_lock);

	/* It is kept only until the end of the write. */
	if (!trace_event_call_pin(file->event_call))
		return -EBUSY;

	err = trace_event_use(file);
	if (err)
		trace_event_file_unpin(file);
	return err;
}

static void put_event(struct trace_array *tr, void *data)
{
	guard(mutex)(&trace_event_lock);

	trace_event_unuse(data);
	trace_event_file_unpin(data);
}

static bool run_enable(struct trace_array *tr, void *data, unsigned long ip,
		       unsigned long parent_ip, struct ftrace_regs *fregs)
{
	struct trace_event_file *file = data;

	return test_and_clear_bit(EVENT_FILE_FL_SOFT_DISABLED_BIT, &file->flags);
}

static bool run_disable(struct trace_array *tr, void *data, unsigned long ip,
			unsigned long parent_ip, struct ftrace_regs *fregs)
{
	struct trace_event_file *file = data;

	return !test_and_set_bit(EVENT_FILE_FL_SOFT_DISABLED_BIT, &file->flags);
}

static void show_event(struct seq_file *m, const void *data)
{
	const struct trace_event_file *file = data;

	seq_printf(m, ":%s:%s", file->event_call->class->system,
		   trace_event_name(file->event_call));
}

static struct ftrace_func_command commands[] = {
	{ .name = "enable_event", .parse = parse_event, .free = free_event,
	  .get = get_event, .put = put_event, .run = run_enable, .show = show_event },
	{ .name = "disable_event", .parse = parse_event, .free = free_event,
	  .get = get_event, .put = put_event, .run = run_disable, .show = show_event },
};

static int __init commands_init(void)
{
	int i, err = 0;

	for (i = 0; !err && i < ARRAY_SIZE(commands); i++)
		err = register_ftrace_command(&commands[i]);
	return err;
}
early_initcall(commands_init);
