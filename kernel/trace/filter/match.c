// SPDX-License-Identifier: GPL-2.0
/*
 * Which functions match a word, a list of names, or a line number.
 *
 * Names are looked up in kallsyms. Several functions of one name are all meant;
 * of several names of one function, only the one that is shown counts: others
 * are aliases, as of system calls that this kernel does not have.
 */
#include <linux/bsearch.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "filter/match.h"
#include "filter/names.h"
#include "filter/source.h"
#include "lib/hash.h"
#include "patch/records.h"

/**
 * struct matches - call sites that words mean, as they are found
 * @ip: the sites
 * @nr: their number
 * @max: how many there is room for
 */
struct matches {
	unsigned long	*ip;
	unsigned int	nr;
	unsigned int	max;
};

static int matches_add(void *data, unsigned long ip)
{
	struct matches *matches = data;

	if (matches->nr == matches->max) {
		unsigned int max = max(64U, 2 * matches->max);
		unsigned long *more;

		more = kvmalloc_array(max, sizeof(*more), GFP_KERNEL);
		if (!more)
			return -ENOMEM;
		if (matches->nr)
			memcpy(more, matches->ip, matches->nr * sizeof(*more));
		kvfree(matches->ip);
		matches->ip = more;
		matches->max = max;
	}
	matches->ip[matches->nr++] = ip;
	return 0;
}

/* A symbol that matches; has it got a site? */
static int matches_add_symbol(void *data, unsigned long addr)
{
	unsigned long ip;

	ip = ftrace_location_range(addr, addr + FTRACE_MCOUNT_MAX_OFFSET);
	return ip ? matches_add(data, ip) : 0;
}

/**
 * struct glob - a glob and what matches it
 * @pattern: the word that the glob is of
 * @name: its glob for names
 * @names: names of call sites, where these are gone through
 * @matches: what matches
 */
struct glob {
	const struct ftrace_pattern	*pattern;
	struct ftrace_glob		name;
	struct ftrace_names		*names;
	struct matches			matches;
};

static int glob_symbol(void *data, const char *name, unsigned long addr)
{
	struct glob *glob = data;

	if (!ftrace_glob_match(&glob->name, name) ||
	    !ftrace_names_shown(addr, name))
		return 0;

	return matches_add_symbol(&glob->matches, addr);
}

/* Shorter beginnings than that are had by many names. */
#define PREFIX_MIN	3

static int glob_kernel(struct glob *glob)
{
	const char *name = glob->pattern->name;
	char prefix[KSYM_NAME_LEN];
	size_t len = strcspn(name, FTRACE_GLOB_CHARS);

	if (len < PREFIX_MIN || len >= sizeof(prefix))
		return ftrace_names_match(&glob->name, matches_add, &glob->matches);

	memcpy(prefix, name, len);
	prefix[len] = '\0';
	return kallsyms_on_each_prefix(glob_symbol, prefix, glob);
}

static int each_module_symbol(int (*fn)(void *, const char *, unsigned long),
			      void *data)
{
	return IS_ENABLED(CONFIG_MODULES) ?
	       module_kallsyms_on_each_symbol(NULL, fn, data) : 0;
}

/* Is the symbol at @addr, of a module that cannot go now, of one meant? */
static bool in_module(unsigned long addr, const struct ftrace_pattern *pattern)
{
	char name[KSYM_NAME_LEN];
	char *module = NULL;

	return kallsyms_lookup(addr, NULL, NULL, &module, name) && module &&
	       ftrace_pattern_match(pattern->module, module) != pattern->not_module;
}

static int glob_module_symbol(void *data, const char *name, unsigned long addr)
{
	struct glob *glob = data;
	const struct ftrace_pattern *pattern = glob->pattern;

	if (!ftrace_glob_match(&glob->name, name) ||
	    (pattern->module && !in_module(addr, pattern)))
		return 0;

	return matches_add_symbol(&glob->matches, addr);
}

/* The function on a line of available_filter_functions, from 1 on. */
static int match_line(struct matches *matches, unsigned int line)
{
	struct ftrace_rec_iter iter;
	struct dyn_ftrace *rec;

	guard(mutex)(&ftrace_lock);

	for_each_ftrace_rec(rec, &iter)
		if (ftrace_rec_is_usable(rec) && !--line)
			return matches_add(matches, ftrace_rec_ip(rec));
	return 0;
}

/* Is a call site in a module meant? */
static bool in_place(const struct ftrace_pattern *pattern, struct module *mod)
{
	if (!pattern->module)
		return true;

	return (mod && ftrace_pattern_match(pattern->module, module_name(mod))) !=
	       pattern->not_module;
}

static int glob_source(void *data, const struct dyn_ftrace *rec)
{
	struct glob *glob = data;
	unsigned long ip = ftrace_rec_ip(rec);

	if (!in_place(glob->pattern, ftrace_rec_page(rec)->mod) ||
	    !ftrace_names_find(glob->names, ip) ||
	    !ftrace_glob_match(&glob->name, glob->names->name))
		return 0;

	return matches_add(&glob->matches, ip);
}

static int match_source(struct glob *glob)
{
	int err;

	glob->names = kzalloc(sizeof(*glob->names), GFP_KERNEL);
	if (!glob->names)
		return -ENOMEM;

	scoped_guard(mutex, &ftrace_lock)
		err = ftrace_sources_match(glob->pattern->source, glob_source, glob);
	kfree(glob->names);
	return err;
}

static int match(struct glob *glob)
{
	unsigned int line;
	int err = 0;

	if (glob->pattern->source)
		return match_source(glob);

	if (!glob->pattern->module && !kstrtouint(glob->pattern->name, 10, &line))
		return match_line(&glob->matches, line);

	if (!glob->pattern->module || glob->pattern->not_module)
		err = glob_kernel(glob);
	return err ?: each_module_symbol(glob_module_symbol, glob);
}

/**
 * ftrace_match_pattern - the call sites that a word means
 * @pattern: the word
 *
 * Context: may sleep; takes ftrace_lock
 *
 * Return: a set, which may be empty, or an ERR_PTR()
 */
struct ftrace_hash *ftrace_match_pattern(const struct ftrace_pattern *pattern)
{
	struct glob glob = { .pattern = pattern };
	struct ftrace_hash *hash = NULL;
	int err;

	ftrace_glob_prepare(&glob.name, pattern->name);
	err = match(&glob);
	if (!err)
		hash = ftrace_hash_make(glob.matches.ip, glob.matches.nr);
	kvfree(glob.matches.ip);
	return err ? ERR_PTR(err) : hash ?: ERR_PTR(-ENOMEM);
}

/**
 * ftrace_names_add - one more name to look for
 * @names: the names
 * @name: the name; is copied
 *
 * Return: 0 or -ENOMEM
 */
int ftrace_names_add(struct ftrace_name_list *names, const char *name)
{
	struct ftrace_name *want;

	if (names->nr == names->max) {
		unsigned int max = max(16U, 2 * names->max);

		want = kvmalloc_array(max, sizeof(*want), GFP_KERNEL);
		if (!want)
			return -ENOMEM;
		if (names->nr)
			memcpy(want, names->want, names->nr * sizeof(*want));
		kvfree(names->want);
		names->want = want;
		names->max = max;
	}

	want = &names->want[names->nr];
	*want = (struct ftrace_name) { .name = kstrdup(name, GFP_KERNEL) };
	if (!want->name)
		return -ENOMEM;
	names->nr++;
	return 0;
}

/**
 * ftrace_names_free - forget the names
 * @names: the names; may be used anew
 */
void ftrace_names_free(struct ftrace_name_list *names)
{
	while (names->nr)
		kfree(names->want[--names->nr].name);
	kvfree(names->want);
	*names = (struct ftrace_name_list) { };
}

/**
 * struct name_search - names, and the call sites found so far
 * @names: the names, sorted
 * @name: the name that the kernel's symbols are searched for
 * @matches: the sites
 */
struct name_search {
	struct ftrace_name_list	*names;
	const char		*name;
	struct matches		matches;
};

static int names_kernel_symbol(void *data, unsigned long addr)
{
	struct name_search *search = data;

	if (!ftrace_names_shown(addr, search->name))
		return 0;

	return matches_add_symbol(&search->matches, addr);
}

static int compare_wanted(const void *a, const void *b)
{
	return strcmp(((const struct ftrace_name *)a)->name,
		      ((const struct ftrace_name *)b)->name);
}

static int names_module_symbol(void *data, const char *name, unsigned long addr)
{
	struct ftrace_name key = { .name = (char *)name }, *hit;
	struct name_search *search = data;
	unsigned int before = search->matches.nr;
	int err;

	hit = bsearch(&key, search->names->want, search->names->nr, sizeof(*hit),
		      compare_wanted);
	if (!hit)
		return 0;

	err = matches_add_symbol(&search->matches, addr);
	hit->found |= search->matches.nr != before;
	return err;
}

/* In order, and each once. */
static void names_sort(struct ftrace_name_list *names)
{
	unsigned int i, kept = 0;

	sort(names->want, names->nr, sizeof(*names->want), compare_wanted, NULL);
	for (i = 0; i < names->nr; i++) {
		if (kept && !compare_wanted(&names->want[i], &names->want[kept - 1]))
			kfree(names->want[i].name);
		else
			names->want[kept++] = names->want[i];
	}
	names->nr = kept;
}

/*
 * Find the functions of all names. In the kernel a name is a binary search; the
 * symbols of modules are not sorted, and are gone through once for all names.
 */
static int names_search(struct name_search *search)
{
	struct ftrace_name_list *names = search->names;
	unsigned int i;
	int err;

	names_sort(names);
	for (i = 0; i < names->nr; i++) {
		unsigned int before = search->matches.nr;

		search->name = names->want[i].name;
		err = kallsyms_on_each_match_symbol(names_kernel_symbol,
						    search->name, search);
		if (err)
			return err;
		names->want[i].found = search->matches.nr != before;
	}

	err = each_module_symbol(names_module_symbol, search);
	if (err)
		return err;

	for (i = 0; i < names->nr; i++)
		if (!names->want[i].found)
			return -EINVAL;
	return 0;
}

/**
 * ftrace_match_names - the call sites of the functions of these names
 * @names: the names; get sorted
 *
 * Context: may sleep
 *
 * Return: a set, or an ERR_PTR(): -EINVAL where no function has one of the names
 */
struct ftrace_hash *ftrace_match_names(struct ftrace_name_list *names)
{
	struct name_search search = { .names = names };
	struct ftrace_hash *hash = NULL;
	int err = names_search(&search);

	if (!err)
		hash = ftrace_hash_make(search.matches.ip, search.matches.nr);
	kvfree(search.matches.ip);
	return err ? ERR_PTR(err) : hash ?: ERR_PTR(-ENOMEM);
}

/**
 * ftrace_names_missing - which name has no function
 * @names: the names, for which ftrace_match_names() failed
 *
 * Return: the name, or NULL where it is not for want of a function
 */
const char *ftrace_names_missing(const struct ftrace_name_list *names)
{
	unsigned int i;

	for (i = 0; i < names->nr; i++)
		if (!names->want[i].found)
			return names->want[i].name;
	return NULL;
}

/**
 * struct lookup - names whose addresses are looked for
 * @name: the names, sorted
 * @addr: their addresses
 * @cnt: their number
 * @found: how many were found so far
 */
struct lookup {
	const char	**name;
	unsigned long	*addr;
	size_t		cnt;
	size_t		found;
};

static int compare_name(const void *key, const void *elt)
{
	return strcmp(key, *(const char **)elt);
}

static int lookup_symbol(void *data, const char *name, unsigned long addr)
{
	struct lookup *lookup = data;
	const char **hit;
	size_t i;

	hit = bsearch(name, lookup->name, lookup->cnt, sizeof(*lookup->name),
		      compare_name);
	if (!hit)
		return 0;

	i = hit - lookup->name;
	if (lookup->addr[i])
		return 0;

	/* Of several functions of one name, one that can be traced. */
	addr = ftrace_location(addr);
	if (!addr)
		return 0;

	lookup->addr[i] = addr;
	return ++lookup->found == lookup->cnt;
}

/**
 * ftrace_lookup_symbols - call sites of functions by name, in one pass
 * @sorted_syms: the names, in the order of strcmp()
 * @cnt: their number
 * @addrs: set to the addresses
 *
 * Context: may sleep
 *
 * Return: 0, or -ESRCH if any was not found
 */
int ftrace_lookup_symbols(const char **sorted_syms, size_t cnt,
			  unsigned long *addrs)
{
	struct lookup lookup = {
		.name = sorted_syms, .addr = addrs, .cnt = cnt,
	};

	memset(addrs, 0, cnt * sizeof(*addrs));
	if (!kallsyms_on_each_symbol(lookup_symbol, &lookup))
		each_module_symbol(lookup_symbol, &lookup);
	return lookup.found == cnt ? 0 : -ESRCH;
}
