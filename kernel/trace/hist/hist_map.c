// SPDX-License-Identifier: GPL-2.0
/*
 * A map of fixed size that any context inserts into without a lock. See hist_map.h.
 *
 * Open addressing: a key's hash tells the first slot, and a look-up goes on to the next slot
 * until it finds the key, or a free slot. A slot changes once, from 0 to the number of an
 * element and its hash, by one compare-and-exchange; the element is complete by then. So a
 * look-up never meets an element that is half there, and a key is in one slot at most: whoever
 * inserts it has seen all slots before that one taken by other keys, and they stay so.
 *
 * To insert is to take an element that nobody has, write the key into it, and put it into the
 * slot. Somebody else, or an interrupt, may have put the same key there meanwhile: then the
 * element is not needed, and goes to the list of spare ones. The head of that list has a number
 * that grows with each change, so that an element that went and came back is noticed.
 *
 * Ordered accesses:
 *
 *	map:A in map_publish() releases a complete element, for map:B in map_slot(), which
 *	acquires it.
 *	map:C in map_put_spare() releases the link of a spare element, for map:D in
 *	map_take_spare(), which reads the link and knows by map:E that it was the right one.
 */
#include "hist/env.h"
#include "hist/hist_map.h"

/* An odd number without a pattern: 2^64 divided by the golden ratio. */
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
 * Elements that nobody has. A spare one links to the next by its first word. Numbers of
 * elements are one more here, and 0 for none.
 */

static unsigned int map_take_spare(struct hist_map *map)
{
	u64 head = atomic64_read_acquire(&map->spare);	/* map:D */

	while (head & ELT_MASK) {
		u64 *elt = map_elt(map, (head & ELT_MASK) - 1);
		/* Somebody may have taken it, and write a key; head is another one then. */
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

/* Put an element into a free slot. Return: what is in the slot now */
static u64 map_publish(struct hist_map *map, unsigned int slot, const u64 *key,
		       unsigned int hash, unsigned int nr)
{
	u64 *elt = map_elt(map, nr - 1), new = (u64)hash << SLOT_BITS | nr;
	s64 old = 0;
	unsigned int i;

	/* Somebody may read the link that the element had as a spare one. */
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

/* Return: the element of a key; NULL if there is none, and *@slot is the free slot it would have */
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

/* From @slot on, which is free. @slot goes around once at most: half of the slots stay free. */
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
 * hist_map_insert - find the element of a key, and make it if there is none
 * @map: the map
 * @key: the key
 *
 * Context: any
 *
 * Return: the element; NULL if there is no room for it, which is counted
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
 * hist_map_at - the element in a slot
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
 * hist_map_make - make an empty map
 * @max: how many elements it can have, a power of 2, 2^30 at most
 * @key_words: words of a key, not 0
 * @value_words: words of an element behind its key
 *
 * May sleep.
 *
 * Return: the map, or NULL if there is no memory
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
	map->elts = kvcalloc(max, array_size(map->elt_words, sizeof(*map->elts)), GFP_KERNEL);
	if (!map->slots || !map->elts) {
		hist_map_free(map);
		return NULL;
	}

	return map;
}

/**
 * hist_map_free - free a map
 * @map: a map that nobody uses, or NULL
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
