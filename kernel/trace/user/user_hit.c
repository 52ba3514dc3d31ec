// SPDX-License-Identifier: GPL-2.0
/*
 * Users and entries of user events: an entry for each instance where the event is enabled, and
 * one for perf.
 */
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "event/core/event_list.h"
#include "event/record/event_users.h"
#include "event/record/perf_entry.h"
#include "output/print_fields.h"
#include "user/user_event.h"

/*
 * Entries
 */

static void user_record(struct trace_event_file *file, const void *entry, unsigned int len)
{
	struct trace_event_buffer fbuffer;
	void *to;

	if (trace_trigger_soft_disabled(file))
		return;

	to = trace_event_buffer_reserve(&fbuffer, file, len);
	if (!to)
		return;

	memcpy(to + sizeof(struct trace_entry), entry + sizeof(struct trace_entry),
	       len - sizeof(struct trace_entry));
	trace_event_buffer_commit(&fbuffer);
}

#ifdef CONFIG_PERF_EVENTS
static void user_record_perf(struct user_event *event, const void *entry, unsigned int len)
{
	struct trace_event_call *call = &event->call;
	struct hlist_head *events = this_cpu_ptr(call->perf_events);
	unsigned int size = trace_perf_size(len);
	struct pt_regs *regs;
	int context;
	void *to;

	if (hlist_empty(events))
		return;

	to = perf_trace_buf_alloc(size, &regs, &context);
	if (!to)
		return;

	perf_fetch_caller_regs(regs);
	memcpy(to, entry, len);
	memset(to + len, 0, size - len);
	perf_trace_buf_submit(to, size, context, call->event.type, 1, regs, events, NULL);
}
#else
static inline void user_record_perf(struct user_event *event, const void *entry,
				    unsigned int len)
{
}
#endif

/**
 * user_event_hit - write the entries of a user event
 * @event: the event, with a reference
 * @entry: the entry; the common fields are not set
 * @len: its length in bytes
 *
 * Context: process
 */
void user_event_hit(struct user_event *event, const void *entry, unsigned int len)
{
	const struct trace_event_user *user;

	preempt_disable_notrace();
	list_for_each_entry_rcu(user, &event->users, list, !preemptible())
		user_record(user->file, entry, len);
	/* Pairs with user_event_reg(): if @perf is seen, so are the lists of @call. */
	if (smp_load_acquire(&event->perf))
		user_record_perf(event, entry, len);
	preempt_enable_notrace();
}

static enum print_line_t user_event_print(struct trace_iterator *iter, int flags,
					  struct trace_event *type)
{
	if (!trace_print_fields(iter))
		return TRACE_TYPE_UNHANDLED;

	return trace_handle_return(&iter->seq);
}

struct trace_event_functions user_event_functions = {
	.trace	= user_event_print,
};

/*
 * Users
 */

#ifdef CONFIG_PERF_EVENTS
static void user_event_set_perf(struct user_event *event, bool on)
{
	/* Pairs with user_event_hit() */
	smp_store_release(&event->perf, on);
}
#endif

static int user_event_change(struct user_event *event, enum trace_reg type, void *data)
{
	switch (type) {
	case TRACE_REG_REGISTER:
		return trace_event_user_add(&event->users, data);
	case TRACE_REG_UNREGISTER:
		trace_event_user_remove(&event->users, data);
		return 0;
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
	case TRACE_REG_PERF_UNREGISTER:
		user_event_set_perf(event, type == TRACE_REG_PERF_REGISTER);
		return 0;
#endif
	default:
		return 0;
	}
}

static bool user_event_is_added(enum trace_reg type)
{
#ifdef CONFIG_PERF_EVENTS
	if (type == TRACE_REG_PERF_REGISTER)
		return true;
#endif
	return type == TRACE_REG_REGISTER;
}

static bool user_event_is_removed(enum trace_reg type)
{
#ifdef CONFIG_PERF_EVENTS
	if (type == TRACE_REG_PERF_UNREGISTER)
		return true;
#endif
	return type == TRACE_REG_UNREGISTER;
}

/**
 * user_event_reg - trace_event_class.reg of user events
 * @call: the event
 * @type: the operation
 * @data: the event in an instance, or data of perf
 *
 * The programs that have registered the event see the change in their memory when this returns,
 * unless that memory is not present or locked. trace_event_lock held, may sleep.
 *
 * Return: 0 or an error
 */
int user_event_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	struct user_event *event = container_of(call, struct user_event, call);
	bool enabled = user_event_is_enabled(event);
	int err;

	lockdep_assert_held(&trace_event_lock);

	err = user_event_change(event, type, data);
	if (err)
		return err;

	if (user_event_is_enabled(event) != enabled)
		user_bits_update(event);
	if (user_event_is_added(type))
		user_event_get(event);
	else if (user_event_is_removed(type))
		user_event_put(event);

	return 0;
}
