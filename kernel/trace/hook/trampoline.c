// SPDX-License-Identifier: GPL-2.0
/*
 * Trampolines share pages of executable memory. A page is made of granules; a
 * trampoline takes as many in a row as it needs. Code is written through the
 * text poking alias, never where it is executed.
 *
 * The unwinder and kallsyms come with an address, in any context: a page is
 * found in an xarray by its number, and what they read there is written before
 * anybody can be in the trampoline, and stands until nobody can.
 */
#include <linux/bitmap.h>
#include <linux/execmem.h>
#include <linux/list.h>
#include <linux/set_memory.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/xarray.h>
#include <asm/text-patching.h>

#include "hook/trampoline.h"
#include "patch/records.h"

#define GRANULE		64
#define GRANULES	(PAGE_SIZE / GRANULE)

/**
 * struct chunk - a page of trampolines
 * @rcu: frees the chunk behind the last look-up
 * @node: in the list of chunks
 * @base: the page
 * @used: granules that are taken
 * @start: for each of these, the first granule of its trampoline
 * @tramp: for each first granule, its trampoline
 */
struct chunk {
	struct rcu_head			rcu;
	struct list_head		node;
	u8				*base;
	DECLARE_BITMAP(used, GRANULES);
	u8				start[GRANULES];
	struct ftrace_trampoline	tramp[GRANULES];
};

static_assert(GRANULES <= 256);

/* Chunks by number of their page. Changed under ftrace_lock. */
static DEFINE_XARRAY(chunks);

/* The same, those in front that are likely to have room. */
static LIST_HEAD(chunk_list);
static unsigned int nr_chunks;

/* One that is empty stays: users that come and go shall not cost a page each. */
static struct chunk *spare;

static unsigned long chunk_key(unsigned long addr)
{
	return addr >> PAGE_SHIFT;
}

static void chunk_free(struct chunk *chunk)
{
	xa_erase(&chunks, chunk_key((unsigned long)chunk->base));
	list_del(&chunk->node);
	execmem_free(chunk->base);
	kfree_rcu(chunk, rcu);
	nr_chunks--;
}

static struct chunk *chunk_alloc(void)
{
	struct chunk *chunk = kzalloc(sizeof(*chunk), GFP_KERNEL);

	if (!chunk)
		return NULL;

	chunk->base = execmem_alloc(EXECMEM_FTRACE, PAGE_SIZE);
	if (!chunk->base)
		goto free_chunk;

	set_vm_flush_reset_perms(chunk->base);
	memset(chunk->base, INT3_INSN_OPCODE, PAGE_SIZE);
	if (set_memory_rox((unsigned long)chunk->base, 1))
		goto free_page;

	if (xa_err(xa_store(&chunks, chunk_key((unsigned long)chunk->base),
			    chunk, GFP_KERNEL)))
		goto free_page;

	list_add(&chunk->node, &chunk_list);
	nr_chunks++;
	return chunk;

free_page:
	execmem_free(chunk->base);
free_chunk:
	kfree(chunk);
	return NULL;
}

/* Room for @nr granules in a row: a chunk, and in @first where. */
static struct chunk *find_room(unsigned int nr, unsigned int *first)
{
	struct chunk *chunk;

	list_for_each_entry(chunk, &chunk_list, node) {
		*first = bitmap_find_next_zero_area(chunk->used, GRANULES, 0, nr, 0);
		if (*first < GRANULES) {
			list_move(&chunk->node, &chunk_list);
			return chunk;
		}
	}

	*first = 0;
	return chunk_alloc();
}

/**
 * ftrace_trampoline_make - a trampoline that calls callbacks one by one
 * @call: the callbacks
 * @nr: their number
 * @flags: FTRACE_TRAMPOLINE_*
 * @direct: where to go on behind them, 0 for the function
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: its address, or 0 if there is no memory for it
 */
unsigned long ftrace_trampoline_make(const struct ftrace_call *call,
				     unsigned int nr, unsigned int flags,
				     unsigned long direct)
{
	size_t size = ftrace_trampoline_size(nr, flags);
	unsigned int granules = DIV_ROUND_UP(size, GRANULE), first;
	struct chunk *chunk;
	unsigned long addr;
	u8 *code;

	lockdep_assert_held(&ftrace_lock);

	if (granules > GRANULES)
		return 0;

	code = kmalloc(granules * GRANULE, GFP_KERNEL);
	chunk = code ? find_room(granules, &first) : NULL;
	if (!chunk) {
		kfree(code);
		return 0;
	}

	if (chunk == spare)
		spare = NULL;
	addr = (unsigned long)chunk->base + first * GRANULE;
	chunk->tramp[first] = ftrace_trampoline_encode(code, addr, call, nr,
						       flags, direct);
	size = chunk->tramp[first].size;
	granules = DIV_ROUND_UP(size, GRANULE);
	memset(chunk->start + first, first, granules);
	bitmap_set(chunk->used, first, granules);

	memset(code + size, INT3_INSN_OPCODE, granules * GRANULE - size);
	text_poke_copy((void *)addr, code, granules * GRANULE);
	kfree(code);
	return addr;
}

/**
 * ftrace_trampoline_pages - how many pages of code the trampolines share
 */
unsigned int ftrace_trampoline_pages(void)
{
	return READ_ONCE(nr_chunks);
}

static struct chunk *chunk_of(unsigned long addr)
{
	return xa_load(&chunks, chunk_key(addr));
}

/* The first granule of the trampoline that @addr is in, or -1. */
static int first_granule(const struct chunk *chunk, unsigned long addr)
{
	unsigned int granule = (addr - (unsigned long)chunk->base) / GRANULE;

	return test_bit(granule, chunk->used) ? chunk->start[granule] : -1;
}

/**
 * ftrace_trampoline_free - give back the memory of a trampoline
 * @addr: what ftrace_trampoline_make() returned
 *
 * Context: ftrace_lock held; may sleep; nobody is or will be in the trampoline
 */
void ftrace_trampoline_free(unsigned long addr)
{
	struct chunk *chunk = chunk_of(addr);
	unsigned int first = first_granule(chunk, addr), granules;

	lockdep_assert_held(&ftrace_lock);

	granules = DIV_ROUND_UP(chunk->tramp[first].size, GRANULE);
	bitmap_clear(chunk->used, first, granules);
	text_poke_set((void *)addr, INT3_INSN_OPCODE, granules * GRANULE);
	list_move(&chunk->node, &chunk_list);
	if (!bitmap_empty(chunk->used, GRANULES))
		return;
	if (spare)
		chunk_free(chunk);
	else
		spare = chunk;
}

/**
 * is_ftrace_trampoline - is there a trampoline at an address?
 * @addr: any address
 *
 * Context: any, NMI included
 */
bool is_ftrace_trampoline(unsigned long addr)
{
	struct chunk *chunk;

	guard(rcu)();

	chunk = chunk_of(addr);
	return chunk && first_granule(chunk, addr) >= 0;
}

/**
 * ftrace_trampoline_template - code whose stack looks as that of a trampoline
 * @addr: any address
 *
 * For the unwinder.
 *
 * Context: any, NMI included
 *
 * Return: an address in ftrace_64.S, or 0 if there is no trampoline at @addr
 */
unsigned long ftrace_trampoline_template(unsigned long addr)
{
	struct chunk *chunk;
	int first;

	guard(rcu)();

	chunk = chunk_of(addr);
	first = chunk ? first_granule(chunk, addr) : -1;
	if (first < 0)
		return 0;

	return ftrace_trampoline_orc(&chunk->tramp[first],
				     addr - (unsigned long)chunk->base -
				     first * GRANULE);
}

#define TRAMPOLINE_SYM	"ftrace_trampoline"
#define TRAMPOLINE_MOD	"__builtin__ftrace"

/**
 * ftrace_trampoline_lookup - the symbol of an address, if it is a trampoline
 * @addr: any address
 * @size: set to the trampoline's size
 * @off: set to the place of @addr in it
 * @modname: set to what stands for a module's name
 * @modbuildid: set to NULL
 * @sym: room for KSYM_NAME_LEN bytes
 *
 * Context: any, NMI included, under rcu_read_lock()
 *
 * Return: length of the name, or 0 if there is no trampoline at @addr
 */
int ftrace_trampoline_lookup(unsigned long addr, unsigned long *size,
			     unsigned long *off, char **modname,
			     const unsigned char **modbuildid, char *sym)
{
	struct chunk *chunk = chunk_of(addr);
	int first = chunk ? first_granule(chunk, addr) : -1;

	if (first < 0)
		return 0;

	if (size)
		*size = chunk->tramp[first].size;
	if (off)
		*off = addr - (unsigned long)chunk->base - first * GRANULE;
	if (modname)
		*modname = TRAMPOLINE_MOD;
	if (modbuildid)
		*modbuildid = NULL;
	return strscpy(sym, TRAMPOLINE_SYM, KSYM_NAME_LEN);
}

/**
 * ftrace_trampoline_get - the trampolines, for /proc/kallsyms
 * @symnum: which; if there are not so many, less by as many as there are
 * @value: set to its address
 * @type: set to the type of symbol
 * @name: room for KSYM_NAME_LEN bytes
 * @module_name: room for MODULE_NAME_LEN bytes
 *
 * Context: process context, under rcu_read_lock()
 *
 * Return: 0, or -ERANGE if there is none
 */
int ftrace_trampoline_get(unsigned int *symnum, unsigned long *value,
			  char *type, char *name, char *module_name)
{
	struct chunk *chunk;
	unsigned long key;
	unsigned int i;

	xa_for_each(&chunks, key, chunk) {
		for_each_set_bit(i, chunk->used, GRANULES) {
			if (chunk->start[i] != i)
				continue;
			if (*symnum) {
				--*symnum;
				continue;
			}
			*value = (unsigned long)chunk->base + i * GRANULE;
			*type = 't';
			strscpy(name, TRAMPOLINE_SYM, KSYM_NAME_LEN);
			strscpy(module_name, TRAMPOLINE_MOD, MODULE_NAME_LEN);
			return 0;
		}
	}
	return -ERANGE;
}
