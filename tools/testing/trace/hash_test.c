// SPDX-License-Identifier: GPL-2.0
/*
 * Sets of addresses (kernel/trace/lib/hash.c) against the simplest possible set: a flag for
 * each address of a small world. The world's addresses are spread over the address space,
 * including both ends, to detect comparisons that wrap or lose bits.
 */
#include "lib/hash.h"
#include "tap.h"

ENV_VARIABLES;

#define WORLD	64

static unsigned long addr(unsigned int i)
{
	switch (i) {
	case 0:
		return 0;
	case WORLD - 1:
		return ULONG_MAX;
	default:
		/* some next to each other, some far apart */
		return (ULONG_MAX / WORLD) * (i & ~3u) + (i & 3);
	}
}

/* xorshift64 */
static u64 state = 88172645463325252ull;

static unsigned int any(unsigned int below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % below;
}

struct oracle {
	bool has[WORLD];
};

/* a set and its expected content; members in any order, some given twice */
static struct ftrace_hash *make(struct oracle *o)
{
	unsigned long ip[2 * WORLD];
	unsigned int i, n = any(4) ? any(2 * WORLD) : any(4);

	memset(o, 0, sizeof(*o));
	for (i = 0; i < n; i++) {
		unsigned int which = any(WORLD);

		ip[i] = addr(which);
		o->has[which] = true;
	}
	return ftrace_hash_make(ip, n);
}

/* The set agrees with the oracle, and is as its header describes it */
static bool agrees(const struct ftrace_hash *hash, const struct oracle *o)
{
	unsigned int i, num = 0;
	bool good = true;

	if (!EXPECT(hash))
		return false;
	for (i = 0; i < WORLD; i++) {
		num += o->has[i];
		good &= EXPECT_EQ(ftrace_hash_has(hash, addr(i)), o->has[i]);
		/* a neighbour that is not in the world */
		if (i % 4 == 3 && i < WORLD - 1)
			good &= EXPECT(!ftrace_hash_has(hash, addr(i) + 1));
	}
	good &= EXPECT_EQ(hash->count, num);
	for (i = 1; i < hash->count; i++)
		good &= EXPECT(hash->ip[i - 1] < hash->ip[i]);
	return good;
}

static void made_sets(void)
{
	unsigned int round;

	for (round = 0; round < 5000; round++) {
		struct oracle o;
		struct ftrace_hash *hash = make(&o);
		bool good = agrees(hash, &o);

		ftrace_hash_free(hash);
		if (!good)
			return;
	}
	EXPECT_EQ(env_allocs_live, 0);
}

static void small_sets(void)
{
	struct ftrace_hash *none = ftrace_hash_make(NULL, 0);
	unsigned long one = 5, same[] = { 7, 7, 7 };
	struct ftrace_hash *five = ftrace_hash_make(&one, 1);
	struct ftrace_hash *seven = ftrace_hash_make(same, 3);

	EXPECT_EQ(none->count, 0);
	EXPECT(!ftrace_hash_has(none, 0));
	EXPECT(!ftrace_hash_touches(none, 0, ULONG_MAX));
	EXPECT(ftrace_hash_has(five, 5) && !ftrace_hash_has(five, 4) &&
	       !ftrace_hash_has(five, 6));
	EXPECT_EQ(seven->count, 1);
	EXPECT_EQ(ftrace_hash_index(five, 5), 0);
	EXPECT_EQ(ftrace_hash_index(five, 6), -1);
	ftrace_hash_free(none);
	ftrace_hash_free(five);
	ftrace_hash_free(seven);
	ftrace_hash_free(NULL);
	EXPECT_EQ(env_allocs_live, 0);
}

/* NULL instead of a set sometimes: it counts as an empty set */
static struct ftrace_hash *make_or_null(struct oracle *o)
{
	if (any(8))
		return make(o);
	memset(o, 0, sizeof(*o));
	return NULL;
}

static void union_and_minus(void)
{
	unsigned int round, i;
	bool good = true;

	for (round = 0; round < 5000 && good; round++) {
		struct oracle a, b, either, rest;
		struct ftrace_hash *ha = make_or_null(&a), *hb = make_or_null(&b);
		struct ftrace_hash *hu = ftrace_hash_union(ha, hb);
		struct ftrace_hash *hm = ftrace_hash_minus(ha, hb);

		for (i = 0; i < WORLD; i++) {
			either.has[i] = a.has[i] || b.has[i];
			rest.has[i] = a.has[i] && !b.has[i];
		}
		good &= agrees(hu, &either);
		good &= agrees(hm, &rest);
		/* The input sets are unchanged */
		good &= !ha || agrees(ha, &a);
		good &= !hb || agrees(hb, &b);
		ftrace_hash_free(ha);
		ftrace_hash_free(hb);
		ftrace_hash_free(hu);
		ftrace_hash_free(hm);
	}
	EXPECT_EQ(env_allocs_live, 0);
}

static void touches(void)
{
	unsigned int round, i, from, to;
	bool good = true;

	for (round = 0; round < 200 && good; round++) {
		struct oracle o;
		struct ftrace_hash *hash = make(&o);

		for (from = 0; from < WORLD; from++) {
			bool any_in = false;

			for (to = from; to < WORLD; to++) {
				good &= EXPECT_EQ(ftrace_hash_touches(hash, addr(from), addr(to)),
						  any_in);
				any_in |= o.has[to];
			}
		}
		/* A range may begin and end between members */
		for (i = 3; i < WORLD - 4; i += 4)
			good &= EXPECT(!ftrace_hash_touches(hash, addr(i) + 1, addr(i + 1)));
		ftrace_hash_free(hash);
	}
	EXPECT_EQ(env_allocs_live, 0);
}

static void same(void)
{
	unsigned int round;
	bool good = true;

	for (round = 0; round < 5000 && good; round++) {
		struct oracle a, b;
		struct ftrace_hash *ha = make(&a), *hb = make(&b), *copy;

		copy = any(2) ? ftrace_hash_union(ha, any(2) ? ha : NULL) :
				ftrace_hash_copy(ha, GFP_KERNEL);
		good &= EXPECT(ftrace_hash_same(ha, copy) && ftrace_hash_same(ha, ha));
		good &= EXPECT_EQ(ftrace_hash_same(ha, hb), !memcmp(&a, &b, sizeof(a)));
		good &= EXPECT_EQ(ftrace_hash_same(hb, ha), ftrace_hash_same(ha, hb));
		good &= EXPECT(!ftrace_hash_same(ha, NULL) && !ftrace_hash_same(NULL, ha));
		ftrace_hash_free(ha);
		ftrace_hash_free(hb);
		ftrace_hash_free(copy);
	}
	EXPECT(ftrace_hash_same(NULL, NULL));
	EXPECT_EQ(env_allocs_live, 0);
}

static void failing_allocations(void)
{
	unsigned long ip[] = { 3, 1, 2 };
	struct ftrace_hash *a = ftrace_hash_make(ip, 3), *b = ftrace_hash_make(ip, 1);
	struct ftrace_hash *hash = NULL;
	unsigned int what;
	long n;

	for (what = 0; what < 4; what++) {
		for (n = 0; n < 100 && !hash; n++) {
			env_fail_alloc(n);
			hash = what == 0 ? ftrace_hash_make(ip, 3) :
			       what == 1 ? ftrace_hash_union(a, b) :
			       what == 2 ? ftrace_hash_minus(a, b) :
					   ftrace_hash_copy(a, GFP_KERNEL);
			if (!hash)
				EXPECT_EQ(env_allocs_live, 2);
		}
		env_fail_alloc(-1);
		EXPECT(hash && n > 1);
		ftrace_hash_free(hash);
		hash = NULL;
	}
	EXPECT_EQ(a->count, 3);
	EXPECT_EQ(b->count, 1);
	ftrace_hash_free(a);
	ftrace_hash_free(b);
	EXPECT_EQ(env_allocs_live, 0);
}

static const struct tap_case cases[] = {
	TAP_CASE(made_sets),
	TAP_CASE(small_sets),
	TAP_CASE(union_and_minus),
	TAP_CASE(touches),
	TAP_CASE(same),
	TAP_CASE(failing_allocations),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
