// SPDX-License-Identifier: GPL-2.0
/*
 * kprobe events: kprobe_events lists and changes them, and kprobe_profile shows their hit
 * counts. See kprobetrace.rst.
 */
#include <linux/cleanup.h>
#include <linux/seq_file.h>

#include "probe/core/probe_event.h"
#include "probe/kind/kprobe.h"
#include "tracefs/event/dynamic_events.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

static int kprobe_events_open(struct inode *inode, struct file *file)
{
	return tracefs_probes_open(inode, file, "kprobe_events", probe_kprobes);
}

static const struct file_operations kprobe_events_fops = {
	.open		= kprobe_events_open,
	.read		= seq_read,
	.write		= tracefs_probes_write,
	.llseek		= tracefs_llseek,
	.release	= tracefs_release_seq,
};

static void kprobe_events_profile_show(struct seq_file *m, const struct tracefs_node *node)
{
	const struct probe_event *event;
	const struct probe *probe;

	guard(mutex)(&probe_lock);

	list_for_each_entry(event, &probe_events, list) {
		unsigned long hits = 0, missed = 0;

		if (event->kind != probe_kprobes)
			continue;
		list_for_each_entry(probe, &event->probes, list) {
			hits += probe_hits(probe);
			missed += event->kind->missed(probe);
		}
		seq_printf(m, "  %-44s %15lu %15lu\n", event->call.name, hits, missed);
	}
}

/* Only in the top directory. */
const struct tracefs_entry tracefs_kprobe_files[] = {
	{ "kprobe_events", TRACEFS_BOTH, .fops = &kprobe_events_fops },
	{ "kprobe_profile", TRACEFS_READ, .show = kprobe_events_profile_show },
	{ }
};
