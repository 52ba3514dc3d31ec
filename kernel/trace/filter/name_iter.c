// SPDX-License-Identifier: GPL-2.0
/*
 * Names of call sites. Call sites and the kernel's symbols are both sorted by address, so an
 * iterator over sites also advances over the symbols, and only the names that are requested are
 * decompressed. In a module, it continues after the last symbol, if the module is known, and
 * searches the symbols of all modules if it is not.
 */
#include <linux/module.h>
#include <linux/module_symbol.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "filter/name_iter.h"
#include "patch/records.h"

/**
 * ftrace_name_iter_seek - get the name of a call site's function
 * @iter: the iterator; a site just after the last one is found fastest
 * @ip: address of the call site
 *
 * Context: process context
 *
 * Return: true if the site has a name, which is in @iter then
 */
bool ftrace_name_iter_seek(struct ftrace_name_iter *iter, unsigned long ip)
{
	const char *name;
	char *module = NULL;

	if (ftrace_symwalk_to(&iter->walk, ip)) {
		iter->module = NULL;
		kallsyms_cursor_name(&iter->walk.cursor, iter->name);
		return true;
	}

	/* There may be no other reference to the module that the name points into. */
	guard(rcu)();

	name = kallsyms_lookup(ip, NULL, NULL, &module, iter->name);
	iter->module = name && module ? iter->owner : NULL;
	if (iter->module)
		strscpy(iter->owner, module);
	if (name && name != iter->name)
		strscpy(iter->name, name);
	return name;
}

/**
 * ftrace_name_iter_rec - get the name of a record's function
 * @iter: the iterator; a record just after the last one is found fastest
 * @rec: the record
 *
 * Context: process context; ftrace_lock is held, so that the record's module remains loaded
 *
 * Return: true if the function has a name, which is in @iter then
 */
bool ftrace_name_iter_rec(struct ftrace_name_iter *iter, const struct dyn_ftrace *rec)
{
	struct module *mod = ftrace_rec_page(rec)->mod;

	if (!mod)
		return ftrace_name_iter_seek(iter, ftrace_rec_ip(rec));

	iter->module = module_name(mod);
	return module_symbol_seek(mod, ftrace_rec_ip(rec), &iter->symbol, iter->name);
}

/**
 * ftrace_name_is_shown - is this the name that a function is listed by?
 * @addr: address of a symbol of the kernel's own text
 * @name: one of the names that the symbol table has for @addr
 *
 * A function with several names is listed, and filtered, by the first.
 *
 * Context: process context
 */
bool ftrace_name_is_shown(unsigned long addr, const char *name)
{
	struct ftrace_symwalk walk = { };
	char shown[KSYM_NAME_LEN];

	if (!ftrace_symwalk_to(&walk, addr))
		return false;

	kallsyms_cursor_name(&walk.cursor, shown);
	return !strcmp(shown, name);
}
