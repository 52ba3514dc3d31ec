/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values of histograms: the value of a key, sum, variable or parameter is a flat program that
 * is run at each hit.
 *
 * A value is a number, a string, a stack trace or a bitmask. The program of a number is for a
 * stack machine: a step pushes a number, or replaces one or two numbers by a result. Any other
 * value has a single step, which locates it.
 */
#ifndef _TRACE_HIST_HIST_VALUE_H
#define _TRACE_HIST_HIST_VALUE_H

#include <linux/trace_events.h>
#include <linux/types.h>

#include "event/core/value.h"

struct trace_trigger_run;

#define HIST_STEPS_MAX		32
#define HIST_DEPTH_MAX		8
#define HIST_REFS_MAX		16
#define HIST_VARS_MAX		16
#define HIST_TYPE_MAX		32

/* Output format of a number. */
enum hist_style {
	HIST_PLAIN,
	HIST_HEX,
	HIST_SYM,
	HIST_SYM_OFFSET,
	HIST_EXECNAME,
	HIST_SYSCALL,
	HIST_LOG2,
	HIST_BUCKETS,
	HIST_PERCENT,
	HIST_GRAPH,
};

/* Steps. The first group pushes a number. */
enum hist_op {
	HIST_OP_U8, HIST_OP_S8, HIST_OP_U16, HIST_OP_S16, HIST_OP_U32, HIST_OP_S32, HIST_OP_64,
	HIST_OP_CONST,
	HIST_OP_TIME,
	HIST_OP_CPU,
	HIST_OP_REF,		/* value of another histogram's variable */
	HIST_OP_USECS,
	HIST_OP_NEG,
	HIST_OP_LOG2,
	HIST_OP_BUCKET,
	HIST_OP_ADD, HIST_OP_SUB, HIST_OP_MUL, HIST_OP_DIV,
	/* strings */
	HIST_OP_TEXT,		/* at a fixed offset in the entry */
	HIST_OP_TEXT_REST,	/* up to the end of the entry */
	HIST_OP_TEXT_DYN,	/* at the offset in a __data_loc */
	HIST_OP_TEXT_REL,	/* at the offset in a __rel_loc */
	HIST_OP_TEXT_PTR,	/* in kernel memory */
	HIST_OP_COMM,		/* comm of the task */
	HIST_OP_TEXT_REF,
	/* stack traces */
	HIST_OP_STACK,		/* stack trace of the task */
	HIST_OP_STACK_DYN,	/* at the offset in a __data_loc */
	HIST_OP_STACK_REF,
	/* bitmasks */
	HIST_OP_MASK_DYN,	/* at the offset in a __data_loc */
	HIST_OP_MASK_REL,	/* at the offset in a __rel_loc */
	HIST_OP_MASK_REF,
};

/**
 * struct hist_step - a step
 * @op: enum hist_op
 * @size: size of the field in the entry, or of the function at @value
 * @offset: offset of the field, or number of the reference
 * @value: the constant, the bucket size, or a function that stack traces do not begin with
 */
struct hist_step {
	u8	op;
	u16	size;
	u16	offset;
	u64	value;
};

/**
 * struct hist_value - a value
 * @text: text as shown in the trigger
 * @label: text as shown in the histogram, without modifiers; NULL for @text
 * @type: C type, possibly truncated; a copy, as the event may be removed. "" for u64
 * @kind: kind of value
 * @style: output format
 * @is_signed: the number is signed
 * @size: size of the number's type in bytes
 * @bucket: bucket size of HIST_BUCKETS
 * @words: number of words where it is stored
 * @at: its offset in the values of an element, or in the key
 * @nr: number of steps
 * @step: the program
 */
struct hist_value {
	char			*text;
	char			*label;
	char			type[HIST_TYPE_MAX];
	enum value_kind		kind;
	enum hist_style		style;
	bool			is_signed;
	u8			size;
	u64			bucket;
	unsigned int		words;
	unsigned int		at;
	unsigned int		nr;
	struct hist_step	*step;
};

/**
 * struct hist_hit - an occurrence of the event
 * @entry: its entry
 * @len: length of the entry
 * @time: its time stamp
 * @run: data passed to the trigger
 * @ref: values of references: numbers, or addresses of strings and stack traces
 */
struct hist_hit {
	const void			*entry;
	size_t				len;
	u64				time;
	const struct trace_trigger_run	*run;
	u64				ref[HIST_REFS_MAX];
};

u64 hist_number_run(const struct hist_value *value, const struct hist_hit *hit);
const void *hist_words_at(const struct hist_value *value, const struct hist_hit *hit, u64 *buf,
			  unsigned int *max);
void hist_words_store(const struct hist_value *value, const struct hist_hit *hit, u64 *to);

void hist_value_free(struct hist_value *value);

/* hist_number - compute a number at a hit */
static __always_inline u64 hist_number(const struct hist_value *value, const struct hist_hit *hit)
{
	const struct hist_step *step = value->step;

	/* Most numbers are a field of the entry. */
	if (likely(value->nr == 1)) {
		switch (step->op) {
		case HIST_OP_S32:
			return (s64)*(const s32 *)(hit->entry + step->offset);
		case HIST_OP_64:
			return *(const u64 *)(hit->entry + step->offset);
		}
	}

	return hist_number_run(value, hit);
}

/* hist_store - store a value */
static __always_inline void hist_store(const struct hist_value *value,
				       const struct hist_hit *hit, u64 *to)
{
	if (likely(value->kind == VALUE_NUMBER))
		*to = hist_number(value, hit);
	else
		hist_words_store(value, hit, to);
}

#endif /* _TRACE_HIST_HIST_VALUE_H */
