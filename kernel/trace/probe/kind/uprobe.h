/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes in programs.
 */
#ifndef _TRACE_PROBE_KIND_UPROBE_H
#define _TRACE_PROBE_KIND_UPROBE_H

#include <linux/types.h>

struct probe;
struct probe_kind;
struct trace_event_call;

/**
 * struct probe_uprobe_place - place of a probe in a program
 * @file: path of the program or library
 * @offset: offset in the file
 * @ref: offset in the file of a 16-bit reference counter, which is not 0 in programs that are
 *	probed there; 0 if there is no counter
 * @at_return: it is at the return of the function that begins there
 */
struct probe_uprobe_place {
	const char	*file;
	unsigned long	offset;
	unsigned long	ref;
	bool		at_return;
};

extern const struct probe_kind *const probe_uprobes;

#ifdef CONFIG_UPROBE_EVENTS
const struct probe_uprobe_place *probe_uprobe_place_of(const struct trace_event_call *call);
#else
static inline const struct probe_uprobe_place *
probe_uprobe_place_of(const struct trace_event_call *call)
{
	return NULL;
}
#endif

const char *probe_uprobe_file(const struct probe *probe);
struct probe *probe_uprobe_make(const struct probe_uprobe_place *place);

#endif /* _TRACE_PROBE_KIND_UPROBE_H */
