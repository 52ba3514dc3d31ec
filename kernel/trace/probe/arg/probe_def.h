/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tokens of a probe definition, and the error found in them.
 */
#ifndef _TRACE_PROBE_ARG_PROBE_DEF_H
#define _TRACE_PROBE_ARG_PROBE_DEF_H

#include <linux/types.h>

/**
 * struct probe_def - a definition
 * @text: the definition as written
 * @copy: a copy with a 0 byte after each token; modified by parsers
 * @nr: number of tokens
 * @token: beginnings of the tokens in @copy
 * @what: description of the error, a constant; NULL if there is no error yet
 * @at: offset of the error in @text
 */
struct probe_def {
	const char	*text;
	char		*copy;
	unsigned int	nr;
	char		**token;
	const char	*what;
	size_t		at;
};

int probe_def_split(struct probe_def *def, const char *text);
void probe_def_free(struct probe_def *def);
int probe_refuse(struct probe_def *def, const char *at, const char *what);
const char *probe_def_original(const struct probe_def *def, const char *at);

#endif /* _TRACE_PROBE_ARG_PROBE_DEF_H */
