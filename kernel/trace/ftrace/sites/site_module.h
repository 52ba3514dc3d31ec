/* SPDX-License-Identifier: GPL-2.0 */
/* Callbacks for loading and unloading of modules. */
#ifndef _TRACE_FTRACE_SITES_SITE_MODULE_H
#define _TRACE_FTRACE_SITES_SITE_MODULE_H

#include <linux/list.h>
#include <linux/mutex.h>

struct ftrace_hash;
struct module;

/**
 * struct ftrace_module_notifier - callbacks for loading and unloading of modules
 * @list: node in the list of registered notifiers
 * @coming: called when a module is loaded; may be NULL. The call sites of the module have
 *	records and are NOPs; its code has not run yet. The sites that ops select are patched
 *	after all notifiers have been called.
 * @going: called when a module is unloaded; may be NULL. Its records have been removed, its
 *	struct is still valid.
 * @found: called when more call sites of a module have got records, with CONFIG_FTRACE_DISCOVER:
 *	with these sites, each of which is found once; the module is NULL for sites of the kernel;
 *	may be NULL
 *
 * All are called without any lock of tracing, and may sleep.
 */
struct ftrace_module_notifier {
	struct list_head	list;
	void			(*coming)(struct module *mod);
	void			(*going)(struct module *mod);
	void			(*found)(struct module *mod, const struct ftrace_hash *sites);
};

void ftrace_module_notifier_register(struct ftrace_module_notifier *notifier);

/*
 * With CONFIG_FTRACE_DISCOVER: held while call sites are being found. A module that was not
 * GOING when it was looked up with both this and ftrace_lock held remains loaded until this is
 * released. Taken outside of all locks of records.h.
 */
extern struct mutex ftrace_found_mutex;

void ftrace_sites_found(struct module *mod, const unsigned long *ip, unsigned int nr);

#endif /* _TRACE_FTRACE_SITES_SITE_MODULE_H */
