/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_TRACER_BRANCH_BRANCH_FILES_H
#define _TRACE_TRACER_BRANCH_BRANCH_FILES_H

struct dentry;

#ifdef CONFIG_TRACE_BRANCH_PROFILING
void tracefs_add_branch_stats(struct dentry *dir);
#else
static inline void tracefs_add_branch_stats(struct dentry *dir) { }
#endif

#endif /* _TRACE_TRACER_BRANCH_BRANCH_FILES_H */
