// SPDX-License-Identifier: GPL-2.0
/*
 * Enum and sizeof names in formats: TRACE_DEFINE_ENUM() and TRACE_DEFINE_SIZEOF().
 *
 * A format is C code. Tools have the fields of an event, but not the kernel's enums and sizes;
 * so the names are replaced by numbers when a format is read.
 */
#include <linux/ctype.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "event/core/enum_names.h"

/**
 * struct enum_names_eval_block - names of the kernel, or of a module
 * @list: entry in blocks
 * @mod: the module, NULL for the kernel
 * @nr: number of names
 * @map: copies of the names: the originals are freed after initialization of the kernel or the
 *	module
 */
struct enum_names_eval_block {
	struct list_head	list;
	struct module		*mod;
	unsigned int		nr;
	struct trace_eval_map	map[] __counted_by(nr);
};

/* No other lock is taken while it is held. */
static DEFINE_MUTEX(eval_lock);
static LIST_HEAD(blocks);

/**
 * trace_eval_add - add names
 * @maps: names of the kernel, or of a module that is being loaded
 * @nr: number of names
 * @mod: the module, or NULL
 *
 * May sleep.
 *
 * Return: 0 or -ENOMEM
 */
int trace_eval_add(struct trace_eval_map **maps, unsigned int nr, struct module *mod)
{
	struct enum_names_eval_block *block;
	unsigned int i;

	if (!nr)
		return 0;

	block = kmalloc(struct_size(block, map, nr), GFP_KERNEL);
	if (!block)
		return -ENOMEM;

	block->mod = mod;
	block->nr = nr;
	for (i = 0; i < nr; i++)
		block->map[i] = *maps[i];

	guard(mutex)(&eval_lock);
	list_add_tail(&block->list, &blocks);

	return 0;
}

/**
 * trace_eval_remove - remove the names of a module
 * @mod: the module, which is being unloaded
 */
void trace_eval_remove(struct module *mod)
{
	struct enum_names_eval_block *block, *next;

	guard(mutex)(&eval_lock);

	list_for_each_entry_safe(block, next, &blocks, list) {
		if (block->mod == mod) {
			list_del(&block->list);
			kfree(block);
		}
	}
}

static bool enum_names_is_ident(char c)
{
	return isalnum(c) || c == '_';
}

/*
 * Find the name that @text begins with. If the headers of a system are compiled more than once,
 * each compilation has its own names and its own string for the system, so strings are compared
 * by address.
 */
static const struct trace_eval_map *enum_names_find(const char *system, const char *text)
{
	const struct enum_names_eval_block *block;
	unsigned int i;

	list_for_each_entry(block, &blocks, list) {
		for (i = 0; i < block->nr; i++) {
			const struct trace_eval_map *map = &block->map[i];
			size_t len;

			if (map->system != system || *map->eval_string != *text)
				continue;
			len = strlen(map->eval_string);
			if (!strncmp(text, map->eval_string, len) &&
			    !(enum_names_is_ident(text[len - 1]) && enum_names_is_ident(text[len])))
				return map;
		}
	}

	return NULL;
}

/* Get the end of the string literal that begins at @at. */
static const char *enum_names_skip_string(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++) {
		if (*at == '\\' && at + 1 < end)
			at++;
	}

	return at < end ? at + 1 : end;
}

static const char *enum_names_skip_ident(const char *at, const char *end)
{
	while (at < end && enum_names_is_ident(*at))
		at++;

	return at;
}

/* Get the end of the token at @at, which is printed as it is; *@map is set if it is a name. */
static const char *enum_names_skip_token(const char *system, const char *at, const char *end,
					 const struct trace_eval_map **map)
{
	*map = NULL;

	if (*at == '"')
		return enum_names_skip_string(at, end);

	/* A member of a structure is not a name, even if it is spelled like one. */
	if (*at == '.')
		return enum_names_skip_ident(at + 1, end);
	if (*at == '-' && at + 1 < end && at[1] == '>')
		return enum_names_skip_ident(at + 2, end);

	if (!enum_names_is_ident(*at))
		return at + 1;

	if (!isdigit(*at))
		*map = enum_names_find(system, at);

	return *map ? at + strlen((*map)->eval_string) : enum_names_skip_ident(at, end);
}

/**
 * trace_eval_print - print C code with names replaced by numbers
 * @m: output file
 * @system: trace_event_class.system of the event that the code belongs to
 * @text: the code
 *
 * May sleep.
 */
void trace_eval_print(struct seq_file *m, const char *system, const char *text)
{
	const char *end = text + strlen(text), *next, *from = text;
	const struct trace_eval_map *map;

	guard(mutex)(&eval_lock);

	for (; text < end; text = next) {
		next = enum_names_skip_token(system, text, end, &map);
		if (!map)
			continue;

		seq_write(m, from, text - from);
		seq_printf(m, "%ld", (long)map->eval_value);
		from = next;
	}
	seq_write(m, from, end - from);
}

/**
 * trace_eval_list - print all names, for the file eval_map
 * @m: output file
 *
 * May sleep.
 */
void trace_eval_list(struct seq_file *m)
{
	const struct enum_names_eval_block *block;
	unsigned int i;

	guard(mutex)(&eval_lock);

	list_for_each_entry(block, &blocks, list) {
		for (i = 0; i < block->nr; i++) {
			const struct trace_eval_map *map = &block->map[i];

			seq_printf(m, "%s %ld (%s)\n", map->eval_string,
				   (long)map->eval_value, map->system);
		}
	}
}
