/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the file trace_pipe_raw needs of mapped rings beyond <linux/ring_buffer.h>.
 */
#ifndef _TRACE_RING_MAP_H
#define _TRACE_RING_MAP_H

#include <linux/types.h>

struct trace_buffer;

bool ring_buffer_is_mapped(struct trace_buffer *buffer, int cpu);

#endif /* _TRACE_RING_MAP_H */
