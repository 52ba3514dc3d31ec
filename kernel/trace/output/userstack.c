// SPDX-License-Identifier: GPL-2.0
/*
 * The text of a stack of user space. With option sym-userobj each address is
 * shown as a file and a place in it, as the process has it mapped when the
 * trace is read.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>

#include "instance/entries.h"
#include "output/reader.h"
#include "output/types.h"

/* Return: what the process has mapped, to be put, or NULL. */
static struct mm_struct *mm_of(unsigned int tgid)
{
	struct task_struct *task;
	struct mm_struct *mm;

	rcu_read_lock();
	task = find_task_by_pid_ns(tgid, &init_pid_ns);
	if (task)
		get_task_struct(task);
	rcu_read_unlock();

	if (!task)
		return NULL;

	mm = get_task_mm(task);
	put_task_struct(task);

	return mm;
}

/* Return: whether there is a file; @mm may be NULL. */
static bool print_object(struct trace_seq *s, struct mm_struct *mm,
			 unsigned long ip)
{
	struct vm_area_struct *vma;
	bool found;

	/* Readers hold locks that whoever maps memory may want: do not wait. */
	if (!mm || !mmap_read_trylock(mm))
		return false;

	vma = vma_lookup(mm, ip);
	found = vma && vma->vm_file;
	if (found) {
		trace_seq_path(s, &vma->vm_file->f_path);
		trace_seq_printf(s, "[+0x%lx]", ip - vma->vm_start +
				 (vma->vm_pgoff << PAGE_SHIFT));
	}
	mmap_read_unlock(mm);

	return found;
}

static void print_address(struct trace_seq *s, unsigned long ip)
{
	trace_seq_printf(s, " <%016lx>", ip);
}

/**
 * trace_print_user_stack - print a stack of user space
 * @iter: with the entry at hand
 * @flags: unused
 * @event: unused
 */
enum print_line_t trace_print_user_stack(struct trace_iterator *iter, int flags,
					 struct trace_event *event)
{
	struct userstack_entry *entry = (struct userstack_entry *)iter->ent;
	struct trace_reader *reader = trace_reader_of(iter);
	struct trace_seq *s = &iter->seq;
	struct mm_struct *mm = NULL;
	int i;

	/* A bare reading may be that of an oops. */
	if ((reader->options & TRACE_OPT(SYM_USEROBJ)) && !reader->symbols.bare)
		mm = mm_of(entry->tgid);

	trace_seq_puts(s, "<user stack trace>\n");
	for (i = 0; i < TRACE_USER_STACK_MAX && entry->caller[i]; i++) {
		trace_seq_puts(s, " => ");
		if (!print_object(s, mm, entry->caller[i]) ||
		    (reader->options & TRACE_OPT(SYM_ADDR)))
			print_address(s, entry->caller[i]);
		trace_seq_putc(s, '\n');
	}

	if (mm)
		mmput_async(mm);

	return trace_handle_return(s);
}
