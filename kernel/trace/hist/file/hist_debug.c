// SPDX-License-Identifier: GPL-2.0
/*
 * Internals of histograms as text, for those who debug triggers and this directory.
 *
 * Documentation/trace/histogram-design.rst explains the format with examples. Here a field has,
 * in addition, the steps of its program, and a histogram the state of its map; "size" is the
 * stored size. Parameters of an action are not stored unless they are saved.
 */
#include <linux/array_size.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "event/core/event_list.h"
#include "event/record/event_file.h"
#include "event/record/trigger.h"
#include "hist/core/hist_action.h"
#include "hist/file/hist_debug.h"
#include "hist/core/hist_text.h"
#include "hist/core/hist_trigger.h"

static const char * const debug_ops[] = {
	[HIST_OP_U8] = "u8", [HIST_OP_S8] = "s8", [HIST_OP_U16] = "u16", [HIST_OP_S16] = "s16",
	[HIST_OP_U32] = "u32", [HIST_OP_S32] = "s32", [HIST_OP_64] = "u64",
	[HIST_OP_CONST] = "const", [HIST_OP_TIME] = "time", [HIST_OP_CPU] = "cpu",
	[HIST_OP_REF] = "ref", [HIST_OP_USECS] = "usecs", [HIST_OP_NEG] = "neg",
	[HIST_OP_LOG2] = "log2", [HIST_OP_BUCKET] = "bucket", [HIST_OP_ADD] = "add",
	[HIST_OP_SUB] = "sub", [HIST_OP_MUL] = "mul", [HIST_OP_DIV] = "div",
	[HIST_OP_TEXT] = "text", [HIST_OP_TEXT_REST] = "text-rest",
	[HIST_OP_TEXT_DYN] = "text-data-loc", [HIST_OP_TEXT_REL] = "text-rel-loc",
	[HIST_OP_TEXT_PTR] = "text-pointer", [HIST_OP_COMM] = "comm",
	[HIST_OP_TEXT_REF] = "text-ref", [HIST_OP_STACK] = "stack",
	[HIST_OP_STACK_DYN] = "stack-data-loc", [HIST_OP_STACK_REF] = "stack-ref",
	[HIST_OP_MASK_DYN] = "mask-data-loc", [HIST_OP_MASK_REL] = "mask-rel-loc",
	[HIST_OP_MASK_REF] = "mask-ref",
};

static bool debug_op_is_ref(u8 op)
{
	return op == HIST_OP_REF || op == HIST_OP_TEXT_REF || op == HIST_OP_STACK_REF ||
	       op == HIST_OP_MASK_REF;
}

/* Does the step read a field at an offset in the entry? */
static bool debug_op_is_field(u8 op)
{
	return op <= HIST_OP_64 || (op >= HIST_OP_TEXT && op != HIST_OP_COMM &&
				    op != HIST_OP_STACK && !debug_op_is_ref(op));
}

static void debug_step(struct seq_file *m, const struct hist_step *step)
{
	seq_printf(m, " %s", debug_ops[step->op]);
	if (debug_op_is_field(step->op) || debug_op_is_ref(step->op))
		seq_printf(m, ":%u", step->offset);
	else if (step->op == HIST_OP_CONST || step->op == HIST_OP_BUCKET)
		seq_printf(m, ":%llu", step->value);
}

/* The name of the field that the value is, possibly modified. */
static void debug_field(struct seq_file *m, const struct hist_value *value)
{
	if (value->nr && debug_op_is_field(value->step->op) &&
	    (value->nr == 1 || value->style != HIST_PLAIN))
		seq_printf(m, "    ftrace_event_field name: %s\n", value->label);
}

static void debug_c_type(struct seq_file *m, const struct hist_value *value)
{
	seq_printf(m, "    type: %s\n    size: %zu\n    is_signed: %u\n",
		   *value->type ? value->type : "u64", value->words * sizeof(u64),
		   value->is_signed);
}

static void debug_type(struct seq_file *m, const struct hist_value *value)
{
	unsigned int i;

	debug_c_type(m, value);
	if (!value->nr)
		return;
	seq_puts(m, "    steps:");
	for (i = 0; i < value->nr; i++)
		debug_step(m, &value->step[i]);
	seq_putc(m, '\n');
}

/*
 * Sections
 */

static void debug_vals(struct seq_file *m, const struct hist *hist)
{
	unsigned int i;

	for (i = 0; i < hist->nr_vals; i++) {
		const struct hist_value *val = &hist->val[i];

		seq_printf(m, "\n  hist_data->fields[%u]:\n    flags:\n      VAL: %s\n", i,
			   val->nr ? "normal u64 value" : "HIST_FIELD_FL_HITCOUNT");
		debug_field(m, val);
		debug_type(m, val);
	}
}

static void debug_vars(struct seq_file *m, const struct hist *hist)
{
	unsigned int i;

	for (i = 0; i < hist->nr_vars; i++) {
		const struct hist_value *value = &hist->var[i].value;
		bool alias = value->nr == 1 && debug_op_is_ref(value->step->op);

		seq_printf(m, "\n  hist_data->fields[%u]:\n    flags:\n      HIST_FIELD_FL_VAR\n%s",
			   hist->nr_vals + i, alias ? "      HIST_FIELD_FL_ALIAS\n" : "");
		debug_field(m, value);
		seq_printf(m, "    var.name: %s\n    var.idx (into tracing_map_elt.vars[]): %u\n",
			   hist->var[i].name, i);
		if (alias)
			seq_printf(m, "    var_ref_idx (into hist_data->var_refs[]): %u\n",
				   value->step->offset);
		debug_type(m, value);
	}
}

static void debug_keys(struct seq_file *m, const struct hist *hist)
{
	unsigned int i;

	seq_puts(m, "\nkey fields:\n");
	for (i = 0; i < hist->nr_keys; i++) {
		seq_printf(m, "\n  hist_data->fields[%u]:\n    flags:\n      HIST_FIELD_FL_KEY\n",
			   hist->nr_vals + hist->nr_vars + i);
		debug_field(m, &hist->key[i]);
		debug_type(m, &hist->key[i]);
	}
}

static void debug_refs(struct seq_file *m, const struct hist *hist)
{
	unsigned int i;

	if (hist->nr_refs)
		seq_puts(m, "\nvariable reference fields:\n");
	for (i = 0; i < hist->nr_refs; i++) {
		const struct hist_ref *ref = &hist->refs[i];
		const struct hist_var *var = &ref->hist->var[ref->var];

		seq_printf(m, "\n  hist_data->var_refs[%u]:\n    flags:\n      HIST_FIELD_FL_VAR_REF\n",
			   i);
		seq_printf(m, "    name: %s\n    var.idx (into tracing_map_elt.vars[]): %u\n",
			   var->name, ref->var);
		seq_printf(m, "    var.hist_data: %p\n", ref->hist);
		seq_printf(m, "    var_ref_idx (into hist_data->var_refs[]): %u\n", i);
		debug_c_type(m, &var->value);
		seq_printf(m, "    read once: %u\n", ref->once);
	}
}

/*
 * Actions
 */

static void debug_params(struct seq_file *m, const struct hist *hist, bool saved,
			 const char *heading, const char *name)
{
	unsigned int i, p, nr = 0;

	for (i = 0; i < hist->nr_actions; i++) {
		const struct hist_action *action = hist->action[i];
		bool saves = action->act == HIST_SAVE;

		if (saves != saved)
			continue;
		for (p = 0; p < action->nr; p++, nr++) {
			const struct hist_value *param = &action->param[p];

			seq_printf(m, "%s\n  hist_data->%s[%u]:\n", nr ? "" : heading, name, nr);
			if (saved)
				seq_printf(m, "\n    %s[%u].var:\n    flags:\n      HIST_FIELD_FL_VAR\n    var.name: %s\n",
					   name, nr, param->label);
			seq_printf(m, "\n    %s[%u].val:\n    name: %s\n", name, nr, param->text);
			debug_field(m, param);
			debug_type(m, param);
		}
	}
}

static void debug_tracked(struct seq_file *m, const struct hist_action *action, unsigned int nr)
{
	const struct hist_value *tracked = &action->tracked;

	seq_printf(m, "\n  hist_data->actions[%u].track_data.var_ref:\n", nr);
	/* Without the dollar sign. */
	seq_printf(m, "    flags:\n      HIST_FIELD_FL_VAR_REF\n    name: %s\n",
		   action->tracked_text + 1);
	debug_type(m, tracked);
	seq_printf(m, "\n  hist_data->actions[%u].track_data.track_var:\n", nr);
	seq_printf(m, "    flags:\n      HIST_FIELD_FL_VAR\n    var.name: %s\n",
		   action->handler == HIST_ONMAX ? "__max" : "__change");
	seq_puts(m, "    type: u64\n    size: 8\n    is_signed: 0\n");
}

static void debug_handlers(struct seq_file *m, const struct hist *hist)
{
	unsigned int i;

	if (hist->nr_actions)
		seq_puts(m, "\naction tracking variables (for onmax()/onchange()/onmatch()):\n");
	for (i = 0; i < hist->nr_actions; i++) {
		const struct hist_action *action = hist->action[i];
		const char *dot = action->match ? strchr(action->match, '.') : NULL;

		if (!dot) {
			debug_tracked(m, action, i);
			continue;
		}
		seq_printf(m, "\n  hist_data->actions[%u].match_data.event_system: %.*s\n", i,
			   (int)(dot - action->match), action->match);
		seq_printf(m, "  hist_data->actions[%u].match_data.event: %s\n", i, dot + 1);
	}
}

static void debug_map(struct seq_file *m, const struct hist *hist)
{
	struct hist_map *map = rcu_dereference_protected(hist->table->map,
							 lockdep_is_held(&trace_event_lock));

	seq_printf(m, "\nmap:\n  elements: %u of %u\n  dropped: %llu\n",
		   min_t(unsigned int, atomic_read(&map->used), map->max), map->max,
		   hist_map_drops(map));
	seq_printf(m, "  size of a key: %zu\n  size of an element: %zu\n",
		   map->key_words * sizeof(u64), map->elt_words * sizeof(u64));
}

static void debug_one(struct seq_file *m, const struct hist *hist, bool paused)
{
	seq_puts(m, "# event histogram\n#\n# trigger info: ");
	hist_text_trigger(m, hist, paused);
	seq_printf(m, "\n#\n\nhist_data: %p\n\n", hist);
	seq_printf(m, "n_vals: %u\nn_keys: %u\nn_fields: %u\n\nval fields:\n",
		   hist->nr_vals + hist->nr_vars, hist->nr_keys,
		   hist->nr_vals + hist->nr_vars + hist->nr_keys);
	debug_vals(m, hist);
	debug_vars(m, hist);
	debug_keys(m, hist);
	debug_refs(m, hist);
	debug_params(m, hist, false, "\nfield variables:\n", "field_vars");
	debug_handlers(m, hist);
	debug_params(m, hist, true, "\nsave action variables (save() params):\n", "save_vars");
	debug_map(m, hist);
}

/**
 * hist_debug_show - print the internals of the histograms of an event
 * @m: output file
 * @tr: the instance
 * @call: the event
 *
 * trace_event_lock held.
 */
void hist_debug_show(struct seq_file *m, struct trace_array *tr, struct trace_event_call *call)
{
	struct trace_event_file *file = trace_event_file_find(tr, call);
	struct trace_trigger *trigger;
	bool any = false;

	lockdep_assert_held(&trace_event_lock);

	if (!file)
		return;

	list_for_each_entry(trigger, &file->triggers, list) {
		const struct hist *hist = hist_of_trigger(trigger);

		if (!hist)
			continue;
		if (any)
			seq_puts(m, "\n\n");
		debug_one(m, hist, READ_ONCE(trigger->paused));
		any = true;
	}
}
