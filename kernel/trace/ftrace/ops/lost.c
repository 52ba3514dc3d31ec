// SPDX-License-Identifier: GPL-2.0
/*
 * Log report of the live patches, direct calls and other FTRACE_OPS_KEPT that a corrupt call
 * site may have lost. All other sites keep theirs.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/printk.h>

#include "ftrace/entry/list.h"
#include "ftrace/entry/ops_filter.h"
#include "ftrace/ops/lost.h"
#include "ftrace/ops/opset.h"

static void ftrace_lost_report(unsigned long ip, const struct ftrace_ops *ops)
{
	void *called = ops->func;
	const char *what = "callback";

	if (!(ops->flags & FTRACE_OPS_KEPT))
		return;

	if (ops->flags & FTRACE_OPS_FL_DIRECT) {
		called = (void *)ops->direct_call;
		what = "direct call";
	} else if (ops->flags & FTRACE_OPS_FL_IPMODIFY) {
		what = "live patch or probe";
	}
	pr_err("%pS may have lost its %s, %pS\n", (void *)ip, what, called);
}

/**
 * ftrace_report_lost - report in the log which users a call site may have lost
 * @ip: the site, which does not hold the expected bytes
 * @have: number of its expected target; these users are registered
 *
 * The effect of executing the site is unknown.
 *
 * Context: ftrace_lock held
 */
void ftrace_report_lost(unsigned long ip, unsigned int have)
{
	const struct ftrace_opset *set = ftrace_opset(have);
	struct ftrace_ops_node *node;
	unsigned int i;

	if (have == FTRACE_NR_NOP)
		return;
	if (set) {
		for (i = 0; i < set->count; i++)
			ftrace_lost_report(ip, set->ops[i]);
		return;
	}

	for_each_ftrace_ops(node) {
		struct ftrace_ops_filter meaning = ftrace_ops_filter_of(node->ops->func_hash);

		if (ftrace_ops_filter_has(&meaning, ip))
			ftrace_lost_report(ip, node->ops);
	}
}
