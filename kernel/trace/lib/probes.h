/* SPDX-License-Identifier: GPL-2.0 */
/* Tables of probes on several tracepoints: either all are registered, or no probe is. */
#ifndef _TRACE_LIB_PROBES_H
#define _TRACE_LIB_PROBES_H

#include <linux/tracepoint.h>

/**
 * struct trace_probe - a probe on a tracepoint
 * @tp: the tracepoint; NULL ends a table
 * @func: probe of the tracepoint's type, with the data pointer first
 * @kinds: bits whose meaning the user of the table defines
 */
struct trace_probe {
	struct tracepoint	*tp;
	void			*func;
	unsigned int		kinds;
};

/* A row for every user of the table, and a row for some users */
#define TRACE_PROBE(name, function) TRACE_PROBE_IF(~0U, name, function)
#define TRACE_PROBE_IF(kinds_of, name, function)			\
	{ .tp = &__tracepoint_##name, .func = (function), .kinds = (kinds_of) }

int trace_probes_register(const struct trace_probe *probes, unsigned int kinds, void *data);
void trace_probes_unregister(const struct trace_probe *probes, unsigned int kinds, void *data);

#endif /* _TRACE_LIB_PROBES_H */
