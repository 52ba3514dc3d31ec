// SPDX-License-Identifier: GPL-2.0
/*
 * Reader of a trace: merges the entries of all CPUs in time order.
 *
 * A reader keeps the next entry of each CPU. The oldest of these is the next entry of all.
 * While the entries of its CPU are older than the oldest entry of the other CPUs, the other
 * CPUs need not be looked at. A reader either consumes entries, under trace_consume_begin(), or
 * walks the buffer with iterators that do not change it. The caller ensures that a reader is
 * used by one task at a time.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "event/core/type.h"
#include "instance/core/clocks.h"
#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/snapshot/max_latency.h"
#include "instance/tracer/tracer.h"
#include "output/reader.h"
#include "ring/persist.h"

/*
 * Use the output functions of the instance's tracer.
 *
 * Return: 0, or the error of the tracer; the reader then prints like the tracer nop
 */
static int reader_open_tracer(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;
	struct tracer *tracer = iter->tr->tracer;
	int ret;

	lockdep_assert_held(&trace_lock);

	ret = tracer->open ? tracer->open(iter) : 0;
	iter->trace = ret ? &trace_nop : tracer;

	return ret;
}

static void reader_close_tracer(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;

	lockdep_assert_held(&trace_lock);

	if (iter->trace->close)
		iter->trace->close(iter);
	iter->private = NULL;
}

/**
 * trace_reader_alloc - make a reader
 * @ab: buffer to read
 * @cpu: CPU to read, or RING_BUFFER_ALL_CPUS
 * @consuming: consume the entries
 *
 * trace_lock held.
 *
 * Return: the reader, or NULL without memory.
 */
struct trace_reader *trace_reader_alloc(struct array_buffer *ab, int cpu,
					bool consuming)
{
	struct trace_reader *reader;

	reader = kvzalloc(struct_size(reader, heads, nr_cpu_ids), GFP_KERNEL);
	if (!reader)
		return NULL;

	if (!zalloc_cpumask_var(&reader->iter.started, GFP_KERNEL))
		goto free_reader;

	reader->consuming = consuming;
	reader->name_pid = -1;
	reader->iter.tr = ab->tr;
	reader->iter.array_buffer = ab;
	reader->iter.cpu_file = cpu;
	args_cache_init(&reader->args);
	if (reader_open_tracer(reader))
		goto free_started;
	mutex_init(&reader->iter.mutex);
	trace_seq_init(&reader->iter.seq);
	trace_seq_init(&reader->iter.tmp_seq);

	return reader;

free_started:
	free_cpumask_var(reader->iter.started);
free_reader:
	kvfree(reader);
	return NULL;
}

/**
 * trace_reader_alloc_temp - allocate space for the copy of an entry
 * @reader: a reader without this space; trace_reader_free() frees it
 *
 * A reader allocates it on first use, unless it must not allocate memory then.
 *
 * Return: false without memory.
 */
bool trace_reader_alloc_temp(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;

	if (reader->symbols.no_alloc)
		return false;

	iter->temp_size = ring_buffer_max_event_size(iter->array_buffer->buffer);
	iter->temp = kvmalloc(iter->temp_size, GFP_KERNEL);

	return iter->temp;
}

/**
 * trace_reader_free - free a reader
 * @reader: the reader, may be NULL
 *
 * Takes trace_lock.
 */
void trace_reader_free(struct trace_reader *reader)
{
	struct trace_iterator *iter;
	unsigned int cpu;

	if (!reader)
		return;

	iter = &reader->iter;
	scoped_guard(mutex, &trace_lock)
		reader_close_tracer(reader);

	for_each_possible_cpu(cpu) {
		if (iter->buffer_iter && iter->buffer_iter[cpu])
			ring_buffer_read_finish(iter->buffer_iter[cpu]);
	}
	kfree(iter->buffer_iter);
	kvfree(iter->temp);
	symbol_cache_drop(&reader->symbols);
	args_cache_drop(&reader->args);
	mutex_destroy(&iter->mutex);
	free_cpumask_var(iter->started);
	kvfree(reader);
}

static bool reader_reads_cpu(struct trace_reader *reader, int cpu)
{
	int only = reader->iter.cpu_file;

	return only == RING_BUFFER_ALL_CPUS || only == cpu;
}

/* The options are read only here, so that all lines of one pass have the same format. */
static void reader_refresh(struct trace_reader *reader)
{
	struct trace_array *tr = reader->iter.tr;

	reader->options = READ_ONCE(tr->options);
	reader->in_ns = trace_array_clock_in_ns(tr);
	reader->name_pid = -1;
	reader->task_pid = -1;
	reader->comms_saved = false;
	reader->event = NULL;
}

/*
 * Limit the reader to the entries that exist now. If all functions are traced, each read() of
 * the reader makes new entries, and the end would never be reached.
 */
static void reader_bound(struct trace_reader *reader)
{
	struct trace_buffer *buffer = reader->iter.array_buffer->buffer;
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		reader->heads[cpu].left = ring_buffer_entries_cpu(buffer, cpu);
}

static void reader_head_look(struct trace_reader *reader, int cpu)
{
	struct trace_iterator *iter = &reader->iter;
	struct trace_head *head = &reader->heads[cpu];
	struct ring_buffer_iter *walk;

	head->lost = 0;

	if (reader->consuming) {
		head->event = ring_buffer_peek(iter->array_buffer->buffer, cpu,
					       &head->ts, &head->lost);
		if (unlikely(iter->tr->memory) && head->event)
			head->saved = ring_buffer_peek_saved(iter->array_buffer->buffer, cpu);
		return;
	}

	walk = head->left ? iter->buffer_iter[cpu] : NULL;
	head->event = walk ? ring_buffer_iter_peek(walk, &head->ts) : NULL;
	if (head->event && ring_buffer_iter_dropped(walk))
		head->lost = TRACE_LOST_SOME;
	if (unlikely(iter->tr->memory) && head->event)
		head->saved = ring_buffer_iter_saved(walk);
}

/* Only for a reader that does not consume. */
static void reader_head_step(struct trace_reader *reader, int cpu)
{
	ring_buffer_iter_advance(reader->iter.buffer_iter[cpu]);
	reader->heads[cpu].left--;
}

/* Advance to the first entry of the latency that is shown. */
static void reader_skip(struct trace_reader *reader)
{
	struct trace_head *head;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		head = &reader->heads[cpu];
		head->skipped = 0;
		while (head->event && head->ts < reader->max.since) {
			reader_head_step(reader, cpu);
			reader_head_look(reader, cpu);
			head->skipped++;
		}
	}
}

/* Begin with the oldest entry that is to be shown. */
static void reader_begin(struct trace_reader *reader)
{
	reader->max = trace_latency_max(reader->iter.array_buffer);
	reader_bound(reader);
	trace_reader_look(reader);
	if (reader->max.since)
		reader_skip(reader);
}

/**
 * trace_reader_start - start a reader that does not consume
 * @reader: the reader, to be freed by trace_reader_free(), also after an error
 *
 * Return: 0 or -ENOMEM.
 */
int trace_reader_start(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;
	struct trace_buffer *buffer = iter->array_buffer->buffer;
	unsigned int cpu;

	iter->buffer_iter = kcalloc(nr_cpu_ids, sizeof(*iter->buffer_iter),
				    GFP_KERNEL);
	if (!iter->buffer_iter)
		return -ENOMEM;

	for_each_possible_cpu(cpu) {
		/* A CPU that was never online has no ring, and so no iterator. */
		if (!reader_reads_cpu(reader, cpu) || !ring_buffer_size(buffer, cpu))
			continue;

		iter->buffer_iter[cpu] = ring_buffer_read_start(buffer, cpu,
								GFP_KERNEL);
		if (!iter->buffer_iter[cpu])
			return -ENOMEM;
	}

	reader_begin(reader);

	return 0;
}

/**
 * trace_reader_lock - begin to print entries
 * @reader: the reader, which drops names that may no longer be right
 *
 * No module can unregister a type of entries until trace_reader_unlock(). May sleep.
 */
void trace_reader_lock(struct trace_reader *reader)
{
	trace_event_read_lock();
	reader->event = NULL;
	if (symbol_cache_refresh(&reader->symbols))
		args_cache_drop(&reader->args);
}

/**
 * trace_reader_unlock - undo trace_reader_lock()
 * @reader: the reader passed to trace_reader_lock()
 */
void trace_reader_unlock(struct trace_reader *reader)
{
	trace_event_read_unlock();
}

/**
 * trace_reader_follow - switch to the current tracer of the instance
 * @reader: a reader that does not consume: the tracer cannot change while a consuming reader
 *	exists
 *
 * The file trace can be open while the tracer changes. Takes trace_lock, so it is called before
 * trace_reader_lock(), and before the reader is rewound.
 *
 * Return: 0 or -ENOMEM
 */
int trace_reader_follow(struct trace_reader *reader)
{
	guard(mutex)(&trace_lock);

	if (reader->iter.trace == reader->iter.tr->tracer)
		return 0;

	reader_close_tracer(reader);

	return reader_open_tracer(reader);
}

/**
 * trace_reader_rewind - return to the oldest entry
 * @reader: a reader that does not consume
 */
void trace_reader_rewind(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		if (iter->buffer_iter[cpu])
			ring_buffer_iter_reset(iter->buffer_iter[cpu]);
	}

	iter->idx = 0;
	reader->copied = false;
	reader->joined = false;
	cpumask_clear(iter->started);
	reader_begin(reader);
}

/**
 * trace_reader_look - find the next entry of each CPU
 * @reader: the reader, which also applies the current options of the instance from now on
 *
 * To be called if entries may have been written or consumed since the last
 * trace_reader_next().
 */
void trace_reader_look(struct trace_reader *reader)
{
	unsigned int cpu;

	reader_refresh(reader);
	for_each_possible_cpu(cpu) {
		if (reader_reads_cpu(reader, cpu))
			reader_head_look(reader, cpu);

		/* The header shows the number of entries overwritten before. */
		if (!reader->consuming)
			reader->heads[cpu].lost = 0;
	}

	/* No CPU is preselected: the next search looks at all CPUs. */
	reader->iter.cpu = -1;
	reader->next_other_ts = 0;
}

/* Return: the CPU with the oldest entry, -1 if there are no entries. */
static int reader_oldest_head(struct trace_reader *reader)
{
	u64 best = U64_MAX, rival = U64_MAX;
	unsigned int cpu;
	int oldest = -1;

	for_each_possible_cpu(cpu) {
		struct trace_head *head = &reader->heads[cpu];

		if (!head->event)
			continue;

		if (oldest < 0 || head->ts < best) {
			rival = best;
			best = head->ts;
			oldest = cpu;
		} else if (head->ts < rival) {
			rival = head->ts;
		}
	}

	reader->next_other_ts = rival;

	return oldest;
}

/* Advance to the next entry of a CPU. */
static void reader_head_advance(struct trace_reader *reader, int cpu)
{
	struct trace_iterator *iter = &reader->iter;
	unsigned long lost;
	u64 ts;

	if (reader->consuming)
		ring_buffer_consume(iter->array_buffer->buffer, cpu, &ts, &lost);
	else
		reader_head_step(reader, cpu);

	reader_head_look(reader, cpu);
}

/*
 * Copy the current entry, so that the entry after it on its CPU can be looked at. The copy
 * remains valid until it is consumed, even across read() calls.
 */
static bool reader_hold(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;

	if (reader->copied)
		return true;

	if (!iter->temp && !trace_reader_alloc_temp(reader))
		return false;

	if (iter->ent_size > iter->temp_size)
		return false;

	iter->ent = memcpy(iter->temp, iter->ent, iter->ent_size);
	reader->copied = true;
	reader->copied_cpu = iter->cpu;
	reader->copied_size = iter->ent_size;
	reader->copied_lost = iter->lost_events;
	reader->copied_ts = iter->ts;
	reader_head_advance(reader, iter->cpu);

	return true;
}

/* Make the entry that reader_hold() has copied the current one again. */
static void reader_resume(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;

	iter->ent = iter->temp;
	iter->ent_size = reader->copied_size;
	iter->cpu = reader->copied_cpu;
	iter->lost_events = reader->copied_lost;
	iter->ts = reader->copied_ts;
	reader->joined = false;
}

/* latency-format shows the time to the next entry, of any CPU. */
static void reader_find_next_ts(struct trace_reader *reader)
{
	int next;

	reader->next_ts = reader->iter.ts;
	/* In a buffer that is consumed, the next entry may not have been written yet. */
	if (reader->consuming || !reader_hold(reader))
		return;

	next = reader_oldest_head(reader);
	if (next >= 0)
		reader->next_ts = reader->heads[next].ts;
}

/**
 * trace_reader_peek - look at the entry that follows the current one on its CPU
 * @iter: iterator of a reader, after trace_reader_next()
 * @ts: set to the time stamp of that entry
 * @size: set to its size
 *
 * For functions that print an entry. The current entry may be copied: iter->ent has to be read
 * again. The returned entry remains valid until the reader advances.
 *
 * Return: the entry; NULL if there is none yet, if entries were lost before it, or without
 *	memory.
 */
struct trace_entry *trace_reader_peek(struct trace_iterator *iter, u64 *ts,
				      int *size)
{
	struct trace_reader *reader = trace_reader_of(iter);
	struct trace_head *head = &reader->heads[iter->cpu];

	if (!reader_hold(reader) || !head->event || head->lost)
		return NULL;

	*ts = head->ts;
	*size = ring_buffer_event_length(head->event);

	return ring_buffer_event_data(head->event);
}

/**
 * trace_reader_join - print the current entry and the one after it as one
 * @iter: iterator of a reader, after trace_reader_peek() has returned an entry
 *
 * The next entry is consumed together with the current one.
 */
void trace_reader_join(struct trace_iterator *iter)
{
	trace_reader_of(iter)->joined = true;
}

/**
 * trace_reader_next - find the oldest entry
 * @reader: the reader, after trace_reader_look()
 *
 * It is the current entry until trace_reader_consumed(); another call before that finds the
 * same entry.
 *
 * Return: true with the entry in iter, false if there is no entry.
 */
bool trace_reader_next(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;
	struct trace_head *head;
	int cpu = iter->cpu;

	if (unlikely(reader->copied)) {
		reader_resume(reader);
		return true;
	}

	/* If two entries have the same time, the lower CPU is first, therefore not <=. */
	if (cpu < 0 || !reader->heads[cpu].event ||
	    reader->heads[cpu].ts >= reader->next_other_ts) {
		cpu = reader_oldest_head(reader);
		if (cpu < 0) {
			iter->ent = NULL;
			return false;
		}
	}

	head = &reader->heads[cpu];
	iter->cpu = cpu;
	iter->ts = head->ts;
	iter->lost_events = head->lost;
	reader->saved = head->saved;
	iter->ent = ring_buffer_event_data(head->event);
	iter->ent_size = ring_buffer_event_length(head->event);

	if (!iter->idx)
		reader->first_ts = reader->max.since ?: iter->ts;
	if (unlikely(reader->options & TRACE_OPT(LATENCY_FORMAT)))
		reader_find_next_ts(reader);

	return true;
}

/**
 * trace_reader_consumed - advance to the entry after the current one
 * @reader: the reader, after trace_reader_next()
 */
void trace_reader_consumed(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;
	int cpu = iter->cpu;

	iter->idx++;
	if (unlikely(iter->iter_flags & TRACE_FILE_ANNOTATE))
		cpumask_set_cpu(cpu, iter->started);

	if (likely(!reader->copied)) {
		reader_head_advance(reader, cpu);
		return;
	}

	reader->copied = false;
	if (reader->joined) {
		reader->joined = false;
		iter->idx++;
		reader_head_advance(reader, cpu);
	}
}

/**
 * trace_reader_empty - is there no entry to be consumed?
 * @reader: a reader that consumes
 */
bool trace_reader_empty(struct trace_reader *reader)
{
	struct trace_buffer *buffer = reader->iter.array_buffer->buffer;
	int cpu = reader->iter.cpu_file;

	if (reader->copied)
		return false;

	if (cpu == RING_BUFFER_ALL_CPUS)
		return ring_buffer_empty(buffer);

	return ring_buffer_empty_cpu(buffer, cpu);
}
