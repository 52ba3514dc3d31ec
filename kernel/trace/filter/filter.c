// SPDX-License-Identifier: GPL-2.0
/*
 * Filters of ops: edits that take effect all at once, and who makes them.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/ctype.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/slab.h>
#include <asm/setup.h>

#include "filter/command.h"
#include "filter/filter.h"
#include "filter/match.h"
#include "hook/ops.h"
#include "filter/waiting.h"
#include "lib/hash.h"

/**
 * ftrace_filter_edit_begin - begin an edit of filters
 * @hash: the filters
 * @exclude: edit the functions never meant, not those meant
 * @reset: begin with nothing, not with what is there at the end of the edit
 *
 * Context: may sleep
 *
 * Return: the edit, or NULL if out of memory
 */
struct ftrace_filter_edit *
ftrace_filter_edit_begin(struct ftrace_ops_hash *hash, bool exclude, bool reset)
{
	struct ftrace_filter_edit *edit = kzalloc(sizeof(*edit), GFP_KERNEL);

	if (!edit)
		return NULL;

	edit->hash = hash;
	edit->exclude = exclude;
	edit->reset = reset;
	INIT_LIST_HEAD(&edit->waiting);
	return edit;
}

static void replace(struct ftrace_hash **slot, struct ftrace_hash *hash)
{
	ftrace_hash_free(*slot);
	*slot = hash;
}

/* These are to be added, or taken away: whatever was said of them before. */
static int edit_sites(struct ftrace_filter_edit *edit,
		      const struct ftrace_hash *sites, bool negate)
{
	struct ftrace_hash **to = negate ? &edit->del : &edit->add;
	struct ftrace_hash **from = negate ? &edit->add : &edit->del;
	struct ftrace_hash *more = ftrace_hash_union(*to, sites);
	struct ftrace_hash *less = ftrace_hash_minus(*from, sites);

	if (!more || !less) {
		ftrace_hash_free(more);
		ftrace_hash_free(less);
		return -ENOMEM;
	}
	replace(to, more);
	replace(from, less);
	return 0;
}

/* What a word, or names in a row, mean: an error, or sites. */
static int edit_matches(struct ftrace_filter_edit *edit,
			struct ftrace_hash *sites, bool negate)
{
	int err;

	if (IS_ERR(sites))
		return PTR_ERR(sites);

	err = sites->count ? edit_sites(edit, sites, negate) : -EINVAL;
	ftrace_hash_free(sites);
	return err;
}

/* Filters that may go without notice have no words that wait. */
static bool may_wait(const struct ftrace_filter_edit *edit)
{
	return edit->tr || edit->hash == &ftrace_global_hash;
}

/* A glob, a line number, or a word that says where. */
static int edit_pattern(struct ftrace_filter_edit *edit,
			const struct ftrace_pattern *pattern)
{
	struct ftrace_hash *sites = ftrace_match_pattern(pattern);
	bool none = !IS_ERR(sites) && !sites->count;
	int err;

	if (IS_ERR(sites) || !may_wait(edit) || !(none || pattern->negate) ||
	    !ftrace_waiting_may(pattern))
		return edit_matches(edit, sites, pattern->negate);

	err = ftrace_waiting_add(&edit->waiting, pattern);
	if (!err && !none)
		return edit_matches(edit, sites, pattern->negate);

	ftrace_hash_free(sites);
	return err;
}

/**
 * struct row - names in a row, which are looked up together
 * @names: the names
 * @negate: what they mean is to be taken away
 * @command: the word behind them, if it is one with a command
 */
struct row {
	struct ftrace_name_list	names;
	bool			negate;
	struct ftrace_pattern	command;
};

/* For who has to say why a text was refused; the first is enough. */
static void edit_refuse(struct ftrace_filter_edit *edit, const char *word)
{
	if (!edit->refused)
		edit->refused = kstrdup(word, GFP_KERNEL);
}

static int edit_row(struct ftrace_filter_edit *edit, struct row *row)
{
	const char *missing;
	int err;

	if (!row->names.nr)
		return 0;

	err = edit_matches(edit, ftrace_match_names(&row->names), row->negate);
	missing = err == -EINVAL ? ftrace_names_missing(&row->names) : NULL;
	if (missing)
		edit_refuse(edit, missing);
	ftrace_names_free(&row->names);
	return err;
}

/* Words take effect in their order. */
static int edit_word(struct ftrace_filter_edit *edit, struct row *row, char *word)
{
	struct ftrace_pattern pattern;
	bool is_name;
	int err;

	err = ftrace_pattern_parse(&pattern, word);
	if (err)
		return err;

	if (pattern.command) {
		row->command = pattern;
		return edit->tr && !edit->exclude ? 0 : -EINVAL;
	}

	is_name = !pattern.glob && !pattern.module && !pattern.source &&
		  !isdigit(*pattern.name);
	if (!is_name || pattern.negate != row->negate) {
		err = edit_row(edit, row);
		if (err)
			return err;
	}
	if (!is_name)
		return edit_pattern(edit, &pattern);

	row->negate = pattern.negate;
	return ftrace_names_add(&row->names, pattern.name);
}

/* So that a piece of text that cannot be honoured changes nothing. */
static struct ftrace_filter_edit *edit_save(const struct ftrace_filter_edit *edit)
{
	struct ftrace_filter_edit *saved = kzalloc(sizeof(*saved), GFP_KERNEL);

	if (!saved)
		return NULL;

	INIT_LIST_HEAD(&saved->waiting);
	saved->add = ftrace_hash_copy(edit->add, GFP_KERNEL);
	saved->del = ftrace_hash_copy(edit->del, GFP_KERNEL);
	if (saved->add && saved->del)
		return saved;

	ftrace_filter_edit_free(saved);
	return NULL;
}

/* The words of a text, up to the first with a command. Return: their number. */
static int edit_words(struct ftrace_filter_edit *edit, struct row *row,
		      const char **text, size_t *len, bool last)
{
	int err, words = 0;

	while (!row->command.command) {
		err = ftrace_words_next(&edit->words, text, len, last);
		if (err <= 0)
			return err ?: words;

		words++;
		err = edit_word(edit, row, edit->words.text);
		if (err == -EINVAL)
			edit_refuse(edit, edit->words.text);
		if (err)
			return err;
		/* A command still refers to its word. */
		if (!row->command.command)
			ftrace_words_reset(&edit->words);
	}
	return words;
}

/**
 * ftrace_filter_edit_text - words for an edit
 * @edit: the edit
 * @text: words, of which the last may go on in the next text
 * @len: length of @text; set to how much of it was used
 * @last: this is the last text
 *
 * A text is used up to its first word with a command, which takes effect at once
 * and not at the end of the edit; what is behind it is for the next text. So a
 * text is honoured as a whole or changes nothing.
 *
 * Context: may sleep
 *
 * Return: 0; -EINVAL, where a word means nothing or no function matches;
 * -ENOMEM; as ftrace_command_do(). In an error, the edit is as it was before
 * this text, but for a word that had begun before.
 */
int ftrace_filter_edit_text(struct ftrace_filter_edit *edit, const char *text,
			    size_t *len, bool last)
{
	struct list_head *waited = edit->waiting.prev;
	struct ftrace_filter_edit *saved;
	struct row row = { };
	size_t left = *len;
	int words, err;

	saved = edit_save(edit);
	if (!saved)
		return -ENOMEM;

	kfree(edit->refused);
	edit->refused = NULL;

	words = edit_words(edit, &row, &text, &left, last);
	err = words < 0 ? words : edit_row(edit, &row);
	if (!err && row.command.command) {
		err = ftrace_command_do(edit->tr, &row.command);
		if (err == -EINVAL)
			edit_refuse(edit, edit->words.text);
		ftrace_words_reset(&edit->words);
		ftrace_words_skip(&text, &left);
	}
	ftrace_names_free(&row.names);

	if (err) {
		ftrace_words_reset(&edit->words);
		ftrace_waiting_cut(&edit->waiting, waited);
		swap(edit->add, saved->add);
		swap(edit->del, saved->del);
	} else {
		edit->taken += words;
		*len -= left;
	}
	ftrace_filter_edit_free(saved);
	return err;
}

/* What there is, with the additions, without what is taken away. */
static struct ftrace_hash *edited(struct ftrace_hash *old, const void *data)
{
	const struct ftrace_filter_edit *edit = data;
	struct ftrace_hash *base = edit->reset ? NULL : old;
	struct ftrace_hash *add, *all = NULL, *rest = NULL;

	/* A module may have gone since. */
	add = ftrace_hash_existing(edit->add, GFP_KERNEL);
	if (add)
		all = ftrace_hash_union(base, add);
	if (all)
		rest = ftrace_hash_minus(all, edit->del);
	ftrace_hash_free(add);
	ftrace_hash_free(all);
	if (!rest)
		return ERR_PTR(-ENOMEM);

	/*
	 * No function named is no restriction. If all have gone, or are yet to
	 * come, it is one.
	 */
	if (!rest->count && !edit->waits &&
	    (edit->waited || !(base && !base->count))) {
		ftrace_hash_free(rest);
		return NULL;
	}
	if (ftrace_hash_same(rest, old)) {
		ftrace_hash_free(rest);
		return old;
	}
	return rest;
}

/* A module that came after its word did is not waited for. */
static int edit_catch_up(struct ftrace_filter_edit *edit)
{
	struct ftrace_hash *sites = ftrace_waiting_find(&edit->waiting);
	int err;

	if (IS_ERR_OR_NULL(sites))
		return PTR_ERR_OR_ZERO(sites);

	err = sites->count ? edit_sites(edit, sites, false) : 0;
	ftrace_hash_free(sites);
	return err;
}

/**
 * ftrace_filter_edit_end - let an edit take effect
 * @edit: the edit
 *
 * Context: may sleep; takes @edit->hash->regex_lock and ftrace_lock
 *
 * Return: 0, -ENOMEM, or as ftrace_ops_edit_hash()
 */
int ftrace_filter_edit_end(struct ftrace_filter_edit *edit)
{
	int err;

	if (!may_wait(edit))
		return ftrace_ops_edit_hash(edit->hash, edit->exclude, edited, edit,
					    GFP_KERNEL);

	ftrace_waiting_lock();
	edit->waits = ftrace_waiting_plan(edit->hash, edit->exclude, &edit->waiting,
					  edit->reset, &edit->waited);
	err = edit_catch_up(edit);
	if (!err)
		err = ftrace_ops_edit_hash(edit->hash, edit->exclude, edited, edit,
					   GFP_KERNEL);
	ftrace_waiting_settle(edit->hash, edit->exclude, &edit->waiting, !err);
	ftrace_waiting_unlock();
	return err;
}

/**
 * ftrace_filter_edit_free - the end of an edit's memory
 * @edit: the edit, or NULL
 */
void ftrace_filter_edit_free(struct ftrace_filter_edit *edit)
{
	if (!edit)
		return;

	ftrace_hash_free(edit->add);
	ftrace_hash_free(edit->del);
	kfree(edit->refused);
	ftrace_waiting_cut(&edit->waiting, &edit->waiting);
	kfree(edit);
}

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
 * ftrace_set_filter - say by name which functions an ops means
 * @ops: the ops, registered or not
 * @buf: words as in set_ftrace_filter, NULL for none
 * @len: length of @buf
 * @reset: only these, not these too; without words: all functions
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: 0; -EINVAL if no function matches; -ENOMEM; as ftrace_ops_edit_hash()
 */
int ftrace_set_filter(struct ftrace_ops *ops, unsigned char *buf, int len,
		      int reset)
{
	ftrace_ops_init(ops);
	return set_by_name(ops->func_hash, false, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_filter);

/**
 * ftrace_set_notrace - say by name which functions an ops never means
 * @ops: the ops, registered or not
 * @buf: words as in set_ftrace_notrace, NULL for none
 * @len: length of @buf
 * @reset: only these, not these too
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
 * ftrace_set_global_filter - what is written to set_ftrace_filter
 * @buf: words as in that file
 * @len: length of @buf
 * @reset: only these functions, not these too
 */
void ftrace_set_global_filter(unsigned char *buf, int len, int reset)
{
	set_by_name(&ftrace_global_hash, false, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_global_filter);

/**
 * ftrace_set_global_notrace - what is written to set_ftrace_notrace
 * @buf: words as in that file
 * @len: length of @buf
 * @reset: only these functions, not these too
 */
void ftrace_set_global_notrace(unsigned char *buf, int len, int reset)
{
	set_by_name(&ftrace_global_hash, true, buf, len, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_global_notrace);

/* The call sites of functions given by address, as a set. */
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
 * struct removal - functions that shall not be meant any more
 * @ips: their addresses, or those of their call sites
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

/* Who takes a probe or a patch away cannot do without: memory is no reason. */
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
 * ftrace_set_filter_ips - say by address which functions an ops means
 * @ops: the ops, registered or not
 * @ips: addresses of the functions, or of their call sites
 * @cnt: their number
 * @remove: not these any more, instead of these too
 * @reset: only these, not these too
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: 0; -EINVAL if there is no call site at an address; -ENOENT if one to
 * remove is not among the functions meant; -ENOMEM, but not for a removal; as
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
		err = edit_sites(edit, sites, remove);
		if (!err)
			err = ftrace_filter_edit_end(edit);
	}
	ftrace_filter_edit_free(edit);
	ftrace_hash_free(sites);
	return err;
}
EXPORT_SYMBOL_GPL(ftrace_set_filter_ips);

/**
 * ftrace_set_filter_ip - say by address which function an ops means
 * @ops: the ops, registered or not
 * @ip: address of the function, or of its call site
 * @remove: not this one any more, instead of this one too
 * @reset: only this one, not this one too; with 0 for @ip: all functions
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: as ftrace_set_filter_ips()
 */
int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip, int remove,
			 int reset)
{
	return ftrace_set_filter_ips(ops, &ip, ip || !reset ? 1 : 0, remove, reset);
}
EXPORT_SYMBOL_GPL(ftrace_set_filter_ip);

/**
 * ftrace_ops_set_global_filter - let an ops mean what set_ftrace_filter says
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
 * ftrace_free_filter - let go of the filters of an ops
 * @ops: the ops, not registered
 *
 * Context: process context
 */
void ftrace_free_filter(struct ftrace_ops *ops)
{
	ftrace_ops_init(ops);
	if (WARN_ON_ONCE(ops->flags & FTRACE_OPS_FL_ENABLED))
		return;

	ftrace_waiting_drop(&ops->local_hash);
	ftrace_ops_edit_hash(&ops->local_hash, false, no_restriction, NULL, GFP_KERNEL);
	ftrace_ops_edit_hash(&ops->local_hash, true, no_restriction, NULL, GFP_KERNEL);
}
EXPORT_SYMBOL_GPL(ftrace_free_filter);

/*
 * Boot parameters: words as in the files, with commas for blanks.
 */
static char boot_filter[COMMAND_LINE_SIZE] __initdata;
static char boot_notrace[COMMAND_LINE_SIZE] __initdata;

static int __init set_boot_filter(char *str)
{
	strscpy(boot_filter, str);
	return 1;
}
__setup("ftrace_filter=", set_boot_filter);

static int __init set_boot_notrace(char *str)
{
	strscpy(boot_notrace, str);
	return 1;
}
__setup("ftrace_notrace=", set_boot_notrace);

/* All words are one edit: a bad one does not keep the others. */
static void __init boot_words(char *words, bool exclude)
{
	struct ftrace_filter_edit *edit;
	int err = -ENOMEM;
	char *word;
	size_t len;

	if (!*words)
		return;

	edit = ftrace_filter_edit_begin(&ftrace_global_hash, exclude, false);
	if (edit) {
		while ((word = strsep(&words, ","))) {
			len = strlen(word);
			if (ftrace_filter_edit_text(edit, word, &len, true))
				pr_warn("no function matches %s\n", word);
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
	boot_words(boot_filter, false);
	boot_words(boot_notrace, true);
	return 0;
}
early_initcall(boot_filters);
