/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of parsing an argument of a probe: probe_value.c parses its value, probe_args.c its
 * name and type.
 */
#ifndef _TRACE_PROBE_ARG_PROBE_PARSE_H
#define _TRACE_PROBE_ARG_PROBE_PARSE_H

#include <linux/types.h>

#include "probe/arg/probe_btf.h"
#include "probe/arg/probe_fetch.h"

struct probe_args;
struct probe_place;
struct probe_def;

/**
 * struct probe_parsing - state of parsing an argument
 * @args: all arguments of the probe
 * @def: the definition
 * @place: place of the probe
 * @btf: BTF of the function that the probe is on, looked up on first use
 * @max_steps: number of steps that memory was allocated for
 * @in_memory: the argument is in memory, at @offset from the current value
 * @offset: offset from the current value, if @in_memory
 * @user: PROBE_USER if that memory is in user space, otherwise 0
 * @is_text: the current value is the address of a kernel string, and can only be shown as a
 *	string
 * @may_be_text: the current value is an address that may have a string
 * @is_known: @type is set, to the type of the argument according to BTF
 * @type: the type
 * @bits: width of a bitfield, 0 if it is not a bitfield
 * @bit: offset of the bitfield, in bits
 * @name: default name of the argument, in @def; or NULL
 * @name_len: length of @name
 */
struct probe_parsing {
	struct probe_args		*args;
	struct probe_def		*def;
	const struct probe_place	*place;
	struct probe_btf		*btf;
	unsigned int			max_steps;
	bool				in_memory;
	long				offset;
	u8				user;
	bool				is_text;
	bool				may_be_text;
	bool				is_known;
	struct probe_btf_type		type;
	u8				bits;
	u8				bit;
	const char			*name;
	size_t				name_len;
};

int probe_parse_add(struct probe_parsing *parsing, struct probe_step step);
int probe_parse_follow(struct probe_parsing *parsing);
int probe_parse_value(struct probe_parsing *parsing, char *text);
int probe_parse_param(struct probe_parsing *parsing, unsigned int n);
int probe_parse_btf(struct probe_parsing *parsing);

#endif /* _TRACE_PROBE_ARG_PROBE_PARSE_H */
