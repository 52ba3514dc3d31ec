// SPDX-License-Identifier: GPL-2.0
/*
 * Waiting for the ring buffer: sleeping tasks are woken, whatever happens to the rings. A task
 * that is not woken continues after ENV_PATIENCE_MS, and env_hangs counts it.
 */
#include "ring/page.h"
#include "tap.h"

#include <time.h>
#include <unistd.h>

#define PAGES	16

static struct trace_buffer *buffer, *spare;
static bool stop;
static unsigned long taken;

static struct trace_buffer *alloc(void)
{
	struct trace_buffer *made;

	env_cpu = 0;
	made = ring_buffer_alloc(PAGES * ring_data_size(0), RB_FL_OVERWRITE);
	env_cpu = ENV_CPUS;
	return made;
}

static void make(void)
{
	env_hangs = 0;
	taken = 0;
	stop = false;
	env_irq_handler = NULL;
	buffer = alloc();
}

static void done(void)
{
	ring_buffer_free(buffer);
	if (spare)
		ring_buffer_free(spare);
	spare = NULL;
	EXPECT_EQ(env_hangs, 0);
	EXPECT_EQ(env_allocs_live, 0);
}

static bool stopped(void *data)
{
	return __atomic_load_n(&stop, __ATOMIC_RELAXED);
}

static void set_stop(void)
{
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
}

static void write_events(int nr, int words)
{
	struct ring_buffer_event *event;

	while (nr--) {
		event = ring_buffer_lock_reserve(buffer, words * 4);
		if (!EXPECT(event))
			return;
		ring_buffer_unlock_commit(buffer);
	}
}

struct waiter {
	pthread_t	thread;
	int		cpu;
	int		full;
	bool		(*cond)(void *data);
	bool		consume;
	int		ret;
	unsigned long	waits;
	bool		over;
};

static void *waiter_main(void *arg)
{
	struct waiter *w = arg;
	int cpu;

	env_cpu = ENV_CPUS;
	do {
		w->ret = ring_buffer_wait(buffer, w->cpu, w->full, w->cond, NULL);
		__atomic_fetch_add(&w->waits, 1, __ATOMIC_RELAXED);
		for (cpu = 0; w->consume && cpu < ENV_CPUS; cpu++) {
			while (ring_buffer_consume(buffer, cpu, NULL, NULL))
				__atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED);
		}
	} while (w->consume && !stopped(NULL));
	__atomic_store_n(&w->over, true, __ATOMIC_RELEASE);
	return NULL;
}

static void start(struct waiter *w)
{
	pthread_create(&w->thread, NULL, waiter_main, w);
}

static bool is_over(struct waiter *w)
{
	usleep(30000);
	return __atomic_load_n(&w->over, __ATOMIC_ACQUIRE);
}

/* A waiter for each event of a CPU: the event is readable soon. */
static void each_event(int cpu)
{
	struct waiter w = { .cpu = cpu, .cond = stopped, .consume = true };
	unsigned long i;

	make();
	start(&w);
	env_cpu_start(1);
	for (i = 1; i <= 2000; i++) {
		write_events(1, 4);
		while (__atomic_load_n(&taken, __ATOMIC_RELAXED) < i && !env_hangs)
			sched_yield();
	}
	set_stop();
	ring_buffer_wake_waiters(buffer, cpu);
	pthread_join(w.thread, NULL);
	env_cpu_stop();
	EXPECT_EQ(taken, 2000);
	done();
}

static void event_of_one(void)
{
	each_event(1);
}

static void event_of_any(void)
{
	each_event(RING_BUFFER_ALL_CPUS);
}

static u64 page_clock(void)
{
	static u64 now;

	return __atomic_fetch_add(&now, 1, __ATOMIC_RELAXED);
}

/* Rings are swapped while tasks wait, and the tasks are woken for events after that. */
static void exchanged(void)
{
	struct waiter one = { .cpu = 1, .cond = stopped };
	struct waiter any = { .cpu = RING_BUFFER_ALL_CPUS, .cond = stopped };
	int i;

	env_clock = page_clock;
	for (i = 0; i < 300; i++) {
		make();
		spare = alloc();
		one.over = false;
		any.over = false;
		start(&one);
		start(&any);
		env_cpu_start(1);
		if (i % 3 == 0)
			usleep(300);
		else
			sched_yield();
		EXPECT_EQ(ring_buffer_swap_cpu(buffer, spare, 1), 0);
		write_events(1, 4);
		pthread_join(one.thread, NULL);
		pthread_join(any.thread, NULL);
		env_cpu_stop();
		done();
	}
	env_clock = trace_clock_local;
}

/* The buffer that has got the ring may be freed while tasks wait for the other one. */
static void exchanged_and_freed(void)
{
	struct waiter w = { .cpu = 1, .cond = stopped };

	make();
	spare = alloc();
	start(&w);
	EXPECT(!is_over(&w));
	env_cpu_start(1);
	EXPECT_EQ(ring_buffer_swap_cpu(buffer, spare, 1), 0);
	env_cpu_stop();
	env_cpu = ENV_CPUS;
	ring_buffer_free(spare);
	spare = NULL;
	EXPECT(!is_over(&w));
	set_stop();
	ring_buffer_wake_waiters(buffer, 1);
	pthread_join(w.thread, NULL);
	done();
}

/* Ways to end a wait without events. */
static void ended(void)
{
	struct waiter w = { .cpu = 1 };
	int cpu;

	for (cpu = 0; cpu < 2; cpu++) {
		make();
		w.over = false;
		/*
		 * With a condition, the condition must be true; without one, a wakeup is
		 * enough.
		 */
		w.cond = cpu ? stopped : NULL;
		start(&w);
		EXPECT(!is_over(&w));
		ring_buffer_wake_waiters(buffer, 0);
		EXPECT(!is_over(&w));
		if (w.cond) {
			ring_buffer_wake_waiters(buffer, 1);
			EXPECT(!is_over(&w));
			set_stop();
		}
		ring_buffer_wake_waiters(buffer, cpu ? RING_BUFFER_ALL_CPUS : 1);
		pthread_join(w.thread, NULL);
		EXPECT_EQ(w.ret, 0);
		done();
	}
	make();
	env_signal_pending = true;
	EXPECT_EQ(ring_buffer_wait(buffer, 1, 0, NULL, NULL), -ERESTARTSYS);
	env_signal_pending = false;
	EXPECT_EQ(ring_buffer_wait(buffer, ENV_CPUS, 0, NULL, NULL), -ENODEV);
	EXPECT_EQ(ring_buffer_wait(buffer, -2, 0, NULL, NULL), -ENODEV);
	set_stop();
	EXPECT_EQ(ring_buffer_wait(buffer, 1, 0, stopped, NULL), 0);
	done();
}

/* A share of the pages: waiters are woken neither before nor much later. */
static void share(void)
{
	static const int percents[] = { 25, 50, 75 };
	struct waiter w = { .cpu = 1, .cond = stopped };
	unsigned int i, pages;

	for (i = 0; i < ARRAY_SIZE(percents) * 2; i++) {
		make();
		w.full = percents[i / 2];
		w.cpu = i % 2 ? RING_BUFFER_ALL_CPUS : 1;
		w.over = false;
		start(&w);
		EXPECT(!is_over(&w));
		env_cpu_start(1);
		for (pages = 0; pages < PAGES * w.full / 100 - 1; pages++)
			write_events(5, 200);
		EXPECT(!is_over(&w));
		write_events(10, 200);
		pthread_join(w.thread, NULL);
		env_cpu_stop();
		done();
	}
}

/* A share of less than a page is a single event. */
static void share_below_a_page(void)
{
	struct waiter w = { .cpu = 1, .full = 1, .cond = stopped };
	poll_table table = { };
	int wakes;

	make();
	start(&w);
	EXPECT(!is_over(&w));
	EXPECT_EQ(ring_buffer_poll_wait(buffer, 1, NULL, &table, 1), 0);
	wakes = __atomic_load_n(&table.queue->wakes, __ATOMIC_SEQ_CST);
	env_cpu_start(1);
	write_events(1, 4);
	pthread_join(w.thread, NULL);
	env_cpu_stop();
	EXPECT(__atomic_load_n(&table.queue->wakes, __ATOMIC_SEQ_CST) > wakes);
	EXPECT_EQ(ring_buffer_poll_wait(buffer, 1, NULL, &table, 1), EPOLLIN | EPOLLRDNORM);
	EXPECT_EQ(ring_buffer_poll_wait(buffer, 9, NULL, &table, 1), EPOLLERR);
	done();
}

/* A task waits for any CPU, and a CPU goes online for the first time. */
static void cpu_comes(void)
{
	struct waiter w = { .cpu = RING_BUFFER_ALL_CPUS, .cond = stopped };

	env_possible.bits = BIT(3) - 1;
	make();
	start(&w);
	EXPECT(!is_over(&w));
	env_possible.bits = BIT(ENV_CPUS) - 1;
	EXPECT_EQ(trace_rb_cpu_prepare(3, &buffer->node), 0);
	env_cpu_start(3);
	write_events(1, 4);
	pthread_join(w.thread, NULL);
	env_cpu_stop();
	done();
}

/* A weakly ordered machine may show a CPU in the mask before its ring. */
static void cpu_half_there(void)
{
	struct waiter w = { .cpu = RING_BUFFER_ALL_CPUS, .cond = stopped };
	struct ring_cpu *cb;

	make();
	cb = buffer->cpus[2];
	buffer->cpus[2] = NULL;
	start(&w);
	EXPECT(!is_over(&w));
	buffer->cpus[2] = cb;
	set_stop();
	ring_buffer_wake_waiters(buffer, RING_BUFFER_ALL_CPUS);
	pthread_join(w.thread, NULL);
	done();
}

static const struct tap_case cases[] = {
	TAP_CASE(event_of_one),
	TAP_CASE(event_of_any),
	TAP_CASE(exchanged),
	TAP_CASE(exchanged_and_freed),
	TAP_CASE(ended),
	TAP_CASE(share),
	TAP_CASE(share_below_a_page),
	TAP_CASE(cpu_comes),
	TAP_CASE(cpu_half_there),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
