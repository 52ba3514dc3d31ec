// SPDX-License-Identifier: GPL-2.0
/*
 * The words that define a probe.
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
 * probe_words_split - find the words of a definition
 * @words: what to set
 * @text: the definition, which stays as long as @words
 *
 * Return: 0, and @words is to be freed by probe_words_free(); or -ENOMEM
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
 * probe_words_free - free what probe_words_split() has made
 * @words: a definition
 */
void probe_words_free(struct probe_words *words)
{
	kfree(words->word);
	kfree(words->copy);
}

/**
 * probe_refuse - say what is wrong with a definition
 * @words: the definition
 * @at: where that stands, in @words->copy
 * @what: what is wrong, a constant
 *
 * What was said first is kept.
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
 * probe_words_written - find what was written
 * @words: the definition
 * @at: a place in @words->copy
 *
 * Return: the same place in @words->text, where no parser has changed anything
 */
const char *probe_words_written(const struct probe_words *words, const char *at)
{
	return words->text + (at - words->copy);
}
