/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbols in definitions of probes.
 */
#ifndef _TRACE_PROBE_CORE_PROBE_SYMBOL_H
#define _TRACE_PROBE_CORE_PROBE_SYMBOL_H

#include <linux/types.h>

struct probe_def;

/**
 * struct probe_symbol - a symbol in a definition
 * @module: name of its module, NULL if the symbol may be anywhere
 * @name: name of the symbol
 */
struct probe_symbol {
	const char	*module;
	const char	*name;
};

bool probe_symbol_is_loaded(const struct probe_symbol *symbol);
unsigned int probe_symbol_count(const struct probe_symbol *symbol);
unsigned long probe_symbol_address(const struct probe_symbol *symbol);
int probe_symbol_check(const struct probe_symbol *symbol, struct probe_def *def,
		       const char *at);

#endif /* _TRACE_PROBE_CORE_PROBE_SYMBOL_H */
