/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records of call sites: dyn_ftrace in ftrace_pages.
 *
 * An ftrace_page is one page of records, sorted by address and all within one
 * piece of text: the kernel's, a module's, or the init text of either. The
 * index of all pages is sorted too, so that an address is found by two binary
 * searches. Pages and index are replaced, never changed in what a look-up
 * reads: look-ups need no lock but rcu_read_lock(). The state of a record
 * belongs to who holds ftrace_lock.
 */
#ifndef _TRACE_PATCH_RECORDS_H
#define _TRACE_PATCH_RECORDS_H

#include <linux/bitfield.h>
#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/mutex.h>

#include "patch/plan.h"

/*
 * The state of a record.
 *
 * HAVE		number of what the site calls
 * WANT		number of what it shall call while ftrace is enabled
 * FIXED	the site is not to be touched: its module is not ready yet, or
 *		something else than expected was found there
 * TOUCHED	it has been more than a NOP since boot
 * MODIFIED	and its ops could change the instruction pointer
 */
#define FTRACE_REC_HAVE		GENMASK(FTRACE_NR_BITS - 1, 0)
#define FTRACE_REC_WANT		GENMASK(2 * FTRACE_NR_BITS - 1, FTRACE_NR_BITS)
#define FTRACE_REC_FIXED	BIT(28)
#define FTRACE_REC_TOUCHED	BIT(29)
#define FTRACE_REC_MODIFIED	BIT(30)

static inline unsigned int ftrace_rec_have(const struct dyn_ftrace *rec)
{
	return FIELD_GET(FTRACE_REC_HAVE, rec->state);
}

static inline unsigned int ftrace_rec_want(const struct dyn_ftrace *rec)
{
	return FIELD_GET(FTRACE_REC_WANT, rec->state);
}

/**
 * struct ftrace_page - a page of records
 * @base: what the offsets of its records are relative to
 * @mod: module whose sites these are, NULL for the kernel's
 * @first: no page before it holds sites of the same piece of text
 * @count: number of records
 * @records: the records, by ascending address
 */
struct ftrace_page {
	unsigned long		base;
	struct module		*mod;
	bool			first;
	unsigned int		count;
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
 * struct ftrace_rec_iter - a walk over records in the order of their addresses
 * @page: place in the index of pages
 * @i: place in that page
 */
struct ftrace_rec_iter {
	unsigned int	page;
	unsigned int	i;
};

/* ftrace_lock is held from the first record to the last. */
#define for_each_ftrace_rec(rec, iter)				\
	for ((rec) = ftrace_rec_seek(iter, 0); (rec);		\
	     (rec) = ftrace_rec_next(iter))

/*
 * Those of the text from @start to @end whose sites call something, or shall.
 * No page holds records of two pieces of text.
 */
#define for_each_ftrace_rec_used(rec, iter, start, end)		\
	for (ftrace_rec_seek_ip(iter, start);			\
	     ((rec) = ftrace_rec_next_used(iter, end));		\
	     (iter)->i++)

/*
 * The lock of call sites. Order:
 *
 *	ftrace_direct_mutex		direct calls come and go
 *	  waiting_lock			words about modules, and modules, come
 *	  ftrace_ops_hash.regex_lock	edits of one user's filters
 *	    ftrace_lock			records, sets of ops, the list of ops
 *	      cpus_read_lock
 *		text_mutex		kernel text
 *
 * kprobes and live patching call in with their own locks held, which are
 * therefore outside of all of these.
 */
extern struct mutex ftrace_lock;

int ftrace_records_add(struct module *mod, const unsigned long *ip,
		       unsigned int count);
void ftrace_records_remove(unsigned long start, unsigned long end);

struct dyn_ftrace *ftrace_rec_find(unsigned long ip);
struct dyn_ftrace *ftrace_rec_seek(struct ftrace_rec_iter *iter, loff_t pos);
struct dyn_ftrace *ftrace_rec_seek_ip(struct ftrace_rec_iter *iter,
				      unsigned long ip);
struct dyn_ftrace *ftrace_rec_next(struct ftrace_rec_iter *iter);
struct dyn_ftrace *ftrace_rec_next_used(struct ftrace_rec_iter *iter,
					unsigned long end);

unsigned int ftrace_records_count(void);
unsigned int ftrace_records_pages(void);
unsigned int ftrace_records_groups(void);

#endif /* _TRACE_PATCH_RECORDS_H */
