// SPDX-License-Identifier: GPL-2.0
/* Data that users of function graph keep with calls and with tasks, on the return stack. */
#include <linux/ftrace.h>

#include "ftrace/fgraph/fgraph.h"
#include "ftrace/fgraph/ret_stack.h"

/* Before each piece of data: index of its user, and number of words. */
#define PIECE_IDX	0xff
#define PIECE_SHIFT	8

#define PIECE_MAX	256	/* bytes */

/* Size in bytes of a piece of data with so many words */
static unsigned long fgraph_data_size(unsigned long words)
{
	return (words + 1) * sizeof(long);
}

/**
 * fgraph_reserve_data - reserve data that is kept with a call until it returns
 * @idx: index of the user
 * @size_bytes: size of the data, at most 256
 *
 * Context: the user's entryfunc
 *
 * Return: the memory, or NULL if there is no space left
 */
void *fgraph_reserve_data(int idx, int size_bytes)
{
	struct fgraph_ret_stack *stack = ret_stack_of(current);
	unsigned long *piece, words;
	long data;

	if (size_bytes <= 0 || size_bytes > PIECE_MAX || !stack)
		return NULL;

	words = DIV_ROUND_UP(size_bytes, sizeof(long));
	data = READ_ONCE(stack->data) - (long)fgraph_data_size(words);
	if (data < READ_ONCE(current->curr_ret_stack))
		return NULL;

	/* An interrupt may reserve more, below this, and gives it back. */
	WRITE_ONCE(stack->data, data);
	barrier();
	piece = ret_stack_at(stack, data);
	*piece = idx | words << PIECE_SHIFT;
	return piece + 1;
}

/**
 * fgraph_retrieve_data - get the data that was kept with a call
 * @idx: index of the user
 * @size_bytes: set to the size of the data, rounded up to whole words
 *
 * Context: the user's retfunc
 *
 * Return: the memory, or NULL if no data was reserved
 */
void *fgraph_retrieve_data(int idx, int *size_bytes)
{
	struct fgraph_ret_stack *stack = ret_stack_of(current);
	int nr = ret_stack_nr(current);
	unsigned int at, words;

	if (!stack || !nr)
		return NULL;

	for (at = READ_ONCE(stack->data); at < stack->call[nr - 1].data;
	     at += fgraph_data_size(words)) {
		unsigned long *piece = ret_stack_at(stack, at);

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
 * graph_outer_data - get the data that was kept with the call around the current one
 * @idx: index of the user
 *
 * Calls without data of the user do not count.
 *
 * Context: the user's callbacks
 *
 * Return: the memory of the innermost call that has not returned, ignoring calls that are being
 * entered or are returning; NULL if there is no such call
 */
void *graph_outer_data(int idx)
{
	struct fgraph_ret_stack *stack = ret_stack_of(current);
	int nr = ret_stack_nr(current) - 1;
	unsigned long *piece;
	unsigned int at;

	/*
	 * If this call was made by an interrupt, skip records whose entry handler has not
	 * finished yet (key == 0): their time has not begun, and their data may not be
	 * initialized.
	 */
	while (nr && !READ_ONCE(stack->call[nr - 1].key))
		nr--;

	for (at = stack->call[nr].data; at < RET_STACK_ROOM;
	     at += fgraph_data_size(*piece >> PIECE_SHIFT)) {
		piece = ret_stack_at(stack, at);
		if ((*piece & PIECE_IDX) == idx)
			return piece + 1;
	}
	return NULL;
}

/**
 * fgraph_get_task_var - get the variable that a user has in each task
 * @gops: the user
 *
 * It is 0 when the task enters the first function that the user traces, and is kept as long as
 * the user is registered.
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
