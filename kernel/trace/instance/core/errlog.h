/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Error log: reasons why writes to files were refused (error_log).
 */
#ifndef _TRACE_INSTANCE_CORE_ERRLOG_H
#define _TRACE_INSTANCE_CORE_ERRLOG_H

#include <linux/types.h>

struct seq_file;
struct trace_array;

void trace_error(struct trace_array *tr, const char *where, const char *what,
		 const char *command, size_t len, size_t at);
void trace_errors_show(struct seq_file *m, struct trace_array *tr);
void trace_errors_clear(struct trace_array *tr);

#endif /* _TRACE_INSTANCE_CORE_ERRLOG_H */
