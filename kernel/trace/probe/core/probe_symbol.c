// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols in definitions of probes: number of symbols with a name, and their addresses. A
 * symbol of a module that is not loaded is accepted; its probe is attached when the module is
 * loaded.
 */
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "probe/arg/probe_def.h"
#include "probe/core/probe_symbol.h"

/**
 * probe_symbol_is_loaded - is the module of a symbol loaded?
 * @symbol: the symbol
 *
 * Return: true if it is, or if @symbol names no module
 */
bool probe_symbol_is_loaded(const struct probe_symbol *symbol)
{
	if (!symbol->module)
		return true;

#ifdef CONFIG_MODULES
	guard(preempt)();

	return find_module(symbol->module);
#else
	return false;
#endif
}

static int symbol_count_address(void *data, unsigned long address)
{
	unsigned int *nr = data;

	++*nr;

	return 0;
}

/**
 * struct symbol_match - number of module symbols with a name
 * @name: the name
 * @nr: number found up to now
 */
struct symbol_match {
	const char	*name;
	unsigned int	nr;
};

/* module_kallsyms_on_each_symbol() passes all symbols of a module. */
static int symbol_count_name(void *data, const char *name, unsigned long address)
{
	struct symbol_match *match = data;

	match->nr += !strcmp(name, match->name);

	return 0;
}

/**
 * probe_symbol_count - count the symbols that have a name
 * @symbol: the symbol; without a module, the kernel and all modules are searched
 *
 * May sleep.
 */
unsigned int probe_symbol_count(const struct probe_symbol *symbol)
{
	struct symbol_match match = { .name = symbol->name };
	unsigned int nr = 0;

	if (!symbol->module)
		kallsyms_on_each_match_symbol(symbol_count_address, symbol->name, &nr);
	module_kallsyms_on_each_symbol(symbol->module, symbol_count_name, &match);

	return nr + match.nr;
}

/**
 * probe_symbol_address - find the address of a symbol
 * @symbol: the symbol
 *
 * Return: the address, 0 if there is no such symbol
 */
unsigned long probe_symbol_address(const struct probe_symbol *symbol)
{
	char name[KSYM_NAME_LEN + MODULE_NAME_LEN];

	if (!symbol->module)
		return kallsyms_lookup_name(symbol->name);

	snprintf(name, sizeof(name), "%s:%s", symbol->module, symbol->name);

	return kallsyms_lookup_name(name);
}

/**
 * probe_symbol_check - check that a symbol is unique
 * @symbol: the symbol
 * @def: the definition, in which the reason of an error is stored
 * @at: position of @symbol in @def->copy
 *
 * May sleep.
 *
 * Return: 0, also for a module that is not loaded; -ENOENT if there is no such symbol;
 * -EADDRNOTAVAIL if there are several
 */
int probe_symbol_check(const struct probe_symbol *symbol, struct probe_def *def,
		       const char *at)
{
	unsigned int nr;

	if (!probe_symbol_is_loaded(symbol))
		return 0;

	nr = probe_symbol_count(symbol);
	if (nr == 1)
		return 0;
	probe_refuse(def, at, nr ? "The symbol is not unique" : "There is no such symbol");

	return nr ? -EADDRNOTAVAIL : -ENOENT;
}
