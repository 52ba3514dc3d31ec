// SPDX-License-Identifier: GPL-2.0
/*
 * A map of fixed size with lock-free insertion in any context. See hist_map.h.
 *
 * Open addressing: the hash of a key determines the first slot, and a lookup continues with the
 * next slot until it finds the key, or a free slot. A slot changes only once, from 0 to the
 * number of an element and its hash, by one compare-and-exchange; the element is complete by
 * then. So a lookup never sees an incomplete element, and a key is in at most one slot: a
 * writer that inserts it has seen all previous slots taken by other keys, and they remain
 * taken.
 *
 * An insertion takes an unused element, writes the key to it, and stores it in the slot.
 * Another CPU, or an interrupt, may have stored the same key there concurrently: then the
 * element is not needed, and is added to the list of spare ones. The head of that list has a
 * number that is incremented with each change, to detect an element that was removed and added
 * again.
 *
 * Ordered accesses:
 *
 *	map:A in map_publish() releases a complete element, for map:B in map_slot(), which
 *	acquires it.
 *	map:C in map_put_spare() releases the link of a spare element, for map:D in
 *	map_take_spare(), which reads the link and verifies by map:E that the head has not changed.
 */
#include "hist/core/env.h"
#include "hist/core/hist_map.h"

/* An odd number without a bit pattern: 2^64 divided by the golden ratio. */
#define MAP_MULTIPLIER	0x61c8864680b583ebull

#define SLOT_BITS	32
#define ELT_MASK	0xffffffffull

static unsigned int map_hash(const u64 *key, unsigned int words)
{
	u64 hash = key[0] * MAP_MULTIPLIER;
	unsigned int i;

	for (i = 1; i < words; i++)
		hash = (hash ^ (hash >> 29) ^ key[i]) * MAP_MULTIPLIER;

	return hash >> SLOT_BITS;
}

static u64 *map_elt(struct hist_map *map, unsigned int nr)
{
	return map->elts + (size_t)nr * map->elt_words;
}

static bool map_same_key(const u64 *a, const u64 *b, unsigned int words)
{
	unsigned int i;

	for (i = 0; i < words; i++) {
		if (a[i] != b[i])
			return false;
	}

	return true;
}

/*
 * Spare elements, which are unused. The first word of each links to the next one. Element
 * numbers are incremented by one here, and 0 means no element.
 */

static unsigned int map_take_spare(struct hist_map *map)
{
	u64 head = atomic64_read_acquire(&map->spare);	/* map:D */

	while (head & ELT_MASK) {
		u64 *elt = map_elt(map, (head & ELT_MASK) - 1);
		/* If another CPU took it and is writing a key, the cmpxchg of head fails. */
		u64 next = READ_ONCE(*elt) & ELT_MASK;

		next |= ((head >> SLOT_BITS) + 1) << SLOT_BITS;
		if (atomic64_try_cmpxchg(&map->spare, (s64 *)&head, next))	/* map:E */
			return head & ELT_MASK;
	}

	return 0;
}

static void map_put_spare(struct hist_map *map, unsigned int nr)
{
	u64 head = atomic64_read(&map->spare), new;

	do {
		WRITE_ONCE(*map_elt(map, nr - 1), head & ELT_MASK);
		new = ((head >> SLOT_BITS) + 1) << SLOT_BITS | nr;
	} while (!atomic64_try_cmpxchg(&map->spare, (s64 *)&head, new));	/* map:C */
}

/* Return: an element, or 0 if all are taken */
static unsigned int map_take(struct hist_map *map)
{
	unsigned int nr = map_take_spare(map);

	if (nr)
		return nr;

	nr = atomic_fetch_add_unless(&map->used, 1, map->max);

	return nr < map->max ? nr + 1 : 0;
}

static u64 map_slot(struct hist_map *map, unsigned int slot)
{
	return atomic64_read_acquire(&map->slots[slot]);	/* map:B */
}

/* Store an element in a free slot. Return: the value in the slot afterwards */
static u64 map_publish(struct hist_map *map, unsigned int slot, const u64 *key,
		       unsigned int hash, unsigned int nr)
{
	u64 *elt = map_elt(map, nr - 1), new = (u64)hash << SLOT_BITS | nr;
	s64 old = 0;
	unsigned int i;

	/* Another CPU may still read the link that the element had as a spare one. */
	for (i = 0; i < map->key_words; i++)
		WRITE_ONCE(elt[i], key[i]);

	/* map:A, a full barrier. */
	return atomic64_try_cmpxchg(&map->slots[slot], &old, new) ? new : map_slot(map, slot);
}

static bool map_slot_has(struct hist_map *map, u64 slot, const u64 *key, unsigned int hash)
{
	return slot >> SLOT_BITS == hash &&
	       map_same_key(map_elt(map, (slot & ELT_MASK) - 1), key, map->key_words);
}

/* Return: the element of the key, or NULL, with *@slot set to a free slot for it */
static __always_inline u64 *map_look_up(struct hist_map *map, const u64 *key, unsigned int hash,
					unsigned int *slot)
{
	unsigned int mask = hist_map_slots(map) - 1;
	u64 there;

	for (*slot = hash >> map->shift;; *slot = (*slot + 1) & mask) {
		there = map_slot(map, *slot);
		if (!there)
			return NULL;
		if (map_slot_has(map, there, key, hash))
			return map_elt(map, (there & ELT_MASK) - 1);
	}
}

/* Insert from the free @slot on. It wraps around at most once: half of the slots remain free. */
static noinline u64 *map_insert_new(struct hist_map *map, const u64 *key, unsigned int hash,
				    unsigned int slot)
{
	unsigned int mine = map_take(map), mask = hist_map_slots(map) - 1;

	if (!mine) {
		atomic64_inc(&map->drops);
		return NULL;
	}

	for (;; slot = (slot + 1) & mask) {
		u64 there = map_slot(map, slot);

		if (!there)
			there = map_publish(map, slot, key, hash, mine);
		if ((there & ELT_MASK) == mine)
			return map_elt(map, mine - 1);
		if (map_slot_has(map, there, key, hash)) {
			map_put_spare(map, mine);
			return map_elt(map, (there & ELT_MASK) - 1);
		}
	}
}

/**
 * hist_map_insert - find the element of a key, or insert one
 * @map: the map
 * @key: the key
 *
 * Context: any
 *
 * Return: the element; NULL if the map has no space left, which is counted
 */
u64 *hist_map_insert(struct hist_map *map, const u64 *key)
{
	unsigned int hash = map_hash(key, map->key_words), slot;

	return map_look_up(map, key, hash, &slot) ?: map_insert_new(map, key, hash, slot);
}

/**
 * hist_map_find - find the element of a key
 * @map: the map
 * @key: the key
 *
 * Context: any
 *
 * Return: the element, or NULL
 */
u64 *hist_map_find(struct hist_map *map, const u64 *key)
{
	unsigned int slot;

	return map_look_up(map, key, map_hash(key, map->key_words), &slot);
}

/**
 * hist_map_at - get the element in a slot
 * @map: the map
 * @slot: less than hist_map_slots()
 *
 * Context: any
 *
 * Return: the element, whose key does not change; NULL if the slot is free
 */
u64 *hist_map_at(struct hist_map *map, unsigned int slot)
{
	u64 there = map_slot(map, slot);

	return there ? map_elt(map, (there & ELT_MASK) - 1) : NULL;
}

/**
 * hist_map_make - create an empty map
 * @max: maximum number of elements, a power of 2, at most 2^30
 * @key_words: number of words of a key, not 0
 * @value_words: number of words of an element after its key
 *
 * May sleep.
 *
 * Return: the map, or NULL if out of memory
 */
struct hist_map *hist_map_make(unsigned int max, unsigned int key_words,
			       unsigned int value_words)
{
	struct hist_map *map = kzalloc(sizeof(*map), GFP_KERNEL);

	if (!map)
		return NULL;

	map->max = max;
	map->shift = SLOT_BITS - 1 - ilog2(max);
	map->key_words = key_words;
	map->elt_words = key_words + value_words;
	map->slots = kvcalloc(hist_map_slots(map), sizeof(*map->slots), GFP_KERNEL);
	/* The size is chosen by users: more than the kernel can allocate is no fault of it. */
	map->elts = kvcalloc(max, array_size(map->elt_words, sizeof(*map->elts)),
			     GFP_KERNEL | __GFP_NOWARN);
	if (!map->slots || !map->elts) {
		hist_map_free(map);
		return NULL;
	}

	return map;
}

/**
 * hist_map_free - free a map
 * @map: a map that is no longer in use, or NULL
 *
 * May sleep.
 */
void hist_map_free(struct hist_map *map)
{
	if (!map)
		return;

	kvfree(map->elts);
	kvfree(map->slots);
	kfree(map);
}
