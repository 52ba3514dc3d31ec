// SPDX-License-Identifier: GPL-2.0
/*
 * kprobe events defined by kernel code. See Documentation/trace/events.rst, "Dynamically
 * creating kprobe and kretprobe event definitions".
 *
 * The text of a command is assembled, and parsed as if a user had written it to kprobe_events.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/stdarg.h>
#include <linux/trace_events.h>

#include "probe/arg/probe_args.h"
#include "probe/core/probe_event.h"
#include "probe/kind/kprobe.h"

static int kprobe_cmd_run(struct dynevent_cmd *cmd)
{
	return probe_command(probe_kprobes, seq_buf_str(&cmd->seq), NULL);
}

/**
 * kprobe_event_cmd_init - begin a command that defines a kprobe event
 * @cmd: the command
 * @buf: buffer for its text
 * @maxlen: size of @buf in bytes; MAX_DYNEVENT_CMD_LEN is enough
 */
void kprobe_event_cmd_init(struct dynevent_cmd *cmd, char *buf, int maxlen)
{
	*cmd = (struct dynevent_cmd){
		.type		= DYNEVENT_TYPE_KPROBE,
		.run_command	= kprobe_cmd_run,
	};
	seq_buf_init(&cmd->seq, buf, maxlen);
}
EXPORT_SYMBOL_GPL(kprobe_event_cmd_init);

/* The arguments end with NULL. */
static int kprobe_cmd_add(struct dynevent_cmd *cmd, va_list args)
{
	const char *arg;

	while ((arg = va_arg(args, const char *))) {
		if (cmd->n_fields == PROBE_ARGS_MAX)
			return -EINVAL;
		if (seq_buf_printf(&cmd->seq, " %s", arg))
			return -E2BIG;
		cmd->n_fields++;
	}

	return 0;
}

/**
 * __kprobe_event_gen_cmd_start - set the name and place of the event of a command
 * @cmd: the command, after kprobe_event_cmd_init()
 * @kretprobe: true for the return of the function
 * @name: name of the event, optionally with a group and a slash before it
 * @loc: the place, as in kprobe_events
 *
 * Arguments follow, and a NULL, which is added by kprobe_event_gen_cmd_start().
 *
 * Return: 0; -EINVAL if something is missing, there are too many arguments, or the command is
 *	of a different kind; -E2BIG if the text does not fit
 */
int __kprobe_event_gen_cmd_start(struct dynevent_cmd *cmd, bool kretprobe, const char *name,
				 const char *loc, ...)
{
	va_list args;
	int err;

	if (cmd->type != DYNEVENT_TYPE_KPROBE || !name || !loc)
		return -EINVAL;

	cmd->event_name = name;
	if (seq_buf_printf(&cmd->seq, "%c:%s %s", kretprobe ? 'r' : 'p', name, loc))
		return -E2BIG;

	va_start(args, loc);
	err = kprobe_cmd_add(cmd, args);
	va_end(args);

	return err;
}
EXPORT_SYMBOL_GPL(__kprobe_event_gen_cmd_start);

/**
 * __kprobe_event_add_fields - add arguments to a command
 * @cmd: the command, after kprobe_event_gen_cmd_start()
 *
 * Arguments follow, and a NULL, which is added by kprobe_event_add_fields().
 *
 * Return: as __kprobe_event_gen_cmd_start()
 */
int __kprobe_event_add_fields(struct dynevent_cmd *cmd, ...)
{
	va_list args;
	int err;

	if (cmd->type != DYNEVENT_TYPE_KPROBE)
		return -EINVAL;

	va_start(args, cmd);
	err = kprobe_cmd_add(cmd, args);
	va_end(args);

	return err;
}
EXPORT_SYMBOL_GPL(__kprobe_event_add_fields);

/**
 * kprobe_event_delete - remove a kprobe event
 * @name: its name, optionally with a group and a slash before it
 *
 * May sleep.
 *
 * Return: 0; -ENOENT, or -EBUSY while it is in use
 */
int kprobe_event_delete(const char *name)
{
	char *text = kasprintf(GFP_KERNEL, "-:%s", name);
	int err = text ? probe_command(probe_kprobes, text, NULL) : -ENOMEM;

	kfree(text);

	return err;
}
EXPORT_SYMBOL_GPL(kprobe_event_delete);
