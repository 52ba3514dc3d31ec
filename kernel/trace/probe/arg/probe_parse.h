/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An argument of a probe while it is parsed: probe_value.c reads what it is, probe_args.c its
 * name and type.
 */
#ifndef _TRACE_PROBE_ARG_PROBE_PARSE_H
#define _TRACE_PROBE_ARG_PROBE_PARSE_H

#include <linux/types.h>

#include "probe/arg/probe_btf.h"
#include "probe/arg/probe_fetch.h"

struct probe_args;
struct probe_place;
struct probe_words;

/**
 * struct probe_parsing - an argument that is being parsed
 * @args: what it is one of
 * @words: what was written
 * @place: where values come from
 * @btf: of the function that the probe is on, looked up when it is needed
 * @room: steps that there is memory for
 * @in_memory: what is meant is not the value at hand, but the memory at
 * @offset: behind it,
 * @user: which is PROBE_USER, or the kernel's
 * @is_text: the value at hand is the address of a string of the kernel, and nothing else
 * @may_be_text: it is an address at which there may be a string
 * @has_type: the type of the argument was written
 * @is_known: @type is the type of what is meant, by BTF
 * @type: the type
 * @bits: width of a bitfield, 0 for anything else
 * @bit: where that begins, in bits
 * @name: what it is called if no name was written, in @words; or NULL
 * @name_len: bytes of @name
 */
struct probe_parsing {
	struct probe_args		*args;
	struct probe_words		*words;
	const struct probe_place	*place;
	struct probe_btf		*btf;
	unsigned int			room;
	bool				in_memory;
	long				offset;
	u8				user;
	bool				is_text;
	bool				may_be_text;
	bool				has_type;
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
