// SPDX-License-Identifier: GPL-2.0
/*
 * Look-up of the call sites that a pattern selects: a glob, a line number, or a pattern with a
 * module or a source.
 *
 * If several functions have the same name, all of them are selected. If a function of the kernel
 * has several names, only the name that it is listed by counts: other names are aliases, like
 * the names of system calls that this kernel does not have.
 */
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "filter/ip_list.h"
#include "filter/name_iter.h"
#include "filter/name_match.h"
#include "filter/line_lookup.h"
#include "filter/source_match.h"
#include "lib/pattern.h"
#include "patch/records.h"

/**
 * struct name_match_run - a pattern and the call sites that it selects
 * @pattern: the pattern
 * @glob: its name, prepared for matching
 * @names: iterator over names of call sites, if the pattern has a source
 * @sites: call sites found up to now
 */
struct name_match_run {
	const struct ftrace_pattern	*pattern;
	struct ftrace_glob		glob;
	struct ftrace_name_iter		*names;
	struct ftrace_ip_list		sites;
};

/* Does a pattern select functions of this module, or of the kernel for NULL? */
static bool name_match_in_module(const struct ftrace_pattern *pattern, struct module *mod)
{
	if (!pattern->module)
		return true;

	return (mod && ftrace_pattern_match(pattern->module, module_name(mod))) !=
	       pattern->not_module;
}

/* Match all functions, or all functions of a module, which does not need names. */
static int name_match_all(struct name_match_run *match)
{
	struct ftrace_rec_iter iter;
	struct module *mod = NULL;
	struct dyn_ftrace *rec;
	bool selected = name_match_in_module(match->pattern, NULL);
	int err = 0;

	guard(mutex)(&ftrace_lock);

	for_each_ftrace_rec(rec, &iter) {
		if (ftrace_rec_page(rec)->mod != mod) {
			mod = ftrace_rec_page(rec)->mod;
			selected = name_match_in_module(match->pattern, mod);
		}
		if (selected)
			err = ftrace_ip_list_add(&match->sites, ftrace_rec_ip(rec));
		if (err)
			return err;
	}
	return 0;
}

static int name_match_source_site(void *data, const struct dyn_ftrace *rec)
{
	struct name_match_run *match = data;

	if (!name_match_in_module(match->pattern, ftrace_rec_page(rec)->mod) ||
	    !ftrace_name_iter_rec(match->names, rec) ||
	    !ftrace_glob_match(&match->glob, match->names->name))
		return 0;

	return ftrace_ip_list_add(&match->sites, ftrace_rec_ip(rec));
}

static int name_match_source(struct name_match_run *match)
{
	int err;

	match->names = kzalloc(sizeof(*match->names), GFP_KERNEL);
	if (!match->names)
		return -ENOMEM;

	scoped_guard(mutex, &ftrace_lock)
		err = ftrace_sources_match(match->pattern->source, name_match_source_site, match);
	kfree(match->names);
	return err;
}

/* Callback for a symbol of the kernel that begins like the glob. */
static int name_match_prefix_symbol(void *data, const char *name, unsigned long addr)
{
	struct name_match_run *match = data;
	unsigned long ip;

	if (!ftrace_glob_match(&match->glob, name) || !ftrace_name_is_shown(addr, name))
		return 0;

	ip = ftrace_symbol_site(addr);
	return ip ? ftrace_ip_list_add(&match->sites, ip) : 0;
}

/*
 * One pass over the kernel's call sites, which reads the names of sites whose text begins with a
 * symbol. Return: 0 or -ENOMEM
 */
static int name_match_each(struct name_match_run *match)
{
	struct ftrace_symwalk walk = { };
	struct ftrace_rec_iter iter;
	char name[KSYM_NAME_LEN];
	struct dyn_ftrace *rec;
	int err = 0;

	guard(mutex)(&ftrace_lock);

	for_each_ftrace_rec(rec, &iter) {
		unsigned long ip = ftrace_rec_ip(rec);

		if (!ftrace_symwalk_to(&walk, ip))
			continue;
		kallsyms_cursor_name(&walk.cursor, name);
		if (ftrace_glob_match(&match->glob, name))
			err = ftrace_ip_list_add(&match->sites, ip);
		if (err)
			return err;
	}
	return 0;
}

/* Too many names share a shorter prefix. */
#define PREFIX_MIN	3

static int name_match_kernel(struct name_match_run *match)
{
	const char *name = match->pattern->name;
	size_t len = strcspn(name, FTRACE_GLOB_CHARS);
	char prefix[KSYM_NAME_LEN];

	if (len < PREFIX_MIN || len >= sizeof(prefix))
		return name_match_each(match);

	memcpy(prefix, name, len);
	prefix[len] = '\0';
	return kallsyms_on_each_prefix(name_match_prefix_symbol, prefix, match);
}

/*
 * Is the symbol at @addr in a module that the pattern selects? The caller walks over the symbols
 * of modules: no module is unloaded during the walk.
 */
static bool name_match_symbol_in_module(unsigned long addr, const struct ftrace_pattern *pattern)
{
	char name[KSYM_NAME_LEN];
	char *module = NULL;

	return kallsyms_lookup(addr, NULL, NULL, &module, name) && module &&
	       ftrace_pattern_match(pattern->module, module) != pattern->not_module;
}

static int name_match_module_symbol(void *data, const char *name, unsigned long addr)
{
	struct name_match_run *match = data;
	unsigned long ip;

	if (!ftrace_glob_match(&match->glob, name))
		return 0;

	ip = ftrace_symbol_site(addr);
	if (!ip || (match->pattern->module && !name_match_symbol_in_module(addr, match->pattern)))
		return 0;

	return ftrace_ip_list_add(&match->sites, ip);
}

static int name_match_modules(struct name_match_run *match)
{
	const struct ftrace_pattern *pattern = match->pattern;
	const char *only = pattern->module;

	if (!IS_ENABLED(CONFIG_MODULES))
		return 0;

	if (only && (pattern->not_module || strpbrk(only, FTRACE_GLOB_CHARS)))
		only = NULL;
	return module_kallsyms_on_each_symbol(only, name_match_module_symbol, match);
}

static int name_match_any(struct name_match_run *match)
{
	const struct ftrace_pattern *pattern = match->pattern;
	int err = 0;

	if (pattern->source)
		return name_match_source(match);
	if (!strcmp(pattern->name, "*"))
		return name_match_all(match);

	if (name_match_in_module(pattern, NULL))
		err = name_match_kernel(match);
	return err ?: name_match_modules(match);
}

/* Match a single line number, as for a command. A line that does not exist matches nothing. */
static struct ftrace_hash *name_match_line(unsigned int line)
{
	struct ftrace_lines lines = { };
	int err = ftrace_lines_add(&lines, line);
	struct ftrace_hash *sites;

	sites = err ? ERR_PTR(err) : ftrace_lines_sites(&lines);
	ftrace_lines_free(&lines);
	return sites == ERR_PTR(-EINVAL) ?
	       ftrace_hash_make(NULL, 0) ?: ERR_PTR(-ENOMEM) : sites;
}

/**
 * ftrace_match_pattern - find the call sites that a pattern selects
 * @pattern: the pattern
 *
 * Context: may sleep; takes ftrace_lock
 *
 * Return: a set, which may be empty, or an ERR_PTR()
 */
struct ftrace_hash *ftrace_match_pattern(const struct ftrace_pattern *pattern)
{
	struct name_match_run match = { .pattern = pattern };
	unsigned int line;

	if (!pattern->source && !pattern->module && ftrace_line_parse(pattern->name, &line))
		return name_match_line(line);

	ftrace_glob_prepare(&match.glob, pattern->name);
	return ftrace_ip_list_to_hash(&match.sites, name_match_any(&match));
}

#ifdef CONFIG_FTRACE_DISCOVER
static int name_match_has_symbol(void *data, const char *name, unsigned long addr)
{
	return ftrace_glob_match(data, name);
}

/**
 * ftrace_pattern_has_symbol - does a pattern match the name of any symbol?
 * @pattern: the pattern; only its name counts
 *
 * Functions that have not been found are only known by their symbols.
 *
 * Context: may sleep
 */
bool ftrace_pattern_has_symbol(const struct ftrace_pattern *pattern)
{
	struct ftrace_glob glob;

	ftrace_glob_prepare(&glob, pattern->name);
	return kallsyms_on_each_symbol(name_match_has_symbol, &glob) ||
	       (IS_ENABLED(CONFIG_MODULES) &&
		module_kallsyms_on_each_symbol(NULL, name_match_has_symbol, &glob));
}
#endif
