// SPDX-License-Identifier: GPL-2.0
/*
 * Why writes to files were refused (error_log): an errno says little about a
 * line of many words. The last few errors are kept.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "instance/core/errlog.h"
#include "instance/core/instance.h"

/* Errors that an instance keeps. */
#define ERRORS_MAX	8

/* Of a longer command, only the part with the mistake is kept. */
#define COMMAND_MAX	256

/**
 * struct trace_error - a write that was refused
 * @list: in trace_array.errors
 * @ts: when it was
 * @where: the file, behind @command
 * @what: what was wrong; a constant
 * @at: offset of the mistake in @command
 * @command: the part of the text with the mistake, with '?' for what is not
 *	printable
 */
struct trace_error {
	struct list_head	list;
	u64			ts;
	const char		*where;
	const char		*what;
	unsigned int		at;
	char			command[];
};

/* Guards trace_array.errors. No other lock of tracing is taken under it. */
static DEFINE_MUTEX(errors_lock);

static void errlog_error_free(struct trace_error *error)
{
	list_del(&error->list);
	kfree(error);
}

/* The part of @command that has offset *@at in it; *@at and *@len become its own. */
static const char *errlog_command_part(const char *command, size_t *len, size_t *at)
{
	*at = min(*at, *len);
	if (*at >= COMMAND_MAX) {
		size_t skip = *at - COMMAND_MAX / 2;

		command += skip;
		*at -= skip;
		*len -= skip;
	}
	*len = min(*len, (size_t)COMMAND_MAX);

	return command;
}

/**
 * trace_error - keep the reason why a write was refused
 * @tr: the instance
 * @where: the file, or what else the text is about
 * @what: what is wrong; a constant
 * @command: the text that was written
 * @len: length of @command
 * @at: offset of the mistake in @command
 *
 * Nothing is kept when memory is short. May sleep.
 */
void trace_error(struct trace_array *tr, const char *where, const char *what,
		 const char *command, size_t len, size_t at)
{
	struct trace_error *error;
	size_t i;

	/* The newline is no part of the command. */
	if (len && command[len - 1] == '\n')
		len--;
	command = errlog_command_part(command, &len, &at);
	error = kzalloc(struct_size(error, command, len + 1 + strlen(where) + 1), GFP_KERNEL);
	if (!error)
		return;

	error->ts = local_clock();
	error->where = memcpy(error->command + len + 1, where, strlen(where) + 1);
	error->what = what;
	error->at = at;
	/* One character a byte, so that the mark below stands in the right column. */
	for (i = 0; i < len; i++)
		error->command[i] = isascii(command[i]) && isprint(command[i]) ?
				    command[i] : '?';

	guard(mutex)(&errors_lock);

	if (list_count_nodes(&tr->errors) >= ERRORS_MAX)
		errlog_error_free(list_first_entry(&tr->errors, struct trace_error,
						   list));
	list_add_tail(&error->list, &tr->errors);
}

/**
 * trace_errors_show - list the errors, oldest first
 * @m: where to
 * @tr: the instance
 *
 * The format is that of Documentation/trace/ftrace.rst, "error_log".
 */
void trace_errors_show(struct seq_file *m, struct trace_array *tr)
{
	struct trace_error *error;

	guard(mutex)(&errors_lock);

	list_for_each_entry(error, &tr->errors, list) {
		u32 ns;
		u64 s = div_u64_rem(error->ts, NSEC_PER_SEC, &ns);

		seq_printf(m, "[%5llu.%06u] %s: error: %s\n", s, ns / 1000,
			   error->where, error->what);
		seq_printf(m, "  Command: %s\n", error->command);
		seq_printf(m, "           %*s\n", (int)error->at + 1, "^");
	}
}

/**
 * trace_errors_clear - forget the errors
 * @tr: the instance
 */
void trace_errors_clear(struct trace_array *tr)
{
	guard(mutex)(&errors_lock);

	while (!list_empty(&tr->errors))
		errlog_error_free(list_first_entry(&tr->errors, struct trace_error,
						   list));
}
