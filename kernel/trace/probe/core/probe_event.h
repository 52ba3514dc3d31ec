/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Dynamic events: trace events that users define, each with one probe or several.
 */
#ifndef _TRACE_PROBE_CORE_PROBE_EVENT_H
#define _TRACE_PROBE_CORE_PROBE_EVENT_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/trace_events.h>

#include "probe/arg/probe_args.h"
#include "probe/core/uprobe_targets.h"

struct module;
struct probe;
struct probe_words;
struct seq_file;
struct trace_array;

/* What an event is named by users. */
#define PROBE_NAME_MAX		64

/* Dynamic events come and go under it. Taken before trace_event_lock. */
extern struct mutex probe_lock;

/* In the order in which they came; probe_lock. */
extern struct list_head probe_events;

/**
 * struct probe_name - what a definition names its event
 * @group: its system, "" if there is none
 * @event: its name, "" if there is none
 */
struct probe_name {
	char	group[PROBE_NAME_MAX];
	char	event[PROBE_NAME_MAX];
};

/**
 * struct probe_kind - a kind of place that probes can be at
 * @list: of all kinds
 * @flags: TRACE_EVENT_FL_* of its events
 * @is_begun_by: whether a definition of this kind begins with this word
 * @is_place: whether the word behind it may be a place of this kind, where definitions of other
 *	      kinds begin with the same word: kinds that have it are asked first
 * @define: define what the words say, by probe_event_add()
 * @free: free a probe that is not attached
 * @attach: get ready to be enabled; return 0 or an error
 * @detach: undo @attach; no probe is under way when this returns
 * @enable: begin to call probe_hit(); return 0 or an error
 * @disable: undo @enable; probes may still be under way
 * @enable_in: in place of @enable, NULL for other kinds: begin to call probe_hit() for an
 *	       instance; called once for each user
 * @disable_in: undo one @enable_in
 * @reach: an enabled event is about more tasks, or fewer, than before; return 0 or an error. For
 *	   places in programs, NULL otherwise
 * @at_return: whether an entry has the address of a function and where it returned to, and not
 *	       one address
 * @missed: how often a probe was not called where it should have been
 * @is_in: whether the definition of a probe names a module; NULL if none does
 * @follow: the module is being loaded (@coming) or unloaded: attach the probe, or detach it;
 *	    with trace_event_lock held, too. Return: 0 or an error, which is logged
 *
 * Called with probe_lock held, those that enable, disable or reach with trace_event_lock alone; all
 * may sleep.
 */
struct probe_kind {
	struct list_head list;
	int		flags;
	bool		(*is_begun_by)(const char *word);
	bool		(*is_place)(const char *word);
	int		(*define)(struct probe_words *words);
	void		(*free)(struct probe *probe);
	int		(*attach)(struct probe *probe);
	void		(*detach)(struct probe *probe);
	int		(*enable)(struct probe *probe);
	void		(*disable)(struct probe *probe);
	int		(*enable_in)(struct probe *probe, struct trace_array *tr);
	void		(*disable_in)(struct probe *probe, struct trace_array *tr);
	int		(*reach)(struct probe *probe, bool more);
	bool		(*at_return)(const struct probe *probe);
	unsigned long	(*missed)(const struct probe *probe);
	bool		(*is_in)(const struct probe *probe, const struct module *module);
	int		(*follow)(struct probe *probe, struct module *module, bool coming);
};

/**
 * struct probe_event - a dynamic event
 * @list: in probe_events
 * @kind: of its probes
 * @at_return: its entries have two addresses: of a function, and where it returned to
 * @system: its system
 * @class: its class, which no other event has
 * @call: the trace event
 * @shape: the arguments of its first probe; those of others have the same names and types
 * @probes: its probes; to change them takes probe_lock and trace_event_lock
 * @gone: probes that were removed, and are freed with the event
 * @files: struct probe_file, the instances in which it is enabled; trace_event_lock, and RCU
 * @perf: perf gets entries; set with trace_event_lock
 * @targets: what the perf events are about
 * @users: how many instances, and perf; trace_event_lock
 * @kept: how many probes are on it; probe_lock
 */
struct probe_event {
	struct list_head		list;
	const struct probe_kind		*kind;
	bool				at_return;
	char				*system;
	struct trace_event_class	class;
	struct trace_event_call		call;
	const struct probe_args		*shape;
	struct list_head		probes;
	struct list_head		gone;
	struct list_head		files;
	bool				perf;
	struct probe_targets		targets;
	unsigned int			users;
	unsigned int			kept;
};

/**
 * struct probe_file - an instance in which an event is enabled
 * @list: in probe_event.files
 * @file: the event in the instance
 * @rcu: to free it
 */
struct probe_file {
	struct list_head		list;
	struct trace_event_file		*file;
	struct rcu_head			rcu;
};

/**
 * struct probe - one probe of an event
 * @list: in probe_event.probes
 * @event: its event
 * @command: the first word of its definition, without the name of the event
 * @where: the second one, so written that two probes at the same place have the same
 * @filter: a filter of the event that it is on, as text; NULL for all entries
 * @args: its arguments
 * @hits: how often it was hit, by CPU
 */
struct probe {
	struct list_head		list;
	struct probe_event		*event;
	char				*command;
	char				*where;
	char				*filter;
	struct probe_args		args;
	unsigned long __percpu		*hits;
};

/**
 * struct probe_others - dynamic events that have no probes, of an upper room
 * @is_begun_by: whether a definition of theirs begins with this word
 * @define: define what the words say
 * @remove: remove those of a group, or of any if it is "", and of a name, or of any. Return: how
 *	    many were removed, or an error
 * @remove_all: remove all; return 0 or an error
 * @show: list all
 *
 * Called with probe_lock held; may sleep.
 */
struct probe_others {
	bool	(*is_begun_by)(const char *word);
	int	(*define)(struct probe_words *words);
	int	(*remove)(const struct probe_name *name);
	int	(*remove_all)(void);
	void	(*show)(struct seq_file *m);
};

/* NULL without them; set by an initcall. */
extern const struct probe_others *probe_others;

/* probe_event_place - where the first probe of an event is, or was */
static inline const char *probe_event_place(const struct probe_event *event)
{
	return container_of(event->shape, struct probe, args)->where;
}

void probe_kind_register(struct probe_kind *kind);
int probe_name_parse(struct probe_name *name, struct probe_words *words, char *text);
void probe_name_mend(struct probe_name *name);
int probe_maxactive_parse(unsigned int *most, struct probe_words *words, const char *text);
int probe_init(struct probe *probe, struct probe_words *words,
	       const struct probe_place *place, bool at_return);
void probe_free(struct probe *probe);
int probe_event_add(const struct probe_kind *kind, struct probe *probe,
		    const struct probe_name *name, struct probe_words *words);
struct probe_event *probe_event_hidden(const struct probe_kind *kind, struct probe *probe,
				       const struct probe_name *name);
void probe_event_drop_hidden(struct probe_event *event);

int probe_command(const struct probe_kind *kind, const char *text, const char *where);
int probe_remove_all(const struct probe_kind *kind);
void probe_show(struct seq_file *m, const struct probe *probe);
unsigned long probe_hits(const struct probe *probe);

/* probe_text.c */
char *probe_print_format(const struct probe_event *event);
struct trace_event_fields *probe_fields(const struct probe_event *event);
extern struct trace_event_functions probe_event_functions;

/* probe_hit.c */
int probe_scratch_prepare(void);
void probe_hit(struct probe *probe, const struct probe_source *source,
	       const unsigned long *addresses);
void probe_hit_sleeping(struct probe *probe, struct probe_source *source,
			const unsigned long *addresses, bool perf);

/* probe_use.c */
int probe_reg(struct trace_event_call *call, enum trace_reg type, void *data);
int probe_enable_another(struct probe *probe);

#endif /* _TRACE_PROBE_CORE_PROBE_EVENT_H */
