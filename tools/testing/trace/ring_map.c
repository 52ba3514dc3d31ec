// SPDX-License-Identifier: GPL-2.0
/*
 * A ring from the view of a process that maps it, and the text that describes its pages.
 */
#include "ring/page.h"
#include "ring/map.h"
#include "tap.h"

#include <linux/trace_seq.h>
#include <unistd.h>

#define PAGES		4
#define WORDS		200
#define PER_PAGE	5

static struct trace_buffer *buffer;
static struct page *mapped[PAGES * 4 + 5];
static struct vm_area_struct vma;
static u64 now;

static u64 test_clock(void)
{
	return now;
}

static void make(unsigned int flags, int order)
{
	env_cpu = 0;
	env_clock = test_clock;
	now = 1000;
	buffer = ring_buffer_alloc(PAGES * ring_data_size(order), flags);
	if (order)
		EXPECT_EQ(ring_buffer_subbuf_order_set(buffer, order), 0);
	vma = (struct vm_area_struct){
		.vm_flags = VM_MAYSHARE | VM_MAYWRITE | VM_MAYEXEC, .pages = mapped,
		.nr = 1 + ((PAGES + 1) << order),
	};
	EXPECT_EQ(ring_buffer_map(buffer, 0, &vma), 0);
}

static void done(void)
{
	EXPECT_EQ(ring_buffer_unmap(buffer, 0), 0);
	ring_buffer_free(buffer);
	EXPECT_EQ(env_allocs_live, 0);
}

static struct trace_buffer_meta *meta(void)
{
	return (void *)mapped[0];
}

/* The reader page that the process sees. */
static struct buffer_data_page *reader(void)
{
	unsigned int order = buffer->order;

	return (void *)mapped[1 + (meta()->reader.id << order)];
}

static void write_events(u32 from, u32 to)
{
	struct ring_buffer_event *event;

	for (; from < to; from++) {
		now++;
		event = ring_buffer_lock_reserve(buffer, WORDS * 4);
		if (!event)
			continue;
		*(u32 *)ring_buffer_event_data(event) = from;
		ring_buffer_unlock_commit(buffer);
	}
}

/* The reader page has the @nr events from @from on, after @lost lost events. */
static void expect_page(u32 from, u32 nr, unsigned long lost)
{
	struct buffer_data_page *page = reader();
	struct ring_cursor cur = {
		.page = page, .end = page->commit & RING_COMMIT_MASK,
	};
	struct ring_buffer_event *event;
	unsigned long told = 0;
	u32 i;

	for (i = 0; (event = ring_cursor_event(&cur)); i++) {
		EXPECT_EQ(*(u32 *)ring_buffer_event_data(event), from + i);
		ring_cursor_advance(&cur, event);
	}
	EXPECT_EQ(i, nr);
	EXPECT_EQ(!!(page->commit & RB_MISSED_EVENTS), !!lost);
	if (page->commit & RB_MISSED_STORED) {
		memcpy(&told, page->data + cur.end, sizeof(told));
		EXPECT_EQ(told, lost);
	}
	EXPECT_EQ(meta()->reader.lost_events, lost);
}

/* Pages in the order they are mapped, also after a reset. */
static void pages(void)
{
	u32 i;

	make(RB_FL_OVERWRITE, 0);
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(meta()->reader.id, 0);
		EXPECT_EQ(meta()->nr_subbufs, PAGES + 1);
		write_events(0, 2);
		EXPECT_EQ(ring_buffer_map_get_reader(buffer, 0), 0);
		EXPECT_EQ(meta()->reader.id, 1);
		expect_page(0, 2, 0);
		EXPECT_EQ(meta()->entries, 2);
		EXPECT_EQ(meta()->read, 2);
		write_events(2, 9);
		EXPECT_EQ(ring_buffer_map_get_reader(buffer, 0), 0);
		expect_page(0, 5, 0);
		EXPECT_EQ(ring_buffer_map_get_reader(buffer, 0), 0);
		EXPECT_EQ(meta()->reader.id, 2);
		expect_page(5, 4, 0);
		EXPECT_EQ(ring_buffer_map_get_reader(buffer, 0), 0);
		EXPECT_EQ(meta()->reader.id, 2);
		EXPECT_EQ(ring_buffer_unmap(buffer, 0), 0);
		ring_buffer_reset_cpu(buffer, 0);
		EXPECT_EQ(ring_buffer_map(buffer, 0, &vma), 0);
	}
	done();
}

/* Lost events are reported in the page that follows them. */
static void lost(void)
{
	make(RB_FL_OVERWRITE, 0);
	write_events(0, 8 * PER_PAGE);
	EXPECT_EQ(ring_buffer_map_get_reader(buffer, 0), 0);
	expect_page(4 * PER_PAGE, PER_PAGE, 4 * PER_PAGE);
	EXPECT(reader()->commit & RB_MISSED_STORED);
	EXPECT_EQ(ring_buffer_map_get_reader(buffer, 0), 0);
	expect_page(5 * PER_PAGE, PER_PAGE, 0);
	done();

	/* A page that is still being written has no space for the number. */
	make(0, 0);
	write_events(0, 5 * PER_PAGE);
	while (ring_buffer_consume(buffer, 0, NULL, NULL))
		;
	write_events(100, 101);
	EXPECT_EQ(ring_buffer_map_get_reader(buffer, 0), 0);
	expect_page(100, 1, PER_PAGE);
	done();
}

/* A whole page is read as a copy: the mapping keeps its pages. */
static void read_beside(void)
{
	struct buffer_data_read_page *page;
	size_t i;

	make(RB_FL_OVERWRITE, 0);
	write_events(0, 3 * PER_PAGE);
	EXPECT_EQ(ring_buffer_alloc_read_page(buffer, 0, &page), 0);
	EXPECT_EQ(ring_buffer_read_page(buffer, page, PAGE_SIZE, 0, 0), 0);
	for (i = 0; i <= PAGES + 1; i++)
		EXPECT(ring_buffer_read_page_data(page) != (void *)mapped[i]);
	ring_buffer_free_read_page(buffer, 0, page);
	done();
}

/* A poll does not take the page that the process reads. */
static void asked(void)
{
	poll_table table = { };
	u32 i;

	make(RB_FL_OVERWRITE, 0);
	write_events(0, PER_PAGE);
	EXPECT_EQ(ring_buffer_map_get_reader(buffer, 0), 0);
	EXPECT(ring_buffer_empty_cpu(buffer, 0));
	EXPECT_EQ(ring_buffer_oldest_event_ts(buffer, 0), 0);
	now = 5000;
	for (i = 0; i < 30; i++) {
		write_events(1000, 1000 + PER_PAGE);
		EXPECT(!ring_buffer_empty_cpu(buffer, 0));
		EXPECT(!ring_buffer_empty(buffer));
		EXPECT_EQ(ring_buffer_poll_wait(buffer, 0, NULL, &table, 0),
			  EPOLLIN | EPOLLRDNORM);
		if (i < PAGES)
			EXPECT_EQ(ring_buffer_oldest_event_ts(buffer, 0), 5001);
		else
			EXPECT(ring_buffer_oldest_event_ts(buffer, 0) > 5001);
		expect_page(0, PER_PAGE, 0);
	}
	done();
}

/* Pages that have only discarded events are not readable. */
static void given_back(void)
{
	struct ring_buffer_event *event;

	make(RB_FL_OVERWRITE, 0);
	event = ring_buffer_lock_reserve(buffer, 4);
	ring_buffer_discard_commit(buffer, event);
	EXPECT(ring_buffer_empty_cpu(buffer, 0));
	EXPECT_EQ(ring_buffer_map_get_reader(buffer, 0), 0);
	EXPECT_EQ(meta()->reader.id, 0);
	done();
}

/* Pages with an event that is still being written are not readable either. */
static void reserved(void)
{
	struct ring_buffer_event *event;

	make(RB_FL_OVERWRITE, 0);
	event = ring_buffer_lock_reserve(buffer, 4);
	EXPECT(ring_buffer_empty_cpu(buffer, 0));
	EXPECT_EQ(ring_buffer_oldest_event_ts(buffer, 0), 0);
	EXPECT(event && !ring_buffer_unlock_commit(buffer));
	EXPECT(!ring_buffer_empty_cpu(buffer, 0));
	done();
}

static pthread_t mapper;

static void *mapper_main(void *arg)
{
	env_cpu = ENV_CPUS;
	EXPECT_EQ(ring_buffer_map(buffer, 0, &vma), 0);
	return NULL;
}

static void map_meanwhile(void)
{
	env_mutex_found_free = NULL;
	pthread_create(&mapper, NULL, mapper_main, NULL);
	usleep(50000);
}

/* A ring that is mapped during a swap: the other ring is mapped. */
static void exchanged_meanwhile(void)
{
	struct trace_buffer *spare;

	make(RB_FL_OVERWRITE, 0);
	EXPECT_EQ(ring_buffer_unmap(buffer, 0), 0);
	spare = ring_buffer_alloc(PAGES * ring_data_size(0), RB_FL_OVERWRITE);
	env_mutex_found_free = map_meanwhile;
	EXPECT_EQ(ring_buffer_swap_cpu(buffer, spare, 0), 0);
	pthread_join(mapper, NULL);
	EXPECT_EQ(buffer->cpus[0]->mapped, 1);
	EXPECT_EQ(spare->cpus[0]->mapped, 0);
	EXPECT_EQ(ring_buffer_swap_cpu(buffer, spare, 0), -EBUSY);
	ring_buffer_free(spare);
	done();
}

/* The whole of a larger page is flushed. */
static void flushed(void)
{
	unsigned long before;

	make(RB_FL_OVERWRITE, 2);
	EXPECT_EQ(meta()->subbuf_size, 4 * PAGE_SIZE);
	write_events(0, 3 * PER_PAGE);
	before = env_flushed;
	EXPECT_EQ(ring_buffer_map_get_reader(buffer, 0), 0);
	EXPECT(env_flushed - before >= 4 + 1);
	expect_page(0, 3 * PER_PAGE, 0);
	done();
}

static void refused(void)
{
	make(RB_FL_OVERWRITE, 0);
	/* nor later, by mprotect() */
	EXPECT_EQ(vma.vm_flags & (VM_MAYWRITE | VM_MAYEXEC), 0);
	EXPECT_EQ(ring_buffer_resize(buffer, PAGE_SIZE, 0), -EBUSY);
	EXPECT_EQ(ring_buffer_subbuf_order_set(buffer, 1), -EBUSY);
	vma.nr++;
	EXPECT_EQ(ring_buffer_map(buffer, 0, &vma), -EINVAL);
	EXPECT_EQ(ring_buffer_map(buffer, 9, &vma), -EINVAL);
	vma.vm_flags |= VM_WRITE;
	EXPECT_EQ(ring_buffer_map(buffer, 0, &vma), -EPERM);
	EXPECT_EQ(ring_buffer_unmap(buffer, 1), -ENODEV);
	EXPECT_EQ(ring_buffer_map_get_reader(buffer, 1), -ENODEV);
	EXPECT_EQ(ring_buffer_map_get_reader(buffer, 9), -EINVAL);
	EXPECT(ring_buffer_is_mapped(buffer, 0));
	EXPECT(!ring_buffer_is_mapped(buffer, 1));
	EXPECT(!ring_buffer_is_mapped(buffer, 9));
	done();
}

/* The text that tools parse, exactly. */
static void described(void)
{
	struct trace_seq s = { };

	make(RB_FL_OVERWRITE, 0);
	EXPECT(ring_buffer_print_page_header(buffer, &s));
	EXPECT(!strcmp(s.text, "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		       "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		       "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		       "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n"));
	s = (struct trace_seq){ };
	EXPECT(ring_buffer_print_entry_header(&s));
	EXPECT(strstr(s.text, "data max type_len  == 28\n"));
	done();
}

static const struct tap_case cases[] = {
	TAP_CASE(pages),
	TAP_CASE(lost),
	TAP_CASE(read_beside),
	TAP_CASE(asked),
	TAP_CASE(given_back),
	TAP_CASE(reserved),
	TAP_CASE(exchanged_meanwhile),
	TAP_CASE(flushed),
	TAP_CASE(refused),
	TAP_CASE(described),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
