// SPDX-License-Identifier: GPL-2.0
/*
 * Call sites come and go: those of the kernel at boot, those of a module with the
 * module, and those of init text are freed with it.
 *
 * The build lists the sites, and turns them into NOPs. A listed site that belongs to
 * no function is left out: the body of a weak function that was overridden is still
 * there, but has no symbol, and would go by the name of the function before it.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <asm/sections.h>

#include "hook/gone.h"
#include "hook/module.h"
#include "hook/ops.h"
#include "lib/symwalk.h"
#include "patch/patch.h"

static int compare(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a;
	unsigned long y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

/* Does a site belong to a symbol of vmlinux? @walk is a struct ftrace_symwalk. */
static bool kernel_site(void *walk, unsigned long ip)
{
	unsigned long start = ftrace_symwalk_to(walk, ip);

	return start && ip - start <= FTRACE_MCOUNT_MAX_OFFSET;
}

/**
 * struct symbols - the symbols of a module
 * @addr: their addresses, ascending
 * @nr: their number
 */
struct symbols {
	unsigned long	*addr;
	unsigned int	nr;
};

/*
 * Does a site belong to a symbol of a module? kallsyms does not know the module yet,
 * so that @data is its struct symbols.
 */
static bool module_site(void *data, unsigned long ip)
{
	const struct symbols *symbols = data;
	unsigned int low = 0, high = symbols->nr;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;

		if (symbols->addr[mid] <= ip)
			low = mid + 1;
		else
			high = mid;
	}
	return low && ip - symbols->addr[low - 1] <= FTRACE_MCOUNT_MAX_OFFSET;
}

typedef bool (*site_test_t)(void *data, unsigned long ip);

/**
 * struct sites - a list of call sites
 * @ip: their addresses, ascending
 * @nr: their number
 */
struct sites {
	unsigned long	*ip;
	unsigned int	nr;
};

/* Keep only the sites that pass the test and are NOPs. Return: number of the others. */
static unsigned int sites_check(struct sites *sites, site_test_t test,
				void *data)
{
	unsigned int i, kept = 0, all = sites->nr;

	for (i = 0; i < all; i++) {
		unsigned long ip = ftrace_call_adjust(sites->ip[i]);

		if (kept && ip == sites->ip[kept - 1])
			continue;
		if (test(data, ip) && ftrace_site_prepare(ip))
			sites->ip[kept++] = ip;
	}
	sites->nr = kept;
	return all - kept;
}

/* Make records of the sites that lie in a piece of text. */
static int sites_add(const struct sites *sites, struct module *mod,
		     unsigned long start, unsigned long end)
{
	unsigned int first = 0, last;

	while (first < sites->nr && sites->ip[first] < start)
		first++;
	for (last = first; last < sites->nr && sites->ip[last] < end; last++)
		;

	guard(mutex)(&ftrace_lock);
	return ftrace_records_add(mod, sites->ip + first, last - first);
}

/**
 * ftrace_init - make records of the kernel's own call sites
 *
 * Context: boot, before there is more than one CPU
 */
void __init ftrace_init(void)
{
	struct sites sites = {
		.ip = __start_mcount_loc,
		.nr = __stop_mcount_loc - __start_mcount_loc,
	};
	struct ftrace_symwalk walk = { };
	struct ftrace_records_totals totals;
	unsigned int left_out;
	int err;

	if (!IS_ENABLED(CONFIG_BUILDTIME_MCOUNT_SORT))
		sort(sites.ip, sites.nr, sizeof(*sites.ip), compare, NULL);

	left_out = sites_check(&sites, kernel_site, &walk);
	err = sites_add(&sites, NULL, (unsigned long)_stext, (unsigned long)_etext);
	if (!err)
		err = sites_add(&sites, NULL, (unsigned long)_sinittext,
				(unsigned long)_einittext);
	if (err) {
		pr_err("no memory for records of call sites\n");
		ftrace_kill();
		return;
	}

	totals = ftrace_records_totals();
	pr_info("%u call sites in %u pages, %u left out\n",
		totals.records, totals.pages, left_out);
}

/**
 * ftrace_free_mem - init text is about to be freed
 * @mod: the module that it belongs to, NULL for the kernel
 * @start: first address
 * @end: first address behind it
 *
 * Context: process context; takes ftrace_lock
 */
void ftrace_free_mem(struct module *mod, void *start, void *end)
{
	if (start != end)
		ftrace_sites_going(mod, (unsigned long)start, (unsigned long)end);
}

/**
 * ftrace_free_init_mem - the kernel's init text is about to be freed
 *
 * Context: process context; takes ftrace_lock
 */
void ftrace_free_init_mem(void)
{
	ftrace_free_mem(NULL, __init_begin, __init_end);
}

#ifdef CONFIG_MODULES
/* Filled by initcalls, before there are modules, and not changed afterwards. */
static LIST_HEAD(notifiers);

/**
 * ftrace_module_notifier_register - have functions called when modules come and go
 * @notifier: the functions
 *
 * Context: an initcall, before there are modules
 */
void __init ftrace_module_notifier_register(struct ftrace_module_notifier *notifier)
{
	list_add_tail(&notifier->list, &notifiers);
}

/* Collect the symbols of a module that nobody else can see yet. */
static int symbols_collect(const struct module *mod, struct symbols *symbols)
{
	const struct mod_kallsyms *kallsyms = rcu_dereference_protected(mod->kallsyms, 1);
	unsigned int i;

	symbols->nr = 0;
	symbols->addr = kvmalloc_array(kallsyms->num_symtab + 1,
				       sizeof(*symbols->addr), GFP_KERNEL);
	if (!symbols->addr)
		return -ENOMEM;

	for (i = 1; i < kallsyms->num_symtab; i++)
		if (kallsyms->symtab[i].st_shndx != SHN_UNDEF)
			symbols->addr[symbols->nr++] = kallsyms->symtab[i].st_value;
	sort(symbols->addr, symbols->nr, sizeof(*symbols->addr), compare, NULL);
	return 0;
}

static const enum mod_mem_type text_types[] = { MOD_TEXT, MOD_INIT_TEXT };

/**
 * ftrace_module_init - make records of a module's call sites
 * @mod: the module, which nobody else can see yet
 *
 * The sites are not changed before ftrace_module_enable().
 *
 * Context: process context; takes ftrace_lock
 */
void ftrace_module_init(struct module *mod)
{
	struct sites sites = {
		.ip = mod->ftrace_callsites,
		.nr = mod->num_ftrace_callsites,
	};
	struct symbols symbols;
	unsigned int i;
	int err;

	if (!sites.nr)
		return;

	err = symbols_collect(mod, &symbols);
	if (!err) {
		sort(sites.ip, sites.nr, sizeof(*sites.ip), compare, NULL);
		sites_check(&sites, module_site, &symbols);
		kvfree(symbols.addr);
	}

	for (i = 0; i < ARRAY_SIZE(text_types) && !err; i++) {
		const struct module_memory *mem = &mod->mem[text_types[i]];

		err = sites_add(&sites, mod, (unsigned long)mem->base,
				(unsigned long)mem->base + mem->size);
	}
	if (err)
		pr_warn("no memory to trace functions of %s\n", mod->name);
}

/**
 * ftrace_module_enable - a module's text is about to run
 * @mod: the module
 *
 * From here on, its functions are traced by the ops that mean them.
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
			pr_warn("functions of %s are not traced\n", mod->name);
	}
}

/**
 * ftrace_release_mod - a module's text is about to be freed
 * @mod: the module, whose struct stays at least for a grace period of RCU
 *
 * Context: process context; takes ftrace_lock
 */
void ftrace_release_mod(struct module *mod)
{
	struct ftrace_module_notifier *notifier;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(text_types); i++) {
		const struct module_memory *mem = &mod->mem[text_types[i]];

		ftrace_free_mem(NULL, mem->base, mem->base + mem->size);
	}

	scoped_guard(mutex, &ftrace_lock)
		ftrace_gone_drop(mod);

	list_for_each_entry(notifier, &notifiers, list)
		if (notifier->going)
			notifier->going(mod);
}
#endif /* CONFIG_MODULES */
