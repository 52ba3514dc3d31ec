/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_TRACER_PROFILE_PROFILE_FILES_H
#define _TRACE_TRACER_PROFILE_PROFILE_FILES_H

struct dentry;

#ifdef CONFIG_FUNCTION_PROFILER
void tracefs_add_function_stats(struct dentry *dir);
#else
static inline void tracefs_add_function_stats(struct dentry *dir) { }
#endif

#endif /* _TRACE_TRACER_PROFILE_PROFILE_FILES_H */
