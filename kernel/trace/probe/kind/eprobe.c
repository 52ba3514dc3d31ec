// SPDX-License-Identifier: GPL-2.0
/*
 * Probes on other trace events: the command e of dynamic_events. See
 * Documentation/trace/eprobetrace.rst.
 *
 * In each instance where it is enabled, such a probe is a trigger of the other event. That
 * event cannot be removed, and its module cannot be unloaded, before the probe is removed.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/ring_buffer.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "event/control/event_filter.h"
#include "event/core/event_list.h"
#include "event/filter/predicate_match.h"
#include "event/record/event_file.h"
#include "event/record/event_nest.h"
#include "event/record/trigger.h"
#include "instance/core/instance.h"
#include "probe/arg/probe_def.h"
#include "probe/core/probe_event.h"

/**
 * struct eprobe_probe - a probe
 * @probe: the part in common with all kinds
 * @call: the event that it is on, with a reference; NULL while the definition is parsed, and
 *	after eprobe_leave()
 * @places: struct eprobe_place, one for each instance where it is enabled; protected by
 *	trace_event_lock
 * @ran: it was enabled once, and its handler may be running
 */
struct eprobe_probe {
	struct probe		probe;
	struct trace_event_call	*call;
	struct list_head	places;
	bool			ran;
};

/**
 * struct eprobe_place - a probe in an instance
 * @list: entry in eprobe_probe.places
 * @rcu: head for freeing it after a grace period
 * @here: the probe
 * @tr: the instance
 * @trigger: its trigger on the other event in this instance
 * @users: number of users: the event of the probe in the instance, and perf
 */
struct eprobe_place {
	struct list_head	list;
	struct rcu_head		rcu;
	struct eprobe_probe	*here;
	struct trace_array	*tr;
	struct trace_trigger	*trigger;
	unsigned int		users;
};

static struct eprobe_probe *eprobe_of(const struct probe *probe)
{
	return container_of(probe, struct eprobe_probe, probe);
}

static bool eprobe_is_probe_event(const struct trace_event_call *call)
{
	return call->class->reg == probe_reg;
}

/*
 * Trigger of the other event
 */

static bool eprobe_run(struct trace_trigger *trigger, const struct trace_trigger_run *run)
{
	const struct eprobe_place *place = trigger->data;
	const struct probe_source source = {
		.tr = place->tr, .entry = run->entry, .start = &run->start,
	};
	struct trace_buffer *buffer = place->tr->main.buffer;
	u8 *depth;

	/*
	 * The current hit of the other event may have begun before there was a trigger that
	 * needs its entry.
	 */
	if (!run->entry)
		return false;
	depth = trace_event_nest_begin();
	if (!depth)
		return false;

	/*
	 * The entry of the other event is being written, possibly to the same buffer, and that
	 * event may be a probe on an event, too.
	 */
	ring_buffer_nest_start(buffer);
	probe_hit(&place->here->probe, &source, NULL);
	ring_buffer_nest_end(buffer);
	trace_event_nest_end(depth);

	return true;
}

/* Also called when the instance is removed. */
static void eprobe_end(struct trace_trigger *trigger)
{
	struct eprobe_place *place = trigger->data;

	list_del(&place->list);
	kfree_rcu(place, rcu);
}

static const struct trace_trigger_command eprobe_command = {
	.name		= "eprobe",
	.hidden		= true,
	.wants_entry	= true,
	.run		= eprobe_run,
	.end		= eprobe_end,
};

/* Return: a trigger that has not been added to the event yet, or an error */
static struct trace_trigger *eprobe_trigger(struct eprobe_probe *here, struct trace_array *tr,
					    struct trace_event_file *file)
{
	struct trace_trigger *trigger = kzalloc(sizeof(*trigger), GFP_KERNEL);
	struct event_filter *filter = NULL;

	if (!trigger)
		return ERR_PTR(-ENOMEM);

	if (here->probe.filter)
		filter = trace_event_filter_compile(tr, here->call, here->probe.filter, NULL,
						    NULL);
	if (IS_ERR(filter)) {
		kfree(trigger);
		return ERR_CAST(filter);
	}
	trigger->command = &eprobe_command;
	trigger->file = file;
	trigger->filter = filter;

	return trigger;
}

static struct eprobe_place *eprobe_find_place(struct eprobe_probe *here,
					      const struct trace_array *tr)
{
	struct eprobe_place *place;

	lockdep_assert_held(&trace_event_lock);

	list_for_each_entry(place, &here->places, list) {
		if (place->tr == tr)
			return place;
	}

	return NULL;
}

static int eprobe_attach_trigger(struct eprobe_place *place, struct trace_event_file *file)
{
	struct trace_trigger *trigger = eprobe_trigger(place->here, place->tr, file);
	int err;

	if (IS_ERR(trigger))
		return PTR_ERR(trigger);

	trigger->data = place;
	place->trigger = trigger;
	err = trace_trigger_add(trigger);
	if (err)
		trace_trigger_free(trigger);

	return err;
}

static int eprobe_enable_in(struct probe *probe, struct trace_array *tr)
{
	struct eprobe_probe *here = eprobe_of(probe);
	struct eprobe_place *place = eprobe_find_place(here, tr);
	struct trace_event_file *file;
	int err;

	if (place) {
		place->users++;
		return 0;
	}

	file = trace_event_file_lookup(tr, here->call);
	if (IS_ERR(file))
		return PTR_ERR(file);
	place = kzalloc(sizeof(*place), GFP_KERNEL);
	if (!place)
		return -ENOMEM;

	*place = (struct eprobe_place){ .here = here, .tr = tr, .users = 1 };
	err = eprobe_attach_trigger(place, file);
	if (err) {
		kfree(place);
		return err;
	}
	list_add(&place->list, &here->places);
	here->ran = true;

	return 0;
}

static void eprobe_disable_in(struct probe *probe, struct trace_array *tr)
{
	struct eprobe_place *place = eprobe_find_place(eprobe_of(probe), tr);

	/* The trigger may have been removed with the instance. */
	if (place && !--place->users)
		trace_trigger_remove(place->trigger);
}

/*
 * Callbacks of the kind
 */

static int eprobe_attach(struct probe *probe)
{
	return 0;
}

static void eprobe_detach(struct list_head *probes)
{
	struct eprobe_probe *here;

	/* Triggers run with preemption disabled. */
	list_for_each_entry(here, probes, probe.list) {
		if (here->ran) {
			synchronize_rcu();
			return;
		}
	}
}

/* The event that it is on may be removed from now on. */
static void eprobe_leave(struct probe *probe)
{
	struct eprobe_probe *here = eprobe_of(probe);

	if (!here->call)
		return;
	if (eprobe_is_probe_event(here->call))
		container_of(here->call, struct probe_event, call)->kept--;
	trace_event_call_unpin(here->call);
	here->call = NULL;
}

static void eprobe_free(struct probe *probe)
{
	probe_free(probe);
	eprobe_leave(probe);
	kfree(eprobe_of(probe));
}

static bool eprobe_at_return(const struct probe *probe)
{
	return false;
}

static unsigned long eprobe_missed(const struct probe *probe)
{
	return 0;
}

/*
 * Definitions
 */

static bool eprobe_is_begun_by(const char *token)
{
	return *token == 'e';
}

static int eprobe_parse_command(struct probe_def *def, struct probe_name *name)
{
	char *token = def->token[0];

	*name = (struct probe_name){};
	if (!token[1])
		return 0;
	if (token[1] != ':')
		return probe_refuse(def, token + 1, "Unknown command");

	return probe_name_parse(name, def, token + 2, "");
}

/* GROUP.EVENT or GROUP/EVENT. Takes a reference to the event. */
static int eprobe_parse_place(struct eprobe_probe *here, struct probe_def *def)
{
	struct trace_event_call *call;
	char *system, *event;

	if (def->nr < 2)
		return probe_refuse(def, def->token[0] + strlen(def->token[0]),
				    "There is no event to be on");
	system = def->token[1];
	event = strpbrk(system, "./");
	if (!event)
		return probe_refuse(def, system, "An event is GROUP.EVENT");
	*event++ = '\0';
	here->probe.where = kasprintf(GFP_KERNEL, "%s.%s", system, event);
	if (!here->probe.where)
		return -ENOMEM;

	guard(mutex)(&trace_event_lock);

	call = trace_event_call_find(system, event);
	if (!call) {
		probe_refuse(def, system, "There is no such event");
		return -ENOENT;
	}
	if (!trace_event_switchable(call))
		return probe_refuse(def, system, "The event cannot be enabled");
	if (!trace_event_call_pin(call))
		return -EBUSY;
	here->call = call;
	if (eprobe_is_probe_event(call))
		container_of(call, struct probe_event, call)->kept++;

	return 0;
}

/* "if FILTER" after the arguments. */
static int eprobe_parse_filter(struct eprobe_probe *here, struct probe_def *def)
{
	struct event_filter *filter;
	unsigned int i;

	for (i = 2; i < def->nr; i++) {
		if (!strcmp(def->token[i], "if"))
			break;
	}
	if (i == def->nr)
		return 0;
	if (i + 1 == def->nr)
		return probe_refuse(def, def->token[i], "There is no filter");

	here->probe.filter = kstrdup(probe_def_original(def, def->token[i + 1]), GFP_KERNEL);
	if (!here->probe.filter)
		return -ENOMEM;
	strim(here->probe.filter);

	guard(mutex)(&trace_event_lock);

	filter = trace_event_filter_compile(&trace_top, here->call, here->probe.filter, NULL,
					    NULL);
	if (IS_ERR(filter)) {
		if (PTR_ERR(filter) == -EINVAL)
			probe_refuse(def, def->token[i + 1], "Invalid filter");
		return PTR_ERR(filter);
	}
	trace_filter_free(filter);
	/* The remaining tokens are arguments. */
	def->nr = i;

	return 0;
}

/* Derive missing names from the event. */
static void eprobe_complete_name(struct probe_name *name, struct trace_event_call *call)
{
	if (!*name->group)
		strscpy(name->group, "eprobes");
	if (*name->event)
		return;

	strscpy(name->event, trace_event_name(call));
	probe_name_mend(name);
}

static int eprobe_parse(struct eprobe_probe *here, struct probe_def *def,
			struct probe_name *name)
{
	struct probe_place place = { .flags = PROBE_ON_EVENT | PROBE_NO_REGISTERS };
	int err;

	err = eprobe_parse_command(def, name) ?: eprobe_parse_place(here, def) ?:
	      eprobe_parse_filter(here, def);
	if (err)
		return err;

	eprobe_complete_name(name, here->call);
	here->probe.command = kstrdup("e", GFP_KERNEL);
	if (!here->probe.command)
		return -ENOMEM;
	place.call = here->call;

	return probe_init(&here->probe, def, &place, false);
}

static const struct trace_event_call *eprobe_on(const struct probe *probe)
{
	return eprobe_of(probe)->call;
}

static struct probe_kind eprobe_kind;

static int eprobe_define(struct probe_def *def)
{
	struct eprobe_probe *here = kzalloc(sizeof(*here), GFP_KERNEL);
	struct probe_name name;
	int err;

	if (!here)
		return -ENOMEM;

	guard(mutex)(&probe_lock);

	INIT_LIST_HEAD(&here->places);
	err = eprobe_parse(here, def, &name) ?:
	      probe_event_add(&eprobe_kind, &here->probe, &name, def);
	if (err)
		eprobe_free(&here->probe);

	return err;
}

static struct probe_kind eprobe_kind = {
	.flags		= TRACE_EVENT_FL_EPROBE,
	.is_begun_by	= eprobe_is_begun_by,
	.define		= eprobe_define,
	.free		= eprobe_free,
	.attach		= eprobe_attach,
	.detach		= eprobe_detach,
	.waits_for_rcu	= true,
	.leave		= eprobe_leave,
	.enable_in	= eprobe_enable_in,
	.disable_in	= eprobe_disable_in,
	.at_return	= eprobe_at_return,
	.missed		= eprobe_missed,
	.on		= eprobe_on,
};

static int __init eprobe_events_init(void)
{
	probe_kind_register(&eprobe_kind);

	return 0;
}
core_initcall(eprobe_events_init);
