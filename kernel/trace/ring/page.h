/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_RING_PAGE_H
#define _TRACE_RING_PAGE_H
/*
 * The ring of one CPU: its pages, which of them belong to whom, and the rules for
 * changing that.
 *
 * Pages and slots
 *
 * A ring of n slots has n + 1 pages: one in each slot, and one that the reader
 * has. Pages that are written get consecutive sequence numbers; page seq belongs
 * in slot (seq - origin) % n. A slot is one 64-bit word. It holds the seq that the
 * slot stands for, the page in it, and a flag that says that the reader has taken
 * the page of that seq and left a blank one. The word is only changed by
 * compare-and-exchange, and no word ever comes back because seq does not:
 *
 *	{seq, page}		the page is being written or waits to be read
 *	{seq, TAKEN, blank}	the reader has it; the slot is free
 *	{seq + n, page}		the writer claimed the slot: either it was free,
 *				or its events are now overwritten
 *
 * A slot that stands for a seq before ring_cpu::floor counts as free, whatever is
 * in it. So a reset is one step to the next slot, however many slots there are.
 * enum ring_slot_state lists the states that a slot can have.
 *
 * The reader takes pages in order of seq. If it finds a slot that stands for a
 * later seq, it was overtaken, and goes on with the oldest page there is. It may
 * take the page that is being written: the writer goes on in that page and moves
 * to the next slot when the page is full.
 *
 * Writers
 *
 * Writers run on the ring's own CPU with preemption disabled. So they can only
 * interrupt each other, strictly nested: an interrupted writer sees all that the
 * others did between two of its instructions. An event is reserved by one cmpxchg
 * of ring_page::write, which holds both the offset and the time of the last event.
 * If it succeeds, no event was written since the word was read, hence the time
 * that was read meanwhile is not before that of any event in front. Going to the
 * next page takes several steps. Each of them takes effect only if no nested
 * writer has done it before (ring_next_page() in write.c).
 *
 * Only the outermost writer publishes, when it leaves: everything that was
 * reserved on this CPU is complete by then. It moves ring_cpu::commit up to the
 * tail, freezes the counts of the pages that it leaves behind, and makes their
 * write words ready for the next round. While a writer is inside, commit does not
 * move, so no writer sees a page used twice: slots from the commit page on cannot
 * be claimed, and an event that would need one is dropped and counted.
 *
 * Everything that changes more than a slot (reset, resize, exchange) runs on the
 * ring's own CPU, between writers, with the reader's lock held. A reset or a resize
 * turns NMIs away (their events are counted as dropped): see ring_run_exclusive(). An
 * exchange does not: see ring_exchange().
 *
 * Order of memory accesses between CPUs
 *
 * All accesses whose order other CPUs rely on, by function and letter. Each stands
 * beside what it pairs with, and with the litmus test of the pair, which is in
 * Documentation/litmus-tests/ring-buffer/. Local operations (local_t,
 * cmpxchg_local()) are taken to order nothing; an architecture that has them fully
 * ordered is only stronger.
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
 *	  one of the two gets the page (claim-or-take.litmus); a blank page
 *	  comes with all that the reader did to it, the writer's stores come
 *	  after it has the page (blank.litmus)
 *   ring_publish_page:B,		ring_commit_seq:A, ring_stats:A
 *   ring_start:A
 *	release commit_seq		acquire commit_seq, figures; rmb and
 *					commit_seq again
 *	  figures read while commit_seq stayed are of one page, and what was
 *	  overwritten up to then is all of what made room for it, and nothing
 *	  but what was written before (figures.litmus)
 *   ring_claim:A			ring_iter_find:A, ring_iter_copy:A,
 *					ring_look_ahead:A, ring_look_ahead:B
 *	cmpxchg of a slot, full		slot read, acquire; rmb and again after
 *	  a copy during which the slot stayed is a copy of that page
 *	  (copy.litmus)
 *   ring_publish_page:B, ring_claim:A	ring_swap_page:B, ring_iter_find:A,
 *					ring_look_ahead:A, ring_commit_seq:A
 *	release commit_seq, then	slot read, acquire, then acquire
 *	cmpxchg of a slot, full		commit_seq
 *	  a reader that finds a slot claimed for a later page finds the oldest
 *	  page behind it committed (overtaken.litmus)
 *   ring_publish:B			ring_arm:B (wait.c)
 *	full barrier, page crossed	full barrier after ring_wait::full is set
 *	  either the writer sees the waiter or the waiter the full pages
 *	  (wake-full.litmus)
 *   ring_leave_outermost:B,		ring_arm_cpu:A, ring_arm:A,
 *   ring_wake:A			ring_arm:C (wait.c)
 *	none: reads ring_cpu::wake,	wake is set, full, then a grace period
 *	and clears it, full
 *	  a writer that missed the bit has left when the period ends, and what
 *	  it wrote is looked for once more then (wake.litmus)
 *   ring_leave_outermost:A,		ring_map_lost:A (map.c)
 *   ring_publish:A
 *	release data->commit		cmpxchg of data->commit, relaxed
 *	  neither store undoes the other. User space that finds the flags finds
 *	  the events below commit: the flags are stored by an operation on the
 *	  very word that the writer released (no test: three CPUs)
 *
 *   a waiter				the end of a grace period (wait.c)
 *   ring_arm_cpu:A, then ring_arm:A	ring_check:A
 *   or ring_arm:C
 *	wake is set, full; a read of	dec_return of ring_wait::check, full,
 *	check, or cmpxchg of it, full	then the next grace period
 *	  a waiter that finds RING_CHECK_AGAIN has set the bit before that
 *	  period begins (no test: as wake.litmus)
 *
 *   ring_buffer_swap_request:A		ring_context_again:A,
 *					ring_buffer_swap_finish:A,
 *					ring_buffer_swap_drop:A
 *	release of buffer->off		acquire of buffer->off
 *	  whoever finds a request there finds it counted in buffer->swaps (no
 *	  test: as commit.litmus)
 *
 *   ring_swaps_end:A			ring_context_again:A
 *	full				acquire of buffer->off
 *	  whoever finds no request there finds the exchanges made that had been
 *	  requested (no test: as commit.litmus)
 *
 *   ring_buffer_swap_with:A		ring_try_pending:A
 *	release buffer->swap_with	READ_ONCE and what depends on it
 *	  a writer that finds the spare buffer finds all of it (no test: as
 *	  ring-comes.litmus)
 *
 *   a consumer				an exchange of rings
 *   ring_buffer_consume_end:A		ring_is_held:A
 *	release consumers		acquire consumers
 *	  events are read before writers get the page that they are in; an
 *	exchange that found no consumer is over when ring_get_stable() has
 *	  had the lock (no test: as commit.litmus)
 *
 *   a CPU that comes up		all
 *   ring_cpu_add:A		ring_wait_of:A
 *	release buffer->waits[]		READ_ONCE and what depends on it
 *   ring_cpu_add:B,			ring_of:A
 *   ring_exchange:A, ring_exchange:B
 *	release buffer->cpus[]		READ_ONCE and what depends on it
 *	  a CPU that finds the pointer finds all that was stored behind it
 *	  before (ring-comes.litmus)
 *
 *   ring_save_seq:A, ring_save_seq:B	none: the next boot
 *	release, then full barrier, of what says which page the memory holds
 *   ring_save_read:A, ring_save_read:B	none: the next boot
 *	release: read is 0 or belongs to the page that read_seq says
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
 * The time counts from ring_page::base. An event is not put into a page when
 * it would be RING_REL_LIMIT or more after base; short deltas are not checked
 * against that, and as a page has no room for more than 2^16 of them the field
 * does not overflow.
 */
#define RING_REL_SHIFT		20
#define RING_CLOSED		BIT(19)
#define RING_OFFSET_MASK	(RING_CLOSED - 1)
#define RING_ROOM_MASK		(RING_CLOSED | RING_OFFSET_MASK)
#define RING_REL_LIMIT		BIT_ULL(43)
#define RING_MAX_SUBBUF		RING_CLOSED

static_assert(BITS_PER_LONG == 64);
static_assert(RING_MAX_SUBBUF / (RING_EVENT_HDR + 4) * RING_DELTA_LIMIT +
	      RING_REL_LIMIT <= 1ULL << (64 - RING_REL_SHIFT));

/*
 * A slot: the lower 39 bits of seq, a flag, the number of the page. All slots of
 * a ring stand for one of the last n sequence numbers, so the other bits of seq
 * are those of a number nearby. A slot's word could come back only after 2^39
 * pages, 26 days of 1 GB/s: while somebody is between two looks at it, no writer
 * gets that far.
 */
#define RING_SLOT_TAKEN		BIT_ULL(24)
#define RING_SLOT_ID_MASK	(RING_SLOT_TAKEN - 1)
#define RING_SLOT_SEQ_SHIFT	25
#define RING_MAX_PAGES		(BIT(24) - 1)

/* Sequence numbers start here, so that none below it is negative. */
#define RING_FIRST_SEQ		BIT_ULL(24)

static inline u64 ring_slot(u64 seq, u64 flags, u32 id)
{
	return seq << RING_SLOT_SEQ_SHIFT | flags | id;
}

/**
 * struct ring_page - a page of the ring
 * @write: offset and time of the last event; writers, by cmpxchg
 * @base: the time @write counts from; the writer that goes to this page
 * @entries: events ever reserved in it, but for those given back; writers
 * @data: the sub-buffer
 * @saved: where its seq is kept for the next boot, or NULL
 * @seq: the last sequence number given to the page
 * @entries_before: @entries when the writers came to the page the last time
 * @total_before: events of this ring before the page, less @entries_before. With
 *	@entries it tells how many there are while the page is written; set when
 *	it becomes the commit page
 * @bytes_before: their bytes
 * @lost: events of this ring that found no room before the writers came to this
 *	page
 * @first: events of this ring before its first one, those that found no room
 *	included
 * @count: events in it
 * @bytes: of them. @first is set when the page becomes the commit page, these
 *	two when it ceases to be that; only the outermost writer sets them
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
 * A writer whose context is above the one it interrupts enters unchecked:
 * there are at most 32 such, task, softirq, and 15 each of the nested hardirqs
 * and NMIs that preempt_count() can tell apart. Others need a place below
 * RING_EXTRA_DEPTH: an interrupt that traces before preempt_count() says that
 * it is one, and ring_buffer_nest_start(), which in turn lets one event more
 * in. So no more frames than these are ever used.
 */
#define RING_EXTRA_DEPTH	16
#define RING_MAX_DEPTH		(32 + 2 * RING_EXTRA_DEPTH)

/*
 * Bits of ring_cpu::wake: tasks wait for an event, of this ring or of any;
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
 * @off: when not zero, nothing is written
 * @size: bytes for events in a page
 * @delta_limit: from this delta on an event takes the slow path
 * @depth: writers inside
 * @wake: RING_WAKE_*; set by waiters, cleared by the writer that wakes them
 * @tail: the page that is written; writers
 * @commit: the last page that readers know of; the outermost writer
 * @frame: ring_context() of the writers inside, [1] of the outermost, [@depth]
 *	of the innermost. [0] is below all of them
 * @undo: ring_page::write before the event of that writer, with RING_EXTENDED
 * @buffer: the buffer that it belongs to
 * @id: which no other ring has or had; the address of a ring may come again
 * @slots: @nr_slots words, which both the writers and the reader change
 * @pages: the pages by number
 * @nr_slots: how many slots; there is one page more
 * @room: bytes that were asked for, from which the number of slots follows; under
 *	trace_buffer::mutex
 * @cpu: the CPU that writes to it
 * @order: size of the pages
 * @origin: a seq of which the slot has index 0, at least @nr_slots - 1 before
 *	@commit_seq
 * @floor: pages with a seq below it are forgotten
 * @commit_seq: seq of @commit, for readers
 * @overrun: events overwritten before they were read
 * @overrun_bytes: their bytes
 * @dropped: events not written for want of room
 * @commit_overrun: events not written because the whole ring was full of events
 *	that interrupted writers had not committed
 * @lost_seen: how many of the events not written are in ring_page::first
 * @nests: calls of ring_buffer_nest_start() for which there was no frame
 * @busy: not 0 while the whole ring is being changed: ring_context() of the code
 *	that does so, and 1
 * @call: what ring_run_exclusive() has to do when the writer inside has left
 * @call_work: does it
 * @twin: the ring that it was last exchanged with
 * @swaps: as many of trace_buffer::swaps as were done here
 * @mixed: since the first of those that were not, events were written here
 * @swapping: a writer tries to do them
 * @saved: what is kept of it for the next boot, or NULL
 * @saved_end: pages with lower sequence numbers are of an earlier boot
 * @reader_lock: guards all that follows. Taken with interrupts off; inside it
 *	only that of the ring that it is exchanged with
 * @reader: the page that the reader has
 * @reader_id: its number
 * @reader_seq: its seq
 * @cursor: what is left to read of it
 * @lost: events lost before @cursor that no reader was told of
 * @read: events consumed
 * @read_bytes: bytes in the pages before @reader that went to readers
 * @mapped: how many mappings user space has of it
 * @map_number: the number that each page has for them
 * @meta: the page that describes it to them
 * @spare: a page for ring_buffer_alloc_read_page(), or NULL
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
	unsigned long		room;
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
 * trace_buffer::off: ring_buffer_record_off(), ring_buffer_disable_permanent(),
 * and a count of disables. With one of these nothing is written. Besides, whether
 * exchanges of rings are pending, and a number that each request of one changes.
 */
#define RING_OFF_SWITCH		BIT(20)
#define RING_OFF_FOR_GOOD	BIT(21)
#define RING_SWAP_PENDING	BIT(22)
#define RING_SWAP_REQUEST	BIT(23)
#define RING_SWAP_MASK		(~0U << 22)

/**
 * struct trace_buffer - the rings of all CPUs
 * @off: RING_OFF_*, RING_SWAP_*, and how often recording was disabled
 * @overwrite: a full ring gives up its oldest page
 * @stamp_abs: every event has its time in full
 * @clock: where the time comes from; NULL is trace_clock_local()
 * @mutex: held while rings are made, resized, reset or mapped. Inside cpus_read_lock(),
 *	and inside the mmap_lock of a task that maps a ring, which is why nothing that
 *	may wait for a task to fault belongs inside it: only ring_cpu::reader_lock does
 * @cpumask: CPUs that have a ring
 * @order: size of the pages of new rings
 * @iters: iterators there are
 * @consumers: calls of ring_buffer_consume_begin() that have not ended
 * @swap_with: the buffer whose rings these are exchanged for on request, or NULL
 * @swap_keep: several of these that are pending are as one
 * @swaps: how many such requests there were
 * @wait: the tasks that wait for any ring
 * @waits: the tasks that wait for the ring of a CPU, by CPU. They belong to the
 *	buffer, so that they stay when rings are exchanged. Set before the ring
 * @node: in the list of buffers of the CPU hotplug state
 * @key: class of the reader locks
 * @range: memory that outlives the kernel, which its rings are in, or NULL
 * @cpus: the rings; NULL where the CPU was never online. A CPU that runs has one
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

/* The number of slots that have room for @room bytes. */
static inline unsigned long ring_slots_for(unsigned long room, int order)
{
	return max(DIV_ROUND_UP(room, ring_data_size(order)), 2UL);
}

/* The ring of a CPU, or NULL. */
static inline struct ring_cpu *ring_of(struct trace_buffer *buffer, int cpu)
{
	if ((unsigned int)cpu >= nr_cpu_ids)
		return NULL;
	/* ring_of:A */
	return READ_ONCE(buffer->cpus[cpu]);
}

/**
 * ring_get_stable - the ring of a CPU, which stays that
 * @buffer: whose ring
 * @cpu: of which CPU
 *
 * The caller has done what makes an exchange of rings fail: see ring_is_held(). An
 * exchange that did not see that yet has finished when the ring's lock is free. Returns
 * NULL where @cpu has no ring.
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
 * ring_of_locked - ring_get_stable() for those who hold trace_buffer::mutex
 * @buffer: whose ring
 * @cpu: of which CPU
 */
static inline struct ring_cpu *ring_of_locked(struct trace_buffer *buffer, int cpu)
{
	lockdep_assert_held(&buffer->mutex);
	return ring_get_stable(buffer, cpu);
}

/*
 * A number that is larger in a context that interrupts another: the fields of
 * preempt_count() lie in that order. The lowest bits are left free.
 */
static __always_inline int ring_context(void)
{
	return preempt_count() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET);
}

/* The time, for a caller that cannot be preempted. */
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

/* The sequence number that a slot stands for. */
static inline u64 ring_slot_seq(struct ring_cpu *cb, u64 slot)
{
	u64 near = READ_ONCE(cb->commit_seq);
	s64 ahead = slot - (near << RING_SLOT_SEQ_SHIFT);

	return near + (ahead >> RING_SLOT_SEQ_SHIFT);
}

/* The slot where page @seq belongs. */
static inline atomic64_t *ring_slot_of(struct ring_cpu *cb, u64 seq)
{
	return &cb->slots[ring_index(cb, seq)];
}

/**
 * enum ring_slot_state - what is in the slot where page seq belongs
 * @RING_SLOT_THERE: it has the page
 * @RING_SLOT_BLANK: its page has no events: the reader has left it, or what was
 *	in it is forgotten
 * @RING_SLOT_OLDER: it has events of n pages before; the writer comes there next
 * @RING_SLOT_NEWER: the writer has been there for a later page
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
 * ring_oldest_seq - where a reader that was overtaken goes on
 * @cb: the ring, its reader_lock held
 * @slot: the word that it found in the slot
 */
static inline u64 ring_oldest_seq(struct ring_cpu *cb, u64 slot)
{
	return max(ring_slot_seq(cb, slot) + 1 - cb->nr_slots, cb->floor);
}

/*
 * The last page that may be read. Everything about the pages before it is
 * final; of the page itself, ring_page_end() bytes are.
 */
static inline u64 ring_commit_seq(struct ring_cpu *cb)
{
	/* ring_commit_seq:A */
	return smp_load_acquire(&cb->commit_seq);
}

static inline unsigned int ring_page_end(struct buffer_data_page *data)
{
	/* ring_page_end:A */
	return smp_load_acquire(&data->commit) & RING_COMMIT_MASK;
}

/* The number of pages with events to be read, the one being written included. */
static inline unsigned long ring_dirty(struct ring_cpu *cb)
{
	s64 pages = ring_commit_seq(cb) - READ_ONCE(cb->reader_seq);

	/* The reader may have gone past that commit page since. */
	return clamp_t(s64, pages, 0, READ_ONCE(cb->nr_slots));
}

/*
 * Keep for the next boot that a page has the events of @seq, or 0 for none. All that
 * was stored into the page before is there by then; a page is said to have none before
 * something else is stored into it.
 */
static inline void ring_save_seq(struct ring_page *page, u64 seq)
{
	if (likely(!page->saved))
		return;
	/* ring_save_seq:A */
	smp_store_release(page->saved, seq);
	if (seq)
		return;
	/* ring_save_seq:B */
	smp_mb();
}

/* Keep for the next boot what was read, with reader_lock held. */
static inline void ring_save_read(struct ring_cpu *cb)
{
	if (likely(!cb->saved))
		return;
	WRITE_ONCE(cb->saved->read, 0);
	/* ring_save_read:A */
	smp_store_release(&cb->saved->read_seq, cb->reader_seq);
	/* ring_save_read:B */
	smp_store_release(&cb->saved->read, cb->cursor.at);
}

/* page.c */
struct buffer_data_page *ring_data_alloc(int cpu, int order, gfp_t gfp);
void ring_data_free(struct buffer_data_page *data, int order);
struct ring_page *ring_page_alloc(int cpu, int order);
struct ring_page *ring_page_alloc_at(int cpu, struct buffer_data_page *data);
void ring_page_free(struct ring_page *page, int order);

/**
 * struct ring_change - what a ring is changed to, and afterwards what is left over
 * @nr: slots; 0: no change
 * @order: size of the pages
 * @pages: all of them; the page in a slot has the number of the slot
 * @slots: @nr words, to become ring_cpu::slots
 * @origin: to become ring_cpu::origin
 * @spare: a sub-buffer for nobody
 * @fresh: how many pages, from the first of @pages on, are nobody's
 * @all: @pages has no page of the ring
 * @last: the last page of the ring, when @pages and @slots were last made to agree with it
 * @reader: and the last one that the reader had taken by then
 * @gone: the oldest page of those that a ring that shrinks gives up
 * @nr_gone: their number
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
	/* Sparse: the macro says that it is held. */
	__release(&cb->reader_lock);
	return true;
}

/**
 * ring_read_lock - become the reader of a ring
 * @cb: the ring
 * @flags: for raw_spin_unlock_irqrestore() of ring_cpu::reader_lock
 *
 * Returns false if the lock is not free soon in a context that must not wait for
 * it: in an NMI, in an oops that may have stopped the holder, or while
 * ring_buffer_set_trylock() is in force.
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
 * struct ring_stats - how much is in a ring
 * @entries: events that no reader has consumed and no writer overwritten
 * @bytes: bytes of the committed ones
 * @overrun: events overwritten
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
