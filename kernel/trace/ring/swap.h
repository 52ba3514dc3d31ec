/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What latency tracers need of exchanging rings beyond <linux/ring_buffer.h>.
 */
#ifndef _TRACE_RING_SWAP_H
#define _TRACE_RING_SWAP_H

struct trace_buffer;

int ring_buffer_take_cpu(struct trace_buffer *from, struct trace_buffer *to, int cpu);

#endif /* _TRACE_RING_SWAP_H */
