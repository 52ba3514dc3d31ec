/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The directory "options".
 */
#ifndef _TRACE_TRACEFS_TRACE_OPTIONS_H
#define _TRACE_TRACEFS_TRACE_OPTIONS_H

struct dentry;
struct trace_array;

int tracefs_add_options(struct dentry *dir, struct trace_array *tr);

#endif /* _TRACE_TRACEFS_TRACE_OPTIONS_H */
