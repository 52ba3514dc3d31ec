/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The arguments of probes.
 */
#ifndef _TRACE_PROBE_ARG_PROBE_ARGS_H
#define _TRACE_PROBE_ARG_PROBE_ARGS_H

#include <linux/types.h>

#include "probe/arg/probe_fetch.h"

struct probe_argtype;
struct probe_words;
struct trace_event_call;

#define PROBE_ARGS_MAX		128
#define PROBE_ARRAY_MAX		64

/* Where a probe is, which says what its arguments can be. */
#define PROBE_AT_ENTRY		0x1	/* where a function begins: $argN */
#define PROBE_AT_RETURN		0x2	/* where one returns: $retval, and $argN if it was kept */
#define PROBE_AT_TRACEPOINT	0x4	/* with PROBE_AT_ENTRY: $arg1 is the second argument */
#define PROBE_NO_REGISTERS	0x8	/* there are no registers with names */
#define PROBE_ON_EVENT		0x10	/* fields of the event in place of registers and stack */
#define PROBE_AT_USER		0x20	/* in a program: memory is that of user space */

/**
 * struct probe_place - where the arguments of a probe come from
 * @flags: PROBE_AT_ENTRY and the like
 * @call: the event that the probe is on, with PROBE_ON_EVENT
 * @function: the name of the function or the tracepoint, NULL if there is none
 */
struct probe_place {
	unsigned int		flags;
	struct trace_event_call	*call;
	const char		*function;
};

/**
 * struct probe_arg - an argument
 * @name: its name, which is that of a field
 * @text: as it was written, without the name
 * @type: its type
 * @nr: how many values an array has, 0 for anything else
 * @c_type: its type in the format file
 * @offset: of the field in the entry
 */
struct probe_arg {
	char			*name;
	char			*text;
	const struct probe_argtype	*type;
	unsigned int		nr;
	char			*c_type;
	unsigned int		offset;
};

/**
 * struct probe_args - the arguments of a probe
 * @nr: how many
 * @nr_steps: steps of the program
 * @nr_kept: words to be kept when the function begins, for one at its return
 * @head: bytes of an entry before the arguments
 * @size: bytes of the fixed part of an entry
 * @has_strings: whether an entry can be longer
 * @reads_user: whether memory of user space is read
 * @arg: the arguments
 * @steps: the program that gets all of them
 */
struct probe_args {
	unsigned int		nr;
	unsigned int		nr_steps;
	unsigned int		nr_kept;
	unsigned int		head;
	unsigned int		size;
	bool			has_strings;
	bool			reads_user;
	struct probe_arg	*arg;
	struct probe_step	*steps;
};

int probe_args_parse(struct probe_args *args, struct probe_words *words, unsigned int first,
		     const struct probe_place *place, unsigned int head);
void probe_args_free(struct probe_args *args);
bool probe_args_same(const struct probe_args *a, const struct probe_args *b, bool text);

#endif /* _TRACE_PROBE_ARG_PROBE_ARGS_H */
