// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters of a hist trigger: they are separated by colons, and some are lists separated by
 * commas. Text in parentheses is not split.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "hist/core/hist_params.h"
#include "instance/core/errlog.h"

/**
 * hist_refuse - report an error in a trigger
 * @params: the trigger
 * @at: position of the error, in @params->copy
 * @what: error message, a constant string
 *
 * Only the first error is reported.
 *
 * Return: -EINVAL
 */
int hist_refuse(struct hist_params *params, const char *at, const char *what)
{
	if (!params->refused)
		trace_error(params->tr, params->where, what, params->text, strlen(params->text),
			    at - params->copy);
	params->refused = true;

	return -EINVAL;
}

/* Cut *@rest at the next @separator that is not in parentheses. */
static char *params_cut(char **rest, char separator)
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
 * hist_list_next - get the next item of a list
 * @list: the rest of the list; set to the text after the item, NULL at the end
 *
 * Return: the item, without surrounding blanks; NULL at the end of the list
 */
char *hist_list_next(char **list)
{
	char *token = params_cut(list, ',');

	return token ? strim(token) : NULL;
}

/* Return: the text after @prefix, NULL if @token does not begin with it */
static char *params_after(char *token, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(token, prefix, len) ? NULL : token + len;
}

static int params_add_vars(struct hist_params *params, char *list)
{
	char *token;

	while ((token = params_cut(&list, ','))) {
		struct hist_assignment *var = &params->vars[params->nr_vars];
		char *equals = strchr(token, '=');

		token = skip_spaces(token);
		if (!equals || equals == token)
			return hist_refuse(params, token, "Malformed assignment");
		if (params->nr_vars == HIST_ASSIGNMENTS_MAX)
			return hist_refuse(params, token, "Too many variables defined");
		*equals = '\0';
		var->name = strim(token);
		var->expr = skip_spaces(equals + 1);
		if (!*var->expr)
			return hist_refuse(params, token, "Malformed assignment");
		params->nr_vars++;
	}

	return 0;
}

static int params_add_action(struct hist_params *params, char *token)
{
	if (params->nr_actions == HIST_ACTIONS_MAX)
		return hist_refuse(params, token, "Too many actions");
	params->actions[params->nr_actions++] = token;

	return 0;
}

static bool params_flag(struct hist_params *params, const char *token)
{
	if (!strcmp(token, "pause"))
		params->pause = true;
	else if (!strcmp(token, "continue") || !strcmp(token, "cont"))
		params->cont = true;
	else if (!strcmp(token, "clear"))
		params->clear = true;
	else if (!strcmp(token, "nohitcount") || !strcmp(token, "NOHC"))
		params->nohitcount = true;
	else
		return false;

	return true;
}

/* Parse "name=..." for names that are valid only once. Return: false if it is not one of them */
static bool params_set(struct hist_params *params, char *token, int *err)
{
	const struct {
		const char	*prefix;
		char		**to;
	} table[] = {
		{ "keys=", &params->keys }, { "key=", &params->keys },
		{ "values=", &params->vals }, { "vals=", &params->vals },
		{ "val=", &params->vals }, { "sort=", &params->sort },
		{ "size=", &params->size }, { "name=", &params->name },
		{ "clock=", &params->clock },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		char *value = params_after(token, table[i].prefix);

		if (!value)
			continue;
		if (*table[i].to)
			*err = hist_refuse(params, token, "Given twice");
		else if (!*value)
			*err = hist_refuse(params, value, "Empty");
		*table[i].to = value;
		return true;
	}

	return false;
}

static int params_add(struct hist_params *params, char *token)
{
	int err = 0;

	if (params_set(params, token, &err) || params_flag(params, token))
		return err;
	if (params_after(token, "onmatch(") || params_after(token, "onmax(") ||
	    params_after(token, "onchange("))
		return params_add_action(params, token);
	if (strchr(token, '='))
		return params_add_vars(params, token);

	return hist_refuse(params, token, "Unknown parameter");
}

/**
 * hist_params_split - split a trigger into parameters
 * @params: the result, with @tr, @where, @text and @copy set
 * @text: the text after "hist:" up to the filter, in @params->copy
 *
 * Return: 0; -EINVAL with the reason in error_log
 */
int hist_params_split(struct hist_params *params, char *text)
{
	char *begin = text, *token;
	int err;

	while ((token = params_cut(&text, ':'))) {
		err = params_add(params, strim(token));
		if (err)
			return err;
	}
	if (!params->keys)
		return hist_refuse(params, begin, "No keys");

	return 0;
}
