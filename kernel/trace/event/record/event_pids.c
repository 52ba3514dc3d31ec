// SPDX-License-Identifier: GPL-2.0
/*
 * Pid filters of events (set_event_pid and set_event_notrace_pid).
 *
 * The lists are implemented in filter/pids.c. An event is recorded if the current task is
 * traced. sched_switch and the wakeup events name another task, and are also recorded if that
 * task is traced: such an entry is written first, and discarded if neither of the tasks is
 * traced.
 */
#include <linux/err.h>
#include <linux/string.h>

#include "event/core/fields.h"
#include "event/record/event_pids.h"

/**
 * struct event_pids_named_task - an event that names a task
 * @event: name of the event, in the system sched
 * @field: field with the pid of that task
 * @call: the event, NULL until it is looked up
 * @offset: offset of the field in the entry
 */
struct event_pids_named_task {
	const char			*event;
	const char			*field;
	const struct trace_event_call	*call;
	unsigned int			offset;
};

static struct event_pids_named_task named[] = {
	{ "sched_switch", "next_pid" },
	{ "sched_waking", "pid" },
	{ "sched_wakeup", "pid" },
	{ "sched_wakeup_new", "pid" },
};

static struct event_pids_named_task *event_pids_find(struct trace_event_call *call)
{
	struct event_pids_named_task *at;

	for (at = named; at < named + ARRAY_SIZE(named); at++) {
		if (!strcmp(call->class->system, "sched") &&
		    !strcmp(trace_event_name(call), at->event))
			return at;
	}

	return NULL;
}

/**
 * trace_event_pids_names_task - check whether an event names a task other than the current one
 * @call: the event
 *
 * If so, EVENT_FILE_FL_PID_FILTER must be set on its files. May sleep.
 *
 * Return: 1 if it does, 0 if not, or -ENOMEM
 */
int trace_event_pids_names_task(struct trace_event_call *call)
{
	struct event_pids_named_task *at = event_pids_find(call);
	struct ftrace_event_field *field;

	if (!at)
		return 0;

	field = trace_event_field(call, at->field);
	if (IS_ERR(field))
		return PTR_ERR(field);
	if (!field || field->size != sizeof(pid_t))
		return 0;

	at->offset = field->offset;
	at->call = call;

	return 1;
}

/**
 * trace_event_pids_want - check whether the pid lists include an entry that names a task
 * @file: event with EVENT_FILE_FL_PID_FILTER
 * @entry: the entry, with its fields set
 *
 * Any context, with preemption disabled.
 */
bool trace_event_pids_want(const struct trace_event_file *file, const void *entry)
{
	const struct ftrace_pids *pids = file->tr->events->pids;
	const struct event_pids_named_task *at = named;

	if (!ftrace_pids_any(pids) || ftrace_pids_traced(pids, current->pid))
		return true;

	while (at->call != file->event_call)
		at++;

	return ftrace_pids_traced(pids, *(const pid_t *)(entry + at->offset));
}
