// SPDX-License-Identifier: GPL-2.0
/*
 * Generation of a synthetic event: an entry for each instance where it is enabled, and an
 * entry for perf.
 */
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rculist.h>
#include <linux/ring_buffer.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "event/core/event_list.h"
#include "event/record/event_nest.h"
#include "event/record/event_users.h"
#include "event/record/perf_entry.h"
#include "instance/core/instance.h"
#include "synth/synth.h"

/*
 * Entries
 */

/* Size of a dynamic field's data in an entry, including the NUL of a string. */
static unsigned int synth_dynamic_len(const struct synth_field *field,
				      const struct synth_value *value)
{
	const void *from = (const void *)(unsigned long)value->value;
	const unsigned long *caller = from;
	unsigned int n = 0;

	if (field->kind == VALUE_TEXT)
		return (from ? strnlen(from, min_t(unsigned int, value->max, VALUE_TEXT_MAX - 1)) :
			       0) + 1;
	while (from && n < value->max && n < VALUE_STACK_MAX && READ_ONCE(caller[n]))
		n++;

	return n * sizeof(*caller);
}

static void synth_set_number(void *at, unsigned int size, u64 value)
{
	switch (size) {
	case 1:
		*(u8 *)at = value;
		break;
	case 2:
		*(u16 *)at = value;
		break;
	case 4:
		*(u32 *)at = value;
		break;
	default:
		*(u64 *)at = value;
	}
}

static void synth_set_text(char *at, unsigned int size, const struct synth_value *value)
{
	const char *from = (const char *)(unsigned long)value->value;
	unsigned int len = from ? strnlen(from, min(value->max, size - 1)) : 0;

	memcpy(at, from, len);
	memset(at + len, 0, size - len);
}

/**
 * synth_set_field - set a field of an entry
 * @entry: the entry
 * @field: the field
 * @value: value of the field. A string that is too long is truncated.
 * @end: offset in the entry where dynamic data is stored; advanced past the data, which is not
 *	longer than the reserved space
 *
 * Context: any
 */
void synth_set_field(void *entry, const struct synth_field *field,
		     const struct synth_value *value, unsigned int *end)
{
	void *at = entry + field->offset;
	unsigned int len;

	if (field->kind == VALUE_NUMBER) {
		synth_set_number(at, field->size, value->value);
		return;
	}
	if (!field->is_dynamic) {
		synth_set_text(at, field->size, value);
		return;
	}

	len = value->max;
	*(u32 *)at = len << 16 | *end;
	if (value->value)
		memcpy(entry + *end, (void *)(unsigned long)value->value, len);
	if (field->kind == VALUE_TEXT)
		*(char *)(entry + *end + len - 1) = '\0';
	memset(entry + *end + len, 0, ALIGN(len, sizeof(u64)) - len);
	*end += ALIGN(len, sizeof(u64));
}

/**
 * struct synth_hit_data - an occurrence of an event
 * @event: the event
 * @values: values of its fields
 * @len: length of each dynamic field, so that it is the same in each entry
 * @size: size of an entry
 */
struct synth_hit_data {
	const struct synth_event	*event;
	const struct synth_value	*values;
	u16				len[SYNTH_FIELDS_MAX];
	unsigned int			size;
};

static void synth_measure(struct synth_hit_data *data)
{
	const struct synth_event *event = data->event;
	unsigned int i;

	data->size = event->size;
	for (i = 0; event->has_dynamic && i < event->nr; i++) {
		if (!event->field[i].is_dynamic)
			continue;
		data->len[i] = synth_dynamic_len(&event->field[i], &data->values[i]);
		data->size += ALIGN(data->len[i], sizeof(u64));
	}
}

static void synth_fill(void *entry, const struct synth_hit_data *data)
{
	const struct synth_event *event = data->event;
	unsigned int i, end = event->size;

	/* The space between fields, too: users can read all of it. */
	memset(entry + sizeof(struct trace_entry), 0, end - sizeof(struct trace_entry));
	for (i = 0; i < event->nr; i++) {
		struct synth_value value = data->values[i];

		if (event->field[i].is_dynamic)
			value.max = data->len[i];
		synth_set_field(entry, &event->field[i], &value, &end);
	}
}

static int synth_record_data(struct trace_event_file *file, const struct synth_hit_data *data)
{
	struct trace_event_buffer fbuffer;
	void *entry;

	if (trace_trigger_soft_disabled(file))
		return 0;

	entry = trace_event_buffer_reserve(&fbuffer, file, data->size);
	if (!entry)
		return -ENOMEM;

	synth_fill(entry, data);
	trace_event_buffer_commit(&fbuffer);

	return 0;
}

#ifdef CONFIG_PERF_EVENTS
static noinline void synth_record_perf(struct synth_event *event,
				       const struct synth_hit_data *data)
{
	struct trace_event_call *call = &event->call;
	struct hlist_head *events = this_cpu_ptr(call->perf_events);
	unsigned int size = trace_perf_size(data->size);
	struct pt_regs *regs;
	int context;
	void *entry;

	if (hlist_empty(events))
		return;

	entry = perf_trace_buf_alloc(size, &regs, &context);
	if (!entry)
		return;

	perf_fetch_caller_regs(regs);
	synth_fill(entry, data);
	memset(entry + data->size, 0, size - data->size);
	perf_trace_buf_submit(entry, size, context, call->event.type, 1, regs, events, NULL);
}
#else
static inline void synth_record_perf(struct synth_event *event,
				     const struct synth_hit_data *data)
{
}
#endif

static void synth_record_all(struct synth_event *event, const struct synth_value *values,
			     bool perf)
{
	struct synth_hit_data data = { .event = event, .values = values };
	const struct trace_event_user *user;

	synth_measure(&data);
	list_for_each_entry_rcu(user, &event->files, list, !preemptible()) {
		struct trace_buffer *buffer = user->file->tr->main.buffer;

		/* The event of the histogram is being written, possibly to the same buffer. */
		ring_buffer_nest_start(buffer);
		synth_record_data(user->file, &data);
		ring_buffer_nest_end(buffer);
	}
	if (perf)
		synth_record_perf(event, &data);
}

/**
 * synth_hit - generate a synthetic event
 * @event: the event
 * @values: values of its fields
 *
 * Context: any, preemption disabled
 */
void synth_hit(struct synth_event *event, const struct synth_value *values)
{
	/* Pairs with synth_reg(). perf's lists are freed with the event. */
	bool perf = smp_load_acquire(&event->perf);
	u8 *depth;

	if (!perf && list_empty(&event->files))
		return;
	depth = trace_event_nest_begin();
	if (!depth)
		return;

	synth_record_all(event, values, perf);
	trace_event_nest_end(depth);
}

/**
 * synth_record - record a synthetic event in one instance
 * @file: the event in the instance
 * @values: values of its fields
 *
 * Context: any, preemption disabled
 *
 * Return: 0, also if it is not enabled; -ENOMEM if recording is not possible now
 */
int synth_record(struct trace_event_file *file, const struct synth_value *values)
{
	struct synth_hit_data data;

	if (!(READ_ONCE(file->flags) & EVENT_FILE_FL_ENABLED))
		return 0;

	data.event = synth_of_call(file->event_call);
	data.values = values;
	synth_measure(&data);

	return synth_record_data(file, &data);
}

/*
 * Users
 */

/**
 * synth_reg - trace_event_class.reg of synthetic events
 * @call: the event
 * @type: the operation
 * @data: the event in an instance, or data of perf
 *
 * trace_event_lock held.
 *
 * Return: 0 or an error
 */
int synth_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	struct synth_event *event = container_of(call, struct synth_event, call);

	lockdep_assert_held(&trace_event_lock);

	switch (type) {
	case TRACE_REG_REGISTER:
		return trace_event_user_add(&event->files, data);
	case TRACE_REG_UNREGISTER:
		trace_event_user_remove(&event->files, data);
		return 0;
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
		/* Pairs with synth_hit(): if it sees @perf, it sees the lists of @call. */
		smp_store_release(&event->perf, true);
		return 0;
	case TRACE_REG_PERF_UNREGISTER:
		WRITE_ONCE(event->perf, false);
		return 0;
#endif
	default:
		return 0;
	}
}
