/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text of the arguments of a call.
 */
#ifndef _TRACE_OUTPUT_FUNC_ARGS_H
#define _TRACE_OUTPUT_FUNC_ARGS_H

#include <linux/minmax.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <linux/xarray.h>

#include "output/btf_proto.h"

/* Maximum number of arguments shown per entry. */
#define ARGS_MOST	8

/* Maximum length of the text of emit_args(): name, "=0x", sixteen digits and ", " for each. */
#define ARGS_TEXT_MAX	(PROTO_MOST * (PROTO_NAME_MOST + 24) + 8)

/**
 * struct args_cache - prototypes that a reader has looked up
 * @protos: indexed by function address: a struct func_proto, or a value entry if there is no
 *	prototype
 */
struct args_cache {
	struct xarray	protos;
};

/*
 * Number of arguments in an entry whose last field is args; 0 if they were not recorded. A
 * macro, because there are several types of entries.
 */
#define args_of(iter, entry)						\
	((unsigned int)clamp_t(int, ((iter)->ent_size -			\
				     (int)offsetof(typeof(*(entry)), args)) / (int)sizeof(long), \
			       0, ARGS_MOST))

char *emit_args(struct args_cache *cache, char *p, unsigned long func, const void *regs,
		unsigned int nr);
char *emit_args_by(const struct func_proto *proto, char *p, const unsigned long *regs,
		   unsigned int nr);

void args_cache_init(struct args_cache *cache);
void args_cache_drop(struct args_cache *cache);

#endif /* _TRACE_OUTPUT_FUNC_ARGS_H */
