/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text of an entry, by its type.
 */
#ifndef _TRACE_OUTPUT_ENTRY_TEXT_H
#define _TRACE_OUTPUT_ENTRY_TEXT_H

#include <linux/trace_events.h>
#include <linux/trace_seq.h>

#include "instance/core/entries.h"
#include "instance/core/options.h"

/* Indexed by type; a tracer that has types of its own sets theirs in an initcall. */
extern struct trace_event_functions trace_fixed_funcs[TRACE_TYPE_FIXED];

bool trace_print_symbol(struct trace_iterator *iter, const char *before,
			unsigned long ip, const char *after);
enum print_line_t trace_print_user_stack(struct trace_iterator *iter, int flags,
					 struct trace_event *event);

/*
 * seq_room - reserve space for the next @len bytes
 *
 * Return: the place to write to; NULL, and the sequence is marked full, if there is no space.
 */
static inline char *seq_room(struct trace_seq *s, unsigned int len)
{
	if (unlikely(s->full || s->seq.len + len >= s->seq.size)) {
		s->full = 1;
		return NULL;
	}

	return s->buffer + s->seq.len;
}

/* seq_upto - the text ends at @end, within the space returned by seq_room() */
static inline void seq_upto(struct trace_seq *s, char *end)
{
	s->seq.len = end - s->buffer;
}

#endif /* _TRACE_OUTPUT_ENTRY_TEXT_H */
