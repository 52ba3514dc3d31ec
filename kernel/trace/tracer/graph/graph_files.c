// SPDX-License-Identifier: GPL-2.0
/*
 * Files of the function graph tracer, except the files that contain function names.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/seq_file.h>

#include "tracefs/files.h"
#include "tracefs/tables.h"
#include "tracer/graph/graph_tracer.h"

static void graph_files_max_depth_show(struct seq_file *m, const struct tracefs_node *node)
{
	seq_printf(m, "%u\n", trace_graph_max_depth(node->tr));
}

static int graph_files_max_depth_set(const struct tracefs_node *node, unsigned long value)
{
	if (value > INT_MAX)
		return -EINVAL;

	trace_graph_set_max_depth(node->tr, value);
	return 0;
}

static void graph_files_tree_stats_show(struct seq_file *m, const struct tracefs_node *node)
{
	struct graph_counts counts = trace_graph_counts(node->tr);

	seq_printf(m, "kept: %lu\n", counts.kept);
	seq_printf(m, "truncated: %lu\n", counts.truncated);
	seq_printf(m, "dropped: %lu\n", counts.dropped);
	seq_printf(m, "dropped calls: %lu\n", counts.dropped_calls);
	seq_printf(m, "unfinished: %lu\n", counts.unfinished);
	seq_printf(m, "missed: %lu\n", counts.missed);
	seq_printf(m, "lost calls: %lu\n", counts.lost_calls);
}

/* In the directory of every instance. */
const struct tracefs_entry tracefs_graph_files[] = {
	{ "max_graph_depth", TRACEFS_BOTH, .show = graph_files_max_depth_show,
	  .set_number = graph_files_max_depth_set },
	{ "graph_tree_stats", TRACEFS_READ, .show = graph_files_tree_stats_show },
	{ }
};
