// SPDX-License-Identifier: GPL-2.0
/*
 * The tracer that records nothing. What others write into the buffer, as
 * trace_marker and trace_printk(), is still there to be read.
 */
#include <linux/init.h>

#include "instance/registry.h"

struct tracer trace_nop = {
	.name	= "nop",
};

static int __init nop_init(void)
{
	return register_tracer(&trace_nop);
}
early_initcall(nop_init);
