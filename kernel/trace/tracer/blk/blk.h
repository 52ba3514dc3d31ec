/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracer blk: requests of block devices, in the buffer of an instance.
 */
#ifndef _TRACE_TRACER_BLK_BLK_H
#define _TRACE_TRACER_BLK_BLK_H

#include <linux/bits.h>
#include <linux/trace_events.h>
#include <linux/types.h>

struct seq_file;
struct trace_array;

/* Options of the tracer */
enum {
	BLK_OPT_CLASSIC	= BIT(0),
	BLK_OPT_CGROUP	= BIT(1),
	BLK_OPT_CGNAME	= BIT(2),
};

struct trace_array *trace_blk_instance(void);
u32 trace_blk_flags(void);

/* blk_text.c */
void trace_blk_header(struct seq_file *m, struct trace_iterator *iter);
enum print_line_t trace_blk_line(struct trace_iterator *iter);

#endif /* _TRACE_TRACER_BLK_BLK_H */
