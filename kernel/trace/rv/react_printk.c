// SPDX-License-Identifier: GPL-2.0
/*
 * The reactor "printk": writes to the kernel log.
 */
#include <linux/init.h>
#include <linux/printk.h>
#include <linux/rv.h>

/* Monitors may hold locks of the scheduler, which consoles need. */
static void react_printk_report(char *msg)
{
	printk_deferred("%s", msg);
}

static struct rv_reactor printk_reactor = {
	.name		= "printk",
	.description	= "writes what happened to the kernel's log",
	.react		= react_printk_report,
};

static int __init react_printk_init(void)
{
	return rv_register_reactor(&printk_reactor);
}
device_initcall(react_printk_init);
