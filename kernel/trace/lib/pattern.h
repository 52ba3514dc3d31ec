/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words of a filter file: how they are split, parsed and matched.
 *
 *	[!]pattern[:mod:[!]module][:src:source]
 *	[!]pattern[...]:command[:parameter]
 *
 * A pattern is a name, or a glob with *, ? and [...]. A word with `!' takes away
 * what it matches. `:mod:' limits the word to a module, which is itself a name or a
 * glob, or with `!' to everything outside of such modules, the kernel included.
 * `:src:' limits it to objects, by a path or a glob of paths; the path of an
 * object's main source file stands for the object. This file does not know which
 * commands there are.
 *
 * Files show the function of a module as `name [module]', which is a word, too, and
 * means `name:mod:module'.
 */
#ifndef _TRACE_LIB_PATTERN_H
#define _TRACE_LIB_PATTERN_H

#include "lib/env.h"

/* A name with one of these characters is a glob. */
#define FTRACE_GLOB_CHARS	"*?[\\"

/* Longest word, the final 0 included. */
#define FTRACE_WORD_MAX		1024

/**
 * struct ftrace_words - collects words out of a text that comes in pieces
 * @text: the word so far, terminated
 * @len: its length
 * @gap: the length without what may be the module in brackets behind it, 0 if nothing is
 * @next: what is behind @len is a word of its own, of this length; 0 if nothing is
 */
struct ftrace_words {
	char		text[FTRACE_WORD_MAX];
	unsigned int	len;
	unsigned int	gap;
	unsigned int	next;
};

/**
 * struct ftrace_pattern - a word taken apart
 * @name: name or glob of functions, never empty
 * @module: name or glob of modules, NULL if the word does not say
 * @not_module: everything but @module is meant, the kernel included
 * @source: path or glob of objects, NULL if the word does not say
 * @command: the command for the functions, NULL if the word edits a filter
 * @param: the parameters of @command, which may be modified; NULL if it has none
 * @negate: the word takes away
 * @glob: @name is a glob and not just a name
 */
struct ftrace_pattern {
	const char	*name;
	const char	*module;
	const char	*source;
	const char	*command;
	char		*param;
	bool		not_module;
	bool		negate;
	bool		glob;
};

/**
 * struct ftrace_glob - a name or a glob that many names are matched with
 * @text: the name or glob
 * @infix_len: length of the word if the glob is one word between two stars, or 0
 */
struct ftrace_glob {
	const char	*text;
	size_t		infix_len;
};

int ftrace_words_next(struct ftrace_words *words, const char **text, size_t *len,
		      bool last);
void ftrace_words_used(struct ftrace_words *words);
void ftrace_words_reset(struct ftrace_words *words);
void ftrace_words_skip(const char **text, size_t *len);

int ftrace_pattern_parse(struct ftrace_pattern *pattern, char *word);
void ftrace_glob_prepare(struct ftrace_glob *glob, const char *text);
bool ftrace_glob_match(const struct ftrace_glob *glob, const char *name);
bool ftrace_pattern_match(const char *text, const char *name);

#endif /* _TRACE_LIB_PATTERN_H */
