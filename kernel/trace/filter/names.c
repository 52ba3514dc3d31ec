// SPDX-License-Identifier: GPL-2.0
/*
 * Names of call sites. Both sites and symbols are sorted by address, so a walk
 * over the ones takes the others along, and only names that somebody wants are
 * unpacked.
 */
#include <linux/ftrace.h>

#include <asm/sections.h>

#include "filter/names.h"
#include "lib/pattern.h"
#include "patch/records.h"

static bool in_kernel(unsigned long ip)
{
	return is_kernel_text(ip) || is_kernel_inittext(ip);
}

/**
 * ftrace_names_shown - is this the name that a function goes by?
 * @addr: address of a symbol of the kernel's own text
 * @name: one of its names
 *
 * Context: process context
 */
bool ftrace_names_shown(unsigned long addr, const char *name)
{
	struct kallsyms_cursor cursor;
	char shown[KSYM_NAME_LEN];

	if (!in_kernel(addr))
		return false;

	kallsyms_cursor_seek(&cursor, addr);
	kallsyms_cursor_name(&cursor, shown);
	return !strcmp(shown, name);
}

/**
 * ftrace_names_find - the name of a call site's function
 * @names: the walk; finds fast what is not far behind the last site
 * @ip: the call site
 *
 * Context: process context
 *
 * Return: whether there is a name; it is in @names then
 */
bool ftrace_names_find(struct ftrace_names *names, unsigned long ip)
{
	const char *name;
	char *module;

	if (ftrace_symwalk_to(&names->walk, ip)) {
		names->module = NULL;
		kallsyms_cursor_name(&names->walk.cursor, names->name);
		return true;
	}

	name = kallsyms_lookup(ip, NULL, NULL, &module, names->name);
	names->module = name ? module : NULL;
	if (name && name != names->name)
		strscpy(names->name, name);
	return name;
}

/**
 * struct match_walk - symbols beside call sites
 * @iter: the walk over records
 * @rec: the record at or behind the last symbol
 */
struct match_walk {
	struct ftrace_rec_iter	iter;
	struct dyn_ftrace	*rec;
};

/* The site of the symbol at @addr, which is not below the last one. */
static unsigned long site_at(struct match_walk *walk, unsigned long addr)
{
	unsigned long ip;

	while (walk->rec && ftrace_rec_ip(walk->rec) < addr)
		walk->rec = ftrace_rec_next(&walk->iter);
	if (!walk->rec)
		return 0;

	ip = ftrace_rec_ip(walk->rec);
	return ip - addr <= FTRACE_MCOUNT_MAX_OFFSET ? ip : 0;
}

/**
 * ftrace_names_match - the call sites of the kernel whose names match a glob
 * @glob: the glob
 * @fn: called for each, by ascending address; a result other than 0 ends it
 * @data: for @fn
 *
 * Of several names of a function, the one that is shown has to match.
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: the last result of @fn, or 0
 */
int ftrace_names_match(const struct ftrace_glob *glob,
		       int (*fn)(void *data, unsigned long ip), void *data)
{
	struct match_walk walk;
	struct kallsyms_cursor cursor;
	unsigned long addr, ip, last = 0;
	char name[KSYM_NAME_LEN];
	int ret = 0;

	guard(mutex)(&ftrace_lock);

	walk.rec = ftrace_rec_seek(&walk.iter, 0);
	if (!walk.rec || !in_kernel(ftrace_rec_ip(walk.rec)))
		return 0;

	kallsyms_cursor_seek(&cursor, ftrace_rec_ip(walk.rec));
	do {
		addr = kallsyms_sym_address(cursor.pos);
		if (addr == last)
			continue;
		last = addr;

		ip = site_at(&walk, addr);
		if (!walk.rec || !in_kernel(ftrace_rec_ip(walk.rec)))
			break;
		if (!ip)
			continue;

		kallsyms_cursor_name(&cursor, name);
		if (ftrace_glob_match(glob, name))
			ret = fn(data, ip);
	} while (!ret && kallsyms_cursor_next(&cursor));
	return ret;
}
