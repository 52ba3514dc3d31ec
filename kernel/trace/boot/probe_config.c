// SPDX-License-Identifier: GPL-2.0
/*
 * kprobe events in a boot config: the keys "event.kprobes.EVENT.probes", whose values are
 * definitions without a command and a name. See Documentation/trace/boottime-trace.rst.
 */
#include <linux/bootconfig.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "boot/config_report.h"
#include "boot/event_config.h"
#include "probe/core/probe_event.h"
#include "probe/kind/kprobe.h"

static void __init probe_config_define_kprobe(struct trace_array *tr, const char *event,
					      struct xbc_node *node)
{
	struct xbc_node *each;
	const char *value;
	char key[128];

	snprintf(key, sizeof(key), "event.kprobes.%s.probes", event);
	xbc_node_for_each_array_value(node, "probes", each, value) {
		char *text = kasprintf(GFP_KERNEL, "p:kprobes/%s %s", event, value);
		int err = text ? probe_command(probe_kprobes, text, "boot config") : -ENOMEM;

		kfree(text);
		if (err)
			trace_bootconfig_report(tr, key, value, err);
	}
}

static struct trace_bootconfig_definer kprobe_definer __initdata = {
	.system	= "kprobes",
	.key	= "probes",
	.define	= probe_config_define_kprobe,
};

static int __init probe_config_kprobe_definer_init(void)
{
	trace_bootconfig_definer(&kprobe_definer);

	return 0;
}
core_initcall(probe_config_kprobe_definer_init);
