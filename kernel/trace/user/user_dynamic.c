// SPDX-License-Identifier: GPL-2.0
/*
 * User events in dynamic_events:
 *
 *	u:name [type name[; type name ...]]
 *
 * An event that is defined there is persistent.
 */
#include <linux/capability.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/user_events.h>

#include "event/control/event_add.h"
#include "event/core/event_list.h"
#include "probe/arg/probe_def.h"
#include "probe/core/probe_event.h"
#include "user/user_event.h"

static bool user_dynamic_is_begun_by(const char *token)
{
	return strstarts(token, USER_EVENTS_PREFIX);
}

static int user_dynamic_define(struct probe_def *def)
{
	const char *text = probe_def_original(def, def->token[0]) + strlen(USER_EVENTS_PREFIX);
	struct user_event *event = user_event_register(text, USER_EVENT_REG_PERSIST);

	if (IS_ERR(event))
		return PTR_ERR(event);
	user_event_put(event);

	return 0;
}

static int user_dynamic_remove(const struct probe_name *name)
{
	return user_event_delete_call(name->group, name->event);
}

/* Probes on the events keep them, and are removed before them. */
static bool user_dynamic_is_used(void)
{
	struct user_event *event;

	guard(mutex)(&user_events_lock);
	guard(mutex)(&trace_event_lock);

	list_for_each_entry(event, &user_events, list) {
		if (atomic_read(&event->refs) || (event->persists && !perfmon_capable()) ||
		    trace_event_call_is_used(&event->call, probe_nr_on(&event->call)))
			return true;
	}

	return false;
}

static int user_dynamic_remove_all(void)
{
	int nr = user_event_delete_call("", "");

	return min(nr, 0);
}

static void user_dynamic_show(struct seq_file *m)
{
	const struct user_event *event;

	guard(mutex)(&user_events_lock);

	list_for_each_entry(event, &user_events, list) {
		seq_puts(m, USER_EVENTS_PREFIX);
		seq_puts(m, event->call.name);
		user_fields_show(m, event);
		seq_putc(m, '\n');
	}
}

static struct probe_others user_dynamic = {
	.is_begun_by	= user_dynamic_is_begun_by,
	.define		= user_dynamic_define,
	.remove		= user_dynamic_remove,
	.is_used	= user_dynamic_is_used,
	.remove_all	= user_dynamic_remove_all,
	.show		= user_dynamic_show,
};

static int __init user_dynamic_init(void)
{
	probe_others_add(&user_dynamic);

	return 0;
}
early_initcall(user_dynamic_init);
