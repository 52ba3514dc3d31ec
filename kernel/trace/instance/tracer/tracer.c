// SPDX-License-Identifier: GPL-2.0
/*
 * The list of tracers, and the "nop" tracer.
 */
#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "instance/core/instance.h"
#include "instance/tracer/tracer.h"

/* Latest registered first; trace_lock. */
LIST_HEAD(trace_tracers);

/* Options without an effect, for tests of tools: setting the second one fails. */
enum {
	NOP_ACCEPT	= BIT(0),
	NOP_REFUSE	= BIT(1),
};

static const struct tracer_option nop_options[] = {
	{ "test_nop_accept", NOP_ACCEPT },
	{ "test_nop_refuse", NOP_REFUSE },
	{ }
};

static int tracer_nop_set_option(struct trace_array *tr, u32 bit, bool on)
{
	return bit == NOP_REFUSE ? -EINVAL : 0;
}

/* No self test: it records nothing, and no instance can be without it. */
struct tracer trace_nop = {
	.name			= "nop",
	.set_option		= tracer_nop_set_option,
	.options		= nop_options,
	.allow_instances	= true,
};

/**
 * tracer_find - find a tracer by its name
 * @name: full name as in available_tracers
 *
 * Return: the tracer, or NULL. trace_lock held.
 */
struct tracer *tracer_find(const char *name)
{
	struct tracer *tracer;

	lockdep_assert_held(&trace_lock);

	list_for_each_entry(tracer, &trace_tracers, list) {
		if (!strcmp(tracer->name, name))
			return tracer;
	}

	return NULL;
}

/**
 * tracer_fits - check whether an instance can use a tracer
 * @tr: the instance
 * @tracer: the tracer
 *
 * A buffer that outlives the kernel cannot be exchanged, as a latency tracer requires.
 */
bool tracer_fits(const struct trace_array *tr, const struct tracer *tracer)
{
	return (tr == &trace_top || tracer->allow_instances) &&
	       !(tr->memory && tracer->keeps_max);
}

/**
 * tracer_show_all - list the tracers that an instance can use (available_tracers)
 * @m: output file
 * @tr: the instance
 */
void tracer_show_all(struct seq_file *m, struct trace_array *tr)
{
	const char *space = "";
	struct tracer *tracer;

	guard(mutex)(&trace_lock);

	list_for_each_entry(tracer, &trace_tracers, list) {
		if (!tracer_fits(tr, tracer))
			continue;
		seq_printf(m, "%s%s", space, tracer->name);
		space = " ";
	}
	seq_putc(m, '\n');
}
