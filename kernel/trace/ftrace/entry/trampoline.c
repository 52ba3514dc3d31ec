// SPDX-License-Identifier: GPL-2.0
/*
 * Memory for trampolines. They share pages: a page consists of granules, and a trampoline takes
 * as many adjacent granules as it needs. The architecture writes the code, never through a
 * mapping that is executable.
 *
 * The unwinder, kallsyms and oops reports look up an address in any context, including NMIs and
 * code that RCU does not watch. They find the page in a latch tree, which takes no lock and
 * calls no traced function. The data that they read is written before any task can be in the
 * trampoline. A page and its struct trampoline_chunk are freed after the grace periods of
 * call_ftrace_rcu(), so look-ups need no protection as long as they do not sleep.
 */
#include <linux/bitmap.h>
#include <linux/execmem.h>
#include <linux/ftrace_arch.h>
#include <linux/init.h>
#include <linux/perf_event.h>
#include <linux/rbtree_latch.h>
#include <linux/rculist.h>
#include <linux/set_memory.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "ftrace/entry/ftrace_rcu.h"
#include "ftrace/entry/trampoline.h"
#include "patch/records.h"

#define GRANULE		64
#define GRANULES	(PAGE_SIZE / GRANULE)

/* The symbol of each trampoline, and the string used as the name of its module. */
#define TRAMPOLINE_SYM	"ftrace_trampoline"
#define TRAMPOLINE_MOD	"__builtin__ftrace"

/**
 * struct trampoline_chunk - a page of trampolines
 * @latch: node in the tree of chunks
 * @rcu: frees it when no look-up can be using it any longer
 * @all: node in the list of all chunks
 * @by_space: node in the list of chunks in the order to search them for space
 * @base: the page
 * @used: granules that are in use
 * @start: the first granule of the trampoline that uses a granule, by granule
 * @tramp: the trampoline that begins in a granule, by granule
 */
struct trampoline_chunk {
	struct latch_tree_node		latch;
	struct rcu_head			rcu;
	struct list_head		all;
	struct list_head		by_space;
	u8				*base;
	DECLARE_BITMAP(used, GRANULES);
	u16				start[GRANULES];
	struct ftrace_trampoline	tramp[GRANULES];
};

/* struct ftrace_trampoline has 16 bits for an offset. */
static_assert(PAGE_SIZE <= 65536);

/* All chunks, by address. Changed under ftrace_lock. */
static struct latch_tree_root chunk_tree;
static LIST_HEAD(chunks);

/* The same chunks, the most recently changed first: these are likely to have space. */
static LIST_HEAD(chunks_by_space);
static unsigned int nr_chunks;

/*
 * One empty chunk is kept, so that registering and unregistering users does not cost a page
 * each.
 */
static struct trampoline_chunk *spare;

static __always_inline struct trampoline_chunk *
trampoline_chunk_of_node(struct latch_tree_node *node)
{
	return container_of(node, struct trampoline_chunk, latch);
}

static __always_inline bool trampoline_chunk_less(struct latch_tree_node *a,
						  struct latch_tree_node *b)
{
	return trampoline_chunk_of_node(a)->base < trampoline_chunk_of_node(b)->base;
}

static __always_inline int trampoline_compare_address(void *key, struct latch_tree_node *node)
{
	unsigned long addr = (unsigned long)key;
	unsigned long base = (unsigned long)trampoline_chunk_of_node(node)->base;

	if (addr < base)
		return -1;

	return addr >= base + PAGE_SIZE;
}

static const struct latch_tree_ops chunk_tree_ops = {
	.less	= trampoline_chunk_less,
	.comp	= trampoline_compare_address,
};

static __always_inline struct trampoline_chunk *trampoline_chunk_of(unsigned long addr)
{
	struct latch_tree_node *node;

	node = latch_tree_find((void *)addr, &chunk_tree, &chunk_tree_ops);
	return node ? trampoline_chunk_of_node(node) : NULL;
}

static void trampoline_chunk_free(struct rcu_head *head)
{
	struct trampoline_chunk *chunk = container_of(head, struct trampoline_chunk, rcu);

	execmem_free(chunk->base);
	kfree(chunk);
}

static void trampoline_chunk_remove(struct trampoline_chunk *chunk)
{
	latch_tree_erase(&chunk->latch, &chunk_tree, &chunk_tree_ops);
	list_del_rcu(&chunk->all);
	list_del(&chunk->by_space);
	nr_chunks--;
	call_ftrace_rcu(&chunk->rcu, trampoline_chunk_free);
}

/* Some architectures have no memory for text before a core_initcall. */
static bool execmem_ready __ro_after_init = !IS_ENABLED(CONFIG_ARCH_WANTS_EXECMEM_LATE);

static int __init trampoline_set_execmem_ready(void)
{
	execmem_ready = true;
	return 0;
}
postcore_initcall(trampoline_set_execmem_ready);

static struct trampoline_chunk *trampoline_chunk_alloc(void)
{
	struct trampoline_chunk *chunk;

	if (!execmem_ready)
		return NULL;

	chunk = kzalloc(sizeof(*chunk), GFP_KERNEL);
	if (!chunk)
		return NULL;

	chunk->base = execmem_alloc(EXECMEM_FTRACE, PAGE_SIZE);
	if (!chunk->base)
		goto free_chunk;

	set_vm_flush_reset_perms(chunk->base);
	ftrace_trampoline_erase(chunk->base, PAGE_SIZE);
	if (set_memory_rox((unsigned long)chunk->base, 1))
		goto free_page;

	latch_tree_insert(&chunk->latch, &chunk_tree, &chunk_tree_ops);
	list_add_tail_rcu(&chunk->all, &chunks);
	list_add(&chunk->by_space, &chunks_by_space);
	nr_chunks++;
	return chunk;

free_page:
	execmem_free(chunk->base);
free_chunk:
	kfree(chunk);
	return NULL;
}

/* Find @nr adjacent granules. Return: their chunk, and in @first the first of them. */
static struct trampoline_chunk *trampoline_find_space(unsigned int nr, unsigned int *first)
{
	struct trampoline_chunk *chunk;

	list_for_each_entry(chunk, &chunks_by_space, by_space) {
		*first = bitmap_find_next_zero_area(chunk->used, GRANULES, 0, nr, 0);
		if (*first < GRANULES) {
			list_move(&chunk->by_space, &chunks_by_space);
			return chunk;
		}
	}

	*first = 0;
	return trampoline_chunk_alloc();
}

/* Take the granules of a trampoline that has been encoded. */
static void trampoline_take(struct trampoline_chunk *chunk, unsigned int first,
			    struct ftrace_trampoline tramp)
{
	unsigned int granules = DIV_ROUND_UP(tramp.size, GRANULE);

	if (chunk == spare)
		spare = NULL;
	chunk->tramp[first] = tramp;
	memset16(chunk->start + first, first, granules);
	/* Pairs with trampoline_first_granule(): granules that look taken have a trampoline. */
	smp_wmb();
	bitmap_set(chunk->used, first, granules);
}

/**
 * ftrace_trampoline_make - make a trampoline that calls callbacks one after another
 * @call: the callbacks
 * @nr: number of callbacks
 * @flags: FTRACE_TRAMPOLINE_*
 * @direct: direct call to continue with, 0 for the function itself
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: its address; 0 if memory is short, or the architecture cannot make it
 */
unsigned long ftrace_trampoline_make(const struct ftrace_call *call,
				     unsigned int nr, unsigned int flags,
				     unsigned long direct)
{
	size_t max = ftrace_trampoline_size(nr, flags);
	struct ftrace_trampoline tramp;
	unsigned long addr = 0;
	struct trampoline_chunk *chunk;
	unsigned int first;
	u8 *code;

	lockdep_assert_held(&ftrace_lock);

	if (!max || max > PAGE_SIZE)
		return 0;

	code = kmalloc(max, GFP_KERNEL);
	if (!code)
		return 0;

	chunk = trampoline_find_space(DIV_ROUND_UP(max, GRANULE), &first);
	if (!chunk)
		goto free_code;

	addr = (unsigned long)chunk->base + first * GRANULE;
	tramp = ftrace_trampoline_encode(code, addr, call, nr, flags, direct);
	if (!tramp.size) {
		addr = 0;
		goto free_code;
	}

	trampoline_take(chunk, first, tramp);
	ftrace_trampoline_write((void *)addr, code, tramp.size);
	perf_event_text_poke((void *)addr, NULL, 0, code, tramp.size);
	perf_event_ksymbol(PERF_RECORD_KSYMBOL_TYPE_OOL, addr, tramp.size, false,
			   TRAMPOLINE_SYM);
free_code:
	kfree(code);
	return addr;
}

/**
 * ftrace_trampoline_pages - get the number of pages of code that the trampolines share
 */
unsigned int ftrace_trampoline_pages(void)
{
	return READ_ONCE(nr_chunks);
}

/* The first granule of the trampoline that @addr is in, or -1. */
static int trampoline_first_granule(const struct trampoline_chunk *chunk, unsigned long addr)
{
	unsigned int granule = (addr - (unsigned long)chunk->base) / GRANULE;

	/* Pairs with trampoline_take(): read the start after the bit. */
	return test_bit_acquire(granule, chunk->used) ? chunk->start[granule] : -1;
}

/**
 * ftrace_trampoline_free - free the memory of a trampoline
 * @addr: address that ftrace_trampoline_make() returned
 *
 * Context: ftrace_lock held; may sleep; no task is or will be in the trampoline
 */
void ftrace_trampoline_free(unsigned long addr)
{
	struct trampoline_chunk *chunk = trampoline_chunk_of(addr);
	unsigned int first = trampoline_first_granule(chunk, addr);
	unsigned int size = chunk->tramp[first].size;

	lockdep_assert_held(&ftrace_lock);

	perf_event_ksymbol(PERF_RECORD_KSYMBOL_TYPE_OOL, addr, size, true,
			   TRAMPOLINE_SYM);
	perf_event_text_poke((void *)addr, (void *)addr, size, NULL, 0);
	bitmap_clear(chunk->used, first, DIV_ROUND_UP(size, GRANULE));
	ftrace_trampoline_erase((void *)addr, size);
	list_move(&chunk->by_space, &chunks_by_space);
	if (!bitmap_empty(chunk->used, GRANULES))
		return;
	if (spare)
		trampoline_chunk_remove(chunk);
	else
		spare = chunk;
}

/**
 * is_ftrace_trampoline - is there a trampoline at an address?
 * @addr: any address
 *
 * Context: any, NMI included, whether or not RCU is watching
 */
bool is_ftrace_trampoline(unsigned long addr)
{
	struct trampoline_chunk *chunk = trampoline_chunk_of(addr);

	return chunk && trampoline_first_granule(chunk, addr) >= 0;
}

/**
 * ftrace_trampoline_template - find kernel text with the same stack layout as a trampoline
 * @addr: any address
 *
 * For the unwinder.
 *
 * Context: any, NMI included, whether or not RCU is watching
 *
 * Return: an address in the kernel's own text, or 0 if there is no trampoline at @addr
 */
unsigned long ftrace_trampoline_template(unsigned long addr)
{
	struct trampoline_chunk *chunk = trampoline_chunk_of(addr);
	int first = chunk ? trampoline_first_granule(chunk, addr) : -1;

	if (first < 0)
		return 0;

	return ftrace_trampoline_twin(&chunk->tramp[first],
				      addr - (unsigned long)chunk->base -
				      first * GRANULE);
}

/**
 * ftrace_trampoline_lookup - find the symbol of a trampoline
 * @addr: any address
 * @size: set to the size of the trampoline in bytes
 * @off: set to the offset of @addr in it
 * @modname: set to the string used as the name of a module
 * @modbuildid: set to NULL
 * @sym: buffer of KSYM_NAME_LEN bytes
 *
 * Context: any, NMI included
 *
 * Return: length of the name, or 0 if there is no trampoline at @addr
 */
int ftrace_trampoline_lookup(unsigned long addr, unsigned long *size,
			     unsigned long *off, char **modname,
			     const unsigned char **modbuildid, char *sym)
{
	struct trampoline_chunk *chunk = trampoline_chunk_of(addr);
	int first = chunk ? trampoline_first_granule(chunk, addr) : -1;

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
 * ftrace_trampoline_get - iterate over the symbols of all trampolines, for /proc/kallsyms
 * @symnum: index of the trampoline; reduced by the number of trampolines if it is too large
 * @value: set to its address
 * @type: set to the type of symbol
 * @name: buffer of KSYM_NAME_LEN bytes
 * @module_name: buffer of MODULE_NAME_LEN bytes
 *
 * Context: process context, under rcu_read_lock()
 *
 * Return: 0, or -ERANGE if there is no such trampoline
 */
int ftrace_trampoline_get(unsigned int *symnum, unsigned long *value,
			  char *type, char *name, char *module_name)
{
	struct trampoline_chunk *chunk;
	unsigned int i;

	list_for_each_entry_rcu(chunk, &chunks, all) {
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
