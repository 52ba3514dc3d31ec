// SPDX-License-Identifier: GPL-2.0
/*
 * Buffers in memory that outlives the kernel, with the events that an earlier kernel has left
 * there. The layout of the memory is documented in persist.h; persist.c validates its content.
 *
 * The rings are like other rings, except that
 *
 * - they exist for all possible CPUs from the beginning, and never change in size;
 * - their sub-buffers are never exchanged with others: whole pages are read by copying;
 * - the sequence number of a page is saved along with it while the page has unread events, and
 *   the reader's position is saved when it has read all available events.
 */

#define pr_fmt(fmt) "tracing: " fmt

#include "ring/page.h"

static_assert(RING_PERSIST_MAX_PAGES < RING_MAX_PAGES);

/**
 * struct ring_range - memory of a buffer
 * @memory: start of the memory: the header
 * @shape: the header that this kernel writes
 * @was: the kernel that wrote the events found
 * @lost: reason why no events were read, NULL if they were
 * @fn: validates each event found, or NULL
 */
struct ring_range {
	void				*memory;
	struct ring_persist_header	shape;
	struct ring_persist_kernel	was;
	const char			*lost;
	ring_persist_fn			fn;
};

/* Index of a CPU among the possible ones. */
static u32 ring_range_index(int cpu)
{
	u32 index = 0;
	int each;

	for_each_possible_cpu(each) {
		if (each == cpu)
			break;
		index++;
	}
	return index;
}

/* Check that @data is backed by RAM: a written pattern reads back. */
static bool ring_range_holds(struct buffer_data_page *data)
{
	static const u64 pattern = 0xa5c35a3c0ff0695aULL;
	u64 old = READ_ONCE(data->time_stamp);
	bool good;

	WRITE_ONCE(data->time_stamp, ~old ^ pattern);
	good = READ_ONCE(data->time_stamp) == (~old ^ pattern);
	WRITE_ONCE(data->time_stamp, old);
	return good && READ_ONCE(data->time_stamp) == old;
}

/*
 * Allocate the pages of a ring, each for its location in memory. Returns 0, -ENOMEM, or -ENXIO
 * if the memory is not RAM.
 */
static int ring_range_pages(struct ring_range *range, struct ring_cpu *cb, u32 index)
{
	struct ring_page *page;
	u32 id;

	for (id = 0; id <= cb->nr_slots; id++) {
		page = ring_page_alloc_at(cb->cpu, ring_persist_data(&range->shape,
								     range->memory, index, id));
		if (!page)
			return -ENOMEM;
		cb->pages[id] = page;
		page->saved = &cb->saved->seq[id];
		if (!ring_range_holds(page->data))
			return -ENXIO;
	}
	return 0;
}

/* Find the events of a CPU, of at most as many pages as there are slots. */
static u32 ring_range_find(struct ring_range *range, struct ring_cpu *cb,
			   struct ring_persist_page *found)
{
	u32 nr, i, kept = 0, bad = 0, first;
	struct ring_persist_page *page;

	nr = ring_persist_order(cb->saved, cb->nr_slots + 1, found);
	first = nr > cb->nr_slots ? nr - cb->nr_slots : 0;
	for (i = first; i < nr; i++) {
		page = &found[i];
		if (!ring_persist_check(cb->pages[page->id]->data, cb->size, page))
			bad++;
		if (range->fn)
			ring_persist_validate(cb->pages[page->id]->data, page, range->fn,
					      &range->was, &range->shape.kernel);
		if (page->bytes)
			found[kept++] = *page;
	}
	if (bad)
		pr_warn("trace buffer of CPU %d: %u of %u pages from before the boot were corrupt\n",
			cb->cpu, bad, nr - first);
	return kept;
}

/* Blank the pages without events, and put them into the remaining slots. */
static void ring_range_blank(struct ring_cpu *cb, u64 seq, const unsigned long *used)
{
	struct ring_page *page;
	u32 id;

	for (id = 0; id <= cb->nr_slots; id++) {
		if (test_bit(id, used))
			continue;
		page = cb->pages[id];
		ring_save_seq(page, 0);
		memset(page->data, 0, RING_PAGE_HDR + cb->size);
		if (!cb->reader) {
			cb->reader = page;
			cb->reader_id = id;
			continue;
		}
		atomic64_set(ring_slot_of(cb, seq), ring_slot(0, RING_SLOT_TAKEN, id));
		seq++;
	}
}

/* Start writing at @seq, after the pages with events. */
static void ring_range_start(struct ring_cpu *cb, u64 seq, unsigned long total,
			     unsigned long bytes)
{
	struct ring_page *page;

	ring_start(cb, seq);
	page = cb->commit;
	page->first = total;
	page->total_before = total;
	page->bytes_before = bytes;
}

/* Make the @nr pages found the first pages of the ring. @used is a bitmap of all pages. */
static void ring_range_adopt(struct ring_cpu *cb, const struct ring_persist_page *found,
			     u32 nr, unsigned long *used)
{
	u64 read_seq = nr ? found[0].seq : 0, read = 0, seq = RING_FIRST_SEQ;
	unsigned long total = 0, bytes = 0;
	struct ring_page *page;
	u32 i, skipped;

	if (read_seq && cb->saved->read_seq == read_seq)
		read = cb->saved->read;

	/* The reader gets the oldest page; the others are put into the following slots. */
	for (i = 0; i < nr; i++, seq++) {
		page = cb->pages[found[i].id];
		__set_bit(found[i].id, used);
		page->seq = seq;
		page->first = total;
		page->count = found[i].count;
		page->bytes = found[i].bytes;
		ring_save_seq(page, seq);
		total += page->count;
		bytes += page->bytes;
		if (!i) {
			cb->reader = page;
			cb->reader_id = found[i].id;
			continue;
		}
		atomic64_set(ring_slot_of(cb, seq), ring_slot(seq, 0, found[i].id));
	}
	cb->saved_end = seq;
	ring_range_blank(cb, seq, used);

	ring_range_start(cb, seq, total, bytes);
	cb->cursor = (struct ring_cursor){ .page = cb->reader->data };
	if (!nr)
		return;

	cb->floor = RING_FIRST_SEQ;
	cb->saved->floor = RING_FIRST_SEQ;
	cb->reader_seq = RING_FIRST_SEQ;
	cb->cursor.end = cb->reader->bytes;
	cb->cursor.stamp = cb->reader->data->time_stamp;
	skipped = ring_persist_skip(&cb->cursor, read);
	/* Events read in the earlier boot do not count. */
	cb->commit->total_before -= skipped;
	ring_save_read(cb);
}

/* Create the ring of a CPU, including the events found. */
static struct ring_cpu *ring_range_cpu(struct trace_buffer *buffer, int cpu, int *error)
{
	struct ring_range *range = buffer->range;
	u32 nr = range->shape.pages - 1, found_nr = 0, index = ring_range_index(cpu);
	struct ring_persist_page *found;
	unsigned long *used;
	struct ring_cpu *cb;

	*error = -ENOMEM;
	cb = ring_cpu_new(buffer, cpu, nr);
	found = kvcalloc(nr + 1, sizeof(*found), GFP_KERNEL);
	used = kvcalloc(BITS_TO_LONGS(nr + 1), sizeof(*used), GFP_KERNEL);
	if (!cb || !found || !used)
		goto fail;

	cb->saved = ring_persist_cpu(&range->shape, range->memory, index);
	*error = ring_range_pages(range, cb, index);
	if (*error)
		goto fail;

	if (!range->lost)
		found_nr = ring_range_find(range, cb, found);
	ring_range_adopt(cb, found, found_nr, used);
	kvfree(used);
	kvfree(found);
	return cb;
fail:
	kvfree(used);
	kvfree(found);
	if (cb)
		ring_cpu_free(cb);
	return NULL;
}

/* Mark the memory as owned by this kernel. */
static void ring_range_seal(struct ring_range *range)
{
	struct ring_persist_header *header = range->memory;

	ring_persist_seal(&range->shape);
	*header = range->shape;
}

static struct ring_range *ring_range_alloc(int order, void *memory, unsigned long size,
					   ring_persist_fn fn)
{
	const struct ring_persist_header *found = memory;
	struct ring_range *range;

	range = kzalloc(sizeof(*range), GFP_KERNEL);
	if (!range)
		return ERR_PTR(-ENOMEM);

	range->memory = memory;
	range->fn = fn;
	range->shape.size = size;
	range->shape.order = order;
	range->shape.cpus = num_possible_cpus();
	range->shape.kernel = (struct ring_persist_kernel){
		.build		= ring_env_build(),
		.text		= ring_env_text(),
		.text_size	= ring_env_text_size(),
		.data		= ring_env_data(),
	};
	if (size < PAGE_SIZE || !ring_persist_shape(&range->shape)) {
		kfree(range);
		return ERR_PTR(-ENXIO);
	}
	range->lost = ring_persist_reject(found, &range->shape);
	if (!range->lost)
		range->was = found->kernel;
	return range;
}

/* Create rings for all possible CPUs. */
static int ring_range_add(struct trace_buffer *buffer)
{
	struct ring_cpu *cb;
	int cpu, ret;

	for_each_possible_cpu(cpu) {
		cb = ring_range_cpu(buffer, cpu, &ret);
		if (!cb)
			return ret;
		if (ring_cpu_add(buffer, cb))
			return -ENOMEM;
	}
	ring_range_seal(buffer->range);
	return 0;
}

/**
 * ring_buffer_alloc_saved - create a buffer in memory that outlives the kernel
 * @flags: RB_FL_OVERWRITE or 0
 * @order: order of the sub-buffer size; sub-buffers have PAGE_SIZE << @order bytes
 * @memory: page-aligned start of the memory, which must never be used for another purpose
 * @size: size of the memory in bytes
 * @fn: validates each event found, NULL to keep all events
 * @key: lockdep class of the reader locks
 *
 * If an earlier boot of the same kernel had a buffer of the same layout there, its events can
 * be read, and new events follow them. May sleep.
 *
 * Return: the buffer; -ENXIO if @memory is too small for three sub-buffers per CPU, or not
 * writable; -EINVAL if @order is invalid or @memory is not page-aligned; -ENOMEM. After an
 * error the events found remain available for the next attempt, except for changes made by @fn.
 */
struct trace_buffer *ring_buffer_alloc_saved(unsigned int flags, int order, void *memory,
					     unsigned long size, ring_persist_fn fn,
					     struct lock_class_key *key)
{
	struct ring_range *range;
	struct trace_buffer *buffer;
	int ret;

	if (order < 0 || order > get_order(RING_MAX_SUBBUF) ||
	    !IS_ALIGNED((unsigned long)memory, PAGE_SIZE))
		return ERR_PTR(-EINVAL);
	range = ring_range_alloc(order, memory, size, fn);
	if (IS_ERR(range))
		return ERR_CAST(range);
	buffer = ring_buffer_new(flags, key);
	if (!buffer) {
		kfree(range);
		return ERR_PTR(-ENOMEM);
	}

	buffer->range = range;
	buffer->order = order;
	ret = ring_range_add(buffer) ?:
	      cpuhp_state_add_instance(CPUHP_TRACE_RB_PREPARE, &buffer->node);
	if (!ret)
		return buffer;
	ring_buffer_release(buffer);
	return ERR_PTR(ret);
}

/**
 * __ring_buffer_alloc_range - ring_buffer_alloc_saved() for users other than tracing
 * @size: not used: the memory determines the size of the buffer
 * @flags: RB_FL_OVERWRITE or 0
 * @order: order of the sub-buffer size; sub-buffers have PAGE_SIZE << @order bytes
 * @start: page-aligned address of the memory
 * @range_size: size of the memory in bytes
 * @key: lockdep class of the reader locks
 *
 * Return: the buffer, or NULL.
 */
struct trace_buffer *__ring_buffer_alloc_range(unsigned long size, unsigned int flags,
					       int order, unsigned long start,
					       unsigned long range_size,
					       struct lock_class_key *key)
{
	struct trace_buffer *buffer;

	buffer = ring_buffer_alloc_saved(flags, order, (void *)start, range_size, NULL, key);
	return IS_ERR(buffer) ? NULL : buffer;
}

/**
 * ring_buffer_saved_lost - get the reason why no events of the last boot were read
 * @buffer: a buffer from ring_buffer_alloc_saved()
 *
 * Return: the reason, or NULL if existing events were read.
 */
const char *ring_buffer_saved_lost(struct trace_buffer *buffer)
{
	return buffer->range->lost;
}

/**
 * ring_buffer_saved_stop - preserve a buffer for the next boot
 * @buffer: the buffer; nothing happens unless it is in memory that outlives the kernel
 *
 * Recording is switched off, and recorded events are written back from caches to memory.
 *
 * Context: any; does not wait for an event that another CPU is writing
 */
void ring_buffer_saved_stop(struct trace_buffer *buffer)
{
	if (!buffer->range)
		return;
	ring_buffer_record_off(buffer);
	ring_env_write_back(buffer->range->memory, buffer->range->shape.size);
}

/**
 * ring_buffer_peek_saved - check whether the next event to consume is from an earlier boot
 * @buffer: buffer without other concurrent consumers; it has a ring of @cpu
 * @cpu: CPU of the event, which ring_buffer_peek() has returned
 */
bool ring_buffer_peek_saved(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);

	return READ_ONCE(cb->reader_seq) < cb->saved_end;
}

/**
 * ring_buffer_last_boot_delta - get the relocation of the kernel since the last boot
 * @buffer: any buffer
 * @text: set to the current address of its text minus the earlier address
 * @data: set to the same difference for its data
 *
 * Return: false, with both set to 0, if there are no events of the last boot.
 */
bool ring_buffer_last_boot_delta(struct trace_buffer *buffer, long *text, long *data)
{
	struct ring_range *range = buffer->range;

	*text = 0;
	*data = 0;
	if (!range || range->lost)
		return false;

	*text = range->shape.kernel.text - range->was.text;
	*data = range->shape.kernel.data - range->was.data;
	return true;
}
