// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of instances in a running kernel: each has a buffer, a tracer, a filter
 * and options of its own.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/cleanup.h>
#include <linux/completion.h>
#include <linux/ftrace.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/limits.h>
#include <linux/mutex.h>
#include <linux/ring_buffer.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/trace_events.h>
#include <linux/workqueue.h>

#include "filter/func_command.h"
#include "filter/pids.h"
#include "ftrace/test/kunit_target.h"
#include "instance/core/buffer.h"
#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/snapshot/buffer_change.h"
#include "instance/snapshot/snapshot.h"
#include "instance/tracer/current_tracer.h"
#include "instance/tracer/instance_create.h"
#include "instance/tracer/tracer.h"
#include "instance/tracer/tracer_options.h"
#include "lib/pattern.h"

static void end_instance(void *tr)
{
	trace_array_put(tr);
	trace_array_destroy(tr);
}

/* Create an instance that is removed at the end of the test. */
static struct trace_array *new_instance(struct kunit *test, const char *name)
{
	struct trace_array *tr = trace_array_get_by_name(name, NULL);

	KUNIT_ASSERT_NOT_NULL(test, tr);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, end_instance, tr), 0);

	return tr;
}

/* Consume the entries of an instance. Return: the number of entries of a type. */
static unsigned int count_entries(struct trace_array *tr, int type)
{
	struct ring_buffer_event *event;
	const struct trace_entry *entry;
	unsigned int cpu, n = 0;
	unsigned long lost;
	u64 ts;

	for_each_possible_cpu(cpu) {
		while ((event = ring_buffer_consume(tr->main.buffer, cpu, &ts,
						    &lost))) {
			entry = ring_buffer_event_data(event);
			n += entry->type == type;
		}
	}

	return n;
}

static void set_option(struct kunit *test, struct trace_array *tr,
		       const char *text)
{
	KUNIT_ASSERT_EQ(test, trace_option_write(tr, text), 0);
}

static void trace_function(struct kunit *test, struct trace_array *tr,
			   int (*function)(int, int))
{
	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(tr->ops, (unsigned long)function,
						   0, 1), 0);
	KUNIT_ASSERT_EQ(test, tracing_set_tracer(tr, "function"), 0);
	trace_array_clear(tr, RING_BUFFER_ALL_CPUS);
}

static void test_names(struct kunit *test)
{
	char *name = kunit_kzalloc(test, NAME_MAX + 2, GFP_KERNEL);
	struct trace_array *tr;

	KUNIT_ASSERT_NOT_NULL(test, name);
	KUNIT_EXPECT_EQ(test, trace_instance_mkdir(""), -EINVAL);
	KUNIT_EXPECT_EQ(test, trace_instance_mkdir("."), -EINVAL);
	KUNIT_EXPECT_EQ(test, trace_instance_mkdir(".."), -EINVAL);
	KUNIT_EXPECT_EQ(test, trace_instance_mkdir("a/b"), -EINVAL);
	KUNIT_EXPECT_NULL(test, trace_array_get_by_name("a/b", NULL));

	memset(name, 'n', NAME_MAX + 1);
	KUNIT_EXPECT_EQ(test, trace_instance_mkdir(name), -ENAMETOOLONG);
	name[NAME_MAX] = '\0';
	KUNIT_EXPECT_EQ(test, trace_instance_mkdir(name), 0);
	KUNIT_EXPECT_EQ(test, trace_instance_mkdir(name), -EEXIST);
	KUNIT_EXPECT_EQ(test, trace_instance_rmdir(name), 0);
	KUNIT_EXPECT_EQ(test, trace_instance_rmdir(name), -ENOENT);

	tr = new_instance(test, "kunit one");
	KUNIT_EXPECT_EQ(test, trace_instance_mkdir("kunit one"), -EEXIST);
	KUNIT_EXPECT_PTR_EQ(test, trace_array_get_by_name("kunit one", NULL), tr);
	trace_array_put(tr);
	KUNIT_EXPECT_PTR_NE(test, new_instance(test, "kunit two"), tr);
}

static void test_references(struct kunit *test)
{
	struct trace_array *tr = trace_array_get_by_name("kunit", NULL);

	KUNIT_ASSERT_NOT_NULL(test, tr);
	KUNIT_EXPECT_EQ(test, trace_array_destroy(tr), -EBUSY);
	KUNIT_EXPECT_EQ(test, trace_instance_rmdir("kunit"), -EBUSY);
	KUNIT_EXPECT_EQ(test, trace_array_get(tr), 0);
	trace_array_put(tr);
	trace_array_put(tr);
	KUNIT_EXPECT_EQ(test, trace_array_destroy(tr), 0);
	KUNIT_EXPECT_EQ(test, trace_array_destroy(tr), -ENODEV);
	KUNIT_EXPECT_EQ(test, trace_array_get(tr), -ENODEV);
	KUNIT_EXPECT_EQ(test, trace_array_destroy(&trace_top), -EINVAL);
	KUNIT_EXPECT_EQ(test, trace_array_destroy(NULL), -EINVAL);
	trace_array_put(NULL);
}

static void test_printk(struct kunit *test)
{
	struct trace_array *one = new_instance(test, "kunit one");
	struct trace_array *two = new_instance(test, "kunit two");

	KUNIT_EXPECT_EQ(test, trace_array_init_printk(NULL), -ENOENT);
	KUNIT_EXPECT_EQ(test, trace_array_init_printk(&trace_top), -EINVAL);
	KUNIT_ASSERT_EQ(test, trace_array_init_printk(one), 0);
	KUNIT_EXPECT_EQ(test, trace_array_printk(NULL, _THIS_IP_, "%d", 1), -ENOENT);
	KUNIT_EXPECT_EQ(test, trace_array_printk(one, _THIS_IP_, "number %d\n", 7), 9);
	KUNIT_EXPECT_EQ(test, trace_array_puts(one, "text\n"), 5);
	KUNIT_EXPECT_EQ(test, count_entries(two, TRACE_PRINT), 0);
	KUNIT_EXPECT_EQ(test, count_entries(one, TRACE_PRINT), 2);

	/* trace_printk() may write to another instance. */
	set_option(test, two, "trace_printk_dest");
	__trace_printk(_THIS_IP_, "%d\n", 8);
	KUNIT_EXPECT_EQ(test, count_entries(two, TRACE_PRINT), 1);
	KUNIT_EXPECT_FALSE(test, trace_top.options & TRACE_OPT(TRACE_PRINTK_DEST));
	kunit_release_action(test, end_instance, two);
	KUNIT_EXPECT_TRUE(test, trace_top.options & TRACE_OPT(TRACE_PRINTK_DEST));
}

static void test_filters(struct kunit *test)
{
	struct trace_array *add = new_instance(test, "kunit add");
	struct trace_array *mul = new_instance(test, "kunit mul");

	trace_function(test, add, ftrace_kunit_add);
	trace_function(test, mul, ftrace_kunit_mul);

	ftrace_kunit_add(1, 2);
	ftrace_kunit_add(1, 2);
	ftrace_kunit_mul(1, 2);
	ftrace_kunit_sub(1, 2);
	KUNIT_EXPECT_EQ(test, count_entries(add, TRACE_FN), 2);
	KUNIT_EXPECT_EQ(test, count_entries(mul, TRACE_FN), 1);

	KUNIT_EXPECT_EQ(test, tracing_set_tracer(add, "nop"), 0);
	ftrace_kunit_add(1, 2);
	ftrace_kunit_mul(1, 2);
	KUNIT_EXPECT_EQ(test, count_entries(add, TRACE_FN), 0);
	KUNIT_EXPECT_EQ(test, count_entries(mul, TRACE_FN), 1);
	/* The instance is removed while its tracer is active. */
	kunit_release_action(test, end_instance, mul);
	ftrace_kunit_mul(1, 2);
}

static void test_tracer_options(struct kunit *test)
{
	struct trace_array *one = new_instance(test, "kunit one");
	struct trace_array *two = new_instance(test, "kunit two");

	trace_function(test, one, ftrace_kunit_add);
	trace_function(test, two, ftrace_kunit_add);
	set_option(test, two, "func_stack_trace");
	ftrace_kunit_add(1, 2);
	KUNIT_EXPECT_EQ(test, count_entries(one, TRACE_STACK), 0);
	KUNIT_EXPECT_EQ(test, count_entries(two, TRACE_STACK), 1);

	set_option(test, one, "func-no-repeats");
	set_option(test, two, "nofunc_stack_trace");
	trace_array_clear(one, RING_BUFFER_ALL_CPUS);
	trace_array_clear(two, RING_BUFFER_ALL_CPUS);
	preempt_disable();
	for (int i = 0; i < 5; i++)
		ftrace_kunit_add(1, 2);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, count_entries(one, TRACE_FN), 1);
	KUNIT_EXPECT_EQ(test, count_entries(two, TRACE_FN), 5);
}

/* A tracer for the whole machine may refuse to be used twice. */
static void test_top_alone(struct kunit *test)
{
	static struct tracer top_alone = {
		.name	= "kunit_top_alone",
	};
	struct trace_array *tr = new_instance(test, "kunit lower");

	guard(mutex)(&trace_lock);

	KUNIT_EXPECT_EQ(test, tracing_switch_tracer(tr, &top_alone), -EINVAL);
	KUNIT_EXPECT_PTR_EQ(test, tr->tracer, &trace_nop);
	top_alone.allow_instances = true;
	KUNIT_EXPECT_EQ(test, tracing_switch_tracer(tr, &top_alone), 0);
	KUNIT_EXPECT_EQ(test, tracing_switch_tracer(tr, &trace_nop), 0);
}

static void test_options(struct kunit *test)
{
	struct trace_array *one = new_instance(test, "kunit one");
	struct trace_array *two = new_instance(test, "kunit two");

	KUNIT_EXPECT_EQ(test, one->options, TRACE_OPT_DEFAULT);
	set_option(test, one, "sym-addr");
	set_option(test, one, "record-tgid");
	KUNIT_EXPECT_EQ(test, two->options, TRACE_OPT_DEFAULT);

	KUNIT_EXPECT_EQ(test, trace_array_set_clock(one, "mono"), 0);
	KUNIT_EXPECT_NE(test, one->clock, two->clock);
	KUNIT_EXPECT_EQ(test, trace_array_resize(one, 16 * PAGE_SIZE,
						 RING_BUFFER_ALL_CPUS), 0);
	KUNIT_EXPECT_GE(test, ring_buffer_size(one->main.buffer, 0), 16 * PAGE_SIZE);
	KUNIT_EXPECT_LT(test, ring_buffer_size(two->main.buffer, 0), 16 * PAGE_SIZE);

	KUNIT_EXPECT_TRUE(test, trace_array_off(one));
	KUNIT_EXPECT_FALSE(test, trace_array_off(one));
	KUNIT_EXPECT_TRUE(test, trace_array_is_on(two));
}

static unsigned int pid_calls;

static void note_call(unsigned long ip, unsigned long parent_ip,
		      struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	pid_calls++;
}

static struct ftrace_ops pid_ops = {
	.func	= note_call,
	.flags	= FTRACE_OPS_FL_PID,
};

/* Pid filters are per instance: one instance's list does not affect another. */
static void test_pids(struct kunit *test)
{
	struct trace_array *one = new_instance(test, "kunit one");
	struct trace_array *two = new_instance(test, "kunit two");
	struct ftrace_pids_edit edit;

	trace_function(test, one, ftrace_kunit_add);
	trace_function(test, two, ftrace_kunit_add);
	ftrace_pids_edit_begin(&edit, one->pids, FTRACE_PIDS_NEVER, true);
	KUNIT_EXPECT_EQ(test, ftrace_pids_edit_add(&edit, current->pid), 0);
	KUNIT_ASSERT_EQ(test, ftrace_pids_edit_end(&edit), 0);
	ftrace_kunit_add(1, 2);
	KUNIT_EXPECT_EQ(test, count_entries(one, TRACE_FN), 0);
	KUNIT_EXPECT_EQ(test, count_entries(two, TRACE_FN), 1);

	/* Nor does it affect ops that use the lists of the top instance, which has none. */
	pid_calls = 0;
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ip(&pid_ops,
						   (unsigned long)ftrace_kunit_add,
						   0, 1), 0);
	KUNIT_EXPECT_EQ(test, register_ftrace_function(&pid_ops), 0);
	ftrace_kunit_add(1, 2);
	KUNIT_EXPECT_EQ(test, pid_calls, 1);
	unregister_ftrace_function(&pid_ops);
	ftrace_free_filter(&pid_ops);
}

static bool busy_gave_up;

/* Does not sleep, so that a grace period of RCU Tasks waits for it. */
static int busy_thread(void *unused)
{
	unsigned long until = jiffies + 5 * HZ;

	while (!kthread_should_stop()) {
		if (time_after(jiffies, until))
			WRITE_ONCE(busy_gave_up, true);
		if (READ_ONCE(busy_gave_up))
			schedule_timeout_idle(1);
		cpu_relax();
	}

	return 0;
}

/* Callbacks in progress are waited for when the instance is removed, not before. */
static void test_stop_waits_for_nobody(struct kunit *test)
{
	struct trace_array *tr = new_instance(test, "kunit");
	struct trace_array *graph = new_instance(test, "kunit graph");
	struct task_struct *busy;

	trace_function(test, tr, ftrace_kunit_add);
	trace_function(test, graph, ftrace_kunit_add);
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER))
		KUNIT_ASSERT_EQ(test, tracing_set_tracer(graph, "function_graph"), 0);
	busy_gave_up = false;
	busy = kthread_run(busy_thread, NULL, "kunit busy");
	KUNIT_ASSERT_FALSE(test, IS_ERR(busy));

	KUNIT_EXPECT_EQ(test, trace_option_write(tr, "func_stack_trace"), 0);
	KUNIT_EXPECT_EQ(test, tracing_set_tracer(tr, "nop"), 0);
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER))
		KUNIT_EXPECT_EQ(test, trace_option_write(graph, "funcgraph-keep-slow"), 0);
	KUNIT_EXPECT_EQ(test, tracing_set_tracer(graph, "nop"), 0);
	KUNIT_EXPECT_FALSE(test, READ_ONCE(busy_gave_up));
	kthread_stop(busy);
}

static bool is_found(const char *name)
{
	guard(mutex)(&trace_lock);

	return trace_array_find(name);
}

/* An instance with a function command and an enabled event */
static struct trace_array *instance_at_work(const char *name)
{
	struct trace_array *tr = trace_array_get_by_name(name, NULL);
	char token[] = "ftrace_kunit_add:traceoff";
	struct ftrace_pattern pattern;

	if (tr && (ftrace_pattern_parse(&pattern, token) || ftrace_command_do(tr, &pattern) ||
		   (IS_ENABLED(CONFIG_EVENT_TRACING) &&
		    trace_array_set_clr_event(tr, "sched", "sched_switch", true)))) {
		end_instance(tr);
		return NULL;
	}

	return tr;
}

static DECLARE_COMPLETION(ended);

static int end_thread(void *tr)
{
	end_instance(tr);
	complete(&ended);

	return 0;
}

/* Other tasks can create, find and remove instances while a removal waits for its callbacks. */
static void test_end_keeps_nobody_waiting(struct kunit *test)
{
	struct trace_array *tr = instance_at_work("kunit ends");
	struct trace_array *other = new_instance(test, "kunit other");
	struct task_struct *busy;

	KUNIT_ASSERT_NOT_NULL(test, tr);
	busy_gave_up = false;
	busy = kthread_run(busy_thread, NULL, "kunit busy");
	KUNIT_ASSERT_FALSE(test, IS_ERR(busy));
	reinit_completion(&ended);
	KUNIT_ASSERT_FALSE(test, IS_ERR(kthread_run(end_thread, tr, "kunit end")));
	while (is_found("kunit ends") && !READ_ONCE(busy_gave_up))
		schedule_timeout_idle(1);

	KUNIT_EXPECT_PTR_EQ(test, trace_array_get_by_name("kunit other", NULL), other);
	trace_array_put(other);
	KUNIT_EXPECT_EQ(test, trace_instance_mkdir("kunit ends"), 0);
	KUNIT_EXPECT_FALSE(test, completion_done(&ended));
	KUNIT_EXPECT_FALSE(test, READ_ONCE(busy_gave_up));

	kthread_stop(busy);
	wait_for_completion(&ended);
	KUNIT_EXPECT_EQ(test, trace_instance_rmdir("kunit ends"), 0);
}

static void test_stopped(struct kunit *test)
{
	struct trace_array *tr;

	tracing_stop();
	tr = new_instance(test, "kunit");
	trace_array_init_printk(tr);
	trace_array_printk(tr, _THIS_IP_, "stopped\n");
	KUNIT_EXPECT_EQ(test, count_entries(tr, TRACE_PRINT), 0);
	tracing_start();
	trace_array_printk(tr, _THIS_IP_, "started\n");
	KUNIT_EXPECT_EQ(test, count_entries(tr, TRACE_PRINT), 1);
}

#ifdef CONFIG_TRACER_SNAPSHOT
/* State of a snapshot condition. */
struct largest {
	unsigned int	value;
	unsigned int	asked;
};

/* Is the value larger than all values before? */
static bool is_larger(struct trace_array *tr, void *cond_data)
{
	struct largest *largest = tr->snap_cond.data;
	unsigned int value = *(unsigned int *)cond_data;

	largest->asked++;
	if (value <= largest->value)
		return false;

	largest->value = value;

	return true;
}

static void suggest(struct trace_array *tr, unsigned int value)
{
	trace_array_printk(tr, _THIS_IP_, "value %u\n", value);
	tracing_snapshot_cond(tr, &value);
}

static void wait_for_snapshot(struct trace_array *tr)
{
	irq_work_sync(&tr->snap_irq_work);
	flush_work(&tr->snap_work);
}

static void test_snapshot_cond(struct kunit *test)
{
	struct trace_array *tr = new_instance(test, "kunit");
	struct largest largest = { .value = 5 };

	KUNIT_ASSERT_EQ(test, trace_array_init_printk(tr), 0);
	KUNIT_EXPECT_EQ(test, tracing_snapshot_cond_disable(tr), -EINVAL);
	KUNIT_EXPECT_EQ(test, tracing_snapshot_cond_enable(tr, NULL, NULL), -EINVAL);
	suggest(tr, 9);
	KUNIT_EXPECT_NULL(test, tr->snap.buffer);

	KUNIT_ASSERT_EQ(test, tracing_snapshot_cond_enable(tr, &largest, is_larger), 0);
	KUNIT_EXPECT_EQ(test, tracing_snapshot_cond_enable(tr, NULL, is_larger), -EBUSY);
	KUNIT_EXPECT_PTR_EQ(test, tracing_cond_snapshot_data(tr), (void *)&largest);
	KUNIT_EXPECT_EQ(test, trace_snapshot_free(tr), -EBUSY);

	suggest(tr, 5);
	wait_for_snapshot(tr);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(tr->snap.buffer), 0);

	/* The snapshot is of the larger value, even if another snapshot is still pending. */
	scoped_guard(mutex, &trace_lock) {
		suggest(tr, 7);
		suggest(tr, 8);
	}
	wait_for_snapshot(tr);
	KUNIT_EXPECT_EQ(test, largest.value, 8);
	KUNIT_EXPECT_EQ(test, largest.asked, 3);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(tr->snap.buffer), 1);
	suggest(tr, 6);
	wait_for_snapshot(tr);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(tr->snap.buffer), 1);

	KUNIT_EXPECT_EQ(test, tracing_snapshot_cond_disable(tr), 0);
	KUNIT_EXPECT_NULL(test, tracing_cond_snapshot_data(tr));
	suggest(tr, 10);
	KUNIT_EXPECT_EQ(test, largest.asked, 4);
	KUNIT_EXPECT_EQ(test, trace_snapshot_free(tr), 0);
}

/*
 * A user's snapshot has the entries after a requested snapshot; neither of them stops
 * recording.
 */
static void test_snapshot_meanwhile(struct kunit *test)
{
	struct trace_array *tr = new_instance(test, "kunit");
	int i, n, cpus[] = { RING_BUFFER_ALL_CPUS, RING_BUFFER_ALL_CPUS };

	KUNIT_ASSERT_EQ(test, trace_array_init_printk(tr), 0);
	KUNIT_ASSERT_EQ(test, trace_snapshot_alloc(tr), 0);
	/* A snapshot of one CPU is requested, and a different CPU has recorded. */
	migrate_disable();
	if (num_online_cpus() > 1)
		cpus[1] = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());
	for (i = 0; i < ARRAY_SIZE(cpus); i++) {
		disable_work(&tr->snap_work);
		/* The second snapshot has more entries than the first one left. */
		for (n = 0; n <= i; n++)
			trace_array_printk(tr, _THIS_IP_, "before\n");
		KUNIT_EXPECT_TRUE(test, trace_snapshot_request(tr));
		irq_work_sync(&tr->snap_irq_work);
		KUNIT_EXPECT_TRUE(test, ring_buffer_record_is_on(tr->main.buffer));
		KUNIT_EXPECT_GT(test, trace_array_printk(tr, _THIS_IP_, "after\n"), 0);
		KUNIT_EXPECT_EQ(test, ring_buffer_entries(tr->snap.buffer), n);
		/* The next one has the entries after that, and does not affect other CPUs. */
		KUNIT_EXPECT_EQ(test, trace_snapshot_take(tr, cpus[i]), 0);
		if (cpus[i] == RING_BUFFER_ALL_CPUS)
			n = 1;
		KUNIT_EXPECT_EQ(test, ring_buffer_entries(tr->snap.buffer), n);

		enable_and_queue_work(system_wq, &tr->snap_work);
		flush_work(&tr->snap_work);
		KUNIT_EXPECT_EQ(test, ring_buffer_entries(tr->snap.buffer), n);
		KUNIT_EXPECT_FALSE(test, trace_snapshot_pending(tr));
	}
	migrate_enable();
}
#else
static void test_snapshot_cond(struct kunit *test)
{
	kunit_skip(test, "there are no snapshots");
}

static void test_snapshot_meanwhile(struct kunit *test)
{
	kunit_skip(test, "there are no snapshots");
}
#endif

/* Eight function tracers at once. A call runs only the tracers that trace its function. */
static void test_eight(struct kunit *test)
{
	static const char * const names[] = {
		"kunit 0", "kunit 1", "kunit 2", "kunit 3",
		"kunit 4", "kunit 5", "kunit 6", "kunit 7",
	};
	struct trace_array *tr[ARRAY_SIZE(names)];
	int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		tr[i] = new_instance(test, names[i]);
		trace_function(test, tr[i], i < 5 ? ftrace_kunit_add : ftrace_kunit_mul);
	}

	ftrace_kunit_add(1, 2);
	ftrace_kunit_mul(1, 2);
	ftrace_kunit_mul(1, 2);
	ftrace_kunit_sub(1, 2);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		KUNIT_EXPECT_EQ(test, count_entries(tr[i], TRACE_FN), i < 5 ? 1 : 2);
}

static struct kunit_case instance_test_cases[] = {
	KUNIT_CASE(test_names),
	KUNIT_CASE(test_references),
	KUNIT_CASE(test_printk),
	KUNIT_CASE(test_filters),
	KUNIT_CASE(test_eight),
	KUNIT_CASE(test_tracer_options),
	KUNIT_CASE(test_top_alone),
	KUNIT_CASE(test_options),
	KUNIT_CASE(test_pids),
	KUNIT_CASE(test_stop_waits_for_nobody),
	KUNIT_CASE(test_end_keeps_nobody_waiting),
	KUNIT_CASE(test_stopped),
	KUNIT_CASE(test_snapshot_cond),
	KUNIT_CASE(test_snapshot_meanwhile),
	{ }
};

static struct kunit_suite instance_test_suite = {
	.name		= "trace_instance",
	.test_cases	= instance_test_cases,
};

kunit_test_suite(instance_test_suite);

MODULE_DESCRIPTION("KUnit tests of trace instances");
MODULE_LICENSE("GPL");
