/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reporting of boot config keys that have no effect.
 */
#ifndef _TRACE_BOOT_CONFIG_REPORT_H
#define _TRACE_BOOT_CONFIG_REPORT_H

struct trace_array;

void trace_bootconfig_report(struct trace_array *tr, const char *key, const char *value,
			     int error);

#endif /* _TRACE_BOOT_CONFIG_REPORT_H */
