// SPDX-License-Identifier: GPL-2.0
/*
 * The object that a function was compiled into. recordmcount -s recorded it when it processed
 * the object: there is a list of objects for the kernel and one for each module. An entry has
 * the number of its spans of call sites, the spans, and the path of the object; see
 * scripts/recordmcount.c. The lists are used as they are.
 */
#include <linux/ftrace_sources.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "filter/source_match.h"
#include "ftrace/sites/site_module.h"
#include "lib/array.h"
#include "lib/pattern.h"
#include "patch/records.h"

/**
 * struct source_match_object_iter - an iterator over a list of objects
 * @mod: module that the list belongs to, NULL for the kernel
 * @at: the next entry
 * @end: end of the list
 * @path: path of the current object
 * @span: its spans, two numbers each
 * @nr: number of spans
 */
struct source_match_object_iter {
	const struct module	*mod;
	const u32		*at;
	const u32		*end;
	const char		*path;
	const u32		*span;
	unsigned int		nr;
};

/**
 * struct source_match_mod - the list of objects of a module
 * @list: node in mod_sources
 * @mod: the module
 * @start: beginning of the list
 * @end: end of the list
 */
struct source_match_mod {
	struct list_head	list;
	const struct module	*mod;
	const u32		*start;
	const u32		*end;
};

/* Protected by ftrace_lock. */
static LIST_HEAD(mod_sources);

static void source_match_object_iter_module(struct source_match_object_iter *iter,
					    const struct source_match_mod *sources)
{
	*iter = (struct source_match_object_iter) {
		.mod = sources->mod,
		.at = sources->start,
		.end = sources->end,
	};
}

static void source_match_object_iter_kernel(struct source_match_object_iter *iter)
{
	*iter = (struct source_match_object_iter) {
		.at = __start_mcount_src,
		.end = __stop_mcount_src,
	};
}

/* Advance to the next object. A malformed list ends where it is malformed. */
static bool source_match_object_iter_next(struct source_match_object_iter *iter)
{
	size_t left = iter->end - iter->at;
	size_t len, bytes;

	if (left < 2 || *iter->at > (left - 2) / 2)
		return false;

	iter->nr = *iter->at;
	iter->span = iter->at + 1;
	iter->path = (const char *)(iter->span + 2 * iter->nr);
	bytes = (const char *)iter->end - iter->path;
	len = strnlen(iter->path, bytes);
	iter->at = (const u32 *)iter->path + len / sizeof(u32) + 1;
	return len < bytes;
}

static unsigned long source_match_span_start(const struct source_match_object_iter *iter,
					     unsigned int i)
{
	const u32 *place = &iter->span[2 * i];

	return (unsigned long)place + (s32)*place;
}

static unsigned long source_match_span_last(const struct source_match_object_iter *iter,
					    unsigned int i)
{
	return source_match_span_start(iter, i) + iter->span[2 * i + 1];
}

typedef int (*rec_fn_t)(void *data, const struct dyn_ftrace *rec);

/* Text of another module may have been loaded where init text was freed. */
static int source_match_each_rec(const struct source_match_object_iter *object, rec_fn_t fn,
				 void *data)
{
	struct ftrace_rec_iter iter;
	struct dyn_ftrace *rec;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < object->nr && !ret; i++) {
		unsigned long last = source_match_span_last(object, i);

		for (rec = ftrace_rec_seek_ip(&iter, source_match_span_start(object, i));
		     rec && !ret && ftrace_rec_ip(rec) <= last;
		     rec = ftrace_rec_next(&iter))
			if (ftrace_rec_page(rec)->mod == object->mod)
				ret = fn(data, rec);
	}
	return ret;
}

static int source_match_objects(struct source_match_object_iter *iter,
				const struct ftrace_glob *glob,
				rec_fn_t fn, void *data)
{
	int ret = 0;

	while (!ret && source_match_object_iter_next(iter))
		if (ftrace_glob_match(glob, iter->path))
			ret = source_match_each_rec(iter, fn, data);
	return ret;
}

/**
 * ftrace_sources_match - find the call sites in objects that match a glob
 * @glob: glob for paths of objects
 * @fn: called for each call site; a result other than 0 ends the search
 * @data: argument for @fn
 *
 * Context: ftrace_lock held
 *
 * Return: the last result of @fn, or 0
 */
int ftrace_sources_match(const char *glob, rec_fn_t fn, void *data)
{
	struct source_match_mod *sources;
	struct ftrace_glob prepared;
	struct source_match_object_iter iter;
	int ret;

	lockdep_assert_held(&ftrace_lock);

	ftrace_glob_prepare(&prepared, glob);
	source_match_object_iter_kernel(&iter);
	ret = source_match_objects(&iter, &prepared, fn, data);

	list_for_each_entry(sources, &mod_sources, list) {
		if (ret)
			break;
		source_match_object_iter_module(&iter, sources);
		ret = source_match_objects(&iter, &prepared, fn, data);
	}
	return ret;
}

/**
 * struct source_match_span - a range of text with call sites of one object
 * @start: the first call site
 * @path: the path of the object
 */
struct source_match_span {
	unsigned long	start;
	const char	*path;
};

/**
 * struct ftrace_sources - the spans of all objects of the kernel
 * @nr: the number of spans
 * @span: the spans, sorted by address
 */
struct ftrace_sources {
	unsigned int	nr;
	struct source_match_span	span[] __counted_by(nr);
};

/**
 * ftrace_sources_make - make an index for ftrace_sources_find()
 *
 * Context: may sleep
 *
 * Return: the index, or NULL if out of memory
 */
struct ftrace_sources *ftrace_sources_make(void)
{
	struct ftrace_sources *sources;
	struct source_match_object_iter iter;
	unsigned int i, nr = 0;

	source_match_object_iter_kernel(&iter);
	while (source_match_object_iter_next(&iter))
		nr += iter.nr;

	sources = kvmalloc(struct_size(sources, span, nr), GFP_KERNEL);
	if (!sources)
		return NULL;

	sources->nr = nr;
	nr = 0;
	source_match_object_iter_kernel(&iter);
	while (source_match_object_iter_next(&iter))
		for (i = 0; i < iter.nr; i++)
			sources->span[nr++] = (struct source_match_span) {
				.start = source_match_span_start(&iter, i),
				.path = iter.path,
			};
	sort(sources->span, nr, sizeof(*sources->span), ftrace_compare_addr, NULL);
	return sources;
}

/**
 * ftrace_sources_free - free an index
 * @sources: the index, or NULL
 */
void ftrace_sources_free(struct ftrace_sources *sources)
{
	kvfree(sources);
}

static const char *source_match_find_in_kernel(const struct ftrace_sources *sources,
					       unsigned long ip)
{
	unsigned int next = ftrace_lower_bound(sources->span, sources->nr,
					       sizeof(sources->span[0]), ip + 1);

	return next ? sources->span[next - 1].path : NULL;
}

static const char *source_match_find_in_list(const struct source_match_mod *sources,
					     unsigned long ip)
{
	struct source_match_object_iter iter;
	unsigned int i;

	source_match_object_iter_module(&iter, sources);
	while (source_match_object_iter_next(&iter))
		for (i = 0; i < iter.nr; i++)
			if (ip >= source_match_span_start(&iter, i) &&
			    ip <= source_match_span_last(&iter, i))
				return iter.path;
	return NULL;
}

static const char *source_match_find_in_module(const struct module *mod, unsigned long ip)
{
	struct source_match_mod *sources;

	list_for_each_entry(sources, &mod_sources, list)
		if (sources->mod == mod)
			return source_match_find_in_list(sources, ip);
	return NULL;
}

/**
 * ftrace_sources_find - find the object that a function was compiled into
 * @sources: index that ftrace_sources_make() made
 * @rec: record of the function's call site
 *
 * A module has few objects, which are searched one by one.
 *
 * Context: ftrace_lock held, as long as the path is used
 *
 * Return: the path of the object, or NULL if it is not known
 */
const char *ftrace_sources_find(const struct ftrace_sources *sources,
				const struct dyn_ftrace *rec)
{
	const struct module *mod = ftrace_rec_page(rec)->mod;
	unsigned long ip = ftrace_rec_ip(rec);

	return mod ? source_match_find_in_module(mod, ip) :
		     source_match_find_in_kernel(sources, ip);
}

#ifdef CONFIG_MODULES
/**
 * ftrace_module_sources - register a module's list of objects
 * @mod: the module, which is not visible to other code yet
 * @section: section with the list; empty if the module has no list. The module loader finds only
 *	sections that are loaded, so its address is valid.
 *
 * If memory is short, the module is loaded without the list.
 *
 * Context: may sleep; takes ftrace_lock
 */
void ftrace_module_sources(struct module *mod, const Elf_Shdr *section)
{
	struct source_match_mod *sources;

	if (!section->sh_size)
		return;

	sources = kmalloc(sizeof(*sources), GFP_KERNEL);
	if (!sources)
		return;

	sources->mod = mod;
	sources->start = (const u32 *)section->sh_addr;
	sources->end = sources->start + section->sh_size / sizeof(u32);

	guard(mutex)(&ftrace_lock);
	list_add_tail(&sources->list, &mod_sources);
}

/* Drop the list of a module that is being unloaded. */
static void source_match_module_going(struct module *mod)
{
	struct source_match_mod *sources, *next;

	guard(mutex)(&ftrace_lock);

	list_for_each_entry_safe(sources, next, &mod_sources, list) {
		if (sources->mod != mod)
			continue;
		list_del(&sources->list);
		kfree(sources);
	}
}

static struct ftrace_module_notifier notifier = { .going = source_match_module_going };

static int __init source_match_init(void)
{
	ftrace_module_notifier_register(&notifier);
	return 0;
}
core_initcall(source_match_init);
#endif
