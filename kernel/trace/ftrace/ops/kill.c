// SPDX-License-Identifier: GPL-2.0
/*
 * Shutdown of function tracing, when kernel text is corrupt: the machine keeps running, with
 * NOPs at all sites except the sites of live patches and direct calls, which a fault elsewhere
 * must not undo. See FTRACE_OPS_KEPT.
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
 * ftrace_is_dead - has function tracing been shut down permanently?
 *
 * Context: any
 */
bool ftrace_is_dead(void)
{
	return READ_ONCE(ftrace_dead);
}

/* The caller holds ftrace_lock. May be called again. */
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
 * For use when a condition is found that makes changing text dangerous. Soon afterwards no
 * function is traced, and no ops can be registered. Live patches, direct calls and PERMANENT ops
 * remain in force, and can be unregistered.
 *
 * Context: any except NMI
 */
void ftrace_kill(void)
{
	WRITE_ONCE(ftrace_dead, true);
	kprobe_ftrace_kill();
	/* Before there are workqueues, no function is traced. */
	if (system_wq)
		schedule_work(&kill_work);
}

/**
 * ftrace_check_text - shut down if a change of call sites found them corrupt
 * @err: error that the change returned: -EINVAL if a site did not hold the expected bytes,
 *	-EFAULT if there was no text
 *
 * Context: ftrace_lock held; may sleep. The caller has undone its part of the change: each ops
 * that is registered is in force, with its filters and its direct call, or will be.
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
