/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of the tasks seen while tracing (saved_cmdlines).
 */
#ifndef _TRACE_INSTANCE_NAMES_H
#define _TRACE_INSTANCE_NAMES_H

#include <linux/percpu.h>
#include <linux/sched.h>

struct seq_file;

/* Set on the CPU where an entry was written; cleared once the name is safe. */
DECLARE_PER_CPU(bool, trace_name_wanted);

/*
 * trace_name_want - an entry of the current task was written
 *
 * The name is saved when the task leaves the CPU. Any context.
 */
static __always_inline void trace_name_want(void)
{
	this_cpu_write(trace_name_wanted, true);
}

int trace_names_init(void);
int trace_names_watch(void);
void trace_names_unwatch(void);
void trace_names_catch_up(void);
bool trace_name_of(int pid, char comm[TASK_COMM_LEN], bool may_wait);
int trace_tgid_of(int pid, bool may_wait);
unsigned int trace_names_size(void);
int trace_names_resize(unsigned int size);
void trace_names_show(struct seq_file *m);
void trace_tgids_show(struct seq_file *m);

#endif /* _TRACE_INSTANCE_NAMES_H */
