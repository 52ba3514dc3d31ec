// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel part of the benchmark: hooks functions through the API for modules, and counts
 * ticks around calls, registrations and the ring buffer. The same source is built for both
 * kernels that are compared.
 *
 * Loops run with interrupts off, and the cheapest of several runs counts: the result is the
 * cost of the work, without disturbances.
 */
#include <linux/fprobe.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/ring_buffer.h>
#include <linux/slab.h>
#include <linux/tick.h>
#include <linux/trace_recursion.h>
#include <linux/uaccess.h>
#ifdef CONFIG_X86
#include <linux/mc146818rtc.h>
#endif

#include "abi.h"

#define CREATE_TRACE_POINTS
#include "bench_event.h"

#define RUNS		5
#define MAX_OPS		64

/* The functions that are hooked. bench_target() is called, the others only exist. */
void bench_target(void);
noinline void bench_target(void)
{
	barrier();
}

#define OTHER(n) void bench_other_##n(void); \
	noinline void bench_other_##n(void) { barrier(); }
OTHER(0) OTHER(1) OTHER(2) OTHER(3) OTHER(4) OTHER(5) OTHER(6) OTHER(7)

/* For probe events. Behind its call site it has instructions that a probe can stand on. */
unsigned long bench_args(unsigned long a, unsigned long b, const char *text);
noinline unsigned long bench_args(unsigned long a, unsigned long b, const char *text)
{
	asm volatile("1:	nop; nop; nop; nop; nop; nop; nop; nop\n"
		     ".pushsection .rodata\n"
		     "bench_inside:	.quad 1b\n"
		     ".popsection" : "+r" (a) : "r" (b), "r" (text));
	return a;
}

extern const unsigned long bench_inside;

/* A tree of 111 calls that take about as long as typical calls in the kernel. */
void bench_branch(void);
noinline void bench_branch(void)
{
	for (int i = 0; i < 10; i++) {
		bench_target();
		for (int work = 0; work < 20; work++)
			barrier();
	}
}

void bench_tree(void);
noinline void bench_tree(void)
{
	for (int i = 0; i < 10; i++)
		bench_branch();
}

static void (*const others[])(void) = {
	bench_other_0, bench_other_1, bench_other_2, bench_other_3,
	bench_other_4, bench_other_5, bench_other_6, bench_other_7,
};

static void notrace on_call(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
}

static void notrace on_guarded_call(unsigned long ip, unsigned long parent_ip,
				    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	int bit = ftrace_test_recursion_trylock(ip, parent_ip);

	if (bit >= 0)
		ftrace_test_recursion_unlock(bit);
}

static struct ftrace_ops ops[MAX_OPS];
static unsigned int nr_ops;

static __always_inline u64 begin(void)
{
	bench_mark(BENCH_MARK_BEGIN);
	return bench_ticks();
}

/* Ticks since begin() returned @start. */
static __always_inline u64 end(u64 start)
{
	u64 ticks = bench_ticks() - start;

	bench_mark(BENCH_MARK_END);
	return ticks;
}

/* Idle time of this CPU in ns; it has a resolution of 1 us. */
static u64 notrace idle(void)
{
	u64 us = get_cpu_idle_time_us(raw_smp_processor_id(), NULL);

	return us == -1ULL ? 0 : us * NSEC_PER_USEC;
}

static int hook_callback(ftrace_func_t callback, void (*func)(void), unsigned long flags)
{
	struct ftrace_ops *op = &ops[nr_ops];
	int ret = 0;

	memset(op, 0, sizeof(*op));
	op->func = callback;
	op->flags = flags;
	if (func)
		ret = ftrace_set_filter_ip(op, (unsigned long)func, 0, 0);
	if (!ret)
		ret = register_ftrace_function(op);
	if (ret)
		ftrace_free_filter(op);
	else
		nr_ops++;
	return ret;
}

static int hook(void (*func)(void), unsigned long flags)
{
	return hook_callback(on_call, func, flags);
}

static void unhook_all(void)
{
	while (nr_ops) {
		unregister_ftrace_function(&ops[--nr_ops]);
		ftrace_free_filter(&ops[nr_ops]);
	}
}

static int on_kprobe(struct kprobe *p, struct pt_regs *regs)
{
	return 0;
}
NOKPROBE_SYMBOL(on_kprobe);

static struct kprobe probe;
static bool probing;

static int on_entry(struct fprobe *fp, unsigned long ip, unsigned long ret_ip,
		    struct pt_regs *regs, void *data)
{
	return 0;
}

static void on_exit(struct fprobe *fp, unsigned long ip, unsigned long ret_ip,
		    struct pt_regs *regs, void *data)
{
}

static struct fprobe fprobe;
static bool fprobing;

/*
 * Function graph is for the kernel's own tracers: the functions that register users are not
 * exported to modules. A kprobe is used to find their addresses.
 */
static void *kernel_function(const char *name)
{
	struct kprobe where = { .symbol_name = name };
	void *func;

	if (register_kprobe(&where))
		return NULL;
	func = where.addr;
	unregister_kprobe(&where);
	return func;
}

static int on_graph_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops)
{
	return 1;
}

static void on_graph_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
}

static struct fgraph_ops graph_user;
static bool graphing;

static void unregister_graph_user(void)
{
	void (*unregister)(struct fgraph_ops *gops) = kernel_function("unregister_ftrace_graph");

	if (unregister)
		unregister(&graph_user);
	ftrace_free_filter(&graph_user.ops);
}

static int setup_graph_user(void)
{
	int (*register_user)(struct fgraph_ops *gops) = kernel_function("register_ftrace_graph");
	int ret;

	if (!register_user)
		return -EOPNOTSUPP;
	graph_user = (struct fgraph_ops) {
		.entryfunc = on_graph_entry,
		.retfunc = on_graph_return,
	};
	ret = ftrace_set_filter_ip(&graph_user.ops, (unsigned long)bench_target, 0, 0);
	if (!ret)
		ret = register_user(&graph_user);
	if (ret)
		ftrace_free_filter(&graph_user.ops);
	graphing = !ret;
	return ret;
}

static void setup_none(void)
{
	if (graphing)
		unregister_graph_user();
	graphing = false;
	if (probing)
		unregister_kprobe(&probe);
	if (fprobing)
		unregister_fprobe(&fprobe);
	probing = false;
	fprobing = false;
	unhook_all();
}

static int setup_kprobe(void)
{
	int ret;

	probe = (struct kprobe) {
		.addr = (kprobe_opcode_t *)bench_target,
		.pre_handler = on_kprobe,
	};
	ret = register_kprobe(&probe);
	probing = !ret;
	return ret;
}

static int setup_fprobe(void)
{
	unsigned long ip = (unsigned long)bench_target;
	int ret;

	fprobe = (struct fprobe) {
		.entry_handler = on_entry,
		.exit_handler = on_exit,
	};
	ret = register_fprobe_ips(&fprobe, &ip, 1);
	fprobing = !ret;
	return ret;
}

static int setup_others(void)
{
	int ret = 0;

	for (int i = 0; i < ARRAY_SIZE(others) && !ret; i++)
		ret = hook(others[i], 0);
	return ret;
}

static int setup(enum bench_setup what)
{
	setup_none();
	switch (what) {
	case SETUP_NONE:
		return 0;
	case SETUP_PLAIN:
		return hook(bench_target, 0);
	case SETUP_REGS:
		return hook(bench_target, FTRACE_OPS_FL_SAVE_REGS);
	case SETUP_GUARDED:
		return hook_callback(on_guarded_call, bench_target, 0);
	case SETUP_RECURSION:
		return hook(bench_target, FTRACE_OPS_FL_RECURSION);
	case SETUP_TWO:
		return hook(bench_target, 0) ?: hook(bench_target, 0);
	case SETUP_TWO_EIGHT:
		return setup_others() ?: hook(bench_target, 0) ?:
			hook(bench_target, 0);
	case SETUP_ONE_ALL:
		return hook(bench_target, 0) ?: hook(NULL, 0);
	case SETUP_KPROBE:
		return setup_kprobe();
	case SETUP_GRAPH_USER:
		return setup_graph_user();
	case SETUP_FPROBE:
		return setup_fprobe();
	}
	return -EINVAL;
}

/* Ticks of @n calls, including the loop. */
static u64 notrace calls(u64 n)
{
	u64 best = -1ULL, start;

	for (int run = 0; run < RUNS; run++) {
		guard(irqsave)();
		start = begin();
		for (u64 i = 0; i < n; i++)
			bench_target();
		best = min(best, end(start));
	}
	return best;
}

static u64 notrace arg_calls(u64 n)
{
	u64 best = -1ULL, start;

	for (int run = 0; run < RUNS; run++) {
		guard(irqsave)();
		start = begin();
		for (u64 i = 0; i < n; i++)
			bench_args(i, n, "a text of 24 characters.");
		best = min(best, end(start));
	}
	return best;
}

static u64 notrace tree(void)
{
	u64 best = -1ULL, start;

	for (int run = 0; run < RUNS; run++) {
		guard(irqsave)();
		start = begin();
		bench_tree();
		best = min(best, end(start));
	}
	return best;
}

/* Ticks of @n pairs of trace events, or of the loop without them. */
static u64 notrace pairs(u64 n, bool traced)
{
	static const u8 data[BENCH_EVENT_DATA];
	u64 best = -1ULL, start;

	for (int run = 0; run < RUNS; run++) {
		guard(irqsave)();
		start = begin();
		for (u64 i = 0; i < n; i++) {
			if (traced) {
				trace_bench_event(i, data);
				trace_bench_after(i);
			}
			barrier();
		}
		best = min(best, end(start));
	}
	return best;
}

/* Ticks of @n trace events, or of the loop without them. */
static u64 notrace events(u64 n, bool traced)
{
	static const u8 data[BENCH_EVENT_DATA];
	u64 best = -1ULL, start;

	for (int run = 0; run < RUNS; run++) {
		guard(irqsave)();
		start = begin();
		for (u64 i = 0; i < n; i++) {
			if (traced)
				trace_bench_event(i, data);
			barrier();
		}
		best = min(best, end(start));
	}
	return best;
}

/* The cheapest of several runs counts: they all begin with run_begin() and end with run_end(). */
static u64 notrace run_begin(u64 *start_idle)
{
	*start_idle = idle();
	return begin();
}

static void notrace run_end(u64 start, u64 start_idle, u64 *ticks, u64 *slept)
{
	u64 now = end(start), now_slept = idle() - start_idle;

	if (now - now_slept < *ticks - *slept) {
		*ticks = now;
		*slept = now_slept;
	}
}

/* The grace periods that unregistering waits for, on an otherwise idle system. */
static void grace(struct bench_call *call)
{
	u64 start, slept;

	for (int run = 0; run < RUNS; run++) {
		start = run_begin(&slept);
		synchronize_rcu_tasks_rude();
		synchronize_rcu_tasks();
		run_end(start, slept, &call->ticks, &call->idle);
	}
}

/*
 * Registers and unregisters one ops for one function. The cost of the grace periods themselves
 * is subtracted: that work is RCU's.
 */
static int registration(struct bench_call *call)
{
	struct bench_call wait = { .ticks = -1ULL };
	struct ftrace_ops *op = &ops[nr_ops];
	u64 start, slept;
	int ret;

	memset(op, 0, sizeof(*op));
	op->func = on_call;
	ret = ftrace_set_filter_ip(op, (unsigned long)bench_target, 0, 0);
	for (int run = 0; run < RUNS && !ret; run++) {
		start = run_begin(&slept);
		ret = register_ftrace_function(op);
		if (ret)
			break;
		run_end(start, slept, &call->ticks, &call->idle);

		start = run_begin(&slept);
		ret = unregister_ftrace_function(op);
		run_end(start, slept, &call->ticks2, &call->idle2);
	}
	ftrace_free_filter(op);
	grace(&wait);
	call->ticks2 -= min(wait.ticks - wait.idle, call->ticks2 - call->idle2);
	return ret;
}

/* The same with a permanent ops of the kernel, the one of kprobes. */
static int switch_kprobe(struct bench_call *call)
{
	int ret = setup(SETUP_KPROBE);
	u64 start, slept;

	for (int run = 0; run < RUNS && !ret; run++) {
		start = run_begin(&slept);
		ret = disable_kprobe(&probe);
		if (ret)
			break;
		run_end(start, slept, &call->ticks2, &call->idle2);

		start = run_begin(&slept);
		ret = enable_kprobe(&probe);
		run_end(start, slept, &call->ticks, &call->idle);
	}
	setup_none();
	return ret;
}

static u64 notrace fill(struct trace_buffer *buffer, unsigned int size, int n)
{
	struct ring_buffer_event *event;
	u64 start;

	guard(irqsave)();
	start = begin();
	for (int i = 0; i < n; i++) {
		event = ring_buffer_lock_reserve(buffer, size);
		if (!event)
			return 0;
		*(u64 *)ring_buffer_event_data(event) = i;
		ring_buffer_unlock_commit(buffer);
	}
	return end(start);
}

static u64 notrace consume(struct trace_buffer *buffer, int n)
{
	int cpu = raw_smp_processor_id();
	u64 start, ts;

	guard(irqsave)();
	start = begin();
	for (int i = 0; i < n; i++)
		if (!ring_buffer_consume(buffer, cpu, &ts, NULL))
			return 0;
	return end(start);
}

/* Ticks of reading BENCH_PAGES whole pages from @buffer. */
static u64 read_pages(struct trace_buffer *buffer)
{
	int cpu = raw_smp_processor_id();
	struct buffer_data_read_page *page;
	u64 ticks = 0, start;

	if (ring_buffer_alloc_read_page(buffer, cpu, &page))
		return 0;
	for (int i = 0; i < BENCH_PAGES; i++) {
		int ret;

		start = begin();
		ret = ring_buffer_read_page(buffer, page, PAGE_SIZE, cpu, 1);
		ticks += end(start);
		if (ret < 0) {
			ticks = 0;
			break;
		}
	}
	ring_buffer_free_read_page(buffer, cpu, page);
	return ticks;
}

static int buffer_work(unsigned int cmd, struct bench_call *call)
{
	struct trace_buffer *buffer;
	unsigned int size = call->arg;
	u64 best = -1ULL, ticks = 0;

	buffer = ring_buffer_alloc(2UL << 20, RB_FL_OVERWRITE);
	if (!buffer)
		return -ENOMEM;
	for (int run = 0; run < RUNS; run++) {
		ring_buffer_reset(buffer);
		if (cmd == BENCH_PAGE) {
			fill(buffer, size, (BENCH_PAGES + 2) * (PAGE_SIZE / size));
			ticks = read_pages(buffer);
		} else {
			ticks = fill(buffer, size, BENCH_EVENTS);
			if (cmd == BENCH_CONSUME)
				ticks = consume(buffer, BENCH_EVENTS);
		}
		if (!ticks)
			break;
		best = min(best, ticks);
	}
	ring_buffer_free(buffer);
	call->ticks = best;
	return ticks ? 0 : -EIO;
}

/*
 * QEMU switches to the next CPU when a timer expires. This bounds how long one CPU runs before
 * the next one: the clock chip's timer expires 8,192 times a second, and its interrupt is
 * neither requested nor delivered.
 */
static void set_tick(bool on)
{
#ifdef CONFIG_X86
	u8 control;

	guard(irqsave)();
	control = CMOS_READ(RTC_CONTROL) & ~RTC_PIE;
	CMOS_WRITE(RTC_REF_CLCK_32KHZ | 3, RTC_FREQ_SELECT);
	CMOS_WRITE(on ? control | RTC_PIE : control, RTC_CONTROL);
#endif
}

static int set_ops(u64 n)
{
	int ret = 0;

	setup_none();
	while (nr_ops < n && nr_ops < MAX_OPS - 1 && !ret)
		ret = hook(others[nr_ops % ARRAY_SIZE(others)], 0);
	return ret;
}

static int answer(unsigned int cmd, struct bench_call *call)
{
	switch (cmd) {
	case BENCH_SETUP:
		return setup(call->arg);
	case BENCH_CALLS:
		call->ticks = calls(call->arg);
		return 0;
	case BENCH_IDLE:
		call->idle = idle();
		return 0;
	case BENCH_REGISTER:
		return registration(call);
	case BENCH_KPROBE:
		return switch_kprobe(call);
	case BENCH_GRACE:
		grace(call);
		return 0;
	case BENCH_WRITE:
	case BENCH_CONSUME:
	case BENCH_PAGE:
		return buffer_work(cmd, call);
	case BENCH_EVENT:
		call->ticks = events(call->arg, true) - events(call->arg, false);
		return 0;
	case BENCH_PAIR:
		call->ticks = pairs(call->arg, true) - pairs(call->arg, false);
		return 0;
	case BENCH_TREE:
		call->ticks = tree();
		return 0;
	case BENCH_ARGS:
		call->ticks = arg_calls(call->arg);
		return 0;
	case BENCH_INSIDE:
		call->ticks = bench_inside;
		return 0;
	case BENCH_RECORD:
		call->ticks = sizeof(struct dyn_ftrace);
		return 0;
	case BENCH_MANY:
		return set_ops(call->arg);
	case BENCH_TICK:
		set_tick(call->arg);
		return 0;
	}
	return -ENOTTY;
}

static long on_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct bench_call call;
	int ret;

	if (copy_from_user(&call, (void __user *)arg, sizeof(call)))
		return -EFAULT;
	call = (struct bench_call) { .arg = call.arg, .ticks = -1ULL, .ticks2 = -1ULL };
	ret = answer(cmd, &call);
	if (copy_to_user((void __user *)arg, &call, sizeof(call)))
		return -EFAULT;
	return ret;
}

static const struct proc_ops bench_proc = {
	.proc_ioctl	= on_ioctl,
};

static int __init bench_init(void)
{
	return proc_create("bench", 0600, NULL, &bench_proc) ? 0 : -ENOMEM;
}
module_init(bench_init);

static void __exit bench_exit(void)
{
	remove_proc_entry("bench", NULL);
	set_tick(false);
	setup_none();
}
module_exit(bench_exit);

MODULE_DESCRIPTION("Counts what function tracing costs");
MODULE_LICENSE("GPL");
