// SPDX-License-Identifier: GPL-2.0
/*
 * The tracer timerlat: the latency of a timer, and of the thread that it wakes.
 *
 * A thread on each CPU sets a timer and sleeps. The interrupt of the timer records its delay
 * after the expiry time, and the thread records its own delay after that time. Threads of user
 * space can do the same, instead of kernel threads, by reading
 * osnoise/per_cpu/cpuN/timerlat_fd.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/stacktrace.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>
#include <uapi/linux/sched/types.h>

#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/record/entry.h"
#include "instance/record/record_stack.h"
#include "instance/snapshot/max_latency.h"
#include "instance/tracer/register_tracer.h"
#include "instance/tracer/tracer.h"
#include "lib/probes.h"
#include "tracer/osnoise/osnoise_account.h"
#include "tracer/osnoise/osnoise_workload.h"
#include "tracer/osnoise/timerlat.h"
#include "tracer/selftest/selftest.h"

/* Documentation/tools/rtla/common_timerlat_options.rst */
#define TIMERLAT_PRIORITY	95

#define TIMERLAT_CALLERS	48

/* timerlat_entry.context */
enum timerlat_context {
	TIMERLAT_IRQ,
	TIMERLAT_THREAD,
	TIMERLAT_USER_RET,
};

/**
 * struct timerlat_thread - a measuring thread
 * @timer: the timer that wakes it
 * @task: the thread
 * @cpu: the CPU that it runs on
 * @activation: number of activations, counted from 1
 * @expires: expiry time of the timer that was last set
 * @fired: the timer has expired
 * @nr_callers: number of @callers, 0 without option print_stack
 * @callers: stack that the timer has interrupted
 */
struct timerlat_thread {
	struct hrtimer		timer;
	struct task_struct	*task;
	unsigned int		cpu;
	unsigned int		activation;
	ktime_t			expires;
	bool			fired;
	unsigned int		nr_callers;
	unsigned long		callers[TIMERLAT_CALLERS];
};

/**
 * struct timerlat_user - a measuring thread of user space
 * @thread: the part in common with kernel threads
 * @in_user: it has returned to user space after an activation
 * @evicted: it must stop measuring
 * @kill: kills it if it migrates
 */
struct timerlat_user {
	struct timerlat_thread	thread;
	bool			in_user;
	bool			evicted;
	struct irq_work		kill;
};

/* The thread of user space on a CPU; protected by trace_lock */
static DEFINE_PER_CPU(struct timerlat_user *, attached);

/**
 * struct timerlat_sample - a measured latency
 * @context: context of the measurement
 * @activation: number of the activation
 * @ns: the latency
 */
struct timerlat_sample {
	enum timerlat_context	context;
	unsigned int		activation;
	u64			ns;
};

static void timerlat_record_sample(struct trace_array *tr, const void *data)
{
	struct trace_buffer *buffer = tr->main.buffer;
	const struct timerlat_sample *sample = data;
	struct timerlat_entry *entry;

	trace_latency_raise(tr, sample->ns);

	entry = trace_entry_begin(buffer, TRACE_TIMERLAT, sizeof(*entry), trace_context_now());
	if (!entry)
		return;

	entry->seqnum = sample->activation;
	entry->context = sample->context;
	entry->timer_latency = sample->ns;
	trace_entry_end(buffer);
}

static void timerlat_record_callers(struct trace_array *tr, const void *data)
{
	const struct timerlat_thread *thread = data;

	trace_record_callers(tr, trace_context_now(), thread->callers, thread->nr_callers);
}

/* Record the time since the expiry time; @now is the current time or one read earlier. */
static u64 timerlat_record_latency(const struct timerlat_thread *thread,
				   enum timerlat_context context,
				   ktime_t now)
{
	struct timerlat_sample sample = {
		.context	= context,
		.activation	= thread->activation,
		.ns		= max(ktime_to_ns(ktime_sub(now, thread->expires)), 0LL),
	};

	trace_workload_record(timerlat_record_sample, &sample);

	return sample.ns;
}

static bool timerlat_is_over(u64 ns, enum osnoise_number number)
{
	u64 limit = trace_osnoise_ns(number);

	return limit && ns > limit;
}

/* Only interference after the timer interrupt counts towards the thread latency. */
static void timerlat_measure_irq(struct timerlat_thread *thread, ktime_t now)
{
	u64 ns;

	trace_noise_since_irq();
	ns = timerlat_record_latency(thread, TIMERLAT_IRQ, now);

	if (timerlat_is_over(ns, OSNOISE_STOP)) {
		if (thread->nr_callers)
			trace_workload_record(timerlat_record_callers, thread);
		trace_workload_stop_recording("a latency of the timer", ns);
	}
}

/* Tools expect this function's name at the top of stacks. */
static enum hrtimer_restart timerlat_irq(struct hrtimer *timer)
{
	struct timerlat_thread *thread = container_of(timer, struct timerlat_thread, timer);
	ktime_t now = ktime_get();

	/* The timers of a CPU that goes offline expire on another CPU. */
	if (smp_processor_id() == thread->cpu) {
		thread->nr_callers = 0;
		if (trace_osnoise_number(OSNOISE_PRINT_STACK))
			thread->nr_callers = stack_trace_save(thread->callers,
							      TIMERLAT_CALLERS, 0);
		timerlat_measure_irq(thread, now);
	}

	/* The thread tests it when it is woken, or before it sleeps. */
	WRITE_ONCE(thread->fired, true);
	wake_up_process(thread->task);

	return HRTIMER_NORESTART;
}

static void timerlat_measure_thread(const struct timerlat_thread *thread,
				    enum timerlat_context context)
{
	u64 ns = timerlat_record_latency(thread, context, ktime_get());

	if (context == TIMERLAT_THREAD && thread->nr_callers &&
	    timerlat_is_over(ns, OSNOISE_PRINT_STACK))
		trace_workload_record(timerlat_record_callers, thread);
	if (timerlat_is_over(ns, OSNOISE_STOP_TOTAL))
		trace_workload_stop_recording("a latency of the thread", ns);
}

/*
 * The next expiry time that is still in the future. Activations that would be late are skipped.
 */
static ktime_t timerlat_next_activation(ktime_t last)
{
	u64 period = trace_osnoise_ns(OSNOISE_TIMERLAT_PERIOD);
	ktime_t next = ktime_add_ns(last, period);
	s64 late = ktime_to_ns(ktime_sub(ktime_get(), next));

	return late < 0 ? next : ktime_add_ns(next, (div64_u64(late, period) + 1) * period);
}

static bool timerlat_should_end(void)
{
	return current->flags & PF_KTHREAD ? kthread_should_stop() : signal_pending(current);
}

/* Return: false if the thread has to exit or to handle a signal before the timer has expired. */
static bool timerlat_wait_for_timer(struct timerlat_thread *thread)
{
	thread->fired = false;
	thread->activation++;
	thread->expires = timerlat_next_activation(thread->expires);
	hrtimer_start(&thread->timer, thread->expires, HRTIMER_MODE_ABS_PINNED_HARD);

	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (READ_ONCE(thread->fired) || timerlat_should_end())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	hrtimer_cancel(&thread->timer);

	return READ_ONCE(thread->fired);
}

static int timerlat_run(void *unused)
{
	static const struct sched_attr attr = {
		.size		= sizeof(attr),
		.sched_policy	= SCHED_FIFO,
		.sched_priority	= TIMERLAT_PRIORITY,
	};
	struct timerlat_thread thread = {
		.task		= current,
		.cpu		= raw_smp_processor_id(),
		.expires	= ktime_get(),
	};

	WARN_ON_ONCE(sched_setattr_nocheck(current, &attr));
	hrtimer_init_on_stack(&thread.timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
	thread.timer.function = timerlat_irq;
	trace_noise_ignore(thread.cpu, current);
	while (timerlat_wait_for_timer(&thread))
		timerlat_measure_thread(&thread, TIMERLAT_THREAD);
	trace_noise_unignore(thread.cpu, current);
	destroy_hrtimer_on_stack(&thread.timer);

	return 0;
}

static void timerlat_evict(struct timerlat_user *user)
{
	WRITE_ONCE(user->evicted, true);
	send_sig(SIGKILL, user->thread.task, 1);
}

static void timerlat_evict_all(void)
{
	unsigned int cpu;

	lockdep_assert_held(&trace_lock);

	for_each_possible_cpu(cpu) {
		if (per_cpu(attached, cpu))
			timerlat_evict(per_cpu(attached, cpu));
	}
}

static struct trace_workload workload = {
	.workers = {
		.name	= "timerlat/%u",
		.run	= timerlat_run,
	},
	.evict	= timerlat_evict_all,
};

static void timerlat_evict_migrated(struct irq_work *work)
{
	timerlat_evict(container_of(work, struct timerlat_user, kill));
}

/* Called under locks of the scheduler, which sending a signal also takes. */
static void timerlat_user_migrates(void *data, struct task_struct *task, int cpu)
{
	struct timerlat_user *user = data;

	if (task == user->thread.task && cpu != user->thread.cpu)
		irq_work_queue(&user->kill);
}

static const struct trace_probe user_probes[] = {
	TRACE_PROBE(sched_migrate_task, timerlat_user_migrates),
	{ }
};

static bool timerlat_is_pinned_to(unsigned int cpu)
{
	return current->nr_cpus_allowed == 1 && cpumask_test_cpu(cpu, current->cpus_ptr);
}

static void timerlat_user_free(struct timerlat_user *user)
{
	trace_probes_unregister(user_probes, ~0U, user);
	tracepoint_synchronize_unregister();
	irq_work_sync(&user->kill);
	put_task_struct(user->thread.task);
	kfree(user);
}

static struct timerlat_user *timerlat_user_alloc(unsigned int cpu)
{
	struct timerlat_user *user = kzalloc(sizeof(*user), GFP_KERNEL);
	int ret;

	if (!user)
		return ERR_PTR(-ENOMEM);

	init_irq_work(&user->kill, timerlat_evict_migrated);
	hrtimer_init(&user->thread.timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
	user->thread.timer.function = timerlat_irq;
	user->thread.task = get_task_struct(current);
	user->thread.cpu = cpu;
	user->thread.expires = ktime_get();

	ret = trace_probes_register(user_probes, ~0U, user);
	if (ret) {
		put_task_struct(current);
		kfree(user);
		return ERR_PTR(ret);
	}

	return user;
}

/**
 * trace_timerlat_attach - make the current thread measure, like a kernel thread
 * @cpu: CPU to measure; it must be the only CPU that the thread may use
 *
 * Takes trace_lock. The thread gets SIGKILL if it migrates to another CPU, and when threads of
 * user space may no longer measure.
 *
 * Return: handle for the other functions; -EINVAL unless the tracer is active without
 *	OSNOISE_WORKLOAD; -EPERM if the thread may use another CPU; -EBUSY if there is another
 *	thread; -ENOMEM
 */
struct timerlat_user *trace_timerlat_attach(unsigned int cpu)
{
	struct timerlat_user *user;

	guard(mutex)(&trace_lock);

	if (!trace_workload_is_active(&workload) || trace_osnoise_option(OSNOISE_WORKLOAD))
		return ERR_PTR(-EINVAL);
	if (!timerlat_is_pinned_to(cpu))
		return ERR_PTR(-EPERM);
	if (per_cpu(attached, cpu))
		return ERR_PTR(-EBUSY);

	user = timerlat_user_alloc(cpu);
	if (IS_ERR(user))
		return user;

	/* From here on the probe detects migrations. */
	if (raw_smp_processor_id() != cpu) {
		timerlat_user_free(user);
		return ERR_PTR(-EPERM);
	}
	per_cpu(attached, cpu) = user;
	trace_noise_ignore(cpu, current);

	return user;
}

/**
 * trace_timerlat_cycle - end an activation, and wait for the next one
 * @user: the current thread
 *
 * Records the delay after the last timer until the thread returned from user space, if there
 * was a timer, and the latencies of the next timer and of the thread.
 *
 * Return: 0; -ERESTARTSYS for a signal; -EPERM if the current thread is not the thread of
 *	@user, or was evicted
 */
int trace_timerlat_cycle(struct timerlat_user *user)
{
	struct timerlat_thread *thread = &user->thread;

	if (current != thread->task)
		return -EPERM;

	if (!timerlat_is_pinned_to(thread->cpu))
		timerlat_evict(user);
	if (READ_ONCE(user->evicted))
		return -EPERM;

	if (user->in_user)
		timerlat_measure_thread(thread, TIMERLAT_USER_RET);

	user->in_user = timerlat_wait_for_timer(thread);
	if (!user->in_user)
		return -ERESTARTSYS;

	timerlat_measure_thread(thread, TIMERLAT_THREAD);

	return 0;
}

/**
 * trace_timerlat_detach - undo trace_timerlat_attach()
 * @user: the thread, which may have exited; it is freed
 *
 * Takes trace_lock. Sleeps for a grace period of RCU.
 */
void trace_timerlat_detach(struct timerlat_user *user)
{
	scoped_guard(mutex, &trace_lock) {
		trace_noise_unignore(user->thread.cpu, user->thread.task);
		per_cpu(attached, user->thread.cpu) = NULL;
	}
	timerlat_user_free(user);
}

static int timerlat_init(struct trace_array *tr)
{
	return trace_workload_begin(tr, &workload);
}

static struct tracer timerlat_tracer = {
	.name			= "timerlat",
	.init			= timerlat_init,
	.reset			= trace_workload_end,
	.header			= trace_timerlat_header,
	.selftest		= timerlat_selftest,
	.allow_instances	= true,
};

static int __init timerlat_tracer_init(void)
{
	return trace_top.main.buffer ? register_tracer(&timerlat_tracer) : -ENODEV;
}

/* Same as for osnoise: both share the code of the threads. */
late_initcall(timerlat_tracer_init);
