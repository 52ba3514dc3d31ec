// SPDX-License-Identifier: GPL-2.0
/*
 * What was found in memory that an earlier kernel has written to: is it a buffer,
 * and which events can be read? Bytes alone are looked at; see persist.h.
 */

#include "ring/persist.h"

/* How many bytes of a CPU's part are not sub-buffers, where it has @pages of these. */
static u64 ring_persist_meta(u64 pages)
{
	return ALIGN(sizeof(struct ring_persist_cpu) + pages * sizeof(u64), PAGE_SIZE);
}

/* What a CPU's part takes. */
static u64 ring_persist_part(const struct ring_persist_header *shape)
{
	return ring_persist_meta(shape->pages) +
	       (u64)shape->pages * (PAGE_SIZE << shape->order);
}

/**
 * ring_persist_shape - divide memory between CPUs
 * @shape: the header of the memory, of which @size, @order and @cpus are set; the
 *	rest of the shape is filled in
 *
 * Return: false where there is not enough memory for the smallest ring.
 */
bool ring_persist_shape(struct ring_persist_header *shape)
{
	u64 page = PAGE_SIZE << shape->order, part;

	shape->magic = RING_PERSIST_MAGIC;
	shape->page_size = PAGE_SIZE;
	if (!shape->cpus || shape->size < 2 * PAGE_SIZE)
		return false;

	part = (shape->size - PAGE_SIZE) / shape->cpus;
	if (part < ring_persist_meta(1))
		return false;
	shape->pages = min_t(u64, part / (page + sizeof(u64)), RING_PERSIST_MAX_PAGES);
	while (shape->pages && ring_persist_part(shape) > part)
		shape->pages--;

	/* Two slots, and the reader's page. */
	return shape->pages >= 3;
}

/**
 * ring_persist_cpu - where a CPU's part begins
 * @shape: of the memory
 * @memory: where it begins
 * @index: of the CPU among the possible ones
 */
struct ring_persist_cpu *ring_persist_cpu(const struct ring_persist_header *shape,
					  void *memory, u32 index)
{
	return memory + PAGE_SIZE + index * ring_persist_part(shape);
}

/**
 * ring_persist_data - a sub-buffer
 * @shape: of the memory
 * @memory: where it begins
 * @index: of the CPU among the possible ones
 * @id: which of its sub-buffers
 */
struct buffer_data_page *ring_persist_data(const struct ring_persist_header *shape,
					   void *memory, u32 index, u32 id)
{
	return (void *)ring_persist_cpu(shape, memory, index) +
	       ring_persist_meta(shape->pages) + ((u64)id * PAGE_SIZE << shape->order);
}

static u64 ring_persist_sum(const struct ring_persist_header *header)
{
	const u8 *byte = (const void *)header;
	u64 sum = 0xcbf29ce484222325ULL;

	while (byte < (const u8 *)&header->sum)
		sum = (sum ^ *byte++) * 0x100000001b3ULL;
	return sum;
}

/**
 * ring_persist_seal - complete a header
 * @header: of which all is filled in but the sum
 */
void ring_persist_seal(struct ring_persist_header *header)
{
	header->sum = ring_persist_sum(header);
}

/**
 * ring_persist_reject - is there something that can be read?
 * @found: the header in memory
 * @wanted: the one that this kernel would write
 *
 * Return: NULL, or why not.
 */
const char *ring_persist_reject(const struct ring_persist_header *found,
				const struct ring_persist_header *wanted)
{
	if (found->magic != wanted->magic)
		return "there is none";
	if (found->sum != ring_persist_sum(found))
		return "its header is corrupt";
	if (found->size != wanted->size || found->page_size != wanted->page_size ||
	    found->order != wanted->order)
		return "it has another size";
	if (found->cpus != wanted->cpus || found->pages != wanted->pages)
		return "it is of another number of CPUs";
	if (found->kernel.build != wanted->kernel.build ||
	    found->kernel.text_size != wanted->kernel.text_size)
		return "it is of another kernel";
	return NULL;
}

static int ring_persist_cmp(const void *a, const void *b)
{
	const struct ring_persist_page *x = a, *y = b;

	if (x->seq == y->seq)
		return 0;
	return x->seq < y->seq ? -1 : 1;
}

/**
 * ring_persist_order - the sub-buffers that are said to have events, oldest first
 * @saved: of the CPU
 * @nr: number of its sub-buffers
 * @pages: where they go, with @seq and @id; room for @nr
 *
 * Return: number of those with events
 */
u32 ring_persist_order(const struct ring_persist_cpu *saved, u32 nr,
		       struct ring_persist_page *pages)
{
	u32 id, found = 0;

	for (id = 0; id < nr; id++) {
		if (!saved->seq[id] || saved->seq[id] < saved->floor)
			continue;
		pages[found++] = (struct ring_persist_page){
			.seq = saved->seq[id], .id = id,
		};
	}
	sort(pages, found, sizeof(*pages), ring_persist_cmp, NULL);
	return found;
}

/* Bytes of the event at @event, of which @left are there; 0 if it is none. */
static unsigned int ring_persist_event_size(struct ring_buffer_event *event,
					    unsigned int left)
{
	u32 size;

	if (left < RING_EVENT_HDR)
		return 0;
	if (event->type_len == RINGBUF_TYPE_PADDING && !event->time_delta)
		return left;
	if (event->type_len && event->type_len <= RINGBUF_TYPE_DATA_TYPE_LEN_MAX) {
		size = ring_data_event_size(event);
		return size <= left ? size : 0;
	}
	if (left < RING_EXTEND_SIZE)
		return 0;
	if (event->type_len == RINGBUF_TYPE_TIME_EXTEND ||
	    event->type_len == RINGBUF_TYPE_TIME_STAMP)
		return RING_EXTEND_SIZE;

	/* Long data, or padding: what array[0] says, which is itself among it. */
	size = event->array[0];
	if (size < sizeof(u32) || size % 4 || size > left - RING_EVENT_HDR)
		return 0;
	return RING_EVENT_HDR + size;
}

/**
 * ring_persist_check - find the events of a sub-buffer
 * @data: the sub-buffer; it ends before the first thing that is no event, and what
 *	is behind that is zeroed
 * @size: bytes that it has room for
 * @page: gets @count and @bytes
 *
 * Return: false if it was not as a ring leaves it.
 */
bool ring_persist_check(struct buffer_data_page *data, unsigned int size,
			struct ring_persist_page *page)
{
	unsigned int at = 0, end = data->commit & RING_COMMIT_MASK, bytes;
	struct ring_buffer_event *event;
	bool good = true;

	page->count = 0;
	if (end > size || end % 4) {
		end = 0;
		good = false;
	}
	while (at < end) {
		event = (void *)data->data + at;
		bytes = ring_persist_event_size(event, end - at);
		if (!bytes) {
			good = false;
			break;
		}
		if (event->type_len <= RINGBUF_TYPE_DATA_TYPE_LEN_MAX)
			page->count++;
		at += bytes;
	}
	data->commit = at;
	page->bytes = at;
	memset(data->data + at, 0, size - at);
	return good;
}

/**
 * ring_persist_validate - let somebody who knows events look at those of a sub-buffer
 * @data: the sub-buffer, after ring_persist_check()
 * @page: of ring_persist_check(); @count becomes that of the events that stay
 * @fn: who says which do; the others turn into padding
 * @was: for @fn
 * @is: for @fn
 */
void ring_persist_validate(struct buffer_data_page *data, struct ring_persist_page *page,
			   ring_persist_fn fn, const struct ring_persist_kernel *was,
			   const struct ring_persist_kernel *is)
{
	struct ring_cursor cur = { .page = data, .end = page->bytes };
	struct ring_buffer_event *event;
	unsigned int size, head;

	while ((event = ring_cursor_event(&cur))) {
		size = ring_data_event_size(event);
		head = RING_EVENT_HDR + (event->type_len ? 0 : sizeof(u32));
		ring_cursor_advance(&cur, event);
		if (fn((void *)event + head, size - head, was, is))
			continue;
		/* Padding has to take a nanosecond, by which later events are late. */
		ring_padding_encode(event, size, event->time_delta ?: 1);
		page->count--;
	}
}

/**
 * ring_persist_skip - go to where a reader was
 * @cur: the start of a sub-buffer, after ring_persist_check(); moved there
 * @read: how far the reader had come, or anything else
 *
 * Return: how many events are before that.
 */
u32 ring_persist_skip(struct ring_cursor *cur, u64 read)
{
	struct ring_buffer_event *event;
	u32 skipped = 0;

	while (cur->at < read) {
		event = ring_cursor_event(cur);
		if (!event || cur->at >= read)
			break;
		ring_cursor_advance(cur, event);
		skipped++;
	}
	return skipped;
}
