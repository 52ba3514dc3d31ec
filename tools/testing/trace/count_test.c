// SPDX-License-Identifier: GPL-2.0
/*
 * Counts of commands and triggers (kernel/trace/lib/count.h): every action is counted, once,
 * and hits without an action use up nothing, also with hits on several CPUs at once.
 */
#include <pthread.h>

#include "lib/count.h"
#include "tap.h"

#define THREADS	4
#define HITS	200000

static struct trace_count count;

static void parses(void)
{
	static const struct {
		const char *text;
		int err;
		bool counted;
		long left;
	} texts[] = {
		{ "unlimited", 0, false, 0 }, { "count=0", 0, true, 0 }, { "0", 0, true, 0 },
		{ "count=17", 0, true, 17 }, { "17", 0, true, 17 }, { "0x11", 0, true, 17 },
		{ "9223372036854775807", 0, true, LONG_MAX },
		{ "9223372036854775808", -ERANGE }, { "99999999999999999999", -ERANGE },
		{ "", -EINVAL }, { "count=", -EINVAL }, { "count=count=1", -EINVAL },
		{ "x", -EINVAL }, { "-1", -EINVAL }, { "unlimited1", -EINVAL },
		{ "count=unlimited", -EINVAL }, { "1 ", -EINVAL },
	};
	unsigned int i;

	for (i = 0; i < TAP_NUM(texts); i++) {
		bool counted;
		long left;
		int err = trace_count_parse(texts[i].text, &counted, &left);

		if (!EXPECT_EQ(err, texts[i].err))
			printf("# of '%s'\n", texts[i].text);
		if (err)
			continue;
		EXPECT_EQ(counted, texts[i].counted);
		EXPECT_EQ(left, texts[i].left);
	}
}

/* Pending work, completed work, and the number of tries of a hit. */
static int work;
static long done, tries;

static bool try_work(const void *unused)
{
	int there = __atomic_load_n(&work, __ATOMIC_SEQ_CST);

	__atomic_fetch_add(&tries, 1, __ATOMIC_RELAXED);
	while (there)
		if (__atomic_compare_exchange_n(&work, &there, there - 1, false,
						__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
			__atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
			return true;
		}
	return false;
}

static void start(long left, int works)
{
	trace_count_set(&count, left);
	work = works;
	done = 0;
	tries = 0;
}

static void counts(void)
{
	start(2, 0);
	trace_count_hit(&count, try_work, NULL);
	EXPECT_EQ(trace_count_left(&count), 2);
	work = 3;
	trace_count_hit(&count, try_work, NULL);
	EXPECT_EQ(trace_count_left(&count), 1);
	trace_count_hit(&count, try_work, NULL);
	trace_count_hit(&count, try_work, NULL);
	EXPECT_EQ(trace_count_left(&count), 0);
	EXPECT_EQ(done, 2);
	EXPECT_EQ(tries, 3);
}

static bool nested;

/* The first hit has no work; work arrives during that hit. */
static bool try_nested(const void *unused)
{
	if (nested)
		return try_work(NULL);
	nested = true;
	work = 1;
	trace_count_hit(&count, try_nested, NULL);
	return false;
}

static void finds_none_meanwhile(void)
{
	start(1, 0);
	nested = false;
	trace_count_hit(&count, try_nested, NULL);
	EXPECT_EQ(done, 1);
	EXPECT_EQ(trace_count_left(&count), 0);
	trace_count_hit(&count, try_work, NULL);
	EXPECT_EQ(tries, 1);
}

/* Each thread makes hits with and without work. */
static void *hits(void *arg)
{
	unsigned long random = (unsigned long)arg * 2654435761u + 1;
	int i;

	for (i = 0; i < HITS; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		if (random & 1)
			__atomic_fetch_add(&work, 1, __ATOMIC_SEQ_CST);
		trace_count_hit(&count, try_work, NULL);
	}
	return NULL;
}

static void run_threads(long left, int works)
{
	pthread_t thread[THREADS];
	long i;

	start(left, works);
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, hits, (void *)(i + 1));
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

/* There is more work than the count allows. */
static void no_more(void)
{
	run_threads(1000, 1000000);
	EXPECT_EQ(done, 1000);
	EXPECT_EQ(trace_count_left(&count), 0);
}

static void *refill(void *arg)
{
	bool *end = arg;

	while (!__atomic_load_n(end, __ATOMIC_RELAXED)) {
		/* One more action is allowed, and there is work for it; the hit follows */
		atomic_long_inc(&count.left);
		__atomic_fetch_add(&work, 1, __ATOMIC_SEQ_CST);
		trace_count_hit(&count, try_work, NULL);
	}
	return NULL;
}

static void *empty_hits(void *arg)
{
	bool *end = arg;

	while (!__atomic_load_n(end, __ATOMIC_RELAXED))
		trace_count_hit(&count, try_work, NULL);
	return NULL;
}

/* There is always exactly one count left for the work: hits without work take none. */
static void no_less(void)
{
	pthread_t thread[THREADS], other;
	bool end = false;
	int i;

	start(0, 0);
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, empty_hits, &end);
	pthread_create(&other, NULL, refill, &end);
	while (__atomic_load_n(&tries, __ATOMIC_RELAXED) < 10 * HITS)
		;
	__atomic_store_n(&end, true, __ATOMIC_RELAXED);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	pthread_join(other, NULL);
	EXPECT_EQ(work, 0);
	EXPECT_EQ(trace_count_left(&count), 0);
}

static const struct tap_case cases[] = {
	TAP_CASE(parses),
	TAP_CASE(counts),
	TAP_CASE(finds_none_meanwhile),
	TAP_CASE(no_more),
	TAP_CASE(no_less),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
