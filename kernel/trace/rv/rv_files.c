// SPDX-License-Identifier: GPL-2.0
/*
 * The directory rv: runtime verification, see Documentation/trace/rv/runtime-verification.rst.
 *
 * A monitor may be unregistered while its files are open: they have its id, which is looked up
 * on each access.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/rv.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/tracefs.h>

#include "instance/core/instance.h"
#include "rv/rv.h"
#include "rv/rv_files.h"
#include "tracefs/files.h"

static_assert(RV_ID_MOST <= TRACEFS_SUBJECT_MOST);

static void rv_files_available_monitors_show(struct seq_file *m, const struct tracefs_node *node)
{
	struct rv_record *record;
	unsigned long id;

	guard(mutex)(&rv_lock);

	for_each_rv_record(id, record)
		seq_printf(m, "%s\n", record->monitor->name);
}

static void rv_files_enabled_monitors_show(struct seq_file *m, const struct tracefs_node *node)
{
	struct rv_record *record;
	unsigned long id;

	guard(mutex)(&rv_lock);

	for_each_rv_record(id, record) {
		if (record->monitor->enabled)
			seq_printf(m, "%s\n", record->monitor->name);
	}
}

static int rv_files_switch_monitor(struct rv_record *record, bool on)
{
	if (on)
		return rv_enable(record);

	rv_disable(record);

	return 0;
}

static int rv_files_enabled_monitors_set(const struct tracefs_node *node, char *name)
{
	struct rv_record *record;
	bool no = *name == '!';

	/* With O_TRUNC the monitors were already disabled when the file was opened. */
	if (!*name)
		return 0;

	guard(mutex)(&rv_lock);

	record = rv_find(name + no);

	return record ? rv_files_switch_monitor(record, !no) : -EINVAL;
}

static void rv_files_enabled_monitors_truncate(const struct tracefs_node *node)
{
	struct rv_record *record;
	unsigned long id;

	guard(mutex)(&rv_lock);

	for_each_rv_record(id, record)
		rv_disable(record);
}

static void rv_files_monitoring_on_show(struct seq_file *m, const struct tracefs_node *node)
{
	seq_printf(m, "%d\n", rv_monitoring_on());
}

static int rv_files_monitoring_on_set(const struct tracefs_node *node, unsigned long value)
{
	if (value > 1)
		return -EINVAL;

	rv_monitoring_switch(value);

	return 0;
}

static const struct tracefs_entry rv_files[] = {
	{ "available_monitors", TRACEFS_READ, .show = rv_files_available_monitors_show },
	{ "enabled_monitors", TRACEFS_BOTH, .show = rv_files_enabled_monitors_show,
	  .set_token = rv_files_enabled_monitors_set, .may_be_empty = true,
	  .truncate = rv_files_enabled_monitors_truncate, .refused = "No such monitor" },
	{ "monitoring_on", TRACEFS_BOTH, .show = rv_files_monitoring_on_show,
	  .set_number = rv_files_monitoring_on_set },
	{ }
};

static int rv_files_desc_show(struct seq_file *m, const struct tracefs_node *node)
{
	struct rv_record *record;

	guard(mutex)(&rv_lock);

	record = xa_load(&rv_records, node->subject);
	if (!record)
		return -ENODEV;

	seq_printf(m, "%s\n", record->monitor->description ?: "");

	return 0;
}

static int rv_files_monitor_enable_show(struct seq_file *m, const struct tracefs_node *node)
{
	struct rv_record *record;

	guard(mutex)(&rv_lock);

	record = xa_load(&rv_records, node->subject);
	if (!record)
		return -ENODEV;

	seq_printf(m, "%d\n", record->monitor->enabled);

	return 0;
}

static int rv_files_monitor_enable_set(const struct tracefs_node *node, unsigned long value)
{
	struct rv_record *record;

	if (value > 1)
		return -EINVAL;

	guard(mutex)(&rv_lock);

	record = xa_load(&rv_records, node->subject);

	return record ? rv_files_switch_monitor(record, value) : -ENODEV;
}

static const struct tracefs_entry monitor_files[] = {
	{ "desc", TRACEFS_READ, .try_show = rv_files_desc_show },
	{ "enable", TRACEFS_BOTH, .try_show = rv_files_monitor_enable_show,
	  .set_number = rv_files_monitor_enable_set },
	{ }
};

/* The directory of all monitors' directories, and the base numbers of the files in them. */
static struct dentry *monitors_dir __ro_after_init;
static unsigned long monitor_numbers __ro_after_init;
static unsigned long reaction_numbers __ro_after_init;

static void rv_files_monitor_destroy(struct rv_record *record)
{
	tracefs_remove(record->dir);
	record->dir = NULL;
}

static int rv_files_monitor_create(struct rv_record *record)
{
	int ret;

	/* In lockdown, monitors work without files. */
	if (security_locked_down(LOCKDOWN_TRACEFS))
		return 0;

	record->dir = tracefs_create_dir(record->monitor->name, monitors_dir);
	if (!record->dir)
		return -ENOMEM;

	ret = tracefs_add_files_about(record->dir, monitor_files, monitor_numbers, record->id) ?:
	      tracefs_add_files_about(record->dir, tracefs_rv_reaction_files, reaction_numbers,
				      record->id);
	if (ret)
		rv_files_monitor_destroy(record);

	return ret;
}

static const struct rv_part rv_part = {
	.create		= rv_files_monitor_create,
	.destroy	= rv_files_monitor_destroy,
};

/**
 * tracefs_add_rv - create the directory rv, and directories for monitors as they are registered
 */
void __init tracefs_add_rv(void)
{
	struct dentry *dir = tracefs_create_dir("rv", NULL);

	if (!dir)
		return;

	tracefs_add_files(dir, rv_files, &trace_top, RING_BUFFER_ALL_CPUS, NULL);
	tracefs_add_files(dir, tracefs_rv_reactor_files, &trace_top, RING_BUFFER_ALL_CPUS, NULL);

	monitors_dir = tracefs_create_dir("monitors", dir);
	monitor_numbers = tracefs_add_nodes(monitor_files, &trace_top);
	reaction_numbers = tracefs_add_nodes(tracefs_rv_reaction_files, &trace_top);
	if (monitors_dir && monitor_numbers && reaction_numbers)
		rv_part_register(&rv_part);
}
