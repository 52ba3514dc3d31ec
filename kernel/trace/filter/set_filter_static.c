// SPDX-License-Identifier: GPL-2.0
/*
 * Filters that kernel code sets in a kernel with static tracing. Call sites are not listed
 * there: functions are given by their addresses or names, and not by globs. Functions of a
 * module remain in a filter when the module has been unloaded.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/err.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "filter/filter.h"
#include "filter/set_filter.h"
#include "ftrace/ops/ops.h"
#include "lib/hash.h"

/* The call sites of functions with these names, NULL for no names. */
static struct ftrace_hash *set_filter_static_sites_named(const char *buf, int len)
{
	char *text = kmemdup_nul(buf ?: "", buf ? len : 0, GFP_KERNEL);
	struct ftrace_hash *sites = ERR_PTR(-ENOMEM);
	char *rest = text;
	unsigned long *ip;
	unsigned int cnt = 0;
	char *name;

	ip = kvmalloc_array(max(len, 1), sizeof(*ip), GFP_KERNEL);
	if (text && ip) {
		while ((name = strsep(&rest, " \t\n")))
			if (*name)
				ip[cnt++] = kallsyms_lookup_name(name);
		sites = ftrace_filter_sites_of(ip, cnt);
	}
	kvfree(ip);
	kfree(text);
	return sites;
}

/* An empty set of functions counts as no filter. */
static struct ftrace_hash *set_filter_static_extended(struct ftrace_hash *old, const void *sites)
{
	struct ftrace_hash *new = ftrace_hash_union(old, sites);

	if (!new)
		return ERR_PTR(-ENOMEM);
	if (new->count)
		return new;

	ftrace_hash_free(new);
	return NULL;
}

static struct ftrace_hash *set_filter_static_replaced(struct ftrace_hash *old, const void *sites)
{
	return set_filter_static_extended(NULL, sites);
}

/* The same interfaces as in set_filter_dyn.c: */

int ftrace_filter_set_patterns(struct ftrace_ops_hash *hash, bool exclude, const char *buf, int len,
			       bool reset)
{
	struct ftrace_hash *sites = set_filter_static_sites_named(buf, len);
	int err;

	if (IS_ERR(sites))
		return PTR_ERR(sites);

	err = ftrace_ops_edit_hash(hash, exclude,
				   reset ? set_filter_static_replaced : set_filter_static_extended,
				   sites, GFP_KERNEL);
	ftrace_hash_free(sites);
	return err;
}

int ftrace_filter_set_sites(struct ftrace_ops_hash *hash, const struct ftrace_hash *sites,
			    unsigned long serial, bool reset)
{
	return ftrace_ops_edit_hash(hash, false,
				    reset ? set_filter_static_replaced : set_filter_static_extended,
				    sites, GFP_KERNEL);
}

/* ftrace_graph_filter= and ftrace_graph_notrace=, with names of functions */
void __init ftrace_filter_boot(struct ftrace_ops_hash *hash, char *patterns, bool exclude)
{
	char *name;
	int err;

	while ((name = strsep(&patterns, ","))) {
		err = *name ? ftrace_filter_set_patterns(hash, exclude, name, strlen(name),
							 false) : 0;
		if (err == -EINVAL)
			pr_warn("no function matches %s\n", name);
		else if (err)
			pr_warn("ignoring %s: %pe\n", name, ERR_PTR(err));
	}
}
