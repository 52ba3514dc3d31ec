// SPDX-License-Identifier: GPL-2.0
/* Parser of filter patterns: tokenizer, parser and matcher. See pattern.h. */
#include "lib/pattern.h"

static bool pattern_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/**
 * ftrace_tokens_reset - drop the token that has been collected up to now
 * @tokens: the tokenizer
 */
void ftrace_tokens_reset(struct ftrace_tokens *tokens)
{
	tokens->len = 0;
	tokens->gap = 0;
	tokens->next = 0;
	tokens->text[0] = '\0';
}

/**
 * ftrace_tokens_used - drop the token that ftrace_tokens_next() has found
 * @tokens: the tokenizer, which may already hold the next token
 */
void ftrace_tokens_used(struct ftrace_tokens *tokens)
{
	unsigned int next = tokens->next;

	if (next)
		memmove(tokens->text, tokens->text + tokens->len + 1, next + 1);
	else
		tokens->text[0] = '\0';
	tokens->len = next;
	tokens->gap = 0;
	tokens->next = 0;
}

/* The end of the name of a module in brackets, or NULL */
static char *pattern_module_end(char *module)
{
	char *end = strchr(module, ']');

	if (*module != '[' || !end || end == module + 1 || (end[1] && end[1] != ':'))
		return NULL;

	return strcspn(module + 1, "!:[") < end - module - 1 ? NULL : end;
}

/* A module may follow only the plain name of a function. */
static bool pattern_is_function(const struct ftrace_tokens *tokens)
{
	return !strpbrk(tokens->text, FTRACE_GLOB_CHARS ":");
}

/*
 * The token is complete. If the text in brackets after it is not a module, it becomes a second
 * token.
 */
static void pattern_tokens_end(struct ftrace_tokens *tokens)
{
	if (!tokens->gap || tokens->gap == tokens->len ||
	    pattern_module_end(tokens->text + tokens->gap + 1))
		return;

	tokens->next = tokens->len - tokens->gap - 1;
	tokens->len = tokens->gap;
	tokens->text[tokens->len] = '\0';
}

/* Return: true if a blank is the end of the collected token */
static bool pattern_tokens_blank(struct ftrace_tokens *tokens, char c)
{
	bool space = c == ' ' || c == '\t';

	if (!tokens->len)
		return false;
	if (tokens->gap == tokens->len)
		return !space;
	if (tokens->gap || !space || !pattern_is_function(tokens))
		return true;

	tokens->gap = tokens->len;
	return false;
}

static int pattern_tokens_add(struct ftrace_tokens *tokens, char c)
{
	bool space = tokens->len && tokens->gap == tokens->len;

	if (tokens->len + space >= FTRACE_TOKEN_MAX - 1)
		return -EINVAL;

	if (space)
		tokens->text[tokens->len++] = ' ';
	tokens->text[tokens->len++] = c;
	tokens->text[tokens->len] = '\0';
	return 0;
}

/**
 * ftrace_tokens_next - get the next token of a text that arrives in pieces
 * @tokens: tokenizer, which keeps the beginning of a token whose end is in a later piece
 * @text: the piece; is advanced past the text that was used
 * @len: length of the piece; is reduced accordingly
 * @last: this is the last piece, whose end is the end of a token
 *
 * A blank or a 0 byte ends a token. If only spaces follow a name up to the end of a piece, its
 * module may be in the next piece.
 *
 * Return: 1 with a token in @tokens, which the caller uses and then drops with
 * ftrace_tokens_used(); 0 if the piece has no further token; -EINVAL if a token is too long
 */
int ftrace_tokens_next(struct ftrace_tokens *tokens, const char **text, size_t *len,
		       bool last)
{
	for (; *len; (*text)++, (*len)--) {
		char c = **text;
		bool ends, blank = pattern_is_blank(c) || !c;

		if (blank)
			ends = pattern_tokens_blank(tokens, c);
		else
			ends = tokens->len && tokens->gap == tokens->len && c != '[';
		if (ends) {
			pattern_tokens_end(tokens);
			return 1;
		}
		if (!blank && pattern_tokens_add(tokens, c))
			return -EINVAL;
	}
	if (!last || !tokens->len)
		return 0;

	pattern_tokens_end(tokens);
	return 1;
}

/**
 * ftrace_tokens_skip - skip the separators between tokens
 * @text: the text; is advanced past blanks and 0 bytes
 * @len: length of the text; is reduced accordingly
 */
void ftrace_tokens_skip(const char **text, size_t *len)
{
	for (; *len && (pattern_is_blank(**text) || !**text); (*text)++)
		(*len)--;
}

static int pattern_parse_module(struct ftrace_pattern *pattern, char *module)
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

/* The path of an object is the path of its main source file, with another ending. */
static int pattern_parse_source(struct ftrace_pattern *pattern, char *source)
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

/* Parse the text after the first colon: module and source in any order, then a command. */
static int pattern_parse_rest(struct ftrace_pattern *pattern, char *rest)
{
	int err = 0;

	while (rest && !err) {
		char *what = strsep(&rest, ":");

		if (!strcmp(what, "mod")) {
			err = pattern_parse_module(pattern, strsep(&rest, ":"));
		} else if (!strcmp(what, "src")) {
			err = pattern_parse_source(pattern, strsep(&rest, ":"));
		} else {
			pattern->command = what;
			pattern->param = rest;
			return *what ? 0 : -EINVAL;
		}
	}
	return err;
}

/* Parse a function with its module in brackets. Return: the text after the brackets, or NULL */
static char *pattern_parse_shown(struct ftrace_pattern *pattern, char *token)
{
	char *module = strchr(token, ' '), *end;

	if (!module)
		return NULL;
	end = pattern_module_end(module + 1);
	if (!end)
		return NULL;

	*module = '\0';
	*end++ = '\0';
	pattern->module = module + 2;
	return end;
}

/**
 * ftrace_pattern_parse - parse a token into a pattern
 * @pattern: set to the parts, which point into @token
 * @token: the token; is modified
 *
 * Return: 0, or -EINVAL if the token is invalid
 */
int ftrace_pattern_parse(struct ftrace_pattern *pattern, char *token)
{
	char *rest;

	*pattern = (struct ftrace_pattern) { };
	if (*token == '!') {
		pattern->negate = true;
		token++;
	}

	rest = pattern_parse_shown(pattern, token) ?: strchr(token, ':');
	if (rest && *rest) {
		*rest++ = '\0';
		if (pattern_parse_rest(pattern, rest))
			return -EINVAL;
	}

	/* A module or a source without a name selects all its functions. */
	if (!*token && (pattern->module || pattern->source))
		token = "*";
	if (!*token)
		return -EINVAL;

	pattern->name = token;
	pattern->glob = strpbrk(token, FTRACE_GLOB_CHARS);
	return 0;
}

/**
 * ftrace_glob_prepare - prepare a glob for matching many names
 * @glob: the result
 * @text: a name or a glob, which has to remain valid as long as @glob
 *
 * A literal between two stars has its own search, which never has to step back and costs less
 * than glob_match().
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

static bool pattern_has_infix(const char *name, const char *infix, size_t len)
{
	for (; *name; name++)
		if (*name == *infix && !strncmp(name, infix, len))
			return true;
	return false;
}

/**
 * ftrace_glob_match - does a name match a prepared glob?
 * @glob: glob made by ftrace_glob_prepare()
 * @name: full name, NUL-terminated
 */
bool ftrace_glob_match(const struct ftrace_glob *glob, const char *name)
{
	if (glob->infix_len)
		return pattern_has_infix(name, glob->text + 1, glob->infix_len);

	/* Most names already differ in their first byte. */
	if (*glob->text != *name && !strchr(FTRACE_GLOB_CHARS, *glob->text))
		return false;

	return glob_match(glob->text, name);
}

/**
 * ftrace_pattern_match - does a name match a name or a glob?
 * @text: a name or a glob
 * @name: the name to be compared with it
 */
bool ftrace_pattern_match(const char *text, const char *name)
{
	struct ftrace_glob glob;

	ftrace_glob_prepare(&glob, text);
	return ftrace_glob_match(&glob, name);
}
