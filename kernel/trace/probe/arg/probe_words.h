/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tokens of a probe definition, and the error found in them.
 */
#ifndef _TRACE_PROBE_ARG_PROBE_WORDS_H
#define _TRACE_PROBE_ARG_PROBE_WORDS_H

#include <linux/types.h>

/**
 * struct probe_words - a definition
 * @text: the definition as written
 * @copy: a copy with a 0 byte after each token; modified by parsers
 * @nr: number of tokens
 * @word: beginnings of the tokens in @copy
 * @what: description of the error, a constant; NULL if there is no error yet
 * @at: offset of the error in @text
 */
struct probe_words {
	const char	*text;
	char		*copy;
	unsigned int	nr;
	char		**word;
	const char	*what;
	size_t		at;
};

int probe_words_split(struct probe_words *words, const char *text);
void probe_words_free(struct probe_words *words);
int probe_refuse(struct probe_words *words, const char *at, const char *what);
const char *probe_words_written(const struct probe_words *words, const char *at);

#endif /* _TRACE_PROBE_ARG_PROBE_WORDS_H */
