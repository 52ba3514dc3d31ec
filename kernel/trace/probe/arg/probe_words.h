/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words that define a probe, and what is wrong with them.
 */
#ifndef _TRACE_PROBE_ARG_PROBE_WORDS_H
#define _TRACE_PROBE_ARG_PROBE_WORDS_H

#include <linux/types.h>

/**
 * struct probe_words - a definition
 * @text: as it was written
 * @copy: the same, where each word ends with a 0 byte; parsers change it
 * @nr: words
 * @word: where each begins in @copy
 * @what: what is wrong, a constant; NULL so far
 * @at: offset of that in @text
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
