/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Source files and lines of functions: the section that the linker collects for the kernel, and
 * the one that the module loader passes for a module.
 */
#ifndef _LINUX_FTRACE_SOURCES_H
#define _LINUX_FTRACE_SOURCES_H

#include <linux/elf.h>
#include <linux/module.h>
#include <linux/types.h>

extern const u32 __start_mcount_src[];
extern const u32 __stop_mcount_src[];

#if defined(CONFIG_FTRACE_SOURCES) && defined(CONFIG_MODULES)
void ftrace_module_sources(struct module *mod, const Elf_Shdr *section);
#else
static inline void ftrace_module_sources(struct module *mod,
					 const Elf_Shdr *section) { }
#endif

#endif /* _LINUX_FTRACE_SOURCES_H */
