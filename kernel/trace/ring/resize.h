/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_RING_RESIZE_H
#define _TRACE_RING_RESIZE_H
/*
 * Changes to a buffer and to another one whose rings it exchanges with it.
 */

struct trace_buffer;

int ring_buffers_resize(struct trace_buffer *buffer, struct trace_buffer *other,
			unsigned long size, int cpu_id);
int ring_buffers_subbuf_order_set(struct trace_buffer *buffer, struct trace_buffer *other,
				  int order);

#endif /* _TRACE_RING_RESIZE_H */
