// SPDX-License-Identifier: GPL-2.0
/*
 * Words of a filter file. See pattern.h.
 */
#include "lib/pattern.h"

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/**
 * ftrace_words_reset - forget the word that is coming in
 * @words: the words
 */
void ftrace_words_reset(struct ftrace_words *words)
{
	words->len = 0;
	words->text[0] = '\0';
}

/**
 * ftrace_words_next - get the next word out of what came in
 * @words: keeps the beginning of a word whose end has not come yet
 * @text: what came in; advanced behind what was used
 * @len: its length, likewise
 * @last: nothing more will come: what is there is a word
 *
 * Words end at a blank or at a 0 byte.
 *
 * Return: 1 with a word in @words, to be used and then reset; 0 if there is
 * none for now; -EINVAL for a word too long
 */
int ftrace_words_next(struct ftrace_words *words, const char **text, size_t *len,
		      bool last)
{
	for (; *len; (*text)++, (*len)--) {
		char c = **text;

		if (is_blank(c) || !c) {
			if (words->len)
				return 1;
			continue;
		}
		if (words->len == FTRACE_WORD_MAX - 1)
			return -EINVAL;
		words->text[words->len++] = c;
		words->text[words->len] = '\0';
	}
	return last && words->len;
}

/**
 * ftrace_pattern_parse - take a word apart
 * @pattern: where to put the parts, which point into @word
 * @word: the word; is changed
 *
 * Return: 0; -EINVAL for a word that means nothing
 */
int ftrace_pattern_parse(struct ftrace_pattern *pattern, char *word)
{
	char *command;

	*pattern = (struct ftrace_pattern) { };
	if (*word == '!') {
		pattern->negate = true;
		word++;
	}

	command = strchr(word, ':');
	if (command) {
		*command++ = '\0';
		if (strncmp(command, "mod:", 4) || !command[4] ||
		    strchr(command + 4, ':'))
			return -EINVAL;
		pattern->module = command + 4;
	}

	/* Of a module, no name means all of it. */
	if (!*word && pattern->module)
		word = "*";
	if (!*word)
		return -EINVAL;

	pattern->name = word;
	pattern->glob = strpbrk(word, FTRACE_GLOB_CHARS);
	return 0;
}

/**
 * ftrace_pattern_match - does a name match?
 * @pattern: a name or a glob
 * @name: the name
 */
bool ftrace_pattern_match(const char *pattern, const char *name)
{
	/* Most names differ from a prefix in their first byte. */
	if (*pattern != *name && !strchr(FTRACE_GLOB_CHARS, *pattern))
		return false;

	return glob_match(pattern, name);
}
