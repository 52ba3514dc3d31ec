// SPDX-License-Identifier: GPL-2.0
/*
 * Sorting the elements of a histogram, by up to two keys.
 *
 * A rank is a number that represents a value. Strings and bitmasks need more than that: elements
 * with such a key, and few elements, are compared with each other. Others are distributed by one
 * byte of a rank after the other, beginning with the lowest byte of the last key. Bytes that are
 * the same in all ranks need no pass, so that small counts need one or two.
 */
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "hist/file/hist_sort.h"

/* With fewer elements, comparing them takes less time than counting bytes. */
#define SORT_BYTES_MIN	256

static u64 sort_rank(struct hist *hist, const struct hist_sort *sort, const u64 *elt)
{
	const struct hist_value *value = hist_value_nr(hist, sort->nr);
	u64 rank;

	if (sort->nr < hist->nr_vals)
		rank = elt[hist->key_words + value->at];
	else if (value->kind == VALUE_TEXT)
		rank = get_unaligned_be64(&elt[value->at]);
	else if (value->kind == VALUE_MASK)
		rank = elt[value->at + value->words - 1];
	else
		rank = elt[value->at] ^ (value->is_signed ? BIT_ULL(63) : 0);

	return sort->descending ? ~rank : rank;
}

/* Compare bitmasks as numbers. */
static int sort_compare_masks(const u64 *a, const u64 *b, unsigned int words)
{
	while (words--) {
		if (a[words] != b[words])
			return a[words] < b[words] ? -1 : 1;
	}

	return 0;
}

/* Does the rank of a key not represent its whole value? */
static bool sort_has_words(struct hist *hist, const struct hist_sort *sort)
{
	const struct hist_value *value = hist_value_nr(hist, sort->nr);

	return sort->nr >= hist->nr_vals && value->words > 1 && value->kind != VALUE_STACK;
}

/* Compare strings and bitmasks whose ranks are equal. */
static int sort_compare_words(struct hist *hist, const struct hist_sort *sort, const u64 *a,
			      const u64 *b)
{
	const struct hist_value *value = hist_value_nr(hist, sort->nr);
	int order;

	if (!sort_has_words(hist, sort))
		return 0;
	if (value->kind == VALUE_TEXT)
		order = memcmp(a + value->at, b + value->at, value->words * sizeof(u64));
	else
		order = sort_compare_masks(a + value->at, b + value->at, value->words);

	return sort->descending ? -order : order;
}

static int sort_compare(const void *a, const void *b, const void *priv)
{
	struct hist *hist = (struct hist *)priv;
	const struct hist_row *x = a, *y = b;
	unsigned int i;
	int order;

	for (i = 0; i < hist->nr_sort; i++) {
		if (x->rank[i] != y->rank[i])
			return x->rank[i] < y->rank[i] ? -1 : 1;
		order = sort_compare_words(hist, &hist->sort[i], x->elt, y->elt);
		if (order)
			return order;
	}

	return x->elt < y->elt ? -1 : x->elt > y->elt;
}

static unsigned int sort_byte(const struct hist_row *row, unsigned int key, unsigned int shift)
{
	return row->rank[key] >> shift & 0xff;
}

/* Distribute rows by a byte of a rank. Rows with equal bytes remain in their order. */
static void sort_by_byte(const struct hist_row *from, struct hist_row *to, unsigned int nr,
			 unsigned int key, unsigned int shift)
{
	unsigned int next[256] = {}, i, count, sum = 0;

	for (i = 0; i < nr; i++)
		next[sort_byte(&from[i], key, shift)]++;
	for (i = 0; i < 256; i++) {
		count = next[i];
		next[i] = sum;
		sum += count;
	}
	for (i = 0; i < nr; i++)
		to[next[sort_byte(&from[i], key, shift)]++] = from[i];
}

/* Return: the sorted array, one of @rows and @spare */
static struct hist_row *sort_by_bytes(struct hist_row *rows, struct hist_row *spare,
				      unsigned int nr, unsigned int key)
{
	unsigned int shift, i;
	u64 differs = 0;

	for (i = 1; i < nr; i++)
		differs |= rows[i].rank[key] ^ rows[0].rank[key];
	for (shift = 0; shift < 64; shift += 8) {
		if (!(differs >> shift & 0xff))
			continue;
		sort_by_byte(rows, spare, nr, key, shift);
		swap(rows, spare);
	}

	return rows;
}

/**
 * hist_sort - sort elements by the sort keys of their histogram
 * @hist: the histogram
 * @rows: the elements, in the order of their addresses; their ranks are set
 * @spare: another array of the same size
 * @nr: number of elements
 *
 * Return: the sorted array, one of @rows and @spare
 */
struct hist_row *hist_sort(struct hist *hist, struct hist_row *rows, struct hist_row *spare,
			   unsigned int nr)
{
	bool compare = nr < SORT_BYTES_MIN;
	struct hist_row *sorted = rows;
	unsigned int row, key;

	for (key = 0; key < hist->nr_sort; key++) {
		for (row = 0; row < nr; row++)
			rows[row].rank[key] = sort_rank(hist, &hist->sort[key], rows[row].elt);
		compare |= sort_has_words(hist, &hist->sort[key]);
	}

	if (compare) {
		sort_r(rows, nr, sizeof(*rows), sort_compare, NULL, hist);
		return rows;
	}

	for (key = hist->nr_sort; key--;)
		sorted = sort_by_bytes(sorted, sorted == rows ? spare : rows, nr, key);

	return sorted;
}
