/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Actions of histograms: a handler decides when an action runs.
 */
#ifndef _TRACE_HIST_HIST_ACTION_H
#define _TRACE_HIST_HIST_ACTION_H

#include "hist/core/hist_expr.h"
#include "synth/synth.h"

struct seq_buf;
struct seq_file;

enum hist_handler {
	HIST_ONMATCH,
	HIST_ONMAX,
	HIST_ONCHANGE,
};

enum hist_act {
	HIST_TRACE,
	HIST_SAVE,
	HIST_SNAPSHOT,
};

/* Maximum number of parameters of an action: the fields of a synthetic event. */
#define HIST_PARAMS_MAX		SYNTH_FIELDS_MAX

/**
 * struct hist_action - an action and its handler
 * @handler: the handler
 * @act: the action
 * @text: text as shown in the trigger
 * @match: event of onmatch, "system.event"
 * @tracked: variable of onmax and onchange; stored in the values of an element
 * @tracked_text: original text of the variable
 * @param: parameters that are traced or saved; saved ones are stored in the values of an
 *	element
 * @nr: number of parameters
 * @synth: synthetic event that is generated
 * @armed: the action is the condition for snapshots of the instance
 * @taken: a snapshot was taken, for the values below
 * @taken_value: value of the variable
 * @taken_elt: the element
 */
struct hist_action {
	enum hist_handler	handler;
	enum hist_act		act;
	char			*text;
	char			*match;
	struct hist_value	tracked;
	char			*tracked_text;
	struct hist_value	param[HIST_PARAMS_MAX];
	unsigned int		nr;
	struct synth_event	*synth;
	bool			armed;
	bool			taken;
	u64			taken_value;
	u64			*taken_elt;
};

int hist_action_parse(struct hist_build *build, char *text);
int hist_actions_begin(struct hist *hist, struct hist_params *params);
void hist_actions_end(struct hist *hist);
void hist_actions_drop(struct hist *hist);
void hist_actions_free(struct hist *hist);
void hist_actions_clear(struct hist *hist);
unsigned int hist_actions_place(struct hist *hist, unsigned int at);
void hist_actions_run(struct hist *hist, struct hist_hit *hit, u64 *elt, u64 *values);

void hist_actions_text(struct seq_buf *s, const struct hist *hist);
void hist_actions_show_elt(struct seq_file *m, const struct hist *hist, const u64 *values);
void hist_actions_show_end(struct seq_file *m, const struct hist *hist);

#endif /* _TRACE_HIST_HIST_ACTION_H */
