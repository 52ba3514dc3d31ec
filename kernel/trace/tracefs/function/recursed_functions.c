// SPDX-License-Identifier: GPL-2.0
/*
 * The file recursed_functions: functions that callbacks recursed through, after their callers.
 */
#include <linux/seq_file.h>

#include "ftrace/entry/recursed.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"

static void recursed_functions_show(struct seq_file *m, const struct tracefs_node *node)
{
	struct ftrace_recursion recursion;
	unsigned int nr;

	for (nr = 0; ftrace_recursion_get(nr, &recursion); nr++)
		if (recursion.parent_ip)
			seq_printf(m, "%pS:\t%pS\n", (void *)recursion.parent_ip,
				   (void *)recursion.ip);
}

static void recursed_functions_truncate(const struct tracefs_node *node)
{
	ftrace_recursion_reset();
}

/* Opening the file clears it; what is written has no meaning. */
static int recursed_functions_write(const struct tracefs_node *node, char *token)
{
	return 0;
}

const struct tracefs_entry tracefs_recursed_files[] = {
	{
		.name		= "recursed_functions",
		.mode		= TRACEFS_BOTH,
		.show		= recursed_functions_show,
		.set_token	= recursed_functions_write,
		.truncate	= recursed_functions_truncate,
		.may_be_empty	= true,
	},
	{}
};
