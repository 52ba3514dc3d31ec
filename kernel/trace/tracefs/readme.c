// SPDX-License-Identifier: GPL-2.0
/*
 * File README: what the files are for, in few words.
 */
#include <linux/seq_file.h>

#include "tracefs/files.h"
#include "tracefs/tables.h"

static const char readme[] =
"tracing mini-HOWTO:\n"
"\n"
"Watch all functions of the kernel for a while:\n"
"  # echo function > current_tracer\n"
"  # sleep 1\n"
"  # echo 0 > tracing_on\n"
"  # less trace\n"
"  # echo nop > current_tracer ; echo 1 > tracing_on\n"
"\n"
"Watch some of them, as they run:\n"
"  # echo 'vfs_*' > set_ftrace_filter\n"
"  # echo function > current_tracer\n"
"  # cat trace_pipe\n"
"\n"
"What there is to be traced\n"
"  available_tracers\t\tnames that current_tracer takes\n"
"  current_tracer\t\tthe tracer at work; \"nop\" for none\n"
#ifdef CONFIG_DYNAMIC_FTRACE
"  available_filter_functions\tfunctions that can be traced\n"
"  available_filter_functions_sources\tand where they were compiled\n"
"  set_ftrace_filter\t\tfunctions to be traced, all if empty;\n"
"\t\t\t\tnames, * ? [] match as in a shell, !name takes out,\n"
"\t\t\t\t> sets the list anew, >> adds to it;\n"
"\t\t\t\tname:mod:module narrows to a module, which may come later;\n"
"\t\t\t\tname:src:dir/file.c to a source, :src:dir/* to many;\n"
"\t\t\t\tname:command[:count] does something at each call:\n"
"\t\t\t\ttraceon traceoff stacktrace dump cpudump"
#ifdef CONFIG_TRACER_SNAPSHOT
" snapshot"
#endif
";\n"
"\t\t\t\t!name:command ends that, with :0 if it has a count\n"
"  set_ftrace_notrace\t\tfunctions never to be traced, the same way\n"
"  enabled_functions\t\tfunctions that are traced right now, by anybody\n"
"  dyn_ftrace_total_info\t\thow many functions can be traced\n"
#endif
#ifdef CONFIG_FUNCTION_TRACER
"  set_ftrace_pid\t\tpids of the only tasks to be traced\n"
"  set_ftrace_notrace_pid\tpids of tasks not to be traced;\n"
"\t\t\t\tboth follow forks with option function-fork\n"
#endif
"\n"
"What was traced\n"
"  trace\t\t\t\tall of it; > clears\n"
"  trace_pipe\t\t\twhat comes in; reading takes it out, and waits\n"
"  per_cpu/cpuN/\t\t\tthe same by CPU: trace, trace_pipe,\n"
"\t\t\t\ttrace_pipe_raw (pages, for tools), stats, buffer_size_kb\n"
"  saved_cmdlines\t\tnames of tasks by pid\n"
"  saved_cmdlines_size\t\thow many names are kept\n"
"  printk_formats\t\tformats of trace_printk() by address, for tools\n"
"\n"
"The buffer\n"
"  tracing_on\t\t\t1: record, 0: do not; the tracer stays\n"
"  buffer_size_kb\t\tkilobytes a CPU; X if they differ\n"
"  buffer_total_size_kb\t\tkilobytes in all\n"
"  buffer_percent\t\thow full before a waiting reader of raw pages wakes\n"
"  trace_clock\t\t\twhere the time comes from; the one in [] is in use\n"
"  timestamp_mode\t\thow the time is stored\n"
"  tracing_cpumask\t\tCPUs that record\n"
"\n"
"User space\n"
"  trace_marker\t\t\ttext written here goes into the trace\n"
"  trace_marker_raw\t\tbinary data, a number of four bytes first\n"
"\n"
"  trace_options, options/\thow all of this looks and works\n";

static void readme_show(struct seq_file *m, const struct tracefs_node *node)
{
	seq_puts(m, readme);
}

/* In the top directory alone. */
const struct tracefs_entry tracefs_readme_files[] = {
	{ "README", TRACEFS_READ, .show = readme_show },
	{ }
};
