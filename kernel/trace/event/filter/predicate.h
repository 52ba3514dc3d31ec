/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters of events: the text of a filter is compiled once, and entries are matched with
 * the result.
 *
 *	filter:	and { "||" and }
 *	and:	term { "&&" term }
 *	term:	{ "!" } ( "(" filter ")" | test )
 *	test:	field op value
 *
 *	a number		== != < <= > >= &	a number, decimal, octal or 0x...
 *	a number		== != &			CPUS{list}, with the number as a CPU
 *	a number.function	== !=			a function, or an address in one
 *	a mask of CPUs		== != &			CPUS{list}
 *	a string		== != ~			"text", 'text' or a bare word
 *	a pointer.ustring	== != ~			likewise: a string of user space
 *
 * The value of ~ is a glob. See "Event filtering" in Documentation/trace/events.rst.
 */
#ifndef _TRACE_EVENT_FILTER_PREDICATE_H
#define _TRACE_EVENT_FILTER_PREDICATE_H

#include <linux/types.h>

struct event_filter;
struct ftrace_event_field;

/* The longest text of a filter, and how deep its parentheses may be nested. */
#define TRACE_FILTER_TEXT_MAX	16384
#define TRACE_FILTER_DEPTH_MAX	64

/**
 * typedef trace_field_find_t - find a field of an event by its name
 * @data: what trace_filter_compile() got
 * @name: a word of the text, terminated, which does not stay
 *
 * Return: the field, which need not stay; NULL if there is none of that name; or an error,
 * which is not -EINVAL
 */
typedef const struct ftrace_event_field *
(*trace_field_find_t)(const void *data, const char *name);

/**
 * struct trace_filter_error - what is wrong with the text of a filter
 * @what: a sentence, which is a constant; NULL if nothing is
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
 * typedef trace_filter_function_t - is given a function that a filter names
 * @data: what trace_filter_functions() got
 * @name: the name, or a glob
 * @not: the filter wants all functions but this
 */
typedef int (*trace_filter_function_t)(void *data, const char *name, bool not);

int trace_filter_functions(const struct event_filter *filter, trace_filter_function_t each,
			   void *data);

#endif /* _TRACE_EVENT_FILTER_PREDICATE_H */
