/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files hist and hist_raw of an event.
 */
#ifndef _TRACE_TRACEFS_EVENT_HIST_FILES_H
#define _TRACE_TRACEFS_EVENT_HIST_FILES_H

#include <linux/fs.h>

extern const struct file_operations tracefs_hist_fops;
extern const struct file_operations tracefs_hist_raw_fops;

#endif /* _TRACE_TRACEFS_EVENT_HIST_FILES_H */
