// SPDX-License-Identifier: GPL-2.0
/*
 * Events in instances: whether an event is recorded into the buffer of an instance.
 *
 * An event that was never used in an instance needs no memory there. The probe of an enabled
 * event is registered with the tracepoint, with struct trace_event_file as its data; so each
 * instance has its own probe, and a disabled event has only the cost of a disabled tracepoint.
 *
 * Triggers of one event can enable another event in any context, including those where a probe
 * cannot be registered: while there are such triggers, the probe remains registered, and does
 * nothing if EVENT_FILE_FL_SOFT_DISABLED is set.
 */
#include <linux/bitops.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "event/core/event_list.h"
#include "event/core/event_spec.h"
#include "event/filter/predicate_match.h"
#include "event/record/event_file.h"
#include "event/record/event_instance.h"
#include "event/record/event_pids.h"
#include "event/record/trigger.h"
#include "filter/pids.h"
#include "instance/core/buffer.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/tracer/current_tracer.h"
#include "instance/tracer/instance_create.h"

LIST_HEAD(trace_event_instances);

/**
 * trace_event_reg - register or unregister the probes of an event with its tracepoint
 * @event: the event; its @tp, probe and perf probe are used
 * @type: the operation
 * @data: data of the probe: the event in an instance
 *
 * Used as trace_event_class.reg of events that are based on tracepoints. May sleep.
 *
 * Return: 0; -ENOENT without a tracepoint, or an error of the tracepoint
 */
int trace_event_reg(struct trace_event_call *event, enum trace_reg type, void *data)
{
	/* A TRACE_CUSTOM_EVENT() whose tracepoint was not found. */
	if (!(event->flags & TRACE_EVENT_FL_TRACEPOINT))
		return -ENOENT;

	switch (type) {
	case TRACE_REG_REGISTER:
		return tracepoint_probe_register(event->tp, event->class->probe, data);
	case TRACE_REG_UNREGISTER:
		tracepoint_probe_unregister(event->tp, event->class->probe, data);
		return 0;
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
		return tracepoint_probe_register(event->tp, event->class->perf_probe,
						 event);
	case TRACE_REG_PERF_UNREGISTER:
		tracepoint_probe_unregister(event->tp, event->class->perf_probe, event);
		return 0;
#endif
	default:
		return 0;
	}
}
EXPORT_SYMBOL_GPL(trace_event_reg);

/**
 * trace_event_in - check whether an instance has an event
 * @tr: the instance
 * @call: the event
 */
bool trace_event_in(struct trace_array *tr, struct trace_event_call *call)
{
	size_t len = strlen(call->class->system);
	const char *at = tr->systems;

	if (!at)
		return true;

	for (; *at; at += strspn(at, ",")) {
		size_t item_len = strcspn(at, ",");

		if (item_len == len && !memcmp(at, call->class->system, len))
			return true;
		at += item_len;
	}

	return false;
}

/**
 * trace_event_file_find - find an event in an instance, if it was used there
 * @tr: the instance
 * @call: the event
 *
 * trace_event_lock held.
 *
 * Return: NULL if it was never used there
 */
struct trace_event_file *trace_event_file_find(struct trace_array *tr,
					       struct trace_event_call *call)
{
	lockdep_assert_held(&trace_event_lock);

	return tr->events ? xa_load(&tr->events->files, call->event.type) : NULL;
}

/**
 * trace_event_file_lookup - find an event in an instance, or create it there
 * @tr: the instance
 * @call: the event
 *
 * trace_event_lock held. May sleep.
 *
 * Return: the event in the instance, which remains valid as long as the event and the instance;
 * or an error: -ENODEV if the instance has no events, or no longer has them
 */
struct trace_event_file *trace_event_file_lookup(struct trace_array *tr,
						 struct trace_event_call *call)
{
	struct trace_event_file *file = trace_event_file_find(tr, call);
	int err, names_task;

	if (file)
		return file;
	if (!tr->events)
		return ERR_PTR(-ENODEV);

	names_task = trace_event_pids_names_task(call);
	if (names_task < 0)
		return ERR_PTR(names_task);

	file = kzalloc(sizeof(*file), GFP_KERNEL);
	if (!file)
		return ERR_PTR(-ENOMEM);

	file->event_call = call;
	file->tr = tr;
	if (names_task)
		file->flags = EVENT_FILE_FL_PID_FILTER;
	INIT_LIST_HEAD(&file->triggers);
	err = xa_err(xa_store(&tr->events->files, call->event.type, file, GFP_KERNEL));
	if (err) {
		kfree(file);
		return ERR_PTR(err);
	}

	return file;
}

/* The first event of an instance is about to be enabled. */
static int event_file_begin(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	return trace_array_expand(tr) ?: trace_cmdlines_events(tr, true);
}

/* The last enabled event of an instance was disabled. */
static void event_file_end(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	trace_cmdlines_events(tr, false);
}

static int event_file_attach(struct trace_event_file *file)
{
	struct trace_event_call *call = file->event_call;
	struct trace_events *events = file->tr->events;
	int err = 0;

	if (!events->enabled)
		err = event_file_begin(file->tr);
	if (!err)
		err = call->class->reg(call, TRACE_REG_REGISTER, file);

	if (!err) {
		set_bit(EVENT_FILE_FL_ENABLED_BIT, &file->flags);
		events->enabled++;
	} else if (!events->enabled) {
		event_file_end(file->tr);
	}

	return err;
}

static void event_file_detach(struct trace_event_file *file)
{
	file->event_call->class->reg(file->event_call, TRACE_REG_UNREGISTER, file);
	clear_bit(EVENT_FILE_FL_ENABLED_BIT, &file->flags);
	if (!--file->tr->events->enabled)
		event_file_end(file->tr);
}

static int event_file_enable(struct trace_event_file *file)
{
	/* A removed trigger may have set it last, on another CPU. */
	clear_bit(EVENT_FILE_FL_SOFT_DISABLED_BIT, &file->flags);

	return file->flags & EVENT_FILE_FL_ENABLED ? 0 : event_file_attach(file);
}

static void event_file_disable(struct trace_event_file *file)
{
	if (file->soft_users)
		set_bit(EVENT_FILE_FL_SOFT_DISABLED_BIT, &file->flags);
	else if (file->flags & EVENT_FILE_FL_ENABLED)
		event_file_detach(file);
}

/**
 * trace_event_set - enable or disable an event in an instance
 * @tr: the instance
 * @call: the event
 * @on: true to enable it
 *
 * trace_event_lock held. May sleep. A probe may still be running after the event was disabled.
 *
 * Return: 0, or an error with the event unchanged
 */
int trace_event_set(struct trace_array *tr, struct trace_event_call *call, bool on)
{
	struct trace_event_file *file;

	if (!on) {
		file = trace_event_file_find(tr, call);
		if (file)
			event_file_disable(file);
		return 0;
	}

	file = trace_event_file_lookup(tr, call);

	return IS_ERR(file) ? PTR_ERR(file) : event_file_enable(file);
}

/**
 * trace_event_soft_enable - register the probe of an event, for triggers
 * @file: the event in an instance
 *
 * An event that is not enabled remains disabled: EVENT_FILE_FL_SOFT_DISABLED is set. Triggers
 * may change that bit in any context. Calls nest. trace_event_lock held; may sleep.
 *
 * Return: 0, or an error without a change
 */
int trace_event_soft_enable(struct trace_event_file *file)
{
	int err = 0;

	lockdep_assert_held(&trace_event_lock);

	if (!(file->flags & EVENT_FILE_FL_ENABLED)) {
		set_bit(EVENT_FILE_FL_SOFT_DISABLED_BIT, &file->flags);
		err = event_file_attach(file);
		if (err)
			clear_bit(EVENT_FILE_FL_SOFT_DISABLED_BIT, &file->flags);
	}
	if (!err && !file->soft_users++)
		set_bit(EVENT_FILE_FL_SOFT_MODE_BIT, &file->flags);

	return err;
}

/**
 * trace_event_soft_disable - undo one trace_event_soft_enable()
 * @file: the event in an instance; a state that triggers have set is kept
 *
 * trace_event_lock held; may sleep.
 */
void trace_event_soft_disable(struct trace_event_file *file)
{
	lockdep_assert_held(&trace_event_lock);

	if (WARN_ON_ONCE(!file->soft_users) || --file->soft_users)
		return;

	clear_bit(EVENT_FILE_FL_SOFT_MODE_BIT, &file->flags);
	if (file->flags & EVENT_FILE_FL_SOFT_DISABLED) {
		/* The probes of an instance that is being removed are already unregistered. */
		if (file->flags & EVENT_FILE_FL_ENABLED)
			event_file_detach(file);
		clear_bit(EVENT_FILE_FL_SOFT_DISABLED_BIT, &file->flags);
	}
}

/**
 * trace_event_state - get the state of an event in an instance
 * @tr: the instance
 * @call: the event
 *
 * trace_event_lock held.
 */
enum trace_event_state trace_event_state(struct trace_array *tr,
					 struct trace_event_call *call)
{
	struct trace_event_file *file = trace_event_file_find(tr, call);
	unsigned long flags = file ? READ_ONCE(file->flags) : 0;

	return flags & EVENT_FILE_FL_ENABLED && !(flags & EVENT_FILE_FL_SOFT_DISABLED) ?
	       TRACE_EVENT_ON : TRACE_EVENT_OFF;
}

/**
 * trace_event_is_soft - check whether triggers may enable and disable an event in an instance
 * @tr: the instance
 * @call: the event
 *
 * trace_event_lock held.
 */
bool trace_event_is_soft(struct trace_array *tr, struct trace_event_call *call)
{
	struct trace_event_file *file = trace_event_file_find(tr, call);

	return file && file->soft_users;
}

/**
 * trace_event_disable_all - unregister the probes of an event that is being removed
 * @call: the event
 *
 * trace_event_lock held; may sleep. Probes may still be running.
 */
void trace_event_disable_all(struct trace_event_call *call)
{
	struct trace_event_file *file;
	struct trace_events *events;

	lockdep_assert_held(&trace_event_lock);

	trace_event_for_each_instance(events) {
		file = trace_event_file_find(events->tr, call);
		if (!file)
			continue;
		trace_triggers_end(file);
		if (file->flags & EVENT_FILE_FL_ENABLED)
			event_file_detach(file);
	}
}

/* Free an event in an instance, whose triggers were removed. It is no longer in use. */
static void event_file_free(struct trace_event_file *file)
{
	if (!file)
		return;

	trace_filter_free(rcu_dereference_protected(file->filter, true));
	kfree(file->filter_error);
	kfree(file);
}

static void event_file_system_filter_free(struct system_filter *shown)
{
	list_del(&shown->list);
	kfree(shown->text);
	kfree(shown);
}

static bool event_file_has_others(const char *system, const struct trace_event_call *but)
{
	struct trace_event_call *call;

	list_for_each_entry(call, &trace_event_calls, list) {
		if (call != but && !strcmp(call->class->system, system))
			return true;
	}

	return false;
}

/* The system is removed with its last event, along with the text written to its filter. */
static void event_file_forget_system(struct trace_events *events,
				     const struct trace_event_call *call)
{
	const char *system = call->class->system;
	struct system_filter *shown, *next;

	list_for_each_entry_safe(shown, next, &events->system_filters, list) {
		if (!strcmp(shown->system, system) && !event_file_has_others(system, call))
			event_file_system_filter_free(shown);
	}
}

/**
 * trace_event_files_free - free the data of an event in all instances
 * @call: the event, which is being removed but still in the list; its probes are no longer
 *	running
 *
 * trace_event_lock held.
 */
void trace_event_files_free(struct trace_event_call *call)
{
	struct trace_events *events;

	lockdep_assert_held(&trace_event_lock);

	trace_event_for_each_instance(events) {
		event_file_free(xa_erase(&events->files, call->event.type));
		event_file_forget_system(events, call);
	}
}

static int event_file_create(struct trace_array *tr)
{
	struct trace_events *events = kzalloc(sizeof(*events), GFP_KERNEL);

	if (!events)
		return -ENOMEM;

	xa_init(&events->files);
	INIT_LIST_HEAD(&events->specs);
	INIT_LIST_HEAD(&events->system_filters);
	events->pids = ftrace_pids_alloc();
	if (!events->pids) {
		kfree(events);
		return -ENOMEM;
	}

	events->pids->follow = tr->options & TRACE_OPT(EVENT_FORK);

	events->tr = tr;

	guard(mutex)(&trace_event_lock);
	tr->events = events;
	list_add(&events->list, &trace_event_instances);

	return 0;
}

static void event_file_destroy(struct trace_array *tr)
{
	struct trace_event_file *file;
	unsigned long type;

	scoped_guard(mutex, &trace_event_lock) {
		/* From now on, loading a module no longer enables events. */
		trace_event_specs_free(&tr->events->specs);
		/* First, as triggers hold references to the events that they enable. */
		xa_for_each(&tr->events->files, type, file)
			trace_triggers_end(file);
		xa_for_each(&tr->events->files, type, file) {
			if (file->flags & EVENT_FILE_FL_ENABLED)
				event_file_detach(file);
		}
	}

	ftrace_pids_clear(tr->events->pids);
}

static void event_file_release(struct trace_array *tr)
{
	struct system_filter *shown, *next;
	struct trace_events *events = tr->events;
	struct trace_event_file *file;
	unsigned long type;

	scoped_guard(mutex, &trace_event_lock) {
		list_del(&events->list);
		tr->events = NULL;
	}

	list_for_each_entry_safe(shown, next, &events->system_filters, list)
		event_file_system_filter_free(shown);
	xa_for_each(&events->files, type, file)
		event_file_free(file);
	xa_destroy(&events->files);
	ftrace_pids_free(events->pids);
	kvfree(events->syscalls);
	kfree(events);
}

static int event_file_set_fork(struct trace_array *tr, bool on)
{
	if (tr->events)
		WRITE_ONCE(tr->events->pids->follow, on);

	return 0;
}

static struct trace_instance_ops events_part = {
	.create		= event_file_create,
	.destroy	= event_file_destroy,
	.release	= event_file_release,
};

/**
 * trace_event_files_init - register the events part of instances
 *
 * Return: 0 or -ENOMEM
 */
int __init trace_event_files_init(void)
{
	trace_option_handle(TRACE_OPTION_EVENT_FORK, event_file_set_fork);

	return register_trace_instance_ops(&events_part);
}
