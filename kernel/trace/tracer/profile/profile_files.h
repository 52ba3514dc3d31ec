/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The directory trace_stat.
 */
#ifndef _TRACE_TRACER_PROFILE_PROFILE_FILES_H
#define _TRACE_TRACER_PROFILE_PROFILE_FILES_H

#ifdef CONFIG_FUNCTION_PROFILER
void tracefs_add_stats(void);
#else
static inline void tracefs_add_stats(void) { }
#endif

#endif /* _TRACE_TRACER_PROFILE_PROFILE_FILES_H */
