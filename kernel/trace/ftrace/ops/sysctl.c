// SPDX-License-Identifier: GPL-2.0
/* kernel.ftrace_enabled: when it is 0, no call site calls a callback. */
#include <linux/init.h>
#include <linux/sysctl.h>

#include "ftrace/ops/kill.h"
#include "ftrace/ops/ops.h"

static int ftrace_sysctl_enabled_handler(const struct ctl_table *table, int write,
					 void *buffer, size_t *lenp, loff_t *ppos)
{
	int value = READ_ONCE(ftrace_enabled);
	struct ctl_table shown = *table;
	int err;

	if (ftrace_is_dead())
		return -ENODEV;

	shown.data = &value;
	err = proc_dointvec(&shown, write, buffer, lenp, ppos);
	if (err || !write)
		return err;

	return ftrace_switch(value);
}

/* The handler keeps the value in its own variable until it is in force. */
static struct ctl_table ftrace_sysctls[] = {
	{
		.proc_handler	= ftrace_sysctl_enabled_handler,
		.procname	= "ftrace_enabled",
		.mode		= 0644,
		.maxlen		= sizeof(ftrace_enabled),
	},
};

static int __init ftrace_sysctl_init(void)
{
	register_sysctl_init("kernel", ftrace_sysctls);
	return 0;
}
late_initcall(ftrace_sysctl_init);
