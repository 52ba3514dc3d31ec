/* SPDX-License-Identifier: GPL-2.0 */
/* More labels in ftrace_64.S, see its first comment. */
#ifndef _X86_KERNEL_FTRACE_LABELS_H
#define _X86_KERNEL_FTRACE_LABELS_H

#include <linux/types.h>

extern const u8 ftrace_caller_rest[];

#endif /* _X86_KERNEL_FTRACE_LABELS_H */
