// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of probe arguments: tokens like "name=+8(%di):string" become fields of an entry and
 * steps of a program. See Documentation/trace/kprobetrace.rst for their meaning.
 */
#include "probe/arg/env.h"
#include "probe/arg/probe_args.h"
#include "probe/arg/probe_parse.h"
#include "probe/arg/probe_type.h"
#include "probe/arg/probe_def.h"

/* Names of arguments appear several times in a format. */
#define ARG_NAME_MAX	64

static int arg_refuse(struct probe_parsing *parsing, const char *at, const char *what)
{
	return probe_refuse(parsing->def, at, what);
}

/*
 * Types
 */

/**
 * struct arg_typed - parsed type of an argument
 * @type: the type
 * @nr: number of values in an array, or 0
 * @left: left shift for a bitfield, as in struct probe_step
 * @right: right shift for a bitfield, as in struct probe_step
 * @at: position of the type, or of the argument if it has no type
 */
struct arg_typed {
	const struct probe_argtype	*type;
	unsigned int		nr;
	u8			left;
	u8			right;
	const char		*at;
};

/* bWIDTH@OFFSET/SIZE. @text begins after the b, and ends after the size. */
static int arg_bitfield(struct probe_parsing *parsing, char *text, struct arg_typed *typed)
{
	char *at = strchr(text, '@'), *slash = at ? strchr(at, '/') : NULL;
	unsigned int width, offset, size;

	if (!slash)
		return arg_refuse(parsing, text, "A bitfield is bWIDTH@OFFSET/SIZE");
	*at = '\0';
	*slash = '\0';
	if (kstrtouint(text, 10, &width) || kstrtouint(at + 1, 10, &offset) ||
	    kstrtouint(slash + 1, 10, &size))
		return arg_refuse(parsing, text, "A bitfield is bWIDTH@OFFSET/SIZE");

	typed->type = probe_argtype_number(size, false);
	if (!typed->type || !width || width > size || offset > size - width)
		return arg_refuse(parsing, text, "The bitfield is not within its number");

	typed->left = size - width - offset;
	typed->right = size - width;

	return 0;
}

/* @text: the text after the colon */
static int arg_typed_as(struct probe_parsing *parsing, char *text, struct arg_typed *typed)
{
	char *array = strchr(text, '[');

	typed->at = text;
	if (array) {
		char *end = array + strlen(array) - 1;

		if (*end != ']')
			return arg_refuse(parsing, end + 1, "An array is closed by ]");
		*end = '\0';
		*array++ = '\0';
		if (kstrtouint(array, 0, &typed->nr) || !typed->nr)
			return arg_refuse(parsing, array, "Invalid length of an array");
		if (typed->nr > PROBE_ARRAY_MAX)
			return arg_refuse(parsing, array, "The array is too long");
	}

	typed->type = probe_argtype_find(text, strlen(text));
	if (typed->type && parsing->place->flags & PROBE_AT_USER &&
	    (typed->type->form == PROBE_DENTRY || typed->type->form == PROBE_FILE))
		return arg_refuse(parsing, text, "Only structures of the kernel have this type");
	if (!typed->type && *text == 'b' && isdigit(text[1]))
		return arg_bitfield(parsing, text + 1, typed);
	if (!typed->type)
		return arg_refuse(parsing, text, "Unknown type");

	return 0;
}

/* Store the current value at @to: often the step that sets it can do this, too. */
static int arg_store(struct probe_parsing *parsing, unsigned int size, unsigned int to)
{
	struct probe_args *args = parsing->args;
	struct probe_step *last = &args->steps[args->nr_steps - 1];

	if (last->op > PROBE_OP_LAST_KNOWN)
		return probe_parse_add(parsing, (struct probe_step){ .op = PROBE_OP_STORE,
								     .put = size, .to = to });
	last->put = size;
	last->to = to;

	return 0;
}

/* Store the value at @to, as a number or as an array of numbers. */
static int arg_end_number(struct probe_parsing *parsing, const struct arg_typed *typed,
			  unsigned int to)
{
	unsigned int size = typed->type->size, nr = typed->nr ?: 1, i;
	const struct probe_step copy = {
		.op	= PROBE_OP_COPY,
		.user	= parsing->user,
		.len	= size * nr,
		.to	= to,
		.arg	= parsing->offset,
	};
	int err;

	if (parsing->is_text)
		return arg_refuse(parsing, typed->at, "A string must have the type string");
	if (typed->nr && !parsing->in_memory)
		return arg_refuse(parsing, typed->at, "An array is in memory");

	err = parsing->in_memory ? probe_parse_add(parsing, copy) : arg_store(parsing, size, to);
	for (i = 0; !err && typed->right && i < nr; i++)
		err = probe_parse_add(parsing, (struct probe_step){
			.op	= PROBE_OP_BITS,
			.left	= typed->left,
			.right	= typed->right,
			.len	= size,
			.to	= to + i * size,
		});

	return err;
}

/* Store an array of strings, whose addresses are in memory */
static int arg_end_strings(struct probe_parsing *parsing, const struct arg_typed *typed,
			   unsigned int to)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < typed->nr; i++)
		err = probe_parse_add(parsing, (struct probe_step){
			.op	= PROBE_OP_STRING_AT,
			.user	= parsing->user |
				  (parsing->user || typed->type->form == PROBE_USTRING ?
				   PROBE_STRING_USER : 0),
			.to	= to + i * typed->type->size,
			.arg	= parsing->offset + i * sizeof(long),
		});

	return err;
}

static int arg_end_string(struct probe_parsing *parsing, const struct arg_typed *typed,
			  unsigned int to)
{
	struct probe_step step = { .op = PROBE_OP_STRING, .to = to };
	int err;

	if (parsing->is_text && (typed->type->form != PROBE_STRING || typed->nr))
		return arg_refuse(parsing, typed->at, "A string must have the type string");

	switch (typed->type->form) {
	case PROBE_STRING:
	case PROBE_USTRING:
		if (parsing->is_text)
			return probe_parse_add(parsing, step);
		if (!parsing->in_memory && (!parsing->may_be_text || typed->nr))
			return arg_refuse(parsing, typed->at, "A string is in memory");
		if (typed->nr)
			return arg_end_strings(parsing, typed, to);
		step.arg = parsing->offset;
		step.user = typed->type->form == PROBE_USTRING ? PROBE_USER : parsing->user;
		return probe_parse_add(parsing, step);
	case PROBE_SYMSTR:
		step.op = PROBE_OP_SYMSTR;
		break;
	case PROBE_DENTRY:
		step.op = PROBE_OP_DENTRY;
		break;
	case PROBE_FILE:
		step.op = PROBE_OP_FILE;
		break;
	}

	if (typed->nr)
		return arg_refuse(parsing, typed->at, "This type cannot have arrays");
	err = probe_parse_follow(parsing);

	return err ?: probe_parse_add(parsing, step);
}

/*
 * Arguments
 */

static const char * const arg_reserved[] = {
	"common_type", "common_flags", "common_preempt_count", "common_pid", "common_tgid",
	"__probe_ip", "__probe_func", "__probe_ret_ip",
};

/* Search the earlier arguments: the last one is the argument being parsed. */
static bool arg_is_taken(const struct probe_args *args, const char *name)
{
	unsigned int i;

	for (i = 0; i < args->nr - 1; i++) {
		if (!strcmp(name, args->arg[i].name))
			return true;
	}

	return false;
}

static int arg_check_name(struct probe_parsing *parsing, const char *name)
{
	const struct probe_args *args = parsing->args;
	const char *c;
	unsigned int i;

	if (!isalpha(*name) && *name != '_')
		return arg_refuse(parsing, name, "Invalid name of an argument");
	for (c = name; *c; c++) {
		if (!isalnum(*c) && *c != '_')
			return arg_refuse(parsing, name, "Invalid name of an argument");
	}
	for (i = 0; i < ARRAY_SIZE(arg_reserved); i++) {
		if (!strcmp(name, arg_reserved[i]))
			return arg_refuse(parsing, name, "All entries have a field of this name");
	}
	if (strlen(name) >= ARG_NAME_MAX)
		return arg_refuse(parsing, name, "The name is too long");
	if (arg_is_taken(args, name))
		return arg_refuse(parsing, name, "An argument of this name already exists");

	return 0;
}

/* @name: the name as written, or NULL */
static char *arg_name(const struct probe_parsing *parsing, const char *name)
{
	if (name)
		return kstrdup(name, GFP_KERNEL);
	if (parsing->name)
		return kmemdup_nul(parsing->name, parsing->name_len, GFP_KERNEL);

	return kasprintf(GFP_KERNEL, "arg%u", parsing->args->nr);
}

/* Copy the texts of an argument. @text is the value as written. */
static int arg_set_texts(struct probe_parsing *parsing, struct probe_arg *arg, const char *name,
			 const char *text, size_t len)
{
	const struct probe_args *args = parsing->args;

	arg->name = arg_name(parsing, name);
	arg->text = kmemdup_nul(text, len, GFP_KERNEL);
	if (!arg->name || !arg->text)
		return -ENOMEM;
	if (arg->nr && !probe_argtype_is_string(arg->type))
		arg->c_type = kasprintf(GFP_KERNEL, "%s[%u]", arg->type->c_type, arg->nr);
	else
		arg->c_type = kstrdup(arg->type->c_type, GFP_KERNEL);
	if (!arg->c_type)
		return -ENOMEM;

	/* A string constant is stored after the text. Its steps are the last two. */
	if (parsing->is_text && args->steps[args->nr_steps - 2].op == PROBE_OP_IMMEDIATE) {
		const char *quote = strchr(text, '"');
		size_t size = strcspn(quote + 1, "\"");
		char *both = krealloc(arg->text, len + 1 + size + 1, GFP_KERNEL);

		if (!both)
			return -ENOMEM;
		arg->text = both;
		memcpy(both + len + 1, quote + 1, size);
		both[len + 1 + size] = '\0';
		args->steps[args->nr_steps - 2].arg = (long)(both + len + 1);
	}

	return 0;
}

/* Find the colon before the type; a colon inside a string is skipped. */
static char *arg_colon_of(char *text)
{
	char *quote = text[0] == '\\' && text[1] == '"' ? strchr(text + 2, '"') : NULL;

	return strchr(quote ?: text, ':');
}

/* Type of an argument whose definition has no type */
static const struct probe_argtype *arg_default_type(const struct probe_parsing *parsing)
{
	const struct probe_argtype *number = probe_argtype_find("x64", 3);
	struct probe_btf_info info;

	if (parsing->is_text || parsing->may_be_text)
		return probe_argtype_find("string", 6);
	if (!parsing->is_known)
		return number;

	info = probe_btf_info(&parsing->type);
	switch (info.form) {
	case PROBE_BTF_NUMBER:
		return probe_argtype_number(info.size * BITS_PER_BYTE,
					    info.is_signed && !parsing->bits);
	case PROBE_BTF_POINTER:
	case PROBE_BTF_CHAR_POINTER:
		return number;
	case PROBE_BTF_CHARS:
		return probe_argtype_find("string", 6);
	case PROBE_BTF_STRUCT:
		/* An argument of this size is in a register, like a number. */
		return parsing->in_memory || info.size > sizeof(long) ? NULL : number;
	default:
		return NULL;
	}
}

/* A string according to BTF: it is either at the address in a pointer, or in the value itself. */
static int arg_find_string(struct probe_parsing *parsing, const struct arg_typed *typed)
{
	int err;

	switch (probe_btf_info(&parsing->type).form) {
	case PROBE_BTF_CHARS:
		return 0;
	case PROBE_BTF_CHAR_POINTER:
		err = probe_parse_follow(parsing);
		parsing->in_memory = true;
		parsing->offset = 0;
		return err;
	default:
		return arg_refuse(parsing, typed->at, "The value is not a string");
	}
}

/* A bitfield of a structure, read as the number that contains it */
static int arg_set_bits(struct probe_parsing *parsing, struct arg_typed *typed)
{
	unsigned int size = probe_btf_info(&parsing->type).size;

	if (typed->nr || typed->right || probe_argtype_is_string(typed->type) ||
	    typed->type->size != size)
		return arg_refuse(parsing, typed->at,
				  "A bitfield must have the type of its number");

	typed->right = size * BITS_PER_BYTE - parsing->bits;
	typed->left = typed->right - parsing->bit;

	return 0;
}

/* Make a field of the parsed value. */
static int arg_end(struct probe_parsing *parsing, struct probe_arg *arg, struct arg_typed *typed)
{
	bool is_pointed_string;
	int err = 0;

	if (!typed->type)
		typed->type = arg_default_type(parsing);
	if (!typed->type)
		return arg_refuse(parsing, typed->at, "No type can show the value");

	is_pointed_string = !typed->nr && (typed->type->form == PROBE_STRING ||
					   typed->type->form == PROBE_USTRING);
	if (parsing->is_known && is_pointed_string)
		err = arg_find_string(parsing, typed);
	else if (parsing->bits)
		err = arg_set_bits(parsing, typed);
	if (err)
		return err;

	arg->type = typed->type;
	arg->nr = typed->nr;
	arg->offset = parsing->args->size;
	parsing->args->size += arg->type->size * (arg->nr ?: 1);
	if (!probe_argtype_is_string(arg->type))
		return arg_end_number(parsing, typed, arg->offset);
	parsing->args->has_strings = true;

	return arg_end_string(parsing, typed, arg->offset);
}

/* Is the default name of an argument unused? @at: the argument in the definition */
static int arg_check_default_name(struct probe_parsing *parsing, const char *at)
{
	char *name = arg_name(parsing, NULL);
	bool is_taken;

	if (!name)
		return -ENOMEM;

	is_taken = arg_is_taken(parsing->args, name);
	kfree(name);

	return is_taken ? arg_refuse(parsing, at, "An argument of this name already exists") : 0;
}

static int arg_parse(struct probe_parsing *parsing, struct probe_arg *arg, char *token)
{
	char *equals = *token == '\\' ? NULL : strchr(token, '=');
	char *text = equals ? equals + 1 : token, *colon;
	const char *written = probe_def_original(parsing->def, text);
	struct arg_typed typed = { .at = text };
	size_t len = strlen(text);
	int err;

	if (equals) {
		*equals = '\0';
		err = arg_check_name(parsing, token);
		if (err)
			return err;
	}
	if (!*text)
		return arg_refuse(parsing, text, "There is no argument");

	colon = arg_colon_of(text);
	if (colon) {
		*colon = '\0';
		err = arg_typed_as(parsing, colon + 1, &typed);
		if (err)
			return err;
	}
	err = probe_parse_value(parsing, text);
	if (!err && !equals)
		err = arg_check_default_name(parsing, text);

	return err ?: arg_end(parsing, arg, &typed) ?:
	       arg_set_texts(parsing, arg, equals ? token : NULL, written, len);
}

/* Parse one of the function arguments that "$arg*" expands to; @at: position of "$arg*" */
static int arg_parse_param(struct probe_parsing *parsing, struct probe_arg *arg, unsigned int n,
			   const char *at)
{
	const char *name = probe_btf_param_name(parsing->btf, n);
	struct arg_typed typed = { .at = at };
	int err;

	if (arg_is_taken(parsing->args, name))
		return arg_refuse(parsing, at, "An argument of this name already exists");
	probe_btf_param(parsing->btf, name, &parsing->type);
	parsing->is_known = true;

	err = probe_parse_param(parsing, n);

	return err ?: arg_end(parsing, arg, &typed) ?:
	       arg_set_texts(parsing, arg, name, name, strlen(name));
}

/*
 * All arguments of a probe
 */

static bool arg_is_all(const char *token)
{
	return !strcmp(token, "$arg*");
}

/* Number of arguments that a token expands to */
static int arg_count(struct probe_parsing *parsing, const char *token)
{
	const char *name;
	int err, nr = 0;

	if (!arg_is_all(token))
		return 1;

	err = probe_parse_btf(parsing);
	if (err == -ENOMEM)
		return err;
	if (err)
		return arg_refuse(parsing, token, "The arguments of the function are unknown");
	while ((name = probe_btf_param_name(parsing->btf, nr)) && *name)
		nr++;

	return nr;
}

/* Parse one of the arguments that a token expands to, and append it to args->arg. */
static int arg_parse_nth(struct probe_parsing *parsing, char *token, unsigned int n)
{
	struct probe_args *args = parsing->args;
	struct probe_arg *arg = &args->arg[args->nr++];
	int err;

	if (arg_is_all(token))
		err = arg_parse_param(parsing, arg, n, token);
	else
		err = arg_parse(parsing, arg, token);
	if (!err && args->size > PROBE_ENTRY_MAX / 2) {
		arg_refuse(parsing, token, "The entry is too large");
		return -E2BIG;
	}

	return err;
}

static int arg_parse_token(const struct probe_parsing *like, unsigned int *max_steps, char *token)
{
	struct probe_args *args = like->args;
	struct probe_parsing parsing = *like;
	int nr = arg_count(&parsing, token), n, err = 0;
	struct probe_arg *more;

	if (nr <= 0)
		return nr;
	if (args->nr + nr > PROBE_ARGS_MAX) {
		arg_refuse(&parsing, token, "Too many arguments");
		return -E2BIG;
	}
	more = krealloc_array(args->arg, args->nr + nr, sizeof(*more), GFP_KERNEL);
	if (!more)
		return -ENOMEM;
	args->arg = more;
	memset(more + args->nr, 0, nr * sizeof(*more));

	for (n = 0; !err && n < nr; n++) {
		parsing = *like;
		parsing.max_steps = *max_steps;
		err = arg_parse_nth(&parsing, token, n);
		*max_steps = parsing.max_steps;
	}

	return err;
}

/**
 * probe_args_parse - parse the arguments of a probe
 * @args: filled in; must be freed with probe_args_free(), also after an error
 * @def: the definition
 * @first: index of the token that is the first argument
 * @place: place of the probe
 * @head: size of an entry before the arguments, in bytes
 *
 * May sleep.
 *
 * Return: 0; -EINVAL, with the reason in @def; -E2BIG if there are too many arguments, or the
 *	entry is too large; -ENOMEM
 */
int probe_args_parse(struct probe_args *args, struct probe_def *def, unsigned int first,
		     const struct probe_place *place, unsigned int head)
{
	struct probe_btf btf = {};
	const struct probe_parsing parsing = { .args = args, .def = def, .place = place,
					       .btf = &btf };
	unsigned int max_steps = 0, i;
	int err = 0;

	*args = (struct probe_args){ .head = head, .size = head };
	for (i = first; !err && i < def->nr; i++)
		err = arg_parse_token(&parsing, &max_steps, def->token[i]);
	probe_btf_put(&btf);

	return err;
}

/**
 * probe_args_free - free the memory allocated by probe_args_parse()
 * @args: the arguments
 */
void probe_args_free(struct probe_args *args)
{
	unsigned int i;

	for (i = 0; i < args->nr; i++) {
		kfree(args->arg[i].name);
		kfree(args->arg[i].text);
		kfree(args->arg[i].c_type);
	}
	for (i = 0; i < args->nr_symbols; i++)
		kfree(args->symbols[i].name);
	kfree(args->symbols);
	kfree(args->arg);
	kfree(args->steps);
}

/**
 * probe_args_same - do two probes have the same arguments?
 * @a: arguments of a probe
 * @b: arguments of another probe
 * @text: also compare the values of the arguments, not only names and types
 */
bool probe_args_same(const struct probe_args *a, const struct probe_args *b, bool text)
{
	unsigned int i;

	if (a->nr != b->nr || a->size != b->size)
		return false;

	for (i = 0; i < a->nr; i++) {
		const struct probe_arg *x = &a->arg[i], *y = &b->arg[i];

		if (strcmp(x->name, y->name) || x->type != y->type || x->nr != y->nr ||
		    (text && strcmp(x->text, y->text)))
			return false;
	}

	return true;
}
