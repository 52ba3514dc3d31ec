// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace_pages: the records of all call sites, found by address. See
 * records.h for how they are kept.
 */
#include <linux/gfp.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "patch/records.h"

/* Call sites and who uses them; its place in the order is told in records.h. */
DEFINE_MUTEX(ftrace_lock);

/**
 * struct ftrace_index - all pages of records
 * @rcu: look-ups may still use it when another took its place
 * @nr: number of pages
 * @dead: the first of those that go with it
 * @nr_dead: their number
 * @pages: the pages by ascending address
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

static struct ftrace_index *index_locked(void)
{
	return rcu_dereference_protected(ftrace_pages,
					 lockdep_is_held(&ftrace_lock));
}

static unsigned long page_end(const struct ftrace_page *page)
{
	return page->base + page->records[page->count - 1].offset;
}

/* The first page that has a record at or above @ip, or the number of pages. */
static unsigned int page_bound(const struct ftrace_index *index, unsigned long ip)
{
	unsigned int low = 0, high = index ? index->nr : 0;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;

		if (page_end(index->pages[mid]) < ip)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The first record of @page at or above @ip. There is one. */
static unsigned int record_bound(const struct ftrace_page *page, unsigned long ip)
{
	unsigned int low = 0, high = page->count - 1;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;

		if (page->base + page->records[mid].offset < ip)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static struct ftrace_page *page_alloc(struct module *mod, unsigned long base)
{
	struct ftrace_page *page = (void *)__get_free_page(GFP_KERNEL);

	if (!page)
		return NULL;

	page->mod = mod;
	page->base = base;
	page->count = 0;
	return page;
}

static void page_free(struct ftrace_page *page)
{
	free_page((unsigned long)page);
}

static struct ftrace_index *index_alloc(unsigned int nr)
{
	struct ftrace_index *index;

	index = kvmalloc(struct_size(index, pages, nr), GFP_KERNEL);
	if (index)
		index->nr = 0;
	return index;
}

static void index_publish(struct ftrace_index *index)
{
	struct ftrace_index *old = index_locked();

	rcu_assign_pointer(ftrace_pages, index);
	if (old)
		kvfree_rcu(old, rcu);
}

/* Fill the pages of a new index from @at on with records of @ip. */
static int index_fill(struct ftrace_index *index, struct module *mod,
		      const unsigned long *ip, unsigned int count)
{
	struct ftrace_page *page = NULL;
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (!page || page->count == FTRACE_RECORDS_PER_PAGE) {
			page = page_alloc(mod, ip[i]);
			if (!page)
				return -ENOMEM;
			page->first = !i;
			index->pages[index->nr++] = page;
		}
		page->records[page->count++] = (struct dyn_ftrace) {
			.offset = ip[i] - page->base,
			.state = mod ? FTRACE_REC_FIXED : 0,
		};
	}
	return 0;
}

/**
 * ftrace_records_add - records for the call sites of a piece of text
 * @mod: module they belong to, NULL for the kernel
 * @ip: their addresses, ascending, all in one piece of text
 * @count: their number
 *
 * Records of a module are FIXED at first.
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: 0, or -ENOMEM with nothing added
 */
int ftrace_records_add(struct module *mod, const unsigned long *ip,
		       unsigned int count)
{
	struct ftrace_index *old = index_locked(), *index;
	unsigned int nr = DIV_ROUND_UP(count, FTRACE_RECORDS_PER_PAGE);
	unsigned int before, i;

	if (!count)
		return 0;

	index = index_alloc((old ? old->nr : 0) + nr);
	if (!index)
		return -ENOMEM;

	before = page_bound(old, ip[0]);
	for (i = 0; i < before; i++)
		index->pages[index->nr++] = old->pages[i];

	if (index_fill(index, mod, ip, count)) {
		while (index->nr > before)
			page_free(index->pages[--index->nr]);
		kvfree(index);
		return -ENOMEM;
	}

	for (i = before; old && i < old->nr; i++)
		index->pages[index->nr++] = old->pages[i];

	index_publish(index);
	return 0;
}

static void index_free(struct rcu_head *rcu)
{
	struct ftrace_index *index = container_of(rcu, struct ftrace_index, rcu);
	unsigned int i;

	for (i = 0; i < index->nr_dead; i++)
		page_free(index->pages[index->dead + i]);
	kvfree(index);
}

/**
 * ftrace_records_remove - forget the call sites of a piece of text
 * @start: first address of the text
 * @end: first address behind it
 *
 * No page holds records of more than one piece of text, so whole pages go.
 *
 * Context: ftrace_lock held; may sleep
 */
void ftrace_records_remove(unsigned long start, unsigned long end)
{
	struct ftrace_index *index = index_locked();
	unsigned int first = page_bound(index, start), last = first, i;
	struct ftrace_index *rest;

	while (index && last < index->nr && index->pages[last]->base < end)
		last++;
	if (first == last)
		return;

	/* Nothing may be left that points to what goes: so this has to work. */
	rest = kvmalloc(struct_size(rest, pages, index->nr),
			GFP_KERNEL | __GFP_NOFAIL);
	rest->nr = 0;
	for (i = 0; i < index->nr; i++)
		if (i < first || i >= last)
			rest->pages[rest->nr++] = index->pages[i];
	rcu_assign_pointer(ftrace_pages, rest);

	index->dead = first;
	index->nr_dead = last - first;
	call_rcu(&index->rcu, index_free);
}

/**
 * ftrace_rec_next - the record with the next higher address
 * @iter: the walk
 *
 * Context: ftrace_lock held
 *
 * Return: the record, or NULL behind the last
 */
struct dyn_ftrace *ftrace_rec_next(struct ftrace_rec_iter *iter)
{
	struct ftrace_index *index = index_locked();

	if (++iter->i >= index->pages[iter->page]->count) {
		iter->page++;
		iter->i = 0;
	}
	if (iter->page >= index->nr)
		return NULL;

	return &index->pages[iter->page]->records[iter->i];
}

/**
 * ftrace_rec_seek - start a walk over records at a position
 * @iter: the walk
 * @pos: how many records to pass over
 *
 * Context: ftrace_lock held
 *
 * Return: the record, or NULL behind the last
 */
struct dyn_ftrace *ftrace_rec_seek(struct ftrace_rec_iter *iter, loff_t pos)
{
	struct ftrace_index *index = index_locked();

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
	struct ftrace_index *index = index_locked();

	iter->page = page_bound(index, ip);
	if (!index || iter->page == index->nr)
		return NULL;

	iter->i = record_bound(index->pages[iter->page], ip);
	return &index->pages[iter->page]->records[iter->i];
}

/**
 * ftrace_rec_next_used - the next record whose site calls something, or shall
 * @iter: the walk
 * @end: first address behind the text of interest
 *
 * Most sites are not in use: they are passed over without any fuss.
 *
 * Context: ftrace_lock held
 *
 * Return: the record at or behind where the walk is, or NULL
 */
struct dyn_ftrace *ftrace_rec_next_used(struct ftrace_rec_iter *iter,
					unsigned long end)
{
	struct ftrace_index *index = index_locked();

	for (; index && iter->page < index->nr; iter->page++, iter->i = 0) {
		struct ftrace_page *page = index->pages[iter->page];

		if (page->base >= end)
			break;
		for (; iter->i < page->count; iter->i++)
			if (page->records[iter->i].state &
			    (FTRACE_REC_HAVE | FTRACE_REC_WANT))
				return &page->records[iter->i];
	}
	return NULL;
}

/**
 * ftrace_rec_find - the record of a call site
 * @ip: the address of the site
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
 * Context: any but NMI
 *
 * Return: the address of the first site whose instruction has a byte in the
 * range, or 0
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
	i = page_bound(index, start);
	if (!index || i == index->nr)
		return 0;

	page = index->pages[i];
	ip = page->base + page->records[record_bound(page, start)].offset;
	return ip <= end ? ip : 0;
}

/**
 * ftrace_location - the call site of a function
 * @ip: address of the function, or of any byte of the call site
 *
 * Context: any but NMI
 *
 * Return: the address of the site, or 0 if there is none
 */
unsigned long ftrace_location(unsigned long ip)
{
	unsigned long site = ftrace_location_range(ip, ip);
	unsigned long offset;

	if (site)
		return site;

	/* Something may stand between the symbol and its site. */
	if (!kallsyms_lookup_size_offset(ip, NULL, &offset) || offset)
		return 0;

	return ftrace_location_range(ip, ip + FTRACE_MCOUNT_MAX_OFFSET);
}

/**
 * ftrace_text_reserved - do call sites lie in a range of text?
 * @start: first address of the range
 * @end: last address of the range
 *
 * Context: any but NMI
 *
 * Return: 1 if somebody else must not change that text
 */
int ftrace_text_reserved(const void *start, const void *end)
{
	return !!ftrace_location_range((unsigned long)start, (unsigned long)end);
}

/**
 * ftrace_records_count - how many call sites there are
 */
unsigned int ftrace_records_count(void)
{
	struct ftrace_index *index;
	unsigned int i, count = 0;

	guard(rcu)();

	index = rcu_dereference(ftrace_pages);
	for (i = 0; index && i < index->nr; i++)
		count += index->pages[i]->count;
	return count;
}

/**
 * ftrace_records_pages - how many pages their records take
 */
unsigned int ftrace_records_pages(void)
{
	struct ftrace_index *index;

	guard(rcu)();

	index = rcu_dereference(ftrace_pages);
	return index ? index->nr : 0;
}

/**
 * ftrace_records_groups - how many pieces of text they are in
 */
unsigned int ftrace_records_groups(void)
{
	struct ftrace_index *index;
	unsigned int i, groups = 0;

	guard(rcu)();

	index = rcu_dereference(ftrace_pages);
	for (i = 0; index && i < index->nr; i++)
		groups += index->pages[i]->first;
	return groups;
}
