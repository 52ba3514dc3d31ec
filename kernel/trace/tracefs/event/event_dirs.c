// SPDX-License-Identifier: GPL-2.0
/*
 * The directory "events": a subdirectory for each event system, with a subdirectory for each
 * event.
 *
 * The directories are in eventfs, which creates dentries and inodes on look-up. The code here
 * creates only the description of each event's directory.
 */
#define pr_fmt(fmt) "tracefs: " fmt

#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracefs.h>
#include <linux/xarray.h>

#include "event/control/event_add.h"
#include "event/core/event_list.h"
#include "event/record/event_file.h"
#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/tracer/instance_create.h"
#include "tracefs/event/event_dirs.h"
#include "tracefs/event/event_files.h"
#include "tracefs/files.h"

/**
 * struct event_dirs_system - directory of a system
 * @list: entry in trace_event_dirs.systems
 * @name: name of the system
 * @subject: subject number of its files
 * @events: number of event directories in it
 * @dir: the directory
 */
struct event_dirs_system {
	struct list_head	list;
	const char		*name;
	unsigned int		subject;
	unsigned int		events;
	struct eventfs_inode	*dir;
};

/**
 * struct trace_event_dirs - the directory "events" of an instance; protected by
 * trace_event_lock
 * @dir: the directory
 * @systems: directories of systems in it, latest first
 * @last_subject: subject number last assigned to a system
 * @system_numbers: base number of the files of systems
 * @event_numbers: base number of the files of events
 * @removable: directories of events that can be removed, by the number of the event
 */
struct trace_event_dirs {
	struct eventfs_inode	*dir;
	struct list_head	systems;
	unsigned int		last_subject;
	unsigned long		system_numbers;
	unsigned long		event_numbers;
	struct xarray		removable;
};

/* eventfs calls these with its own locks held. */
static int event_dirs_callback(const char *name, umode_t *mode, void **data,
			       const struct file_operations **fops)
{
	return tracefs_eventfs_entry(tracefs_events_files, name, mode, data, fops);
}

static int event_dirs_system_callback(const char *name, umode_t *mode, void **data,
				      const struct file_operations **fops)
{
	return tracefs_eventfs_entry(tracefs_system_files, name, mode, data, fops);
}

static int event_dirs_entry(const char *name, umode_t *mode, void **data,
			    const struct file_operations **fops)
{
	return tracefs_eventfs_entry(tracefs_event_files, name, mode, data, fops);
}

static const struct eventfs_entry events_entries[] = {
	{ "enable", event_dirs_callback },
	{ "header_page", event_dirs_callback },
	{ "header_event", event_dirs_callback },
};

static const struct eventfs_entry system_entries[] = {
	{ "enable", event_dirs_system_callback },
	{ "filter", event_dirs_system_callback },
};

static const struct eventfs_entry event_entries[] = {
	{ "enable", event_dirs_entry },
	{ "filter", event_dirs_entry },
	{ "trigger", event_dirs_entry },
	{ "id", event_dirs_entry },
	{ "format", event_dirs_entry },
#ifdef CONFIG_HIST_TRIGGERS
	{ "hist", event_dirs_entry },
	{ "hist_raw", event_dirs_entry },
#endif
#ifdef CONFIG_HIST_TRIGGERS_DEBUG
	{ "hist_debug", event_dirs_entry },
#endif
};

/* Files of an event that cannot be enabled; the first ones are only used for ftrace:print. */
static const struct eventfs_entry fixed_entries[] = {
#ifdef CONFIG_HIST_TRIGGERS
	{ "hist", event_dirs_entry },
	{ "hist_raw", event_dirs_entry },
#endif
#ifdef CONFIG_HIST_TRIGGERS_DEBUG
	{ "hist_debug", event_dirs_entry },
#endif
	{ "trigger", event_dirs_entry },
	{ "id", event_dirs_entry },
	{ "format", event_dirs_entry },
};

static struct trace_instance_ops dirs_part;

static struct trace_event_dirs *event_dirs_of(const struct trace_array *tr)
{
	return trace_instance_data(tr, &dirs_part);
}

static const char *event_dirs_system_name(struct trace_array *tr, unsigned int subject)
{
	const struct trace_event_dirs *dirs = event_dirs_of(tr);
	const struct event_dirs_system *system;

	if (!dirs)
		return NULL;

	list_for_each_entry(system, &dirs->systems, list) {
		if (system->subject == subject)
			return system->name;
	}

	return NULL;
}

static struct event_dirs_system *event_dirs_find_system(struct trace_event_dirs *dirs,
							const char *name)
{
	struct event_dirs_system *system;

	/* The events of a system are added consecutively. */
	list_for_each_entry(system, &dirs->systems, list) {
		if (!strcmp(system->name, name))
			return system;
	}

	return NULL;
}

static struct eventfs_inode *event_dirs_make_system(struct trace_event_dirs *dirs,
						    const char *name, bool switchable)
{
	return eventfs_create_dir(name, dirs->dir, system_entries,
				  switchable ? ARRAY_SIZE(system_entries) : 0,
				  tracefs_eventfs_data(dirs->system_numbers, dirs->last_subject));
}

static struct event_dirs_system *event_dirs_add_system(struct trace_event_dirs *dirs,
						       const char *name,
						       bool switchable)
{
	struct event_dirs_system *system;

	/* Each system gets a number of its own, which is never reused. */
	if (dirs->last_subject == TRACEFS_SUBJECT_MOST)
		return NULL;

	system = kzalloc(sizeof(*system), GFP_KERNEL);
	if (!system)
		return NULL;

	system->subject = ++dirs->last_subject;
	system->name = kstrdup_const(name, GFP_KERNEL);
	if (!system->name)
		goto no_name;

	system->dir = event_dirs_make_system(dirs, name, switchable);
	if (IS_ERR(system->dir))
		goto no_dir;

	list_add(&system->list, &dirs->systems);

	return system;

no_dir:
	kfree_const(system->name);
no_name:
	kfree(system);
	return NULL;
}

static void event_dirs_remove_system(struct event_dirs_system *system)
{
	eventfs_remove_dir(system->dir);
	list_del(&system->list);
	kfree_const(system->name);
	kfree(system);
}

static struct eventfs_inode *event_dirs_make_event(struct trace_event_dirs *dirs,
						   struct event_dirs_system *system,
						   struct trace_event_call *call)
{
	void *data = tracefs_eventfs_data(dirs->event_numbers, call->event.type);
	const struct eventfs_entry *entries = event_entries;
	int nr = ARRAY_SIZE(event_entries);

	if (!trace_event_switchable(call)) {
		/* The last two entries are the number and the format. */
		entries = fixed_entries;
		nr = ARRAY_SIZE(fixed_entries);
		if (call->event.type != TRACE_PRINT) {
			entries += nr - 2;
			nr = 2;
		}
	}

	return eventfs_create_dir(trace_event_name(call), system->dir, entries, nr, data);
}

static int event_dirs_add_dir(struct trace_event_dirs *dirs, struct event_dirs_system *system,
			      struct trace_event_call *call)
{
	struct eventfs_inode *dir = event_dirs_make_event(dirs, system, call);
	int err = 0;

	if (IS_ERR(dir))
		return PTR_ERR(dir);

	if (call->module || call->flags & TRACE_EVENT_FL_DYNAMIC)
		err = xa_err(xa_store(&dirs->removable, call->event.type, dir, GFP_KERNEL));
	if (err)
		eventfs_remove_dir(dir);
	else
		system->events++;

	return err;
}

static int event_dirs_add_event(struct trace_array *tr, struct trace_event_call *call)
{
	struct trace_event_dirs *dirs = event_dirs_of(tr);
	const char *name = call->class->system;
	struct event_dirs_system *system;

	if (!trace_event_in(tr, call))
		return 0;

	system = event_dirs_find_system(dirs, name);
	if (!system)
		system = event_dirs_add_system(dirs, name, trace_event_switchable(call));
	if (system && !event_dirs_add_dir(dirs, system, call))
		return 0;

	pr_warn("could not create directory events/%s/%s\n", name, trace_event_name(call));
	if (system && !system->events)
		event_dirs_remove_system(system);

	return -ENOMEM;
}

static void event_dirs_remove_event(struct trace_array *tr, struct trace_event_call *call)
{
	struct trace_event_dirs *dirs = event_dirs_of(tr);
	struct eventfs_inode *dir = xa_erase(&dirs->removable, call->event.type);
	struct event_dirs_system *system = event_dirs_find_system(dirs, call->class->system);

	if (!dir || !system)
		return;

	eventfs_remove_dir(dir);
	if (!--system->events)
		event_dirs_remove_system(system);
}

static void event_dirs_added(struct trace_event_call *call)
{
	struct trace_events *events;

	trace_event_for_each_instance(events) {
		if (event_dirs_of(events->tr))
			event_dirs_add_event(events->tr, call);
	}
}

static void event_dirs_removed(struct trace_event_call *call)
{
	struct trace_events *events;

	trace_event_for_each_instance(events) {
		if (event_dirs_of(events->tr))
			event_dirs_remove_event(events->tr, call);
	}
}

static struct trace_event_notifier watch = {
	.added		= event_dirs_added,
	.removed	= event_dirs_removed,
};

/**
 * tracefs_events_init - follow events as they are added and removed
 *
 * Called before any instance has its directory.
 *
 * Return: as register_trace_instance_ops()
 */
int __init tracefs_events_init(void)
{
	int ret = register_trace_instance_ops(&dirs_part);

	if (ret)
		return ret;

	tracefs_event_files_init(event_dirs_system_name);

	guard(mutex)(&trace_event_lock);
	trace_event_notifier(&watch);

	return 0;
}

static struct trace_event_dirs *event_dirs_make(struct dentry *dir, struct trace_array *tr)
{
	struct trace_event_dirs *dirs = kzalloc(sizeof(*dirs), GFP_KERNEL);
	unsigned long numbers = tracefs_add_nodes(tracefs_events_files, tr);

	if (!dirs || !numbers)
		goto failed;

	INIT_LIST_HEAD(&dirs->systems);
	xa_init(&dirs->removable);
	dirs->system_numbers = tracefs_add_nodes(tracefs_system_files, tr);
	dirs->event_numbers = tracefs_add_nodes(tracefs_event_files, tr);
	if (!dirs->system_numbers || !dirs->event_numbers)
		goto failed;

	dirs->dir = eventfs_create_events_dir("events", dir, events_entries,
					      ARRAY_SIZE(events_entries),
					      tracefs_eventfs_data(numbers, 0));
	if (!IS_ERR_OR_NULL(dirs->dir))
		return dirs;

failed:
	/* tracefs_forget() frees the nodes. */
	kfree(dirs);
	return NULL;
}

/**
 * tracefs_add_events - create the directory "events"
 * @dir: the directory of the instance, NULL for the top directory
 * @tr: the instance
 *
 * Return: 0 or -ENOMEM. Parts that cannot be created are missing, the rest exists.
 */
int tracefs_add_events(struct dentry *dir, struct trace_array *tr)
{
	struct trace_event_dirs *dirs;
	struct trace_event_call *call;
	int ret = 0;

	guard(mutex)(&trace_event_lock);

	dirs = event_dirs_make(dir, tr);
	trace_instance_set_data(tr, &dirs_part, dirs);
	if (!dirs) {
		pr_warn("could not create directory events\n");
		return -ENOMEM;
	}

	list_for_each_entry(call, &trace_event_calls, list)
		ret = event_dirs_add_event(tr, call) ?: ret;

	return ret;
}

/**
 * tracefs_remove_events - remove the directory "events"
 * @tr: the instance
 */
void tracefs_remove_events(struct trace_array *tr)
{
	struct trace_event_dirs *dirs;
	struct event_dirs_system *system, *next;

	scoped_guard(mutex, &trace_event_lock) {
		dirs = event_dirs_of(tr);
		trace_instance_set_data(tr, &dirs_part, NULL);
	}
	if (!dirs)
		return;

	/* Also removes the directories in it. */
	eventfs_remove_events_dir(dirs->dir);
	list_for_each_entry_safe(system, next, &dirs->systems, list) {
		kfree_const(system->name);
		kfree(system);
	}
	xa_destroy(&dirs->removable);
	kfree(dirs);
}
