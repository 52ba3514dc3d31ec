// SPDX-License-Identifier: GPL-2.0
/*
 * Call sites that the build lists, and has turned into NOPs. A listed site that belongs to no
 * function is left out: the body of a weak function that was overridden still exists, but has no
 * symbol, and would appear under the name of the function before it.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/bitmap.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/module_symbol.h>
#include <linux/sort.h>
#include <asm/sections.h>

#include "ftrace/ops/kill.h"
#include "lib/array.h"
#include "lib/symwalk.h"
#include "patch/patch.h"

/**
 * struct listed_sites - a list of call sites
 * @ip: addresses in ascending order
 * @nr: number of addresses
 */
struct listed_sites {
	unsigned long	*ip;
	unsigned int	nr;
};

/* Convert the addresses that the build listed to the addresses of the sites, each once. */
static void listed_sites_adjust(struct listed_sites *sites)
{
	unsigned int i, kept = 0;

	for (i = 0; i < sites->nr; i++) {
		unsigned long ip = ftrace_call_adjust(sites->ip[i]);

		if (!kept || ip != sites->ip[kept - 1])
			sites->ip[kept++] = ip;
	}
	sites->nr = kept;
}

/**
 * typedef site_test_t - does a site belong to a function?
 * @data: private data of the test
 * @i: index of the site; sites are tested in order
 * @ip: address of the site
 */
typedef bool (*site_test_t)(void *data, unsigned int i, unsigned long ip);

/* Keep only the sites that pass the test and are NOPs. */
static void listed_sites_check(struct listed_sites *sites, site_test_t test, void *data)
{
	unsigned int i, kept = 0;

	for (i = 0; i < sites->nr; i++) {
		unsigned long ip = sites->ip[i];

		if (test(data, i, ip) && ftrace_site_prepare(ip))
			sites->ip[kept++] = ip;
	}
	sites->nr = kept;
}

/**
 * struct listed_kernel_symbols - position among the symbols of the kernel, while its sites are
 * tested
 * @walk: symbol of the last site
 * @last: address of that symbol
 */
struct listed_kernel_symbols {
	struct ftrace_symwalk	walk;
	unsigned long		last;
};

/* A function has one site. A further site after it belongs to a function without symbol. */
static bool listed_kernel_site(void *data, unsigned int i, unsigned long ip)
{
	struct listed_kernel_symbols *symbols = data;
	unsigned long start = ftrace_symwalk_to(&symbols->walk, ip);
	bool first = start != symbols->last;

	symbols->last = start;
	return start && first && ip - start <= FTRACE_MCOUNT_MAX_OFFSET;
}

/* Make records of the sites in a piece of text. */
static int listed_sites_add(const struct listed_sites *sites, struct module *mod,
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
	struct listed_sites sites = {
		.ip = __start_mcount_loc,
		.nr = __stop_mcount_loc - __start_mcount_loc,
	};
	unsigned int listed = sites.nr;
	struct listed_kernel_symbols symbols = { };
	struct ftrace_records_totals totals;
	int err;

	if (!IS_ENABLED(CONFIG_BUILDTIME_MCOUNT_SORT))
		sort(sites.ip, sites.nr, sizeof(*sites.ip), ftrace_compare_addr, NULL);

	listed_sites_adjust(&sites);
	listed_sites_check(&sites, listed_kernel_site, &symbols);
	err = listed_sites_add(&sites, NULL, (unsigned long)_stext, (unsigned long)_etext);
	if (!err)
		err = listed_sites_add(&sites, NULL, (unsigned long)_sinittext,
				       (unsigned long)_einittext);
	if (err) {
		pr_err("no memory for records of call sites\n");
		ftrace_kill();
		return;
	}

	totals = ftrace_records_totals();
	pr_info("%u call sites in %u pages, %u left out\n",
		totals.records, totals.pages, listed - sites.nr);
}

#ifdef CONFIG_MODULES
/* kallsyms does not use section symbols or mapping symbols. */
static bool listed_is_function_symbol(const struct mod_kallsyms *kallsyms, const Elf_Sym *sym)
{
	const char *name = kallsyms->strtab + sym->st_name;

	return sym->st_shndx != SHN_UNDEF && *name && !is_mapping_symbol(name);
}

/*
 * Mark the first site after each symbol of a module, if it is near enough to belong to the
 * function. kallsyms does not contain the module yet, and it is not visible to other code.
 */
static void listed_mark_module_sites(unsigned long *marks, const struct listed_sites *sites,
				     const struct module *mod)
{
	const struct mod_kallsyms *kallsyms = rcu_dereference_protected(mod->kallsyms, 1);
	unsigned int i;

	for (i = 1; i < kallsyms->num_symtab; i++) {
		const Elf_Sym *sym = &kallsyms->symtab[i];
		unsigned int site;

		if (!listed_is_function_symbol(kallsyms, sym))
			continue;

		site = ftrace_lower_bound(sites->ip, sites->nr, sizeof(*sites->ip),
					  sym->st_value);
		if (site < sites->nr &&
		    sites->ip[site] - sym->st_value <= FTRACE_MCOUNT_MAX_OFFSET)
			__set_bit(site, marks);
	}
}

static bool listed_module_site(void *marks, unsigned int i, unsigned long ip)
{
	return test_bit(i, marks);
}

/* Leave out the sites of a module that belong to no function. Return: 0 or -ENOMEM */
static int listed_module_sites_check(struct listed_sites *sites, const struct module *mod)
{
	unsigned long *marks = bitmap_zalloc(sites->nr, GFP_KERNEL);

	if (!marks)
		return -ENOMEM;

	listed_mark_module_sites(marks, sites, mod);
	listed_sites_check(sites, listed_module_site, marks);
	bitmap_free(marks);
	return 0;
}

static const enum mod_mem_type text_types[] = { MOD_TEXT, MOD_INIT_TEXT };

/**
 * ftrace_module_init - make records of a module's call sites
 * @mod: the module, which is not visible to other code yet
 *
 * The sites are not changed before ftrace_module_enable().
 *
 * Context: process context; takes ftrace_lock
 */
void ftrace_module_init(struct module *mod)
{
	struct listed_sites sites = {
		.ip = mod->ftrace_callsites,
		.nr = mod->num_ftrace_callsites,
	};
	unsigned int i;
	int err;

	if (!sites.nr)
		return;

	sort(sites.ip, sites.nr, sizeof(*sites.ip), ftrace_compare_addr, NULL);
	listed_sites_adjust(&sites);
	err = listed_module_sites_check(&sites, mod);

	for (i = 0; i < ARRAY_SIZE(text_types) && !err; i++) {
		const struct module_memory *mem = &mod->mem[text_types[i]];

		err = listed_sites_add(&sites, mod, (unsigned long)mem->base,
				       (unsigned long)mem->base + mem->size);
	}
	if (err)
		pr_warn("no memory to trace functions of %s\n", mod->name);
}
#endif /* CONFIG_MODULES */
