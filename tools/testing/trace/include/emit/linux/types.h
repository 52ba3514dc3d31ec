/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of this header that kernel/trace/output/emit.h uses, in user space. */
#ifndef _EMIT_TYPES_H
#define _EMIT_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;

#endif
