// SPDX-License-Identifier: GPL-2.0
/*
 * Dynamic events defined by kernel code: running a command that was assembled. See
 * Documentation/trace/events.rst, "The dynevent_cmd low-level API".
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/seq_buf.h>
#include <linux/trace_events.h>

/**
 * dynevent_create - run a command that defines a dynamic event
 * @cmd: the command
 *
 * May sleep.
 *
 * Return: 0 or an error; -E2BIG if the text did not fit into its buffer
 */
int dynevent_create(struct dynevent_cmd *cmd)
{
	if (seq_buf_has_overflowed(&cmd->seq))
		return -E2BIG;

	return cmd->run_command(cmd);
}
EXPORT_SYMBOL_GPL(dynevent_create);
