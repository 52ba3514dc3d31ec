/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records of call sites: dyn_ftrace in ftrace_pages.
 *
 * An ftrace_page is one page of records. They are sorted by address and all belong to one piece
 * of text: the kernel's, a module's, or the init text of either. The index of all pages is also
 * sorted, so two binary searches find an address. The fields of the index and the pages that a
 * look-up reads never change; index and pages are replaced instead. So look-ups need
 * rcu_read_lock() and no other lock. The state of a record may be read and changed only with
 * ftrace_lock held. With CONFIG_FTRACE_DISCOVER, records of a text move when more of its sites
 * are found, so they must not be referred to without the lock.
 */
#ifndef _TRACE_PATCH_RECORDS_H
#define _TRACE_PATCH_RECORDS_H

#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/mutex.h>

#include "lib/hash.h"
#include "patch/plan.h"

#ifdef CONFIG_DYNAMIC_FTRACE

static inline unsigned int ftrace_rec_have(const struct dyn_ftrace *rec)
{
	return ftrace_state_have(rec->state);
}

static inline unsigned int ftrace_rec_want(const struct dyn_ftrace *rec)
{
	return ftrace_state_want(rec->state);
}

/* The site can be traced: its module is ready, and its bytes are the expected ones. */
static inline bool ftrace_rec_is_usable(const struct dyn_ftrace *rec)
{
	return !(rec->state & (FTRACE_REC_NOT_READY | FTRACE_REC_CORRUPT));
}

/**
 * struct ftrace_page - a page of records
 * @base: address that the offsets of its records are relative to
 * @mod: module that the sites belong to, NULL for the kernel
 * @first: this is the first page of its piece of text
 * @count: number of records
 * @serial: value of ftrace_records_serial() when the records were added
 * @records: records in ascending order of addresses
 */
struct ftrace_page {
	unsigned long		base;
	struct module		*mod;
	bool			first;
	unsigned int		count;
	unsigned long		serial;
	struct dyn_ftrace	records[];
};

#define FTRACE_RECORDS_PER_PAGE \
	((PAGE_SIZE - sizeof(struct ftrace_page)) / sizeof(struct dyn_ftrace))

static_assert(sizeof(struct dyn_ftrace) == 8);

static inline struct ftrace_page *ftrace_rec_page(const struct dyn_ftrace *rec)
{
	return (struct ftrace_page *)((unsigned long)rec & PAGE_MASK);
}

static inline unsigned long ftrace_rec_ip(const struct dyn_ftrace *rec)
{
	return ftrace_rec_page(rec)->base + rec->offset;
}

/**
 * struct ftrace_rec_iter - a walk over records in ascending order of addresses
 * @page: position in the index of pages
 * @i: position in that page
 */
struct ftrace_rec_iter {
	unsigned int	page;
	unsigned int	i;
};

/* The caller holds ftrace_lock throughout the walk. */
#define for_each_ftrace_rec(rec, iter)				\
	for ((rec) = ftrace_rec_seek(iter, 0); (rec);		\
	     (rec) = ftrace_rec_next(iter))

/*
 * Walk over the records of the text from @start to @end whose sites call something or have a
 * requested target. No page holds records of two pieces of text.
 */
#define for_each_ftrace_rec_used(rec, iter, start, end)		\
	for (ftrace_rec_seek_ip(iter, start);			\
	     ((rec) = ftrace_rec_next_used(iter, end));		\
	     (iter)->i++)

#endif /* CONFIG_DYNAMIC_FTRACE */

/*
 * The lock of call sites. Order:
 *
 *	ftrace_found_mutex		call sites are being found, see ftrace/sites/site_module.h
 *	ftrace_direct_mutex		direct calls are registered and unregistered
 *	mod_pending_lock		pending patterns, and loading of modules
 *	  ftrace_ops_hash.regex_lock	edits of one user's filters
 *	    ftrace_lock			records, sets of ops, the list of ops
 *	      cpus_read_lock
 *		text_mutex		kernel text
 *
 * kprobes and live patching call with their own locks held; these are outside of all of the
 * above.
 */
extern struct mutex ftrace_lock;

#ifdef CONFIG_DYNAMIC_FTRACE

int ftrace_records_add(struct module *mod, const unsigned long *ip,
		       unsigned int count);

/**
 * struct ftrace_merge - memory for more records of a text
 * @index: index for the pages of all records; NULL when it has been used
 * @page: pages for the records of the text
 * @nr: number of pages that are left
 */
struct ftrace_merge {
	struct ftrace_index	*index;
	struct ftrace_page	**page;
	unsigned int		nr;
};

int ftrace_merge_prepare(struct ftrace_merge *merge, struct module *mod,
			 const unsigned long *ip, unsigned int count);
void ftrace_merge_free(struct ftrace_merge *merge);
void ftrace_records_merge(struct ftrace_merge *merge, struct module *mod,
			  const unsigned long *ip, unsigned int count);
void ftrace_records_remove(unsigned long start, unsigned long end);

struct dyn_ftrace *ftrace_rec_find(unsigned long ip);
struct dyn_ftrace *ftrace_rec_seek(struct ftrace_rec_iter *iter, loff_t pos);
struct dyn_ftrace *ftrace_rec_seek_ip(struct ftrace_rec_iter *iter,
				      unsigned long ip);
struct dyn_ftrace *ftrace_rec_next(struct ftrace_rec_iter *iter);
struct dyn_ftrace *ftrace_rec_next_used(struct ftrace_rec_iter *iter,
					unsigned long end);

unsigned long ftrace_symbol_site(unsigned long addr);
unsigned long ftrace_records_serial(void);
bool ftrace_records_intersect(struct ftrace_hash *hash, unsigned long serial);

/**
 * struct ftrace_records_totals - numbers of records and pages
 * @records: number of records
 * @pages: number of pages of records
 * @texts: number of pieces of text that they belong to
 */
struct ftrace_records_totals {
	unsigned int	records;
	unsigned int	pages;
	unsigned int	texts;
};

struct ftrace_records_totals ftrace_records_totals(void);

#else /* !CONFIG_DYNAMIC_FTRACE */

/* With static tracing there are no records: no site is ever removed. */
static inline unsigned long ftrace_records_serial(void)
{
	return 0;
}

static inline bool ftrace_records_intersect(struct ftrace_hash *hash, unsigned long serial)
{
	return false;
}

#endif /* CONFIG_DYNAMIC_FTRACE */
#endif /* _TRACE_PATCH_RECORDS_H */
