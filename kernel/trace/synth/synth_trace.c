// SPDX-License-Identifier: GPL-2.0
/*
 * Synthetic events that kernel code lets happen. See Documentation/trace/events.rst, "In-kernel
 * trace event API".
 *
 * A value is a u64: a number, or the address of a string or of the addresses of a stack.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/preempt.h>
#include <linux/stdarg.h>
#include <linux/string.h>

#include "synth/synth.h"

static struct synth_value synth_value_of(const struct synth_field *field, u64 value)
{
	return (struct synth_value){
		.value	= value,
		.max	= field->kind == VALUE_STACK ? VALUE_STACK_MAX : VALUE_TEXT_MAX,
	};
}

static int synth_trace_values(struct trace_event_file *file, const struct synth_value *values)
{
	int err;

	preempt_disable_notrace();
	err = synth_record(file, values);
	preempt_enable_notrace();

	return err;
}

/**
 * synth_event_trace - let a synthetic event happen in an instance
 * @file: the event in the instance, from trace_get_event_file()
 * @n_vals: how many values follow
 *
 * Values follow as u64, one for each field. A string that is too long is cut.
 *
 * Context: any
 *
 * Return: 0, also if it is not enabled; -EINVAL if it is no synthetic event, or has another
 * number of fields; -ENOMEM if nothing can be recorded now
 */
int synth_event_trace(struct trace_event_file *file, unsigned int n_vals, ...)
{
	struct synth_event *event = synth_of_call(file->event_call);
	struct synth_value values[SYNTH_FIELDS_MAX];
	unsigned int i;
	va_list args;

	if (!event || n_vals != event->nr)
		return -EINVAL;

	va_start(args, n_vals);
	for (i = 0; i < n_vals; i++)
		values[i] = synth_value_of(&event->field[i], va_arg(args, u64));
	va_end(args);

	return synth_trace_values(file, values);
}
EXPORT_SYMBOL_GPL(synth_event_trace);

/**
 * synth_event_trace_array - let a synthetic event happen in an instance
 * @file: the event in the instance, from trace_get_event_file()
 * @vals: one for each field
 * @n_vals: how many
 *
 * Context: any
 *
 * Return: as synth_event_trace()
 */
int synth_event_trace_array(struct trace_event_file *file, u64 *vals, unsigned int n_vals)
{
	struct synth_event *event = synth_of_call(file->event_call);
	struct synth_value values[SYNTH_FIELDS_MAX];
	unsigned int i;

	if (!event || n_vals != event->nr)
		return -EINVAL;

	for (i = 0; i < n_vals; i++)
		values[i] = synth_value_of(&event->field[i], vals[i]);

	return synth_trace_values(file, values);
}
EXPORT_SYMBOL_GPL(synth_event_trace_array);

/*
 * Field by field
 */

/**
 * synth_event_trace_start - begin to let a synthetic event happen
 * @file: the event in the instance, from trace_get_event_file()
 * @trace_state: for the fields; synth_event_trace_end() has to follow in any case but an error
 *
 * Context: any; preemption is disabled until synth_event_trace_end()
 *
 * Return: 0, also if it is not enabled; -EINVAL if it is no synthetic event, or one with a field
 * whose length is not known before; -ENOMEM if nothing can be recorded now
 */
int synth_event_trace_start(struct trace_event_file *file,
			    struct synth_event_trace_state *trace_state)
{
	struct synth_event *event;
	void *entry;

	if (!trace_state)
		return -EINVAL;

	*trace_state = (struct synth_event_trace_state){};
	event = synth_of_call(file->event_call);
	if (!event || event->has_dynamic)
		return -EINVAL;

	trace_state->event = event;
	preempt_disable_notrace();
	if (!(READ_ONCE(file->flags) & EVENT_FILE_FL_ENABLED) ||
	    trace_trigger_soft_disabled(file)) {
		trace_state->disabled = true;
		return 0;
	}

	entry = trace_event_buffer_reserve(&trace_state->fbuffer, file, event->size);
	if (!entry) {
		preempt_enable_notrace();
		return -ENOMEM;
	}
	memset(entry + sizeof(struct trace_entry), 0, event->size - sizeof(struct trace_entry));
	trace_state->entry = entry;

	return 0;
}
EXPORT_SYMBOL_GPL(synth_event_trace_start);

static void synth_trace_set(struct synth_event_trace_state *state, unsigned int nr, u64 val)
{
	const struct synth_field *field = &state->event->field[nr];
	const struct synth_value value = synth_value_of(field, val);
	unsigned int end = 0;

	/* None is dynamic. */
	if (!state->disabled)
		synth_set_field(state->entry, field, &value, &end);
}

/**
 * synth_event_add_next_val - set the next field
 * @val: its value
 * @trace_state: of synth_event_trace_start()
 *
 * Context: that of synth_event_trace_start()
 *
 * Return: 0; -EINVAL if there is no further field, or one was set by its name
 */
int synth_event_add_next_val(u64 val, struct synth_event_trace_state *trace_state)
{
	if (!trace_state || trace_state->add_name ||
	    trace_state->cur_field == trace_state->event->nr)
		return -EINVAL;

	trace_state->add_next = true;
	synth_trace_set(trace_state, trace_state->cur_field++, val);

	return 0;
}
EXPORT_SYMBOL_GPL(synth_event_add_next_val);

/**
 * synth_event_add_val - set a field by its name
 * @field_name: the name
 * @val: its value
 * @trace_state: of synth_event_trace_start()
 *
 * Context: that of synth_event_trace_start()
 *
 * Return: 0; -EINVAL if there is no such field, or one was set without its name
 */
int synth_event_add_val(const char *field_name, u64 val,
			struct synth_event_trace_state *trace_state)
{
	unsigned int i;

	if (!trace_state || !field_name || trace_state->add_next)
		return -EINVAL;

	trace_state->add_name = true;
	for (i = 0; i < trace_state->event->nr; i++) {
		if (!strcmp(trace_state->event->field[i].name, field_name)) {
			synth_trace_set(trace_state, i, val);
			return 0;
		}
	}

	return -EINVAL;
}
EXPORT_SYMBOL_GPL(synth_event_add_val);

/**
 * synth_event_trace_end - let a synthetic event happen
 * @trace_state: of synth_event_trace_start(). Fields that were not set are 0.
 *
 * Context: that of synth_event_trace_start()
 *
 * Return: 0, or -EINVAL without @trace_state
 */
int synth_event_trace_end(struct synth_event_trace_state *trace_state)
{
	if (!trace_state)
		return -EINVAL;

	if (!trace_state->disabled)
		trace_event_buffer_commit(&trace_state->fbuffer);
	preempt_enable_notrace();

	return 0;
}
EXPORT_SYMBOL_GPL(synth_event_trace_end);
