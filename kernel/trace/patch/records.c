// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace_pages: the records of all call sites, indexed by address. See records.h for the data
 * structure.
 */
#include <linux/bsearch.h>
#include <linux/gfp.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "patch/announce.h"
#include "patch/records.h"

/* Protects records, sets of ops and the list of ops; see records.h for the lock order. */
DEFINE_MUTEX(ftrace_lock);

/**
 * struct ftrace_index - all pages of records
 * @rcu: frees it when no look-up can be using it any longer
 * @nr: number of pages
 * @dead: first page to be freed together with the index
 * @nr_dead: number of pages to be freed together with the index
 * @pages: pages in ascending order of addresses
 */
struct ftrace_index {
	struct rcu_head		rcu;
	unsigned int		nr;
	unsigned int		dead;
	unsigned int		nr_dead;
	struct ftrace_page	*pages[];
};

/* Replaced under ftrace_lock. */
static struct ftrace_index __rcu *ftrace_pages;

/* Number of times that records were added or removed. Changed under ftrace_lock, read without. */
static unsigned long records_serial;

static struct ftrace_index *records_index_locked(void)
{
	return rcu_dereference_protected(ftrace_pages,
					 lockdep_is_held(&ftrace_lock));
}

static unsigned long records_page_end(const struct ftrace_page *page)
{
	return page->base + page->records[page->count - 1].offset;
}

/**
 * struct records_bound - the key of a search for the first element at or above an address
 * @ip: the address
 * @first: first element of the array, which has no element before it
 * @base: address that offsets are relative to
 */
struct records_bound {
	unsigned long	ip;
	const void	*first;
	unsigned long	base;
};

static __always_inline int records_compare_page(const void *key, const void *elt)
{
	struct ftrace_page *const *page = elt;
	const struct records_bound *bound = key;

	if (records_page_end(*page) < bound->ip)
		return 1;

	return page != bound->first && records_page_end(page[-1]) >= bound->ip ? -1 : 0;
}

/* The first page that has a record at or above @ip, or the number of pages. */
static unsigned int records_page_bound(const struct ftrace_index *index, unsigned long ip)
{
	unsigned int nr = index ? index->nr : 0;
	struct ftrace_page *const *page;
	struct records_bound bound;

	if (!nr)
		return 0;

	bound = (struct records_bound) { .ip = ip, .first = index->pages };
	page = __inline_bsearch(&bound, index->pages, nr, sizeof(*page), records_compare_page);
	return page ? page - index->pages : nr;
}

static __always_inline int records_compare(const void *key, const void *elt)
{
	const struct dyn_ftrace *rec = elt;
	const struct records_bound *bound = key;

	if (bound->base + rec->offset < bound->ip)
		return 1;

	return rec != bound->first && bound->base + rec[-1].offset >= bound->ip ? -1 : 0;
}

/* The first record of @page at or above @ip. It must exist. */
static unsigned int records_bound(const struct ftrace_page *page, unsigned long ip)
{
	struct records_bound bound = { .ip = ip, .first = page->records, .base = page->base };
	const struct dyn_ftrace *rec;

	rec = __inline_bsearch(&bound, page->records, page->count, sizeof(*rec),
			       records_compare);
	return rec - page->records;
}

static void records_page_free(struct ftrace_page *page)
{
	free_page((unsigned long)page);
}

static struct ftrace_index *records_index_alloc(unsigned int nr)
{
	struct ftrace_index *index;

	index = kvmalloc(struct_size(index, pages, nr), GFP_KERNEL);
	if (index)
		index->nr = 0;
	return index;
}

static void records_index_publish(struct ftrace_index *index)
{
	struct ftrace_index *old = records_index_locked();

	rcu_assign_pointer(ftrace_pages, index);
	if (old)
		kvfree_rcu(old, rcu);
}

/**
 * struct records_filler - records that are appended to a new index
 * @index: the index
 * @before: number of its pages that hold other text
 * @mod: module that the sites belong to, NULL for the kernel
 * @merge: holds enough preallocated pages; NULL if pages are allocated here
 */
struct records_filler {
	struct ftrace_index	*index;
	unsigned int		before;
	struct module		*mod;
	struct ftrace_merge	*merge;
};

static struct ftrace_page *records_page_make(const struct records_filler *filler,
					     unsigned long base)
{
	struct ftrace_merge *merge = filler->merge;
	struct ftrace_page *page;

	page = merge ? merge->page[--merge->nr] : (void *)__get_free_page(GFP_KERNEL);
	if (!page)
		return NULL;

	page->mod = filler->mod;
	page->base = base;
	page->count = 0;
	page->serial = records_serial;
	return page;
}

static int records_append(const struct records_filler *filler, unsigned long ip, u32 state)
{
	struct ftrace_index *index = filler->index;
	struct ftrace_page *page = NULL;

	if (index->nr > filler->before)
		page = index->pages[index->nr - 1];
	if (!page || page->count == FTRACE_RECORDS_PER_PAGE) {
		page = records_page_make(filler, ip);
		if (!page)
			return -ENOMEM;
		page->first = index->nr == filler->before;
		index->pages[index->nr++] = page;
	}
	page->records[page->count++] = (struct dyn_ftrace) {
		.offset = ip - page->base,
		.state = state,
	};
	return 0;
}

/* Append pages with the records of @ip to a new index. */
static int records_index_fill(struct ftrace_index *index, struct module *mod,
			      const unsigned long *ip, unsigned int count)
{
	struct records_filler filler = { .index = index, .before = index->nr, .mod = mod };
	unsigned int i;
	int err = 0;

	for (i = 0; i < count && !err; i++)
		err = records_append(&filler, ip[i], mod ? FTRACE_REC_NOT_READY : 0);
	return err;
}

/**
 * ftrace_records_add - add records for the call sites of a piece of text
 * @mod: module that they belong to, NULL for the kernel
 * @ip: addresses of the sites, ascending, all in one piece of text
 * @count: number of sites
 *
 * Records of a module are NOT_READY at first.
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: 0, or -ENOMEM with nothing added
 */
int ftrace_records_add(struct module *mod, const unsigned long *ip,
		       unsigned int count)
{
	struct ftrace_index *old = records_index_locked(), *index;
	unsigned int nr = DIV_ROUND_UP(count, FTRACE_RECORDS_PER_PAGE);
	unsigned int before, i;

	if (!count)
		return 0;

	index = records_index_alloc((old ? old->nr : 0) + nr);
	if (!index)
		return -ENOMEM;

	before = records_page_bound(old, ip[0]);
	for (i = 0; i < before; i++)
		index->pages[index->nr++] = old->pages[i];

	WRITE_ONCE(records_serial, records_serial + 1);
	if (records_index_fill(index, mod, ip, count)) {
		while (index->nr > before)
			records_page_free(index->pages[--index->nr]);
		kvfree(index);
		return -ENOMEM;
	}

	for (i = before; old && i < old->nr; i++)
		index->pages[index->nr++] = old->pages[i];

	records_index_publish(index);
	return 0;
}

static void records_index_free(struct rcu_head *rcu)
{
	struct ftrace_index *index = container_of(rcu, struct ftrace_index, rcu);
	unsigned int i;

	for (i = 0; i < index->nr_dead; i++)
		records_page_free(index->pages[index->dead + i]);
	kvfree(index);
}

/* Publish an index. Pages of the old index, from @first up to @last, are freed with it. */
static void records_index_replace(struct ftrace_index *old, unsigned int first, unsigned int last,
				  struct ftrace_index *index)
{
	rcu_assign_pointer(ftrace_pages, index);
	if (!old)
		return;

	old->dead = first;
	old->nr_dead = last - first;
	call_rcu(&old->rcu, records_index_free);
}

/**
 * ftrace_records_remove - remove the records of a piece of text
 * @start: first address of the text
 * @end: end of the text, exclusive
 *
 * No page holds records of more than one piece of text, so whole pages are removed.
 *
 * Context: ftrace_lock held; may sleep
 */
void ftrace_records_remove(unsigned long start, unsigned long end)
{
	struct ftrace_index *index = records_index_locked();
	unsigned int first = records_page_bound(index, start), last = first, i;
	struct ftrace_index *rest;

	while (index && last < index->nr && index->pages[last]->base < end)
		last++;
	if (first == last)
		return;

	/* No record of text that is being removed may be left, so this must not fail. */
	rest = kvmalloc(struct_size(rest, pages, index->nr),
			GFP_KERNEL | __GFP_NOFAIL);
	rest->nr = 0;
	for (i = 0; i < index->nr; i++)
		if (i < first || i >= last)
			rest->pages[rest->nr++] = index->pages[i];
	records_index_replace(index, first, last, rest);
	/* Not before: a reader of the new number must not find removed records. */
	WRITE_ONCE(records_serial, records_serial + 1);
}

#ifdef CONFIG_FTRACE_DISCOVER
/* The pages of a text, which are contiguous: from @first up to @last. */
static void records_find_text(const struct ftrace_index *index, const struct module *mod,
			      unsigned long ip, unsigned int *first, unsigned int *last)
{
	unsigned int nr = index ? index->nr : 0;

	for (*first = 0; *first < nr; ++*first)
		if (index->pages[*first]->mod == mod)
			break;
	if (*first == nr)
		*first = records_page_bound(index, ip);
	for (*last = *first; *last < nr; ++*last)
		if (index->pages[*last]->mod != mod)
			break;
}

/**
 * ftrace_merge_prepare - allocate memory for ftrace_records_merge()
 * @merge: set to the memory, to be freed by ftrace_merge_free(), also after an error
 * @mod: module, as for ftrace_records_merge()
 * @ip: call sites that may get records, as for ftrace_records_merge()
 * @count: number of call sites, not 0
 *
 * Context: ftrace_lock held, up to ftrace_merge_free(); may sleep
 *
 * Return: 0 or -ENOMEM
 */
int ftrace_merge_prepare(struct ftrace_merge *merge, struct module *mod,
			 const unsigned long *ip, unsigned int count)
{
	struct ftrace_index *old = records_index_locked();
	unsigned int first, last, i, pages;

	*merge = (struct ftrace_merge) { };
	records_find_text(old, mod, ip[0], &first, &last);
	for (i = first; i < last; i++)
		count += old->pages[i]->count;
	pages = DIV_ROUND_UP(count, FTRACE_RECORDS_PER_PAGE);

	merge->index = records_index_alloc((old ? old->nr : 0) - (last - first) + pages);
	merge->page = kvmalloc_array(pages, sizeof(*merge->page), GFP_KERNEL);
	if (!merge->index || !merge->page)
		return -ENOMEM;

	for (; merge->nr < pages; merge->nr++) {
		merge->page[merge->nr] = (void *)__get_free_page(GFP_KERNEL);
		if (!merge->page[merge->nr])
			return -ENOMEM;
	}
	return 0;
}

/**
 * ftrace_merge_free - free the memory that ftrace_records_merge() has not used
 * @merge: memory that ftrace_merge_prepare() has allocated
 *
 * Context: ftrace_lock held; may sleep
 */
void ftrace_merge_free(struct ftrace_merge *merge)
{
	while (merge->nr)
		records_page_free(merge->page[--merge->nr]);
	kvfree(merge->page);
	kvfree(merge->index);
}

/* Append the records of old pages, and new records between them. */
static void records_append_merged(const struct records_filler *filler,
				  struct ftrace_page *const *page,
				  unsigned int nr, const unsigned long *ip, unsigned int count)
{
	unsigned int i, j = 0, k;

	for (i = 0; i < nr; i++) {
		for (k = 0; k < page[i]->count; k++) {
			const struct dyn_ftrace *rec = &page[i]->records[k];

			while (j < count && ip[j] < ftrace_rec_ip(rec))
				records_append(filler, ip[j++], 0);
			records_append(filler, ftrace_rec_ip(rec), rec->state);
		}
		cond_resched();
	}
	while (j < count)
		records_append(filler, ip[j++], 0);
}

/**
 * ftrace_records_merge - add records for more call sites of a piece of text
 * @merge: memory for them
 * @mod: module that the text belongs to, NULL for the kernel; it has no records of other text
 * @ip: addresses of the sites, ascending; no site has a record, and all are among the
 *	addresses that the memory was prepared for
 * @count: number of sites, not 0
 *
 * All records of the text move, and must not be referred to by their addresses. The sites are
 * NOPs by now, so this does not fail.
 *
 * Context: ftrace_lock held; may sleep
 */
void ftrace_records_merge(struct ftrace_merge *merge, struct module *mod,
			  const unsigned long *ip, unsigned int count)
{
	struct ftrace_index *old = records_index_locked(), *index = merge->index;
	struct records_filler filler = { .index = index, .mod = mod, .merge = merge };
	unsigned int first, last, i, nr = old ? old->nr : 0;
	unsigned long serial;

	records_find_text(old, mod, ip[0], &first, &last);
	for (; index->nr < first; index->nr++)
		index->pages[index->nr] = old->pages[index->nr];

	/*
	 * All sites of a text share a serial number: they are found one by one, and removed
	 * together.
	 */
	if (first == last)
		WRITE_ONCE(records_serial, records_serial + 1);
	serial = first == last ? records_serial : old->pages[first]->serial;

	filler.before = first;
	records_append_merged(&filler, old ? old->pages + first : NULL, last - first, ip, count);
	for (i = first; i < index->nr; i++)
		index->pages[i]->serial = serial;
	for (i = last; i < nr; i++)
		index->pages[index->nr++] = old->pages[i];

	merge->index = NULL;
	records_index_replace(old, first, last, index);
}
#endif /* CONFIG_FTRACE_DISCOVER */

/**
 * ftrace_records_serial - get a number that changes when call sites are added or removed
 *
 * A caller that looks up call sites, and uses the result later, gets the number first:
 * ftrace_records_intersect() can then determine which sites are still the same.
 *
 * Context: any
 */
unsigned long ftrace_records_serial(void)
{
	return READ_ONCE(records_serial);
}

/**
 * ftrace_records_intersect - remove addresses from a set that are no longer the same call site
 * @hash: the set, which no other code uses, or NULL
 * @serial: value of ftrace_records_serial() from before the sites of @hash were looked up
 *
 * The text of another module may have been loaded at an address since.
 *
 * Context: ftrace_lock held
 *
 * Return: true if any address was removed
 */
bool ftrace_records_intersect(struct ftrace_hash *hash, unsigned long serial)
{
	unsigned int i, kept = 0, all = hash ? hash->count : 0;

	lockdep_assert_held(&ftrace_lock);

	if (serial == records_serial)
		return false;

	for (i = 0; i < all; i++) {
		const struct dyn_ftrace *rec = ftrace_rec_find(hash->ip[i]);

		if (rec && (long)(ftrace_rec_page(rec)->serial - serial) <= 0)
			hash->ip[kept++] = hash->ip[i];
	}
	if (hash)
		hash->count = kept;
	return kept < all;
}

/* There are many records, so each page of them is an opportunity to reschedule. */
static void records_next_page(struct ftrace_rec_iter *iter)
{
	iter->page++;
	iter->i = 0;
	cond_resched();
}

/**
 * ftrace_rec_next - get the record with the next higher address
 * @iter: the walk
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: the record, or NULL after the last
 */
struct dyn_ftrace *ftrace_rec_next(struct ftrace_rec_iter *iter)
{
	struct ftrace_index *index = records_index_locked();

	if (++iter->i >= index->pages[iter->page]->count)
		records_next_page(iter);
	if (iter->page >= index->nr)
		return NULL;

	return &index->pages[iter->page]->records[iter->i];
}

/**
 * ftrace_rec_seek - start a walk over records at a position
 * @iter: the walk
 * @pos: number of records to skip
 *
 * Context: ftrace_lock held
 *
 * Return: the record, or NULL if @pos is past the end
 */
struct dyn_ftrace *ftrace_rec_seek(struct ftrace_rec_iter *iter, loff_t pos)
{
	struct ftrace_index *index = records_index_locked();

	for (iter->page = 0; index && iter->page < index->nr; iter->page++) {
		struct ftrace_page *page = index->pages[iter->page];

		if (pos < page->count) {
			iter->i = pos;
			return &page->records[pos];
		}
		pos -= page->count;
	}
	return NULL;
}

/**
 * ftrace_rec_seek_ip - start a walk over records at an address
 * @iter: the walk
 * @ip: the address
 *
 * Context: ftrace_lock held
 *
 * Return: the first record at or above @ip, or NULL
 */
struct dyn_ftrace *ftrace_rec_seek_ip(struct ftrace_rec_iter *iter,
				      unsigned long ip)
{
	struct ftrace_index *index = records_index_locked();

	iter->page = records_page_bound(index, ip);
	if (!index || iter->page == index->nr)
		return NULL;

	iter->i = records_bound(index->pages[iter->page], ip);
	return &index->pages[iter->page]->records[iter->i];
}

/**
 * ftrace_rec_next_used - get the next record whose site calls something or has a requested
 * target
 * @iter: the walk
 * @end: end of the text of interest, exclusive
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: the first such record from the position of the walk on, or NULL
 */
struct dyn_ftrace *ftrace_rec_next_used(struct ftrace_rec_iter *iter,
					unsigned long end)
{
	struct ftrace_index *index = records_index_locked();

	for (; index && iter->page < index->nr; records_next_page(iter)) {
		struct ftrace_page *page = index->pages[iter->page];

		if (page->base >= end)
			break;
		for (; iter->i < page->count; iter->i++)
			if (ftrace_rec_want(&page->records[iter->i]))
				return &page->records[iter->i];
	}
	return NULL;
}

/**
 * ftrace_rec_find - find the record of a call site
 * @ip: address of the site
 *
 * Context: ftrace_lock held
 *
 * Return: the record, or NULL if there is no site at @ip
 */
struct dyn_ftrace *ftrace_rec_find(unsigned long ip)
{
	struct ftrace_rec_iter iter;
	struct dyn_ftrace *rec = ftrace_rec_seek_ip(&iter, ip);

	return rec && ftrace_rec_ip(rec) == ip ? rec : NULL;
}

/**
 * ftrace_location_range - is there a call site in a range of text?
 * @start: first address of the range
 * @end: last address of the range
 *
 * Context: any except NMI
 *
 * Return: the address of the first site whose instruction has a byte in the range, or 0
 */
unsigned long ftrace_location_range(unsigned long start, unsigned long end)
{
	struct ftrace_index *index;
	struct ftrace_page *page;
	unsigned long ip;
	unsigned int i;

	guard(rcu)();

	index = rcu_dereference(ftrace_pages);
	start -= MCOUNT_INSN_SIZE - 1;
	i = records_page_bound(index, start);
	if (!index || i == index->nr)
		return 0;

	page = index->pages[i];
	ip = page->base + page->records[records_bound(page, start)].offset;
	return ip <= end ? ip : 0;
}

/**
 * ftrace_symbol_site - find the call site of the function whose symbol is at an address
 * @addr: the address
 *
 * The site need not be at the very start of the function. A site within reach that belongs to
 * the next function, because this one is short and has none, does not count.
 *
 * Context: any except NMI
 *
 * Return: the address of the site, or 0 if there is no site
 */
unsigned long ftrace_symbol_site(unsigned long addr)
{
	unsigned long site = ftrace_location_range(addr, addr + FTRACE_MCOUNT_MAX_OFFSET);
	unsigned long offset;

	if (site == addr)
		return site;
	if (site < addr || !kallsyms_lookup_size_offset(site, NULL, &offset))
		return 0;

	return site - offset == addr ? site : 0;
}

static unsigned long records_recorded_site(unsigned long ip)
{
	return ftrace_location_range(ip, ip) ?: ftrace_symbol_site(ip);
}

/**
 * ftrace_location - find the call site of a function
 * @ip: address of the function, or of any byte of the call site
 *
 * Context: any except NMI
 *
 * Return: the address of the site, or 0 if there is no site
 */
unsigned long ftrace_location(unsigned long ip)
{
	unsigned long site = records_recorded_site(ip) ?: ftrace_unfound_site(ip);

	if (site || !IS_ENABLED(CONFIG_FTRACE_DISCOVER))
		return site;

	/* ftrace_location:A: site before its record; pairs with ftrace_announced_select:A */
	smp_rmb();
	return records_recorded_site(ip);
}

/* Does a range contain call sites that have no record, but may get one at any time? */
static bool records_range_has_unfound(unsigned long start, unsigned long end)
{
	unsigned long ip;

	for (ip = start - (MCOUNT_INSN_SIZE - 1); ip <= end; ip++)
		if (ftrace_unfound_site(ip) == ip)
			return true;
	return false;
}

/**
 * ftrace_text_reserved - does a range of text contain call sites?
 * @start: first address of the range
 * @end: last address of the range
 *
 * Context: any except NMI
 *
 * Return: 1 if other code must not change that text
 */
int ftrace_text_reserved(const void *start, const void *end)
{
	if (IS_ENABLED(CONFIG_FTRACE_DISCOVER)) {
		if (records_range_has_unfound((unsigned long)start, (unsigned long)end))
			return 1;
		/* ftrace_text_reserved:A: site first; pairs with ftrace_announced_select:A */
		smp_rmb();
	}
	return !!ftrace_location_range((unsigned long)start, (unsigned long)end);
}

/**
 * ftrace_records_totals - count the records and their pages
 */
struct ftrace_records_totals ftrace_records_totals(void)
{
	struct ftrace_records_totals totals = { };
	struct ftrace_index *index;
	unsigned int i;

	guard(rcu)();

	index = rcu_dereference(ftrace_pages);
	for (i = 0; index && i < index->nr; i++) {
		totals.records += index->pages[i]->count;
		totals.texts += index->pages[i]->first;
		totals.pages++;
	}
	return totals;
}
