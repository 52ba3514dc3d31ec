/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Comparison of a field with a value in an event filter.
 */
#ifndef _TRACE_EVENT_FILTER_PREDICATE_COMPARE_H
#define _TRACE_EVENT_FILTER_PREDICATE_COMPARE_H

#include "event/filter/predicate_match.h"

struct ftrace_event_field;

enum op { OP_EQ, OP_NE, OP_LE, OP_LT, OP_GE, OP_GT, OP_BITS, OP_GLOB, OP_NR };

/* Modifier after the name of a field. */
enum modifier { MOD_NONE, MOD_FUNCTION, MOD_USTRING };

/**
 * struct comparison - a parsed comparison of a filter
 * @field: field of the event, or a field that all events have
 * @modifier: modifier after its name
 * @op: the operator
 * @text: the value without quotes, NUL-terminated; must remain valid as long as the filter
 * @len: its length
 * @quoted: the value was quoted
 * @wrong: set to the error message if -EINVAL is returned; a constant string
 */
struct comparison {
	const struct ftrace_event_field	*field;
	enum modifier			modifier;
	enum op				op;
	char				*text;
	size_t				len;
	bool				quoted;
	const char			*wrong;
};

int comparison_field(struct comparison *cmp, struct predicate *p);
int comparison_value(struct comparison *cmp, struct predicate *p);

#endif /* _TRACE_EVENT_FILTER_PREDICATE_COMPARE_H */
