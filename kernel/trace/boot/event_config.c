// SPDX-License-Identifier: GPL-2.0
/*
 * Trace events in a boot config (Documentation/trace/boottime-trace.rst): the keys "events" and
 * "event.SYSTEM.EVENT" of an instance. A key that cannot be applied is reported, and the
 * remaining keys are applied.
 */
#include <linux/array_size.h>
#include <linux/bootconfig.h>
#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "boot/config_report.h"
#include "boot/event_config.h"
#include "event/control/event_filter.h"
#include "event/control/event_set.h"
#include "event/control/trigger_text.h"
#include "event/core/event_list.h"
#include "event/record/event_file.h"

static struct list_head event_definers __initdata = LIST_HEAD_INIT(event_definers);
static struct list_head event_keys __initdata = LIST_HEAD_INIT(event_keys);

/**
 * trace_bootconfig_definer - register a definer of events
 * @definer: the definer, which is never unregistered
 *
 * Called from an initcall before the level core_initcall_sync.
 */
void __init trace_bootconfig_definer(struct trace_bootconfig_definer *definer)
{
	list_add_tail(&definer->list, &event_definers);
}

/**
 * trace_bootconfig_key - register a key of events
 * @key: the key, which is never unregistered
 *
 * Called from an initcall before the level core_initcall_sync.
 */
void __init trace_bootconfig_key(struct trace_bootconfig_key *key)
{
	list_add_tail(&key->list, &event_keys);
}

static struct trace_bootconfig_definer * __init event_config_definer(const char *system,
								     const char *key)
{
	struct trace_bootconfig_definer *definer;

	list_for_each_entry(definer, &event_definers, list) {
		if (!strcmp(definer->system, system) && !strcmp(definer->key, key))
			return definer;
	}

	return NULL;
}

/* Keys "event.SYSTEM.EVENT.KEY" that define events: applied first, for all other keys */
static void __init event_config_define(struct trace_array *tr, const char *system,
				       struct xbc_node *node)
{
	struct trace_bootconfig_definer *definer;
	struct xbc_node *each;

	list_for_each_entry(definer, &event_definers, list) {
		if (strcmp(definer->system, system))
			continue;
		xbc_node_for_each_subkey(node, each) {
			if (xbc_node_find_subkey(each, definer->key))
				definer->define(tr, xbc_node_get_data(each), each);
		}
	}
}

/* Report an error of a key of an event, or of all events of a system. */
static void __init event_config_report(struct trace_array *tr, const char *system,
				       const char *event,
				       const char *key, const char *value, int error)
{
	char name[128];

	snprintf(name, sizeof(name), "event%s%s%s%s%s%s", *system ? "." : "", system,
		 *event ? "." : "", event, *key ? "." : "", key);
	trace_bootconfig_report(tr, name, value, error);
}

/* Key "events": event specifiers as for set_event */
static void __init event_config_enable_specs(struct trace_array *tr, struct xbc_node *node)
{
	struct xbc_node *each;
	const char *value;
	int ret;

	xbc_node_for_each_array_value(node, "events", each, value) {
		ret = trace_events_apply(tr, value);
		if (ret)
			trace_bootconfig_report(tr, "events", value, ret);
	}
}

static bool __init event_config_is_enable(struct xbc_node *node)
{
	return !strcmp(xbc_node_get_data(node), "enable") && xbc_node_is_leaf(node);
}

static bool __init event_config_is_key(const char *key)
{
	struct trace_bootconfig_key *each;

	list_for_each_entry(each, &event_keys, list) {
		if (!strcmp(each->key, key))
			return true;
	}

	return false;
}

/* Keys that set triggers */
static void __init event_config_triggers(struct trace_array *tr, struct trace_event_call *call,
					 struct xbc_node *node)
{
	struct trace_bootconfig_key *key;
	struct xbc_node *each;
	const char *value;
	int ret;

	xbc_node_for_each_array_value(node, "actions", each, value) {
		ret = trace_trigger_set(tr, call, value);
		if (ret)
			event_config_report(tr, call->class->system, trace_event_name(call),
					    "actions", value, ret);
	}

	list_for_each_entry(key, &event_keys, list) {
		each = xbc_node_find_subkey(node, key->key);
		if (each)
			key->apply(tr, call, each);
	}
}

/* An event that tracing itself writes can only have triggers. */
static int __init event_config_set_filter(struct trace_array *tr, struct trace_event_call *call,
					  const char *filter)
{
	return trace_event_switchable(call) ? trace_event_filter_set(tr, call, filter) : -ENOENT;
}

/* Keys "event.SYSTEM.EVENT.*" except "enable" */
static void __init event_config_setup(struct trace_array *tr, const char *system,
				      struct xbc_node *node)
{
	const char *name = xbc_node_get_data(node), *key, *value;
	struct trace_event_call *call = trace_event_call_find(system, name);
	struct xbc_node *each;
	int ret;

	if (!call || !trace_event_in(tr, call)) {
		event_config_report(tr, system, name, "", "", -ENOENT);
		return;
	}

	value = xbc_node_find_value(node, "filter", NULL);
	ret = value ? event_config_set_filter(tr, call, value) : 0;
	if (ret)
		event_config_report(tr, system, name, "filter", value, ret);

	event_config_triggers(tr, call, node);

	xbc_node_for_each_subkey(node, each) {
		key = xbc_node_get_data(each);
		if (!event_config_is_enable(each) && strcmp(key, "filter") &&
		    strcmp(key, "actions") && !event_config_is_key(key) &&
		    !event_config_definer(system, key))
			event_config_report(tr, system, name, key, "", -ENOENT);
	}
}

static void __init event_config_enable(struct trace_array *tr, const char *system,
				       struct xbc_node *node)
{
	const char *name = xbc_node_get_data(node);
	struct trace_event_call *call = trace_event_call_find(system, name);
	struct xbc_node *enable = xbc_node_find_subkey(node, "enable");
	int ret;

	/* An event that does not exist has been reported. */
	if (!call || !trace_event_in(tr, call) || !enable || !event_config_is_enable(enable))
		return;

	ret = trace_event_switchable(call) ? trace_event_set(tr, call, true) : -ENOENT;
	if (ret)
		event_config_report(tr, system, name, "enable", "", ret);
}

/* Key "enable" of all events, or of the events of a system */
static void __init event_config_enable_all(struct trace_array *tr, const char *system)
{
	int ret = trace_events_set(tr, system, NULL, true);

	if (ret)
		event_config_report(tr, system ?: "", "", "enable", "", ret);
}

/* Keys "event.SYSTEM.*" */
static void __init event_config_system(struct trace_array *tr, struct xbc_node *node, bool enable)
{
	const char *system = xbc_node_get_data(node);
	struct xbc_node *each;

	xbc_node_for_each_subkey(node, each) {
		if (!event_config_is_enable(each)) {
			if (enable)
				event_config_enable(tr, system, each);
			else
				event_config_setup(tr, system, each);
		} else if (enable) {
			event_config_enable_all(tr, system);
		}
	}
}

/* Keys "event.*" */
static void __init event_config_systems(struct trace_array *tr, struct xbc_node *node, bool enable)
{
	struct xbc_node *each;

	xbc_node_for_each_subkey(node, each) {
		if (!event_config_is_enable(each))
			event_config_system(tr, each, enable);
		else if (enable)
			event_config_enable_all(tr, NULL);
	}
}

/**
 * trace_bootconfig_events - apply the keys "events" and "event" of an instance
 * @tr: the instance
 * @node: node with its keys
 *
 * All filters and triggers are set before any event is enabled.
 */
void __init trace_bootconfig_events(struct trace_array *tr, struct xbc_node *node)
{
	struct xbc_node *systems = xbc_node_find_subkey(node, "event"), *each;

	if (systems) {
		xbc_node_for_each_subkey(systems, each)
			event_config_define(tr, xbc_node_get_data(each), each);
	}

	guard(mutex)(&trace_event_lock);

	if (systems)
		event_config_systems(tr, systems, false);
	event_config_enable_specs(tr, node);
	if (systems)
		event_config_systems(tr, systems, true);
}
