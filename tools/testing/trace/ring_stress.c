// SPDX-License-Identifier: GPL-2.0
/*
 * The ring buffer under load: on each CPU a writer that signals interrupt anywhere, concurrent
 * readers, and rings that change.
 *
 * The checks: an event is complete or absent; times do not go backwards; events of one context
 * are read in the order they were written, each once; the number of written events is
 * the sum of read and lost events; events are lost, and all lost and rejected events were
 * reported to the reader, except where pages have no space for the number.
 *
 * RING_MS is the duration of each case in milliseconds. A machine on which nothing is lost in
 * that time takes longer.
 */
#include "ring/page.h"
#include "ring/resize.h"
#include "ring/swap.h"
#include "tap.h"

#include <time.h>
#include <unistd.h>

#define MAGIC		0x52494e47
#define LEVELS		4
#define MAX_WORDS	250

struct sample {
	u32	magic;
	u16	level;
	u16	words;
	u64	number;
	u32	more[];
} __packed __aligned(4);

static struct trace_buffer *buffer;
static bool stop, sending, irqs_request;
static long run_ms = 400;

/* state of the writers of a CPU */
static __thread struct writer {
	u64		rng;
	u64		number[LEVELS];
	u64		failed;
} *writer;
static struct writer writers[ENV_CPUS];

/* counts of the reader of a CPU */
struct tally {
	u64		ts;
	u64		next[LEVELS];
	u64		read;
	u64		lost;
	u64		gaps;
	u64		untold;		/* pages that had no space for the number */
};

static u64 random_of(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static bool stopped(void)
{
	return __atomic_load_n(&stop, __ATOMIC_RELAXED);
}

static struct ring_buffer_event *sample_begin(int level, unsigned int words)
{
	struct ring_buffer_event *event;
	struct sample *s;
	unsigned int i;

	event = ring_buffer_lock_reserve(buffer, sizeof(*s) + words * 4);
	if (!event) {
		__atomic_fetch_add(&writer->failed, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	s = ring_buffer_event_data(event);
	s->magic = 0;
	s->level = level;
	s->words = words;
	for (i = 0; i < words; i++)
		s->more[i] = i + words + level;
	return event;
}

/* A numbered event must be read later, or be counted as lost. */
static void sample_number(struct ring_buffer_event *event)
{
	struct sample *s = ring_buffer_event_data(event);

	s->number = writer->number[s->level]++;
	s->magic = MAGIC;
}

static void write_one(int level)
{
	u64 seed = writer->rng += 0x9e3779b97f4a7c15;
	unsigned int words = random_of(&seed) % 8;
	struct ring_buffer_event *event;

	if (random_of(&seed) % 64 == 0)
		words = random_of(&seed) % MAX_WORDS;

	event = sample_begin(level, words);
	if (!event)
		return;

	if (random_of(&seed) % 16 == 0) {
		ring_buffer_discard_commit(buffer, event);
		return;
	}
	sample_number(event);
	if (random_of(&seed) % 16 == 0 && preempt_count() < 0x100) {
		/* An event within an event. */
		ring_buffer_nest_start(buffer);
		write_one(level);
		ring_buffer_nest_end(buffer);
	}
	ring_buffer_unlock_commit(buffer);
}

/* Moves to the next page: it reports all events lost before to a reader. */
static void write_page(int cpu)
{
	struct ring_buffer_event *event;
	int i;

	env_cpu = cpu;
	writer = &writers[cpu];
	for (i = 0; i < 6; i++) {
		event = sample_begin(0, MAX_WORDS);
		if (event) {
			sample_number(event);
			ring_buffer_unlock_commit(buffer);
		}
	}
	writer = NULL;
	env_cpu = ENV_CPUS;
}

static void on_irq(enum env_irq irq, bool early)
{
	if (irqs_request && writer && random_of(&writer->rng) % 16 == 0)
		ring_buffer_swap_request(buffer);
	if (writer && (!early || random_of(&writer->rng) % 4 == 0))
		write_one(irq + 1);
}

static void *writer_main(void *arg)
{
	int cpu = (long)arg;

	writer = &writers[cpu];
	writer->rng = tap_seed() + cpu;
	env_cpu_start(cpu);
	while (!stopped())
		write_one(0);
	env_cpu_stop();
	return NULL;
}

static void *storm_main(void *arg)
{
	u64 rng = tap_seed() + 42;

	while (__atomic_load_n(&sending, __ATOMIC_RELAXED)) {
		env_irq(random_of(&rng) % ENV_CPUS, random_of(&rng) % 3);
		if (random_of(&rng) % 4 == 0)
			usleep(random_of(&rng) % 30);
	}
	return NULL;
}

static void check_sample(struct tally *t, struct ring_buffer_event *event, u64 ts,
			 bool gaps)
{
	struct sample *s = ring_buffer_event_data(event);
	unsigned int i;

	EXPECT(ts >= t->ts);
	t->ts = ts;
	if (!EXPECT_EQ(s->magic, MAGIC) || !EXPECT(s->level < LEVELS))
		return;
	EXPECT(ring_buffer_event_length(event) == sizeof(*s) + s->words * 4);
	for (i = 0; i < s->words; i++)
		EXPECT_EQ(s->more[i], i + s->words + s->level);
	EXPECT(s->number >= t->next[s->level]);
	if (gaps)
		t->gaps += s->number - t->next[s->level];
	t->next[s->level] = s->number + 1;
	t->read++;
}

static bool consume(struct tally *t, int cpu)
{
	struct ring_buffer_event *event;
	unsigned long lost = 0;
	u64 ts;

	event = ring_buffer_consume(buffer, cpu, &ts, &lost);
	if (!event)
		return false;
	t->lost += lost;
	check_sample(t, event, ts, true);
	return true;
}

static void *consume_main(void *arg)
{
	struct tally *t = arg;
	int cpu;

	env_cpu = ENV_CPUS;
	while (!stopped()) {
		bool any = false;

		for (cpu = 0; cpu < ENV_CPUS; cpu++)
			any |= consume(&t[cpu], cpu);
		if (!any)
			sched_yield();
	}
	return NULL;
}

static bool read_page(struct tally *t, int cpu, struct buffer_data_read_page *page)
{
	struct buffer_data_page *data;
	struct ring_buffer_event *event;
	struct ring_cursor cur;
	unsigned long lost;

	if (ring_buffer_read_page(buffer, page, PAGE_SIZE, cpu, 0) < 0)
		return false;

	data = ring_buffer_read_page_data(page);
	cur = (struct ring_cursor){
		.page	= data,
		.end	= data->commit & RING_COMMIT_MASK,
		.stamp	= data->time_stamp,
	};
	if (data->commit & RB_MISSED_EVENTS) {
		EXPECT(data->commit & RB_MISSED_STORED || cur.end > PAGE_SIZE - 16 - 8);
		if (data->commit & RB_MISSED_STORED) {
			memcpy(&lost, data->data + cur.end, sizeof(lost));
			t->lost += lost;
		} else {
			t->untold++;
		}
	}
	while ((event = ring_cursor_event(&cur))) {
		check_sample(t, event, cur.stamp + event->time_delta, true);
		ring_cursor_advance(&cur, event);
	}
	return true;
}

static void *page_main(void *arg)
{
	struct buffer_data_read_page *page;
	struct tally *t = arg;
	int cpu;

	env_cpu = ENV_CPUS;
	EXPECT_EQ(ring_buffer_alloc_read_page(buffer, 0, &page), 0);
	while (!stopped()) {
		bool any = false;

		for (cpu = 0; cpu < ENV_CPUS; cpu++)
			any |= read_page(&t[cpu], cpu, page);
		if (!any)
			sched_yield();
	}
	ring_buffer_free_read_page(buffer, 0, page);
	return NULL;
}

static void *iter_main(void *arg)
{
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;
	u64 rng = tap_seed() + 99, ts;
	int cpu, n;

	env_cpu = ENV_CPUS;
	while (!stopped()) {
		struct tally t = { };

		cpu = random_of(&rng) % ENV_CPUS;
		iter = ring_buffer_read_start(buffer, cpu, GFP_KERNEL);
		for (n = 0; n < 20000 && !stopped(); n++) {
			event = ring_buffer_iter_peek(iter, &ts);
			if (!event) {
				sched_yield();
				continue;
			}
			check_sample(&t, event, ts, false);
			ring_buffer_iter_advance(iter);
			if (random_of(&rng) % 4000 == 0) {
				ring_buffer_iter_reset(iter);
				t = (struct tally){ };
			}
		}
		ring_buffer_read_finish(iter);
	}
	return NULL;
}

static void *resize_main(void *arg)
{
	u64 rng = tap_seed() + 7;

	env_cpu = ENV_CPUS;
	while (!stopped()) {
		int cpu = random_of(&rng) % (ENV_CPUS + 1);
		unsigned long size = random_of(&rng) % (40 * PAGE_SIZE);

		EXPECT_EQ(ring_buffer_resize(buffer, size, cpu - 1), 0);
		usleep(random_of(&rng) % 300);
	}
	return NULL;
}

static void *reset_main(void *arg)
{
	u64 rng = tap_seed() + 8;

	env_cpu = ENV_CPUS;
	while (!stopped()) {
		if (random_of(&rng) % 2)
			ring_buffer_reset_cpu(buffer, random_of(&rng) % ENV_CPUS);
		else
			ring_buffer_reset(buffer);
		usleep(random_of(&rng) % 300);
	}
	return NULL;
}

static unsigned long missed_on(int cpu)
{
	return ring_buffer_dropped_events_cpu(buffer, cpu) +
	       ring_buffer_commit_overrun_cpu(buffer, cpu);
}

static bool any_lost(void)
{
	int cpu;

	for (cpu = 0; cpu < ENV_CPUS; cpu++)
		if (ring_buffer_overrun_cpu(buffer, cpu) || missed_on(cpu))
			return true;
	return false;
}

struct job {
	void	*(*main)(void *arg);
	void	*arg;
};

/*
 * Writers on all CPUs under a storm, along with @jobs. It takes one round, or up to @rounds
 * until something is lost.
 */
static void run(const struct job *jobs, int nr, int rounds)
{
	pthread_t cpus[ENV_CPUS], storm, others[8];
	int i;

	memset(writers, 0, sizeof(writers));
	stop = false;
	sending = true;
	env_irq_handler = on_irq;

	for (i = 0; i < ENV_CPUS; i++)
		pthread_create(&cpus[i], NULL, writer_main, (void *)(long)i);
	for (i = 0; i < nr; i++)
		pthread_create(&others[i], NULL, jobs[i].main, jobs[i].arg);
	pthread_create(&storm, NULL, storm_main, NULL);

	do {
		usleep(run_ms * 1000);
	} while (--rounds > 0 && !any_lost());
	__atomic_store_n(&sending, false, __ATOMIC_RELAXED);
	pthread_join(storm, NULL);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (i = 0; i < ENV_CPUS; i++)
		pthread_join(cpus[i], NULL);
	for (i = 0; i < nr; i++)
		pthread_join(others[i], NULL);
}

static u64 written(int cpu)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < LEVELS; i++)
		sum += writers[cpu].number[i];
	return sum;
}

/* Read the remaining events, and check that all missing events were counted. */
static void balance(struct tally *tally)
{
	unsigned long gone, missed, lost = 0;
	struct tally *t;
	u64 total = 0;
	int cpu, i;

	for (cpu = 0; cpu < ENV_CPUS; cpu++) {
		t = &tally[cpu];
		EXPECT_EQ(ring_buffer_entries_cpu(buffer, cpu),
			  written(cpu) - t->read - ring_buffer_overrun_cpu(buffer, cpu));
		/* The second call finds space even if nothing is overwritten. */
		for (i = 0; i < 2; i++) {
			write_page(cpu);
			while (consume(t, cpu))
				;
		}
		gone = ring_buffer_overrun_cpu(buffer, cpu);
		missed = missed_on(cpu);

		EXPECT_EQ(written(cpu), t->read + gone);
		EXPECT_EQ(ring_buffer_read_events_cpu(buffer, cpu), t->read);
		EXPECT_EQ(ring_buffer_entries_cpu(buffer, cpu), 0);
		EXPECT_EQ(ring_buffer_bytes_cpu(buffer, cpu), 0);
		for (i = 0; i < LEVELS; i++)
			t->gaps += writers[cpu].number[i] - t->next[i];
		EXPECT_EQ(t->gaps, gone);
		if (t->untold)
			EXPECT(t->lost + t->untold <= gone + missed);
		else
			EXPECT_EQ(t->lost, gone + missed);
		EXPECT(missed <= writers[cpu].failed);
		total += written(cpu);
		lost += gone + missed;
	}
	/* Without a loss, the accounting of losses is not tested. */
	EXPECT(lost);
	printf("# %llu events written\n", (unsigned long long)total);
}

static void make(unsigned long pages, unsigned int flags)
{
	env_cpu = 0;
	buffer = ring_buffer_alloc(pages * ring_data_size(0), flags);
	env_cpu = ENV_CPUS;
}

static void done(void)
{
	ring_buffer_free(buffer);
	buffer = NULL;
	EXPECT_EQ(env_allocs_live, 0);
}

static void balanced(unsigned long pages, unsigned int flags, void *(*reader)(void *),
		     void *(*second)(void *), void *(*third)(void *))
{
	struct tally tally[ENV_CPUS] = { };
	struct job jobs[] = { { reader, tally }, { second }, { third } };

	make(pages, flags);
	run(jobs, third ? 3 : second ? 2 : reader ? 1 : 0, 50);
	balance(tally);
	done();
}

static void overwrite_unread(void)
{
	balanced(4, RB_FL_OVERWRITE, NULL, NULL, NULL);
}

static void overwrite_smallest(void)
{
	balanced(2, RB_FL_OVERWRITE, consume_main, NULL, NULL);
}

static void overwrite_consume(void)
{
	balanced(16, RB_FL_OVERWRITE, consume_main, iter_main, NULL);
}

static void overwrite_pages(void)
{
	balanced(16, RB_FL_OVERWRITE, page_main, iter_main, NULL);
}

static void produce_consume(void)
{
	balanced(16, 0, consume_main, iter_main, NULL);
}

static void produce_pages(void)
{
	balanced(3, 0, page_main, NULL, NULL);
}

static void resize_consume(void)
{
	balanced(16, RB_FL_OVERWRITE, consume_main, resize_main, iter_main);
}

static void resize_pages(void)
{
	balanced(16, RB_FL_OVERWRITE, page_main, resize_main, iter_main);
}

static void resize_produce(void)
{
	balanced(16, 0, consume_main, resize_main, NULL);
}

/* Sums and numbers are not checked here, because of resets: only order and integrity. */
static void reset_consume(void)
{
	struct tally tally[ENV_CPUS] = { };
	struct job jobs[] = {
		{ consume_main, tally }, { reset_main }, { iter_main }, { resize_main },
	};

	make(16, RB_FL_OVERWRITE);
	run(jobs, 4, 1);
	done();
}

/* the buffer that @buffer swaps its rings with */
static struct trace_buffer *spare;

static void make_two(unsigned long pages)
{
	make(pages, RB_FL_OVERWRITE);
	env_cpu = 0;
	spare = ring_buffer_alloc(pages * ring_data_size(0), RB_FL_OVERWRITE);
	env_cpu = ENV_CPUS;
	ring_buffer_swap_with(buffer, spare, false);
}

static void done_two(void)
{
	ring_buffer_swap_with(buffer, NULL, false);
	ring_buffer_free(spare);
	irqs_request = false;
	done();
}

/* Read the swapped ring, which is not swapped while it is read. Dropped events are lost. */
static void drain_spare(struct tally *tally)
{
	struct ring_buffer_event *event;
	struct tally *t;
	int cpu;
	u64 ts;

	ring_buffer_consume_begin(spare, RING_BUFFER_ALL_CPUS);
	for (cpu = 0; cpu < ENV_CPUS; cpu++) {
		t = &tally[cpu];
		/* The new ring may have been started before the last event of the old one. */
		t->ts = 0;
		while ((event = ring_buffer_consume(spare, cpu, &ts, NULL)))
			check_sample(t, event, ts, true);
		t->lost += ring_buffer_overrun_cpu(spare, cpu);
	}
	ring_buffer_consume_end(spare);
}

/* Each snapshot has the events after the previous one; no event in between is missing. */
static void *request_main(void *arg)
{
	u64 rng = tap_seed() + 9;

	env_cpu = ENV_CPUS;
	while (!stopped()) {
		EXPECT(ring_buffer_swap_request(buffer));
		if (random_of(&rng) % 2)
			usleep(random_of(&rng) % 100);
		EXPECT_EQ(ring_buffer_swap_finish(buffer), 0);
		/* Writers that looked up their ring before have finished with it. */
		synchronize_rcu();
		drain_spare(arg);
		usleep(random_of(&rng) % 200);
	}
	return NULL;
}

static void requests_balance(void)
{
	struct tally tally[ENV_CPUS] = { };
	struct job jobs[] = { { request_main, tally }, { iter_main } };
	u64 total = 0;
	int cpu, i;

	make_two(500);
	run(jobs, 2, 1);
	EXPECT(ring_buffer_swap_request(buffer));
	EXPECT_EQ(ring_buffer_swap_finish(buffer), 0);
	drain_spare(tally);
	for (cpu = 0; cpu < ENV_CPUS; cpu++) {
		for (i = 0; i < LEVELS; i++)
			tally[cpu].gaps += writers[cpu].number[i] - tally[cpu].next[i];
		EXPECT_EQ(tally[cpu].gaps, tally[cpu].lost);
		EXPECT_EQ(tally[cpu].read + tally[cpu].lost, written(cpu));
		total += written(cpu);
	}
	EXPECT(total);
	printf("# %llu events written\n", (unsigned long long)total);
	done_two();
}

static void *finish_main(void *arg)
{
	u64 rng = tap_seed() + 10;

	env_cpu = ENV_CPUS;
	while (!stopped()) {
		struct tally tally[ENV_CPUS] = { };

		EXPECT_EQ(ring_buffer_swap_finish(buffer), 0);
		drain_spare(tally);
		usleep(random_of(&rng) % 200);
	}
	return NULL;
}

static void *resize_both_main(void *arg)
{
	u64 rng = tap_seed() + 11;

	env_cpu = ENV_CPUS;
	while (!stopped()) {
		unsigned long size = random_of(&rng) % (40 * PAGE_SIZE);

		EXPECT_EQ(ring_buffers_resize(buffer, spare, size, RING_BUFFER_ALL_CPUS), 0);
		usleep(random_of(&rng) % 300);
	}
	return NULL;
}

/* From any context, several at once: discarded events are not counted. */
static void requests_anywhere(void)
{
	struct job jobs[] = { { finish_main }, { resize_both_main }, { iter_main } };

	make_two(16);
	irqs_request = true;
	run(jobs, 3, 1);
	EXPECT_EQ(ring_buffer_swap_finish(buffer), 0);
	EXPECT(!ring_buffer_swap_pending(buffer));
	EXPECT(ring_buffer_record_is_on(buffer));
	done_two();
}

/* Swaps of the rings of an offline CPU, by several callers at once. */
#define SWAPS	1000

static void *swap_main(void *arg)
{
	int *failed = arg, ret, i;

	env_cpu = ENV_CPUS;
	for (i = 0; i < SWAPS; i++) {
		do
			ret = ring_buffer_swap_cpu(buffer, spare, 1);
		while (ret == -EBUSY);
		if (ret)
			++*failed;
	}
	return NULL;
}

/* alarm() detects that one of them waits forever. */
static void swap_of_cpu_down(void)
{
	pthread_t threads[3];
	int failed[3] = { }, i;

	make(2, RB_FL_OVERWRITE);
	env_cpu = 0;
	spare = ring_buffer_alloc(2 * ring_data_size(0), RB_FL_OVERWRITE);
	env_dawdles = true;
	alarm(120);
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_create(&threads[i], NULL, swap_main, &failed[i]);
	for (i = 0; i < ARRAY_SIZE(threads); i++) {
		pthread_join(threads[i], NULL);
		EXPECT_EQ(failed[i], 0);
	}
	alarm(0);
	env_dawdles = false;
	ring_buffer_free(spare);
	done();
}

static const struct tap_case cases[] = {
	TAP_CASE(overwrite_unread),
	TAP_CASE(overwrite_smallest),
	TAP_CASE(overwrite_consume),
	TAP_CASE(overwrite_pages),
	TAP_CASE(produce_consume),
	TAP_CASE(produce_pages),
	TAP_CASE(resize_consume),
	TAP_CASE(resize_pages),
	TAP_CASE(resize_produce),
	TAP_CASE(reset_consume),
	TAP_CASE(requests_balance),
	TAP_CASE(requests_anywhere),
	TAP_CASE(swap_of_cpu_down),
};

int main(void)
{
	if (getenv("RING_MS"))
		run_ms = atol(getenv("RING_MS"));
	tap_seed();
	return tap_run(cases, TAP_NUM(cases));
}
