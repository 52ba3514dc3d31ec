// SPDX-License-Identifier: GPL-2.0
/*
 * The list of tracers, the current tracer of an instance, and the options of
 * tracers, which each instance sets for itself.
 */
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/printk.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/setup.h>

#include "instance/buffer.h"
#include "instance/cmdlines.h"
#include "instance/instance.h"
#include "instance/options.h"
#include "instance/registry.h"
#include "instance/tgids.h"

/**
 * struct tracer_state - what an instance has for a tracer
 * @list: in trace_array.tracers
 * @tracer: the tracer
 * @flags: its options in the instance
 */
struct tracer_state {
	struct list_head	list;
	struct tracer		*tracer;
	u32			flags;
};

/* The latest first; trace_lock. */
static LIST_HEAD(tracers);

/* Self tests need interrupts, other tasks and RCU Tasks; trace_lock. */
static bool selftests_can_run;

static char boot_tracer[MAX_TRACER_SIZE] __initdata;
static char boot_options[COMMAND_LINE_SIZE] __initdata;

static int __init boot_tracer_setup(char *str)
{
	return strscpy(boot_tracer, str, sizeof(boot_tracer)) > 0;
}
__setup("ftrace=", boot_tracer_setup);

static int __init boot_options_setup(char *str)
{
	return strscpy(boot_options, str, sizeof(boot_options)) > 0;
}
__setup("trace_options=", boot_options_setup);

/* Options without an effect, which show what tools do if one is refused. */
enum {
	NOP_ACCEPT	= BIT(0),
	NOP_REFUSE	= BIT(1),
};

static const struct tracer_option nop_options[] = {
	{ "test_nop_accept", NOP_ACCEPT },
	{ "test_nop_refuse", NOP_REFUSE },
	{ }
};

static int nop_set_option(struct trace_array *tr, u32 bit, bool on)
{
	return bit == NOP_REFUSE ? -EINVAL : 0;
}

struct tracer trace_nop = {
	.name			= "nop",
	.set_option		= nop_set_option,
	.options		= nop_options,
	.allow_instances	= true,
};

static struct tracer *tracer_find(const char *name)
{
	struct tracer *tracer;

	lockdep_assert_held(&trace_lock);

	list_for_each_entry(tracer, &tracers, list) {
		if (!strcmp(tracer->name, name))
			return tracer;
	}

	return NULL;
}

static struct tracer_state *tracer_state(struct trace_array *tr,
					 const struct tracer *tracer)
{
	struct tracer_state *state;

	lockdep_assert_held(&trace_lock);

	list_for_each_entry(state, &tr->tracers, list) {
		if (state->tracer == tracer)
			return state;
	}

	return NULL;
}

static int tracer_state_add(struct trace_array *tr, struct tracer *tracer)
{
	struct tracer_state *state = kzalloc(sizeof(*state), GFP_KERNEL);

	if (!state)
		return -ENOMEM;

	state->tracer = tracer;
	state->flags = tracer->flags;
	list_add_tail(&state->list, &tr->tracers);

	return 0;
}

/**
 * tracers_create - give a new instance its options of tracers
 * @tr: the instance
 *
 * Its tracer is the one that records nothing. trace_lock held.
 *
 * Return: 0 or -ENOMEM with nothing made.
 */
int tracers_create(struct trace_array *tr)
{
	struct tracer *tracer;

	INIT_LIST_HEAD(&tr->tracers);
	tr->tracer = &trace_nop;

	list_for_each_entry(tracer, &tracers, list) {
		if (tracer_state_add(tr, tracer)) {
			tracers_destroy(tr);
			return -ENOMEM;
		}
	}

	return 0;
}

/**
 * tracers_destroy - undo tracers_create()
 * @tr: the instance, whose tracer is the one that records nothing
 */
void tracers_destroy(struct trace_array *tr)
{
	struct tracer_state *state, *next;

	list_for_each_entry_safe(state, next, &tr->tracers, list) {
		list_del(&state->list);
		kfree(state);
	}
}

/**
 * tracer_flags - the options of a tracer that are set in an instance
 * @tr: the instance
 * @tracer: the tracer
 *
 * trace_lock held.
 */
u32 tracer_flags(struct trace_array *tr, const struct tracer *tracer)
{
	struct tracer_state *state = tracer_state(tr, tracer);

	return state ? state->flags : 0;
}

/*
 * Record the names of tasks while a tracer is at work and the option asks for
 * it. Return: 0, or an error with nothing changed.
 */
static int update_cmdlines(struct trace_array *tr, const struct tracer *tracer,
			   bool option)
{
	bool record = option && tracer != &trace_nop;
	int ret = 0;

	lockdep_assert_held(&trace_lock);

	if (record == tr->cmdlines)
		return 0;

	if (record)
		ret = trace_cmdlines_record();
	else
		trace_cmdlines_unrecord();

	if (!ret)
		tr->cmdlines = record;

	return ret;
}

static int set_record_cmd(struct trace_array *tr, bool on)
{
	return update_cmdlines(tr, tr->tracer, on);
}

static int set_record_tgid(struct trace_array *tr, bool on)
{
	if (on)
		return trace_tgids_record();

	trace_tgids_unrecord();

	return 0;
}

/* @tr has the tracer that records nothing. */
static int tracer_start(struct trace_array *tr, struct tracer *tracer)
{
	int ret;

	ret = update_cmdlines(tr, tracer, tr->options & TRACE_OPT(RECORD_CMD));
	if (ret)
		return ret;

	tr->tracer = tracer;
	ret = tracer->init ? tracer->init(tr) : 0;
	if (!ret)
		return 0;

	tr->tracer = &trace_nop;
	update_cmdlines(tr, tr->tracer, false);
	return ret;
}

static void tracer_stop(struct trace_array *tr)
{
	if (tr->tracer->reset)
		tr->tracer->reset(tr);

	tr->tracer = &trace_nop;
	update_cmdlines(tr, tr->tracer, false);
}

/**
 * tracer_switch - give an instance another tracer
 * @tr: the instance
 * @tracer: the tracer
 *
 * The buffer is cleared. trace_lock held.
 *
 * Return: 0, or an error, with the old tracer still at work; -EINVAL if the
 * tracer cannot be used in this instance, -EBUSY while a trace_pipe is open.
 */
int tracer_switch(struct trace_array *tr, struct tracer *tracer)
{
	struct tracer *old = tr->tracer;
	int ret;

	lockdep_assert_held(&trace_lock);

	if (tracer == old)
		return 0;

	if (tr != &trace_top && !tracer->allow_instances)
		return -EINVAL;

	/* Readers of trace_pipe print with the tracer that they began with. */
	if (tr->pipes)
		return -EBUSY;

	ret = tracer == &trace_nop ? 0 : trace_array_use(tr);
	if (ret < 0)
		return ret;

	tracer_stop(tr);
	trace_array_clear_all(tr);

	ret = tracer_start(tr, tracer);
	if (ret && tracer_start(tr, old))
		pr_warn("tracing: %s could not start, nor %s start again\n",
			tracer->name, old->name);

	return ret;
}

/**
 * tracer_set - give an instance the tracer of that name (current_tracer)
 * @tr: the instance
 * @name: of the tracer
 *
 * Takes trace_lock.
 *
 * Return: 0; -EINVAL where there is no such tracer, or as tracer_switch().
 */
int tracer_set(struct trace_array *tr, const char *name)
{
	struct tracer *tracer;

	guard(mutex)(&trace_lock);

	tracer = tracer_find(name);
	if (!tracer)
		return -EINVAL;

	return tracer_switch(tr, tracer);
}

/**
 * tracer_show_all - list the tracers that an instance can use (available_tracers)
 * @m: where to
 * @tr: the instance
 */
void tracer_show_all(struct seq_file *m, struct trace_array *tr)
{
	const char *space = "";
	struct tracer *tracer;

	guard(mutex)(&trace_lock);

	list_for_each_entry(tracer, &tracers, list) {
		if (tr != &trace_top && !tracer->allow_instances)
			continue;
		seq_printf(m, "%s%s", space, tracer->name);
		space = " ";
	}
	seq_putc(m, '\n');
}

/**
 * tracer_find_option - find an option that one tracer has
 * @name: of the option
 * @owner: set to the tracer
 *
 * Return: the option, or NULL. trace_lock held.
 */
const struct tracer_option *tracer_find_option(const char *name,
					       struct tracer **owner)
{
	const struct tracer_option *option;
	struct tracer *tracer;

	lockdep_assert_held(&trace_lock);

	list_for_each_entry(tracer, &tracers, list) {
		for (option = tracer->options; option && option->name; option++) {
			if (!strcmp(option->name, name)) {
				*owner = tracer;
				return option;
			}
		}
	}

	return NULL;
}

/**
 * tracer_option_name - the name of an option that one tracer has
 * @nr: which, counted over all tracers from 0
 *
 * Return: the name, or NULL where there are no more.
 */
const char *tracer_option_name(unsigned int nr)
{
	const struct tracer_option *option;
	struct tracer *tracer;

	guard(mutex)(&trace_lock);

	list_for_each_entry(tracer, &tracers, list) {
		for (option = tracer->options; option && option->name; option++) {
			if (!nr--)
				return option->name;
		}
	}

	return NULL;
}

/* Return: 0, or the tracer's error with the option as it was. */
static int set_tracer_option(struct trace_array *tr, struct tracer *tracer,
			     u32 bit, bool on)
{
	struct tracer_state *state = tracer_state(tr, tracer);
	int ret = 0;

	if (!state || !!(state->flags & bit) == on)
		return 0;

	if (tracer->set_option)
		ret = tracer->set_option(tr, bit, on);
	if (!ret)
		state->flags ^= bit;

	return ret;
}

/**
 * trace_option_set_name - set or clear an option, of the instance or of a tracer
 * @tr: the instance
 * @name: of the option
 * @on: whether to set it
 *
 * trace_lock held.
 *
 * Return: 0, -EINVAL where there is no such option, or the option's error, with
 * the option as it was.
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

	return set_tracer_option(tr, tracer, own->bit, on);
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
	char *rest = boot_options;
	char *text;

	while ((text = strsep(&rest, ","))) {
		if (*text && trace_option_write(tr, text))
			pr_warn("tracing: trace_options=%s: no such option\n",
				text);
	}
}

/*
 * A tracer that fails is taken off the list, and boot goes on. There is no test
 * if ftrace= starts a tracer, which records already: the test would clear its
 * buffer. The buffer stays as small as it is before first use.
 */
static void __init tracer_selftest(struct tracer *tracer)
{
	int ret;

	if (!IS_ENABLED(CONFIG_FTRACE_STARTUP_TEST) || tracer->selftested)
		return;

	if (tracer->selftest && !*boot_tracer) {
		ret = tracer->selftest(&trace_top);
		trace_array_clear(&trace_top, RING_BUFFER_ALL_CPUS);
		if (WARN(ret, "tracer %s failed its self test: %d\n",
			 tracer->name, ret)) {
			list_del_init(&tracer->list);
			return;
		}
		pr_info("tracer %s passed its self test\n", tracer->name);
	}

	tracer->selftested = true;
}

static void __init tracer_start_at_boot(struct tracer *tracer)
{
	int ret;

	if (strcmp(tracer->name, boot_tracer))
		return;

	ret = security_locked_down(LOCKDOWN_TRACEFS) ?:
	      tracer_switch(&trace_top, tracer);
	if (ret)
		pr_warn("tracing: ftrace=%s: error %d\n", tracer->name, ret);
}

static int tracer_add(struct tracer *tracer)
{
	struct trace_array *tr;
	int ret;

	list_for_each_entry(tr, &trace_instances, list) {
		ret = tracer_state_add(tr, tracer);
		if (ret)
			goto undo;
	}
	list_add(&tracer->list, &tracers);

	return 0;

undo:
	list_for_each_entry_continue_reverse(tr, &trace_instances, list) {
		struct tracer_state *state = tracer_state(tr, tracer);

		list_del(&state->list);
		kfree(state);
	}
	return ret;
}

/**
 * register_tracer - offer a tracer
 * @tracer: the tracer, which cannot be taken back
 *
 * Called from an initcall. With CONFIG_FTRACE_STARTUP_TEST its self test runs
 * now, or as soon as boot has come far enough; with ftrace=<its name> on the
 * command line it starts.
 *
 * Return: 0; -EINVAL for a bad name, -EEXIST for one that is taken, -ENOMEM,
 * -ENODEV when there is no buffer to trace into.
 */
int __init register_tracer(struct tracer *tracer)
{
	size_t len = tracer->name ? strlen(tracer->name) : 0;
	int ret;

	if (!len || len >= MAX_TRACER_SIZE)
		return -EINVAL;

	if (!trace_top.main.buffer)
		return -ENODEV;

	guard(mutex)(&trace_lock);

	if (tracer_find(tracer->name))
		return -EEXIST;

	ret = tracer_add(tracer);
	if (ret)
		return ret;

	if (selftests_can_run)
		tracer_selftest(tracer);
	tracer_start_at_boot(tracer);

	return 0;
}

/**
 * tracers_init - what tracers need before the first instance
 */
void __init tracers_init(void)
{
	trace_option_handle(TRACE_OPTION_RECORD_CMD, set_record_cmd);
	trace_option_handle(TRACE_OPTION_RECORD_TGID, set_record_tgid);

	list_add(&trace_nop.list, &tracers);
}

static int __init tracers_selftest(void)
{
	struct tracer *tracer, *next;

	guard(mutex)(&trace_lock);

	selftests_can_run = true;
	list_for_each_entry_safe(tracer, next, &tracers, list)
		tracer_selftest(tracer);

	return 0;
}
core_initcall_sync(tracers_selftest);

/* All tracers have registered. */
static int __init boot_tracer_check(void)
{
	guard(mutex)(&trace_lock);

	if (*boot_tracer && !tracer_find(boot_tracer))
		pr_warn("tracing: ftrace=%s: no such tracer\n", boot_tracer);

	return 0;
}
late_initcall_sync(boot_tracer_check);
