/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbol names of addresses, looked up once per reader of a trace.
 */
#ifndef _TRACE_OUTPUT_SYMBOLS_H
#define _TRACE_OUTPUT_SYMBOLS_H

#include <linux/kallsyms.h>
#include <linux/types.h>

/* A name, "+0x.../0x... [module build-id]" and " <address>". */
#define SYMBOL_TEXT_MAX	(KSYM_SYMBOL_LEN + 20)

struct symbols_page;
struct symbols_slot;

/**
 * struct symbol_cache - cache of texts, indexed by address
 * @options: the options that the texts were made with
 * @generation: module generation of the names
 * @bits: number of slots, as a power of two
 * @used: slots in use
 * @slots: open addressing; NULL until first used, or if memory is short
 * @pages: memory of the texts
 * @left: bytes left in the first of @pages
 * @no_alloc: do not cache: the reader must not allocate memory
 * @once: text of the last look-up
 */
struct symbol_cache {
	u64			options;
	unsigned int		generation;
	unsigned int		bits;
	unsigned int		used;
	struct symbols_slot	*slots;
	struct symbols_page	*pages;
	unsigned int		left;
	bool			no_alloc;
	char			once[SYMBOL_TEXT_MAX];
};

const char *symbol_text(struct symbol_cache *cache, unsigned long ip,
			u64 options, unsigned int *len);
void symbol_cache_drop(struct symbol_cache *cache);
bool symbol_cache_refresh(struct symbol_cache *cache);

#endif /* _TRACE_OUTPUT_SYMBOLS_H */
