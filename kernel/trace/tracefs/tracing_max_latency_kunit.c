// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the base of the latency tracers, with a tracer that measures nothing: the
 * tests report latencies to it.
 */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/fs.h>
#include <linux/fsnotify_backend.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/utsname.h>

#include "instance/core/options.h"
#include "instance/snapshot/max_latency.h"
#include "instance/snapshot/snapshot.h"
#include "instance/tracer/current_tracer.h"
#include "instance/tracer/tracer.h"
#include "instance/tracer/tracer_options.h"
#include "output/reader.h"
#include "tracefs/tracing_max_latency.h"

#define TEXT_MAX	4096

static struct tracer kunit_tracer = {
	.name			= "kunit_latency",
	.keeps_max		= true,
	.allow_instances	= true,
};

static int fail_to_start(struct trace_array *tr)
{
	return -EIO;
}

static struct tracer failing_tracer = {
	.name			= "kunit_failing",
	.init			= fail_to_start,
	.keeps_max		= true,
	.allow_instances	= true,
};

static int use_tracer(struct trace_array *tr, struct tracer *tracer)
{
	guard(mutex)(&trace_lock);

	return tracing_switch_tracer(tr, tracer);
}

static u64 now(struct trace_array *tr)
{
	return ring_buffer_time_stamp(tr->main.buffer);
}

static void say(struct trace_array *tr, const char *text)
{
	__trace_array_puts(tr, _THIS_IP_, text, strlen(text));
}

/* Latencies are reported with interrupts off. */
static bool record_us(struct trace_array *tr, u64 us, u64 since, bool all)
{
	struct trace_latency latency = {
		.task		= current,
		.ns		= us * NSEC_PER_USEC,
		.since		= since,
		.start_ip	= (unsigned long)vfs_read,
		.end_ip		= (unsigned long)vfs_write,
	};

	guard(irqsave)();

	return all ? trace_latency_record_all(tr, &latency) :
		     trace_latency_record_cpu(tr, &latency);
}

static void wait_for_work(struct trace_array *tr)
{
	irq_work_sync(&tr->max_irq_work);
	flush_work(&tr->max_work);
}

/* The text of a buffer: its header, or its entries. */
static const char *text_of(struct kunit *test, struct array_buffer *ab, bool header)
{
	struct seq_file m = {
		.buf	= kunit_kzalloc(test, TEXT_MAX, GFP_KERNEL),
		.size	= TEXT_MAX - 1,
	};
	struct trace_reader *reader;

	KUNIT_ASSERT_NOT_NULL(test, m.buf);
	scoped_guard(mutex, &trace_lock)
		reader = trace_reader_alloc(ab, RING_BUFFER_ALL_CPUS, false);
	KUNIT_ASSERT_NOT_NULL(test, reader);
	KUNIT_EXPECT_EQ(test, trace_reader_start(reader), 0);

	trace_reader_lock(reader);
	if (header)
		trace_print_header(&m, reader);
	while (!header && trace_reader_next(reader)) {
		trace_seq_init(&reader->iter.seq);
		trace_print_entry(reader);
		seq_puts(&m, seq_buf_str(&reader->iter.seq.seq));
		trace_reader_consumed(reader);
	}
	trace_reader_unlock(reader);
	trace_reader_free(reader);

	return m.buf;
}

static bool has(struct kunit *test, struct array_buffer *ab, const char *text)
{
	return strstr(text_of(test, ab, false), text);
}

/*
 * The entries of the longest latency are moved to the spare buffer, and older entries are not
 * shown.
 */
static void test_this_cpu(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	u64 since;

	preempt_disable();
	say(tr, "older\n");
	since = now(tr);
	say(tr, "of the first\n");
	KUNIT_EXPECT_TRUE(test, record_us(tr, 100, since, false));
	say(tr, "between\n");
	KUNIT_EXPECT_FALSE(test, record_us(tr, 100, since, false));
	preempt_enable();

	KUNIT_EXPECT_EQ(test, tr->max_latency, 100 * NSEC_PER_USEC);
	KUNIT_EXPECT_TRUE(test, has(test, &tr->snap, ": of the first"));
	KUNIT_EXPECT_FALSE(test, has(test, &tr->snap, ": older"));
	KUNIT_EXPECT_FALSE(test, has(test, &tr->snap, ": between"));
	KUNIT_EXPECT_FALSE(test, has(test, &tr->main, ": of the first"));
	KUNIT_EXPECT_TRUE(test, has(test, &tr->main, ": between"));

	preempt_disable();
	since = now(tr);
	say(tr, "of the second\n");
	KUNIT_EXPECT_TRUE(test, record_us(tr, 101, since, false));
	say(tr, "later\n");
	preempt_enable();

	KUNIT_EXPECT_EQ(test, tr->max_latency, 101 * NSEC_PER_USEC);
	KUNIT_EXPECT_TRUE(test, has(test, &tr->snap, ": of the second"));
	KUNIT_EXPECT_FALSE(test, has(test, &tr->snap, ": between"));
	/* The ring that had the first maximum is the one being written now, and was emptied. */
	KUNIT_EXPECT_FALSE(test, has(test, &tr->main, ": of the first"));
	KUNIT_EXPECT_TRUE(test, has(test, &tr->main, ": later"));
}

static void say_here(void *tr)
{
	say(tr, "on a CPU\n");
}

/* Recording continues while the rings of other CPUs are still to be exchanged. */
static void test_all_cpus(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	u64 since = now(tr);
	unsigned long n = 0;
	unsigned int cpu;

	on_each_cpu(say_here, tr, true);
	scoped_guard(irqsave) {
		KUNIT_EXPECT_TRUE(test, record_us(tr, 50, since, true));
		say(tr, "meanwhile\n");
		/* Latencies are measured also. The trace of this CPU has the newest entries. */
		KUNIT_EXPECT_TRUE(test, record_us(tr, 70, since, true));
		KUNIT_EXPECT_FALSE(test, record_us(tr, 60, since, true));
		KUNIT_EXPECT_EQ(test, tr->max_latency, 70 * NSEC_PER_USEC);
	}
	wait_for_work(tr);
	say(tr, "going on\n");

	KUNIT_EXPECT_EQ(test, trace_latency_max(&tr->snap).latency, 70 * NSEC_PER_USEC);
	for_each_online_cpu(cpu)
		n += ring_buffer_entries_cpu(tr->snap.buffer, cpu);
	KUNIT_EXPECT_EQ(test, n, num_online_cpus());
	KUNIT_EXPECT_TRUE(test, has(test, &tr->snap, ": meanwhile"));
	KUNIT_EXPECT_FALSE(test, has(test, &tr->main, ": meanwhile"));
	KUNIT_EXPECT_TRUE(test, has(test, &tr->main, ": going on"));
}

/* A ring cannot be exchanged while a writer is in it: the exchange is retried later. */
static void test_writer_inside(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	struct ring_buffer_event *event;
	u64 since = now(tr);
	bool recorded;

	say(tr, "in front\n");
	preempt_disable();
	event = ring_buffer_lock_reserve(tr->main.buffer, 16);
	recorded = event && record_us(tr, 30, since, false);
	if (event)
		ring_buffer_discard_commit(tr->main.buffer, event);
	preempt_enable();

	KUNIT_EXPECT_TRUE(test, recorded);
	wait_for_work(tr);
	KUNIT_EXPECT_EQ(test, tr->max_latency, 30 * NSEC_PER_USEC);
	KUNIT_EXPECT_TRUE(test, has(test, &tr->snap, ": in front"));
	say(tr, "going on\n");
	KUNIT_EXPECT_TRUE(test, has(test, &tr->main, ": going on"));
}

/* A tracer without latency traces raises the maximum while recording is on. */
static void test_raise(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	trace_latency_raise(tr, 20);
	KUNIT_EXPECT_EQ(test, tr->max_latency, 20);
	trace_latency_raise(tr, 10);
	KUNIT_EXPECT_EQ(test, tr->max_latency, 20);

	trace_array_off(tr);
	trace_latency_raise(tr, 30);
	KUNIT_EXPECT_EQ(test, tr->max_latency, 20);
	trace_array_on(tr);
	trace_latency_raise(tr, 30);
	KUNIT_EXPECT_EQ(test, tr->max_latency, 30);

	trace_latency_set_max(tr, 10);
	KUNIT_EXPECT_EQ(test, tr->max_latency, 10);
}

static const char *model_of_preemption(void)
{
	return preempt_model_rt() ? "preempt_rt" :
	       preempt_model_full() ? "preempt" :
	       preempt_model_voluntary() ? "desktop" : "server";
}

static void test_header(struct kunit *test)
{
	char *want = kunit_kzalloc(test, TEXT_MAX, GFP_KERNEL);
	struct trace_array *tr = test->priv;
	u64 since;
	int cpu;

	KUNIT_ASSERT_NOT_NULL(test, want);
	cpu = get_cpu();
	say(tr, "older\n");
	since = now(tr);
	say(tr, "of the latency\n");
	KUNIT_EXPECT_TRUE(test, record_us(tr, 259, since, false));
	put_cpu();

	snprintf(want, TEXT_MAX,
		 "# tracer: kunit_latency\n"
		 "#\n"
		 "# kunit_latency latency trace v1.1.5 on %s\n"
		 "# --------------------------------------------------------------------\n"
		 "# latency: 259 us, #1/1, CPU#%d | (M:%s VP:0, KP:0, SP:0 HP:0 #P:%d)\n"
		 "#    -----------------\n"
		 "#    | task: %s-%d (uid:0 nice:%d policy:%u rt_prio:%u)\n"
		 "#    -----------------\n"
		 "#  => started at: vfs_read\n"
		 "#  => ended at:   vfs_write\n"
		 "#\n"
		 "#\n"
		 "#                    _------=> CPU#\n"
		 "#                   / _-----=> irqs-off/BH-disabled\n"
		 "#                  | / _----=> need-resched\n"
		 "#                  || / _---=> hardirq/softirq\n"
		 "#                  ||| / _--=> preempt-depth\n"
		 "#                  |||| / _-=> migrate-disable\n"
		 "#                  ||||| /     delay\n"
		 "#  cmd     pid     |||||| time  |   caller\n"
		 "#     \\   /        ||||||  \\    |   /\n",
		 init_utsname()->release, cpu, model_of_preemption(), num_online_cpus(),
		 current->comm, current->pid, task_nice(current), current->policy,
		 current->rt_priority);
	KUNIT_EXPECT_STREQ(test, text_of(test, &tr->snap, true), want);
}

static void test_thresh(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	WRITE_ONCE(trace_latency_thresh, 40 * NSEC_PER_USEC);
	KUNIT_EXPECT_FALSE(test, record_us(tr, 40, now(tr), false));
	KUNIT_EXPECT_TRUE(test, record_us(tr, 60, now(tr), false));
	wait_for_work(tr);
	KUNIT_EXPECT_TRUE(test, record_us(tr, 41, now(tr), false));
	WRITE_ONCE(trace_latency_thresh, 0);

	KUNIT_EXPECT_EQ(test, trace_latency_max(&tr->snap).latency, 41 * NSEC_PER_USEC);
	KUNIT_EXPECT_EQ(test, tr->max_latency, 60 * NSEC_PER_USEC);
	KUNIT_EXPECT_FALSE(test, record_us(tr, 60, now(tr), false));
}

/*
 * Latencies caused by recording a latency are not recorded, otherwise this would never end:
 * until a task has reported the last latency, only longer ones are recorded.
 */
static void test_thresh_short(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	WRITE_ONCE(trace_latency_thresh, 1);
	/* With interrupts off, the work cannot run in between. */
	scoped_guard(irqsave) {
		KUNIT_EXPECT_TRUE(test, record_us(tr, 60, now(tr), false));
		KUNIT_EXPECT_FALSE(test, record_us(tr, 60, now(tr), false));
		KUNIT_EXPECT_TRUE(test, record_us(tr, 61, now(tr), false));
		KUNIT_EXPECT_FALSE(test, record_us(tr, 1, now(tr), false));
	}
	wait_for_work(tr);
	KUNIT_EXPECT_TRUE(test, record_us(tr, 1, now(tr), false));
	WRITE_ONCE(trace_latency_thresh, 0);

	KUNIT_EXPECT_EQ(test, trace_latency_max(&tr->snap).latency, 1 * NSEC_PER_USEC);
}

/* With recording off no latency is recorded. */
static void test_off(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	ring_buffer_record_off(tr->main.buffer);
	KUNIT_EXPECT_FALSE(test, record_us(tr, 10, now(tr), false));
	ring_buffer_record_on(tr->main.buffer);
	KUNIT_EXPECT_EQ(test, tr->max_latency, 0);

	/* Without a latency tracer no latency is recorded either. */
	KUNIT_EXPECT_EQ(test, use_tracer(tr, &trace_nop), 0);
	KUNIT_EXPECT_FALSE(test, record_us(tr, 10, now(tr), false));
}

static void test_spare_buffer(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	int cpu = RING_BUFFER_ALL_CPUS;

	KUNIT_EXPECT_EQ(test, trace_snapshot_take(tr, cpu), -EBUSY);
	KUNIT_EXPECT_EQ(test, trace_snapshot_clear(tr, cpu), -EBUSY);
	KUNIT_EXPECT_EQ(test, trace_snapshot_free(tr), -EBUSY);
	KUNIT_EXPECT_EQ(test, trace_snapshot_get(tr), -EBUSY);
	KUNIT_EXPECT_EQ(test, trace_snapshot_arm(tr), -EBUSY);
	KUNIT_EXPECT_TRUE(test, atomic_read(&tr->maps) < 0);

	/* The buffer is freed with the tracer. */
	KUNIT_EXPECT_EQ(test, use_tracer(tr, &trace_nop), 0);
	flush_work(&tr->snap_drop_work);
	KUNIT_EXPECT_NULL(test, tr->snap.buffer);
	KUNIT_EXPECT_EQ(test, atomic_read(&tr->maps), 0);

	/* The tracer cannot start while the buffer has another user. */
	KUNIT_EXPECT_EQ(test, trace_snapshot_arm(tr), 0);
	KUNIT_EXPECT_EQ(test, use_tracer(tr, &kunit_tracer), -EBUSY);
	KUNIT_EXPECT_PTR_EQ(test, tr->tracer, &trace_nop);
	trace_snapshot_disarm(tr);
	KUNIT_EXPECT_EQ(test, use_tracer(tr, &kunit_tracer), 0);
}

static void test_options(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	KUNIT_EXPECT_EQ(test, use_tracer(tr, &trace_nop), 0);
	KUNIT_EXPECT_FALSE(test, tr->options & TRACE_OPT(LATENCY_FORMAT));
	KUNIT_EXPECT_EQ(test, trace_option_write(tr, "nooverwrite"), 0);

	KUNIT_EXPECT_EQ(test, use_tracer(tr, &kunit_tracer), 0);
	KUNIT_EXPECT_TRUE(test, tr->options & TRACE_OPT(LATENCY_FORMAT));
	KUNIT_EXPECT_TRUE(test, tr->options & TRACE_OPT(OVERWRITE));
	KUNIT_EXPECT_EQ(test, trace_option_write(tr, "nooverwrite"), -EINVAL);
	KUNIT_EXPECT_EQ(test, trace_option_write(tr, "nolatency-format"), 0);

	KUNIT_EXPECT_EQ(test, use_tracer(tr, &trace_nop), 0);
	KUNIT_EXPECT_FALSE(test, tr->options & TRACE_OPT(LATENCY_FORMAT));
	KUNIT_EXPECT_FALSE(test, tr->options & TRACE_OPT(OVERWRITE));
	KUNIT_EXPECT_EQ(test, trace_option_write(tr, "overwrite"), 0);
}

/* A write to trace drops the latency's trace, which users see there, but not the maximum. */
static void test_clear(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	u64 since = now(tr);

	preempt_disable();
	say(tr, "of the latency\n");
	KUNIT_EXPECT_TRUE(test, record_us(tr, 20, since, false));
	preempt_enable();
	KUNIT_EXPECT_TRUE(test, has(test, &tr->snap, ": of the latency"));

	trace_latency_clear(tr, RING_BUFFER_ALL_CPUS);
	KUNIT_EXPECT_FALSE(test, has(test, &tr->snap, ": of the latency"));
	KUNIT_EXPECT_EQ(test, trace_latency_max(&tr->snap).latency, 0);
	KUNIT_EXPECT_EQ(test, tr->max_latency, 20 * NSEC_PER_USEC);
}

/* The tracer is stopped while an exchange is still pending. */
static void test_end_while_pending(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	scoped_guard(mutex, &trace_lock) {
		KUNIT_EXPECT_TRUE(test, record_us(tr, 10, now(tr), true));
		KUNIT_EXPECT_EQ(test, tracing_switch_tracer(tr, &trace_nop), 0);
		KUNIT_EXPECT_EQ(test, tracing_switch_tracer(tr, &kunit_tracer), 0);
	}
	wait_for_work(tr);
	KUNIT_EXPECT_EQ(test, tr->max_latency, 0);
	say(tr, "going on\n");
	KUNIT_EXPECT_TRUE(test, has(test, &tr->main, ": going on"));
	KUNIT_EXPECT_TRUE(test, record_us(tr, 10, now(tr), false));
}

/* A tracer that fails to start leaves the snapshot and the maximum unchanged. */
static void test_no_start(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	KUNIT_EXPECT_TRUE(test, record_us(tr, 7, now(tr), false));
	KUNIT_ASSERT_EQ(test, use_tracer(tr, &trace_nop), 0);
	flush_work(&tr->snap_drop_work);
	say(tr, "kept\n");
	KUNIT_ASSERT_EQ(test, trace_snapshot_take(tr, RING_BUFFER_ALL_CPUS), 0);
	KUNIT_EXPECT_EQ(test, use_tracer(tr, &failing_tracer), -EIO);
	flush_work(&tr->snap_drop_work);
	KUNIT_ASSERT_NOT_NULL(test, tr->snap.buffer);
	KUNIT_EXPECT_TRUE(test, has(test, &tr->snap, ": kept"));
	KUNIT_EXPECT_EQ(test, tr->max_latency, 7 * NSEC_PER_USEC);

	/* A spare buffer that was allocated for it is freed again. */
	KUNIT_EXPECT_EQ(test, trace_snapshot_free(tr), 0);
	KUNIT_EXPECT_EQ(test, use_tracer(tr, &failing_tracer), -EIO);
	flush_work(&tr->snap_drop_work);
	KUNIT_EXPECT_NULL(test, tr->snap.buffer);
}

/* A reader pins the trace left by a tracer until the reader is closed. */
static void test_left_to_reader(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	KUNIT_ASSERT_TRUE(test, trace_snapshot_get_owned(tr));
	KUNIT_ASSERT_EQ(test, use_tracer(tr, &trace_nop), 0);
	flush_work(&tr->snap_drop_work);
	KUNIT_EXPECT_NOT_NULL(test, tr->snap.buffer);
	KUNIT_EXPECT_EQ(test, trace_snapshot_get(tr), -ENOENT);
	KUNIT_EXPECT_FALSE(test, trace_snapshot_request(tr));
	trace_snapshot_put(tr);
	flush_work(&tr->snap_drop_work);
	KUNIT_EXPECT_NULL(test, tr->snap.buffer);
}

#ifdef CONFIG_FSNOTIFY
static atomic_t nr_told;

static int count_event(struct fsnotify_mark *mark, u32 mask, struct inode *inode,
		       struct inode *dir, const struct qstr *name, u32 cookie)
{
	atomic_inc(&nr_told);

	return 0;
}

static void free_mark(struct fsnotify_mark *mark)
{
}

static const struct fsnotify_ops count_ops = {
	.handle_inode_event	= count_event,
	.free_mark		= free_mark,
};

static struct inode *latency_file_inode(struct trace_array *tr)
{
	struct dentry *file;

	guard(mutex)(&trace_lock);

	file = tracefs_latency_file(tr);

	return file ? d_inode(file) : NULL;
}

/* The part that inotify uses: a mark on the file is notified of each new maximum. */
static void test_watchers(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	struct fsnotify_group *group;
	struct fsnotify_mark *mark;
	struct inode *inode;

	inode = latency_file_inode(tr);
	if (!inode)
		kunit_skip(test, "there are no files");

	mark = kunit_kzalloc(test, sizeof(*mark), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, mark);
	group = fsnotify_alloc_group(&count_ops, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR(group));
	fsnotify_init_mark(mark, group);
	mark->mask = FS_MODIFY;
	KUNIT_EXPECT_EQ(test, fsnotify_add_inode_mark(mark, inode, 0), 0);

	atomic_set(&nr_told, 0);
	KUNIT_EXPECT_TRUE(test, record_us(tr, 5, now(tr), false));
	wait_for_work(tr);
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_told), 1);
	KUNIT_EXPECT_FALSE(test, record_us(tr, 5, now(tr), false));
	wait_for_work(tr);
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_told), 1);
	KUNIT_EXPECT_TRUE(test, record_us(tr, 6, now(tr), true));
	wait_for_work(tr);
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_told), 2);

	fsnotify_destroy_mark(mark, group);
	fsnotify_put_mark(mark);
	fsnotify_destroy_group(group);
	fsnotify_wait_marks_destroyed();
}
#else
static void test_watchers(struct kunit *test)
{
	kunit_skip(test, "nobody can watch files");
}
#endif

static int latency_test_init(struct kunit *test)
{
	struct trace_array *tr = trace_array_get_by_name("kunit latency", NULL);

	if (!tr)
		return -ENOMEM;

	test->priv = tr;

	return use_tracer(tr, &kunit_tracer);
}

static void latency_test_exit(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	if (!tr)
		return;

	trace_array_put(tr);
	trace_array_destroy(tr);
}

#ifdef CONFIG_FUNCTION_TRACER
/* A latency tracer that has stopped, also after its self test, is not asked about calls. */
static void test_asked(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	struct tracer *wakeup;

	scoped_guard(mutex, &trace_lock) {
		wakeup = tracer_find("wakeup");
		KUNIT_EXPECT_TRUE(test, trace_top.tracer->keeps_max ||
				  !trace_top.should_record_call);
	}
	if (!wakeup)
		kunit_skip(test, "no tracer wakeup here");

	KUNIT_EXPECT_NULL(test, tr->should_record_call);
	KUNIT_ASSERT_EQ(test, use_tracer(tr, wakeup), 0);
	KUNIT_EXPECT_NOT_NULL(test, tr->should_record_call);
	KUNIT_EXPECT_EQ(test, use_tracer(tr, &trace_nop), 0);
	KUNIT_EXPECT_NULL(test, tr->should_record_call);
}
#else
static void test_asked(struct kunit *test)
{
	kunit_skip(test, "no calls here");
}
#endif

static struct kunit_case latency_test_cases[] = {
	KUNIT_CASE(test_this_cpu),
	KUNIT_CASE(test_all_cpus),
	KUNIT_CASE(test_writer_inside),
	KUNIT_CASE(test_raise),
	KUNIT_CASE(test_header),
	KUNIT_CASE(test_thresh),
	KUNIT_CASE(test_thresh_short),
	KUNIT_CASE(test_off),
	KUNIT_CASE(test_spare_buffer),
	KUNIT_CASE(test_options),
	KUNIT_CASE(test_clear),
	KUNIT_CASE(test_end_while_pending),
	KUNIT_CASE(test_no_start),
	KUNIT_CASE(test_left_to_reader),
	KUNIT_CASE(test_watchers),
	KUNIT_CASE(test_asked),
	{ }
};

static struct kunit_suite latency_test_suite = {
	.name		= "trace_latency",
	.init		= latency_test_init,
	.exit		= latency_test_exit,
	.test_cases	= latency_test_cases,
};

kunit_test_suite(latency_test_suite);

MODULE_LICENSE("GPL");
