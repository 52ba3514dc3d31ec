/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_RING_ENV_H
#define _TRACE_RING_ENV_H
/*
 * All interfaces of the rest of the kernel that ring/ uses.
 *
 * The user-space harness in tools/testing/trace/ has a header of the same name, which is found
 * first and implements these interfaces with threads and signals.
 */

#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/build_bug.h>
#include <linux/cleanup.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/gfp.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/libnvdimm.h>
#include <linux/lockdep.h>
#include <linux/math.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/ring_buffer.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/sort.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/topology.h>
#include <linux/types.h>
#include <linux/wait.h>

#include <asm/local.h>
#include <asm/sections.h>

#include "lib/clock.h"

/* Earlier in boot no task can wait, and not every architecture can raise an irq_work yet. */
static inline bool ring_tasks_run(void)
{
	return system_state > SYSTEM_BOOTING;
}

/*
 * A plain load for the fast path: the value is used in a single comparison or dereference, and
 * neither tearing nor a second load would change the result.
 */
#define ring_env_peek(x)	data_race(x)
/*
 * The same for a local_t, which contains a long in a field whose name depends on the
 * architecture.
 */
static inline long ring_env_peek_local(const local_t *l)
{
	static_assert(sizeof(*l) == sizeof(long));

	/* data_race: as above */
	return data_race(*(const long *)l);
}

/* May a writer take a spinlock here if it is free? Locks are themselves traced and checked. */
static inline bool ring_env_may_lock(void)
{
	/* Lockdep would report a lock taken with interrupts off that it does not know to be off. */
	if (IS_ENABLED(CONFIG_DEBUG_LOCKDEP) && raw_irqs_disabled() &&
	    lockdep_hardirqs_enabled())
		return false;

	return !in_nmi() && rcu_is_watching();
}

/* Copy data that may be written concurrently. */
static inline void ring_env_copy(void *to, const void *from, size_t size)
{
	/* The caller checks afterwards whether the data was written to. */
	data_race(memcpy(to, from, size));
}

/*
 * Wait until writers no longer use data that they looked up before the call. With function
 * tracing, this includes writers on CPUs that RCU does not watch. cpus_read_lock() must not be
 * held.
 */
static inline void ring_env_wait_for_writers(void)
{
#ifdef CONFIG_FUNCTION_TRACER
	synchronize_rcu_tasks_rude();
#else
	synchronize_rcu();
#endif
}

/*
 * Identity of this kernel, and its location: the image is relocated as a whole. Two builds of
 * equal identity have the same symbols at the same offsets.
 */
static inline u64 ring_env_build(void)
{
	u64 build = full_name_hash(NULL, linux_banner, strlen(linux_banner));

	return build << 32 | (u32)(_etext - _stext);
}

#define ring_env_text()		((unsigned long)_text)
#define ring_env_text_size()	((unsigned long)(_end - _text))
#define ring_env_data()		((unsigned long)_sdata)

/*
 * Write stored data back to memory that outlives the kernel: a reset loses data that is only in
 * caches. Does nothing if the architecture has no such operation. Any context.
 */
#define ring_env_write_back(p, size)	arch_wb_cache_pmem(p, size)

/* Is the memory covered by a struct page of the kernel, so that it can be mapped? */
#define ring_env_has_page(p)	virt_addr_valid(p)

#endif /* _TRACE_RING_ENV_H */
