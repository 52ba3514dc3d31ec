// SPDX-License-Identifier: GPL-2.0
/*
 * Compiler for event filters. See predicate.h for the grammar, and predicate_match.h for the
 * result.
 *
 * The parser reads the text once and emits a test for each comparison. The jump targets of a
 * test are not known at first: exits that will get the same target are chained.
 */
#include "event/filter/predicate_compare.h"
#include "event/filter/predicate_match.h"
#include "event/filter/predicate.h"
#include "event/core/fields.h"

#define FIELD_NAME_MAX	128

/*
 * Exits of tests whose target is not known yet: a chain through the elements of
 * predicate.next[]. An exit is twice the number of the test, plus the index.
 */
struct predicate_exits {
	u16	first;
	u16	last;
};

#define NO_EXIT		0xffff
#define NO_EXITS	((struct predicate_exits){ NO_EXIT, NO_EXIT })

/**
 * struct predicate_level - state of an expression in parentheses
 * @match: true exits of finished parts of ||
 * @fail: false exits of finished parts of the current &&
 * @not: there is a ! before the parenthesis
 * @at: position of the parenthesis
 */
struct predicate_level {
	struct predicate_exits	match;
	struct predicate_exits	fail;
	bool		not;
	const char	*at;
};

/**
 * struct predicate_parse - state of the compiler
 * @filter: the result
 * @at: current position in the text
 * @find: callback that finds fields
 * @data: argument of @find
 * @error: set on error
 * @match: true exits of the last term
 * @fail: false exits of the last term
 * @depth: number of open parentheses
 * @level: expressions in the open parentheses; [0] is the whole filter
 * @name: name of the field of a test
 */
struct predicate_parse {
	struct event_filter		*filter;
	const char			*at;
	trace_field_find_t		find;
	const void			*data;
	struct trace_filter_error	*error;
	struct predicate_exits		match;
	struct predicate_exits		fail;
	unsigned int			depth;
	struct predicate_level		level[TRACE_FILTER_DEPTH_MAX + 1];
	char				name[FIELD_NAME_MAX];
};

/* An operator must precede any operator that is a prefix of it. */
static const struct {
	const char	*text;
	enum op		op;
} ops[] = {
	{ "==", OP_EQ }, { "!=", OP_NE }, { "<=", OP_LE }, { "<", OP_LT },
	{ ">=", OP_GE }, { ">", OP_GT }, { "&", OP_BITS }, { "~", OP_GLOB },
};

static int predicate_fail(struct predicate_parse *parse, const char *at, const char *what)
{
	parse->error->what = what;
	parse->error->at = at - parse->filter->text;
	return -EINVAL;
}

static u16 *predicate_exit_of(struct event_filter *filter, u16 exit)
{
	return &filter->test[exit / 2].next[exit % 2];
}

static struct predicate_exits predicate_exits_join(struct event_filter *filter,
						   struct predicate_exits a,
						   struct predicate_exits b)
{
	if (a.first == NO_EXIT)
		return b;
	if (b.first == NO_EXIT)
		return a;

	*predicate_exit_of(filter, a.last) = b.first;
	return (struct predicate_exits){ a.first, b.last };
}

static void predicate_exits_lead_to(struct event_filter *filter, struct predicate_exits exits,
				    u16 to)
{
	u16 exit = exits.first;

	while (exit != NO_EXIT) {
		u16 *next = predicate_exit_of(filter, exit);

		exit = exit == exits.last ? NO_EXIT : *next;
		*next = to;
	}
}

/* Fields that every event has although they are not in its entries. */
static const struct ftrace_event_field everywhere[] = {
	{ .name = "CPU", .filter_type = FILTER_CPU },
	{ .name = "cpu", .filter_type = FILTER_CPU },
	{ .name = "common_cpu", .filter_type = FILTER_CPU },
	{ .name = "COMM", .filter_type = FILTER_COMM },
	{ .name = "comm", .filter_type = FILTER_COMM },
	{ .name = "common_comm", .filter_type = FILTER_COMM },
};

static const struct ftrace_event_field *predicate_field_find(struct predicate_parse *parse)
{
	const struct ftrace_event_field *field = parse->find(parse->data, parse->name);
	unsigned int i;

	for (i = 0; !field && i < ARRAY_SIZE(everywhere); i++)
		if (!strcmp(parse->name, everywhere[i].name))
			field = &everywhere[i];
	return field;
}

static size_t predicate_name_len(const char *text)
{
	size_t len = 0;

	while (isalnum(text[len]) || text[len] == '_')
		len++;
	return len;
}

static int predicate_parse_modifier(struct predicate_parse *parse, struct comparison *cmp)
{
	const char *at = parse->at;
	size_t len;

	if (*at != '.')
		return 0;

	len = predicate_name_len(++at);
	if (len == strlen("function") && !strncmp(at, "function", len))
		cmp->modifier = MOD_FUNCTION;
	else if (len == strlen("ustring") && !strncmp(at, "ustring", len))
		cmp->modifier = MOD_USTRING;
	else
		return predicate_fail(parse, at,
				      "A field can be followed by .function or .ustring only");

	parse->at = at + len;
	return 0;
}

static int predicate_parse_field(struct predicate_parse *parse, struct comparison *cmp)
{
	const char *at = parse->at;
	size_t len = predicate_name_len(at);

	if (!len)
		return predicate_fail(parse, at, "Field expected");
	if (len < sizeof(parse->name)) {
		memcpy(parse->name, at, len);
		parse->name[len] = '\0';
		cmp->field = predicate_field_find(parse);
	}
	if (IS_ERR(cmp->field))
		return PTR_ERR(cmp->field);
	/* events.rst documents the mark at the parser's position, which is the operator. */
	if (!cmp->field)
		return predicate_fail(parse, skip_spaces(at + len), "Field not found");

	parse->at = at + len;
	return predicate_parse_modifier(parse, cmp);
}

static int predicate_parse_op(struct predicate_parse *parse, struct comparison *cmp)
{
	unsigned int i;

	parse->at = skip_spaces(parse->at);
	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		size_t len = strlen(ops[i].text);

		if (strncmp(parse->at, ops[i].text, len))
			continue;
		/* In `a && b', a is not a test. */
		if (ops[i].op == OP_BITS && parse->at[1] == '&')
			break;

		cmp->op = ops[i].op;
		parse->at += len;
		return 0;
	}
	return predicate_fail(parse, parse->at, "Operator expected");
}

/* Length of an unquoted token: up to a space, a parenthesis, or the next operator. */
static size_t predicate_token_len(const char *text)
{
	size_t len;

	for (len = 0; text[len] && !isspace(text[len]); len++)
		if (text[len] == ')' || !strncmp(text + len, "&&", 2) ||
		    !strncmp(text + len, "||", 2))
			break;
	return len;
}

static int predicate_parse_value(struct predicate_parse *parse, struct comparison *cmp)
{
	const char *at = parse->at, *end;

	cmp->quoted = *at == '"' || *at == '\'';
	if (cmp->quoted) {
		end = strchr(at + 1, *at);
		if (!end)
			return predicate_fail(parse, at, "Closing quote is missing");
		parse->at = end + 1;
		at++;
	} else if (!strncmp(at, "CPUS{", 5)) {
		end = strchr(at, '}');
		if (!end)
			return predicate_fail(parse, at, "Closing '}' is missing");
		parse->at = ++end;
	} else {
		end = at + predicate_token_len(at);
		if (end == at)
			return predicate_fail(parse, at, "Value expected");
		parse->at = end;
	}

	cmp->len = end - at;
	if (cmp->len >= MAX_FILTER_STR_VAL)
		return predicate_fail(parse, at - cmp->quoted, "Value is too long");

	/* The parser reads the following characters from the text itself. */
	cmp->text = parse->filter->strings + (at - parse->filter->text);
	cmp->text[cmp->len] = '\0';
	return 0;
}

/* Update the range of entry bytes that the filter accesses to include the field. */
static void predicate_look_at(struct event_filter *filter, const struct ftrace_event_field *field,
			      const struct predicate *p)
{
	unsigned int from = field->offset;

	if (p->load == LOAD_CPU || p->load == LOAD_COMM)
		return;

	filter->from = min(filter->from, from);
	filter->need = max_t(unsigned int, filter->need,
			     from + (p->load == LOAD_DYN || p->load == LOAD_REL ?
				     sizeof(u32) : field->size));
}

static int predicate_parse_test(struct predicate_parse *parse)
{
	struct event_filter *filter = parse->filter;
	struct comparison cmp = { };
	const char *at = parse->at;
	u16 nr = filter->nr;
	struct predicate *p = &filter->test[nr];
	int err;

	err = predicate_parse_field(parse, &cmp);
	if (!err)
		err = comparison_field(&cmp, p);
	if (!err)
		err = predicate_parse_op(parse, &cmp);
	if (!err) {
		parse->at = skip_spaces(parse->at);
		at = parse->at;
		err = predicate_parse_value(parse, &cmp);
	}
	if (!err) {
		/* From here on, memory of the test is freed with the filter. */
		filter->nr++;
		err = comparison_value(&cmp, p);
	}
	if (err)
		return cmp.wrong ? predicate_fail(parse, at, cmp.wrong) : err;

	predicate_look_at(filter, cmp.field, p);
	parse->match = (struct predicate_exits){ 2 * nr + 1, 2 * nr + 1 };
	parse->fail = (struct predicate_exits){ 2 * nr, 2 * nr };
	return 0;
}

static void predicate_negate(struct predicate_parse *parse)
{
	struct predicate_exits match = parse->match;

	parse->match = parse->fail;
	parse->fail = match;
}

static int predicate_level_open(struct predicate_parse *parse, bool not)
{
	if (parse->depth == TRACE_FILTER_DEPTH_MAX)
		return predicate_fail(parse, parse->at, "Too many '('");

	parse->level[++parse->depth] = (struct predicate_level) {
		.match = NO_EXITS, .fail = NO_EXITS, .not = not, .at = parse->at,
	};
	parse->at++;
	return 0;
}

/* The expression of the current level is complete: it becomes the last term. */
static void predicate_level_finish(struct predicate_parse *parse)
{
	struct predicate_level *level = &parse->level[parse->depth];

	parse->match = predicate_exits_join(parse->filter, level->match, parse->match);
	parse->fail = predicate_exits_join(parse->filter, level->fail, parse->fail);
}

static int predicate_level_close(struct predicate_parse *parse)
{
	if (!parse->depth)
		return predicate_fail(parse, parse->at, "Too many ')'");

	predicate_level_finish(parse);
	if (parse->level[parse->depth--].not)
		predicate_negate(parse);
	parse->at++;
	return 0;
}

/* Parse a term, or an opening parenthesis. @term: set to true if a term follows. */
static int predicate_parse_term(struct predicate_parse *parse, bool *term)
{
	bool not = false;
	int err;

	for (; *parse->at == '!'; parse->at = skip_spaces(parse->at + 1))
		not = !not;

	*term = *parse->at == '(';
	if (*term)
		return predicate_level_open(parse, not);

	err = predicate_parse_test(parse);
	if (!err && not)
		predicate_negate(parse);
	return err;
}

/* Parse the operator after a term. @term: set to true if a term follows. */
static int predicate_parse_joint(struct predicate_parse *parse, bool *term)
{
	struct event_filter *filter = parse->filter;
	struct predicate_level *level = &parse->level[parse->depth];

	*term = false;
	if (*parse->at == ')')
		return predicate_level_close(parse);

	if (!strncmp(parse->at, "&&", 2)) {
		predicate_exits_lead_to(filter, parse->match, filter->nr);
		level->fail = predicate_exits_join(filter, level->fail, parse->fail);
	} else if (!strncmp(parse->at, "||", 2)) {
		parse->fail = predicate_exits_join(filter, level->fail, parse->fail);
		predicate_exits_lead_to(filter, parse->fail, filter->nr);
		level->match = predicate_exits_join(filter, level->match, parse->match);
		level->fail = NO_EXITS;
	} else {
		return predicate_fail(parse, parse->at, "&&, || or ')' expected");
	}

	*term = true;
	parse->at += 2;
	return 0;
}

static int predicate_parse_filter(struct predicate_parse *parse)
{
	bool term = true;
	int err;

	parse->level[0] = (struct predicate_level){ .match = NO_EXITS, .fail = NO_EXITS };
	for (;;) {
		parse->at = skip_spaces(parse->at);
		if (term)
			err = predicate_parse_term(parse, &term);
		else if (*parse->at)
			err = predicate_parse_joint(parse, &term);
		else
			break;
		if (err)
			return err;
	}
	if (parse->depth)
		return predicate_fail(parse, parse->level[parse->depth].at, "')' is missing");

	predicate_level_finish(parse);
	predicate_exits_lead_to(parse->filter, parse->match, ACCEPT);
	predicate_exits_lead_to(parse->filter, parse->fail, REJECT);
	return 0;
}

/* Upper bound for the number of tests in the text. */
static size_t predicate_tests_most(const char *text)
{
	size_t nr = 1;

	for (; *text; text++)
		nr += !strncmp(text, "&&", 2) || !strncmp(text, "||", 2);
	return nr;
}

static struct event_filter *predicate_filter_make(const char *text, size_t len, size_t tests)
{
	struct event_filter *filter;
	size_t size = struct_size(filter, test, tests);

	filter = kvzalloc(size + 2 * (len + 1), GFP_KERNEL);
	if (!filter)
		return NULL;

	filter->text = (char *)filter + size;
	filter->strings = filter->text + len + 1;
	memcpy(filter->text, text, len);
	memcpy(filter->strings, text, len);
	filter->from = UINT_MAX;
	return filter;
}

/**
 * trace_filter_compile - compile a filter
 * @text: text of the filter
 * @find: finds a field of the event; fields of the task and the CPU, which every event has, are
 *	handled without it
 * @data: argument of @find
 * @error: set to the error in the text if -EINVAL is returned
 *
 * Context: may sleep
 *
 * Return: the filter, to be freed by trace_filter_free(); ERR_PTR(-EINVAL) or ERR_PTR(-ENOMEM)
 */
struct event_filter *trace_filter_compile(const char *text, trace_field_find_t find,
					  const void *data,
					  struct trace_filter_error *error)
{
	size_t len = strlen(text), tests = predicate_tests_most(text);
	struct event_filter *filter = NULL;
	struct predicate_parse *parse;
	int err = -ENOMEM;

	*error = (struct trace_filter_error) { };
	if (len > TRACE_FILTER_TEXT_MAX || tests > TESTS_MAX) {
		error->what = "Filter is too long";
		return ERR_PTR(-EINVAL);
	}

	parse = kzalloc(sizeof(*parse), GFP_KERNEL);
	if (parse)
		filter = predicate_filter_make(text, len, tests);
	if (filter) {
		parse->filter = filter;
		parse->at = filter->text;
		parse->find = find;
		parse->data = data;
		parse->error = error;
		err = predicate_parse_filter(parse);
	}
	if (err)
		trace_filter_free(filter);
	kfree(parse);
	return err ? ERR_PTR(err) : filter;
}

/**
 * trace_filter_functions - list the functions named in a filter of ftrace:function
 * @filter: filter compiled for the event ftrace:function
 * @each: callback for each function; the first error that it returns ends the iteration
 * @data: argument of @each
 *
 * Such a filter is not matched with entries, but selects the functions that are traced.
 *
 * Return: 0; -EINVAL if the filter is more than a list of `ip == function' with || or of `ip !=
 * function' with &&; or the error of @each
 */
int trace_filter_functions(const struct event_filter *filter, trace_filter_function_t each,
			   void *data)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < filter->nr; i++) {
		const struct predicate *p = &filter->test[i];

		if (p->test != TEST_FUNCTION || p->not != filter->test[0].not ||
		    p->next[!p->not] != (p->not ? REJECT : ACCEPT))
			return -EINVAL;
	}
	for (i = 0; !err && i < filter->nr; i++)
		err = each(data, filter->test[i].text, filter->test[i].not);
	return err;
}
