/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tracer, and the list of all of them.
 */
#ifndef _TRACE_INSTANCE_TRACER_TRACER_H
#define _TRACE_INSTANCE_TRACER_TRACER_H

#include <linux/list.h>
#include <linux/trace_events.h>
#include <linux/types.h>

struct seq_file;
struct trace_array;

/**
 * struct tracer_option - an option that only one tracer has
 * @name: its file in options/
 * @bit: the bit of the tracer's flags that it stands for
 */
struct tracer_option {
	const char	*name;
	u32		bit;
};

/**
 * struct tracer - something that records entries into the buffer of an instance
 * @name: as in current_tracer
 * @init: start to record into the instance. trace_lock held, may sleep. An
 *	  error means that nothing was started.
 * @reset: stop that. Calls that are under way on other CPUs, or in tasks that
 *	   were preempted, may still record an entry after it has returned:
 *	   nobody waits for them. What they use must therefore stay until the
 *	   instance is destroyed. trace_lock held, may sleep.
 * @set_option: make option @bit of the instance be @on. Called whether or not
 *		this is the current tracer; tracer_flags() changes after it.
 *		trace_lock held, may sleep. An error leaves the option as it was. A tracer
 *		that had to stop for that and cannot start again calls tracing_tracer_failed().
 * @open: a reader begins to print with this tracer; may set iter->private, which
 *	  stays NULL for ftrace_dump(). trace_lock held, may sleep. After an error,
 *	  -ENOMEM, the reader does not print with it, and @close is not called.
 * @close: the reader ends, or goes on with another tracer. Same context.
 * @header: print what comes before the entries, NULL for the usual header.
 *	    Context of the reader, as for @line.
 * @line: print the entry at hand into iter->seq. NULL, or a return of
 *	  TRACE_TYPE_UNHANDLED, leaves it to the entry's type. After TRACE_TYPE_NO_CONSUME
 *	  a reader that consumes asks for the same entry again.
 * @selftest: check that the tracer, which is handed over, works. Nothing else records into the
 *	      instance, whose tracer it is not yet. trace_lock held, may sleep.
 * @options: its own options, ended by one without a name; may be NULL
 * @flags: the options that are set in a new instance
 * @keeps_max: it is a latency tracer, which hands latencies to
 *	       trace_latency_record_cpu() or _all(). The spare buffer is its own while
 *	       it is the current tracer, and the file trace shows that.
 * @allow_instances: it can be used in instances below the top one, too
 * @noboot: it cannot start before boot is complete
 * @shows_lost: @line tells of entries that were lost before the one at hand
 * @list: in the list of tracers; trace_lock
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
	bool				shows_lost;

	struct list_head		list;
	bool				selftested;
};

/* The tracer that records nothing; each instance starts with it. */
extern struct tracer trace_nop;

extern struct list_head trace_tracers;

struct tracer *tracer_find(const char *name);
bool tracer_fits(const struct trace_array *tr, const struct tracer *tracer);
void tracer_show_all(struct seq_file *m, struct trace_array *tr);

#endif /* _TRACE_INSTANCE_TRACER_TRACER_H */
