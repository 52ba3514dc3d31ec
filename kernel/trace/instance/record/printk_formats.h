/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Constant formats that entries refer to by address (printk_formats).
 */
#ifndef _TRACE_INSTANCE_RECORD_PRINTK_FORMATS_H
#define _TRACE_INSTANCE_RECORD_PRINTK_FORMATS_H

#include <linux/types.h>

struct module;
struct seq_file;

/* Section bounds of the kernel's own trace_printk() formats, set by the linker. */
extern const char *__start___trace_bprintk_fmt[];
extern const char *__stop___trace_bprintk_fmt[];

/* Section bounds of tracepoint_string()s, set by the linker. */
extern const char *__start___tracepoint_str[];
extern const char *__stop___tracepoint_str[];

bool trace_formats_built_in(void);
void trace_formats_show(struct seq_file *m);
void trace_formats_keep(struct module *mod);

#endif /* _TRACE_INSTANCE_RECORD_PRINTK_FORMATS_H */
