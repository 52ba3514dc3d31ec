// SPDX-License-Identifier: GPL-2.0
/*
 * Probes in modules: they are attached when their module is loaded, and detached before it is
 * unloaded. Their events remain registered. Symbols in the arguments of probes are found again.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "event/core/event_list.h"
#include "probe/core/probe_event.h"

/*
 * Symbols in the arguments, of a probe anywhere. If one is in no loaded module, the memory cannot
 * be read.
 */
static void module_probe_find_symbols(struct probe *probe, struct module *module, bool coming)
{
	const struct probe_args *args = &probe->args;
	unsigned int i;

	for (i = 0; i < args->nr_symbols; i++) {
		const struct probe_arg_symbol *symbol = &args->symbols[i];
		unsigned long address = kallsyms_lookup_name(symbol->name);

		/* While the module is being unloaded, its symbols are still known. */
		if (!coming && address && within_module(address, module))
			address = 0;
		WRITE_ONCE(args->steps[symbol->step].arg, address ? address + symbol->offset : 0);
	}
}

static void module_probe_follow(struct probe *probe, struct module *module, bool coming)
{
	const struct probe_event *event = probe->event;
	int err;

	if (!event->kind->is_in || !event->kind->is_in(probe, module))
		return;

	scoped_guard(mutex, &trace_event_lock)
		err = event->kind->follow(probe, module, coming);
	if (err)
		pr_warn("could not attach probe %s at %s: error %d\n", event->call.name,
			probe->where, err);
}

static int module_probes_notify(struct notifier_block *self, unsigned long state, void *data)
{
	const bool coming = state == MODULE_STATE_COMING;
	const struct probe_event *event;
	struct probe *probe;

	if (state != MODULE_STATE_COMING && state != MODULE_STATE_GOING)
		return NOTIFY_OK;

	guard(mutex)(&probe_lock);

	list_for_each_entry(event, &probe_events, list) {
		list_for_each_entry(probe, &event->probes, list) {
			module_probe_find_symbols(probe, data, coming);
			module_probe_follow(probe, data, coming);
		}
	}

	return NOTIFY_OK;
}

/* Run after the notifier of kprobes, which collects the blacklist of the module. */
static struct notifier_block module_probes_block = {
	.notifier_call	= module_probes_notify,
	.priority	= -1,
};

static int __init module_probes_init(void)
{
	return register_module_notifier(&module_probes_block);
}
core_initcall(module_probes_init);
