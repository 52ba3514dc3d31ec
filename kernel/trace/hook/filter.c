// SPDX-License-Identifier: GPL-2.0
/*
 * Filters of ops: which functions match a word, and edits that take effect all
 * at once.
 *
 * Names are looked up in kallsyms, and every symbol that matches and has a call
 * site counts; several functions of one name are all meant.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/bsearch.h>
#include <linux/ctype.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "hook/filter.h"
#include "hook/names.h"
#include "hook/ops.h"
#include "lib/hash.h"

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
 * @pattern: the glob
 * @matches: what matches
 */
struct glob {
	const struct ftrace_pattern	*pattern;
	struct matches			matches;
};

static int glob_symbol(void *data, const char *name, unsigned long addr)
{
	struct glob *glob = data;

	if (!ftrace_pattern_match(glob->pattern->name, name))
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
		return ftrace_names_match(name, matches_add, &glob->matches);

	memcpy(prefix, name, len);
	prefix[len] = '\0';
	return kallsyms_on_each_prefix(glob_symbol, prefix, glob);
}

static int glob_module_symbol(void *data, const char *name, unsigned long addr)
{
	struct glob *glob = data;
	char module[MODULE_NAME_LEN] = "";
	struct module *mod;

	if (!ftrace_pattern_match(glob->pattern->name, name))
		return 0;

	if (glob->pattern->module) {
		scoped_guard(preempt) {
			mod = __module_address(addr);
			if (mod)
				strscpy(module, mod->name);
		}
		if (!ftrace_pattern_match(glob->pattern->module, module))
			return 0;
	}
	return matches_add_symbol(&glob->matches, addr);
}

/* The function on a line of available_filter_functions, from 1 on. */
static int match_line(struct matches *matches, unsigned int line)
{
	struct ftrace_rec_iter iter;
	struct dyn_ftrace *rec;

	guard(mutex)(&ftrace_lock);

	for_each_ftrace_rec(rec, &iter)
		if (!(rec->state & FTRACE_REC_FIXED) && !--line)
			return matches_add(matches, ftrace_rec_ip(rec));
	return 0;
}

/* All call sites that a word means, as a set. */
static struct ftrace_hash *match_word(const struct ftrace_pattern *pattern)
{
	struct glob glob = { .pattern = pattern };
	struct ftrace_hash *hash = NULL;
	unsigned int line;
	int err = 0;

	if (!kstrtouint(pattern->name, 10, &line)) {
		err = match_line(&glob.matches, line);
	} else {
		if (!pattern->module)
			err = glob_kernel(&glob);
		if (!err)
			err = module_kallsyms_on_each_symbol(NULL, glob_module_symbol,
							     &glob);
	}
	if (!err)
		hash = ftrace_hash_make(glob.matches.ip, glob.matches.nr);
	kvfree(glob.matches.ip);
	return hash;
}

/**
 * struct wanted - a name that is looked for
 * @name: the name
 * @found: some function has it
 */
struct wanted {
	char	*name;
	bool	found;
};

/**
 * struct names - names that are looked for together
 * @want: the names
 * @nr: their number
 * @max: how many there is room for
 * @negate: what they mean is to be taken away
 * @matches: what they mean
 */
struct names {
	struct wanted	*want;
	unsigned int	nr;
	unsigned int	max;
	bool		negate;
	struct matches	matches;
};

static int names_add(struct names *names, const char *name)
{
	struct wanted *want;

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
	*want = (struct wanted) { .name = kstrdup(name, GFP_KERNEL) };
	if (!want->name)
		return -ENOMEM;
	names->nr++;
	return 0;
}

static void names_clear(struct names *names)
{
	while (names->nr)
		kfree(names->want[--names->nr].name);
	names->matches.nr = 0;
}

static void names_free(struct names *names)
{
	names_clear(names);
	kvfree(names->want);
	kvfree(names->matches.ip);
}

static int compare_wanted(const void *a, const void *b)
{
	return strcmp(((const struct wanted *)a)->name,
		      ((const struct wanted *)b)->name);
}

static int names_module_symbol(void *data, const char *name, unsigned long addr)
{
	struct wanted key = { .name = (char *)name }, *hit;
	struct names *names = data;
	unsigned int before = names->matches.nr;
	int err;

	hit = bsearch(&key, names->want, names->nr, sizeof(*hit), compare_wanted);
	if (!hit)
		return 0;

	err = matches_add_symbol(&names->matches, addr);
	hit->found |= names->matches.nr != before;
	return err;
}

/* In order, and each once. */
static void names_sort(struct names *names)
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
static int names_find(struct names *names)
{
	unsigned int i;
	int err;

	names_sort(names);
	for (i = 0; i < names->nr; i++) {
		unsigned int before = names->matches.nr;

		err = kallsyms_on_each_match_symbol(matches_add_symbol,
						    names->want[i].name,
						    &names->matches);
		if (err)
			return err;
		names->want[i].found = names->matches.nr != before;
	}

	err = module_kallsyms_on_each_symbol(NULL, names_module_symbol, names);
	if (err)
		return err;

	for (i = 0; i < names->nr; i++)
		if (!names->want[i].found)
			return -EINVAL;
	return 0;
}

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

/* A word that is more than a name. */
static int edit_pattern(struct ftrace_filter_edit *edit,
			const struct ftrace_pattern *pattern)
{
	struct ftrace_hash *sites = match_word(pattern);
	int err;

	if (!sites)
		return -ENOMEM;

	err = sites->count ? edit_sites(edit, sites, pattern->negate) : -EINVAL;
	ftrace_hash_free(sites);
	return err;
}

/* The names that have been collected. */
static int edit_names(struct ftrace_filter_edit *edit, struct names *names)
{
	struct ftrace_hash *sites;
	int err;

	if (!names->nr)
		return 0;

	err = names_find(names);
	if (!err) {
		sites = ftrace_hash_make(names->matches.ip, names->matches.nr);
		err = sites ? edit_sites(edit, sites, names->negate) : -ENOMEM;
		ftrace_hash_free(sites);
	}
	names_clear(names);
	return err;
}

/* Words take effect in their order; names in a row go together. */
static int edit_word(struct ftrace_filter_edit *edit, struct names *names,
		     char *word)
{
	struct ftrace_pattern pattern;
	bool is_name;
	int err;

	err = ftrace_pattern_parse(&pattern, word);
	if (err)
		return err;

	is_name = !pattern.glob && !pattern.module && !isdigit(*pattern.name);
	if (!is_name || pattern.negate != names->negate) {
		err = edit_names(edit, names);
		if (err)
			return err;
	}
	if (!is_name)
		return edit_pattern(edit, &pattern);

	names->negate = pattern.negate;
	return names_add(names, pattern.name);
}

/* So that a piece of text that cannot be honoured changes nothing. */
static struct ftrace_filter_edit *edit_save(const struct ftrace_filter_edit *edit)
{
	struct ftrace_filter_edit *saved = kzalloc(sizeof(*saved), GFP_KERNEL);

	if (!saved)
		return NULL;

	saved->add = ftrace_hash_union(edit->add, NULL);
	saved->del = ftrace_hash_union(edit->del, NULL);
	if (saved->add && saved->del)
		return saved;

	ftrace_filter_edit_free(saved);
	return NULL;
}

/**
 * ftrace_filter_edit_text - words for an edit
 * @edit: the edit
 * @text: words, of which the last may go on in the next text
 * @len: length of @text
 * @last: this is the last text
 *
 * Context: may sleep
 *
 * Return: 0; -EINVAL, where a word means nothing or no function matches;
 * -ENOMEM. In an error, the edit is as it was before this text.
 */
int ftrace_filter_edit_text(struct ftrace_filter_edit *edit, const char *text,
			    size_t len, bool last)
{
	struct ftrace_filter_edit *saved;
	struct names names = { };
	int err;

	saved = edit_save(edit);
	if (!saved)
		return -ENOMEM;

	do {
		err = ftrace_words_next(&edit->words, &text, &len, last);
		if (err <= 0)
			break;
		err = edit_word(edit, &names, edit->words.text);
		ftrace_words_reset(&edit->words);
	} while (!err);
	if (!err)
		err = edit_names(edit, &names);
	names_free(&names);

	if (err) {
		ftrace_words_reset(&edit->words);
		swap(edit->add, saved->add);
		swap(edit->del, saved->del);
	}
	ftrace_filter_edit_free(saved);
	return err;
}

/* What there is, with the additions, without what is taken away. */
static struct ftrace_hash *edited(const struct ftrace_filter_edit *edit)
{
	struct ftrace_hash *all, *rest, *old = NULL;

	/* Sites that go may be taken out of the set meanwhile. */
	guard(mutex)(&ftrace_lock);

	if (!edit->reset)
		old = rcu_dereference_protected(edit->exclude ?
						edit->hash->notrace_hash :
						edit->hash->filter_hash,
						lockdep_is_held(&ftrace_lock));
	all = ftrace_hash_union(old, edit->add);
	if (!all)
		return NULL;

	rest = ftrace_hash_minus(all, edit->del);
	ftrace_hash_free(all);
	return rest;
}

/**
 * ftrace_filter_edit_end - let an edit take effect
 * @edit: the edit
 *
 * Context: may sleep; takes @edit->hash->regex_lock
 *
 * Return: 0 or as ftrace_ops_set_hash()
 */
int ftrace_filter_edit_end(struct ftrace_filter_edit *edit)
{
	struct ftrace_hash *hash;
	int err;

	guard(mutex)(&edit->hash->regex_lock);

	hash = edited(edit);
	if (!hash)
		return -ENOMEM;

	/* No function named is no restriction. */
	if (!hash->count) {
		ftrace_hash_free(hash);
		hash = NULL;
	}

	err = ftrace_ops_set_hash(edit->hash, edit->exclude, hash);
	if (err)
		ftrace_hash_free(hash);
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
	kfree(edit);
}

static int set_by_name(struct ftrace_ops_hash *hash, bool exclude,
		       unsigned char *buf, int len, int reset)
{
	struct ftrace_filter_edit *edit;
	int err;

	edit = ftrace_filter_edit_begin(hash, exclude, reset);
	if (!edit)
		return -ENOMEM;

	err = ftrace_filter_edit_text(edit, buf, buf ? len : 0, true);
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
 * Return: 0; -EINVAL if no function matches; -ENOMEM; as ftrace_ops_set_hash()
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

	ip = kvmalloc_array(cnt + 1, sizeof(*ip), GFP_KERNEL);
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

/* Are all of these among the functions meant? */
static bool has_all(const struct ftrace_ops_hash *hash,
		    const struct ftrace_hash *sites)
{
	const struct ftrace_hash *filter;
	unsigned int i;

	guard(mutex)(&ftrace_lock);

	filter = rcu_dereference_protected(hash->filter_hash,
					   lockdep_is_held(&ftrace_lock));
	for (i = 0; i < sites->count; i++)
		if (!filter || !ftrace_hash_has(filter, sites->ip[i]))
			return false;
	return true;
}

static int edit_by_ip(struct ftrace_filter_edit *edit,
		      const struct ftrace_hash *sites, bool remove)
{
	int err;

	if (remove && !edit->reset && !has_all(edit->hash, sites))
		return -ENOENT;

	err = edit_sites(edit, sites, remove);
	return err ?: ftrace_filter_edit_end(edit);
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
 * remove is not among the functions meant; -ENOMEM; as ftrace_ops_set_hash()
 */
int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips,
			  unsigned int cnt, int remove, int reset)
{
	struct ftrace_filter_edit *edit;
	struct ftrace_hash *sites;
	int err = -ENOMEM;

	ftrace_ops_init(ops);

	sites = sites_of(ips, cnt);
	if (IS_ERR(sites))
		return PTR_ERR(sites);

	edit = ftrace_filter_edit_begin(ops->func_hash, false, reset);
	if (edit)
		err = edit_by_ip(edit, sites, remove);
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

/**
 * ftrace_free_filter - let go of the filters of an ops
 * @ops: the ops, not registered
 *
 * Context: process context
 */
void ftrace_free_filter(struct ftrace_ops *ops)
{
	ftrace_ops_init(ops);
	guard(mutex)(&ops->local_hash.regex_lock);

	if (WARN_ON_ONCE(ops->flags & FTRACE_OPS_FL_ENABLED))
		return;

	ftrace_ops_set_hash(&ops->local_hash, false, NULL);
	ftrace_ops_set_hash(&ops->local_hash, true, NULL);
}
EXPORT_SYMBOL_GPL(ftrace_free_filter);

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
		module_kallsyms_on_each_symbol(NULL, lookup_symbol, &lookup);
	return lookup.found == cnt ? 0 : -ESRCH;
}

/*
 * Boot parameters: words as in the files, with commas for blanks.
 */
static char boot_filter[FTRACE_WORD_MAX] __initdata;
static char boot_notrace[FTRACE_WORD_MAX] __initdata;

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

static void __init boot_words(char *words, bool exclude)
{
	char *word;

	while ((word = strsep(&words, ",")))
		if (*word && set_by_name(&ftrace_global_hash, exclude, word,
					 strlen(word), false))
			pr_warn("no function matches %s\n", word);
}

/**
 * ftrace_filter_boot - the filters of the kernel's command line
 */
void __init ftrace_filter_boot(void)
{
	boot_words(boot_filter, false);
	boot_words(boot_notrace, true);
}
