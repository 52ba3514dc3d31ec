// SPDX-License-Identifier: GPL-2.0
/*
 * The ring buffer without memory: each allocation of each operation fails in turn. A failed
 * operation must leave everything unchanged, including events, and must leak nothing.
 */
#include "ring/page.h"
#include "ring/resize.h"
#include "tap.h"

#define EVENTS		300
#define PAGES		4

/* @other is like @buffer, in tests with two buffers. */
static struct trace_buffer *buffer, *other;
static unsigned long sizes[ENV_CPUS], entries[ENV_CPUS];

static void write_events(void)
{
	u64 number;
	int cpu;

	for (cpu = 0; cpu < ENV_CPUS; cpu++) {
		env_cpu = cpu;
		for (number = 0; number < EVENTS * (cpu + 1); number++)
			EXPECT_EQ(ring_buffer_write(buffer, sizeof(number), &number), 0);
		sizes[cpu] = ring_buffer_size(buffer, cpu);
		entries[cpu] = ring_buffer_entries_cpu(buffer, cpu);
	}
	env_cpu = 0;
}

static void make(unsigned int flags)
{
	env_cpu = 0;
	buffer = ring_buffer_alloc(PAGES * ring_data_size(0), flags);
	write_events();
}

static void done(void)
{
	ring_buffer_free(buffer);
	EXPECT_EQ(env_allocs_live, 0);
}

/* Check that all rings are as write_events() left them. */
static void check_unchanged(void)
{
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;
	u64 number, have, ts;
	unsigned long n;
	int cpu;

	EXPECT_EQ(ring_buffer_subbuf_order_get(buffer), 0);
	for (cpu = 0; cpu < ENV_CPUS; cpu++) {
		EXPECT_EQ(ring_buffer_size(buffer, cpu), sizes[cpu]);
		EXPECT_EQ(ring_buffer_entries_cpu(buffer, cpu), entries[cpu]);
		iter = ring_buffer_read_start(buffer, cpu, GFP_KERNEL);
		number = EVENTS * (cpu + 1) - entries[cpu];
		for (n = 0; (event = ring_buffer_iter_peek(iter, &ts)); n++) {
			memcpy(&have, ring_buffer_event_data(event), sizeof(have));
			EXPECT_EQ(have, number++);
			ring_buffer_iter_advance(iter);
		}
		EXPECT_EQ(n, entries[cpu]);
		ring_buffer_read_finish(iter);
	}
}

/*
 * Run @op, with the first of its allocations failing, then the second ..., until @op succeeds.
 * Returns the number of allocations.
 */
static long each_fails(int (*op)(void), bool unchanged)
{
	long n, live = env_allocs_live;
	int ret;

	for (n = 0; n < 1000; n++) {
		env_allocs_left = n;
		ret = op();
		env_allocs_left = -1;
		if (!ret)
			return n;
		EXPECT_EQ(ret, -ENOMEM);
		EXPECT_EQ(env_allocs_live, live);
		if (!unchanged)
			continue;
		check_unchanged();
		if (other) {
			swap(buffer, other);
			check_unchanged();
			swap(buffer, other);
		}
	}
	EXPECT(!"it ends");
	return n;
}

static int op_alloc(void)
{
	buffer = ring_buffer_alloc(PAGES * ring_data_size(0), RB_FL_OVERWRITE);
	return buffer ? 0 : -ENOMEM;
}

static void alloc(void)
{
	env_cpu = 0;
	EXPECT(each_fails(op_alloc, false) > ENV_CPUS * PAGES);
	done();
}

static int op_grow(void)
{
	return ring_buffer_resize(buffer, 9 * ring_data_size(0), RING_BUFFER_ALL_CPUS);
}

static int op_grow_one(void)
{
	return ring_buffer_resize(buffer, 9 * ring_data_size(0), 2);
}

static int op_shrink(void)
{
	return ring_buffer_resize(buffer, 1, RING_BUFFER_ALL_CPUS);
}

static int op_order(void)
{
	return ring_buffer_subbuf_order_set(buffer, 1);
}

static void grow(void)
{
	make(RB_FL_OVERWRITE);
	EXPECT(each_fails(op_grow, true) > ENV_CPUS * 5);
	EXPECT_EQ(ring_buffer_size(buffer, 3), 9 * ring_data_size(0));
	done();
}

static void grow_one(void)
{
	make(RB_FL_OVERWRITE);
	EXPECT(each_fails(op_grow_one, true) > 5);
	EXPECT_EQ(ring_buffer_size(buffer, 1), sizes[1]);
	EXPECT_EQ(ring_buffer_size(buffer, 2), 9 * ring_data_size(0));
	done();
}

static void shrink(void)
{
	make(0);
	EXPECT(each_fails(op_shrink, true) >= ENV_CPUS);
	EXPECT_EQ(ring_buffer_size(buffer, 0), 2 * ring_data_size(0));
	done();
}

static void larger_pages(void)
{
	make(RB_FL_OVERWRITE);
	EXPECT(each_fails(op_order, true) > ENV_CPUS * 2);
	EXPECT_EQ(ring_buffer_subbuf_order_get(buffer), 1);
	EXPECT_EQ(ring_buffer_entries(buffer), 0);
	write_events();
	done();
}

/* Two buffers that swap rings: both change, or neither. */
static int op_grow_both(void)
{
	return ring_buffers_resize(buffer, other, 9 * ring_data_size(0), RING_BUFFER_ALL_CPUS);
}

static int op_shrink_both(void)
{
	return ring_buffers_resize(buffer, other, 1, RING_BUFFER_ALL_CPUS);
}

static int op_order_both(void)
{
	return ring_buffers_subbuf_order_set(buffer, other, 1);
}

/* @op results in @pages pages of @order. */
static void both(int (*op)(void), unsigned long pages, int order)
{
	int cpu;

	make(0);
	other = buffer;
	make(0);
	EXPECT(each_fails(op, true) >= 2 * ENV_CPUS);
	for (cpu = 0; cpu < ENV_CPUS; cpu++) {
		EXPECT_EQ(ring_buffer_size(buffer, cpu), pages * ring_data_size(order));
		EXPECT_EQ(ring_buffer_size(other, cpu), pages * ring_data_size(order));
	}
	ring_buffer_free(other);
	other = NULL;
	done();
}

static void grow_both(void)
{
	both(op_grow_both, 9, 0);
}

static void shrink_both(void)
{
	both(op_shrink_both, 2, 0);
}

static void larger_pages_of_both(void)
{
	both(op_order_both, ring_slots_for(PAGES * ring_data_size(0), 1), 1);
}

/* An iterator of either prevents changes of both. */
static void busy_both(void)
{
	struct ring_buffer_iter *iter;
	struct trace_buffer *read;
	int i;

	make(0);
	other = buffer;
	make(0);
	for (i = 0; i < 2; i++) {
		read = i ? other : buffer;
		iter = ring_buffer_read_start(read, 1, GFP_KERNEL);
		EXPECT_EQ(op_order_both(), -EBUSY);
		ring_buffer_read_finish(iter);
		check_unchanged();
		swap(buffer, other);
		check_unchanged();
	}
	EXPECT_EQ(op_order_both(), 0);
	ring_buffer_free(other);
	other = NULL;
	done();
}

/* However often the size of the pages changes, the capacity remains the requested one. */
static void pages_back_and_forth(void)
{
	make(RB_FL_OVERWRITE);
	EXPECT_EQ(ring_buffer_resize(buffer, 8192, RING_BUFFER_ALL_CPUS), 0);
	for (int i = 0; i < 20; i++) {
		EXPECT_EQ(ring_buffer_subbuf_order_set(buffer, 1), 0);
		EXPECT_EQ(ring_buffer_size(buffer, 0), 2 * ring_data_size(1));
		EXPECT_EQ(ring_buffer_subbuf_order_set(buffer, 0), 0);
		EXPECT_EQ(ring_buffer_size(buffer, 0), 3 * ring_data_size(0));
	}
	/* also if that takes no extra page */
	EXPECT_EQ(ring_buffer_resize(buffer, 4 * ring_data_size(0) + 1, 1), 0);
	EXPECT_EQ(ring_buffer_size(buffer, 1), 5 * ring_data_size(0));
	EXPECT_EQ(ring_buffer_resize(buffer, 5 * ring_data_size(0), 1), 0);
	EXPECT_EQ(ring_buffer_size(buffer, 1), 5 * ring_data_size(0));
	EXPECT_EQ(ring_buffer_subbuf_order_set(buffer, 1), 0);
	EXPECT_EQ(ring_buffer_size(buffer, 1), 3 * ring_data_size(1));
	write_events();
	done();
}

static int op_iterate(void)
{
	struct ring_buffer_iter *iter = ring_buffer_read_start(buffer, 1, GFP_KERNEL);

	if (!iter)
		return -ENOMEM;
	ring_buffer_read_finish(iter);
	return 0;
}

static int op_page(void)
{
	struct buffer_data_read_page *page, *second;
	int ret = ring_buffer_alloc_read_page(buffer, 1, &page);

	if (ret)
		return ret;
	/* The ring keeps one page for the next caller. */
	ret = ring_buffer_alloc_read_page(buffer, 1, &second);
	if (!ret)
		ring_buffer_free_read_page(buffer, 1, second);
	ring_buffer_free_read_page(buffer, 1, page);
	return ret;
}

static void readers(void)
{
	long live;

	make(RB_FL_OVERWRITE);
	EXPECT_EQ(each_fails(op_iterate, true), 2);
	/* allocate the kept page first */
	EXPECT_EQ(op_page(), 0);
	live = env_allocs_live;
	EXPECT(each_fails(op_page, true) >= 2);
	EXPECT_EQ(env_allocs_live, live);
	/* No iterator has been leaked */
	EXPECT_EQ(ring_buffer_subbuf_order_set(buffer, 1), 0);
	done();
}

/* A lack of memory is detected before all memory is used up. */
static void too_large(void)
{
	long live;

	make(RB_FL_OVERWRITE);
	live = env_allocs_live;
	env_mem_pages = 100;
	EXPECT_EQ(ring_buffer_resize(buffer, 120 * PAGE_SIZE, 0), -ENOMEM);
	EXPECT_EQ(ring_buffer_resize(buffer, 1UL << 35, 0), -ENOMEM);
	env_mem_pages = 1 << 20;
	EXPECT_EQ(ring_buffer_resize(buffer, LONG_MAX, 0), -EINVAL);
	EXPECT_EQ(ring_buffer_resize(buffer, ULONG_MAX, RING_BUFFER_ALL_CPUS), -EINVAL);
	EXPECT_EQ(ring_buffer_resize(buffer, LONG_MAX + 1UL, 0), -EINVAL);
	EXPECT_EQ(ring_buffer_resize(buffer, PAGE_SIZE, ENV_CPUS), -EINVAL);
	EXPECT_EQ(ring_buffer_resize(buffer, PAGE_SIZE, -2), -EINVAL);
	EXPECT_EQ(ring_buffer_subbuf_order_set(buffer, -1), -EINVAL);
	EXPECT_EQ(ring_buffer_subbuf_order_set(buffer, 8), -EINVAL);
	EXPECT_EQ(ring_buffer_subbuf_order_set(buffer, INT_MAX), -EINVAL);
	EXPECT_EQ(env_allocs_live, live);
	check_unchanged();
	done();
	EXPECT(!ring_buffer_alloc(ULONG_MAX, 0));
	EXPECT(!ring_buffer_alloc(LONG_MAX, 0));
	EXPECT_EQ(env_allocs_live, 0);
}

/* A task that is killed during allocation gives up, without effect. */
static void killed(void)
{
	long live;

	make(RB_FL_OVERWRITE);
	live = env_allocs_live;
	env_killed = true;
	EXPECT_EQ(op_grow(), -EINTR);
	EXPECT_EQ(op_order(), -EINTR);
	env_killed = false;
	EXPECT_EQ(env_allocs_live, live);
	check_unchanged();
	done();
}

static const struct tap_case cases[] = {
	TAP_CASE(alloc),
	TAP_CASE(grow),
	TAP_CASE(grow_one),
	TAP_CASE(shrink),
	TAP_CASE(larger_pages),
	TAP_CASE(grow_both),
	TAP_CASE(shrink_both),
	TAP_CASE(larger_pages_of_both),
	TAP_CASE(busy_both),
	TAP_CASE(pages_back_and_forth),
	TAP_CASE(readers),
	TAP_CASE(too_large),
	TAP_CASE(killed),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
