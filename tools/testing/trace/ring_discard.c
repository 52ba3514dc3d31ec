// SPDX-License-Identifier: GPL-2.0
/*
 * Events that are discarded: filters reject most events, and a rejected event must leave
 * nothing in the buffer, neither bytes nor time. Also events that are written with an earlier
 * time.
 */
#include "ring/page.h"
#include "ring/write.h"
#include "tap.h"

static struct trace_buffer *buffer;
static u64 now;

static u64 test_clock(void)
{
	return now;
}

static void make(unsigned long pages, unsigned int flags, bool abs)
{
	env_cpu = 0;
	env_clock = test_clock;
	now = 100000;
	buffer = ring_buffer_alloc(pages * ring_data_size(0), flags);
	ring_buffer_set_time_stamp_abs(buffer, abs);
}

static void done(void)
{
	EXPECT(!ring_buffer_consume(buffer, 0, NULL, NULL));
	EXPECT_EQ(ring_buffer_entries_cpu(buffer, 0), 0);
	EXPECT_EQ(ring_buffer_bytes_cpu(buffer, 0), 0);
	ring_buffer_free(buffer);
	EXPECT_EQ(env_allocs_live, 0);
}

static struct ring_buffer_event *reserve(u32 number, unsigned int bytes)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, bytes);

	if (EXPECT(event))
		*(u32 *)ring_buffer_event_data(event) = number;
	return event;
}

static void write_number(u32 number)
{
	if (reserve(number, 4))
		ring_buffer_unlock_commit(buffer);
}

static void expect_event(u32 number, u64 ts)
{
	struct ring_buffer_event *event;
	u64 have = 0;

	event = ring_buffer_consume(buffer, 0, &have, NULL);
	if (!EXPECT(event))
		return;
	EXPECT_EQ(*(u32 *)ring_buffer_event_data(event), number);
	EXPECT_EQ(have, ts);
}

/* Ten events, and then thousands that are rejected: the ten are kept, at the same place. */
static void rejected(void)
{
	static const u64 steps[] = { 0, 1, 1000, RING_DELTA_LIMIT, 1ULL << 40 };
	unsigned long bytes;
	unsigned int abs, i, n;
	u64 ts;

	for (n = 0; n < ARRAY_SIZE(steps) * 4; n++) {
		abs = n & 1;
		make(4, n & 2 ? RB_FL_OVERWRITE : 0, abs);
		for (i = 0; i < 10; i++)
			write_number(i);
		ts = now;
		bytes = ring_buffer_bytes_cpu(buffer, 0);
		for (i = 0; i < 3000; i++) {
			now += steps[n / 4];
			/* A page that is two hours old is closed: avoid that here. */
			if (now - ts >= RING_REL_LIMIT)
				now = ts + steps[n / 4];
			ring_buffer_discard_commit(buffer, reserve(1000, 4 + i % 300));
		}
		EXPECT_EQ(ring_buffer_entries_cpu(buffer, 0), 10);
		EXPECT_EQ(ring_buffer_bytes_cpu(buffer, 0), bytes);
		EXPECT_EQ(ring_buffer_overrun_cpu(buffer, 0), 0);
		EXPECT_EQ(ring_buffer_dropped_events_cpu(buffer, 0), 0);
		now++;
		write_number(10);
		for (i = 0; i < 10; i++)
			expect_event(i, ts);
		expect_event(10, now);
		done();
	}
}

/*
 * An event that is followed by other events is discarded. The other events keep their times,
 * except for a nanosecond if the clock did not advance.
 */
static void with_others_behind(u64 before, u64 behind, unsigned int bytes, bool abs)
{
	struct ring_buffer_event *event;
	u64 ts[4];
	u64 late = before || abs ? 0 : 1;
	u32 i;

	make(4, RB_FL_OVERWRITE, abs);
	write_number(0);
	ts[0] = now;
	now += before;
	event = reserve(1000, bytes);
	env_preempt += HARDIRQ_OFFSET;
	for (i = 1; i < 3; i++) {
		now += behind;
		ts[i] = now + late;
		write_number(i);
	}
	env_preempt -= HARDIRQ_OFFSET;
	EXPECT_EQ(ring_buffer_event_time_stamp(buffer, event), ts[0] + before);
	ring_buffer_discard_commit(buffer, event);

	now += 2;
	ts[3] = now;
	write_number(3);
	EXPECT_EQ(ring_buffer_entries_cpu(buffer, 0), 4);
	for (i = 0; i < 4; i++)
		expect_event(i, ts[i]);
	done();
}

static void in_the_middle(void)
{
	static const u64 steps[] = { 0, 1, 77, RING_DELTA_LIMIT, 1ULL << 35 };
	static const unsigned int sizes[] = { 4, 8, 12, 16, 200, 1000 };
	unsigned int i, j, k;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		for (j = 0; j < ARRAY_SIZE(steps); j++) {
			for (k = 0; k < ARRAY_SIZE(sizes); k++) {
				with_others_behind(steps[i], steps[j], sizes[k], false);
				with_others_behind(steps[i], steps[j], sizes[k], true);
			}
		}
	}
}

/* The same in a full page whose successor already has its time. */
static void in_a_full_page(void)
{
	struct ring_buffer_event *event;
	u32 i, nr, number = 0;
	u64 ts, last = 0;

	for (nr = 0; nr < 4; nr++) {
		make(8, RB_FL_OVERWRITE, false);
		for (i = 0; i < 3; i++)
			write_number(number++);
		event = reserve(1000, 8 + nr * 40);
		env_preempt += HARDIRQ_OFFSET;
		/* fill the page and continue on the next one, at the same time */
		for (i = 0; i < 700; i++)
			write_number(number++);
		env_preempt -= HARDIRQ_OFFSET;
		ring_buffer_discard_commit(buffer, event);
		write_number(number++);
		EXPECT_EQ(ring_buffer_entries_cpu(buffer, 0), 704);
		for (i = 0; i < 704; i++) {
			event = ring_buffer_consume(buffer, 0, &ts, NULL);
			if (!EXPECT(event))
				return;
			EXPECT_EQ(*(u32 *)ring_buffer_event_data(event), i);
			EXPECT_EQ(ts, now);
			EXPECT(ts >= last);
			last = ts;
		}
		number = 0;
		last = 0;
		done();
	}
}

/* A clock that does not advance, events discarded in the middle: time does not go backwards. */
static void still_clock(void)
{
	struct ring_buffer_event *event;
	u64 ts, last = 0;
	u32 i, seen = 0;

	make(64, RB_FL_OVERWRITE, false);
	for (i = 0; i < 2000; i++) {
		event = reserve(1000, 4);
		env_preempt += HARDIRQ_OFFSET;
		write_number(i);
		env_preempt -= HARDIRQ_OFFSET;
		ring_buffer_discard_commit(buffer, event);
	}
	while ((event = ring_buffer_consume(buffer, 0, &ts, NULL))) {
		EXPECT_EQ(*(u32 *)ring_buffer_event_data(event), seen++);
		EXPECT(ts >= last);
		last = ts;
	}
	EXPECT_EQ(seen, 2000);
	done();
}

/* Absolute times are switched on or off while an event is being written. */
static void switched(void)
{
	struct ring_buffer_event *event;
	int abs;

	for (abs = 0; abs < 2; abs++) {
		make(4, RB_FL_OVERWRITE, abs);
		write_number(0);
		now += 10;
		event = reserve(1, 4);
		ring_buffer_set_time_stamp_abs(buffer, !abs);
		now += 10;
		EXPECT_EQ(ring_buffer_event_time_stamp(buffer, event), 100010);
		if (abs) {
			ring_buffer_discard_commit(buffer, event);
			EXPECT_EQ(ring_buffer_entries_cpu(buffer, 0), 1);
			expect_event(0, 100000);
		} else {
			ring_buffer_unlock_commit(buffer);
			expect_event(0, 100000);
			expect_event(1, 100010);
		}
		done();
	}
}

/* More levels of nesting than there are frames for: each nest_end() undoes its nest_start(). */
static void nested(void)
{
	int i;

	make(4, RB_FL_OVERWRITE, false);
	for (i = 0; i < 3 * RING_EXTRA_DEPTH; i++)
		ring_buffer_nest_start(buffer);
	for (i = 0; i < 3 * RING_EXTRA_DEPTH; i++)
		ring_buffer_nest_end(buffer);
	EXPECT_EQ(buffer->cpus[0]->depth, 0);
	EXPECT_EQ(env_preempt, 0);
	write_number(1);
	expect_event(1, now);

	done();
}

static void write_past(u32 number, u64 time)
{
	struct ring_write write;
	u32 *data = ring_write_begin_at(buffer, sizeof(*data), time, &write);

	if (!EXPECT(data))
		return;
	*data = number;
	ring_write_end(&write);
}

/* Writes on the fast path. Return: true if that was sufficient. */
static bool write_plain(u32 number, u64 time)
{
	unsigned long depth = buffer->cpus[0]->depth;
	struct ring_cpu *cb;
	bool plain;
	void *data;

	preempt_disable_notrace();
	plain = ring_plain_begin(buffer, sizeof(number), time, &cb, &data);
	if (plain) {
		*(u32 *)data = number;
		ring_plain_end(cb);
	} else {
		ring_plain_undo(cb);
	}
	preempt_enable_notrace();
	EXPECT_EQ(buffer->cpus[0]->depth, depth);
	return plain;
}

static u64 later_clock(void)
{
	return now + 1000000;
}

/* Events have the time when they happened, unless the buffer already has a later one. */
static void in_the_past(void)
{
	make(4, RB_FL_OVERWRITE, false);
	now += 1000;
	write_past(1, now - 100);
	expect_event(1, now - 100);
	write_past(2, now - 500);
	expect_event(2, now);

	ring_buffer_set_clock(buffer, later_clock);
	write_past(3, now);
	expect_event(3, later_clock());

	done();
}

static void write_before_others(u32 number, unsigned int bytes, u64 time)
{
	struct ring_write write;
	u32 *data = ring_write_begin_past(buffer, bytes, time, &write);

	if (!EXPECT(data))
		return;
	*data = number;
	ring_write_end(&write);
}

/* Events after later events have their own time, and so do the events after them. */
static void before_others(bool abs, unsigned int bytes)
{
	u64 start;
	u32 i;

	make(4, RB_FL_OVERWRITE, abs);
	start = now;
	now += 1ULL << 35;
	write_number(0);
	for (i = 1; i < 7; i += 3) {
		write_before_others(i, bytes, start + i);
		write_before_others(i + 1, bytes, start);
		now += 7;
		write_number(i + 2);
	}
	/* A time in the future is replaced by the current time */
	write_before_others(7, bytes, now + 1000);
	/* A nested event has the time of its writing */
	ring_buffer_nest_start(buffer);
	write_before_others(8, bytes, start);
	ring_buffer_nest_end(buffer);

	expect_event(0, start + (1ULL << 35));
	for (i = 1; i < 7; i += 3) {
		expect_event(i, start + i);
		expect_event(i + 1, start);
		expect_event(i + 2, start + (1ULL << 35) + 7 * (i / 3 + 1));
	}
	expect_event(7, now);
	expect_event(8, now);
	done();
}

static void all_before_others(void)
{
	static const unsigned int sizes[] = { 4, 40, 112, 116, 1000 };
	unsigned int i;

	for (i = 0; i < 2 * ARRAY_SIZE(sizes); i++)
		before_others(i & 1, sizes[i / 2]);
}

/* Pages full of such events: each event is complete, or on the next page. */
static void pages_of_the_past(void)
{
	struct ring_buffer_event *event;
	u32 i, seen;
	u64 ts;

	make(16, 0, false);
	now += 10000;
	for (i = 0; i < 900; i++) {
		if (i % 3)
			write_before_others(i, 4 + i % 5 * 4, now - i);
		else
			write_number(i);
		now += 3;
	}
	for (seen = 0; (event = ring_buffer_consume(buffer, 0, &ts, NULL)); seen++) {
		EXPECT_EQ(*(u32 *)ring_buffer_event_data(event), seen);
		EXPECT_EQ(ts, 110000 + 3 * seen - (seen % 3 ? seen : 0));
	}
	EXPECT_EQ(seen, 900);
	done();
}

/* Special cases are not written on the fast path, and can be written on the slow path. */
static void plain(void)
{
	struct ring_buffer_event *event;
	int written = 0, read = 0;

	make(4, RB_FL_OVERWRITE, false);
	now += 1000;
	EXPECT(write_plain(1, now));
	expect_event(1, now);

	/* before the last event, much later, inside another event, while recording is off */
	EXPECT(!write_plain(2, now - 1));
	EXPECT(!write_plain(2, now + (2ULL << 27)));
	event = ring_buffer_lock_reserve(buffer, sizeof(u32));
	EXPECT(event);
	EXPECT(!write_plain(2, now));
	ring_buffer_discard_commit(buffer, event);
	ring_buffer_record_off(buffer);
	EXPECT(!write_plain(2, now));
	ring_buffer_record_on(buffer);

	write_past(3, now);
	expect_event(3, now);
	while (write_plain(4, now))
		written++;
	write_past(5, now);
	while (ring_buffer_consume(buffer, 0, NULL, NULL))
		read++;
	EXPECT_EQ(read, written + 1);

	ring_buffer_set_clock(buffer, later_clock);
	EXPECT(!write_plain(6, now));

	done();
}

/*
 * A clock with coarse ticks. At its @nest_at-th reading, a nested writer completes before a
 * tick.
 */
#define TICK	4000000
static int readings, nest_at;
static u64 nested_ts;

static u64 coarse_clock(void)
{
	if (!nest_at || ++readings != nest_at)
		return now;

	nest_at = 0;
	env_preempt += HARDIRQ_OFFSET;
	write_number(1001);
	env_preempt -= HARDIRQ_OFFSET;
	nested_ts = now;
	now += TICK;
	return now;
}

/* All pages have the time of this tick, and the next event is written to the next page. */
static void fill_page(void)
{
	unsigned long last;
	u32 i;

	make(2, RB_FL_OVERWRITE, false);
	ring_buffer_set_clock(buffer, coarse_clock);
	for (i = 0; i < 2000; i++)
		write_number(0);
	do {
		last = buffer->cpus[0]->size -
		       (local_read(&buffer->cpus[0]->tail->write) & RING_USED_MASK);
		if (last >= RING_EVENT_HDR + 4)
			write_number(0);
	} while (last >= RING_EVENT_HDR + 4);
}

/* Time advances while a nested writer moves to the next page: its event does not become later. */
static void ticks_between(void)
{
	struct ring_buffer_event *event;
	bool seen;
	u64 ts;
	int at;

	for (at = 1; at < 6; at++) {
		fill_page();
		readings = 0;
		nested_ts = 0;
		nest_at = at;
		write_number(1000);
		nest_at = 0;
		seen = !nested_ts;
		while ((event = ring_buffer_consume(buffer, 0, &ts, NULL))) {
			if (*(u32 *)ring_buffer_event_data(event) != 1001)
				continue;
			seen = true;
			EXPECT_EQ(ts, nested_ts);
		}
		EXPECT(seen);
		done();
	}
}

static const struct tap_case cases[] = {
	TAP_CASE(rejected),
	TAP_CASE(in_the_middle),
	TAP_CASE(in_a_full_page),
	TAP_CASE(still_clock),
	TAP_CASE(switched),
	TAP_CASE(nested),
	TAP_CASE(in_the_past),
	TAP_CASE(all_before_others),
	TAP_CASE(pages_of_the_past),
	TAP_CASE(plain),
	TAP_CASE(ticks_between),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
