// SPDX-License-Identifier: GPL-2.0
/*
 * Fields of events, and common values like the time stamp, as values of histograms.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "event/core/fields.h"
#include "hist/core/hist_field.h"
#include "synth/synth.h"

static unsigned int field_words(unsigned int bytes)
{
	return DIV_ROUND_UP(min_t(unsigned int, bytes, VALUE_TEXT_MAX), sizeof(u64));
}

/* Values of all events that are not fields of their entries. */
static const struct {
	const char	*name;
	const char	*old_name;
	u8		op;
	u8		kind;
	u8		words;
	bool		is_signed;
	const char	*type;
} standins[] = {
	{ "common_timestamp", NULL, HIST_OP_TIME, VALUE_NUMBER, 1, false, "u64" },
	{ "common_cpu", "cpu", HIST_OP_CPU, VALUE_NUMBER, 1, true, "unsigned int" },
	{ "common_stacktrace", "stacktrace", HIST_OP_STACK, VALUE_STACK, VALUE_STACK_MAX, false,
	  "unsigned long[]" },
};

/* The function that calls the probes of a tracepoint, if there are several. */
static void field_stack(struct trace_event_call *call, struct hist_step *step)
{
	unsigned long at, size;

	if (!(call->flags & TRACE_EVENT_FL_TRACEPOINT))
		return;

	at = (unsigned long)call->tp->iterator;
	if (!kallsyms_lookup_size_offset(at, &size, NULL))
		return;
	step->value = at;
	step->size = min_t(unsigned long, size, U16_MAX);
}

static bool field_standin(struct trace_event_call *call, const char *name, bool old,
			  struct hist_value *value, struct hist_step *step)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(standins); i++) {
		const char *known = old ? standins[i].old_name : standins[i].name;

		if (!known || strcmp(known, name))
			continue;
		step->op = standins[i].op;
		value->kind = standins[i].kind;
		value->words = standins[i].words;
		value->is_signed = standins[i].is_signed;
		value->size = standins[i].op == HIST_OP_CPU ? sizeof(int) : sizeof(u64);
		strscpy(value->type, standins[i].type);
		if (step->op == HIST_OP_STACK)
			field_stack(call, step);
		return true;
	}

	return false;
}

static int field_number(const struct ftrace_event_field *field, struct hist_value *value,
			struct hist_step *step)
{
	value->kind = VALUE_NUMBER;
	value->words = 1;
	value->is_signed = field->is_signed;
	value->size = field->size;

	if (field->len)
		return -EINVAL;
	switch (field->size) {
	case 1:
		step->op = field->is_signed ? HIST_OP_S8 : HIST_OP_U8;
		return 0;
	case 2:
		step->op = field->is_signed ? HIST_OP_S16 : HIST_OP_U16;
		return 0;
	case 4:
		step->op = field->is_signed ? HIST_OP_S32 : HIST_OP_U32;
		return 0;
	case 8:
		step->op = HIST_OP_64;
		return 0;
	default:
		return -EINVAL;
	}
}

static void field_text(struct hist_value *value, struct hist_step *step, u8 op,
		       unsigned int bytes)
{
	value->kind = VALUE_TEXT;
	value->words = field_words(bytes);
	step->op = op;
}

static void field_bits(const struct ftrace_event_field *field, struct hist_value *value,
		       struct hist_step *step, unsigned int bits)
{
	value->kind = VALUE_MASK;
	value->words = BITS_TO_U64(bits);
	step->op = strstarts(field->type, "__rel_loc") ? HIST_OP_MASK_REL : HIST_OP_MASK_DYN;
}

/* "long[]" is a stack trace in a synthetic event, and otherwise a bitmask if not stated. */
static int field_longs(const struct ftrace_event_field *field, bool stack,
		       struct hist_value *value, struct hist_step *step)
{
	if (!stack) {
		field_bits(field, value, step, VALUE_TEXT_MAX * BITS_PER_BYTE);
		return 0;
	}
	if (!strstarts(field->type, "__data_loc"))
		return -EINVAL;

	value->kind = VALUE_STACK;
	value->words = VALUE_STACK_MAX;
	step->op = HIST_OP_STACK_DYN;

	return 0;
}

static int field_of_event(struct trace_event_call *call, const struct ftrace_event_field *field,
			  bool stack, struct hist_value *value, struct hist_step *step)
{
	bool dynamic = strstarts(field->type, "__data_loc") || strstarts(field->type, "__rel_loc");

	strscpy(value->type, field->type);
	step->offset = field->offset;
	step->size = field->size;

	switch (field->filter_type) {
	case FILTER_STATIC_STRING:
		field_text(value, step, field->size ? HIST_OP_TEXT : HIST_OP_TEXT_REST,
			   field->size ?: VALUE_TEXT_MAX);
		return 0;
	case FILTER_DYN_STRING:
		field_text(value, step, HIST_OP_TEXT_DYN, VALUE_TEXT_MAX);
		return 0;
	case FILTER_RDYN_STRING:
		field_text(value, step, HIST_OP_TEXT_REL, VALUE_TEXT_MAX);
		return 0;
	case FILTER_PTR_STRING:
		field_text(value, step, HIST_OP_TEXT_PTR, VALUE_TEXT_MAX);
		return 0;
	case FILTER_CPUMASK:
		field_bits(field, value, step, nr_cpumask_bits);
		return 0;
	}

	if (dynamic && strstr(field->type, "long[]"))
		return field_longs(field, stack || synth_of_call(call), value, step);
	if (dynamic || stack)
		return -EINVAL;

	return field_number(field, value, step);
}

/**
 * hist_field_step - get the step that loads a field
 * @call: the event
 * @name: name of the field, or of a common value
 * @stack: the value must be a stack trace
 * @value: its kind, type and size are set
 * @step: set to the step
 *
 * trace_event_lock held. May sleep.
 *
 * Return: 0; -ENOENT if there is no such field, -EINVAL if it cannot be a value, -ENOMEM
 */
int hist_field_step(struct trace_event_call *call, const char *name, bool stack,
		    struct hist_value *value, struct hist_step *step)
{
	const struct ftrace_event_field *field;

	*step = (struct hist_step){};
	if (field_standin(call, name, false, value, step))
		return 0;

	field = trace_event_field(call, name);
	if (IS_ERR(field))
		return PTR_ERR(field);
	if (field)
		return field_of_event(call, field, stack, value, step);

	return field_standin(call, name, true, value, step) ? 0 : -ENOENT;
}
