// SPDX-License-Identifier: GPL-2.0
/*
 * One mapping, writable and not executable, of all pages of text in which
 * sites change: made before anything changes, so that nothing can fail later,
 * and gone right after.
 */
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
 * Walk over the sites; a page is entered once, and a site that straddles two
 * pages enters both, one behind the other. With no array, count only.
 */
static unsigned int collect(struct page **page, struct ftrace_patch_site *site,
			    unsigned int nr)
{
	unsigned long last = ~0UL;
	unsigned int i, pages = 0;

	for (i = 0; i < nr; i++) {
		unsigned long first = site[i].ip & PAGE_MASK;
		unsigned long end = (site[i].ip + MCOUNT_INSN_SIZE - 1) & PAGE_MASK;

		if (first != last) {
			if (page)
				page[pages] = text_page(first);
			pages++;
			last = first;
		}
		if (page)
			site[i].text = (u8 *)((pages - 1) * PAGE_SIZE +
					      offset_in_page(site[i].ip));
		if (end != last) {
			if (page)
				page[pages] = text_page(end);
			pages++;
			last = end;
		}
	}
	return pages;
}

/**
 * ftrace_alias_map - make the text around call sites writable, elsewhere
 * @alias: the view to set up
 * @site: the sites by ascending address; their @text is set
 * @nr: their number, not 0
 * @gfp: how to allocate
 *
 * Context: may sleep
 *
 * Return: 0, or -ENOMEM, or -EFAULT if there is no text at a site
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
	for (i = 0; i < alias->nr; i++)
		if (!alias->page[i])
			goto fault;

	alias->base = vmap(alias->page, alias->nr, VM_MAP, PAGE_KERNEL);
	if (!alias->base) {
		kvfree(alias->page);
		return -ENOMEM;
	}

	for (i = 0; i < nr; i++)
		site[i].text = alias->base + (unsigned long)site[i].text;
	return 0;

fault:
	kvfree(alias->page);
	return -EFAULT;
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
