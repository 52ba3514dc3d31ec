// SPDX-License-Identifier: GPL-2.0
/*
 * What the log says of keys of a boot config that do nothing.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/init.h>
#include <linux/printk.h>

#include "boot/config_report.h"
#include "instance/core/instance.h"

/**
 * trace_bootconfig_report - say in the log what a key cannot do
 * @tr: the instance
 * @key: behind the instance's own
 * @value: of the key, or ""
 * @error: why
 */
void __init trace_bootconfig_report(struct trace_array *tr, const char *key,
				    const char *value, int error)
{
	pr_warn("ftrace.%s%s%s%s%s%s: error %d\n",
		tr->name ? "instance." : "", tr->name ?: "", tr->name ? "." : "",
		key, *value ? " = " : "", value, error);
}
