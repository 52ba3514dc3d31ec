// SPDX-License-Identifier: GPL-2.0
/*
 * Start-up self tests of the tracers.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/printk.h>

#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "tracer/selftest/selftest.h"

#define CALLS	3

struct selftest_seen {
	unsigned int	inner;
	unsigned int	outer;
	unsigned int	other;
	bool		parent_ok;
};

static bool selftest_lies_in(unsigned long addr, void *func)
{
	unsigned long size, offset;

	if (!kallsyms_lookup_size_offset(addr, &size, &offset))
		return false;

	return addr - offset == (unsigned long)func;
}

static void selftest_see_entry(struct selftest_seen *seen, const struct trace_entry *ent)
{
	const struct ftrace_entry *entry = (const struct ftrace_entry *)ent;

	if (ent->type != TRACE_FN) {
		seen->other++;
	} else if (selftest_lies_in(entry->ip, trace_selftest_inner)) {
		seen->inner++;
		seen->parent_ok = selftest_lies_in(entry->parent_ip,
						   trace_selftest_outer);
	} else if (selftest_lies_in(entry->ip, trace_selftest_outer)) {
		seen->outer++;
	} else {
		seen->other++;
	}
}

static void selftest_see_all(struct selftest_seen *seen, struct trace_array *tr)
{
	struct ring_buffer_event *event;
	unsigned long lost;
	unsigned int cpu;
	u64 ts;

	*seen = (struct selftest_seen){};

	for_each_possible_cpu(cpu) {
		while ((event = ring_buffer_consume(tr->main.buffer, cpu, &ts,
						    &lost)))
			selftest_see_entry(seen, ring_buffer_event_data(event));
	}
}

static void selftest_call_some(void)
{
	int i;

	for (i = 0; i < CALLS; i++)
		trace_selftest_outer(i);
}

/* Return: true if the entries match the calls exactly. */
static bool selftest_records(struct trace_array *tr, const char *when,
			     unsigned int inner, unsigned int outer)
{
	struct selftest_seen seen;

	selftest_call_some();
	selftest_see_all(&seen, tr);

	if (seen.inner == inner && seen.outer == outer && !seen.other &&
	    (!inner || seen.parent_ok))
		return true;

	pr_err("function tracer, %s: %u and %u calls, expected %u and %u, %u of others, caller %s\n",
	       when, seen.inner, seen.outer, inner, outer, seen.other,
	       seen.parent_ok ? "right" : "wrong");

	return false;
}

/**
 * function_selftest - self test of the function tracer
 * @tr: the instance to record into
 * @tracer: unused; @tr has the ops of the tracer
 *
 * The tracer has to record each call of the functions in the filter, with the right caller, and
 * no other calls; and no calls after it was unregistered.
 *
 * Return: 0; -EIO if calls were recorded wrongly; or the error of starting the tracer
 */
int function_selftest(struct trace_array *tr, struct tracer *tracer)
{
	/* Separate filters: the tracer's own may have been set on the command line. */
	static struct ftrace_ops test_ops;
	struct ftrace_ops *ops = &test_ops;
	bool ok;
	int ret;

	ops->func = tr->ops->func;
	ops->private = tr->ops->private;

	ret = ftrace_set_filter_ip(ops, (unsigned long)trace_selftest_inner,
				   0, 1);
	if (ret)
		return ret;

	ret = register_ftrace_function(ops);
	if (ret)
		goto out;

	ok = selftest_records(tr, "one function", CALLS, 0);

	ret = ftrace_set_filter_ip(ops, (unsigned long)trace_selftest_outer,
				   0, 0);
	ok = ok && !ret && selftest_records(tr, "two functions", CALLS, CALLS);

	ret = unregister_ftrace_function(ops);
	ok = ok && !ret && selftest_records(tr, "switched off", 0, 0);
	ret = ok ? 0 : -EIO;
out:
	ftrace_free_filter(ops);
	return ret;
}
