/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Dynamic events: trace events defined by users, each with one or more probes.
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
struct probe_def;
struct seq_file;
struct trace_array;

/* Size of the name of an event. */
#define PROBE_NAME_MAX		64

/* The same of a user event */
#define PROBE_PATH_MAX		256

/* Protects registration of dynamic events. Taken before trace_event_lock. */
extern struct mutex probe_lock;

/* Dynamic events in the order of their definition; protected by probe_lock. */
extern struct list_head probe_events;

/* Kinds of probes; changed only while the kernel boots. */
extern struct list_head probe_kinds;

/**
 * struct probe_name - name of an event in a definition
 * @group: its system, "" if it was left out
 * @event: its name, "" if it was left out
 */
struct probe_name {
	char	group[PROBE_NAME_MAX];
	char	event[PROBE_PATH_MAX];
};

/**
 * struct probe_kind - a kind of probes
 * @list: entry in the list of all kinds
 * @flags: TRACE_EVENT_FL_* of its events
 * @is_begun_by: returns whether a definition of this kind begins with this token
 * @is_place: returns whether the second token may be a place of this kind, if definitions of
 *	other kinds begin with the same token: kinds with this callback are queried first
 * @define: define an event from the tokens, with probe_event_add(); called without probe_lock,
 *	and takes it
 * @free: free a probe that is not attached
 * @attach: prepare the probe for being enabled; return 0 or an error
 * @detach: undo @attach for the probes of a list; no handler of theirs is running when this
 *	returns
 * @waits_for_rcu: @detach waits for a grace period of RCU. It is then also called with
 *	trace_event_lock held
 * @leave: release what users can see in use: the last perf event of a hidden probe was closed,
 *	and @detach follows later; or a probe of an event that remains was removed and detached.
 *	NULL if there is nothing to release
 * @enable: start calling probe_hit(); return 0 or an error
 * @disable: undo @enable; probe handlers may still be running
 * @enable_in: used instead of @enable, NULL for other kinds: start calling probe_hit() for an
 *	instance; called once for each user
 * @disable_in: undo one @enable_in
 * @reach: an enabled event applies to more tasks, or fewer, than before; return 0 or an error.
 *	For places in programs, otherwise NULL
 * @at_return: returns whether an entry has the address of a function and its return address,
 *	instead of one address
 * @missed: returns the number of hits that were missed
 * @is_in: returns whether the definition of a probe names a module; NULL if no definition does
 * @on: returns the trace event that a probe is on; NULL for other kinds
 * @follow: the module is being loaded (@coming) or unloaded: attach or detach the probe; also
 *	called with trace_event_lock held. Return: 0 or an error, which is logged
 *
 * Called with probe_lock held, except @define, and @enable, @disable, @enable_in, @disable_in and
 * @reach, which are called with only trace_event_lock held; all may sleep. Hidden probes, which
 * nobody else knows, are attached and detached without probe_lock.
 */
struct probe_kind {
	struct list_head list;
	int		flags;
	bool		(*is_begun_by)(const char *token);
	bool		(*is_place)(const char *token);
	int		(*define)(struct probe_def *def);
	void		(*free)(struct probe *probe);
	int		(*attach)(struct probe *probe);
	void		(*detach)(struct list_head *probes);
	bool		waits_for_rcu;
	void		(*leave)(struct probe *probe);
	int		(*enable)(struct probe *probe);
	void		(*disable)(struct probe *probe);
	int		(*enable_in)(struct probe *probe, struct trace_array *tr);
	void		(*disable_in)(struct probe *probe, struct trace_array *tr);
	int		(*reach)(struct probe *probe, bool more);
	bool		(*at_return)(const struct probe *probe);
	unsigned long	(*missed)(const struct probe *probe);
	bool		(*is_in)(const struct probe *probe, const struct module *module);
	const struct trace_event_call *(*on)(const struct probe *probe);
	int		(*follow)(struct probe *probe, struct module *module, bool coming);
};

/**
 * struct probe_event - a dynamic event
 * @list: entry in probe_events
 * @kind: kind of its probes
 * @at_return: its entries have two addresses: of a function, and its return address
 * @system: its system
 * @class: its class, which is not shared
 * @call: the trace event
 * @shape: arguments of its first probe; its other probes have arguments with the same names and
 *	types
 * @probes: its probes; changed under probe_lock and trace_event_lock
 * @gone: removed probes, which are freed with the event: only the one with @shape, unless the
 *	event is being removed
 * @files: struct trace_event_user, the instances where it is enabled
 * @perf: perf gets entries; set under trace_event_lock
 * @targets: targets of the perf events
 * @users: number of users: instances, and perf; protected by trace_event_lock
 * @kept: number of probes on this event; protected by probe_lock
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
 * struct probe - a probe of an event
 * @list: entry in probe_event.probes
 * @event: its event
 * @command: first token of its definition, without the name of the event
 * @where: second token, in a form that is the same for all probes at the same place
 * @filter: filter of the event that it is on, as text; NULL if there is no filter
 * @args: its arguments
 * @hits: number of hits, per CPU
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
 * struct probe_others - dynamic events without probes, implemented by another directory
 * @list: entry in the list of these
 * @is_begun_by: returns whether one of their definitions begins with this token
 * @define: define an event from the tokens
 * @remove: remove the events with a group, or any group if it is "", and with a name, or any
 *	name. Return: number of removed events, or an error
 * @is_used: returns whether @remove_all would fail after all probes on these events are removed
 * @remove_all: remove all; return 0 or an error
 * @show: list all
 *
 * Called with probe_lock held; may sleep.
 */
struct probe_others {
	struct list_head	list;
	bool			(*is_begun_by)(const char *token);
	int			(*define)(struct probe_def *def);
	int			(*remove)(const struct probe_name *name);
	bool			(*is_used)(void);
	int			(*remove_all)(void);
	void			(*show)(struct seq_file *m);
};

/* Changed by early_initcall() only. */
extern struct list_head probe_others;

void probe_others_add(struct probe_others *others);

/* probe_event_place - get the place of the event's first probe, which may have been removed */
static inline const char *probe_event_place(const struct probe_event *event)
{
	return container_of(event->shape, struct probe, args)->where;
}

void probe_kind_register(struct probe_kind *kind);
int probe_name_parse(struct probe_name *name, struct probe_def *def, char *text,
		     const char *more);
void probe_name_mend(struct probe_name *name);
int probe_maxactive_parse(unsigned int *most, struct probe_def *def, const char *text);
int probe_init(struct probe *probe, struct probe_def *def,
	       const struct probe_place *place, bool at_return);
void probe_free(struct probe *probe);
int probe_event_add(const struct probe_kind *kind, struct probe *probe,
		    const struct probe_name *name, struct probe_def *def);
struct probe_event *probe_event_hidden(const struct probe_kind *kind, struct probe *probe,
				       const struct probe_name *name);
void probe_event_drop(struct probe_event *event);

int probe_command(const struct probe_kind *kind, const char *text, const char *where);
void probe_show(struct seq_file *m, const struct probe *probe);
unsigned long probe_hits(const struct probe *probe);

/* probe_remove.c */
void probe_detach(struct probe *probe);
void probe_drop_all(struct list_head *events);
int probe_remove_named(const struct probe_kind *kind, struct probe_def *def);
int probe_remove_all(const struct probe_kind *kind);
unsigned int probe_nr_on(const struct trace_event_call *call);

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
