// SPDX-License-Identifier: GPL-2.0
/*
 * Symbol names of addresses, looked up once per reader of a trace.
 *
 * A look-up costs some thousand instructions, and a trace has few addresses on many lines. The
 * cache belongs to an open file, is filled only by its reader, and grows with the entries read;
 * if memory is short, output only gets slower.
 *
 * Names of the kernel proper never change. Names of modules are valid until another module is
 * loaded, perhaps at the addresses of one that was unloaded: that starts a new generation, in
 * which all names are looked up again. Generated code (BPF programs, trampolines) is added and
 * removed without notice, so its names are not cached.
 */
#include <kunit/static_stub.h>
#include <linux/atomic.h>
#include <linux/gfp.h>
#include <linux/hash.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "instance/core/options.h"
#include "output/emit.h"
#include "output/symbols.h"

#define SLOT_BITS_FIRST	8
#define SLOT_BITS_MOST	15

struct symbols_slot {
	unsigned long	ip;
	const char	*text;
	unsigned int	len;
};

struct symbols_page {
	struct symbols_page	*next;
	char			text[PAGE_SIZE - sizeof(void *)];
};

/* Incremented when addresses may have got another meaning. */
static atomic_t generation;

#ifdef CONFIG_MODULES
static int symbols_module(struct notifier_block *nb, unsigned long event,
			  void *mod)
{
	/* Its symbols are already visible, its code has not run yet. */
	if (event == MODULE_STATE_COMING)
		atomic_inc(&generation);

	return NOTIFY_DONE;
}

static struct notifier_block symbols_nb = {
	.notifier_call	= symbols_module,
};

static int __init symbols_init(void)
{
	return register_module_notifier(&symbols_nb);
}
early_initcall(symbols_init);
#endif

/**
 * symbol_cache_drop - free all texts
 * @cache: may be used again
 */
void symbol_cache_drop(struct symbol_cache *cache)
{
	struct symbols_page *page = cache->pages;

	while (page) {
		struct symbols_page *next = page->next;

		free_page((unsigned long)page);
		page = next;
	}

	kvfree(cache->slots);
	cache->slots = NULL;
	cache->pages = NULL;
	cache->bits = 0;
	cache->used = 0;
	cache->left = 0;
}

/**
 * symbol_cache_refresh - drop texts that may be out of date
 * @cache: cache of a reader, not used concurrently
 *
 * A reader calls this before it prints entries that were written since the
 * last call.
 *
 * Return: true if addresses may have got another meaning.
 */
bool symbol_cache_refresh(struct symbol_cache *cache)
{
	/* symbols_module() is called long before an entry can have the address. */
	unsigned int now = atomic_read(&generation);

	if (likely(now == cache->generation))
		return false;

	symbol_cache_drop(cache);
	cache->generation = now;

	return true;
}

/* The slot of @ip, or the free slot where it belongs. */
static struct symbols_slot *symbols_slot_find(struct symbols_slot *slots,
					      unsigned int bits, unsigned long ip)
{
	unsigned int i = hash_long(ip, bits);

	while (slots[i].text && slots[i].ip != ip)
		i = (i + 1) & ((1U << bits) - 1);

	return &slots[i];
}

/* Ensure space for two more texts, with half of all slots free even then. */
static bool symbols_cache_grow(struct symbol_cache *cache)
{
	unsigned int bits = cache->slots ? cache->bits + 1 : SLOT_BITS_FIRST;
	struct symbols_slot *slots;
	unsigned int i;

	if (cache->slots && cache->used + 2 <= 1U << (cache->bits - 1))
		return true;

	/* Most of this many addresses will not be needed again soon: start over. */
	if (bits > SLOT_BITS_MOST) {
		symbol_cache_drop(cache);
		bits = SLOT_BITS_FIRST;
	}

	slots = kvcalloc(1U << bits, sizeof(*slots), GFP_KERNEL | __GFP_NOWARN);
	if (!slots)
		return false;

	for (i = 0; cache->slots && i < 1U << cache->bits; i++) {
		if (cache->slots[i].text)
			*symbols_slot_find(slots, bits, cache->slots[i].ip) =
				cache->slots[i];
	}

	kvfree(cache->slots);
	cache->slots = slots;
	cache->bits = bits;

	return true;
}

static const char *symbols_cache_keep(struct symbol_cache *cache, const char *text,
				      unsigned int len)
{
	struct symbols_page *page;
	char *copy;

	if (len > cache->left) {
		page = (void *)__get_free_page(GFP_KERNEL | __GFP_NOWARN);
		if (!page)
			return NULL;

		page->next = cache->pages;
		cache->pages = page;
		cache->left = sizeof(page->text);
	}

	page = cache->pages;
	copy = page->text + sizeof(page->text) - cache->left;
	memcpy(copy, text, len);
	cache->left -= len;

	return copy;
}

static unsigned int symbols_look_up(char *buf, unsigned long ip, u64 options)
{
	char *p = buf;

	if (options & TRACE_OPT(SYM_OFFSET)) {
		p += sprint_symbol(buf, ip);
	} else {
		unsigned long size, offset;
		const char *name;
		char *module;

		name = kallsyms_lookup(ip, &size, &offset, &module, buf);
		if (!name)
			p = emit_hex(emit_str(p, "0x"), ip);
		else if (name == buf)
			p += strlen(buf);
		else
			p = emit_str(p, name);
	}

	if (options & TRACE_OPT(SYM_ADDR)) {
		p = emit_hex(emit_str(p, " <"), ip);
		p = emit_char(p, '>');
	}

	return p - buf;
}

/* There is space, see symbols_cache_grow(). */
static struct symbols_slot *symbols_cache_add(struct symbol_cache *cache,
					      unsigned long ip, const char *text,
					      unsigned int len)
{
	struct symbols_slot *slot = symbols_slot_find(cache->slots, cache->bits, ip);

	slot->ip = ip;
	slot->text = text;
	slot->len = len;
	cache->used++;

	return slot;
}

/* Does @ip keep its name at least until the next generation? */
static bool symbols_name_is_kept(unsigned long ip)
{
	return is_kernel(ip) || is_module_text_address(ip);
}

/*
 * Most of the cost of a kernel symbol's name is decompression. An address within a function has
 * the function's name, which is therefore also cached for the function's start. Names of modules
 * are not compressed.
 *
 * Return: the slot of @ip, or NULL if its name cannot be kept.
 */
static struct symbols_slot *symbols_cache_fill(struct symbol_cache *cache,
					       unsigned long ip, u64 options)
{
	unsigned long size, offset, start = ip;
	struct symbols_slot *slot;
	const char *text;
	unsigned int len;

	if (!symbols_name_is_kept(ip))
		return NULL;

	if (!options && is_kernel(ip) && kallsyms_lookup_size_offset(ip, &size, &offset))
		start = ip - offset;

	if (!symbols_cache_grow(cache))
		return NULL;

	slot = symbols_slot_find(cache->slots, cache->bits, start);
	if (!slot->text) {
		len = symbols_look_up(cache->once, ip, options);
		text = symbols_cache_keep(cache, cache->once, len);
		if (!text)
			return NULL;

		slot = symbols_cache_add(cache, start, text, len);
	}

	if (start == ip)
		return slot;

	return symbols_cache_add(cache, ip, slot->text, slot->len);
}

/**
 * symbol_text - look up the name of an address, in the form of the options
 * @cache: cache of a reader, not used concurrently; if no_alloc is set, nothing is allocated
 * @ip: the address
 * @options: options of the instance
 * @len: set to the length of the text
 *
 * Return: the text, without NUL, valid until the next call.
 */
const char *symbol_text(struct symbol_cache *cache, unsigned long ip,
			u64 options, unsigned int *len)
{
	struct symbols_slot *slot;

	KUNIT_STATIC_STUB_REDIRECT(symbol_text, cache, ip, options, len);

	options &= TRACE_OPT(SYM_OFFSET) | TRACE_OPT(SYM_ADDR);
	if (unlikely(options != cache->options)) {
		symbol_cache_drop(cache);
		cache->options = options;
	}

	if (likely(cache->slots)) {
		slot = symbols_slot_find(cache->slots, cache->bits, ip);
		if (likely(slot->text))
			goto found;
	}

	slot = cache->no_alloc ? NULL : symbols_cache_fill(cache, ip, options);
	if (slot)
		goto found;

	*len = symbols_look_up(cache->once, ip, options);

	return cache->once;

found:
	*len = slot->len;

	return slot->text;
}
