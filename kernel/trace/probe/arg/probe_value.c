// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of the values of probe arguments: "$arg1", "%di", "+8(@symbol)", "file->f_mode" and
 * other values are compiled to steps of a program. See Documentation/trace/kprobetrace.rst and
 * fprobetrace.rst.
 */
#include "probe/arg/env.h"
#include "probe/arg/probe_args.h"
#include "probe/arg/probe_field.h"
#include "probe/arg/probe_parse.h"
#include "probe/arg/probe_def.h"

/* Maximum nesting depth of addresses */
#define VALUE_DEPTH_MAX	32

/* Maximum length of a string constant, which has no blanks. */
#define VALUE_TEXT_MAX	256

/**
 * probe_parse_add - add a step to the program
 * @parsing: the argument
 * @step: the step
 *
 * Return: 0 or -ENOMEM
 */
int probe_parse_add(struct probe_parsing *parsing, struct probe_step step)
{
	struct probe_args *args = parsing->args;

	if (args->nr_steps == parsing->max_steps) {
		unsigned int max_steps = parsing->max_steps ? parsing->max_steps * 2 : 16;
		struct probe_step *more;

		more = krealloc_array(args->steps, max_steps, sizeof(*more), GFP_KERNEL);
		if (!more)
			return -ENOMEM;
		args->steps = more;
		parsing->max_steps = max_steps;
	}
	args->steps[args->nr_steps++] = step;
	args->reads_user |= step.user || step.op == PROBE_OP_MAPPED;

	return 0;
}

static int value_refuse(struct probe_parsing *parsing, const char *at, const char *what)
{
	return probe_refuse(parsing->def, at, what);
}

/**
 * probe_parse_follow - make the argument the current value, by a load if it is in memory
 * @parsing: the argument
 *
 * Return: 0 or -ENOMEM
 */
int probe_parse_follow(struct probe_parsing *parsing)
{
	if (!parsing->in_memory)
		return 0;
	parsing->in_memory = false;

	return probe_parse_add(parsing, (struct probe_step){ .op = PROBE_OP_LOAD,
							     .user = parsing->user,
							     .arg = parsing->offset });
}

/* The argument is in memory from now on, at @offset from the current value. */
static void value_set_memory(struct probe_parsing *parsing, long offset, u8 user)
{
	parsing->in_memory = true;
	parsing->offset = offset;
	parsing->user = user;
}

/* PROBE_USER for a probe in a program, 0 for kernel memory. This is the default. */
static u8 value_whose_memory(const struct probe_parsing *parsing)
{
	return parsing->place->flags & PROBE_AT_USER ? PROBE_USER : 0;
}

/*
 * Arguments of functions
 */

static bool value_has_params(const struct probe_parsing *parsing)
{
	return parsing->place->flags & (PROBE_AT_ENTRY | PROBE_AT_RETURN) &&
	       !(parsing->place->flags & PROBE_AT_USER) &&
	       IS_ENABLED(CONFIG_HAVE_FUNCTION_ARG_ACCESS_API);
}

/**
 * probe_parse_param - make an argument of the function the current value
 * @parsing: the argument of the probe, which is on the entry or return of a function
 * @n: index of the argument, from 0
 *
 * At the return of the function, the value saved at its entry is used.
 *
 * Return: 0 or -ENOMEM
 */
int probe_parse_param(struct probe_parsing *parsing, unsigned int n)
{
	struct probe_step step = { .op = PROBE_OP_ARGUMENT, .arg = n };
	int offset;

	if (parsing->place->flags & PROBE_AT_RETURN) {
		step.op = PROBE_OP_KEPT;
		parsing->args->nr_kept = max_t(unsigned int, parsing->args->nr_kept, n + 1);
		return probe_parse_add(parsing, step);
	}

	/* The first parameter is private to the tracepoint. */
	if (parsing->place->flags & PROBE_AT_TRACEPOINT)
		step.arg++;
	offset = probe_env_argument_offset(step.arg);
	if (offset >= 0) {
		step.op = PROBE_OP_REGISTER;
		step.arg = offset;
	}

	return probe_parse_add(parsing, step);
}

/* $argN */
static int value_argument(struct probe_parsing *parsing, const char *text)
{
	unsigned long n;

	if (kstrtoul(text + strlen("arg"), 10, &n) || !n || n > PROBE_ARGS_MAX)
		return value_refuse(parsing, text, "Invalid argument number");
	if (parsing->place->flags & PROBE_AT_USER)
		return value_refuse(parsing, text, "Only functions of the kernel have $argN");
	if (!value_has_params(parsing))
		return value_refuse(parsing, text,
				    "Only probes at the entry of a function have $argN");

	return probe_parse_param(parsing, n - 1);
}

/**
 * probe_parse_btf - look up the function that a probe is on
 * @parsing: an argument of the probe
 *
 * Return: 0, and parsing->btf is set; an error if the function is not in BTF
 */
int probe_parse_btf(struct probe_parsing *parsing)
{
	const struct probe_place *place = parsing->place;

	if (parsing->btf->btf)
		return 0;
	if (!place->function || !value_has_params(parsing))
		return -ENOENT;

	return probe_btf_find(parsing->btf, place->function,
			      place->flags & PROBE_AT_TRACEPOINT);
}

/* Replace a structure, in memory or at a pointer, by one of its members. */
static int value_member(struct probe_parsing *parsing, const char *name, bool is_pointed)
{
	struct probe_btf_member member;
	int err = 0;

	if (is_pointed) {
		if (!probe_btf_pointee(&parsing->type))
			return value_refuse(parsing, name, "The value before -> is not a pointer");
		err = probe_parse_follow(parsing);
		value_set_memory(parsing, 0, 0);
	}
	if (err)
		return err;
	if (!parsing->in_memory || probe_btf_info(&parsing->type).form != PROBE_BTF_STRUCT)
		return value_refuse(parsing, name, "The value before the name is not a structure");
	if (probe_btf_member(&parsing->type, name, &member))
		return value_refuse(parsing, name, "The structure has no such member");

	parsing->offset += member.offset;
	parsing->type = member.type;
	parsing->bits = member.bits;
	parsing->bit = member.bit;

	return 0;
}

/* @text: the text after a value whose type is known: "->MEMBER.MEMBER", or empty */
static int value_members(struct probe_parsing *parsing, char *text)
{
	int err = 0;

	while (!err && *text) {
		bool is_pointed = strstarts(text, "->");
		char *name = text + (is_pointed ? 2 : 1), rest;
		size_t len = strcspn(name, "-.");

		if (!is_pointed && *text != '.')
			return value_refuse(parsing, text, "Only -> and . can follow a name");
		if (!len)
			return value_refuse(parsing, name, "There is no name of a member");
		text = name + len;
		rest = *text;
		*text = '\0';
		err = value_member(parsing, name, is_pointed);
		*text = rest;
		parsing->name = name;
		parsing->name_len = len;
	}

	return err;
}

/* NAME of an argument of the function, with members */
static int value_named(struct probe_parsing *parsing, char *text)
{
	size_t len = strcspn(text, "-.");
	char rest = text[len];
	int err, n;

	err = probe_parse_btf(parsing);
	if (err == -ENOMEM)
		return err;
	if (err)
		return value_refuse(parsing, text, "Unknown kind of argument");

	text[len] = '\0';
	n = probe_btf_param(parsing->btf, text, &parsing->type);
	text[len] = rest;
	if (n < 0)
		return value_refuse(parsing, text, "The function has no such argument");

	parsing->is_known = true;
	parsing->name = text;
	parsing->name_len = len;

	return probe_parse_param(parsing, n) ?: value_members(parsing, text + len);
}

/* $retval, with members of the object that it points to. @text: the text after the $ */
static int value_returned(struct probe_parsing *parsing, char *text)
{
	char *rest = text + strlen("retval");
	int err;

	if (!(parsing->place->flags & PROBE_AT_RETURN))
		return value_refuse(parsing, text, "Only return probes have $retval");
	err = probe_parse_add(parsing, (struct probe_step){ .op = PROBE_OP_RETURNED });
	if (err)
		return err;

	err = probe_parse_btf(parsing);
	if (err == -ENOMEM)
		return err;
	/* Without BTF it is a number. */
	if (err)
		return *rest ? value_refuse(parsing, rest, "The type is unknown") : 0;

	probe_btf_returned(parsing->btf, &parsing->type);
	if (probe_btf_info(&parsing->type).form == PROBE_BTF_OTHER)
		return value_refuse(parsing, text, "The function has no return value");
	parsing->is_known = true;
	err = value_members(parsing, rest);
	if (!*rest)
		parsing->name = NULL;

	return err;
}

/*
 * Variables and registers
 */

static int value_stack(struct probe_parsing *parsing, const char *text)
{
	struct probe_step step = { .op = PROBE_OP_STACK_POINTER };
	const char *number = text + strlen("stack");
	unsigned long n;

	if (!*number)
		return probe_parse_add(parsing, step);

	/* No stack is larger. */
	if (kstrtoul(number, 10, &n) || n > 1024 * 1024 / sizeof(long))
		return value_refuse(parsing, text, "Invalid stack number");
	if (parsing->place->flags & PROBE_AT_USER) {
		const struct probe_step load = { .op = PROBE_OP_LOAD, .user = PROBE_USER,
						 .arg = n * sizeof(long) };

		return probe_parse_add(parsing, step) ?: probe_parse_add(parsing, load);
	}
	step.op = PROBE_OP_STACK;
	step.arg = n;

	return probe_parse_add(parsing, step);
}

static int value_comm(struct probe_parsing *parsing)
{
	parsing->is_text = true;

	return probe_parse_add(parsing, (struct probe_step){ .op = PROBE_OP_COMM });
}

/* A string is represented by its address, like any other array. */
static int value_field(struct probe_parsing *parsing, const struct probe_field *field)
{
	struct probe_step step = {
		.op	= PROBE_OP_FIELD,
		.left	= field->is_signed,
		.len	= field->size,
		.arg	= field->offset,
	};

	switch (field->form) {
	case PROBE_FIELD_NUMBER:
		break;
	case PROBE_FIELD_ARRAY:
		step.op = PROBE_OP_FIELD_ADDRESS;
		break;
	case PROBE_FIELD_LOC:
		step.op = PROBE_OP_FIELD_LOC;
		break;
	case PROBE_FIELD_REL_LOC:
		step.op = PROBE_OP_FIELD_LOC;
		/* The offset counts from the end of the field. */
		step.to = field->offset + sizeof(u32);
		break;
	}
	parsing->may_be_text = field->is_string;

	return probe_parse_add(parsing, step);
}

/* @text: the text after the $, in an argument of a probe on an event */
static int value_event_variable(struct probe_parsing *parsing, const char *text)
{
	struct probe_field field;
	int err = probe_field_find(&field, parsing->place->call, text);

	if (!err)
		return value_field(parsing, &field);
	if (err != -ENOENT)
		return err;
	if (!strcmp(text, "comm") || !strcmp(text, "COMM"))
		return value_comm(parsing);

	return value_refuse(parsing, text, "The event has no such field");
}

/* @text: the text after the $ */
static int value_variable(struct probe_parsing *parsing, char *text)
{
	size_t len = strcspn(text, "-.");

	if (parsing->place->flags & PROBE_ON_EVENT)
		return value_event_variable(parsing, text);
	if (len == strlen("retval") && strstarts(text, "retval"))
		return value_returned(parsing, text);
	if (strstarts(text, "stack"))
		return value_stack(parsing, text);
	if (!strcmp(text, "comm") || !strcmp(text, "COMM"))
		return value_comm(parsing);
	if (strstarts(text, "arg"))
		return value_argument(parsing, text);

	return value_refuse(parsing, text, "Unknown variable");
}

static int value_register(struct probe_parsing *parsing, const char *name)
{
	int offset;

	if (parsing->place->flags & PROBE_NO_REGISTERS)
		return value_refuse(parsing, name, "This kind of probe has no registers");

	offset = probe_env_register_offset(name);
	if (offset < 0)
		return value_refuse(parsing, name, "Unknown register");

	return probe_parse_add(parsing, (struct probe_step){ .op = PROBE_OP_REGISTER,
							     .arg = offset });
}

/*
 * Memory and immediate values
 */

/*
 * @+OFFSET: memory where the program has mapped the file at that offset. @text begins after the
 * @.
 */
static int value_file_memory(struct probe_parsing *parsing, const char *text)
{
	struct probe_step step = { .op = PROBE_OP_MAPPED };
	unsigned long offset;

	if (!(parsing->place->flags & PROBE_AT_USER))
		return value_refuse(parsing, text,
				    "An offset in a file is for probes in programs");
	if (kstrtoul(text + 1, 0, &offset) || offset > LONG_MAX)
		return value_refuse(parsing, text, "Invalid offset in the file");
	step.arg = offset;

	return probe_parse_add(parsing, step);
}

/* SYMBOL+-OFFSET: its address */
static int value_symbol(struct probe_parsing *parsing, char *text)
{
	struct probe_step step = { .op = PROBE_OP_IMMEDIATE };
	struct probe_args *args = parsing->args;
	struct probe_arg_symbol *more;
	char *sign = strpbrk(text, "+-");
	unsigned long address;
	long offset = 0;

	if (sign && kstrtol(sign + (*sign == '+'), 0, &offset))
		return value_refuse(parsing, sign, "Invalid offset of a symbol");
	if (sign)
		*sign = '\0';
	address = *text ? probe_env_symbol(text) : 0;
	if (!address && (!*text || !(parsing->place->flags & PROBE_WAITS)))
		return value_refuse(parsing, text, "There is no such symbol");

	more = krealloc_array(args->symbols, args->nr_symbols + 1, sizeof(*more), GFP_KERNEL);
	if (!more)
		return -ENOMEM;
	args->symbols = more;
	more += args->nr_symbols;
	*more = (struct probe_arg_symbol){ .offset = offset, .step = args->nr_steps };
	more->name = kstrdup(text, GFP_KERNEL);
	if (!more->name)
		return -ENOMEM;
	args->nr_symbols++;
	step.arg = address ? address + offset : 0;

	return probe_parse_add(parsing, step);
}

/* @ADDRESS or @SYMBOL+-OFFSET: the memory there. @text begins after the @. */
static int value_memory(struct probe_parsing *parsing, char *text)
{
	struct probe_step step = { .op = PROBE_OP_IMMEDIATE };
	unsigned long address;

	value_set_memory(parsing, 0, value_whose_memory(parsing));
	if (*text == '+')
		return value_file_memory(parsing, text);
	if (!isdigit(*text) && parsing->place->flags & PROBE_AT_USER)
		return value_refuse(parsing, text, "Only probes in the kernel can use symbols");
	if (!isdigit(*text))
		return value_symbol(parsing, text);
	if (kstrtoul(text, 0, &address))
		return value_refuse(parsing, text, "Invalid memory address");
	step.arg = address;

	return probe_parse_add(parsing, step);
}

/* \NUMBER or \"text" */
static int value_immediate(struct probe_parsing *parsing, char *text)
{
	struct probe_step step = { .op = PROBE_OP_IMMEDIATE };
	size_t len = strlen(text);
	unsigned long value;

	if (*text != '"') {
		if (*text == '-' ? kstrtol(text, 0, &step.arg) : kstrtoul(text, 0, &value))
			return value_refuse(parsing, text, "Invalid immediate value");
		if (*text != '-')
			step.arg = value;
		return probe_parse_add(parsing, step);
	}

	if (len < 2 || text[len - 1] != '"')
		return value_refuse(parsing, text + len, "A string ends with a quotation mark");
	if (len - 2 >= VALUE_TEXT_MAX)
		return value_refuse(parsing, text, "The string is too long");
	/* probe_args.c stores it with the text of the argument. */
	parsing->is_text = true;

	return probe_parse_add(parsing, step);
}

static int value_parse(struct probe_parsing *parsing, char *text, unsigned int depth);

/* +OFFSET(VALUE), +uOFFSET(VALUE), and the same with - */
static int value_at_address(struct probe_parsing *parsing, char *text, unsigned int depth)
{
	bool user = text[1] == 'u';
	char *number = text + 1 + user, *open = strchr(number, '('), *close;
	unsigned long offset;
	int err;

	if (!open)
		return value_refuse(parsing, text + strlen(text),
				    "There is no address in brackets");
	close = open + strlen(open) - 1;
	if (*close != ')')
		return value_refuse(parsing, close + 1, "A bracket is not closed");
	if (depth == VALUE_DEPTH_MAX)
		return value_refuse(parsing, text, "Too many addresses in addresses");
	*open = '\0';
	*close = '\0';
	if (kstrtoul(number, 0, &offset) || offset > LONG_MAX)
		return value_refuse(parsing, number, "Invalid offset");

	err = value_parse(parsing, open + 1, depth + 1);
	if (err)
		return err;
	if (parsing->is_text)
		return value_refuse(parsing, open + 1, "A string is not an address");
	err = probe_parse_follow(parsing);

	parsing->may_be_text = false;
	parsing->is_known = false;
	parsing->name = NULL;
	value_set_memory(parsing, *text == '-' ? -offset : offset,
			 user ? PROBE_USER : value_whose_memory(parsing));

	return err;
}

static int value_parse(struct probe_parsing *parsing, char *text, unsigned int depth)
{
	switch (*text) {
	case '$':
		return value_variable(parsing, text + 1);
	case '%':
		return value_register(parsing, text + 1);
	case '@':
		return value_memory(parsing, text + 1);
	case '\\':
		return value_immediate(parsing, text + 1);
	case '+':
	case '-':
		return value_at_address(parsing, text, depth);
	default:
		if (isalpha(*text) || *text == '_')
			return value_named(parsing, text);
		return value_refuse(parsing, text, "Unknown kind of argument");
	}
}

/**
 * probe_parse_value - parse the value of an argument
 * @parsing: the argument
 * @text: part of a token of the definition, without name and type
 *
 * Return: 0; -EINVAL, with the reason in parsing->def; -ENOMEM
 */
int probe_parse_value(struct probe_parsing *parsing, char *text)
{
	return value_parse(parsing, text, 0);
}
