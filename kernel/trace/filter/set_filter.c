// SPDX-License-Identifier: GPL-2.0
/*
 * Filters that kernel code sets, see ftrace-uses.rst.
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/slab.h>

#include "filter/set_filter.h"
#include "ftrace/ops/ops.h"
#include "ftrace/ops/static.h"
#include "ftrace/sites/discover.h"
#include "lib/hash.h"
#include "patch/records.h"

/**
 * ftrace_filter_site_of - find the call site that the filter of a function contains
 * @ip: address of the function or of its call site
 *
 * Kernels with static tracing have no records: the site is found in the function's text.
 *
 * Context: any except NMI
 *
 * Return: the address of the site, or 0 if there is no site
 */
unsigned long ftrace_filter_site_of(unsigned long ip)
{
	return IS_ENABLED(CONFIG_DYNAMIC_FTRACE) ? ftrace_location(ip) : ftrace_static_site(ip);
}

/**
 * ftrace_set_filter - set the functions that an ops traces, by name
 * @ops: the ops, registered or not
 * @buf: patterns as in set_ftrace_filter, NULL for no patterns; with static tracing, only names
 * @len: length of @buf
 * @reset: replace the functions instead of adding to them; without patterns, the ops then traces
 *	all functions
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: 0; -EINVAL if no function matches; -ENOMEM; or as ftrace_ops_edit_hash()
 */
int ftrace_set_filter(struct ftrace_ops *ops, unsigned char *buf, int len,
		      int reset)
{
	ftrace_ops_init(ops);
	return ftrace_filter_set_patterns(ops->func_hash, false, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_filter);

/**
 * ftrace_set_notrace - set the functions that an ops excludes, by name
 * @ops: the ops, registered or not
 * @buf: patterns as in set_ftrace_notrace, NULL for no patterns
 * @len: length of @buf
 * @reset: replace the functions instead of adding to them
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: as ftrace_set_filter()
 */
int ftrace_set_notrace(struct ftrace_ops *ops, unsigned char *buf, int len,
		       int reset)
{
	ftrace_ops_init(ops);
	return ftrace_filter_set_patterns(ops->func_hash, true, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_notrace);

/**
 * ftrace_set_global_filter - set the functions of set_ftrace_filter
 * @buf: patterns as in that file
 * @len: length of @buf
 * @reset: replace the functions instead of adding to them
 */
void ftrace_set_global_filter(unsigned char *buf, int len, int reset)
{
	ftrace_filter_set_patterns(&ftrace_global_hash, false, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_global_filter);

/**
 * ftrace_set_global_notrace - set the functions of set_ftrace_notrace
 * @buf: patterns as in that file
 * @len: length of @buf
 * @reset: replace the functions instead of adding to them
 */
void ftrace_set_global_notrace(unsigned char *buf, int len, int reset)
{
	ftrace_filter_set_patterns(&ftrace_global_hash, true, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_global_notrace);

/**
 * ftrace_filter_sites_of - find the call sites of functions
 * @ips: addresses of the functions or of their call sites
 * @cnt: number of addresses
 *
 * Context: may sleep
 *
 * Return: a new set; -EINVAL if there is no call site at an address, or -ENOMEM
 */
struct ftrace_hash *ftrace_filter_sites_of(const unsigned long *ips, unsigned int cnt)
{
	struct ftrace_hash *sites;
	unsigned long *ip;
	unsigned int i;
	int err;

	ip = kvmalloc_array(max(cnt, 1U), sizeof(*ip), GFP_KERNEL);
	if (!ip)
		return ERR_PTR(-ENOMEM);

	for (i = 0; i < cnt; i++) {
		ip[i] = ftrace_filter_site_of(ips[i]);
		if (!ip[i]) {
			kvfree(ip);
			return ERR_PTR(-EINVAL);
		}
	}
	sites = ftrace_hash_make(ip, cnt);
	kvfree(ip);
	if (!sites)
		return ERR_PTR(-ENOMEM);

	err = ftrace_discover_sites(sites->ip, sites->count);
	if (!err)
		return sites;

	ftrace_hash_free(sites);
	return ERR_PTR(err);
}

/**
 * struct set_filter_removal - functions to remove from a filter
 * @ips: addresses of the functions or of their call sites
 * @cnt: number of addresses
 */
struct set_filter_removal {
	const unsigned long	*ips;
	unsigned int		cnt;
};

static struct ftrace_hash *set_filter_removed(struct ftrace_hash *old, const void *data)
{
	const struct set_filter_removal *removal = data;
	unsigned int i, kept = 0;
	struct ftrace_hash *rest;

	rest = ftrace_hash_copy(old, GFP_KERNEL | __GFP_NOFAIL);
	for (i = 0; i < removal->cnt; i++) {
		int index = -1;

		if (old)
			index = ftrace_hash_index(old, ftrace_filter_site_of(removal->ips[i]));
		if (index < 0) {
			ftrace_hash_free(rest);
			return ERR_PTR(-ENOENT);
		}
		rest->ip[index] = 0;
	}

	for (i = 0; i < rest->count; i++)
		if (rest->ip[i])
			rest->ip[kept++] = rest->ip[i];
	rest->count = kept;
	if (kept)
		return rest;

	ftrace_hash_free(rest);
	return removal->cnt ? NULL : old;
}

/* Removing a probe or a live patch must not fail for lack of memory. */
static int set_filter_remove_ips(struct ftrace_ops *ops, const unsigned long *ips,
				 unsigned int cnt)
{
	struct set_filter_removal removal = { ips, cnt };
	unsigned int i;

	for (i = 0; i < cnt; i++)
		if (!ftrace_filter_site_of(ips[i]))
			return -EINVAL;

	return ftrace_ops_edit_hash(ops->func_hash, false, set_filter_removed, &removal,
				    GFP_KERNEL | __GFP_NOFAIL);
}

/**
 * ftrace_set_filter_ips - set the functions that an ops traces, by address
 * @ops: the ops, registered or not
 * @ips: addresses of the functions or of their call sites
 * @cnt: number of addresses
 * @remove: remove these functions instead of adding them
 * @reset: replace the functions; without addresses, the ops then traces all functions
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: 0; -EINVAL if there is no call site at an address; -ENOENT if a function to remove is
 * not in the filter; -ENOMEM, but not for a removal; or as ftrace_ops_edit_hash()
 */
int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips,
			  unsigned int cnt, int remove, int reset)
{
	unsigned long serial = ftrace_records_serial();
	struct ftrace_hash *sites;
	int err;

	ftrace_ops_init(ops);
	if (remove && !reset)
		return set_filter_remove_ips(ops, ips, cnt);

	/* After a reset, no function is left to remove. */
	sites = ftrace_filter_sites_of(ips, cnt);
	if (IS_ERR(sites))
		return PTR_ERR(sites);

	/* A text gets a serial number when its first site is found, which may be one of these. */
	if (IS_ENABLED(CONFIG_FTRACE_DISCOVER))
		serial = ftrace_records_serial();
	err = ftrace_filter_set_sites(ops->func_hash, remove ? NULL : sites, serial, reset);
	ftrace_hash_free(sites);
	return err;
}
EXPORT_SYMBOL_GPL(ftrace_set_filter_ips);

/**
 * ftrace_set_filter_ip - set the function that an ops traces, by address
 * @ops: the ops, registered or not
 * @ip: address of the function or of its call site
 * @remove: remove this function instead of adding it
 * @reset: replace the functions
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: as ftrace_set_filter_ips(); -EINVAL for an @ip of 0
 */
int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip, int remove,
			 int reset)
{
	return ftrace_set_filter_ips(ops, &ip, 1, remove, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_filter_ip);

/**
 * ftrace_ops_set_global_filter - let an ops share the filters of set_ftrace_filter
 * @ops: the ops, not registered
 */
void ftrace_ops_set_global_filter(struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		return;

	ftrace_ops_init(ops);
	ops->func_hash = &ftrace_global_hash;
}
EXPORT_SYMBOL_GPL(ftrace_ops_set_global_filter);
