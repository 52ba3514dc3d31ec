/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One comparison of a filter: a field with a value.
 */
#ifndef _TRACE_EVENT_FILTER_PREDICATE_COMPARE_H
#define _TRACE_EVENT_FILTER_PREDICATE_COMPARE_H

#include "event/filter/predicate_match.h"

struct ftrace_event_field;

enum op { OP_EQ, OP_NE, OP_LE, OP_LT, OP_GE, OP_GT, OP_BITS, OP_GLOB, OP_NR };

/* What follows the name of a field. */
enum modifier { MOD_NONE, MOD_FUNCTION, MOD_USTRING };

/**
 * struct comparison - a comparison, as the text of a filter has it
 * @field: which the event has, or which all events have
 * @modifier: what follows its name
 * @op: the operator
 * @text: the value without quotes, terminated; it has to live as long as the filter
 * @len: its length
 * @quoted: there were quotes
 * @wrong: is set to what is wrong when -EINVAL is returned; a constant
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
