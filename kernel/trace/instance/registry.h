/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracers, and which one an instance has.
 */
#ifndef _TRACE_INSTANCE_REGISTRY_H
#define _TRACE_INSTANCE_REGISTRY_H

#include <linux/list.h>
#include <linux/trace_events.h>
#include <linux/types.h>

struct seq_file;
struct trace_array;

/**
 * struct tracer_option - an option that only one tracer has
 * @name: as in options/
 * @bit: the one bit of tracer.flags it stands for
 */
struct tracer_option {
	const char	*name;
	u32		bit;
};

/**
 * struct tracer - something that fills the buffer of an instance
 * @name: as in available_tracers
 * @init: begin to record into the instance. trace_lock held, may sleep. An
 *	  error means that nothing was begun.
 * @reset: end it. No entry is written once it has returned. trace_lock held,
 *	   may sleep.
 * @set_option: make @bit of @flags so. trace_lock held, may sleep. An error
 *		leaves it as it was.
 * @header: print what comes before the entries, NULL for the usual. Reader's
 *	    context, as for @line.
 * @line: print the entry at hand into iter->seq. TRACE_TYPE_UNHANDLED, or
 *	  NULL instead of a function, leaves it to the entry's type.
 * @selftest: prove to work. Nothing else is traced into the instance, whose
 *	      tracer this one is not yet. trace_lock held, may sleep.
 * @options: its own options, ended by one without a name; may be NULL
 * @flags: those that are set
 * @list: in the list of tracers
 * @proven: no need of @selftest any more
 */
struct tracer {
	const char			*name;
	int				(*init)(struct trace_array *tr);
	void				(*reset)(struct trace_array *tr);
	int				(*set_option)(struct trace_array *tr,
						      u32 bit, bool on);
	void				(*header)(struct seq_file *m,
						  struct trace_iterator *iter);
	enum print_line_t		(*line)(struct trace_iterator *iter);
	int				(*selftest)(struct trace_array *tr);
	const struct tracer_option	*options;
	u32				flags;

	struct list_head		list;
	bool				proven;
};

/* The tracer that records nothing; each instance starts with it. */
extern struct tracer trace_nop;

int register_tracer(struct tracer *tracer);
int tracer_set(struct trace_array *tr, const char *name);
int tracer_switch(struct trace_array *tr, struct tracer *tracer);
int tracer_watch_names(struct trace_array *tr, bool on);
const struct tracer_option *tracer_find_option(const char *name,
					       struct tracer **owner);
const char *tracer_option_name(unsigned int nr);
int tracer_set_option(struct trace_array *tr, struct tracer *tracer, u32 bit,
		      bool on);
void tracer_show_all(struct seq_file *m);

#endif /* _TRACE_INSTANCE_REGISTRY_H */
