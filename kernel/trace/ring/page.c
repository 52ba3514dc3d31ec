// SPDX-License-Identifier: GPL-2.0
/*
 * Allocation and freeing of buffers, rings and pages; their initialization, CPU hotplug, and
 * exclusive access to a whole ring.
 */

#define pr_fmt(fmt) "tracing: " fmt

#include "ring/page.h"

/*
 * Memory is allocated on the CPU's node. If a user requests more memory than available, this
 * must not invoke the OOM killer.
 */
#define RING_GFP	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * ring_data_alloc - allocate a sub-buffer
 * @cpu: CPU whose memory node is preferred
 * @order: order of the sub-buffer size
 * @gfp: allocation flags
 *
 * Its bytes are zero, as user space can see them. Returns NULL when out of memory, without a
 * message in the log.
 */
struct buffer_data_page *ring_data_alloc(int cpu, int order, gfp_t gfp)
{
	struct page *page;

	gfp |= __GFP_ZERO | __GFP_COMP | __GFP_NOWARN;
	page = alloc_pages_node(cpu_to_node(cpu), gfp, order);

	return page ? page_address(page) : NULL;
}

/**
 * ring_data_free - free a sub-buffer
 * @data: sub-buffer from ring_data_alloc(), or NULL
 * @order: order of the sub-buffer size
 */
void ring_data_free(struct buffer_data_page *data, int order)
{
	free_pages((unsigned long)data, order);
}

/**
 * ring_page_alloc_at - allocate a page for an existing sub-buffer
 * @cpu: CPU whose memory node is preferred
 * @data: the sub-buffer
 *
 * Returns NULL when out of memory.
 */
struct ring_page *ring_page_alloc_at(int cpu, struct buffer_data_page *data)
{
	struct ring_page *page;

	page = kzalloc_node(sizeof(*page), RING_GFP, cpu_to_node(cpu));
	if (page)
		page->data = data;
	return page;
}

/**
 * ring_page_alloc - allocate a blank page
 * @cpu: CPU whose memory node is preferred
 * @order: order of the sub-buffer size
 *
 * Returns NULL when out of memory.
 */
struct ring_page *ring_page_alloc(int cpu, int order)
{
	struct buffer_data_page *data = ring_data_alloc(cpu, order, RING_GFP);
	struct ring_page *page;

	if (!data)
		return NULL;
	page = ring_page_alloc_at(cpu, data);
	if (!page)
		ring_data_free(data, order);
	return page;
}

/**
 * ring_page_free - free a page and its sub-buffer
 * @page: page from ring_page_alloc(), or NULL
 * @order: order of the sub-buffer size
 */
void ring_page_free(struct ring_page *page, int order)
{
	if (!page)
		return;
	/* Sub-buffers in memory that outlives the kernel are not freed. */
	if (!page->saved)
		ring_data_free(page->data, order);
	kfree(page);
}

/**
 * ring_cpu_pages - allocate pages
 * @cb: ring that the pages are for
 * @pages: array to store them in
 * @nr: number of pages
 * @order: order of the page size
 *
 * Returns 0; or -ENOMEM, or -EINTR when the caller is being killed. After an error @pages may
 * contain pages; the remaining elements are unchanged.
 */
int ring_cpu_pages(struct ring_cpu *cb, struct ring_page **pages, u32 nr, int order)
{
	u32 i;

	/* Do not use up all memory before the allocation fails. */
	if ((u64)nr << order > si_mem_available())
		return -ENOMEM;

	for (i = 0; i < nr; i++) {
		pages[i] = ring_page_alloc(cb->cpu, order);
		if (!pages[i])
			return -ENOMEM;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

/*
 * Drop all events and counts. The pages of the writers and of the reader become blank, like
 * those in the slots.
 */
static void ring_forget(struct ring_cpu *cb)
{
	struct ring_page *page = cb->commit;

	local_set(&page->write, 0);
	page->entries_before = local_read(&page->entries);
	page->data->commit = 0;

	local_set(&cb->overrun, 0);
	local_set(&cb->overrun_bytes, 0);
	local_set(&cb->dropped, 0);
	local_set(&cb->commit_overrun, 0);
	cb->lost_seen = 0;

	/* The event count of the first page continues from the reader page. */
	page = cb->reader;
	page->data->commit = 0;
	page->first = 0;
	page->count = 0;
	cb->cursor = (struct ring_cursor){ .page = page->data };
	cb->lost = 0;
	cb->read = 0;
	cb->read_bytes = 0;
}

/**
 * ring_start - let writers start with a page
 * @cb: the ring, not in use by writers
 * @seq: sequence number of the page, which is blank
 *
 * The reader waits for this page.
 */
void ring_start(struct ring_cpu *cb, u64 seq)
{
	atomic64_t *slot = ring_slot_of(cb, seq);
	u32 id = atomic64_read(slot) & RING_SLOT_ID_MASK;
	struct ring_page *page = cb->pages[id];
	u64 now = ring_clock(cb->buffer);

	atomic64_set(slot, ring_slot(seq, 0, id));
	page->seq = seq;
	page->lost = 0;
	page->first = 0;
	page->total_before = -local_read(&page->entries);
	page->bytes_before = 0;
	local_set(&page->base, now);
	page->data->time_stamp = now;
	page->data->commit = 0;
	ring_save_seq(page, seq);

	cb->floor = seq;
	if (cb->saved)
		WRITE_ONCE(cb->saved->floor, seq);
	cb->reader_seq = seq - 1;
	cb->tail = page;
	cb->commit = page;
	/* ring_start:A: header and counts before commit_seq; pairs with ring_commit_seq:A */
	smp_store_release(&cb->commit_seq, seq);
}

/**
 * ring_clear - drop all events and counts
 * @cb: the ring, not in use by writers
 *
 * Writers continue in the next slot. Sequence numbers continue, so that iterators notice the
 * change.
 */
void ring_clear(struct ring_cpu *cb)
{
	ring_forget(cb);
	ring_start(cb, cb->commit->seq + 1);
}

/**
 * ring_change_pages - replace all pages, and drop all events
 * @cb: the ring, not in use by writers
 * @change: new pages, with the reader page after the pages in slots, and new slots; receives
 *	the old ones
 */
void ring_change_pages(struct ring_cpu *cb, struct ring_change *change)
{
	u64 seq = cb->commit->seq + 1;

	swap(cb->pages, change->pages);
	swap(cb->slots, change->slots);
	swap(cb->nr_slots, change->nr);
	swap(cb->order, change->order);
	swap(cb->spare, change->spare);
	cb->size = ring_data_size(cb->order);
	cb->origin = seq + 1 - cb->nr_slots;
	cb->reader_id = cb->nr_slots;
	cb->reader = cb->pages[cb->reader_id];
	ring_forget(cb);
	ring_start(cb, seq);
}

/**
 * ring_slots_blank - put blank pages into slots
 * @slots: slots, not in use yet
 * @nr: number of slots
 * @id: number of the first page
 */
void ring_slots_blank(atomic64_t *slots, u32 nr, u32 id)
{
	u32 i;

	for (i = 0; i < nr; i++)
		atomic64_set(&slots[i], ring_slot(0, RING_SLOT_TAKEN, id + i));
}

/**
 * ring_block_writers - block NMIs
 * @cb: a ring without writers inside
 *
 * Lasts until ring_unblock_writers(). Events of contexts above this one count as dropped; other
 * events are caused by the operation on the ring itself.
 */
void ring_block_writers(struct ring_cpu *cb)
{
	WRITE_ONCE(cb->busy, ring_context() | 1);
	atomic_inc(&cb->off);
}

/**
 * ring_unblock_writers - undo ring_block_writers()
 * @cb: the ring
 */
void ring_unblock_writers(struct ring_cpu *cb)
{
	atomic_dec(&cb->off);
	WRITE_ONCE(cb->busy, 0);
}

/* A call that ring_run_exclusive() passes to the CPU. */
struct ring_call {
	struct trace_buffer	*buffer;
	int			cpu;
	int			(*fn)(struct ring_cpu *cb, void *arg);
	void			*arg;
	int			ret;
	struct completion	done;
};

/* Runs on the ring's CPU with interrupts off, or on behalf of an offline CPU. */
static void ring_call(void *info)
{
	struct ring_call *call = info;
	struct ring_cpu *cb;

	for (;;) {
		cb = READ_ONCE(call->buffer->cpus[call->cpu]);
		/* A writer was interrupted. When it leaves, it queues call_work. */
		if (READ_ONCE(cb->depth)) {
			cb->call = call;
			atomic64_or(RING_WAKE_CALL, &cb->wake);
			return;
		}
		raw_spin_lock(&cb->reader_lock);
		/* The ring of an offline CPU may be exchanged concurrently. */
		if (cb == READ_ONCE(call->buffer->cpus[call->cpu]))
			break;
		raw_spin_unlock(&cb->reader_lock);
	}

	/* Locks can be traced: do not take any below, where events are dropped. */
	ring_block_writers(cb);
	/* A writer that is leaving may not have published the events of nested writers. */
	ring_publish(cb);
	call->ret = call->fn(cb, call->arg);
	ring_unblock_writers(cb);
	raw_spin_unlock(&cb->reader_lock);
	complete(&call->done);
}

static void ring_call_work(struct irq_work *work)
{
	struct ring_cpu *cb = container_of(work, struct ring_cpu, call_work);

	ring_call(cb->call);
}

/**
 * ring_run_exclusive - run a function on a ring without writers inside
 * @buffer: the buffer
 * @cpu: CPU of the ring, which exists
 * @fn: the function; called with interrupts off and the reader's lock held
 * @arg: argument of @fn
 *
 * Context: trace_buffer::mutex and cpus_read_lock() held. Does not wait for a grace period. An
 * interrupt on that CPU checks whether it interrupted a writer; if so, the function runs after
 * that writer has left.
 *
 * Returns the return value of @fn.
 */
int ring_run_exclusive(struct trace_buffer *buffer, int cpu,
		       int (*fn)(struct ring_cpu *cb, void *arg), void *arg)
{
	struct ring_call call = {
		.buffer	= buffer,
		.cpu	= cpu,
		.fn	= fn,
		.arg	= arg,
	};
	unsigned long flags;
	bool here;

	lockdep_assert_held(&buffer->mutex);
	lockdep_assert_cpus_held();
	init_completion(&call.done);

	preempt_disable();
	here = cpu == smp_processor_id() || !cpu_online(cpu);
	if (here) {
		/* Also works early in boot. This task is not inside the ring. */
		local_irq_save(flags);
		ring_call(&call);
		local_irq_restore(flags);
	} else {
		smp_call_function_single(cpu, ring_call, &call, 1);
	}
	preempt_enable();

	if (!here)
		wait_for_completion(&call.done);
	return call.ret;
}

/**
 * ring_cpu_free - free a ring
 * @cb: the ring, which is no longer in use
 */
void ring_cpu_free(struct ring_cpu *cb)
{
	int order = cb->order;
	u32 id;

	if (ring_tasks_run())
		irq_work_sync(&cb->call_work);
	if (cb->pages) {
		for (id = 0; id <= cb->nr_slots; id++) {
			ring_page_free(cb->pages[id], order);
			cond_resched();
		}
	}
	ring_data_free(cb->spare, order);
	kvfree(cb->pages);
	kvfree(cb->slots);
	kfree(cb);
}

/**
 * ring_cpu_new - allocate a ring without pages
 * @buffer: buffer that it belongs to
 * @cpu: CPU of the ring
 * @nr: number of slots
 *
 * Returns NULL when out of memory.
 */
struct ring_cpu *ring_cpu_new(struct trace_buffer *buffer, int cpu, u32 nr)
{
	static atomic64_t ids;
	struct ring_cpu *cb;

	cb = kzalloc_node(sizeof(*cb), RING_GFP, cpu_to_node(cpu));
	if (!cb)
		return NULL;

	cb->id = atomic64_inc_return_relaxed(&ids);
	cb->buffer = buffer;
	cb->swaps = atomic_read(&buffer->swaps);
	cb->cpu = cpu;
	cb->order = buffer->order;
	cb->size = ring_data_size(cb->order);
	cb->nr_slots = nr;
	cb->requested = nr * cb->size;
	cb->delta_limit = buffer->stamp_abs ? 0 : RING_DELTA_LIMIT;
	cb->frame[0] = -1;
	cb->call_work = IRQ_WORK_INIT_HARD(ring_call_work);
	raw_spin_lock_init(&cb->reader_lock);
	lockdep_set_class(&cb->reader_lock, buffer->key);

	/* Tasks may already wait for any ring; a spurious wakeup is harmless. */
	if (ring_tasks_run())
		atomic64_set(&cb->wake, RING_WAKE_CPU | RING_WAKE_ALL);
	cb->slots = kvcalloc(nr, sizeof(*cb->slots), RING_GFP);
	cb->pages = kvcalloc(nr + 1, sizeof(*cb->pages), RING_GFP);
	cb->origin = RING_FIRST_SEQ + 1 - nr;
	if (!cb->slots || !cb->pages) {
		ring_cpu_free(cb);
		return NULL;
	}
	return cb;
}

/* Allocate an empty ring with space for @bytes bytes. Returns NULL when out of memory. */
static struct ring_cpu *ring_cpu_alloc(struct trace_buffer *buffer, int cpu,
				       unsigned long bytes)
{
	u32 nr = ring_slots_for(bytes, buffer->order);
	struct ring_cpu *cb = ring_cpu_new(buffer, cpu, nr);

	if (!cb)
		return NULL;
	if (ring_cpu_pages(cb, cb->pages, nr + 1, cb->order)) {
		ring_cpu_free(cb);
		return NULL;
	}

	cb->requested = bytes;
	ring_slots_blank(cb->slots, nr, 0);
	cb->reader_id = nr;
	cb->reader = cb->pages[nr];
	cb->cursor.page = cb->reader->data;
	ring_start(cb, RING_FIRST_SEQ);
	return cb;
}

/**
 * ring_cpu_add - add the ring of a CPU
 * @buffer: buffer without a ring of this CPU; rings of the CPU are not added concurrently
 * @cb: the ring, which is freed on failure; or NULL, which is a failure
 *
 * Returns 0 or -ENOMEM.
 */
int ring_cpu_add(struct trace_buffer *buffer, struct ring_cpu *cb)
{
	struct ring_wait *wait;

	if (!cb)
		return -ENOMEM;
	wait = ring_wait_alloc(buffer, cb->cpu);
	if (!wait) {
		ring_cpu_free(cb);
		return -ENOMEM;
	}
	/* ring_cpu_add:A: waiters before the pointer to them; pairs with ring_wait_of:A */
	smp_store_release(&buffer->waits[cb->cpu], wait);
	/* ring_cpu_add:B: ring before the pointer to it; pairs with ring_of:A */
	smp_store_release(&buffer->cpus[cb->cpu], cb);
	cpumask_set_cpu(cb->cpu, buffer->cpumask);
	return 0;
}

/**
 * trace_rb_cpu_prepare - allocate the rings of a CPU that is brought up
 * @cpu: the CPU
 * @node: trace_buffer::node
 *
 * A ring is kept when its CPU goes offline. Its size is the size of the first CPU's ring.
 * Returns 0 or -ENOMEM; after an error the CPU stays offline.
 */
int trace_rb_cpu_prepare(unsigned int cpu, struct hlist_node *node)
{
	struct trace_buffer *buffer = container_of(node, struct trace_buffer, node);
	struct ring_cpu *cb;

	if (cpumask_test_cpu(cpu, buffer->cpumask))
		return 0;

	cb = ring_of(buffer, cpumask_first(buffer->cpumask));
	if (ring_cpu_add(buffer, ring_cpu_alloc(buffer, cpu, cb->requested))) {
		pr_warn("no memory for the trace buffer of CPU %u\n", cpu);
		return -ENOMEM;
	}
	return 0;
}

/* The hotplug state is set up along with the first buffer. */
static int ring_hotplug_init(void)
{
	static DEFINE_MUTEX(mutex);
	static bool done;
	int ret;

	guard(mutex)(&mutex);
	if (done)
		return 0;
	ret = cpuhp_setup_state_multi(CPUHP_TRACE_RB_PREPARE, "trace/RB:prepare",
				      trace_rb_cpu_prepare, NULL);
	done = ret >= 0;
	return done ? 0 : ret;
}

/**
 * ring_buffer_release - free a buffer that is not registered with CPU hotplug
 * @buffer: buffer without writers and readers
 */
void ring_buffer_release(struct trace_buffer *buffer)
{
	int cpu;

	/* First free the waits: their RCU callbacks access the rings. */
	ring_wait_free(buffer->wait);
	for_each_possible_cpu(cpu)
		ring_wait_free(buffer->waits[cpu]);
	for_each_possible_cpu(cpu) {
		if (buffer->cpus[cpu])
			ring_cpu_free(buffer->cpus[cpu]);
	}
	free_cpumask_var(buffer->cpumask);
	kfree(buffer->waits);
	kfree(buffer->range);
	kfree(buffer);
}

/**
 * ring_buffer_new - allocate a buffer without rings, not registered with CPU hotplug
 * @flags: RB_FL_OVERWRITE or 0
 * @key: lockdep class of the reader locks
 *
 * Returns NULL when out of memory.
 */
struct trace_buffer *ring_buffer_new(unsigned int flags, struct lock_class_key *key)
{
	struct trace_buffer *buffer;

	if (ring_hotplug_init())
		return NULL;

	buffer = kzalloc(struct_size(buffer, cpus, nr_cpu_ids), GFP_KERNEL);
	if (!buffer)
		return NULL;
	buffer->waits = kcalloc(nr_cpu_ids, sizeof(*buffer->waits), GFP_KERNEL);
	if (!buffer->waits || !zalloc_cpumask_var(&buffer->cpumask, GFP_KERNEL)) {
		kfree(buffer->waits);
		kfree(buffer);
		return NULL;
	}

	mutex_init(&buffer->mutex);
	buffer->key = key;
	buffer->overwrite = flags & RB_FL_OVERWRITE;
	buffer->wait = ring_wait_alloc(buffer, RING_BUFFER_ALL_CPUS);
	if (!buffer->wait) {
		ring_buffer_release(buffer);
		return NULL;
	}
	return buffer;
}

/**
 * __ring_buffer_alloc - allocate a buffer
 * @size: bytes per CPU, rounded up to whole pages, at least two
 * @flags: RB_FL_OVERWRITE or 0
 * @key: lockdep class of the reader locks; ring_buffer_alloc() provides one
 *
 * CPUs that were not online yet get their ring when they are brought up. The clock is
 * trace_clock_local(). May sleep. Returns NULL when out of memory.
 */
struct trace_buffer *__ring_buffer_alloc(unsigned long size, unsigned int flags,
					 struct lock_class_key *key)
{
	struct trace_buffer *buffer;
	int cpu = raw_smp_processor_id();

	if (size > LONG_MAX || ring_slots_for(size, 0) >= RING_MAX_PAGES)
		return NULL;

	buffer = ring_buffer_new(flags, key);
	if (!buffer)
		return NULL;

	/* Rings of the other online CPUs are added as if these were brought up now. */
	if (ring_cpu_add(buffer, ring_cpu_alloc(buffer, cpu, size)))
		goto fail;
	if (cpuhp_state_add_instance(CPUHP_TRACE_RB_PREPARE, &buffer->node))
		goto fail;
	return buffer;
fail:
	ring_buffer_release(buffer);
	return NULL;
}
EXPORT_SYMBOL_GPL(__ring_buffer_alloc);

/**
 * ring_buffer_free - free a buffer
 * @buffer: buffer without writers and readers
 *
 * May sleep.
 */
void ring_buffer_free(struct trace_buffer *buffer)
{
	cpuhp_state_remove_instance_nocalls(CPUHP_TRACE_RB_PREPARE, &buffer->node);
	ring_buffer_release(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_free);
