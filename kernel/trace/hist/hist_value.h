/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values of histograms: what a key, a sum, a variable or a parameter is, as a flat program that
 * is run at each hit.
 *
 * A value is a number, a string or a stack. The program of a number is for a machine with a
 * stack: a step pushes a number, or replaces one or two by a result. A string and a stack have
 * one step, which says where they are.
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

/* How a number is shown. */
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

/* Steps. The first ones push a number. */
enum hist_op {
	HIST_OP_U8, HIST_OP_S8, HIST_OP_U16, HIST_OP_S16, HIST_OP_U32, HIST_OP_S32, HIST_OP_64,
	HIST_OP_CONST,
	HIST_OP_TIME,
	HIST_OP_CPU,
	HIST_OP_REF,		/* what a variable of another histogram has */
	HIST_OP_USECS,
	HIST_OP_NEG,
	HIST_OP_LOG2,
	HIST_OP_BUCKET,
	HIST_OP_ADD, HIST_OP_SUB, HIST_OP_MUL, HIST_OP_DIV,
	/* strings */
	HIST_OP_TEXT,		/* in the entry, at a fixed place */
	HIST_OP_TEXT_REST,	/* up to the end of the entry */
	HIST_OP_TEXT_DYN,	/* where a __data_loc says */
	HIST_OP_TEXT_REL,	/* where a __rel_loc says */
	HIST_OP_TEXT_PTR,	/* in kernel memory */
	HIST_OP_COMM,		/* the name of the task */
	HIST_OP_TEXT_REF,
	/* stacks */
	HIST_OP_STACK,		/* of the task */
	HIST_OP_STACK_DYN,	/* where a __data_loc says */
	HIST_OP_STACK_REF,
};

/**
 * struct hist_step - a step
 * @op: enum hist_op
 * @size: of the field in the entry
 * @offset: of the field, or the number of the reference
 * @value: the constant, or the size of a bucket
 */
struct hist_step {
	u8	op;
	u16	size;
	u16	offset;
	u64	value;
};

/**
 * struct hist_value - a value
 * @text: as the trigger shows it
 * @label: as the histogram does: without modifiers; NULL for @text
 * @type: as in C
 * @kind: what it is
 * @style: how it is shown
 * @is_signed: of a number
 * @bucket: of HIST_BUCKETS
 * @words: how many it has where it is kept
 * @at: where it is kept in the values of an element, or in the key
 * @nr: steps
 * @step: the program
 */
struct hist_value {
	char			*text;
	char			*label;
	const char		*type;
	enum value_kind		kind;
	enum hist_style		style;
	bool			is_signed;
	u64			bucket;
	unsigned int		words;
	unsigned int		at;
	unsigned int		nr;
	struct hist_step	*step;
};

/**
 * struct hist_hit - an event that has happened
 * @entry: its entry
 * @len: its length
 * @time: when
 * @run: what the trigger was given
 * @ref: the numbers of references, or where their strings and stacks are
 */
struct hist_hit {
	const void			*entry;
	size_t				len;
	u64				time;
	const struct trace_trigger_run	*run;
	u64				ref[HIST_REFS_MAX];
};

u64 hist_number_run(const struct hist_value *value, const struct hist_hit *hit);
const void *hist_words_at(const struct hist_value *value, const struct hist_hit *hit, u64 *room,
			  unsigned int *max);
void hist_words_store(const struct hist_value *value, const struct hist_hit *hit, u64 *to);

void hist_value_free(struct hist_value *value);

/* hist_number - what a number is at a hit */
static __always_inline u64 hist_number(const struct hist_value *value, const struct hist_hit *hit)
{
	const struct hist_step *step = value->step;

	/* Most are a field of the entry. */
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

/* hist_store - keep a value */
static __always_inline void hist_store(const struct hist_value *value,
				       const struct hist_hit *hit, u64 *to)
{
	if (likely(value->kind == VALUE_NUMBER))
		*to = hist_number(value, hit);
	else
		hist_words_store(value, hit, to);
}

#endif /* _TRACE_HIST_HIST_VALUE_H */
