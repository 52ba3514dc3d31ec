/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arguments of probes.
 */
#ifndef _TRACE_PROBE_ARG_PROBE_ARGS_H
#define _TRACE_PROBE_ARG_PROBE_ARGS_H

#include <linux/types.h>

#include "probe/arg/probe_fetch.h"

struct probe_argtype;
struct probe_def;
struct trace_event_call;

#define PROBE_ARGS_MAX		128
#define PROBE_ARRAY_MAX		64

/* Place of a probe, which determines the possible arguments. */
#define PROBE_AT_ENTRY		0x1	/* entry of a function: $argN */
#define PROBE_AT_RETURN		0x2	/* function return: $retval, and $argN if it was saved */
#define PROBE_AT_TRACEPOINT	0x4	/* with PROBE_AT_ENTRY: $arg1 is the second argument */
#define PROBE_NO_REGISTERS	0x8	/* registers cannot be named */
#define PROBE_ON_EVENT		0x10	/* fields of the event instead of registers and stack */
#define PROBE_AT_USER		0x20	/* in a program: memory is in user space */
#define PROBE_WAITS		0x40	/* its module is not loaded yet, with its symbols */

/**
 * struct probe_place - source of a probe's arguments
 * @flags: PROBE_AT_ENTRY and similar flags
 * @call: event that the probe is on, with PROBE_ON_EVENT
 * @function: name of the function or the tracepoint, or NULL
 */
struct probe_place {
	unsigned int		flags;
	struct trace_event_call	*call;
	const char		*function;
};

/**
 * struct probe_arg - an argument
 * @name: its name, which is also the name of the field
 * @text: its value as written, without the name
 * @type: its type
 * @nr: number of values in an array, 0 if it is not an array
 * @c_type: its type in the format file
 * @offset: offset of the field in the entry
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
 * struct probe_arg_symbol - a symbol in a value, whose address changes when its module is loaded
 * @name: its name
 * @offset: offset from its address
 * @step: index of the step PROBE_OP_IMMEDIATE with the sum, or 0 if there is no such symbol now
 */
struct probe_arg_symbol {
	char			*name;
	long			offset;
	unsigned int		step;
};

/**
 * struct probe_args - the arguments of a probe
 * @nr: number of arguments
 * @nr_steps: number of steps of the program
 * @nr_symbols: number of symbols
 * @nr_kept: number of words saved at the entry of the function, for a probe at its return
 * @head: size of an entry before the arguments, in bytes
 * @size: size of the fixed part of an entry, in bytes
 * @has_strings: true if an entry can be longer
 * @reads_user: true if user space memory is read
 * @arg: the arguments
 * @steps: the program that fetches all of them
 * @symbols: the symbols
 */
struct probe_args {
	unsigned int		nr;
	unsigned int		nr_steps;
	unsigned int		nr_symbols;
	unsigned int		nr_kept;
	unsigned int		head;
	unsigned int		size;
	bool			has_strings;
	bool			reads_user;
	struct probe_arg	*arg;
	struct probe_step	*steps;
	struct probe_arg_symbol	*symbols;
};

int probe_args_parse(struct probe_args *args, struct probe_def *def, unsigned int first,
		     const struct probe_place *place, unsigned int head);
void probe_args_free(struct probe_args *args);
bool probe_args_same(const struct probe_args *a, const struct probe_args *b, bool text);

#endif /* _TRACE_PROBE_ARG_PROBE_ARGS_H */
