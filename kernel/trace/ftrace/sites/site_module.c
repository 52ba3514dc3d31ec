// SPDX-License-Identifier: GPL-2.0
/*
 * Adding and removing of call sites: the kernel's at boot, a module's when it is loaded and
 * unloaded, and sites in init text when that is freed.
 *
 * The sites get their records in listed.c, or in discover.c if the build does not list them.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/init.h>
#include <linux/module.h>
#include <asm/sections.h>

#include "ftrace/ops/mod_map.h"
#include "ftrace/ops/ops.h"
#include "ftrace/sites/site_module.h"
#include "lib/hash.h"
#include "patch/records.h"

/**
 * ftrace_free_mem - remove the call sites of init text that is about to be freed
 * @mod: module that the text belongs to, NULL for the kernel
 * @start: first address of the text
 * @end: end of the text, exclusive
 *
 * Context: process context; takes ftrace_lock
 */
void ftrace_free_mem(struct module *mod, void *start, void *end)
{
	if (start != end)
		ftrace_sites_going(mod, (unsigned long)start, (unsigned long)end);
}

/**
 * ftrace_free_init_mem - remove the call sites of the kernel's init text, which is about to be
 * freed
 *
 * Context: process context; takes ftrace_lock
 */
void ftrace_free_init_mem(void)
{
	ftrace_free_mem(NULL, __init_begin, __init_end);
}

/* See ftrace/sites/site_module.h. */
DEFINE_MUTEX(ftrace_found_mutex);

/* Filled by initcalls, before there are modules, and not changed afterwards. */
static LIST_HEAD(notifiers);

/**
 * ftrace_module_notifier_register - register callbacks for loading and unloading of modules
 * @notifier: the callbacks
 *
 * Context: an initcall, before there are modules
 */
void __init ftrace_module_notifier_register(struct ftrace_module_notifier *notifier)
{
	list_add_tail(&notifier->list, &notifiers);
}

#ifdef CONFIG_FTRACE_DISCOVER
/**
 * ftrace_sites_found - notify of newly discovered call sites
 * @mod: the module that they are in, which remains loaded during the call; NULL for the kernel
 * @ip: addresses of the sites
 * @nr: number of sites
 *
 * Context: process context; ftrace_found_mutex held, and no lock that notifiers take
 */
void ftrace_sites_found(struct module *mod, const unsigned long *ip, unsigned int nr)
{
	struct ftrace_hash *sites = ftrace_hash_make(ip, nr);
	struct ftrace_module_notifier *notifier;

	if (!sites) {
		pr_warn("no memory: pending filters lack %u functions of %s\n", nr,
			mod ? mod->name : "the kernel");
		return;
	}

	list_for_each_entry(notifier, &notifiers, list)
		if (notifier->found)
			notifier->found(mod, sites);
	ftrace_hash_free(sites);
}
#endif

#ifdef CONFIG_MODULES
static const enum mod_mem_type text_types[] = { MOD_TEXT, MOD_INIT_TEXT };

/**
 * ftrace_module_enable - trace the functions of a module whose text is about to run
 * @mod: the module
 *
 * From here on, its functions are traced by the ops that select them.
 *
 * Context: process context; takes ftrace_lock
 */
void ftrace_module_enable(struct module *mod)
{
	struct ftrace_module_notifier *notifier;
	unsigned int i;

	list_for_each_entry(notifier, &notifiers, list)
		if (notifier->coming)
			notifier->coming(mod);

	for (i = 0; i < ARRAY_SIZE(text_types); i++) {
		const struct module_memory *mem = &mod->mem[text_types[i]];

		if (mem->size && ftrace_sites_coming((unsigned long)mem->base,
						     (unsigned long)mem->base + mem->size))
			pr_warn("cannot trace functions of %s\n", mod->name);
	}
}

/* When this returns, no code that discovers sites refers to a module that was GOING before. */
static void site_module_found_barrier(void)
{
	if (!IS_ENABLED(CONFIG_FTRACE_DISCOVER))
		return;

	mutex_lock(&ftrace_found_mutex);
	mutex_unlock(&ftrace_found_mutex);
}

/**
 * ftrace_release_mod - remove the call sites of a module whose text is about to be freed
 * @mod: the module, whose struct remains valid at least for a grace period of RCU
 *
 * Context: process context; takes ftrace_lock
 */
void ftrace_release_mod(struct module *mod)
{
	struct ftrace_module_notifier *notifier;
	unsigned int i;

	site_module_found_barrier();

	for (i = 0; i < ARRAY_SIZE(text_types); i++) {
		const struct module_memory *mem = &mod->mem[text_types[i]];

		ftrace_free_mem(NULL, mem->base, mem->base + mem->size);
	}

	scoped_guard(mutex, &ftrace_lock)
		ftrace_mod_map_drop(mod);

	list_for_each_entry(notifier, &notifiers, list)
		if (notifier->going)
			notifier->going(mod);
}
#endif /* CONFIG_MODULES */
