// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers that send signals to the current task.
 *
 * Sending takes locks, which may already be held if interrupts are disabled. With PREEMPT_RT
 * these locks sleep, so that preemption has to be enabled. In other contexts the signal is
 * deferred to an irq_work. There is one for each CPU, and the helper returns -EBUSY while it is
 * pending.
 */
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/signal.h>

#include "bpf/helper/helpers.h"

/**
 * struct send_signal_late - a deferred signal
 * @work: irq_work that sends it
 * @task: target, with a reference; NULL if this slot is free. cmpxchg() from NULL takes
 *	ownership of the other fields.
 * @signal: its number
 * @type: PIDTYPE_PID for the task, PIDTYPE_TGID for any thread of its process
 */
struct send_signal_late {
	struct irq_work		work;
	struct task_struct	*task;
	u32			signal;
	enum pid_type		type;
};

static void send_signal_late(struct irq_work *work)
{
	struct send_signal_late *late = container_of(work, struct send_signal_late, work);

	group_send_sig_info(late->signal, SEND_SIG_PRIV, late->task, late->type);
	put_task_struct(late->task);
	/*
	 * Pairs with the cmpxchg() of send_signal_leave(): the next owner sees the slot free
	 * only after the fields have been used.
	 */
	smp_store_release(&late->task, NULL);
}

static DEFINE_PER_CPU(struct send_signal_late, late_signals) = {
	.work = IRQ_WORK_INIT(send_signal_late),
};

/* The task cannot migrate, but an interrupt or NMI may occur, and defer a signal also. */
static int send_signal_leave(u32 signal, enum pid_type type)
{
	struct send_signal_late *late = this_cpu_ptr(&late_signals);

	if (cmpxchg(&late->task, NULL, current))
		return -EBUSY;

	get_task_struct(current);
	late->signal = signal;
	late->type = type;
	irq_work_queue(&late->work);

	return 0;
}

static bool send_signal_may_lock(void)
{
	return IS_ENABLED(CONFIG_PREEMPT_RT) ? preemptible() : !irqs_disabled();
}

static int send_signal_to(u32 signal, enum pid_type type)
{
	/* Neither kernel threads nor init expect such signals. */
	if (current->flags & (PF_KTHREAD | PF_EXITING) || is_global_init(current))
		return -EPERM;
	if (!valid_signal(signal))
		return -EINVAL;

	return send_signal_may_lock() ? group_send_sig_info(signal, SEND_SIG_PRIV, current, type) :
			    send_signal_leave(signal, type);
}

BPF_CALL_1(bpf_send_signal, u32, signal)
{
	return send_signal_to(signal, PIDTYPE_TGID);
}

BPF_CALL_1(bpf_send_signal_thread, u32, signal)
{
	return send_signal_to(signal, PIDTYPE_PID);
}

const struct bpf_func_proto bpf_send_signal_proto = {
	.func		= bpf_send_signal,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_ANYTHING,
};

const struct bpf_func_proto bpf_send_signal_thread_proto = {
	.func		= bpf_send_signal_thread,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_ANYTHING,
};
