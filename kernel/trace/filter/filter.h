/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Editing the filters of ops by words.
 */
#ifndef _TRACE_FILTER_FILTER_H
#define _TRACE_FILTER_FILTER_H

#include <linux/ftrace.h>

#include "lib/pattern.h"

/**
 * struct ftrace_filter_edit - an edit that takes effect at its end
 * @hash: the filters
 * @tr: the instance that words with a command are about, NULL to take none
 * @exclude: edit the functions never meant, not those meant
 * @reset: begin with nothing, not with what is there
 * @taken: how many words could be honoured
 * @waits: words will wait for modules when the edit has taken effect
 * @waited: words do so before
 * @add: functions to add
 * @del: functions to take away afterwards
 * @waiting: words about modules that are not there
 * @words: what came in
 * @refused: what of the last text could not be honoured, NULL where that is
 *	     not known
 */
struct ftrace_filter_edit {
	struct ftrace_ops_hash	*hash;
	struct trace_array	*tr;
	bool			exclude;
	bool			reset;
	unsigned int		taken;
	bool			waits;
	bool			waited;
	struct ftrace_hash	*add;
	struct ftrace_hash	*del;
	struct list_head	waiting;
	struct ftrace_words	words;
	char			*refused;
};

struct ftrace_filter_edit *
ftrace_filter_edit_begin(struct ftrace_ops_hash *hash, bool exclude, bool reset);
int ftrace_filter_edit_text(struct ftrace_filter_edit *edit, const char *text,
			    size_t *len, bool last);
int ftrace_filter_edit_end(struct ftrace_filter_edit *edit);
void ftrace_filter_edit_free(struct ftrace_filter_edit *edit);

#endif /* _TRACE_FILTER_FILTER_H */
