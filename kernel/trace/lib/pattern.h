/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words of a filter file: split out of writes, taken apart, and matched.
 *
 *	[!]pattern[:mod:[!]module][:src:source]
 *	[!]pattern[...]:command[:parameter]
 *
 * A pattern is a name or a glob of *, ? and [...]; `!' takes away what
 * matches; `:mod:' narrows to a module, itself a name or a glob, or with `!' to
 * all that is in no such module; `:src:' to objects, by path or glob of it, for
 * which the path of their main source will do. What commands there are is not
 * known here.
 */
#ifndef _TRACE_LIB_PATTERN_H
#define _TRACE_LIB_PATTERN_H

#include "lib/env.h"

/* What makes a name a glob. */
#define FTRACE_GLOB_CHARS	"*?[\\"

/* Longest word, the final 0 included. */
#define FTRACE_WORD_MAX		1024

/**
 * struct ftrace_words - words coming in by pieces
 * @text: the word so far
 * @len: its length
 */
struct ftrace_words {
	char		text[FTRACE_WORD_MAX];
	unsigned int	len;
};

/**
 * struct ftrace_pattern - a word taken apart
 * @name: name or glob, never empty
 * @module: module's name or glob, NULL for none
 * @not_module: in anything but @module, which may be the kernel itself
 * @source: path or glob of the object that it is compiled in, NULL for any
 * @command: what to do where it matches, NULL to edit a filter
 * @param: of @command, NULL for none
 * @negate: take away
 * @glob: @name is a glob that does more than compare
 */
struct ftrace_pattern {
	const char	*name;
	const char	*module;
	const char	*source;
	const char	*command;
	const char	*param;
	bool		not_module;
	bool		negate;
	bool		glob;
};

/**
 * struct ftrace_glob - a name or a glob to match many names with
 * @text: the name or glob
 * @infix_len: it is a word of so many bytes between two stars; 0 for others
 */
struct ftrace_glob {
	const char	*text;
	size_t		infix_len;
};

int ftrace_words_next(struct ftrace_words *words, const char **text, size_t *len,
		      bool last);
void ftrace_words_reset(struct ftrace_words *words);
void ftrace_words_skip(const char **text, size_t *len);

int ftrace_pattern_parse(struct ftrace_pattern *pattern, char *word);
void ftrace_glob_prepare(struct ftrace_glob *glob, const char *text);
bool ftrace_glob_match(const struct ftrace_glob *glob, const char *name);
bool ftrace_pattern_match(const char *text, const char *name);

#endif /* _TRACE_LIB_PATTERN_H */
