// SPDX-License-Identifier: GPL-2.0
/*
 * Reporting of boot config keys that have no effect.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/init.h>
#include <linux/printk.h>

#include "boot/config_report.h"
#include "instance/core/instance.h"

/**
 * trace_bootconfig_report - log that a key could not be applied
 * @tr: the instance
 * @key: name of the key, after the prefix of the instance
 * @value: value of the key, or ""
 * @error: the error
 */
void __init trace_bootconfig_report(struct trace_array *tr, const char *key,
				    const char *value, int error)
{
	pr_warn("ftrace.%s%s%s%s%s%s: error %d\n",
		tr->name ? "instance." : "", tr->name ?: "", tr->name ? "." : "",
		key, *value ? " = " : "", value, error);
}
