// SPDX-License-Identifier: GPL-2.0
/*
 * Error log: reasons why writes to files were refused (error_log). An errno does not identify
 * the mistake in a line of many tokens. The last few errors are kept.
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

/* Maximum number of errors that an instance keeps. */
#define ERRORS_MAX	8

/* If the command is longer, only the part with the mistake is kept. */
#define COMMAND_MAX	256

/**
 * struct trace_error - a refused write
 * @list: entry in trace_array.errors
 * @ts: time of the write
 * @where: name of the file, stored after @command
 * @what: description of the error; a constant string
 * @at: offset of the mistake in @command
 * @command: the part of the text with the mistake, with '?' for unprintable characters
 */
struct trace_error {
	struct list_head	list;
	u64			ts;
	const char		*where;
	const char		*what;
	unsigned int		at;
	char			command[];
};

/* Guards trace_array.errors. No other lock of tracing is taken while it is held. */
static DEFINE_MUTEX(errors_lock);

static void errlog_error_free(struct trace_error *error)
{
	list_del(&error->list);
	kfree(error);
}

/*
 * Return the part of @command that contains offset *@at; *@at and *@len are adjusted to the
 * part.
 */
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
 * trace_error - record why a write was refused
 * @tr: the instance
 * @where: name of the file, or another description of the text's origin
 * @what: description of the error; a constant string
 * @command: the text that was written
 * @len: length of @command
 * @at: offset of the mistake in @command
 *
 * Nothing is recorded if memory is short. May sleep.
 */
void trace_error(struct trace_array *tr, const char *where, const char *what,
		 const char *command, size_t len, size_t at)
{
	struct trace_error *error;
	size_t i;

	/* The newline is not part of the command. */
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
	/* One character per byte, so that the mark below is in the right column. */
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
 * @m: output file
 * @tr: the instance
 *
 * The format is documented in Documentation/trace/ftrace.rst, "error_log".
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
 * trace_errors_clear - drop the recorded errors
 * @tr: the instance
 */
void trace_errors_clear(struct trace_array *tr)
{
	guard(mutex)(&errors_lock);

	while (!list_empty(&tr->errors))
		errlog_error_free(list_first_entry(&tr->errors, struct trace_error,
						   list));
}
