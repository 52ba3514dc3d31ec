/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instances created and configured on the command line.
 */
#ifndef _TRACE_BOOT_BOOT_INSTANCES_H
#define _TRACE_BOOT_BOOT_INSTANCES_H

struct trace_array;

void trace_boot_settings(void);
void trace_boot_instances(void);

#endif /* _TRACE_BOOT_BOOT_INSTANCES_H */
