/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the benchmark's program in the guest asks of its module, by ioctl() on
 * /proc/bench. A request that the running kernel has no means for fails with
 * EOPNOTSUPP: the program then reports the row as not yet there.
 */
#ifndef BENCH_ABI_H
#define BENCH_ABI_H

#include <linux/ioctl.h>
#include <linux/types.h>

/*
 * Around what is counted stand NOPs with an unlikely operand, so that the QEMU
 * plugin count.c knows which instructions belong to it: a long NOP on x86_64, a MOVZ to
 * XZR on arm64.
 */
#define BENCH_MARK_NOP		0x0f, 0x1f, 0x80
#define BENCH_MARK_BEGIN	0x62656e01
#define BENCH_MARK_END		0x62656e00
#define BENCH_MARK_MOVZ(mark)	(0xd280001f | ((mark) & 0xffff) << 5)

/* bench_ticks(): a counter with one tick an instruction, see run.sh */
#ifdef __aarch64__
#define bench_mark(mark) \
	asm volatile(".inst %c0" : : "i" (BENCH_MARK_MOVZ(mark)) : "memory")

static inline __u64 bench_ticks(void)
{
	__u64 ticks;

	asm volatile("mrs %0, cntvct_el0" : "=r" (ticks) : : "memory");
	return ticks;
}
#else
#define bench_mark_as(nop, mark) \
	asm volatile(".byte " nop "; .long %c0" : : "i" (mark) : "memory")
#define bench_mark(mark)	bench_mark_as("0x0f, 0x1f, 0x80", mark)

static inline __u64 bench_ticks(void)
{
	__u32 low, high;

	asm volatile("rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (__u64)high << 32 | low;
}
#endif

/**
 * struct bench_call - one request
 * @arg: what the request says it is
 * @ticks: ticks the work took, time of an idle CPU included
 * @idle: how many of them this CPU was idle
 * @ticks2: a second figure, for requests that do and undo
 * @idle2: its idle time
 */
struct bench_call {
	__u64 arg;
	__u64 ticks;
	__u64 idle;
	__u64 ticks2;
	__u64 idle2;
};

/* Who is hooked to bench_target() while BENCH_SETUP is in force. */
enum bench_setup {
	SETUP_NONE,
	SETUP_PLAIN,		/* one ops, no flags */
	SETUP_REGS,		/* one ops with FTRACE_OPS_FL_SAVE_REGS */
	SETUP_RECURSION,	/* one ops with FTRACE_OPS_FL_RECURSION */
	SETUP_TWO,		/* two ops */
	SETUP_TWO_EIGHT,	/* two ops, and eight on other functions */
	SETUP_ONE_ALL,		/* one ops, and one on every function */
	SETUP_KPROBE,		/* a kprobe on the call site */
	SETUP_FPROBE,		/* an fprobe, entry and exit */
	SETUP_GRAPH_USER,	/* a user of function graph, entry and return */
	SETUP_GUARDED,		/* one ops whose callback takes the guard */
};

#define BENCH_SETUP	_IOWR('b', 1, struct bench_call) /* arg: bench_setup */
#define BENCH_CALLS	_IOWR('b', 2, struct bench_call) /* arg: how many */
#define BENCH_IDLE	_IOWR('b', 3, struct bench_call) /* idle time so far */
#define BENCH_REGISTER	_IOWR('b', 4, struct bench_call) /* and unregister */
#define BENCH_WRITE	_IOWR('b', 5, struct bench_call) /* arg: bytes each */
#define BENCH_CONSUME	_IOWR('b', 6, struct bench_call) /* arg: bytes each */
#define BENCH_PAGE	_IOWR('b', 7, struct bench_call) /* arg: bytes each */
#define BENCH_RECORD	_IOWR('b', 8, struct bench_call) /* ticks: bytes */
#define BENCH_MANY	_IOWR('b', 9, struct bench_call) /* arg: ops to have */
#define BENCH_TICK	_IOWR('b', 10, struct bench_call) /* arg: on or off */
#define BENCH_KPROBE	_IOWR('b', 11, struct bench_call) /* on and off */
#define BENCH_GRACE	_IOWR('b', 12, struct bench_call) /* of RCU Tasks */
#define BENCH_EVENT	_IOWR('b', 13, struct bench_call) /* arg: how many; one each */
#define BENCH_TREE	_IOWR('b', 14, struct bench_call) /* ticks: of bench_tree() */
#define BENCH_ARGS	_IOWR('b', 15, struct bench_call) /* arg: how many, with arguments */
#define BENCH_INSIDE	_IOWR('b', 16, struct bench_call) /* ticks: address in bench_args() */
#define BENCH_PAIR	_IOWR('b', 17, struct bench_call) /* arg: how many pairs of events */

/* How many events the figures of the buffer are the mean of. */
#define BENCH_EVENTS	1000
#define BENCH_PAGES	16

#endif
