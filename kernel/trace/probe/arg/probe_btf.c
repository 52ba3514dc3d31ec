// SPDX-License-Identifier: GPL-2.0
/*
 * BTF information about functions and structures, for the arguments of probes. It is only used
 * for parsing: a probe that is hit uses no types.
 */
#include <linux/btf.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "probe/arg/probe_btf.h"

/* Maximum nesting depth of unnamed structures */
#define BTF_DEPTH_MAX	8

/* "typedef void (*btf_trace_NAME)(void *, ...)" has the arguments of a tracepoint. */
static const struct btf_type *btf_tracepoint_proto(const char *name, struct btf **btf)
{
	char *typedef_name __free(kfree) = kasprintf(GFP_KERNEL, "btf_trace_%s", name);
	const struct btf_type *type;
	s32 id;

	if (!typedef_name)
		return ERR_PTR(-ENOMEM);
	id = bpf_find_btf_id(typedef_name, BTF_KIND_TYPEDEF, btf);
	if (id < 0)
		return ERR_PTR(id);

	type = btf_type_by_id(*btf, id);
	type = btf_type_skip_modifiers(*btf, type->type, NULL);
	if (!btf_type_is_ptr(type))
		return NULL;

	return btf_type_skip_modifiers(*btf, type->type, NULL);
}

static const struct btf_type *btf_function_proto(const char *name, struct btf **btf)
{
	s32 id = bpf_find_btf_id(name, BTF_KIND_FUNC, btf);

	return id < 0 ? ERR_PTR(id) : btf_type_by_id(*btf, btf_type_by_id(*btf, id)->type);
}

/**
 * probe_btf_find - find the prototype of a function or a tracepoint
 * @to: filled in; must be released with probe_btf_put()
 * @name: its name
 * @is_tracepoint: true if it is a tracepoint
 *
 * Searches all types of the kernel and its modules. May sleep.
 *
 * Return: 0; -ENOENT if it is not in BTF, or another error, with @to unchanged
 */
int probe_btf_find(struct probe_btf *to, const char *name, bool is_tracepoint)
{
	const struct btf_type *proto;
	struct btf *btf = NULL;

	proto = is_tracepoint ? btf_tracepoint_proto(name, &btf) : btf_function_proto(name, &btf);
	if (IS_ERR(proto))
		return PTR_ERR(proto);
	if (!proto || !btf_type_is_func_proto(proto)) {
		btf_put(btf);
		return -ENOENT;
	}
	*to = (struct probe_btf){ .btf = btf, .proto = proto, .skip = is_tracepoint };

	return 0;
}

/**
 * probe_btf_put - release a function returned by probe_btf_find()
 * @of: the function; if it was not found, its @btf is NULL
 */
void probe_btf_put(const struct probe_btf *of)
{
	if (of->btf)
		btf_put(of->btf);
}

static struct probe_btf_type btf_plain_type(const struct btf *btf, u32 id)
{
	return (struct probe_btf_type){
		.btf	= btf,
		.type	= btf_type_skip_modifiers(btf, id, NULL),
	};
}

/* Does a function have a parameter @n? The last parameter of BTF may be "...". */
static bool btf_has_param(const struct probe_btf *of, unsigned int n)
{
	return of->skip + n < btf_type_vlen(of->proto) &&
	       btf_params(of->proto)[of->skip + n].type;
}

/**
 * probe_btf_param_name - get the name of a parameter
 * @of: the function
 * @n: index of the parameter, from 0
 *
 * Return: the name, valid as long as @of; NULL if there is no such parameter
 */
const char *probe_btf_param_name(const struct probe_btf *of, unsigned int n)
{
	if (!btf_has_param(of, n))
		return NULL;

	return btf_name_by_offset(of->btf, btf_params(of->proto)[of->skip + n].name_off);
}

/**
 * probe_btf_param - find a parameter
 * @of: the function
 * @name: its name
 * @type: set to its type
 *
 * Return: index of the parameter, from 0; -ENOENT if there is no such parameter
 */
int probe_btf_param(const struct probe_btf *of, const char *name, struct probe_btf_type *type)
{
	unsigned int n;

	for (n = 0; btf_has_param(of, n); n++) {
		if (strcmp(probe_btf_param_name(of, n), name))
			continue;
		*type = btf_plain_type(of->btf, btf_params(of->proto)[of->skip + n].type);
		return n;
	}

	return -ENOENT;
}

/**
 * probe_btf_returned - get the return type of a function
 * @of: the function
 * @type: set to the type
 */
void probe_btf_returned(const struct probe_btf *of, struct probe_btf_type *type)
{
	*type = btf_plain_type(of->btf, of->proto->type);
}

/**
 * probe_btf_pointee - follow a pointer
 * @type: the type, which is replaced by the type that it points to
 *
 * Return: false if @type is not a pointer
 */
bool probe_btf_pointee(struct probe_btf_type *type)
{
	if (!btf_type_is_ptr(type->type))
		return false;
	*type = btf_plain_type(type->btf, type->type->type);

	return true;
}

static void btf_set_member(struct probe_btf_member *to, const struct probe_btf_type *in,
			   unsigned int n, unsigned int base)
{
	unsigned int bits = btf_member_bitfield_size(in->type, n);
	unsigned int at = base + btf_member_bit_offset(in->type, n), unit = BITS_PER_BYTE;

	*to = (struct probe_btf_member){
		.type	= btf_plain_type(in->btf, btf_members(in->type)[n].type),
		.bits	= bits,
	};
	/* A bitfield is located inside the number of its declared type. */
	if (bits && btf_is_int(to->type.type))
		unit *= to->type.type->size;
	to->offset = at / unit * unit / BITS_PER_BYTE;
	to->bit = at % unit;
}

/* @base: offset of @in in the outer structure, in bits */
static bool btf_find_member(const struct probe_btf_type *in, const char *name,
			    struct probe_btf_member *to, unsigned int base, unsigned int depth)
{
	unsigned int n;

	if (!__btf_type_is_struct(in->type) && btf_kind(in->type) != BTF_KIND_UNION)
		return false;

	for (n = 0; n < btf_type_vlen(in->type); n++) {
		const struct btf_member *member = &btf_members(in->type)[n];
		struct probe_btf_type inner = btf_plain_type(in->btf, member->type);

		if (!member->name_off) {
			if (depth < BTF_DEPTH_MAX &&
			    btf_find_member(&inner, name, to,
					    base + btf_member_bit_offset(in->type, n), depth + 1))
				return true;
		} else if (!strcmp(btf_name_by_offset(in->btf, member->name_off), name)) {
			btf_set_member(to, in, n, base);
			return true;
		}
	}

	return false;
}

/**
 * probe_btf_member - find a member of a structure
 * @type: the structure, or a union
 * @name: name of the member, which may be in an unnamed inner structure
 * @member: filled in
 *
 * Return: 0, -ENOENT if there is no such member
 */
int probe_btf_member(const struct probe_btf_type *type, const char *name,
		     struct probe_btf_member *member)
{
	return btf_find_member(type, name, member, 0, 0) ? 0 : -ENOENT;
}

static bool btf_is_char(const struct btf *btf, u32 id)
{
	const struct btf_type *type = btf_type_skip_modifiers(btf, id, NULL);

	return btf_is_int(type) && type->size == sizeof(char) &&
	       !(btf_int_encoding(type) & BTF_INT_BOOL);
}

/**
 * probe_btf_info - get the form of a type's values, as probes use them
 * @type: the type
 */
struct probe_btf_info probe_btf_info(const struct probe_btf_type *type)
{
	struct probe_btf_info info = { .size = sizeof(long) };
	const struct btf_type *t = type->type;

	switch (btf_kind(t)) {
	case BTF_KIND_INT:
		info.form = PROBE_BTF_NUMBER;
		info.size = t->size;
		info.is_signed = btf_int_encoding(t) & BTF_INT_SIGNED;
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		info.form = PROBE_BTF_NUMBER;
		info.size = t->size;
		info.is_signed = btf_type_kflag(t);
		break;
	case BTF_KIND_PTR:
		info.form = btf_is_char(type->btf, t->type) ? PROBE_BTF_CHAR_POINTER :
							      PROBE_BTF_POINTER;
		break;
	case BTF_KIND_ARRAY:
		if (btf_is_char(type->btf, btf_array(t)->type))
			info.form = PROBE_BTF_CHARS;
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		info.form = PROBE_BTF_STRUCT;
		info.size = min(t->size, U16_MAX);
		break;
	}
	/* There is no argument type for 16 bytes. */
	if (info.form == PROBE_BTF_NUMBER && info.size > sizeof(u64))
		info.form = PROBE_BTF_OTHER;

	return info;
}
