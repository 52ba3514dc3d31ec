/* SPDX-License-Identifier: GPL-2.0 */
/* Edits of the filters of ops by patterns. */
#ifndef _TRACE_FILTER_FILTER_H
#define _TRACE_FILTER_FILTER_H

#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/string.h>
#include <asm/setup.h>

#include "lib/boot_list.h"
#include "lib/pattern.h"

/**
 * struct ftrace_filter_edit - an edit of a filter, which takes effect at its end
 * @hash: the filters
 * @tr: instance that commands on functions belong to; NULL if no commands are accepted
 * @exclude: the edit applies to notrace_hash instead of filter_hash
 * @may_wait: patterns may be deferred until modules are loaded or functions are found: the
 *	filters are not freed without notice
 * @reset: the edit replaces the filter instead of changing it
 * @taken: number of patterns that were accepted
 * @serial: serial number of the call sites for which @add and @del are valid, see
 *	ftrace_records_serial()
 * @lost: functions to add were removed with their modules
 * @add: functions to add
 * @del: functions to remove afterwards
 * @waiting: pending patterns, which wait for functions
 * @tokens: tokenizer for the texts
 * @token: the last pattern as it was written
 * @refused: the first pattern of the last text that was refused, or its name if it is a plain
 *	name, NULL if it is not known
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
	struct ftrace_tokens	tokens;
	char			token[FTRACE_TOKEN_MAX];
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
 * FTRACE_BOOT_FILTER - define a boot parameter whose value is a list of functions
 * @text: variable to define, which keeps the value for ftrace_filter_boot()
 * @param: name of the parameter, followed by "="
 */
#define FTRACE_BOOT_FILTER(text, param)				\
	static char text[COMMAND_LINE_SIZE] __initdata;		\
	static int __init text##_setup(char *value)		\
	{							\
		return boot_list_append(text, sizeof(text), value);	\
	}							\
	__setup(param, text##_setup)

void ftrace_filter_boot(struct ftrace_ops_hash *hash, char *patterns, bool exclude);

#endif /* _TRACE_FILTER_FILTER_H */
