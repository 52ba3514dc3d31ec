// SPDX-License-Identifier: GPL-2.0
/*
 * Look-up of functions by their line in available_filter_functions. The lines of records can
 * only be determined by counting: one pass over the records serves all numbers.
 */
#include <linux/ctype.h>
#include <linux/kstrtox.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sort.h>

#include "filter/ip_list.h"
#include "filter/line_lookup.h"
#include "lib/array.h"
#include "patch/records.h"

/**
 * ftrace_line_parse - is this token a line number?
 * @token: the token
 * @line: set to the number, if it is one
 *
 * Context: any
 */
bool ftrace_line_parse(const char *token, unsigned int *line)
{
	return isdigit(*token) && !kstrtouint(token, 10, line);
}

/**
 * ftrace_lines_add - add a line to the lines that are looked up
 * @lines: the lines, zeroed before the first one is added
 * @line: number of the line
 *
 * Context: may sleep
 *
 * Return: 0 or -ENOMEM
 */
int ftrace_lines_add(struct ftrace_lines *lines, unsigned int line)
{
	unsigned int *array = ftrace_array_reserve(lines->line, lines->nr, &lines->max,
						   sizeof(*array), GFP_KERNEL);

	if (!array)
		return -ENOMEM;

	lines->line = array;
	lines->line[lines->nr++] = line;
	return 0;
}

/**
 * ftrace_lines_free - free lines
 * @lines: the lines; empty afterwards, and may be used again
 */
void ftrace_lines_free(struct ftrace_lines *lines)
{
	kvfree(lines->line);
	*lines = (struct ftrace_lines) { };
}

static int line_lookup_compare(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	return x < y ? -1 : x > y;
}

/* Find the lines, which are sorted. Return: 0, -EINVAL or -ENOMEM */
static int line_lookup_find(struct ftrace_lines *lines, struct ftrace_ip_list *sites)
{
	struct ftrace_rec_iter iter;
	unsigned int i = 0, at = 0;
	struct dyn_ftrace *rec;
	int err = 0;

	guard(mutex)(&ftrace_lock);

	for_each_ftrace_rec(rec, &iter) {
		if (i == lines->nr)
			break;
		if (!ftrace_rec_is_usable(rec))
			continue;
		at++;
		if (lines->line[i] == at)
			err = ftrace_ip_list_add(sites, ftrace_rec_ip(rec));
		if (err)
			return err;
		while (i < lines->nr && lines->line[i] == at)
			i++;
		/* Line 0, which is first */
		if (i < lines->nr && lines->line[i] < at)
			break;
	}
	if (i == lines->nr)
		return 0;

	lines->missing = lines->line[i];
	return -EINVAL;
}

/**
 * ftrace_lines_sites - find the call sites of the functions on lines
 * @lines: lines, in any order, each any number of times; are sorted
 *
 * Context: may sleep; takes ftrace_lock
 *
 * Return: a set, or an ERR_PTR(): -EINVAL if one of the lines does not exist, which is
 * @lines->missing then; -ENOMEM
 */
struct ftrace_hash *ftrace_lines_sites(struct ftrace_lines *lines)
{
	struct ftrace_ip_list sites = { };
	int err;

	sort(lines->line, lines->nr, sizeof(*lines->line), line_lookup_compare, NULL);
	err = line_lookup_find(lines, &sites);
	return ftrace_ip_list_to_hash(&sites, err);
}
