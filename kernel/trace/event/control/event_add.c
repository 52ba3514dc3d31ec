// SPDX-License-Identifier: GPL-2.0
/*
 * Registration of trace events: of the kernel, of modules, and at run time.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/tracepoint.h>

#include "event/control/event_add.h"
#include "event/control/event_set.h"
#include "event/core/enum_names.h"
#include "event/core/event_list.h"
#include "event/core/fields.h"
#include "event/record/event_file.h"
#include "event/record/event_perf.h"

/* trace_event_lock */
static LIST_HEAD(event_watches);

/**
 * trace_event_notifier - register callbacks for added and removed events
 * @watch: the callbacks. @watch->added() is also called for the existing events
 *
 * Called from an initcall. trace_event_lock held.
 */
void __init trace_event_notifier(struct trace_event_notifier *watch)
{
	struct trace_event_call *call;

	lockdep_assert_held(&trace_event_lock);

	list_add_tail(&watch->list, &event_watches);
	list_for_each_entry(call, &trace_event_calls, list)
		watch->added(call);
}

static int event_add_error(struct trace_event_call *call, int err)
{
	pr_warn_ratelimited("could not add event %s:%s: error %d\n", call->class->system,
			    trace_event_name(call), err);

	return err;
}

static bool event_add_is_taken(const char *system, const char *name)
{
	return name && trace_event_call_find(system, name);
}

static int event_add_add(struct trace_event_call *call, struct module *mod)
{
	int err = trace_event_call_register(call);
	struct trace_event_notifier *watch;

	/* A system call that this kernel does not have. */
	if (err == -ENOSYS)
		return err;
	if (err)
		return event_add_error(call, err);

	if (!(call->flags & TRACE_EVENT_FL_DYNAMIC))
		call->module = mod;
	list_for_each_entry(watch, &event_watches, list)
		watch->added(call);

	return 0;
}

/* No probe of the event is running any longer. Its fields are not freed here. */
static void event_add_free(struct trace_event_call *call)
{
	trace_event_files_free(call);
	trace_perf_forget(call);
	trace_event_call_unregister(call);
}

/**
 * trace_event_add_fixed - add an event that tracing itself writes
 * @call: the event, which is never removed
 *
 * Return: 0 or an error
 */
int __init trace_event_add_fixed(struct trace_event_call *call)
{
	guard(mutex)(&trace_event_lock);

	return event_add_add(call, NULL);
}

/**
 * trace_add_event_call - add an event at run time
 * @call: the event; TRACE_EVENT_FL_DYNAMIC is set in it
 *
 * May sleep.
 *
 * Return: 0, or an error without adding it; -EEXIST if its system has an event of that name
 */
int trace_add_event_call(struct trace_event_call *call)
{
	guard(mutex)(&trace_event_lock);

	/* It may be registered already; then it must not be changed. */
	if (event_add_is_taken(call->class->system, trace_event_name(call)))
		return event_add_error(call, -EEXIST);

	/* A dynamic event is reference-counted in ->refcnt, which shares storage with ->module. */
	if (!(call->flags & TRACE_EVENT_FL_DYNAMIC)) {
		call->flags |= TRACE_EVENT_FL_DYNAMIC;
		call->module = NULL;
	}

	return event_add_add(call, NULL);
}
EXPORT_SYMBOL_GPL(trace_add_event_call);

/* Is there another event of the class? Events of a class share their fields. */
static bool event_add_has(const struct trace_event_class *class)
{
	struct trace_event_call *call;

	list_for_each_entry(call, &trace_event_calls, list) {
		if (call->class == class)
			return true;
	}

	return false;
}

/**
 * trace_event_call_is_used - check whether an event that was added at run time is in use
 * @call: the event
 * @kept: number of references to ignore, because their holders are also about to be removed
 *
 * trace_event_lock held.
 *
 * Return: true while it is enabled, perf uses it, or there are other references to it
 */
bool trace_event_call_is_used(struct trace_event_call *call, unsigned int kept)
{
	struct trace_events *events;

	lockdep_assert_held(&trace_event_lock);

	if (call->flags & TRACE_EVENT_FL_DYNAMIC && atomic_read(&call->refcnt) > kept)
		return true;
#ifdef CONFIG_PERF_EVENTS
	if (call->perf_refcount)
		return true;
#endif
	trace_event_for_each_instance(events) {
		struct trace_event_file *file = trace_event_file_find(events->tr, call);

		if (file && file->flags & EVENT_FILE_FL_ENABLED)
			return true;
	}

	return false;
}

/**
 * trace_event_call_retire - begin to remove an event
 * @call: the event; it is disabled, and must not get new users from now on
 *
 * The caller waits for tracepoint_synchronize_unregister(), once for several events, and calls
 * trace_event_call_bury() without releasing the lock in between. trace_event_lock held.
 */
void trace_event_call_retire(struct trace_event_call *call)
{
	struct trace_event_notifier *watch;

	lockdep_assert_held(&trace_event_lock);

	list_for_each_entry(watch, &event_watches, list)
		watch->removed(call);
	trace_event_disable_all(call);
}

/**
 * trace_event_call_bury - finish the removal of an event
 * @call: the event
 *
 * trace_event_lock held.
 */
void trace_event_call_bury(struct trace_event_call *call)
{
	lockdep_assert_held(&trace_event_lock);

	event_add_free(call);
	if (!event_add_has(call->class))
		trace_event_fields_drop(call);
}

/**
 * trace_remove_event_call - undo trace_add_event_call()
 * @call: the event
 *
 * May sleep. No probe of it is running when this returns.
 *
 * Return: 0; -EBUSY while it is enabled, perf uses it, or there are references to it
 */
int trace_remove_event_call(struct trace_event_call *call)
{
	guard(mutex)(&trace_event_lock);

	if (trace_event_call_is_used(call, 0))
		return -EBUSY;

	trace_event_call_retire(call);
	tracepoint_synchronize_unregister();
	trace_event_call_bury(call);

	return 0;
}
EXPORT_SYMBOL_GPL(trace_remove_event_call);

extern struct trace_event_call *__start_ftrace_events[];
extern struct trace_event_call *__stop_ftrace_events[];
extern struct trace_eval_map *__start_ftrace_eval_maps[];
extern struct trace_eval_map *__stop_ftrace_eval_maps[];

/**
 * trace_events_init - add the events of the kernel
 *
 * May sleep.
 *
 * Return: 0 or -ENOMEM; events that could not be added are logged.
 */
int __init trace_events_init(void)
{
	struct trace_event_call **call;

	guard(mutex)(&trace_event_lock);

	for (call = __start_ftrace_events; call < __stop_ftrace_events; call++)
		event_add_add(*call, NULL);

	return trace_eval_add(__start_ftrace_eval_maps,
			      __stop_ftrace_eval_maps - __start_ftrace_eval_maps, NULL);
}

#ifdef CONFIG_MODULES
/*
 * Add an event after those of the kernel. The linker ensures that the kernel's own events have
 * unique names.
 */
static int event_add_later(struct trace_event_call *call, struct module *mod)
{
	if (event_add_is_taken(call->class->system, trace_event_name(call)))
		return event_add_error(call, -EEXIST);

	return event_add_add(call, mod);
}

static void event_add_module(struct module *mod)
{
	unsigned int i;

	guard(mutex)(&trace_event_lock);

	if (trace_eval_add(mod->trace_evals, mod->num_trace_evals, mod))
		pr_warn("%s: no memory for enum names in formats\n", mod->name);
	for (i = 0; i < mod->num_trace_events; i++)
		event_add_later(mod->trace_events[i], mod);
	trace_events_of_module(mod);
}

/* Wait only once for all of the module's events. */
static void event_add_remove_module(struct module *mod)
{
	struct trace_event_call *call, *next;
	LIST_HEAD(buried);

	guard(mutex)(&trace_event_lock);

	list_for_each_entry(call, &trace_event_calls, list) {
		if (call->module == mod)
			trace_event_call_retire(call);
	}
	tracepoint_synchronize_unregister();
	list_for_each_entry_safe(call, next, &trace_event_calls, list) {
		if (call->module == mod) {
			event_add_free(call);
			list_add(&call->list, &buried);
		}
	}
	/* Events of a class share their fields. No reader uses these events any longer. */
	list_for_each_entry(call, &buried, list)
		trace_event_fields_drop(call);
	trace_eval_remove(mod);
}

static int event_add_module_notify(struct notifier_block *self, unsigned long state, void *data)
{
	struct module *mod = data;

	if (!mod->num_trace_events && !mod->num_trace_evals)
		return NOTIFY_OK;

	if (state == MODULE_STATE_COMING)
		event_add_module(mod);
	else if (state == MODULE_STATE_GOING)
		event_add_remove_module(mod);

	return NOTIFY_OK;
}

/* Runs before the tracepoint notifier: a module's tracepoints must have no probes at unload. */
static struct notifier_block module_block = {
	.notifier_call	= event_add_module_notify,
	.priority	= 1,
};

static int __init event_add_follow_modules(void)
{
	return register_module_notifier(&module_block);
}

/*
 * After early_initcall(), where jump labels register their notifier at the same priority: it
 * must add the keys of a module before its events can be enabled.
 */
core_initcall(event_add_follow_modules);
#endif
