/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Exchange of rings for snapshots and latency tracers, in addition to <linux/ring_buffer.h>.
 */
#ifndef _TRACE_RING_SWAP_H
#define _TRACE_RING_SWAP_H

struct trace_buffer;

int ring_buffer_take_cpu(struct trace_buffer *from, struct trace_buffer *to, int cpu);
int ring_buffer_exchange_cpu(struct trace_buffer *buffer, struct trace_buffer *idle, int cpu);
int ring_buffer_add_cpus(struct trace_buffer *buffer, const struct trace_buffer *like);

void ring_buffer_swap_with(struct trace_buffer *buffer, struct trace_buffer *spare, bool keep);
bool ring_buffer_swap_pending(struct trace_buffer *buffer);
int ring_buffer_swap_finish(struct trace_buffer *buffer);

#ifdef CONFIG_RING_BUFFER_ALLOW_SWAP
bool ring_buffer_swap_request(struct trace_buffer *buffer);
void ring_buffer_swap_drop(struct trace_buffer *buffer);
void ring_buffer_consume_begin(struct trace_buffer *buffer, int cpu);
void ring_buffer_consume_end(struct trace_buffer *buffer);
#else
static inline bool ring_buffer_swap_request(struct trace_buffer *buffer)
{
	return false;
}

static inline void ring_buffer_swap_drop(struct trace_buffer *buffer) { }
static inline void ring_buffer_consume_begin(struct trace_buffer *buffer, int cpu) { }
static inline void ring_buffer_consume_end(struct trace_buffer *buffer) { }
#endif

#endif /* _TRACE_RING_SWAP_H */
