/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Thread group ids of tasks (option record-tgid, saved_tgids).
 */
#ifndef _TRACE_INSTANCE_RECORD_TGIDS_H
#define _TRACE_INSTANCE_RECORD_TGIDS_H

#include <linux/seq_file.h>

int trace_tgids_record(void);
void trace_tgids_unrecord(void);
int trace_find_tgid(int pid);

/* Lists the thread group ids by pid, one "<pid> <tgid>" per line. */
extern const struct seq_operations trace_tgids_seq_ops;

#endif /* _TRACE_INSTANCE_RECORD_TGIDS_H */
