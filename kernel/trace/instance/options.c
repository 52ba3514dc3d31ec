// SPDX-License-Identifier: GPL-2.0
/*
 * Options of an instance (trace_options, options/).
 */
#include <linux/cleanup.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "filter/pids.h"
#include "instance/instance.h"
#include "instance/options.h"
#include "instance/printk.h"
#include "instance/registry.h"

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
	[TRACE_OPTION_PAUSE_ON_TRACE]	= "pause-on-trace",
	[TRACE_OPTION_HASH_PTR]		= "hash-ptr",
	[TRACE_OPTION_FUNCTION_TRACE]	= "function-trace",
	[TRACE_OPTION_FUNCTION_FORK]	= "function-fork",
	[TRACE_OPTION_STACKTRACE]	= "stacktrace",
};

/**
 * trace_option_name - the name of an option
 * @option: which
 */
const char *trace_option_name(enum trace_option option)
{
	return option_names[option];
}

/**
 * trace_option_set - set or clear an option
 * @tr: the instance
 * @option: which
 * @on: whether to set it
 *
 * Return: 0, or an error with the option as it was. trace_lock held.
 */
int trace_option_set(struct trace_array *tr, enum trace_option option, bool on)
{
	u64 options = tr->options ^ BIT_ULL(option);
	int ret;

	lockdep_assert_held(&trace_lock);

	if (!!(tr->options & BIT_ULL(option)) == on)
		return 0;

	switch (option) {
	case TRACE_OPTION_RECORD_CMD:
	case TRACE_OPTION_RECORD_TGID:
		ret = tracer_watch_names(tr, options & TRACE_OPT_NAMES);
		if (ret)
			return ret;
		break;
	case TRACE_OPTION_TRACE_PRINTK_DEST:
		return trace_printk_direct(tr, on);
	case TRACE_OPTION_OVERWRITE:
		ring_buffer_change_overwrite(tr->main.buffer, on);
		if (tr->snap.buffer)
			ring_buffer_change_overwrite(tr->snap.buffer, on);
		break;
	case TRACE_OPTION_FUNCTION_FORK:
		if (tr->pids)
			WRITE_ONCE(tr->pids->follow, on);
		break;
	default:
		break;
	}

	WRITE_ONCE(tr->options, options);

	return 0;
}

/**
 * trace_option_find - find an option that each instance has
 * @name: of the option
 *
 * Return: the option, or -EINVAL where there is none of that name.
 */
int trace_option_find(const char *name)
{
	return match_string(option_names, TRACE_OPTIONS, name);
}

/**
 * trace_option_set_name - set or clear an option, the tracer's own too
 * @tr: the instance
 * @name: of the option
 * @on: whether to set it
 *
 * Return: 0, -EINVAL where there is no such option, or the option's error, with
 * the option as it was. trace_lock held.
 */
int trace_option_set_name(struct trace_array *tr, const char *name, bool on)
{
	const struct tracer_option *own;
	struct tracer *tracer;
	int i;

	i = trace_option_find(name);
	if (i >= 0)
		return trace_option_set(tr, i, on);

	own = tracer_find_option(name, &tracer);
	if (!own)
		return -EINVAL;

	return tracer_set_option(tr, tracer, own->bit, on);
}

/**
 * trace_option_write - do what was written into trace_options
 * @tr: the instance
 * @text: name of an option, with "no" before it to clear the option
 *
 * Takes trace_lock.
 *
 * Return: as trace_option_set_name().
 */
int trace_option_write(struct trace_array *tr, const char *text)
{
	bool on = !strstarts(text, "no");

	guard(mutex)(&trace_lock);

	return trace_option_set_name(tr, on ? text : text + strlen("no"), on);
}

/**
 * trace_option_apply_boot - do what trace_options= says
 * @tr: the instance
 */
void __init trace_option_apply_boot(struct trace_array *tr)
{
	char *rest = trace_boot_options;
	char *text;

	while ((text = strsep(&rest, ","))) {
		if (*text && trace_option_write(tr, text))
			pr_warn("tracing: trace_options=%s: no such option\n",
				text);
	}
}
