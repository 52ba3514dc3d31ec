/* SPDX-License-Identifier: GPL-2.0 */
/*
 * BTF information about functions and structures, for the arguments of probes.
 */
#ifndef _TRACE_PROBE_ARG_PROBE_BTF_H
#define _TRACE_PROBE_ARG_PROBE_BTF_H

#include <linux/types.h>

struct btf;
struct btf_type;

/**
 * struct probe_btf - a function, or a tracepoint
 * @btf: the BTF of its types, with a reference; NULL if it is not known
 * @proto: its prototype
 * @skip: number of parameters before the first one visible to users
 */
struct probe_btf {
	struct btf		*btf;
	const struct btf_type	*proto;
	unsigned int		skip;
};

/**
 * struct probe_btf_type - a type
 * @btf: the BTF that contains it
 * @type: the type, which is not a typedef and not const
 */
struct probe_btf_type {
	const struct btf	*btf;
	const struct btf_type	*type;
};

/**
 * struct probe_btf_member - a member of a structure
 * @offset: its offset in the structure, in bytes
 * @type: its type
 * @bits: width of a bitfield, 0 for any other member
 * @bit: offset of a bitfield from @offset, in bits
 */
struct probe_btf_member {
	unsigned int		offset;
	struct probe_btf_type	type;
	u8			bits;
	u8			bit;
};

/**
 * enum probe_btf_form - form of a type's values, as probes use them
 * @PROBE_BTF_OTHER: cannot be shown, for example void
 * @PROBE_BTF_NUMBER: a number
 * @PROBE_BTF_POINTER: an address
 * @PROBE_BTF_CHAR_POINTER: the address of a char
 * @PROBE_BTF_CHARS: an array of char
 * @PROBE_BTF_STRUCT: a structure or a union
 */
enum probe_btf_form {
	PROBE_BTF_OTHER,
	PROBE_BTF_NUMBER,
	PROBE_BTF_POINTER,
	PROBE_BTF_CHAR_POINTER,
	PROBE_BTF_CHARS,
	PROBE_BTF_STRUCT,
};

/**
 * struct probe_btf_info - information about a type
 * @form: enum probe_btf_form
 * @is_signed: it is a number that may be negative
 * @size: size of a number or a structure, in bytes; U16_MAX if it is larger
 */
struct probe_btf_info {
	u8	form;
	bool	is_signed;
	u16	size;
};

#ifdef CONFIG_PROBE_EVENTS_BTF_ARGS
int probe_btf_find(struct probe_btf *to, const char *function, bool is_tracepoint);
void probe_btf_put(const struct probe_btf *of);
const char *probe_btf_param_name(const struct probe_btf *of, unsigned int n);
int probe_btf_param(const struct probe_btf *of, const char *name, struct probe_btf_type *type);
void probe_btf_returned(const struct probe_btf *of, struct probe_btf_type *type);
bool probe_btf_pointee(struct probe_btf_type *type);
int probe_btf_member(const struct probe_btf_type *type, const char *name,
		     struct probe_btf_member *member);
struct probe_btf_info probe_btf_info(const struct probe_btf_type *type);
#else
static inline int probe_btf_find(struct probe_btf *to, const char *function, bool is_tracepoint)
{
	return -EOPNOTSUPP;
}

static inline void probe_btf_put(const struct probe_btf *of)
{
}

static inline const char *probe_btf_param_name(const struct probe_btf *of, unsigned int n)
{
	return "";
}

static inline int probe_btf_param(const struct probe_btf *of, const char *name,
				  struct probe_btf_type *type)
{
	return -ENOENT;
}

static inline void probe_btf_returned(const struct probe_btf *of, struct probe_btf_type *type)
{
}

static inline bool probe_btf_pointee(struct probe_btf_type *type)
{
	return false;
}

static inline int probe_btf_member(const struct probe_btf_type *type, const char *name,
				   struct probe_btf_member *member)
{
	return -ENOENT;
}

static inline struct probe_btf_info probe_btf_info(const struct probe_btf_type *type)
{
	return (struct probe_btf_info){};
}
#endif

#endif /* _TRACE_PROBE_ARG_PROBE_BTF_H */
