// SPDX-License-Identifier: GPL-2.0
/*
 * One mapping, writable and not executable, of all pages of text in which
 * sites change: made before anything changes, so that nothing can fail later,
 * and gone right after.
 */
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/vmalloc.h>

#include "patch/alias.h"

static struct page *text_page(unsigned long ip)
{
	if (is_vmalloc_or_module_addr((void *)ip))
		return vmalloc_to_page((void *)ip);

	return virt_to_page(lm_alias((void *)ip));
}

/*
 * Enter a page, or another in the place of one that is not there: what is
 * mapped has no holes, and a site without text is never written to.
 */
static bool enter(struct page **slot, unsigned long ip)
{
	struct page *page = text_page(ip);

	*slot = page ?: ZERO_PAGE(0);
	return page;
}

static unsigned long page_of(unsigned long ip)
{
	return ip >> PAGE_SHIFT;
}

/* A site that straddles two pages has both, one behind the other. */
static unsigned int count_pages(const struct ftrace_patch_site *site, unsigned int nr)
{
	unsigned long last = ~0UL;
	unsigned int i, pages = 0;

	for (i = 0; i < nr; i++) {
		unsigned long first = page_of(site[i].ip);
		unsigned long end = page_of(site[i].ip + MCOUNT_INSN_SIZE - 1);

		pages += (first != last) + (end != first);
		last = end;
	}
	return pages;
}

/* Enter each page once; of each site, tell how far into all of them it is. */
static void enter_pages(struct page **page, struct ftrace_patch_site *site,
			unsigned int nr)
{
	unsigned long last = ~0UL, start = 0;
	struct page **slot = page;
	bool there = true;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		unsigned long ip = site[i].ip, end = ip + MCOUNT_INSN_SIZE - 1;

		if (page_of(ip) != last) {
			last = page_of(ip);
			start = (ip & PAGE_MASK) - (slot - page) * PAGE_SIZE;
			there = enter(slot++, ip);
		}
		site[i].text = likely(there) ? (u8 *)(ip - start) : ERR_PTR(-EFAULT);
		if (page_of(end) == last)
			continue;

		last = page_of(end);
		start = (end & PAGE_MASK) - (slot - page) * PAGE_SIZE;
		there = enter(slot++, end);
		if (!there)
			site[i].text = ERR_PTR(-EFAULT);
	}
}

/**
 * ftrace_alias_map - make the text around call sites writable, elsewhere
 * @alias: the view to set up
 * @site: the sites by ascending address; their @text is set, to an ERR_PTR() where
 *	there is no text
 * @nr: their number, not 0
 * @gfp: how to allocate
 *
 * Context: may sleep
 *
 * Return: 0, or -ENOMEM
 */
int ftrace_alias_map(struct ftrace_alias *alias, struct ftrace_patch_site *site,
		     unsigned int nr, gfp_t gfp)
{
	unsigned int i;

	*alias = (struct ftrace_alias) { .nr = count_pages(site, nr) };
	alias->page = kvmalloc_array(alias->nr, sizeof(*alias->page), gfp);
	if (!alias->page)
		return -ENOMEM;

	enter_pages(alias->page, site, nr);
	alias->base = vmap(alias->page, alias->nr, VM_MAP, PAGE_KERNEL);
	if (!alias->base) {
		kvfree(alias->page);
		return -ENOMEM;
	}

	for (i = 0; i < nr; i++)
		if (!IS_ERR(site[i].text))
			site[i].text = alias->base + (unsigned long)site[i].text;
	return 0;
}

/**
 * ftrace_alias_unmap - let go of the view
 * @alias: what ftrace_alias_map() set up
 *
 * Context: may sleep
 */
void ftrace_alias_unmap(struct ftrace_alias *alias)
{
	vunmap(alias->base);
	kvfree(alias->page);
}
