/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The users of a call site, as enabled_functions shows them.
 */
#ifndef _TRACE_HOOK_USERS_H
#define _TRACE_HOOK_USERS_H

#include <linux/types.h>

struct dyn_ftrace;
struct seq_buf;

bool ftrace_rec_has_set(const struct dyn_ftrace *rec);
void ftrace_rec_show_users(struct seq_buf *s, const struct dyn_ftrace *rec);

#endif /* _TRACE_HOOK_USERS_H */
