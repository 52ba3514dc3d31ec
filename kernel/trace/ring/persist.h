/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_RING_PERSIST_H
#define _TRACE_RING_PERSIST_H
/*
 * Rings in memory that outlives the kernel: their layout, and how the next kernel validates the
 * data that it finds.
 *
 * The memory is a header page, followed for each possible CPU by a struct ring_persist_cpu,
 * rounded up to whole pages, and the sub-buffers of its ring. The order of the sub-buffers is
 * given by the sequence numbers in ring_persist_cpu::seq; all other state of a ring is
 * reconstructed from the sub-buffers. No data is trusted: persist.c validates the bytes, and
 * whatever they are, its results can be read without further checks.
 */

#include "ring/env.h"
#include "ring/format.h"

struct lock_class_key;
struct ring_buffer_iter;
struct trace_buffer;

/**
 * struct ring_persist_kernel - the kernel that wrote the events
 * @build: hash that identifies its build
 * @text: start address of its image
 * @text_size: size of its image
 * @data: start address of its data
 */
struct ring_persist_kernel {
	u64	build;
	u64	text;
	u64	text_size;
	u64	data;
};

/**
 * struct ring_persist_header - header of the memory
 * @magic: RING_PERSIST_MAGIC, which changes with the layout
 * @size: size of the memory in bytes
 * @page_size: page size of the machine
 * @order: order of the sub-buffer size
 * @cpus: number of CPUs with rings
 * @pages: number of sub-buffers of each ring
 * @kernel: the kernel that wrote the events
 * @sum: checksum of all preceding fields
 */
struct ring_persist_header {
	u64				magic;
	u64				size;
	u32				page_size;
	u32				order;
	u32				cpus;
	u32				pages;
	struct ring_persist_kernel	kernel;
	u64				sum;
};

/* Maximum number of sub-buffers of a ring. */
#define RING_PERSIST_MAX_PAGES	(BIT(24) - 2)

#define RING_PERSIST_MAGIC	0x317265676e695246ULL

/**
 * struct ring_persist_cpu - state of a ring in addition to its sub-buffers
 * @floor: events of pages with a lower sequence number are discarded
 * @read_seq: sequence number of the page that a reader was in
 * @read: offset up to which that page was read
 * @seq: sequence number of the events in each sub-buffer; 0: it has no events to keep
 */
struct ring_persist_cpu {
	u64	floor;
	u64	read_seq;
	u64	read;
	u64	seq[];
};

/**
 * struct ring_persist_page - a sub-buffer with events
 * @seq: its sequence number
 * @id: its index
 * @count: number of events in it
 * @bytes: size of the events in bytes
 */
struct ring_persist_page {
	u64	seq;
	u32	id;
	u32	count;
	u32	bytes;
};

/**
 * typedef ring_persist_fn - callback that validates an event of an earlier boot
 * @data: data of the event; the callback may change it
 * @length: length of the data in bytes
 * @was: the kernel that wrote it
 * @is: this kernel
 *
 * Return: false if the event must be dropped.
 */
typedef bool (*ring_persist_fn)(void *data, unsigned int length,
				const struct ring_persist_kernel *was,
				const struct ring_persist_kernel *is);

bool ring_persist_shape(struct ring_persist_header *header);
struct ring_persist_cpu *ring_persist_cpu(const struct ring_persist_header *shape,
					  void *memory, u32 index);
struct buffer_data_page *ring_persist_data(const struct ring_persist_header *shape,
					   void *memory, u32 index, u32 id);
void ring_persist_seal(struct ring_persist_header *header);
const char *ring_persist_reject(const struct ring_persist_header *found,
				const struct ring_persist_header *wanted);
u32 ring_persist_order(const struct ring_persist_cpu *saved, u32 nr,
		       struct ring_persist_page *pages);
bool ring_persist_check(struct buffer_data_page *data, unsigned int size,
			struct ring_persist_page *page);
void ring_persist_validate(struct buffer_data_page *data, struct ring_persist_page *page,
			   ring_persist_fn fn, const struct ring_persist_kernel *was,
			   const struct ring_persist_kernel *is);
u32 ring_persist_skip(struct ring_cursor *cur, u64 read);

/* persist_memory.c */
struct trace_buffer *ring_buffer_alloc_saved(unsigned int flags, int order, void *memory,
					     unsigned long size, ring_persist_fn fn,
					     struct lock_class_key *key);
void ring_buffer_saved_stop(struct trace_buffer *buffer);
const char *ring_buffer_saved_lost(struct trace_buffer *buffer);
bool ring_buffer_peek_saved(struct trace_buffer *buffer, int cpu);

/* iter.c */
bool ring_buffer_iter_saved(struct ring_buffer_iter *iter);

#endif /* _TRACE_RING_PERSIST_H */
