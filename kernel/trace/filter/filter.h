/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Editing the filters of ops by words.
 */
#ifndef _TRACE_FILTER_FILTER_H
#define _TRACE_FILTER_FILTER_H

#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/string.h>
#include <asm/setup.h>

#include "lib/pattern.h"

/**
 * struct ftrace_filter_edit - an edit of a filter, which takes effect at its end
 * @hash: the filters
 * @tr: the instance that commands on functions belong to; NULL if no commands are
 *	accepted
 * @exclude: the edit is about the functions to leave out, not those to trace
 * @may_wait: words may wait for modules: the filters do not go without notice
 * @reset: the edit replaces what is there instead of changing it
 * @taken: the number of words that were accepted
 * @serial: the state of the call sites that @add and @del are right for, see
 *	ftrace_records_serial()
 * @lost: functions to add went with their modules
 * @add: functions to add
 * @del: functions to take away afterwards
 * @waiting: words that wait for a module
 * @words: collects words out of the texts
 * @word: the last word as it was written
 * @refused: the first word of the last text that was refused, or its name if it is a
 *	plain name, NULL if it is not known
 */
struct ftrace_filter_edit {
	struct ftrace_ops_hash	*hash;
	struct trace_array	*tr;
	bool			exclude;
	bool			may_wait;
	bool			reset;
	unsigned int		taken;
	unsigned long		serial;
	bool			lost;
	struct ftrace_hash	*add;
	struct ftrace_hash	*del;
	struct list_head	waiting;
	struct ftrace_words	words;
	char			word[FTRACE_WORD_MAX];
	char			*refused;
};

struct ftrace_filter_edit *
ftrace_filter_edit_begin(struct ftrace_ops_hash *hash, bool exclude, bool reset);
int ftrace_filter_edit_text(struct ftrace_filter_edit *edit, const char *text,
			    size_t *len, bool last);
int ftrace_filter_edit_sites(struct ftrace_filter_edit *edit,
			     const struct ftrace_hash *sites, bool remove);
int ftrace_filter_edit_end(struct ftrace_filter_edit *edit);
void ftrace_filter_edit_free(struct ftrace_filter_edit *edit);

/**
 * FTRACE_BOOT_FILTER - a boot parameter whose value is a list of functions
 * @text: the variable to define, which keeps the value for ftrace_filter_boot()
 * @param: the name of the parameter, with "=" behind it
 */
#define FTRACE_BOOT_FILTER(text, param)				\
	static char text[COMMAND_LINE_SIZE] __initdata;		\
	static int __init text##_setup(char *value)		\
	{							\
		strscpy(text, value);				\
		return 1;					\
	}							\
	__setup(param, text##_setup)

void ftrace_filter_boot(struct ftrace_ops_hash *hash, char *words, bool exclude);

#endif /* _TRACE_FILTER_FILTER_H */
