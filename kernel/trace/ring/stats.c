// SPDX-License-Identifier: GPL-2.0
/*
 * Recording switches of a buffer, and its counters.
 */

#include "ring/page.h"
#include "ring/stats.h"

/**
 * ring_buffer_record_disable - stop recording temporarily
 * @buffer: the buffer; applies to all its rings, including rings added later
 *
 * Calls nest: each one needs its ring_buffer_record_enable(). Any context. Writers that are
 * inside finish their events; a caller that depends on their completion waits for an RCU grace
 * period.
 */
void ring_buffer_record_disable(struct trace_buffer *buffer)
{
	atomic_inc(&buffer->off);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_disable);

/**
 * ring_buffer_record_enable - undo one ring_buffer_record_disable()
 * @buffer: the buffer
 */
void ring_buffer_record_enable(struct trace_buffer *buffer)
{
	atomic_dec(&buffer->off);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_enable);

/**
 * ring_buffer_switch - ring_buffer_record_on() or ring_buffer_record_off()
 * @buffer: the buffer; applies to all its rings, including rings added later
 * @on: true to switch recording on, false to switch it off
 *
 * Any context. If the switch is already in this state, nothing is stored, as function commands
 * may call this often.
 *
 * Return: true if this call has changed ring_buffer_record_is_set_on()
 */
bool ring_buffer_switch(struct trace_buffer *buffer, bool on)
{
	int off = atomic_read(&buffer->off);

	if (on == !(off & RING_OFF_SWITCH))
		return false;
	/* Relaxed: no other data depends on the switch. */
	off = on ? atomic_fetch_andnot_relaxed(RING_OFF_SWITCH, &buffer->off) :
		   atomic_fetch_or_relaxed(RING_OFF_SWITCH, &buffer->off);

	return on == !!(off & RING_OFF_SWITCH) && !(off & RING_OFF_FOR_GOOD);
}

/**
 * ring_buffer_record_off - switch recording off
 * @buffer: the buffer; applies to all its rings, including rings added later
 *
 * Unlike ring_buffer_record_disable(), calls do not nest. Any context.
 */
void ring_buffer_record_off(struct trace_buffer *buffer)
{
	ring_buffer_switch(buffer, false);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_off);

/**
 * ring_buffer_record_on - undo ring_buffer_record_off()
 * @buffer: the buffer; may still be disabled otherwise
 */
void ring_buffer_record_on(struct trace_buffer *buffer)
{
	ring_buffer_switch(buffer, true);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_on);

/**
 * ring_buffer_record_is_on - check whether an event would be written now
 * @buffer: the buffer; does not consider rings that are disabled individually
 */
bool ring_buffer_record_is_on(struct trace_buffer *buffer)
{
	return !(atomic_read(&buffer->off) & ~RING_SWAP_MASK);
}

/**
 * ring_buffer_record_is_set_on - check whether the switch is on
 * @buffer: the buffer; a permanently disabled buffer counts as off
 *
 * Temporary disables are not considered.
 */
bool ring_buffer_record_is_set_on(struct trace_buffer *buffer)
{
	return !(atomic_read(&buffer->off) & (RING_OFF_SWITCH | RING_OFF_FOR_GOOD));
}

/**
 * ring_buffer_disable_permanent - stop recording permanently
 * @buffer: a buffer that was found to be corrupted
 *
 * Its events can still be read. Any context.
 */
void ring_buffer_disable_permanent(struct trace_buffer *buffer)
{
	atomic_or(RING_OFF_FOR_GOOD, &buffer->off);
}

/**
 * ring_buffer_is_disabled_permanent - check whether ring_buffer_disable_permanent() was called
 * @buffer: the buffer; the result never changes back to false
 */
bool ring_buffer_is_disabled_permanent(struct trace_buffer *buffer)
{
	return atomic_read(&buffer->off) & RING_OFF_FOR_GOOD;
}

/*
 * An exchange of rings also exchanges their disable counts. So the count of a ring that was
 * moved to another buffer must not be changed.
 */
static void ring_disable(struct trace_buffer *buffer, int cpu, int by)
{
	struct ring_cpu *cb;
	unsigned long flags;
	bool same;

	do {
		cb = ring_of(buffer, cpu);
		if (!cb)
			return;
		raw_spin_lock_irqsave(&cb->reader_lock, flags);
		same = cb == ring_of(buffer, cpu);
		if (same)
			atomic_add(by, &cb->off);
		raw_spin_unlock_irqrestore(&cb->reader_lock, flags);
	} while (!same);
}

/**
 * ring_buffer_record_disable_cpu - ring_buffer_record_disable() for one CPU
 * @buffer: the buffer; if @cpu has no ring in it yet, nothing happens, and this must not be
 *	undone
 * @cpu: the CPU
 *
 * Must not be called in an NMI.
 */
void ring_buffer_record_disable_cpu(struct trace_buffer *buffer, int cpu)
{
	ring_disable(buffer, cpu, 1);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_disable_cpu);

/**
 * ring_buffer_record_enable_cpu - undo one ring_buffer_record_disable_cpu()
 * @buffer: the same buffer, even if its ring was exchanged since
 * @cpu: the CPU
 */
void ring_buffer_record_enable_cpu(struct trace_buffer *buffer, int cpu)
{
	ring_disable(buffer, cpu, -1);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_enable_cpu);

/**
 * ring_buffer_change_overwrite - choose what a full ring drops
 * @buffer: the buffer; existing events are kept
 * @val: not 0: the oldest events are overwritten; 0: new events are dropped
 */
void ring_buffer_change_overwrite(struct trace_buffer *buffer, int val)
{
	WRITE_ONCE(buffer->overwrite, val);
}
EXPORT_SYMBOL_GPL(ring_buffer_change_overwrite);

/**
 * ring_buffer_set_clock - set the clock of a buffer
 * @buffer: the buffer; must be reset if the new clock counts from another time
 * @clock: the clock; called with preemption disabled, in any context
 */
void ring_buffer_set_clock(struct trace_buffer *buffer, u64 (*clock)(void))
{
	/* The default clock is called directly. */
	WRITE_ONCE(buffer->clock, clock == trace_clock_local ? NULL : clock);
}

/**
 * ring_buffer_time_stamp - get the current time
 * @buffer: buffer whose clock is used
 */
u64 ring_buffer_time_stamp(struct trace_buffer *buffer)
{
	u64 now;

	preempt_disable_notrace();
	now = ring_clock(buffer);
	preempt_enable_notrace();
	return now;
}
EXPORT_SYMBOL_GPL(ring_buffer_time_stamp);

/**
 * ring_buffer_normalize_time_stamp - convert a time stamp of the buffer to clock time
 * @buffer: not used
 * @cpu: CPU of the time stamp
 * @ts: the time stamp
 *
 * Both are the same in this implementation.
 */
void ring_buffer_normalize_time_stamp(struct trace_buffer *buffer, int cpu, u64 *ts)
{
}
EXPORT_SYMBOL_GPL(ring_buffer_normalize_time_stamp);

/**
 * ring_buffer_set_time_stamp_abs - choose whether each event has an absolute time stamp
 * @buffer: the buffer; applies to all its rings, including rings added later; its mutex is
 *	taken
 * @abs: true for absolute time stamps
 *
 * Takes eight more bytes per event. May sleep.
 */
void ring_buffer_set_time_stamp_abs(struct trace_buffer *buffer, bool abs)
{
	struct ring_cpu *cb;
	int cpu;

	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);

	WRITE_ONCE(buffer->stamp_abs, abs);
	/* With a limit of 0, all deltas take the slow path, which checks stamp_abs. */
	for_each_cpu(cpu, buffer->cpumask) {
		cb = ring_of_locked(buffer, cpu);
		WRITE_ONCE(cb->delta_limit, abs ? 0 : RING_DELTA_LIMIT);
	}
}

/**
 * ring_buffer_time_stamp_abs - check whether each event has an absolute time stamp
 * @buffer: the buffer; false if ring_buffer_set_time_stamp_abs() was never called
 */
bool ring_buffer_time_stamp_abs(struct trace_buffer *buffer)
{
	return READ_ONCE(buffer->stamp_abs);
}

/**
 * ring_buffer_size - get the space for events in a ring, in bytes
 * @buffer: the buffer; 0 if @cpu has no ring in it
 * @cpu: CPU of the ring
 */
unsigned long ring_buffer_size(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);

	return cb ? (unsigned long)READ_ONCE(cb->nr_slots) * READ_ONCE(cb->size) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_size);

/**
 * ring_buffer_max_event_size - get the maximum length of an event's data, in bytes
 * @buffer: the buffer; the length depends on the size of its pages
 *
 * An event must fit into a page, along with an absolute time stamp before it.
 */
unsigned long ring_buffer_max_event_size(struct trace_buffer *buffer)
{
	return ring_data_size(READ_ONCE(buffer->order)) - RING_EXTEND_SIZE -
	       RING_EVENT_HDR - sizeof(u32);
}
EXPORT_SYMBOL_GPL(ring_buffer_max_event_size);

/**
 * ring_stats - get the amount of unread data, concurrently with writers
 * @cb: the ring, its reader_lock held
 *
 * The counts are those of the commit page and of the pages before it. If writers leave that
 * page in the meantime, they are read again: so all events that were overwritten to make space
 * for the page are included, and no event that was written after it.
 */
struct ring_stats ring_stats(struct ring_cpu *cb)
{
	unsigned long bytes_gone;
	struct ring_stats fig;
	struct ring_page *page;
	u64 seq, slot;

	lockdep_assert_held(&cb->reader_lock);
	do {
		seq = ring_commit_seq(cb);
		fig.overrun = local_read(&cb->overrun);
		bytes_gone = local_read(&cb->overrun_bytes);
		slot = atomic64_read(ring_slot_of(cb, seq));
		page = cb->reader;
		if (ring_slot_state(cb, slot, seq) == RING_SLOT_THERE)
			page = ring_slot_page(cb, slot);
		fig.entries = READ_ONCE(page->total_before) + local_read(&page->entries);
		fig.bytes = READ_ONCE(page->bytes_before) + ring_page_end(page->data);
		/* ring_stats:A: figures before commit_seq again; pairs with ring_publish_page:B */
		smp_rmb();
	} while (READ_ONCE(cb->commit_seq) != seq);

	fig.entries -= fig.overrun + cb->read;
	fig.bytes -= bytes_gone + cb->read_bytes + cb->cursor.at;
	return fig;
}

/* Counts of a CPU; 0 if it has no ring, or ring_read_lock() fails. */
static struct ring_stats ring_stats_of(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);
	struct ring_stats fig = { };
	unsigned long flags;

	if (cb && ring_read_lock(cb, flags)) {
		fig = ring_stats(cb);
		raw_spin_unlock_irqrestore(&cb->reader_lock, flags);
	}
	return fig;
}

/**
 * ring_buffer_bytes_cpu - get the number of unread bytes
 * @buffer: the buffer; 0 if @cpu has no ring in it; the lock of the ring is taken
 * @cpu: CPU of the ring
 */
unsigned long ring_buffer_bytes_cpu(struct trace_buffer *buffer, int cpu)
{
	return ring_stats_of(buffer, cpu).bytes;
}
EXPORT_SYMBOL_GPL(ring_buffer_bytes_cpu);

/**
 * ring_buffer_entries_cpu - get the number of unread events
 * @buffer: the buffer; 0 if @cpu has no ring in it; the lock of the ring is taken
 * @cpu: CPU of the ring
 */
unsigned long ring_buffer_entries_cpu(struct trace_buffer *buffer, int cpu)
{
	return ring_stats_of(buffer, cpu).entries;
}
EXPORT_SYMBOL_GPL(ring_buffer_entries_cpu);

/**
 * ring_buffer_overrun_cpu - get the number of events overwritten before they were read
 * @buffer: the buffer; counts since its last reset, 0 if @cpu has no ring in it
 * @cpu: CPU of the ring
 */
unsigned long ring_buffer_overrun_cpu(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);

	return cb ? local_read(&cb->overrun) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_overrun_cpu);

/**
 * ring_buffer_commit_overrun_cpu - get the number of events dropped while the ring was full of
 * uncommitted events
 * @buffer: the buffer; counts since its last reset, 0 if @cpu has no ring in it
 * @cpu: CPU of the ring
 */
unsigned long ring_buffer_commit_overrun_cpu(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);

	return cb ? local_read(&cb->commit_overrun) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_commit_overrun_cpu);

/**
 * ring_buffer_dropped_events_cpu - get the number of events dropped because the ring was full
 * @buffer: the buffer; counts since its last reset, 0 if @cpu has no ring in it
 * @cpu: CPU of the ring
 */
unsigned long ring_buffer_dropped_events_cpu(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);

	return cb ? local_read(&cb->dropped) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_dropped_events_cpu);

/**
 * ring_buffer_read_events_cpu - get the number of events consumed
 * @buffer: the buffer; counts since its last reset, 0 if @cpu has no ring in it
 * @cpu: CPU of the ring
 */
unsigned long ring_buffer_read_events_cpu(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);

	return cb ? READ_ONCE(cb->read) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_events_cpu);

/**
 * ring_buffer_entries - get the number of unread events in all rings
 * @buffer: the buffer; includes rings of offline CPUs; the locks of the rings are taken one
 *	after another
 */
unsigned long ring_buffer_entries(struct trace_buffer *buffer)
{
	unsigned long sum = 0;
	int cpu;

	for_each_cpu(cpu, buffer->cpumask)
		sum += ring_buffer_entries_cpu(buffer, cpu);
	return sum;
}
EXPORT_SYMBOL_GPL(ring_buffer_entries);

/**
 * ring_buffer_overruns - get the number of events overwritten before they were read in all rings
 * @buffer: the buffer; includes rings of offline CPUs
 */
unsigned long ring_buffer_overruns(struct trace_buffer *buffer)
{
	unsigned long sum = 0;
	int cpu;

	for_each_cpu(cpu, buffer->cpumask)
		sum += ring_buffer_overrun_cpu(buffer, cpu);
	return sum;
}
EXPORT_SYMBOL_GPL(ring_buffer_overruns);

/**
 * ring_buffer_nr_dirty_pages - get the number of pages with unread events
 * @buffer: the buffer; 0 if @cpu has no ring in it
 * @cpu: CPU of the ring
 */
size_t ring_buffer_nr_dirty_pages(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);

	return cb ? ring_dirty(cb) : 0;
}
