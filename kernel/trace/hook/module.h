/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What else is to be done when a module comes or goes.
 */
#ifndef _TRACE_HOOK_MODULE_H
#define _TRACE_HOOK_MODULE_H

#include <linux/list.h>

struct module;

/**
 * struct ftrace_module_notifier - what a user of call sites does about modules
 * @list: among those that are registered
 * @coming: a module has come, or NULL. Its call sites have records and are NOPs;
 *	none of its code has run. Those that somebody wants are patched when all
 *	notifiers have been called.
 * @going: a module goes, or NULL. Its records are gone, its struct is still there.
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
