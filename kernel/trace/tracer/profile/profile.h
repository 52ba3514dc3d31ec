/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The function profiler: interface for its files.
 */
#ifndef _TRACE_TRACER_PROFILE_PROFILE_H
#define _TRACE_TRACER_PROFILE_PROFILE_H

#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/minmax.h>
#include <linux/types.h>

/*
 * Durations are counted in slots. Slot 0 is for durations below 64 ns; each further slot ends
 * at twice the duration at which it begins, and the last one has no end.
 */
#define PROFILE_SLOTS		27
#define PROFILE_SLOT_SHIFT	6

/* profile_slot - get the slot of a duration in nanoseconds */
static __always_inline unsigned int profile_slot(u64 ns)
{
	return min(fls64(ns >> PROFILE_SLOT_SHIFT), PROFILE_SLOTS - 1);
}

/* The same for a duration of less than 2^32 ns */
static __always_inline unsigned int profile_slot_u32(u32 ns)
{
	static_assert(32 - PROFILE_SLOT_SHIFT < PROFILE_SLOTS);

	return fls(ns >> PROFILE_SLOT_SHIFT);
}

/* profile_slot_begin - get the shortest duration of a slot, in nanoseconds */
static inline u64 profile_slot_begin(unsigned int slot)
{
	return slot ? BIT_ULL(PROFILE_SLOT_SHIFT + slot - 1) : 0;
}

/**
 * struct profile_line - counters of a function on a CPU
 * @ip: its call site
 * @hits: number of calls that began there
 * @returns: number of calls that returned there
 * @time: sum of their durations, in nanoseconds
 * @variance: variance of their durations, in square nanoseconds; 0 if there was only one
 * @slots: number of calls by duration
 */
struct profile_line {
	unsigned long	ip;
	u64		hits;
	u64		returns;
	u64		time;
	u64		variance;
	u64		slots[PROFILE_SLOTS];
};

/**
 * struct profile_table - counters of a CPU, for reading
 * @missed: number of calls not counted for lack of memory: for their function, or for the
 *	return stack of their task
 * @untimed: number of returns not counted, as there was no memory for their function
 * @nr: number of lines
 * @line: the called functions, in descending order of their time, or without function graph, of
 *	their number of calls
 */
struct profile_table {
	u64			missed;
	u64			untimed;
	unsigned int		nr;
	struct profile_line	line[] __counted_by(nr);
};

/* Durations need returns. */
#define PROFILE_HAS_TIME	IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER)

bool trace_profile_enabled(void);
int trace_profile_enable(bool on);
struct profile_table *trace_profile_read(unsigned int cpu);

#endif /* _TRACE_TRACER_PROFILE_PROFILE_H */
