// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters of a hist trigger: they are separated by colons, and some are lists separated by
 * commas. Text in parentheses is not split.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "hist/hist_words.h"
#include "instance/core/errlog.h"

/**
 * hist_refuse - report an error in a trigger
 * @words: the trigger
 * @at: position of the error, in @words->copy
 * @what: error message, a constant string
 *
 * Only the first error is reported.
 *
 * Return: -EINVAL
 */
int hist_refuse(struct hist_words *words, const char *at, const char *what)
{
	if (!words->refused)
		trace_error(words->tr, words->where, what, words->text, strlen(words->text),
			    at - words->copy);
	words->refused = true;

	return -EINVAL;
}

/* Cut *@rest at the next @separator that is not in parentheses. */
static char *words_cut(char **rest, char separator)
{
	char *begin = *rest, *at;
	int depth = 0;

	if (!begin)
		return NULL;

	for (at = begin; *at && (depth || *at != separator); at++)
		depth += (*at == '(') - (*at == ')' && depth);
	*rest = *at ? at + 1 : NULL;
	*at = '\0';

	return begin;
}

/**
 * hist_words_next - get the next item of a list
 * @list: the rest of the list; set to the text after the item, NULL at the end
 *
 * Return: the item, without surrounding blanks; NULL if there is none
 */
char *hist_words_next(char **list)
{
	char *word = words_cut(list, ',');

	return word ? strim(word) : NULL;
}

/* Return: the text after @prefix, NULL if @word does not begin with it */
static char *words_after(char *word, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(word, prefix, len) ? NULL : word + len;
}

static int words_add_vars(struct hist_words *words, char *list)
{
	char *word;

	while ((word = words_cut(&list, ','))) {
		struct hist_assignment *var = &words->vars[words->nr_vars];
		char *equals = strchr(word, '=');

		word = skip_spaces(word);
		if (!equals || equals == word)
			return hist_refuse(words, word, "Malformed assignment");
		if (words->nr_vars == HIST_ASSIGNMENTS_MAX)
			return hist_refuse(words, word, "Too many variables defined");
		*equals = '\0';
		var->name = strim(word);
		var->expr = skip_spaces(equals + 1);
		if (!*var->expr)
			return hist_refuse(words, word, "Malformed assignment");
		words->nr_vars++;
	}

	return 0;
}

static int words_add_action(struct hist_words *words, char *word)
{
	if (words->nr_actions == HIST_ACTIONS_MAX)
		return hist_refuse(words, word, "Too many actions");
	words->actions[words->nr_actions++] = word;

	return 0;
}

static bool words_flag(struct hist_words *words, const char *word)
{
	if (!strcmp(word, "pause"))
		words->pause = true;
	else if (!strcmp(word, "continue") || !strcmp(word, "cont"))
		words->cont = true;
	else if (!strcmp(word, "clear"))
		words->clear = true;
	else if (!strcmp(word, "nohitcount") || !strcmp(word, "NOHC"))
		words->nohitcount = true;
	else
		return false;

	return true;
}

/* Parse "name=..." for names that are valid only once. Return: false if it is not one of them */
static bool words_set(struct hist_words *words, char *word, int *err)
{
	const struct {
		const char	*prefix;
		char		**to;
	} table[] = {
		{ "keys=", &words->keys }, { "key=", &words->keys },
		{ "values=", &words->vals }, { "vals=", &words->vals },
		{ "val=", &words->vals }, { "sort=", &words->sort },
		{ "size=", &words->size }, { "name=", &words->name },
		{ "clock=", &words->clock },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		char *value = words_after(word, table[i].prefix);

		if (!value)
			continue;
		if (*table[i].to)
			*err = hist_refuse(words, word, "Given twice");
		else if (!*value)
			*err = hist_refuse(words, value, "Empty");
		*table[i].to = value;
		return true;
	}

	return false;
}

static int words_param(struct hist_words *words, char *word)
{
	int err = 0;

	if (words_set(words, word, &err) || words_flag(words, word))
		return err;
	if (words_after(word, "onmatch(") || words_after(word, "onmax(") ||
	    words_after(word, "onchange("))
		return words_add_action(words, word);
	if (strchr(word, '='))
		return words_add_vars(words, word);

	return hist_refuse(words, word, "Unknown parameter");
}

/**
 * hist_words_split - split a trigger into parameters
 * @words: the result, with @tr, @where, @text and @copy set
 * @params: the text after "hist:" up to the filter, in @words->copy
 *
 * Return: 0; -EINVAL with the reason in error_log
 */
int hist_words_split(struct hist_words *words, char *params)
{
	char *begin = params, *word;
	int err;

	while ((word = words_cut(&params, ':'))) {
		err = words_param(words, strim(word));
		if (err)
			return err;
	}
	if (!words->keys)
		return hist_refuse(words, begin, "No keys");

	return 0;
}
