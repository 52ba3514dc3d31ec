// SPDX-License-Identifier: GPL-2.0
/*
 * Files of the tracers osnoise and timerlat, in the directory osnoise.
 */
#include <linux/bitops.h>
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracefs.h>

#include "instance/core/instance.h"
#include "tracefs/files.h"
#include "tracer/osnoise/noise_files.h"
#include "tracer/osnoise/osnoise_workload.h"

/* tracefs_node.data points to the number of a file. */
static const enum osnoise_number number_of[OSNOISE_NUMBERS] = {
	OSNOISE_RUNTIME, OSNOISE_PERIOD, OSNOISE_STOP, OSNOISE_STOP_TOTAL,
	OSNOISE_TIMERLAT_PERIOD, OSNOISE_PRINT_STACK,
};

static const char * const number_names[OSNOISE_NUMBERS] = {
	[OSNOISE_RUNTIME]		= "runtime_us",
	[OSNOISE_PERIOD]		= "period_us",
	[OSNOISE_STOP]			= "stop_tracing_us",
	[OSNOISE_STOP_TOTAL]		= "stop_tracing_total_us",
#ifdef CONFIG_TIMERLAT_TRACER
	[OSNOISE_TIMERLAT_PERIOD]	= "timerlat_period_us",
	[OSNOISE_PRINT_STACK]		= "print_stack",
#endif
};

static enum osnoise_number osnoise_files_number_at(const struct tracefs_node *node)
{
	return *(const enum osnoise_number *)node->data;
}

static void osnoise_files_number_show(struct seq_file *m, const struct tracefs_node *node)
{
	seq_printf(m, "%lu\n", trace_osnoise_number(osnoise_files_number_at(node)));
}

static int osnoise_files_number_set(const struct tracefs_node *node, unsigned long value)
{
	guard(mutex)(&trace_lock);

	return trace_osnoise_set_number(osnoise_files_number_at(node), value);
}

static const struct tracefs_entry number_file = {
	.mode		= TRACEFS_BOTH,
	.show		= osnoise_files_number_show,
	.set_number	= osnoise_files_number_set,
};

static void osnoise_files_cpus_show(struct seq_file *m, const struct tracefs_node *node)
{
	cpumask_var_t cpus;

	if (!alloc_cpumask_var(&cpus, GFP_KERNEL))
		return;

	trace_osnoise_cpus(cpus);
	seq_printf(m, "%*pbl\n", cpumask_pr_args(cpus));
	free_cpumask_var(cpus);
}

static int osnoise_files_cpus_set(const struct tracefs_node *node, char *token)
{
	cpumask_var_t cpus;
	int ret;

	if (!zalloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;

	ret = cpulist_parse(token, cpus) ?: trace_osnoise_set_cpus(cpus);
	free_cpumask_var(cpus);

	return ret;
}

/* Show the options as tokens that can be written, each followed by a space. */
static void osnoise_files_options_show(struct seq_file *m, const struct tracefs_node *node)
{
	enum osnoise_option option;

	seq_printf(m, "%sDEFAULTS ", trace_osnoise_options_are_default() ? "" : "NO_");
	for (option = 0; option < OSNOISE_OPTIONS; option++)
		seq_printf(m, "%s%s ", trace_osnoise_option(option) ? "" : "NO_",
			   trace_osnoise_options[option]);
	seq_putc(m, '\n');
}

/* Requested changes of options; the last token for an option takes precedence. */
struct osnoise_files_options_change {
	bool		defaults;
	unsigned long	on;
	unsigned long	off;
};

/* Return: false if there is no such option */
static bool osnoise_files_parse_option(struct osnoise_files_options_change *change,
				       const char *token)
{
	size_t no = str_has_prefix(token, "NO_");
	int option;

	if (!strcmp(token, "DEFAULTS")) {
		*change = (struct osnoise_files_options_change) { .defaults = true };
		return true;
	}

	option = match_string(trace_osnoise_options, OSNOISE_OPTIONS, token + no);
	if (option < 0)
		return false;

	__assign_bit(option, &change->on, !no);
	__assign_bit(option, &change->off, no);

	return true;
}

/* "NO_DEFAULTS" is shown before other tokens, and has no effect. */
static int osnoise_files_options_set(const struct tracefs_node *node, char *text)
{
	char *copy __free(kfree) = kstrdup(text, GFP_KERNEL), *rest = copy, *token;
	struct osnoise_files_options_change change = { };
	bool any = false;

	if (!copy)
		return -ENOMEM;

	while ((token = strsep(&rest, " "))) {
		any |= *token;
		if (!*token || !strcmp(token, "NO_DEFAULTS"))
			continue;
		if (!osnoise_files_parse_option(&change, token))
			return -EINVAL;
	}

	return any ? trace_osnoise_set_options(change.defaults, change.on, change.off) : -EINVAL;
}

static const struct tracefs_entry osnoise_files[] = {
	{ "cpus", TRACEFS_BOTH, .show = osnoise_files_cpus_show,
	  .set_token = osnoise_files_cpus_set, .refused = "Not a list of CPUs" },
	{ "options", TRACEFS_BOTH, .show = osnoise_files_options_show,
	  .set_token = osnoise_files_options_set,
	  .refused = "No such option" },
	{ }
};

/**
 * tracefs_add_osnoise - create the directory osnoise
 */
void tracefs_add_osnoise(void)
{
	struct dentry *dir = tracefs_create_dir("osnoise", NULL);
	unsigned int i;

	if (!dir)
		return;

	tracefs_add_files(dir, osnoise_files, &trace_top, RING_BUFFER_ALL_CPUS, NULL);
	for (i = 0; i < OSNOISE_NUMBERS; i++) {
		if (number_names[i])
			tracefs_add_file(dir, number_names[i], &number_file, &trace_top,
					 &number_of[i]);
	}
	tracefs_add_timerlat(dir);
}
