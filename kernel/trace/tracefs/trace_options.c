// SPDX-License-Identifier: GPL-2.0
/*
 * Options of instances and of tracers: trace_options lists the options that have an effect now,
 * the directory "options" has a file for each option.
 */
#include <linux/cleanup.h>
#include <linux/seq_file.h>
#include <linux/tracefs.h>

#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/tracer/tracer.h"
#include "instance/tracer/tracer_options.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"
#include "tracefs/trace_options.h"

static bool trace_options_is_set(const struct tracefs_node *node)
{
	const char *name = node->data;
	const struct tracer_option *own;
	struct tracer *tracer;
	int i = trace_option_find(name);

	if (i >= 0)
		return node->tr->options & BIT_ULL(i);

	own = tracer_find_option(name, &tracer);

	return own && (tracer_flags(node->tr, tracer) & own->bit);
}

static void trace_options_show_one(struct seq_file *m, const struct tracefs_node *node)
{
	guard(mutex)(&trace_lock);

	seq_printf(m, "%d\n", trace_options_is_set(node));
}

static int trace_options_file_set(const struct tracefs_node *node, unsigned long value)
{
	if (value > 1)
		return -EINVAL;

	guard(mutex)(&trace_lock);

	return trace_option_set_name(node->tr, node->data, value);
}

static const struct tracefs_entry option_entry = {
	.name		= "option",
	.mode		= TRACEFS_BOTH,
	.show		= trace_options_show_one,
	.set_number	= trace_options_file_set,
};

static void trace_options_show(struct seq_file *m,
			       const struct tracefs_node *node)
{
	struct trace_array *tr = node->tr;
	const struct tracer_option *own;
	int i;

	guard(mutex)(&trace_lock);

	for (i = 0; i < TRACE_OPTIONS; i++)
		seq_printf(m, "%s%s\n", tr->options & BIT_ULL(i) ? "" : "no",
			   trace_option_name(i));

	for (own = tr->tracer->options; own && own->name; own++)
		seq_printf(m, "%s%s\n", tracer_flags(tr, tr->tracer) & own->bit ? "" : "no",
			   own->name);
}

static int trace_options_set(const struct tracefs_node *node, char *option)
{
	return trace_option_write(node->tr, option);
}

/* In the directory of every instance. */
const struct tracefs_entry tracefs_option_files[] = {
	{ "trace_options", TRACEFS_BOTH, .show = trace_options_show,
	  .set_token = trace_options_set,
	  .refused = "No such option, or it cannot be changed" },
	{ }
};

/**
 * tracefs_add_options - create the directory "options"
 * @dir: the directory of the instance, NULL for the top directory
 * @tr: the instance
 *
 * Return: 0 or -ENOMEM. A file that cannot be created is missing, the other files exist.
 */
int tracefs_add_options(struct dentry *dir, struct trace_array *tr)
{
	struct dentry *options = tracefs_create_dir("options", dir);
	unsigned int nr = 0;
	int ret;

	if (!options)
		return -ENOMEM;

	ret = tracefs_add_alike(options, &option_entry, TRACE_OPTIONS, trace_option_name, tr);
	while (tracer_option_name(nr))
		nr++;

	return tracefs_add_alike(options, &option_entry, nr, tracer_option_name, tr) ?: ret;
}
