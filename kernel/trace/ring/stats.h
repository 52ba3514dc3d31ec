/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recording switch of a buffer, for callers that need to know whether they changed it.
 */
#ifndef _TRACE_RING_STATS_H
#define _TRACE_RING_STATS_H

#include <linux/types.h>

struct trace_buffer;

bool ring_buffer_switch(struct trace_buffer *buffer, bool on);

#endif /* _TRACE_RING_STATS_H */
