// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics and timestamps of the ring buffer: when events happened, and how many were read,
 * lost or dropped. The test has its own clock, so that each time is known.
 */
#include "ring/page.h"
#include "ring/swap.h"
#include "tap.h"

#include <unistd.h>

static struct trace_buffer *buffer;
static u64 now;

static u64 test_clock(void)
{
	return now;
}

static u64 other_clock(void)
{
	return now / 1000;
}

static void make(unsigned long pages, unsigned int flags)
{
	env_cpu = 0;
	env_clock = test_clock;
	buffer = ring_buffer_alloc(pages * ring_data_size(0), flags);
}

static void done(void)
{
	ring_buffer_free(buffer);
	EXPECT_EQ(env_allocs_live, 0);
}

/* Writes an event of @words words; the first word is @number. */
static bool write_words(u32 number, unsigned int words)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, words * 4);

	if (!event)
		return false;
	*(u32 *)ring_buffer_event_data(event) = number;
	ring_buffer_unlock_commit(buffer);
	return true;
}

static bool write_number(u32 number)
{
	return write_words(number, 1);
}

/* The next event is @number, at @ts, with @lost lost before it. */
static void expect_event(u32 number, u64 ts, unsigned long lost)
{
	struct ring_buffer_event *event;
	unsigned long have_lost = 0;
	u64 have_ts = 0;

	EXPECT(ring_buffer_peek(buffer, 0, &have_ts, &have_lost));
	EXPECT_EQ(have_ts, ts);
	EXPECT_EQ(have_lost, lost);
	EXPECT_EQ(ring_buffer_oldest_event_ts(buffer, 0), ts);
	event = ring_buffer_consume(buffer, 0, &have_ts, &have_lost);
	if (!EXPECT(event))
		return;
	EXPECT_EQ(*(u32 *)ring_buffer_event_data(event), number);
	EXPECT_EQ(have_ts, ts);
	EXPECT_EQ(have_lost, lost);
}

static void expect_none(void)
{
	EXPECT(!ring_buffer_consume(buffer, 0, NULL, NULL));
	EXPECT_EQ(ring_buffer_oldest_event_ts(buffer, 0), 0);
	EXPECT_EQ(ring_buffer_entries_cpu(buffer, 0), 0);
	EXPECT_EQ(ring_buffer_bytes_cpu(buffer, 0), 0);
}

/* Steps around the limits of a delta, an extend and a page. */
static const u64 steps[] = {
	0, 1, 5, RING_DELTA_LIMIT - 1, RING_DELTA_LIMIT, RING_DELTA_LIMIT + 1, 0,
	1ULL << 32, 3, 1ULL << 42, RING_REL_LIMIT - 1, RING_REL_LIMIT, 7,
	RING_REL_LIMIT + 1, 1ULL << 50, 1, 0,
};

/* Events at these steps from @start on are read with exactly these times. */
static void steps_from(u64 start, bool abs)
{
	u64 ts[ARRAY_SIZE(steps)];
	size_t i;

	now = start;
	make(40, RB_FL_OVERWRITE);
	ring_buffer_set_time_stamp_abs(buffer, abs);
	EXPECT_EQ(ring_buffer_time_stamp_abs(buffer), abs);
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		now += steps[i];
		ts[i] = now;
		EXPECT_EQ(ring_buffer_time_stamp(buffer), now);
		EXPECT(write_number(i));
	}
	for (i = 0; i < ARRAY_SIZE(steps); i++)
		expect_event(i, ts[i], 0);
	expect_none();
	done();
}

static void deltas_and_extends(void)
{
	steps_from(1000, false);
	steps_from(1ULL << 61, false);
}

static void absolute(void)
{
	steps_from(1000, true);
	/* The time has more bits than a time stamp. */
	steps_from((1ULL << 60) + 12345, true);
}

/* Switches between the two modes, in the same page. */
static void absolute_and_not(void)
{
	u32 i;

	now = 5000;
	make(4, RB_FL_OVERWRITE);
	for (i = 0; i < 100; i++) {
		ring_buffer_set_time_stamp_abs(buffer, i / 10 % 2);
		now += 100;
		EXPECT(write_number(i));
		EXPECT_EQ(buffer->cpus[0]->delta_limit, i / 10 % 2 ? 0 : RING_DELTA_LIMIT);
	}
	for (i = 0; i < 100; i++)
		expect_event(i, 5100 + i * 100, 0);
	expect_none();
	done();
}

static void size_of_absolute(void)
{
	unsigned long bytes;

	now = 5000;
	make(4, RB_FL_OVERWRITE);
	write_number(0);
	bytes = ring_buffer_bytes_cpu(buffer, 0);
	EXPECT_EQ(bytes, 8);
	ring_buffer_set_time_stamp_abs(buffer, true);
	write_number(1);
	EXPECT_EQ(ring_buffer_bytes_cpu(buffer, 0), bytes + 16);
	done();
}

/* If the clock goes backwards, time stands still until the clock has caught up. */
static void back(void)
{
	static const u64 clock[] = { 1000, 900, 0, 999, 1000, 1001, 500, 1002 };
	static const u64 shown[] = { 1000, 1000, 1000, 1000, 1000, 1001, 1001, 1002 };
	size_t i;
	int abs;

	for (abs = 0; abs < 2; abs++) {
		now = 1000;
		make(4, RB_FL_OVERWRITE);
		ring_buffer_set_time_stamp_abs(buffer, abs);
		for (i = 0; i < ARRAY_SIZE(clock); i++) {
			now = clock[i];
			EXPECT(write_number(i));
		}
		for (i = 0; i < ARRAY_SIZE(clock); i++)
			expect_event(i, shown[i], 0);
		done();
	}
}

/* Also across pages. */
static void back_over_pages(void)
{
	u64 ts;
	u32 i;

	now = 1ULL << 40;
	make(40, RB_FL_OVERWRITE);
	for (i = 0; i < 100; i++) {
		now -= 1000;
		EXPECT(write_words(i, 200));
	}
	for (i = 0; ring_buffer_consume(buffer, 0, &ts, NULL); i++)
		EXPECT_EQ(ts, 1ULL << 40);
	EXPECT_EQ(i, 100);
	done();
}

/* The clock is changed while an event is being written, and other events follow. */
static void another_clock(void)
{
	struct ring_buffer_event *event;
	int i;

	now = 1000000;
	make(4, RB_FL_OVERWRITE);
	event = ring_buffer_lock_reserve(buffer, 4);
	*(u32 *)ring_buffer_event_data(event) = 0;
	ring_buffer_set_clock(buffer, other_clock);
	EXPECT_EQ(ring_buffer_event_time_stamp(buffer, event), 1000000);
	ring_buffer_unlock_commit(buffer);

	/* Its times are smaller, so time stands still. After a reset they count. */
	EXPECT_EQ(ring_buffer_time_stamp(buffer), 1000);
	EXPECT(write_number(1));
	ring_buffer_set_clock(buffer, trace_clock_local);
	now += 10;
	EXPECT(write_number(2));
	for (i = 0; i < 3; i++)
		expect_event(i, i == 2 ? 1000010 : 1000000, 0);
	ring_buffer_set_clock(buffer, other_clock);
	ring_buffer_reset(buffer);
	EXPECT(write_number(3));
	expect_event(3, 1000, 0);
	expect_none();
	done();
}

/* A writer gets the same time that the reader will see. */
static void while_written(void)
{
	struct ring_buffer_event *event;
	u64 ts[ARRAY_SIZE(steps)], norm;
	size_t i;
	int abs;

	for (abs = 0; abs < 2; abs++) {
		now = 1ULL << 59;
		make(40, RB_FL_OVERWRITE);
		ring_buffer_set_time_stamp_abs(buffer, abs);
		for (i = 0; i < ARRAY_SIZE(steps); i++) {
			now += steps[i];
			ts[i] = now;
			event = ring_buffer_lock_reserve(buffer, 4);
			*(u32 *)ring_buffer_event_data(event) = i;
			/* Time advances, and an interrupt writes. */
			now += 3;
			env_preempt += HARDIRQ_OFFSET;
			if (i % 2)
				EXPECT(write_number(1000));
			env_preempt -= HARDIRQ_OFFSET;
			EXPECT_EQ(ring_buffer_event_time_stamp(buffer, event), ts[i]);
			norm = ts[i];
			ring_buffer_normalize_time_stamp(buffer, 0, &norm);
			EXPECT_EQ(norm, ts[i]);
			ring_buffer_unlock_commit(buffer);
		}
		for (i = 0; i < ARRAY_SIZE(steps); i++) {
			expect_event(i, ts[i], 0);
			if (i % 2)
				expect_event(1000, ts[i] + 3, 0);
		}
		expect_none();
		done();
	}
}

static void expect_counts(unsigned long entries, unsigned long overrun,
			  unsigned long dropped, unsigned long commit_overrun,
			  unsigned long read)
{
	EXPECT_EQ(ring_buffer_entries_cpu(buffer, 0), entries);
	EXPECT_EQ(ring_buffer_entries(buffer), entries);
	EXPECT_EQ(ring_buffer_overrun_cpu(buffer, 0), overrun);
	EXPECT_EQ(ring_buffer_overruns(buffer), overrun);
	EXPECT_EQ(ring_buffer_dropped_events_cpu(buffer, 0), dropped);
	EXPECT_EQ(ring_buffer_commit_overrun_cpu(buffer, 0), commit_overrun);
	EXPECT_EQ(ring_buffer_read_events_cpu(buffer, 0), read);
}

/* A page has space for 5 events of 200 words, so the expected counts are multiples of 5. */
#define WORDS		200
#define PER_PAGE	5

static void overwritten(void)
{
	u32 i;

	now = 10;
	make(3, RB_FL_OVERWRITE);
	for (i = 0; i < 4 * PER_PAGE; i++) {
		now = 100 + i;
		EXPECT(write_words(i, WORDS));
	}
	/* The fourth page has replaced the first one. */
	expect_counts(3 * PER_PAGE, PER_PAGE, 0, 0, 0);
	expect_event(PER_PAGE, 100 + PER_PAGE, PER_PAGE);
	expect_event(PER_PAGE + 1, 101 + PER_PAGE, 0);
	expect_counts(3 * PER_PAGE - 2, PER_PAGE, 0, 0, 2);

	/* The reader has a separate page, so there is space for one more. */
	for (; i < 5 * PER_PAGE; i++)
		EXPECT(write_words(i, WORDS));
	expect_counts(4 * PER_PAGE - 2, PER_PAGE, 0, 0, 2);
	EXPECT(write_words(i, WORDS));
	expect_counts(3 * PER_PAGE - 1, 2 * PER_PAGE, 0, 0, 2);
	ring_buffer_reset_cpu(buffer, 0);
	expect_counts(0, 0, 0, 0, 0);
	expect_none();
	done();
}

static void dropped(void)
{
	u32 i;

	now = 100;
	make(3, 0);
	for (i = 0; i < 3 * PER_PAGE; i++)
		EXPECT(write_words(i, WORDS));
	for (i = 0; i < 7; i++)
		EXPECT(!write_words(1000, WORDS));
	/* Not even a small event is accepted, since it would be out of order. */
	EXPECT(!write_number(1000));
	expect_counts(3 * PER_PAGE, 0, 8, 0, 0);
	for (i = 0; i < PER_PAGE; i++)
		expect_event(i, 100, 0);
	EXPECT(write_words(2000, WORDS));
	expect_counts(2 * PER_PAGE + 1, 0, 8, 0, PER_PAGE);
	for (; i < 3 * PER_PAGE; i++)
		expect_event(i, 100, 0);
	/* Here the reader passes the dropped events. */
	expect_event(2000, 100, 8);
	expect_counts(0, 0, 8, 0, 3 * PER_PAGE + 1);
	expect_none();
	done();
}

/* An interrupt wraps the ring up to the event that it interrupted. */
static void none_left(void)
{
	struct ring_buffer_event *event;
	u32 i, written = 0;

	now = 100;
	make(2, RB_FL_OVERWRITE);
	event = ring_buffer_lock_reserve(buffer, WORDS * 4);
	*(u32 *)ring_buffer_event_data(event) = 0;
	env_preempt += HARDIRQ_OFFSET;
	for (i = 0; i < 3 * PER_PAGE; i++)
		written += write_words(i + 1, WORDS);
	env_preempt -= HARDIRQ_OFFSET;
	ring_buffer_unlock_commit(buffer);

	EXPECT_EQ(written, 2 * PER_PAGE - 1);
	expect_counts(2 * PER_PAGE, 0, 0, PER_PAGE + 1, 0);
	EXPECT(write_words(1000, WORDS));
	/* The first page was overwritten for that. */
	expect_counts(PER_PAGE + 1, PER_PAGE, 0, PER_PAGE + 1, 0);
	for (i = PER_PAGE; i < 2 * PER_PAGE; i++)
		expect_event(i, 100, i == PER_PAGE ? PER_PAGE : 0);
	expect_event(1000, 100, PER_PAGE + 1);
	expect_none();
	done();
}

/* Events are not counted as dropped while recording is off. */
static void off(void)
{
	now = 100;
	make(2, RB_FL_OVERWRITE);
	ring_buffer_record_disable(buffer);
	EXPECT(!write_number(0));
	ring_buffer_record_enable(buffer);
	ring_buffer_record_off(buffer);
	EXPECT(!write_number(0));
	EXPECT(!ring_buffer_record_is_on(buffer));
	ring_buffer_record_on(buffer);
	ring_buffer_record_disable_cpu(buffer, 0);
	EXPECT(!write_number(0));
	ring_buffer_record_enable_cpu(buffer, 0);
	expect_counts(0, 0, 0, 0, 0);
	EXPECT(write_number(1));
	ring_buffer_disable_permanent(buffer);
	ring_buffer_record_on(buffer);
	EXPECT(!write_number(2));
	EXPECT(!ring_buffer_record_is_set_on(buffer));
	expect_event(1, 100, 0);
	expect_none();
	done();
}

/*
 * A ring that shrinks drops the oldest pages. An iterator in the middle of them continues with
 * the rest, and the reader gets the number of lost events.
 */
static void shrunk(void)
{
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;
	u32 i, number, next, pages;

	for (pages = 5; pages < 24; pages++) {
		now = 100;
		make(pages, RB_FL_OVERWRITE);
		for (i = 0; i < pages * PER_PAGE; i++)
			EXPECT(write_words(i, WORDS));
		expect_event(0, 100, 0);
		iter = ring_buffer_read_start(buffer, 0, GFP_KERNEL);
		for (next = 1; next < 2 * PER_PAGE + 2; next++)
			ring_buffer_iter_advance(iter);
		EXPECT(!ring_buffer_iter_dropped(iter));

		EXPECT_EQ(ring_buffer_resize(buffer, 3 * ring_data_size(0), 0), 0);
		for (i = 0; (event = ring_buffer_iter_peek(iter, NULL)); i++) {
			number = *(u32 *)ring_buffer_event_data(event);
			/* It shows its copied page to the end. */
			EXPECT(number >= next);
			next = number + 1;
			ring_buffer_iter_advance(iter);
		}
		EXPECT_EQ(next, pages * PER_PAGE);
		EXPECT(ring_buffer_iter_dropped(iter) || pages < 6);
		ring_buffer_read_finish(iter);

		for (i = 1; i < PER_PAGE; i++)
			expect_event(i, 100, 0);
		for (i = (pages - 3) * PER_PAGE; i < pages * PER_PAGE; i++)
			expect_event(i, 100, i == (pages - 3) * PER_PAGE ?
				     (pages - 4) * PER_PAGE : 0);
		expect_none();
		done();
	}
}

/*
 * A ring that grows keeps its events for a reader that is far behind the writer, and for an
 * iterator.
 */
static void grown(void)
{
	struct ring_buffer_iter *iter;
	u32 i, pages, first;

	for (pages = 3; pages < 12; pages++) {
		now = 100;
		make(pages, RB_FL_OVERWRITE);
		for (i = 0; i < 2 * pages * PER_PAGE; i++)
			EXPECT(write_words(i, WORDS));
		EXPECT_EQ(ring_buffer_resize(buffer, 20 * ring_data_size(0), 0), 0);

		first = pages * PER_PAGE;
		iter = ring_buffer_read_start(buffer, 0, GFP_KERNEL);
		for (i = first; i < 2 * first; i++) {
			if (!EXPECT(ring_buffer_iter_peek(iter, NULL)))
				break;
			ring_buffer_iter_advance(iter);
		}
		EXPECT(!ring_buffer_iter_peek(iter, NULL));
		ring_buffer_read_finish(iter);

		EXPECT_EQ(ring_buffer_overrun_cpu(buffer, 0), first);
		for (i = first; i < 2 * first; i++)
			expect_event(i, 100, i == first ? first : 0);
		expect_none();
		done();
	}
}

/* A ring of @pages that was never full keeps @nr events when it is resized to @to. */
static void resized_early_to(u32 pages, u32 to, u32 nr)
{
	u32 i;

	now = 100;
	make(pages, RB_FL_OVERWRITE);
	if (to & 1) {
		EXPECT_EQ(ring_buffer_subbuf_order_set(buffer, 1), 0);
		EXPECT_EQ(ring_buffer_subbuf_order_set(buffer, 0), 0);
	}
	for (i = 0; i < nr; i++)
		EXPECT(write_words(i, WORDS));
	EXPECT_EQ(ring_buffer_resize(buffer, to * ring_data_size(0), 0), 0);
	for (; i < nr + PER_PAGE; i++)
		EXPECT(write_words(i, WORDS));
	for (i = 0; i < nr + PER_PAGE; i++)
		expect_event(i, 100, 0);
	expect_none();
	done();
}

static void resized_early(void)
{
	u32 pages, to, full;

	for (pages = 2; pages < 9; pages++) {
		for (to = 2; to < 12; to++) {
			for (full = 0; full < min(pages, to); full++)
				resized_early_to(pages, to, full * PER_PAGE);
		}
	}
}

/* An iterator whose ring became a snapshot starts again with the new ring. */
static void exchanged(void)
{
	struct trace_buffer *spare;
	struct ring_buffer_iter *iter;
	struct ring_buffer_event *event;
	u32 i;

	now = 100;
	make(4, RB_FL_OVERWRITE);
	spare = ring_buffer_alloc(4 * ring_data_size(0), RB_FL_OVERWRITE);
	for (i = 0; i < 3; i++)
		EXPECT(write_words(i, 100 + i));
	EXPECT_EQ(ring_buffer_swap_cpu(buffer, spare, 0), 0);
	for (i = 10; i < 20; i++)
		EXPECT(write_words(i, 7));
	EXPECT_EQ(ring_buffer_swap_cpu(buffer, spare, 0), 0);
	iter = ring_buffer_read_start(buffer, 0, GFP_KERNEL);
	event = ring_buffer_iter_peek(iter, NULL);
	EXPECT_EQ(*(u32 *)ring_buffer_event_data(event), 0);
	ring_buffer_iter_advance(iter);
	EXPECT_EQ(ring_buffer_swap_cpu(buffer, spare, 0), 0);
	/* the copied page */
	for (i = 1; i < 3; i++) {
		event = ring_buffer_iter_peek(iter, NULL);
		EXPECT_EQ(*(u32 *)ring_buffer_event_data(event), i);
		ring_buffer_iter_advance(iter);
	}
	for (i = 10; i < 20; i++) {
		event = ring_buffer_iter_peek(iter, NULL);
		if (EXPECT(event))
			EXPECT_EQ(*(u32 *)ring_buffer_event_data(event), i);
		ring_buffer_iter_advance(iter);
	}
	EXPECT(ring_buffer_iter_dropped(iter));
	ring_buffer_read_finish(iter);
	ring_buffer_free(spare);
	done();
}

/* A new ring at the address of the iterator's freed ring is recognized as another ring. */
static void another_at_the_address(void)
{
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;
	struct trace_buffer *other;
	u32 i, number;

	now = 100;
	make(4, RB_FL_OVERWRITE);
	for (i = 0; i < 20; i++)
		EXPECT(write_words(i, 6));
	iter = ring_buffer_read_start(buffer, 0, GFP_KERNEL);
	EXPECT(ring_buffer_iter_peek(iter, NULL));

	other = ring_buffer_alloc(4 * ring_data_size(0), RB_FL_OVERWRITE);
	swap(*buffer->cpus[0], *other->cpus[0]);
	swap(buffer->cpus[0]->buffer, other->cpus[0]->buffer);
	for (i = 100; i < 200; i++)
		EXPECT(write_words(i, 5));

	/* the copied page, and then all of the other ring */
	for (i = 0; i < 120; i++) {
		number = i < 20 ? i : i + 80;
		event = ring_buffer_iter_peek(iter, NULL);
		if (!EXPECT(event))
			break;
		EXPECT_EQ(ring_buffer_event_length(event), (i < 20 ? 6 : 5) * 4);
		EXPECT_EQ(*(u32 *)ring_buffer_event_data(event), number);
		ring_buffer_iter_advance(iter);
	}
	EXPECT(!ring_buffer_iter_peek(iter, NULL));
	EXPECT(ring_buffer_iter_dropped(iter));
	ring_buffer_read_finish(iter);
	ring_buffer_free(other);
	done();
}

/* A peek makes the reader advance, and the iterator after it reports dropped events. */
static void looked_beside_iterator(void)
{
	struct ring_buffer_iter *iter;
	u32 i;

	now = 100;
	make(4, RB_FL_OVERWRITE);
	for (i = 0; i < 2 * PER_PAGE; i++)
		EXPECT(write_words(i, WORDS));
	iter = ring_buffer_read_start(buffer, 0, GFP_KERNEL);
	EXPECT(ring_buffer_iter_peek(iter, NULL));
	EXPECT(!ring_buffer_iter_dropped(iter));
	for (; i < 9 * PER_PAGE; i++)
		EXPECT(write_words(i, WORDS));
	EXPECT(ring_buffer_oldest_event_ts(buffer, 0));
	for (i = 0; i < PER_PAGE; i++)
		ring_buffer_iter_advance(iter);
	EXPECT(*(u32 *)ring_buffer_event_data(ring_buffer_iter_peek(iter, NULL)) > PER_PAGE);
	EXPECT(ring_buffer_iter_dropped(iter));
	ring_buffer_read_finish(iter);
	done();
}

/* Data after the last event of a page is not passed to the reader. */
static void nothing_behind(void)
{
	struct buffer_data_read_page *page;
	struct buffer_data_page *data;
	u32 i, at;

	now = 100;
	make(2, RB_FL_OVERWRITE);
	for (i = 0; i < 12 * PER_PAGE; i++)
		EXPECT(write_words(i, WORDS));
	/* shorter events, in a page that was full, and one more that does not fit there */
	for (i = 0; i < 3; i++)
		EXPECT(write_words(i, 8));
	for (i = 0; i < 2; i++)
		EXPECT(write_words(i, 1000));
	EXPECT_EQ(ring_buffer_alloc_read_page(buffer, 0, &page), 0);
	while (!ring_buffer_read_page(buffer, page, PAGE_SIZE, 0, 0)) {
		data = ring_buffer_read_page_data(page);
		at = data->commit & RING_COMMIT_MASK;
		if (data->commit & RB_MISSED_STORED)
			at += sizeof(long);
		for (; at < ring_data_size(0); at++)
			EXPECT_EQ(data->data[at], 0);
	}
	ring_buffer_free_read_page(buffer, 0, page);
	done();
}

/* A ring that is taken for another buffer is replaced by an empty one. */
static void taken(void)
{
	struct trace_buffer *spare;

	now = 100;
	make(4, RB_FL_OVERWRITE);
	spare = ring_buffer_alloc(4 * ring_data_size(0), RB_FL_OVERWRITE);
	EXPECT(write_number(1));
	EXPECT_EQ(ring_buffer_take_cpu(buffer, spare, 0), 0);
	EXPECT(write_number(2));
	EXPECT_EQ(ring_buffer_take_cpu(buffer, spare, 0), 0);
	EXPECT_EQ(ring_buffer_entries_cpu(buffer, 0), 0);
	EXPECT_EQ(ring_buffer_entries_cpu(spare, 0), 1);
	expect_none();
	ring_buffer_free(spare);
	done();
}

/* While events are consumed, their ring is not swapped. */
static void exchanged_while_consumed(void)
{
	struct trace_buffer *spare;

	now = 100;
	make(4, RB_FL_OVERWRITE);
	spare = ring_buffer_alloc(4 * ring_data_size(0), RB_FL_OVERWRITE);
	EXPECT(write_number(1));
	ring_buffer_consume_begin(buffer, 0);
	ring_buffer_consume_begin(buffer, RING_BUFFER_ALL_CPUS);
	EXPECT(ring_buffer_peek(buffer, 0, NULL, NULL));
	EXPECT_EQ(ring_buffer_take_cpu(buffer, spare, 0), -EBUSY);
	EXPECT_EQ(ring_buffer_swap_cpu(buffer, spare, 0), -EBUSY);
	EXPECT_EQ(ring_buffer_swap_cpu(spare, buffer, 0), -EBUSY);
	ring_buffer_consume_end(buffer);
	EXPECT_EQ(ring_buffer_take_cpu(buffer, spare, 0), -EBUSY);
	EXPECT_EQ(ring_buffer_entries_cpu(buffer, 0), 1);
	ring_buffer_consume_end(buffer);
	EXPECT_EQ(ring_buffer_take_cpu(buffer, spare, 0), 0);
	EXPECT_EQ(ring_buffer_entries_cpu(buffer, 0), 0);
	EXPECT_EQ(ring_buffer_entries_cpu(spare, 0), 1);
	ring_buffer_free(spare);
	done();
}

static pthread_t resizer;

static void *resize_main(void *arg)
{
	env_cpu = ENV_CPUS;
	EXPECT_EQ(ring_buffer_resize(buffer, 9 * ring_data_size(0), 0), 0);
	return NULL;
}

static void resize_meanwhile(void)
{
	env_mutex_found_free = NULL;
	pthread_create(&resizer, NULL, resize_main, NULL);
	usleep(50000);
}

/* A ring is swapped at the start of a resize: the new ring is resized. */
static void exchanged_beside_resize(void)
{
	struct trace_buffer *spare;

	now = 100;
	make(4, RB_FL_OVERWRITE);
	spare = ring_buffer_alloc(4 * ring_data_size(0), RB_FL_OVERWRITE);
	EXPECT(write_number(1));
	env_cpu_start(0);
	env_mutex_found_free = resize_meanwhile;
	EXPECT_EQ(ring_buffer_swap_cpu(buffer, spare, 0), 0);
	pthread_join(resizer, NULL);
	env_cpu_stop();
	EXPECT_EQ(ring_buffer_size(buffer, 0), 9 * ring_data_size(0));
	EXPECT_EQ(ring_buffer_size(spare, 0), 4 * ring_data_size(0));
	EXPECT_EQ(ring_buffer_entries_cpu(buffer, 0), 0);
	EXPECT_EQ(ring_buffer_entries_cpu(spare, 0), 1);
	ring_buffer_free(spare);
	done();
}

static void *enable_main(void *arg)
{
	env_cpu = ENV_CPUS;
	ring_buffer_record_enable_cpu(buffer, 0);
	return NULL;
}

static void enable_meanwhile(void)
{
	env_mutex_found_free = NULL;
	pthread_create(&resizer, NULL, enable_main, NULL);
	usleep(50000);
}

/*
 * Settings belong to the buffer and not to the swapped ring: the requested capacity, and that
 * the CPU does not record.
 */
static void exchanged_settings(void)
{
	unsigned long size = 4 * ring_data_size(0);
	struct trace_buffer *spare;

	now = 100;
	make(2, RB_FL_OVERWRITE);
	EXPECT_EQ(ring_buffer_subbuf_order_set(buffer, 1), 0);
	EXPECT_EQ(ring_buffer_resize(buffer, size, 0), 0);
	spare = ring_buffer_alloc(size + 16, RB_FL_OVERWRITE);
	EXPECT_EQ(ring_buffer_subbuf_order_set(spare, 1), 0);
	ring_buffer_record_disable_cpu(buffer, 0);
	EXPECT_EQ(ring_buffer_swap_cpu(buffer, spare, 0), 0);
	EXPECT_EQ(ring_buffer_subbuf_order_set(buffer, 0), 0);
	EXPECT_EQ(ring_buffer_subbuf_order_set(spare, 0), 0);
	EXPECT_EQ(ring_buffer_size(buffer, 0), size);
	EXPECT_EQ(ring_buffer_size(spare, 0), size + ring_data_size(0));

	EXPECT_EQ(ring_buffer_resize(spare, size, 0), 0);
	EXPECT(!write_number(0));
	env_mutex_found_free = enable_meanwhile;
	EXPECT_EQ(ring_buffer_swap_cpu(buffer, spare, 0), 0);
	pthread_join(resizer, NULL);
	EXPECT(write_number(0));
	EXPECT_EQ(atomic_read(&spare->cpus[0]->off), 0);
	ring_buffer_free(spare);
	done();
}

/* If a reader advances while pages are counted, the count is 0, not all pages. */
static void dirty_pages(void)
{
	struct ring_cpu *cb;
	u32 i;

	now = 100;
	make(4, RB_FL_OVERWRITE);
	cb = buffer->cpus[0];
	for (i = 0; i < 3 * PER_PAGE; i++)
		EXPECT(write_words(i, WORDS));
	EXPECT_EQ(ring_buffer_nr_dirty_pages(buffer, 0), 3);
	cb->reader_seq += 5;
	EXPECT_EQ(ring_buffer_nr_dirty_pages(buffer, 0), 0);
	cb->reader_seq -= 5;
	done();
}

static unsigned long shut_out;

/*
 * A reading of this clock inside another reading is recursion; a write that fails in the outer
 * reading is counted as shut out.
 */
static u64 traced_clock(void)
{
	static int level;

	level++;
	if (!write_number(0) && level == 1)
		shut_out++;
	level--;
	return now;
}

/*
 * Reading the clock writes an event itself: the recursion ends, all events are complete, and
 * events that were shut out are counted.
 */
static void clock_that_is_traced(void)
{
	struct ring_buffer_event *event;
	u32 i, number, next = 1, others = 0;

	now = 100;
	shut_out = 0;
	make(64, RB_FL_OVERWRITE);
	env_clock = traced_clock;
	for (i = 1; i <= 500; i++)
		EXPECT(write_number(i));
	while ((event = ring_buffer_consume(buffer, 0, NULL, NULL))) {
		number = *(u32 *)ring_buffer_event_data(event);
		if (number)
			EXPECT_EQ(number, next++);
		else
			others++;
	}
	EXPECT_EQ(next, 501);
	EXPECT(others <= 3 * 500);
	EXPECT(shut_out);
	EXPECT_EQ(ring_buffer_dropped_events_cpu(buffer, 0), shut_out);
	env_clock = test_clock;
	done();
}

/* The events that a reset itself causes and traces are not counted as missed. */
static void reset_that_is_traced(void)
{
	now = 100;
	make(4, RB_FL_OVERWRITE);
	env_clock = traced_clock;
	ring_buffer_reset_cpu(buffer, 0);
	EXPECT_EQ(ring_buffer_dropped_events_cpu(buffer, 0), 0);
	env_clock = test_clock;
	done();
}

static u64 nmi_clock(void)
{
	env_preempt += NMI_OFFSET + HARDIRQ_OFFSET;
	if (!write_number(0))
		shut_out++;
	env_preempt -= NMI_OFFSET + HARDIRQ_OFFSET;
	return now;
}

/* But the event of an NMI during the reset is counted. */
static void reset_with_nmi(void)
{
	now = 100;
	shut_out = 0;
	make(4, RB_FL_OVERWRITE);
	env_clock = nmi_clock;
	ring_buffer_reset_cpu(buffer, 0);
	env_clock = test_clock;
	EXPECT_EQ(shut_out, 1);
	EXPECT_EQ(ring_buffer_dropped_events_cpu(buffer, 0), 1);
	done();
}

/* A reset takes constant time, whatever the ring contains: only four pages are touched. */
static void reset_touches_little(void)
{
	struct ring_cpu *cb;
	unsigned int i;
	u64 *slots;
	u32 changed = 0;

	now = 100;
	make(200, RB_FL_OVERWRITE);
	for (i = 0; i < 250 * PER_PAGE; i++)
		EXPECT(write_words(i, WORDS));
	cb = buffer->cpus[0];
	slots = calloc(cb->nr_slots, sizeof(*slots));
	memcpy(slots, cb->slots, cb->nr_slots * sizeof(*slots));
	ring_buffer_reset_cpu(buffer, 0);
	for (i = 0; i < cb->nr_slots; i++)
		changed += slots[i] != (u64)atomic64_read(&cb->slots[i]);
	EXPECT_EQ(changed, 1);
	free(slots);
	expect_none();

	/* The whole capacity is available again. */
	for (i = 0; i < 200 * PER_PAGE; i++)
		EXPECT(write_words(i, WORDS));
	expect_counts(200 * PER_PAGE, 0, 0, 0, 0);
	for (i = 0; i < 200 * PER_PAGE; i++)
		expect_event(i, 100, 0);
	expect_none();
	done();
}

/*
 * A ring that shrinks reads only two of its pages to count the overwritten events, however many
 * there are.
 */
static void shrink_touches_little(void)
{
	struct ring_cpu *cb;
	unsigned int i;
	u64 slot;

	now = 100;
	make(200, RB_FL_OVERWRITE);
	for (i = 0; i < 250 * PER_PAGE; i++)
		EXPECT(write_words(i, WORDS));
	cb = buffer->cpus[0];
	/* pages from the second dropped one to the last but one */
	for (i = 1; i < 189; i++) {
		slot = atomic64_read(ring_slot_of(cb, cb->commit_seq - 199 + i));
		ring_slot_page(cb, slot)->count = 1000;
	}
	EXPECT_EQ(ring_buffer_resize(buffer, 10 * ring_data_size(0), 0), 0);
	expect_counts(10 * PER_PAGE, 240 * PER_PAGE, 0, 0, 0);
	for (i = 240 * PER_PAGE; i < 250 * PER_PAGE; i++)
		expect_event(i, 100, i == 240 * PER_PAGE ? i : 0);
	expect_none();
	done();
}

/* Half overwritten events do not make a cursor loop forever. */
static void cursor_ends(void)
{
	struct {
		struct buffer_data_page	head;
		u32			words[4];
	} page = { };
	struct ring_cursor cur = { .page = &page.head, .end = sizeof(page.words) };
	u32 size;

	/* Sizes that are 0 in 32 bits together with the bytes before the data. */
	for (size = -8; size; size++) {
		ring_padding_encode((void *)page.words, size + RING_EVENT_HDR, 1);
		cur.at = 0;
		alarm(10);
		EXPECT(!ring_cursor_event(&cur));
		alarm(0);
		EXPECT_EQ(cur.at, cur.end);
	}
}

/* As if @seq pages had been written. */
static void jump_to(u64 seq)
{
	struct ring_cpu *cb = buffer->cpus[0];
	u32 i;

	for (i = 0; i < cb->nr_slots; i++)
		atomic64_set(&cb->slots[i], atomic64_read(&cb->slots[i]) | RING_SLOT_TAKEN);
	cb->commit->seq = seq;
	ring_buffer_reset_cpu(buffer, 0);
}

/* The sequence number of a page has more bits than a slot. */
static void seq_wraps(void)
{
	struct ring_buffer_iter *iter;
	u32 i, next = 0, written = 0;

	now = 100;
	make(5, RB_FL_OVERWRITE);
	/* as after 26 days */
	jump_to((1ULL << 39) - 12);
	iter = ring_buffer_read_start(buffer, 0, GFP_KERNEL);
	while (written < 30 * PER_PAGE) {
		for (i = 0; i < 2 * PER_PAGE; i++)
			EXPECT(write_words(written++, WORDS));
		for (; next < written; next++) {
			EXPECT(ring_buffer_iter_peek(iter, NULL));
			ring_buffer_iter_advance(iter);
			expect_event(next, 100, 0);
		}
		expect_none();
	}
	EXPECT(!ring_buffer_iter_dropped(iter));
	ring_buffer_read_finish(iter);

	/* also with overwriting, and with a ring that grows and shrinks */
	jump_to((1ULL << 40) - 3);
	for (i = 0; i < 4 * PER_PAGE; i++)
		EXPECT(write_words(i, WORDS));
	EXPECT_EQ(ring_buffer_resize(buffer, 9 * ring_data_size(0), 0), 0);
	EXPECT_EQ(ring_buffer_resize(buffer, 3 * ring_data_size(0), 0), 0);
	for (; i < 6 * PER_PAGE; i++)
		EXPECT(write_words(i, WORDS));
	expect_event(3 * PER_PAGE, 100, 3 * PER_PAGE);
	done();
}

static bool over;
static unsigned long most;

static void *figures_main(void *arg)
{
	unsigned long entries, bytes;

	env_cpu = ENV_CPUS;
	while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
		entries = ring_buffer_entries_cpu(buffer, 0);
		bytes = ring_buffer_bytes_cpu(buffer, 0);
		if (entries > most)
			most = entries;
		EXPECT(bytes <= 5 * ring_data_size(0));
		/* Statistics of a ring that shrinks: its pages may be freed. */
		ring_buffer_nr_dirty_pages(buffer, 0);
	}
	return NULL;
}

static void *resizer_main(void *arg)
{
	int i;

	env_cpu = ENV_CPUS;
	for (i = 0; !__atomic_load_n(&over, __ATOMIC_RELAXED); i++)
		EXPECT_EQ(ring_buffer_resize(buffer, (2 + i % 3) * ring_data_size(0), 0), 0);
	return NULL;
}

/* Statistics that are read during writes never exceed the capacity. */
static void read_live(void)
{
	pthread_t threads[2];
	u32 i;

	most = 0;
	over = false;
	now = 100;
	make(4, RB_FL_OVERWRITE);
	env_cpu_start(0);
	pthread_create(&threads[0], NULL, figures_main, NULL);
	pthread_create(&threads[1], NULL, resizer_main, NULL);
	for (i = 0; i < 1000000; i++) {
		write_words(i, 30);
		if (i % 100 == 0)
			ring_buffer_consume(buffer, 0, NULL, NULL);
	}
	__atomic_store_n(&over, true, __ATOMIC_RELAXED);
	/* The resizer waits for this CPU to answer. */
	env_cpu_stop();
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	EXPECT(most > 0);
	/* 32 events of 31 words in a page, four pages, and the reader page */
	EXPECT(most <= 5 * 33);
	done();
}

static const struct tap_case cases[] = {
	TAP_CASE(deltas_and_extends),
	TAP_CASE(absolute),
	TAP_CASE(absolute_and_not),
	TAP_CASE(size_of_absolute),
	TAP_CASE(back),
	TAP_CASE(back_over_pages),
	TAP_CASE(another_clock),
	TAP_CASE(while_written),
	TAP_CASE(overwritten),
	TAP_CASE(dropped),
	TAP_CASE(none_left),
	TAP_CASE(off),
	TAP_CASE(shrunk),
	TAP_CASE(grown),
	TAP_CASE(resized_early),
	TAP_CASE(exchanged),
	TAP_CASE(another_at_the_address),
	TAP_CASE(exchanged_while_consumed),
	TAP_CASE(looked_beside_iterator),
	TAP_CASE(nothing_behind),
	TAP_CASE(taken),
	TAP_CASE(exchanged_beside_resize),
	TAP_CASE(exchanged_settings),
	TAP_CASE(dirty_pages),
	TAP_CASE(clock_that_is_traced),
	TAP_CASE(reset_that_is_traced),
	TAP_CASE(reset_with_nmi),
	TAP_CASE(reset_touches_little),
	TAP_CASE(shrink_touches_little),
	TAP_CASE(cursor_ends),
	TAP_CASE(seq_wraps),
	TAP_CASE(read_live),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
