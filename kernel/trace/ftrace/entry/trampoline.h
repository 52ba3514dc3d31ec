/* SPDX-License-Identifier: GPL-2.0 */
/* Memory for trampolines, and look-up of the trampoline at an address. */
#ifndef _TRACE_FTRACE_ENTRY_TRAMPOLINE_H
#define _TRACE_FTRACE_ENTRY_TRAMPOLINE_H

#include <linux/types.h>

struct ftrace_call;

unsigned long ftrace_trampoline_make(const struct ftrace_call *call,
				     unsigned int nr, unsigned int flags,
				     unsigned long direct);
void ftrace_trampoline_free(unsigned long addr);
unsigned int ftrace_trampoline_pages(void);

int ftrace_trampoline_lookup(unsigned long addr, unsigned long *size,
			     unsigned long *off, char **modname,
			     const unsigned char **modbuildid, char *sym);
int ftrace_trampoline_get(unsigned int *symnum, unsigned long *value,
			  char *type, char *name, char *module_name);

#endif /* _TRACE_FTRACE_ENTRY_TRAMPOLINE_H */
