/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_RING_PERSIST_H
#define _TRACE_RING_PERSIST_H
/*
 * Rings in memory that outlives the kernel: how they lie there, and what the next
 * kernel believes of what it finds.
 *
 * The memory is a header page, and then for each possible CPU a struct
 * ring_persist_cpu, rounded up to whole pages, and the sub-buffers of its ring. The
 * order of the sub-buffers is that of the sequence numbers in ring_persist_cpu::seq;
 * all else that a ring needs is found by reading the sub-buffers. Nothing of it is
 * taken on trust: persist.c looks at bytes alone, and whatever they are, what it
 * returns can be read without looking again.
 */

#include "ring/env.h"
#include "ring/format.h"

struct lock_class_key;
struct ring_buffer_iter;
struct trace_buffer;

/**
 * struct ring_persist_kernel - which kernel wrote the events
 * @build: a hash of what its build is known by
 * @text: where its image began
 * @text_size: and how large it was
 * @data: where its data began
 */
struct ring_persist_kernel {
	u64	build;
	u64	text;
	u64	text_size;
	u64	data;
};

/**
 * struct ring_persist_header - what the memory begins with
 * @magic: RING_PERSIST_MAGIC, which changes with the layout
 * @size: of the memory, in bytes
 * @page_size: of the machine
 * @order: of the sub-buffers
 * @cpus: for how many CPUs there are rings
 * @pages: sub-buffers of each
 * @kernel: the kernel that wrote the events
 * @sum: over all before it
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

/* The most sub-buffers that a ring can have. */
#define RING_PERSIST_MAX_PAGES	(BIT(24) - 2)

#define RING_PERSIST_MAGIC	0x317265676e695246ULL

/**
 * struct ring_persist_cpu - what is kept of a ring besides its sub-buffers
 * @floor: events of pages with a sequence number below it are forgotten
 * @read_seq: the page that a reader was in
 * @read: up to where it had read that page
 * @seq: the sequence number of the events in each sub-buffer; 0: it has none that
 *	are to be kept
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
 * @id: which sub-buffer
 * @count: events in it
 * @bytes: and bytes
 */
struct ring_persist_page {
	u64	seq;
	u32	id;
	u32	count;
	u32	bytes;
};

/**
 * typedef ring_persist_fn - look at an event of an earlier boot
 * @data: its data, which may be changed
 * @length: bytes of it
 * @was: the kernel that wrote it
 * @is: this one
 *
 * Return: false if nobody should see it.
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
