// SPDX-License-Identifier: GPL-2.0
/*
 * Handling of probe hits: an entry for each instance where the event is enabled, and one for
 * perf.
 */
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/unaligned.h>

#include "event/core/event_list.h"
#include "event/record/event_commit.h"
#include "event/record/event_users.h"
#include "event/record/perf_entry.h"
#include "instance/core/instance.h"
#include "instance/record/record_stack.h"
#include "probe/core/probe_event.h"

/*
 * Entries
 */

/* A task, a softirq, an interrupt and an NMI. */
#define SCRATCH_NEST	4

/**
 * struct probe_hit_scratch - per-CPU memory for making entries with strings
 * @depth: number of entries in use
 * @entry: the entries; the one taken last is at @depth - 1
 */
struct probe_hit_scratch {
	unsigned int	depth;
	char		entry[SCRATCH_NEST][PROBE_ENTRY_MAX] __aligned(sizeof(u64));
};

/* Allocated with the first event that needs it, under probe_lock, and never freed. */
static struct probe_hit_scratch __percpu *scratch;

/**
 * probe_scratch_prepare - prepare for events with strings
 *
 * probe_lock held. May sleep.
 *
 * Return: 0 or -ENOMEM
 */
int probe_scratch_prepare(void)
{
	lockdep_assert_held(&probe_lock);

	/* No barrier needed: the event is enabled later, which orders the store. */
	if (!scratch)
		scratch = alloc_percpu(struct probe_hit_scratch);

	return scratch ? 0 : -ENOMEM;
}

/* Return: size of the entry in bytes */
static __always_inline unsigned int probe_hit_fill(void *entry, const struct probe *probe,
						   const struct probe_source *source,
						   const unsigned long *addresses,
						   unsigned int max_size)
{
	const struct probe_args *args = &probe->args;
	unsigned int at;

	for (at = sizeof(struct trace_entry); at < args->head; at += sizeof(*addresses))
		put_unaligned(*addresses++, (unsigned long *)(entry + at));

	return probe_fetch(args->steps, args->nr_steps, source, entry, args->size, max_size);
}

/*
 * The length of an entry with strings is known only after they have been read. They are not
 * read twice, as they may change in between.
 */
static noinline void *probe_hit_fill_outside(const struct probe *probe,
					     const struct probe_source *source,
					     const unsigned long *addresses, unsigned int *len)
{
	struct probe_hit_scratch *mine = this_cpu_ptr(scratch);
	unsigned int depth = mine->depth;

	if (depth == SCRATCH_NEST)
		return NULL;

	/* An interrupt of this code uses the next entry from now on. */
	mine->depth = depth + 1;
	barrier();
	*len = probe_hit_fill(mine->entry[depth], probe, source, addresses, PROBE_ENTRY_MAX);

	return mine->entry[depth];
}

NOKPROBE_SYMBOL(probe_hit_fill_outside);

static void probe_hit_put_outside(void)
{
	/* An interrupt of this code may use the entry only after this point. */
	barrier();
	this_cpu_ptr(scratch)->depth--;
}

NOKPROBE_SYMBOL(probe_hit_put_outside);

/* @outside: an entry that has already been filled in, or NULL */
static __always_inline void probe_hit_record(struct trace_event_file *file,
					     const struct probe *probe,
					     const struct probe_source *source,
					     const unsigned long *addresses, const void *outside,
					     unsigned int len)
{
	struct pt_regs *regs = source->regs;
	/* Stack traces begin where the probe is; those of user space are not the kernel's. */
	const struct trace_stack_start start = {
		.caller	= _RET_IP_,
		.regs	= regs && !user_mode(regs) ? regs : NULL,
	};
	/* Initialized by trace_event_buffer_reserve(). */
	struct trace_event_buffer fbuffer __uninitialized;
	void *entry;

	if (trace_trigger_soft_disabled(file))
		return;

	entry = trace_event_buffer_reserve(&fbuffer, file, len);
	if (!entry)
		return;

	if (outside)
		memcpy(entry + sizeof(struct trace_entry),
		       outside + sizeof(struct trace_entry), len - sizeof(struct trace_entry));
	else
		probe_hit_fill(entry, probe, source, addresses, len);
	trace_event_buffer_commit_at(&fbuffer, source->start ?: &start);
}

#ifdef CONFIG_PERF_EVENTS
static bool probe_hit_has_perf(const struct probe *probe)
{
	/* Pairs with use_begin_perf(). perf's lists are freed with the event. */
	return smp_load_acquire(&probe->event->perf);
}

NOKPROBE_SYMBOL(probe_hit_has_perf);

/* Return: true if the event's BPF programs let it pass */
static bool probe_hit_passes_programs(const struct probe *probe, const struct probe_source *source)
{
	struct trace_event_call *call = &probe->event->call;

	return !bpf_prog_array_valid(call) || trace_call_bpf(call, source->regs);
}

NOKPROBE_SYMBOL(probe_hit_passes_programs);

/* The same for a task that may sleep */
static bool probe_hit_passes_user_programs(const struct probe *probe,
					   const struct probe_source *source)
{
	struct trace_event_call *call = &probe->event->call;

	return !bpf_prog_array_valid(call) || trace_call_bpf_uprobe(call, source->regs);
}

static bool probe_hit_has_perf_events(const struct probe *probe)
{
	return !hlist_empty(this_cpu_ptr(probe->event->call.perf_events));
}

static void probe_hit_record_perf(const struct probe *probe, const struct probe_source *source,
				  const unsigned long *addresses, const void *outside,
				  unsigned int len)
{
	struct trace_event_call *call = &probe->event->call;
	struct pt_regs *regs = source->regs, *caller;
	struct hlist_head *events = this_cpu_ptr(call->perf_events);
	unsigned int size;
	int context;
	void *entry;

	if (hlist_empty(events))
		return;

	size = trace_perf_size(len);
	entry = perf_trace_buf_alloc(size, &caller, &context);
	if (!entry)
		return;
	if (!regs) {
		regs = caller;
		perf_fetch_caller_regs(regs);
	}

	if (outside)
		memcpy(entry, outside, len);
	else
		probe_hit_fill(entry, probe, source, addresses, len);
	memset(entry + len, 0, size - len);
	perf_trace_buf_submit(entry, size, context, call->event.type, 1, regs, events, NULL);
}

NOKPROBE_SYMBOL(probe_hit_record_perf);
#else
static inline bool probe_hit_has_perf(const struct probe *probe)
{
	return false;
}

static inline bool probe_hit_passes_programs(const struct probe *probe,
					     const struct probe_source *source)
{
	return true;
}

static inline bool probe_hit_passes_user_programs(const struct probe *probe,
						  const struct probe_source *source)
{
	return true;
}

static inline bool probe_hit_has_perf_events(const struct probe *probe)
{
	return false;
}

static inline void probe_hit_record_perf(const struct probe *probe,
					 const struct probe_source *source,
					 const unsigned long *addresses, const void *outside,
					 unsigned int len)
{
}
#endif

static __always_inline void probe_hit_record_all(const struct probe *probe,
						 const struct probe_source *source,
						 const unsigned long *addresses,
						 const void *outside, unsigned int len)
{
	const struct trace_event_user *user;

	list_for_each_entry_rcu(user, &probe->event->files, list) {
		if (!source->tr || source->tr == user->file->tr)
			probe_hit_record(user->file, probe, source, addresses, outside, len);
	}
	if (unlikely(probe_hit_has_perf(probe)) && (!source->tr || source->tr == &trace_top) &&
	    probe_hit_passes_programs(probe, source))
		probe_hit_record_perf(probe, source, addresses, outside, len);
}

/* The length of the entry is known only after it is filled in. */
static noinline void probe_hit_with_strings(const struct probe *probe,
					    const struct probe_source *source,
					    const unsigned long *addresses)
{
	unsigned int len;
	void *outside = probe_hit_fill_outside(probe, source, addresses, &len);

	if (!outside)
		return;

	probe_hit_record_all(probe, source, addresses, outside, len);
	probe_hit_put_outside();
}

NOKPROBE_SYMBOL(probe_hit_with_strings);

/**
 * probe_hit - record that a probe was hit
 * @probe: the probe
 * @source: source of its arguments
 * @addresses: addresses before the arguments: one address, two at the return of a function;
 *	unused on an event
 *
 * Context: any, preemption disabled
 */
void probe_hit(struct probe *probe, const struct probe_source *source,
	       const unsigned long *addresses)
{
	this_cpu_inc(*probe->hits);

	if (probe->args.has_strings)
		probe_hit_with_strings(probe, source, addresses);
	else
		probe_hit_record_all(probe, source, addresses, NULL, probe->args.size);
}

NOKPROBE_SYMBOL(probe_hit);

/*
 * In tasks that may sleep
 */

/*
 * Does perf get an entry on this CPU? perf's data may be freed whenever preemption is enabled,
 * so this has to be checked again afterwards.
 */
static bool probe_hit_is_perf_here(const struct probe *probe, bool perf)
{
	return perf && probe_hit_has_perf(probe) && probe_hit_has_perf_events(probe);
}

/* Is an entry recorded on this CPU at all? */
static bool probe_hit_is_recorded(const struct probe *probe, bool perf)
{
	return !list_empty(&probe->event->files) || probe_hit_is_perf_here(probe, perf);
}

/* Read memory that was not present when it was read with preemption disabled. */
static void *probe_hit_fill_sleeping(const struct probe *probe, struct probe_source *source,
				     const unsigned long *addresses, unsigned int *len)
{
	void *entry = kmalloc(PROBE_ENTRY_MAX, GFP_KERNEL);

	if (!entry)
		return NULL;

	source->user->sleeps = true;
	*len = probe_hit_fill(entry, probe, source, addresses, PROBE_ENTRY_MAX);
	source->user->sleeps = false;

	return entry;
}

static void probe_hit_record_user(const struct probe *probe, const struct probe_source *source,
				  const unsigned long *addresses, const void *outside,
				  unsigned int len, bool perf)
{
	const struct trace_event_user *user;

	list_for_each_entry_rcu(user, &probe->event->files, list)
		probe_hit_record(user->file, probe, source, addresses, outside, len);
	if (probe_hit_is_perf_here(probe, perf))
		probe_hit_record_perf(probe, source, addresses, outside, len);
}

/* Preemption is disabled at entry and at return. */
static void probe_hit_record_memory(struct probe *probe, struct probe_source *source,
				    const unsigned long *addresses, bool perf)
{
	unsigned int len = probe->args.size;
	void *outside, *slept = NULL;

	outside = probe_hit_fill_outside(probe, source, addresses, &len);
	if (outside && source->user->absent) {
		probe_hit_put_outside();
		preempt_enable_notrace();
		slept = probe_hit_fill_sleeping(probe, source, addresses, &len);
		preempt_disable_notrace();
		/*
		 * If that fails for lack of memory, record the entry as if user memory could
		 * not be read.
		 */
		outside = slept ?: probe_hit_fill_outside(probe, source, addresses, &len);
	}
	if (outside)
		probe_hit_record_user(probe, source, addresses, outside, len, perf);
	if (outside && !slept)
		probe_hit_put_outside();
	kfree(slept);
}

/**
 * probe_hit_sleeping - record that a probe in a program was hit
 * @probe: the probe
 * @source: source of its arguments
 * @addresses: addresses before the arguments, see probe_event_head()
 * @perf: the task is a target of perf events
 *
 * Memory of the program that is not present is faulted in.
 *
 * Context: the task, may sleep; rcu_read_lock_trace() is held
 */
void probe_hit_sleeping(struct probe *probe, struct probe_source *source,
			const unsigned long *addresses, bool perf)
{
	this_cpu_inc(*probe->hits);
	perf = perf && probe_hit_has_perf(probe) && probe_hit_passes_user_programs(probe, source);

	preempt_disable_notrace();
	if (!probe_hit_is_recorded(probe, perf))
		goto out;
	if (probe->args.reads_user || probe->args.has_strings)
		probe_hit_record_memory(probe, source, addresses, perf);
	else
		probe_hit_record_user(probe, source, addresses, NULL, probe->args.size, perf);
out:
	preempt_enable_notrace();
}
