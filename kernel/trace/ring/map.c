// SPDX-License-Identifier: GPL-2.0
/*
 * Rings mapped into the address space of a process, which reads them without copying. The
 * format is documented in Documentation/trace/ring-buffer-map.rst.
 *
 * The first page is the meta page, which describes all others. The following pages are numbered
 * when the ring is first mapped, beginning with the reader page, in the order in which they
 * would be read. A page keeps its number while it moves between slots, and no page is added or
 * removed as long as there is a mapping.
 */

#include <linux/cacheflush.h>

#include "ring/page.h"
#include "ring/map.h"

/**
 * ring_map_update - update the meta page, which user space reads
 * @cb: a mapped ring, its reader_lock held
 */
void ring_map_update(struct ring_cpu *cb)
{
	struct trace_buffer_meta *meta = cb->meta;
	struct ring_stats fig = ring_stats(cb);

	meta->reader.id = cb->map_number[cb->reader_id];
	meta->reader.read = cb->cursor.at;
	/* All events written: subtracting the other two counts gives the unread ones. */
	WRITE_ONCE(meta->entries, fig.entries + fig.overrun + cb->read);
	WRITE_ONCE(meta->overrun, fig.overrun);
	WRITE_ONCE(meta->read, cb->read);

	flush_dcache_page(virt_to_page(meta));
}

static void ring_meta_put(struct ring_cpu *cb)
{
	if (cb->mapped)
		return;
	free_page((unsigned long)cb->meta);
	kvfree(cb->map_number);
	cb->meta = NULL;
	cb->map_number = NULL;
}

/* Allocate the data that a ring needs only while it is mapped. */
static int ring_meta_get(struct ring_cpu *cb)
{
	struct trace_buffer_meta *meta;

	if (cb->meta)
		return 0;
	cb->map_number = kvcalloc(cb->nr_slots + 1, sizeof(*cb->map_number), GFP_KERNEL);
	meta = (void *)get_zeroed_page(GFP_KERNEL);
	cb->meta = meta;
	if (!meta || !cb->map_number) {
		ring_meta_put(cb);
		return -ENOMEM;
	}
	meta->meta_page_size = PAGE_SIZE;
	meta->meta_struct_len = sizeof(*meta);
	meta->subbuf_size = PAGE_SIZE << cb->order;
	meta->nr_subbufs = cb->nr_slots + 1;
	return 0;
}

/* Number the pages. The reader's lock is held, so pages cannot move between slots. */
static void ring_map_number(struct ring_cpu *cb)
{
	u64 oldest = max(ring_commit_seq(cb) + 1 - cb->nr_slots, cb->floor);
	u32 index = ring_index(cb, max(cb->reader_seq + 1, oldest)), i, id;

	cb->map_number[cb->reader_id] = 0;
	for (i = 1; i <= cb->nr_slots; i++) {
		id = atomic64_read(&cb->slots[index]) & RING_SLOT_ID_MASK;
		cb->map_number[id] = i;
		index++;
		if (index == cb->nr_slots)
			index = 0;
	}
}

/* Store @nr pages of the mapping in @pages, beginning with page @first. */
static void ring_map_pages(struct ring_cpu *cb, struct page **pages,
			   unsigned long first, unsigned long nr)
{
	unsigned long at, i;
	u32 id;

	if (!first)
		pages[0] = virt_to_page(cb->meta);
	for (id = 0; id <= cb->nr_slots; id++) {
		at = 1 + ((unsigned long)cb->map_number[id] << cb->order);
		for (i = 0; i < BIT(cb->order); i++, at++) {
			if (at >= first && at - first < nr)
				pages[at - first] = virt_to_page(cb->pages[id]->data) + i;
		}
	}
}

static int ring_map_insert(struct ring_cpu *cb, struct vm_area_struct *vma)
{
	unsigned long all = 1 + ((cb->nr_slots + 1UL) << cb->order);
	unsigned long left, nr = vma_pages(vma);
	struct page **pages;
	int ret;

	if (vma->vm_pgoff >= all || nr > all - vma->vm_pgoff)
		return -EINVAL;

	pages = kvcalloc(nr, sizeof(*pages), GFP_KERNEL);
	if (!pages)
		return -ENOMEM;
	ring_map_pages(cb, pages, vma->vm_pgoff, nr);
	left = nr;
	ret = vm_insert_pages(vma, vma->vm_start, pages, &left);
	kvfree(pages);
	return ret;
}

/* Add @by to the number of mappings, which readers test. */
static void ring_map_count(struct ring_cpu *cb, int by)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&cb->reader_lock, flags);
	if (!cb->mapped)
		ring_map_number(cb);
	WRITE_ONCE(cb->mapped, cb->mapped + by);
	if (cb->mapped)
		ring_map_update(cb);
	raw_spin_unlock_irqrestore(&cb->reader_lock, flags);
}

/**
 * ring_buffer_map - map a ring into a process
 * @buffer: the buffer; its mutex is taken, inside the mmap_lock that the caller holds
 * @cpu: CPU of the ring
 * @vma: the area to map it to
 *
 * Until ring_buffer_unmap() the ring keeps its size and is not exchanged with another ring. May
 * sleep.
 *
 * Returns 0; -EPERM for a mapping that is private or could be written or executed, -EINVAL for
 * a mapping beyond the end of the ring or a CPU without a ring, -ENODEV for a ring in memory
 * that the kernel does not manage, -ENOMEM.
 */
int ring_buffer_map(struct trace_buffer *buffer, int cpu, struct vm_area_struct *vma)
{
	struct ring_cpu *cb;
	int ret;

	if (vma->vm_flags & (VM_WRITE | VM_EXEC) || !(vma->vm_flags & VM_MAYSHARE))
		return -EPERM;

	guard(mutex)(&buffer->mutex);
	cb = ring_of_locked(buffer, cpu);
	if (!cb)
		return -EINVAL;
	if (cb->saved && !ring_env_has_page(cb->saved))
		return -ENODEV;

	ret = ring_meta_get(cb);
	if (ret)
		return ret;

	/* The pages belong to the ring: do not copy them into a child or a core dump. */
	vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP,
		     VM_MAYWRITE | VM_MAYEXEC);

	/* From here on no page is exchanged. */
	ring_map_count(cb, 1);
	ret = ring_map_insert(cb, vma);
	if (ret) {
		ring_map_count(cb, -1);
		ring_meta_put(cb);
	}
	return ret;
}

/**
 * ring_buffer_map_dup - account for a duplicated mapping
 * @buffer: buffer that was passed to ring_buffer_map(); its mutex is taken
 * @cpu: CPU of the ring
 */
void ring_buffer_map_dup(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb;

	guard(mutex)(&buffer->mutex);
	cb = ring_of(buffer, cpu);
	if (!WARN_ON_ONCE(!cb || !cb->mapped))
		ring_map_count(cb, 1);
}

/**
 * ring_buffer_unmap - account for a removed mapping
 * @buffer: buffer that was passed to ring_buffer_map() or ring_buffer_map_dup(); its mutex is
 *	taken
 * @cpu: CPU of the ring
 *
 * Returns 0, or -EINVAL or -ENODEV if there is no such ring or mapping.
 */
int ring_buffer_unmap(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb;

	guard(mutex)(&buffer->mutex);
	cb = ring_of(buffer, cpu);
	if (!cb)
		return -EINVAL;
	if (!cb->mapped)
		return -ENODEV;

	ring_map_count(cb, -1);
	ring_meta_put(cb);
	return 0;
}

/**
 * ring_buffer_is_mapped - check whether user space has mapped a ring
 * @buffer: the buffer; false if @cpu has no ring in it
 * @cpu: CPU of the ring
 *
 * Context: any. The result may be outdated as soon as this returns.
 */
bool ring_buffer_is_mapped(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);

	return cb && READ_ONCE(cb->mapped);
}

static void ring_map_flush(struct ring_cpu *cb, struct buffer_data_page *data)
{
	unsigned long i;

	for (i = 0; i < BIT(cb->order); i++)
		flush_dcache_page(virt_to_page(data) + i);
}

/*
 * Record in the page passed to user space that events before it were lost. If the page is
 * @full, the number follows its events, at the cursor's end; in a page that is still being
 * written even the flag lasts only until the next event.
 */
static void ring_map_lost(struct ring_cpu *cb, bool full)
{
	struct buffer_data_page *data = cb->cursor.page;
	unsigned long old = READ_ONCE(data->commit), flags = RB_MISSED_EVENTS;
	unsigned int end = cb->cursor.end;

	cb->meta->reader.lost_events = cb->lost;
	if (!cb->lost)
		return;
	if (full && cb->size - end >= sizeof(cb->lost)) {
		memcpy(data->data + end, &cb->lost, sizeof(cb->lost));
		flags |= RB_MISSED_STORED;
	}
	/* ring_map_lost:A: relaxed; does not undo a store by ring_publish:A */
	while (!try_cmpxchg_relaxed(&data->commit, &old, old | flags))
		;
	cb->lost = 0;
}

/* Consume the unread events of the reader page, or else of the next page. */
static void ring_map_next(struct ring_cpu *cb)
{
	struct ring_buffer_event *event;
	bool full;

	/* Do not take the writer's page while it has no events. */
	if (!ring_stats(cb).entries || !ring_take_slow(cb)) {
		ring_map_update(cb);
		return;
	}

	/* Read in this order: the writer may leave the page in between. */
	full = cb->reader_seq < ring_commit_seq(cb);
	cb->cursor.end = ring_page_end(cb->cursor.page);
	ring_map_lost(cb, full);
	while ((event = ring_cursor_event(&cb->cursor))) {
		ring_cursor_advance(&cb->cursor, event);
		cb->read++;
	}
	ring_map_flush(cb, cb->cursor.page);
	ring_map_update(cb);
	ring_save_read(cb);
}

/**
 * ring_buffer_map_get_reader - get the next page to read for user space
 * @buffer: the buffer; the lock of the ring is taken, so this must not be called in an NMI
 * @cpu: CPU of the ring, which is mapped
 *
 * If the current page got more events since the last call, the page does not change. All events
 * in it are counted as read. Returns 0; -EINVAL or -ENODEV if there is no such ring or mapping.
 */
int ring_buffer_map_get_reader(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);
	unsigned long flags;
	int ret = -ENODEV;

	if (!cb)
		return -EINVAL;

	raw_spin_lock_irqsave(&cb->reader_lock, flags);
	if (cb->mapped) {
		ring_map_next(cb);
		ret = 0;
	}
	raw_spin_unlock_irqrestore(&cb->reader_lock, flags);
	return ret;
}
