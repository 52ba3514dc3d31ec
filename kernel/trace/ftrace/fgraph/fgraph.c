// SPDX-License-Identifier: GPL-2.0
/*
 * Function graph: entry and return of functions, the calls on the return stack of a task, and
 * the callbacks of users. See fgraph.h and ret_stack.h.
 *
 * At the entry a record of the call is pushed and the users' entry callbacks are called. If one
 * of them requests the return callback, the return address is replaced by the address of
 * return_to_handler(), which calls ftrace_return_to_handler().
 */
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/ftrace_arch.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/sched/task_stack.h>

#include "ftrace/entry/dispatch.h"
#include "ftrace/entry/task.h"
#include "ftrace/fgraph/fgraph.h"
#include "ftrace/fgraph/fgraph_slots.h"
#include "ftrace/fgraph/ret_stack.h"
#include "lib/clock.h"
#include "patch/records.h"

/*
 * Calls on the return stack
 */

/* Pop the last call. An interrupt may push a call as soon as it is popped. */
static __always_inline void fgraph_call_pop(struct fgraph_ret_stack *stack,
					    struct ret_stack_call *call)
{
	WRITE_ONCE(stack->data, call->data);
	WRITE_ONCE(call->key, 0);
	barrier();
	/* data_race: an interrupt leaves it unchanged */
	data_race(current->curr_ret_stack--);
}

/* The last call will never return: no user is notified, but the depths are corrected. */
static void fgraph_call_discard(struct fgraph_ret_stack *stack, int nr)
{
	struct ret_stack_call *call = &stack->call[nr - 1];
	unsigned long users = call->users;
	unsigned int i;

	for_each_set_bit(i, &users, GRAPH_USERS) {
		const struct graph_slot *slot = graph_slot_at(i);

		if (graph_slot_was_there(slot, call->epoch) &&
		    stack->user[i].epoch == slot->epoch)
			/* data_race: an interrupt leaves it unchanged, here and below */
			data_race(stack->user[i].depth--);
	}
	fgraph_call_pop(stack, call);
}

NOKPROBE_SYMBOL(fgraph_call_discard);

static bool fgraph_on_task_stack(unsigned long addr)
{
	return addr - (unsigned long)task_stack_page(current) < THREAD_SIZE;
}

NOKPROBE_SYMBOL(fgraph_on_task_stack);

/*
 * A task may leave functions without returning from them, for example when it is killed by an
 * oops and continues at the base of its stack. An abandoned call is detected when a later call
 * is at the same address of the stack, or above. A tail call has the same key as the function
 * that makes it, and finds that the return is already caught.
 */
static noinline int fgraph_discard_abandoned(struct fgraph_ret_stack *stack, int nr,
					     unsigned long key, unsigned long ret)
{
	bool caught;

	if (!fgraph_on_task_stack(key))
		return nr;

	caught = graph_return_is_caught(ret, key);

	while (nr) {
		unsigned long last = stack->call[nr - 1].key;

		/* A record that is not complete yet was interrupted. */
		if (!last || !fgraph_on_task_stack(last) || last > key ||
		    (last == key && caught))
			break;
		fgraph_call_discard(stack, nr--);
	}
	return nr;
}

NOKPROBE_SYMBOL(fgraph_discard_abandoned);

/* Reserve a record for a new call. Return: false if there is no space. */
static __always_inline bool fgraph_call_push(struct fgraph_ret_stack *stack, unsigned long key,
					     unsigned long ret, struct ret_stack_call **pushed)
{
	long nr = READ_ONCE(current->curr_ret_stack);
	struct ret_stack_call *call = &stack->call[nr];
	unsigned int data;

	if (nr && unlikely(call[-1].key <= key)) {
		nr = fgraph_discard_abandoned(stack, nr, key, ret);
		call = &stack->call[nr];
	}

	/* The data of the discarded calls is no longer in use. */
	data = READ_ONCE(stack->data);
	if (unlikely(ret_stack_call_word(nr + 1) > data))
		return false;

	/*
	 * Calls of interrupts find their data from here on. Interrupts before this store the
	 * same value.
	 */
	WRITE_ONCE(call->data, data);
	barrier();
	/* From here on no interrupt writes there; the record was free, so its key is 0. */
	WRITE_ONCE(current->curr_ret_stack, nr + 1);
	barrier();
	*pushed = call;
	return true;
}

/*
 * Entry
 */

/* May the entry callback of the user be called in the current task and context? */
static noinline bool fgraph_is_allowed(const struct graph_user *user)
{
	if (user->flags & FTRACE_OPS_FL_RCU && !ftrace_rcu_watches())
		return false;

	return !(user->flags & FTRACE_OPS_FL_PID) ||
	       !static_branch_unlikely(&ftrace_pids_in_use) ||
	       this_cpu_read(ftrace_ops_pid) == current->pid;
}

NOKPROBE_SYMBOL(fgraph_is_allowed);

static __always_inline bool fgraph_call_entry(const struct graph_user *user, unsigned long ip,
					      unsigned int depth)
{
	struct ftrace_graph_ent ent = { .func = ip, .depth = depth };

	return user->entry(&ent, user->gops);
}

/* The data of the user on the task's stack, initialized if it belonged to another user. */
static __always_inline struct ret_stack_user *fgraph_user_on_stack(struct fgraph_ret_stack *stack,
								   const struct graph_user *user)
{
	struct ret_stack_user *mine = &stack->user[user->idx];

	if (unlikely(READ_ONCE(mine->epoch) != user->epoch)) {
		WRITE_ONCE(mine->depth, 0);
		WRITE_ONCE(stack->var[user->idx], 0);
		WRITE_ONCE(mine->epoch, user->epoch);
	}
	return mine;
}

/* Return: true if the user accepts the call. */
static __always_inline bool fgraph_ask_user(struct fgraph_ret_stack *stack, unsigned long ip,
					    const struct graph_user *user)
{
	struct ret_stack_user *mine;

	if (unlikely(user->flags) && !fgraph_is_allowed(user))
		return false;

	mine = fgraph_user_on_stack(stack, user);
	if (!fgraph_call_entry(user, ip, READ_ONCE(mine->depth)))
		return false;

	/* data_race: as in fgraph_call_discard() */
	data_race(mine->depth++);
	return true;
}

/* Return: the bits of the users that accept the call. */
static noinline unsigned int fgraph_ask_several(struct fgraph_ret_stack *stack, unsigned long ip,
						const struct graph_users *users)
{
	unsigned int i, bits = 0;

	for (i = 0; i < users->count; i++)
		if (fgraph_ask_user(stack, ip, &users->user[i]))
			bits |= users->user[i].bit;
	return bits;
}

NOKPROBE_SYMBOL(fgraph_ask_several);

/* Store in the call which users accept it. Return: true if there is any. */
static __always_inline bool fgraph_ask_users(struct fgraph_ret_stack *stack,
					     struct ret_stack_call *call,
					     unsigned long ip, const struct graph_users *users)
{
	if (likely(users->count == 1)) {
		if (!fgraph_ask_user(stack, ip, users->user))
			return false;
		call->users = users->user->bit;
		return true;
	}

	call->users = fgraph_ask_several(stack, ip, users);
	return call->users;
}

/* Number of calls that were lost; with the list function, one for each user. */
static DEFINE_PER_CPU(unsigned long, lost_calls);

/*
 * Is the user still registered? Callers of call sites may still find it in their list
 * afterwards.
 */
static bool fgraph_is_registered(const struct graph_user *user)
{
	return graph_slot_at(user->idx)->epoch == user->epoch;
}

NOKPROBE_SYMBOL(fgraph_is_registered);

/* Return: true if the entry callback of the user would have been called. */
static bool fgraph_lost_for_user(struct fgraph_ret_stack *stack, unsigned long ip,
				 const struct graph_user *user)
{
	struct ftrace_graph_ent ent = { .func = ip };

	if (!fgraph_is_registered(user) || (user->flags && !fgraph_is_allowed(user)))
		return false;

	if (stack)
		ent.depth = READ_ONCE(fgraph_user_on_stack(stack, user)->depth);
	if (user->gops->lostfunc)
		user->gops->lostfunc(&ent, user->gops);
	return true;
}

NOKPROBE_SYMBOL(fgraph_lost_for_user);

/*
 * There is no space for a call: its task got no return stack because memory was short, or the
 * stack is full.
 */
static noinline void fgraph_call_lost(struct fgraph_ret_stack *stack, unsigned long ip,
				      const struct graph_users *users)
{
	unsigned int i, nr = 0;

	for (i = 0; i < users->count; i++)
		nr += fgraph_lost_for_user(stack, ip, &users->user[i]);
	if (nr) {
		atomic_inc(&current->trace_overrun);
		this_cpu_inc(lost_calls);
		if (!stack)
			ret_stack_call_worker();
	}
}

NOKPROBE_SYMBOL(fgraph_call_lost);

/**
 * graph_lost_calls - count the calls of traced functions that were lost since boot
 *
 * Their task had no return stack for lack of memory, or no space left on it.
 */
unsigned long graph_lost_calls(void)
{
	unsigned long sum = 0;
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(&lost_calls, cpu));

	return sum;
}

static __always_inline void fgraph_enter(unsigned long ip, const struct graph_users *users,
					 struct ftrace_regs *fregs)
{
	struct fgraph_ret_stack *stack = ret_stack_of(current);
	unsigned long ret = *arch_ftrace_return_slot(fregs);
	unsigned long *slot, key;
	struct ret_stack_call *call;

	if (unlikely(!stack ||
		     !fgraph_call_push(stack, arch_ftrace_return_key(fregs), ret, &call))) {
		fgraph_call_lost(stack, ip, users);
		return;
	}

	/* Pushed before the callbacks are called, so that they can reserve data. */
	call->ret = ret;
	call->func = ip;
	call->asked_regs = fregs;
	call->epoch = users->epoch;
	if (unlikely(!fgraph_ask_users(stack, call, ip, users))) {
		fgraph_call_pop(stack, call);
		return;
	}

	call->calltime = trace_clock_this_cpu();
	/* A callback may have made the function return immediately, to the same address. */
	if (unlikely(ftrace_regs_get_instruction_pointer(fregs) == call->ret))
		ftrace_regs_set_instruction_pointer(fregs,
						    (unsigned long)return_to_handler);
	slot = arch_ftrace_return_slot(fregs);
	key = arch_ftrace_return_key(fregs);
	/* Unwinders find the call from here on, ... */
	barrier();
	WRITE_ONCE(call->key, key);
	/* ... and need it from here on. */
	barrier();
	WRITE_ONCE(*slot, (unsigned long)return_to_handler);
}

/* As for other guards, a constant bit halves the cost. */
#define TASK_BIT	(TRACE_RECURSION_TASK << TRACE_RECURSION_GRAPH)

/* Neither in an interrupt nor inside a callback. */
static __always_inline bool fgraph_in_task_outside(void)
{
	return trace_recursion_context() == TRACE_RECURSION_TASK &&
	       !(READ_ONCE(current->trace_recursion) & TASK_BIT);
}

/* In an interrupt, or inside a callback. */
static noinline void fgraph_enter_slow(unsigned long ip, const struct graph_users *users,
				       struct ftrace_regs *fregs)
{
	int bit = trace_recursion_bit(TRACE_RECURSION_GRAPH);

	if (bit < 0)
		return;

	trace_recursion_enter(bit);
	fgraph_enter(ip, users, fregs);
	trace_recursion_leave(bit);
}

NOKPROBE_SYMBOL(fgraph_enter_slow);

/**
 * ftrace_graph_enter - handle the call of a function that users of function graph trace
 * @ip: call site of the function
 * @parent_ip: return address of the function
 * @ops: the struct graph_users
 * @fregs: registers of the function
 *
 * Context: any
 */
void ftrace_graph_enter(unsigned long ip, unsigned long parent_ip,
			struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	const struct graph_users *users = (const void *)ops;

	if (unlikely(atomic_read(&current->tracing_graph_pause)))
		return;

	if (likely(fgraph_in_task_outside())) {
		trace_recursion_enter(TASK_BIT);
		fgraph_enter(ip, users, fregs);
		trace_recursion_leave(TASK_BIT);
	} else {
		fgraph_enter_slow(ip, users, fregs);
	}
}

NOKPROBE_SYMBOL(ftrace_graph_enter);

/**
 * ftrace_graph_func - the same for one user, called by the list function
 * @ip: call site of the function
 * @parent_ip: return address of the function
 * @ops: ops of the user
 * @fregs: registers of the function
 *
 * Each user of the function pushes a call of its own.
 *
 * Context: any
 */
void ftrace_graph_func(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	const struct graph_slot *slot = graph_slot_of(graph_gops_of(ops));
	DEFINE_RAW_FLEX(struct graph_users, users, user, 1);

	/* The caller may have found the ops in the list before it was unregistered. */
	if (!slot)
		return;

	users->epoch = slot->epoch;
	users->count = 1;
	users->user[0] = graph_user_of(slot);
	/* The list function has already applied the flags, by ftrace_ops_entry(). */
	users->user[0].flags = 0;
	ftrace_graph_enter(ip, parent_ip, (struct ftrace_ops *)users, fregs);
}

NOKPROBE_SYMBOL(ftrace_graph_func);

/*
 * Return
 */

static __always_inline void fgraph_call_returns(struct fgraph_ret_stack *stack,
						struct ret_stack_call *call,
						unsigned long retval, u64 now, bool callbacks)
{
	struct ftrace_graph_ret ret = {
		.func		= call->func,
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
		.retval		= retval,
#endif
		.overrun	= atomic_read(&current->trace_overrun),
		.calltime	= call->calltime,
		.rettime	= now,
	};
	unsigned long users = call->users;

	do {
		unsigned long i = __ffs(users);
		const struct graph_slot *slot = graph_slot_at(i);

		if (unlikely(!graph_slot_was_there(slot, call->epoch)))
			continue;

		ret.depth = READ_ONCE(stack->user[i].depth) - 1;
		if (callbacks)
			slot->ret(&ret, slot->gops);
		/*
		 * An interrupt of the callback is still inside the call.
		 * data_race: as in fgraph_call_discard()
		 */
		data_race(stack->user[i].depth--);
	} while (users &= users - 1);
}

/* Preemption is already disabled, unlike at the entry. */
static __always_inline void fgraph_call_returns_guarded(struct fgraph_ret_stack *stack,
							struct ret_stack_call *call,
							unsigned long retval, u64 now, int bit)
{
	/* data_race: as in trace_recursion_enter() */
	data_race(current->trace_recursion |= bit);
	barrier();
	fgraph_call_returns(stack, call, retval, now, true);
	barrier();
	/* data_race: as above */
	data_race(current->trace_recursion &= ~(unsigned long)bit);
}

/*
 * In an interrupt, or inside a callback. If a call was accepted on the spare bit of the guard,
 * and both bits are taken at its return, no user is notified.
 */
static noinline void fgraph_call_returns_slow(struct fgraph_ret_stack *stack,
					      struct ret_stack_call *call,
					      unsigned long retval, u64 now)
{
	int bit = trace_recursion_bit(TRACE_RECURSION_GRAPH);

	if (bit >= 0)
		fgraph_call_returns_guarded(stack, call, retval, now, bit);
	else
		fgraph_call_returns(stack, call, retval, now, false);
}

NOKPROBE_SYMBOL(fgraph_call_returns_slow);

/* Slow path: the call with this key, which has returned, is not the last one. */
static noinline struct ret_stack_call *fgraph_discard_skipped(struct fgraph_ret_stack *stack,
							      unsigned long key)
{
	int nr = stack ? READ_ONCE(current->curr_ret_stack) : 0;
	int i;

	for (i = nr; i && stack->call[i - 1].key != key; i--)
		;
	if (!i)
		panic("ftrace: nothing is known of where a function returns to\n");

	/* The calls above it were left without returning, by a jump to a caller. */
	while (nr > i)
		fgraph_call_discard(stack, nr--);
	return &stack->call[nr - 1];
}

NOKPROBE_SYMBOL(fgraph_discard_skipped);

/* Find the call with a key and make it the last one. Without a stack, curr_ret_stack is 0. */
static __always_inline struct ret_stack_call *fgraph_call_find(struct fgraph_ret_stack *stack,
							       unsigned long key)
{
	long nr = READ_ONCE(current->curr_ret_stack);
	struct ret_stack_call *call = (void *)(ret_stack_words(stack) +
					       ret_stack_call_word(nr - 1));

	return likely(nr && call->key == key) ? call : fgraph_discard_skipped(stack, key);
}

/*
 * There is no user any longer, and the task may have returned from its last call: the worker
 * then takes the stack away. ret_stack_release_all() makes sure that no task is about to push.
 */
static noinline void fgraph_leave_last(void)
{
	if (!READ_ONCE(current->curr_ret_stack))
		ret_stack_call_worker();
}

NOKPROBE_SYMBOL(fgraph_leave_last);

/**
 * ftrace_return_to_handler - handle the return of a function to return_to_handler()
 * @key: arch_ftrace_return_key() of the call
 * @retval: return value of the function
 *
 * Context: any
 *
 * Return: the real return address
 */
__visible unsigned long ftrace_return_to_handler(unsigned long key, unsigned long retval)
{
	struct fgraph_ret_stack *stack;
	struct ret_stack_call *call;
	unsigned long ret;
	u64 now;

	preempt_disable_notrace();
	/* Read the clock of this CPU, whose ring may use this time. */
	now = trace_clock_this_cpu();
	stack = ret_stack_of(current);
	call = fgraph_call_find(stack, key);
	if (!IS_ENABLED(CONFIG_FUNCTION_GRAPH_RETVAL))
		retval = 0;
	if (likely(fgraph_in_task_outside()))
		fgraph_call_returns_guarded(stack, call, retval, now, TASK_BIT);
	else
		fgraph_call_returns_slow(stack, call, retval, now);

	/* Unwinders do not need the call from here on. */
	ret = call->ret;
	arch_ftrace_return_restore(call->key, ret);
	barrier();
	fgraph_call_pop(stack, call);
	/* data_race: a plain load, as it only selects a branch */
	if (unlikely(!data_race(ret_stack_in_use)))
		fgraph_leave_last();
	preempt_enable_notrace();
	return ret;
}

NOKPROBE_SYMBOL(ftrace_return_to_handler);

/* Queries of users */

/**
 * graph_entry_regs - get the registers of the function that is being entered
 *
 * Context: a user's entryfunc
 */
struct ftrace_regs *graph_entry_regs(void)
{
	struct fgraph_ret_stack *stack = ret_stack_of(current);

	return stack->call[READ_ONCE(current->curr_ret_stack) - 1].asked_regs;
}
