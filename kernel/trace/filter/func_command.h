/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Commands on functions: what a word of set_ftrace_filter lets happen whenever a
 * function is called.
 *
 *	[!]function:command[:parameters][:count]
 *
 * With a count, the command runs that many times for each function. A count is a number, or
 * what files show: "count=" and a number, or "unlimited" for none. A function can
 * have a command with a count beside the same command without one. `!' before a word
 * with a count, whatever number it is, takes away the former; `!' before a word without
 * a count takes away the latter. Most commands have no parameters; a command with
 * others counts as another command.
 *
 * A command that is in use has one ftrace_ops for the functions that have it with a
 * count and one for those that have it without: a function pays for the commands that
 * it has, and for no other.
 */
#ifndef _TRACE_FILTER_FUNC_COMMAND_H
#define _TRACE_FILTER_FUNC_COMMAND_H

#include <linux/ftrace.h>
#include <linux/list.h>

struct ftrace_pattern;
struct seq_file;
struct trace_array;

/**
 * struct ftrace_func_command - a command
 * @list: in the list of commands
 * @users: how many sets of functions have it, or had it and may still call it
 * @name: what it is called in a word
 * @once: the count is always 1, whatever the word says
 * @parse: take the parameters that stand before the count, from *@text on; NULL for a
 *	command without parameters. Sets *@text behind them, NULL at the end, and *@data,
 *	which is the same for the same parameters. Return: 0, or the error of the write.
 * @free: undo @parse; may be NULL
 * @get: called before the first function gets the command, once with and once without
 *	counts; may be NULL. A write fails with the error that it returns. @data stays
 *	valid until @free is called; @get has to see to it that it does so until @put.
 * @put: called after the last function has lost the command, likewise
 * @run: called whenever a function with the command is called. Any context; preemption
 *	is disabled; is called at most once more from inside itself. Returns whether
 *	something was done: if not, the count stays as it is.
 * @show: print the parameters, with a colon before them; may be NULL. No lock may be
 *	taken.
 *
 * All but @run and @show may sleep, and take the locks inside command_lock.
 */
struct ftrace_func_command {
	struct list_head	list;
	unsigned int		users;
	const char		*name;
	bool			once;
	int			(*parse)(struct trace_array *tr, char **text, void **data);
	void			(*free)(void *data);
	int			(*get)(struct trace_array *tr, void *data);
	void			(*put)(struct trace_array *tr, void *data);
	bool			(*run)(struct trace_array *tr, void *data, unsigned long ip,
				       unsigned long parent_ip,
				       struct ftrace_regs *fregs);
	void			(*show)(struct seq_file *m, const void *data);
};

int register_ftrace_command(struct ftrace_func_command *command);
int unregister_ftrace_command(struct ftrace_func_command *command);

int ftrace_command_do(struct trace_array *tr, const struct ftrace_pattern *pattern);
void ftrace_command_sweep(void);
#ifdef CONFIG_DYNAMIC_FTRACE
void ftrace_command_end_all(struct trace_array *tr);
void ftrace_command_free_all(struct trace_array *tr);
#else
static inline void ftrace_command_end_all(struct trace_array *tr) { }
static inline void ftrace_command_free_all(struct trace_array *tr) { }
#endif

/**
 * struct ftrace_command_line - a function with a command
 * @ip: the call site
 * @command: registered, and stays so under ftrace_command_lock()
 * @data: its parameters
 * @counted: the command has a count
 * @left: how many times it will still run
 */
struct ftrace_command_line {
	unsigned long			ip;
	const struct ftrace_func_command *command;
	const void			*data;
	bool				counted;
	long				left;
};

void ftrace_command_lock(void);
void ftrace_command_unlock(void);
bool ftrace_command_line(struct trace_array *tr, unsigned long nr,
			 struct ftrace_command_line *line);

#endif /* _TRACE_FILTER_FUNC_COMMAND_H */
