/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Commands on functions: actions that a pattern of set_ftrace_filter attaches to calls of a
 * function.
 *
 *	[!]function:command[:parameters][:count]
 *
 * With a count, the command runs that many times for each function. A count is a number, or the
 * text that files show: "count=" and a number, or "unlimited" for no count. A function can have
 * a command with a count and also the same command without one. `!' before a pattern with a
 * count, whatever number it is, removes the former; `!' before a pattern without a count removes
 * the latter. Most commands have no parameters; a command with different parameters counts as a
 * different command.
 *
 * A command that is in use has one ftrace_ops for the functions that have it with a count and
 * one for the functions that have it without: a function pays only for the commands that it has.
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
 * @list: node in the list of commands
 * @users: number of sets of functions that have it, or had it and may still call it
 * @name: keyword of the command in a pattern
 * @once: the count is always 1, whatever the pattern contains
 * @parse: parse the parameters before the count, from *@text on; NULL for a command without
 *	parameters. Sets *@text to the text after them, NULL at the end, and *@data, which is the
 *	same for the same parameters. Return: 0, or the error of the write.
 * @free: undo @parse; may be NULL
 * @get: called before the first function gets the command, once with and once without counts;
 *	may be NULL. A write fails with the error that it returns. @data remains valid until
 *	@free is called; @get has to make sure that it remains valid until @put.
 * @put: called after the command was removed from the last function, once with and once without
 *	counts; may be NULL
 * @run: called whenever a function with the command is called. Any context; preemption is
 *	disabled; is called at most once more from inside itself. Returns true if an action was
 *	performed: if not, the count is unchanged.
 * @show: print the parameters, with a colon before them; may be NULL. No lock may be taken.
 *
 * All except @run and @show may sleep, and take the locks inside command_lock.
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
 * @ip: call site of the function
 * @command: the command, which remains registered under ftrace_command_lock()
 * @data: parameters of the command
 * @counted: the command has a count
 * @left: remaining number of times that it will run
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
