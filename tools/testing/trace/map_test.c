// SPDX-License-Identifier: GPL-2.0
/*
 * Maps of histograms (kernel/trace/hist/core/hist_map.c): every hit is in one element or counted as
 * dropped, even if threads and signals insert the same keys at once.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include "hist/core/hist_map.h"
#include "tap.h"

#define THREADS		4
#define HITS		40000
#define KEYS_MAX	4096

ENV_VARIABLES;

static struct hist_map *map;

static void key_of(u64 *key, u64 number, unsigned int words)
{
	unsigned int i;

	/* Keys that differ in only one word, each in another one. */
	for (i = 0; i < words; i++)
		key[i] = i == number % words ? number : 7;
}

static unsigned int elements(void)
{
	unsigned int slot, nr = 0;

	for (slot = 0; slot < hist_map_slots(map); slot++)
		nr += !!hist_map_at(map, slot);
	return nr;
}

static void fill_with(unsigned int max, unsigned int words)
{
	u64 key[4], *elt, *again;
	unsigned int i;

	map = hist_map_make(max, words, 2);
	for (i = 0; i < max; i++) {
		key_of(key, i, words);
		EXPECT(!hist_map_find(map, key));
		elt = hist_map_insert(map, key);
		if (!EXPECT(elt))
			break;
		EXPECT_EQ(hist_map_values(map, elt)[0], 0);
		EXPECT_EQ(hist_map_values(map, elt)[1], 0);
		hist_map_values(map, elt)[0] = i;
		again = hist_map_insert(map, key);
		EXPECT(again == elt);
		EXPECT(hist_map_find(map, key) == elt);
	}
	for (i = 0; i < max; i++) {
		key_of(key, i, words);
		elt = hist_map_find(map, key);
		if (EXPECT(elt))
			EXPECT_EQ(hist_map_values(map, elt)[0], i);
	}
	EXPECT_EQ(elements(), max);
	EXPECT_EQ(hist_map_drops(map), 0);
	for (; i < max + 10; i++) {
		key_of(key, i, words);
		EXPECT(!hist_map_find(map, key));
		EXPECT(!hist_map_insert(map, key));
	}
	EXPECT_EQ(hist_map_drops(map), 10);
	EXPECT_EQ(elements(), max);
	hist_map_free(map);
}

/* A map accepts exactly the requested number of keys. */
static void fills(void)
{
	unsigned int words;

	for (words = 1; words <= 4; words++) {
		fill_with(2, words);
		fill_with(128, words);
		fill_with(2048, words);
	}
	EXPECT_EQ(env_allocs_live, 0);
}

/* Addresses, small numbers and multiples of powers of 2 do not cluster in few slots. */
static void spreads(void)
{
	static const u64 steps[] = { 1, 8, 16, 64, 4096, 1 << 20, 1ull << 32, 1ull << 48 };
	unsigned int i, n;

	for (i = 0; i < TAP_NUM(steps); i++) {
		unsigned int slot, run = 0, longest = 0;

		map = hist_map_make(2048, 1, 1);
		for (n = 0; n < 2048; n++) {
			u64 key = 0xffffffff81000000ull + n * steps[i];

			hist_map_insert(map, &key);
		}
		EXPECT_EQ(elements(), 2048);
		for (slot = 0; slot < hist_map_slots(map); slot++) {
			run = hist_map_at(map, slot) ? run + 1 : 0;
			longest = max_t(unsigned int, run, longest);
		}
		if (!EXPECT(longest < 100))
			printf("# %u in a row with steps of %llu\n", longest,
			       (unsigned long long)steps[i]);
		hist_map_free(map);
	}
}

static void lacks_memory(void)
{
	long n;

	for (n = 0;; n++) {
		env_fail_alloc(n);
		map = hist_map_make(128, 1, 1);
		env_fail_alloc(-1);
		if (map)
			break;
		EXPECT_EQ(env_allocs_live, 0);
	}
	EXPECT_EQ(n, 3);
	hist_map_free(map);
	hist_map_free(NULL);
	EXPECT_EQ(env_allocs_live, 0);
}

/* Actions of threads: hits of keys that all of them have. */
static unsigned int keys, key_words;
static bool together;

static void hit(u64 number)
{
	u64 key[4], *elt;

	key_of(key, number, key_words);
	elt = hist_map_insert(map, key);
	if (elt)
		__atomic_fetch_add(hist_map_values(map, elt), 1, __ATOMIC_RELAXED);
}

static void *thread(void *unused)
{
	unsigned int i;

	while (!__atomic_load_n(&together, __ATOMIC_ACQUIRE))
		;
	for (i = 0; i < HITS; i++)
		hit(i % keys);
	return NULL;
}

static void check(u64 hits)
{
	static u8 seen[KEYS_MAX];
	unsigned int slot, used = 0;
	u64 sum = 0;

	memset(seen, 0, sizeof(seen));
	for (slot = 0; slot < hist_map_slots(map); slot++) {
		u64 *elt = hist_map_at(map, slot), number;
		u64 key[4];

		if (!elt)
			continue;
		for (number = 0; number < keys; number++) {
			key_of(key, number, key_words);
			if (!memcmp(key, elt, key_words * sizeof(u64)))
				break;
		}
		if (EXPECT(number < keys))
			EXPECT_EQ(seen[number]++, 0);
		sum += hist_map_values(map, elt)[0];
		used++;
	}
	EXPECT(used <= map->max);
	if (keys <= map->max / 2)
		EXPECT_EQ(used, keys);
	EXPECT_EQ(sum + hist_map_drops(map), hits);
	if (keys <= map->max / 2)
		EXPECT_EQ(hist_map_drops(map), 0);
}

static void storm(unsigned int max, unsigned int nr_keys, unsigned int words)
{
	pthread_t threads[THREADS];
	unsigned int i;

	keys = nr_keys;
	key_words = words;
	map = hist_map_make(max, words, 1);
	together = false;
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, thread, NULL);
	__atomic_store_n(&together, true, __ATOMIC_RELEASE);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	check(THREADS * (u64)HITS);
	hist_map_free(map);
}

/* The same few keys at once, as many keys as there is space for, and more. */
static void threads_insert(void)
{
	unsigned int i;

	for (i = 0; i < 20; i++)
		storm(128, 4, 1);
	storm(1024, 512, 3);
	storm(1024, 1024, 2);
	storm(256, 1000, 4);
}

static u64 signals;

static void handler(int unused)
{
	hit(signals++ % keys);
}

/* A signal interrupts an insertion anywhere, as an NMI does. */
static void signals_insert(void)
{
	struct sigaction action = { .sa_handler = handler };
	struct itimerval timer = { { 0, 20 }, { 0, 20 } };
	unsigned int i, round;
	u64 hits;

	keys = 120;
	key_words = 2;
	for (round = 0; round < 20; round++) {
		map = hist_map_make(256, key_words, 1);
		signals = 0;
		sigaction(SIGALRM, &action, NULL);
		setitimer(ITIMER_REAL, &timer, NULL);
		for (i = 0; i < HITS / 4; i++)
			hit(i % keys);
		timer.it_value.tv_usec = 0;
		setitimer(ITIMER_REAL, &timer, NULL);
		timer.it_value.tv_usec = 20;
		hits = i + signals;
		signal(SIGALRM, SIG_IGN);
		check(hits);
		hist_map_free(map);
	}
}

static const struct tap_case cases[] = {
	TAP_CASE(fills),
	TAP_CASE(spreads),
	TAP_CASE(lacks_memory),
	TAP_CASE(threads_insert),
	TAP_CASE(signals_insert),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
