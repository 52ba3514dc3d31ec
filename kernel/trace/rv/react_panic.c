// SPDX-License-Identifier: GPL-2.0
/*
 * The reactor "panic": stops the machine.
 */
#include <linux/init.h>
#include <linux/panic.h>
#include <linux/rv.h>

static void react_panic_now(char *msg)
{
	panic("%s", msg);
}

static struct rv_reactor panic_reactor = {
	.name		= "panic",
	.description	= "stops the machine, and says why",
	.react		= react_panic_now,
};

static int __init react_panic_init(void)
{
	return rv_register_reactor(&panic_reactor);
}
device_initcall(react_panic_init);
