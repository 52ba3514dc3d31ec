/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace_printk() and related functions.
 */
#ifndef _TRACE_INSTANCE_RECORD_PRINTK_H
#define _TRACE_INSTANCE_RECORD_PRINTK_H

#include <linux/compiler_attributes.h>
#include <linux/stdarg.h>

__printf(2, 0)
int trace_vbprintk(unsigned long ip, const char *fmt, va_list args);
__printf(2, 0)
int trace_vprintk(unsigned long ip, const char *fmt, va_list args);

void trace_printk_init(void);
void trace_printk_grow(void);

#endif /* _TRACE_INSTANCE_RECORD_PRINTK_H */
