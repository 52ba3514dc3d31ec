/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All interfaces that event/filter/predicate.c uses. The user-space harness has its own header
 * of this name, see tools/testing/trace/.
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
 * @name: its name, or NULL to find it by address
 * @start: if @name is NULL, an address in the function; set to its start address
 * @size: set to its size
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
 * event_env_string - copy a string from a possibly invalid address
 * @text: output buffer
 * @from: the address
 * @size: size of @text in bytes; a longer string is truncated
 * @user: @from is a user-space address
 *
 * Any context.
 *
 * Return: true if @text has a string now
 */
static inline bool event_env_string(char *text, unsigned long from, size_t size, bool user)
{
	if (!user)
		return strncpy_from_kernel_nofault(text, (void *)from, size) > 0;

	/*
	 * An NMI may have interrupted a switch of the address space. An empty string has a
	 * length of 0 here, without its NUL.
	 */
	return !in_nmi() &&
	       strncpy_from_user_nofault(text, (void __user *)from, size) >= 0;
}

#endif /* _TRACE_EVENT_FILTER_ENV_H */
