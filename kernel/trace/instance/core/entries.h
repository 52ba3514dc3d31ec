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

	/* Trace events have types from here on. */
	TRACE_TYPE_FIXED,
};

/* Maximum value of trace_entry.type. */
#define TRACE_TYPE_MAX		U16_MAX

/*
 * A function call. If an option requests arguments, the entry is longer: @args has the values
 * of the argument registers at function entry, up to the end of the entry.
 */
struct ftrace_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	unsigned long		parent_ip;
	unsigned long		args[];
};

/* A wakeup of @next by @prev, or a context switch of a CPU from @prev to @next. */
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

/* A function entry, recorded by function_graph. */
struct graph_ent_entry {
	struct trace_entry		ent;
	struct ftrace_graph_ent		graph_ent;
	unsigned long			args[];
} __packed;

/* graph_ent_entry plus the return address; the other fields are the same. */
struct graph_retaddr_entry {
	struct trace_entry		ent;
	struct ftrace_graph_ent		graph_ent;
	unsigned long			retaddr;
	unsigned long			args[];
} __packed;

/* A function return, recorded by function_graph. */
struct graph_ret_entry {
	struct trace_entry		ent;
	struct ftrace_graph_ret		ret;
};

/* A kernel stack trace, innermost caller first. */
struct stack_entry {
	struct trace_entry	ent;
	int			size;
	unsigned long		caller[];
};

#define TRACE_USER_STACK_MAX	8

/* A user-space stack trace of the task, innermost caller first, terminated by 0 if short. */
struct userstack_entry {
	struct trace_entry	ent;
	unsigned int		tgid;
	unsigned long		caller[TRACE_USER_STACK_MAX];
};

/* NUL-terminated text, written to trace_marker or formatted by trace_printk(). */
struct print_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	char			buf[];
};

/* An unformatted trace_printk(): the format and its arguments in binary. */
struct bprint_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	const char		*fmt;
	u32			buf[];
};

/* A trace_puts() of a constant string. */
struct bputs_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	const char		*str;
};

/* Data written to trace_marker_raw. */
struct raw_data_entry {
	struct trace_entry	ent;
	unsigned int		id;
	char			buf[];
};

/*
 * @count more calls of the same function. The last of these calls was earlier than this entry
 * by the delta, whose two halves are stored separately.
 */
struct func_repeats_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	unsigned long		parent_ip;
	u16			count;
	u16			top_delta_ts;
	u32			bottom_delta_ts;
};

/* Gaps found by the hardware latency detector, in microseconds. */
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

/*
 * Noise that a thread which tries to use a CPU exclusively measured in one period: times in
 * microseconds, and counts.
 */
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

/* Latency of a timer, or of the thread that it wakes, in nanoseconds. */
struct timerlat_entry {
	struct trace_entry	ent;
	unsigned int		seqnum;
	int			context;
	u64			timer_latency;
};

/* A read or write of device memory. */
struct mmio_rw_entry {
	struct trace_entry	ent;
	u64			phys;
	unsigned long		value;
	unsigned long		pc;
	int			map_id;
	unsigned char		opcode;
	unsigned char		width;
};

/* A mapping or unmapping of device memory. */
struct mmio_map_entry {
	struct trace_entry	ent;
	u64			phys;
	unsigned long		virt;
	unsigned long		len;
	int			map_id;
	unsigned char		opcode;
};

#define TRACE_FUNC_SIZE		30
#define TRACE_FILE_SIZE		20

/* An evaluation of likely() or unlikely(). Long names are truncated. */
struct trace_branch {
	struct trace_entry	ent;
	unsigned int		line;
	char			func[TRACE_FUNC_SIZE + 1];
	char			file[TRACE_FILE_SIZE + 1];
	char			correct;
	char			constant;
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
 * Maximum of each of the two counters in trace_entry.preempt_count: nested preempt_disable() in
 * the low half, nested migrate_disable() in the high half.
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

/* With PREEMPT_RT the softirq count is not part of preempt_count(). */
#ifdef CONFIG_PREEMPT_RT
#define trace_softirqs_apart()	softirq_count()
#else
#define trace_softirqs_apart()	0
#endif

/*
 * Is @pc the preempt_count() of a task that does not need to reschedule and has few nested
 * preempt_disable()?
 */
static __always_inline bool trace_context_is_plain(unsigned int pc)
{
	return pc <= TRACE_DEPTH_MAX && !trace_softirqs_apart() && !trace_migration_depth() &&
	       !tif_need_resched() && !test_preempt_need_resched();
}

unsigned int trace_context_rare(unsigned int irqs);

/*
 * Get the current execution context in the encoding of trace_entry: flags in bits 16-23,
 * preempt_count in bits 0-7. @irqs is TRACE_FLAG_IRQS_OFF, 0 or TRACE_FLAG_IRQS_NOSUPPORT.
 */
static __always_inline unsigned int trace_context(unsigned int irqs)
{
	unsigned int pc = preempt_count();

	return likely(trace_context_is_plain(pc)) ? pc | irqs << 16 : trace_context_rare(irqs);
}

#endif /* _TRACE_INSTANCE_CORE_ENTRIES_H */
