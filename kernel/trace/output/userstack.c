// SPDX-License-Identifier: GPL-2.0
/*
 * Text of a user space stack. With the option sym-userobj an address is shown as a file and an
 * offset in it, according to the mappings of the process at the time when the trace is read.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>

#include "instance/core/entries.h"
#include "output/entry_text.h"
#include "output/reader.h"

/* Return: the memory map of the process, with a reference, or NULL. */
static struct mm_struct *userstack_mm_of(unsigned int tgid)
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

/* Return: false if no file is mapped there; @mm may be NULL. */
static bool userstack_print_object(struct trace_seq *s, struct mm_struct *mm,
				   unsigned long ip)
{
	struct vm_area_struct *vma;
	bool found;

	/* The caller holds locks that another task may wait for with its mmap_lock held. */
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

static void userstack_print_address(struct trace_seq *s, unsigned long ip)
{
	trace_seq_printf(s, " <%016lx>", ip);
}

/**
 * trace_print_user_stack - print a user space stack
 * @iter: iterator of a reader, at the entry
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

	/* A dump must not take references. */
	if ((reader->options & TRACE_OPT(SYM_USEROBJ)) && !reader->symbols.no_alloc)
		mm = userstack_mm_of(entry->tgid);

	trace_seq_puts(s, "<user stack trace>\n");
	for (i = 0; i < TRACE_USER_STACK_MAX && entry->caller[i]; i++) {
		trace_seq_puts(s, " => ");
		if (!userstack_print_object(s, mm, entry->caller[i]) ||
		    (reader->options & TRACE_OPT(SYM_ADDR)))
			userstack_print_address(s, entry->caller[i]);
		trace_seq_putc(s, '\n');
	}

	if (mm)
		mmput_async(mm);

	return trace_handle_return(s);
}
