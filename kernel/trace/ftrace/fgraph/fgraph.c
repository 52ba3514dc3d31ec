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

static __always_inline struct ret_stack_call *
fgraph_call_at(struct fgraph_ret_stack *stack, long at)
{
	struct ret_stack_call *call = ret_stack_at(stack, at);

	/* Not to be computed again where it is used. */
	OPTIMIZER_HIDE_VAR(call);
	return call;
}

/* The last call. If there is none, its key is RET_STACK_NO_KEY. */
static __always_inline struct ret_stack_call *fgraph_call_last(struct fgraph_ret_stack *stack)
{
	long end = READ_ONCE(current->curr_ret_stack);

	return fgraph_call_at(stack, end - (long)sizeof(struct ret_stack_call));
}

/* Pop the last call. An interrupt may push a call as soon as it is popped. */
static __always_inline void fgraph_call_pop(struct fgraph_ret_stack *stack,
					    struct ret_stack_call *call)
{
	WRITE_ONCE(stack->data, call->data);
	WRITE_ONCE(call->key, 0);
	barrier();
	/* data_race: an interrupt leaves it unchanged */
	data_race(current->curr_ret_stack -= sizeof(*call));
}

/* The last call will never return: no user is notified, but the depths are corrected. */
static void fgraph_call_discard(struct fgraph_ret_stack *stack, struct ret_stack_call *call)
{
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
static void fgraph_discard_abandoned(struct fgraph_ret_stack *stack, unsigned long key,
				     unsigned long ret)
{
	struct ret_stack_call *last;
	bool caught;

	if (!fgraph_on_task_stack(key))
		return;

	caught = graph_return_is_caught(ret, key);

	while (READ_ONCE(current->curr_ret_stack)) {
		last = fgraph_call_last(stack);
		/* A record that is not complete yet was interrupted. */
		if (!last->key || !fgraph_on_task_stack(last->key) || last->key > key ||
		    (last->key == key && caught))
			break;
		fgraph_call_discard(stack, last);
	}
}

NOKPROBE_SYMBOL(fgraph_discard_abandoned);

/*
 * Make a free record the last one. It is pushed before the callbacks are called, so that they
 * can reserve data. @end is the position of its end, @data is fgraph_ret_stack.data.
 */
static __always_inline void fgraph_call_push(struct ret_stack_call *call, unsigned int end,
					     unsigned int data, unsigned long ip,
					     struct ftrace_regs *fregs, u32 epoch)
{
	/*
	 * Calls of interrupts find their data from here on. Interrupts before this store the
	 * same value.
	 */
	WRITE_ONCE(call->data, data);
	barrier();
	/* From here on no interrupt writes there; the record was free, so its key is 0. */
	WRITE_ONCE(current->curr_ret_stack, end);
	barrier();
	call->asked_regs = fregs;
	call->func = ip;
	call->epoch = epoch;
}

/* A user wants to be called at the return: catch it. */
static __always_inline void fgraph_call_catch(struct ret_stack_call *call)
{
	/* Not kept in a register during the callbacks. */
	struct ftrace_regs *fregs = READ_ONCE(call->asked_regs);
	unsigned long *slot = arch_ftrace_return_slot(fregs);
	unsigned long key = arch_ftrace_return_key(fregs);

	call->ret = *slot;
	/* Unwinders find the call from here on, ... */
	barrier();
	WRITE_ONCE(call->key, key);
	/* ... and need it from here on. */
	barrier();
	WRITE_ONCE(*slot, (unsigned long)return_to_handler);
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
static unsigned int fgraph_ask_users(struct fgraph_ret_stack *stack, unsigned long ip,
				     const struct graph_users *users)
{
	unsigned int i, bits = 0;

	for (i = 0; i < users->count; i++)
		if (fgraph_ask_user(stack, ip, &users->user[i]))
			bits |= users->user[i].bit;
	return bits;
}

NOKPROBE_SYMBOL(fgraph_ask_users);

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

/* Return: a record for a new call, or NULL without space. */
static __always_inline struct ret_stack_call *
fgraph_call_reserve(struct fgraph_ret_stack *stack, unsigned long ip,
		    struct ftrace_regs *fregs, u32 epoch)
{
	unsigned long key = arch_ftrace_return_key(fregs);
	struct ret_stack_call *call;
	unsigned int end, data;

	if (unlikely(fgraph_call_last(stack)->key <= key))
		fgraph_discard_abandoned(stack, key, *arch_ftrace_return_slot(fregs));

	/* The data of the discarded calls is no longer in use. */
	data = READ_ONCE(stack->data);
	end = READ_ONCE(current->curr_ret_stack) + sizeof(*call);
	if (unlikely(end > data))
		return NULL;

	call = fgraph_call_at(stack, end - sizeof(*call));
	fgraph_call_push(call, end, data, ip, fregs, epoch);
	call->calltime = trace_clock_this_cpu();
	return call;
}

static void fgraph_enter(unsigned long ip, const struct graph_users *users,
			 struct ftrace_regs *fregs)
{
	struct fgraph_ret_stack *stack = ret_stack_of(current);
	struct ret_stack_call *call;

	call = likely(stack) ? fgraph_call_reserve(stack, ip, fregs, users->epoch) : NULL;
	if (unlikely(!call)) {
		fgraph_call_lost(stack, ip, users);
		return;
	}

	call->users = fgraph_ask_users(stack, ip, users);
	if (unlikely(!call->users)) {
		fgraph_call_pop(stack, call);
		return;
	}

	/* A callback may have made the function return immediately, to the same address. */
	if (unlikely(ftrace_regs_get_instruction_pointer(fregs) ==
		     *arch_ftrace_return_slot(fregs)))
		ftrace_regs_set_instruction_pointer(fregs,
						    (unsigned long)return_to_handler);
	fgraph_call_catch(call);
}

NOKPROBE_SYMBOL(fgraph_enter);

/* As for other guards, a constant bit halves the cost. */
#define TASK_BIT	(TRACE_RECURSION_TASK << TRACE_RECURSION_GRAPH)

/* Neither in an interrupt nor inside a callback. */
static __always_inline bool fgraph_in_task_outside(void)
{
	if (unlikely(trace_recursion_context() != TRACE_RECURSION_TASK))
		return false;

	/* data_race: an interrupt leaves the word as it was */
	return !data_race(current->trace_recursion & TASK_BIT);
}

/* Take a bit of the guard, with preemption disabled. */
static __always_inline void fgraph_guard_enter(int bit)
{
	/* The word is not to be kept in a register. */
	barrier();
	/* data_race: as in trace_recursion_enter() */
	data_race(current->trace_recursion |= bit);
	barrier();
}

static __always_inline void fgraph_guard_leave(int bit)
{
	barrier();
	/* data_race: as above */
	data_race(current->trace_recursion &= ~(unsigned long)bit);
}

/* Any users, in any context. */
static noinline void fgraph_enter_any(unsigned long ip, const struct graph_users *users,
				      struct ftrace_regs *fregs)
{
	int bit = trace_recursion_bit(TRACE_RECURSION_GRAPH);

	if (bit < 0) {
		ftrace_record_recursion(ip, *arch_ftrace_return_slot(fregs));
		return;
	}
	if (atomic_read(&current->tracing_graph_pause))
		return;

	trace_recursion_enter(bit);
	fgraph_enter(ip, users, fregs);
	trace_recursion_leave(bit);
}

NOKPROBE_SYMBOL(fgraph_enter_any);

/* Call the entry callback of the user, which is asked about the call. */
static __always_inline void fgraph_ask_plain(const struct graph_user *user, unsigned long ip,
					     struct ret_stack_call *call,
					     struct ret_stack_user *mine)
{
	if (unlikely(!fgraph_call_entry(user, ip, READ_ONCE(mine->depth)))) {
		fgraph_call_pop(ret_stack_of(current), call);
		return;
	}

	/* data_race: as in fgraph_call_discard() */
	data_race(mine->depth++);
	fgraph_call_catch(call);
}

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
	fgraph_enter_any(ip, (const void *)ops, fregs);
}

NOKPROBE_SYMBOL(ftrace_graph_enter);

/*
 * Almost all calls are by a task outside of callbacks. All conditions are checked before
 * anything changes, so that fgraph_enter_any() is the last call here, and nothing needs to be
 * kept for later. An interrupt between the checks and the push leaves what was checked as it
 * was; preemption is disabled because another task, or this one in between, might have another
 * user of the same index, which changes the epoch.
 */
static __always_inline void fgraph_enter_plain(unsigned long ip, const struct graph_users *users,
					       struct ftrace_regs *fregs, bool inline_clock)
{
	const struct graph_user *user = users->user;
	struct fgraph_ret_stack *stack;
	struct ret_stack_call *call;
	struct ret_stack_user *mine;
	unsigned int data;
	unsigned long end;

	preempt_disable_notrace();
	/* data_race: a plain load, as it only selects a branch. The low byte is enough. */
	if (unlikely(data_race((u8)current->tracing_graph_pause.counter) ||
		     !fgraph_in_task_outside()))
		goto any;

	stack = ret_stack_of(current);
	if (unlikely(!stack))
		goto any;

	end = (unsigned int)READ_ONCE(current->curr_ret_stack) + sizeof(*call);
	/* Not to be computed again. */
	OPTIMIZER_HIDE_VAR(end);
	call = fgraph_call_at(stack, end - sizeof(*call));
	mine = &stack->user[user->idx];
	OPTIMIZER_HIDE_VAR(mine);
	data = READ_ONCE(stack->data);
	/* Where there is no call before, there is RET_STACK_NO_KEY. */
	if (unlikely(call[-1].key <= arch_ftrace_return_key(fregs) || (unsigned int)end > data ||
		     READ_ONCE(mine->epoch) != user->epoch))
		goto any;

	fgraph_guard_enter(TASK_BIT);
	fgraph_call_push(call, end, data, ip, fregs, users->epoch);
	call->users = user->bit;
	call->calltime = trace_clock_this_cpu_by(inline_clock);
	fgraph_ask_plain(user, ip, call, mine);
	trace_recursion_leave(TASK_BIT);
	return;
any:
	preempt_enable_notrace();
	fgraph_enter_any(ip, users, fregs);
}

static void fgraph_enter_plain_inline_clock(unsigned long ip, unsigned long parent_ip,
					    struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	fgraph_enter_plain(ip, (const void *)ops, fregs, true);
}

NOKPROBE_SYMBOL(fgraph_enter_plain_inline_clock);

static void fgraph_enter_plain_other_clock(unsigned long ip, unsigned long parent_ip,
					   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	fgraph_enter_plain(ip, (const void *)ops, fregs, false);
}

NOKPROBE_SYMBOL(fgraph_enter_plain_other_clock);

/**
 * ftrace_graph_entry - choose the callback for a list of users
 * @users: the list, which a trampoline passes to the callback in place of an ops
 *
 * Return: ftrace_graph_enter(), or a function that does the same for such a list
 */
ftrace_func_t ftrace_graph_entry(const struct graph_users *users)
{
	if (!users->plain)
		return ftrace_graph_enter;

	return trace_clock_is_inline() ? fgraph_enter_plain_inline_clock :
					 fgraph_enter_plain_other_clock;
}

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
	fgraph_enter_any(ip, users, fregs);
}

NOKPROBE_SYMBOL(ftrace_graph_func);

/*
 * Return
 */

/* Call the return callback of the user in a slot. */
static __always_inline void fgraph_tell_user(struct ret_stack_user *mine,
					     const struct graph_slot *slot,
					     const struct ret_stack_call *call,
					     unsigned long retval, u64 now, bool callback)
{
	struct ftrace_graph_ret ret = {
		.func		= call->func,
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
		.retval		= retval,
#endif
		.depth		= READ_ONCE(mine->depth) - 1,
		.overrun	= atomic_read(&current->trace_overrun),
		.calltime	= call->calltime,
		.rettime	= now,
	};

	if (callback)
		slot->ret(&ret, slot->gops);
	/*
	 * An interrupt of the callback is still inside the call.
	 * data_race: as in fgraph_call_discard()
	 */
	data_race(mine->depth--);
}

static void fgraph_tell_users(struct fgraph_ret_stack *stack, struct ret_stack_call *call,
			      unsigned long retval, u64 now, bool callbacks)
{
	unsigned long users = call->users;
	unsigned int i;

	for_each_set_bit(i, &users, GRAPH_USERS) {
		const struct graph_slot *slot = graph_slot_at(i);

		if (graph_slot_was_there(slot, call->epoch))
			fgraph_tell_user(&stack->user[i], slot, call, retval, now, callbacks);
	}
}

NOKPROBE_SYMBOL(fgraph_tell_users);

/*
 * Find the call with a key and make it the last one: the calls above it were left without
 * returning, by a jump to a caller.
 */
static struct ret_stack_call *fgraph_call_find(struct fgraph_ret_stack *stack, unsigned long key)
{
	int i, nr = ret_stack_nr(current);

	for (i = nr; i && stack->call[i - 1].key != key; i--)
		;
	if (!i)
		panic("ftrace: nothing is known of where a function returns to\n");

	while (nr > i)
		fgraph_call_discard(stack, &stack->call[--nr]);
	return &stack->call[i - 1];
}

NOKPROBE_SYMBOL(fgraph_call_find);

/*
 * The return of any call, in any context. If a call was accepted on the spare bit of the guard,
 * and both bits are taken at its return, no user is notified.
 *
 * Return: the call, which is the last one now
 */
static noinline struct ret_stack_call *fgraph_return_any(unsigned long key, unsigned long retval,
							 u64 now)
{
	int bit = trace_recursion_bit(TRACE_RECURSION_GRAPH);
	struct fgraph_ret_stack *stack = ret_stack_of(current);
	struct ret_stack_call *call = fgraph_call_find(stack, key);

	if (bit < 0) {
		fgraph_tell_users(stack, call, retval, now, false);
	} else {
		fgraph_guard_enter(bit);
		fgraph_tell_users(stack, call, retval, now, true);
		fgraph_guard_leave(bit);
	}
	return call;
}

NOKPROBE_SYMBOL(fgraph_return_any);

/*
 * Almost all returns are in a task outside of callbacks, from the last call, which has one user,
 * who is still registered. Return: false if this is not such a return.
 */
static __always_inline bool fgraph_return_plain(struct fgraph_ret_stack *stack,
						struct ret_stack_call *call, unsigned long key,
						unsigned long retval, u64 now)
{
	struct ret_stack_user *mine;
	const struct graph_slot *slot;
	unsigned long users, i;

	if (unlikely(call->key != key || !fgraph_in_task_outside()))
		return false;

	users = call->users;
	i = __ffs(users);
	slot = graph_slot_at(i);
	if (unlikely(users & (users - 1) || !graph_slot_was_there(slot, call->epoch)))
		return false;

	mine = &stack->user[i];
	OPTIMIZER_HIDE_VAR(mine);
	fgraph_guard_enter(TASK_BIT);
	fgraph_tell_user(mine, slot, call, retval, now, true);
	fgraph_guard_leave(TASK_BIT);
	return true;
}

/* Preemption is disabled. Return: the real return address. */
static __always_inline unsigned long fgraph_call_leave(struct ret_stack_call *call)
{
	unsigned long ret = call->ret;

	/* Unwinders do not need the call from here on. */
	arch_ftrace_return_restore(call->key, ret);
	barrier();
	fgraph_call_pop(ret_stack_of(current), call);
	return ret;
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

/* See ftrace_return_to_handler(). */
static __always_inline unsigned long fgraph_return(unsigned long key, unsigned long retval,
						   u64 now)
{
	struct fgraph_ret_stack *stack = ret_stack_of(current);
	struct ret_stack_call *call = fgraph_call_last(stack);
	unsigned long address;

	if (likely(fgraph_return_plain(stack, call, key, retval, now))) {
		address = fgraph_call_leave(call);
	} else {
		address = fgraph_call_leave(fgraph_return_any(key, retval, now));
		if (unlikely(!READ_ONCE(ret_stack_in_use)))
			fgraph_leave_last();
	}
	return address;
}

/**
 * ftrace_return_to_handler - handle the return of a function to return_to_handler()
 * @key: arch_ftrace_return_key() of the call
 * @retval: return value of the function
 *
 * While a user is registered, ret_stack_in_use is set. When it becomes false, the worker waits
 * for all that have preemption disabled. So only fgraph_return_any() is followed by a look at
 * it.
 *
 * Context: any
 *
 * Return: the real return address
 */
__visible unsigned long ftrace_return_to_handler(unsigned long key, unsigned long retval)
{
	unsigned long address;

	if (!IS_ENABLED(CONFIG_FUNCTION_GRAPH_RETVAL))
		retval = 0;

	preempt_disable_notrace();
	/* Read the clock of this CPU, whose ring may use this time. */
	address = fgraph_return(key, retval, trace_clock_this_cpu());
	preempt_enable_notrace();
	return address;
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
	return fgraph_call_last(ret_stack_of(current))->asked_regs;
}
