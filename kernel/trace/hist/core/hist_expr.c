// SPDX-License-Identifier: GPL-2.0
/*
 * Compiler for values of histograms: fields, variables, constants and expressions.
 *
 *	expression	term, or several with + and - between them
 *	term		factor, or several with * and /
 *	factor		-factor, (expression), or one of the following
 *			a number
 *			field[.modifier]
 *			[system.event.]$variable
 *
 * A variable that the trigger itself sets is replaced by its expression.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kref.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "event/core/event_list.h"
#include "hist/core/hist_expr.h"
#include "hist/core/hist_field.h"
#include "hist/core/hist_var.h"

/* Maximum length of a name with modifiers, and nesting depth of parentheses and signs. */
#define EXPR_TOKEN_MAX	128
#define EXPR_NESTED_MAX	16

/**
 * struct expr - an expression that is being parsed
 * @build: the histogram
 * @purpose: purpose of the value
 * @value: the resulting value
 * @at: the remaining text
 * @nested: number of open parentheses and signs
 * @depth: number of values on the program's stack
 * @nr: number of steps
 * @step: the program
 */
struct expr {
	struct hist_build	*build;
	enum hist_purpose	purpose;
	struct hist_value	*value;
	char			*at;
	unsigned int		nested;
	unsigned int		depth;
	unsigned int		nr;
	struct hist_step	step[HIST_STEPS_MAX];
};

static int expr_sum(struct expr *expr);

static int expr_refuse(const struct expr *expr, const char *at, const char *what)
{
	return hist_refuse(expr->build->params, at, what);
}

static int expr_emit(struct expr *expr, const char *at, const struct hist_step *step)
{
	if (expr->nr == HIST_STEPS_MAX)
		return expr_refuse(expr, at, "Too many subexpressions");

	if (step->op <= HIST_OP_REF || step->op >= HIST_OP_TEXT)
		expr->depth++;
	else if (step->op >= HIST_OP_ADD)
		expr->depth--;
	if (expr->depth > HIST_DEPTH_MAX)
		return expr_refuse(expr, at, "Too many subexpressions");
	expr->step[expr->nr++] = *step;

	return 0;
}

static int expr_emit_op(struct expr *expr, const char *at, enum hist_op op)
{
	const struct hist_step *last = expr->nr ? &expr->step[expr->nr - 1] : NULL;

	if (op == HIST_OP_DIV && last->op == HIST_OP_CONST && !last->value)
		return expr_refuse(expr, at, "Divide by zero");

	return expr_emit(expr, at, &(struct hist_step){ .op = op });
}

/* Operators are only valid for numbers. */
static int expr_need_number(const struct expr *expr, const char *at)
{
	if (expr->value->kind != VALUE_NUMBER)
		return expr_refuse(expr, at, "Operand must be a number");

	return 0;
}

/*
 * Modifiers
 */

static const struct {
	const char	*name;
	u8		style;
	u8		purposes;
} modifiers[] = {
	{ "hex", HIST_HEX, BIT(HIST_FOR_KEY) | BIT(HIST_FOR_SUM) | BIT(HIST_FOR_VAR) },
	{ "sym", HIST_SYM, BIT(HIST_FOR_KEY) },
	{ "sym-offset", HIST_SYM_OFFSET, BIT(HIST_FOR_KEY) },
	{ "execname", HIST_EXECNAME, BIT(HIST_FOR_KEY) | BIT(HIST_FOR_VAR) | BIT(HIST_FOR_PARAM) },
	{ "syscall", HIST_SYSCALL, BIT(HIST_FOR_KEY) },
	{ "log2", HIST_LOG2, BIT(HIST_FOR_KEY) | BIT(HIST_FOR_VAR) },
	{ "percent", HIST_PERCENT, BIT(HIST_FOR_SUM) },
	{ "graph", HIST_GRAPH, BIT(HIST_FOR_SUM) },
};

static int expr_buckets(struct expr *expr, const char *at, const char *size)
{
	struct hist_value *value = expr->value;

	if (kstrtoull(size, 0, &value->bucket) || !value->bucket)
		return expr_refuse(expr, at, "Bucket size expected");
	value->style = HIST_BUCKETS;

	return expr_emit(expr, at,
			 &(struct hist_step){ .op = HIST_OP_BUCKET, .value = value->bucket });
}

static int expr_style(struct expr *expr, const char *at, const char *field, const char *modifier)
{
	struct hist_value *value = expr->value;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modifiers); i++) {
		if (!strcmp(modifiers[i].name, modifier) &&
		    modifiers[i].purposes & BIT(expr->purpose))
			break;
	}
	if (i == ARRAY_SIZE(modifiers) || value->kind != VALUE_NUMBER)
		return expr_refuse(expr, at, "Invalid field modifier");

	value->style = modifiers[i].style;
	if (value->style == HIST_EXECNAME && strcmp(field, "common_pid"))
		return expr_refuse(expr, at, "Invalid field modifier");
	if (value->style == HIST_EXECNAME && expr->purpose != HIST_FOR_KEY) {
		value->style = HIST_PLAIN;
		value->kind = VALUE_TEXT;
		strscpy(value->type, "char[16]");
		value->words = TASK_COMM_LEN / sizeof(u64);
		expr->step[expr->nr - 1] = (struct hist_step){ .op = HIST_OP_COMM };
	}
	if (value->style == HIST_LOG2)
		return expr_emit(expr, at, &(struct hist_step){ .op = HIST_OP_LOG2 });

	return 0;
}

/* @at: position of the modifier */
static int expr_modify(struct expr *expr, const char *at, const char *field, const char *modifier)
{
	const struct hist_step *last = &expr->step[expr->nr - 1];

	if (!strcmp(modifier, "usecs") && last->op == HIST_OP_TIME)
		return expr_emit(expr, at, &(struct hist_step){ .op = HIST_OP_USECS });
	if (!strcmp(modifier, "stacktrace") && expr->value->kind == VALUE_STACK)
		return 0;
	if (!strncmp(modifier, "buckets=", 8) && expr->value->kind == VALUE_NUMBER &&
	    (expr->purpose == HIST_FOR_KEY || expr->purpose == HIST_FOR_VAR))
		return expr_buckets(expr, at, modifier + 8);

	return expr_style(expr, at, field, modifier);
}

/*
 * References
 */

/*
 * Add a reference to the variable @var of another histogram. @at: position in the text, for errors.
 * Return: number of the reference, or -EINVAL
 */
static int expr_add_ref(struct hist_build *build, const char *at, struct hist *of,
			unsigned int var)
{
	struct hist *hist = build->hist;
	unsigned int i;

	for (i = 0; i < hist->nr_refs; i++) {
		if (hist->refs[i].hist->table == of->table && hist->refs[i].var == var)
			return i;
	}
	if (i == HIST_REFS_MAX)
		return hist_refuse(build->params, at, "Too many variable references");

	kref_get(&of->ref);
	of->users++;
	hist->refs[i] = (struct hist_ref){ .hist = of, .var = var };
	hist->nr_refs++;

	return i;
}

static int expr_ref(struct expr *expr, const char *at, const char *event, const char *name)
{
	static const u8 ops[] = {
		[VALUE_NUMBER] = HIST_OP_REF,
		[VALUE_TEXT] = HIST_OP_TEXT_REF,
		[VALUE_STACK] = HIST_OP_STACK_REF,
		[VALUE_MASK] = HIST_OP_MASK_REF,
	};
	struct hist_build *build = expr->build;
	const struct hist_value *of;
	struct hist *hist = NULL;
	unsigned int var;
	int ref;

	if (expr->purpose == HIST_FOR_KEY)
		return expr_refuse(expr, at, "Key must not be a variable of another event");

	if (!event && build->match)
		hist = hist_var_find(build->hist->tr, build->match, name, build->hist, &var);
	if (!hist)
		hist = hist_var_find(build->hist->tr, event, name, build->hist, &var);
	if (IS_ERR(hist))
		return expr_refuse(expr, at,
				   "Variable name not unique, need to use fully qualified name (subsys.event.var) for variable");
	if (!hist)
		return expr_refuse(expr, at, "Couldn't find variable");

	ref = expr_add_ref(build, at, hist, var);
	if (ref < 0)
		return ref;

	of = &hist->var[var].value;
	expr->value->kind = of->kind;
	expr->value->words = of->words;
	expr->value->is_signed = of->is_signed;
	expr->value->size = of->size;
	strscpy(expr->value->type, of->type);

	return expr_emit(expr, at, &(struct hist_step){ .op = ops[of->kind], .offset = ref });
}

/* A variable that the trigger sets: compile its expression instead, with its modifiers. */
static int expr_inline(struct expr *expr, char *at, unsigned int own)
{
	struct hist_build *build = expr->build;
	enum hist_purpose purpose = expr->purpose;
	char *after = expr->at;
	int err;

	if (build->inlined++ > HIST_VARS_MAX)
		return expr_refuse(expr, at, "Variable refers to itself");

	expr->at = build->params->vars[own].expr;
	/* Keys have more modifiers, and must not refer to other events. */
	if (purpose != HIST_FOR_KEY)
		expr->purpose = HIST_FOR_VAR;
	err = expr_sum(expr);
	expr->purpose = purpose;
	expr->at = after;
	build->inlined--;

	return err;
}

static int expr_variable(struct expr *expr, char *at, char *token)
{
	char *name = strchr(token, '$') + 1, *event = NULL;
	int own;

	if (name > token + 1) {
		event = token;
		name[-2] = '\0';
		if (name[-1] != '$' || !strchr(event, '.'))
			return expr_refuse(expr, at, "Couldn't find variable");
	}

	own = hist_var_own(expr->build->params, name);
	if (own >= 0 && (!event || hist_is_of(expr->build->hist, event)))
		return expr_inline(expr, at, own);

	return expr_ref(expr, at, event, name);
}

/*
 * Fields and numbers
 */

static int expr_constant(struct expr *expr, const char *at, const char *token)
{
	struct hist_step step = { .op = HIST_OP_CONST };

	if (kstrtoull(token, 0, &step.value))
		return expr_refuse(expr, at, "Invalid number");
	expr->value->kind = VALUE_NUMBER;
	expr->value->words = 1;
	expr->value->size = sizeof(u64);
	strscpy(expr->value->type, "u64");

	return expr_emit(expr, at, &step);
}

/* A field of another event is read through a variable set by a trigger there. */
static int expr_other_field(struct expr *expr, char *at, const char *event, const char *field)
{
	struct hist_build *build = expr->build;
	char name[EXPR_TOKEN_MAX];
	unsigned int var;
	int err = 0;

	if (snprintf(name, sizeof(name), "synthetic_%s", field) >= sizeof(name))
		return expr_refuse(expr, at, "The name is too long");
	if (!hist_var_find(build->hist->tr, event, name, build->hist, &var))
		err = build->params->need_field(build->hist, event, field);
	if (err && err != -EINVAL)
		return err;

	return err ? expr_refuse(expr, at, "Couldn't find field") :
		     expr_ref(expr, at, event, name);
}

/* Split "system.event.field". Return: the field, with the event terminated before it; or NULL */
static char *expr_split_event(char *token)
{
	char *dot = strchr(token, '.');

	dot = dot ? strchr(dot + 1, '.') : NULL;
	if (dot)
		*dot++ = '\0';

	return dot;
}

/* Does a name begin with "system.event."? */
static bool expr_has_event(const char *token)
{
	char event[EXPR_TOKEN_MAX], *dot;

	strscpy(event, token);
	if (!expr_split_event(event))
		return false;
	dot = strchr(event, '.');
	*dot = '\0';

	return trace_event_call_find(event, dot + 1);
}

static int expr_field(struct expr *expr, char *at, char *token);

/* A parameter that is not a field of the event. */
static int expr_qualified(struct expr *expr, char *at, char *token)
{
	char *field = expr_split_event(token);

	if (field && hist_is_of(expr->build->hist, token))
		return expr_field(expr, at + (field - token), field);
	if (field)
		return expr_other_field(expr, at, token, field);
	if (expr->build->match && !strchr(token, '.'))
		return expr_other_field(expr, at, expr->build->match, token);

	return expr_refuse(expr, at, "Couldn't find field");
}

/* A name that is not a field of the event. @modifier: text after the dot in @token, or NULL */
static int expr_not_field(struct expr *expr, char *at, char *token, char *modifier)
{
	int own = hist_var_own(expr->build->params, token);

	/* A key that is saved in a variable can be named by it. */
	if (expr->purpose == HIST_FOR_KEY && own >= 0 && !modifier)
		return expr_inline(expr, at, own);
	if (expr->purpose != HIST_FOR_PARAM)
		return expr_refuse(expr, at, "Couldn't find field");

	if (modifier)
		modifier[-1] = '.';

	return expr_qualified(expr, at, token);
}

static int expr_field(struct expr *expr, char *at, char *token)
{
	char *modifier = strchr(token, '.');
	struct hist_step step;
	int err;

	if (modifier)
		*modifier++ = '\0';
	err = hist_field_step(expr->build->hist->call, token,
			      modifier && !strcmp(modifier, "stacktrace"), expr->value, &step);
	if (err == -ENOENT)
		return expr_not_field(expr, at, token, modifier);
	if (err == -EINVAL)
		return expr_refuse(expr, at, "Field cannot be used");
	if (err)
		return err;

	if (step.op == HIST_OP_TIME)
		expr->build->hist->times = true;
	err = expr_emit(expr, at, &step);

	return !err && modifier ? expr_modify(expr, at + (modifier - token), token, modifier) : err;
}

static size_t expr_token_len(const char *at)
{
	size_t len = 0;

	while (isalnum(at[len]) || at[len] == '_' || at[len] == '.' || at[len] == '$')
		len++;
	/* Modifiers with other characters. */
	if (len >= 4 && !strncmp(at + len - 4, ".sym", 4) && !strncmp(at + len, "-offset", 7))
		len += 7;
	if (len >= 8 && !strncmp(at + len - 8, ".buckets", 8) && at[len] == '=') {
		len++;
		while (isalnum(at[len]))
			len++;
	}

	return len;
}

static int expr_atom(struct expr *expr)
{
	size_t len = expr_token_len(expr->at);
	char token[EXPR_TOKEN_MAX], *at = expr->at;

	if (!len || len >= sizeof(token))
		return expr_refuse(expr, at, len ? "The name is too long" : "Operand expected");
	memcpy(token, at, len);
	token[len] = '\0';
	expr->at += len;

	if (isdigit(*token))
		return expr_constant(expr, at, token);
	if (strchr(token, '$'))
		return expr_variable(expr, at, token);
	/* The system may have the name of a field. */
	if (expr->purpose == HIST_FOR_PARAM && expr_has_event(token))
		return expr_qualified(expr, at, token);

	return expr_field(expr, at, token);
}

/*
 * Operators
 */

static int expr_factor(struct expr *expr)
{
	char *at = expr->at = skip_spaces(expr->at);
	int err;

	if (*at != '-' && *at != '(')
		return expr_atom(expr);
	if (expr->nested == EXPR_NESTED_MAX)
		return expr_refuse(expr, at, "Too many subexpressions");

	expr->nested++;
	expr->at++;
	if (*at == '-') {
		err = expr_factor(expr) ?: expr_need_number(expr, at) ?:
		      expr_emit_op(expr, at, HIST_OP_NEG);
	} else {
		err = expr_sum(expr);
		if (!err && *expr->at != ')')
			err = expr_refuse(expr, at, "No closing parenthesis");
		if (!err)
			expr->at++;
	}
	expr->nested--;

	return err;
}

/* Operands of operators of the same precedence, from left to right. */
static int expr_chain(struct expr *expr, int (*operand)(struct expr *expr), char op1,
		      enum hist_op step1, char op2, enum hist_op step2)
{
	int err = operand(expr);

	while (!err) {
		char *at = expr->at = skip_spaces(expr->at);

		if (*at != op1 && *at != op2)
			break;

		expr->at++;
		err = expr_need_number(expr, at) ?: operand(expr) ?: expr_need_number(expr, at) ?:
		      expr_emit_op(expr, at, *at == op1 ? step1 : step2);
		expr->value->style = HIST_PLAIN;
		expr->value->size = sizeof(u64);
		strscpy(expr->value->type, "u64");
	}

	return err;
}

static int expr_product(struct expr *expr)
{
	return expr_chain(expr, expr_factor, '*', HIST_OP_MUL, '/', HIST_OP_DIV);
}

static int expr_sum(struct expr *expr)
{
	return expr_chain(expr, expr_product, '+', HIST_OP_ADD, '-', HIST_OP_SUB);
}

/* Copy @text without blanks, up to @end or to the end of the text. */
static char *expr_copy(const char *text, char end)
{
	char *copy = kmalloc(strlen(text) + 1, GFP_KERNEL), *to = copy;

	for (; copy && *text && *text != end; text++) {
		if (!isspace(*text))
			*to++ = *text;
	}
	if (copy)
		*to = '\0';

	return copy;
}

/* Variables of other events that an operator reads are unset by that. */
static void expr_read_once(const struct expr *expr)
{
	bool once = false;
	unsigned int i;

	for (i = 0; i < expr->nr; i++)
		once |= expr->step[i].op == HIST_OP_NEG ||
			(expr->step[i].op >= HIST_OP_ADD && expr->step[i].op <= HIST_OP_DIV);
	for (i = 0; once && i < expr->nr; i++) {
		if (expr->step[i].op == HIST_OP_REF)
			expr->build->hist->refs[expr->step[i].offset].once = true;
	}
}

/* Current names of fields, instead of old ones that are accepted but not shown. */
static const char *expr_current_name(const struct hist_step *step, const char *name)
{
	if (step->op == HIST_OP_STACK && !strcmp(name, "stacktrace"))
		return "common_stacktrace";
	if (step->op == HIST_OP_CPU && !strcmp(name, "cpu"))
		return "common_cpu";

	return name;
}

/*
 * Set the names under which the value is shown. The label of a single field or variable includes
 * no modifier and no dollar sign.
 */
static int expr_name(struct expr *expr, const char *text)
{
	struct hist_value *value = expr->value;
	bool single = !text[expr_token_len(text)];

	text = expr_current_name(expr->step, text);
	value->text = expr_copy(text, '\0');
	value->label = expr_copy(text + (single && *text == '$'),
				 single && value->kind != VALUE_STACK ? '.' : '\0');
	value->step = kmemdup_array(expr->step, expr->nr, sizeof(*expr->step), GFP_KERNEL);
	value->nr = expr->nr;

	return value->text && value->label && value->step ? 0 : -ENOMEM;
}

/**
 * hist_value_parse - compile a value of a histogram
 * @build: the histogram
 * @value: the value; its data is freed by hist_value_free(), also after an error
 * @text: text of the expression, in the copy of the trigger's text
 * @purpose: purpose of the value
 *
 * trace_event_lock held. May sleep.
 *
 * Return: 0; -EINVAL with the reason in error_log; -ENOMEM
 */
int hist_value_parse(struct hist_build *build, struct hist_value *value, char *text,
		     enum hist_purpose purpose)
{
	struct expr *expr __free(kfree) = kzalloc(sizeof(*expr), GFP_KERNEL);
	int err;

	if (!expr)
		return -ENOMEM;

	expr->build = build;
	expr->purpose = purpose;
	expr->value = value;
	expr->at = text;
	build->inlined = 0;

	err = expr_sum(expr);
	if (!err && *expr->at)
		err = expr_refuse(expr, expr->at, "Operator expected");
	if (!err && purpose == HIST_FOR_SUM && value->kind != VALUE_NUMBER)
		err = expr_refuse(expr, text, "Values must be numbers");

	if (err)
		return err;

	expr_read_once(expr);

	return expr_name(expr, text);
}
