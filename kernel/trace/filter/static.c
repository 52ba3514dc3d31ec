// SPDX-License-Identifier: GPL-2.0
/*
 * Filters of ops in a kernel with static tracing. Nobody lists call sites there: functions
 * are given by their addresses or names, and not by globs. Functions of a module stay in
 * a filter when the module has gone.
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/kallsyms.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "hook/ops.h"
#include "hook/static.h"
#include "lib/hash.h"

/**
 * struct edit - a change of a filter
 * @sites: call sites
 * @remove: take them away, instead of adding them
 * @reset: forget what was there before
 */
struct edit {
	struct ftrace_hash	*sites;
	bool			remove;
	bool			reset;
};

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
		ip[i] = ftrace_static_site(ips[i]);
		if (!ip[i]) {
			kvfree(ip);
			return ERR_PTR(-EINVAL);
		}
	}
	sites = ftrace_hash_make(ip, cnt);
	kvfree(ip);
	return sites ?: ERR_PTR(-ENOMEM);
}

static bool has_all(const struct ftrace_hash *hash, const struct ftrace_hash *sites)
{
	unsigned int i;

	for (i = 0; i < sites->count; i++)
		if (!hash || !ftrace_hash_has(hash, sites->ip[i]))
			return false;
	return true;
}

/* A filter without functions is none. */
static struct ftrace_hash *edited(struct ftrace_hash *old, const void *data)
{
	const struct edit *edit = data;
	struct ftrace_hash *new;

	if (edit->reset)
		old = NULL;
	if (!edit->remove)
		new = ftrace_hash_union(old, edit->sites);
	else if (edit->reset || has_all(old, edit->sites))
		new = ftrace_hash_minus(old, edit->sites);
	else
		return ERR_PTR(-ENOENT);

	if (!new)
		return ERR_PTR(-ENOMEM);
	if (new->count)
		return new;

	ftrace_hash_free(new);
	return NULL;
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
 * to remove is not in the filter; -ENOMEM
 */
int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips,
			  unsigned int cnt, int remove, int reset)
{
	struct edit edit = { .remove = remove, .reset = reset };
	int err;

	ftrace_ops_init(ops);
	edit.sites = sites_of(ips, cnt);
	if (IS_ERR(edit.sites))
		return PTR_ERR(edit.sites);

	err = ftrace_ops_edit_hash(ops->func_hash, false, edited, &edit, GFP_KERNEL);
	ftrace_hash_free(edit.sites);
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

/* The call sites of functions with these names, NULL for none. */
static struct ftrace_hash *sites_named(const unsigned char *buf, int len)
{
	char *text = kmemdup_nul(buf ? (const char *)buf : "", buf ? len : 0, GFP_KERNEL);
	struct ftrace_hash *sites = ERR_PTR(-ENOMEM);
	char *words = text;
	unsigned long *ip;
	unsigned int cnt = 0;
	char *word;

	ip = kvmalloc_array(max(len, 1), sizeof(*ip), GFP_KERNEL);
	if (text && ip) {
		while ((word = strsep(&words, " \t\n")))
			if (*word)
				ip[cnt++] = kallsyms_lookup_name(word);
		sites = sites_of(ip, cnt);
	}
	kvfree(ip);
	kfree(text);
	return sites;
}

static int set_by_name(struct ftrace_ops_hash *hash, bool exclude,
		       const unsigned char *buf, int len, int reset)
{
	struct edit edit = { .reset = reset, .sites = sites_named(buf, len) };
	int err;

	if (IS_ERR(edit.sites))
		return PTR_ERR(edit.sites);

	err = ftrace_ops_edit_hash(hash, exclude, edited, &edit, GFP_KERNEL);
	ftrace_hash_free(edit.sites);
	return err;
}

/**
 * ftrace_set_filter - set the functions that an ops traces, by name
 * @ops: the ops, registered or not
 * @buf: names of functions, NULL for none; no other words are understood
 * @len: length of @buf
 * @reset: replace the functions so far instead of adding to them; without names, the
 *	ops traces all functions then
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: 0; -EINVAL if there is no such function; -ENOMEM
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
 * @buf: names of functions, NULL for none
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
 * ftrace_set_global_filter - set the functions that the function tracer traces
 * @buf: names of functions
 * @len: length of @buf
 * @reset: replace the functions so far instead of adding to them
 */
void ftrace_set_global_filter(unsigned char *buf, int len, int reset)
{
	set_by_name(&ftrace_global_hash, false, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_global_filter);

/**
 * ftrace_set_global_notrace - set the functions that the function tracer leaves out
 * @buf: names of functions
 * @len: length of @buf
 * @reset: replace the functions so far instead of adding to them
 */
void ftrace_set_global_notrace(unsigned char *buf, int len, int reset)
{
	set_by_name(&ftrace_global_hash, true, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_global_notrace);

/**
 * ftrace_ops_set_global_filter - let an ops share the filters of all that do
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

/**
 * ftrace_free_filter - free the filters of an ops
 * @ops: the ops, not registered
 *
 * Context: process context
 */
void ftrace_free_filter(struct ftrace_ops *ops)
{
	struct edit none = { .reset = true };

	ftrace_ops_init(ops);
	if (WARN_ON_ONCE(ops->flags & FTRACE_OPS_FL_ENABLED))
		return;

	ftrace_ops_edit_hash(&ops->local_hash, false, edited, &none, GFP_KERNEL);
	ftrace_ops_edit_hash(&ops->local_hash, true, edited, &none, GFP_KERNEL);
}
EXPORT_SYMBOL_GPL(ftrace_free_filter);
