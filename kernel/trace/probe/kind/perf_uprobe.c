// SPDX-License-Identifier: GPL-2.0
/*
 * Perf events of the type uprobe.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/limits.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>

#include "probe/core/probe_event.h"
#include "probe/core/probe_perf.h"
#include "probe/kind/uprobe.h"

static struct probe_event *perf_uprobe_make(const struct probe_uprobe_place *place)
{
	const struct probe_name name = { .group = "perf", .event = "uprobe" };
	struct probe *probe = probe_uprobe_make(place);
	struct probe_event *event;

	if (IS_ERR(probe))
		return ERR_CAST(probe);

	event = probe_event_hidden(probe_uprobes, probe, &name);
	if (IS_ERR(event))
		probe_uprobes->free(probe);

	return event;
}

/**
 * perf_uprobe_init - make a probe in a program for a perf event
 * @event: the perf event, whose attributes have the path and the offset
 * @ref_ctr_offset: offset of the reference counter in the file; 0: no counter
 * @is_retprobe: true for the return of the function
 *
 * Context: may sleep
 *
 * Return: 0; -EINVAL if there is no path or the file is not a regular file, or if no probe is
 *	possible there, -EOPNOTSUPP at a breakpoint, -ENOENT, -EACCES and other errors of the
 *	path look-up, -E2BIG if it is too long, -EFAULT, -ENOMEM
 */
int perf_uprobe_init(struct perf_event *event, unsigned long ref_ctr_offset, bool is_retprobe)
{
	struct probe_uprobe_place place = {
		.offset		= event->attr.probe_offset,
		.ref		= ref_ctr_offset,
		.at_return	= is_retprobe,
	};
	char *path __free(kfree) = NULL;
	struct probe_event *made;

	if (event->parent)
		return probe_perf_share(event);

	if (!event->attr.uprobe_path || event->attr.probe_offset > LONG_MAX)
		return -EINVAL;
	path = strndup_user(u64_to_user_ptr(event->attr.uprobe_path), PATH_MAX);
	if (IS_ERR(path)) {
		int err = PTR_ERR(no_free_ptr(path));

		return err == -EINVAL ? -E2BIG : err;
	}
	if (!*path)
		return -EINVAL;
	place.file = path;

	made = perf_uprobe_make(&place);

	return IS_ERR(made) ? PTR_ERR(made) : probe_perf_begin(event, made);
}

/**
 * perf_uprobe_destroy - undo perf_uprobe_init()
 * @event: the perf event
 *
 * Context: may sleep
 */
void perf_uprobe_destroy(struct perf_event *event)
{
	probe_perf_end(event);
}
