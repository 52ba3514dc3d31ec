// SPDX-License-Identifier: GPL-2.0
/*
 * BPF programs attached to trace events by perf events: they run whenever the event occurs, for
 * any task and CPU, whatever the task and CPU of the perf event are, and have access to its
 * entry.
 */
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/cleanup.h>
#include <linux/filter.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/rcupdate_trace.h>
#include <linux/slab.h>
#include <linux/syscalls.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>

#include "probe/kind/kprobe.h"
#include "probe/kind/uprobe.h"

#define MOST_PROGRAMS	64

/* Protects prog_array of each trace event, and prog of its perf events. */
static DEFINE_MUTEX(attach_lock);

static struct bpf_prog_array *perf_prog_programs_of(const struct perf_event *event)
{
	return rcu_dereference_protected(event->tp_event->prog_array,
					 lockdep_is_held(&attach_lock));
}

/* Programs at uprobes may sleep: the code that runs them is not protected only by RCU. */
static bool perf_prog_may_sleep(const struct perf_event *event)
{
	return event->tp_event->flags & TRACE_EVENT_FL_UPROBE;
}

/* Running programs may continue to use the old array. */
static void perf_prog_set_programs(struct perf_event *event, struct bpf_prog_array *programs)
{
	struct bpf_prog_array *before = perf_prog_programs_of(event);

	rcu_assign_pointer(event->tp_event->prog_array, programs);
	if (perf_prog_may_sleep(event))
		bpf_prog_array_free_sleepable(before);
	else
		bpf_prog_array_free(before);
}

/* Helpers of such a program use the context of a link, which is larger than that of perf. */
static bool perf_prog_is_for_links(const struct bpf_prog *prog)
{
	if (prog->type != BPF_PROG_TYPE_KPROBE)
		return false;

	switch (prog->expected_attach_type) {
	case BPF_TRACE_KPROBE_MULTI:
	case BPF_TRACE_KPROBE_SESSION:
	case BPF_TRACE_UPROBE_MULTI:
		return true;
	default:
		return false;
	}
}

/**
 * perf_event_attach_bpf_prog - attach a program to the trace event of a perf event
 * @event: the perf event, which takes over the caller's reference to @prog
 * @prog: the program, whose type was checked by the caller
 * @bpf_cookie: result of bpf_get_attach_cookie()
 *
 * May sleep; perf's context lock is held.
 *
 * Return: 0; -EEXIST if @event has a program, or the trace event already has @prog; -E2BIG if
 *	it has too many; -EINVAL if @prog overrides a function that does not allow it, or is for
 *	links to many functions; -ENOMEM
 */
int perf_event_attach_bpf_prog(struct perf_event *event, struct bpf_prog *prog, u64 bpf_cookie)
{
	struct bpf_prog_array *before, *programs;
	int err;

	if (perf_prog_is_for_links(prog))
		return -EINVAL;
	/* The caller has checked that it is the event of a kprobe. */
	if (prog->kprobe_override && !probe_kprobe_may_override(event->tp_event))
		return -EINVAL;

	guard(mutex)(&attach_lock);

	if (event->prog)
		return -EEXIST;

	before = perf_prog_programs_of(event);
	if (before && bpf_prog_array_length(before) >= MOST_PROGRAMS)
		return -E2BIG;

	err = bpf_prog_array_copy(before, NULL, prog, bpf_cookie, &programs);
	if (err)
		return err;

	WRITE_ONCE(event->prog, prog);
	event->bpf_cookie = bpf_cookie;
	perf_prog_set_programs(event, programs);

	return 0;
}

/* Return: the program of @event, which is no longer run from now on, or NULL */
static struct bpf_prog *perf_prog_take_program(struct perf_event *event)
{
	struct bpf_prog_array *programs;
	struct bpf_prog *prog;

	guard(mutex)(&attach_lock);

	prog = event->prog;
	if (!prog)
		return NULL;

	if (!event->parent) {
		/*
		 * Without memory for a shorter array, the entry of the program is replaced by a
		 * dummy.
		 */
		if (bpf_prog_array_copy(perf_prog_programs_of(event), prog, NULL, 0, &programs))
			bpf_prog_array_delete_safe(perf_prog_programs_of(event), prog);
		else
			perf_prog_set_programs(event, programs);
	}

	/* bpf_get_perf_event_info() may use it until a grace period of RCU has passed. */
	WRITE_ONCE(event->prog, NULL);

	return prog;
}

/**
 * struct perf_prog_detached - a program that tasks may still be running
 * @prog: the program
 * @rcu: head for waiting
 */
struct perf_prog_detached {
	struct bpf_prog	*prog;
	struct rcu_head	rcu;
};

static void perf_prog_put_rcu(struct rcu_head *head)
{
	struct perf_prog_detached *detached = container_of(head, struct perf_prog_detached, rcu);

	bpf_prog_put(detached->prog);
	kfree(detached);
}

/*
 * Release a program of an event of uprobes, where it is protected by RCU tasks trace. If it is not
 * sleepable, it is otherwise freed after only a grace period of plain RCU.
 */
static void perf_prog_put_later(struct bpf_prog *prog)
{
	struct perf_prog_detached *detached = kmalloc(sizeof(*detached), GFP_KERNEL);

	if (detached) {
		detached->prog = prog;
		call_rcu_tasks_trace(&detached->rcu, perf_prog_put_rcu);
	} else {
		synchronize_rcu_tasks_trace();
		bpf_prog_put(prog);
	}
}

/**
 * perf_event_detach_bpf_prog - undo perf_event_attach_bpf_prog()
 * @event: the perf event, which may have no program
 *
 * May sleep. A child of an event only has a reference to its parent's program.
 */
void perf_event_detach_bpf_prog(struct perf_event *event)
{
	struct bpf_prog *prog = perf_prog_take_program(event);

	if (!prog)
		return;

	if (perf_prog_may_sleep(event) && !event->parent)
		perf_prog_put_later(prog);
	else
		bpf_prog_put(prog);
}

/**
 * trace_call_bpf - run the programs of a trace event
 * @call: the trace event
 * @ctx: its entry, whose first word points to registers
 *
 * Any context, preemption disabled.
 *
 * Return: 0 if a program rejects the sample of the event
 */
unsigned int trace_call_bpf(struct trace_event_call *call, void *ctx)
{
	const struct bpf_prog_array *programs;
	unsigned int ret = 0;

	cant_sleep();

	guard(rcu)();
	programs = rcu_dereference(call->prog_array);

	/*
	 * Not inside a program, nor while the kernel updates maps: it may hold locks that
	 * programs take.
	 */
	if (__this_cpu_inc_return(bpf_prog_active) == 1)
		ret = bpf_prog_run_array(programs, ctx, bpf_prog_run);
	else
		bpf_prog_inc_misses_counters(programs);
	__this_cpu_dec(bpf_prog_active);

	return ret;
}

/**
 * trace_call_bpf_uprobe - run the programs of an event at a uprobe
 * @call: the event
 * @regs: the registers, which are the context of the programs
 *
 * Context: the task that hits the probe, may sleep; rcu_read_lock_trace() is held
 *
 * Return: 0 if a program rejects the sample of the event
 */
unsigned int trace_call_bpf_uprobe(struct trace_event_call *call, struct pt_regs *regs)
{
	const struct bpf_prog_array *programs;

	programs = rcu_dereference_check(call->prog_array, rcu_read_lock_trace_held());

	return bpf_prog_run_array_uprobe(programs, regs, bpf_prog_run);
}

/**
 * perf_event_query_prog_array - copy the ids of a trace event's programs to user space
 * @event: the perf event of the trace event
 * @info: a struct perf_event_query_bpf
 *
 * May sleep.
 *
 * Return: 0; -EPERM, -EINVAL if it does not belong to a trace event, -E2BIG if the capacity
 *	given by user space exceeds the maximum number of programs, -ENOSPC if it is less than
 *	the number of programs, -EFAULT, -ENOMEM
 */
int perf_event_query_prog_array(struct perf_event *event, void __user *info)
{
	struct perf_event_query_bpf __user *query = info;
	u32 max, nr, *ids __free(kfree) = NULL;
	int err;

	if (!perfmon_capable())
		return -EPERM;
	if (event->attr.type != PERF_TYPE_TRACEPOINT)
		return -EINVAL;
	if (get_user(max, &query->ids_len))
		return -EFAULT;
	if (max > MOST_PROGRAMS)
		return -E2BIG;

	ids = kcalloc(max, sizeof(*ids), GFP_USER);
	if (!ids)
		return -ENOMEM;

	scoped_guard(mutex, &attach_lock)
		err = bpf_prog_array_copy_info(perf_prog_programs_of(event), ids, max, &nr);

	if (put_user(nr, &query->prog_cnt) ||
	    copy_to_user(query->ids, ids, min(nr, max) * sizeof(*ids)))
		return -EFAULT;

	return err;
}

/* Information about a program at a uprobe: pointers that are NULL are skipped. */
static int perf_prog_uprobe_info(const struct perf_event *event, u32 *fd_type, const char **buf,
				 u64 *probe_offset, u64 *probe_addr, unsigned long *missed)
{
	const struct probe_uprobe_place *place = probe_uprobe_place_of(event->tp_event);

	*buf = place->file;
	if (fd_type)
		*fd_type = place->at_return ? BPF_FD_TYPE_URETPROBE : BPF_FD_TYPE_UPROBE;
	if (probe_offset)
		*probe_offset = place->offset;
	if (probe_addr)
		*probe_addr = 0;
	if (missed)
		*missed = 0;

	return 0;
}

/* The same for a kprobe. */
static int perf_prog_kprobe_info(const struct perf_event *event, u32 *fd_type, const char **buf,
				 u64 *probe_offset, u64 *probe_addr, unsigned long *missed)
{
	struct probe_kprobe_info info = {};

	if (!(event->tp_event->flags & TRACE_EVENT_FL_KPROBE))
		return -EOPNOTSUPP;

	probe_kprobe_info(event->tp_event, &info);
	*buf = info.symbol;
	if (fd_type)
		*fd_type = info.at_return ? BPF_FD_TYPE_KRETPROBE : BPF_FD_TYPE_KPROBE;
	if (probe_offset)
		*probe_offset = info.offset;
	if (probe_addr)
		*probe_addr = info.address;
	if (missed)
		*missed = info.missed;

	return 0;
}

/**
 * bpf_get_perf_event_info - get the attach point of a perf event's program
 * @event: the perf event
 * @prog_id: set to the id of the program
 * @fd_type: set to BPF_FD_TYPE_*
 * @buf: set to the name of the trace event, of the function with the kprobe, or of the file of
 *	a uprobe
 * @probe_offset: set to the offset of the probe in it, or 0, unless NULL
 * @probe_addr: set to the address of a kprobe if the current task may see it, or 0, unless NULL
 * @missed: set to the number of missed hits of a kprobe, or 0, unless NULL
 *
 * The program may be detached concurrently. Any context.
 *
 * Return: 0; -ENOENT if it has no program, -EOPNOTSUPP if the program is of another type
 */
int bpf_get_perf_event_info(const struct perf_event *event, u32 *prog_id, u32 *fd_type,
			    const char **buf, u64 *probe_offset, u64 *probe_addr,
			    unsigned long *missed)
{
	const struct bpf_prog *prog;

	guard(rcu)();

	prog = READ_ONCE(event->prog);
	if (!prog)
		return -ENOENT;
	*prog_id = prog->aux->id;
	if (prog->type == BPF_PROG_TYPE_KPROBE && event->tp_event->flags & TRACE_EVENT_FL_UPROBE)
		return perf_prog_uprobe_info(event, fd_type, buf, probe_offset, probe_addr, missed);
	if (prog->type == BPF_PROG_TYPE_KPROBE)
		return perf_prog_kprobe_info(event, fd_type, buf, probe_offset, probe_addr, missed);
	if (prog->type != BPF_PROG_TYPE_TRACEPOINT)
		return -EOPNOTSUPP;

	*buf = trace_event_name(event->tp_event);
	if (fd_type)
		*fd_type = BPF_FD_TYPE_TRACEPOINT;
	if (probe_offset)
		*probe_offset = 0;
	if (probe_addr)
		*probe_addr = 0;
	if (missed)
		*missed = 0;

	return 0;
}
