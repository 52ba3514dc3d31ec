// SPDX-License-Identifier: GPL-2.0
/*
 * The slots that each task has for the state of monitors: who has which.
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
 * rv_get_task_monitor_slot - get a slot, which is an index of task_struct.rv
 *
 * What tasks have in it is undefined at first.
 *
 * Context: any
 *
 * Return: the slot, or -EBUSY if monitors have all of them
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
 * rv_put_task_monitor_slot - give a slot back
 * @slot: of rv_get_task_monitor_slot(). Probes that use it are unregistered.
 *
 * Waits for those that are still under way, so that the next one who gets the slot has it
 * alone, and so that the caller may forget its number.
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
