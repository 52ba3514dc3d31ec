// SPDX-License-Identifier: GPL-2.0
/*
 * What users of function graph keep with calls and with tasks: on the return stack.
 */
#include <linux/ftrace.h>

#include "ftrace/fgraph/fgraph.h"
#include "ftrace/fgraph/ret_stack.h"

/* Before each piece of data: idx of its user, and its number of words. */
#define PIECE_IDX	0xff
#define PIECE_SHIFT	8

#define PIECE_MAX	256	/* bytes */

/**
 * fgraph_reserve_data - keep data with a call, until it returns
 * @idx: of the user
 * @size_bytes: at most 256
 *
 * Context: the user's entryfunc
 *
 * Return: the memory, or NULL if there is no room for it
 */
void *fgraph_reserve_data(int idx, int size_bytes)
{
	struct fgraph_ret_stack *stack = ret_stack_of(current);
	unsigned long *piece;
	long words, data;

	if (size_bytes <= 0 || size_bytes > PIECE_MAX || !stack)
		return NULL;

	words = DIV_ROUND_UP(size_bytes, sizeof(long));
	/* May be negative, so words must be signed. */
	data = READ_ONCE(stack->data) - words - 1;
	piece = ret_stack_words(stack) + data;
	if (piece < (unsigned long *)&stack->call[READ_ONCE(current->curr_ret_stack)])
		return NULL;

	/* An interrupt may reserve more, below this, and gives it back. */
	WRITE_ONCE(stack->data, data);
	barrier();
	*piece = idx | words << PIECE_SHIFT;
	return piece + 1;
}

/**
 * fgraph_retrieve_data - the data that was kept with a call
 * @idx: of the user
 * @size_bytes: set to its size, rounded up to whole words
 *
 * Context: the user's retfunc
 *
 * Return: the memory, or NULL if none was reserved
 */
void *fgraph_retrieve_data(int idx, int *size_bytes)
{
	struct fgraph_ret_stack *stack = ret_stack_of(current);
	int nr = READ_ONCE(current->curr_ret_stack);
	unsigned int i, words;

	if (!stack || !nr)
		return NULL;

	for (i = READ_ONCE(stack->data); i < stack->call[nr - 1].data; i += words + 1) {
		unsigned long *piece = ret_stack_words(stack) + i;

		words = *piece >> PIECE_SHIFT;
		if ((*piece & PIECE_IDX) != idx)
			continue;
		if (size_bytes)
			*size_bytes = words * sizeof(long);
		return piece + 1;
	}
	return NULL;
}

/**
 * graph_outer_data - the data that was kept with the call around the current one
 * @idx: of the user
 *
 * Calls with which the user has kept nothing do not count.
 *
 * Context: the user's callbacks
 *
 * Return: the memory of the innermost of the calls that have not returned, without those that
 * are being entered or return; NULL if there is none
 */
void *graph_outer_data(int idx)
{
	struct fgraph_ret_stack *stack = ret_stack_of(current);
	int nr = READ_ONCE(current->curr_ret_stack) - 1;
	unsigned long *piece;
	unsigned int i;

	/*
	 * If this call came in an interrupt, another one may be being entered: its time has
	 * not begun, and what it has reserved may not have been written yet.
	 */
	while (nr && !READ_ONCE(stack->call[nr - 1].key))
		nr--;

	for (i = stack->call[nr].data; i < RET_STACK_WORDS;
	     i += (*piece >> PIECE_SHIFT) + 1) {
		piece = ret_stack_words(stack) + i;
		if ((*piece & PIECE_IDX) == idx)
			return piece + 1;
	}
	return NULL;
}

/**
 * fgraph_get_task_var - a variable that a user has in each task
 * @gops: the user
 *
 * It is 0 when the task enters the first of the functions that the user traces, and
 * is kept for as long as the user is registered.
 *
 * Context: the user's callbacks
 *
 * Return: the variable of the current task
 */
unsigned long *fgraph_get_task_var(struct fgraph_ops *gops)
{
	struct fgraph_ret_stack *stack = ret_stack_of(current);

	return stack ? &stack->var[gops->idx] : NULL;
}
