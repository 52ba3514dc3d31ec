// SPDX-License-Identifier: GPL-2.0
/*
 * Implements the kernel interfaces of "ring/env.h" in user space.
 */
#include "ring/page.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__thread int env_cpu;
__thread int env_preempt;
__thread int env_irqs_off;
static __thread bool env_pending[2];
/* enum env_irq of the handlers that are running, as bits */
static __thread unsigned long env_inside;
static __thread struct irq_work *env_works;

int nr_cpu_ids = ENV_CPUS;
struct cpumask env_possible = { BIT(ENV_CPUS) - 1 };
struct cpumask env_online;

long env_allocs_left = -1;
long env_allocs_live;
long env_mem_pages = 1 << 20;
bool env_killed;
bool env_quiet;
bool env_dawdles;
unsigned long env_warnings;
u64 env_build = 1;
u64 env_text = 0x40000000;
bool env_signal_pending;
int env_hangs;
unsigned long env_flushed;
void *env_written_back;
unsigned long env_written_size;
unsigned long env_calls;
void (*env_mutex_found_free)(void);
void (*env_before_spinlock)(void);

u64 trace_clock_local(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

u64 (*env_clock)(void) = trace_clock_local;
void (*env_irq_handler)(enum env_irq irq, bool early);

/*
 * Memory
 */
void *env_alloc(size_t size, size_t align)
{
	long left = __atomic_load_n(&env_allocs_left, __ATOMIC_RELAXED);
	void *p;

	if (!left)
		return NULL;
	if (left > 0)
		__atomic_fetch_sub(&env_allocs_left, 1, __ATOMIC_RELAXED);
	p = aligned_alloc(align, ALIGN(size, align));
	if (!p)
		abort();
	memset(p, 0, ALIGN(size, align));
	__atomic_fetch_add(&env_allocs_live, 1, __ATOMIC_RELAXED);
	return p;
}

void env_free(void *p)
{
	if (p)
		__atomic_fetch_sub(&env_allocs_live, 1, __ATOMIC_RELAXED);
	free(p);
}

/*
 * CPUs
 */
struct env_call {
	void	(*fn)(void *info);
	void	*info;
	int	done;
};

static struct env_cpu {
	pthread_t	thread;
	pthread_mutex_t	mutex;	/* the thread does not exit while it is held */
	unsigned long	sent;	/* enum env_irq in flight, as bits */
	struct env_call	*call;
	const int	*preempt;
} env_cpus[ENV_CPUS] = {
	[0 ... ENV_CPUS - 1] = { .mutex = PTHREAD_MUTEX_INITIALIZER },
};

#define ENV_SIG_SOFTIRQ	SIGUSR1
#define ENV_SIG_HARDIRQ	SIGUSR2
#define ENV_SIG_NMI	SIGRTMIN
#define ENV_SIG_IPI	(SIGRTMIN + 1)

static void env_ipi(void)
{
	struct env_call *call = __atomic_exchange_n(&env_cpus[env_cpu].call, NULL,
						    __ATOMIC_ACQ_REL);
	struct irq_work *work, *next;

	if (call) {
		call->fn(call->info);
		__atomic_store_n(&call->done, 1, __ATOMIC_RELEASE);
		__atomic_fetch_add(&env_calls, 1, __ATOMIC_RELEASE);
	}
	work = __atomic_exchange_n(&env_works, NULL, __ATOMIC_RELAXED);
	for (; work; work = next) {
		next = work->next;
		__atomic_store_n(&work->pending, 0, __ATOMIC_RELEASE);
		work->fn(work);
	}
}

void irq_work_queue(struct irq_work *work)
{
	struct irq_work *first = __atomic_load_n(&env_works, __ATOMIC_RELAXED);

	if (env_cpu >= ENV_CPUS || !cpu_online(env_cpu)) {
		work->fn(work);
		return;
	}
	if (__atomic_exchange_n(&work->pending, 1, __ATOMIC_ACQUIRE))
		return;
	do {
		work->next = first;
	} while (!__atomic_compare_exchange_n(&env_works, &first, work, false,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	pthread_kill(pthread_self(), ENV_SIG_IPI);
}

void irq_work_sync(struct irq_work *work)
{
	while (__atomic_load_n(&work->pending, __ATOMIC_ACQUIRE))
		sched_yield();
}

static __thread struct env_wait *env_waiting;

void prepare_to_wait(wait_queue_head_t *queue, struct env_wait *entry, int state)
{
	entry->queue = queue;
	entry->wakes = __atomic_load_n(&queue->wakes, __ATOMIC_SEQ_CST);
	env_waiting = entry;
}

void env_schedule(void)
{
	struct timespec patience = { .tv_sec = ENV_PATIENCE_MS / 1000 };
	int *wakes = &env_waiting->queue->wakes;

	if (syscall(SYS_futex, wakes, FUTEX_WAIT_PRIVATE, env_waiting->wakes, &patience,
		    NULL, 0) && errno == ETIMEDOUT) {
		__atomic_fetch_add(&env_hangs, 1, __ATOMIC_RELAXED);
		__atomic_store_n(&env_signal_pending, true, __ATOMIC_RELAXED);
	}
	/* TSan does not know the futex. */
	__atomic_load_n(wakes, __ATOMIC_SEQ_CST);
}

void wake_up_all(wait_queue_head_t *queue)
{
	__atomic_fetch_add(&queue->wakes, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &queue->wakes, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static int env_rcu_live;

static void *env_rcu(void *arg)
{
	struct rcu_head *head = arg;

	env_cpu = ENV_CPUS;
	synchronize_rcu();
	head->fn(head);
	__atomic_fetch_sub(&env_rcu_live, 1, __ATOMIC_RELEASE);
	return NULL;
}

void call_rcu_hurry(struct rcu_head *head, void (*fn)(struct rcu_head *head))
{
	pthread_t thread;

	head->fn = fn;
	__atomic_fetch_add(&env_rcu_live, 1, __ATOMIC_RELAXED);
	if (pthread_create(&thread, NULL, env_rcu, head))
		abort();
	pthread_detach(thread);
}

void rcu_barrier(void)
{
	while (__atomic_load_n(&env_rcu_live, __ATOMIC_ACQUIRE))
		sched_yield();
}

void wait_for_completion(struct completion *c)
{
	while (!__atomic_load_n(&c->done, __ATOMIC_ACQUIRE))
		sched_yield();
}

static void env_run_irq(enum env_irq irq, int offset)
{
	int off = env_irqs_off;

	/* Hardware does not interrupt again before the handler enables interrupts. */
	if (irq == ENV_HARDIRQ)
		env_irqs_off = 1;
	env_inside |= BIT(irq);
	barrier();

	/* Entry code may trace before it has updated preempt_count(). */
	if (env_irq_handler && irq != ENV_SOFTIRQ)
		env_irq_handler(irq, true);
	WRITE_ONCE(env_preempt, READ_ONCE(env_preempt) + offset);
	barrier();
	if (env_irq_handler)
		env_irq_handler(irq, false);
	barrier();
	/* synchronize_rcu() */
	smp_store_release(&env_preempt, READ_ONCE(env_preempt) - offset);
	barrier();
	env_inside &= ~BIT(irq);
	env_irqs_off = off;
}

static void env_run_ipi(void)
{
	int off = env_irqs_off;

	WRITE_ONCE(env_preempt, READ_ONCE(env_preempt) + HARDIRQ_OFFSET);
	env_irqs_off = 1;
	barrier();
	env_ipi();
	barrier();
	env_irqs_off = off;
	/* synchronize_rcu() */
	smp_store_release(&env_preempt, READ_ONCE(env_preempt) - HARDIRQ_OFFSET);
}

void env_irqs_on(void)
{
	env_irqs_off = 0;
	barrier();
	while (READ_ONCE(env_pending[0]) || READ_ONCE(env_pending[1])) {
		if (READ_ONCE(env_pending[1])) {
			WRITE_ONCE(env_pending[1], false);
			env_run_ipi();
		}
		if (READ_ONCE(env_pending[0])) {
			WRITE_ONCE(env_pending[0], false);
			env_run_irq(ENV_HARDIRQ, HARDIRQ_OFFSET);
		}
	}
}

/*
 * Like hardware, only one interrupt of a kind is pending. Queued signals would be delivered all
 * at once, nested on the stack, if a thread has not run for some time.
 */
static bool env_send(int cpu, enum env_irq irq)
{
	unsigned long bit = BIT(irq);

	return !(__atomic_fetch_or(&env_cpus[cpu].sent, bit, __ATOMIC_RELAXED) & bit);
}

static void env_sent(int cpu, int sig)
{
	enum env_irq irq = sig == ENV_SIG_SOFTIRQ ? ENV_SOFTIRQ :
			   sig == ENV_SIG_HARDIRQ ? ENV_HARDIRQ : ENV_NMI;

	if (sig != ENV_SIG_IPI)
		__atomic_fetch_and(&env_cpus[cpu].sent, ~BIT(irq), __ATOMIC_RELAXED);
}

static void env_signal(int sig)
{
	int saved = errno;

	env_sent(env_cpu, sig);
	if (sig == ENV_SIG_NMI) {
		if (!(env_inside & BIT(ENV_NMI)))
			env_run_irq(ENV_NMI, NMI_OFFSET + HARDIRQ_OFFSET);
	} else if (env_inside & BIT(ENV_NMI) || env_irqs_off) {
		if (sig == ENV_SIG_HARDIRQ)
			WRITE_ONCE(env_pending[0], true);
		else if (sig == ENV_SIG_IPI)
			WRITE_ONCE(env_pending[1], true);
	} else if (sig == ENV_SIG_IPI) {
		env_run_ipi();
		env_irqs_on();
	} else if (sig == ENV_SIG_HARDIRQ) {
		env_run_irq(ENV_HARDIRQ, HARDIRQ_OFFSET);
		env_irqs_on();
	} else if (!env_inside) {
		env_run_irq(ENV_SOFTIRQ, SOFTIRQ_OFFSET);
	}
	errno = saved;
}

void env_cpu_start(int cpu)
{
	struct sigaction sa = { .sa_handler = env_signal, .sa_flags = SA_NODEFER | SA_RESTART };
	int sig[] = { ENV_SIG_SOFTIRQ, ENV_SIG_HARDIRQ, ENV_SIG_NMI, ENV_SIG_IPI };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sig); i++)
		sigaction(sig[i], &sa, NULL);
	env_cpu = cpu;
	env_cpus[cpu].thread = pthread_self();
	__atomic_store_n(&env_cpus[cpu].sent, 0, __ATOMIC_RELAXED);
	pthread_mutex_lock(&env_cpus[cpu].mutex);
	env_cpus[cpu].preempt = &env_preempt;
	pthread_mutex_unlock(&env_cpus[cpu].mutex);
	cpumask_set_cpu(cpu, &env_online);
}

void env_cpu_stop(void)
{
	struct env_cpu *cpu = &env_cpus[env_cpu];

	pthread_mutex_lock(&cpu->mutex);
	__atomic_fetch_and(&env_online.bits, ~BIT(env_cpu), __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&cpu->mutex);

	/* A caller that has seen it online waits for an answer. */
	env_ipi();
}

bool cpu_online(int cpu)
{
	/* After env_cpu_stop() other CPUs do the work of this CPU. */
	return smp_load_acquire(&env_online.bits) >> cpu & 1;
}

static bool env_kill(int cpu, int sig)
{
	bool sent;

	if (!cpu_online(cpu))
		return false;
	pthread_mutex_lock(&env_cpus[cpu].mutex);
	sent = cpu_online(cpu) && !pthread_kill(env_cpus[cpu].thread, sig);
	pthread_mutex_unlock(&env_cpus[cpu].mutex);
	return sent;
}

bool env_irq(int cpu, enum env_irq irq)
{
	const int sig[] = { ENV_SIG_SOFTIRQ, ENV_SIG_HARDIRQ, ENV_SIG_NMI };

	return env_send(cpu, irq) && env_kill(cpu, sig[irq]);
}

int smp_call_function_single(int cpu, void (*fn)(void *info), void *info, int wait)
{
	static pthread_mutex_t callers[ENV_CPUS] = {
		[0 ... ENV_CPUS - 1] = PTHREAD_MUTEX_INITIALIZER,
	};
	struct env_call call = { .fn = fn, .info = info };

	pthread_mutex_lock(&callers[cpu]);
	__atomic_store_n(&env_cpus[cpu].call, &call, __ATOMIC_RELEASE);
	if (!env_kill(cpu, ENV_SIG_IPI) &&
	    __atomic_exchange_n(&env_cpus[cpu].call, NULL, __ATOMIC_ACQ_REL)) {
		/* It is offline; do it here. */
		fn(info);
	} else {
		while (!__atomic_load_n(&call.done, __ATOMIC_ACQUIRE))
			sched_yield();
	}
	pthread_mutex_unlock(&callers[cpu]);
	return 0;
}

void synchronize_rcu(void)
{
	struct env_cpu *cpu;

	for (cpu = env_cpus; cpu < env_cpus + ENV_CPUS; cpu++) {
		for (;;) {
			bool inside = false;

			pthread_mutex_lock(&cpu->mutex);
			if (cpu_online(cpu - env_cpus))
				/* preempt_enable() */
				inside = smp_load_acquire(cpu->preempt);
			pthread_mutex_unlock(&cpu->mutex);
			if (!inside)
				break;
			sched_yield();
		}
	}
}

int cpuhp_state_add_instance(int state, struct hlist_node *node)
{
	int cpu, ret = 0;

	for_each_possible_cpu(cpu) {
		if (ret)
			break;
		ret = trace_rb_cpu_prepare(cpu, node);
	}
	return ret;
}
