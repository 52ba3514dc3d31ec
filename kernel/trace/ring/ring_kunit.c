// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the ring buffer that need a running kernel: real interrupts, waiting tasks,
 * several CPUs. Tests that need no kernel are in tools/testing/trace/.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/ring_buffer.h>
#include <linux/smp.h>
#include <linux/trace_clock.h>

#define TEST_PAGES	8

/* An event: its writer, its number, and a checksum of both. */
struct test_event {
	u32	writer;
	u32	number;
	u32	check[2];
};

static bool write_event(struct trace_buffer *buffer, u32 writer, u32 number)
{
	struct ring_buffer_event *event;
	struct test_event *test;

	event = ring_buffer_lock_reserve(buffer, sizeof(*test));
	if (!event)
		return false;
	test = ring_buffer_event_data(event);
	test->writer = writer;
	test->number = number;
	test->check[0] = ~writer;
	test->check[1] = ~number;
	ring_buffer_unlock_commit(buffer);
	return true;
}

static struct trace_buffer *test_buffer(struct kunit *test, unsigned int flags)
{
	struct trace_buffer *buffer = ring_buffer_alloc(TEST_PAGES * PAGE_SIZE, flags);

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	return buffer;
}

/* Running totals of a reader of one CPU. */
struct test_tally {
	u64		ts;
	u32		next[2];
	unsigned long	read;
	unsigned long	lost;
};

static bool read_event(struct kunit *test, struct trace_buffer *buffer, int cpu,
		       struct test_tally *tally)
{
	struct ring_buffer_event *event;
	struct test_event *data;
	unsigned long lost;
	u64 ts;

	event = ring_buffer_consume(buffer, cpu, &ts, &lost);
	if (!event)
		return false;
	data = ring_buffer_event_data(event);
	KUNIT_ASSERT_LT(test, data->writer, 2);
	KUNIT_EXPECT_EQ(test, data->check[0], ~data->writer);
	KUNIT_EXPECT_EQ(test, data->check[1], ~data->number);
	KUNIT_EXPECT_GE(test, data->number, tally->next[data->writer]);
	KUNIT_EXPECT_GE(test, ts, tally->ts);
	tally->next[data->writer] = data->number + 1;
	tally->ts = ts;
	tally->lost += lost;
	tally->read++;
	return true;
}

static void test_write_read(struct kunit *test)
{
	struct trace_buffer *buffer = test_buffer(test, RB_FL_OVERWRITE);
	struct test_tally tally = { };
	u64 before, after;
	int i, cpu;

	migrate_disable();
	cpu = smp_processor_id();
	before = ring_buffer_time_stamp(buffer);
	for (i = 0; i < 100; i++)
		KUNIT_EXPECT_TRUE(test, write_event(buffer, 0, i));
	after = ring_buffer_time_stamp(buffer);
	migrate_enable();

	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 100);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries_cpu(buffer, cpu), 100);
	KUNIT_EXPECT_GE(test, ring_buffer_oldest_event_ts(buffer, cpu), before);
	while (read_event(test, buffer, cpu, &tally))
		;
	KUNIT_EXPECT_LE(test, tally.ts, after);
	KUNIT_EXPECT_EQ(test, tally.read, 100);
	KUNIT_EXPECT_EQ(test, tally.lost, 0);
	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(buffer));
	ring_buffer_free(buffer);
}

static void test_sizes(struct kunit *test)
{
	struct trace_buffer *buffer = test_buffer(test, RB_FL_OVERWRITE);
	int cpu = cpumask_first(cpu_online_mask);
	unsigned long size = ring_buffer_size(buffer, cpu);

	KUNIT_EXPECT_GE(test, size, TEST_PAGES * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, ULONG_MAX, RING_BUFFER_ALL_CPUS),
			-EINVAL);
	/* One tebibyte per CPU */
	KUNIT_EXPECT_NE(test, ring_buffer_resize(buffer, 1UL << 40, cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_size(buffer, cpu), size);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, size, nr_cpu_ids), -EINVAL);

	KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, 4 * size, cpu), 0);
	KUNIT_EXPECT_GE(test, ring_buffer_size(buffer, cpu), 4 * size);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, 0, RING_BUFFER_ALL_CPUS), 0);
	KUNIT_EXPECT_LE(test, ring_buffer_size(buffer, cpu), 2 * PAGE_SIZE);

	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(buffer, 2), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_size_get(buffer), 4 * PAGE_SIZE);
	KUNIT_EXPECT_GT(test, ring_buffer_max_event_size(buffer), 3 * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(buffer, 30), -EINVAL);
	ring_buffer_free(buffer);
}

/* A hard interrupt that writes while a task is writing. */
struct test_irq {
	struct hrtimer		timer;
	struct trace_buffer	*buffer;
	u32			written;
	bool			stop;
};

static enum hrtimer_restart test_timer(struct hrtimer *timer)
{
	struct test_irq *irq = container_of(timer, struct test_irq, timer);
	int i;

	for (i = 0; i < 3; i++)
		irq->written += write_event(irq->buffer, 1, irq->written);
	if (READ_ONCE(irq->stop))
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(20 * NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

static void test_interrupted(struct kunit *test)
{
	struct test_irq *irq = kunit_kzalloc(test, sizeof(*irq), GFP_KERNEL);
	struct test_tally tally = { };
	unsigned long overrun, refused;
	u32 written = 0;
	int cpu;

	KUNIT_ASSERT_NOT_NULL(test, irq);
	irq->buffer = test_buffer(test, RB_FL_OVERWRITE);
	hrtimer_init(&irq->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	irq->timer.function = test_timer;

	migrate_disable();
	cpu = smp_processor_id();
	hrtimer_start(&irq->timer, ns_to_ktime(1), HRTIMER_MODE_REL_PINNED_HARD);
	while (written < 100000) {
		written += write_event(irq->buffer, 0, written);
		if (written % 64 == 0)
			read_event(test, irq->buffer, cpu, &tally);
		cond_resched();
	}
	WRITE_ONCE(irq->stop, true);
	hrtimer_cancel(&irq->timer);
	migrate_enable();

	while (read_event(test, irq->buffer, cpu, &tally))
		;
	KUNIT_EXPECT_GT(test, irq->written, 0);
	overrun = ring_buffer_overrun_cpu(irq->buffer, cpu);
	KUNIT_EXPECT_EQ(test, tally.read + overrun, written + irq->written);
	/* On a slow CPU, interrupts may fill the ring before one event is committed. */
	refused = ring_buffer_commit_overrun_cpu(irq->buffer, cpu);
	KUNIT_EXPECT_EQ(test, tally.lost, overrun + refused);
	KUNIT_EXPECT_EQ(test, ring_buffer_dropped_events_cpu(irq->buffer, cpu), 0);
	KUNIT_EXPECT_EQ(test, tally.next[0], written);
	/* The last events of the interrupt may be overwritten: interrupts can be rare. */
	KUNIT_EXPECT_LE(test, tally.next[1], irq->written);
	ring_buffer_free(irq->buffer);
}

/* A task per CPU that writes until it is stopped. */
struct test_writer {
	struct task_struct	*task;
	struct trace_buffer	*buffer;
	u32			written;
};

static int test_write(void *data)
{
	struct test_writer *writer = data;

	while (!kthread_should_stop()) {
		writer->written += write_event(writer->buffer, 0, writer->written);
		cond_resched();
	}
	return 0;
}

static void test_resize_under_load(struct kunit *test)
{
	struct trace_buffer *buffer = test_buffer(test, RB_FL_OVERWRITE);
	unsigned long overrun, missed;
	struct test_writer *writers;
	struct test_tally *tallies;
	int cpu, i;

	writers = kunit_kcalloc(test, nr_cpu_ids, sizeof(*writers), GFP_KERNEL);
	tallies = kunit_kcalloc(test, nr_cpu_ids, sizeof(*tallies), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, writers);
	KUNIT_ASSERT_NOT_NULL(test, tallies);

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		writers[cpu].buffer = buffer;
		writers[cpu].task = kthread_create_on_cpu(test_write, &writers[cpu], cpu,
							  "ring_kunit/%u");
		KUNIT_EXPECT_FALSE(test, IS_ERR(writers[cpu].task));
		if (IS_ERR(writers[cpu].task))
			writers[cpu].task = NULL;
		else
			wake_up_process(writers[cpu].task);
	}
	cpus_read_unlock();

	for (i = 0; i < 60; i++) {
		KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, (i * 7 % 32) * PAGE_SIZE,
							 RING_BUFFER_ALL_CPUS), 0);
		for_each_online_cpu(cpu) {
			read_event(test, buffer, cpu, &tallies[cpu]);
			read_event(test, buffer, cpu, &tallies[cpu]);
		}
		fsleep(500);
	}

	for_each_online_cpu(cpu) {
		if (!writers[cpu].task)
			continue;
		kthread_stop(writers[cpu].task);
		while (read_event(test, buffer, cpu, &tallies[cpu]))
			;
		overrun = ring_buffer_overrun_cpu(buffer, cpu);
		missed = ring_buffer_dropped_events_cpu(buffer, cpu) +
			 ring_buffer_commit_overrun_cpu(buffer, cpu);
		KUNIT_EXPECT_GT(test, writers[cpu].written, 0);
		KUNIT_EXPECT_EQ(test, missed, 0);
		KUNIT_EXPECT_EQ(test, tallies[cpu].lost, overrun);
		KUNIT_EXPECT_EQ(test, tallies[cpu].read + overrun, writers[cpu].written);
	}
	ring_buffer_free(buffer);
}

/* A task that reads, and sleeps when there are no events. */
struct test_sleeper {
	struct trace_buffer	*buffer;
	int			cpu;
	u32			read;
	int			ret;
	bool			stop;
	struct completion	done;
};

static bool test_stopped(void *data)
{
	return READ_ONCE(*(bool *)data);
}

static int test_sleep(void *data)
{
	struct test_sleeper *sleeper = data;

	while (!READ_ONCE(sleeper->stop)) {
		sleeper->ret = ring_buffer_wait(sleeper->buffer, sleeper->cpu, 0,
						test_stopped, &sleeper->stop);
		if (sleeper->ret)
			break;
		while (ring_buffer_consume(sleeper->buffer, raw_smp_processor_id(),
					   NULL, NULL))
			WRITE_ONCE(sleeper->read, sleeper->read + 1);
	}
	complete(&sleeper->done);
	return 0;
}

static void run_sleeper(struct kunit *test, int cpu)
{
	struct test_sleeper *sleeper = kunit_kzalloc(test, sizeof(*sleeper), GFP_KERNEL);
	struct task_struct *task;
	int here, i, patience;

	KUNIT_ASSERT_NOT_NULL(test, sleeper);
	sleeper->buffer = test_buffer(test, RB_FL_OVERWRITE);
	migrate_disable();
	here = smp_processor_id();
	sleeper->cpu = cpu == RING_BUFFER_ALL_CPUS ? cpu : here;
	init_completion(&sleeper->done);
	task = kthread_create(test_sleep, sleeper, "ring_kunit_sleep");
	if (IS_ERR(task)) {
		KUNIT_FAIL(test, "no thread");
		goto out;
	}
	kthread_bind(task, here);
	wake_up_process(task);

	for (i = 0; i < 30; i++) {
		KUNIT_EXPECT_TRUE(test, write_event(sleeper->buffer, 0, i));
		for (patience = 0; READ_ONCE(sleeper->read) <= i && patience < 2000; patience++)
			fsleep(1000);
		KUNIT_EXPECT_GT(test, READ_ONCE(sleeper->read), i);
		if (READ_ONCE(sleeper->read) <= i)
			break;
		/* Vary whether the task sleeps already when the next event is written. */
		if (i % 2)
			fsleep(500 * (i % 5));
	}

	WRITE_ONCE(sleeper->stop, true);
	ring_buffer_wake_waiters(sleeper->buffer, sleeper->cpu);
	KUNIT_EXPECT_GT(test, wait_for_completion_timeout(&sleeper->done, 10 * HZ), 0);
	KUNIT_EXPECT_EQ(test, sleeper->ret, 0);
	KUNIT_EXPECT_EQ(test, sleeper->read, 30);
out:
	migrate_enable();
	ring_buffer_free(sleeper->buffer);
}

static void test_wait(struct kunit *test)
{
	run_sleeper(test, 0);
	run_sleeper(test, RING_BUFFER_ALL_CPUS);
}

static void test_iterate(struct kunit *test)
{
	struct trace_buffer *buffer = test_buffer(test, RB_FL_OVERWRITE);
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;
	struct test_event *data;
	int i, cpu, round;
	u64 ts, last = 0;

	migrate_disable();
	cpu = smp_processor_id();
	for (i = 0; i < 400; i++)
		KUNIT_EXPECT_TRUE(test, write_event(buffer, 0, i));
	migrate_enable();

	iter = ring_buffer_read_start(buffer, cpu, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	for (round = 0; round < 2; round++) {
		last = 0;
		for (i = 0; (event = ring_buffer_iter_peek(iter, &ts)); i++) {
			data = ring_buffer_event_data(event);
			KUNIT_EXPECT_EQ(test, data->number, i);
			KUNIT_EXPECT_GE(test, ts, last);
			last = ts;
			ring_buffer_iter_advance(iter);
		}
		KUNIT_EXPECT_EQ(test, i, 400);
		KUNIT_EXPECT_TRUE(test, ring_buffer_iter_empty(iter));
		ring_buffer_iter_reset(iter);
	}
	KUNIT_EXPECT_FALSE(test, ring_buffer_iter_dropped(iter));
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 400);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(buffer, 1), -EBUSY);
	ring_buffer_read_finish(iter);
	ring_buffer_free(buffer);
}

/* A permanently disabled buffer can be read, but not written to. */
static void test_permanent(struct kunit *test)
{
	struct trace_buffer *buffer = ring_buffer_alloc(4 * PAGE_SIZE, RB_FL_OVERWRITE);
	u64 number = 1;

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	KUNIT_EXPECT_EQ(test, ring_buffer_write(buffer, sizeof(number), &number), 0);
	KUNIT_EXPECT_FALSE(test, ring_buffer_is_disabled_permanent(buffer));

	ring_buffer_disable_permanent(buffer);
	KUNIT_EXPECT_NE(test, ring_buffer_write(buffer, sizeof(number), &number), 0);
	ring_buffer_record_off(buffer);
	ring_buffer_record_on(buffer);
	KUNIT_EXPECT_TRUE(test, ring_buffer_is_disabled_permanent(buffer));
	KUNIT_EXPECT_FALSE(test, ring_buffer_record_is_set_on(buffer));
	KUNIT_EXPECT_NE(test, ring_buffer_write(buffer, sizeof(number), &number), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 1);
	ring_buffer_free(buffer);
}

static struct kunit_case ring_cases[] = {
	KUNIT_CASE(test_write_read),
	KUNIT_CASE(test_iterate),
	KUNIT_CASE(test_sizes),
	KUNIT_CASE(test_interrupted),
	KUNIT_CASE(test_resize_under_load),
	KUNIT_CASE(test_wait),
	KUNIT_CASE(test_permanent),
	{ }
};

static struct kunit_suite ring_suite = {
	.name		= "ring_buffer",
	.test_cases	= ring_cases,
};

kunit_test_suite(ring_suite);

MODULE_DESCRIPTION("KUnit tests of the trace ring buffer");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
