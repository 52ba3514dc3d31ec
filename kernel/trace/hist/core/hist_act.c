// SPDX-License-Identifier: GPL-2.0
/*
 * Actions of histograms: running them at a hit, and showing their results.
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/preempt.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "hist/core/hist_action.h"
#include "hist/core/hist_text.h"
#include "instance/snapshot/snapshot.h"
#include "synth/synth.h"

/* Most synthetic events have no more fields. */
#define ACT_FEW_PARAMS	12

/**
 * struct act_hit - a value that may trigger a snapshot
 * @action: action that requests the snapshot
 * @value: value of its variable
 * @elt: the element
 * @words: number of words of the element that are needed to show its key
 */
struct act_hit {
	struct hist_action	*action;
	u64			value;
	const u64		*elt;
	unsigned int		words;
};

/* Number of words of an element that are needed to show its key. */
static unsigned int act_key_words(const struct hist *hist)
{
	return hist->key_words + (hist->comms ? hist->comms + TASK_COMM_LEN / sizeof(u64) : 0);
}

/* Called with interrupts off, and serialized per instance. */
static bool act_wants_snapshot(struct trace_array *tr, void *data)
{
	const struct act_hit *hit = data;
	struct hist_action *action = hit->action;
	bool wants = !action->taken || (action->handler == HIST_ONMAX ?
					hit->value > action->taken_value :
					hit->value != action->taken_value);
	unsigned int i;

	if (!wants)
		return false;

	for (i = 0; i < hit->words; i++)
		WRITE_ONCE(action->taken_elt[i], READ_ONCE(hit->elt[i]));
	WRITE_ONCE(action->taken_value, hit->value);
	smp_store_release(&action->taken, true);	/* act:A, pairs with act:B */

	return true;
}

#ifdef CONFIG_TRACER_SNAPSHOT
static void act_snapshot(struct hist *hist, struct hist_action *action, const u64 *elt, u64 value)
{
	struct act_hit hit = {
		.action = action, .value = value, .elt = elt, .words = act_key_words(hist),
	};

	/* The lock of the condition must not be taken in an NMI. */
	if (!in_nmi())
		tracing_snapshot_cond(hist->tr, &hit);
}

static int act_arm(struct hist *hist, struct hist_action *action)
{
	int err;

	action->taken_elt = kcalloc(act_key_words(hist), sizeof(u64), GFP_KERNEL);
	if (!action->taken_elt)
		return -ENOMEM;

	err = tracing_snapshot_cond_enable(hist->tr, hist, act_wants_snapshot);
	action->armed = !err;

	return err;
}

static void act_disarm(struct hist *hist, struct hist_action *action)
{
	if (action->armed)
		tracing_snapshot_cond_disable(hist->tr);
	action->armed = false;
}
#else
static void act_snapshot(struct hist *hist, struct hist_action *action, const u64 *elt, u64 value)
{
}

static int act_arm(struct hist *hist, struct hist_action *action)
{
	return -EINVAL;
}

static void act_disarm(struct hist *hist, struct hist_action *action)
{
}
#endif

/**
 * hist_actions_begin - prepare for the actions of a histogram
 * @hist: the histogram
 * @params: its trigger
 *
 * trace_event_lock held. May sleep.
 *
 * Return: 0; -EBUSY if the instance already has another condition for snapshots; another error,
 * with the reason possibly in error_log
 */
int hist_actions_begin(struct hist *hist, struct hist_params *params)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < hist->nr_actions; i++) {
		if (hist->action[i]->act != HIST_SNAPSHOT)
			continue;
		err = act_arm(hist, hist->action[i]);
		if (err)
			hist_refuse(params, params->actions[i], "Couldn't take snapshots");
	}
	if (err)
		hist_actions_end(hist);

	return err;
}

/**
 * hist_actions_end - undo hist_actions_begin()
 * @hist: the histogram; hits of it may be in progress
 *
 * trace_event_lock held. May sleep.
 */
void hist_actions_end(struct hist *hist)
{
	unsigned int i;

	for (i = 0; i < hist->nr_actions; i++)
		act_disarm(hist, hist->action[i]);
}

/**
 * hist_actions_clear - reset the state of snapshots
 * @hist: the histogram
 *
 * trace_event_lock held.
 */
void hist_actions_clear(struct hist *hist)
{
	unsigned int i;

	for (i = 0; i < hist->nr_actions; i++)
		WRITE_ONCE(hist->action[i]->taken, false);
}

/**
 * hist_actions_place - assign offsets to data of actions in the values of an element
 * @hist: the histogram
 * @at: first free offset
 *
 * Return: offset after the data
 */
unsigned int hist_actions_place(struct hist *hist, unsigned int at)
{
	unsigned int i, p;

	for (i = 0; i < hist->nr_actions; i++) {
		struct hist_action *action = hist->action[i];

		if (action->handler != HIST_ONMATCH)
			action->tracked.at = at++;
		for (p = 0; action->act == HIST_SAVE && p < action->nr; p++) {
			action->param[p].at = at;
			at += action->param[p].words;
		}
	}

	return at;
}

/*
 * Hits
 */

/* Must the action run now? Elements of a key are updated by several CPUs concurrently. */
static bool act_is_due(const struct hist_action *action, u64 *at, u64 value)
{
	u64 old = READ_ONCE(*at);

	if (action->handler == HIST_ONCHANGE)
		return old != value && xchg(at, value) != value;

	do {
		if (value <= old)
			return false;
	} while (!try_cmpxchg(at, &old, value));

	return true;
}

static __always_inline void act_trace_values(const struct hist_action *action,
					     const struct hist_hit *hit,
					     struct synth_value *values)
{
	u64 buf[VALUE_TEXT_MAX / sizeof(u64)];
	unsigned int i;

	for (i = 0; i < action->nr; i++) {
		const struct hist_value *param = &action->param[i];

		if (param->kind == VALUE_NUMBER)
			values[i].value = hist_number(param, hit);
		else
			values[i].value = (unsigned long)hist_words_at(param, hit, buf,
								       &values[i].max);
	}
	synth_hit(action->synth, values);
}

/* Apart, to use less of the stack for the others. */
static noinline void act_trace_many(const struct hist_action *action, const struct hist_hit *hit)
{
	struct synth_value values[HIST_PARAMS_MAX];

	act_trace_values(action, hit, values);
}

static noinline void act_trace(const struct hist_action *action, const struct hist_hit *hit)
{
	struct synth_value values[ACT_FEW_PARAMS];

	if (action->nr > ACT_FEW_PARAMS)
		act_trace_many(action, hit);
	else
		act_trace_values(action, hit, values);
}

static void act_save(const struct hist_action *action, const struct hist_hit *hit, u64 *values)
{
	unsigned int i;

	for (i = 0; i < action->nr; i++)
		hist_store(&action->param[i], hit, &values[action->param[i].at]);
}

/**
 * hist_actions_run - run the actions of a histogram
 * @hist: the histogram
 * @hit: the hit
 * @elt: the element that was updated
 * @values: its values
 *
 * Context: any, preemption disabled
 */
noinline void hist_actions_run(struct hist *hist, struct hist_hit *hit, u64 *elt, u64 *values)
{
	unsigned int i;

	for (i = 0; i < hist->nr_actions; i++) {
		struct hist_action *action = hist->action[i];
		u64 value = 0;

		if (action->handler != HIST_ONMATCH) {
			value = hist_number(&action->tracked, hit);
			if (!act_is_due(action, &values[action->tracked.at], value))
				continue;
		}
		if (action->act == HIST_TRACE)
			act_trace(action, hit);
		else if (action->act == HIST_SAVE)
			act_save(action, hit, values);
		else
			act_snapshot(hist, action, elt, value);
	}
}

/*
 * Text
 */

static void act_show_saved(struct seq_file *m, const struct hist_value *param, const u64 *values)
{
	const char *text = (const char *)&values[param->at];

	seq_printf(m, "  %s: ", param->label);
	if (param->kind == VALUE_TEXT)
		seq_printf(m, "%-32.*s", (int)strnlen(text, param->words * sizeof(u64)), text);
	else
		hist_text_value(m, param, &values[param->at]);
}

/* Is the value that a snapshot action tracks already shown with saved fields? */
static bool act_is_shown(const struct hist *hist, const struct hist_action *action)
{
	unsigned int i;

	for (i = 0; i < hist->nr_actions; i++) {
		const struct hist_action *other = hist->action[i];

		if (other->act == HIST_SAVE && other->handler == action->handler &&
		    !strcmp(other->tracked_text, action->tracked_text))
			return true;
	}

	return false;
}

static bool act_shows(const struct hist *hist, const struct hist_action *action)
{
	return action->act == HIST_SAVE ||
	       (action->act == HIST_SNAPSHOT && !act_is_shown(hist, action));
}

/**
 * hist_actions_show_elt - show the data of actions in an element
 * @m: output file
 * @hist: the histogram
 * @values: values of the element
 */
void hist_actions_show_elt(struct seq_file *m, const struct hist *hist, const u64 *values)
{
	unsigned int i, p;
	bool shown = false;

	for (i = 0; i < hist->nr_actions; i++) {
		const struct hist_action *action = hist->action[i];

		if (!act_shows(hist, action))
			continue;
		shown = true;
		seq_printf(m, "\n\t%s: %10llu",
			   action->handler == HIST_ONMAX ? "max" : "changed",
			   values[action->tracked.at]);
		for (p = 0; action->act == HIST_SAVE && p < action->nr; p++)
			act_show_saved(m, &action->param[p], values);
	}
	if (shown)
		seq_putc(m, '\n');
}

/**
 * hist_actions_show_end - show the snapshot that was taken
 * @m: output file
 * @hist: the histogram
 */
void hist_actions_show_end(struct seq_file *m, const struct hist *hist)
{
	unsigned int i;

	for (i = 0; i < hist->nr_actions; i++) {
		const struct hist_action *action = hist->action[i];

		/* act:B */
		if (action->act != HIST_SNAPSHOT || !smp_load_acquire(&action->taken))
			continue;
		seq_puts(m, "\nSnapshot taken (see tracing/snapshot).  Details:\n");
		seq_printf(m, "\ttriggering value { %s(%s) }: %10llu\n",
			   action->handler == HIST_ONMAX ? "onmax" : "onchange",
			   action->tracked_text, READ_ONCE(action->taken_value));
		seq_puts(m, "\ttriggered by event with key: ");
		hist_text_key(m, hist, action->taken_elt);
		seq_putc(m, '\n');
	}
}
