// SPDX-License-Identifier: GPL-2.0
/*
 * Names of init functions of modules, after their text has been freed, so that a trace with such
 * a function in it still shows its name. The names of the functions that were traced are kept as
 * long as their module is loaded.
 */
#include <linux/kallsyms.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "ftrace/ops/mod_map.h"
#include "patch/records.h"

/**
 * struct mod_map_gone_func - a function
 * @addr: address that it had
 * @size: size in bytes that it had
 * @name: its name
 */
struct mod_map_gone_func {
	unsigned long	addr;
	unsigned long	size;
	char		*name;
};

/**
 * struct mod_map_gone_text - init text of a module
 * @list: node in gone_texts
 * @rcu: frees it when no look-up can be using it
 * @mod: the module
 * @start: first address of the text
 * @end: end of the text, exclusive
 * @nr: number of functions kept
 * @func: the functions
 */
struct mod_map_gone_text {
	struct list_head	list;
	struct rcu_head		rcu;
	struct module		*mod;
	unsigned long		start;
	unsigned long		end;
	unsigned int		nr;
	struct mod_map_gone_func	func[];
};

/* Changed under ftrace_lock, read under RCU. */
static LIST_HEAD(gone_texts);

static bool mod_map_keep_func(struct mod_map_gone_func *func, unsigned long ip)
{
	char buf[KSYM_NAME_LEN];
	unsigned long off;
	const char *name;
	char *mod;

	name = kallsyms_lookup(ip, &func->size, &off, &mod, buf);
	if (!name)
		return false;

	func->addr = ip - off;
	func->name = kstrdup(name, GFP_KERNEL);
	return func->name;
}

static unsigned int mod_map_count_traced(unsigned long start, unsigned long end)
{
	struct ftrace_rec_iter iter;
	struct dyn_ftrace *rec;
	unsigned int nr = 0;

	for (rec = ftrace_rec_seek_ip(&iter, start);
	     rec && ftrace_rec_ip(rec) < end; rec = ftrace_rec_next(&iter))
		nr += !!(rec->state & FTRACE_REC_TOUCHED);
	return nr;
}

/**
 * ftrace_mod_map_add - keep the names of functions that were traced
 * @mod: the module
 * @start: first address of its init text, which is about to be freed
 * @end: end of the text, exclusive
 *
 * If memory is short, names are not kept.
 *
 * Context: ftrace_lock held; may sleep
 */
void ftrace_mod_map_add(struct module *mod, unsigned long start, unsigned long end)
{
	unsigned int nr = mod_map_count_traced(start, end);
	struct ftrace_rec_iter iter;
	struct dyn_ftrace *rec;
	struct mod_map_gone_text *text;

	lockdep_assert_held(&ftrace_lock);

	text = nr ? kvzalloc(struct_size(text, func, nr), GFP_KERNEL) : NULL;
	if (!text)
		return;

	text->mod = mod;
	text->start = start;
	text->end = end;
	for (rec = ftrace_rec_seek_ip(&iter, start);
	     rec && ftrace_rec_ip(rec) < end; rec = ftrace_rec_next(&iter))
		if (rec->state & FTRACE_REC_TOUCHED)
			text->nr += mod_map_keep_func(&text->func[text->nr],
						      ftrace_rec_ip(rec));
	list_add_rcu(&text->list, &gone_texts);
}

static void mod_map_free_text(struct rcu_head *head)
{
	struct mod_map_gone_text *text = container_of(head, struct mod_map_gone_text, rcu);
	unsigned int i;

	for (i = 0; i < text->nr; i++)
		kfree(text->func[i].name);
	kvfree(text);
}

/**
 * ftrace_mod_map_drop - drop the kept names of a module that is unloaded
 * @mod: the module; the module loader waits for a grace period of RCU before it frees the
 *	struct, which look-ups may be reading until then
 *
 * Context: ftrace_lock held
 */
void ftrace_mod_map_drop(struct module *mod)
{
	struct mod_map_gone_text *text, *next;

	lockdep_assert_held(&ftrace_lock);

	list_for_each_entry_safe(text, next, &gone_texts, list) {
		if (text->mod != mod)
			continue;
		list_del_rcu(&text->list);
		call_rcu(&text->rcu, mod_map_free_text);
	}
}

/* The function that @addr belonged to, or NULL. */
static const struct mod_map_gone_func *mod_map_find(const struct mod_map_gone_text *text,
						    unsigned long addr)
{
	unsigned int i;

	if (addr < text->start || addr >= text->end)
		return NULL;

	for (i = 0; i < text->nr; i++)
		if (addr - text->func[i].addr < text->func[i].size)
			return &text->func[i];
	return NULL;
}

/**
 * ftrace_mod_map_lookup - find the symbol of an address in freed text
 * @addr: any address
 * @size: set to the function's size
 * @off: set to the offset of @addr in it
 * @modname: set to the module's name
 * @modbuildid: set to NULL
 * @sym: buffer of KSYM_NAME_LEN bytes
 *
 * Context: any, NMI included, under rcu_read_lock()
 *
 * Return: length of the name, or 0 if there is no such function
 */
int ftrace_mod_map_lookup(unsigned long addr, unsigned long *size,
			  unsigned long *off, char **modname,
			  const unsigned char **modbuildid, char *sym)
{
	const struct mod_map_gone_func *func;
	struct mod_map_gone_text *text;

	list_for_each_entry_rcu(text, &gone_texts, list) {
		func = mod_map_find(text, addr);
		if (!func)
			continue;
		if (size)
			*size = func->size;
		if (off)
			*off = addr - func->addr;
		if (modname)
			*modname = text->mod->name;
		if (modbuildid)
			*modbuildid = NULL;
		return strscpy(sym, func->name, KSYM_NAME_LEN);
	}
	return 0;
}

/**
 * ftrace_mod_map_get - get one of the kept functions, for /proc/kallsyms
 * @symnum: index of the function; reduced by the number of functions if it is too large
 * @value: set to its address
 * @type: set to the type of symbol
 * @name: buffer of KSYM_NAME_LEN bytes
 * @module_name: buffer of MODULE_NAME_LEN bytes
 *
 * Context: process context, under rcu_read_lock()
 *
 * Return: 0, or -ERANGE if there is no such function
 */
int ftrace_mod_map_get(unsigned int *symnum, unsigned long *value, char *type,
		       char *name, char *module_name)
{
	struct mod_map_gone_text *text;

	list_for_each_entry_rcu(text, &gone_texts, list) {
		if (*symnum >= text->nr) {
			*symnum -= text->nr;
			continue;
		}
		*value = text->func[*symnum].addr;
		*type = 't';
		strscpy(name, text->func[*symnum].name, KSYM_NAME_LEN);
		strscpy(module_name, text->mod->name, MODULE_NAME_LEN);
		return 0;
	}
	return -ERANGE;
}
