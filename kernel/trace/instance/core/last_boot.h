/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entries that an earlier boot of the kernel has written.
 */
#ifndef _TRACE_INSTANCE_CORE_LAST_BOOT_H
#define _TRACE_INSTANCE_CORE_LAST_BOOT_H

#include <linux/types.h>

struct ring_persist_kernel;

void trace_saved_events(unsigned int end);
bool trace_saved_entry(void *data, unsigned int length,
		       const struct ring_persist_kernel *was,
		       const struct ring_persist_kernel *is);

#endif /* _TRACE_INSTANCE_CORE_LAST_BOOT_H */
