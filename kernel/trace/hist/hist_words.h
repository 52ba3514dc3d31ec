/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words of a hist trigger, and what is wrong with them.
 */
#ifndef _TRACE_HIST_HIST_WORDS_H
#define _TRACE_HIST_HIST_WORDS_H

#include <linux/types.h>

struct hist;
struct trace_array;

#define HIST_ASSIGNMENTS_MAX	16
#define HIST_ACTIONS_MAX	8

/**
 * struct hist_assignment - a variable that a trigger sets
 * @name: of the variable
 * @expr: what it is set to
 */
struct hist_assignment {
	char	*name;
	char	*expr;
};

/**
 * struct hist_words - a hist trigger as words
 * @tr: the instance
 * @where: of errors, "hist:system:event"
 * @text: all that was written
 * @copy: the same, where words end with 0 bytes; the pointers below are to it
 * @keys: what follows "keys=", and so on; NULL for what is missing
 * @nohitcount: the count of hits is not to be shown
 * @pause: the trigger does nothing for now
 * @cont: it does
 * @clear: what was counted is dropped
 * @vars: variables
 * @nr_vars: how many
 * @actions: "handler(...).action(...)"
 * @nr_actions: how many
 * @refused: what is wrong is in error_log already
 * @need_field: have a variable "synthetic_FIELD" for a field of another event, by which the
 *	field can be read when the event of a histogram happens. Return: 0 or an error
 */
struct hist_words {
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

int hist_words_split(struct hist_words *words, char *params);
int hist_refuse(struct hist_words *words, const char *at, const char *what);
char *hist_words_next(char **list);

#endif /* _TRACE_HIST_HIST_WORDS_H */
