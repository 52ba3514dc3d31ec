/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of init functions of modules, after their text has been freed.
 */
#ifndef _TRACE_FTRACE_OPS_MOD_MAP_H
#define _TRACE_FTRACE_OPS_MOD_MAP_H

#include <linux/errno.h>
#include <linux/types.h>

struct module;

#ifdef CONFIG_MODULES
void ftrace_mod_map_add(struct module *mod, unsigned long start, unsigned long end);
void ftrace_mod_map_drop(struct module *mod);

int ftrace_mod_map_lookup(unsigned long addr, unsigned long *size,
			  unsigned long *off, char **modname,
			  const unsigned char **modbuildid, char *sym);
int ftrace_mod_map_get(unsigned int *symnum, unsigned long *value, char *type,
		       char *name, char *module_name);
#else
static inline void ftrace_mod_map_add(struct module *mod, unsigned long start,
				      unsigned long end) { }
static inline void ftrace_mod_map_drop(struct module *mod) { }

static inline int ftrace_mod_map_lookup(unsigned long addr, unsigned long *size,
					unsigned long *off, char **modname,
					const unsigned char **modbuildid, char *sym)
{
	return 0;
}

static inline int ftrace_mod_map_get(unsigned int *symnum, unsigned long *value,
				     char *type, char *name, char *module_name)
{
	return -ERANGE;
}
#endif

#endif /* _TRACE_FTRACE_OPS_MOD_MAP_H */
