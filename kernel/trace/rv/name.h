/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of monitors and of reactors: they are tokens in files, and names of directories.
 */
#ifndef _TRACE_RV_NAME_H
#define _TRACE_RV_NAME_H

#include <linux/rv.h>
#include <linux/string.h>

/**
 * rv_name_is_usable - can a name be written to files, and be used as a directory name?
 * @name: the name; NULL is not usable
 *
 * "!" before a name disables a monitor.
 */
static inline bool rv_name_is_usable(const char *name)
{
	size_t len = name ? strlen(name) : 0;

	return len && len < MAX_DA_NAME_LEN && name[0] != '!' && name[0] != '.' &&
	       !strpbrk(name, "/ \t\n");
}

#endif /* _TRACE_RV_NAME_H */
