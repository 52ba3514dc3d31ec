// SPDX-License-Identifier: GPL-2.0
/*
 * Textual form of histograms: triggers and elements. See histogram.rst for the formats.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "event/record/syscall.h"
#include "hist/core/hist_action.h"
#include "hist/core/hist_text.h"
#include "instance/core/instance.h"

/* Width of a bar in characters. */
#define BAR_WIDTH	20

/**
 * hist_text_trigger - print a trigger in a form that can be written back
 * @m: output file
 * @hist: its histogram
 * @paused: the trigger is paused
 */
void hist_text_trigger(struct seq_file *m, const struct hist *hist, bool paused)
{
	seq_printf(m, "hist:%s:size=%u", hist->begin, hist->size);
	if (hist->clock)
		seq_printf(m, ":clock=%s", hist->clock);
	if (hist->nohitcount)
		seq_puts(m, ":nohitcount");
	seq_puts(m, hist->actions_text);
	if (hist->filter)
		seq_printf(m, " if %s", hist->filter);
	seq_printf(m, " [%s]", paused ? "paused" : "active");
}

/*
 * Values
 */

/* Each caller is on its own line. */
static void text_stack(struct seq_file *m, const u64 *words)
{
	unsigned int i;

	for (i = 0; i < VALUE_STACK_MAX && words[i]; i++)
		seq_printf(m, "         %pS\n", (void *)(unsigned long)words[i]);
}

/* The column fits most names, and the trailing blanks are part of the format. */
static void text_symbol(struct seq_file *m, u64 address, bool offset)
{
	char name[KSYM_SYMBOL_LEN];

	if (offset)
		sprint_symbol(name, address);
	else
		sprint_symbol_no_offset(name, address);
	seq_printf(m, "[%llx] %-*s", address, offset ? 55 : 45, name);
}

static void text_syscall(struct seq_file *m, u64 nr)
{
	const char *name = trace_syscall_name(nr);

	seq_printf(m, "%-30s[%3llu]", name ?: "unknown_syscall", nr);
}

/* At least as wide as a mask of CPUs. */
static void text_mask(struct seq_file *m, const u64 *words, unsigned int nr)
{
	unsigned int min_nr = BITS_TO_U64(nr_cpumask_bits);

	while (nr > min_nr && !words[nr - 1])
		nr--;
	seq_printf(m, "%*pb", (int)(nr * BITS_PER_TYPE(u64)), words);
}

static void text_number(struct seq_file *m, const struct hist_value *value, u64 number)
{
	switch (value->style) {
	case HIST_HEX:
		seq_printf(m, "%llx", number);
		break;
	case HIST_SYM:
	case HIST_SYM_OFFSET:
		text_symbol(m, number, value->style == HIST_SYM_OFFSET);
		break;
	case HIST_SYSCALL:
		text_syscall(m, number);
		break;
	case HIST_LOG2:
		seq_printf(m, "~ 2^%-2llu", number);
		break;
	case HIST_BUCKETS:
		seq_printf(m, "~ %llu-%llu", number, number + value->bucket - 1);
		break;
	default:
		if (value->is_signed && (s64)number < 0)
			seq_printf(m, "%10lld", (s64)number);
		else
			seq_put_decimal_ull_width(m, "", number, 10);
	}
}

/**
 * hist_text_value - print a stored value
 * @m: output file
 * @value: description of the value
 * @words: location of the value
 */
void hist_text_value(struct seq_file *m, const struct hist_value *value, const u64 *words)
{
	const char *text = (const char *)words;

	switch (value->kind) {
	case VALUE_TEXT:
		seq_printf(m, "%-35.*s", (int)strnlen(text, value->words * sizeof(u64)), text);
		break;
	case VALUE_STACK:
		seq_putc(m, '\n');
		text_stack(m, words);
		break;
	case VALUE_MASK:
		text_mask(m, words, value->words);
		break;
	default:
		text_number(m, value, *words);
	}
}

static void text_execname(struct seq_file *m, const struct hist *hist, const u64 *elt, u64 pid)
{
	const char *comm = (const char *)&elt[hist->key_words + hist->comms];

	seq_printf(m, "%-16.*s[%10llu]", (int)strnlen(comm, TASK_COMM_LEN), comm, pid);
}

static void text_key(struct seq_file *m, const struct hist *hist, const struct hist_value *key,
		     const u64 *elt)
{
	const u64 *words = elt + key->at;

	seq_puts(m, key->label);
	if (key->kind == VALUE_STACK) {
		/* The stack of the event itself begins on the next line, other stacks do not. */
		seq_puts(m, key->step->op == HIST_OP_STACK ? ":\n" : "");
		text_stack(m, words);
		return;
	}

	seq_puts(m, ": ");
	if (key->style == HIST_EXECNAME)
		text_execname(m, hist, elt, *words);
	else
		hist_text_value(m, key, words);
}

/**
 * hist_text_key - print the key of an element, in braces
 * @m: output file
 * @hist: the histogram
 * @elt: the element
 */
void hist_text_key(struct seq_file *m, const struct hist *hist, const u64 *elt)
{
	unsigned int i;

	seq_puts(m, "{ ");
	for (i = 0; i < hist->nr_keys; i++) {
		if (i)
			seq_puts(m, ", ");
		text_key(m, hist, &hist->key[i], elt);
	}
	seq_puts(m, hist->nr_keys && hist->key[i - 1].kind == VALUE_STACK ? "}" : " }");
}

static void text_percent(struct seq_file *m, u64 value, u64 sum)
{
	u64 parts;
	u32 rest;

	/* A sum of negative values wraps around, and so may the total: it has no percentage. */
	if (value > sum) {
		seq_puts(m, "[ERROR]");
		return;
	}

	parts = sum ? mul_u64_u64_div_u64(value, 10000, sum) : 0;
	parts = div_u64_rem(parts, 100, &rest);
	seq_printf(m, "%3llu.%02u", parts, rest);
}

static void text_bar(struct seq_file *m, u64 value, u64 max)
{
	unsigned int len = max ? mul_u64_u64_div_u64(value, BAR_WIDTH, max) : 0;
	static const char bar[] = "####################";

	seq_printf(m, "%-*.*s", BAR_WIDTH, (int)len, bar);
}

static void text_sum(struct seq_file *m, const struct hist_value *val, unsigned int nr,
		     u64 number, const struct hist_totals *totals)
{
	seq_puts(m, val->label);
	seq_puts(m, val->style == HIST_PERCENT ? " (%): " : ": ");
	if (val->style == HIST_PERCENT)
		text_percent(m, number, totals->sum[nr]);
	else if (val->style == HIST_GRAPH)
		text_bar(m, number, totals->max[nr]);
	else if (val->style == HIST_HEX)
		seq_printf(m, "%10llx", number);
	else
		seq_put_decimal_ull_width(m, "", number, 10);
}

/**
 * hist_text_elt - print an element
 * @m: output file
 * @hist: the histogram
 * @elt: the element
 * @totals: totals of all elements
 */
void hist_text_elt(struct seq_file *m, const struct hist *hist, const u64 *elt,
		   const struct hist_totals *totals)
{
	const u64 *values = elt + hist->key_words;
	unsigned int i;

	hist_text_key(m, hist, elt);
	for (i = hist->nohitcount; i < hist->nr_vals; i++) {
		seq_puts(m, i > hist->nohitcount ? "  " : " ");
		text_sum(m, &hist->val[i], i, values[hist->val[i].at], totals);
	}
	hist_actions_show_elt(m, hist, values);
	seq_putc(m, '\n');
}
