// SPDX-License-Identifier: GPL-2.0
/*
 * Text of the arguments of a call: "(file=0xffff888003d41000, count=0x2000)" if the prototype
 * of the function is known, otherwise the contents of all argument registers, whether or not
 * the function has as many parameters: "(0xffff888003d41000, 0x7ffd10, 0x2000, 0x0, 0x0, 0x1)".
 */
#include <linux/bitops.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "output/emit.h"
#include "output/func_args.h"

static char *func_args_emit_value(char *p, enum param_form form, unsigned int size,
				  unsigned long reg)
{
	unsigned int spare = size < sizeof(long) ? BITS_PER_LONG - size * BITS_PER_BYTE : 0;

	switch (form) {
	case PARAM_BOOL:
		/* The rest of the register may be anything, here and below. */
		return emit_str(p, reg & 0xff ? "true" : "false");
	case PARAM_SIGNED:
		return emit_int(p, (long)(reg << spare) >> spare);
	default:
		return emit_hex(emit_mem(p, "0x", 2), reg << spare >> spare);
	}
}

/**
 * emit_args_by - write the arguments of a call, given its prototype
 * @proto: the prototype; NULL if it is not known
 * @p: destination, with space for ARGS_TEXT_MAX bytes
 * @regs: the registers
 * @nr: their number
 *
 * Return: the end of the text
 */
char *emit_args_by(const struct func_proto *proto, char *p, const unsigned long *regs,
		   unsigned int nr)
{
	unsigned int params = proto ? min(proto->nr, PROTO_MOST) : nr;
	unsigned int i, reg = 0;
	enum param_form form;

	p = emit_char(p, '(');
	for (i = 0; i < params; i++) {
		form = proto ? proto->param[i].form : PARAM_HEX;
		if (i)
			p = emit_mem(p, ", ", 2);
		if (proto && proto->param[i].name[0])
			p = emit_char(emit_str(p, proto->param[i].name), '=');
		if (form == PARAM_REST)
			reg = nr;
		if (form == PARAM_ELSEWHERE || reg >= nr)
			p = emit_mem(p, "...", 3);
		else
			p = func_args_emit_value(p, form,
						 proto ? proto->param[i].size : sizeof(long),
						 regs[reg++]);
	}
	if (proto && proto->nr > params)
		p = emit_mem(p, ", ...", 5);

	return emit_char(p, ')');
}

/* Prototype of a function, looked up once; NULL if it is not known. */
static const struct func_proto *func_args_proto_of(struct args_cache *cache, unsigned long func)
{
	struct func_proto *proto = xa_load(&cache->protos, func);

	if (xa_is_value(proto))
		return NULL;
	if (proto)
		return proto;

	proto = kzalloc(sizeof(*proto), GFP_KERNEL);
	if (!proto)
		return NULL;

	if (!func_proto_find(func, proto)) {
		kfree(proto);
		/* If this fails for lack of memory, the function is looked up again next time. */
		xa_store(&cache->protos, func, xa_mk_value(0), GFP_KERNEL);
		return NULL;
	}
	if (xa_is_err(xa_store(&cache->protos, func, proto, GFP_KERNEL))) {
		kfree(proto);
		return NULL;
	}

	return proto;
}

/**
 * emit_args - write the arguments of a call
 * @cache: cache of the reader; NULL to show only registers, without allocating memory
 * @p: destination, with space for ARGS_TEXT_MAX bytes
 * @func: the function
 * @regs: the registers, as stored in an entry
 * @nr: their number, at most ARGS_MOST
 *
 * May sleep, unless @cache is NULL.
 *
 * Return: the end of the text
 */
char *emit_args(struct args_cache *cache, char *p, unsigned long func, const void *regs,
		unsigned int nr)
{
	const struct func_proto *proto = NULL;
	unsigned long copy[ARGS_MOST];

	/* In an entry they are only aligned to 4 bytes. */
	memcpy(copy, regs, nr * sizeof(long));
	if (IS_ENABLED(CONFIG_DEBUG_INFO_BTF) && cache)
		proto = func_args_proto_of(cache, func);

	return emit_args_by(proto, p, copy, nr);
}

/**
 * args_cache_init - initialize an empty cache
 * @cache: the cache, to be freed by args_cache_drop()
 */
void args_cache_init(struct args_cache *cache)
{
	xa_init(&cache->protos);
}

/**
 * args_cache_drop - free all prototypes
 * @cache: the cache, which can be used again
 */
void args_cache_drop(struct args_cache *cache)
{
	unsigned long func;
	void *proto;

	xa_for_each(&cache->protos, func, proto) {
		if (!xa_is_value(proto))
			kfree(proto);
	}
	xa_destroy(&cache->protos);
}
