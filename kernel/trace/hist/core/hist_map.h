/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A lock-free map of fixed size from keys to elements.
 *
 * An element is found by its key, or inserted, in any context including NMI, without a lock and
 * without an allocation. Elements are never removed: to empty a map, replace it by a new one.
 *
 * A key is an array of 64-bit words. An element is its key followed by words that are initially
 * 0 and are changed by the user of the map.
 */
#ifndef _TRACE_HIST_HIST_MAP_H
#define _TRACE_HIST_HIST_MAP_H

#include "hist/core/env.h"

/**
 * struct hist_map - a map
 * @max: maximum number of elements
 * @shift: the bits of a hash from this one on are the index of the first slot
 * @key_words: number of words of a key
 * @elt_words: number of words of an element, including the key
 * @used: number of elements that were ever taken
 * @spare: list of elements that were taken but not needed, see hist_map.c
 * @drops: number of keys that did not fit
 * @slots: hash and number of an element each, twice as many as elements; 0 for a free slot
 * @elts: the elements
 */
struct hist_map {
	unsigned int	max;
	unsigned int	shift;
	unsigned int	key_words;
	unsigned int	elt_words;
	atomic_t	used;
	atomic64_t	spare;
	atomic64_t	drops;
	atomic64_t	*slots;
	u64		*elts;
};

struct hist_map *hist_map_make(unsigned int max, unsigned int key_words,
			       unsigned int value_words);
void hist_map_free(struct hist_map *map);
u64 *hist_map_insert(struct hist_map *map, const u64 *key);
u64 *hist_map_find(struct hist_map *map, const u64 *key);
u64 *hist_map_at(struct hist_map *map, unsigned int slot);

/* hist_map_slots - get the number of slots, for hist_map_at() */
static inline unsigned int hist_map_slots(const struct hist_map *map)
{
	return 2 * map->max;
}

/* hist_map_drops - get the number of failed hist_map_insert() */
static inline u64 hist_map_drops(struct hist_map *map)
{
	return atomic64_read(&map->drops);
}

/* hist_map_values - get the words of an element after its key */
static inline u64 *hist_map_values(const struct hist_map *map, u64 *elt)
{
	return elt + map->key_words;
}

#endif /* _TRACE_HIST_HIST_MAP_H */
