// SPDX-License-Identifier: GPL-2.0
/*
 * Files about latencies: tracing_thresh, and tracing_max_latency, which notifies inotify
 * watchers of each new maximum.
 */
#include <linux/cleanup.h>
#include <linux/dcache.h>
#include <linux/fsnotify.h>
#include <linux/init.h>
#include <linux/seq_file.h>

#include "instance/core/instance.h"
#include "instance/snapshot/max_latency.h"
#include "instance/tracer/instance_create.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"
#include "tracefs/tracing_max_latency.h"

/* Values in the files are in microseconds. */
#define MAX_US		(U64_MAX / NSEC_PER_USEC)

static void tracing_max_latency_thresh_show(struct seq_file *m, const struct tracefs_node *node)
{
	seq_printf(m, "%llu\n", trace_latency_us(READ_ONCE(trace_latency_thresh)));
}

static int tracing_max_latency_thresh_set(const struct tracefs_node *node, unsigned long value)
{
	if (value > MAX_US)
		return -ERANGE;

	WRITE_ONCE(trace_latency_thresh, value * NSEC_PER_USEC);

	return 0;
}

/* Only in the top directory. */
const struct tracefs_entry tracefs_latency_files[] = {
	{ "tracing_thresh", TRACEFS_BOTH, .show = tracing_max_latency_thresh_show,
	  .set_number = tracing_max_latency_thresh_set },
	{ }
};

#ifdef CONFIG_TRACER_MAX_LATENCY
static void tracing_max_latency_show(struct seq_file *m, const struct tracefs_node *node)
{
	seq_printf(m, "%llu\n",
		   trace_latency_us(READ_ONCE(node->tr->max_latency)));
}

static int tracing_max_latency_set(const struct tracefs_node *node, unsigned long value)
{
	if (value > MAX_US)
		return -ERANGE;

	trace_latency_set_max(node->tr, value * NSEC_PER_USEC);

	return 0;
}

static const struct tracefs_entry max_latency_entry = {
	.name		= "tracing_max_latency",
	.mode		= TRACEFS_BOTH,
	.show		= tracing_max_latency_show,
	.set_number	= tracing_max_latency_set,
};

/* Its data in an instance is the file, or NULL; trace_lock. */
static struct trace_instance_ops latency_ops;

/**
 * tracefs_latency_file - the file tracing_max_latency of an instance
 * @tr: the instance
 *
 * Context: trace_lock held
 *
 * Return: the file, or NULL
 */
struct dentry *tracefs_latency_file(const struct trace_array *tr)
{
	return trace_instance_data(tr, &latency_ops);
}

/**
 * tracefs_add_latency - create the file tracing_max_latency
 * @dir: the directory of the instance, NULL for the top directory
 * @tr: the instance
 *
 * Return: 0 or -ENOMEM
 */
int tracefs_add_latency(struct dentry *dir, struct trace_array *tr)
{
	struct dentry *file = tracefs_add_file(dir, max_latency_entry.name,
					       &max_latency_entry, tr, NULL);

	guard(mutex)(&trace_lock);

	trace_instance_set_data(tr, &latency_ops, file);

	return file ? 0 : -ENOMEM;
}

/**
 * tracefs_remove_latency - stop using the file tracing_max_latency
 * @tr: the instance, whose directory is about to be removed
 */
void tracefs_remove_latency(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);

	trace_instance_set_data(tr, &latency_ops, NULL);
}

/* Notify as if the new maximum had been written to the file. */
static void tracing_max_latency_notify(struct trace_array *tr)
{
	struct dentry *file;

	scoped_guard(mutex, &trace_lock)
		file = dget(tracefs_latency_file(tr));
	if (!file)
		return;

	fsnotify_dentry(file, FS_MODIFY);
	dput(file);
}

static struct trace_latency_watch watch = {
	.new_max	= tracing_max_latency_notify,
};

static int __init tracing_max_latency_files_init(void)
{
	trace_latency_on_max(&watch);

	return register_trace_instance_ops(&latency_ops);
}
early_initcall(tracing_max_latency_files_init);
#endif
