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

/*
 * Walk over the sites; a page is entered once, and a site that straddles two
 * pages enters both, one behind the other. With no array, count only.
 */
static unsigned int collect(struct page **page, struct ftrace_patch_site *site,
			    unsigned int nr)
{
	unsigned long last = ~0UL;
	unsigned int i, pages = 0;
	bool there = true;
	u8 *text;

	for (i = 0; i < nr; i++) {
		unsigned long first = site[i].ip & PAGE_MASK;
		unsigned long end = (site[i].ip + MCOUNT_INSN_SIZE - 1) & PAGE_MASK;

		if (first != last) {
			there = !page || enter(&page[pages], first);
			pages++;
			last = first;
		}
		text = (u8 *)((pages - 1) * PAGE_SIZE + offset_in_page(site[i].ip));
		if (!there)
			text = ERR_PTR(-EFAULT);
		if (end != last) {
			there = !page || enter(&page[pages], end);
			if (!there)
				text = ERR_PTR(-EFAULT);
			pages++;
			last = end;
		}
		if (page)
			site[i].text = text;
	}
	return pages;
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

	*alias = (struct ftrace_alias) { .nr = collect(NULL, site, nr) };
	alias->page = kvmalloc_array(alias->nr, sizeof(*alias->page), gfp);
	if (!alias->page)
		return -ENOMEM;

	collect(alias->page, site, nr);
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
