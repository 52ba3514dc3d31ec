/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of tracefs files; root/root.c creates the directories from them.
 */
#ifndef _TRACE_TRACEFS_TABLES_H
#define _TRACE_TRACEFS_TABLES_H

#include <linux/fs.h>

#include "tracefs/files.h"

extern const struct tracefs_entry tracefs_available_event_files[];
extern const struct tracefs_entry tracefs_buffer_files[];
extern const struct tracefs_entry tracefs_control_files[];
extern const struct tracefs_entry tracefs_cpu_buffer_files[];
extern const struct tracefs_entry tracefs_errlog_files[];
extern const struct tracefs_entry tracefs_latency_files[];
extern const struct tracefs_entry tracefs_marker_files[];
extern const struct tracefs_entry tracefs_name_files[];
extern const struct tracefs_entry tracefs_option_files[];
extern const struct tracefs_entry tracefs_pipe_files[];
extern const struct tracefs_entry tracefs_readme_files[];
extern const struct tracefs_entry tracefs_saved_files[];
extern const struct tracefs_entry tracefs_set_event_files[];
extern const struct tracefs_entry tracefs_trace_files[];

#ifdef CONFIG_DYNAMIC_FTRACE
extern const struct tracefs_entry tracefs_filter_files[];
extern const struct tracefs_entry tracefs_function_files[];
extern const struct tracefs_entry tracefs_top_filter_files[];
#else
static const struct tracefs_entry tracefs_filter_files[] __maybe_unused = { {} };
static const struct tracefs_entry tracefs_function_files[] __maybe_unused = { {} };
static const struct tracefs_entry tracefs_top_filter_files[] __maybe_unused = { {} };
#endif

#ifdef CONFIG_FTRACE_RECORD_RECURSION
extern const struct tracefs_entry tracefs_recursed_files[];
#else
static const struct tracefs_entry tracefs_recursed_files[] __maybe_unused = { {} };
#endif

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
extern const struct tracefs_entry tracefs_graph_files[];
#else
static const struct tracefs_entry tracefs_graph_files[] __maybe_unused = { {} };
#endif

#ifdef CONFIG_FUNCTION_PROFILER
extern const struct tracefs_entry tracefs_profile_files[];
#else
static const struct tracefs_entry tracefs_profile_files[] __maybe_unused = { {} };
#endif

#ifdef CONFIG_PROBE_EVENTS
extern const struct tracefs_entry tracefs_probe_files[];
#else
static const struct tracefs_entry tracefs_probe_files[] __maybe_unused = { {} };
#endif

#ifdef CONFIG_KPROBE_EVENTS
extern const struct tracefs_entry tracefs_kprobe_files[];
#else
static const struct tracefs_entry tracefs_kprobe_files[] __maybe_unused = { {} };
#endif

#ifdef CONFIG_UPROBE_EVENTS
extern const struct tracefs_entry tracefs_uprobe_files[];
#else
static const struct tracefs_entry tracefs_uprobe_files[] __maybe_unused = { {} };
#endif

#ifdef CONFIG_SYNTH_EVENTS
extern const struct tracefs_entry tracefs_synth_files[];
#else
static const struct tracefs_entry tracefs_synth_files[] __maybe_unused = { {} };
#endif

#ifdef CONFIG_USER_EVENTS
extern const struct tracefs_entry tracefs_user_event_files[];
#else
static const struct tracefs_entry tracefs_user_event_files[] __maybe_unused = { {} };
#endif

#ifdef CONFIG_STACK_TRACER
extern const struct tracefs_entry tracefs_stack_files[];
#else
static const struct tracefs_entry tracefs_stack_files[] __maybe_unused = { {} };
#endif

extern const struct tracefs_entry tracefs_event_pid_files[];
extern const struct tracefs_entry tracefs_pid_files[];

extern const struct file_operations tracefs_raw_fops;
extern const struct file_operations tracefs_snapshot_raw_fops;

#endif /* _TRACE_TRACEFS_TABLES_H */
