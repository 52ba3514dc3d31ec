// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_ring - the ring buffer in a storm.
 *
 * On every CPU a task, a softirq, a timer's interrupt, an irq_work and an NMI (or an IPI, if
 * the kernel cannot send NMIs) write to one buffer, each interrupting the previous ones, while
 * readers read and rings change. Each event has its CPU, its context and its number there.
 * Afterwards no event was torn or out of order, and the sums add up: the written events were
 * read or overwritten, events that were not written were counted as dropped, and the losses
 * reported to the readers match the events that they missed. Every context wrote, and the jobs
 * that change rings did change them.
 *
 * Writing a name of modes[] to the parameter `run` does that for `msecs` milliseconds; if the
 * write fails with EINVAL, the log has the reason. Random numbers are derived from the
 * parameter `seed`. CPUs may go offline and online during a storm.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/nmi.h>
#include <linux/percpu.h>
#include <linux/prandom.h>
#include <linux/ring_buffer.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/smpboot.h>
#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/apic.h>
#include <asm/nmi.h>
#endif

#define MAGIC		0x72696e67
#define MAX_WORDS	250

static unsigned int msecs = 300;
module_param(msecs, uint, 0600);
MODULE_PARM_DESC(msecs, "How long a storm takes");

/* A storm continues for up to this many times its duration until everything has happened. */
#define MOST_ROUNDS	20

static unsigned int seed = 1;
module_param(seed, uint, 0600);
MODULE_PARM_DESC(seed, "What random numbers follow from");

static unsigned int nr_unmet;

/* Number of successful changes of a ring, by kind. */
static atomic_t nr_resizes, nr_orders, nr_swaps;

/* Makes the storm fail at its end; the log gets the place and the two numbers. */
#define expect(a, op, b)							\
do {										\
	u64 _a = (a), _b = (b);							\
										\
	if (!(_a op _b)) {							\
		if (nr_unmet++ < 20)						\
			pr_err("%s:%d: " #a " " #op " " #b "; %llu, %llu\n",	\
			       __func__, __LINE__, _a, _b);			\
	}									\
} while (0)

enum context {
	CTX_TASK,
	CTX_SOFTIRQ,
	CTX_IRQ,
	CTX_NMI,
	NR_CTX,
};

struct sample {
	u32	magic;
	u16	cpu;
	u8	ctx;
	u8	words;
	u64	number;
	u32	more[];
} __packed __aligned(4);

/**
 * struct writer - the writers of one CPU
 * @task: task bound to the CPU
 * @tasklet: softirq
 * @timer: timer interrupt, which may occur on another CPU after this one went offline
 * @work: interrupt requested by an NMI
 * @rng: random numbers, by context
 * @written: number of events written, by context
 * @missed: number of events that did not fit, by context
 */
struct writer {
	struct task_struct	*task;
	struct tasklet_struct	tasklet;
	struct hrtimer		timer;
	struct irq_work		work;
	struct rnd_state	rng[NR_CTX];
	u64			written[NR_CTX];
	u64			missed[NR_CTX];
};

static DEFINE_PER_CPU(struct writer, writers);

/**
 * struct tally - counts of the events read of one CPU
 * @ts: time of the last event
 * @next: expected next number, by context
 * @read: number of events read
 * @gaps: number of events missing in the sequence
 * @told: number of events reported to the reader as lost
 * @untold: a page had no space for the number of lost events
 */
struct tally {
	u64	ts;
	u64	next[NR_CTX];
	u64	read;
	u64	gaps;
	u64	told;
	bool	untold;
};

static struct tally *tallies;
static struct trace_buffer *main_buffer, *spare;
static bool storming;

static void write_event(enum context ctx, unsigned int words, bool discard)
{
	struct writer *w = this_cpu_ptr(&writers);
	struct ring_buffer_event *event;
	struct sample *s;
	unsigned int i;

	event = ring_buffer_lock_reserve(main_buffer, sizeof(*s) + words * 4);
	if (!event) {
		w->missed[ctx]++;
		return;
	}
	s = ring_buffer_event_data(event);
	s->magic = 0;
	s->cpu = smp_processor_id();
	s->ctx = ctx;
	s->words = words;
	for (i = 0; i < words; i++)
		s->more[i] = i + words + ctx;
	if (discard) {
		ring_buffer_discard_commit(main_buffer, event);
		return;
	}
	s->number = w->written[ctx]++;
	s->magic = MAGIC;
	ring_buffer_unlock_commit(main_buffer);
}

static void write_one(enum context ctx)
{
	u32 draw = prandom_u32_state(this_cpu_ptr(writers.rng) + ctx);

	write_event(ctx, draw % 64 ? draw / 64 % 8 : draw / 64 % MAX_WORDS, !(draw >> 28));
}

/* Writes a few events; and one time in 64 enough to wrap the ring. */
static void write_some(enum context ctx)
{
	u32 draw = prandom_u32_state(this_cpu_ptr(writers.rng) + ctx);
	unsigned int nr = draw % 64 ? draw / 64 % 4 : 200;

	while (nr--)
		write_one(ctx);
}

static void write_in_softirq(struct tasklet_struct *t)
{
	write_some(CTX_SOFTIRQ);
}

static enum hrtimer_restart write_in_timer(struct hrtimer *timer)
{
	write_some(CTX_IRQ);
	tasklet_schedule(this_cpu_ptr(&writers.tasklet));
	return HRTIMER_NORESTART;
}

static void write_in_irq_work(struct irq_work *work)
{
	write_some(CTX_IRQ);
}

static void write_in_nmi(void *unused)
{
	if (READ_ONCE(storming)) {
		write_some(CTX_NMI);
		irq_work_queue(this_cpu_ptr(&writers.work));
	}
}

#ifdef CONFIG_X86_LOCAL_APIC
static int handle_nmi(unsigned int cmd, struct pt_regs *regs)
{
	write_in_nmi(NULL);
	return NMI_HANDLED;
}

static int nmis_init(void)
{
	return register_nmi_handler(NMI_LOCAL, handle_nmi, 0, "ftest_ring");
}

static void nmis_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, "ftest_ring");
}

static void send_nmi(void)
{
	__apic_send_IPI_mask(cpu_online_mask, NMI_VECTOR);
}
#else
static int nmis_init(void)
{
	return 0;
}

static void nmis_exit(void)
{
}

static void send_nmi(void)
{
	on_each_cpu(write_in_nmi, NULL, false);
}
#endif

static int writer_should_run(unsigned int cpu)
{
	return READ_ONCE(storming);
}

static void writer_run(unsigned int cpu)
{
	struct writer *w = per_cpu_ptr(&writers, cpu);
	int i;

	if (!hrtimer_active(&w->timer))
		hrtimer_start(&w->timer, ns_to_ktime(20 * NSEC_PER_USEC),
			      HRTIMER_MODE_REL_PINNED_HARD);
	for (i = 0; i < 20; i++) {
		preempt_disable();
		write_one(CTX_TASK);
		preempt_enable();
	}
	cond_resched();
}

static DEFINE_PER_CPU(struct task_struct *, writer_tasks);

static struct smp_hotplug_thread writer_threads = {
	.store			= &writer_tasks,
	.thread_should_run	= writer_should_run,
	.thread_fn		= writer_run,
	.thread_comm		= "ftest_ring/%u",
};

static void writers_init(void)
{
	struct writer *w;
	int cpu, i;

	for_each_possible_cpu(cpu) {
		w = per_cpu_ptr(&writers, cpu);
		memset(w, 0, sizeof(*w));
		tasklet_setup(&w->tasklet, write_in_softirq);
		hrtimer_init(&w->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
		w->timer.function = write_in_timer;
		init_irq_work(&w->work, write_in_irq_work);
		for (i = 0; i < NR_CTX; i++)
			prandom_seed_state(&w->rng[i], seed + cpu * NR_CTX + i);
	}
}

/* Writers continue until they are stopped. */
static void writers_stop(void)
{
	struct writer *w;
	int cpu;

	smpboot_unregister_percpu_thread(&writer_threads);
	for_each_possible_cpu(cpu) {
		w = per_cpu_ptr(&writers, cpu);
		hrtimer_cancel(&w->timer);
		irq_work_sync(&w->work);
	}
	for_each_possible_cpu(cpu)
		tasklet_kill(per_cpu_ptr(&writers.tasklet, cpu));
}

static int send_nmis(void *arg)
{
	while (!kthread_should_stop()) {
		cpus_read_lock();
		send_nmi();
		cpus_read_unlock();
		usleep_range(100, 1000);
	}
	return 0;
}

static void check_sample(struct tally *t, struct ring_buffer_event *event, int cpu,
			 u64 ts, bool gaps)
{
	struct sample *s = ring_buffer_event_data(event);
	unsigned int i;

	expect(ts, >=, t->ts);
	t->ts = ts;
	expect(s->magic, ==, MAGIC);
	expect(s->cpu, ==, cpu);
	expect(s->ctx, <, NR_CTX);
	if (s->magic != MAGIC || s->ctx >= NR_CTX)
		return;
	expect(ring_buffer_event_length(event), ==, sizeof(*s) + s->words * 4);
	for (i = 0; i < s->words; i++)
		expect(s->more[i], ==, i + s->words + s->ctx);
	expect(s->number, >=, t->next[s->ctx]);
	if (gaps)
		t->gaps += s->number - t->next[s->ctx];
	t->next[s->ctx] = s->number + 1;
	t->read++;
}

static bool consume(struct trace_buffer *buffer, int cpu)
{
	struct tally *t = &tallies[cpu];
	struct ring_buffer_event *event;
	unsigned long lost = 0;
	u64 ts;

	event = ring_buffer_consume(buffer, cpu, &ts, &lost);
	if (!event)
		return false;
	t->told += lost;
	check_sample(t, event, cpu, ts, true);
	return true;
}

/* A consumed event remains in its page, which must not be freed while it is read. */
static DEFINE_MUTEX(pages_stay);

/* Consumes some events of each ring in turn. */
static void do_consume(struct rnd_state *rng)
{
	int cpu, i;

	for_each_possible_cpu(cpu) {
		guard(mutex)(&pages_stay);
		for (i = 0; i < 100 && consume(main_buffer, cpu); i++)
			;
	}
}

/* The layout of a page is described by events/header_page and header_event. */
static void check_page(struct tally *t, void *page, int cpu)
{
	u64 ts = *(u64 *)page, commit = *(u64 *)(page + 8);
	unsigned int at = 16, end = 16 + (commit & 0xfffff);
	struct ring_buffer_event *event;

	if (commit & BIT(31)) {
		if (commit & BIT(30))
			t->told += *(unsigned long *)(page + end);
		else
			t->untold = true;
	}
	while (at < end) {
		event = page + at;
		ts += event->time_delta;
		switch (event->type_len) {
		case RINGBUF_TYPE_PADDING:
			/* Without a time the padding extends to the end of the page. */
			if (!event->time_delta)
				return;
			at += 4 + event->array[0];
			break;
		case RINGBUF_TYPE_TIME_EXTEND:
			ts += (u64)event->array[0] << 27;
			at += 8;
			break;
		case RINGBUF_TYPE_TIME_STAMP:
			expect(0, ==, 1);
			return;
		default:
			check_sample(t, event, cpu, ts, true);
			at += event->type_len ? 4 + event->type_len * 4 :
						4 + event->array[0];
		}
	}
}

static void do_pages(struct rnd_state *rng)
{
	struct buffer_data_read_page *page;
	int cpu, i, full;

	for_each_online_cpu(cpu) {
		full = prandom_u32_state(rng) % 4;
		if (ring_buffer_alloc_read_page(main_buffer, cpu, &page))
			continue;
		for (i = 0; i < 20; i++) {
			if (ring_buffer_read_page(main_buffer, page, PAGE_SIZE, cpu, full) < 0)
				break;
			check_page(&tallies[cpu], ring_buffer_read_page_data(page), cpu);
		}
		ring_buffer_free_read_page(main_buffer, cpu, page);
	}
}

/* Reads without consuming, and also checks order and integrity. */
static void do_iterate(struct rnd_state *rng)
{
	int cpu = prandom_u32_state(rng) % nr_cpu_ids, i;
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;
	struct tally t = { };
	u64 ts;

	iter = ring_buffer_read_start(main_buffer, cpu, GFP_KERNEL);
	if (!iter)
		return;
	for (i = 0; i < 500; i++) {
		event = ring_buffer_iter_peek(iter, &ts);
		if (!event)
			break;
		check_sample(&t, event, cpu, ts, false);
		ring_buffer_iter_advance(iter);
	}
	ring_buffer_read_finish(iter);
}

static void do_resize(struct rnd_state *rng)
{
	unsigned long size = prandom_u32_state(rng) % (30 * PAGE_SIZE);
	int cpu = prandom_u32_state(rng) % (nr_cpu_ids + 1), ret;

	ret = ring_buffer_resize(main_buffer, size, cpu < nr_cpu_ids ? cpu : RING_BUFFER_ALL_CPUS);
	expect(ret == 0 || ret == -EINVAL, ==, true);
	if (!ret)
		atomic_inc(&nr_resizes);
}

static void do_reset(struct rnd_state *rng)
{
	int order = prandom_u32_state(rng) % 3, before, ret;

	ring_buffer_reset(main_buffer);
	ring_buffer_reset_cpu(main_buffer, prandom_u32_state(rng) % nr_cpu_ids);
	before = ring_buffer_subbuf_order_get(main_buffer);
	scoped_guard(mutex, &pages_stay)
		ret = ring_buffer_subbuf_order_set(main_buffer, order);
	expect(ret == 0 || ret == -EBUSY, ==, true);
	if (!ret && order != before)
		atomic_inc(&nr_orders);
}

/* Recording stops and continues. Events that were not recorded are not counted as lost. */
static void do_switch(struct rnd_state *rng)
{
	ring_buffer_record_disable(main_buffer);
	ring_buffer_record_off(main_buffer);
	ring_buffer_record_enable(main_buffer);
	ring_buffer_record_on(main_buffer);
}

static void swap_here(void *ret)
{
	*(int *)ret = ring_buffer_swap_cpu(main_buffer, spare, smp_processor_id());
}

/*
 * Reads the spare ring. Its events are older than the events of the other ring, except the
 * event of a writer that was in flight: time is ordered within each ring.
 */
static void drain_spare(int cpu)
{
	while (consume(spare, cpu))
		;
	tallies[cpu].ts = 0;
}

/* Takes a snapshot of a CPU, and reads it. */
static void do_swap(struct rnd_state *rng)
{
	int cpu, ret, tries;

	for_each_possible_cpu(cpu) {
		/*
		 * A CPU that went offline between the allocation of the two buffers has a ring
		 * in only one.
		 */
		if (!ring_buffer_size(main_buffer, cpu) || !ring_buffer_size(spare, cpu))
			continue;
		drain_spare(cpu);
		for (ret = -EBUSY, tries = 0; ret == -EBUSY && tries < 1000; tries++) {
			cpus_read_lock();
			if (cpu_online(cpu))
				smp_call_function_single(cpu, swap_here, &ret, 1);
			else
				ret = ring_buffer_swap_cpu(main_buffer, spare, cpu);
			cpus_read_unlock();
		}
		expect(ret, ==, 0);
		if (!ret)
			atomic_inc(&nr_swaps);
		drain_spare(cpu);
	}
}

#define MAX_JOBS	4

typedef void (*job_fn)(struct rnd_state *rng);

/**
 * struct mode - a kind of storm
 * @name: name for the parameter
 * @flags: flags of the buffer
 * @pages: number of pages of the buffer
 * @inexact: sums are not checked, because events are discarded on purpose
 * @jobs: jobs that run along with the writers, each in its own task
 */
static const struct mode {
	const char	*name;
	unsigned int	flags;
	unsigned int	pages;
	bool		inexact;
	job_fn		jobs[MAX_JOBS];
} modes[] = {
	{ "unread", RB_FL_OVERWRITE, 8 },
	{ "overwrite", RB_FL_OVERWRITE, 16, .jobs = { do_consume, do_iterate } },
	{ "smallest", RB_FL_OVERWRITE, 2, .jobs = { do_consume, do_iterate } },
	{ "produce", 0, 8, .jobs = { do_consume, do_iterate } },
	{ "pages", RB_FL_OVERWRITE, 16, .jobs = { do_pages, do_iterate } },
	{ "resize", RB_FL_OVERWRITE, 16, .jobs = { do_consume, do_resize, do_iterate } },
	{ "resize_pages", RB_FL_OVERWRITE, 16, .jobs = { do_pages, do_resize } },
	{ "resize_produce", 0, 16, .jobs = { do_consume, do_resize } },
	{ "swap", RB_FL_OVERWRITE, 16, .jobs = { do_swap } },
	{ "reset", RB_FL_OVERWRITE, 16, true, { do_consume, do_resize, do_reset, do_switch } },
};

/* A job in its task. */
struct job {
	job_fn			fn;
	struct task_struct	*task;
	struct rnd_state	rng;
};

static int run_job(void *arg)
{
	struct job *job = arg;

	while (!kthread_should_stop()) {
		job->fn(&job->rng);
		usleep_range(20, 20 + prandom_u32_state(&job->rng) % 500);
	}
	return 0;
}

/* Have all changes of a mode been made at least once? */
static bool rings_changed(const struct mode *mode)
{
	int i;

	for (i = 0; i < MAX_JOBS; i++) {
		if ((mode->jobs[i] == do_resize && !atomic_read(&nr_resizes)) ||
		    (mode->jobs[i] == do_reset && !atomic_read(&nr_orders)) ||
		    (mode->jobs[i] == do_swap && !atomic_read(&nr_swaps)))
			return false;
	}
	return true;
}

/* Has everything happened that the storm must include? */
static bool everything_happened(const struct mode *mode)
{
	u64 sums[NR_CTX] = { };
	int cpu, i;

	for_each_possible_cpu(cpu) {
		for (i = 0; i < NR_CTX; i++) {
			/* Writers count concurrently, and an older count will do. */
			sums[i] += data_race(per_cpu_ptr(&writers, cpu)->written[i]);
		}
	}
	for (i = 0; i < NR_CTX; i++) {
		if (!sums[i])
			return false;
	}
	return sums[CTX_TASK] > 100 && rings_changed(mode);
}

/* A CPU that shares the host may be late. */
static void storm_for_a_while(const struct mode *mode)
{
	int i;

	for (i = 0; i < MOST_ROUNDS; i++) {
		msleep(msecs);
		if (everything_happened(mode))
			break;
	}
}

static int storm(const struct mode *mode)
{
	struct job jobs[MAX_JOBS + 1] = { };
	int i, ret;

	writers_init();
	WRITE_ONCE(storming, true);
	ret = smpboot_register_percpu_thread(&writer_threads);
	if (ret)
		goto out;
	for (i = 0; i <= MAX_JOBS; i++) {
		jobs[i].fn = i < MAX_JOBS ? mode->jobs[i] : NULL;
		prandom_seed_state(&jobs[i].rng, seed + 1000 + i);
		if (i == MAX_JOBS)
			jobs[i].task = kthread_run(send_nmis, NULL, "ftest_ring_nmi");
		else if (jobs[i].fn)
			jobs[i].task = kthread_run(run_job, &jobs[i], "ftest_ring_job%d", i);
		if (IS_ERR(jobs[i].task))
			ret = PTR_ERR(jobs[i].task);
	}
	storm_for_a_while(mode);
	for (i = MAX_JOBS; i >= 0; i--) {
		if (!IS_ERR_OR_NULL(jobs[i].task))
			kthread_stop(jobs[i].task);
	}
	/* The last NMIs must arrive while their writers still exist */
	msleep(20);
	writers_stop();
out:
	WRITE_ONCE(storming, false);
	return ret;
}

/* Moves to the next page: it reports all events lost before to a reader. */
static void write_page(void *unused)
{
	int i;

	for (i = 0; i < 6; i++)
		write_event(CTX_IRQ, MAX_WORDS, false);
}

static u64 sum_of(const u64 *by_ctx)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < NR_CTX; i++)
		sum += by_ctx[i];
	return sum;
}

/* The sum of a figure of a ring and of the ring that it was swapped with. */
static u64 both(unsigned long (*figure)(struct trace_buffer *buffer, int cpu), int cpu)
{
	return figure(main_buffer, cpu) + (spare ? figure(spare, cpu) : 0);
}

static void drain(int cpu)
{
	if (spare)
		drain_spare(cpu);
	while (consume(main_buffer, cpu))
		;
}

/* Check that all missing events were counted. */
static void check_sums(int cpu, bool told_all)
{
	struct writer *w = per_cpu_ptr(&writers, cpu);
	struct tally *t = &tallies[cpu];
	u64 written = sum_of(w->written), gone, missed;
	int i;

	gone = both(ring_buffer_overrun_cpu, cpu);
	missed = both(ring_buffer_dropped_events_cpu, cpu) +
		 both(ring_buffer_commit_overrun_cpu, cpu);

	expect(written, ==, t->read + gone);
	expect(sum_of(w->missed), ==, missed);
	expect(both(ring_buffer_read_events_cpu, cpu), ==, t->read);
	expect(both(ring_buffer_entries_cpu, cpu), ==, 0);
	expect(both(ring_buffer_bytes_cpu, cpu), ==, 0);
	for (i = 0; i < NR_CTX; i++)
		t->gaps += w->written[i] - t->next[i];
	expect(t->gaps, ==, gone);
	if (told_all && !t->untold)
		expect(t->told, ==, gone + missed);
	else
		expect(t->told, <=, gone + missed);
	pr_info("CPU %d: %llu written (task %llu, softirq %llu, irq %llu, NMI %llu) = %llu read + %llu overwritten; %llu dropped\n",
		cpu, written, w->written[CTX_TASK], w->written[CTX_SOFTIRQ],
		w->written[CTX_IRQ], w->written[CTX_NMI], t->read, gone, missed);
}

static void balance(void)
{
	int cpu;

	cpus_read_lock();
	for_each_possible_cpu(cpu) {
		struct writer *w = per_cpu_ptr(&writers, cpu);
		u64 left = sum_of(w->written) - tallies[cpu].read -
			   both(ring_buffer_overrun_cpu, cpu);

		expect(both(ring_buffer_entries_cpu, cpu), ==, left);
		if (cpu_online(cpu)) {
			/* The second call finds space even if nothing is overwritten. */
			smp_call_function_single(cpu, write_page, NULL, 1);
			drain(cpu);
			smp_call_function_single(cpu, write_page, NULL, 1);
		}
		drain(cpu);
		/* A swapped ring would report its losses in a next page, which is never written. */
		check_sums(cpu, cpu_online(cpu) && !spare);
	}
	cpus_read_unlock();
}

static int run_mode(const struct mode *mode)
{
	int ret = -ENOMEM;

	pr_info("%s: seed %u\n", mode->name, seed);
	nr_unmet = 0;
	atomic_set(&nr_resizes, 0);
	atomic_set(&nr_orders, 0);
	atomic_set(&nr_swaps, 0);
	tallies = kcalloc(nr_cpu_ids, sizeof(*tallies), GFP_KERNEL);
	main_buffer = ring_buffer_alloc(mode->pages * PAGE_SIZE, mode->flags);
	if (!tallies || !main_buffer)
		goto out;
	if (mode->jobs[0] == do_swap) {
		spare = ring_buffer_alloc(mode->pages * PAGE_SIZE, mode->flags);
		if (!spare)
			goto out;
	}
	ret = nmis_init();
	if (ret)
		goto out;
	ret = storm(mode);
	nmis_exit();
	/* A storm without events proves nothing. */
	if (!ret)
		expect(everything_happened(mode), ==, true);
	if (!ret && !mode->inexact)
		balance();
out:
	if (spare)
		ring_buffer_free(spare);
	if (main_buffer)
		ring_buffer_free(main_buffer);
	kfree(tallies);
	spare = NULL;
	main_buffer = NULL;
	return ret ?: nr_unmet ? -EINVAL : 0;
}

static int run_set(const char *name, const struct kernel_param *kp)
{
	static DEFINE_MUTEX(one);
	int i;

	guard(mutex)(&one);
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		if (sysfs_streq(name, modes[i].name))
			return run_mode(&modes[i]);
	}
	return -ENOENT;
}

static const struct kernel_param_ops run_ops = {
	.set = run_set,
};
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "Name of the storm to run");

/* There is nothing to do until a storm is requested. */
static int __init ftest_ring_init(void)
{
	return 0;
}
module_init(ftest_ring_init);

static void __exit ftest_ring_exit(void)
{
}
module_exit(ftest_ring_exit);

MODULE_DESCRIPTION("The ring buffer in a storm");
MODULE_LICENSE("GPL");
