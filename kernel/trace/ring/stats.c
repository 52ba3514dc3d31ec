// SPDX-License-Identifier: GPL-2.0
/*
 * The switches of a buffer, and its counters.
 */

#include "ring/page.h"
#include "ring/stats.h"

/**
 * ring_buffer_record_disable - stop recording for a while
 * @buffer: all its rings are meant, also those of CPUs that come later
 *
 * Calls nest: each one needs its ring_buffer_record_enable(). From any context.
 * Writers that are inside finish their events; callers to whom that matters wait
 * for an RCU grace period.
 */
void ring_buffer_record_disable(struct trace_buffer *buffer)
{
	atomic_inc(&buffer->off);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_disable);

/**
 * ring_buffer_record_enable - undo one ring_buffer_record_disable()
 * @buffer: of ring_buffer_record_disable(), which was called more often than this
 */
void ring_buffer_record_enable(struct trace_buffer *buffer)
{
	atomic_dec(&buffer->off);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_enable);

/**
 * ring_buffer_switch - ring_buffer_record_on() or ring_buffer_record_off()
 * @buffer: all its rings are meant, also those of CPUs that come later
 * @on: which of both
 *
 * From any context. Where the switch is set already nothing is written, as functions with a
 * command about it may be called often.
 *
 * Return: whether this call has changed what ring_buffer_record_is_set_on() says
 */
bool ring_buffer_switch(struct trace_buffer *buffer, bool on)
{
	int off = atomic_read(&buffer->off);

	if (on == !(off & RING_OFF_SWITCH))
		return false;
	/* Nothing follows from it but what the word itself says. */
	off = on ? atomic_fetch_andnot_relaxed(RING_OFF_SWITCH, &buffer->off) :
		   atomic_fetch_or_relaxed(RING_OFF_SWITCH, &buffer->off);

	return on == !!(off & RING_OFF_SWITCH) && !(off & RING_OFF_FOR_GOOD);
}

/**
 * ring_buffer_record_off - switch recording off
 * @buffer: all its rings are meant, also those of CPUs that come later
 *
 * Unlike those of ring_buffer_record_disable(), calls do not nest. From any context.
 */
void ring_buffer_record_off(struct trace_buffer *buffer)
{
	ring_buffer_switch(buffer, false);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_off);

/**
 * ring_buffer_record_on - undo ring_buffer_record_off()
 * @buffer: of ring_buffer_record_off(); may still be disabled otherwise
 */
void ring_buffer_record_on(struct trace_buffer *buffer)
{
	ring_buffer_switch(buffer, true);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_on);

/**
 * ring_buffer_record_is_on - would an event be written now?
 * @buffer: nothing is said of a ring that is disabled alone
 */
bool ring_buffer_record_is_on(struct trace_buffer *buffer)
{
	return !(atomic_read(&buffer->off) & ~RING_SWAP_MASK);
}

/**
 * ring_buffer_record_is_set_on - is the switch on?
 * @buffer: its switch is off, too, when it was disabled for good
 *
 * Whether recording is disabled for the moment does not matter.
 */
bool ring_buffer_record_is_set_on(struct trace_buffer *buffer)
{
	return !(atomic_read(&buffer->off) & (RING_OFF_SWITCH | RING_OFF_FOR_GOOD));
}

/**
 * ring_buffer_disable_permanent - stop recording for good
 * @buffer: a buffer that was found to be corrupted
 *
 * Its events can still be read. From any context.
 */
void ring_buffer_disable_permanent(struct trace_buffer *buffer)
{
	atomic_or(RING_OFF_FOR_GOOD, &buffer->off);
}

/**
 * ring_buffer_is_disabled_permanent - was ring_buffer_disable_permanent() called?
 * @buffer: once this is true of it, it stays so
 */
bool ring_buffer_is_disabled_permanent(struct trace_buffer *buffer)
{
	return atomic_read(&buffer->off) & RING_OFF_FOR_GOOD;
}

/*
 * An exchange of rings also exchanges how often they were disabled. So this must
 * not be counted in a ring that has gone to another buffer meanwhile.
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
 * @buffer: if @cpu has no ring in it yet, nothing happens, and nothing may be undone
 * @cpu: the CPU
 *
 * Not from an NMI.
 */
void ring_buffer_record_disable_cpu(struct trace_buffer *buffer, int cpu)
{
	ring_disable(buffer, cpu, 1);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_disable_cpu);

/**
 * ring_buffer_record_enable_cpu - undo one ring_buffer_record_disable_cpu()
 * @buffer: of ring_buffer_record_disable_cpu(), even if its ring was exchanged since
 * @cpu: the CPU
 */
void ring_buffer_record_enable_cpu(struct trace_buffer *buffer, int cpu)
{
	ring_disable(buffer, cpu, -1);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_enable_cpu);

/**
 * ring_buffer_change_overwrite - what a full ring does
 * @buffer: events that it has already stay
 * @val: not 0: its oldest events make room; 0: new events are dropped
 */
void ring_buffer_change_overwrite(struct trace_buffer *buffer, int val)
{
	WRITE_ONCE(buffer->overwrite, val);
}
EXPORT_SYMBOL_GPL(ring_buffer_change_overwrite);

/**
 * ring_buffer_set_clock - where the time comes from
 * @buffer: the buffer, to be reset if the new clock has another zero
 * @clock: called with preemption disabled, from any context
 */
void ring_buffer_set_clock(struct trace_buffer *buffer, u64 (*clock)(void))
{
	/* The usual one is called directly. */
	WRITE_ONCE(buffer->clock, clock == trace_clock_local ? NULL : clock);
}

/**
 * ring_buffer_time_stamp - the time now
 * @buffer: of whose clock
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
 * ring_buffer_normalize_time_stamp - turn a time of the buffer into clock time
 * @buffer: is not looked at
 * @cpu: where the time is from
 * @ts: the time
 *
 * They are the same here.
 */
void ring_buffer_normalize_time_stamp(struct trace_buffer *buffer, int cpu, u64 *ts)
{
}
EXPORT_SYMBOL_GPL(ring_buffer_normalize_time_stamp);

/**
 * ring_buffer_set_time_stamp_abs - write the time of each event in full
 * @buffer: all its rings are meant, also those of CPUs that come later; its mutex is
 *	taken
 * @abs: whether to
 *
 * Eight bytes more an event. May sleep.
 */
void ring_buffer_set_time_stamp_abs(struct trace_buffer *buffer, bool abs)
{
	struct ring_cpu *cb;
	int cpu;

	guard(cpus_read_lock)();
	guard(mutex)(&buffer->mutex);

	WRITE_ONCE(buffer->stamp_abs, abs);
	/* All that is not less than the limit goes the way that looks further. */
	for_each_cpu(cpu, buffer->cpumask) {
		cb = ring_of_locked(buffer, cpu);
		WRITE_ONCE(cb->delta_limit, abs ? 0 : RING_DELTA_LIMIT);
	}
}

/**
 * ring_buffer_time_stamp_abs - is the time of each event written in full?
 * @buffer: of ring_buffer_set_time_stamp_abs(); false if that was never called
 */
bool ring_buffer_time_stamp_abs(struct trace_buffer *buffer)
{
	return READ_ONCE(buffer->stamp_abs);
}

/**
 * ring_buffer_size - room for events in a ring, in bytes
 * @buffer: there is no room where @cpu has no ring in it
 * @cpu: whose ring
 */
unsigned long ring_buffer_size(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);

	return cb ? (unsigned long)READ_ONCE(cb->nr_slots) * READ_ONCE(cb->size) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_size);

/**
 * ring_buffer_max_event_size - the longest data of an event, in bytes
 * @buffer: the length follows from the size of its pages, and changes with that
 *
 * An event has to fit into a page, with the time in full before it.
 */
unsigned long ring_buffer_max_event_size(struct trace_buffer *buffer)
{
	return ring_data_size(READ_ONCE(buffer->order)) - RING_EXTEND_SIZE -
	       RING_EVENT_HDR - sizeof(u32);
}
EXPORT_SYMBOL_GPL(ring_buffer_max_event_size);

/**
 * ring_stats - how much there is to be read, while writers write
 * @cb: the ring, its reader_lock held
 *
 * They are those of the commit page and of what was before it. If the writers left
 * that page meanwhile, they are read again: so all that was overwritten to make room
 * for the page counts, and nothing that was written after it.
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
		/* ring_stats:A */
		smp_rmb();
	} while (READ_ONCE(cb->commit_seq) != seq);

	fig.entries -= fig.overrun + cb->read;
	fig.bytes -= bytes_gone + cb->read_bytes + cb->cursor.at;
	return fig;
}

/* Those of a CPU; 0 where it has no ring, or ring_read_lock() fails. */
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
 * ring_buffer_bytes_cpu - bytes to be read
 * @buffer: there are none where @cpu has no ring in it; the lock of the ring is taken
 * @cpu: whose ring
 */
unsigned long ring_buffer_bytes_cpu(struct trace_buffer *buffer, int cpu)
{
	return ring_stats_of(buffer, cpu).bytes;
}
EXPORT_SYMBOL_GPL(ring_buffer_bytes_cpu);

/**
 * ring_buffer_entries_cpu - events to be read
 * @buffer: there are none where @cpu has no ring in it; the lock of the ring is taken
 * @cpu: whose ring
 */
unsigned long ring_buffer_entries_cpu(struct trace_buffer *buffer, int cpu)
{
	return ring_stats_of(buffer, cpu).entries;
}
EXPORT_SYMBOL_GPL(ring_buffer_entries_cpu);

/**
 * ring_buffer_overrun_cpu - events overwritten before they were read
 * @buffer: since it was last reset; 0 where @cpu has no ring in it
 * @cpu: whose ring
 */
unsigned long ring_buffer_overrun_cpu(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);

	return cb ? local_read(&cb->overrun) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_overrun_cpu);

/**
 * ring_buffer_commit_overrun_cpu - events that found the ring full of events
 *	not yet committed
 * @buffer: since it was last reset; 0 where @cpu has no ring in it
 * @cpu: whose ring
 */
unsigned long ring_buffer_commit_overrun_cpu(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);

	return cb ? local_read(&cb->commit_overrun) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_commit_overrun_cpu);

/**
 * ring_buffer_dropped_events_cpu - events that found the ring full
 * @buffer: since it was last reset; 0 where @cpu has no ring in it
 * @cpu: whose ring
 */
unsigned long ring_buffer_dropped_events_cpu(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);

	return cb ? local_read(&cb->dropped) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_dropped_events_cpu);

/**
 * ring_buffer_read_events_cpu - events consumed
 * @buffer: since it was last reset; 0 where @cpu has no ring in it
 * @cpu: whose ring
 */
unsigned long ring_buffer_read_events_cpu(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);

	return cb ? READ_ONCE(cb->read) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_events_cpu);

/**
 * ring_buffer_entries - events to be read in all rings
 * @buffer: rings of CPUs that are down count, too; their locks are taken one after
 *	another
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
 * ring_buffer_overruns - events overwritten before they were read in all rings
 * @buffer: rings of CPUs that are down count, too
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
 * ring_buffer_nr_dirty_pages - pages with events to be read
 * @buffer: there are none where @cpu has no ring in it
 * @cpu: whose ring
 */
size_t ring_buffer_nr_dirty_pages(struct trace_buffer *buffer, int cpu)
{
	struct ring_cpu *cb = ring_of(buffer, cpu);

	return cb ? ring_dirty(cb) : 0;
}
