/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The directories of the tracers hwlat, osnoise and timerlat.
 */
#ifndef _TRACE_TRACER_OSNOISE_NOISE_FILES_H
#define _TRACE_TRACER_OSNOISE_NOISE_FILES_H

struct dentry;

#ifdef CONFIG_HWLAT_TRACER
void tracefs_add_hwlat(void);
#else
static inline void tracefs_add_hwlat(void) { }
#endif

#ifdef CONFIG_OSNOISE_TRACER
void tracefs_add_osnoise(void);
#else
static inline void tracefs_add_osnoise(void) { }
#endif

#ifdef CONFIG_TIMERLAT_TRACER
void tracefs_add_timerlat(struct dentry *dir);
#else
static inline void tracefs_add_timerlat(struct dentry *dir) { }
#endif

#endif /* _TRACE_TRACER_OSNOISE_NOISE_FILES_H */
