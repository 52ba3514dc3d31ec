/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function prototypes from BTF: parameter names, and the form in which their values are
 * printed.
 */
#ifndef _TRACE_OUTPUT_BTF_PROTO_H
#define _TRACE_OUTPUT_BTF_PROTO_H

#include <linux/types.h>

/* Maximum number of parameters shown per function, and size of a parameter name with its NUL. */
#define PROTO_MOST	12
#define PROTO_NAME_MOST	40

/**
 * enum param_form - how the value of a parameter is shown
 * @PARAM_HEX: pointers, unsigned integers, and structs that fit in a register
 * @PARAM_SIGNED: signed integers and enums, in decimal
 * @PARAM_BOOL: true or false
 * @PARAM_ELSEWHERE: the value is not in integer registers, and does not use any
 * @PARAM_REST: the location of this value and of all that follow is unknown
 */
enum param_form {
	PARAM_HEX,
	PARAM_SIGNED,
	PARAM_BOOL,
	PARAM_ELSEWHERE,
	PARAM_REST,
};

/**
 * struct func_proto - the prototype of a function
 * @nr: number of parameters, including those beyond PROTO_MOST
 * @param: the parameters, with the size of their values in bytes; a name may be empty
 */
struct func_proto {
	unsigned int	nr;
	struct {
		enum param_form	form;
		u32		size;
		char		name[PROTO_NAME_MOST];
	} param[PROTO_MOST];
};

#ifdef CONFIG_DEBUG_INFO_BTF
bool func_proto_find(unsigned long ip, struct func_proto *proto);
#else
static inline bool func_proto_find(unsigned long ip, struct func_proto *proto)
{
	return false;
}
#endif

#endif /* _TRACE_OUTPUT_BTF_PROTO_H */
