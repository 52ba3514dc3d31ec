// SPDX-License-Identifier: GPL-2.0
/*
 * Words of filters about modules that are not there.
 *
 * A word with `:mod:' that finds no module waits, in the order in which such
 * words came. Whenever a module comes, the words that mean it are gone through:
 * its functions are traced from its init function on. A word stays when its
 * module goes, for the next time. Words with `!' wait too, where there is
 * something that they may take away then.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/err.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "filter/match.h"
#include "hook/module.h"
#include "hook/ops.h"
#include "filter/waiting.h"
#include "lib/hash.h"
#include "patch/records.h"

/**
 * struct waiting - a word
 * @list: in the words of an edit, or among all that wait
 * @hash: whose filters it is of, if it waits
 * @exclude: of the functions never meant, not of those meant
 * @gone: is to go when the edit under way takes effect
 * @pattern: the word, taken apart
 * @text: the word, followed by the text that @pattern points into
 */
struct waiting {
	struct list_head		list;
	const struct ftrace_ops_hash	*hash;
	bool				exclude;
	bool				gone;
	struct ftrace_pattern		pattern;
	char				text[];
};

/* Outside of ftrace_ops_hash.regex_lock: no module comes while it is held. */
static DEFINE_MUTEX(waiting_lock);

/* Changed under waiting_lock and ftrace_lock both. */
static LIST_HEAD(waiting_words);

/* Is the only module that a word can mean there? */
static bool is_there(const struct ftrace_pattern *pattern)
{
	guard(preempt)();

	return !strpbrk(pattern->module, FTRACE_GLOB_CHARS) &&
	       find_module(pattern->module);
}

/**
 * ftrace_waiting_may - can a word wait for modules?
 * @pattern: the word
 *
 * Context: any
 */
bool ftrace_waiting_may(const struct ftrace_pattern *pattern)
{
	return pattern->module && !pattern->not_module && !pattern->command &&
	       (pattern->negate || !is_there(pattern));
}

/**
 * ftrace_waiting_add - one more word for an edit
 * @words: the words of the edit
 * @pattern: the word; is copied
 *
 * Return: 0 or -ENOMEM
 */
int ftrace_waiting_add(struct list_head *words, const struct ftrace_pattern *pattern)
{
	struct waiting *word;
	size_t size;
	char *text;

	text = kasprintf(GFP_KERNEL, "%s%s:mod:%s%s%s", pattern->negate ? "!" : "",
			 pattern->name, pattern->module,
			 pattern->source ? ":src:" : "", pattern->source ?: "");
	if (!text)
		return -ENOMEM;

	size = strlen(text) + 1;
	word = kzalloc(struct_size(word, text, 2 * size), GFP_KERNEL);
	if (word) {
		memcpy(word->text, text, size);
		memcpy(word->text + size, text, size);
		ftrace_pattern_parse(&word->pattern, word->text + size);
		list_add_tail(&word->list, words);
	}
	kfree(text);
	return word ? 0 : -ENOMEM;
}

static void word_free(struct waiting *word)
{
	list_del(&word->list);
	kfree(word);
}

/**
 * ftrace_waiting_cut - forget the last words of an edit
 * @words: the words of the edit
 * @last: the last that stays
 */
void ftrace_waiting_cut(struct list_head *words, struct list_head *last)
{
	while (words->prev != last)
		word_free(list_last_entry(words, struct waiting, list));
}

/* The sites that a word means in a module, or without one in all that are there. */
static struct ftrace_hash *word_sites(const struct waiting *word,
				      const struct module *mod)
{
	struct ftrace_pattern pattern = word->pattern;

	if (mod)
		pattern.module = mod->name;
	return ftrace_match_pattern(&pattern);
}

/* @sites becomes what it is with, or less, the sites of a word. */
static int go_through(struct ftrace_hash **sites, const struct waiting *word,
		      const struct module *mod)
{
	struct ftrace_hash *more = word_sites(word, mod), *all;

	if (IS_ERR(more))
		return PTR_ERR(more);

	all = word->pattern.negate ? ftrace_hash_minus(*sites, more) :
				     ftrace_hash_union(*sites, more);
	ftrace_hash_free(more);
	if (!all)
		return -ENOMEM;

	ftrace_hash_free(*sites);
	*sites = all;
	return 0;
}

/**
 * ftrace_waiting_find - what words mean whose module has come meanwhile
 * @words: the words of an edit
 *
 * Context: ftrace_waiting_lock() held; may sleep; takes ftrace_lock
 *
 * Return: a set, NULL for none, or an ERR_PTR()
 */
struct ftrace_hash *ftrace_waiting_find(const struct list_head *words)
{
	struct ftrace_hash *sites = NULL;
	struct waiting *word;
	int err = 0;

	list_for_each_entry(word, words, list) {
		err = go_through(&sites, word, NULL);
		if (err)
			break;
	}
	if (!err)
		return sites;

	ftrace_hash_free(sites);
	return ERR_PTR(err);
}

/**
 * ftrace_waiting_lock - words and modules come only after it is undone
 */
void ftrace_waiting_lock(void)
{
	mutex_lock(&waiting_lock);
}

/**
 * ftrace_waiting_unlock - undo ftrace_waiting_lock()
 */
void ftrace_waiting_unlock(void)
{
	mutex_unlock(&waiting_lock);
}

static bool is_of(const struct waiting *word, const struct ftrace_ops_hash *hash,
		  bool exclude)
{
	return word->hash == hash && word->exclude == exclude;
}

static bool same_text(const struct waiting *a, const struct waiting *b)
{
	return !strcmp(a->text + a->pattern.negate, b->text + b->pattern.negate);
}

static bool takes_all_of(const struct waiting *word, const struct waiting *old)
{
	return word->pattern.negate && !strcmp(word->pattern.name, "*") &&
	       !word->pattern.source &&
	       ftrace_pattern_match(word->pattern.module, old->pattern.module);
}

/* An older word, beside a newer one. Return: it is there and adds something. */
static bool supersede(struct waiting *old, const struct waiting *word)
{
	if (same_text(old, word) || takes_all_of(word, old))
		old->gone = true;
	return !old->gone && !old->pattern.negate;
}

/* Words with `!' do not wait on their own. */
static void all_gone(const struct ftrace_ops_hash *hash, bool exclude)
{
	struct waiting *word;

	list_for_each_entry(word, &waiting_words, list)
		if (is_of(word, hash, exclude))
			word->gone = true;
}

/**
 * ftrace_waiting_plan - see which words will wait after an edit
 * @hash: whose filters are edited
 * @exclude: the functions never meant, not those meant
 * @words: what the edit adds
 * @reset: none of those that are there stays
 * @before: set to whether any word waits for functions to add now
 *
 * Context: ftrace_waiting_lock() held, until ftrace_waiting_settle()
 *
 * Return: whether any will afterwards
 */
bool ftrace_waiting_plan(const struct ftrace_ops_hash *hash, bool exclude,
			 struct list_head *words, bool reset, bool *before)
{
	struct waiting *word, *old;
	bool adds = false;

	*before = false;
	list_for_each_entry(old, &waiting_words, list) {
		if (!is_of(old, hash, exclude))
			continue;
		*before |= !old->pattern.negate;
		old->gone = reset;
	}
	adds = *before && !reset;

	list_for_each_entry(word, words, list) {
		adds = false;
		list_for_each_entry(old, &waiting_words, list)
			if (is_of(old, hash, exclude))
				adds |= supersede(old, word);
		list_for_each_entry(old, words, list) {
			if (old == word)
				break;
			adds |= supersede(old, word);
		}
		/* With nothing to take away from, it need not wait. */
		word->gone = word->pattern.negate && !adds;
		adds |= !word->pattern.negate;
	}
	if (!adds)
		all_gone(hash, exclude);
	return adds;
}

/**
 * ftrace_waiting_settle - the end of an edit, as planned or not
 * @hash: as for ftrace_waiting_plan()
 * @exclude: likewise
 * @words: likewise; none are left
 * @apply: the edit has taken effect
 *
 * Context: ftrace_waiting_lock() held; takes ftrace_lock
 */
void ftrace_waiting_settle(const struct ftrace_ops_hash *hash, bool exclude,
			   struct list_head *words, bool apply)
{
	struct waiting *word, *next;

	if (!apply) {
		ftrace_waiting_cut(words, words);
		return;
	}
	if (list_empty(words) && list_empty(&waiting_words))
		return;

	guard(mutex)(&ftrace_lock);

	list_for_each_entry(word, words, list) {
		word->hash = hash;
		word->exclude = exclude;
	}
	list_splice_tail_init(words, &waiting_words);
	list_for_each_entry_safe(word, next, &waiting_words, list)
		if (is_of(word, hash, exclude) && word->gone)
			word_free(word);
}

/**
 * ftrace_waiting_drop - no word waits for these filters any more
 * @hash: the filters
 *
 * Context: may sleep; takes ftrace_lock
 */
void ftrace_waiting_drop(const struct ftrace_ops_hash *hash)
{
	struct waiting *word, *next;

	guard(mutex)(&waiting_lock);
	guard(mutex)(&ftrace_lock);

	list_for_each_entry_safe(word, next, &waiting_words, list)
		if (word->hash == hash)
			word_free(word);
}

/* Filters that mean everything go on to do so. */
static struct ftrace_hash *with_module(struct ftrace_hash *old, const void *sites)
{
	return ftrace_hash_union(old, sites) ?: ERR_PTR(-ENOMEM);
}

static struct ftrace_hash *with_module_if_any(struct ftrace_hash *old,
					      const void *sites)
{
	return old ? with_module(old, sites) : NULL;
}

/* All words of the filters that @first is the first word of. */
static int welcome(const struct waiting *first, const struct module *mod)
{
	const struct waiting *word = first;
	struct ftrace_hash *sites = NULL;
	int err = 0;

	list_for_each_entry_from(word, &waiting_words, list) {
		if (!is_of(word, first->hash, first->exclude) ||
		    !ftrace_pattern_match(word->pattern.module, mod->name))
			continue;
		err = go_through(&sites, word, mod);
		if (err)
			break;
	}

	if (!err && sites && sites->count)
		err = ftrace_ops_edit_hash((struct ftrace_ops_hash *)first->hash,
					   first->exclude, first->exclude ?
					   with_module : with_module_if_any, sites, GFP_KERNEL);
	ftrace_hash_free(sites);
	return err;
}

static bool is_first(const struct waiting *word)
{
	const struct waiting *it = word;

	list_for_each_entry_continue_reverse(it, &waiting_words, list)
		if (is_of(it, word->hash, word->exclude))
			return false;
	return true;
}

/* A module has come: see which words wait for it. */
static void coming(struct module *mod)
{
	struct waiting *word;

	guard(mutex)(&waiting_lock);

	list_for_each_entry(word, &waiting_words, list)
		if (is_first(word) && welcome(word, mod))
			pr_warn("filters do not mean the functions of %s\n", mod->name);
}

static struct ftrace_module_notifier notifier = { .coming = coming };

static int __init waiting_init(void)
{
	ftrace_module_notifier_register(&notifier);
	return 0;
}
core_initcall(waiting_init);

/**
 * ftrace_waiting_line - one of the words that wait
 * @hash: for which filters
 * @exclude: of the functions never meant, not of those meant
 * @nr: which, from 0 on; if there are not so many, less by as many as there are
 *
 * Words whose module is there are left out.
 *
 * Context: ftrace_lock held, as long as the word is used
 *
 * Return: the word, or NULL
 */
const char *ftrace_waiting_line(const struct ftrace_ops_hash *hash, bool exclude,
				loff_t *nr)
{
	const struct waiting *word;

	lockdep_assert_held(&ftrace_lock);

	list_for_each_entry(word, &waiting_words, list)
		if (is_of(word, hash, exclude) && !is_there(&word->pattern)) {
			if (!*nr)
				return word->text;
			--*nr;
		}
	return NULL;
}
