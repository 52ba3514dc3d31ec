// SPDX-License-Identifier: GPL-2.0
/* Users of a call site, as enabled_functions shows them. */
#include <linux/seq_buf.h>

#include "ftrace/entry/list.h"
#include "ftrace/entry/ops_filter.h"
#include "ftrace/ops/opset.h"
#include "ftrace/ops/rec_show.h"

/**
 * ftrace_rec_has_set - does a site call the trampoline of a set?
 * @rec: record of the site
 *
 * Context: ftrace_lock held
 */
bool ftrace_rec_has_set(const struct dyn_ftrace *rec)
{
	return ftrace_rec_have(rec) >= FTRACE_NR_SET;
}

/* Count the ops that the list function finds for a function; add their flags. */
static unsigned int rec_show_count_users(unsigned long ip, unsigned long *flags)
{
	struct ftrace_ops_node *node;
	unsigned int count = 0;

	for_each_ftrace_ops(node) {
		struct ftrace_ops_filter meaning = ftrace_ops_filter_of(node->ops->func_hash);

		if (node->ops->flags & FTRACE_OPS_FL_STUB ||
		    !ftrace_ops_filter_has(&meaning, ip))
			continue;
		*flags |= node->ops->flags;
		count++;
	}
	return count;
}

/*
 * Print the number of users, and the columns R, I, D, O and M. Column O is always blank: no
 * supported architecture has FTRACE_FL_CALL_OPS.
 */
static void rec_show_flags(struct seq_buf *s, unsigned int count, unsigned long flags,
			   const struct dyn_ftrace *rec)
{
	seq_buf_printf(s, " (%u)%s%s%s%s%s ", count,
		       flags & FTRACE_OPS_FL_SAVE_REGS ? " R" : "  ",
		       flags & FTRACE_OPS_FL_IPMODIFY ? " I" : "  ",
		       flags & FTRACE_OPS_FL_DIRECT ? " D" : "  ", "  ",
		       rec->state & FTRACE_REC_MODIFIED ? " M" : "  ");
}

static void rec_show_callbacks(struct seq_buf *s, const struct ftrace_opset *set)
{
	unsigned int i;

	if (!ftrace_opset_is_direct(set))
		seq_buf_printf(s, "\ttramp: %pS", (void *)set->code);
	if (set->count == 1 && !set->direct)
		seq_buf_printf(s, " (%pS)", set->ops[0]->func);
	for (i = 0; i < set->count; i++)
		if (!(set->ops[i]->flags & FTRACE_OPS_FL_DIRECT))
			seq_buf_printf(s, " ->%pS", set->ops[i]->func);
	if (set->direct)
		seq_buf_printf(s, "\n\tdirect-->%pS", (void *)set->direct);
}

/**
 * ftrace_rec_show_ops - print the users of a call site
 * @s: destination of the text: the number of users; R if all registers are saved, I if the
 *	instruction pointer may be changed, D if there is a direct call, M if there has ever been
 *	one of the last two; then the trampoline, and the callbacks in the order of their calls
 * @rec: record of the site
 *
 * Context: ftrace_lock held
 */
void ftrace_rec_show_ops(struct seq_buf *s, const struct dyn_ftrace *rec)
{
	const struct ftrace_opset *set = ftrace_opset(ftrace_rec_have(rec));
	unsigned long flags = 0;
	unsigned int i, count;

	/* The users of a corrupt site may have been unregistered without changing the site. */
	if (ftrace_rec_have(rec) == FTRACE_NR_NOP || !ftrace_rec_is_usable(rec)) {
		rec_show_flags(s, 0, 0, rec);
		return;
	}
	if (!set) {
		count = rec_show_count_users(ftrace_rec_ip(rec), &flags);
		rec_show_flags(s, count, flags, rec);
		seq_buf_puts(s, "->arch_ftrace_ops_list_func");
		return;
	}

	for (i = 0; i < set->count; i++)
		flags |= set->ops[i]->flags;
	rec_show_flags(s, set->count, flags, rec);
	rec_show_callbacks(s, set);
}
