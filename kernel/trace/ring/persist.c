// SPDX-License-Identifier: GPL-2.0
/*
 * Validation of data that an earlier kernel has left in memory: whether it is a buffer, and
 * which events can be read. Works on the bytes only; see persist.h.
 */

#include "ring/persist.h"

/* Size of a CPU's part without sub-buffers, for a ring of @pages sub-buffers. */
static u64 ring_persist_meta(u64 pages)
{
	return ALIGN(sizeof(struct ring_persist_cpu) + pages * sizeof(u64), PAGE_SIZE);
}

/* Size of a CPU's part. */
static u64 ring_persist_part(const struct ring_persist_header *shape)
{
	return ring_persist_meta(shape->pages) +
	       (u64)shape->pages * (PAGE_SIZE << shape->order);
}

/**
 * ring_persist_shape - divide memory between CPUs
 * @shape: header of the memory with @size, @order and @cpus set; the other layout fields are
 *	filled in
 *
 * Return: false if there is not enough memory for the smallest ring.
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

	/* Two slots, and the reader page. */
	return shape->pages >= 3;
}

/**
 * ring_persist_cpu - get the start of a CPU's part
 * @shape: layout of the memory
 * @memory: start of the memory
 * @index: index of the CPU among the possible ones
 */
struct ring_persist_cpu *ring_persist_cpu(const struct ring_persist_header *shape,
					  void *memory, u32 index)
{
	return memory + PAGE_SIZE + index * ring_persist_part(shape);
}

/**
 * ring_persist_data - get a sub-buffer
 * @shape: layout of the memory
 * @memory: start of the memory
 * @index: index of the CPU among the possible ones
 * @id: index of the sub-buffer
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
 * @header: header with all fields set except the checksum
 */
void ring_persist_seal(struct ring_persist_header *header)
{
	header->sum = ring_persist_sum(header);
}

/**
 * ring_persist_reject - check whether the memory has a readable buffer
 * @found: header found in the memory
 * @wanted: header that this kernel would write
 *
 * Return: NULL if it can be read, or the reason why not.
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
 * ring_persist_order - list the sub-buffers that are marked as having events, oldest first
 * @saved: saved state of the CPU
 * @nr: number of its sub-buffers
 * @pages: output with @seq and @id set; has space for @nr elements
 *
 * Return: number of sub-buffers with events
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

/* Size of the event at @event, where @left bytes remain; 0 if it is not a valid event. */
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

	/* Long data, or padding: array[0] has the size, which includes array[0] itself. */
	size = event->array[0];
	if (size < sizeof(u32) || size % 4 || size > left - RING_EVENT_HDR)
		return 0;
	return RING_EVENT_HDR + size;
}

/**
 * ring_persist_check - find the events of a sub-buffer
 * @data: the sub-buffer; it is truncated at the first invalid event, and the rest is zeroed
 * @size: its capacity in bytes
 * @page: receives @count and @bytes
 *
 * Return: false if the content was not as a ring leaves it.
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
 * ring_persist_validate - validate the events of a sub-buffer with a callback
 * @data: the sub-buffer, after ring_persist_check()
 * @page: result of ring_persist_check(); @count is set to the number of remaining events
 * @fn: the callback; events that it rejects are turned into padding
 * @was: passed to @fn
 * @is: passed to @fn
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
		/* Padding must take at least a nanosecond, which delays the later events. */
		ring_padding_encode(event, size, event->time_delta ?: 1);
		page->count--;
	}
}

/**
 * ring_persist_skip - move to the saved position of a reader
 * @cur: start of a sub-buffer, after ring_persist_check(); moved to the position
 * @read: the saved offset, or any other value
 *
 * Return: number of events before the position.
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
