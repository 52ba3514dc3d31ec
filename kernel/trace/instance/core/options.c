// SPDX-License-Identifier: GPL-2.0
/*
 * Options of an instance (trace_options, options/).
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "instance/core/instance.h"
#include "instance/core/options.h"

static const char * const option_names[TRACE_OPTIONS] = {
	[TRACE_OPTION_PRINT_PARENT]	= "print-parent",
	[TRACE_OPTION_SYM_OFFSET]	= "sym-offset",
	[TRACE_OPTION_SYM_ADDR]		= "sym-addr",
	[TRACE_OPTION_VERBOSE]		= "verbose",
	[TRACE_OPTION_RAW]		= "raw",
	[TRACE_OPTION_HEX]		= "hex",
	[TRACE_OPTION_BIN]		= "bin",
	[TRACE_OPTION_BLOCK]		= "block",
	[TRACE_OPTION_FIELDS]		= "fields",
	[TRACE_OPTION_TRACE_PRINTK]	= "trace_printk",
	[TRACE_OPTION_ANNOTATE]		= "annotate",
	[TRACE_OPTION_USERSTACKTRACE]	= "userstacktrace",
	[TRACE_OPTION_SYM_USEROBJ]	= "sym-userobj",
	[TRACE_OPTION_PRINTK_MSG_ONLY]	= "printk-msg-only",
	[TRACE_OPTION_CONTEXT_INFO]	= "context-info",
	[TRACE_OPTION_LATENCY_FORMAT]	= "latency-format",
	[TRACE_OPTION_RECORD_CMD]	= "record-cmd",
	[TRACE_OPTION_RECORD_TGID]	= "record-tgid",
	[TRACE_OPTION_OVERWRITE]	= "overwrite",
	[TRACE_OPTION_DISABLE_ON_FREE]	= "disable_on_free",
	[TRACE_OPTION_IRQ_INFO]		= "irq-info",
	[TRACE_OPTION_MARKERS]		= "markers",
	[TRACE_OPTION_EVENT_FORK]	= "event-fork",
	[TRACE_OPTION_TRACE_PRINTK_DEST]	= "trace_printk_dest",
	[TRACE_OPTION_COPY_TRACE_MARKER]	= "copy_trace_marker",
	[TRACE_OPTION_PAUSE_ON_TRACE]	= "pause-on-trace",
	[TRACE_OPTION_HASH_PTR]		= "hash-ptr",
	[TRACE_OPTION_FUNCTION_TRACE]	= "function-trace",
	[TRACE_OPTION_FUNCTION_FORK]	= "function-fork",
	[TRACE_OPTION_DISPLAY_GRAPH]	= "display-graph",
	[TRACE_OPTION_STACKTRACE]	= "stacktrace",
#ifdef CONFIG_BRANCH_TRACER
	[TRACE_OPTION_BRANCH]		= "branch",
#endif
};

/* Written at boot, before options can be changed. */
static trace_option_fn handlers[TRACE_OPTIONS] __ro_after_init;

/**
 * trace_option_handle - register the handler of an option
 * @option: the option; it has no handler yet
 * @handler: function that is called before the option is changed
 */
void __init trace_option_handle(enum trace_option option, trace_option_fn handler)
{
	WARN_ON(handlers[option]);
	handlers[option] = handler;
}

const char *trace_option_name(unsigned int option)
{
	return option_names[option];
}

/**
 * trace_option_find - find an option by its name
 * @name: name of the option in options/, without the "no" that clears it
 *
 * Return: the option, or -EINVAL if no option has that name.
 */
int trace_option_find(const char *name)
{
	return match_string(option_names, TRACE_OPTIONS, name);
}

/**
 * trace_option_set - set or clear an option
 * @tr: the instance
 * @option: the option
 * @on: true to set it, false to clear it
 *
 * trace_lock held, may sleep.
 *
 * Return: 0, or the error of the option's handler, with the option unchanged.
 */
int trace_option_set(struct trace_array *tr, enum trace_option option, bool on)
{
	int ret = 0;

	lockdep_assert_held(&trace_lock);

	if (!!(tr->options & BIT_ULL(option)) == on)
		return 0;

	if (handlers[option])
		ret = handlers[option](tr, on);
	if (!ret)
		WRITE_ONCE(tr->options, on ? tr->options | BIT_ULL(option) :
					     tr->options & ~BIT_ULL(option));

	return ret;
}
