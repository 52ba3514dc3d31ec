// SPDX-License-Identifier: GPL-2.0
/*
 * Pending patterns of filters, which wait for functions.
 *
 * A pattern with `:mod:' that finds no module is deferred. When a module is loaded, and before
 * any of its code runs, the patterns that match its name are applied to its functions in the
 * order they were written. Patterns remain pending after the module is unloaded, for
 * the next time. A pattern with `!' is also deferred, if earlier pending patterns may select
 * functions that it may remove.
 *
 * With CONFIG_FTRACE_DISCOVER, all globs are deferred, whether they match a function or not, but
 * for `:mod:!'. They are applied to each function that is found later.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/err.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "filter/mod_pending.h"
#include "filter/name_match.h"
#include "ftrace/ops/ops.h"
#include "ftrace/sites/site_module.h"
#include "lib/hash.h"
#include "lib/pattern.h"
#include "patch/records.h"

/**
 * struct mod_pending_pattern - a pending pattern
 * @list: node in the patterns of an edit or of a filter
 * @pattern: the parsed pattern
 * @text: text of the pattern, followed by a copy that @pattern points into
 */
struct mod_pending_pattern {
	struct list_head	list;
	struct ftrace_pattern	pattern;
	char			text[];
};

/**
 * struct ftrace_mod_pending - the pending patterns of a filter
 * @list: node in mod_pending_filters
 * @hash: the filters
 * @exclude: the patterns apply to notrace_hash instead of filter_hash
 * @patterns: the patterns; at least one of them adds functions
 */
struct ftrace_mod_pending {
	struct list_head	list;
	struct ftrace_ops_hash	*hash;
	bool			exclude;
	struct list_head	patterns;
};

/*
 * Protects the pending patterns of all filters. Taken before ftrace_ops_hash.regex_lock: while a
 * filter is edited, no module's functions are added to it.
 */
static DEFINE_MUTEX(mod_pending_lock);

/* Changed with mod_pending_lock and ftrace_lock held, read with either. */
static LIST_HEAD(mod_pending_filters);

/* Pending patterns of an edit */

static struct mod_pending_pattern *mod_pending_pattern_make(const char *text)
{
	size_t size = strlen(text) + 1;
	struct mod_pending_pattern *pending;

	pending = kzalloc(struct_size(pending, text, 2 * size), GFP_KERNEL);
	if (!pending)
		return NULL;

	memcpy(pending->text, text, size);
	memcpy(pending->text + size, text, size);
	ftrace_pattern_parse(&pending->pattern, pending->text + size);
	return pending;
}

static void mod_pending_pattern_free(struct mod_pending_pattern *pending)
{
	list_del(&pending->list);
	kfree(pending);
}

/*
 * Does the pattern name a module, not a glob, whose functions are all known, because it is
 * loaded?
 */
static bool mod_pending_module_is_there(const struct ftrace_pattern *pattern)
{
#ifdef CONFIG_MODULES
	guard(preempt)();

	return !IS_ENABLED(CONFIG_FTRACE_DISCOVER) &&
	       !strpbrk(pattern->module, FTRACE_GLOB_CHARS) && find_module(pattern->module);
#else
	return false;
#endif
}

/**
 * ftrace_mod_pending_possible - can this pattern wait for functions?
 * @pattern: the pattern
 *
 * Context: any
 */
bool ftrace_mod_pending_possible(const struct ftrace_pattern *pattern)
{
	if (pattern->command || pattern->not_module)
		return false;
	if (!pattern->module)
		return IS_ENABLED(CONFIG_FTRACE_DISCOVER) && !pattern->source;

	return IS_ENABLED(CONFIG_MODULES) &&
	       (pattern->negate || !mod_pending_module_is_there(pattern));
}

/**
 * ftrace_mod_pending_add - add a pattern to the pending patterns of an edit
 * @patterns: pending patterns of the edit
 * @pattern: the pattern, which is copied
 *
 * Return: 0 or -ENOMEM
 */
int ftrace_mod_pending_add(struct list_head *patterns, const struct ftrace_pattern *pattern)
{
	struct mod_pending_pattern *pending = NULL;
	char *text;

	text = kasprintf(GFP_KERNEL, "%s%s%s%s%s%s", pattern->negate ? "!" : "", pattern->name,
			 pattern->module ? ":mod:" : "", pattern->module ?: "",
			 pattern->source ? ":src:" : "", pattern->source ?: "");
	if (text)
		pending = mod_pending_pattern_make(text);
	kfree(text);
	if (!pending)
		return -ENOMEM;

	list_add_tail(&pending->list, patterns);
	return 0;
}

/**
 * ftrace_mod_pending_truncate - drop the last pending patterns of an edit
 * @patterns: pending patterns of the edit
 * @last: the last pattern to keep; @patterns: drop all
 */
void ftrace_mod_pending_truncate(struct list_head *patterns, struct list_head *last)
{
	while (patterns->prev != last)
		mod_pending_pattern_free(list_last_entry(patterns, struct mod_pending_pattern,
							 list));
}

/* Does a pattern that is limited to a module, or is not, include functions of this module? */
static bool mod_pending_includes(const char *pattern, const char *module)
{
	return !pattern || (module && ftrace_pattern_match(pattern, module));
}

/* Apply a pattern to a set of functions. */
static int mod_pending_pattern_apply(struct ftrace_hash **sites,
				     const struct mod_pending_pattern *pending,
				     struct module *mod)
{
	struct ftrace_pattern pattern = pending->pattern;
	struct ftrace_hash *found, *all;

	if (mod)
		pattern.module = module_name(mod);
	found = ftrace_match_pattern(&pattern);
	if (IS_ERR(found))
		return PTR_ERR(found);

	all = pattern.negate ? ftrace_hash_minus(*sites, found) :
			       ftrace_hash_union(*sites, found);
	ftrace_hash_free(found);
	if (!all)
		return -ENOMEM;

	ftrace_hash_free(*sites);
	*sites = all;
	return 0;
}

/**
 * ftrace_mod_pending_match - find the functions that patterns select now
 * @patterns: patterns, which are applied in their order
 * @mod: apply only the patterns that match this module, and only to its functions; NULL: apply
 *	all to all functions
 *
 * Context: may sleep; takes ftrace_lock
 *
 * Return: a set, or an ERR_PTR()
 */
struct ftrace_hash *ftrace_mod_pending_match(const struct list_head *patterns,
					     struct module *mod)
{
	struct ftrace_hash *sites = ftrace_hash_make(NULL, 0);
	struct mod_pending_pattern *pending;
	int err = sites ? 0 : -ENOMEM;

	list_for_each_entry(pending, patterns, list) {
		if (err)
			break;
		if (!mod || mod_pending_includes(pending->pattern.module, module_name(mod)))
			err = mod_pending_pattern_apply(&sites, pending, mod);
	}
	if (!err)
		return sites;

	ftrace_hash_free(sites);
	return ERR_PTR(err);
}

/* Pending patterns of a filter */

/**
 * ftrace_mod_pending_lock - prevent changes of pending patterns, and their use by new modules
 */
void ftrace_mod_pending_lock(void)
{
	mutex_lock(&mod_pending_lock);
}

/**
 * ftrace_mod_pending_unlock - undo ftrace_mod_pending_lock()
 */
void ftrace_mod_pending_unlock(void)
{
	mutex_unlock(&mod_pending_lock);
}

static struct ftrace_mod_pending *mod_pending_find(const struct ftrace_ops_hash *hash,
						   bool exclude)
{
	struct ftrace_mod_pending *waiting;

	list_for_each_entry(waiting, &mod_pending_filters, list)
		if (waiting->hash == hash && waiting->exclude == exclude)
			return waiting;
	return NULL;
}

static void mod_pending_free(struct ftrace_mod_pending *waiting)
{
	if (!waiting)
		return;

	ftrace_mod_pending_truncate(&waiting->patterns, &waiting->patterns);
	kfree(waiting);
}

static bool mod_pending_any_adds(const struct list_head *patterns)
{
	const struct mod_pending_pattern *pending;

	list_for_each_entry(pending, patterns, list)
		if (!pending->pattern.negate)
			return true;
	return false;
}

static bool mod_pending_same_but_for_negation(const struct mod_pending_pattern *a,
					      const struct mod_pending_pattern *b)
{
	return !strcmp(a->text + a->pattern.negate, b->text + b->pattern.negate);
}

/* `!*:mod:GLOB' removes all pending patterns for such a module, `!*' all pending patterns. */
static bool mod_pending_takes_all_of(const struct mod_pending_pattern *pending,
				     const struct mod_pending_pattern *old)
{
	return pending->pattern.negate && !strcmp(pending->pattern.name, "*") &&
	       !pending->pattern.source &&
	       mod_pending_includes(pending->pattern.module, old->pattern.module);
}

/* Append a copy of a pattern, and drop the patterns that it makes pointless. */
static int mod_pending_patterns_append(struct list_head *patterns,
				       const struct mod_pending_pattern *pending)
{
	struct mod_pending_pattern *old, *next, *copy;

	list_for_each_entry_safe(old, next, patterns, list)
		if (mod_pending_same_but_for_negation(old, pending) ||
		    mod_pending_takes_all_of(pending, old))
			mod_pending_pattern_free(old);

	if (pending->pattern.negate && !mod_pending_any_adds(patterns))
		return 0;

	copy = mod_pending_pattern_make(pending->text);
	if (!copy)
		return -ENOMEM;
	list_add_tail(&copy->list, patterns);
	return 0;
}

static int mod_pending_patterns_append_all(struct list_head *patterns, const struct list_head *more)
{
	const struct mod_pending_pattern *pending;
	int err;

	list_for_each_entry(pending, more, list) {
		err = mod_pending_patterns_append(patterns, pending);
		if (err)
			return err;
	}
	return 0;
}

/**
 * ftrace_mod_pending_prepare - prepare a change of pending patterns
 * @change: the change; to be passed to ftrace_mod_pending_finish(), also after an error
 * @hash: the filters
 * @exclude: the patterns apply to notrace_hash instead of filter_hash
 * @patterns: patterns to add, which are copied
 * @reset: drop the current pending patterns
 *
 * Context: ftrace_mod_pending_lock() held, up to ftrace_mod_pending_finish(); may sleep
 *
 * Return: 0 or -ENOMEM
 */
int ftrace_mod_pending_prepare(struct ftrace_mod_pending_change *change,
			       struct ftrace_ops_hash *hash, bool exclude,
			       const struct list_head *patterns, bool reset)
{
	struct ftrace_mod_pending *old = mod_pending_find(hash, exclude), *new;
	int err = 0;

	lockdep_assert_held(&mod_pending_lock);

	*change = (struct ftrace_mod_pending_change) { .old = old, .adds_before = old };
	if (list_empty(patterns) && (reset || !old))
		return 0;

	new = kzalloc(sizeof(*new), GFP_KERNEL);
	if (!new)
		return -ENOMEM;

	new->hash = hash;
	new->exclude = exclude;
	INIT_LIST_HEAD(&new->list);
	INIT_LIST_HEAD(&new->patterns);
	if (old && !reset)
		err = mod_pending_patterns_append_all(&new->patterns, &old->patterns);
	if (!err)
		err = mod_pending_patterns_append_all(&new->patterns, patterns);

	/* Negated patterns are not kept pending on their own. */
	if (!err && mod_pending_any_adds(&new->patterns)) {
		change->new = new;
		change->adds_after = true;
	} else {
		mod_pending_free(new);
	}
	return err;
}

/* Drop the pending patterns of filters that are freed, ftrace_ops_hash.forget. */
static void mod_pending_forget(const struct ftrace_ops_hash *hash)
{
	struct ftrace_mod_pending *waiting, *next;

	guard(mutex)(&mod_pending_lock);
	guard(mutex)(&ftrace_lock);

	list_for_each_entry_safe(waiting, next, &mod_pending_filters, list)
		if (waiting->hash == hash) {
			list_del(&waiting->list);
			mod_pending_free(waiting);
		}
}

/**
 * ftrace_mod_pending_finish - apply or drop a change
 * @change: the change that was prepared
 * @apply: true to apply it
 *
 * Context: ftrace_mod_pending_lock() held; takes ftrace_lock
 */
void ftrace_mod_pending_finish(struct ftrace_mod_pending_change *change, bool apply)
{
	if (!apply) {
		mod_pending_free(change->new);
		return;
	}
	if (!change->old && !change->new)
		return;

	scoped_guard(mutex, &ftrace_lock) {
		if (change->old)
			list_del(&change->old->list);
		if (change->new) {
			list_add_tail(&change->new->list, &mod_pending_filters);
			change->new->hash->forget = mod_pending_forget;
		}
	}
	mod_pending_free(change->old);
}

/* May two patterns match the same module? Two globs may, and a pattern without a module. */
static bool mod_pending_modules_overlap(const char *a, const char *b)
{
	bool globs;

	if (!a || !b)
		return true;

	globs = strpbrk(a, FTRACE_GLOB_CHARS) && strpbrk(b, FTRACE_GLOB_CHARS);
	return globs || ftrace_pattern_match(a, b) || ftrace_pattern_match(b, a);
}

static bool mod_pending_any_concerned(const struct list_head *patterns,
				      const struct ftrace_pattern *pattern)
{
	const struct mod_pending_pattern *pending;

	list_for_each_entry(pending, patterns, list)
		if (!pending->pattern.negate &&
		    mod_pending_modules_overlap(pending->pattern.module, pattern->module))
			return true;
	return false;
}

/**
 * ftrace_mod_pending_concerns - is there a pending pattern that a negated pattern may cancel?
 * @hash: the filters
 * @exclude: the patterns apply to notrace_hash instead of filter_hash
 * @patterns: patterns that an edit is going to add
 * @reset: the edit is going to drop the current pending patterns
 * @pattern: the negated pattern
 *
 * Context: may sleep
 */
bool ftrace_mod_pending_concerns(const struct ftrace_ops_hash *hash, bool exclude,
				 const struct list_head *patterns, bool reset,
				 const struct ftrace_pattern *pattern)
{
	const struct ftrace_mod_pending *old;

	guard(mutex)(&mod_pending_lock);

	old = reset ? NULL : mod_pending_find(hash, exclude);
	return mod_pending_any_concerned(patterns, pattern) ||
	       (old && mod_pending_any_concerned(&old->patterns, pattern));
}

/**
 * ftrace_mod_pending_line - get one of the pending patterns of a filter
 * @hash: the filters
 * @exclude: the patterns apply to notrace_hash instead of filter_hash
 * @nr: index of the pattern, from 0 on; reduced by the number of patterns if it is too large
 *
 * Patterns whose module is loaded are left out.
 *
 * Context: ftrace_lock held, as long as the pattern is used
 *
 * Return: the pattern, or NULL
 */
const char *ftrace_mod_pending_line(const struct ftrace_ops_hash *hash, bool exclude,
				    loff_t *nr)
{
	const struct ftrace_mod_pending *waiting;
	const struct mod_pending_pattern *pending;

	lockdep_assert_held(&ftrace_lock);

	waiting = mod_pending_find(hash, exclude);
	if (!waiting)
		return NULL;

	list_for_each_entry(pending, &waiting->patterns, list)
		if (!mod_pending_module_is_there(&pending->pattern) && !(*nr)--)
			return pending->text;
	return NULL;
}

#if defined(CONFIG_MODULES) || defined(CONFIG_FTRACE_DISCOVER)
/* Modules that are loaded, and functions that are found */

static struct ftrace_hash *mod_pending_add_sites(struct ftrace_hash *old, const void *sites)
{
	return ftrace_hash_union(old, sites) ?: ERR_PTR(-ENOMEM);
}

/* A filter that selects all functions remains unchanged. */
static struct ftrace_hash *mod_pending_add_restricted(struct ftrace_hash *old,
						      const void *sites)
{
	return old ? mod_pending_add_sites(old, sites) : NULL;
}

/*
 * The functions that pending patterns select in a module, or anywhere for NULL; only those among
 * @some, unless it is NULL.
 */
static struct ftrace_hash *mod_pending_match_among(const struct ftrace_mod_pending *waiting,
						   struct module *mod,
						   const struct ftrace_hash *some)
{
	struct ftrace_hash *sites = ftrace_mod_pending_match(&waiting->patterns, mod), *others;
	struct ftrace_hash *among = NULL;

	if (IS_ERR(sites) || !some)
		return sites;

	others = ftrace_hash_minus(sites, some);
	if (others)
		among = ftrace_hash_minus(sites, others);
	ftrace_hash_free(others);
	ftrace_hash_free(sites);
	return among ?: ERR_PTR(-ENOMEM);
}

static int mod_pending_apply(const struct ftrace_mod_pending *waiting, struct module *mod,
			     const struct ftrace_hash *some)
{
	struct ftrace_hash *sites = mod_pending_match_among(waiting, mod, some);
	int err = 0;

	if (IS_ERR(sites))
		return PTR_ERR(sites);

	if (sites->count)
		err = ftrace_ops_edit_hash(waiting->hash, waiting->exclude,
					   waiting->exclude ? mod_pending_add_sites :
					   mod_pending_add_restricted,
					   sites, GFP_KERNEL);
	ftrace_hash_free(sites);
	return err;
}

static void mod_pending_apply_all(struct module *mod, const struct ftrace_hash *some)
{
	const struct ftrace_mod_pending *waiting;
	int err;

	guard(mutex)(&mod_pending_lock);

	list_for_each_entry(waiting, &mod_pending_filters, list) {
		err = mod_pending_apply(waiting, mod, some);
		if (err)
			pr_warn("cannot apply a pending filter to %sfunctions of %s: %pe\n",
				some ? "some " : "the ", mod ? mod->name : "the kernel",
				ERR_PTR(err));
	}
}

static void mod_pending_module_coming(struct module *mod)
{
	mod_pending_apply_all(mod, NULL);
}

/* Other sites have been found before, and may have been removed from filters since. */
static void mod_pending_sites_found(struct module *mod, const struct ftrace_hash *sites)
{
	mod_pending_apply_all(mod, sites);
}

static struct ftrace_module_notifier notifier = {
	.coming	= mod_pending_module_coming,
	.found	= mod_pending_sites_found,
};

static int __init mod_pending_init(void)
{
	ftrace_module_notifier_register(&notifier);
	return 0;
}
core_initcall(mod_pending_init);
#endif /* CONFIG_MODULES || CONFIG_FTRACE_DISCOVER */
