/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Commands on functions: something to be done when a function is called, said
 * by a word of set_ftrace_filter.
 *
 *	[!]function:command[:count]
 *
 * With a count, it is done so many times for each function. The two kinds of
 * one command are apart, and so are those of one function; `!' takes away the
 * kind that the word has the form of, whatever number its count is.
 *
 * Each command in use has an ftrace_ops for each kind: a function pays for the
 * commands that it has, and for no other.
 */
#ifndef _TRACE_FILTER_COMMAND_H
#define _TRACE_FILTER_COMMAND_H

#include <linux/ftrace.h>
#include <linux/list.h>

struct ftrace_pattern;
struct trace_array;

/**
 * struct ftrace_func_command - a command
 * @list: in the list of commands
 * @name: its word
 * @once: its count is 1, whatever the word says
 * @get: called before the first function of a kind gets it, may sleep, or NULL.
 *	An error is that of the write.
 * @put: called behind the last function of a kind, may sleep, or NULL
 * @run: a function with the command is called. Any context; preemption is
 *	disabled, and it is not called from within itself. Return: whether
 *	something was done, so that it counts.
 */
struct ftrace_func_command {
	struct list_head	list;
	const char		*name;
	bool			once;
	int			(*get)(struct trace_array *tr);
	void			(*put)(struct trace_array *tr);
	bool			(*run)(struct trace_array *tr, unsigned long ip,
				       unsigned long parent_ip,
				       struct ftrace_regs *fregs);
};

int register_ftrace_command(struct ftrace_func_command *command);
int unregister_ftrace_command(struct ftrace_func_command *command);

int ftrace_command_do(struct trace_array *tr, const struct ftrace_pattern *pattern);
void ftrace_command_sweep(void);

/**
 * struct ftrace_command_line - a function and what is done there
 * @ip: the call site
 * @name: of the command
 * @counted: it has a count
 * @left: how many times it will be done yet
 */
struct ftrace_command_line {
	unsigned long	ip;
	const char	*name;
	bool		counted;
	long		left;
};

void ftrace_command_lock(void);
void ftrace_command_unlock(void);
bool ftrace_command_line(struct trace_array *tr, unsigned long nr,
			 struct ftrace_command_line *line);

#endif /* _TRACE_FILTER_COMMAND_H */
