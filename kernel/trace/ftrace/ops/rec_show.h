/* SPDX-License-Identifier: GPL-2.0 */
/* Users of a call site, as enabled_functions shows them. */
#ifndef _TRACE_FTRACE_OPS_REC_SHOW_H
#define _TRACE_FTRACE_OPS_REC_SHOW_H

#include <linux/types.h>

struct dyn_ftrace;
struct seq_buf;

bool ftrace_rec_has_set(const struct dyn_ftrace *rec);
void ftrace_rec_show_ops(struct seq_buf *s, const struct dyn_ftrace *rec);

#endif /* _TRACE_FTRACE_OPS_REC_SHOW_H */
