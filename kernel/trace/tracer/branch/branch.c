// SPDX-License-Identifier: GPL-2.0
/*
 * The tracer "branch", and the option of the same name with which other tracers record branches,
 * too: each evaluation of likely() and unlikely(), and whether it went as expected.
 *
 * One instance at a time records branches.
 */
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/lockdep.h>
#include <linux/string.h>
#include <linux/trace_recursion.h>

#include "instance/core/buffer.h"
#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/record/entry.h"
#include "instance/tracer/register_tracer.h"
#include "instance/tracer/tracer.h"
#include "output/entry_text.h"
#include "output/reader.h"
#include "tracer/branch/branch_profile.h"

/* Changed under trace_lock. */
struct trace_array *trace_branch_tr;

/* Number of requests to record branches there: its tracer, its option; trace_lock. */
static unsigned int branch_users;

static void branch_write(struct trace_buffer *buffer, const struct ftrace_likely_data *branch,
			 bool expected, unsigned int context)
{
	struct trace_branch *entry;

	entry = trace_entry_begin(buffer, TRACE_BRANCH, sizeof(*entry), context);
	if (!entry)
		return;

	strscpy_pad(entry->func, branch->data.func);
	strscpy_pad(entry->file, kbasename(branch->data.file));
	entry->line = branch->data.line;
	entry->correct = expected;
	entry->constant = !!branch->constant;
	trace_entry_end(buffer);
}

NOKPROBE_SYMBOL(branch_write);

/**
 * trace_branch_record - record an evaluation of likely() or unlikely()
 * @tr: the instance
 * @branch: the branch
 * @expected: true if the branch went as expected
 *
 * Recording evaluates branches of other code, which are not recorded: one bit for each context
 * stops them. Branches of an interrupt that arrives meanwhile are not recorded either, until
 * preempt_count() shows the interrupt.
 *
 * Context: any
 */
void trace_branch_record(struct trace_array *tr, const struct ftrace_likely_data *branch,
			 bool expected)
{
	int bit = trace_recursion_context() << TRACE_RECURSION_BRANCH;
	unsigned int context = trace_context_now();

	if (READ_ONCE(current->trace_recursion) & bit)
		return;

	trace_recursion_enter(bit);
	branch_write(tr->main.buffer, branch, expected, context);
	trace_recursion_leave(bit);
}

NOKPROBE_SYMBOL(trace_branch_record);

static int branch_begin(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	if (trace_branch_tr && trace_branch_tr != tr)
		return -EBUSY;
	branch_users++;
	WRITE_ONCE(trace_branch_tr, tr);

	return 0;
}

static void branch_end(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	if (!--branch_users)
		WRITE_ONCE(trace_branch_tr, NULL);
}

static int branch_set_option(struct trace_array *tr, bool on)
{
	int ret;

	if (!on) {
		branch_end(tr);
		return 0;
	}
	ret = trace_array_expand(tr);

	return ret ?: branch_begin(tr);
}

static enum print_line_t branch_print(struct trace_iterator *iter, int flags,
				      struct trace_event *event)
{
	const struct trace_branch *entry = (struct trace_branch *)iter->ent;

	trace_seq_printf(&iter->seq, "[%s] %s:%s:%u\n", entry->correct ? "  ok  " : " MISS ",
			 entry->func, entry->file, entry->line);

	return trace_handle_return(&iter->seq);
}

static enum print_line_t branch_print_raw(struct trace_iterator *iter, int flags,
					  struct trace_event *event)
{
	const struct trace_branch *entry = (struct trace_branch *)iter->ent;

	trace_seq_printf(&iter->seq, "%u:%s:%s:%u\n", entry->correct, entry->func, entry->file,
			 entry->line);

	return trace_handle_return(&iter->seq);
}

static struct tracer branch_tracer = {
	.name			= "branch",
	.init			= branch_begin,
	.reset			= branch_end,
	.allow_instances	= true,
};

/**
 * trace_branch_init - prepare the option, before trace_options= is applied
 */
void __init trace_branch_init(void)
{
	trace_option_handle(TRACE_OPTION_BRANCH, branch_set_option);
}

static int __init branch_init(void)
{
	trace_fixed_funcs[TRACE_BRANCH].trace = branch_print;
	trace_fixed_funcs[TRACE_BRANCH].raw = branch_print_raw;

	return trace_top.main.buffer ? register_tracer(&branch_tracer) : -ENODEV;
}
early_initcall(branch_init);
