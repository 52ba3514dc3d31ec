/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_RING_RESIZE_H
#define _TRACE_RING_RESIZE_H
/*
 * Resizing of a buffer along with the buffer that it exchanges rings with.
 */

struct trace_buffer;

int ring_buffers_resize(struct trace_buffer *buffer, struct trace_buffer *other,
			unsigned long size, int cpu_id);
int ring_buffers_subbuf_order_set(struct trace_buffer *buffer, struct trace_buffer *other,
				  int order);

#endif /* _TRACE_RING_RESIZE_H */
