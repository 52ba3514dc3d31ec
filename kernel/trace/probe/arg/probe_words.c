// SPDX-License-Identifier: GPL-2.0
/*
 * Tokens of a probe definition.
 */
#include "probe/arg/env.h"
#include "probe/arg/probe_words.h"

#define BLANKS	" \t\n\v\f\r"

static unsigned int probe_words_count(const char *text)
{
	unsigned int nr = 0;

	for (text += strspn(text, BLANKS); *text; text += strspn(text, BLANKS)) {
		text += strcspn(text, BLANKS);
		nr++;
	}

	return nr;
}

/**
 * probe_words_split - split a definition into tokens
 * @words: filled in
 * @text: the definition, which must be valid as long as @words
 *
 * Return: 0, and @words must be freed with probe_words_free(); or -ENOMEM
 */
int probe_words_split(struct probe_words *words, const char *text)
{
	char *at;

	*words = (struct probe_words){ .text = text };
	words->copy = kstrdup(text, GFP_KERNEL);
	words->word = kcalloc(probe_words_count(text) + 1, sizeof(*words->word), GFP_KERNEL);
	if (!words->copy || !words->word) {
		probe_words_free(words);
		return -ENOMEM;
	}

	for (at = words->copy + strspn(words->copy, BLANKS); *at; at += strspn(at, BLANKS)) {
		words->word[words->nr++] = at;
		at += strcspn(at, BLANKS);
		if (*at)
			*at++ = '\0';
	}

	return 0;
}

/**
 * probe_words_free - free the memory allocated by probe_words_split()
 * @words: a definition
 */
void probe_words_free(struct probe_words *words)
{
	kfree(words->word);
	kfree(words->copy);
}

/**
 * probe_refuse - report an error in a definition
 * @words: the definition
 * @at: position of the error, in @words->copy
 * @what: description of the error, a constant
 *
 * Only the first report is kept.
 *
 * Return: -EINVAL
 */
int probe_refuse(struct probe_words *words, const char *at, const char *what)
{
	if (!words->what) {
		words->what = what;
		words->at = at - words->copy;
	}

	return -EINVAL;
}

/**
 * probe_words_written - find the original text
 * @words: the definition
 * @at: a place in @words->copy
 *
 * Return: the same place in @words->text, which parsers do not modify
 */
const char *probe_words_written(const struct probe_words *words, const char *at)
{
	return words->text + (at - words->copy);
}
