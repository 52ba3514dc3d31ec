/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the log says of keys of a boot config that do nothing.
 */
#ifndef _TRACE_BOOT_CONFIG_REPORT_H
#define _TRACE_BOOT_CONFIG_REPORT_H

struct trace_array;

void trace_bootconfig_report(struct trace_array *tr, const char *key, const char *value,
			     int error);

#endif /* _TRACE_BOOT_CONFIG_REPORT_H */
