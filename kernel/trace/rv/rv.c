// SPDX-License-Identifier: GPL-2.0
/*
 * Runtime verification: the monitors that are registered, and which of them are enabled.
 *
 * A monitor is an automaton that follows the events of a tracepoint and finds those that its
 * model does not allow. rv/da_monitor.h makes one of a model; see Documentation/trace/rv/.
 */
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/rv.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "rv/name.h"
#include "rv/reactors.h"
#include "rv/rv.h"

/* What it protects, and what is locked under it: see rv/rv.h */
DEFINE_MUTEX(rv_lock);
DEFINE_XARRAY_ALLOC1(rv_records);

/* Under rv_lock */
static u32 next_id;
static const struct rv_part *rv_part;

static bool monitoring = true;

/**
 * rv_monitoring_on - whether monitors that are enabled follow events
 *
 * Context: any
 */
bool rv_monitoring_on(void)
{
	/* Pairs with rv_monitoring_switch(): automata are as reset, and not as they were. */
	return smp_load_acquire(&monitoring);
}
EXPORT_SYMBOL_GPL(rv_monitoring_on);

/**
 * rv_monitoring_switch - let monitors that are enabled follow events, or keep them from it
 * @on: whether they do
 *
 * None follows an event any more when it returns, if they shall not. If they do again they begin
 * anew, because of what they have missed.
 *
 * Context: may sleep; takes rv_lock
 */
void rv_monitoring_switch(bool on)
{
	struct rv_record *record;
	unsigned long id;

	guard(mutex)(&rv_lock);

	if (on == monitoring)
		return;

	for_each_rv_record(id, record) {
		if (on && record->monitor->enabled && record->monitor->reset)
			record->monitor->reset();
	}
	/* Pairs with rv_monitoring_on(): what was reset comes before. */
	smp_store_release(&monitoring, on);
	if (!on)
		tracepoint_synchronize_unregister();
}

/**
 * rv_find - find a monitor
 * @name: its name
 *
 * Context: rv_lock held
 *
 * Return: its record; NULL if there is none
 */
struct rv_record *rv_find(const char *name)
{
	struct rv_record *record;
	unsigned long id;

	lockdep_assert_held(&rv_lock);

	for_each_rv_record(id, record) {
		if (!strcmp(record->monitor->name, name))
			return record;
	}

	return NULL;
}

/**
 * rv_enable - enable a monitor, unless it is
 * @record: of the monitor
 *
 * Context: rv_lock held; may sleep
 *
 * Return: 0, or the monitor's error: -EBUSY if there is no slot in tasks for it
 */
int rv_enable(struct rv_record *record)
{
	struct rv_monitor *monitor = record->monitor;
	int ret;

	lockdep_assert_held(&rv_lock);

	if (monitor->enabled)
		return 0;

	ret = monitor->enable();
	/*
	 * It has been reset, and ignores what happens until it is enabled as a whole. Probes read
	 * that without order: those that may have read the state of automata before they were
	 * reset have to end first, and those that begin later find what was reset. If there was
	 * an error, it may have had probes, which may still be under way.
	 */
	tracepoint_synchronize_unregister();
	if (!ret)
		WRITE_ONCE(monitor->enabled, true);

	return ret;
}

/**
 * rv_disable - disable a monitor, unless it is
 * @record: of the monitor
 *
 * None of its probes runs any more when it returns.
 *
 * Context: rv_lock held; may sleep
 */
void rv_disable(struct rv_record *record)
{
	struct rv_monitor *monitor = record->monitor;

	lockdep_assert_held(&rv_lock);

	if (!monitor->enabled)
		return;

	WRITE_ONCE(monitor->enabled, false);
	monitor->disable();
	tracepoint_synchronize_unregister();
}

/* The monitor of the record, which is complete but for its id, comes. */
static int rv_record_add(struct rv_record *record)
{
	int ret = xa_alloc_cyclic(&rv_records, &record->id, record, XA_LIMIT(1, RV_ID_MOST),
				  &next_id, GFP_KERNEL);

	if (ret < 0)
		return ret;

	rv_reaction_begin(&record->reaction, record->monitor);
	ret = rv_part ? rv_part->create(record) : 0;
	if (ret) {
		rv_reaction_end(&record->reaction);
		xa_erase(&rv_records, record->id);
	}

	return ret;
}

/**
 * rv_register_monitor - add a monitor, which can be enabled then
 * @monitor: stays as it is until it is unregistered, but for what changes when it is enabled and
 *	     disabled. Its functions are called by one task at a time, which may sleep.
 *
 * Context: may sleep; takes rv_lock
 *
 * Return: 0; -EINVAL if its name is none, is too long or has characters that files cannot take,
 * or if it cannot be enabled and disabled; -EEXIST if another one has the name; -ENOMEM
 */
int rv_register_monitor(struct rv_monitor *monitor)
{
	struct rv_record *record;
	int ret;

	if (!rv_name_is_usable(monitor->name) || !monitor->enable || !monitor->disable)
		return -EINVAL;

	guard(mutex)(&rv_lock);

	if (rv_find(monitor->name))
		return -EEXIST;

	record = kzalloc(sizeof(*record), GFP_KERNEL);
	if (!record)
		return -ENOMEM;

	record->monitor = monitor;
	ret = rv_record_add(record);
	if (ret)
		kfree(record);

	return ret;
}
EXPORT_SYMBOL_GPL(rv_register_monitor);

/**
 * rv_unregister_monitor - disable and remove a monitor
 * @monitor: registered
 *
 * None of its functions is called any more when this returns, also on behalf of files that are
 * still open.
 *
 * Context: may sleep; takes rv_lock
 *
 * Return: 0, or -ENOENT if it is not registered
 */
int rv_unregister_monitor(struct rv_monitor *monitor)
{
	struct rv_record *record;

	guard(mutex)(&rv_lock);

	record = rv_find(monitor->name);
	if (!record || record->monitor != monitor)
		return -ENOENT;

	rv_disable(record);
	if (rv_part)
		rv_part->destroy(record);
	rv_reaction_end(&record->reaction);
	xa_erase(&rv_records, record->id);
	kfree(record);

	return 0;
}
EXPORT_SYMBOL_GPL(rv_unregister_monitor);

/**
 * rv_part_register - have a part with all monitors, also with those that are there already
 * @part: stays for ever; the only one
 *
 * Context: may sleep; takes rv_lock
 */
void rv_part_register(const struct rv_part *part)
{
	struct rv_record *record;
	unsigned long id;

	guard(mutex)(&rv_lock);

	rv_part = part;
	for_each_rv_record(id, record)
		part->create(record);
}
