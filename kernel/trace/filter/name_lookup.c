// SPDX-License-Identifier: GPL-2.0
/*
 * Look-up of functions by their exact names. A name of the kernel costs a binary search. The
 * symbols of modules are not sorted by name: one pass over them serves all names.
 */
#include <linux/bitmap.h>
#include <linux/bsearch.h>
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "filter/ip_list.h"
#include "filter/name_iter.h"
#include "filter/name_lookup.h"
#include "ftrace/sites/discover.h"
#include "lib/hash.h"
#include "patch/records.h"

/**
 * struct name_lookup_find - a search for the functions that have one of several names
 * @name: names, in the order of strcmp()
 * @nr: number of names
 * @at: index of the name whose functions are being found
 * @found: called for each symbol that has the name with the index @i and is at @addr. A result
 *	other than 0 ends the search.
 * @data: argument for @found
 */
struct name_lookup_find {
	const char	**name;
	size_t		nr;
	size_t		at;
	int		(*found)(void *data, size_t i, unsigned long addr);
	void		*data;
};

/* For sort() and bsearch(): the order of two elements of an array of names. */
static int name_lookup_compare_ptrs(const void *a, const void *b)
{
	return strcmp(*(const char **)a, *(const char **)b);
}

static int name_lookup_kernel_symbol(void *data, unsigned long addr)
{
	struct name_lookup_find *lookup = data;

	return lookup->found(lookup->data, lookup->at, addr);
}

static int name_lookup_module_symbol(void *data, const char *name, unsigned long addr)
{
	struct name_lookup_find *lookup = data;
	const char **hit;

	hit = bsearch(&name, lookup->name, lookup->nr, sizeof(*hit), name_lookup_compare_ptrs);
	return hit ? lookup->found(lookup->data, hit - lookup->name, addr) : 0;
}

/* Return: the last result of @lookup->found, or 0 */
static int name_lookup_all(struct name_lookup_find *lookup)
{
	int ret;

	for (lookup->at = 0; lookup->at < lookup->nr; lookup->at++) {
		ret = kallsyms_on_each_match_symbol(name_lookup_kernel_symbol,
						    lookup->name[lookup->at], lookup);
		if (ret)
			return ret;
	}
	return IS_ENABLED(CONFIG_MODULES) ?
	       module_kallsyms_on_each_symbol(NULL, name_lookup_module_symbol, lookup) : 0;
}

/**
 * ftrace_namelist_add - add a name to a list
 * @list: the list, zeroed before the first name
 * @name: the name, which is copied
 *
 * Return: 0 or -ENOMEM
 */
int ftrace_namelist_add(struct ftrace_namelist *list, const char *name)
{
	const char **array, *copy;

	array = ftrace_array_reserve(list->name, list->nr, &list->max, sizeof(*array),
				     GFP_KERNEL);
	if (!array)
		return -ENOMEM;
	list->name = array;

	copy = kstrdup(name, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	list->name[list->nr++] = copy;
	return 0;
}

/**
 * ftrace_namelist_free - free the names of a list
 * @list: the list, which is empty afterwards and may be used again
 */
void ftrace_namelist_free(struct ftrace_namelist *list)
{
	while (list->nr)
		kfree(list->name[--list->nr]);
	kvfree(list->name);
	*list = (struct ftrace_namelist) { };
}

/* Sort the names and drop repeated ones. */
static void name_lookup_namelist_sort(struct ftrace_namelist *list)
{
	unsigned int i, kept = 0;

	sort(list->name, list->nr, sizeof(*list->name), name_lookup_compare_ptrs, NULL);
	for (i = 0; i < list->nr; i++) {
		if (kept && !strcmp(list->name[i], list->name[kept - 1]))
			kfree(list->name[i]);
		else
			list->name[kept++] = list->name[i];
	}
	list->nr = kept;
}

/**
 * struct name_lookup_site_search - a search for the call sites of functions with the names of a
 * list
 * @list: the names
 * @found: a bit for each name that some function has
 * @sites: call sites of the functions found up to now
 */
struct name_lookup_site_search {
	struct ftrace_namelist	*list;
	unsigned long		*found;
	struct ftrace_ip_list	sites;
};

static int name_lookup_site_found(void *data, size_t i, unsigned long addr)
{
	struct name_lookup_site_search *search = data;
	unsigned long ip = ftrace_location(addr);

	if (!ip || (core_kernel_text(addr) &&
		    !ftrace_name_is_shown(addr, search->list->name[i])))
		return 0;

	__set_bit(i, search->found);
	return ftrace_ip_list_add(&search->sites, ip);
}

static int name_lookup_search_sites(struct name_lookup_site_search *search)
{
	struct ftrace_namelist *list = search->list;
	struct name_lookup_find lookup = {
		.name = list->name, .nr = list->nr, .found = name_lookup_site_found, .data = search,
	};
	unsigned int missing;
	int err = name_lookup_all(&lookup);

	if (err)
		return err;

	missing = find_first_zero_bit(search->found, list->nr);
	if (missing == list->nr)
		return 0;

	list->missing = list->name[missing];
	return -EINVAL;
}

/* Make records of the sites that have none. Return: the sites, or an ERR_PTR() */
static struct ftrace_hash *name_lookup_record(struct ftrace_hash *sites)
{
	int err;

	if (IS_ERR(sites))
		return sites;

	err = ftrace_discover_sites(sites->ip, sites->count);
	if (!err)
		return sites;

	ftrace_hash_free(sites);
	return ERR_PTR(err);
}

/**
 * ftrace_namelist_sites - find the call sites of the functions with these names
 * @list: names; are sorted
 *
 * If several functions have the same name, all of them are found. With CONFIG_FTRACE_DISCOVER, a
 * function that has not been executed yet gets its record now.
 *
 * Context: may sleep; takes ftrace_lock with CONFIG_FTRACE_DISCOVER
 *
 * Return: a set, or an ERR_PTR(): -EINVAL if no function has one of the names, which is
 * @list->missing then; -ENOMEM
 */
struct ftrace_hash *ftrace_namelist_sites(struct ftrace_namelist *list)
{
	struct name_lookup_site_search search = { .list = list };
	int err;

	name_lookup_namelist_sort(list);
	list->missing = NULL;
	search.found = bitmap_zalloc(list->nr, GFP_KERNEL);
	if (!search.found)
		return ERR_PTR(-ENOMEM);

	err = name_lookup_search_sites(&search);
	bitmap_free(search.found);
	return name_lookup_record(ftrace_ip_list_to_hash(&search.sites, err));
}

/**
 * struct name_lookup_addr_search - a search for the addresses of functions
 * @addr: address of each name's function, 0 if it is not found yet
 * @missing: number of names that are not found yet
 */
struct name_lookup_addr_search {
	unsigned long	*addr;
	size_t		missing;
};

/* If several functions have the same name, the first one that can be traced is used. */
static int name_lookup_addr_found(void *data, size_t i, unsigned long addr)
{
	struct name_lookup_addr_search *search = data;

	if (search->addr[i] || !ftrace_symbol_site(addr))
		return 0;

	search->addr[i] = addr;
	search->missing--;
	return !search->missing;
}

/**
 * ftrace_lookup_symbols - find the addresses of functions by name
 * @sorted_syms: names, in the order of strcmp(), each once
 * @cnt: number of names
 * @addrs: set to the address of each function, which is the address of its symbol and not of its
 *	call site. ftrace_set_filter_ips() accepts both.
 *
 * Context: may sleep
 *
 * Return: 0, or -ESRCH if a name has no function that can be traced
 */
int ftrace_lookup_symbols(const char **sorted_syms, size_t cnt,
			  unsigned long *addrs)
{
	struct name_lookup_addr_search search = { .addr = addrs, .missing = cnt };
	struct name_lookup_find lookup = {
		.name = sorted_syms, .nr = cnt, .found = name_lookup_addr_found, .data = &search,
	};

	memset(addrs, 0, cnt * sizeof(*addrs));
	name_lookup_all(&lookup);
	return search.missing ? -ESRCH : 0;
}
