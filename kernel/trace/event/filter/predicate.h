/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event filters: the text of a filter is compiled once, and entries are matched with the
 * result.
 *
 *	filter:	and { "||" and }
 *	and:	term { "&&" term }
 *	term:	{ "!" } ( "(" filter ")" | test )
 *	test:	field op value
 *
 *	a number		== != < <= > >= &	a number, decimal, octal or 0x...
 *	a number		== != &			CPUS{list}, the number is a CPU
 *	a number.function	== !=			a function, or an address in it
 *	a mask of CPUs		== != &			CPUS{list}
 *	a string		== != ~			"text", 'text' or an unquoted token
 *	a pointer.ustring	== != ~			same, for a user-space string
 *
 * The value of ~ is a glob. See "Event filtering" in Documentation/trace/events.rst.
 */
#ifndef _TRACE_EVENT_FILTER_PREDICATE_H
#define _TRACE_EVENT_FILTER_PREDICATE_H

#include <linux/types.h>

struct event_filter;
struct ftrace_event_field;

/* Maximum length of a filter's text, and maximum nesting depth of its parentheses. */
#define TRACE_FILTER_TEXT_MAX	16384
#define TRACE_FILTER_DEPTH_MAX	64

/**
 * typedef trace_field_find_t - find a field of an event by its name
 * @data: @data that was passed to trace_filter_compile()
 * @name: a token of the text, NUL-terminated, only valid during the call
 *
 * Return: the field, which need not remain valid; NULL if no field has that name; or an
 * error other than -EINVAL
 */
typedef const struct ftrace_event_field *
(*trace_field_find_t)(const void *data, const char *name);

/**
 * struct trace_filter_error - error in the text of a filter
 * @what: error message, a constant string; NULL if there is no error
 * @at: offset in the text
 */
struct trace_filter_error {
	const char	*what;
	unsigned int	at;
};

struct event_filter *trace_filter_compile(const char *text, trace_field_find_t find,
					  const void *data,
					  struct trace_filter_error *error);

/**
 * typedef trace_filter_function_t - callback for a function named in a filter
 * @data: @data that was passed to trace_filter_functions()
 * @name: the name, or a glob
 * @not: the filter matches all functions except this
 */
typedef int (*trace_filter_function_t)(void *data, const char *name, bool not);

int trace_filter_functions(const struct event_filter *filter, trace_filter_function_t each,
			   void *data);

#endif /* _TRACE_EVENT_FILTER_PREDICATE_H */
