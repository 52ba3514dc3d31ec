// SPDX-License-Identifier: GPL-2.0
/*
 * Static tracing: all sites always call one function, which calls the list function while any
 * ops traces any function.
 *
 * The sites are not listed. This file replaces the interfaces that otherwise use the list: see
 * ftrace/ops/update.h and patch/records.h.
 */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/static_call.h>
#include <linux/uaccess.h>

#include "ftrace/entry/list.h"
#include "ftrace/ops/static.h"
#include "ftrace/ops/update.h"

int ftrace_enabled __read_mostly = 1;

/* Protects the list of ops and their filters, see patch/records.h. */
DEFINE_MUTEX(ftrace_lock);

/* The function that FTRACE_MARK continues with. */
#ifdef CONFIG_HAVE_STATIC_CALL
DEFINE_STATIC_CALL_NULL(ftrace_static, ftrace_caller);

static void ftrace_static_set_target(bool on)
{
	if (on)
		static_call_update(ftrace_static, ftrace_caller);
	else
		static_call_update(ftrace_static, NULL);
}

static void *ftrace_static_get_target(void)
{
	return static_call_query(ftrace_static);
}
#else
void (*ftrace_static_target)(void) __read_mostly;

static void ftrace_static_set_target(bool on)
{
	WRITE_ONCE(ftrace_static_target, on ? ftrace_caller : NULL);
}

static void *ftrace_static_get_target(void)
{
	return READ_ONCE(ftrace_static_target);
}
#endif

/**
 * ftrace_static_is_on - do call sites reach the list function?
 *
 * Context: any
 */
bool ftrace_static_is_on(void)
{
	return ftrace_static_get_target();
}

static bool ftrace_static_matches_any(const struct ftrace_ops *ops)
{
	struct ftrace_ops_filter meaning = ftrace_ops_filter_of(ops->func_hash);

	return !(ops->flags & FTRACE_OPS_FL_STUB) &&
	       (!meaning.filter || meaning.filter->count);
}

/* @without: ops that is about to be removed from the list, or NULL */
static bool ftrace_static_any_matches(const struct ftrace_ops *without)
{
	struct ftrace_ops_node *node;

	for_each_ftrace_ops(node)
		if (node->ops != without && ftrace_static_matches_any(node->ops))
			return true;
	return false;
}

/**
 * ftrace_update_sites - update the sites after the filters of ops changed
 * @shift: the change; the ops already have the filters in @shift->new
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: 0
 */
int ftrace_update_sites(const struct ftrace_filter_change *shift)
{
	lockdep_assert_held(&ftrace_lock);

	ftrace_static_set_target(ftrace_enabled &&
				 ftrace_static_any_matches(shift->new.on ? NULL : shift->ops));
	return 0;
}

/**
 * ftrace_update_all - apply kernel.ftrace_enabled
 * @enabled: its new value
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: 0
 */
int ftrace_update_all(bool enabled)
{
	lockdep_assert_held(&ftrace_lock);

	ftrace_static_set_target(enabled && ftrace_static_any_matches(NULL));
	return 0;
}

/**
 * ftrace_update_kept - stop calling all ops
 *
 * There are no live patches and direct calls with static tracing.
 *
 * Context: ftrace_lock held; may sleep
 */
void ftrace_update_kept(void)
{
	ftrace_static_set_target(false);
}

static bool ftrace_static_is_site(unsigned long ip)
{
	u8 text[MCOUNT_INSN_SIZE];

	return !copy_from_kernel_nofault(text, (void *)ip, sizeof(text)) &&
	       ftrace_calls_mark(text, ip, true);
}

/**
 * ftrace_static_site - find the call site of a function in its text
 * @ip: address of the function or of the site
 *
 * Context: any except NMI
 *
 * Return: the address of the site, or 0 if there is no site
 */
unsigned long ftrace_static_site(unsigned long ip)
{
	unsigned long size, offset, at;

	if (!kallsyms_lookup_size_offset(ip, &size, &offset))
		return 0;
	if (ftrace_static_is_site(ip))
		return ip;
	if (offset)
		return 0;

	size = min(size, FTRACE_MCOUNT_MAX_OFFSET + MCOUNT_INSN_SIZE);
	for (at = ip + 1; at + MCOUNT_INSN_SIZE <= ip + size; at++)
		if (ftrace_static_is_site(at))
			return at;
	return 0;
}
