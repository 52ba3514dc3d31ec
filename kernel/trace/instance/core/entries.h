/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Layout of the entries in a trace buffer, and their type numbers.
 *
 * Tools that parse raw pages rely on both (events/ftrace/<name>/format,
 * trace-cmd), so numbers and offsets never change.
 */
#ifndef _TRACE_INSTANCE_CORE_ENTRIES_H
#define _TRACE_INSTANCE_CORE_ENTRIES_H

#include <linux/build_bug.h>
#include <linux/ftrace.h>
#include <linux/limits.h>
#include <linux/time64.h>
#include <linux/trace_events.h>

enum trace_type {
	TRACE_FN		= 1,
	TRACE_CTX		= 2,
	TRACE_WAKE		= 3,
	TRACE_STACK		= 4,
	TRACE_PRINT		= 5,
	TRACE_BPRINT		= 6,
	TRACE_MMIO_RW		= 7,
	TRACE_MMIO_MAP		= 8,
	TRACE_BRANCH		= 9,
	TRACE_GRAPH_RET		= 10,
	TRACE_GRAPH_ENT		= 11,
	TRACE_USER_STACK	= 12,
	TRACE_BLK		= 13,
	TRACE_BPUTS		= 14,
	TRACE_HWLAT		= 15,
	TRACE_OSNOISE		= 16,
	TRACE_TIMERLAT		= 17,
	TRACE_RAW_DATA		= 18,
	TRACE_FUNC_REPEATS	= 19,
	TRACE_GRAPH_RETADDR_ENT	= 20,

	/* Trace events get types from here on. */
	TRACE_TYPE_FIXED,
};

/* As large as trace_entry.type has room for. */
#define TRACE_TYPE_MAX		U16_MAX

/*
 * A function was called. Entries of calls are longer if an option asks for arguments: these
 * are what the registers of arguments had at the entry, up to the end.
 */
struct ftrace_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	unsigned long		parent_ip;
	unsigned long		args[];
};

/* A task was woken, which is @next, by @prev; or a CPU goes from one to the other. */
struct ctx_switch_entry {
	struct trace_entry	ent;
	unsigned int		prev_pid;
	unsigned int		next_pid;
	unsigned int		next_cpu;
	unsigned char		prev_prio;
	unsigned char		prev_state;
	unsigned char		next_prio;
	unsigned char		next_state;
};

/* A function was called, with function_graph. */
struct graph_ent_entry {
	struct trace_entry		ent;
	struct ftrace_graph_ent		graph_ent;
	unsigned long			args[];
} __packed;

/* The same with where it returns to; the rest is as in the one without. */
struct graph_retaddr_entry {
	struct trace_entry		ent;
	struct ftrace_graph_ent		graph_ent;
	unsigned long			retaddr;
	unsigned long			args[];
} __packed;

/* It has returned. */
struct graph_ret_entry {
	struct trace_entry		ent;
	struct ftrace_graph_ret		ret;
};

/* A stack of the kernel, innermost caller first. */
struct stack_entry {
	struct trace_entry	ent;
	int			size;
	unsigned long		caller[];
};

#define TRACE_USER_STACK_MAX	8

/* A stack of the task in user space, innermost caller first, 0 after the last. */
struct userstack_entry {
	struct trace_entry	ent;
	unsigned int		tgid;
	unsigned long		caller[TRACE_USER_STACK_MAX];
};

/* Text that ends with NUL: of trace_marker, or of trace_printk() if formatted. */
struct print_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	char			buf[];
};

/* trace_printk() not formatted yet: the format and its arguments in binary. */
struct bprint_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	const char		*fmt;
	u32			buf[];
};

/* trace_puts() of a constant string. */
struct bputs_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	const char		*str;
};

/* What was written into trace_marker_raw. */
struct raw_data_entry {
	struct trace_entry	ent;
	unsigned int		id;
	char			buf[];
};

/*
 * A function was called @count times more. The last of these calls was earlier
 * than this entry by the delta, which is in two parts.
 */
struct func_repeats_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	unsigned long		parent_ip;
	u16			count;
	u16			top_delta_ts;
	u32			bottom_delta_ts;
};

/* The detector of hardware latencies saw gaps, all in microseconds. */
struct hwlat_entry {
	struct trace_entry	ent;
	u64			duration;
	u64			outer_duration;
	u64			nmi_total_ts;
	struct timespec64	timestamp;
	unsigned int		nmi_count;
	unsigned int		seqnum;
	unsigned int		count;
};

/* What a thread that tries to use a CPU alone saw in a period, in microseconds, and counts. */
struct osnoise_entry {
	struct trace_entry	ent;
	u64			noise;
	u64			runtime;
	u64			max_sample;
	unsigned int		hw_count;
	unsigned int		nmi_count;
	unsigned int		irq_count;
	unsigned int		softirq_count;
	unsigned int		thread_count;
};

/* How late a timer or the thread that it wakes was, in nanoseconds. */
struct timerlat_entry {
	struct trace_entry	ent;
	unsigned int		seqnum;
	int			context;
	u64			timer_latency;
};

/* Memory of a device was read or written. */
struct mmio_rw_entry {
	struct trace_entry	ent;
	u64			phys;
	unsigned long		value;
	unsigned long		pc;
	int			map_id;
	unsigned char		opcode;
	unsigned char		width;
};

/* It was mapped, or is not any more. */
struct mmio_map_entry {
	struct trace_entry	ent;
	u64			phys;
	unsigned long		virt;
	unsigned long		len;
	int			map_id;
	unsigned char		opcode;
};

static_assert(sizeof(struct trace_entry) == 8);
static_assert(offsetof(struct mmio_rw_entry, width) == 37);
static_assert(offsetof(struct mmio_map_entry, opcode) == 36);
static_assert(offsetof(struct hwlat_entry, nmi_count) == 48);
static_assert(offsetof(struct osnoise_entry, hw_count) == 32);
static_assert(offsetof(struct timerlat_entry, timer_latency) == 16);
static_assert(offsetof(struct ftrace_entry, ip) == 8);
static_assert(offsetof(struct ftrace_entry, parent_ip) == 8 + sizeof(long));
static_assert(offsetof(struct graph_ent_entry, graph_ent.func) == 8);
static_assert(offsetof(struct graph_ent_entry, graph_ent.depth) == 8 + sizeof(long));
static_assert(offsetof(struct graph_ent_entry, args) == 12 + sizeof(long));
static_assert(offsetof(struct graph_retaddr_entry, graph_ent.depth) ==
	      offsetof(struct graph_ent_entry, graph_ent.depth));
static_assert(offsetof(struct graph_ret_entry, ret.func) == 8);
static_assert(offsetof(struct ctx_switch_entry, prev_pid) == 8);
static_assert(offsetof(struct ctx_switch_entry, next_state) == 23);
static_assert(offsetof(struct stack_entry, size) == 8);
static_assert(offsetof(struct func_repeats_entry, count) == 8 + 2 * sizeof(long));
static_assert(offsetof(struct userstack_entry, tgid) == 8);
static_assert(offsetof(struct userstack_entry, caller) == 8 + sizeof(long));
static_assert(offsetof(struct print_entry, buf) == 8 + sizeof(long));
static_assert(offsetof(struct bprint_entry, buf) == 8 + 2 * sizeof(long));
static_assert(offsetof(struct raw_data_entry, buf) == 12);

/*
 * trace_entry.preempt_count has two counters, each up to this: nested
 * preempt_disable() in the low half, nested migrate_disable() in the high half.
 */
#define TRACE_DEPTH_MAX		15

#ifdef CONFIG_SMP
static __always_inline unsigned int trace_migration_depth(void)
{
	return current->migration_disabled;
}
#else
static __always_inline unsigned int trace_migration_depth(void)
{
	return 0;
}
#endif

/* With PREEMPT_RT the count of softirqs is not in preempt_count(). */
#ifdef CONFIG_PREEMPT_RT
#define trace_softirqs_apart()	softirq_count()
#else
#define trace_softirqs_apart()	0
#endif

/* Is @pc the preempt_count() of a task that may go on, with few nested preempt_disable()? */
static __always_inline bool trace_context_is_plain(unsigned int pc)
{
	return pc <= TRACE_DEPTH_MAX && !trace_softirqs_apart() && !trace_migration_depth() &&
	       !tif_need_resched() && !test_preempt_need_resched();
}

unsigned int trace_context_rare(unsigned int irqs);

/*
 * The context a piece of code runs in, as trace_entry has it: flags in bits
 * 16-23, preempt_count in bits 0-7. @irqs is TRACE_FLAG_IRQS_OFF, 0 or
 * TRACE_FLAG_IRQS_NOSUPPORT.
 */
static __always_inline unsigned int trace_context(unsigned int irqs)
{
	unsigned int pc = preempt_count();

	return likely(trace_context_is_plain(pc)) ? pc | irqs << 16 : trace_context_rare(irqs);
}

#endif /* _TRACE_INSTANCE_CORE_ENTRIES_H */
