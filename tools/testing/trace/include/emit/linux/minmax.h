/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of this header that kernel/trace/output/emit.h uses, in user space. */
#ifndef _EMIT_MINMAX_H
#define _EMIT_MINMAX_H

static inline int emit_least(int a, int b)
{
	return a < b ? a : b;
}

#define min(a, b)	emit_least(a, b)

#endif
