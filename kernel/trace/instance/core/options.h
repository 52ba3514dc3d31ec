/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options of an instance, by their names in trace_options, in the order of
 * Documentation/trace/ftrace.rst; copy_trace_marker was added in Linux 6.16. Most are bits that
 * readers or writers of entries test. Some have a handler, which is registered by the code that
 * implements them.
 */
#ifndef _TRACE_INSTANCE_CORE_OPTIONS_H
#define _TRACE_INSTANCE_CORE_OPTIONS_H

#include <linux/bits.h>
#include <linux/types.h>

struct trace_array;

enum trace_option {
	TRACE_OPTION_PRINT_PARENT,
	TRACE_OPTION_SYM_OFFSET,
	TRACE_OPTION_SYM_ADDR,
	TRACE_OPTION_VERBOSE,
	TRACE_OPTION_RAW,
	TRACE_OPTION_HEX,
	TRACE_OPTION_BIN,
	TRACE_OPTION_BLOCK,
	TRACE_OPTION_FIELDS,
	TRACE_OPTION_TRACE_PRINTK,
	TRACE_OPTION_ANNOTATE,
	TRACE_OPTION_USERSTACKTRACE,
	TRACE_OPTION_SYM_USEROBJ,
	TRACE_OPTION_PRINTK_MSG_ONLY,
	TRACE_OPTION_CONTEXT_INFO,
	TRACE_OPTION_LATENCY_FORMAT,
	TRACE_OPTION_RECORD_CMD,
	TRACE_OPTION_RECORD_TGID,
	TRACE_OPTION_OVERWRITE,
	TRACE_OPTION_DISABLE_ON_FREE,
	TRACE_OPTION_IRQ_INFO,
	TRACE_OPTION_MARKERS,
	TRACE_OPTION_EVENT_FORK,
	TRACE_OPTION_TRACE_PRINTK_DEST,
	TRACE_OPTION_COPY_TRACE_MARKER,
	TRACE_OPTION_PAUSE_ON_TRACE,
	TRACE_OPTION_HASH_PTR,
	TRACE_OPTION_FUNCTION_TRACE,
	TRACE_OPTION_FUNCTION_FORK,
	TRACE_OPTION_DISPLAY_GRAPH,
	TRACE_OPTION_STACKTRACE,
#ifdef CONFIG_BRANCH_TRACER
	TRACE_OPTION_BRANCH,
#endif
	TRACE_OPTIONS,
};

#define TRACE_OPT(name)	BIT_ULL(TRACE_OPTION_##name)

#define TRACE_OPT_DEFAULT	(TRACE_OPT(PRINT_PARENT) |	\
				 TRACE_OPT(TRACE_PRINTK) |	\
				 TRACE_OPT(ANNOTATE) |		\
				 TRACE_OPT(CONTEXT_INFO) |	\
				 TRACE_OPT(RECORD_CMD) |	\
				 TRACE_OPT(OVERWRITE) |		\
				 TRACE_OPT(IRQ_INFO) |		\
				 TRACE_OPT(MARKERS) |		\
				 TRACE_OPT(HASH_PTR) |		\
				 TRACE_OPT(FUNCTION_TRACE))

/* Options that request stack traces after an entry. */
#define TRACE_OPT_STACKS	(TRACE_OPT(STACKTRACE) | TRACE_OPT(USERSTACKTRACE))

/**
 * typedef trace_option_fn - handler of an option that is about to be changed
 * @tr: the instance
 * @on: true if the option is being set
 *
 * Called with trace_lock held, may sleep. After an error the option is unchanged.
 */
typedef int (*trace_option_fn)(struct trace_array *tr, bool on);

void trace_option_handle(enum trace_option option, trace_option_fn handler);
const char *trace_option_name(unsigned int option);
int trace_option_set(struct trace_array *tr, enum trace_option option, bool on);
int trace_option_find(const char *name);

#endif /* _TRACE_INSTANCE_CORE_OPTIONS_H */
