// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace:function as a perf event: calls of functions.
 *
 * Each perf event has an ftrace_ops, whose filter is the filter of the perf event. So other
 * functions have no overhead, and entries need not be matched.
 *
 * perf has an event for each CPU, and closes them one by one. So that none of them waits for its
 * callback, the ftrace_ops is allocated, and freed later than the event.
 */
#include <linux/ftrace.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "event/filter/predicate.h"
#include "event/filter/predicate_match.h"
#include "event/record/perf_entry.h"
#include "event/record/perf_function.h"
#include "ftrace/entry/ftrace_rcu.h"
#include "ftrace/fgraph/fgraph_unwind.h"
#include "ftrace/ops/ops.h"

/**
 * struct perf_function - the ftrace_ops of a perf event
 * @ops: calls perf_function_probe()
 * @event: the perf event
 * @lists: the per-CPU lists of the trace event
 * @here: the list of the CPU on which @event counts, NULL while it does not count. @event may be
 *	used as long as preemption has not been enabled since this was not NULL
 * @rcu: head for freeing it
 */
struct perf_function {
	struct ftrace_ops		ops;
	struct perf_event		*event;
	struct hlist_head __percpu	*lists;
	struct hlist_head		*here;
	struct rcu_head			rcu;
};

/* perf itself does not use this field of an event. */
static struct perf_function *perf_function_of(const struct perf_event *event)
{
	return event->ftrace_ops.private;
}

/* FTRACE_OPS_FL_RCU: preemption is disabled, and RCU is watching. */
static void perf_function_probe(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
				struct ftrace_regs *fregs)
{
	struct perf_function *function = container_of(ops, struct perf_function, ops);
	int size = trace_perf_size(sizeof(struct ftrace_entry)), context;
	struct ftrace_entry *entry;
	struct hlist_head alone;
	struct pt_regs *regs;

	if (READ_ONCE(function->here) != this_cpu_ptr(function->lists))
		return;

	/* The perf event is not in a per-CPU list: use a list with only this event. */
	alone.first = &function->event->hlist_entry;
	entry = perf_trace_buf_alloc(size, &regs, &context);
	if (!entry)
		return;

	/* The stack trace begins in the trampoline, but the sample must be in the function. */
	perf_fetch_caller_regs(regs);
	instruction_pointer_set(regs, ip);
	entry->ip = ip;
	entry->parent_ip = graph_real_parent(parent_ip, fregs);
	perf_trace_buf_submit(entry, size, context, TRACE_FN, 1, regs, &alone, NULL);
}

/* A child event counts the same functions, even if the filter of its parent changes. */
static int perf_function_open(struct perf_event *event)
{
	struct perf_function *function = kzalloc(sizeof(*function), GFP_KERNEL);
	int err;

	if (!function)
		return -ENOMEM;

	function->event = event;
	function->lists = event->tp_event->perf_events;
	function->ops.func = perf_function_probe;
	function->ops.flags = FTRACE_OPS_FL_RCU;
	ftrace_ops_init(&function->ops);
	if (event->parent)
		function->ops.func_hash = perf_function_of(event->parent)->ops.func_hash;

	err = register_ftrace_function(&function->ops);
	if (err)
		kfree(function);
	else
		event->ftrace_ops.private = function;

	return err;
}

/* The children of the event were closed before, so that nothing uses its filter then. */
static void perf_function_free(struct rcu_head *head)
{
	struct perf_function *function = container_of(head, struct perf_function, rcu);

	ftrace_free_filter(&function->ops);
	kfree(function);
}

static void perf_function_close(struct perf_event *event)
{
	struct perf_function *function = perf_function_of(event);

	ftrace_ops_detach(&function->ops);
	call_ftrace_rcu(&function->rcu, perf_function_free);
}

static int perf_function_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	struct perf_event *event = data;

	switch (type) {
	case TRACE_REG_PERF_OPEN:
		return perf_function_open(event);
	case TRACE_REG_PERF_CLOSE:
		perf_function_close(event);
		return 0;
	case TRACE_REG_PERF_ADD:
		WRITE_ONCE(perf_function_of(event)->here, this_cpu_ptr(call->perf_events));
		return 1;
	case TRACE_REG_PERF_DEL:
		WRITE_ONCE(perf_function_of(event)->here, NULL);
		return 1;
	default:
		return 0;
	}
}

/*
 * The functions that the kernel calls are only visible with permission. User memory must not be
 * accessed, as that may fault, and the functions that handle faults are traced as well.
 */
static int perf_function_permit(struct trace_event_call *call, struct perf_event *event)
{
	u64 wants = is_sampling_event(event) ? event->attr.sample_type : 0;
	int err = perf_allow_tracepoint();

	if (err)
		return err;

	if (wants & PERF_SAMPLE_STACK_USER ||
	    (wants & PERF_SAMPLE_CALLCHAIN && !event->attr.exclude_callchain_user))
		return -EINVAL;

	return 0;
}

/**
 * trace_perf_function_add - make the event ftrace:function available to perf
 * @call: the event, before it is registered
 */
void __init trace_perf_function_add(struct trace_event_call *call)
{
	call->class->reg = perf_function_reg;
	call->perf_perm = perf_function_permit;
}

/**
 * struct perf_function_patterns - patterns for a function filter
 * @text: the patterns, separated by spaces
 * @not: match all functions except these
 */
struct perf_function_patterns {
	char	*text;
	bool	not;
};

/* A value may have several patterns, separated by spaces or commas. */
static int perf_function_add_patterns(void *data, const char *name, bool not)
{
	struct perf_function_patterns *patterns = data;

	if (!name[strspn(name, ", ")])
		return -EINVAL;

	strcat(patterns->text, name);
	strcat(patterns->text, " ");
	patterns->not = not;

	return 0;
}

/**
 * trace_perf_function_filter - set the functions of a perf event and its children
 * @event: the perf event, of ftrace:function
 * @filter: filter with the names of functions
 *
 * May sleep.
 *
 * Return: 0; -EINVAL if the filter is not a list of functions, or if there is no such function;
 * -ENOMEM
 */
int trace_perf_function_filter(struct perf_event *event, const struct event_filter *filter)
{
	struct perf_function_patterns patterns = { };
	int err;

	/* The patterns take less space than in the text of the filter. */
	patterns.text = kzalloc(strlen(filter->text) + 1, GFP_KERNEL);
	if (!patterns.text)
		return -ENOMEM;

	err = trace_filter_functions(filter, perf_function_add_patterns, &patterns);
	if (!err) {
		int (*set)(struct ftrace_ops *ops, unsigned char *buf, int len, int reset) =
			patterns.not ? ftrace_set_notrace : ftrace_set_filter;

		strreplace(patterns.text, ',', ' ');
		err = set(&perf_function_of(event)->ops, patterns.text, strlen(patterns.text), 1);
	}
	kfree(patterns.text);

	return err;
}
