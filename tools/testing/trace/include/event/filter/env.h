/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User space version of the kernel interfaces that kernel/trace/event/filter/predicate.c uses.
 *
 * The test defines the task, the CPU and the functions, and which pointers can be read.
 */
#ifndef TEST_EVENT_ENV_H
#define TEST_EVENT_ENV_H

#include <ctype.h>

#include <linux/glob.h>
#include <linux/trace_events.h>
#include "lib/env.h"

typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef unsigned __int128 u128;

#define __packed		__attribute__((__packed__))
#define noinline		__attribute__((__noinline__))

#define U16_MAX			0xffffu
#define U64_MAX			0xffffffffffffffffull
#define EXPORT_SYMBOL_GPL(sym)	struct env_nothing
#define __percpu
#define barrier()		asm volatile("" ::: "memory")
#define container_of(p, type, member) \
	((type *)((char *)(p) - offsetof(type, member)))

#define get_unaligned(p) \
	(((const struct { __typeof__(*(p)) value; } __attribute__((packed)) *)(p))->value)

#define ERR_PTR(err)		((void *)(long)(err))
#define PTR_ERR(p)		((long)(p))
#define IS_ERR(p)		((unsigned long)(p) >= (unsigned long)-4095)

#define min(a, b)		min_t(__typeof__(a), a, b)
#define max(a, b)		max_t(__typeof__(a), a, b)

/* locks, CPUs and grace periods: there is one task */
struct mutex { int none; };
#define DEFINE_MUTEX(name)	struct mutex name
#define guard(what)		(void)
#define preempt_disable_notrace()	((void)0)
#define preempt_enable_notrace()	((void)0)
#define this_cpu_ptr(p)		(p)
#define alloc_percpu(type)	kzalloc(sizeof(type), GFP_KERNEL)
#define call_rcu(head, func)	func(head)

/* masks of CPUs */
#define ENV_CPUS		70
#define BITS_PER_LONG		64
#define BITS_TO_LONGS(nr)	(((nr) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define BITMAP_LAST_WORD_MASK(nr)	(~0UL >> (-(nr) & (BITS_PER_LONG - 1)))
#define nr_cpu_ids		((unsigned int)ENV_CPUS)

struct cpumask {
	unsigned long bits[BITS_TO_LONGS(ENV_CPUS)];
};

#define cpumask_bits(m)		((m)->bits)
#define cpumask_size()		sizeof(struct cpumask)
#define cpumask_test_cpu(cpu, m) \
	((m)->bits[(cpu) / BITS_PER_LONG] >> ((cpu) % BITS_PER_LONG) & 1)
static inline unsigned int cpumask_weight(const struct cpumask *mask)
{
	return __builtin_popcountl(mask->bits[0]) + __builtin_popcountl(mask->bits[1]);
}

#define cpumask_empty(m)	(!cpumask_weight(m))
#define cpumask_clear(m)	((void)memset(m, 0, sizeof(*(m))))

int cpulist_parse(const char *list, struct cpumask *mask);

/* text and numbers */
static inline char *skip_spaces(const char *text)
{
	while (isspace(*text))
		text++;
	return (char *)text;
}

int kstrtou64(const char *text, unsigned int base, u64 *value);
int kstrtos64(const char *text, unsigned int base, s64 *value);
#define kstrtoul(text, base, value)	kstrtou64(text, base, (u64 *)(value))

/* environment of a match */
#define TASK_COMM_LEN		16

extern char env_comm[TASK_COMM_LEN];
extern unsigned int env_cpu;

#define event_env_comm()	env_comm
#define event_env_cpu()		env_cpu

bool event_env_function(const char *name, unsigned long *start, unsigned long *size);
bool event_env_string(char *text, unsigned long from, size_t size, bool user);

#endif
