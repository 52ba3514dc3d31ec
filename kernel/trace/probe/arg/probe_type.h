/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types of probe arguments.
 */
#ifndef _TRACE_PROBE_ARG_PROBE_TYPE_H
#define _TRACE_PROBE_ARG_PROBE_TYPE_H

#include <linux/types.h>

/**
 * enum probe_form - representation of a value in an entry
 * @PROBE_NUMBER: its low bytes
 * @PROBE_STRING: the string that it points to
 * @PROBE_USTRING: the user space string that it points to
 * @PROBE_SYMSTR: the name of the address, as a string
 * @PROBE_DENTRY: the name of the struct dentry that it points to, as a string
 * @PROBE_FILE: the name of the struct file that it points to, as a string
 */
enum probe_form {
	PROBE_NUMBER,
	PROBE_STRING,
	PROBE_USTRING,
	PROBE_SYMSTR,
	PROBE_DENTRY,
	PROBE_FILE,
};

/**
 * struct probe_argtype - a type
 * @name: its name in definitions
 * @c_type: its type in the format file
 * @format: printf() conversion of one value in the format file
 * @style: output of a number: 'u', 's', 'x', 'c', or 'S' for a symbol
 * @size: size of one value in the fixed part of an entry, in bytes
 * @form: enum probe_form
 */
struct probe_argtype {
	const char	*name;
	const char	*c_type;
	const char	*format;
	char		style;
	u8		size;
	u8		form;
};

/* probe_argtype_is_string - is a value a string after the fixed part of an entry? */
static inline bool probe_argtype_is_string(const struct probe_argtype *type)
{
	return type->form != PROBE_NUMBER;
}

/* probe_argtype_is_signed - may a number be negative? */
static inline bool probe_argtype_is_signed(const struct probe_argtype *type)
{
	return type->style == 's';
}

const struct probe_argtype *probe_argtype_find(const char *name, size_t len);
const struct probe_argtype *probe_argtype_number(unsigned int bits, bool is_signed);

#endif /* _TRACE_PROBE_ARG_PROBE_TYPE_H */
