// SPDX-License-Identifier: GPL-2.0
/*
 * The tracer that records nothing. What others write into the buffer, as
 * trace_marker and trace_printk(), is still there to be read.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/init.h>

#include "instance/registry.h"

/* Options without an effect: what a tool makes of one that is refused. */
enum {
	NOP_ACCEPT	= BIT(0),
	NOP_REFUSE	= BIT(1),
};

static const struct tracer_option nop_options[] = {
	{ "test_nop_accept", NOP_ACCEPT },
	{ "test_nop_refuse", NOP_REFUSE },
	{ }
};

static int nop_set_option(struct trace_array *tr, u32 bit, bool on)
{
	return bit == NOP_REFUSE ? -EINVAL : 0;
}

struct tracer trace_nop = {
	.name		= "nop",
	.set_option	= nop_set_option,
	.options	= nop_options,
};

static int __init nop_init(void)
{
	return register_tracer(&trace_nop);
}
early_initcall(nop_init);
