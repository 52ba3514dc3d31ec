/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracers: struct tracer, and the list of all tracers.
 */
#ifndef _TRACE_INSTANCE_TRACER_TRACER_H
#define _TRACE_INSTANCE_TRACER_TRACER_H

#include <linux/list.h>
#include <linux/trace_events.h>
#include <linux/types.h>

struct seq_file;
struct trace_array;

/**
 * struct tracer_option - an option of a single tracer
 * @name: its file in options/
 * @bit: its bit in the flags of the tracer
 */
struct tracer_option {
	const char	*name;
	u32		bit;
};

/**
 * struct tracer - a tracer: records entries into the buffer of an instance
 * @name: name in current_tracer
 * @init: start recording into the instance. trace_lock held, may sleep. After an error nothing
 *	is started.
 * @reset: stop recording. Calls that are in progress on other CPUs, or in preempted tasks, may
 *	still record an entry after it has returned: the caller does not wait for them. Their
 *	data must therefore remain valid until the instance is destroyed. trace_lock held, may
 *	sleep.
 * @set_option: set option @bit of the instance to @on. Called whether or not this is the
 *	current tracer; tracer_flags() changes afterwards. trace_lock held, may sleep. After an
 *	error the option is unchanged. A tracer that had to stop for the change and cannot
 *	restart calls tracing_tracer_failed().
 * @open: a reader starts printing with this tracer; may set iter->private, which remains NULL
 *	for ftrace_dump(). trace_lock held, may sleep. After an error, -ENOMEM, the reader does
 *	not print with it, and @close is not called.
 * @close: the reader ends, or switches to another tracer. Same context.
 * @header: print the header before the entries, NULL for the usual header. Called in the
 *	context of the reader, as is @line.
 * @line: print the current entry into iter->seq. If it is NULL, or returns
 *	TRACE_TYPE_UNHANDLED, the entry is printed by its type. After TRACE_TYPE_NO_CONSUME a
 *	consuming reader passes the same entry again.
 * @selftest: check that the tracer, which is passed, works. Nothing else records into the
 *	instance, and the tracer is not its current one yet. trace_lock held, may sleep. A
 *	tracer whose test fails is not available; one that cannot be tested during boot has
 *	NULL, and says why.
 * @options: its own options, terminated by one without a name; may be NULL
 * @flags: options that are set in a new instance
 * @keeps_max: it is a latency tracer, which passes latencies to trace_latency_record_cpu() or
 *	_all(). It owns the spare buffer while it is the current tracer, and the file trace
 *	shows the spare buffer.
 * @allow_instances: it can also be used in instances other than the top one
 * @noboot: it cannot start before boot is complete
 * @proves_sites: @selftest fails if call sites do not call what they should: all function tracing
 *	is shut down then
 * @shows_lost: @line reports entries that were lost before the current one
 * @list: entry in the list of tracers; trace_lock
 * @selftested: @selftest is done; trace_lock
 */
struct tracer {
	const char			*name;
	int				(*init)(struct trace_array *tr);
	void				(*reset)(struct trace_array *tr);
	int				(*set_option)(struct trace_array *tr,
						      u32 bit, bool on);
	int				(*open)(struct trace_iterator *iter);
	void				(*close)(struct trace_iterator *iter);
	void				(*header)(struct seq_file *m,
						  struct trace_iterator *iter);
	enum print_line_t		(*line)(struct trace_iterator *iter);
	int				(*selftest)(struct trace_array *tr,
						    struct tracer *tracer);
	const struct tracer_option	*options;
	u32				flags;
	bool				keeps_max;
	bool				allow_instances;
	bool				noboot;
	bool				proves_sites;
	bool				shows_lost;

	struct list_head		list;
	bool				selftested;
};

/* The "nop" tracer, which records nothing; each instance starts with it. */
extern struct tracer trace_nop;

extern struct list_head trace_tracers;

struct tracer *tracer_find(const char *name);
bool tracer_fits(const struct trace_array *tr, const struct tracer *tracer);
void tracer_show_all(struct seq_file *m, struct trace_array *tr);

#endif /* _TRACE_INSTANCE_TRACER_TRACER_H */
