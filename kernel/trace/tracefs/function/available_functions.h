/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output of a function's name in tracefs files.
 */
#ifndef _TRACE_TRACEFS_FUNCTION_AVAILABLE_FUNCTIONS_H
#define _TRACE_TRACEFS_FUNCTION_AVAILABLE_FUNCTIONS_H

struct ftrace_name_iter;
struct seq_file;

void tracefs_show_function(struct seq_file *m, const struct ftrace_name_iter *names);

#endif /* _TRACE_TRACEFS_FUNCTION_AVAILABLE_FUNCTIONS_H */
