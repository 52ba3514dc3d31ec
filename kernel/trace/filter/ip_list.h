/* SPDX-License-Identifier: GPL-2.0 */
/* A growing list of call sites, which is converted to a set. */
#ifndef _TRACE_FILTER_IP_LIST_H
#define _TRACE_FILTER_IP_LIST_H

#include <linux/err.h>
#include <linux/ftrace.h>

#include "lib/array.h"
#include "lib/hash.h"

/**
 * struct ftrace_ip_list - a list of call sites that grows
 * @ip: addresses of the sites
 * @nr: number of addresses
 * @max: capacity of @ip
 */
struct ftrace_ip_list {
	unsigned long	*ip;
	unsigned int	nr;
	unsigned int	max;
};

/* Add a call site. Return: 0 or -ENOMEM */
static inline int ftrace_ip_list_add(struct ftrace_ip_list *list, unsigned long ip)
{
	unsigned long *array = ftrace_array_reserve(list->ip, list->nr, &list->max,
						    sizeof(*array), GFP_KERNEL);

	if (!array)
		return -ENOMEM;

	list->ip = array;
	list->ip[list->nr++] = ip;
	return 0;
}

/* Free the list and make a set of it, unless @err is set. Return: the set, or an ERR_PTR() */
static inline struct ftrace_hash *
ftrace_ip_list_to_hash(struct ftrace_ip_list *list, int err)
{
	struct ftrace_hash *hash = err ? NULL : ftrace_hash_make(list->ip, list->nr);

	kvfree(list->ip);
	return err ? ERR_PTR(err) : hash ?: ERR_PTR(-ENOMEM);
}

#endif /* _TRACE_FILTER_IP_LIST_H */
