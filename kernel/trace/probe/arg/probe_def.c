// SPDX-License-Identifier: GPL-2.0
/*
 * Tokens of a probe definition.
 */
#include "probe/arg/env.h"
#include "probe/arg/probe_def.h"

#define BLANKS	" \t\n\v\f\r"

static unsigned int probe_def_count(const char *text)
{
	unsigned int nr = 0;

	for (text += strspn(text, BLANKS); *text; text += strspn(text, BLANKS)) {
		text += strcspn(text, BLANKS);
		nr++;
	}

	return nr;
}

/**
 * probe_def_split - split a definition into tokens
 * @def: filled in
 * @text: the definition, which must be valid as long as @def
 *
 * Return: 0, and @def must be freed with probe_def_free(); or -ENOMEM
 */
int probe_def_split(struct probe_def *def, const char *text)
{
	char *at;

	*def = (struct probe_def){ .text = text };
	def->copy = kstrdup(text, GFP_KERNEL);
	def->token = kcalloc(probe_def_count(text) + 1, sizeof(*def->token), GFP_KERNEL);
	if (!def->copy || !def->token) {
		probe_def_free(def);
		return -ENOMEM;
	}

	for (at = def->copy + strspn(def->copy, BLANKS); *at; at += strspn(at, BLANKS)) {
		def->token[def->nr++] = at;
		at += strcspn(at, BLANKS);
		if (*at)
			*at++ = '\0';
	}

	return 0;
}

/**
 * probe_def_free - free the memory allocated by probe_def_split()
 * @def: a definition
 */
void probe_def_free(struct probe_def *def)
{
	kfree(def->token);
	kfree(def->copy);
}

/**
 * probe_refuse - report an error in a definition
 * @def: the definition
 * @at: position of the error, in @def->copy
 * @what: description of the error, a constant
 *
 * Only the first report is kept.
 *
 * Return: -EINVAL
 */
int probe_refuse(struct probe_def *def, const char *at, const char *what)
{
	if (!def->what) {
		def->what = what;
		def->at = at - def->copy;
	}

	return -EINVAL;
}

/**
 * probe_def_original - find the original text
 * @def: the definition
 * @at: a place in @def->copy
 *
 * Return: the same place in @def->text, which parsers do not modify
 */
const char *probe_def_original(const struct probe_def *def, const char *at)
{
	return def->text + (at - def->copy);
}
