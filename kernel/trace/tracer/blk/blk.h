/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracer blk: what happens to requests of block devices, in the buffer of an instance.
 */
#ifndef _TRACE_TRACER_BLK_BLK_H
#define _TRACE_TRACER_BLK_BLK_H

#include <linux/bits.h>
#include <linux/types.h>

#include "instance/tracer/tracer.h"

struct trace_array;

/* Its options */
enum {
	BLK_OPT_CLASSIC	= BIT(0),
	BLK_OPT_CGROUP	= BIT(1),
	BLK_OPT_CGNAME	= BIT(2),
};

/* Whoever prints its entries adds how, and registers it. */
extern struct tracer trace_blk_tracer;

struct trace_array *trace_blk_instance(void);
u32 trace_blk_flags(void);

#endif /* _TRACE_TRACER_BLK_BLK_H */
