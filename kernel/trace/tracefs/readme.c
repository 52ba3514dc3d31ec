// SPDX-License-Identifier: GPL-2.0
/*
 * The file README: a short description of the other files.
 */
#include <linux/seq_file.h>

#include "tracefs/files.h"
#include "tracefs/tables.h"

/* A string literal has up to 8,191 characters. */
static const char readme[] =
"tracing mini-HOWTO:\n"
"\n"
"Trace all functions of the kernel for a while:\n"
"  # echo function > current_tracer\n"
"  # sleep 1\n"
"  # echo 0 > tracing_on\n"
"  # less trace\n"
"  # echo nop > current_tracer ; echo 1 > tracing_on\n"
"\n"
"Trace some of them, and see each call as it happens:\n"
"  # echo 'vfs_*' > set_ftrace_filter\n"
"  # echo function > current_tracer\n"
"  # cat trace_pipe\n"
"\n"
"What to trace\n"
"  available_tracers\t\tnames for current_tracer\n"
"  current_tracer\t\tthe current tracer; \"nop\" records no calls\n"
#ifdef CONFIG_DYNAMIC_FTRACE
"  available_filter_functions\tfunctions that can be traced\n"
#ifdef CONFIG_FTRACE_SOURCES
"  available_filter_functions_sources\tand the source file of each\n"
#endif
"  set_ftrace_filter\t\tthe functions to trace, all if empty;\n"
"\t\t\t\tnames; * ? [] match as in a shell; !name removes a name;\n"
"\t\t\t\t> replaces the list, >> adds to it;\n"
"\t\t\t\tname:mod:module is limited to a module, which may be loaded later;\n"
#ifdef CONFIG_FTRACE_SOURCES
"\t\t\t\tname:src:dir/file.c to a source file, :src:dir/* to several;\n"
#endif
"\t\t\t\tname:command[:count] runs a command at each call:\n"
"\t\t\t\ttraceon traceoff stacktrace dump cpudump"
#ifdef CONFIG_TRACER_SNAPSHOT
" snapshot"
#endif
"\n"
"\t\t\t\tenable_event:system:event disable_event:system:event;\n"
"\t\t\t\t!name:command removes it, followed by :0 if it has a count\n"
"  set_ftrace_notrace\t\tfunctions not to trace, in the same form\n"
"  enabled_functions\t\tfunctions that any user traces now\n"
"  touched_functions\t\tfunctions that were ever traced\n"
"  available_filter_functions_addrs\tand where they are called\n"
"  dyn_ftrace_total_info\t\thow many functions can be traced\n"
#endif
#ifdef CONFIG_FTRACE_RECORD_RECURSION
"  recursed_functions\t\tfunctions that callbacks recursed through, and their\n"
"\t\t\t\tcallers; opening it with O_TRUNC clears it\n"
#endif
#ifdef CONFIG_FUNCTION_TRACER
"  set_ftrace_pid\t\tpids of the only tasks to trace\n"
"  set_ftrace_notrace_pid\tpids of tasks not to trace;\n"
"\t\t\t\twith option function-fork children are added\n"
#endif
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
"  set_graph_function\t\tfunction_graph: the functions where a call tree begins\n"
"  set_graph_notrace\t\tfunctions to leave out with all that they call\n"
"  max_graph_depth\t\thow deep a tree is recorded, 0 for all of it\n"
"  graph_tree_stats\t\thow many trees were kept while option funcgraph-keep-slow (as\n"
"\t\t\t\ttracing_thresh says) or funcgraph-keep-failed drops the others,\n"
"\t\t\t\tand how many calls were lost, with these options or without\n"
#endif
#ifdef CONFIG_FUNCTION_PROFILER
"  function_profile_enabled\t1 counts calls of these functions, from 0 on; 0 stops it\n"
"  trace_stat/\t\t\tcounts of each CPU: hits and times of functions,\n"
"\t\t\t\tand histograms of their durations\n"
#endif
#ifdef CONFIG_STACK_TRACER
"  stack_trace\t\t\tthe deepest stack since sysctl kernel.stack_tracer_enabled is 1\n"
"  stack_max_size\t\tits size in bytes; 0 starts again\n"
"  stack_trace_filter\t\tthe functions that check the stack\n"
#endif
#ifdef CONFIG_HWLAT_TRACER
"  hwlat_detector/\t\thwlat: how long, and how often, which CPU is watched\n"
#endif
#ifdef CONFIG_OSNOISE_TRACER
"  osnoise/\t\t\tosnoise and timerlat: CPUs, periods, options and when to stop\n"
#endif
#ifdef CONFIG_RV
"  rv/\t\t\t\truntime verification: monitors, and their reactions to errors\n"
#endif
"\n"
"Events\n"
"  available_events\t\tthe events of the kernel and its modules, as system:event\n"
"  set_event\t\t\tenabled events, in the same form, with * for any;\n"
"\t\t\t\t!event disables; > replaces the list, >> adds to it\n"
"  set_event_pid\t\t\tpids of the only tasks whose events are recorded\n"
"  set_event_notrace_pid\t\tpids of tasks whose events are not;\n"
"\t\t\t\twith option event-fork children are added\n"
"  events/enable\t\t\t1 enables all events, 0 disables them\n"
"  events/system/enable\t\tall events of a system; filter\tfor the events that have its fields\n"
"  events/system/event/\t\tenable; format\tthe fields; id\tof the type, for perf;\n"
"\t\t\t\tfilter\tlike prev_prio < 100 && prev_comm ~ \"ksoft*\"; 0 removes it;\n"
"\t\t\t\ttrigger\tlike traceoff:1 if pid == 1: traceon traceoff"
#ifdef CONFIG_TRACER_SNAPSHOT
" snapshot"
#endif
"\n"
"\t\t\t\tstacktrace enable_event:system:event disable_event:system:event;\n"
"\t\t\t\t!command removes it\n"
#ifdef CONFIG_HIST_TRIGGERS
/* Tools and tests look for some of these strings to detect supported features. */
"\t\t\t\thist trigger\tcount events in the kernel; the file hist shows the counts,\n"
"\t\t\t\tand hist_raw shows a line of numbers for each, with tabs between them:\n"
"\t\t\t\thist:keys=<field1[,field2,...]>\n"
"\t\t\t\t  [:<var1>=<field|var_ref|numeric_literal>[,<var2>=...]]\n"
"\t\t\t\t  [:values=<field1[,field2,...]>]\n"
"\t\t\t\t  [:sort=<field1[,field2,...]>]\n"
"\t\t\t\t  [:size=#entries]\n"
"\t\t\t\t  [:pause][:continue][:clear]\n"
"\t\t\t\t  [:name=histname1]\n"
"\t\t\t\t  [:nohitcount]\n"
"\t\t\t\t  [:clock=<clock>]\n"
"\t\t\t\t  [:<handler>.<action>]\n"
"\t\t\t\t  [if <filter>]\n"
"\t\t\t\t$<var> is a variable of any trigger whose keys match; common_timestamp,\n"
"\t\t\t\tcommon_cpu and common_stacktrace are fields of every event;\n"
"\t\t\t\t+ - * / and parentheses make expressions\n"
"\t\t\t\tmodifiers of fields:\n"
"\t\t\t\t  .hex\t\ta number in base 16\n"
"\t\t\t\t  .sym\t\tan address as a symbol\n"
"\t\t\t\t  .sym-offset\tan address as a symbol and offset\n"
"\t\t\t\t  .execname\tcommon_pid as the name of a program\n"
"\t\t\t\t  .syscall\ta number of a system call as its name\n"
"\t\t\t\t  .log2\t\tgroups by powers of 2\n"
"\t\t\t\t  .buckets=size\tgroups of this size\n"
"\t\t\t\t  .usecs\tcommon_timestamp in microseconds\n"
"\t\t\t\t  .percent\ta value as its part of the sum\n"
"\t\t\t\t  .graph\ta value as a bar\n"
"\t\t\t\t  .stacktrace\ta field long[] as a stack\n"
"\t\t\t\thandlers:\n"
"\t\t\t\t  onmatch(matching.event)\n"
"\t\t\t\t  onmax(var)\ta new maximum\n"
"\t\t\t\t  onchange(var)\tanother value\n"
"\t\t\t\tactions:\n"
"\t\t\t\t  trace(<synthetic_event>,param list)\n"
"\t\t\t\t  save(field,...)\n"
#ifdef CONFIG_TRACER_SNAPSHOT
"\t\t\t\t  snapshot()\n"
#endif
"\t\t\t\tenable_hist:system:event disable_hist:system:event of other events\n"
#endif
"  events/header_page\t\tthe layout of pages and entries in trace_pipe_raw: header_event\n"
#ifdef CONFIG_TRACE_EVAL_MAP_FILE
"  eval_map\t\t\tvalues of the enums that formats name\n"
#endif
#ifdef CONFIG_SYNTH_EVENTS
"  synthetic_events\t\tCreate/append/delete synthetic events: name type field; type field...,\n"
"\t\t\t\twhich hist triggers and kernel code trace; !name\n"
"\t\t\t\t  example: echo 'latency u64 lat; pid_t pid' >> synthetic_events\n"
#endif
#ifdef CONFIG_USER_EVENTS
"  user_events_data\t\tPrograms register user events and write them, see user_events.rst\n"
"  user_events_status\t\tuser events, and their users\n"
#endif
#ifdef CONFIG_PROBE_EVENTS
"\n"
/* perf looks for some of these strings to detect supported features. */
"Events of your own\n"
#ifdef CONFIG_KPROBE_EVENTS
"  kprobe_events\t\t\tCreate/append/delete events on the kernel: p[:[group/]event] place args\n"
"\t\t\t\tat an instruction, r[maxactive]:... where a function returns, -:event\n"
"\t\t\t\tplace: [<module>:]<symbol>[+<offset>]|<address>\n"
"\t\t\t\tplace (kretprobe): [<module>:]<symbol>[+<offset>]%return\n"
"  kprobe_profile\t\thow often each was hit, and missed\n"
#endif
#ifdef CONFIG_UPROBE_EVENTS
"  uprobe_events\t\t\tCreate/append/delete events in programs: p[:[group/]event] place args\n"
"\t\t\t\tat an instruction, r:... where a function returns, -:event\n"
"\t\t\t\tplace (uprobe): <path>:<offset>[%return][(ref_ctr_offset)]\n"
"  uprobe_profile\t\thow often each was hit\n"
#endif
"  dynamic_events\t\tCreate/append/remove/show events of all kinds\n"
#ifdef CONFIG_SYNTH_EVENTS
"\t\t\t\ts:[synthetic/]<event> <field> [<field>]\n"
#endif
#ifdef CONFIG_FPROBE_EVENTS
"\t\t\t\tf[:[<group>/][<event>]] <func-name>[%return] [<args>]\n"
"\t\t\t\tt[:[<group>/][<event>]] <tracepoint> [<args>]\n"
#endif
#ifdef CONFIG_EPROBE_EVENTS
"\t\t\t\te[:[<group>/][<event>]] <attached-group>.<attached-event> [<args>] [if <filter>],\n"
"\t\t\t\twhere an argument $field is a field of that event\n"
#endif
"\t\t\t\targs: name=what[:type], where what is %register, $stack, $stackN,\n"
"\t\t\t\t$argN, $retval, $comm, @address, @symbol[+|-offset], @+offset (uprobe),\n"
"\t\t\t\t+|-[u]<offset>(what), \\imm-value, \\\"string\"\n"
"\t\t\t\ttype: s8/16/32/64, u8/16/32/64, x8/16/32/64, char, symbol, string,\n"
"\t\t\t\tustring, symstr, %pd/%pD, b<width>@<offset>/<size>, type[<length>]\n"
#endif
"\n"
"The result\n"
"  trace\t\t\t\tall entries; > clears the buffer\n"
"  trace_pipe\t\t\tentries as they are written; reading waits for them and consumes them\n"
"  per_cpu/cpuN/\t\t\tthe same for one CPU: trace, trace_pipe,\n"
"\t\t\t\ttrace_pipe_raw (pages, for tools), stats, buffer_size_kb\n"
#ifdef CONFIG_TRACER_SNAPSHOT
"  snapshot\t\t\tthe entries of a moment: 1 takes them, 2 clears them, 0 frees the\n"
"\t\t\t\tmemory; snapshot_raw of per_cpu/cpuN/ has them as pages\n"
#endif
"  error_log\t\t\terrors of rejected writes; > clears it\n"
"  saved_cmdlines\t\tnames of tasks, by pid\n"
"  saved_tgids\t\t\tprocesses of threads, with option record-tgid\n"
"  saved_cmdlines_size\t\thow many names are kept\n"
"  printk_formats\t\tformats of trace_printk(), by address, for tools\n"
#ifdef CONFIG_TRACER_MAX_LATENCY
"  tracing_max_latency\t\tthe longest latency that a latency tracer has seen (microseconds)\n"
#endif
"  tracing_thresh\t\tif not 0, each latency that is longer is recorded (microseconds)\n";

static const char readme_buffer[] =
"\n"
"The buffer\n"
"  tracing_on\t\t\t1: record, 0: do not; the tracer stays the same\n"
"  buffer_size_kb\t\tkilobytes per CPU; X if CPUs differ\n"
"  buffer_total_size_kb\t\tkilobytes in all\n"
"  buffer_subbuf_size_kb\t\tkilobytes of a page\n"
"  free_buffer\t\t\tclosing it gives the memory back; see option disable_on_free\n"
"  buffer_percent\t\thow full the buffer is when a reader of pages is woken\n"
"  trace_clock\t\t\tclocks for time stamps; the one in [] is used\n"
"  timestamp_mode\t\thow time stamps are stored\n"
"  tracing_cpumask\t\tCPUs that record\n"
"\n"
"User space\n"
"  trace_marker\t\t\ttext written here becomes an entry\n"
"  trace_marker_raw\t\tbinary data, which starts with a number of four bytes\n"
"\n"
"  trace_options, options/\toptions that change all of this\n"
"  instances/\t\t\tmkdir makes a directory with files of its own, and a buffer\n";

static void readme_show(struct seq_file *m, const struct tracefs_node *node)
{
	seq_puts(m, readme);
	seq_puts(m, readme_buffer);
}

/* Only in the top directory. */
const struct tracefs_entry tracefs_readme_files[] = {
	{ "README", TRACEFS_READ, .show = readme_show },
	{ }
};
