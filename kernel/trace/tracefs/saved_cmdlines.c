// SPDX-License-Identifier: GPL-2.0
/*
 * Files that translate numbers in entries: pids to tasks and thread groups, addresses to the
 * formats of trace_printk().
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>

#include "instance/core/instance.h"
#include "instance/record/cmdlines.h"
#include "instance/record/printk_formats.h"
#include "instance/record/tgids.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

static void saved_cmdlines_size_show(struct seq_file *m,
				     const struct tracefs_node *node)
{
	seq_printf(m, "%u\n", trace_cmdlines_size());
}

static int saved_cmdlines_size_set(const struct tracefs_node *node,
				   unsigned long value)
{
	if (value > UINT_MAX)
		return -EINVAL;

	return trace_cmdlines_resize(value);
}

static void saved_cmdlines_printk_formats_show(struct seq_file *m,
					       const struct tracefs_node *node)
{
	trace_formats_show(m);
}

/* Only in the top directory. */
const struct tracefs_entry tracefs_name_files[] = {
	{ "saved_cmdlines", TRACEFS_READ, .seq = &trace_cmdlines_seq_ops },
	{ "saved_cmdlines_size", TRACEFS_BOTH, .show = saved_cmdlines_size_show,
	  .set_number = saved_cmdlines_size_set },
	{ "saved_tgids", TRACEFS_READ, .seq = &trace_tgids_seq_ops },
	{ "printk_formats", TRACEFS_READ, .show = saved_cmdlines_printk_formats_show },
	{ }
};
