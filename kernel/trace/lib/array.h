/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arrays that are sorted by address, and arrays that grow.
 *
 * An element of a sorted array begins with its address, an unsigned long.
 */
#ifndef _TRACE_LIB_ARRAY_H
#define _TRACE_LIB_ARRAY_H

#include "lib/env.h"

/* For sort(): the order of two elements by their addresses. */
static inline int ftrace_compare_addr(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a;
	unsigned long y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

/**
 * ftrace_lower_bound - search an array that is sorted by address
 * @array: the array; each element begins with its address
 * @nr: number of elements
 * @size: size of an element in bytes
 * @addr: address to search for
 *
 * Context: any, NMI included
 *
 * Return: the index of the first element whose address is not below @addr, or @nr
 */
static __always_inline unsigned int
ftrace_lower_bound(const void *array, unsigned int nr, size_t size, unsigned long addr)
{
	unsigned int low = 0, high = nr;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;

		if (*(const unsigned long *)(array + mid * size) < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/**
 * ftrace_array_reserve - reserve space for one more element
 * @array: the array, allocated by this function, or NULL
 * @nr: number of elements in use
 * @max: capacity in elements; is updated
 * @size: size of an element in bytes
 * @gfp: allocation flags; with __GFP_ZERO in every call, elements that are not in use yet are
 *	zero
 *
 * Context: may sleep
 *
 * Return: the array, which may have moved and must be freed with kvfree(); NULL if out of
 * memory, with the old array unchanged
 */
static inline void *ftrace_array_reserve(void *array, unsigned int nr,
					 unsigned int *max, size_t size, gfp_t gfp)
{
	unsigned int more = *max ? 2 * *max : 64;

	if (nr < *max)
		return array;

	array = kvrealloc(array, array_size(more, size), gfp);
	if (array)
		*max = more;
	return array;
}

#endif /* _TRACE_LIB_ARRAY_H */
