// SPDX-License-Identifier: GPL-2.0
/*
 * Synthetic events in dynamic_events:
 *
 *	s:[synthetic/]name type field[; type field ...]
 */
#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "event/control/event_add.h"
#include "event/core/event_list.h"
#include "probe/arg/probe_def.h"
#include "probe/core/probe_event.h"
#include "synth/synth.h"

static bool synth_dynamic_is_begun_by(const char *token)
{
	return !strncmp(token, "s:", 2);
}

static int synth_dynamic_define(struct probe_def *def)
{
	const char *name = probe_def_original(def, def->token[0]) + 2;

	if (!strncmp(name, SYNTH_SYSTEM "/", sizeof(SYNTH_SYSTEM)))
		name += sizeof(SYNTH_SYSTEM);

	return synth_define(name, name + strcspn(name, " \t\n"), def->text, "dynamic_events");
}

static int synth_dynamic_remove(const struct probe_name *name)
{
	int err;

	if (*name->group && strcmp(name->group, SYNTH_SYSTEM))
		return 0;
	if (!*name->event)
		return synth_remove_all();

	err = synth_remove(name->event);

	return err == -ENOENT ? 0 : err ?: 1;
}

/* Probes on the events keep them, and are removed before them. */
static bool synth_dynamic_is_used(void)
{
	struct synth_event *event;

	guard(mutex)(&synth_lock);
	guard(mutex)(&trace_event_lock);

	list_for_each_entry(event, &synth_events, list) {
		if (trace_event_call_is_used(&event->call, probe_nr_on(&event->call)))
			return true;
	}

	return false;
}

static void synth_dynamic_show(struct seq_file *m)
{
	const struct synth_event *event;

	guard(mutex)(&synth_lock);

	list_for_each_entry(event, &synth_events, list) {
		seq_printf(m, "s:" SYNTH_SYSTEM "/%s ", event->call.name);
		synth_show(m, event);
	}
}

static struct probe_others synth_dynamic = {
	.is_begun_by	= synth_dynamic_is_begun_by,
	.define		= synth_dynamic_define,
	.remove		= synth_dynamic_remove,
	.is_used	= synth_dynamic_is_used,
	.remove_all	= synth_remove_all,
	.show		= synth_dynamic_show,
};

static int __init synth_dynamic_init(void)
{
	probe_others_add(&synth_dynamic);

	return 0;
}
early_initcall(synth_dynamic_init);
