/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User space version of the kernel interfaces that kernel/trace/ring/ uses.
 *
 * A CPU is a thread that called env_cpu_start(). Its interrupts are signals: they occur between
 * any two instructions, a disabled interrupt remains pending, and an NMI cannot be disabled. As
 * in the kernel, an interrupt handler runs a few instructions before preempt_count() is
 * updated.
 *
 * If the kernel's operations on local_t are one instruction without a lock prefix, these have
 * one; neither can be interrupted in the middle.
 *
 * Allocations can fail: see "lib/env.h".
 */
#ifndef TEST_RING_ENV_H
#define TEST_RING_ENV_H

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
typedef unsigned int gfp_t;
typedef unsigned int __poll_t;

#define ERESTARTSYS		512	/* <linux/errno.h> */

#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#ifndef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#endif
#undef __packed
#define __packed		__attribute__((packed))
#define __aligned(n)		__attribute__((aligned(n)))
#define ____cacheline_aligned	__aligned(64)
#define EXPORT_SYMBOL_GPL(sym)	struct env_nothing
#define BUILD_BUG_ON(cond)	((void)sizeof(char[1 - 2 * !!(cond)]))
#define static_assert(e)	_Static_assert(e, #e)
#define BITS_PER_LONG		64
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define BIT(n)			(1UL << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define clamp_t(type, v, lo, hi) min_t(type, ({ type _v = (v), _l = (lo); _v > _l ? _v : _l; }), hi)
#define ALIGN(x, a)		(((x) + (a) - 1) & ~((typeof(x))(a) - 1))
#define IS_ALIGNED(x, a)	(((x) & ((typeof(x))(a) - 1)) == 0)
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define min_t(type, a, b)	({ type _a = (a), _b = (b); _a < _b ? _a : _b; })
#define min(a, b)		min_t(typeof(a), a, b)
#define max(a, b)		({ typeof(a) _a = (a), _b = (b); _a > _b ? _a : _b; })
#define swap(a, b)		({ typeof(a) _t = (a); (a) = (b); (b) = _t; })
#define struct_size(p, m, n)	offsetof(typeof(*(p)), m[(size_t)(n)])
#define container_of(p, t, m)	((t *)((char *)(p) - offsetof(t, m)))
#define sizeof_field(t, m)	sizeof(((t *)0)->m)
/* number of warnings */
extern unsigned long env_warnings;
#define pr_warn(...) \
	((void)(env_warnings++, env_quiet ? 0 : fprintf(stderr, __VA_ARGS__)))
extern bool env_quiet;

#define WARN_ON_ONCE(cond) ({						\
	bool _w = (cond);						\
	if (_w) {							\
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #cond); \
		abort();						\
	}								\
	_w;								\
})

/*
 * Memory accesses
 */
/* see Documentation/memory-barriers.txt */
#define barrier()		__asm__ __volatile__("" ::: "memory")
/*
 * The kernel's local and relaxed operations do not order accesses of other CPUs. These do not
 * either, so that the thread sanitizer does not assume an order that does not exist.
 */
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#define smp_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v)	__atomic_store_n(p, (v), __ATOMIC_RELEASE)
/* the thread sanitizer does not model fences; races that they prevent are suppressed */
#ifdef __SANITIZE_THREAD__
#define smp_mb()		barrier()
#define smp_rmb()		barrier()
#else
#define smp_mb()		__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb()		__atomic_thread_fence(__ATOMIC_ACQUIRE)
#endif

#define ENV_TRY_CMPXCHG(p, old, new)					\
	__atomic_compare_exchange_n(p, old, new, false, __ATOMIC_SEQ_CST, \
				    __ATOMIC_RELAXED)
#define ENV_TRY_CMPXCHG_RELAXED(p, old, new)				\
	__atomic_compare_exchange_n(p, old, new, false, __ATOMIC_RELAXED, \
				    __ATOMIC_RELAXED)
#define try_cmpxchg_relaxed(p, old, new) ENV_TRY_CMPXCHG_RELAXED(p, old, new)
#define cmpxchg_local(p, o, n) ({					\
	typeof(*(p)) _o = (o);						\
	ENV_TRY_CMPXCHG_RELAXED(p, &_o, n);				\
	_o;								\
})

typedef struct { int counter; } atomic_t;
typedef struct { s64 counter; } atomic64_t;
typedef struct { long v; } local_t;

#define atomic_read(a)		READ_ONCE((a)->counter)
#define atomic_inc(a)		((void)__atomic_fetch_add(&(a)->counter, 1, __ATOMIC_RELAXED))
#define atomic_dec(a)		((void)__atomic_fetch_sub(&(a)->counter, 1, __ATOMIC_RELAXED))
#define atomic_dec_return(a)	__atomic_sub_fetch(&(a)->counter, 1, __ATOMIC_SEQ_CST)
#define atomic_dec_return_release(a) __atomic_sub_fetch(&(a)->counter, 1, __ATOMIC_RELEASE)
#define atomic_add_return_release(i, a) __atomic_add_fetch(&(a)->counter, i, __ATOMIC_RELEASE)
#define atomic_read_acquire(a)	smp_load_acquire(&(a)->counter)
#define atomic_try_cmpxchg(a, old, new) ENV_TRY_CMPXCHG(&(a)->counter, old, (int)(new))
#define atomic_add(i, a)	((void)__atomic_fetch_add(&(a)->counter, i, __ATOMIC_RELAXED))
#define atomic_sub(i, a)	((void)__atomic_fetch_sub(&(a)->counter, i, __ATOMIC_RELAXED))
#define atomic_or(i, a)		((void)__atomic_fetch_or(&(a)->counter, i, __ATOMIC_RELAXED))
#define atomic_andnot(i, a) \
	((void)__atomic_fetch_and(&(a)->counter, ~(int)(i), __ATOMIC_RELAXED))
#define atomic64_read(a)	READ_ONCE((a)->counter)
#define atomic64_read_acquire(a) smp_load_acquire(&(a)->counter)
#define atomic64_set(a, i)	WRITE_ONCE((a)->counter, (i))
#define atomic64_try_cmpxchg(a, old, new) ENV_TRY_CMPXCHG(&(a)->counter, old, (s64)(new))
#define atomic_fetch_or(i, a)	__atomic_fetch_or(&(a)->counter, i, __ATOMIC_SEQ_CST)
#define atomic_fetch_andnot(i, a) __atomic_fetch_and(&(a)->counter, ~(int)(i), __ATOMIC_SEQ_CST)
#define atomic_fetch_or_relaxed(i, a)	__atomic_fetch_or(&(a)->counter, i, __ATOMIC_RELAXED)
#define atomic_fetch_andnot_relaxed(i, a) \
	__atomic_fetch_and(&(a)->counter, ~(int)(i), __ATOMIC_RELAXED)
#define atomic64_or(i, a)	((void)__atomic_fetch_or(&(a)->counter, i, __ATOMIC_RELAXED))
#define atomic64_inc_return_relaxed(a) \
	((u64)__atomic_add_fetch(&(a)->counter, 1, __ATOMIC_RELAXED))
#define atomic64_fetch_or(i, a)	__atomic_fetch_or(&(a)->counter, i, __ATOMIC_SEQ_CST)
#define atomic64_xchg(a, i)	__atomic_exchange_n(&(a)->counter, i, __ATOMIC_SEQ_CST)
#define local_read(l)		READ_ONCE((l)->v)
#define local_set(l, i)		WRITE_ONCE((l)->v, (i))
#define local_inc(l)		((void)__atomic_fetch_add(&(l)->v, 1, __ATOMIC_RELAXED))
#define local_dec(l)		((void)__atomic_fetch_sub(&(l)->v, 1, __ATOMIC_RELAXED))
#define local_add(i, l)		((void)__atomic_fetch_add(&(l)->v, i, __ATOMIC_RELAXED))
#define local_try_cmpxchg(l, old, new) ENV_TRY_CMPXCHG_RELAXED(&(l)->v, old, (long)(new))

#define ring_env_may_lock()	(!in_nmi())
#define ring_env_peek(x)	READ_ONCE(x)
#define ring_env_peek_local(l)	local_read(l)
#define OPTIMIZER_HIDE_VAR(v)	__asm__("" : "=r" (v) : "0" (v))

/*
 * CPUs and contexts
 */
#define ENV_CPUS		4

#define SOFTIRQ_OFFSET		0x100
#define HARDIRQ_OFFSET		0x10000
#define NMI_OFFSET		0x100000
#define HARDIRQ_MASK		0xf0000
#define NMI_MASK		0xf00000

extern __thread int env_cpu;
extern __thread int env_preempt;
extern __thread int env_irqs_off;
extern int nr_cpu_ids;
extern u64 (*env_clock)(void);

#define preempt_count()		READ_ONCE(env_preempt)
#define in_nmi()		(preempt_count() & NMI_MASK)
#define raw_smp_processor_id()	env_cpu
#define smp_processor_id()	env_cpu
#define oops_in_progress	0

static inline void preempt_disable_notrace(void)
{
	WRITE_ONCE(env_preempt, READ_ONCE(env_preempt) + 1);
	barrier();
}

static inline void preempt_enable_notrace(void)
{
	barrier();
	smp_store_release(&env_preempt, READ_ONCE(env_preempt) - 1);
}

#define preempt_disable()	preempt_disable_notrace()
#define preempt_enable()	preempt_enable_notrace()

void env_irqs_on(void);

#define local_irq_save(flags) do {					\
	(flags) = env_irqs_off;						\
	env_irqs_off = 1;						\
	barrier();							\
} while (0)
#define local_irq_restore(flags) do {					\
	barrier();							\
	if (!(flags))							\
		env_irqs_on();						\
} while (0)

static inline u64 trace_clock_this_cpu(void)
{
	return env_clock();
}

u64 trace_clock_local(void);

/* Copy data that may be written concurrently: not checked by the thread sanitizer. */
static inline __attribute__((no_sanitize("thread")))
void ring_env_copy(void *to, const void *from, size_t size)
{
	const u8 *f = from;
	u8 *t = to;

	while (size--) {
		*t++ = *f++;
		barrier();
	}
}

/* The calling thread acts as @cpu from now on, until env_cpu_stop(). */
void env_cpu_start(int cpu);
void env_cpu_stop(void);
bool cpu_online(int cpu);
int smp_call_function_single(int cpu, void (*fn)(void *info), void *info, int wait);
/* number of functions that CPUs have called for other CPUs */
extern unsigned long env_calls;

/*
 * A function that is called on this CPU as soon as interrupts are on; immediately if the thread
 * is not a CPU.
 */
struct irq_work {
	void		(*fn)(struct irq_work *work);
	struct irq_work	*next;
	int		pending;
};

#define IRQ_WORK_INIT_HARD(f)		((struct irq_work){ .fn = (f) })
#define init_irq_work(work, f)		((void)(*(work) = IRQ_WORK_INIT_HARD(f)))
void irq_work_queue(struct irq_work *work);
void irq_work_sync(struct irq_work *work);

struct completion { int done; };
#define init_completion(c)		((c)->done = 0)
#define complete(c)			__atomic_store_n(&(c)->done, 1, __ATOMIC_RELEASE)
void wait_for_completion(struct completion *c);

/* Waits until all CPUs that are inside preempt_disable() have left it. */
void synchronize_rcu(void);
#define ring_env_wait_for_writers()	synchronize_rcu()

/* @fn is called by a separate thread after such a wait. */
struct rcu_head { void (*fn)(struct rcu_head *head); };
void call_rcu_hurry(struct rcu_head *head, void (*fn)(struct rcu_head *head));
void rcu_barrier(void);

/*
 * Waiting. A task that is not woken for ENV_PATIENCE_MS is interrupted by a signal, and
 * env_hangs counts it.
 */
#define ENV_PATIENCE_MS		5000

typedef struct { int wakes; } wait_queue_head_t;
struct env_wait { wait_queue_head_t *queue; int wakes; };

extern int env_hangs;
extern bool env_signal_pending;

#define TASK_INTERRUPTIBLE	1
#define init_waitqueue_head(q)	((q)->wakes = 0)
#define DEFINE_WAIT(name)	struct env_wait name = { }
#define finish_wait(q, entry)	((void)(q))
#define signal_pending(task)	READ_ONCE(env_signal_pending)
#define schedule()		env_schedule()
void prepare_to_wait(wait_queue_head_t *queue, struct env_wait *entry, int state);
void env_schedule(void);
void wake_up_all(wait_queue_head_t *queue);

enum env_irq { ENV_SOFTIRQ, ENV_HARDIRQ, ENV_NMI };

/* The handler of an interrupt; @early: preempt_count() is not updated yet. */
extern void (*env_irq_handler)(enum env_irq irq, bool early);
/* Send an interrupt to a CPU. Returns false if one is pending, or if the CPU is not online. */
bool env_irq(int cpu, enum env_irq irq);

/*
 * Masks of CPUs
 */
struct cpumask { unsigned long bits; };
typedef struct cpumask cpumask_var_t[1];

extern struct cpumask env_possible, env_online;
#define cpu_possible_mask	(&env_possible)
#define cpu_online_mask		(&env_online)

static inline struct cpumask *cpumask_of(int cpu)
{
	static struct cpumask masks[ENV_CPUS];

	masks[cpu].bits = BIT(cpu);
	return &masks[cpu];
}

#define zalloc_cpumask_var(m, gfp)	((*(m))->bits = 0, true)
#define free_cpumask_var(m)		((void)(m))
#define cpumask_test_cpu(cpu, m)	(READ_ONCE((m)->bits) >> (cpu) & 1)
#define cpumask_set_cpu(cpu, m) \
	((void)__atomic_fetch_or(&(m)->bits, BIT(cpu), __ATOMIC_SEQ_CST))
#define cpumask_first(m)		__builtin_ctzl(READ_ONCE((m)->bits))
#define for_each_cpu(cpu, m) \
	for ((cpu) = 0; (cpu) < nr_cpu_ids; (cpu)++) \
		if (cpumask_test_cpu(cpu, m))
#define for_each_cpu_and(cpu, a, b) \
	for_each_cpu(cpu, a) \
		if (cpumask_test_cpu(cpu, b))
#define num_possible_cpus()		__builtin_popcountl(cpu_possible_mask->bits)
#define for_each_possible_cpu(cpu)	for_each_cpu(cpu, cpu_possible_mask)

#define BITS_TO_LONGS(n)		DIV_ROUND_UP(n, BITS_PER_LONG)
#define __set_bit(n, p)	((void)((p)[(n) / BITS_PER_LONG] |= BIT((n) % BITS_PER_LONG)))
#define test_bit(n, p)	((p)[(n) / BITS_PER_LONG] >> ((n) % BITS_PER_LONG) & 1)
#define sort(base, n, size, cmp, swap)	qsort(base, n, size, cmp)

/* The running kernel. */
extern u64 env_build, env_text;
#define ring_env_build()		env_build
#define ring_env_text()			env_text
#define ring_env_text_size()		0x1000000
#define ring_env_data()			(env_text + 0x800000)
#define ring_env_has_page(p)		true

/* the memory range that was written back last */
extern void *env_written_back;
extern unsigned long env_written_size;
#define ring_env_write_back(p, size)	((void)(env_written_back = (p), env_written_size = (size)))

struct hlist_node { struct hlist_node *next; };

#define CPUHP_TRACE_RB_PREPARE		1
#define cpuhp_setup_state_multi(state, name, up, down) 0
int cpuhp_state_add_instance(int state, struct hlist_node *node);
#define cpuhp_state_remove_instance_nocalls(state, node) ((void)(node))
#define lockdep_assert_cpus_held()	((void)0)
#define lockdep_assert_held(lock)	((void)(lock))

/*
 * Locks
 */
typedef struct { int held; } raw_spinlock_t;
struct mutex { pthread_mutex_t m; };
struct lock_class_key { int none; };

#define raw_spin_lock_init(l)		((l)->held = 0)
#define lockdep_set_class(l, key)	((void)(key))
#define mutex_init(l)			pthread_mutex_init(&(l)->m, NULL)
#define mutex_lock(l)			pthread_mutex_lock(&(l)->m)
#define mutex_lock_nested(l, subclass)	pthread_mutex_lock(&(l)->m)
#define mutex_unlock(l)			pthread_mutex_unlock(&(l)->m)
#define mutex_is_locked(l)		env_mutex_is_locked(&(l)->m)
#define DEFINE_MUTEX(name)		struct mutex name = { PTHREAD_MUTEX_INITIALIZER }

/* called after a mutex was found free, which may be taken next */
extern void (*env_mutex_found_free)(void);

static inline bool env_mutex_is_locked(pthread_mutex_t *m)
{
	if (pthread_mutex_trylock(m))
		return true;
	pthread_mutex_unlock(m);
	if (env_mutex_found_free)
		env_mutex_found_free();
	return false;
}

/* A CPU that has released a spinlock is delayed before it continues. */
extern bool env_dawdles;

/* called once, before a spinlock is taken that the caller waits for */
extern void (*env_before_spinlock)(void);

static inline bool env_spin_trylock(raw_spinlock_t *l)
{
	return !__atomic_exchange_n(&l->held, 1, __ATOMIC_ACQUIRE);
}

static inline void raw_spin_lock(raw_spinlock_t *l)
{
	void (*before)(void) = env_before_spinlock;

	if (before) {
		env_before_spinlock = NULL;
		before();
	}
	while (!env_spin_trylock(l))
		sched_yield();
}

static inline void raw_spin_unlock(raw_spinlock_t *l)
{
	__atomic_store_n(&l->held, 0, __ATOMIC_RELEASE);
	if (env_dawdles)
		usleep(random() % 50);
}

#define SINGLE_DEPTH_NESTING		1
#define raw_spin_lock_nested(l, depth)	raw_spin_lock(l)
#define raw_spin_lock_irqsave(l, flags)	do { local_irq_save(flags); raw_spin_lock(l); } while (0)
#define raw_spin_unlock_irqrestore(l, flags) \
	do { raw_spin_unlock(l); local_irq_restore(flags); } while (0)
#define raw_spin_trylock(l)		env_spin_trylock(l)
#define raw_spin_trylock_irqsave(l, flags) ({				\
	local_irq_save(flags);						\
	bool _got = env_spin_trylock(l);				\
	if (!_got)							\
		local_irq_restore(flags);				\
	_got;								\
})

/* annotations for sparse */
#define __cond_lock(lock, got)		(got)
#define __release(lock)			((void)(lock))

#define ERR_PTR(error)			((void *)(long)(error))
#define ERR_CAST(p)			((void *)(p))
#define PTR_ERR(p)			((long)(p))
#define IS_ERR(p)			((unsigned long)(p) >= -4095UL)
#define PTR_ERR_OR_ZERO(p)		(IS_ERR(p) ? PTR_ERR(p) : 0)

struct env_guard { void *lock; };

static inline struct env_guard env_lock_mutex(struct mutex *l)
{
	pthread_mutex_lock(&l->m);
	return (struct env_guard){ .lock = l };
}

static inline void env_unlock_mutex(struct env_guard *g)
{
	pthread_mutex_unlock(&((struct mutex *)g->lock)->m);
}

/* CPUs go online and offline only through cpuhp here. */
static inline struct env_guard env_lock_cpus_read_lock(void)
{
	return (struct env_guard){ };
}

static inline void env_unlock_cpus_read_lock(struct env_guard *g)
{
}

#define ENV_PASTE(a, b)		a##b
#define ENV_NAME(a, b)		ENV_PASTE(a, b)
#define scoped_guard(what) \
	for (struct env_guard env_scope __attribute__((cleanup(env_unlock_##what), unused)) = \
	     env_lock_##what(), *env_once = &env_scope; env_once; env_once = NULL)
#define guard(what) \
	struct env_guard ENV_NAME(env_guard_, __LINE__) \
	__attribute__((cleanup(env_unlock_##what), unused)) = env_lock_##what
/*
 * Memory
 */
#define PAGE_SIZE		4096UL
#define GFP_KERNEL		0u
#define __GFP_RETRY_MAYFAIL	0u
#define __GFP_NOWARN		0u
#define __GFP_NORETRY		0u
#define __GFP_ZERO		0u
#define __GFP_COMP		0u

/* number of allocations that succeed before one fails; -1: all succeed */
extern long env_allocs_left;
/* number of allocations that are not freed yet */
extern long env_allocs_live;
/* si_mem_available() */
extern long env_mem_pages;
/* The caller is being killed */
extern bool env_killed;

void *env_alloc(size_t size, size_t align);
void env_free(void *p);

struct page { u8 bytes[PAGE_SIZE]; };

#define cpu_to_node(cpu)		(cpu)
#define get_zeroed_page(gfp)		((unsigned long)env_alloc(PAGE_SIZE, PAGE_SIZE))
#define free_page(addr)			env_free((void *)(addr))
#define kzalloc(size, gfp)		env_alloc(size, 64)
#define kzalloc_node(size, gfp, node)	env_alloc(size, 64)
#define kcalloc(n, size, gfp)		env_alloc((size_t)(n) * (size), 64)
#define kvcalloc(n, size, gfp)		env_alloc((size_t)(n) * (size), 64)
#define kfree(p)			env_free(p)
#define kvfree(p)			env_free(p)
#define alloc_pages_node(node, gfp, order) \
	((struct page *)env_alloc(PAGE_SIZE << (order), PAGE_SIZE))
#define page_address(page)		((void *)(page))
#define virt_to_page(p)			((struct page *)(p))
#define page_ref_count(page)		1
#define free_pages(addr, order)		env_free((void *)(addr))
#define si_mem_available()		env_mem_pages
#define fatal_signal_pending(task)	env_killed
#define cond_resched()			sched_yield()
#define cpu_relax()			sched_yield()

static inline int get_order(unsigned long size)
{
	int order = 0;

	while (PAGE_SIZE << order < size)
		order++;
	return order;
}

/*
 * Types in <linux/ring_buffer.h>: files, mappings, text
 */
struct file;

/* Records the queue that poll() waits on. */
typedef struct poll_table_struct { wait_queue_head_t *queue; } poll_table;

#define EPOLLIN		1u
#define EPOLLERR	8u
#define EPOLLRDNORM	64u
#define poll_wait(file, q, table)	((table)->queue = (q))

#define VM_WRITE	BIT(1)
#define VM_EXEC		BIT(2)
#define VM_MAYWRITE	BIT(5)
#define VM_MAYEXEC	BIT(6)
#define VM_MAYSHARE	BIT(7)
#define VM_DONTCOPY	BIT(17)
#define VM_DONTEXPAND	BIT(18)
#define VM_DONTDUMP	BIT(26)

/* A mapping: @pages has the address of each of its pages. */
struct vm_area_struct {
	unsigned long	vm_start, vm_pgoff, vm_flags;
	unsigned long	nr;
	struct page	**pages;
};

#define vma_pages(vma)			((vma)->nr)
#define vm_flags_mod(vma, set, clear) \
	((vma)->vm_flags = ((vma)->vm_flags | (set)) & ~(unsigned long)(clear))

static inline int vm_insert_pages(struct vm_area_struct *vma, unsigned long addr,
				  struct page **pages, unsigned long *left)
{
	memcpy(vma->pages, pages, *left * sizeof(*pages));
	*left = 0;
	return 0;
}

/* number of pages that were flushed for user space */
extern unsigned long env_flushed;
#define flush_dcache_page(page)		((void)(page), env_flushed++)

/* uapi/linux/trace_mmap.h */
struct trace_buffer_meta {
	u32	meta_page_size;
	u32	meta_struct_len;
	u32	subbuf_size;
	u32	nr_subbufs;
	struct {
		u64	lost_events;
		u32	id;
		u32	read;
	} reader;
	u64	flags;
	u64	entries;
	u64	overrun;
	u64	read;
	u64	reserved1;
	u64	reserved2;
};

struct trace_seq {
	char	text[PAGE_SIZE];
	size_t	len;
};

#define is_signed_type(type)		((type)(-1) < (type)1)
#define trace_seq_has_overflowed(s)	((s)->len >= sizeof((s)->text))
#define trace_seq_printf(s, ...) \
	((void)((s)->len += snprintf((s)->text + (s)->len, sizeof((s)->text) - (s)->len, \
				     __VA_ARGS__)))
#define trace_seq_puts(s, str)		trace_seq_printf(s, "%s", str)

#define EXPORT_SYMBOL_IF_KUNIT(sym)	struct env_nothing

#define CONFIG_RING_BUFFER		1
#define CONFIG_RING_BUFFER_ALLOW_SWAP	1
#include <linux/ring_buffer.h>

static inline bool ring_tasks_run(void)
{
	return true;
}

#endif
