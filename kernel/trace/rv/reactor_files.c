// SPDX-License-Identifier: GPL-2.0
/*
 * Files of runtime verification reactors.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/rv.h>
#include <linux/seq_file.h>

#include "rv/reactors.h"
#include "rv/rv.h"
#include "rv/rv_files.h"
#include "tracefs/files.h"

static void reactor_files_available_show(struct seq_file *m, const struct tracefs_node *node)
{
	rv_reactors_show(m);
}

static void reactor_files_reacting_on_show(struct seq_file *m, const struct tracefs_node *node)
{
	seq_printf(m, "%d\n", rv_reacting_on());
}

static int reactor_files_reacting_on_set(const struct tracefs_node *node, unsigned long value)
{
	if (value > 1)
		return -EINVAL;

	rv_reactors_switch(value);

	return 0;
}

const struct tracefs_entry tracefs_rv_reactor_files[] = {
	{ "available_reactors", TRACEFS_READ, .show = reactor_files_available_show },
	{ "reacting_on", TRACEFS_BOTH, .show = reactor_files_reacting_on_show,
	 .set_number = reactor_files_reacting_on_set },
	{ }
};

static int reactor_files_show(struct seq_file *m, const struct tracefs_node *node)
{
	struct rv_record *record;

	guard(mutex)(&rv_lock);

	record = xa_load(&rv_records, node->subject);
	if (!record)
		return -ENODEV;

	rv_reaction_show(m, &record->reaction);

	return 0;
}

static int reactor_files_set(const struct tracefs_node *node, char *name)
{
	struct rv_record *record;

	guard(mutex)(&rv_lock);

	record = xa_load(&rv_records, node->subject);

	return record ? rv_reaction_set(&record->reaction, name) : -ENODEV;
}

const struct tracefs_entry tracefs_rv_reaction_files[] = {
	{ "reactors", TRACEFS_BOTH, .try_show = reactor_files_show, .set_token = reactor_files_set,
	  .refused = "No such reactor" },
	{ }
};
