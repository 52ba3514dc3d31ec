/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All that event/filter/predicate.c needs from outside. The user-space harness has a header of
 * this name of its own, see tools/testing/trace/.
 */
#ifndef _TRACE_EVENT_FILTER_ENV_H
#define _TRACE_EVENT_FILTER_ENV_H

#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/glob.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>

#define event_env_comm()	(current->comm)
#define event_env_cpu()		raw_smp_processor_id()

/**
 * event_env_function - find a function
 * @name: its name, or NULL
 * @start: without @name an address in it; is set to its first one
 * @size: is set to its size
 *
 * Return: false if there is no such function
 */
static inline bool event_env_function(const char *name, unsigned long *start,
				      unsigned long *size)
{
	unsigned long offset;

	if (name)
		*start = kallsyms_lookup_name(name);
	if (!*start || !kallsyms_lookup_size_offset(*start, size, &offset))
		return false;

	*start -= offset;
	return true;
}

/**
 * event_env_string - copy a string from an address that may be bad
 * @text: where to
 * @from: the address
 * @size: of @text, in bytes; a longer string is cut
 * @user: it is an address of user space
 *
 * Any context.
 *
 * Return: whether @text has a string now
 */
static inline bool event_env_string(char *text, unsigned long from, size_t size, bool user)
{
	if (!user)
		return strncpy_from_kernel_nofault(text, (void *)from, size) > 0;

	/*
	 * An NMI may have come while the address space was being switched. An empty string
	 * is 0 bytes long here, without its NUL.
	 */
	return !in_nmi() &&
	       strncpy_from_user_nofault(text, (void __user *)from, size) >= 0;
}

#endif /* _TRACE_EVENT_FILTER_ENV_H */
