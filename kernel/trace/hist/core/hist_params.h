/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parameters of a hist trigger, and reporting of errors in it.
 */
#ifndef _TRACE_HIST_HIST_PARAMS_H
#define _TRACE_HIST_HIST_PARAMS_H

#include <linux/types.h>

struct hist;
struct trace_array;

#define HIST_ASSIGNMENTS_MAX	16
#define HIST_ACTIONS_MAX	8

/**
 * struct hist_assignment - a variable that a trigger sets
 * @name: name of the variable
 * @expr: its expression
 */
struct hist_assignment {
	char	*name;
	char	*expr;
};

/**
 * struct hist_params - a hist trigger split into parameters
 * @tr: the instance
 * @where: location shown with errors, "hist:system:event"
 * @text: the complete text
 * @copy: a copy of the text, split by NUL bytes; the following pointers point into it
 * @keys: the text after "keys="; NULL if the parameter is missing
 * @vals: the text after "values=", or NULL
 * @sort: the text after "sort=", or NULL
 * @size: the text after "size=", or NULL
 * @name: the text after "name=", or NULL
 * @clock: the text after "clock=", or NULL
 * @nohitcount: the count of hits is not shown
 * @pause: pause the trigger
 * @cont: continue the trigger
 * @clear: drop the counts
 * @vars: variables
 * @nr_vars: number of variables
 * @actions: "handler(...).action(...)"
 * @nr_actions: number of actions
 * @refused: an error was already reported in error_log
 * @need_field: callback that creates a variable "synthetic_FIELD" for a field of another event,
 *	so that the field can be read when the event of a histogram occurs. Return: 0 or an
 *	error
 */
struct hist_params {
	struct trace_array	*tr;
	char			where[160];
	const char		*text;
	char			*copy;
	char			*keys;
	char			*vals;
	char			*sort;
	char			*size;
	char			*name;
	char			*clock;
	bool			nohitcount;
	bool			pause;
	bool			cont;
	bool			clear;
	struct hist_assignment	vars[HIST_ASSIGNMENTS_MAX];
	unsigned int		nr_vars;
	char			*actions[HIST_ACTIONS_MAX];
	unsigned int		nr_actions;
	bool			refused;
	int			(*need_field)(const struct hist *hist, const char *event,
					      const char *field);
};

int hist_params_split(struct hist_params *params, char *text);
int hist_refuse(struct hist_params *params, const char *at, const char *what);
char *hist_list_next(char **list);

#endif /* _TRACE_HIST_HIST_PARAMS_H */
