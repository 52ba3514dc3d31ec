// SPDX-License-Identifier: GPL-2.0
/*
 * Runtime verification: registering and enabling of monitors.
 *
 * A monitor is an automaton that follows the events of tracepoints and finds the ones that its
 * model does not allow. rv/da_monitor.h generates one from a model; see Documentation/trace/rv/.
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

/* For the protected data and the lock order see rv/rv.h */
DEFINE_MUTEX(rv_lock);
DEFINE_XARRAY_ALLOC1(rv_records);

/* Protected by rv_lock */
static u32 next_id;
static const struct rv_part *rv_part;

static bool monitoring = true;

/**
 * rv_monitoring_on - do enabled monitors follow events?
 *
 * Context: any
 */
bool rv_monitoring_on(void)
{
	/* Pairs with rv_monitoring_switch(): if monitoring is on, automata are seen as reset. */
	return smp_load_acquire(&monitoring);
}
EXPORT_SYMBOL_GPL(rv_monitoring_on);

/**
 * rv_monitoring_switch - switch monitoring by enabled monitors on or off
 * @on: true to switch it on
 *
 * After switching off, no monitor is handling an event when it returns. Switching on resets the
 * monitors, because they have missed events.
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
	/* Pairs with rv_monitoring_on(): resets are visible before monitoring is on. */
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
 * Return: its record; NULL if there is no such monitor
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
 * rv_enable - enable a monitor, unless it is already enabled
 * @record: record of the monitor
 *
 * Context: rv_lock held; may sleep
 *
 * Return: 0, or the monitor's error: -EBUSY if there is no free slot in tasks for it
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
	 * The monitor has been reset, and ignores events until it is marked enabled. Probes
	 * read the state without ordering: probes that may have read the state of automata
	 * before the reset have to end first, and probes that begin later see the reset state.
	 * After an error, the monitor may have had probes, which may still be running.
	 */
	tracepoint_synchronize_unregister();
	if (!ret)
		WRITE_ONCE(monitor->enabled, true);

	return ret;
}

/**
 * rv_disable - disable a monitor, if it is enabled
 * @record: record of the monitor
 *
 * When it returns, its probes are no longer running.
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

/* Add a record, which is complete except for its id. */
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
 * rv_register_monitor - register a monitor, which can then be enabled
 * @monitor: the monitor, which must not change until it is unregistered, except for the fields
 *	that enabling and disabling change. Its functions are called by one task at a time,
 *	which may sleep.
 *
 * Context: may sleep; takes rv_lock
 *
 * Return: 0; -EINVAL if it has no name, or a name that is too long or has characters not
 *	allowed in files, or if it lacks enable() or disable(); -EEXIST if the name is in use;
 *	-ENOMEM
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
 * rv_unregister_monitor - disable and unregister a monitor
 * @monitor: the registered monitor
 *
 * When this returns, its functions are no longer called, not even for files that are
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
 * rv_part_register - register callbacks for all monitors, including the existing ones
 * @part: the callbacks, which are never unregistered; only one set is possible
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
