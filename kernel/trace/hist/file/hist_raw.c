// SPDX-License-Identifier: GPL-2.0
/*
 * Histograms as text for programs: a line for each element, with columns separated by tabs. See
 * "Histograms" in Documentation/trace/ftrace-design.rst.
 */
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/string_helpers.h>

#include "hist/core/hist_action.h"
#include "hist/file/hist_raw.h"
#include "hist/core/hist_text.h"

/*
 * A blank, a backslash or a character that is not printable is written as in C, in base 8. So is
 * "#", which begins comments.
 */
static void raw_text(struct seq_file *m, const char *text, size_t max)
{
	size_t len = strnlen(text, max);

	if (len)
		seq_escape_mem(m, text, len, ESCAPE_OCTAL | ESCAPE_NP | ESCAPE_APPEND, " \\#");
	else
		seq_puts(m, "\\000");
}

static void raw_stack(struct seq_file *m, const u64 *words)
{
	unsigned int i;

	for (i = 0; i < VALUE_STACK_MAX && words[i]; i++)
		seq_put_hex_ll(m, i ? ",0x" : "0x", words[i], 0);
	if (!i)
		seq_putc(m, '0');
}

static void raw_number(struct seq_file *m, const struct hist_value *value, u64 number)
{
	if (value->style == HIST_HEX || value->style == HIST_SYM ||
	    value->style == HIST_SYM_OFFSET)
		seq_put_hex_ll(m, "0x", number, 0);
	else if (value->is_signed)
		seq_put_decimal_ll(m, "", number);
	else
		seq_put_decimal_ull(m, "", number);
}

static void raw_value(struct seq_file *m, const struct hist_value *value, const u64 *words)
{
	switch (value->kind) {
	case VALUE_TEXT:
		raw_text(m, (const char *)words, value->words * sizeof(*words));
		break;
	case VALUE_STACK:
		raw_stack(m, words);
		break;
	case VALUE_MASK:
		hist_text_value(m, value, words);
		break;
	default:
		raw_number(m, value, *words);
	}
}

/**
 * hist_raw_begin - print a trigger and the names of the columns, as comments
 * @m: output file
 * @hist: its histogram
 * @paused: the trigger is paused
 */
void hist_raw_begin(struct seq_file *m, const struct hist *hist, bool paused)
{
	unsigned int i, p;

	seq_puts(m, "# trigger: ");
	hist_text_trigger(m, hist, paused);
	seq_puts(m, "\n# columns:");
	for (i = 0; i < hist->nr_keys; i++) {
		seq_printf(m, "\t%s", hist->key[i].text);
		if (hist->key[i].style == HIST_EXECNAME)
			seq_puts(m, "\tcomm");
	}
	for (i = hist->nohitcount; i < hist->nr_vals; i++)
		seq_printf(m, "\t%s", hist->val[i].text);
	for (i = 0; i < hist->nr_actions; i++) {
		const struct hist_action *action = hist->action[i];

		if (action->act != HIST_SAVE)
			continue;
		seq_printf(m, "\t%s", action->tracked_text);
		for (p = 0; p < action->nr; p++)
			seq_printf(m, "\t%s", action->param[p].text);
	}
	seq_putc(m, '\n');
}

/**
 * hist_raw_elt - print an element
 * @m: output file
 * @hist: the histogram
 * @elt: the element
 */
void hist_raw_elt(struct seq_file *m, const struct hist *hist, const u64 *elt)
{
	const u64 *values = elt + hist->key_words;
	unsigned int i, p;

	for (i = 0; i < hist->nr_keys; i++) {
		if (i)
			seq_putc(m, '\t');
		raw_value(m, &hist->key[i], elt + hist->key[i].at);
		if (hist->key[i].style != HIST_EXECNAME)
			continue;
		seq_putc(m, '\t');
		raw_text(m, (const char *)&values[hist->comms], TASK_COMM_LEN);
	}
	/* Sums are unsigned, as they are in the order of elements. */
	for (i = hist->nohitcount; i < hist->nr_vals; i++) {
		seq_putc(m, '\t');
		if (hist->val[i].style == HIST_HEX)
			seq_put_hex_ll(m, "0x", values[hist->val[i].at], 0);
		else
			seq_put_decimal_ull(m, "", values[hist->val[i].at]);
	}
	for (i = 0; i < hist->nr_actions; i++) {
		const struct hist_action *action = hist->action[i];

		if (action->act != HIST_SAVE)
			continue;
		seq_putc(m, '\t');
		raw_number(m, &action->tracked, values[action->tracked.at]);
		for (p = 0; p < action->nr; p++) {
			seq_putc(m, '\t');
			raw_value(m, &action->param[p], &values[action->param[p].at]);
		}
	}
	seq_putc(m, '\n');
}
