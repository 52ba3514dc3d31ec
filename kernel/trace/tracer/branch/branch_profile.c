// SPDX-License-Identifier: GPL-2.0
/*
 * The branch profiler: <linux/compiler.h> makes likely() and unlikely() call the function below.
 * With PROFILE_ALL_BRANCHES, it also makes each "if" count its outcomes.
 *
 * The code here, and all of kernel/trace if branches are traced, is not profiled itself.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/uaccess.h>

#include "tracer/branch/branch_profile.h"

#ifdef CONFIG_BRANCH_TRACER
/*
 * A variable instead of a static key: the code that handles a key's breakpoint while it changes
 * has branches, too.
 */
static __always_inline void branch_record(const struct ftrace_likely_data *branch, bool expected)
{
	/* A reset does not wait, but the instance is freed only after a grace period. */
	struct trace_array *tr = READ_ONCE(trace_branch_tr);

	if (tr)
		trace_branch_record(tr, branch, expected);
}
#else
static __always_inline void branch_record(const struct ftrace_likely_data *branch, bool expected)
{
}
#endif

static __always_inline void branch_count(unsigned long *count)
{
	/* data_race: see ftrace_likely_update() */
	data_race((*count)++);
}

/**
 * ftrace_likely_update - count an evaluation of likely() or unlikely()
 * @f: counters of this place in the source
 * @val: the condition
 * @expect: its expected value
 * @is_constant: the compiler knows the condition, so it is as it should be
 *
 * Other CPUs and interrupts may count the same branch at the same time, and then a count may be
 * lost: a counter that CPUs contend for would change what is measured.
 *
 * Context: any, also while user space may be accessed
 */
void ftrace_likely_update(struct ftrace_likely_data *f, int val, int expect, int is_constant)
{
	unsigned long access = user_access_save();
	bool expected = val == expect || is_constant;

	branch_record(f, expected);
	if (is_constant)
		branch_count(&f->constant);
	branch_count(expected ? &f->data.correct : &f->data.incorrect);
	user_access_restore(access);
}
EXPORT_SYMBOL(ftrace_likely_update);
/* The handler of kprobes has branches. */
NOKPROBE_SYMBOL(ftrace_likely_update);
