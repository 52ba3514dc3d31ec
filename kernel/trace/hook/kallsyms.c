// SPDX-License-Identifier: GPL-2.0
/*
 * What kernel/kallsyms.c asks of function tracing: names of trampolines, and of
 * functions whose text is gone.
 */
#include <linux/ftrace.h>
#include <linux/rcupdate.h>

#include "hook/gone.h"
#include "hook/trampoline.h"

/**
 * ftrace_mod_address_lookup - the symbol of an address that function tracing knows
 * @addr: any address
 * @size: set to the symbol's size
 * @off: set to the place of @addr in it
 * @modname: set to the name of its module, or to what stands for one
 * @modbuildid: set to NULL
 * @sym: room for KSYM_NAME_LEN bytes
 *
 * Context: any, NMI included
 *
 * Return: length of the name, or 0 if there is none
 */
int ftrace_mod_address_lookup(unsigned long addr, unsigned long *size,
			      unsigned long *off, char **modname,
			      const unsigned char **modbuildid, char *sym)
{
	guard(rcu)();

	return ftrace_trampoline_lookup(addr, size, off, modname, modbuildid, sym) ?:
	       ftrace_gone_lookup(addr, size, off, modname, modbuildid, sym);
}

/**
 * ftrace_mod_get_kallsym - the symbols that function tracing knows
 * @symnum: which
 * @value: set to its address
 * @type: set to the type of symbol
 * @name: room for KSYM_NAME_LEN bytes
 * @module_name: room for MODULE_NAME_LEN bytes
 * @exported: set to 0
 *
 * Context: process context
 *
 * Return: 0, or -ERANGE if there are no more than @symnum
 */
int ftrace_mod_get_kallsym(unsigned int symnum, unsigned long *value,
			   char *type, char *name, char *module_name,
			   int *exported)
{
	guard(rcu)();

	*exported = 0;
	if (!ftrace_gone_get(&symnum, value, type, name, module_name))
		return 0;

	return ftrace_trampoline_get(&symnum, value, type, name, module_name);
}
