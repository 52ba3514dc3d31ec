// SPDX-License-Identifier: GPL-2.0
/*
 * Reading histograms: a copy of their counts at one time, sorted, and shown line by line.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "event/core/event_list.h"
#include "event/record/event_file.h"
#include "event/record/trigger.h"
#include "hist/core/hist_action.h"
#include "hist/core/hist_make.h"
#include "hist/file/hist_raw.h"
#include "hist/file/hist_read.h"
#include "hist/file/hist_sort.h"
#include "hist/core/hist_text.h"
#include "hist/core/hist_trigger.h"

/**
 * struct read_hist - copy of a histogram
 * @hist: the histogram, with a reference
 * @paused: its trigger is paused
 * @nr: number of elements
 * @max: length of each of the two arrays at @rows, one of which is for sorting
 * @rows: the elements
 * @sorted: the sorted elements, one of these arrays
 * @elts: memory of the elements
 * @hits: number of hits
 * @drops: number of these hits that were dropped for lack of space
 * @totals: totals of all elements
 */
struct read_hist {
	struct hist		*hist;
	bool			paused;
	unsigned int		nr;
	unsigned int		max;
	struct hist_row		*rows;
	struct hist_row		*sorted;
	u64			*elts;
	u64			hits;
	u64			drops;
	struct hist_totals	totals;
};

/**
 * struct hist_reading - copies of the histograms of an event
 * @nr: number of copies
 * @copy: the copies, latest trigger first
 */
struct hist_reading {
	unsigned int		nr;
	struct read_hist	copy[] __counted_by(nr);
};

/*
 * Copies
 */

static void read_add_totals(struct read_hist *copy, const u64 *values)
{
	const struct hist *hist = copy->hist;
	unsigned int i;

	for (i = 0; i < hist->nr_vals; i++) {
		u64 value = values[hist->val[i].at];

		copy->totals.sum[i] += value;
		copy->totals.max[i] = max(copy->totals.max[i], value);
	}
	copy->hits += values[0];
}

static void read_elts(struct read_hist *copy, struct hist_map *map, unsigned int max)
{
	unsigned int slot, i, words = map->elt_words;

	for (slot = 0; slot < hist_map_slots(map) && copy->nr < max; slot++) {
		const u64 *elt = hist_map_at(map, slot);
		u64 *to = copy->elts + (size_t)copy->nr * words;

		if (!elt)
			continue;
		for (i = 0; i < words; i++)
			to[i] = READ_ONCE(elt[i]);
		/* The element was just inserted; its first hit is not counted yet. */
		if (!to[map->key_words])
			continue;
		copy->rows[copy->nr++].elt = to;
		read_add_totals(copy, to + map->key_words);
	}
}

static int read_one(struct read_hist *copy, struct hist *hist, bool paused)
{
	struct hist_map *map = rcu_dereference_protected(hist->table->map,
							 lockdep_is_held(&trace_event_lock));
	/* Elements added concurrently are not part of the copy. */
	unsigned int used = atomic_read(&map->used);

	hist_get(hist);
	copy->hist = hist;
	copy->paused = paused;
	copy->drops = hist_map_drops(map);
	copy->max = used + 1;
	copy->rows = kvmalloc_array(copy->max, 2 * sizeof(*copy->rows), GFP_KERNEL);
	copy->elts = kvmalloc_array(used + 1, map->elt_words * sizeof(u64), GFP_KERNEL);
	if (!copy->rows || !copy->elts)
		return -ENOMEM;

	read_elts(copy, map, used);
	copy->hits += copy->drops;

	return 0;
}

/**
 * hist_read - copy the histograms of an event in an instance
 * @tr: the instance
 * @call: the event
 *
 * trace_event_lock held. May sleep. The caller continues with hist_reading_sort().
 *
 * Return: the copies, to be freed by hist_reading_free(); or -ENOMEM
 */
struct hist_reading *hist_read(struct trace_array *tr, struct trace_event_call *call)
{
	struct trace_event_file *file = trace_event_file_find(tr, call);
	struct hist_reading *reading;
	struct trace_trigger *trigger;
	unsigned int nr = 0;
	int err = 0;

	if (file) {
		list_for_each_entry(trigger, &file->triggers, list)
			nr += !!hist_of_trigger(trigger);
	}
	reading = kvzalloc(struct_size(reading, copy, nr), GFP_KERNEL);
	if (!reading)
		return ERR_PTR(-ENOMEM);

	reading->nr = nr;
	if (!nr)
		return reading;
	list_for_each_entry(trigger, &file->triggers, list) {
		struct hist *hist = hist_of_trigger(trigger);

		if (hist && !err)
			err = read_one(&reading->copy[--nr], hist, READ_ONCE(trigger->paused));
	}
	if (err) {
		hist_reading_free(reading);
		return ERR_PTR(err);
	}

	return reading;
}

/**
 * hist_reading_free - free copies of histograms
 * @reading: copies from hist_read()
 */
void hist_reading_free(struct hist_reading *reading)
{
	unsigned int i;

	for (i = 0; i < reading->nr; i++) {
		struct read_hist *copy = &reading->copy[i];

		kvfree(copy->rows);
		kvfree(copy->elts);
		if (copy->hist)
			hist_put(copy->hist);
	}
	kvfree(reading);
}

/**
 * hist_reading_sort - sort copies of histograms
 * @reading: copies from hist_read()
 */
void hist_reading_sort(struct hist_reading *reading)
{
	unsigned int i;

	for (i = 0; i < reading->nr; i++) {
		struct read_hist *copy = &reading->copy[i];

		copy->sorted = hist_sort(copy->hist, copy->rows, copy->rows + copy->max, copy->nr);
	}
}

/*
 * Lines: each histogram has one line for the header, one for each element, and one for the
 * footer.
 */

static struct read_hist *read_find_line(struct hist_reading *reading, loff_t *line)
{
	unsigned int i;

	for (i = 0; i < reading->nr; i++) {
		if (*line < reading->copy[i].nr + 2)
			return &reading->copy[i];
		*line -= reading->copy[i].nr + 2;
	}

	return NULL;
}

/**
 * hist_reading_has - check whether a line exists
 * @reading: copies from hist_read()
 * @line: its number
 */
bool hist_reading_has(struct hist_reading *reading, loff_t line)
{
	return read_find_line(reading, &line);
}

static void read_show_begin(struct seq_file *m, struct read_hist *copy, bool first)
{
	seq_printf(m, "%s# event histogram\n#\n# trigger info: ", first ? "" : "\n\n");
	hist_text_trigger(m, copy->hist, copy->paused);
	seq_puts(m, "\n#\n\n");
}

static void read_show_end(struct seq_file *m, struct read_hist *copy)
{
	hist_actions_show_end(m, copy->hist);
	seq_printf(m, "\nTotals:\n    Hits: %llu\n    Entries: %u\n    Dropped: %llu\n",
		   copy->hits, copy->nr, copy->drops);
}

/**
 * hist_reading_show - show a line
 * @m: output file
 * @reading: copies from hist_read()
 * @line: its number; hist_reading_has() returns true for it
 */
void hist_reading_show(struct seq_file *m, struct hist_reading *reading, loff_t line)
{
	struct read_hist *copy = read_find_line(reading, &line);

	if (!line)
		read_show_begin(m, copy, copy == reading->copy);
	else if (line <= copy->nr)
		hist_text_elt(m, copy->hist, copy->sorted[line - 1].elt, &copy->totals);
	else
		read_show_end(m, copy);
}

/**
 * hist_reading_show_raw - show a line for programs
 * @m: output file
 * @reading: copies from hist_read()
 * @line: its number; hist_reading_has() returns true for it
 */
void hist_reading_show_raw(struct seq_file *m, struct hist_reading *reading, loff_t line)
{
	struct read_hist *copy = read_find_line(reading, &line);

	if (!line)
		hist_raw_begin(m, copy->hist, copy->paused);
	else if (line <= copy->nr)
		hist_raw_elt(m, copy->hist, copy->sorted[line - 1].elt);
	else
		seq_printf(m, "# hits: %llu entries: %u dropped: %llu\n", copy->hits, copy->nr,
			   copy->drops);
}
