/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Callbacks for modules that come and go.
 */
#ifndef _TRACE_HOOK_MODULE_H
#define _TRACE_HOOK_MODULE_H

#include <linux/list.h>

struct module;

/**
 * struct ftrace_module_notifier - callbacks for modules that come and go
 * @list: in the list of registered notifiers
 * @coming: called when a module comes; may be NULL. The call sites of the module have
 *	records and are NOPs; none of its code has run. The sites that ops mean are
 *	patched after all notifiers have been called.
 * @going: called when a module goes; may be NULL. Its records are gone, its struct
 *	is still there.
 *
 * Both are called without any lock of tracing, and may sleep.
 */
struct ftrace_module_notifier {
	struct list_head	list;
	void			(*coming)(struct module *mod);
	void			(*going)(struct module *mod);
};

void ftrace_module_notifier_register(struct ftrace_module_notifier *notifier);

#endif /* _TRACE_HOOK_MODULE_H */
