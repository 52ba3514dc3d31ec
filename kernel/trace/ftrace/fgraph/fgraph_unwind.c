// SPDX-License-Identifier: GPL-2.0
/*
 * Where functions really return to, while function graph, kretprobes and fprobe replace
 * return addresses.
 */
#include <linux/ftrace.h>
#include <linux/ftrace_arch.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>

#include "ftrace/fgraph/fgraph_unwind.h"
#include "ftrace/fgraph/ret_stack.h"

/* What a kretprobe or an fprobe has replaced; they come one after another in @hook. */
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
 * @ret: where the function that the current task enters returns to
 * @key: arch_ftrace_return_key() of the function
 *
 * Context: any
 */
bool graph_return_is_caught(unsigned long ret, unsigned long key)
{
	struct llist_node *hook = NULL;
	unsigned long last;

	/* A kretprobe of the callee may have replaced the address that tells. */
	do {
		last = ret;
		ret = fgraph_unwind_hooked_return(current, key, ret, &hook);
	} while (ret != last);

	return ret == (unsigned long)return_to_handler;
}

NOKPROBE_SYMBOL(graph_return_is_caught);

/* The return address that is in the record of a call, or that of return_to_handler(). */
static unsigned long fgraph_unwind_caught_return(struct task_struct *task, int *idx,
						 unsigned long key)
{
	struct fgraph_ret_stack *stack = ret_stack_of(task);
	int nr = stack ? READ_ONCE(task->curr_ret_stack) : 0;
	/*
	 * What is left is a place from the outermost call on: the code that unwinds is
	 * traced itself, so that from one look-up to the next other calls come and go.
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
 * ftrace_graph_ret_addr - where a function returns to, for unwinding
 * @task: current, or a task that does not run
 * @idx: 0 for the innermost function, then what the call before has left
 * @ret: the return address that is in the stack
 * @retp: arch_ftrace_return_key() of the function: where the address is in the stack
 *
 * Kretprobes and fprobe replace return addresses as well. What they have found may be
 * that of return_to_handler(), in the callee of a tail call whose caller is traced. So
 * this undoes all replacements.
 *
 * Context: any, NMI included
 *
 * Return: the return address; @ret if it was not replaced, or is not found
 */
unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *idx,
				    unsigned long ret, unsigned long *retp)
{
	unsigned long key = (unsigned long)retp, real = ret, last;
	struct llist_node *hook = NULL;

	if (likely(!graph_is_replaced(ret)))
		return ret;

	/* The stack of another task that runs after all is not freed meanwhile. */
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
 * graph_entry_caller - where the function that is being entered returns to
 *
 * Context: a user's entryfunc
 *
 * Return: the address; of the callee of a tail call, where its caller returns to
 */
unsigned long graph_entry_caller(void)
{
	struct fgraph_ret_stack *stack = ret_stack_of(current);
	int nr = READ_ONCE(current->curr_ret_stack);
	struct ret_stack_call *call;
	unsigned long key;
	int idx = 0;

	if (!stack || !nr)
		return 0;

	call = &stack->call[nr - 1];
	key = arch_ftrace_return_key(call->asked_regs);
	return ftrace_graph_ret_addr(current, &idx, call->ret, (unsigned long *)key);
}
