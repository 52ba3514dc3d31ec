/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Saved comms of the tasks that wrote entries (saved_cmdlines).
 */
#ifndef _TRACE_INSTANCE_RECORD_CMDLINES_H
#define _TRACE_INSTANCE_RECORD_CMDLINES_H

#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/seq_file.h>

/* Set on the CPU where an entry was written; cleared once the comm is saved. */
DECLARE_PER_CPU(bool, trace_cmdline_wanted);

/*
 * trace_cmdline_want - the current task wrote an entry
 *
 * Its comm is saved when it is switched out. Any context.
 */
static __always_inline void trace_cmdline_want(void)
{
	this_cpu_write(trace_cmdline_wanted, true);
}

int trace_cmdlines_init(void);
int trace_cmdlines_record(void);
void trace_cmdlines_unrecord(void);
void trace_cmdlines_save_running(void);
bool trace_find_cmdline(int pid, char comm[TASK_COMM_LEN], bool may_wait);
unsigned int trace_cmdlines_size(void);
int trace_cmdlines_resize(unsigned int size);

/* Lists the comms, oldest first, one "<pid> <comm>" per line. */
extern const struct seq_operations trace_cmdlines_seq_ops;

#endif /* _TRACE_INSTANCE_RECORD_CMDLINES_H */
