// SPDX-License-Identifier: GPL-2.0
/*
 * Call sites that announce themselves: each is reported, only once at a time, and a site that
 * is executed in an NMI is left out permanently, even if there is no space.
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "patch/announce.h"
#include "tap.h"

#define SITES		6000
#define FULL		(3 * FTRACE_ANNOUNCED_MAX)
#define NMI_EVERY	20
#define THREADS		4

__thread bool env_nmi;

/* Some bytes of data stand for init text. */
asm(".data\n.globl __init_begin, __init_end\n__init_begin: .zero 64\n__init_end: .text");

static unsigned long found[FTRACE_ANNOUNCED_MAX];

static unsigned long site(unsigned long i)
{
	return 0xffffffff81000000UL + i * 48;
}

static unsigned long index_of(unsigned long ip)
{
	return (ip - site(0)) / 48;
}

static void announce_in_nmi(unsigned long ip)
{
	env_nmi = true;
	ftrace_announce(ip);
	env_nmi = false;
}

static void forget_all(void)
{
	struct ftrace_announced_totals totals;

	ftrace_announced_forget(0, -1UL);
	totals = ftrace_announced_totals();
	EXPECT_EQ(totals.pending, 0);
	EXPECT_EQ(totals.left_out, 0);
}

static void comes_once(void)
{
	ftrace_announce(site(1));
	ftrace_announce(site(2));
	ftrace_announce(site(1));
	EXPECT_EQ(ftrace_announced_totals().pending, 2);
	EXPECT_EQ(ftrace_announced_read(found), 2);
	EXPECT_EQ(found[0] + found[1], site(1) + site(2));

	/* It is kept until it is marked as done. */
	EXPECT_EQ(ftrace_announced_read(found), 2);
	ftrace_announced_done(site(1));
	EXPECT_EQ(ftrace_announced_read(found), 1);
	EXPECT_EQ(found[0], site(2));
	forget_all();
}

/*
 * Its text may become a NOP before its record exists: until then, other code must find it here.
 */
static void known_while_it_waits(void)
{
	EXPECT_EQ(ftrace_unfound_site(site(3)), 0);
	ftrace_announce(site(3));
	EXPECT_EQ(ftrace_unfound_site(site(3)), site(3));
	EXPECT_EQ(ftrace_unfound_site(site(3) + 1), 0);
	ftrace_announced_done(site(3));
	EXPECT_EQ(ftrace_unfound_site(site(3)), 0);

	/* A site that was executed in an NMI is not changed, and gets no record. */
	ftrace_announce(site(4));
	announce_in_nmi(site(4));
	EXPECT_EQ(ftrace_unfound_site(site(4)), 0);
	forget_all();
}

/* Many sites of one bucket can be requested at a time, and are kept until they have records. */
static void selected_at_once(void)
{
	unsigned long ip[FTRACE_SELECTED_MAX], i;

	for (i = 0; i < FULL; i++)
		ftrace_announce(site(i));
	for (i = 0; i < FTRACE_SELECTED_MAX; i++)
		ip[i] = site(FULL + i);
	ftrace_announced_select(ip, FTRACE_SELECTED_MAX);
	for (i = 0; i < FTRACE_SELECTED_MAX; i++)
		EXPECT_EQ(ftrace_unfound_site(ip[i]), ip[i]);
	EXPECT_EQ(ftrace_unfound_site(site(FULL + FTRACE_SELECTED_MAX)), 0);

	ftrace_announced_select(ip, 1);
	EXPECT_EQ(ftrace_unfound_site(ip[0]), ip[0]);
	EXPECT_EQ(ftrace_unfound_site(ip[1]), 0);
	announce_in_nmi(ip[0]);
	EXPECT_EQ(ftrace_unfound_site(ip[0]), 0);
	ftrace_announced_select(NULL, 0);
	forget_all();
}

static void text_goes(void)
{
	unsigned long i;

	for (i = 0; i < 100; i++) {
		ftrace_announce(site(i));
		announce_in_nmi(site(1000 + i));
	}
	ftrace_announced_forget(site(10), site(20));
	ftrace_announced_forget(site(1000), site(1001));
	EXPECT_EQ(ftrace_announced_totals().pending, 90);
	EXPECT_EQ(ftrace_announced_totals().left_out, 99);
	EXPECT(!ftrace_announced_never(site(1000)));
	EXPECT(ftrace_announced_never(site(1001)));
	forget_all();
}

static void init_text(void)
{
	ftrace_announce((unsigned long)__init_begin);
	ftrace_announce((unsigned long)__init_end - 1);
	announce_in_nmi((unsigned long)__init_begin);
	EXPECT_EQ(ftrace_announced_totals().pending, 0);
	EXPECT_EQ(ftrace_announced_totals().left_out, 0);
	ftrace_announce((unsigned long)__init_end);
	EXPECT_EQ(ftrace_announced_totals().pending, 1);
	forget_all();
}

static void executed_in_nmi(void)
{
	ftrace_announce(site(1));
	announce_in_nmi(site(1));
	announce_in_nmi(site(2));
	ftrace_announce(site(2));
	EXPECT(ftrace_announced_never(site(1)));
	EXPECT(ftrace_announced_never(site(2)));
	EXPECT(!ftrace_announced_never(site(3)));
	EXPECT_EQ(ftrace_announced_totals().pending, 1);

	ftrace_announced_done(site(1));
	ftrace_announce(site(1));
	EXPECT_EQ(ftrace_announced_totals().pending, 0);

	ftrace_announced_leave_out(site(3));
	EXPECT(ftrace_announced_never(site(3)));
	forget_all();
}

/* Sites that find no slot are skipped, and announced when they are executed again. */
static void no_room(void)
{
	static bool nop[FULL];
	unsigned long left = FULL, i, nr, skipped;
	struct ftrace_announced_totals totals;

	skipped = ftrace_announced_totals().skipped;
	for (i = 0; i < FULL; i++)
		ftrace_announce(site(i));
	totals = ftrace_announced_totals();
	EXPECT(totals.pending <= FTRACE_ANNOUNCED_MAX);
	EXPECT(totals.pending > FTRACE_ANNOUNCED_MAX / 2);
	EXPECT_EQ(totals.pending + totals.skipped - skipped, FULL);

	while (left) {
		nr = ftrace_announced_read(found);
		if (!EXPECT(nr) || !EXPECT(nr <= FTRACE_ANNOUNCED_MAX))
			return;
		for (i = 0; i < nr; i++) {
			if (!EXPECT(!nop[index_of(found[i])]))
				return;
			nop[index_of(found[i])] = true;
			ftrace_announced_done(found[i]);
		}
		left -= nr;
		for (i = 0; i < FULL; i++)
			if (!nop[i])
				ftrace_announce(site(i));
	}
	forget_all();
}

/* Threads execute sites that are not NOPs yet; signals stand for NMIs. */
static bool nop[SITES];
static bool at_end;

static void in_signal(int signal)
{
	static unsigned int next;
	bool before = env_nmi;

	env_nmi = true;
	ftrace_announce(site(__atomic_fetch_add(&next, 7, __ATOMIC_RELAXED) %
			     (SITES / NMI_EVERY) * NMI_EVERY));
	env_nmi = before;
}

static void *execute(void *seed)
{
	unsigned int random = (unsigned long)seed;

	while (!READ_ONCE(at_end)) {
		unsigned int i;

		random = random * 1103515245 + 12345;
		i = (random >> 8) % SITES;
		if (!READ_ONCE(nop[i]))
			ftrace_announce(site(i));
	}
	return NULL;
}

static void races(void)
{
	unsigned int nr_found = 0, rounds, i, nr;
	pthread_t thread[THREADS];

	signal(SIGUSR1, in_signal);
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, execute,
			       (void *)(unsigned long)(tap_seed() + i));
	for (i = 0; i < 10 * SITES / NMI_EVERY * THREADS; i++) {
		pthread_kill(thread[i % THREADS], SIGUSR1);
		if (i % 100 == 0)
			usleep(100);
	}
	/* Several pending signals are delivered as one. */
	for (i = 0; i < 5000 && ftrace_announced_totals().left_out < SITES / NMI_EVERY; i++) {
		pthread_kill(thread[0], SIGUSR1);
		usleep(100);
	}

	for (rounds = 0; rounds < 5000 && nr_found < SITES - SITES / NMI_EVERY; rounds++) {
		nr = ftrace_announced_read(found);
		for (i = 0; i < nr; i++) {
			unsigned long k = index_of(found[i]);

			if (!EXPECT(k < SITES && site(k) == found[i]))
				break;
			if (!ftrace_announced_never(found[i]) && !nop[k]) {
				WRITE_ONCE(nop[k], true);
				nr_found++;
			}
			ftrace_announced_done(found[i]);
		}
		usleep(1000);
	}
	WRITE_ONCE(at_end, true);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);

	EXPECT_EQ(nr_found, SITES - SITES / NMI_EVERY);
	for (i = 0; i < SITES; i++) {
		EXPECT_EQ(ftrace_announced_never(site(i)), i % NMI_EVERY == 0);
		EXPECT_EQ(nop[i], i % NMI_EVERY != 0);
	}
	EXPECT(!ftrace_announce_has_failed());
	forget_all();
}

static void switched(void)
{
	ftrace_announce_switch(true);
	EXPECT(!ftrace_announcing);
	ftrace_announce_start();
	ftrace_announce_switch(true);
	EXPECT(ftrace_announcing);
	ftrace_announce_switch(false);
	EXPECT(!ftrace_announcing);
	ftrace_announce_switch(true);
}

/*
 * After this, sites executed in NMIs are no longer known and announcing ends, so it is the last
 * case.
 */
static void no_room_in_nmi(void)
{
	unsigned long i;

	EXPECT(ftrace_announcing);
	for (i = 0; i < FULL; i++)
		announce_in_nmi(site(i));
	EXPECT(ftrace_announce_has_failed());
	EXPECT(!ftrace_announcing);
	EXPECT(ftrace_announced_never(site(FULL)));

	ftrace_announce_switch(true);
	EXPECT(!ftrace_announcing);
	forget_all();
	EXPECT(ftrace_announce_has_failed());
}

static const struct tap_case cases[] = {
	TAP_CASE(comes_once),
	TAP_CASE(known_while_it_waits),
	TAP_CASE(selected_at_once),
	TAP_CASE(text_goes),
	TAP_CASE(init_text),
	TAP_CASE(executed_in_nmi),
	TAP_CASE(no_room),
	TAP_CASE(races),
	TAP_CASE(switched),
	TAP_CASE(no_room_in_nmi),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
