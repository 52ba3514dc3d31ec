/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User space version of the kernel interfaces that kernel/trace/patch/announce.c uses. A thread
 * is in an NMI if its env_nmi is set.
 */
#ifndef TEST_ANNOUNCE_ENV_H
#define TEST_ANNOUNCE_ENV_H

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;

#define __read_mostly
#define ____cacheline_aligned

#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value)	__atomic_store_n(&(x), value, __ATOMIC_RELAXED)
/* the uses have the comments */
#define smp_wmb()		__atomic_thread_fence(__ATOMIC_RELEASE)
#define barrier()		__atomic_signal_fence(__ATOMIC_SEQ_CST)

static inline unsigned long env_cmpxchg(unsigned long *p, unsigned long old, unsigned long new)
{
	__atomic_compare_exchange_n(p, &old, new, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return old;
}

#define cmpxchg_relaxed(p, old, new)	env_cmpxchg(p, old, new)

/* All CPUs share one counter. */
#define DEFINE_PER_CPU(type, name)	type name
#define raw_cpu_inc(name)		((void)__atomic_fetch_add(&(name), 1, __ATOMIC_RELAXED))
#define per_cpu(name, cpu)		(*((void)(cpu), &(name)))
#define for_each_possible_cpu(cpu)	for ((cpu) = 0; (cpu) < 1; (cpu)++)

#define NOKPROBE_SYMBOL(fn)		struct env_nothing

static inline unsigned long hash_long(unsigned long value, unsigned int bits)
{
	return (value * 0x61c8864680b583ebUL) >> (64 - bits);
}

extern __thread bool env_nmi;

#define in_nmi()		env_nmi

/*
 * Bounds of init text. All other addresses are kernel text without a listed site. A function
 * begins at each address.
 */
extern char __init_begin[], __init_end[];

#define min(a, b)		((a) < (b) ? (a) : (b))

#define MCOUNT_INSN_SIZE		5
#define FTRACE_MCOUNT_MAX_OFFSET	0

#define ERR_PTR(err)			((void *)(long)(err))
#define IS_ERR(p)			((unsigned long)(p) > -4096UL)

static inline bool is_kernel_text(unsigned long ip)
{
	return true;
}

static inline bool ftrace_calls_mark(const u8 *text, unsigned long ip, bool breakpoint)
{
	return false;
}

static inline long copy_from_kernel_nofault(void *to, const void *from, unsigned long size)
{
	return -EFAULT;
}

static inline bool kallsyms_lookup_size_offset(unsigned long ip, unsigned long *size,
					       unsigned long *offset)
{
	*size = MCOUNT_INSN_SIZE;
	*offset = 0;
	return true;
}

#endif
