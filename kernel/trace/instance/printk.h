/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace_printk() and its kin.
 */
#ifndef _TRACE_INSTANCE_PRINTK_H
#define _TRACE_INSTANCE_PRINTK_H

#include <linux/compiler_attributes.h>
#include <linux/init.h>
#include <linux/stdarg.h>
#include <linux/types.h>

struct pt_regs;
struct trace_array;

__printf(2, 0)
int trace_vbprintk(unsigned long ip, const char *fmt, va_list args);
__printf(2, 0)
int trace_vprintk(unsigned long ip, const char *fmt, va_list args);

int trace_printk_direct(struct trace_array *tr, bool on);
void __init trace_printk_boot(void);
void trace_record_stack(struct trace_array *tr, unsigned int context,
			struct pt_regs *regs, int skip);

#endif /* _TRACE_INSTANCE_PRINTK_H */
