// SPDX-License-Identifier: GPL-2.0
/*
 * Tracing in a boot config (Documentation/trace/boottime-trace.rst): the keys "ftrace." for
 * functions, instances and options; boot/event_config.c has the keys for events. The top
 * instance has its keys there, and each instance has the same ones below "ftrace.instance.". A
 * key that cannot be applied is reported, and the remaining keys are applied.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/array_size.h>
#include <linux/bootconfig.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/gfp.h>
#include <linux/init.h>
#include <linux/kstrtox.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/ring_buffer.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "boot/config_report.h"
#include "boot/event_config.h"
#include "instance/core/buffer.h"
#include "instance/core/instance.h"
#include "instance/snapshot/buffer_change.h"
#include "instance/snapshot/snapshot.h"
#include "instance/tracer/current_tracer.h"
#include "instance/tracer/instance_create.h"
#include "instance/tracer/register_tracer.h"
#include "instance/tracer/tracer.h"
#include "instance/tracer/tracer_options.h"

static int __init instance_config_set_buffer_size(struct trace_array *tr, const char *value)
{
	unsigned long size;
	char *end;

	size = memparse(value, &end);
	if (end == value || (*end && strcmp(end, "B") && strcmp(end, "b")))
		return -EINVAL;

	return trace_array_resize(tr, size, RING_BUFFER_ALL_CPUS);
}

static int __init instance_config_alloc_snapshot(struct trace_array *tr, const char *value)
{
	return *value ? -EINVAL : trace_snapshot_alloc(tr);
}

static int __init instance_config_add_filter(struct trace_array *tr, const char *value)
{
	return tr->ops ? ftrace_set_filter(tr->ops, (unsigned char *)value,
					   strlen(value), 0) : -ENODEV;
}

static int __init instance_config_add_notrace(struct trace_array *tr, const char *value)
{
	return tr->ops ? ftrace_set_notrace(tr->ops, (unsigned char *)value,
					    strlen(value), 0) : -ENODEV;
}

/**
 * struct instance_config_late_tracer - a tracer that is not registered yet, like those that
 * start threads
 * @list: entry in late_tracers
 * @tr: the instance that must use it, with a reference
 * @name: its name
 */
struct instance_config_late_tracer {
	struct list_head	list;
	struct trace_array	*tr;
	const char		*name;
};

static LIST_HEAD(late_tracers);

static bool __init instance_config_tracer_is_there(const char *name)
{
	guard(mutex)(&trace_lock);

	return tracer_find(name);
}

static int __init instance_config_set_tracer_later(struct trace_array *tr, const char *name)
{
	struct instance_config_late_tracer *late = kmalloc(sizeof(*late), GFP_KERNEL);

	if (!late)
		return -ENOMEM;

	/* Instances are not removed concurrently at this time. */
	WARN_ON(trace_array_get(tr));
	late->tr = tr;
	late->name = name;
	list_add_tail(&late->list, &late_tracers);

	return 0;
}

static int __init instance_config_set_tracer(struct trace_array *tr, const char *value)
{
	int ret = security_locked_down(LOCKDOWN_TRACEFS);

	if (ret)
		return ret;

	return instance_config_tracer_is_there(value) ? tracing_set_tracer(tr, value) :
							instance_config_set_tracer_later(tr, value);
}

static int __init instance_config_set_tracing_on(struct trace_array *tr, const char *value)
{
	bool on;

	if (kstrtobool(value, &on))
		return -EINVAL;

	if (on)
		trace_array_on(tr);
	else
		trace_array_off(tr);

	return 0;
}

/**
 * struct instance_config_boot_key - a key of an instance
 * @name: name of the key, after the prefix of the instance
 * @set: apply one of its values; a key without a value has ""
 */
struct instance_config_boot_key {
	const char	*name;
	int		(*set)(struct trace_array *tr, const char *value);
};

/* In the order they are applied: settings before the tracer is started. */
static const struct instance_config_boot_key boot_keys[] __initconst = {
	{ "tracing_on",		instance_config_set_tracing_on },
	{ "options",		trace_option_write },
	{ "trace_clock",	trace_array_set_clock },
	{ "buffer_size",	instance_config_set_buffer_size },
	{ "alloc_snapshot",	instance_config_alloc_snapshot },
	{ "cpumask",		trace_array_set_cpumask },
	{ "ftrace.filters",	instance_config_add_filter },
	{ "ftrace.notraces",	instance_config_add_notrace },
	{ "tracer",		instance_config_set_tracer },
};

static void __init instance_config_apply(struct trace_array *tr, struct xbc_node *node,
					 const struct instance_config_boot_key *key)
{
	struct xbc_node *each = NULL;
	const char *value;
	int ret;

	value = xbc_node_find_value(node, key->name, &each);
	while (value) {
		ret = key->set(tr, value);
		if (ret < 0)
			trace_bootconfig_report(tr, key->name, value, ret);
		each = each ? xbc_node_get_child(each) : NULL;
		value = each ? xbc_node_get_data(each) : NULL;
	}
}

/* Is @name the beginning of a known key, or the key of instances? */
static bool __init instance_config_is_known(struct trace_array *tr, const char *name)
{
	size_t len = strlen(name);
	int i;

	if (tr == &trace_top && !strcmp(name, "instance"))
		return true;

	if (!strcmp(name, "events") || !strcmp(name, "event"))
		return true;

	for (i = 0; i < ARRAY_SIZE(boot_keys); i++) {
		if (!strncmp(boot_keys[i].name, name, len) &&
		    (!boot_keys[i].name[len] || boot_keys[i].name[len] == '.'))
			return true;
	}

	return false;
}

static void __init instance_config_from_node(struct trace_array *tr, struct xbc_node *node)
{
	struct xbc_node *key;
	int i;

	for (i = 0; i < ARRAY_SIZE(boot_keys); i++)
		instance_config_apply(tr, node, &boot_keys[i]);
	trace_bootconfig_events(tr, node);

	xbc_node_for_each_subkey(node, key) {
		if (!instance_config_is_known(tr, xbc_node_get_data(key)))
			trace_bootconfig_report(tr, xbc_node_get_data(key), "", -ENOENT);
	}
}

/* After the self tests of tracers, which must not find anything traced. */
static int __init instance_config_apply_all(void)
{
	struct xbc_node *root, *instances, *node;
	struct trace_array *tr;
	const char *name;
	int ret;

	root = xbc_find_node("ftrace");
	if (!root || !trace_top.main.buffer)
		return 0;

	trace_selftests_run();
	instance_config_from_node(&trace_top, root);

	instances = xbc_node_find_subkey(root, "instance");
	if (!instances)
		return 0;

	xbc_node_for_each_subkey(instances, node) {
		name = xbc_node_get_data(node);
		ret = trace_instance_mkdir(name);
		tr = !ret || ret == -EEXIST ? trace_array_get_by_name(name, NULL) : NULL;
		if (!tr) {
			pr_warn("ftrace.instance.%s: error %d\n", name, ret);
			continue;
		}
		instance_config_from_node(tr, node);
		trace_array_put(tr);
	}

	return 0;
}
core_initcall_sync(instance_config_apply_all);

/* All tracers are registered. */
static int __init instance_config_apply_late(void)
{
	struct instance_config_late_tracer *late, *next;
	int ret;

	list_for_each_entry_safe(late, next, &late_tracers, list) {
		ret = tracing_set_tracer(late->tr, late->name);
		if (ret)
			trace_bootconfig_report(late->tr, "tracer", late->name, ret);
		trace_array_put(late->tr);
		kfree(late);
	}

	return 0;
}
late_initcall_sync(instance_config_apply_late);
