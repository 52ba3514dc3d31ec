// SPDX-License-Identifier: GPL-2.0
/*
 * Files that say what numbers in entries stand for: pids for tasks and thread
 * groups, addresses for the formats of trace_printk().
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>

#include "instance/formats.h"
#include "instance/instance.h"
#include "instance/names.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

static void saved_cmdlines_show(struct seq_file *m,
				const struct tracefs_node *node)
{
	trace_names_catch_up();
	trace_names_show(m);
}

static void saved_cmdlines_size_show(struct seq_file *m,
				     const struct tracefs_node *node)
{
	seq_printf(m, "%u\n", trace_names_size());
}

static int saved_cmdlines_size_set(const struct tracefs_node *node,
				   unsigned long value)
{
	if (value > UINT_MAX)
		return -EINVAL;

	return trace_names_resize(value);
}

/* Thread groups are recorded only while the option is set. */
static void saved_tgids_show(struct seq_file *m, const struct tracefs_node *node)
{
	if (!(READ_ONCE(node->tr->options) & TRACE_OPT(RECORD_TGID)))
		return;

	trace_names_catch_up();
	trace_tgids_show(m);
}

static void printk_formats_show(struct seq_file *m,
				const struct tracefs_node *node)
{
	trace_formats_show(m);
}

/* In the top directory alone. */
const struct tracefs_entry tracefs_name_files[] = {
	{ "saved_cmdlines", TRACEFS_READ, .show = saved_cmdlines_show },
	{ "saved_cmdlines_size", TRACEFS_BOTH, .show = saved_cmdlines_size_show,
	  .set_number = saved_cmdlines_size_set },
	{ "saved_tgids", TRACEFS_READ, .show = saved_tgids_show },
	{ "printk_formats", TRACEFS_READ, .show = printk_formats_show },
	{ }
};
