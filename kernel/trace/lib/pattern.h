/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filter patterns of functions: how they are split, parsed and matched.
 *
 *	[!]name[:mod:[!]module][:src:source]
 *	[!]name[...]:command[:parameter]
 *
 * A name may be a glob with *, ? and [...]. A pattern with `!' removes the functions that it
 * matches. `:mod:' limits the pattern to a module, which is itself a name or a glob, or with `!'
 * to everything outside of such modules, the kernel included. `:src:' limits it to objects, by a
 * path or a glob of paths; the path of an object's main source file selects the object. This
 * file does not depend on the set of commands.
 *
 * Files show the function of a module as `name [module]', which is also a valid pattern and
 * means `name:mod:module'.
 */
#ifndef _TRACE_LIB_PATTERN_H
#define _TRACE_LIB_PATTERN_H

#include "lib/env.h"

/* A name with one of these characters is a glob. */
#define FTRACE_GLOB_CHARS	"*?[\\"

/* Longest token, the final 0 included. */
#define FTRACE_TOKEN_MAX		1024

/**
 * struct ftrace_tokens - tokenizer for a text that arrives in pieces
 * @text: the token up to now, terminated
 * @len: its length
 * @gap: the length without the text in brackets after it that may be the module, 0 if there is
 *	none
 * @next: length of another token that follows @len, 0 if there is no such token
 */
struct ftrace_tokens {
	char		text[FTRACE_TOKEN_MAX];
	unsigned int	len;
	unsigned int	gap;
	unsigned int	next;
};

/**
 * struct ftrace_pattern - a parsed pattern
 * @name: name or glob of functions, never empty
 * @module: name or glob of modules, NULL if the pattern has no module
 * @not_module: everything except @module is selected, the kernel included
 * @source: path or glob of objects, NULL if the pattern has no source
 * @command: command for the functions, NULL if the pattern edits a filter
 * @param: parameters of @command, which may be modified; NULL if it has no parameters
 * @negate: the pattern removes functions
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
 * @infix_len: length of the literal if the glob is one literal between two stars, or 0
 */
struct ftrace_glob {
	const char	*text;
	size_t		infix_len;
};

int ftrace_tokens_next(struct ftrace_tokens *tokens, const char **text, size_t *len,
		       bool last);
void ftrace_tokens_used(struct ftrace_tokens *tokens);
void ftrace_tokens_reset(struct ftrace_tokens *tokens);
void ftrace_tokens_skip(const char **text, size_t *len);

int ftrace_pattern_parse(struct ftrace_pattern *pattern, char *token);
void ftrace_glob_prepare(struct ftrace_glob *glob, const char *text);
bool ftrace_glob_match(const struct ftrace_glob *glob, const char *name);
bool ftrace_pattern_match(const char *text, const char *name);

#endif /* _TRACE_LIB_PATTERN_H */
