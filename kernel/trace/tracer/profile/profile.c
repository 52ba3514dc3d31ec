// SPDX-License-Identifier: GPL-2.0
/*
 * The function profiler: number of calls of functions on each CPU, and their duration. A call
 * is counted when it begins, its duration when it returns: if the task migrates in between, the
 * call is counted on two CPUs.
 *
 * Each CPU has its own counters, in an open hash table from call sites to counters. A callback
 * runs in any context, so it allocates no memory: pages for functions that were not called
 * before are kept in reserve, and a worker replaces the used pages. An interrupt may count
 * between any two instructions of the task that it interrupts, so counters are local_t, and
 * entries are added to the table by cmpxchg().
 */
#include <linux/bitops.h>
#include <linux/cleanup.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/init.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include <asm/local.h>

#include "ftrace/entry/ftrace_rcu.h"
#include "ftrace/fgraph/ret_stack.h"
#include "ftrace/ops/ops.h"
#include "instance/core/instance.h"
#include "lib/reserve.h"
#include "patch/announce.h"
#include "patch/records.h"
#include "tracer/graph/graph_tracer.h"
#include "tracer/profile/profile.h"

/**
 * struct profile_func - counters of a function
 * @ip: its call site, 0 if the structure is unused
 * @hits: number of calls that began
 * @time: sum of the durations, in nanoseconds
 * @square_low: sum of the low halves of the squared durations
 * @square_high: sum of their high halves. A sum of squares does not fit into 64 bits, and a
 *	carry from one counter to the other would not be atomic.
 * @slots: see PROFILE_SLOTS; their sum is the number of calls that returned
 */
struct profile_func {
	unsigned long	ip;
	local_t		hits;
	local_t		time;
	local_t		square_low;
	local_t		square_high;
	local_t		slots[PROFILE_SLOTS];
};

#define FUNCS_PER_PAGE	(PAGE_SIZE / sizeof(struct profile_func))

/* The longest duration whose square has a high half that can be summed, 39 hours. */
#define TIME_MOST	(BIT_ULL(47) - 1)

/* Number of pages in reserve, and the limit below which the worker is queued. */
#define RESERVE		(SZ_256K / PAGE_SIZE)
#define RESERVE_LOW	(RESERVE * 3 / 4)

/**
 * struct profile - profile of a CPU
 * @rcu: head for freeing after a grace period that includes all callbacks
 * @shift: 64 minus log2 of the size of @index
 * @mask: size of @index, minus 1
 * @pages_most: size of @page
 * @ready: number of pages; changed under profiles_lock
 * @used: number of used struct profile_func, including the first one, which counts nothing
 * @page: pages of struct profile_func
 * @index: hash table: numbers of struct profile_func, 0 if the slot is free
 */
struct profile {
	struct rcu_head		rcu;
	unsigned int		shift;
	u32			mask;
	unsigned int		pages_most;
	unsigned int		ready;
	local_t			used;
	struct profile_func	**page;
	u32			*index;
};

static DEFINE_PER_CPU(struct profile *, profiles);

/**
 * struct profile_misses - events that could not be counted on a CPU since profiling was enabled
 * @calls: number of calls
 * @returns: number of returns
 */
struct profile_misses {
	local_t	calls;
	local_t	returns;
};

static DEFINE_PER_CPU(struct profile_misses, profile_misses);

/* Protects the profiles of CPUs. Taken inside cpus_read_lock(). */
static DEFINE_MUTEX(profiles_lock);

/* CPUs that go online get a profile; protected by profiles_lock. */
static bool profiles_wanted;

/* Serializes enabling and disabling, outside all locks of ftrace/. */
static DEFINE_MUTEX(enable_lock);
static bool enabled;

/*
 * Memory
 */

static void profile_free(struct profile *profile)
{
	unsigned int i;

	if (!profile)
		return;

	for (i = 0; profile->page && i < profile->ready; i++)
		kfree(profile->page[i]);
	kvfree(profile->page);
	kvfree(profile->index);
	kfree(profile);
}

static void profile_free_rcu(struct rcu_head *head)
{
	profile_free(container_of(head, struct profile, rcu));
}

/* Refill the reserve. profiles_lock held. Return: 0 or -ENOMEM. */
static int profile_fill(struct profile *profile)
{
	unsigned int used = local_read(&profile->used) / FUNCS_PER_PAGE;
	struct profile_func *page;

	while (profile->ready < min(used + RESERVE, profile->pages_most)) {
		page = kzalloc(PAGE_SIZE, GFP_KERNEL);
		if (!page)
			return -ENOMEM;

		profile->page[profile->ready] = page;
		/*
		 * Pairs with smp_load_acquire() in profile_func_take(): the page pointer is
		 * visible before the count.
		 */
		smp_store_release(&profile->ready, profile->ready + 1);
	}
	return 0;
}

/*
 * Maximum number of functions to provide space for: all existing functions. If call sites are
 * found while the kernel runs, the number is doubled, or increased by FTRACE_ANNOUNCED_MAX if
 * few have been found yet; calls of further functions are missed, and counted as such.
 */
static unsigned long profile_functions_most(void)
{
	unsigned long records = ftrace_records_totals().records;

	return IS_ENABLED(CONFIG_FTRACE_DISCOVER) ?
	       records + max(records, FTRACE_ANNOUNCED_MAX) : records;
}

/* The table is at most half full. */
static struct profile *profile_alloc(void)
{
	unsigned long size = roundup_pow_of_two(2 * profile_functions_most() + 2);
	struct profile *profile = kzalloc(sizeof(*profile), GFP_KERNEL);

	if (!profile)
		return NULL;

	size = max(size, 2 * FUNCS_PER_PAGE);
	profile->shift = 64 - ilog2(size);
	profile->mask = size - 1;
	local_set(&profile->used, 1);
	profile->pages_most = size / 2 / FUNCS_PER_PAGE;
	profile->index = kvcalloc(size, sizeof(*profile->index), GFP_KERNEL);
	profile->page = kvcalloc(profile->pages_most, sizeof(*profile->page), GFP_KERNEL);
	if (profile->index && profile->page && !profile_fill(profile))
		return profile;

	profile_free(profile);
	return NULL;
}

static void profile_work(struct work_struct *unused);
static struct reserve_worker refill = RESERVE_WORKER_INIT(refill, profile_work);

static void profile_work(struct work_struct *unused)
{
	unsigned int cpu;

	guard(mutex)(&profiles_lock);

	reserve_begin(&refill);
	for_each_possible_cpu(cpu) {
		struct profile *profile = per_cpu(profiles, cpu);

		if (profile)
			profile_fill(profile);
	}
}

/*
 * Counting. Preemption is disabled.
 */

static struct profile_func *profile_func_at(struct profile *profile, unsigned int nr)
{
	return profile->page[nr / FUNCS_PER_PAGE] + nr % FUNCS_PER_PAGE;
}

/* Return: number of the counters for a function, or 0 if there are no free counters. */
static u32 profile_func_take(struct profile *profile)
{
	unsigned long used = local_read(&profile->used);
	unsigned int ready;
	u32 nr = 0;

	do {
		/* Pairs with smp_store_release() in profile_fill(). */
		ready = smp_load_acquire(&profile->ready);
		if (used >= ready * FUNCS_PER_PAGE)
			goto call;
	} while (!local_try_cmpxchg(&profile->used, (long *)&used, used + 1));

	nr = used;
call:
	if (ready < profile->pages_most &&
	    used + RESERVE_LOW * FUNCS_PER_PAGE >= ready * FUNCS_PER_PAGE)
		reserve_kick(&refill);
	return nr;
}

/* Add a function that was not called before. Return: its counters, or NULL. */
static struct profile_func *profile_func_add(struct profile *profile, unsigned long ip, u32 at)
{
	u32 nr = profile_func_take(profile), found;
	struct profile_func *func;

	if (!nr)
		return NULL;

	func = profile_func_at(profile, nr);
	func->ip = ip;
	while ((found = cmpxchg(&profile->index[at], 0, nr))) {
		struct profile_func *other = profile_func_at(profile, found);

		/* An interrupt has called the same function in between. */
		if (other->ip == ip) {
			func->ip = 0;
			return other;
		}
		at = (at + 1) & profile->mask;
	}
	return func;
}

/* First slot of the hash table to look at */
static __always_inline unsigned long profile_func_hash(const struct profile *profile,
						       unsigned long ip)
{
	return ip * GOLDEN_RATIO_64 >> profile->shift;
}

/* Return: the counters of a function, or NULL without memory. */
static struct profile_func *profile_func_find(unsigned long ip)
{
	struct profile *profile = this_cpu_read(profiles);
	struct profile_func *func;
	u32 at, nr;

	/* A CPU that went online when there was no memory */
	if (unlikely(!profile))
		return NULL;

	at = profile_func_hash(profile, ip);
	while ((nr = READ_ONCE(profile->index[at]))) {
		func = profile_func_at(profile, nr);
		if (likely(func->ip == ip))
			return func;
		at = (at + 1) & profile->mask;
	}
	return profile_func_add(profile, ip, at);
}

/* Slow path: the function can be in any slot */
static noinline void profile_count_any_call(unsigned long ip)
{
	struct profile_func *func = profile_func_find(ip);

	local_inc(func ? &func->hits : &this_cpu_ptr(&profile_misses)->calls);
}

/* Fast path: most functions are in their first slot. */
static __always_inline void profile_count_call(unsigned long ip)
{
	struct profile *profile = this_cpu_read(profiles);
	struct profile_func *func;

	if (likely(profile)) {
		func = profile_func_at(profile,
				       READ_ONCE(profile->index[profile_func_hash(profile, ip)]));
		if (likely(func->ip == ip)) {
			local_inc(&func->hits);
			return;
		}
	}
	profile_count_any_call(ip);
}

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/* With both of these options, a duration is the total time from entry to return */
#define WHOLE	(GRAPH_SLEEP_TIME | GRAPH_GRAPH_TIME)

/**
 * struct profile_call - state when a function was called
 * @slept: ret_stack_slept()
 * @own: the task variable, see below
 *
 * The task variable sums the self time of all profiled functions. Its increase during a call is
 * the time spent in profiled callees, which is subtracted.
 */
struct profile_call {
	u64		slept;
	unsigned long	own;
};

/* Sum of self times of the current task up to now; interrupts add to it also. */
static local_t *profile_own_time(struct fgraph_ops *gops)
{
	static_assert(sizeof(local_t) == sizeof(unsigned long));

	return (local_t *)fgraph_get_task_var(gops);
}

static noinline void profile_note_begin(struct fgraph_ops *gops)
{
	struct profile_call *call = fgraph_reserve_data(gops->idx, sizeof(*call));

	if (!call)
		return;

	call->slept = ret_stack_slept();
	call->own = local_read(profile_own_time(gops));
}

static noinline u64 profile_partial_time(struct fgraph_ops *gops, u64 time, u32 flags)
{
	const struct profile_call *call = fgraph_retrieve_data(gops->idx, NULL);
	local_t *own = profile_own_time(gops);
	u64 others;

	if (!call)
		return time;

	if (!(flags & GRAPH_SLEEP_TIME))
		time -= min(time, ret_stack_slept() - call->slept);
	others = min(time, local_read(own) - call->own);
	local_add(time - others, own);

	return flags & GRAPH_GRAPH_TIME ? time : time - others;
}

static __always_inline void profile_count(struct profile_func *func, u64 time, u32 square_low,
					  u64 square_high, unsigned int slot)
{
	local_add(time, &func->time);
	local_add(square_low, &func->square_low);
	local_add(square_high, &func->square_high);
	local_inc(&func->slots[slot]);
}

/* Slow path: any function and any duration */
static noinline void profile_count_any(unsigned long ip, u64 time)
{
	struct profile_func *func = profile_func_find(ip);

	if (!func) {
		local_inc(&this_cpu_ptr(&profile_misses)->returns);
		return;
	}

	/* A call that took days, or a clock that went backwards */
	if (time > TIME_MOST)
		time = (s64)time < 0 ? 0 : TIME_MOST;
	profile_count(func, time, time * time, mul_u64_u64_shr(time, time, 32), profile_slot(time));
}

/*
 * Fast path: most calls took less than four seconds, whose square fits in 64 bits, and their
 * function is in its first slot.
 */
static __always_inline void profile_count_return(unsigned long ip, u64 time)
{
	struct profile *profile = this_cpu_read(profiles);
	struct profile_func *func;

	if (unlikely(!profile || time > U32_MAX)) {
		profile_count_any(ip, time);
		return;
	}

	func = profile_func_at(profile, READ_ONCE(profile->index[profile_func_hash(profile, ip)]));
	if (unlikely(func->ip != ip))
		profile_count_any(ip, time);
	else
		profile_count(func, time, time * time, time * time >> 32, profile_slot_u32(time));
}

static noinline void profile_count_part(const struct ftrace_graph_ret *ret, struct fgraph_ops *gops,
					u32 flags)
{
	profile_count_return(ret->func,
			     profile_partial_time(gops, ret->rettime - ret->calltime, flags));
}

/* Options of the function graph tracer in the top instance. */
static const u32 *profile_flags __ro_after_init;

static int profile_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops)
{
	profile_count_call(ent->func);
	if (unlikely(~READ_ONCE(*profile_flags) & WHOLE))
		profile_note_begin(gops);

	return 1;
}

static void profile_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	u32 flags = READ_ONCE(*profile_flags);

	if (unlikely(~flags & WHOLE))
		profile_count_part(ret, gops, flags);
	else
		profile_count_return(ret->func, ret->rettime - ret->calltime);
}

static void profile_lost(const struct ftrace_graph_ent *ent, struct fgraph_ops *gops)
{
	local_inc(&this_cpu_ptr(&profile_misses)->calls);
}

static struct fgraph_ops profile_user = {
	.entryfunc	= profile_entry,
	.retfunc	= profile_return,
	.lostfunc	= profile_lost,
};

static int profile_register(void)
{
	return register_ftrace_graph(&profile_user);
}

static void profile_unregister(void)
{
	unregister_ftrace_graph(&profile_user);
}

static struct ftrace_ops *profile_ops(void)
{
	return &profile_user.ops;
}

static void __init profile_init_flags(void)
{
	profile_flags = trace_graph_flags(&trace_top);
}

#else

static void profile_call(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	preempt_disable_notrace();
	profile_count_call(ip);
	preempt_enable_notrace();
}

static struct ftrace_ops profile_user = {
	.func	= profile_call,
};

static int profile_register(void)
{
	return register_ftrace_function(&profile_user);
}

static void profile_unregister(void)
{
	WARN_ON(ftrace_ops_detach(&profile_user));
}

static struct ftrace_ops *profile_ops(void)
{
	return &profile_user;
}

static void profile_init_flags(void)
{
}

#endif

/*
 * Enabling
 */

/*
 * Create a profile for each online CPU, or for none of them. cpus_read_lock() and profiles_lock
 * held.
 */
static int profile_make(void)
{
	struct profile **made;
	unsigned int cpu;
	int err = 0;

	made = kcalloc(nr_cpu_ids, sizeof(*made), GFP_KERNEL);
	if (!made)
		return -ENOMEM;

	for_each_online_cpu(cpu) {
		made[cpu] = profile_alloc();
		if (!made[cpu])
			err = -ENOMEM;
	}

	for_each_possible_cpu(cpu) {
		struct profile *old = made[cpu];

		memset(per_cpu_ptr(&profile_misses, cpu), 0, sizeof(profile_misses));
		/* Callbacks of the previous run may still be in progress. */
		if (!err)
			old = xchg(per_cpu_ptr(&profiles, cpu), made[cpu]);
		if (old)
			call_ftrace_rcu(&old->rcu, profile_free_rcu);
	}
	kfree(made);
	return err;
}

/**
 * trace_profile_enabled - is profiling enabled?
 */
bool trace_profile_enabled(void)
{
	return READ_ONCE(enabled);
}

/**
 * trace_profile_enable - enable or disable profiling
 * @on: true to enable, false to disable. Enabling resets the counters; they remain when
 *	profiling is disabled. On an error profiling is disabled, with all counters reset.
 *
 * Context: process context, no locks held
 *
 * Return: 0, -ENOMEM, or as register_ftrace_graph()
 */
int trace_profile_enable(bool on)
{
	int err;

	guard(mutex)(&enable_lock);

	if (on == enabled)
		return 0;

	if (on) {
		scoped_guard(cpus_read_lock) {
			guard(mutex)(&profiles_lock);

			err = profile_make();
			profiles_wanted = !err;
		}
		err = err ?: profile_register();
		if (err) {
			scoped_guard(mutex, &profiles_lock)
				profiles_wanted = false;
			return err;
		}
	} else {
		profile_unregister();
		scoped_guard(mutex, &profiles_lock)
			profiles_wanted = false;
	}

	WRITE_ONCE(enabled, on);
	return 0;
}

/* Without memory, all calls on the CPU are missed, and counted as such. */
static int profile_prepare_cpu(unsigned int cpu)
{
	guard(mutex)(&profiles_lock);

	if (profiles_wanted && !per_cpu(profiles, cpu))
		WRITE_ONCE(per_cpu(profiles, cpu), profile_alloc());
	return 0;
}

/*
 * Reading
 */

static u64 profile_count_of(const local_t *counter)
{
	return local_read(counter);
}

/* The sample variance: (sum of squares - time^2 / n) / (n - 1) */
static u64 profile_variance_of(const struct profile_func *func, u64 n, u64 time)
{
	u64 mean = div64_u64(time, n), result;
	u128 squares, of_sum;
	int shift = 0;

	squares = ((u128)profile_count_of(&func->square_high) << 32) +
		  profile_count_of(&func->square_low);
	of_sum = (u128)time * mean + mul_u64_u64_div_u64(time, time - mean * n, n);

	/* Counting may have continued between the reads. */
	if (n < 2 || squares < of_sum)
		return 0;

	for (squares -= of_sum; squares >> 64; shift++)
		squares >>= 1;
	result = div64_u64(squares, n - 1);

	return result > U64_MAX >> shift ? U64_MAX : result << shift;
}

/* Return: true if the function was called or returned on the CPU. */
static bool profile_read_func(struct profile_line *line, const struct profile_func *func)
{
	unsigned int i;

	*line = (struct profile_line) { .ip = READ_ONCE(func->ip) };
	if (!line->ip)
		return false;

	line->time = profile_count_of(&func->time);
	line->hits = profile_count_of(&func->hits);
	for (i = 0; i < PROFILE_SLOTS; i++) {
		line->slots[i] = profile_count_of(&func->slots[i]);
		line->returns += line->slots[i];
	}
	if (line->returns)
		line->variance = profile_variance_of(func, line->returns, line->time);
	return line->hits || line->returns;
}

/* In descending order; by address if all else is equal. */
static int profile_compare_lines(const void *a, const void *b)
{
	const struct profile_line *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? 1 : -1;
	if (x->hits != y->hits)
		return x->hits < y->hits ? 1 : -1;

	return x->ip < y->ip ? -1 : x->ip > y->ip;
}

/**
 * trace_profile_read - read the counters of a CPU since profiling was last enabled
 * @cpu: the CPU
 *
 * Context: process context, no locks held
 *
 * Return: a table that the caller frees with kvfree(), or NULL without memory
 */
struct profile_table *trace_profile_read(unsigned int cpu)
{
	struct profile_table *table;
	struct profile *profile;
	unsigned int i, used;

	guard(mutex)(&profiles_lock);

	profile = per_cpu(profiles, cpu);
	used = profile ? local_read(&profile->used) : 0;
	table = kvzalloc(struct_size(table, line, used), GFP_KERNEL);
	if (!table)
		return table;

	table->missed = profile_count_of(&per_cpu_ptr(&profile_misses, cpu)->calls);
	table->untimed = profile_count_of(&per_cpu_ptr(&profile_misses, cpu)->returns);
	if (!profile)
		return table;

	table->nr = used;
	for (i = 0, used = 0; i < table->nr; i++)
		used += profile_read_func(&table->line[used], profile_func_at(profile, i));
	table->nr = used;
	sort(table->line, used, sizeof(*table->line), profile_compare_lines, NULL);
	return table;
}

static int __init profile_early_init(void)
{
	int err;

	if (!trace_top.main.buffer)
		return -ENODEV;

	profile_init_flags();
	err = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "trace/profile:prepare",
					profile_prepare_cpu, NULL);
	if (err < 0)
		return err;

	ftrace_ops_set_global_filter(profile_ops());
	return 0;
}
early_initcall(profile_early_init);
