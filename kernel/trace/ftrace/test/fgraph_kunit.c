// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of function graph: the callbacks at entries and returns, their arguments, and the real
 * return addresses of functions.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/stacktrace.h>
#include <linux/workqueue.h>

#include "filter/set_filter.h"
#include "ftrace/fgraph/fgraph.h"
#include "ftrace/fgraph/ret_stack.h"
#include "ftrace/test/kunit_target.h"

#define NOTES	64

/**
 * struct note - an entry or a return that was reported to a user
 * @entry: true for an entry
 * @func: call site of the function
 * @depth: depth of the call
 * @retval: return value, for a return
 * @caller: return address of the call, for an entry
 * @records: number of calls on the return stack, at an entry
 */
struct note {
	bool		entry;
	unsigned long	func;
	int		depth;
	unsigned long	retval;
	unsigned long	caller;
	int		records;
};

/**
 * struct listener - a user of function graph that takes notes
 * @gops: the user
 * @task: only calls of this task count
 * @refuse: accept no call
 * @bytes: number of bytes to reserve with each call
 * @bad_data: data was not the same as at the entry
 * @overrun: overrun of the last return
 * @lost: number of calls that were lost
 * @nr: number of notes, including notes that do not fit into @note
 * @note: the notes
 */
struct listener {
	struct fgraph_ops	gops;
	struct task_struct	*task;
	bool			refuse;
	int			bytes;
	unsigned int		bad_data;
	unsigned int		overrun;
	unsigned int		lost;
	unsigned int		nr;
	struct note		note[NOTES];
};

static void take(struct listener *user, struct note note)
{
	if (user->nr < NOTES)
		user->note[user->nr] = note;
	user->nr++;
}

static int on_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops)
{
	struct note note = { true, ent->func, ent->depth, 0, graph_entry_caller() };
	struct listener *user = gops->private;
	unsigned long *data;

	if (current != user->task)
		return 0;

	note.records = ret_stack_nr(current);
	take(user, note);
	ftrace_kunit_clobber();
	if (user->bytes) {
		data = fgraph_reserve_data(gops->idx, user->bytes);
		if (data)
			memset(data, 0x40 + ent->depth + gops->idx, user->bytes);
		else
			user->bad_data++;
	}
	return !user->refuse;
}

static void on_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	struct listener *user = gops->private;
	struct note note = { false, ret->func, ret->depth };
	u8 *data;
	int size;

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	note.retval = ret->retval;
#endif
	user->overrun = ret->overrun;
	take(user, note);
	ftrace_kunit_clobber();
	if (!user->bytes)
		return;

	data = fgraph_retrieve_data(gops->idx, &size);
	if (!data || size < user->bytes ||
	    memchr_inv(data, 0x40 + ret->depth + gops->idx, user->bytes))
		user->bad_data++;
}

static void on_loss(const struct ftrace_graph_ent *ent, struct fgraph_ops *gops)
{
	struct listener *user = gops->private;

	if (current == user->task)
		user->lost++;
}

static void drop(void *data)
{
	struct listener *user = data;

	unregister_ftrace_graph(&user->gops);
	ftrace_free_filter(&user->gops.ops);
}

static struct listener *user_alloc(struct kunit *test)
{
	struct listener *user = kunit_kzalloc(test, sizeof(*user), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, user);
	user->gops.entryfunc = on_entry;
	user->gops.retfunc = on_return;
	user->gops.lostfunc = on_loss;
	user->gops.private = user;
	user->task = current;
	return user;
}

static void add_function(struct kunit *test, struct listener *user, void *function)
{
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter_ip(&user->gops.ops,
						      (unsigned long)function, 0, 0));
}

static struct listener *new_user(struct kunit *test, void *first, void *second)
{
	struct listener *user = user_alloc(test);

	add_function(test, user, first);
	if (second)
		add_function(test, user, second);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, drop, user));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_graph(&user->gops));
	return user;
}

static void expect_note(struct kunit *test, struct listener *user, unsigned int nr,
			bool entry, void *function, int depth)
{
	KUNIT_ASSERT_LT(test, nr, user->nr);
	KUNIT_EXPECT_EQ(test, user->note[nr].entry, entry);
	KUNIT_EXPECT_EQ(test, user->note[nr].func,
			ftrace_filter_site_of((unsigned long)function));
	KUNIT_EXPECT_EQ(test, user->note[nr].depth, depth);
}

static bool stack_has(const unsigned long *frame, unsigned int nr, void *function)
{
	unsigned long size, offset;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (kallsyms_lookup_size_offset(frame[i], &size, &offset) &&
		    frame[i] - offset == (unsigned long)function)
			return true;
	}
	return false;
}

static void test_calls(struct kunit *test)
{
	struct listener *user = new_user(test, ftrace_kunit_caller, ftrace_kunit_add);

	KUNIT_EXPECT_EQ(test, ftrace_kunit_caller(2, 3), 6);
	KUNIT_EXPECT_EQ(test, user->nr, 4);
	expect_note(test, user, 0, true, ftrace_kunit_caller, 0);
	expect_note(test, user, 1, true, ftrace_kunit_add, 1);
	expect_note(test, user, 2, false, ftrace_kunit_add, 1);
	expect_note(test, user, 3, false, ftrace_kunit_caller, 0);
	KUNIT_EXPECT_TRUE(test, stack_has(&user->note[0].caller, 1, test_calls));
	KUNIT_EXPECT_TRUE(test, stack_has(&user->note[1].caller, 1, ftrace_kunit_caller));
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_RETVAL)) {
		KUNIT_EXPECT_EQ(test, (int)user->note[2].retval, 5);
		KUNIT_EXPECT_EQ(test, (int)user->note[3].retval, 6);
	}

	drop(user);
	KUNIT_EXPECT_EQ(test, ftrace_kunit_caller(2, 3), 6);
	KUNIT_EXPECT_EQ(test, user->nr, 4);
}

/* Each gets the calls of its own functions, with its own depths. */
static void test_users(struct kunit *test)
{
	struct listener *inner = new_user(test, ftrace_kunit_add, NULL);
	struct listener *both = new_user(test, ftrace_kunit_add, ftrace_kunit_caller);
	struct listener *other = new_user(test, ftrace_kunit_mul, NULL);

	KUNIT_EXPECT_EQ(test, ftrace_kunit_caller(2, 3), 6);
	KUNIT_EXPECT_EQ(test, inner->nr, 2);
	KUNIT_EXPECT_EQ(test, both->nr, 4);
	KUNIT_EXPECT_EQ(test, other->nr, 0);
	expect_note(test, inner, 0, true, ftrace_kunit_add, 0);
	expect_note(test, inner, 1, false, ftrace_kunit_add, 0);
	expect_note(test, both, 1, true, ftrace_kunit_add, 1);

	both->refuse = true;
	KUNIT_EXPECT_EQ(test, ftrace_kunit_caller(2, 3), 6);
	KUNIT_EXPECT_EQ(test, inner->nr, 4);
	/* Two entries, no return; refused calls do not count for depths. */
	KUNIT_EXPECT_EQ(test, both->nr, 6);
	expect_note(test, both, 5, true, ftrace_kunit_add, 0);
}

static void expect_record(struct kunit *test, struct listener *user, unsigned int nr,
			  void *function, int records)
{
	expect_note(test, user, nr, true, function, nr);
	KUNIT_EXPECT_EQ(test, user->note[nr].records, ret_stack_nr(current) + records);
}

/* A call has one record, whatever its number of users; they are the users of that function. */
static void test_one_record(struct kunit *test)
{
	struct listener *inner, *outer, *both[2];
	unsigned int i;

	if (!IS_ENABLED(CONFIG_DYNAMIC_FTRACE))
		kunit_skip(test, "the list function calls each user");

	inner = new_user(test, ftrace_kunit_add, NULL);
	outer = new_user(test, ftrace_kunit_caller, NULL);
	for (i = 0; i < ARRAY_SIZE(both); i++)
		both[i] = new_user(test, ftrace_kunit_add, ftrace_kunit_caller);

	KUNIT_EXPECT_EQ(test, ftrace_kunit_caller(2, 3), 6);
	KUNIT_EXPECT_EQ(test, inner->nr, 2);
	expect_record(test, inner, 0, ftrace_kunit_add, 2);
	KUNIT_EXPECT_EQ(test, outer->nr, 2);
	expect_record(test, outer, 0, ftrace_kunit_caller, 1);
	for (i = 0; i < ARRAY_SIZE(both); i++) {
		KUNIT_EXPECT_EQ(test, both[i]->nr, 4);
		expect_record(test, both[i], 0, ftrace_kunit_caller, 1);
		expect_record(test, both[i], 1, ftrace_kunit_add, 2);
	}
}

/* Callbacks at the entry preserve the arguments, callbacks at the return preserve the result. */
static void test_registers_survive(struct kunit *test)
{
	struct listener *user[2];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(user); i++) {
		user[i] = user_alloc(test);
		add_function(test, user[i], ftrace_kunit_eight);
		add_function(test, user[i], ftrace_kunit_pair);
		add_function(test, user[i], ftrace_kunit_words);
		KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, drop, user[i]));
		KUNIT_ASSERT_EQ(test, 0, register_ftrace_graph(&user[i]->gops));
		ftrace_kunit_check_calls(test);
	}
	KUNIT_EXPECT_EQ(test, user[0]->nr, 2 * 2 * FTRACE_KUNIT_NR_CALLS);
	KUNIT_EXPECT_EQ(test, user[1]->nr, 2 * FTRACE_KUNIT_NR_CALLS);
}

static void test_register(struct kunit *test)
{
	struct listener *user[GRAPH_USERS + 1];
	unsigned int i;

	user[0] = user_alloc(test);
	user[0]->gops.entryfunc = NULL;
	KUNIT_EXPECT_EQ(test, register_ftrace_graph(&user[0]->gops), -EINVAL);

	for (i = 0; i < GRAPH_USERS; i++)
		user[i] = new_user(test, ftrace_kunit_add, NULL);
	KUNIT_EXPECT_EQ(test, register_ftrace_graph(&user[0]->gops), -EBUSY);

	user[i] = user_alloc(test);
	add_function(test, user[i], ftrace_kunit_add);
	KUNIT_EXPECT_EQ(test, register_ftrace_graph(&user[i]->gops), -ENOSPC);
	ftrace_free_filter(&user[i]->gops.ops);

	KUNIT_EXPECT_EQ(test, ftrace_kunit_add(2, 3), 5);
	for (i = 0; i < GRAPH_USERS; i++)
		KUNIT_EXPECT_EQ(test, user[i]->nr, 2);
}

static void test_data(struct kunit *test)
{
	struct listener *few = new_user(test, ftrace_kunit_add, ftrace_kunit_caller);
	struct listener *many = new_user(test, ftrace_kunit_add, ftrace_kunit_caller);

	few->bytes = 1;
	many->bytes = 256;
	KUNIT_EXPECT_EQ(test, ftrace_kunit_caller(2, 3), 6);
	KUNIT_EXPECT_EQ(test, few->bad_data, 0);
	KUNIT_EXPECT_EQ(test, many->bad_data, 0);

	/* Two times two calls, at entry and at return. */
	many->bytes = 257;
	KUNIT_EXPECT_EQ(test, ftrace_kunit_caller(2, 3), 6);
	KUNIT_EXPECT_EQ(test, few->bad_data, 0);
	KUNIT_EXPECT_EQ(test, many->bad_data, 4);
}

/* Functions too deep for the return stack are not reported, but counted. */
static void test_overrun(struct kunit *test)
{
	struct listener *user = new_user(test, ftrace_kunit_deep, NULL);
	unsigned long lost = graph_lost_calls();
	unsigned int told;

	KUNIT_EXPECT_EQ(test, ftrace_kunit_deep(299), 300);
	told = user->nr / 2;
	KUNIT_EXPECT_GE(test, told, 50);
	KUNIT_EXPECT_LT(test, told, 300);
	KUNIT_EXPECT_EQ(test, user->nr % 2, 0);
	KUNIT_EXPECT_GE(test, user->overrun, 300 - told);
	KUNIT_EXPECT_EQ(test, user->lost, 300 - told);
	KUNIT_EXPECT_GE(test, graph_lost_calls() - lost, 300 - told);

	/* Data also uses space. */
	user->nr = 0;
	user->bytes = 256;
	KUNIT_EXPECT_EQ(test, ftrace_kunit_deep(9), 10);
	KUNIT_EXPECT_EQ(test, user->bad_data, 0);
	KUNIT_EXPECT_EQ(test, ftrace_kunit_deep(299), 300);
	KUNIT_EXPECT_GT(test, user->bad_data, 0);
}

static void test_tail_call(struct kunit *test)
{
	struct listener *user = new_user(test, ftrace_kunit_tail, ftrace_kunit_add);
	const unsigned long *caller = &user->note[1].caller;

	KUNIT_EXPECT_EQ(test, ftrace_kunit_tail(2, 3), 5);
	KUNIT_EXPECT_EQ(test, user->nr, 4);
	expect_note(test, user, 1, true, ftrace_kunit_add, 1);
	expect_note(test, user, 2, false, ftrace_kunit_add, 1);
	expect_note(test, user, 3, false, ftrace_kunit_tail, 0);
	/* The callee returns to its caller's caller, unless this is a call like any other. */
	KUNIT_EXPECT_TRUE(test, stack_has(caller, 1, test_tail_call) ||
			  stack_has(caller, 1, ftrace_kunit_tail));
}

/* The user calls a function that it traces. */
static int recursing_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops)
{
	struct listener *user = gops->private;

	if (current != user->task)
		return 0;

	take(user, (struct note) { true, ent->func, ent->depth });
	if (user->nr < NOTES)
		ftrace_kunit_add(1, 2);
	return 1;
}

static void recursing_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	struct listener *user = gops->private;

	take(user, (struct note) { false, ret->func, ret->depth });
	if (user->nr < NOTES)
		ftrace_kunit_add(1, 2);
}

static void test_recursion(struct kunit *test)
{
	struct listener *user = user_alloc(test);
	bool inside = false;
	unsigned int i;

	user->gops.entryfunc = recursing_entry;
	user->gops.retfunc = recursing_return;
	add_function(test, user, ftrace_kunit_add);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, drop, user));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_graph(&user->gops));
	KUNIT_EXPECT_EQ(test, ftrace_kunit_add(2, 3), 5);
	/* A call through the spare bit of the guard is also reported. */
	KUNIT_EXPECT_LE(test, user->nr, 8);
	/* The last return is followed by a call that its callback makes: inside of it. */
	for (i = 0; i + 1 < user->nr; i++) {
		if (!user->note[i].entry && user->note[i + 1].entry) {
			inside = true;
			KUNIT_EXPECT_GT(test, user->note[i + 1].depth, user->note[i].depth);
		}
	}
	KUNIT_EXPECT_TRUE(test, inside);
}

/*
 * Stacks
 */

#define FRAMES	32

static int save_stack(void *data)
{
	unsigned long *frame = data;

	return stack_trace_save(frame, FRAMES, 0);
}

static int call_caller(void *data)
{
	return ftrace_kunit_run(save_stack, data);
}

static void test_stack(struct kunit *test)
{
	unsigned long plain[FRAMES], traced[FRAMES];
	unsigned int i, nr;
	int other;

	nr = ftrace_kunit_run(call_caller, plain);
	new_user(test, ftrace_kunit_run, NULL);
	other = ftrace_kunit_run(call_caller, traced);

	/* The stacks are the same, except for the address in this function. */
	KUNIT_ASSERT_EQ(test, other, nr);
	KUNIT_EXPECT_TRUE(test, stack_has(traced, nr, test_stack));
	for (i = 0; i < nr; i++) {
		KUNIT_EXPECT_PTR_NE(test, (void *)traced[i], (void *)return_to_handler);
		if (!stack_has(&traced[i], 1, test_stack))
			KUNIT_EXPECT_PTR_EQ(test, (void *)traced[i], (void *)plain[i]);
	}
}

/**
 * struct parked - a task that waits inside a traced function, or after one
 * @task: the task, with a reference that unpark() drops
 * @inside: the task waits
 * @leave: the task may continue
 * @left: the task has returned
 */
struct parked {
	struct task_struct	*task;
	struct completion	inside;
	struct completion	leave;
	struct completion	left;
};

static int wait_inside(void *data)
{
	struct parked *parked = data;

	complete(&parked->inside);
	wait_for_completion(&parked->leave);
	return 0;
}

static int parked_thread(void *data)
{
	struct parked *parked = data;

	ftrace_kunit_run(wait_inside, parked);
	complete(&parked->left);
	return 0;
}

static int thread_outside(void *data)
{
	struct parked *parked = data;

	ftrace_kunit_add(1, 2);
	wait_inside(parked);
	complete(&parked->left);
	return 0;
}

static void unpark(void *data)
{
	struct parked *parked = data;

	complete(&parked->leave);
	wait_for_completion(&parked->left);
	kthread_stop_put(parked->task);
}

static struct parked *park(struct kunit *test, struct listener *user, int (*thread)(void *data))
{
	struct parked *parked = kunit_kzalloc(test, sizeof(*parked), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, parked);
	init_completion(&parked->inside);
	init_completion(&parked->leave);
	init_completion(&parked->left);
	parked->task = kthread_create(thread, parked, "graph_kunit");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, parked->task);
	get_task_struct(parked->task);
	user->task = parked->task;
	wake_up_process(parked->task);
	wait_for_completion(&parked->inside);
	/* Wait until it sleeps. */
	while (READ_ONCE(parked->task->__state) == TASK_RUNNING)
		schedule_timeout_uninterruptible(1);
	return parked;
}

/**
 * struct lookups - return addresses that are looked up as an unwinder does
 * @idx: index that the last look-up has stored
 * @nr: number of calls that had not returned before
 * @found: return addresses of the inner and the outer function
 */
struct lookups {
	int		idx;
	int		nr;
	unsigned long	found[2];
};

static unsigned long look_up(struct lookups *lookups, int call)
{
	unsigned long key = ret_stack_of(current)->call[lookups->nr + call].key;

	return ftrace_graph_ret_addr(current, &lookups->idx, (unsigned long)return_to_handler,
				     (unsigned long *)key);
}

static int look_up_inner(void *data)
{
	struct lookups *lookups = data;

	lookups->found[0] = look_up(lookups, 1);
	return 0;
}

static int look_up_both(void *data)
{
	struct lookups *lookups = data;

	ftrace_kunit_run(look_up_inner, lookups);
	lookups->found[1] = look_up(lookups, 0);
	return 0;
}

static int call_look_up(void *data)
{
	int ret = ftrace_kunit_run(look_up_both, data);

	/* Prevent a tail call. */
	OPTIMIZER_HIDE_VAR(ret);
	return ret;
}

/* An unwinder calls traced functions, more of them at one look-up than at the next. */
static void test_traced_unwinder(struct kunit *test)
{
	struct lookups lookups = { .nr = ret_stack_nr(current) };

	new_user(test, ftrace_kunit_run, NULL);
	ftrace_kunit_run(call_look_up, &lookups);
	KUNIT_EXPECT_TRUE(test, stack_has(&lookups.found[0], 1, call_look_up));
	KUNIT_EXPECT_TRUE(test, stack_has(&lookups.found[1], 1, test_traced_unwinder));
}

/* Live patching checks whether a sleeping task is in a function. */
static void test_reliable_stack(struct kunit *test)
{
	struct listener *user = new_user(test, ftrace_kunit_run, NULL);
	struct parked *parked = park(test, user, parked_thread);
	unsigned long frame[FRAMES];
	int nr = 0;

	if (IS_ENABLED(CONFIG_HAVE_RELIABLE_STACKTRACE))
		nr = stack_trace_save_tsk_reliable(parked->task, frame, FRAMES);
	unpark(parked);
	if (!IS_ENABLED(CONFIG_HAVE_RELIABLE_STACKTRACE))
		kunit_skip(test, "there are no reliable stack traces");

	KUNIT_ASSERT_GT(test, nr, 0);
	KUNIT_EXPECT_TRUE(test, stack_has(frame, nr, ftrace_kunit_run));
	KUNIT_EXPECT_TRUE(test, stack_has(frame, nr, parked_thread));
}

/* A user that registers while a function runs does not get its return. */
static void test_unregister_inside(struct kunit *test)
{
	struct listener *user = new_user(test, ftrace_kunit_run, NULL);
	struct parked *parked = park(test, user, parked_thread);
	struct listener *next[GRAPH_USERS];
	bool again = false;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, user->nr, 1);
	drop(user);
	/* One of these gets the same number. */
	for (i = 0; i < GRAPH_USERS; i++) {
		next[i] = new_user(test, ftrace_kunit_run, NULL);
		next[i]->task = parked->task;
		again |= next[i]->gops.idx == user->gops.idx;
	}
	KUNIT_EXPECT_TRUE(test, again);

	unpark(parked);
	KUNIT_EXPECT_EQ(test, user->nr, 1);
	for (i = 0; i < GRAPH_USERS; i++)
		KUNIT_EXPECT_EQ(test, next[i]->nr, 0);
}

static int exit_inside(void *data)
{
	struct completion *done = data;

	kthread_complete_and_exit(done, 0);
	return 0;
}

static int exiting_thread(void *data)
{
	return ftrace_kunit_run(exit_inside, data);
}

/* A task exits in a traced function: its return stack is freed with it. */
static void test_exit_inside(struct kunit *test)
{
	struct listener *user = new_user(test, ftrace_kunit_run, NULL);
	DECLARE_COMPLETION_ONSTACK(done);
	struct task_struct *task;

	task = kthread_create(exiting_thread, &done, "graph_kunit");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	user->task = task;
	wake_up_process(task);
	wait_for_completion(&done);
	KUNIT_EXPECT_EQ(test, user->nr, 1);
}

static unsigned int probe_hits;

static int probe_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	probe_hits++;
	return 0;
}

NOKPROBE_SYMBOL(probe_return);

/* In both orders of registration. */
static void check_kretprobe(struct kunit *test, bool first)
{
	struct kretprobe probe = {
		.kp.symbol_name	= "ftrace_kunit_run",
		.handler	= probe_return,
		.maxactive	= 4,
	};
	unsigned long frame[FRAMES];
	struct listener *user = NULL;
	int nr;

	probe_hits = 0;
	if (!first)
		user = new_user(test, ftrace_kunit_run, NULL);
	KUNIT_ASSERT_EQ(test, register_kretprobe(&probe), 0);
	if (first)
		user = new_user(test, ftrace_kunit_run, NULL);

	nr = ftrace_kunit_run(save_stack, frame);
	unregister_kretprobe(&probe);
	KUNIT_EXPECT_EQ(test, probe_hits, 1);
	KUNIT_EXPECT_EQ(test, user->nr, 2);
	KUNIT_EXPECT_TRUE(test, stack_has(frame, nr, check_kretprobe));
	drop(user);
}

static void test_kretprobe(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_KRETPROBES))
		kunit_skip(test, "CONFIG_KRETPROBES is off");

	check_kretprobe(test, true);
	check_kretprobe(test, false);
}

/* At boot there are no other users of function graph. */
static void expect_stacks(struct kunit *test, unsigned int nr)
{
	int i;

	for (i = 0; i < 500 && ret_stacks() != nr; i++)
		schedule_timeout_uninterruptible(HZ / 50);
	KUNIT_EXPECT_EQ(test, ret_stacks(), nr);
}

/* All memory is freed after the last user has unregistered. */
static void test_memory(struct kunit *test)
{
	struct listener *user = new_user(test, ftrace_kunit_add, NULL);

	ftrace_kunit_add(1, 2);
	KUNIT_EXPECT_GT(test, ret_stacks(), 0);
	drop(user);
	expect_stacks(test, 0);
}

/* The stack of a task that is in a traced function is freed when the task returns. */
static void test_memory_inside(struct kunit *test)
{
	struct listener *user = new_user(test, ftrace_kunit_run, NULL);
	struct parked *parked = park(test, user, parked_thread);

	drop(user);
	expect_stacks(test, 1);
	unpark(parked);
	expect_stacks(test, 0);
}

static int drop_inside(void *user)
{
	drop(user);
	return 0;
}

/* The last user is unregistered inside of the last call of a task, which is the current one. */
static void test_memory_last_call(struct kunit *test)
{
	struct listener *user = new_user(test, ftrace_kunit_run, NULL);

	ftrace_kunit_run(drop_inside, user);
	expect_stacks(test, 0);
	KUNIT_EXPECT_NULL(test, current->ret_stack);
}

/* Return: the number of tasks, and idle tasks of CPUs, that have no stack. */
static unsigned int tasks_without(void)
{
	struct task_struct *group, *task;
	unsigned int cpu, nr = 0;

	guard(cpus_read_lock)();
	guard(rcu)();

	for_each_process_thread(group, task)
		nr += !READ_ONCE(task->ret_stack);
	for_each_online_cpu(cpu)
		nr += !READ_ONCE(idle_task(cpu)->ret_stack);
	return nr;
}

/* Each task has one before it can need it, inside of calls or not. */
static void test_memory_of_tasks(struct kunit *test)
{
	struct parked *parked;
	struct listener *user;

	user = new_user(test, ftrace_kunit_add, NULL);
	KUNIT_EXPECT_EQ(test, tasks_without(), 0);
	parked = park(test, user, thread_outside);
	KUNIT_EXPECT_EQ(test, user->nr, 2);
	KUNIT_EXPECT_EQ(test, user->lost, 0);
	KUNIT_EXPECT_NOT_NULL(test, parked->task->ret_stack);
	KUNIT_EXPECT_EQ(test, tasks_without(), 0);
	unpark(parked);
}

/* For a task without a stack each loss is counted, until the worker has given it one. */
static void test_memory_later(struct kunit *test)
{
	struct listener *user = new_user(test, ftrace_kunit_add, NULL);
	struct listener *other = new_user(test, ftrace_kunit_mul, NULL);
	unsigned long lost = graph_lost_calls();
	int i;

	/* As if memory had been short when it was forked; the worker waits for its CPU. */
	scoped_guard(preempt) {
		ftrace_graph_exit_task(current);
		for (i = 0; i < 3; i++)
			ftrace_kunit_add(1, 2);
	}
	KUNIT_EXPECT_EQ(test, user->nr, 0);
	KUNIT_EXPECT_EQ(test, user->lost, 3);
	KUNIT_EXPECT_EQ(test, other->lost, 0);
	KUNIT_EXPECT_EQ(test, graph_lost_calls() - lost, 3);

	for (i = 0; i < 500 && !READ_ONCE(current->ret_stack); i++)
		schedule_timeout_uninterruptible(HZ / 50);
	ftrace_kunit_add(1, 2);
	KUNIT_EXPECT_EQ(test, user->nr, 2);
	KUNIT_EXPECT_EQ(test, user->lost, 3);
}

static long pass_by(void *data)
{
	return 0;
}

/* Wake the CPU until its idle task has called the traced function. */
static void call_idle(unsigned int cpu, struct listener *user, unsigned int before)
{
	int i;

	for (i = 0; i < 100 && READ_ONCE(user->nr) <= before; i++) {
		work_on_cpu(cpu, pass_by, NULL);
		schedule_timeout_uninterruptible(1);
	}
}

/* The idle task of a CPU that is offlined does not return from the function that it stops in. */
static void test_cpu_goes(struct kunit *test)
{
	unsigned int cpu = cpumask_last(cpu_online_mask), round, before;
	struct task_struct *idle = idle_task(cpu);
	struct listener *user;

	if (!IS_ENABLED(CONFIG_HOTPLUG_CPU) || num_online_cpus() == 1)
		kunit_skip(test, "no CPU can go");

	user = user_alloc(test);
	user->task = idle;
	add_function(test, user, cpu_startup_entry);
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter(&user->gops.ops, "do_idle", 7, 0));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, drop, user));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_graph(&user->gops));

	/* cpu_startup_entry(), which never returns, is traced from the second time on. */
	for (round = 0; round < 2; round++) {
		before = user->nr;
		call_idle(cpu, user, before);
		KUNIT_EXPECT_GT(test, user->nr, before);
		KUNIT_ASSERT_EQ(test, 0, remove_cpu(cpu));
		KUNIT_EXPECT_EQ(test, idle->curr_ret_stack, 0);
		KUNIT_EXPECT_PTR_EQ(test, idle->ret_stack, NULL);
		KUNIT_ASSERT_EQ(test, 0, add_cpu(cpu));
	}
	drop(user);
	remove_cpu(cpu);
	expect_stacks(test, 0);
	KUNIT_EXPECT_EQ(test, 0, add_cpu(cpu));
}

static struct kunit_case graph_test_cases[] = {
	KUNIT_CASE(test_calls),
	KUNIT_CASE(test_users),
	KUNIT_CASE(test_one_record),
	KUNIT_CASE(test_registers_survive),
	KUNIT_CASE(test_register),
	KUNIT_CASE(test_data),
	KUNIT_CASE(test_overrun),
	KUNIT_CASE(test_tail_call),
	KUNIT_CASE(test_recursion),
	KUNIT_CASE(test_stack),
	KUNIT_CASE(test_traced_unwinder),
	KUNIT_CASE(test_reliable_stack),
	KUNIT_CASE(test_unregister_inside),
	KUNIT_CASE(test_exit_inside),
	KUNIT_CASE(test_kretprobe),
	KUNIT_CASE(test_memory),
	KUNIT_CASE(test_memory_inside),
	KUNIT_CASE(test_memory_last_call),
	KUNIT_CASE(test_memory_of_tasks),
	KUNIT_CASE(test_memory_later),
	KUNIT_CASE(test_cpu_goes),
	{ }
};

static struct kunit_suite graph_test_suite = {
	.name		= "ftrace_graph",
	.test_cases	= graph_test_cases,
};

/*
 * Count the tasks in functions that were called when there were users, and that they may never
 * return from.
 */
static unsigned int tasks_inside(void)
{
	struct task_struct *group, *task;
	unsigned int cpu, nr = 0;

	guard(rcu)();

	for_each_process_thread(group, task)
		nr += !!READ_ONCE(task->curr_ret_stack);
	for_each_possible_cpu(cpu) {
		task = idle_task(cpu);
		nr += task && READ_ONCE(task->curr_ret_stack);
	}
	return nr;
}

/* A suite of its own, for the selftest stress, which runs it after all its other work. */
static void test_left(struct kunit *test)
{
	int i;

	if (READ_ONCE(ret_stack_in_use))
		kunit_skip(test, "somebody uses function graph");

	for (i = 0; i < 500 && ret_stacks() != tasks_inside(); i++)
		schedule_timeout_uninterruptible(HZ / 50);
	kunit_info(test, "%u tasks are inside of functions\n", tasks_inside());
	KUNIT_EXPECT_EQ(test, ret_stacks(), tasks_inside());
}

static struct kunit_case graph_left_cases[] = {
	KUNIT_CASE(test_left),
	{ }
};

static struct kunit_suite graph_left_suite = {
	.name		= "ftrace_graph_left",
	.test_cases	= graph_left_cases,
};

kunit_test_suites(&graph_test_suite, &graph_left_suite);

MODULE_DESCRIPTION("KUnit tests of function graph");
MODULE_LICENSE("GPL");
