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
 * ftrace_words_skip - leave out what is between words
 * @text: what came in; advanced behind blanks and 0 bytes
 * @len: its length, likewise
 */
void ftrace_words_skip(const char **text, size_t *len)
{
	for (; *len && (is_blank(**text) || !**text); (*text)++)
		(*len)--;
}

static int parse_module(struct ftrace_pattern *pattern, char *module)
{
	if (!module || pattern->module)
		return -EINVAL;

	if (*module == '!') {
		pattern->not_module = true;
		module++;
	}
	pattern->module = module;
	return *module ? 0 : -EINVAL;
}

/* The object has the name of its main source. */
static int parse_source(struct ftrace_pattern *pattern, char *source)
{
	size_t len;

	if (!source || !*source || pattern->source)
		return -EINVAL;

	len = strlen(source);
	if (len > 2 && !strcmp(source + len - 2, ".c"))
		source[len - 1] = 'o';
	pattern->source = source;
	return 0;
}

/* What is behind the first colon: where it has to be, and then a command. */
static int parse_rest(struct ftrace_pattern *pattern, char *rest)
{
	int err = 0;

	while (rest && !err) {
		char *what = strsep(&rest, ":");

		if (!strcmp(what, "mod")) {
			err = parse_module(pattern, strsep(&rest, ":"));
		} else if (!strcmp(what, "src")) {
			err = parse_source(pattern, strsep(&rest, ":"));
		} else {
			pattern->command = what;
			pattern->param = rest;
			return *what ? 0 : -EINVAL;
		}
	}
	return err;
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
		if (parse_rest(pattern, command))
			return -EINVAL;
	}

	/* Of a module or a source, no name means all of it. */
	if (!*word && (pattern->module || pattern->source))
		word = "*";
	if (!*word)
		return -EINVAL;

	pattern->name = word;
	pattern->glob = strpbrk(word, FTRACE_GLOB_CHARS);
	return 0;
}

/**
 * ftrace_glob_prepare - get ready to match many names
 * @glob: what to prepare
 * @text: a name or a glob; is referred to as long as @glob is
 *
 * A word between two stars, which must be looked for in each name from one end
 * to the other, is told from the others: it needs no way back.
 */
void ftrace_glob_prepare(struct ftrace_glob *glob, const char *text)
{
	size_t len = strlen(text);

	*glob = (struct ftrace_glob) { .text = text };
	if (len > 2 && text[0] == '*' &&
	    strcspn(text + 1, FTRACE_GLOB_CHARS) == len - 2 &&
	    text[len - 1] == '*')
		glob->infix_len = len - 2;
}

static bool has_infix(const char *name, const char *infix, size_t len)
{
	for (; *name; name++)
		if (*name == *infix && !strncmp(name, infix, len))
			return true;
	return false;
}

/**
 * ftrace_glob_match - does a name match?
 * @glob: prepared by ftrace_glob_prepare()
 * @name: the name
 */
bool ftrace_glob_match(const struct ftrace_glob *glob, const char *name)
{
	if (glob->infix_len)
		return has_infix(name, glob->text + 1, glob->infix_len);

	/* Most names differ from a prefix in their first byte. */
	if (*glob->text != *name && !strchr(FTRACE_GLOB_CHARS, *glob->text))
		return false;

	return glob_match(glob->text, name);
}

/**
 * ftrace_pattern_match - does one name match?
 * @text: a name or a glob
 * @name: the name
 */
bool ftrace_pattern_match(const char *text, const char *name)
{
	struct ftrace_glob glob;

	ftrace_glob_prepare(&glob, text);
	return ftrace_glob_match(&glob, name);
}
