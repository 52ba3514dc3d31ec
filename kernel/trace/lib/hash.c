// SPDX-License-Identifier: GPL-2.0
/* Sets of addresses: sorted arrays that never change. See hash.h. */
#include "lib/array.h"
#include "lib/hash.h"

static struct ftrace_hash *hash_alloc(unsigned int count, gfp_t gfp)
{
	struct ftrace_hash *hash;

	hash = kvmalloc(struct_size(hash, ip, count), gfp);
	if (hash)
		hash->count = count;
	return hash;
}

/* Drop repeated members of a sorted set. */
static void hash_drop_repeated(struct ftrace_hash *hash)
{
	unsigned int i, kept = 0;

	for (i = 0; i < hash->count; i++)
		if (!i || hash->ip[i] != hash->ip[i - 1])
			hash->ip[kept++] = hash->ip[i];
	hash->count = kept;
}

/* A pass over many addresses that are sorted already costs far less than sort(). */
static bool hash_is_sorted(const struct ftrace_hash *hash)
{
	unsigned int i;

	for (i = 1; i < hash->count; i++)
		if (hash->ip[i] <= hash->ip[i - 1])
			return false;
	return true;
}

/**
 * ftrace_hash_make - make a set of addresses
 * @ip: addresses, in any order, repeated or not
 * @count: number of addresses, may be 0
 *
 * Context: may sleep
 *
 * Return: the set, or NULL if out of memory
 */
struct ftrace_hash *ftrace_hash_make(const unsigned long *ip, unsigned int count)
{
	struct ftrace_hash *hash = hash_alloc(count, GFP_KERNEL);

	if (!hash)
		return NULL;

	if (count)
		memcpy(hash->ip, ip, count * sizeof(*ip));
	if (!hash_is_sorted(hash)) {
		sort(hash->ip, count, sizeof(*ip), ftrace_compare_addr, NULL);
		hash_drop_repeated(hash);
	}
	return hash;
}

/**
 * ftrace_hash_union - make the union of two sets
 * @a: a set, NULL for an empty one
 * @b: a set, NULL for an empty one
 *
 * Context: may sleep
 *
 * Return: a new set, or NULL if out of memory
 */
struct ftrace_hash *ftrace_hash_union(const struct ftrace_hash *a,
				      const struct ftrace_hash *b)
{
	unsigned int na = a ? a->count : 0, nb = b ? b->count : 0;
	unsigned int i = 0, j = 0, kept = 0;
	struct ftrace_hash *hash = hash_alloc(na + nb, GFP_KERNEL);

	if (!hash)
		return NULL;

	while (i < na || j < nb) {
		if (j == nb || (i < na && a->ip[i] < b->ip[j])) {
			hash->ip[kept++] = a->ip[i++];
			continue;
		}
		if (i < na && a->ip[i] == b->ip[j])
			i++;
		hash->ip[kept++] = b->ip[j++];
	}
	hash->count = kept;
	return hash;
}

/**
 * ftrace_hash_minus - make the set of members of one set that are not in another
 * @a: a set, NULL for an empty one
 * @b: a set, NULL for an empty one
 *
 * Context: may sleep
 *
 * Return: a new set, or NULL if out of memory
 */
struct ftrace_hash *ftrace_hash_minus(const struct ftrace_hash *a,
				      const struct ftrace_hash *b)
{
	unsigned int na = a ? a->count : 0, nb = b ? b->count : 0;
	unsigned int i, j = 0, kept = 0;
	struct ftrace_hash *hash = hash_alloc(na, GFP_KERNEL);

	if (!hash)
		return NULL;

	for (i = 0; i < na; i++) {
		while (j < nb && b->ip[j] < a->ip[i])
			j++;
		if (j == nb || b->ip[j] != a->ip[i])
			hash->ip[kept++] = a->ip[i];
	}
	hash->count = kept;
	return hash;
}

/**
 * ftrace_hash_copy - make a copy of a set
 * @hash: a set, NULL for an empty one
 * @gfp: GFP_KERNEL, or with __GFP_NOFAIL
 *
 * Only the caller uses the copy, and may remove members from it.
 *
 * Context: may sleep
 *
 * Return: a new set, or NULL if out of memory
 */
struct ftrace_hash *ftrace_hash_copy(const struct ftrace_hash *hash, gfp_t gfp)
{
	unsigned int count = hash ? hash->count : 0;
	struct ftrace_hash *copy = hash_alloc(count, gfp);

	if (copy && count)
		memcpy(copy->ip, hash->ip, count * sizeof(*hash->ip));
	return copy;
}

/**
 * ftrace_hash_free - free a set
 * @hash: the set, or NULL
 *
 * Context: may sleep
 */
void ftrace_hash_free(struct ftrace_hash *hash)
{
	kvfree(hash);
}

static __always_inline unsigned int hash_lower_bound(const struct ftrace_hash *hash,
						     unsigned long ip)
{
	return ftrace_lower_bound(hash->ip, hash->count, sizeof(*hash->ip), ip);
}

/**
 * ftrace_hash_index - find an address in a set
 * @hash: the set
 * @ip: the address
 *
 * Context: any, NMI included; like ftrace_hash_has() called for each call of a traced function
 *
 * Return: the index, or -1 if it is not there
 */
int ftrace_hash_index(const struct ftrace_hash *hash, unsigned long ip)
{
	unsigned int i = hash_lower_bound(hash, ip);

	return i < hash->count && hash->ip[i] == ip ? i : -1;
}

NOKPROBE_SYMBOL(ftrace_hash_index);

/**
 * ftrace_hash_has - is an address in a set?
 * @hash: the set
 * @ip: the address
 *
 * Context: any, NMI included
 */
bool ftrace_hash_has(const struct ftrace_hash *hash, unsigned long ip)
{
	return ftrace_hash_index(hash, ip) >= 0;
}

NOKPROBE_SYMBOL(ftrace_hash_has);

/**
 * ftrace_hash_touches - is any address of a range in a set?
 * @hash: the set
 * @start: first address of the range
 * @end: end of the range, exclusive
 */
bool ftrace_hash_touches(const struct ftrace_hash *hash, unsigned long start,
			 unsigned long end)
{
	unsigned int i = hash_lower_bound(hash, start);

	return i < hash->count && hash->ip[i] < end;
}

/**
 * ftrace_hash_same - do two sets have the same members?
 * @a: a set, or NULL, which differs from a set without members
 * @b: a set, or NULL
 */
bool ftrace_hash_same(const struct ftrace_hash *a, const struct ftrace_hash *b)
{
	if (!a || !b)
		return a == b;

	return a->count == b->count &&
	       !memcmp(a->ip, b->ip, a->count * sizeof(*a->ip));
}
