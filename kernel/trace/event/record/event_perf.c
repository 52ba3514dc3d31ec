// SPDX-License-Identifier: GPL-2.0
/*
 * Trace events as perf events.
 *
 * Perf registers its own probe with each tracepoint that it uses. The probe writes the entry
 * into a per-CPU buffer and passes it to the perf events that are in the CPU's list.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rculist.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "event/core/event_list.h"
#include "event/core/fields.h"
#include "event/core/type.h"
#include "event/filter/predicate.h"
#include "event/filter/predicate_match.h"
#include "event/record/event_perf.h"
#include "event/record/perf_function.h"
#include "instance/record/entry.h"

DEFINE_PER_CPU(struct pt_regs, perf_trace_regs);
EXPORT_PER_CPU_SYMBOL_GPL(perf_trace_regs);

/* Buffers for entries: one for each of the contexts that interrupt each other. */
struct event_perf_entry {
	char	bytes[PERF_MAX_TRACE_SIZE] __aligned(sizeof(u64));
};

static struct event_perf_entry __percpu *buffers[PERF_NR_CONTEXTS];
static DEFINE_PER_CPU(struct pt_regs, callers[PERF_NR_CONTEXTS]);

/* Number of events that perf uses; trace_event_lock. */
static unsigned int used;

static void event_perf_buffers_free(void)
{
	int i;

	for (i = 0; i < PERF_NR_CONTEXTS; i++) {
		free_percpu(buffers[i]);
		buffers[i] = NULL;
	}
}

/* The buffers may still be there from the last time. */
static int event_perf_buffers_alloc(void)
{
	int i;

	if (buffers[0])
		return 0;

	for (i = 0; i < PERF_NR_CONTEXTS; i++) {
		buffers[i] = alloc_percpu(struct event_perf_entry);
		if (!buffers[i]) {
			event_perf_buffers_free();
			return -ENOMEM;
		}
	}

	return 0;
}

/* Any user who may open an event may count it. The content of entries needs permission. */
static int event_perf_check_permission(struct trace_event_call *call, struct perf_event *event)
{
	int err;

	/* A child inherits the permission of its parent. */
	if (event->parent)
		return 0;

	err = call->perf_perm ? call->perf_perm(call, event) : 0;
	if (err || !(event->attr.sample_type & PERF_SAMPLE_RAW))
		return err;

	/* The activity of a task is visible to its owner. */
	if (event->attach_state == PERF_ATTACH_TASK && call->flags & TRACE_EVENT_FL_CAP_ANY)
		return 0;

	return perf_allow_tracepoint();
}

/* Free the buffers when perf has not used any event for a while. */
static void event_perf_reap(struct work_struct *work)
{
	guard(mutex)(&trace_event_lock);

	if (used || !buffers[0])
		return;
	tracepoint_synchronize_unregister();
	event_perf_buffers_free();
}

static DECLARE_DELAYED_WORK(event_perf_reaper, event_perf_reap);

/* @call has its lists from its first perf event until trace_perf_forget(). */
static int event_perf_lists_alloc(struct trace_event_call *call)
{
	struct hlist_head __percpu *lists;
	int cpu;

	if (call->perf_events)
		return 0;

	lists = alloc_percpu(struct hlist_head);
	if (!lists)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		INIT_HLIST_HEAD(per_cpu_ptr(lists, cpu));
	call->perf_events = lists;

	return 0;
}

/**
 * trace_perf_forget - free what perf used of a trace event
 * @call: the event, which is being removed: perf no longer uses it, and a grace period of
 *	tracepoints has passed since it was disabled
 */
void trace_perf_forget(struct trace_event_call *call)
{
	free_percpu(call->perf_events);
	call->perf_events = NULL;
}

/* Set up the first perf event of @call. */
static int event_perf_begin(struct trace_event_call *call)
{
	int err;

	err = event_perf_buffers_alloc() ?: event_perf_lists_alloc(call) ?:
	      call->class->reg(call, TRACE_REG_PERF_REGISTER, NULL);
	if (err && !used)
		mod_delayed_work(system_wq, &event_perf_reaper, HZ);
	if (!err)
		used++;

	return err;
}

/*
 * Probes may still be running, and use the lists and the buffers. Nobody waits for them here:
 * perf closes its events one by one, and each would wait for a grace period.
 */
static void event_perf_end(struct trace_event_call *call)
{
	call->class->reg(call, TRACE_REG_PERF_UNREGISTER, NULL);
	if (!--used)
		mod_delayed_work(system_wq, &event_perf_reaper, HZ);
}

static int event_perf_use(struct trace_event_call *call, struct perf_event *event)
{
	int err = call->perf_refcount ? 0 : event_perf_begin(call);

	if (err)
		return err;

	call->perf_refcount++;
	event->tp_event = call;
	err = call->class->reg(call, TRACE_REG_PERF_OPEN, event);
	if (err && !--call->perf_refcount)
		event_perf_end(call);

	return err;
}

static int event_perf_attach(struct perf_event *event, struct trace_event_call *call)
{
	int err;

	if (!trace_event_call_pin(call))
		return -EINVAL;

	err = event_perf_check_permission(call, event);
	if (!err)
		err = event_perf_use(call, event);
	if (err)
		trace_event_call_unpin(call);

	return err;
}

/**
 * trace_perf_attach - attach a perf event to a trace event
 * @event: the perf event
 * @call: the trace event, which need not be in any list
 *
 * Undone by perf_trace_destroy().
 *
 * Context: may sleep
 *
 * Return: same as perf_trace_init()
 */
int trace_perf_attach(struct perf_event *event, struct trace_event_call *call)
{
	guard(mutex)(&trace_event_lock);

	return event_perf_attach(event, call);
}

/**
 * perf_trace_init - attach a perf event to the trace event of its attributes
 * @event: the perf event, whose attributes have the number of the trace event
 *
 * Context: may sleep
 *
 * Return: 0; -EINVAL if there is no such event for perf, -EPERM or -EACCES if it is not
 * permitted, -ENOMEM
 */
int perf_trace_init(struct perf_event *event)
{
	struct trace_event_call *call;

	guard(mutex)(&trace_event_lock);

	if (event->attr.config > TRACE_EVENT_TYPE_MAX)
		return -EINVAL;
	call = trace_event_call_of(event->attr.config);
	if (!call || !call->class->reg)
		return -EINVAL;

	return event_perf_attach(event, call);
}

/**
 * perf_trace_destroy - undo perf_trace_init()
 * @event: the perf event, which is no longer in a list
 *
 * Context: may sleep
 */
void perf_trace_destroy(struct perf_event *event)
{
	struct trace_event_call *call = event->tp_event;

	guard(mutex)(&trace_event_lock);

	call->class->reg(call, TRACE_REG_PERF_CLOSE, event);
	if (!--call->perf_refcount)
		event_perf_end(call);
	trace_event_call_unpin(call);
}

/**
 * perf_trace_add - add a perf event to the list of this CPU
 * @event: the perf event
 * @flags: PERF_EF_*
 *
 * Context: interrupts disabled, as for every pmu.add
 */
int perf_trace_add(struct perf_event *event, int flags)
{
	struct trace_event_call *call = event->tp_event;

	/* The rest of a period from the last time on a CPU is kept. */
	if (is_sampling_event(event)) {
		event->hw.last_period = event->hw.sample_period;
		perf_swevent_set_period(event);
	}

	event->hw.state = flags & PERF_EF_START ? 0 : PERF_HES_STOPPED;
	if (!call->class->reg(call, TRACE_REG_PERF_ADD, event))
		hlist_add_head_rcu(&event->hlist_entry, this_cpu_ptr(call->perf_events));

	return 0;
}

/**
 * perf_trace_del - undo perf_trace_add()
 * @event: the perf event
 * @flags: unused
 */
void perf_trace_del(struct perf_event *event, int flags)
{
	struct trace_event_call *call = event->tp_event;

	if (!call->class->reg(call, TRACE_REG_PERF_DEL, event))
		hlist_del_rcu(&event->hlist_entry);
}

/**
 * perf_trace_buf_alloc - get a buffer for an entry
 * @size: size of the entry; plus four it must be a multiple of eight
 * @regs: if not NULL, set to a location where the registers of the caller can be saved
 * @rctxp: state for perf_trace_buf_submit(), which releases the buffer
 *
 * Context: any, preemption disabled
 *
 * Return: the buffer; NULL in a context that is already recording an entry
 */
void *perf_trace_buf_alloc(int size, struct pt_regs **regs, int *rctxp)
{
	char *entry;
	int context;

	BUILD_BUG_ON(PERF_MAX_TRACE_SIZE % sizeof(unsigned long));

	if (WARN_ONCE(size > PERF_MAX_TRACE_SIZE, "an entry of %d bytes for perf", size))
		return NULL;

	context = perf_swevent_get_recursion_context();
	*rctxp = context;
	if (context < 0)
		return NULL;

	if (regs)
		*regs = this_cpu_ptr(&callers[context]);
	entry = this_cpu_ptr(buffers[context])->bytes;
	/* The bytes after the last field are also copied to user space. */
	memset(entry + size - sizeof(u64), 0, sizeof(u64));

	return entry;
}
EXPORT_SYMBOL_GPL(perf_trace_buf_alloc);
NOKPROBE_SYMBOL(perf_trace_buf_alloc);

/**
 * perf_trace_buf_update - set the common fields of an entry
 * @record: the entry
 * @type: its type
 */
void perf_trace_buf_update(void *record, u16 type)
{
	trace_entry_fill(record, type, trace_context_now());
}

NOKPROBE_SYMBOL(perf_trace_buf_update);

/* A filter of ftrace:function selects functions, whatever their caller is: only "ip" is valid. */
static const struct ftrace_event_field *event_perf_find(const void *data, const char *name)
{
	struct trace_event_call *call = (struct trace_event_call *)data;

	if (trace_perf_is_function(call) && strcmp(name, "ip"))
		return NULL;

	return trace_event_field(call, name);
}

static int event_perf_apply_filter(struct perf_event *event, const struct event_filter *filter)
{
	/* Counting matching entries would disclose the content of kernel memory. */
	if (trace_filter_reads_kernel(filter) && perf_allow_tracepoint())
		return -EPERM;

	if (trace_perf_is_function(event->tp_event))
		return trace_perf_function_filter(event, filter);

	return 0;
}

/**
 * ftrace_profile_set_filter - set the filter of a perf event
 * @event: the perf event
 * @event_id: unused, the trace event is taken from @event
 * @filter_str: the filter
 *
 * Context: may sleep
 *
 * Return: 0; -EINVAL if the filter is wrong, -EEXIST if there already is a filter, -EPERM if it
 * compares data that pointers point to in the kernel and the caller is not permitted to read
 * these, -ENOMEM
 */
int ftrace_profile_set_filter(struct perf_event *event, int event_id, char *filter_str)
{
	struct trace_filter_error error;
	struct event_filter *filter;
	int err;

	guard(mutex)(&trace_event_lock);

	if (event->filter)
		return -EEXIST;

	filter = trace_filter_compile(filter_str, event_perf_find, event->tp_event, &error);
	if (IS_ERR(filter))
		return PTR_ERR(filter);

	err = event_perf_apply_filter(event, filter);
	if (err) {
		trace_filter_free(filter);
		return err;
	}

	/* Pairs with the address dependency in perf_tp_filter_match(). */
	smp_store_release(&event->filter, filter);

	return 0;
}

/**
 * ftrace_profile_free_filter - undo ftrace_profile_set_filter()
 * @event: the perf event, which is being freed: a grace period has passed since its last entry
 *
 * Context: softirq
 */
void ftrace_profile_free_filter(struct perf_event *event)
{
	trace_filter_free(event->filter);
	event->filter = NULL;
}

/**
 * trace_event_get_offsets - get the size of the fixed part of an event's entries
 * @call: the event
 *
 * Context: may sleep
 *
 * Return: the size in bytes; if out of memory for the fields, only the size of the common
 * fields
 */
int trace_event_get_offsets(struct trace_event_call *call)
{
	const struct list_head *fields = trace_event_fields(call);
	const struct ftrace_event_field *field;
	unsigned int size = sizeof(struct trace_entry);

	if (IS_ERR(fields))
		return size;

	list_for_each_entry(field, fields, link)
		size = max(size, field->offset + field->size);

	return size;
}
