/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_RING_PAGE_H
#define _TRACE_RING_PAGE_H
/*
 * The ring of one CPU: its pages, their owners, and the rules for changing ownership.
 */

/**
 * DOC: Pages and slots
 *
 * A ring of n slots has n + 1 pages: one in each slot, and the reader page. Pages that are
 * written get consecutive sequence numbers; page seq belongs in slot (seq - origin) % n. A slot
 * is one 64-bit word with the seq that the slot currently represents, the page in it, and a
 * flag which means that the reader has taken the page of that seq and left a blank one. The
 * word is only changed by compare-and-exchange, and no value recurs because seq never does::
 *
 *	{seq, page}		the page is being written or is not read yet
 *	{seq, TAKEN, blank}	the reader has it; the slot is free
 *	{seq + n, page}		the writer claimed the slot: either it was free,
 *				or its events are now overwritten
 *
 * A slot whose seq is below ring_cpu::floor counts as free, whatever its content. So a reset is
 * a single step to the next slot, regardless of the number of slots. enum ring_slot_state lists
 * the states of a slot.
 *
 * The reader takes pages in order of seq. If it finds a slot with a later seq, it was
 * overtaken, and continues with the oldest existing page. It may take the page that is being
 * written: the writer continues in that page and moves to the next slot when the page is full.
 */

/**
 * DOC: Writers of a ring
 *
 * Writers run on the ring's own CPU with preemption disabled. So they can only interrupt each
 * other, strictly nested: between two of its instructions, an interrupted writer sees all
 * effects of the nested writers, or none. An event is reserved by one cmpxchg of
 * ring_page::write, which contains both the offset and the time of the last event. If it
 * succeeds, no event was written since the word was read, so the time that was read in between
 * is not before the time of any earlier event. Moving to the next page takes several steps.
 * Each of them takes effect only if no nested writer has done it before (ring_next_page() in
 * write.c).
 *
 * Only the outermost writer publishes, when it leaves: all events reserved on this CPU are
 * complete by then. It moves ring_cpu::commit up to the tail, freezes the counts of the pages
 * that it leaves, and prepares their write words for the next round. While a writer is inside,
 * commit does not move, so no writer sees a page reused: slots from the commit page on cannot
 * be claimed, and an event that would need such a slot is dropped and counted.
 *
 * All operations that change more than a slot (reset, resize, exchange) run on the ring's own
 * CPU, between writers, with the reader's lock held. A reset or a resize blocks NMIs (their
 * events are counted as dropped): see ring_run_exclusive(). An exchange does not: see
 * ring_exchange().
 */

/*
 * Order of memory accesses between CPUs
 *
 * All accesses whose order other CPUs rely on, by function and letter. Each is listed next to
 * the access it pairs with, and with the litmus test of the pair, which is in
 * Documentation/litmus-tests/ring-buffer/. A comment at each access says which accesses it
 * orders: "events before commit". Local operations (local_t, cmpxchg_local()) are assumed to be
 * unordered; an architecture that has them fully ordered is only stronger.
 *
 *   writer				reader
 *   ring_leave_outermost:A,		ring_page_end:A
 *   ring_publish:A, ring_publish_page:A
 *	release data->commit		acquire data->commit
 *	  the events below commit are whole (commit.litmus)
 *   ring_publish_page:B, ring_start:A	ring_commit_seq:A
 *	release commit_seq		acquire commit_seq
 *	  page seq has its header, and first and count of all pages before it
 *	  are final, as are their commits: so read this before data->commit
 *	  (commit-seq.litmus)
 *   ring_claim:A			ring_swap_page:A
 *	cmpxchg of a slot, full		cmpxchg of a slot, full
 *	  exactly one gets the page (claim-or-take.litmus); a blank page
 *	  includes all stores of the reader to it, the writer's stores follow
 *	  after it got the page (blank.litmus)
 *   ring_publish_page:B,		ring_commit_seq:A, ring_stats:A
 *   ring_start:A
 *	release commit_seq		acquire commit_seq, figures; rmb and
 *					commit_seq again
 *	  figures read while commit_seq is unchanged belong to one page: the
 *	  overruns include all pages overwritten to make space for it, and
 *	  only events written before (figures.litmus)
 *   ring_claim:A			ring_iter_find:A, ring_iter_copy:A,
 *					ring_look_ahead:A, ring_look_ahead:B
 *	cmpxchg of a slot, full		slot read, acquire; rmb and again after
 *	  a copy during which the slot is unchanged is a copy of that page
 *	  (copy.litmus)
 *   ring_publish_page:B, ring_claim:A	ring_swap_page:B, ring_iter_find:A,
 *					ring_look_ahead:A, ring_commit_seq:A
 *	release commit_seq, then	slot read, acquire, then acquire
 *	cmpxchg of a slot, full		commit_seq
 *	  a reader that finds a slot claimed for a later page finds the oldest
 *	  remaining page committed (overtaken.litmus)
 *   ring_publish:B			ring_arm:B (wait.c)
 *	full barrier, page crossed	full barrier after ring_wait::full is set
 *	  the writer sees the waiter, or the waiter sees the full pages
 *	  (wake-full.litmus)
 *   ring_leave_outermost:B,		ring_arm_cpu:A, ring_arm:A,
 *   ring_wake:A			ring_arm:C (wait.c)
 *	none: reads ring_cpu::wake,	wake is set, full, then a grace period
 *	and clears it, full
 *	  a writer that missed the bit has left when the period ends; its
 *	  events are checked for once more then (wake.litmus)
 *   ring_leave_outermost:A,		ring_map_lost:A (map.c)
 *   ring_publish:A
 *	release data->commit		cmpxchg of data->commit, relaxed
 *	  neither store undoes the other. User space that sees the flags sees
 *	  the events below commit: the flags are stored by an RMW operation on
 *	  the word that the writer released (no test: three CPUs)
 *
 *   a waiter				the end of a grace period (wait.c)
 *   ring_arm_cpu:A, then ring_arm:A	ring_check:A
 *   or ring_arm:C
 *	wake is set, full; a read of	dec_return of ring_wait::check, full,
 *	check, or cmpxchg of it, full	then the next grace period
 *	  a waiter that sees RING_CHECK_AGAIN has set the bit before that
 *	  period begins (no test: as wake.litmus)
 *
 *   ring_buffer_swap_request:A		ring_context_again:A,
 *					ring_buffer_swap_finish:A,
 *					ring_buffer_swap_drop:A
 *	release of buffer->off		acquire of buffer->off
 *	  a CPU that sees a request there sees it counted in buffer->swaps (no
 *	  test: as commit.litmus)
 *
 *   ring_swaps_end:A			ring_context_again:A
 *	full				acquire of buffer->off
 *	  a CPU that sees no request there sees the exchanges done that were
 *	  requested before (no test: as commit.litmus)
 *
 *   ring_buffer_swap_with:A		ring_try_pending:A
 *	release buffer->swap_with	READ_ONCE and dependent accesses
 *	  a writer that sees the spare buffer sees it initialized (no test: as
 *	  ring-comes.litmus)
 *
 *   a consumer				an exchange of rings
 *   ring_buffer_consume_end:A		ring_is_held:A
 *	release consumers		acquire consumers
 *	  events are read before writers get the page that they are in; an
 *	exchange that found no consumer is over when ring_get_stable() has
 *	  had the lock (no test: as commit.litmus)
 *
 *   a CPU brought up		all
 *   ring_cpu_add:A		ring_wait_of:A
 *	release buffer->waits[]		READ_ONCE and dependent accesses
 *   ring_cpu_add:B,			ring_of:A
 *   ring_exchange:A, ring_exchange:B
 *	release buffer->cpus[]		READ_ONCE and dependent accesses
 *	  a CPU that sees the pointer sees all earlier stores to the object
 *	  (ring-comes.litmus)
 *
 *   ring_save_seq:A, ring_save_seq:B	none: the next boot
 *	release, then full barrier, of the seq of the page in the memory
 *   ring_save_read:A, ring_save_read:B	none: the next boot
 *	release: read is 0 or belongs to the page of read_seq
 */

#include "ring/env.h"
#include "ring/format.h"
#include "ring/persist.h"

/*
 * ring_page::write
 *
 *	63                20  19     18      0
 *	| time of last event | closed | offset |
 *
 * The time counts from ring_page::base. An event that would be RING_REL_LIMIT or more after
 * base is not put into the page. Short deltas are not checked against the limit; as a page has
 * space for at most 2^16 of them, the field does not overflow.
 */
#define RING_REL_SHIFT		20
#define RING_CLOSED		BIT(19)
#define RING_OFFSET_MASK	(RING_CLOSED - 1)
#define RING_USED_MASK		(RING_CLOSED | RING_OFFSET_MASK)
#define RING_REL_LIMIT		BIT_ULL(43)
#define RING_MAX_SUBBUF		RING_CLOSED

static_assert(BITS_PER_LONG == 64);
static_assert(RING_MAX_SUBBUF / (RING_EVENT_HDR + 4) * RING_DELTA_LIMIT +
	      RING_REL_LIMIT <= 1ULL << (64 - RING_REL_SHIFT));

/*
 * A slot: the lower 39 bits of seq, a flag, the number of the page. All slots of a ring
 * represent one of the last n sequence numbers, so the upper bits of seq can be taken from a
 * nearby sequence number. The value of a slot could only recur after 2^39 pages, 26 days at 1
 * GB/s: no writer gets that far between two reads of a slot by another CPU.
 */
#define RING_SLOT_TAKEN		BIT_ULL(24)
#define RING_SLOT_ID_MASK	(RING_SLOT_TAKEN - 1)
#define RING_SLOT_SEQ_SHIFT	25
#define RING_MAX_PAGES		(BIT(24) - 1)

/* First sequence number, so that no earlier one used in calculations is negative. */
#define RING_FIRST_SEQ		BIT_ULL(24)

static inline u64 ring_slot(u64 seq, u64 flags, u32 id)
{
	return seq << RING_SLOT_SEQ_SHIFT | flags | id;
}

/**
 * struct ring_page - a page of the ring
 * @write: offset and time of the last event; changed by writers with cmpxchg
 * @base: time base of @write; set by the writer that moves to this page
 * @entries: number of events ever reserved in it, minus discarded ones; changed by writers
 * @data: the sub-buffer
 * @saved: location of its seq for the next boot, or NULL
 * @seq: the last sequence number assigned to the page
 * @entries_before: @entries when writers last moved to the page
 * @total_before: number of events of this ring before the page, minus @entries_before. Added to
 *	@entries it gives the current number of events while the page is written; set when it
 *	becomes the commit page
 * @bytes_before: size of these events in bytes
 * @lost: number of events of this ring that were not written for lack of space before writers
 *	moved to this page
 * @first: number of events of this ring before its first one, including those not written for
 *	lack of space
 * @count: number of events in it
 * @bytes: their size in bytes. @first is set when the page becomes the commit page, @count and
 *	@bytes when it ceases to be the commit page; only the outermost writer sets them
 */
struct ring_page {
	local_t			write;
	local_t			base;
	local_t			entries;
	struct buffer_data_page	*data;
	u64			*saved;
	u64			seq;
	unsigned long		entries_before;
	unsigned long		total_before;
	unsigned long		bytes_before;
	unsigned long		lost;
	unsigned long		first;
	u32			count;
	u32			bytes;
};

/*
 * A writer whose context is above the interrupted one enters unchecked: at most 32 of these can
 * nest, one task, one softirq, and 15 each of the nested hardirqs and NMIs that preempt_count()
 * can distinguish. Other writers need a frame below RING_EXTRA_DEPTH: an interrupt that traces
 * before preempt_count() accounts for it, and ring_buffer_nest_start(), which in turn admits
 * one more event. So no more frames than RING_MAX_DEPTH are ever used.
 */
#define RING_EXTRA_DEPTH	16
#define RING_MAX_DEPTH		(32 + 2 * RING_EXTRA_DEPTH)

/*
 * Bits of ring_cpu::wake: tasks wait for an event, of this ring or of any ring;
 * ring_run_exclusive() waits for the writers to leave.
 */
#define RING_WAKE_CPU		1
#define RING_WAKE_ALL		2
#define RING_WAKE_CALL		4

struct ring_wait;
struct ring_call;
struct ring_range;

/**
 * struct ring_cpu - the ring of one CPU
 * @off: if not zero, nothing is written
 * @size: space for events in a page, in bytes
 * @delta_limit: smallest delta of an event that takes the slow path
 * @depth: number of writers inside
 * @wake: RING_WAKE_*; set by waiters, cleared by the writer that wakes them
 * @tail: the page that is written; changed by writers
 * @commit: the last page visible to readers; changed by the outermost writer
 * @frame: ring_context() of the writers inside, [1] of the outermost, [@depth] of the
 *	innermost. [0] is below all of them
 * @undo: value of ring_page::write before the event of that writer; valid with RING_EXTENDED
 * @buffer: the buffer that it belongs to
 * @id: unique id, never reused, unlike the address of a ring
 * @slots: @nr_slots words, which both the writers and the reader change
 * @pages: the pages by number
 * @nr_slots: number of slots; there is one more page
 * @requested: requested size in bytes, which determines the number of slots; trace_buffer::mutex
 * @cpu: the CPU that writes to it
 * @order: order of the page size
 * @origin: a seq whose slot has index 0, at least @nr_slots - 1 before @commit_seq
 * @floor: pages with a lower seq are discarded
 * @commit_seq: seq of @commit, for readers
 * @overrun: number of events overwritten before they were read
 * @overrun_bytes: their size in bytes
 * @dropped: number of events not written for lack of space
 * @commit_overrun: number of events not written because the whole ring was full of events that
 *	interrupted writers had not committed
 * @lost_seen: number of the events not written that ring_page::first includes
 * @nests: number of calls of ring_buffer_nest_start() that got no frame
 * @busy: nonzero while the whole ring is being changed: ring_context() of the code that changes
 *	it, ORed with 1
 * @call: call of ring_run_exclusive() that is pending until the writer inside has left
 * @call_work: executes @call
 * @twin: the ring that it was last exchanged with
 * @swaps: number of requests counted in trace_buffer::swaps that were completed here
 * @mixed: events were written here since the first pending request
 * @swapping: a writer is trying to complete pending requests
 * @saved: data kept for the next boot, or NULL
 * @saved_end: pages with lower sequence numbers are from an earlier boot
 * @reader_lock: guards all following fields. Taken with interrupts off; inside it, only the
 *	lock of the ring that it is exchanged with may be taken
 * @reader: the reader page
 * @reader_id: its number
 * @reader_seq: its seq
 * @cursor: its unread part
 * @lost: number of events lost before @cursor that were not reported to a reader yet
 * @read: number of events consumed
 * @read_bytes: bytes in the pages before @reader that were passed to readers
 * @mapped: number of mappings in user space
 * @map_number: number of each page in the mappings
 * @meta: the meta page, which describes it to user space
 * @spare: spare sub-buffer for ring_buffer_alloc_read_page(), or NULL
 */
struct ring_cpu {
	atomic_t		off;
	unsigned long		size;
	u64			delta_limit;
	unsigned long		depth;
	struct ring_page	*tail;
	struct ring_page	*commit;
	atomic64_t		wake;

	struct trace_buffer	*buffer;
	int			frame[RING_MAX_DEPTH + 1];
	unsigned long		undo[RING_MAX_DEPTH + 1];

	u64			id;
	atomic64_t		*slots;
	struct ring_page	**pages;
	u32			nr_slots;
	unsigned long		requested;
	int			cpu;
	int			order;
	u64			origin;
	u64			floor;
	u64			commit_seq;

	local_t			overrun;
	local_t			overrun_bytes;
	local_t			dropped;
	local_t			commit_overrun;
	unsigned long		lost_seen;
	unsigned int		nests;
	int			busy;
	struct ring_call	*call;
	struct irq_work		call_work;
	struct ring_cpu		*twin;
	unsigned int		swaps;
	bool			mixed;
	bool			swapping;
	struct ring_persist_cpu	*saved;
	u64			saved_end;

	raw_spinlock_t		reader_lock ____cacheline_aligned;
	struct ring_page	*reader;
	u32			reader_id;
	u64			reader_seq;
	struct ring_cursor	cursor;
	unsigned long		lost;
	unsigned long		read;
	unsigned long		read_bytes;
	unsigned int		mapped;
	u32			*map_number;
	struct trace_buffer_meta *meta;
	struct buffer_data_page	*spare;
};

/*
 * trace_buffer::off: ring_buffer_record_off(), ring_buffer_disable_permanent(), and a count of
 * disables. If any of these is set, nothing is written. Also, a flag for pending exchanges of
 * rings, and a number that changes with each request of one.
 */
#define RING_OFF_SWITCH		BIT(20)
#define RING_OFF_FOR_GOOD	BIT(21)
#define RING_SWAP_PENDING	BIT(22)
#define RING_SWAP_REQUEST	BIT(23)
#define RING_SWAP_MASK		(~0U << 22)

/**
 * struct trace_buffer - the rings of all CPUs
 * @off: RING_OFF_*, RING_SWAP_*, and the count of disables
 * @overwrite: a full ring drops its oldest page
 * @stamp_abs: every event has an absolute time stamp
 * @clock: source of time stamps; NULL is trace_clock_local()
 * @mutex: held while rings are created, resized, reset or mapped. Taken inside
 *	cpus_read_lock(), and inside the mmap_lock of a task that maps a ring. Therefore code in
 *	its critical section must not wait for a task that may fault: the only lock taken inside
 *	it is ring_cpu::reader_lock
 * @cpumask: CPUs that have a ring
 * @order: order of the page size of new rings
 * @iters: number of iterators
 * @consumers: number of ring_buffer_consume_begin() without ring_buffer_consume_end()
 * @swap_with: buffer whose rings are exchanged with these rings on request, or NULL
 * @swap_keep: several pending requests count as one
 * @swaps: number of requests
 * @wait: tasks that wait for any ring
 * @waits: tasks that wait for the ring of a CPU, by CPU. They belong to the buffer, so that
 *	they are not affected by an exchange of rings. Set before the ring
 * @node: entry in the list of buffers of the CPU hotplug state
 * @key: lockdep class of the reader locks
 * @range: memory of its rings if it outlives the kernel, or NULL
 * @cpus: the rings; NULL if the CPU was never online. A running CPU always has a ring
 */
struct trace_buffer {
	atomic_t		off;
	bool			overwrite;
	bool			stamp_abs;
	u64			(*clock)(void);

	struct mutex		mutex;	/* see above */
	cpumask_var_t		cpumask;
	int			order;
	atomic_t		iters;
	atomic_t		consumers;
	struct trace_buffer	*swap_with;
	bool			swap_keep;
	atomic_t		swaps;
	struct ring_wait	*wait;
	struct ring_wait	**waits;
	struct hlist_node	node;
	struct lock_class_key	*key;
	struct ring_range	*range;
	struct ring_cpu		*cpus[];
};

static inline unsigned long ring_data_size(int order)
{
	return (PAGE_SIZE << order) - RING_PAGE_HDR;
}

/* Number of slots with space for @bytes bytes. */
static inline unsigned long ring_slots_for(unsigned long bytes, int order)
{
	return max(DIV_ROUND_UP(bytes, ring_data_size(order)), 2UL);
}

/* Get the ring of a CPU, or NULL. */
static inline struct ring_cpu *ring_of(struct trace_buffer *buffer, int cpu)
{
	if ((unsigned int)cpu >= nr_cpu_ids)
		return NULL;
	/* ring_of:A: address dependency; pairs with ring_cpu_add:B, ring_exchange:A */
	return READ_ONCE(buffer->cpus[cpu]);
}

/**
 * ring_get_stable - get the ring of a CPU, and prevent its exchange
 * @buffer: the buffer
 * @cpu: CPU of the ring
 *
 * The caller has made exchanges of rings fail: see ring_is_held(). An exchange that has not
 * seen this yet is finished when the ring's lock is free. Returns NULL if @cpu has no ring.
 */
static inline struct ring_cpu *ring_get_stable(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);
	unsigned long flags;

	if (!cb)
		return NULL;
	raw_spin_lock_irqsave(&cb->reader_lock, flags);
	raw_spin_unlock_irqrestore(&cb->reader_lock, flags);
	return ring_of(buffer, cpu);
}

/**
 * ring_of_locked - ring_get_stable() for callers that hold trace_buffer::mutex
 * @buffer: the buffer
 * @cpu: CPU of the ring
 */
static inline struct ring_cpu *ring_of_locked(struct trace_buffer *buffer, int cpu)
{
	lockdep_assert_held(&buffer->mutex);
	return ring_get_stable(buffer, cpu);
}

/*
 * A number that is larger in a context that interrupts another: the fields of preempt_count()
 * have that order. The lowest bits are left free.
 */
static __always_inline int ring_context(void)
{
	return preempt_count() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET);
}

/* Current time, for a caller that cannot be preempted. */
static __always_inline u64 ring_clock(struct trace_buffer *buffer)
{
	typeof(buffer->clock) clock = READ_ONCE(buffer->clock);

	return likely(!clock) ? trace_clock_this_cpu() : clock();
}

static inline u32 ring_index(struct ring_cpu *cb, u64 seq)
{
	return (seq - cb->origin) % cb->nr_slots;
}

static inline struct ring_page *ring_slot_page(struct ring_cpu *cb, u64 slot)
{
	return cb->pages[slot & RING_SLOT_ID_MASK];
}

/* Sequence number that a slot represents. */
static inline u64 ring_slot_seq(struct ring_cpu *cb, u64 slot)
{
	u64 near = READ_ONCE(cb->commit_seq);
	s64 ahead = slot - (near << RING_SLOT_SEQ_SHIFT);

	return near + (ahead >> RING_SLOT_SEQ_SHIFT);
}

/* Get the slot of page @seq. */
static inline atomic64_t *ring_slot_of(struct ring_cpu *cb, u64 seq)
{
	return &cb->slots[ring_index(cb, seq)];
}

/**
 * enum ring_slot_state - state of the slot where page seq belongs
 * @RING_SLOT_THERE: it has the page
 * @RING_SLOT_BLANK: its page has no events: the reader has exchanged it, or its events were
 *	discarded
 * @RING_SLOT_OLDER: it has events of n pages before; the writer claims it next
 * @RING_SLOT_NEWER: the writer has claimed it for a later page
 */
enum ring_slot_state {
	RING_SLOT_THERE,
	RING_SLOT_BLANK,
	RING_SLOT_OLDER,
	RING_SLOT_NEWER,
};

static inline enum ring_slot_state ring_slot_state(struct ring_cpu *cb, u64 slot, u64 seq)
{
	u64 has = ring_slot_seq(cb, slot);

	if (slot & RING_SLOT_TAKEN || has < cb->floor)
		return RING_SLOT_BLANK;
	if (has == seq)
		return RING_SLOT_THERE;
	return has < seq ? RING_SLOT_OLDER : RING_SLOT_NEWER;
}

/**
 * ring_oldest_seq - get the page where a reader that was overtaken continues
 * @cb: the ring, its reader_lock held
 * @slot: value that it found in the slot
 */
static inline u64 ring_oldest_seq(struct ring_cpu *cb, u64 slot)
{
	return max(ring_slot_seq(cb, slot) + 1 - cb->nr_slots, cb->floor);
}

/*
 * The last page that may be read. The pages before it are final; of the page itself,
 * ring_page_end() bytes are.
 */
static inline u64 ring_commit_seq(struct ring_cpu *cb)
{
	/* ring_commit_seq:A: commit_seq before pages and counts; pairs with ring_publish_page:B */
	return smp_load_acquire(&cb->commit_seq);
}

static inline unsigned int ring_page_end(struct buffer_data_page *data)
{
	/* ring_page_end:A: commit before the events; pairs with ring_leave_outermost:A */
	return smp_load_acquire(&data->commit) & RING_COMMIT_MASK;
}

/* Number of pages with unread events, including the page that is being written. */
static inline unsigned long ring_dirty(struct ring_cpu *cb)
{
	s64 pages = ring_commit_seq(cb) - READ_ONCE(cb->reader_seq);

	/* The reader may have moved beyond that commit page since. */
	return clamp_t(s64, pages, 0, READ_ONCE(cb->nr_slots));
}

/*
 * Record for the next boot that a page has the events of @seq, or no events if @seq is 0. All
 * earlier stores to the page are visible before a nonzero seq; a seq of 0 is visible before
 * later stores.
 */
static inline void ring_save_seq(struct ring_page *page, u64 seq)
{
	if (likely(!page->saved))
		return;
	/* ring_save_seq:A: content of the page before its seq, for the next boot */
	smp_store_release(page->saved, seq);
	if (seq)
		return;
	/* ring_save_seq:B: seq of 0 before the next content of the page, for the next boot */
	smp_mb();
}

/* Record the reader's position for the next boot, with reader_lock held. */
static inline void ring_save_read(struct ring_cpu *cb)
{
	if (likely(!cb->saved))
		return;
	WRITE_ONCE(cb->saved->read, 0);
	/* ring_save_read:A: read of 0 before read_seq, for the next boot */
	smp_store_release(&cb->saved->read_seq, cb->reader_seq);
	/* ring_save_read:B: read_seq before read, for the next boot */
	smp_store_release(&cb->saved->read, cb->cursor.at);
}

/* page.c */
struct buffer_data_page *ring_data_alloc(int cpu, int order, gfp_t gfp);
void ring_data_free(struct buffer_data_page *data, int order);
struct ring_page *ring_page_alloc(int cpu, int order);
struct ring_page *ring_page_alloc_at(int cpu, struct buffer_data_page *data);
void ring_page_free(struct ring_page *page, int order);

/**
 * struct ring_change - new state of a ring, and after the change, the leftovers
 * @nr: number of slots; 0: no change
 * @order: order of the page size
 * @pages: all pages; the page in a slot has the number of the slot
 * @slots: @nr words, to become ring_cpu::slots
 * @origin: new ring_cpu::origin
 * @spare: NULL, to become ring_cpu::spare; afterwards the old spare sub-buffer
 * @fresh: number of pages, from the first of @pages on, that no ring uses
 * @all: all pages are replaced: @pages has no page of the ring
 * @last: seq of the ring's last page when @pages and @slots were last synchronized with it
 * @reader: seq of the last page that the reader had taken at that time
 * @gone: seq of the oldest page that a shrinking ring drops
 * @nr_gone: number of pages that it drops
 */
struct ring_change {
	u32			nr;
	int			order;
	struct ring_page	**pages;
	atomic64_t		*slots;
	u64			origin;
	struct buffer_data_page	*spare;
	u32			fresh;
	bool			all;
	u64			last;
	u64			reader;
	u64			gone;
	u32			nr_gone;
};

void ring_slots_blank(atomic64_t *slots, u32 nr, u32 id);
void ring_change_pages(struct ring_cpu *cb, struct ring_change *change);
void ring_clear(struct ring_cpu *cb);
void ring_start(struct ring_cpu *cb, u64 seq);
struct ring_cpu *ring_cpu_new(struct trace_buffer *buffer, int cpu, u32 nr);
void ring_cpu_free(struct ring_cpu *cb);
int ring_cpu_add(struct trace_buffer *buffer, struct ring_cpu *cb);
struct trace_buffer *ring_buffer_new(unsigned int flags, struct lock_class_key *key);
void ring_buffer_release(struct trace_buffer *buffer);
void ring_block_writers(struct ring_cpu *cb);
void ring_unblock_writers(struct ring_cpu *cb);
int ring_cpu_pages(struct ring_cpu *cb, struct ring_page **pages, u32 nr, int order);
int ring_run_exclusive(struct trace_buffer *buffer, int cpu,
		       int (*fn)(struct ring_cpu *cb, void *arg), void *arg);

/* Set by ring_buffer_set_trylock(). */
extern bool ring_read_is_hasty;

bool ring_read_trylock(struct ring_cpu *cb, unsigned long *flags);

static inline bool __ring_read_lock(struct ring_cpu *cb, unsigned long *flags)
{
	if (unlikely(in_nmi() || oops_in_progress || READ_ONCE(ring_read_is_hasty)))
		return ring_read_trylock(cb, flags);

	raw_spin_lock_irqsave(&cb->reader_lock, *flags);
	/* For sparse: the macro annotates that the lock is held. */
	__release(&cb->reader_lock);
	return true;
}

/**
 * ring_read_lock - become the reader of a ring
 * @cb: the ring
 * @flags: saved flags for raw_spin_unlock_irqrestore() of ring_cpu::reader_lock
 *
 * Returns false if the lock does not become free soon in a context that must not wait for it:
 * in an NMI, in an oops that may have stopped the holder, or while ring_buffer_set_trylock() is
 * in effect.
 */
#define ring_read_lock(cb, flags) \
	__cond_lock(&(cb)->reader_lock, __ring_read_lock(cb, &(flags)))

/* write.c */
void ring_publish(struct ring_cpu *cb);

/* swap.c */
#ifdef CONFIG_RING_BUFFER_ALLOW_SWAP
void ring_swap_pending(struct trace_buffer *buffer, struct ring_cpu *cb);
#else
static inline void ring_swap_pending(struct trace_buffer *buffer, struct ring_cpu *cb) { }
#endif

/* read.c */
bool ring_take_slow(struct ring_cpu *cb);

/* stats.c */

/**
 * struct ring_stats - amount of data in a ring
 * @entries: number of events neither consumed nor overwritten
 * @bytes: size of the committed ones in bytes
 * @overrun: number of events overwritten
 */
struct ring_stats {
	unsigned long	entries;
	unsigned long	bytes;
	unsigned long	overrun;
};

struct ring_stats ring_stats(struct ring_cpu *cb);

/* map.c */
void ring_map_update(struct ring_cpu *cb);

/* wait.c */
struct ring_wait *ring_wait_alloc(struct trace_buffer *buffer, int cpu);
void ring_wait_free(struct ring_wait *wait);
void ring_wake(struct ring_cpu *cb);
void ring_wake_full(struct ring_cpu *cb);
void ring_wake_resized(struct ring_cpu *cb);

#endif /* _TRACE_RING_PAGE_H */
