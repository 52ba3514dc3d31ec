// SPDX-License-Identifier: GPL-2.0
/*
 * The arguments of probes: words like "name=+8(%di):string" become steps of a program. See
 * Documentation/trace/kprobetrace.rst for what they mean.
 */
#include "probe/args.h"
#include "probe/env.h"
#include "probe/type.h"
#include "probe/words.h"

/* Addresses in addresses */
#define DEPTH_MAX	32

/* A string that is written in place of a value has no blanks. */
#define TEXT_MAX	256

/* Names of arguments stand in formats several times. */
#define NAME_MAX_LEN	64

/**
 * struct parsing - an argument that is being read
 * @args: what it is one of
 * @words: what was written
 * @place: PROBE_AT_ENTRY, PROBE_AT_RETURN
 * @room: steps that there is memory for
 * @in_memory: what is meant is not the value at hand, but the memory at
 * @offset: behind it,
 * @user: which is PROBE_USER, or the kernel's
 * @is_text: the value at hand is the address of a string of the kernel
 */
struct parsing {
	struct probe_args	*args;
	struct probe_words	*words;
	unsigned int		place;
	unsigned int		room;
	bool			in_memory;
	long			offset;
	u8			user;
	bool			is_text;
};

static int add(struct parsing *parsing, struct probe_step step)
{
	struct probe_args *args = parsing->args;

	if (args->nr_steps == parsing->room) {
		unsigned int room = parsing->room ? parsing->room * 2 : 16;
		struct probe_step *more;

		more = krealloc_array(args->steps, room, sizeof(*more), GFP_KERNEL);
		if (!more)
			return -ENOMEM;
		args->steps = more;
		parsing->room = room;
	}
	args->steps[args->nr_steps++] = step;

	return 0;
}

static int refuse(struct parsing *parsing, const char *at, const char *what)
{
	return probe_refuse(parsing->words, at, what);
}

/*
 * Values
 */

/* $argN: when the function returns, it is what was kept when it began. */
static int parse_argument(struct parsing *parsing, const char *text)
{
	struct probe_step step = { .op = PROBE_OP_ARGUMENT };
	unsigned long n;

	if (kstrtoul(text + strlen("arg"), 10, &n) || !n || n > PROBE_ARGS_MAX)
		return refuse(parsing, text, "Invalid argument number");
	if (!(parsing->place & (PROBE_AT_ENTRY | PROBE_AT_RETURN)) ||
	    !IS_ENABLED(CONFIG_HAVE_FUNCTION_ARG_ACCESS_API))
		return refuse(parsing, text, "$argN is for the entry of a function");

	step.arg = n - 1;
	if (parsing->place & PROBE_AT_RETURN) {
		step.op = PROBE_OP_KEPT;
		parsing->args->nr_kept = max_t(unsigned int, parsing->args->nr_kept, n);
	}

	return add(parsing, step);
}

static int parse_stack(struct parsing *parsing, const char *text)
{
	struct probe_step step = { .op = PROBE_OP_STACK_POINTER };
	const char *number = text + strlen("stack");
	unsigned long n;

	if (!*number)
		return add(parsing, step);

	/* There is no larger stack. */
	if (kstrtoul(number, 10, &n) || n > 1024 * 1024 / sizeof(long))
		return refuse(parsing, text, "Invalid stack number");
	step.op = PROBE_OP_STACK;
	step.arg = n;

	return add(parsing, step);
}

/* @text: behind the $ */
static int parse_variable(struct parsing *parsing, const char *text)
{
	if (!strcmp(text, "retval")) {
		if (!(parsing->place & PROBE_AT_RETURN))
			return refuse(parsing, text, "$retval is for the return of a function");
		return add(parsing, (struct probe_step){ .op = PROBE_OP_RETURNED });
	}
	if (strstarts(text, "stack"))
		return parse_stack(parsing, text);
	if (!strcmp(text, "comm") || !strcmp(text, "COMM")) {
		parsing->is_text = true;
		return add(parsing, (struct probe_step){ .op = PROBE_OP_COMM });
	}
	if (strstarts(text, "arg"))
		return parse_argument(parsing, text);

	return refuse(parsing, text, "Unknown variable");
}

static int named_register(struct parsing *parsing, const char *name)
{
	int offset = probe_env_register_offset(name);

	if (offset < 0)
		return refuse(parsing, name, "Unknown register");

	return add(parsing, (struct probe_step){ .op = PROBE_OP_REGISTER, .arg = offset });
}

/* @ADDRESS or @SYMBOL+-OFFSET: the memory there. @text is behind the @. */
static int parse_memory(struct parsing *parsing, char *text)
{
	char *sign = strpbrk(text, "+-");
	unsigned long address;
	long offset = 0;

	if (isdigit(*text)) {
		if (kstrtoul(text, 0, &address))
			return refuse(parsing, text, "Invalid memory address");
	} else {
		if (sign && kstrtol(sign + (*sign == '+'), 0, &offset))
			return refuse(parsing, sign, "Invalid offset of a symbol");
		if (sign)
			*sign = '\0';
		address = *text ? probe_env_symbol(text) : 0;
		if (!address)
			return refuse(parsing, text, "There is no such symbol");
	}

	parsing->in_memory = true;
	parsing->offset = 0;
	parsing->user = 0;

	return add(parsing, (struct probe_step){ .op = PROBE_OP_IMMEDIATE,
						 .arg = address + offset });
}

/* \NUMBER or \"text" */
static int parse_immediate(struct parsing *parsing, char *text)
{
	struct probe_step step = { .op = PROBE_OP_IMMEDIATE };
	size_t len = strlen(text);
	unsigned long value;

	if (*text != '"') {
		if (*text == '-' ? kstrtol(text, 0, &step.arg) : kstrtoul(text, 0, &value))
			return refuse(parsing, text, "Invalid immediate value");
		if (*text != '-')
			step.arg = value;
		return add(parsing, step);
	}

	if (len < 2 || text[len - 1] != '"')
		return refuse(parsing, text + len, "A string ends with a quotation mark");
	if (len - 2 >= TEXT_MAX)
		return refuse(parsing, text, "The string is too long");
	/* It is kept with the text of the argument, see set_texts(). */
	parsing->is_text = true;

	return add(parsing, step);
}

/* What is meant becomes the value at hand. */
static int follow(struct parsing *parsing)
{
	if (!parsing->in_memory)
		return 0;
	parsing->in_memory = false;

	return add(parsing, (struct probe_step){ .op = PROBE_OP_LOAD, .user = parsing->user,
						 .arg = parsing->offset });
}

static int parse_value(struct parsing *parsing, char *text, unsigned int depth);

/* +OFFSET(VALUE), +uOFFSET(VALUE), and the same with - */
static int at_address(struct parsing *parsing, char *text, unsigned int depth)
{
	bool user = text[1] == 'u';
	char *number = text + 1 + user, *open = strchr(number, '('), *close;
	unsigned long offset;
	int err;

	if (!open)
		return refuse(parsing, text + strlen(text), "There is no address in brackets");
	close = open + strlen(open) - 1;
	if (*close != ')')
		return refuse(parsing, close + 1, "A bracket is not closed");
	if (depth == DEPTH_MAX)
		return refuse(parsing, text, "Too many addresses in addresses");
	*open = '\0';
	*close = '\0';
	if (kstrtoul(number, 0, &offset) || offset > LONG_MAX)
		return refuse(parsing, number, "Invalid offset");

	err = parse_value(parsing, open + 1, depth + 1);
	if (err)
		return err;
	if (parsing->is_text)
		return refuse(parsing, open + 1, "A string is no address");
	err = follow(parsing);

	parsing->in_memory = true;
	parsing->offset = *text == '-' ? -offset : offset;
	parsing->user = user ? PROBE_USER : 0;

	return err;
}

static int parse_value(struct parsing *parsing, char *text, unsigned int depth)
{
	switch (*text) {
	case '$':
		return parse_variable(parsing, text + 1);
	case '%':
		return named_register(parsing, text + 1);
	case '@':
		return parse_memory(parsing, text + 1);
	case '\\':
		return parse_immediate(parsing, text + 1);
	case '+':
	case '-':
		return at_address(parsing, text, depth);
	default:
		return refuse(parsing, text, "Unknown kind of argument");
	}
}

/*
 * Types
 */

/**
 * struct typed - what a type says
 * @type: the type
 * @nr: values of an array, or 0
 * @left: for a bitfield, as in struct probe_step
 * @right: likewise
 * @at: where the type was written, or what there is instead
 */
struct typed {
	const struct probe_argtype	*type;
	unsigned int		nr;
	u8			left;
	u8			right;
	const char		*at;
};

/* bWIDTH@OFFSET/SIZE. @text is behind the b, and ends behind the size. */
static int parse_bitfield(struct parsing *parsing, char *text, struct typed *typed)
{
	char *at = strchr(text, '@'), *slash = at ? strchr(at, '/') : NULL;
	unsigned int width, offset, size;

	if (!slash)
		return refuse(parsing, text, "A bitfield is bWIDTH@OFFSET/SIZE");
	*at = '\0';
	*slash = '\0';
	if (kstrtouint(text, 10, &width) || kstrtouint(at + 1, 10, &offset) ||
	    kstrtouint(slash + 1, 10, &size))
		return refuse(parsing, text, "A bitfield is bWIDTH@OFFSET/SIZE");

	typed->type = probe_argtype_unsigned(size);
	if (!typed->type || !width || width > size || offset > size - width)
		return refuse(parsing, text, "The bitfield is not within its number");

	typed->left = size - width - offset;
	typed->right = size - width;

	return 0;
}

/* @text: behind the colon */
static int typed_as(struct parsing *parsing, char *text, struct typed *typed)
{
	char *array = strchr(text, '[');

	typed->at = text;
	if (array) {
		char *end = array + strlen(array) - 1;

		if (*end != ']')
			return refuse(parsing, end + 1, "An array is closed by ]");
		*end = '\0';
		*array++ = '\0';
		if (kstrtouint(array, 0, &typed->nr) || !typed->nr)
			return refuse(parsing, array, "Invalid length of an array");
		if (typed->nr > PROBE_ARRAY_MAX)
			return refuse(parsing, array, "The array is too long");
	}

	typed->type = probe_argtype_find(text, strlen(text));
	if (!typed->type && *text == 'b' && isdigit(text[1]))
		return parse_bitfield(parsing, text + 1, typed);
	if (!typed->type)
		return refuse(parsing, text, "Unknown type");

	return 0;
}

/* What is meant goes to @to as a number, or as so many numbers. */
static int end_number(struct parsing *parsing, const struct typed *typed, unsigned int to)
{
	unsigned int size = typed->type->size, nr = typed->nr ?: 1, i;
	struct probe_step step = {
		.op	= parsing->in_memory ? PROBE_OP_COPY : PROBE_OP_STORE,
		.user	= parsing->user,
		.len	= size * nr,
		.to	= to,
		.arg	= parsing->offset,
	};
	int err;

	if (parsing->is_text)
		return refuse(parsing, typed->at, "A string has no other type than string");
	if (typed->nr && !parsing->in_memory)
		return refuse(parsing, typed->at, "An array is in memory");

	err = add(parsing, step);
	for (i = 0; !err && typed->right && i < nr; i++)
		err = add(parsing, (struct probe_step){
			.op	= PROBE_OP_BITS,
			.left	= typed->left,
			.right	= typed->right,
			.len	= size,
			.to	= to + i * size,
		});

	return err;
}

/* So many strings, whose addresses are in memory */
static int end_strings(struct parsing *parsing, const struct typed *typed, unsigned int to)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < typed->nr; i++)
		err = add(parsing, (struct probe_step){
			.op	= PROBE_OP_STRING_AT,
			.user	= parsing->user |
				  (parsing->user || typed->type->form == PROBE_USTRING ?
				   PROBE_STRING_USER : 0),
			.to	= to + i * typed->type->size,
			.arg	= parsing->offset + i * sizeof(long),
		});

	return err;
}

static int end_string(struct parsing *parsing, const struct typed *typed, unsigned int to)
{
	struct probe_step step = { .op = PROBE_OP_STRING, .to = to };
	int err;

	if (parsing->is_text && (typed->type->form != PROBE_STRING || typed->nr))
		return refuse(parsing, typed->at, "A string has no other type than string");

	switch (typed->type->form) {
	case PROBE_STRING:
	case PROBE_USTRING:
		if (parsing->is_text)
			return add(parsing, step);
		if (!parsing->in_memory)
			return refuse(parsing, typed->at, "A string is in memory");
		if (typed->nr)
			return end_strings(parsing, typed, to);
		step.arg = parsing->offset;
		step.user = typed->type->form == PROBE_USTRING ? PROBE_USER : parsing->user;
		return add(parsing, step);
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
		return refuse(parsing, typed->at, "There are no arrays of this type");
	err = follow(parsing);

	return err ?: add(parsing, step);
}

/*
 * Arguments
 */

static const char * const reserved[] = {
	"common_type", "common_flags", "common_preempt_count", "common_pid", "common_tgid",
	"__probe_ip", "__probe_func", "__probe_ret_ip",
};

/* The last argument is the one at hand. */
static bool is_taken(const struct probe_args *args, const char *name)
{
	unsigned int i;

	for (i = 0; i < args->nr - 1; i++) {
		if (!strcmp(name, args->arg[i].name))
			return true;
	}

	return false;
}

static int check_name(struct parsing *parsing, const char *name)
{
	const struct probe_args *args = parsing->args;
	const char *c;
	unsigned int i;

	if (!isalpha(*name) && *name != '_')
		return refuse(parsing, name, "Invalid name of an argument");
	for (c = name; *c; c++) {
		if (!isalnum(*c) && *c != '_')
			return refuse(parsing, name, "Invalid name of an argument");
	}
	for (i = 0; i < ARRAY_SIZE(reserved); i++) {
		if (!strcmp(name, reserved[i]))
			return refuse(parsing, name, "All entries have a field of this name");
	}
	if (strlen(name) >= NAME_MAX_LEN)
		return refuse(parsing, name, "The name is too long");
	if (is_taken(args, name))
		return refuse(parsing, name, "There is an argument of this name already");

	return 0;
}

/* What has to be remembered as text. @text is what was written as the value. */
static int set_texts(struct parsing *parsing, struct probe_arg *arg, const char *name,
		     const char *text, size_t len)
{
	struct probe_step *first = &parsing->args->steps[parsing->args->nr_steps - 2];

	arg->name = name ? kstrdup(name, GFP_KERNEL) :
			   kasprintf(GFP_KERNEL, "arg%u", parsing->args->nr);
	arg->text = kmemdup_nul(text, len, GFP_KERNEL);
	if (!arg->name || !arg->text)
		return -ENOMEM;
	/* Another one may have been given the name that this one would have. */
	if (!name && is_taken(parsing->args, arg->name))
		return refuse(parsing, parsing->words->copy + (text - parsing->words->text),
			      "There is an argument of this name already");
	if (arg->nr && !probe_argtype_is_string(arg->type))
		arg->c_type = kasprintf(GFP_KERNEL, "%s[%u]", arg->type->c_type, arg->nr);
	else
		arg->c_type = kstrdup(arg->type->c_type, GFP_KERNEL);
	if (!arg->c_type)
		return -ENOMEM;

	/* A string in place of a value has its bytes behind the text. */
	if (parsing->is_text && first->op == PROBE_OP_IMMEDIATE) {
		const char *quote = strchr(text, '"');
		size_t size = strcspn(quote + 1, "\"");
		char *both = krealloc(arg->text, len + 1 + size + 1, GFP_KERNEL);

		if (!both)
			return -ENOMEM;
		arg->text = both;
		memcpy(both + len + 1, quote + 1, size);
		both[len + 1 + size] = '\0';
		first->arg = (long)(both + len + 1);
	}

	return 0;
}

/* The colon before the type, which is not one within a string. */
static char *colon_of(char *text)
{
	char *quote = text[0] == '\\' && text[1] == '"' ? strchr(text + 2, '"') : NULL;

	return strchr(quote ?: text, ':');
}

static int parse(struct parsing *parsing, struct probe_arg *arg, char *word)
{
	char *equals = *word == '\\' ? NULL : strchr(word, '=');
	char *text = equals ? equals + 1 : word, *colon;
	const char *written = probe_words_written(parsing->words, text);
	struct typed typed = { .at = text };
	size_t len = strlen(text);
	int err;

	if (equals) {
		*equals = '\0';
		err = check_name(parsing, word);
		if (err)
			return err;
	}
	if (!*text)
		return refuse(parsing, text, "There is no argument");

	colon = colon_of(text);
	if (colon) {
		*colon = '\0';
		err = typed_as(parsing, colon + 1, &typed);
		if (err)
			return err;
	}
	err = parse_value(parsing, text, 0);
	if (err)
		return err;
	if (!typed.type)
		typed.type = parsing->is_text ? probe_argtype_find("string", 6) :
						probe_argtype_find("x64", 3);

	arg->type = typed.type;
	arg->nr = typed.nr;
	arg->offset = parsing->args->size;
	parsing->args->size += arg->type->size * (arg->nr ?: 1);
	if (probe_argtype_is_string(arg->type)) {
		parsing->args->has_strings = true;
		err = end_string(parsing, &typed, arg->offset);
	} else {
		err = end_number(parsing, &typed, arg->offset);
	}

	return err ?: set_texts(parsing, arg, equals ? word : NULL, written, len);
}

/**
 * probe_args_parse - read the arguments of a probe
 * @args: what to set; probe_args_free() frees what is in it, also after an error
 * @words: the definition
 * @first: the word that is the first argument
 * @place: PROBE_AT_ENTRY, PROBE_AT_RETURN or 0
 * @head: bytes of an entry that come before the arguments
 *
 * May sleep.
 *
 * Return: 0; -EINVAL, and @words say why; -E2BIG if there are too many, or the entry is too
 * large; -ENOMEM
 */
int probe_args_parse(struct probe_args *args, struct probe_words *words, unsigned int first,
		     unsigned int place, unsigned int head)
{
	unsigned int room = 0, i;
	int err;

	*args = (struct probe_args){ .size = head };
	if (words->nr <= first)
		return 0;
	if (words->nr - first > PROBE_ARGS_MAX) {
		probe_refuse(words, words->word[first + PROBE_ARGS_MAX],
			     "Too many arguments");
		return -E2BIG;
	}

	args->arg = kcalloc(words->nr - first, sizeof(*args->arg), GFP_KERNEL);
	if (!args->arg)
		return -ENOMEM;

	for (i = first; i < words->nr; i++) {
		struct parsing parsing = { .args = args, .words = words, .place = place,
					   .room = room };
		struct probe_arg *arg = &args->arg[args->nr++];

		err = parse(&parsing, arg, words->word[i]);
		if (err)
			return err;
		room = parsing.room;
		if (args->size > PROBE_ENTRY_MAX / 2) {
			probe_refuse(words, words->word[i], "The entry is too large");
			return -E2BIG;
		}
	}

	return 0;
}

/**
 * probe_args_free - free what probe_args_parse() has made
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
	kfree(args->arg);
	kfree(args->steps);
}

/**
 * probe_args_same - whether two probes have the same arguments
 * @a: arguments of a probe
 * @b: those of another one
 * @text: what they are has to be the same, and not only their names and types
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
