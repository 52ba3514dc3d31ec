// SPDX-License-Identifier: GPL-2.0
/*
 * Allocation of the slots that each task has for the state of monitors.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/rv.h>
#include <linux/tracepoint.h>

static DECLARE_BITMAP(taken, RV_PER_TASK_MONITORS);

/**
 * rv_get_task_monitor_slot - allocate a slot, which is an index of task_struct.rv
 *
 * The content of the slot in tasks is undefined at first.
 *
 * Context: any
 *
 * Return: the slot, or -EBUSY if all slots are in use
 */
int rv_get_task_monitor_slot(void)
{
	int slot;

	for (slot = 0; slot < RV_PER_TASK_MONITORS; slot++) {
		if (!test_and_set_bit_lock(slot, taken))
			return slot;
	}

	return -EBUSY;
}
EXPORT_SYMBOL_GPL(rv_get_task_monitor_slot);

/**
 * rv_put_task_monitor_slot - free a slot
 * @slot: slot returned by rv_get_task_monitor_slot(). The probes that use it must be
 *	unregistered.
 *
 * Waits for probes that are still running, so that the next owner has exclusive use of the
 * slot, and the caller can drop its number.
 *
 * Context: may sleep
 */
void rv_put_task_monitor_slot(int slot)
{
	if (WARN_ON_ONCE(slot < 0 || slot >= RV_PER_TASK_MONITORS || !test_bit(slot, taken)))
		return;

	tracepoint_synchronize_unregister();
	clear_bit_unlock(slot, taken);
}
EXPORT_SYMBOL_GPL(rv_put_task_monitor_slot);
