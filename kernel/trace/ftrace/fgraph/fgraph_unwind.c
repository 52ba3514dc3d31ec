// SPDX-License-Identifier: GPL-2.0
/*
 * Real return addresses of functions, while function graph, kretprobes and fprobe replace return
 * addresses.
 */
#include <linux/ftrace.h>
#include <linux/ftrace_arch.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>

#include "ftrace/fgraph/fgraph_unwind.h"
#include "ftrace/fgraph/ret_stack.h"

/* The address that a kretprobe or an fprobe has replaced; @hook iterates over them. */
static unsigned long fgraph_unwind_hooked_return(struct task_struct *task, unsigned long key,
						 unsigned long ret, struct llist_node **hook)
{
	unsigned long before = 0;

	if (IS_ENABLED(CONFIG_RETHOOK) && is_rethook_trampoline(ret))
		before = rethook_find_ret_addr(task, key, hook);
	else if (is_kretprobe_trampoline(ret))
		before = kretprobe_find_ret_addr(task, (void *)key, hook);

	return before ?: ret;
}

NOKPROBE_SYMBOL(fgraph_unwind_hooked_return);

/**
 * graph_return_is_caught - is a function the callee of a tail call whose caller is traced?
 * @ret: return address of the function that the current task enters
 * @key: arch_ftrace_return_key() of the function
 *
 * Context: any
 */
bool graph_return_is_caught(unsigned long ret, unsigned long key)
{
	struct llist_node *hook = NULL;
	unsigned long last;

	/* A kretprobe of the callee may have replaced the address of return_to_handler(). */
	do {
		last = ret;
		ret = fgraph_unwind_hooked_return(current, key, ret, &hook);
	} while (ret != last);

	return ret == (unsigned long)return_to_handler;
}

NOKPROBE_SYMBOL(graph_return_is_caught);

/* The return address in the record of a call, or the address of return_to_handler(). */
static unsigned long fgraph_unwind_caught_return(struct task_struct *task, int *idx,
						 unsigned long key)
{
	struct fgraph_ret_stack *stack = ret_stack_of(task);
	int nr = stack ? ret_stack_nr(task) : 0;
	/*
	 * The saved index is a position from the outermost call on: the code that unwinds is
	 * itself traced, so other calls are pushed and popped between one look-up and the next.
	 */
	int i = *idx ? *idx - 2 : nr - 1;

	for (; i >= 0 && i < nr; i--) {
		struct ret_stack_call *call = &stack->call[i];

		/* Functions that end in a tail call have the same key as the callee. */
		if (call->key == key && call->ret != (unsigned long)return_to_handler) {
			*idx = i + 1;
			return call->ret;
		}
	}
	return (unsigned long)return_to_handler;
}

NOKPROBE_SYMBOL(fgraph_unwind_caught_return);

/**
 * ftrace_graph_ret_addr - find the real return address of a function, for unwinding
 * @task: current, or a task that does not run
 * @idx: 0 for the innermost function, then the value that the previous call has stored
 * @ret: return address on the stack
 * @retp: arch_ftrace_return_key() of the function: the location of the address on the stack
 *
 * Kretprobes and fprobe also replace return addresses. The address that they have replaced may
 * be the address of return_to_handler(), in the callee of a tail call whose caller is traced. So
 * this undoes all replacements.
 *
 * Context: any, NMI included
 *
 * Return: the real return address; @ret if it was not replaced, or is not found
 */
unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *idx,
				    unsigned long ret, unsigned long *retp)
{
	unsigned long key = (unsigned long)retp, real = ret, last;
	struct llist_node *hook = NULL;

	if (likely(!graph_is_replaced(ret)))
		return ret;

	/* If another task runs after all, its stack is not freed concurrently. */
	guard(preempt_notrace)();

	do {
		last = real;
		if (real == (unsigned long)return_to_handler)
			real = fgraph_unwind_caught_return(task, idx, key);
		else
			real = fgraph_unwind_hooked_return(task, key, real, &hook);
	} while (real != last);

	return graph_is_replaced(real) ? ret : real;
}

/**
 * graph_entry_caller - get the real return address of the function that is being entered
 *
 * Context: a user's entryfunc
 *
 * Return: the address; for the callee of a tail call, the address that its caller returns to
 */
unsigned long graph_entry_caller(void)
{
	struct fgraph_ret_stack *stack = ret_stack_of(current);
	int nr = ret_stack_nr(current);
	struct ftrace_regs *fregs;
	unsigned long key;
	int idx = 0;

	if (!stack || !nr)
		return 0;

	fregs = stack->call[nr - 1].asked_regs;
	key = arch_ftrace_return_key(fregs);
	return ftrace_graph_ret_addr(current, &idx, *arch_ftrace_return_slot(fregs),
				     (unsigned long *)key);
}
