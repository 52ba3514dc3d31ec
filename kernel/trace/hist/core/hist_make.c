// SPDX-License-Identifier: GPL-2.0
/*
 * Creation of histograms from a parsed trigger, and their removal.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/rculist.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "event/core/event_list.h"
#include "hist/core/hist_action.h"
#include "hist/core/hist_expr.h"
#include "hist/core/hist_make.h"
#include "hist/core/hist_var.h"
#include "instance/core/instance.h"
#include "instance/snapshot/buffer_change.h"

LIST_HEAD(hist_all);

/*
 * Keys and values
 */

static int hist_add_keys(struct hist_build *build)
{
	struct hist *hist = build->hist;
	char *rest = build->params->keys, *token;
	int err;

	hist->number_keys = true;
	while ((token = hist_list_next(&rest))) {
		struct hist_value *key = &hist->key[hist->nr_keys];

		if (hist->nr_keys == HIST_KEYS_MAX)
			return hist_refuse(build->params, token, "Too many keys");
		hist->nr_keys++;
		err = hist_value_parse(build, key, token, HIST_FOR_KEY);
		if (err)
			return err;
		key->at = hist->key_words;
		hist->key_words += key->words;
		hist->number_keys &= key->kind == VALUE_NUMBER;
		if (hist->key_words > HIST_KEY_WORDS_MAX)
			return hist_refuse(build->params, token, "Keys are too long");
		if (key->style == HIST_EXECNAME)
			hist->comms = 1;
	}

	return 0;
}

static int hist_hitcount(struct hist_value *value, const char *style)
{
	static struct {
		const char	*modifier;
		enum hist_style	style;
	} styles[] = {
		{ "", HIST_PLAIN }, { ".hex", HIST_HEX }, { ".percent", HIST_PERCENT },
		{ ".graph", HIST_GRAPH },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(styles); i++) {
		if (!strcmp(styles[i].modifier, style))
			break;
	}
	if (i == ARRAY_SIZE(styles))
		return -EINVAL;

	value->style = styles[i].style;
	value->kind = VALUE_NUMBER;
	value->words = 1;
	value->text = kasprintf(GFP_KERNEL, "hitcount%s", style);
	value->label = kstrdup("hitcount", GFP_KERNEL);

	return value->text && value->label ? 0 : -ENOMEM;
}

/* The count of hits always exists. With a modifier, it is an additional value. */
static int hist_add_hitcount(struct hist_build *build, char *token)
{
	struct hist *hist = build->hist;
	int err;

	if (!token[8])
		return 0;

	err = hist_hitcount(&hist->val[hist->nr_vals++], token + 8);

	return err == -EINVAL ? hist_refuse(build->params, token + 8, "Invalid field modifier") :
				err;
}

static int hist_add_vals(struct hist_build *build)
{
	struct hist *hist = build->hist;
	char *rest = build->params->vals, *token;
	int err = hist_hitcount(&hist->val[hist->nr_vals++], "");

	while (!err && (token = hist_list_next(&rest))) {
		struct hist_value *val = &hist->val[hist->nr_vals];

		if (hist->nr_vals == HIST_VALS_MAX)
			return hist_refuse(build->params, token, "Too many values");
		if (!strncmp(token, "hitcount", 8) && (!token[8] || token[8] == '.')) {
			err = hist_add_hitcount(build, token);
			continue;
		}
		val->at = hist->value_words++;
		hist->nr_vals++;
		err = hist_value_parse(build, val, token, HIST_FOR_SUM);
	}
	if (!err && hist->nohitcount && hist->nr_vals == 1)
		err = hist_refuse(build->params, build->params->vals ?: build->params->keys,
				  "nohitcount needs another value");

	return err;
}

static int hist_add_vars(struct hist_build *build)
{
	struct hist_params *params = build->params;
	struct hist *hist = build->hist;
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < params->nr_vars; i++) {
		struct hist_var *var = &hist->var[i];

		if (hist_var_own(params, params->vars[i].name) != i)
			return hist_refuse(params, params->vars[i].name,
					   "Variable already defined");
		hist->nr_vars++;
		var->name = kstrdup(params->vars[i].name, GFP_KERNEL);
		if (!var->name)
			return -ENOMEM;
		err = hist_value_parse(build, &var->value, params->vars[i].expr, HIST_FOR_VAR);
	}

	return err;
}

/*
 * The other parameters
 */

static bool hist_take_end(char *token, const char *end)
{
	size_t len = strlen(token), end_len = strlen(end);

	if (len < end_len || strcmp(token + len - end_len, end))
		return false;
	token[len - end_len] = '\0';

	return true;
}

static int hist_add_sort(struct hist_build *build, char *token)
{
	struct hist *hist = build->hist;
	struct hist_sort *sort = &hist->sort[hist->nr_sort];
	unsigned int nr;

	if (hist->nr_sort == HIST_SORT_MAX)
		return hist_refuse(build->params, token, "Too many sort fields (max = 2)");

	sort->descending = hist_take_end(token, ".descending");
	if (!sort->descending)
		hist_take_end(token, ".ascending");
	for (nr = 0; nr < hist->nr_vals + hist->nr_keys; nr++) {
		const struct hist_value *value = hist_value_nr(hist, nr);

		if (!strcmp(value->text, token) || !strcmp(value->label, token))
			break;
	}
	if (nr == hist->nr_vals + hist->nr_keys)
		return hist_refuse(build->params, token, "Invalid sort field");
	sort->nr = nr;
	hist->nr_sort++;

	return 0;
}

static int hist_set_sort(struct hist_build *build)
{
	char *rest = build->params->sort, *token;
	int err = 0;

	while (!err && (token = hist_list_next(&rest)))
		err = hist_add_sort(build, token);
	if (!build->hist->nr_sort)
		build->hist->nr_sort = 1;

	return err;
}

static int hist_set_size(struct hist_build *build)
{
	const char *text = build->params->size;
	unsigned long size = HIST_SIZE_DEFAULT;

	if (text && (kstrtoul(text, 0, &size) || !size || size > HIST_SIZE_MAX))
		return hist_refuse(build->params, text, "Size must be between 128 and 131072");
	build->hist->size = max_t(unsigned long, roundup_pow_of_two(size), HIST_SIZE_MIN);

	return 0;
}

static int hist_set_names(struct hist_build *build)
{
	struct hist_params *params = build->params;
	struct hist *hist = build->hist;
	const char *clock = params->clock;

	if (!clock && hist->times)
		clock = "global";
	if (params->name)
		hist->name = kstrdup(params->name, GFP_KERNEL);
	if (clock)
		hist->clock = kstrdup(clock, GFP_KERNEL);

	return (params->name && !hist->name) || (clock && !hist->clock) ? -ENOMEM : 0;
}

/* Assign offsets in an element to the values that do not have one yet. */
static void hist_place(struct hist *hist)
{
	unsigned int i, at = hist->value_words;

	if (hist->comms) {
		hist->comms = at;
		at += TASK_COMM_LEN / sizeof(u64);
	}
	hist->mask_at = at++;
	for (i = 0; i < hist->nr_vars; i++) {
		hist->var[i].value.at = at;
		at += hist->var[i].value.words;
	}
	hist->value_words = hist_actions_place(hist, at);
}

/*
 * Text
 */

static void hist_text_values(struct seq_buf *s, const struct hist_value *value, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		seq_buf_printf(s, "%s%s", i ? "," : "", value[i].text);
}

static void hist_text_begin(struct seq_buf *s, struct hist *hist)
{
	unsigned int i;

	if (hist->name)
		seq_buf_printf(s, "name=%s:", hist->name);
	seq_buf_puts(s, "keys=");
	hist_text_values(s, hist->key, hist->nr_keys);
	seq_buf_puts(s, ":vals=");
	hist_text_values(s, hist->val, hist->nr_vals);
	for (i = 0; i < hist->nr_vars; i++)
		seq_buf_printf(s, "%s%s=%s", i ? "," : ":", hist->var[i].name,
			       hist->var[i].value.text);
	seq_buf_puts(s, ":sort=");
	for (i = 0; i < hist->nr_sort; i++)
		seq_buf_printf(s, "%s%s%s", i ? "," : "",
			       hist_value_nr(hist, hist->sort[i].nr)->text,
			       hist->sort[i].descending ? ".descending" : "");
}

static int hist_make_text(struct hist *hist)
{
	/*
	 * A trigger is written in a single write; its shown text is longer only by the names of
	 * defaults.
	 */
	size_t size = 2 * PAGE_SIZE;
	char *text = kmalloc(size, GFP_KERNEL);
	struct seq_buf s;

	if (!text)
		return -ENOMEM;

	seq_buf_init(&s, text, size);
	hist_text_begin(&s, hist);
	hist->begin = kstrdup(seq_buf_str(&s), GFP_KERNEL);
	seq_buf_init(&s, text, size);
	hist_actions_text(&s, hist);
	hist->actions_text = kstrdup(seq_buf_str(&s), GFP_KERNEL);
	kfree(text);

	return hist->begin && hist->actions_text ? 0 : -ENOMEM;
}

/**
 * hist_same - check whether two histograms of an event are equal, except for their sizes
 * @a: a histogram
 * @b: another histogram
 */
bool hist_same(const struct hist *a, const struct hist *b)
{
	return !strcmp(a->begin, b->begin) && !strcmp(a->actions_text, b->actions_text) &&
	       !strcmp(a->filter ?: "", b->filter ?: "");
}

/* Creation and removal */

static int hist_add_actions(struct hist_build *build)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < build->params->nr_actions; i++)
		err = hist_action_parse(build, build->params->actions[i]);

	return err;
}

static int hist_fill(struct hist_build *build)
{
	struct hist *hist = build->hist;
	int err;

	/* The first value is the count of hits. */
	hist->value_words = 1;
	hist->nohitcount = build->params->nohitcount;

	err = hist_set_size(build);
	err = err ?: hist_add_keys(build);
	err = err ?: hist_add_vals(build);
	err = err ?: hist_add_vars(build);
	err = err ?: hist_add_actions(build);
	err = err ?: hist_set_sort(build);
	err = err ?: hist_set_names(build);
	if (err)
		return err;

	hist_place(hist);

	return hist_make_text(hist);
}

/**
 * hist_make - create a histogram
 * @file: the event in an instance
 * @params: the trigger
 *
 * trace_event_lock held. May sleep.
 *
 * Return: the histogram, which is released by hist_drop(); or an error, with the reason
 * possibly in error_log
 */
struct hist *hist_make(struct trace_event_file *file, struct hist_params *params)
{
	struct hist *hist = kzalloc(sizeof(*hist), GFP_KERNEL);
	struct hist_build build = { .hist = hist, .params = params };
	int err;

	lockdep_assert_held(&trace_event_lock);

	if (!hist)
		return ERR_PTR(-ENOMEM);

	kref_init(&hist->ref);
	INIT_LIST_HEAD(&hist->list);
	hist->tr = file->tr;
	hist->call = file->event_call;
	err = hist_fill(&build);
	if (err) {
		hist_drop(hist);
		return ERR_PTR(err);
	}

	return hist;
}

static void hist_table_free(struct rcu_head *rcu)
{
	struct hist_table *table = container_of(rcu, struct hist_table, rcu);

	hist_map_free(rcu_dereference_protected(table->map, true));
	kfree(table);
}

static void hist_table_release(struct kref *ref)
{
	/* Hits may still be in progress. */
	call_rcu(&container_of(ref, struct hist_table, ref)->rcu, hist_table_free);
}

static void hist_free(struct rcu_head *rcu)
{
	struct hist *hist = container_of(rcu, struct hist, rcu);
	unsigned int i;

	for (i = 0; i < hist->nr_refs; i++)
		hist_put(hist->refs[i].hist);
	for (i = 0; i < hist->nr_keys; i++)
		hist_value_free(&hist->key[i]);
	for (i = 0; i < hist->nr_vals; i++)
		hist_value_free(&hist->val[i]);
	for (i = 0; i < hist->nr_vars; i++) {
		hist_value_free(&hist->var[i].value);
		kfree(hist->var[i].name);
	}
	hist_actions_free(hist);
	if (hist->table)
		kref_put(&hist->table->ref, hist_table_release);
	kfree(hist->name);
	kfree(hist->filter);
	kfree(hist->begin);
	kfree(hist->actions_text);
	kfree(hist->clock);
	kfree(hist);
}

static void hist_release(struct kref *ref)
{
	call_rcu(&container_of(ref, struct hist, ref)->rcu, hist_free);
}

/**
 * hist_get - take a reference on a histogram
 * @hist: the histogram, which the caller has a reference to or whose trigger exists
 */
void hist_get(struct hist *hist)
{
	kref_get(&hist->ref);
}

/**
 * hist_put - undo hist_get()
 * @hist: the histogram
 *
 * Context: any except NMI
 */
void hist_put(struct hist *hist)
{
	kref_put(&hist->ref, hist_release);
}

/**
 * hist_drop - release a histogram whose trigger is removed or was not created
 * @hist: the histogram; readers may still have references
 *
 * trace_event_lock held.
 */
void hist_drop(struct hist *hist)
{
	unsigned int i;

	for (i = 0; i < hist->nr_refs; i++)
		hist->refs[i].hist->users--;
	hist_actions_drop(hist);
	hist_put(hist);
}

static struct hist_table *hist_table_make(const struct hist *hist)
{
	struct hist_table *table = kzalloc(sizeof(*table), GFP_KERNEL);
	struct hist_map *map = hist_map_make(hist->size, hist->key_words, hist->value_words);

	if (!table || !map) {
		hist_map_free(map);
		kfree(table);
		return NULL;
	}

	kref_init(&table->ref);
	RCU_INIT_POINTER(table->map, map);

	return table;
}

/* Triggers that share a table need keys, values and variables of equal names and kinds. */
static bool hist_fits(const struct hist *a, const struct hist *b)
{
	return !strcmp(a->begin, b->begin) && hist_keys_match(a, b) &&
	       a->value_words == b->value_words && a->mask_at == b->mask_at;
}

static int hist_find_table(struct hist *hist, struct hist_params *params)
{
	struct hist *other;

	list_for_each_entry(other, &hist_all, list) {
		if (!hist->name || !other->name || other->tr != hist->tr ||
		    strcmp(other->name, hist->name))
			continue;
		if (!hist_fits(hist, other))
			return hist_refuse(params, params->name,
					   "Named hist trigger doesn't match existing named trigger (includes variables)");
		hist->table = other->table;
		hist->size = other->size;
		kref_get(&hist->table->ref);
		return 0;
	}

	hist->table = hist_table_make(hist);

	return hist->table ? 0 : -ENOMEM;
}

static int hist_use_clock(struct hist *hist, struct hist_params *params)
{
	int err;

	if (!hist->clock)
		return 0;

	err = trace_array_need_clock(hist->tr, hist->clock);
	if (err == -EINVAL)
		return hist_refuse(params, params->clock ?: params->keys,
				   "Couldn't set trace_clock");

	return err;
}

/**
 * hist_begin - prepare for counting
 * @hist: the histogram
 * @params: its trigger
 *
 * trace_event_lock held. May sleep.
 *
 * Return: 0, or an error, with the reason possibly in error_log
 */
int hist_begin(struct hist *hist, struct hist_params *params)
{
	int err;

	err = hist_find_table(hist, params) ?: hist_actions_begin(hist, params);
	if (err)
		return err;

	/* The last step, because a new clock empties the buffer. */
	err = hist_use_clock(hist, params);
	if (err)
		hist_actions_end(hist);
	else
		list_add_tail(&hist->list, &hist_all);

	return err;
}

/**
 * hist_end - undo hist_begin()
 * @hist: the histogram, whose trigger may still be running
 *
 * trace_event_lock held. May sleep.
 */
void hist_end(struct hist *hist)
{
	hist_actions_end(hist);
	list_del_init(&hist->list);
}

/**
 * hist_clear - drop the counts
 * @hist: the histogram
 *
 * trace_event_lock held. May sleep. A hit that is in progress is counted in the dropped map.
 *
 * Return: 0 or -ENOMEM
 */
int hist_clear(struct hist *hist)
{
	struct hist_map *map = hist_map_make(hist->size, hist->key_words, hist->value_words);
	struct hist_table *old = kzalloc(sizeof(*old), GFP_KERNEL);

	if (!map || !old) {
		hist_map_free(map);
		kfree(old);
		return -ENOMEM;
	}

	/* A temporary table frees the old map after a grace period. */
	map = rcu_replace_pointer(hist->table->map, map,
				  lockdep_is_held(&trace_event_lock));
	RCU_INIT_POINTER(old->map, map);
	hist_actions_clear(hist);
	call_rcu(&old->rcu, hist_table_free);

	return 0;
}
