/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How files show a function.
 */
#ifndef _TRACE_TRACEFS_RECORDS_H
#define _TRACE_TRACEFS_RECORDS_H

struct ftrace_name_iter;
struct seq_file;

void tracefs_show_function(struct seq_file *m, const struct ftrace_name_iter *names);

#endif /* _TRACE_TRACEFS_RECORDS_H */
