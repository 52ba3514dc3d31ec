// SPDX-License-Identifier: GPL-2.0
/*
 * Histogram triggers: hist, enable_hist and disable_hist. See histogram.rst.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/rculist.h>
#include <linux/seq_buf.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "event/control/event_filter.h"
#include "event/control/trigger_text.h"
#include "event/core/event_list.h"
#include "event/core/fields.h"
#include "event/filter/predicate_match.h"
#include "event/record/file_ref.h"
#include "event/record/trigger.h"
#include "hist/core/hist_hit.h"
#include "hist/core/hist_make.h"
#include "hist/core/hist_text.h"
#include "hist/core/hist_trigger.h"
#include "hist/core/hist_var.h"

static struct trace_trigger_command hist_commands[];

/**
 * hist_of_trigger - get the histogram of a trigger
 * @trigger: any trigger
 *
 * Return: NULL if it is not a hist trigger
 */
struct hist *hist_of_trigger(const struct trace_trigger *trigger)
{
	return trigger->command == &hist_commands[0] ? trigger->data : NULL;
}

/* Callbacks of a hist trigger */

static bool hist_trigger_run(struct trace_trigger *trigger, const struct trace_trigger_run *run)
{
	hist_hit(trigger->data, run);

	return true;
}

static void hist_sweep_work_func(struct work_struct *work);
static DECLARE_WORK(hist_sweep_work, hist_sweep_work_func);

static void hist_trigger_free(struct trace_trigger *trigger)
{
	struct hist *hist = trigger->data;

	/* The caller may be walking a list that has helpers of this histogram. */
	if (hist->nr_refs)
		schedule_work(&hist_sweep_work);
	hist_drop(hist);
}

static void hist_trigger_end(struct trace_trigger *trigger)
{
	hist_end(trigger->data);
}

static bool hist_trigger_is_truncated(const struct trace_trigger *trigger)
{
	const struct hist *hist = trigger->data;

	/* Other triggers still read its variables. */
	return !hist->users;
}

static void hist_trigger_show(struct seq_file *m, const struct trace_trigger *trigger)
{
	hist_text_trigger(m, trigger->data, READ_ONCE(trigger->paused));
}

/*
 * Adding, changing and removing
 */

/* The shown text ends with the state, which is not part of the filter. */
static bool hist_trim_state(char *text, const char *state)
{
	size_t len = strlen(text), end = strlen(state);

	if (len < end || strcmp(text + len - end, state))
		return false;
	text[len - end] = '\0';

	return true;
}

static bool hist_trim(char *text)
{
	hist_trim_state(text, " [active]");

	return hist_trim_state(text, " [paused]");
}

/*
 * Fields of other events: a helper trigger on that event sets a variable to the field. It is
 * shown like other triggers, and removed with the last trigger that reads the variable.
 */

static struct hist *hist_find_like(const struct hist *like, const char *event)
{
	struct hist *hist;

	list_for_each_entry(hist, &hist_all, list) {
		if (hist->tr == like->tr && !hist->helper && hist_is_of(hist, event) &&
		    hist_keys_match(hist, like))
			return hist;
	}

	return NULL;
}

/* The expression of a key: it may be a variable that the trigger sets, and so may that. */
static const char *hist_helper_key(const struct hist *other, const char *text)
{
	unsigned int i;

	for (i = 0; i < HIST_VARS_MAX; i++) {
		int var = hist_var_of(other, text + (*text == '$'));

		if (var < 0 || (*text != '$' && trace_event_field(other->call, text)))
			break;
		text = other->var[var].value.text;
	}

	return text;
}

static void hist_helper_text(struct seq_buf *s, const struct hist *other, const char *field)
{
	unsigned int i;

	seq_buf_puts(s, "hist:keys=");
	for (i = 0; i < other->nr_keys; i++)
		seq_buf_printf(s, "%s%s", i ? "," : "",
			       hist_helper_key(other, other->key[i].text));
	seq_buf_printf(s, ":synthetic_%s=%s", field, field);
	if (other->filter)
		seq_buf_printf(s, " if %s", other->filter);
}

static int hist_need_field(const struct hist *hist, const char *event, const char *field)
{
	struct hist *other = hist_find_like(hist, event), *helper;
	struct seq_buf s;
	char *text;
	int err;

	if (!other)
		return -EINVAL;
	/* The trigger was written in a single write; its text is hardly longer. */
	text = kmalloc(2 * PAGE_SIZE, GFP_KERNEL);
	if (!text)
		return -ENOMEM;

	seq_buf_init(&s, text, 2 * PAGE_SIZE);
	hist_helper_text(&s, other, field);
	err = seq_buf_has_overflowed(&s) ? -E2BIG :
	      trace_trigger_set(other->tr, other->call, seq_buf_str(&s));
	kfree(text);
	if (err)
		return err;
	/* The helper is the latest histogram. */
	helper = list_last_entry(&hist_all, struct hist, list);
	helper->helper = true;

	return 0;
}

/* Remove helpers that are no longer needed. */
static void hist_sweep(void)
{
	struct hist *hist, *next;

	list_for_each_entry_safe(hist, next, &hist_all, list) {
		if (hist->helper && !hist->users)
			trace_trigger_remove(hist->trigger);
	}
}

static void hist_sweep_work_func(struct work_struct *work)
{
	guard(mutex)(&trace_event_lock);

	hist_sweep();
}

/**
 * struct hist_written - a hist trigger as written to a file
 * @written: the trigger text and its target
 * @whole: copy of the text without the state
 * @params: its parsed parameters
 * @file: the event in an instance
 */
struct hist_written {
	const struct trace_trigger_text	*written;
	char				*whole;
	struct hist_params		params;
	struct trace_event_file		*file;
};

static int hist_split(struct hist_written *hw)
{
	const struct trace_trigger_text *written = hw->written;
	struct hist_params *params = &hw->params;
	bool paused = hist_trim(hw->whole);

	params->tr = written->tr;
	params->text = written->text;
	params->copy = written->copy;
	params->need_field = hist_need_field;
	snprintf(params->where, sizeof(params->where), "hist:%s:%s", written->call->class->system,
		 trace_event_name(written->call));
	if (!written->param)
		return hist_refuse(params, written->name, "No keys");
	hist_trim(written->param);
	params->pause = paused;

	return hist_params_split(params, written->param);
}

static struct trace_trigger *hist_find_same(const struct hist_written *hw, const struct hist *like)
{
	struct trace_trigger *trigger;

	list_for_each_entry(trigger, &hw->file->triggers, list) {
		const struct hist *hist = hist_of_trigger(trigger);

		if (hist && hist_same(hist, like))
			return trigger;
	}

	return NULL;
}

/* Triggers that share their counts are paused and continued together. */
static void hist_pause(struct hist *hist, bool pause)
{
	struct hist *other;

	list_for_each_entry(other, &hist_all, list) {
		if (other->table == hist->table)
			WRITE_ONCE(other->trigger->paused, pause);
	}
}

static int hist_change(struct hist_written *hw, struct trace_trigger *trigger)
{
	struct hist_params *params = &hw->params;
	struct hist *hist = trigger->data;
	int err;

	if (hw->written->remove) {
		if (hist->users) {
			hist_refuse(params, hw->written->name, "Its variables are in use");
			return -EBUSY;
		}
		trace_trigger_remove(trigger);
		return 0;
	}
	if (!params->pause && !params->cont && !params->clear) {
		hist_refuse(params, hw->written->name, "Hist trigger already exists");
		return -EEXIST;
	}

	if (params->clear) {
		err = hist_clear(hist);
		if (err)
			return err;
	}
	if (params->pause || params->cont)
		hist_pause(hist, params->pause);

	return 0;
}

/* Will both share their counts? They are in the same instance. */
static bool hist_share(const struct hist *a, const struct hist *b)
{
	return a->name && b->name && !strcmp(a->name, b->name);
}

/* Variable names are unique in an event, except for triggers that share their counts. */
static int hist_check_vars(struct hist_written *hw, const struct hist *hist)
{
	struct trace_trigger *trigger;
	unsigned int i;

	list_for_each_entry(trigger, &hw->file->triggers, list) {
		const struct hist *other = hist_of_trigger(trigger);

		if (!other || hist_share(other, hist))
			continue;
		for (i = 0; i < hist->nr_vars; i++) {
			if (hist_var_of(other, hist->var[i].name) >= 0)
				return hist_refuse(&hw->params, hw->params.vars[i].name,
						   "Variable already defined");
		}
	}

	return 0;
}

static int hist_compile_filter(struct hist_written *hw, struct trace_trigger *trigger)
{
	struct event_filter *filter;
	struct hist *hist = trigger->data;

	if (!hist->filter)
		return 0;

	filter = trace_event_filter_compile(hw->written->tr, hw->written->call,
					    hw->whole + (hw->written->filter - hw->written->text),
					    hw->whole, NULL);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	trigger->filter = filter;

	return 0;
}

static int hist_start(struct hist_written *hw, struct trace_trigger *trigger)
{
	struct hist *hist = trigger->data;
	int err;

	err = hist_check_vars(hw, hist) ?: hist_compile_filter(hw, trigger) ?:
	      hist_begin(hist, &hw->params);
	if (err)
		return err;

	trigger->paused = hw->params.pause;
	err = trace_trigger_add(trigger);
	if (err)
		hist_end(hist);

	return err;
}

static int hist_add(struct hist_written *hw, struct hist *hist)
{
	struct trace_trigger *trigger;
	int err;

	if (hw->params.cont || hw->params.clear) {
		hist_refuse(&hw->params, hw->written->name, "Hist trigger doesn't exist");
		hist_drop(hist);
		return -ENOENT;
	}

	trigger = kzalloc(sizeof(*trigger), GFP_KERNEL);
	if (!trigger) {
		hist_drop(hist);
		return -ENOMEM;
	}
	trigger->command = &hist_commands[0];
	trigger->file = hw->file;
	trigger->data = hist;
	hist->trigger = trigger;
	err = hist_start(hw, trigger);
	if (err)
		trace_trigger_free(trigger);

	return err;
}

/* Return: a new histogram for the parsed trigger */
static struct hist *hist_make_written(struct hist_written *hw)
{
	const struct trace_trigger_text *written = hw->written;
	struct hist *hist = hist_make(hw->file, &hw->params);

	if (IS_ERR(hist) || !written->filter)
		return hist;

	hist->filter = kstrdup(hw->whole + (written->filter - written->text), GFP_KERNEL);
	if (!hist->filter) {
		hist_drop(hist);
		return ERR_PTR(-ENOMEM);
	}

	return hist;
}

static int hist_apply(struct hist_written *hw)
{
	struct trace_trigger *trigger;
	struct hist *hist;
	int err = hist_split(hw);

	if (err)
		return err;

	hist = hist_make_written(hw);
	if (IS_ERR(hist))
		return PTR_ERR(hist);

	trigger = hist_find_same(hw, hist);
	if (trigger || hw->written->remove)
		hist_drop(hist);
	if (trigger)
		return hist_change(hw, trigger);

	return hw->written->remove ? 0 : hist_add(hw, hist);
}

static int hist_trigger_set(const struct trace_trigger_text *written,
			    struct trace_event_file *file)
{
	struct hist_written *hw = kzalloc(sizeof(*hw), GFP_KERNEL);
	char *whole = kstrdup(written->text, GFP_KERNEL);
	int err = -ENOMEM;

	if (hw && whole) {
		hw->written = written;
		hw->whole = whole;
		hw->file = file;
		err = hist_apply(hw);
		hist_sweep();
	}
	kfree(whole);
	kfree(hw);

	return err;
}

/*
 * enable_hist and disable_hist: the data is the other event in the instance.
 */

static int hist_parse_event(struct trace_trigger *trigger, char **text, const char **wrong)
{
	struct trace_event_file *file = trace_event_file_get_named(trigger->file->tr, text);

	if (IS_ERR(file)) {
		*wrong = PTR_ERR(file) == -EINVAL ? "Event not found" : NULL;
		return PTR_ERR(file);
	}
	trigger->data = file;

	return 0;
}

static void hist_free_event(struct trace_trigger *trigger)
{
	trace_event_file_put(trigger->data);
}

static bool hist_same_event(const struct trace_trigger *a, const struct trace_trigger *b)
{
	return a->data == b->data;
}

static void hist_show_event(struct seq_file *m, const struct trace_trigger *trigger)
{
	trace_event_file_show(m, trigger->data);
}

/* Return: true if the state of a histogram was changed */
static bool hist_switch(const struct trace_trigger *trigger, bool pause)
{
	const struct trace_event_file *file = trigger->data;
	struct trace_trigger *each;
	bool done = false;

	list_for_each_entry_rcu(each, &file->triggers, list, !preemptible()) {
		if (!hist_of_trigger(each) || READ_ONCE(each->paused) == pause)
			continue;
		WRITE_ONCE(each->paused, pause);
		done = true;
	}

	return done;
}

static bool hist_run_enable(struct trace_trigger *trigger, const struct trace_trigger_run *run)
{
	return hist_switch(trigger, false);
}

static bool hist_run_disable(struct trace_trigger *trigger, const struct trace_trigger_run *run)
{
	return hist_switch(trigger, true);
}

static struct trace_trigger_command hist_commands[] = {
	{ .name = "hist", .wants_entry = true, .blanks = true, .set = hist_trigger_set,
	  .is_truncated = hist_trigger_is_truncated, .free = hist_trigger_free,
	  .end = hist_trigger_end, .run = hist_trigger_run, .show_all = hist_trigger_show },
	{ .name = "enable_hist", .kind = "switch_hist", .parse = hist_parse_event,
	  .free = hist_free_event, .same = hist_same_event, .run = hist_run_enable,
	  .show = hist_show_event },
	{ .name = "disable_hist", .kind = "switch_hist", .parse = hist_parse_event,
	  .free = hist_free_event, .same = hist_same_event, .run = hist_run_disable,
	  .show = hist_show_event },
};

static int __init hist_commands_init(void)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < ARRAY_SIZE(hist_commands); i++)
		err = trace_trigger_command_register(&hist_commands[i]);

	return err;
}
early_initcall(hist_commands_init);
