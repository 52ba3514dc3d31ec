// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols of function tracing for kernel/kallsyms.c: the names of trampolines, and of functions
 * whose text has been freed.
 */
#include <linux/ftrace.h>
#include <linux/rcupdate.h>

#include "ftrace/entry/trampoline.h"
#include "ftrace/ops/mod_map.h"

/**
 * ftrace_mod_address_lookup - look up an address among the symbols of function tracing
 * @addr: any address
 * @size: set to the symbol's size
 * @off: set to the offset of @addr in it
 * @modname: set to the name of its module, or to a string used in place of one
 * @modbuildid: set to NULL
 * @sym: buffer of KSYM_NAME_LEN bytes
 *
 * Context: any, NMI included
 *
 * Return: length of the name, or 0 if there is no symbol
 */
int ftrace_mod_address_lookup(unsigned long addr, unsigned long *size,
			      unsigned long *off, char **modname,
			      const unsigned char **modbuildid, char *sym)
{
	guard(rcu)();

	return ftrace_trampoline_lookup(addr, size, off, modname, modbuildid, sym) ?:
	       ftrace_mod_map_lookup(addr, size, off, modname, modbuildid, sym);
}

/**
 * ftrace_mod_get_kallsym - get one of the symbols of function tracing
 * @symnum: index of the symbol, from 0 on
 * @value: set to its address
 * @type: set to the type of symbol
 * @name: buffer of KSYM_NAME_LEN bytes
 * @module_name: buffer of MODULE_NAME_LEN bytes
 * @exported: set to 0
 *
 * Context: process context
 *
 * Return: 0, or -ERANGE if there are no more than @symnum symbols
 */
int ftrace_mod_get_kallsym(unsigned int symnum, unsigned long *value,
			   char *type, char *name, char *module_name,
			   int *exported)
{
	guard(rcu)();

	*exported = 0;
	if (!ftrace_mod_map_get(&symnum, value, type, name, module_name))
		return 0;

	return ftrace_trampoline_get(&symnum, value, type, name, module_name);
}
