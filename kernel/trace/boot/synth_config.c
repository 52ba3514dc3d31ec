// SPDX-License-Identifier: GPL-2.0
/*
 * Synthetic events in a boot config: the keys "event.synthetic.EVENT.fields". See
 * Documentation/trace/boottime-trace.rst.
 */
#include <linux/bootconfig.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/trace_events.h>

#include "boot/config_report.h"
#include "boot/event_config.h"
#include "synth/synth.h"

/* Return: 0 or an error */
static int __init synth_config_define_fields(const char *event, struct xbc_node *node)
{
	char *text = kmalloc(MAX_DYNEVENT_CMD_LEN, GFP_KERNEL);
	struct xbc_node *each;
	const char *value;
	struct seq_buf s;
	int err;

	if (!text)
		return -ENOMEM;

	seq_buf_init(&s, text, MAX_DYNEVENT_CMD_LEN);
	seq_buf_puts(&s, event);
	xbc_node_for_each_array_value(node, "fields", each, value)
		seq_buf_printf(&s, " %s;", value);
	err = seq_buf_has_overflowed(&s) ? -E2BIG : synth_command(seq_buf_str(&s), "boot config");
	kfree(text);

	return err;
}

static void __init synth_config_define(struct trace_array *tr, const char *event,
				       struct xbc_node *node)
{
	int err = synth_config_define_fields(event, node);
	char key[128];

	if (!err)
		return;

	snprintf(key, sizeof(key), "event.synthetic.%s.fields", event);
	trace_bootconfig_report(tr, key, "", err);
}

static struct trace_bootconfig_definer synth_definer __initdata = {
	.system	= "synthetic",
	.key	= "fields",
	.define	= synth_config_define,
};

static int __init synth_config_definer_init(void)
{
	trace_bootconfig_definer(&synth_definer);

	return 0;
}
core_initcall(synth_config_definer_init);
