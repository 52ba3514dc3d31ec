// SPDX-License-Identifier: GPL-2.0
/*
 * Filters that kernel code and the kernel's command line set, see ftrace-uses.rst and
 * kernel-parameters.txt.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/err.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "filter/filter.h"
#include "filter/waiting.h"
#include "hook/ops.h"
#include "lib/hash.h"

static int set_by_name(struct ftrace_ops_hash *hash, bool exclude,
		       unsigned char *buf, int len, int reset)
{
	struct ftrace_filter_edit *edit;
	size_t size = buf ? len : 0;
	int err;

	edit = ftrace_filter_edit_begin(hash, exclude, reset);
	if (!edit)
		return -ENOMEM;

	err = ftrace_filter_edit_text(edit, buf, &size, true);
	if (!err)
		err = ftrace_filter_edit_end(edit);
	ftrace_filter_edit_free(edit);
	return err;
}

/**
 * ftrace_set_filter - set the functions that an ops traces, by name
 * @ops: the ops, registered or not
 * @buf: words as in set_ftrace_filter, NULL for none
 * @len: length of @buf
 * @reset: replace the functions so far instead of adding to them; without words, the
 *	ops traces all functions then
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: 0; -EINVAL if no function matches; -ENOMEM; or as ftrace_ops_edit_hash()
 */
int ftrace_set_filter(struct ftrace_ops *ops, unsigned char *buf, int len,
		      int reset)
{
	ftrace_ops_init(ops);
	return set_by_name(ops->func_hash, false, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_filter);

/**
 * ftrace_set_notrace - set the functions that an ops leaves out, by name
 * @ops: the ops, registered or not
 * @buf: words as in set_ftrace_notrace, NULL for none
 * @len: length of @buf
 * @reset: replace the functions so far instead of adding to them
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: as ftrace_set_filter()
 */
int ftrace_set_notrace(struct ftrace_ops *ops, unsigned char *buf, int len,
		       int reset)
{
	ftrace_ops_init(ops);
	return set_by_name(ops->func_hash, true, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_notrace);

/**
 * ftrace_set_global_filter - do what a write to set_ftrace_filter does
 * @buf: words as in that file
 * @len: length of @buf
 * @reset: replace the functions so far instead of adding to them
 */
void ftrace_set_global_filter(unsigned char *buf, int len, int reset)
{
	set_by_name(&ftrace_global_hash, false, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_global_filter);

/**
 * ftrace_set_global_notrace - do what a write to set_ftrace_notrace does
 * @buf: words as in that file
 * @len: length of @buf
 * @reset: replace the functions so far instead of adding to them
 */
void ftrace_set_global_notrace(unsigned char *buf, int len, int reset)
{
	set_by_name(&ftrace_global_hash, true, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_global_notrace);

/* The call sites of functions that are given by address. */
static struct ftrace_hash *sites_of(const unsigned long *ips, unsigned int cnt)
{
	struct ftrace_hash *sites;
	unsigned long *ip;
	unsigned int i;

	ip = kvmalloc_array(max(cnt, 1U), sizeof(*ip), GFP_KERNEL);
	if (!ip)
		return ERR_PTR(-ENOMEM);

	for (i = 0; i < cnt; i++) {
		ip[i] = ftrace_location(ips[i]);
		if (!ip[i]) {
			kvfree(ip);
			return ERR_PTR(-EINVAL);
		}
	}
	sites = ftrace_hash_make(ip, cnt);
	kvfree(ip);
	return sites ?: ERR_PTR(-ENOMEM);
}

/**
 * struct removal - functions to take out of a filter
 * @ips: the addresses of the functions or of their call sites
 * @cnt: their number
 */
struct removal {
	const unsigned long	*ips;
	unsigned int		cnt;
};

static struct ftrace_hash *removed(struct ftrace_hash *old, const void *data)
{
	const struct removal *removal = data;
	unsigned int i, kept = 0;
	struct ftrace_hash *rest;

	rest = ftrace_hash_copy(old, GFP_KERNEL | __GFP_NOFAIL);
	for (i = 0; i < removal->cnt; i++) {
		int index = -1;

		if (old)
			index = ftrace_hash_index(old, ftrace_location(removal->ips[i]));
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

/* Removing a probe or a live patch must not fail for want of memory. */
static int remove_ips(struct ftrace_ops *ops, const unsigned long *ips,
		      unsigned int cnt)
{
	struct removal removal = { ips, cnt };
	unsigned int i;

	for (i = 0; i < cnt; i++)
		if (!ftrace_location(ips[i]))
			return -EINVAL;

	return ftrace_ops_edit_hash(ops->func_hash, false, removed, &removal,
				    GFP_KERNEL | __GFP_NOFAIL);
}

/**
 * ftrace_set_filter_ips - set the functions that an ops traces, by address
 * @ops: the ops, registered or not
 * @ips: the addresses of the functions or of their call sites
 * @cnt: their number
 * @remove: take these functions away instead of adding them
 * @reset: replace the functions so far; without addresses, the ops traces all
 *	functions then
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: 0; -EINVAL if there is no call site at an address; -ENOENT if a function
 * to remove is not in the filter; -ENOMEM, but not for a removal; or as
 * ftrace_ops_edit_hash()
 */
int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips,
			  unsigned int cnt, int remove, int reset)
{
	struct ftrace_filter_edit *edit;
	struct ftrace_hash *sites;
	int err = -ENOMEM;

	ftrace_ops_init(ops);
	if (remove && !reset)
		return remove_ips(ops, ips, cnt);

	sites = sites_of(ips, cnt);
	if (IS_ERR(sites))
		return PTR_ERR(sites);

	edit = ftrace_filter_edit_begin(ops->func_hash, false, reset);
	if (edit) {
		err = ftrace_filter_edit_sites(edit, sites, remove);
		if (!err)
			err = ftrace_filter_edit_end(edit);
	}
	ftrace_filter_edit_free(edit);
	ftrace_hash_free(sites);
	return err;
}
EXPORT_SYMBOL_GPL(ftrace_set_filter_ips);

/**
 * ftrace_set_filter_ip - set the function that an ops traces, by address
 * @ops: the ops, registered or not
 * @ip: the address of the function or of its call site
 * @remove: take this function away instead of adding it
 * @reset: replace the functions so far
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

static struct ftrace_hash *no_restriction(struct ftrace_hash *old, const void *data)
{
	return NULL;
}

/**
 * ftrace_free_filter - free the filters of an ops
 * @ops: the ops, not registered
 *
 * Context: process context
 */
void ftrace_free_filter(struct ftrace_ops *ops)
{
	ftrace_ops_init(ops);
	if (WARN_ON_ONCE(ops->flags & FTRACE_OPS_FL_ENABLED))
		return;

	ftrace_waiting_forget(&ops->local_hash);
	ftrace_ops_edit_hash(&ops->local_hash, false, no_restriction, NULL, GFP_KERNEL);
	ftrace_ops_edit_hash(&ops->local_hash, true, no_restriction, NULL, GFP_KERNEL);
}
EXPORT_SYMBOL_GPL(ftrace_free_filter);

FTRACE_BOOT_FILTER(boot_filter, "ftrace_filter=");
FTRACE_BOOT_FILTER(boot_notrace, "ftrace_notrace=");

/**
 * ftrace_filter_boot - set filters as the kernel's command line says
 * @hash: the filters
 * @words: the words, with commas between them
 * @exclude: set the functions to leave out
 *
 * All words are one edit; a word that is refused does not keep the others out.
 */
void __init ftrace_filter_boot(struct ftrace_ops_hash *hash, char *words, bool exclude)
{
	struct ftrace_filter_edit *edit;
	int err = -ENOMEM;
	char *word;
	size_t len;

	if (!*words)
		return;

	edit = ftrace_filter_edit_begin(hash, exclude, false);
	if (edit) {
		edit->may_wait = true;
		while ((word = strsep(&words, ","))) {
			len = strlen(word);
			err = ftrace_filter_edit_text(edit, word, &len, true);
			if (err == -EINVAL)
				pr_warn("no function matches %s\n", word);
			else if (err)
				pr_warn("%s is left out: %pe\n", word, ERR_PTR(err));
		}
		err = ftrace_filter_edit_end(edit);
	}
	if (err)
		pr_warn("the filters of the command line are not in force\n");
	ftrace_filter_edit_free(edit);
}

/* In force before the first tracer registers. */
static int __init boot_filters(void)
{
	ftrace_filter_boot(&ftrace_global_hash, boot_filter, false);
	ftrace_filter_boot(&ftrace_global_hash, boot_notrace, true);
	return 0;
}
early_initcall(boot_filters);
