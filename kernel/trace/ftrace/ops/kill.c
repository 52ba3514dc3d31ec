// SPDX-License-Identifier: GPL-2.0
/*
 * The end of function tracing, when kernel text is not what it should be: the
 * machine goes on, with NOPs at all sites but those of live patches and direct calls,
 * which a fault elsewhere must not undo. See FTRACE_OPS_KEPT.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/workqueue.h>

#include "ftrace/ops/kill.h"
#include "ftrace/ops/update.h"
#include "patch/announce.h"
#include "patch/records.h"

static bool ftrace_dead __read_mostly;

/**
 * ftrace_is_dead - has function tracing been shut down for good?
 *
 * Context: any
 */
bool ftrace_is_dead(void)
{
	return READ_ONCE(ftrace_dead);
}

/* Caller holds ftrace_lock. May be called again. */
static void ftrace_kill_shut_down(void)
{
	WRITE_ONCE(ftrace_dead, true);
	kprobe_ftrace_kill();
	ftrace_update_kept();
	WRITE_ONCE(ftrace_enabled, 0);
	ftrace_announce_switch(false);
}

static void ftrace_kill_work_func(struct work_struct *work)
{
	guard(mutex)(&ftrace_lock);
	ftrace_kill_shut_down();
}

static DECLARE_WORK(kill_work, ftrace_kill_work_func);

/**
 * ftrace_kill - never trace a function again
 *
 * For use when something is found that makes changing text dangerous. Soon
 * afterwards nothing is traced any more, and nothing can be registered. Live patches,
 * direct calls and PERMANENT ops stay in force, and can be unregistered.
 *
 * Context: any but NMI
 */
void ftrace_kill(void)
{
	WRITE_ONCE(ftrace_dead, true);
	kprobe_ftrace_kill();
	/* Before there are workqueues, nothing is traced. */
	if (system_wq)
		schedule_work(&kill_work);
}

/**
 * ftrace_check_text - shut down if a change of call sites found them spoilt
 * @err: what the change returned: -EINVAL where a site did not hold what it should,
 *	-EFAULT where there was no text
 *
 * Context: ftrace_lock held; may sleep. What the change was for is undone: each ops that
 * is registered is in force, with its filters and its direct call, or will be.
 *
 * Return: @err
 */
int ftrace_check_text(int err)
{
	lockdep_assert_held(&ftrace_lock);

	if (err == -EINVAL || err == -EFAULT)
		ftrace_kill_shut_down();
	return err;
}
