// SPDX-License-Identifier: GPL-2.0
/*
 * Parser for actions of histograms: "handler(...).action(...)".
 *
 *	onmatch(system.event), onmax($variable), onchange($variable)
 *	trace(synthetic event,parameter,...) or synthetic event(parameter,...)
 *	save(field,...), snapshot()
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "event/core/event_list.h"
#include "hist/core/hist_action.h"
#include "synth/synth.h"

/* Maximum depth of nested synthetic events: each level needs a part of the stack. */
#define ACTION_CHAIN_MAX	3

/**
 * struct action_parse - an action that is being parsed
 * @build: the histogram
 * @action: the resulting action
 * @handler: name of the handler
 * @arg: argument of the handler
 * @act: name of the action
 * @params: its parameters
 */
struct action_parse {
	struct hist_build	*build;
	struct hist_action	*action;
	char			*handler;
	char			*arg;
	char			*act;
	char			*params;
};

static int action_refuse(const struct action_parse *parse, const char *at, const char *what)
{
	return hist_refuse(parse->build->params, at, what);
}

/* Parse "name(arg)". Return: the text after it, or NULL */
static char *action_call(char *text, char **name, char **arg)
{
	char *open = strchr(text, '('), *close;

	if (!open)
		return NULL;
	close = strchr(open, ')');
	if (!close)
		return NULL;
	*open = '\0';
	*close = '\0';
	*name = strim(text);
	*arg = strim(open + 1);

	return close + 1;
}

static int action_split(struct action_parse *parse, char *text)
{
	char *rest = action_call(text, &parse->handler, &parse->arg);

	if (rest)
		rest = skip_spaces(rest);
	if (!rest || *rest != '.')
		return action_refuse(parse, rest ?: text, "Action expected");
	text = rest + 1;
	rest = action_call(text, &parse->act, &parse->params);
	if (!rest || *skip_spaces(rest))
		return action_refuse(parse, rest ?: text, "Invalid action");

	return 0;
}

/*
 * Handlers
 */

static struct trace_event_call *action_find_event(char *event)
{
	char *dot = strchr(event, '.');
	struct trace_event_call *call;

	if (!dot)
		return NULL;
	*dot = '\0';
	call = trace_event_call_find(event, dot + 1);
	*dot = '.';

	return call;
}

static int action_onmatch(struct action_parse *parse)
{
	if (!action_find_event(parse->arg))
		return action_refuse(parse, parse->arg, "Couldn't find onmatch event");
	parse->action->match = kstrdup(parse->arg, GFP_KERNEL);

	return parse->action->match ? 0 : -ENOMEM;
}

static int action_track(struct action_parse *parse)
{
	struct hist_value *tracked = &parse->action->tracked;
	int err;

	if (*parse->arg != '$')
		return action_refuse(parse, parse->arg, "Variable expected");
	err = hist_value_parse(parse->build, tracked, parse->arg, HIST_FOR_PARAM);
	if (!err && tracked->kind != VALUE_NUMBER)
		err = action_refuse(parse, parse->arg, "Variable must be a number");

	return err;
}

static int action_handler(struct action_parse *parse)
{
	struct hist_action *action = parse->action;

	if (!strcmp(parse->handler, "onmatch")) {
		action->handler = HIST_ONMATCH;
		return action_onmatch(parse);
	}
	action->handler = strcmp(parse->handler, "onmax") ? HIST_ONCHANGE : HIST_ONMAX;

	return action_track(parse);
}

/*
 * Actions
 */

static int action_params(struct action_parse *parse, char *list)
{
	struct hist_action *action = parse->action;
	char *token;
	int err = 0;

	if (list && !*list)
		return 0;

	parse->build->match = action->match;
	while (!err && (token = hist_list_next(&list))) {
		if (action->nr == HIST_PARAMS_MAX) {
			err = action_refuse(parse, token, "Too many parameters");
			break;
		}
		err = hist_value_parse(parse->build, &action->param[action->nr++], token,
				       HIST_FOR_PARAM);
	}
	parse->build->match = NULL;

	return err;
}

/* Length of the longest chain of synthetic events that an event starts, or that leads to it. */
static unsigned int action_chain(const struct trace_event_call *call, bool down,
				 unsigned int limit)
{
	unsigned int longest = 0, i;
	struct hist *hist;

	if (!limit)
		return 0;
	list_for_each_entry(hist, &hist_all, list) {
		for (i = 0; i < hist->nr_actions; i++) {
			const struct synth_event *synth = hist->action[i]->synth;

			if (!synth || (down ? hist->call : &synth->call) != call)
				continue;
			longest = max(longest, 1 + action_chain(down ? &synth->call : hist->call,
								down, limit - 1));
		}
	}

	return longest;
}

/* Does an occurrence of @call eventually generate @from? */
static bool action_leads_to(const struct trace_event_call *call,
			    const struct trace_event_call *from, unsigned int limit)
{
	struct hist *hist;
	unsigned int i;

	if (call == from)
		return true;
	if (!limit)
		return false;
	list_for_each_entry(hist, &hist_all, list) {
		for (i = 0; hist->call == call && i < hist->nr_actions; i++) {
			const struct synth_event *synth = hist->action[i]->synth;

			if (synth && action_leads_to(&synth->call, from, limit - 1))
				return true;
		}
	}

	return false;
}

/* A synthetic event must not cause itself. */
static int action_check_chain(struct action_parse *parse, const char *at,
			      const struct synth_event *synth)
{
	const struct trace_event_call *call = parse->build->hist->call;

	if (action_leads_to(&synth->call, call, ACTION_CHAIN_MAX))
		return action_refuse(parse, at, "Synthetic event would cause itself");
	if (1 + action_chain(call, false, ACTION_CHAIN_MAX) +
	    action_chain(&synth->call, true, ACTION_CHAIN_MAX) > ACTION_CHAIN_MAX)
		return action_refuse(parse, at, "Too many synthetic events in a row");

	return 0;
}

/* Must a value be stored in a buffer first? There is space for one such value. */
static bool action_needs_buf(const struct hist_value *value)
{
	return value->step->op == HIST_OP_TEXT_PTR || value->step->op == HIST_OP_STACK;
}

/*
 * Does a field have the type of a parameter? Names of types may differ, like pid_t and int. The
 * result of an expression fits any number.
 */
static bool action_fits(const struct hist_value *param, const struct synth_field *field)
{
	const struct synth_type *number = field->number;

	if (param->kind != field->kind)
		return false;
	if (param->kind != VALUE_NUMBER || param->nr > 1 || param->step->op == HIST_OP_CONST)
		return true;

	return !strcmp(param->type, number->name) ||
	       (param->size == number->size && param->is_signed == number->is_signed);
}

static int action_check_params(struct action_parse *parse, const char *at)
{
	const struct hist_action *action = parse->action;
	const struct synth_event *synth = action->synth;
	bool buf_used = false;
	unsigned int i;

	if (action->nr != synth->nr)
		return action_refuse(parse, at,
				     "Param count doesn't match synthetic event field count");
	for (i = 0; i < action->nr; i++) {
		if (!action_fits(&action->param[i], &synth->field[i]))
			return action_refuse(parse, at,
					     "Param type doesn't match synthetic event field type");
		if (buf_used && action_needs_buf(&action->param[i]))
			return action_refuse(parse, at, "Save it in a variable first");
		buf_used |= action_needs_buf(&action->param[i]);
	}

	return 0;
}

static int action_trace(struct action_parse *parse, char *name, char *params)
{
	struct trace_event_call *call = trace_event_call_find(SYNTH_SYSTEM, name);
	struct synth_event *synth = call ? synth_of_call(call) : NULL;
	int err;

	if (!synth)
		return action_refuse(parse, name, "Couldn't find synthetic event");
	err = action_check_chain(parse, name, synth) ?: action_params(parse, params);
	if (err)
		return err;

	/* The event is pinned from now on, until hist_actions_drop(). */
	trace_event_call_pin(call);
	parse->action->synth = synth;

	return action_check_params(parse, params ?: name);
}

static int action_act(struct action_parse *parse)
{
	struct hist_action *action = parse->action;
	char *params = parse->params, *name;

	if (!strcmp(parse->act, "save") || !strcmp(parse->act, "snapshot")) {
		action->act = strcmp(parse->act, "save") ? HIST_SNAPSHOT : HIST_SAVE;
		if (action->handler == HIST_ONMATCH)
			return action_refuse(parse, parse->act, "Invalid action for onmatch");
		if (action->act == HIST_SAVE)
			return *params ? action_params(parse, params) :
					 action_refuse(parse, params, "No parameters");
		return *params ? action_refuse(parse, params, "snapshot has no parameters") : 0;
	}

	action->act = HIST_TRACE;
	name = strcmp(parse->act, "trace") ? parse->act : hist_list_next(&params);

	return action_trace(parse, name, params);
}

static int action_text(struct hist_action *action, const struct action_parse *parse)
{
	char *text = kmalloc(PAGE_SIZE, GFP_KERNEL);
	struct seq_buf s;
	unsigned int i;

	if (!text)
		return -ENOMEM;

	seq_buf_init(&s, text, PAGE_SIZE);
	seq_buf_printf(&s, ":%s(%s).", parse->handler, parse->arg);
	/* The parser has split the parameters of trace(). */
	seq_buf_printf(&s, "%s(", parse->act);
	if (!strcmp(parse->act, "trace"))
		seq_buf_printf(&s, "%s%s", action->synth->call.name, action->nr ? "," : "");
	for (i = 0; i < action->nr; i++)
		seq_buf_printf(&s, "%s%s", i ? "," : "", action->param[i].text);
	seq_buf_puts(&s, ")");
	action->text = kstrdup(seq_buf_str(&s), GFP_KERNEL);
	kfree(text);
	action->tracked_text = kstrdup(parse->arg, GFP_KERNEL);

	return action->text && action->tracked_text ? 0 : -ENOMEM;
}

/**
 * hist_action_parse - add an action to a histogram
 * @build: the histogram, with its keys, values and variables; hist_actions_drop() and
 *	hist_actions_free() undo this, also after an error
 * @text: text of the action, in the copy of the trigger's text
 *
 * trace_event_lock held. May sleep.
 *
 * Return: 0; -EINVAL with the reason in error_log; -ENOMEM
 */
int hist_action_parse(struct hist_build *build, char *text)
{
	struct hist_action *action = kzalloc(sizeof(*action), GFP_KERNEL);
	struct action_parse parse = { .build = build, .action = action };
	struct hist *hist = build->hist;
	int err;

	if (!action)
		return -ENOMEM;

	hist->action[hist->nr_actions++] = action;
	err = action_split(&parse, text) ?: action_handler(&parse) ?: action_act(&parse);

	return err ?: action_text(action, &parse);
}

/**
 * hist_actions_text - print the actions of a histogram
 * @s: output
 * @hist: the histogram
 */
void hist_actions_text(struct seq_buf *s, const struct hist *hist)
{
	unsigned int i;

	for (i = 0; i < hist->nr_actions; i++)
		seq_buf_puts(s, hist->action[i]->text);
}

/**
 * hist_actions_drop - drop the references that actions hold
 * @hist: the histogram; hits of it may be in progress
 *
 * trace_event_lock held.
 */
void hist_actions_drop(struct hist *hist)
{
	unsigned int i;

	for (i = 0; i < hist->nr_actions; i++) {
		if (hist->action[i]->synth)
			trace_event_call_unpin(&hist->action[i]->synth->call);
	}
}

/**
 * hist_actions_free - free the actions of a histogram
 * @hist: the histogram, which is no longer in use
 *
 * Context: any except NMI
 */
void hist_actions_free(struct hist *hist)
{
	unsigned int i, p;

	for (i = 0; i < hist->nr_actions; i++) {
		struct hist_action *action = hist->action[i];

		for (p = 0; p < action->nr; p++)
			hist_value_free(&action->param[p]);
		hist_value_free(&action->tracked);
		kfree(action->tracked_text);
		kfree(action->text);
		kfree(action->match);
		kfree(action->taken_elt);
		kfree(action);
	}
}
