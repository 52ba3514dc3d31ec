// SPDX-License-Identifier: GPL-2.0
/*
 * Function prototypes, found in the BTF of the kernel and of modules.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "output/btf_proto.h"

/**
 * struct btf_proto_func_name - name of a function
 * @name: the name
 * @module: name of its module, empty if it is built in
 */
struct btf_proto_func_name {
	char	name[KSYM_NAME_LEN];
	char	module[MODULE_NAME_LEN];
};

static bool btf_proto_name_of(unsigned long ip, struct btf_proto_func_name *func)
{
	unsigned long size, offset;
	const char *name;
	char *module;

	/* The module that owns the second name cannot be freed with preemption off. */
	guard(preempt)();

	name = kallsyms_lookup(ip, &size, &offset, &module, func->name);
	if (!name)
		return false;
	if (name != func->name)
		strscpy(func->name, name, sizeof(func->name));
	strscpy(func->module, module ?: "", sizeof(func->module));

	return true;
}

/*
 * bpf_find_btf_id() returns the first BTF that has the name. So a function of a module has no
 * prototype if the kernel or another module has a function of the same name.
 */
static struct btf *btf_proto_of(const struct btf_proto_func_name *func, u32 *type)
{
	struct btf *btf = NULL;
	int id = bpf_find_btf_id(func->name, BTF_KIND_FUNC, &btf);

	if (id <= 0)
		return NULL;

	*type = id;
	if (func->module[0] ? btf_is_module(btf) && !strcmp(btf_get_name(btf), func->module) :
			      btf_is_vmlinux(btf))
		return btf;

	btf_put(btf);
	return NULL;
}

static enum param_form btf_proto_form_of(const struct btf_type *type, u32 size)
{
	if (btf_type_is_ptr(type))
		return PARAM_HEX;
	if (btf_kind(type) == BTF_KIND_FLOAT)
		return PARAM_ELSEWHERE;
	if (!size)
		return PARAM_ELSEWHERE;
	/* In two registers, in memory, or passed by pointer. */
	if (size > sizeof(long))
		return PARAM_REST;
	if (btf_is_any_enum(type))
		return PARAM_SIGNED;
	if (!btf_type_is_int(type))
		return PARAM_HEX;
	if (btf_int_encoding(type) & BTF_INT_BOOL)
		return PARAM_BOOL;

	return btf_int_encoding(type) & BTF_INT_SIGNED ? PARAM_SIGNED : PARAM_HEX;
}

static void btf_proto_fill(struct func_proto *proto, const struct btf *btf,
			   const struct btf_type *func)
{
	const struct btf_param *param = btf_params(func);
	const struct btf_type *type;
	unsigned int i;

	proto->nr = btf_type_vlen(func);
	for (i = 0; i < min(proto->nr, PROTO_MOST); i++, param++) {
		proto->param[i].form = PARAM_REST;
		strscpy(proto->param[i].name, btf_name_by_offset(btf, param->name_off) ?: "");
		/* A parameter without a type is "...". */
		type = param->type ? btf_type_skip_modifiers(btf, param->type, NULL) : NULL;
		if (!type)
			continue;

		proto->param[i].size = btf_type_is_ptr(type) ? sizeof(long) : type->size;
		proto->param[i].form = btf_proto_form_of(type, proto->param[i].size);
	}
}

/**
 * func_proto_find - find the prototype of a function
 * @ip: an address in the function
 * @proto: filled in
 *
 * Searches all types of the kernel, and possibly of all modules, linearly. May sleep.
 *
 * Return: false if the prototype is not known: the function has no BTF. BTF leaves out
 *	functions that the compiler has made a variant of, with other parameters
 */
bool func_proto_find(unsigned long ip, struct func_proto *proto)
{
	const struct btf_type *func;
	struct btf_proto_func_name name;
	struct btf *btf;
	bool found;
	u32 type;

	if (!btf_proto_name_of(ip, &name))
		return false;

	btf = btf_proto_of(&name, &type);
	if (!btf)
		return false;

	func = btf_type_by_id(btf, type);
	func = btf_type_by_id(btf, func->type);
	found = func && btf_type_is_func_proto(func);
	if (found)
		btf_proto_fill(proto, btf, func);
	btf_put(btf);

	return found;
}
