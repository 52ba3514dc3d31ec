/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of this header that kernel/trace/output/emit.h uses, in user space. */
#ifndef _EMIT_MATH64_H
#define _EMIT_MATH64_H

#include <linux/types.h>

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

static inline u64 div_u64_rem(u64 dividend, u32 divisor, u32 *remainder)
{
	*remainder = dividend % divisor;
	return dividend / divisor;
}

#endif
