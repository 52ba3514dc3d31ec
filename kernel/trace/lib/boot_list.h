/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Boot parameters whose value is a list with commas.
 */
#ifndef _TRACE_LIB_BOOT_LIST_H
#define _TRACE_LIB_BOOT_LIST_H

#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/string.h>

/**
 * boot_list_append - add the value of a parameter to the values before
 * @list: the list up to now, with commas
 * @size: size of @list in bytes
 * @value: the value. A parameter may be given several times; an array of a boot config is passed
 *	like that.
 *
 * Return: 1 for the caller of __setup(); 0 if the value does not fit, and then nothing is added: a
 * truncated word could mean something else
 */
static inline int __init boot_list_append(char *list, size_t size, const char *value)
{
	size_t len = strlen(list);

	if (len + strlen(value) + 1 >= size)
		return 0;

	snprintf(list + len, size - len, "%s%s", len ? "," : "", value);

	return 1;
}

#endif /* _TRACE_LIB_BOOT_LIST_H */
