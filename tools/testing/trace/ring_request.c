// SPDX-License-Identifier: GPL-2.0
/*
 * Swaps of rings on request: no event is rejected because of a swap, and each event is in the
 * old ring or in the new one.
 */
#include "ring/page.h"
#include "ring/swap.h"
#include "ring/write.h"
#include "tap.h"

static struct trace_buffer *buffer, *spare;

static void make(bool keep)
{
	env_cpu = 0;
	buffer = ring_buffer_alloc(4 * ring_data_size(0), RB_FL_OVERWRITE);
	spare = ring_buffer_alloc(4 * ring_data_size(0), RB_FL_OVERWRITE);
	ring_buffer_swap_with(buffer, spare, keep);
}

static void done(void)
{
	EXPECT_EQ(env_preempt, 0);
	EXPECT_EQ(atomic_read(&buffer->off), 0);
	EXPECT_EQ(atomic_read(&buffer->cpus[0]->off), 0);
	EXPECT_EQ(ring_buffer_dropped_events_cpu(buffer, 0), 0);
	ring_buffer_free(buffer);
	ring_buffer_free(spare);
	EXPECT_EQ(env_allocs_live, 0);
}

static void request(void)
{
	EXPECT(ring_buffer_swap_request(buffer));
	EXPECT(ring_buffer_swap_pending(buffer));
	EXPECT(ring_buffer_record_is_on(buffer));
}

static void finish(void)
{
	EXPECT_EQ(ring_buffer_swap_finish(buffer), 0);
	EXPECT(!ring_buffer_swap_pending(buffer));
}

static void write_from(u32 from, u32 to)
{
	for (; from < to; from++)
		EXPECT_EQ(ring_buffer_write(buffer, sizeof(from), &from), 0);
}

/* Consume all events: the numbers from @from up to @to. */
static void expect_numbers(struct trace_buffer *of, u32 from, u32 to)
{
	struct ring_buffer_event *event;

	EXPECT_EQ(ring_buffer_entries_cpu(of, 0), to - from);
	while ((event = ring_buffer_consume(of, 0, NULL, NULL))) {
		if (!EXPECT_EQ(*(u32 *)ring_buffer_event_data(event), from++))
			return;
	}
	EXPECT_EQ(from, to);
}

/* The spare buffer has @first to @second, and the other one has the numbers from @second on. */
static void expect_both(u32 first, u32 second, u32 end)
{
	expect_numbers(spare, first, second);
	expect_numbers(buffer, second, end);
}

static void next_event(void)
{
	make(false);
	write_from(0, 3);
	request();
	write_from(3, 5);
	EXPECT(ring_buffer_swap_pending(buffer));
	finish();
	write_from(5, 6);
	expect_both(0, 3, 6);
	finish();
	done();
}

static void idle(void)
{
	make(false);
	write_from(0, 3);
	request();
	finish();
	expect_both(0, 3, 3);
	done();
}

/* Two requests are two swaps, whether or not there was an event in between. */
static void twice(void)
{
	make(false);
	write_from(0, 3);
	request();
	write_from(3, 4);
	request();
	write_from(4, 5);
	finish();
	expect_both(3, 4, 5);

	write_from(0, 3);
	request();
	request();
	finish();
	expect_both(0, 0, 0);

	write_from(0, 3);
	request();
	request();
	request();
	write_from(3, 4);
	finish();
	expect_both(3, 3, 4);
	done();
}

/* For latencies: each has a time when it began. */
static void twice_kept(void)
{
	make(true);
	write_from(0, 3);
	request();
	request();
	finish();
	expect_both(0, 3, 3);
	done();
}

/* Requests are not finished for a long time. */
static void many(void)
{
	int i;

	make(false);
	for (i = 0; i < 3000; i++) {
		request();
		write_from(i, i + 1);
	}
	finish();
	expect_both(2998, 2999, 3000);
	done();
}

/* There is no swap inside an event, and no event written there is lost. */
static void interrupted(void)
{
	struct ring_buffer_event *event;

	make(false);
	event = ring_buffer_lock_reserve(buffer, sizeof(u32));
	if (!EXPECT(event))
		return;
	*(u32 *)ring_buffer_event_data(event) = 0;
	env_preempt += HARDIRQ_OFFSET;
	request();
	write_from(1, 2);
	request();
	write_from(2, 3);
	env_preempt -= HARDIRQ_OFFSET;
	ring_buffer_unlock_commit(buffer);
	write_from(3, 4);
	finish();
	expect_both(0, 3, 4);
	done();
}

static void nmi(void)
{
	make(false);
	write_from(0, 1);
	env_preempt += NMI_OFFSET + HARDIRQ_OFFSET;
	request();
	write_from(1, 2);
	env_preempt -= NMI_OFFSET + HARDIRQ_OFFSET;
	write_from(2, 3);
	finish();
	expect_both(0, 2, 3);
	done();
}

/* The writer may have interrupted a reader that holds the lock. */
static void locked(void)
{
	raw_spinlock_t *lock;

	make(false);
	lock = &buffer->cpus[0]->reader_lock;
	raw_spin_lock(lock);
	request();
	write_from(0, 1);
	raw_spin_unlock(lock);

	lock = &spare->cpus[0]->reader_lock;
	raw_spin_lock(lock);
	write_from(1, 2);
	raw_spin_unlock(lock);

	write_from(2, 3);
	finish();
	expect_both(0, 2, 3);
	done();
}

static void held(void)
{
	make(false);
	ring_buffer_consume_begin(buffer, 0);
	request();
	write_from(0, 1);
	ring_buffer_consume_end(buffer);
	mutex_lock(&buffer->mutex);
	write_from(1, 2);
	mutex_unlock(&buffer->mutex);
	mutex_lock(&spare->mutex);
	write_from(2, 3);
	mutex_unlock(&spare->mutex);
	write_from(3, 4);
	finish();
	expect_both(0, 3, 4);
	done();
}

/* A mapped ring is not swapped, and neither is a ring without a counterpart of the same size. */
static void impossible(void)
{
	struct page *pages[6];
	struct vm_area_struct vma = { .vm_flags = VM_MAYSHARE, .pages = pages, .nr = 6 };

	make(false);
	EXPECT_EQ(ring_buffer_map(buffer, 0, &vma), 0);
	request();
	write_from(0, 2);
	EXPECT_EQ(ring_buffer_swap_finish(buffer), -EBUSY);
	EXPECT(ring_buffer_swap_pending(buffer));
	ring_buffer_swap_drop(buffer);
	EXPECT(!ring_buffer_swap_pending(buffer));
	EXPECT_EQ(ring_buffer_unmap(buffer, 0), 0);
	write_from(2, 3);
	expect_both(0, 0, 3);

	EXPECT_EQ(ring_buffer_resize(buffer, 8 * ring_data_size(0), 0), 0);
	request();
	write_from(0, 2);
	EXPECT_EQ(ring_buffer_swap_finish(buffer), -EINVAL);
	EXPECT_EQ(ring_buffer_resize(spare, 8 * ring_data_size(0), 0), 0);
	write_from(2, 3);
	finish();
	expect_both(0, 2, 3);
	done();
}

/* Switches belong to the buffer: a swap does not change them. */
static void switched_off(void)
{
	u32 late = 100;

	make(false);
	write_from(0, 1);
	ring_buffer_record_off(buffer);
	EXPECT(ring_buffer_swap_request(buffer));
	EXPECT(!ring_buffer_record_is_on(buffer));
	EXPECT_EQ(ring_buffer_write(buffer, sizeof(late), &late), -EBUSY);
	ring_buffer_record_on(buffer);
	write_from(1, 2);
	finish();
	expect_both(0, 1, 2);
	done();
}

static void switched_off_cpu(void)
{
	u32 late = 100;

	make(false);
	write_from(0, 1);
	ring_buffer_record_disable_cpu(buffer, 0);
	request();
	EXPECT_EQ(ring_buffer_write(buffer, sizeof(late), &late), -EBUSY);
	finish();
	EXPECT_EQ(ring_buffer_write(buffer, sizeof(late), &late), -EBUSY);
	ring_buffer_record_enable_cpu(buffer, 0);
	write_from(1, 2);
	expect_both(0, 1, 2);
	done();
}

/* Taking a ring immediately completes an earlier request. */
static void taken(void)
{
	make(false);
	write_from(0, 2);
	request();
	EXPECT_EQ(ring_buffer_take_cpu(buffer, spare, 0), 0);
	write_from(2, 3);
	finish();
	expect_both(0, 2, 3);
	done();
}

/* The fast path leaves the swap to the slow path. */
static void plain(void)
{
	struct ring_cpu *cb;
	void *data;

	make(false);
	write_from(0, 1);
	request();
	preempt_disable_notrace();
	EXPECT(!ring_plain_begin(buffer, sizeof(u32), env_clock(), &cb, &data));
	ring_plain_undo(cb);
	preempt_enable_notrace();
	write_from(1, 2);
	finish();
	preempt_disable_notrace();
	if (EXPECT(ring_plain_begin(buffer, sizeof(u32), env_clock(), &cb, &data))) {
		*(u32 *)data = 2;
		ring_plain_end(cb);
	}
	preempt_enable_notrace();
	expect_both(0, 1, 3);
	done();
}

static void no_spare(void)
{
	make(false);
	request();
	ring_buffer_swap_with(buffer, NULL, false);
	write_from(0, 2);
	ring_buffer_swap_drop(buffer);
	EXPECT(!ring_buffer_swap_request(buffer));
	EXPECT(!ring_buffer_swap_pending(buffer));
	write_from(2, 3);
	expect_both(0, 0, 3);
	done();
}

/* The writer of 4 looked up its ring before the exchange that the writer of 3 made. */
static void swap_and_write_late(void)
{
	u32 late = 4;

	request();
	write_from(3, 4);
	EXPECT_EQ(ring_buffer_write(spare, sizeof(late), &late), 0);
}

/* An iterator reads no late event of a ring that its buffer has exchanged. */
static void iterated(void)
{
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;
	u32 i;

	make(false);
	write_from(0, 3);
	iter = ring_buffer_read_start(buffer, 0, GFP_KERNEL);
	for (i = 0; i < 4; i++) {
		if (i == 3)
			env_before_spinlock = swap_and_write_late;
		event = ring_buffer_iter_peek(iter, NULL);
		if (EXPECT(event))
			EXPECT_EQ(*(u32 *)ring_buffer_event_data(event), i);
		ring_buffer_iter_advance(iter);
	}
	EXPECT(!ring_buffer_iter_peek(iter, NULL));
	EXPECT(ring_buffer_iter_dropped(iter));
	ring_buffer_read_finish(iter);
	finish();
	done();
}

static const struct tap_case cases[] = {
	TAP_CASE(next_event),
	TAP_CASE(idle),
	TAP_CASE(twice),
	TAP_CASE(twice_kept),
	TAP_CASE(many),
	TAP_CASE(interrupted),
	TAP_CASE(nmi),
	TAP_CASE(locked),
	TAP_CASE(held),
	TAP_CASE(impossible),
	TAP_CASE(switched_off),
	TAP_CASE(switched_off_cpu),
	TAP_CASE(taken),
	TAP_CASE(plain),
	TAP_CASE(no_spare),
	TAP_CASE(iterated),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
