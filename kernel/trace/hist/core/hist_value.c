// SPDX-License-Identifier: GPL-2.0
/*
 * Running the programs of histogram values at a hit, see hist_value.h.
 */
#include <linux/array_size.h>
#include <linux/bitops.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>

#include "event/record/trigger.h"
#include "hist/core/hist_value.h"

/* Division by zero, which is undefined in C, results in -1, as documented in histogram.rst. */
static u64 value_divide(u64 a, u64 b)
{
	return b ? div64_u64(a, b) : -1;
}

/* Base-2 logarithm of @value, rounded up. */
static u64 value_log2(u64 value)
{
	return value > 1 ? fls64(value - 1) : 0;
}

/* Fields of dynamic events may be unaligned. */
static u64 value_load(const struct hist_step *step, const struct hist_hit *hit)
{
	const void *at = hit->entry + step->offset;

	switch (step->op) {
	case HIST_OP_U8:
		return *(const u8 *)at;
	case HIST_OP_S8:
		return (s64)*(const s8 *)at;
	case HIST_OP_U16:
		return get_unaligned((const u16 *)at);
	case HIST_OP_S16:
		return (s64)get_unaligned((const s16 *)at);
	case HIST_OP_U32:
		return get_unaligned((const u32 *)at);
	case HIST_OP_S32:
		return (s64)get_unaligned((const s32 *)at);
	case HIST_OP_64:
		return get_unaligned((const u64 *)at);
	case HIST_OP_CONST:
		return step->value;
	case HIST_OP_TIME:
		return hit->time;
	case HIST_OP_CPU:
		return raw_smp_processor_id();
	default:
		return hit->ref[step->offset];
	}
}

static u64 value_change(const struct hist_step *step, u64 value)
{
	switch (step->op) {
	case HIST_OP_USECS:
		return div_u64(value, NSEC_PER_USEC);
	case HIST_OP_NEG:
		return -value;
	case HIST_OP_LOG2:
		return value_log2(value);
	default:
		return value_divide(value, step->value) * step->value;
	}
}

static u64 value_combine(const struct hist_step *step, u64 a, u64 b)
{
	switch (step->op) {
	case HIST_OP_ADD:
		return a + b;
	case HIST_OP_SUB:
		return a - b;
	case HIST_OP_MUL:
		return a * b;
	default:
		return value_divide(a, b);
	}
}

/**
 * hist_number_run - run the program of a number
 * @value: the number; the stack depth of its program was checked when it was compiled
 * @hit: the hit
 *
 * Context: any, preemption disabled
 */
u64 hist_number_run(const struct hist_value *value, const struct hist_hit *hit)
{
	const struct hist_step *step = value->step, *end = step + value->nr;
	u64 stack[HIST_DEPTH_MAX], *top = stack;

	for (; step < end; step++) {
		if (step->op <= HIST_OP_REF) {
			*top++ = value_load(step, hit);
		} else if (step->op <= HIST_OP_BUCKET) {
			top[-1] = value_change(step, top[-1]);
		} else {
			top--;
			top[-1] = value_combine(step, top[-1], *top);
		}
	}

	return stack[0];
}

/* Strings and stack traces. */

/* Locate the data of a __data_loc or __rel_loc. Return: NULL if it is not in the entry */
static const void *value_located(const struct hist_step *step, const struct hist_hit *hit,
				 size_t *len)
{
	u32 loc = get_unaligned((const u32 *)(hit->entry + step->offset));
	size_t offset = loc & 0xffff;

	if (step->op == HIST_OP_TEXT_REL || step->op == HIST_OP_MASK_REL)
		offset += step->offset + sizeof(loc);
	*len = loc >> 16;

	return offset + *len <= hit->len ? hit->entry + offset : NULL;
}

/* Words of another element may change concurrently. */
static void value_copy_words(u64 *to, const u64 *from, unsigned int words)
{
	while (words--)
		*to++ = READ_ONCE(*from++);
}

/* Locate a string in the entry. Return: NULL if it is not in the entry */
static const void *value_text_at(const struct hist_step *step, const struct hist_hit *hit,
				 size_t *len)
{
	switch (step->op) {
	case HIST_OP_TEXT_REST:
		*len = hit->len > step->offset ? hit->len - step->offset : 0;
		break;
	case HIST_OP_TEXT_DYN:
	case HIST_OP_TEXT_REL:
		return value_located(step, hit, len);
	case HIST_OP_COMM:
		*len = sizeof(current->comm);
		return current->comm;
	default:
		*len = step->size;
	}

	return hit->entry + step->offset;
}

static void value_store_text(const struct hist_value *value, const struct hist_hit *hit,
			     char *to, size_t size)
{
	const struct hist_step *step = value->step;
	const void *from;
	size_t len;

	if (step->op == HIST_OP_TEXT_PTR) {
		from = hit->entry + step->offset;
		from = (const void *)get_unaligned((const unsigned long *)from);
		/* An unreadable string is empty. */
		if (strncpy_from_kernel_nofault(to, from, size) < 0)
			*to = '\0';
		return;
	}

	from = value_text_at(step, hit, &len);
	if (from)
		memcpy(to, from, strnlen(from, min(len, size)));
}

/*
 * A stack trace begins in the code with the event. A tracepoint with several probes calls them by
 * a function of its own, which @step describes.
 */
static void value_store_here(const struct hist_step *step, const struct hist_hit *hit,
			     unsigned long *to)
{
	unsigned long callers[VALUE_STACK_MAX + 16];
	unsigned int n = trace_stack_save(callers, ARRAY_SIZE(callers), &hit->run->start);
	unsigned int first = n && callers[0] - step->value < step->size;

	memcpy(to, callers + first, min_t(size_t, n - first, VALUE_STACK_MAX) * sizeof(*to));
}

static void value_store_stack(const struct hist_value *value, const struct hist_hit *hit,
			      unsigned long *to)
{
	const void *from;
	size_t len;

	if (value->step->op == HIST_OP_STACK) {
		value_store_here(value->step, hit, to);
		return;
	}

	from = value_located(value->step, hit, &len);
	if (from)
		memcpy(to, from, min_t(size_t, len, VALUE_STACK_MAX * sizeof(*to)));
}

static void value_store_mask(const struct hist_value *value, const struct hist_hit *hit, u64 *to)
{
	size_t len;
	const void *from = value_located(value->step, hit, &len);

	if (from)
		memcpy(to, from, min_t(size_t, len, value->words * sizeof(*to)));
}

/**
 * hist_words_store - store a string, a stack trace or a bitmask
 * @value: value to store
 * @hit: the hit
 * @to: output; the remaining words are set to 0
 *
 * Context: any, preemption disabled
 */
noinline void hist_words_store(const struct hist_value *value, const struct hist_hit *hit, u64 *to)
{
	const struct hist_step *step = value->step;

	if (step->op == HIST_OP_TEXT_REF || step->op == HIST_OP_STACK_REF ||
	    step->op == HIST_OP_MASK_REF) {
		value_copy_words(to, (const u64 *)hit->ref[step->offset], value->words);
		return;
	}

	memset(to, 0, value->words * sizeof(*to));
	if (value->kind == VALUE_TEXT)
		value_store_text(value, hit, (char *)to, value->words * sizeof(*to));
	else if (value->kind == VALUE_MASK)
		value_store_mask(value, hit, to);
	else
		value_store_stack(value, hit, (unsigned long *)to);
}

/**
 * hist_words_at - locate a string or a stack trace
 * @value: the string or stack trace
 * @hit: the hit
 * @buf: buffer where it may be stored first, VALUE_TEXT_MAX bytes
 * @max: set to the maximum length of a string in bytes, or of a stack trace in addresses; it
 *	may be terminated earlier by a 0
 *
 * Context: any, preemption disabled
 *
 * Return: the address, or NULL if the string or stack trace is not in the entry
 */
const void *hist_words_at(const struct hist_value *value, const struct hist_hit *hit, u64 *buf,
			  unsigned int *max)
{
	const struct hist_step *step = value->step;
	const void *at = NULL;
	size_t len = 0;

	switch (step->op) {
	case HIST_OP_TEXT_REF:
	case HIST_OP_STACK_REF:
		at = (const void *)(unsigned long)hit->ref[step->offset];
		len = value->words * sizeof(u64);
		break;
	case HIST_OP_TEXT_PTR:
	case HIST_OP_STACK:
		hist_words_store(value, hit, buf);
		at = buf;
		len = value->words * sizeof(u64);
		break;
	case HIST_OP_STACK_DYN:
		at = value_located(step, hit, &len);
		break;
	default:
		at = value_text_at(step, hit, &len);
	}
	*max = value->kind == VALUE_STACK ? len / sizeof(long) : len;

	return at;
}

/**
 * hist_value_free - free the data of a value
 * @value: the value
 */
void hist_value_free(struct hist_value *value)
{
	kfree(value->text);
	kfree(value->label);
	kfree(value->step);
	*value = (struct hist_value){};
}
