// SPDX-License-Identifier: GPL-2.0
/*
 * Buffers in memory that survives a reboot: data that a boot finds of the previous one, and
 * that arbitrary content does no harm. A boot frees the buffer and makes another one in the
 * same memory. The sanitizer detects accesses after the end of that memory.
 */
#include "ring/page.h"
#include "tap.h"

#define PAGES		6
/* a header, and for each CPU a page with numbers and the sub-buffers */
#define SIZE(pages)	(PAGE_SIZE * (1 + ENV_CPUS * (1 + (pages))))
#define PER_PAGE	(4080 / 12)

static struct trace_buffer *buffer;
static unsigned char *memory;
static size_t size;
static ring_persist_fn sift;
static u64 now;
static struct lock_class_key key;
static int boot_error;

static u64 test_clock(void)
{
	return now;
}

static void boot(void)
{
	if (buffer)
		ring_buffer_free(buffer);
	env_cpu = 0;
	env_clock = test_clock;
	buffer = ring_buffer_alloc_saved(RB_FL_OVERWRITE, 0, memory, size, sift, &key);
	boot_error = PTR_ERR_OR_ZERO(buffer);
	if (boot_error)
		buffer = NULL;
}

static void start(size_t bytes)
{
	size = bytes;
	memory = aligned_alloc(PAGE_SIZE, bytes);
	memset(memory, 0xa5, bytes);
	sift = NULL;
	now = 1000;
	boot();
}

static void done(void)
{
	if (buffer)
		ring_buffer_free(buffer);
	buffer = NULL;
	free(memory);
	EXPECT_EQ(env_allocs_live, 0);
}

static void write_events(int cpu, u64 from, u64 to)
{
	env_cpu = cpu;
	for (; from < to; from++) {
		now++;
		EXPECT_EQ(ring_buffer_write(buffer, sizeof(from), &from), 0);
	}
	env_cpu = 0;
}

/* Consume @nr events of @cpu, which are numbered from @from on. */
static void expect_events(int cpu, u64 from, u64 nr)
{
	struct ring_buffer_event *event;
	unsigned long lost;
	u64 i, have;

	for (i = 0; i < nr; i++) {
		event = ring_buffer_consume(buffer, cpu, NULL, &lost);
		if (!EXPECT(event))
			return;
		memcpy(&have, ring_buffer_event_data(event), sizeof(have));
		if (!EXPECT_EQ(have, from + i))
			return;
	}
}

static void expect_end(int cpu)
{
	EXPECT(!ring_buffer_consume(buffer, cpu, NULL, NULL));
	EXPECT_EQ(ring_buffer_entries_cpu(buffer, cpu), 0);
	EXPECT_EQ(ring_buffer_bytes_cpu(buffer, cpu), 0);
	EXPECT(ring_buffer_empty_cpu(buffer, cpu));
}

/* All CPUs, including offline ones, have the events that they wrote, with their time. */
static void kept(void)
{
	long text, data;
	u64 ts;
	int cpu;

	start(SIZE(PAGES));
	EXPECT(!ring_buffer_last_boot_delta(buffer, &text, &data));
	EXPECT(ring_buffer_saved_lost(buffer));
	for (cpu = 0; cpu < ENV_CPUS; cpu++) {
		EXPECT_EQ(ring_buffer_size(buffer, cpu), (PAGES - 1) * ring_data_size(0));
		write_events(cpu, 1000 * cpu, 1000 * cpu + 10 + cpu * PER_PAGE);
	}
	now = 5;
	env_text += 0x100000;
	boot();
	EXPECT(!ring_buffer_saved_lost(buffer));
	EXPECT(ring_buffer_last_boot_delta(buffer, &text, &data));
	EXPECT_EQ(text, 0x100000);
	EXPECT_EQ(data, 0x100000);
	EXPECT(ring_buffer_peek(buffer, 0, &ts, NULL));
	EXPECT_EQ(ts, 1001);
	for (cpu = 0; cpu < ENV_CPUS; cpu++) {
		EXPECT_EQ(ring_buffer_entries_cpu(buffer, cpu), 10 + cpu * PER_PAGE);
		expect_events(cpu, 1000 * cpu, 10 + cpu * PER_PAGE);
		expect_end(cpu);
	}
	done();
}

/* New events follow the old ones, over any number of boots. */
static void appended(void)
{
	u64 i;

	start(SIZE(PAGES));
	for (i = 0; i < 4; i++) {
		write_events(1, i * 100, i * 100 + 100);
		boot();
	}
	EXPECT_EQ(ring_buffer_entries_cpu(buffer, 1), 400);
	write_events(1, 400, 500);
	expect_events(1, 0, 500);
	expect_end(1);
	done();
}

/* A full ring: the oldest events are overwritten before and after the boot. */
static void overwritten(void)
{
	unsigned long before;
	u64 first, all = 20 * PER_PAGE;

	start(SIZE(PAGES));
	write_events(2, 0, all);
	before = ring_buffer_entries_cpu(buffer, 2);
	boot();
	EXPECT_EQ(ring_buffer_entries_cpu(buffer, 2), before);
	write_events(2, all, all + 3 * PER_PAGE);
	before = ring_buffer_entries_cpu(buffer, 2);
	first = all + 3 * PER_PAGE - before;
	EXPECT(before >= (PAGES - 2) * PER_PAGE);
	/* The reader has the first page. */
	expect_events(2, all - (PAGES - 1) * PER_PAGE, 1);
	boot();
	while (ring_buffer_entries_cpu(buffer, 2) > 3 * PER_PAGE)
		ring_buffer_consume(buffer, 2, NULL, NULL);
	expect_events(2, all, 3 * PER_PAGE);
	expect_end(2);
	EXPECT(first < all);
	done();
}

/* Data that was read to its end is gone after a boot, and so is data that was cleared. */
static void consumed(void)
{
	start(SIZE(PAGES));
	write_events(0, 0, 2 * PER_PAGE + 50);
	expect_events(0, 0, 2 * PER_PAGE + 50);
	EXPECT(!ring_buffer_consume(buffer, 0, NULL, NULL));
	write_events(0, 7000, 7003);
	boot();
	expect_events(0, 7000, 3);
	expect_end(0);

	/* A reader that stops in the middle of a page gets that page again. */
	write_events(0, 0, 2 * PER_PAGE);
	expect_events(0, 0, PER_PAGE + 5);
	boot();
	expect_events(0, PER_PAGE, PER_PAGE);
	expect_end(0);

	write_events(0, 0, 3 * PER_PAGE);
	ring_buffer_reset(buffer);
	write_events(0, 8000, 8001);
	boot();
	expect_events(0, 8000, 1);
	expect_end(0);
	done();
}

/*
 * The machine stops while a writer is inside that has not committed, after other writers have
 * filled pages: these pages have neither older data nor uncommitted data.
 */
static void interrupted(void)
{
	struct ring_buffer_event *event, *outer;
	unsigned char *then;
	u64 have, last = 0, nr = 0;

	start(SIZE(PAGES));
	then = malloc(size);
	write_events(0, 1, 7 * PER_PAGE);
	outer = ring_buffer_lock_reserve(buffer, 8);
	ring_buffer_nest_start(buffer);
	write_events(0, 100000, 100000 + 2 * PER_PAGE);
	memcpy(then, memory, size);
	ring_buffer_nest_end(buffer);
	ring_buffer_discard_commit(buffer, outer);
	ring_buffer_free(buffer);
	buffer = NULL;
	memcpy(memory, then, size);
	boot();
	while ((event = ring_buffer_consume(buffer, 0, NULL, NULL))) {
		memcpy(&have, ring_buffer_event_data(event), sizeof(have));
		if (!EXPECT(have > last && have < 7 * PER_PAGE))
			break;
		last = have;
		nr++;
	}
	EXPECT(nr >= 2 * PER_PAGE);
	EXPECT_EQ(last, 7 * PER_PAGE - 1);
	free(then);
	done();
}

/* Counts the first events that are marked as events of an earlier boot; later ones are not. */
static u64 count_saved(void)
{
	struct ring_buffer_iter *iter = ring_buffer_read_start(buffer, 0, GFP_KERNEL);
	u64 n = 0, saved = 0, consumed = 0;

	while (ring_buffer_iter_peek(iter, NULL)) {
		saved += ring_buffer_iter_saved(iter) && saved == n;
		n++;
		ring_buffer_iter_advance(iter);
	}
	ring_buffer_read_finish(iter);
	for (n = 0; ring_buffer_peek(buffer, 0, NULL, NULL); n++) {
		consumed += ring_buffer_peek_saved(buffer, 0) && consumed == n;
		ring_buffer_consume(buffer, 0, NULL, NULL);
	}
	EXPECT_EQ(consumed, saved);
	return saved;
}

static void known_as_saved(void)
{
	start(SIZE(PAGES));
	write_events(0, 0, PER_PAGE + 10);
	EXPECT_EQ(count_saved(), 0);
	write_events(0, 0, PER_PAGE + 10);
	boot();
	write_events(0, PER_PAGE + 10, PER_PAGE);
	EXPECT_EQ(count_saved(), PER_PAGE + 10);
	write_events(0, 0, 5);
	boot();
	boot();
	EXPECT_EQ(count_saved(), 5);
	done();
}

/* Whole pages are copied: the sub-buffers remain in place. */
static void pages_read(void)
{
	struct buffer_data_read_page *page;
	u64 i;

	start(SIZE(PAGES));
	write_events(0, 0, 3 * PER_PAGE);
	EXPECT_EQ(ring_buffer_alloc_read_page(buffer, 0, &page), 0);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(ring_buffer_read_page(buffer, page, PAGE_SIZE, 0, 1), 0);
		EXPECT((unsigned char *)ring_buffer_read_page_data(page) < memory ||
		       (unsigned char *)ring_buffer_read_page_data(page) >= memory + size);
	}
	boot();
	ring_buffer_free_read_page(buffer, 0, page);
	expect_events(0, 2 * PER_PAGE, PER_PAGE);
	expect_end(0);
	done();
}

/* A buffer of another geometry or of another kernel discards the old data. */
static void refused(void)
{
	start(SIZE(PAGES));
	write_events(0, 0, 10);
	env_build++;
	boot();
	EXPECT(ring_buffer_saved_lost(buffer));
	expect_end(0);

	write_events(0, 0, 10);
	size -= PAGE_SIZE;
	boot();
	EXPECT(ring_buffer_saved_lost(buffer));
	expect_end(0);

	write_events(0, 0, 10);
	ring_buffer_free(buffer);
	buffer = NULL;
	env_possible.bits = BIT(ENV_CPUS - 1) - 1;
	boot();
	env_possible.bits = BIT(ENV_CPUS) - 1;
	EXPECT(ring_buffer_saved_lost(buffer));
	expect_end(0);

	/* Too small for three pages per CPU; not page aligned; an invalid size of pages. */
	size = SIZE(3) - 1;
	boot();
	EXPECT(!buffer);
	size = SIZE(3);
	boot();
	EXPECT(buffer);
	memory++;
	boot();
	EXPECT(!buffer);
	memory--;
	size = 0;
	boot();
	EXPECT_EQ(boot_error, -ENXIO);
	EXPECT_EQ(PTR_ERR(ring_buffer_alloc_saved(0, -1, memory, SIZE(PAGES), NULL, &key)),
		  -EINVAL);
	EXPECT_EQ(PTR_ERR(ring_buffer_alloc_saved(0, 20, memory, SIZE(PAGES), NULL, &key)),
		  -EINVAL);
	done();
}

/* Operations on a ring whose memory is fixed. */
static void fixed(void)
{
	struct trace_buffer *other;

	start(SIZE(PAGES));
	write_events(0, 0, 10);
	EXPECT_EQ(ring_buffer_resize(buffer, PAGE_SIZE, RING_BUFFER_ALL_CPUS), -EINVAL);
	EXPECT_EQ(ring_buffer_resize(buffer, PAGE_SIZE * 100, 0), -EINVAL);
	EXPECT_EQ(ring_buffer_subbuf_order_set(buffer, 1), -EINVAL);
	other = ring_buffer_alloc(ring_buffer_size(buffer, 0), 0);
	EXPECT_EQ(ring_buffer_swap_cpu(buffer, other, 0), -EINVAL);
	EXPECT_EQ(ring_buffer_swap_cpu(other, buffer, 0), -EINVAL);
	ring_buffer_free(other);
	boot();
	expect_events(0, 0, 10);
	expect_end(0);
	done();
}

static bool odd_and_moved(void *data, unsigned int length,
			  const struct ring_persist_kernel *was,
			  const struct ring_persist_kernel *is)
{
	u64 number;

	if (!EXPECT_EQ(length, sizeof(number)))
		return false;
	EXPECT_EQ(is->text - was->text, 0x5000);
	memcpy(&number, data, sizeof(number));
	if (number % 2 == 0)
		return false;
	number += is->text - was->text;
	memcpy(data, &number, sizeof(number));
	return true;
}

/* Events are checked once, may be changed, and are not visible if they are rejected. */
static void sifted(void)
{
	u64 i;

	start(SIZE(PAGES));
	write_events(0, 0, 2 * PER_PAGE);
	env_text += 0x5000;
	sift = odd_and_moved;
	boot();
	sift = NULL;
	EXPECT_EQ(ring_buffer_entries_cpu(buffer, 0), PER_PAGE);
	for (i = 1; i < PER_PAGE; i += 2)
		expect_events(0, 0x5000 + i, 1);
	/* Peeking into the next page records that this one was read. */
	EXPECT(ring_buffer_peek(buffer, 0, NULL, NULL));
	boot();
	for (i = 1; i < PER_PAGE; i += 2)
		expect_events(0, 0x5000 + PER_PAGE + i, 1);
	expect_end(0);
	done();
}

/* Each allocation fails in turn: there is no buffer, and nothing leaks. */
static void no_memory(void)
{
	long n;

	start(SIZE(PAGES));
	write_events(0, 0, 100);
	for (n = 0; n < 1000; n++) {
		env_allocs_left = -1;
		if (buffer)
			ring_buffer_free(buffer);
		buffer = NULL;
		env_allocs_left = n;
		boot();
		if (buffer)
			break;
		EXPECT_EQ(env_allocs_live, 0);
	}
	env_allocs_left = -1;
	EXPECT(n > 10 && n < 1000);
	expect_events(0, 0, 100);
	expect_end(0);
	done();
}

static u64 random_state;

static u64 roll(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* Random events of many lengths, a random reader position, random times. */
static void fill(void)
{
	static u8 bytes[600];
	int i, cpu;

	for (i = roll() % 200; i > 0; i--) {
		cpu = roll() % ENV_CPUS;
		env_cpu = cpu;
		now += roll() % 8 ? roll() % 1000 : 1ULL << (roll() % 40);
		ring_buffer_write(buffer, roll() % sizeof(bytes), bytes);
		if (roll() % 4 == 0)
			ring_buffer_consume(buffer, cpu, NULL, NULL);
	}
	env_cpu = 0;
}

static void corrupt(void)
{
	int i;

	switch (roll() % 4) {
	case 0:
		/* Random bits. */
		for (i = roll() % 64; i >= 0; i--)
			memory[PAGE_SIZE + roll() % (size - PAGE_SIZE)] ^= 1 << (roll() % 8);
		break;
	case 1:
		/* At the numbers of pages, and at the beginnings of pages. */
		for (i = roll() % 64; i >= 0; i--)
			memory[PAGE_SIZE * (1 + roll() % (size / PAGE_SIZE - 1)) +
			       roll() % 64] = roll();
		break;
	case 2:
		/* Numbers that are nearly valid. */
		for (i = roll() % 16; i >= 0; i--)
			((u64 *)memory)[512 + roll() % (size / 8 - 512)] =
				roll() % 2 ? RING_FIRST_SEQ + roll() % 8 : roll() % 5000;
		break;
	default:
		/* Everything, including the header. */
		for (i = 0; i < size; i++) {
			if (roll() % 100 == 0)
				memory[i] = roll();
		}
	}
}

static u64 sum;

static bool touch(void *data, unsigned int length, const struct ring_persist_kernel *was,
		  const struct ring_persist_kernel *is)
{
	u8 *byte = data;

	while (length--)
		sum += *byte++;
	return sum % 16;
}

/* Reads everything, in each possible way. */
static void read_all(int cpu)
{
	struct buffer_data_read_page *page;
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;
	unsigned long nr = 0, entries = ring_buffer_entries_cpu(buffer, cpu);
	u64 ts;

	iter = ring_buffer_read_start(buffer, cpu, GFP_KERNEL);
	while ((event = ring_buffer_iter_peek(iter, &ts))) {
		touch(ring_buffer_event_data(event), ring_buffer_event_length(event),
		      NULL, NULL);
		ring_buffer_iter_advance(iter);
		nr++;
	}
	ring_buffer_read_finish(iter);
	EXPECT_EQ(nr, entries);

	ring_buffer_alloc_read_page(buffer, cpu, &page);
	for (nr = 0; nr < 2; nr++)
		ring_buffer_read_page(buffer, page, PAGE_SIZE, cpu, 0);
	ring_buffer_free_read_page(buffer, cpu, page);

	while ((event = ring_buffer_consume(buffer, cpu, &ts, NULL)))
		touch(ring_buffer_event_data(event), ring_buffer_event_length(event),
		      NULL, NULL);
	EXPECT_EQ(ring_buffer_entries_cpu(buffer, cpu), 0);
}

/* Whatever was found can be read and appended to, and no byte outside it is accessed. */
static void corrupted(void)
{
	int rounds, cpu;

	env_quiet = true;
	random_state = tap_seed();
	start(SIZE(PAGES));
	for (rounds = 0; rounds < 3000 && !tap_failures; rounds++) {
		fill();
		corrupt();
		sift = roll() % 2 ? touch : NULL;
		boot();
		if (!EXPECT(buffer))
			break;
		fill();
		if (roll() % 4 == 0)
			continue;
		for (cpu = 0; cpu < ENV_CPUS; cpu++)
			read_all(cpu);
	}
	EXPECT(env_warnings > 0);
	done();
	env_quiet = false;
}

/* Only the validator, on events of all sizes that are truncated in the middle of the last one. */
static void cut(void)
{
	struct buffer_data_page *data;
	struct ring_buffer_event *event;
	struct ring_persist_page page;
	unsigned int at, bytes, whole, end;
	int rounds;

	random_state = tap_seed();
	for (rounds = 0; rounds < 5000; rounds++) {
		data = aligned_alloc(8, PAGE_SIZE);
		end = roll() % (ring_data_size(0) / 4 + 1) * 4;
		for (at = 0, whole = 0; at < end; at += bytes) {
			event = (void *)data->data + at;
			bytes = ring_event_size_for(roll() % 16 ? roll() % 64 : roll() % 400);
			if (at + RING_EXTEND_SIZE > ring_data_size(0)) {
				*(u32 *)event = 1;
				break;
			}
			ring_event_encode(event, bytes, roll() % 100);
			if (at + bytes <= end)
				whole = at + bytes;
		}
		data->commit = end;
		EXPECT_EQ(ring_persist_check(data, ring_data_size(0), &page), whole == end);
		EXPECT_EQ(page.bytes, whole);
		EXPECT_EQ(data->commit, whole);
		free(data);
	}
}

/* Only the validator, on random bytes. */
static void noise(void)
{
	static struct buffer_data_page *data;
	struct ring_persist_page page;
	struct ring_cursor cur;
	int rounds;
	size_t i;

	random_state = tap_seed();
	for (rounds = 0; rounds < 20000; rounds++) {
		data = aligned_alloc(8, PAGE_SIZE);
		for (i = 0; i < PAGE_SIZE; i += 8)
			*(u64 *)((u8 *)data + i) = roll() & (roll() % 2 ? roll() : ~0ULL) &
				(roll() % 2 ? 0xff000000ffULL : ~0ULL);
		if (roll() % 8)
			data->commit = roll() % (PAGE_SIZE - RING_PAGE_HDR + 4);
		ring_persist_check(data, ring_data_size(0), &page);
		EXPECT(page.bytes <= ring_data_size(0));
		if (roll() % 2)
			ring_persist_validate(data, &page, touch, NULL, NULL);
		cur = (struct ring_cursor){ .page = data, .end = page.bytes };
		EXPECT_EQ(ring_persist_skip(&cur, ~0ULL), page.count);
		EXPECT_EQ(cur.at, cur.end);
		/* The second validation agrees. */
		EXPECT(ring_persist_check(data, ring_data_size(0), &page));
		free(data);
	}
}

/* A panic: recording stops, and the memory keeps its data. */
static void stopped(void)
{
	u64 late = 1000;

	start(SIZE(PAGES));
	write_events(0, 0, 100);
	env_written_back = NULL;
	ring_buffer_saved_stop(buffer);
	EXPECT(env_written_back == memory);
	EXPECT_EQ(env_written_size, size);
	env_cpu = 0;
	EXPECT_EQ(ring_buffer_write(buffer, sizeof(late), &late), -EBUSY);
	boot();
	expect_events(0, 0, 100);
	expect_end(0);
	write_events(0, 100, 101);
	expect_events(0, 100, 1);
	done();

	env_cpu = 0;
	buffer = ring_buffer_alloc(PAGES * PAGE_SIZE, RB_FL_OVERWRITE);
	ring_buffer_saved_stop(buffer);
	EXPECT_EQ(ring_buffer_write(buffer, sizeof(late), &late), 0);
	ring_buffer_free(buffer);
	buffer = NULL;
}

static const struct tap_case cases[] = {
	TAP_CASE(kept),
	TAP_CASE(appended),
	TAP_CASE(overwritten),
	TAP_CASE(consumed),
	TAP_CASE(interrupted),
	TAP_CASE(stopped),
	TAP_CASE(known_as_saved),
	TAP_CASE(pages_read),
	TAP_CASE(refused),
	TAP_CASE(fixed),
	TAP_CASE(sifted),
	TAP_CASE(no_memory),
	TAP_CASE(corrupted),
	TAP_CASE(cut),
	TAP_CASE(noise),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
