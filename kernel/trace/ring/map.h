/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interfaces of mapped rings that trace_pipe_raw needs in addition to <linux/ring_buffer.h>.
 */
#ifndef _TRACE_RING_MAP_H
#define _TRACE_RING_MAP_H

#include <linux/types.h>

struct trace_buffer;

bool ring_buffer_is_mapped(struct trace_buffer *buffer, int cpu);

#endif /* _TRACE_RING_MAP_H */
