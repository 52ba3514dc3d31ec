// SPDX-License-Identifier: GPL-2.0
/*
 * Types of probe arguments: see "Types" in Documentation/trace/kprobetrace.rst.
 */
#include "probe/arg/env.h"
#include "probe/arg/probe_type.h"

#define NUMBER(n, c, s, how, f)						\
	{ .name = n, .c_type = c, .format = f, .style = how, .size = s }

#define STRING(n, kind)							\
	{ .name = n, .c_type = "__data_loc char[]", .format = "\\\"%s\\\"",	\
	  .size = sizeof(u32), .form = kind }

static const struct probe_argtype types[] = {
	NUMBER("u8", "u8", 1, 'u', "%u"),
	NUMBER("u16", "u16", 2, 'u', "%u"),
	NUMBER("u32", "u32", 4, 'u', "%u"),
	NUMBER("u64", "u64", 8, 'u', "%llu"),
	NUMBER("s8", "s8", 1, 's', "%d"),
	NUMBER("s16", "s16", 2, 's', "%d"),
	NUMBER("s32", "s32", 4, 's', "%d"),
	NUMBER("s64", "s64", 8, 's', "%lld"),
	NUMBER("x8", "u8", 1, 'x', "0x%x"),
	NUMBER("x16", "u16", 2, 'x', "0x%x"),
	NUMBER("x32", "u32", 4, 'x', "0x%x"),
	NUMBER("x64", "u64", 8, 'x', "0x%llx"),
	NUMBER("char", "char", 1, 'c', "'%c'"),
	NUMBER("symbol", "unsigned long", sizeof(long), 'S', "%pS"),
	STRING("string", PROBE_STRING),
	STRING("ustring", PROBE_USTRING),
	STRING("symstr", PROBE_SYMSTR),
	STRING("%pd", PROBE_DENTRY),
	STRING("%pD", PROBE_FILE),
};

/**
 * probe_argtype_find - find a type
 * @name: its name, which need not end with a 0 byte
 * @len: length of @name
 *
 * Return: the type, or NULL
 */
const struct probe_argtype *probe_argtype_find(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		if (strlen(types[i].name) == len && !memcmp(types[i].name, name, len))
			return &types[i];
	}

	return NULL;
}

/**
 * probe_argtype_number - get the type of a number that is shown in decimal
 * @bits: width of the number in bits
 * @is_signed: true if it may be negative
 *
 * Return: the type; NULL unless @bits is 8, 16, 32 or 64
 */
const struct probe_argtype *probe_argtype_number(unsigned int bits, bool is_signed)
{
	char name[16];

	return probe_argtype_find(name, snprintf(name, sizeof(name), "%c%u",
						 is_signed ? 's' : 'u', bits));
}
