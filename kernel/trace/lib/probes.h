/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes on several tracepoints, as a table: all of them are registered, or none.
 */
#ifndef _TRACE_LIB_PROBES_H
#define _TRACE_LIB_PROBES_H

#include <linux/tracepoint.h>

/**
 * struct trace_probe - a probe on a tracepoint
 * @tp: NULL ends a table
 * @func: of the tracepoint's type, with the data pointer in front
 * @kinds: bits that the user of the table gives a meaning
 */
struct trace_probe {
	struct tracepoint	*tp;
	void			*func;
	unsigned int		kinds;
};

/* A row for every user of the table, and one for some */
#define TRACE_PROBE(name, function) TRACE_PROBE_IF(~0U, name, function)
#define TRACE_PROBE_IF(kinds_of, name, function)			\
	{ .tp = &__tracepoint_##name, .func = (function), .kinds = (kinds_of) }

int trace_probes_register(const struct trace_probe *probes, unsigned int kinds, void *data);
void trace_probes_unregister(const struct trace_probe *probes, unsigned int kinds, void *data);

#endif /* _TRACE_LIB_PROBES_H */
