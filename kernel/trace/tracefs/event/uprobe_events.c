// SPDX-License-Identifier: GPL-2.0
/*
 * uprobe events: uprobe_events lists and changes them, and uprobe_profile shows the hit count
 * of each probe. See uprobetracer.rst.
 */
#include <linux/cleanup.h>
#include <linux/seq_file.h>

#include "probe/core/probe_event.h"
#include "probe/kind/uprobe.h"
#include "tracefs/event/dynamic_events.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

static int uprobe_events_open(struct inode *inode, struct file *file)
{
	return tracefs_probes_open(inode, file, "uprobe_events", probe_uprobes);
}

static const struct file_operations uprobe_events_fops = {
	.open		= uprobe_events_open,
	.read		= seq_read,
	.write		= tracefs_probes_write,
	.llseek		= tracefs_llseek,
	.release	= tracefs_release_seq,
};

static void uprobe_events_profile_show(struct seq_file *m, const struct tracefs_node *node)
{
	const struct probe_event *event;
	const struct probe *probe;

	guard(mutex)(&probe_lock);

	list_for_each_entry(event, &probe_events, list) {
		if (event->kind != probe_uprobes)
			continue;
		list_for_each_entry(probe, &event->probes, list)
			seq_printf(m, "  %s %-44s %15lu\n", probe_uprobe_file(probe),
				   event->call.name, probe_hits(probe));
	}
}

/* Only in the top directory. */
const struct tracefs_entry tracefs_uprobe_files[] = {
	{ "uprobe_events", TRACEFS_BOTH, .fops = &uprobe_events_fops },
	{ "uprobe_profile", TRACEFS_READ, .show = uprobe_events_profile_show },
	{ }
};
