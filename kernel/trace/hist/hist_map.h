/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A map of fixed size from keys to elements.
 *
 * Any context, NMIs included, finds an element by its key, or inserts one, without a lock and
 * without an allocation. An element is never removed: to empty a map, put a new one in its
 * place.
 *
 * A key is an array of 64-bit words. An element is its key and, behind it, words that are 0 at
 * first and that the user of the map changes.
 */
#ifndef _TRACE_HIST_HIST_MAP_H
#define _TRACE_HIST_HIST_MAP_H

#include "hist/env.h"

/**
 * struct hist_map - a map
 * @max: how many elements it can have
 * @shift: the highest bits of a hash, from this one on, tell the first slot
 * @key_words: of a key
 * @elt_words: of an element, key included
 * @used: how many elements were ever taken
 * @spare: elements that were taken and not needed, see hist_map.c
 * @drops: how often there was no room for a key
 * @slots: an element and its hash each, twice as many as elements; 0 for a free one
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

/* hist_map_slots - the number of slots, for hist_map_at() */
static inline unsigned int hist_map_slots(const struct hist_map *map)
{
	return 2 * map->max;
}

/* hist_map_drops - how often hist_map_insert() has returned NULL */
static inline u64 hist_map_drops(struct hist_map *map)
{
	return atomic64_read(&map->drops);
}

/* hist_map_values - the words of an element that are not its key */
static inline u64 *hist_map_values(const struct hist_map *map, u64 *elt)
{
	return elt + map->key_words;
}

#endif /* _TRACE_HIST_HIST_MAP_H */
