/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fetching of probe arguments: a program of steps, which probe_args.c compiles when the probe
 * is defined, and probe_fetch.c runs each time it is hit.
 */
#ifndef _TRACE_PROBE_ARG_PROBE_FETCH_H
#define _TRACE_PROBE_ARG_PROBE_FETCH_H

#include <linux/types.h>

struct pt_regs;
struct trace_array;
struct trace_stack_start;

/**
 * enum probe_op - operation of a step
 *
 * These set the current value, and store it if @put is set:
 * @PROBE_OP_REGISTER: a register; @arg is its offset in struct pt_regs
 * @PROBE_OP_STACK: the word @arg of the stack
 * @PROBE_OP_STACK_POINTER: the address of the stack
 * @PROBE_OP_ARGUMENT: the argument @arg of a function, at its entry, that is not in a register
 * @PROBE_OP_KEPT: the word @arg of the words saved at the entry of the function
 * @PROBE_OP_RETURNED: the return value of a function, at its return
 * @PROBE_OP_IMMEDIATE: @arg
 * @PROBE_OP_COMM: the address of the name of the task
 * @PROBE_OP_FIELD: the number of @len bytes at offset @arg of the entry that the probe is on,
 *	which is signed if @left is set
 * @PROBE_OP_FIELD_ADDRESS: the address of that offset
 * @PROBE_OP_FIELD_LOC: the address in the __data_loc at that offset; it counts from @to. Unknown
 *	if there are no bytes. The next step reads none behind them
 * @PROBE_OP_MAPPED: the address where the task has mapped the byte @arg of the file that the
 *	probe is in; unknown if it is not mapped
 *
 * These change the current value:
 * @PROBE_OP_LOAD: the word at its address plus @arg
 *
 * And these write to the entry, at @to:
 * @PROBE_OP_STORE: the low @put bytes of the value
 * @PROBE_OP_COPY: @len bytes from its address plus @arg
 * @PROBE_OP_BITS: no new value: shift the number of @len bytes at @to by @left and then by
 *	@right
 * @PROBE_OP_STRING: the string at its address plus @arg
 * @PROBE_OP_STRING_AT: the string that the word at its address plus @arg points to
 * @PROBE_OP_SYMSTR: the name of the value as a kernel address
 * @PROBE_OP_DENTRY: the name of the struct dentry at its address
 * @PROBE_OP_FILE: the name of the struct file at its address
 *
 * Memory that cannot be read makes the current value unknown, until the next step that sets it.
 * An unknown number is stored as 0, and an unknown string has no bytes, not even its NUL.
 *
 * Those up to PROBE_OP_LAST_KNOWN always know the value.
 */
enum probe_op {
	PROBE_OP_REGISTER,
	PROBE_OP_STACK,
	PROBE_OP_STACK_POINTER,
	PROBE_OP_ARGUMENT,
	PROBE_OP_KEPT,
	PROBE_OP_RETURNED,
	PROBE_OP_IMMEDIATE,
	PROBE_OP_COMM,
	PROBE_OP_FIELD,
	PROBE_OP_FIELD_ADDRESS,
	PROBE_OP_LAST_KNOWN = PROBE_OP_FIELD_ADDRESS,
	PROBE_OP_FIELD_LOC,
	PROBE_OP_MAPPED,
	PROBE_OP_LOAD,
	PROBE_OP_STORE,
	PROBE_OP_COPY,
	PROBE_OP_BITS,
	PROBE_OP_STRING,
	PROBE_OP_STRING_AT,
	PROBE_OP_SYMSTR,
	PROBE_OP_DENTRY,
	PROBE_OP_FILE,
};

/*
 * Kind of memory that a step reads; PROBE_STRING_USER applies to the string of
 * PROBE_OP_STRING_AT.
 */
#define PROBE_USER		0x1
#define PROBE_STRING_USER	0x2

/**
 * struct probe_step - a step
 * @op: enum probe_op
 * @user: PROBE_USER, PROBE_STRING_USER
 * @left: left shift, for PROBE_OP_BITS
 * @right: right shift, for PROBE_OP_BITS; bits shifted in have the sign of the number, or are 0
 * @put: number of bytes that are stored at @to: for PROBE_OP_STORE, and for the steps before it
 *	that always know the value; 0 if nothing is stored
 * @len: number of bytes
 * @to: offset in the entry
 * @arg: depends on @op
 */
struct probe_step {
	u8	op;
	u8	user;
	u8	left;
	union {
		u8	right;
		u8	put;
	};
	u16	len;
	u16	to;
	long	arg;
};

/**
 * struct probe_source_user - more about the source of values in a program
 * @mapped: performs PROBE_OP_MAPPED if @sleeps; returns 0 if there is no such address
 * @sleeps: the context may sleep: page faults are allowed when user space memory is read
 * @absent: set if user space memory was not present, or there is no such memory
 */
struct probe_source_user {
	unsigned long	(*mapped)(const struct probe_source_user *user, unsigned long offset);
	bool		sleeps;
	bool		absent;
};

/**
 * struct probe_source - source of values when a probe is hit
 * @regs: the registers
 * @kept: words saved at the entry of the function, or NULL
 * @tr: the only instance that gets an entry, NULL for all instances where the event is enabled
 * @entry: entry of the event that the probe is on, or NULL
 * @start: the place where stack traces of that event begin, or NULL
 * @user: more about a place in a program, otherwise NULL
 */
struct probe_source {
	struct pt_regs		*regs;
	const unsigned long	*kept;
	const struct trace_array	*tr;
	const void		*entry;
	const struct trace_stack_start	*start;
	struct probe_source_user	*user;
};

/* Maximum size of an entry: it fits in a page of the buffer, along with its headers. */
#define PROBE_ENTRY_MAX		4000

/*
 * A __data_loc field: offset of a string in the entry, and its length in bytes including the
 * NUL.
 */
#define PROBE_LOC(offset, len)	((u32)(len) << 16 | (offset))
#define PROBE_LOC_LEN(loc)	((loc) >> 16)
#define PROBE_LOC_OFFSET(loc)	((loc) & 0xffff)

unsigned int probe_fetch(const struct probe_step *steps, unsigned int nr,
			 const struct probe_source *source, void *entry, unsigned int size,
			 unsigned int max_size);

#endif /* _TRACE_PROBE_ARG_PROBE_FETCH_H */
