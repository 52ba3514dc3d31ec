// SPDX-License-Identifier: GPL-2.0
/*
 * Directory options: a file for each option, of the instance and of tracers.
 */
#include <linux/cleanup.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/tracefs.h>

#include "instance/instance.h"
#include "instance/registry.h"
#include "tracefs/files.h"

static bool option_is_set(const struct tracefs_node *node)
{
	const char *name = node->data;
	const struct tracer_option *own;
	struct tracer *tracer;
	int i = trace_option_find(name);

	if (i >= 0)
		return node->tr->options & BIT_ULL(i);

	own = tracer_find_option(name, &tracer);

	return own && (tracer->flags & own->bit);
}

static void option_show(struct seq_file *m, const struct tracefs_node *node)
{
	guard(mutex)(&trace_lock);

	seq_printf(m, "%d\n", option_is_set(node));
}

static int option_set(const struct tracefs_node *node, unsigned long value)
{
	if (value > 1)
		return -EINVAL;

	guard(mutex)(&trace_lock);

	return trace_option_set_name(node->tr, node->data, value);
}

static const struct tracefs_entry option_entry = {
	.name		= "option",
	.mode		= 0640,
	.show		= option_show,
	.set_number	= option_set,
};

static void add_option(struct dentry *dir, struct trace_array *tr,
		       const char *name)
{
	struct tracefs_node *node = kzalloc(sizeof(*node), GFP_KERNEL);

	if (!node)
		return;

	node->entry = &option_entry;
	node->tr = tr;
	node->cpu = RING_BUFFER_ALL_CPUS;
	node->data = name;
	if (!tracefs_add_file(dir, name, node))
		kfree(node);
}

/**
 * tracefs_add_options - make the directory options
 * @dir: where, NULL for the top directory
 * @tr: the instance
 */
void tracefs_add_options(struct dentry *dir, struct trace_array *tr)
{
	struct dentry *options = tracefs_create_dir("options", dir);
	const char *name;
	int i;

	if (!options)
		return;

	for (i = 0; i < TRACE_OPTIONS; i++)
		add_option(options, tr, trace_option_name(i));

	for (i = 0; (name = tracer_option_name(i)); i++)
		add_option(options, tr, name);
}
