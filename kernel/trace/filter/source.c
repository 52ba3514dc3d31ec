// SPDX-License-Identifier: GPL-2.0
/*
 * In which object a function was compiled, as recordmcount -s put it down when
 * it had the object before it: a list of objects for the kernel, and one for
 * each module. Of an object there is a number of spans of call sites, the spans,
 * and a path; see scripts/recordmcount.c. Nothing is kept beside these lists.
 */
#include <linux/ftrace_sources.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "filter/source.h"
#include "hook/module.h"
#include "lib/pattern.h"
#include "patch/records.h"

/**
 * struct objects - a list of objects, and the way through it
 * @mod: whose, NULL for the kernel's
 * @at: what is read next
 * @end: the end of the list
 * @path: path of the object that was read last
 * @span: its spans, two numbers each
 * @nr: how many
 */
struct objects {
	const struct module	*mod;
	const u32		*at;
	const u32		*end;
	const char		*path;
	const u32		*span;
	unsigned int		nr;
};

/**
 * struct mod_sources - the list of a module
 * @list: in mod_sources
 * @mod: the module
 * @start: the list
 * @end: its end
 */
struct mod_sources {
	struct list_head	list;
	const struct module	*mod;
	const u32		*start;
	const u32		*end;
};

/* Under ftrace_lock. */
static LIST_HEAD(mod_sources);

static void objects_of_module(struct objects *objects,
			      const struct mod_sources *sources)
{
	*objects = (struct objects) {
		.mod = sources->mod,
		.at = sources->start,
		.end = sources->end,
	};
}

static void objects_of_kernel(struct objects *objects)
{
	*objects = (struct objects) {
		.at = __start_mcount_src,
		.end = __stop_mcount_src,
	};
}

/* Go on to the next object. A list that makes no sense ends where it does not. */
static bool objects_next(struct objects *objects)
{
	size_t left = objects->end - objects->at;
	size_t len, bytes;

	if (left < 2 || *objects->at > (left - 2) / 2)
		return false;

	objects->nr = *objects->at;
	objects->span = objects->at + 1;
	objects->path = (const char *)(objects->span + 2 * objects->nr);
	bytes = (const char *)objects->end - objects->path;
	len = strnlen(objects->path, bytes);
	objects->at = (const u32 *)objects->path + len / sizeof(u32) + 1;
	return len < bytes;
}

static unsigned long span_start(const struct objects *objects, unsigned int i)
{
	const u32 *place = &objects->span[2 * i];

	return (unsigned long)place + (s32)*place;
}

static unsigned long span_last(const struct objects *objects, unsigned int i)
{
	return span_start(objects, i) + objects->span[2 * i + 1];
}

typedef int (*rec_fn_t)(void *data, const struct dyn_ftrace *rec);

/* Once init text is freed, that of another module may lie there. */
static int each_rec(const struct objects *objects, rec_fn_t fn, void *data)
{
	struct ftrace_rec_iter iter;
	struct dyn_ftrace *rec;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < objects->nr && !ret; i++) {
		unsigned long last = span_last(objects, i);

		for (rec = ftrace_rec_seek_ip(&iter, span_start(objects, i));
		     rec && !ret && ftrace_rec_ip(rec) <= last;
		     rec = ftrace_rec_next(&iter))
			if (ftrace_rec_page(rec)->mod == objects->mod)
				ret = fn(data, rec);
	}
	return ret;
}

static int match_objects(struct objects *objects, const struct ftrace_glob *glob,
			 rec_fn_t fn, void *data)
{
	int ret = 0;

	while (!ret && objects_next(objects))
		if (ftrace_glob_match(glob, objects->path))
			ret = each_rec(objects, fn, data);
	return ret;
}

/**
 * ftrace_sources_match - the call sites compiled in objects that match a glob
 * @glob: the glob
 * @fn: called for each; a result other than 0 ends it
 * @data: for @fn
 *
 * Context: ftrace_lock held
 *
 * Return: the last result of @fn, or 0
 */
int ftrace_sources_match(const char *glob, rec_fn_t fn, void *data)
{
	struct mod_sources *sources;
	struct ftrace_glob prepared;
	struct objects objects;
	int ret;

	lockdep_assert_held(&ftrace_lock);

	ftrace_glob_prepare(&prepared, glob);
	objects_of_kernel(&objects);
	ret = match_objects(&objects, &prepared, fn, data);

	list_for_each_entry(sources, &mod_sources, list) {
		if (ret)
			break;
		objects_of_module(&objects, sources);
		ret = match_objects(&objects, &prepared, fn, data);
	}
	return ret;
}

/**
 * struct span - where an object has call sites
 * @start: the first
 * @path: the object's
 */
struct span {
	unsigned long	start;
	const char	*path;
};

/**
 * struct ftrace_sources - all spans of the kernel by ascending address
 * @nr: their number
 * @span: the spans
 */
struct ftrace_sources {
	unsigned int	nr;
	struct span	span[] __counted_by(nr);
};

static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/**
 * ftrace_sources_make - get ready to tell where functions were compiled
 *
 * Context: may sleep
 *
 * Return: what ftrace_sources_find() wants, or NULL if out of memory
 */
struct ftrace_sources *ftrace_sources_make(void)
{
	struct ftrace_sources *sources;
	struct objects objects;
	unsigned int i, nr = 0;

	objects_of_kernel(&objects);
	while (objects_next(&objects))
		nr += objects.nr;

	sources = kvmalloc(struct_size(sources, span, nr), GFP_KERNEL);
	if (!sources)
		return NULL;

	sources->nr = nr;
	nr = 0;
	objects_of_kernel(&objects);
	while (objects_next(&objects))
		for (i = 0; i < objects.nr; i++)
			sources->span[nr++] = (struct span) {
				.start = span_start(&objects, i),
				.path = objects.path,
			};
	sort(sources->span, nr, sizeof(*sources->span), compare_spans, NULL);
	return sources;
}

/**
 * ftrace_sources_free - the end of what ftrace_sources_make() made
 * @sources: it, or NULL
 */
void ftrace_sources_free(struct ftrace_sources *sources)
{
	kvfree(sources);
}

static const char *find_in_kernel(const struct ftrace_sources *sources,
				  unsigned long ip)
{
	unsigned int low = 0, high = sources->nr;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;

		if (sources->span[mid].start <= ip)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? sources->span[low - 1].path : NULL;
}

static const char *find_in_list(const struct mod_sources *sources,
				unsigned long ip)
{
	struct objects objects;
	unsigned int i;

	objects_of_module(&objects, sources);
	while (objects_next(&objects))
		for (i = 0; i < objects.nr; i++)
			if (ip >= span_start(&objects, i) &&
			    ip <= span_last(&objects, i))
				return objects.path;
	return NULL;
}

/* A module has few objects. */
static const char *find_in_module(const struct module *mod, unsigned long ip)
{
	struct mod_sources *sources;

	list_for_each_entry(sources, &mod_sources, list)
		if (sources->mod == mod)
			return find_in_list(sources, ip);
	return NULL;
}

/**
 * ftrace_sources_find - where a function was compiled
 * @sources: what ftrace_sources_make() made
 * @rec: the record of its call site
 *
 * Context: ftrace_lock held, as long as the path is used
 *
 * Return: path of the object, or NULL if it is not known
 */
const char *ftrace_sources_find(const struct ftrace_sources *sources,
				const struct dyn_ftrace *rec)
{
	const struct module *mod = ftrace_rec_page(rec)->mod;
	unsigned long ip = ftrace_rec_ip(rec);

	return mod ? find_in_module(mod, ip) : find_in_kernel(sources, ip);
}

#ifdef CONFIG_MODULES
/**
 * ftrace_module_sources - where the functions of a module were compiled
 * @mod: the module, not yet to be seen by anybody
 * @section: what recordmcount put down; empty if it did not
 *
 * Without memory it is not known; the module loads all the same.
 *
 * Context: may sleep; takes ftrace_lock
 */
void ftrace_module_sources(struct module *mod, const Elf_Shdr *section)
{
	struct mod_sources *sources;

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

/* A module goes, and its list of objects with it. */
static void drop(struct module *mod)
{
	struct mod_sources *sources, *next;

	guard(mutex)(&ftrace_lock);

	list_for_each_entry_safe(sources, next, &mod_sources, list) {
		if (sources->mod != mod)
			continue;
		list_del(&sources->list);
		kfree(sources);
	}
}

static struct ftrace_module_notifier notifier = { .going = drop };

static int __init sources_init(void)
{
	ftrace_module_notifier_register(&notifier);
	return 0;
}
core_initcall(sources_init);
#endif
