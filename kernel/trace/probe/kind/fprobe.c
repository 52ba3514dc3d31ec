// SPDX-License-Identifier: GPL-2.0
/*
 * fprobe events: probes on the entries and returns of functions, and on tracepoints, with the
 * commands f and t of dynamic_events. See Documentation/trace/fprobetrace.rst.
 *
 * A tracepoint has an empty function, its probestub, with a pointer followed by the arguments
 * of the tracepoint as parameters. A probe on a tracepoint attaches this function to the
 * tracepoint, with itself as the pointer, and is then a probe on the entry of the function.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/fprobe.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "event/core/event_list.h"
#include "ftrace/entry/ftrace_rcu.h"
#include "probe/arg/env.h"
#include "probe/arg/probe_def.h"
#include "probe/core/probe_event.h"
#include "probe/core/probe_left.h"
#include "probe/core/probe_symbol.h"

/**
 * struct fprobe_event_probe - a probe
 * @probe: the part in common with all kinds
 * @symbol: the function; its strings are in @text
 * @text: the place as written, split into its parts
 * @tracepoint: used instead of a function, NULL while its module is not loaded
 * @owner: the module of @tracepoint
 * @owner_name: name of this module, NULL if the tracepoint is built in
 * @on_tracepoint: it is on a tracepoint
 * @at_return: it is at the return of the function
 * @maxactive: maximum number of returns to wait for, 0 for the default
 * @fp: the fprobe, while @registered, and while it is waited for; keeps its number of missed hits
 * @missed: number of hits missed by fprobes before @fp
 * @registered: @fp is registered: it is enabled and its module is loaded
 * @enabled: it has been enabled
 * @left: number of the unregistration of @fp, see fprobe_event_synchronize(); 0 if it is not
 *	waited for
 */
struct fprobe_event_probe {
	struct probe		probe;
	struct probe_symbol	symbol;
	char			*text;
	struct tracepoint	*tracepoint;
	struct module		*owner;
	char			*owner_name;
	bool			on_tracepoint;
	bool			at_return;
	unsigned int		maxactive;
	struct fprobe		fp;
	unsigned long		missed;
	bool			registered;
	bool			enabled;
	unsigned long		left;
};

static struct fprobe_event_probe *fprobe_event_of(const struct probe *probe)
{
	return container_of(probe, struct fprobe_event_probe, probe);
}

/*
 * Hits. Preemption is disabled.
 */

static int fprobe_event_hit(struct fprobe *fp, unsigned long entry_ip, unsigned long ret_ip,
			    struct pt_regs *regs, void *entry_data)
{
	struct fprobe_event_probe *here = container_of(fp, struct fprobe_event_probe, fp);
	const struct probe_source source = { .regs = regs };

	/* The function is called for each probe on the tracepoint. */
	if (here->on_tracepoint && probe_env_argument(regs, 0) != (unsigned long)here)
		return 0;

	probe_hit(&here->probe, &source, &entry_ip);

	return 0;
}

NOKPROBE_SYMBOL(fprobe_event_hit);

/* At the entry of the function, save the arguments that the probe at its return needs. */
static int fprobe_event_keep(struct fprobe *fp, unsigned long entry_ip, unsigned long ret_ip,
			     struct pt_regs *regs, void *entry_data)
{
	unsigned long *kept = entry_data;
	unsigned int i;

	for (i = 0; i < fp->entry_data_size / sizeof(*kept); i++)
		kept[i] = probe_env_argument(regs, i);

	return 0;
}

NOKPROBE_SYMBOL(fprobe_event_keep);

static void fprobe_event_hit_return(struct fprobe *fp, unsigned long entry_ip,
				    unsigned long ret_ip, struct pt_regs *regs,
				    void *entry_data)
{
	struct fprobe_event_probe *here = container_of(fp, struct fprobe_event_probe, fp);
	const struct probe_source source = { .regs = regs, .kept = entry_data };
	const unsigned long addresses[] = { entry_ip, ret_ip };

	probe_hit(&here->probe, &source, addresses);
}

NOKPROBE_SYMBOL(fprobe_event_hit_return);

/*
 * Callbacks of the kind
 */

static bool fprobe_event_is_loaded(const struct fprobe_event_probe *here)
{
	return here->on_tracepoint ? !!here->tracepoint : probe_symbol_is_loaded(&here->symbol);
}

/* Return: the address of the function, 0 if it cannot be traced */
static unsigned long fprobe_event_address(const struct fprobe_event_probe *here)
{
	unsigned long address;

	if (here->on_tracepoint)
		address = (unsigned long)here->tracepoint->probestub;
	else
		address = probe_symbol_address(&here->symbol);

	return address && ftrace_location(address) ? address : 0;
}

static struct probe_left fprobe_event_left =
	PROBE_LEFT_INIT(fprobe_event_left, ftrace_synchronize);

/* Wait until the handlers of the unregistered fprobe have returned. */
static void fprobe_event_synchronize(struct fprobe_event_probe *here)
{
	if (!here->left)
		return;

	probe_left_wait(&fprobe_event_left, here->left);
	unregister_fprobe_finish(&here->fp);
	here->left = 0;
}

static int fprobe_event_register_fprobe(struct fprobe_event_probe *here)
{
	unsigned long address = fprobe_event_address(here);
	size_t kept = here->probe.args.nr_kept * sizeof(unsigned long);

	if (!address)
		return -EINVAL;

	fprobe_event_synchronize(here);
	here->missed += here->fp.nmissed;
	here->fp = (struct fprobe){};
	if (here->at_return) {
		here->fp.exit_handler = fprobe_event_hit_return;
		here->fp.entry_handler = kept ? fprobe_event_keep : NULL;
		here->fp.entry_data_size = kept;
		here->fp.nr_maxactive = here->maxactive;
	} else {
		here->fp.entry_handler = fprobe_event_hit;
	}

	return register_fprobe_ips(&here->fp, &address, 1);
}

static int fprobe_event_register(struct fprobe_event_probe *here)
{
	struct tracepoint *tp = here->tracepoint;
	int err;

	/* Pin the module while a probe is attached to its tracepoint. */
	if (here->owner && !try_module_get(here->owner))
		return -ENOENT;

	err = fprobe_event_register_fprobe(here);
	if (!err && here->on_tracepoint) {
		err = tracepoint_probe_register(tp, tp->probestub, here);
		if (err)
			unregister_fprobe(&here->fp);
	}
	here->registered = !err;
	if (err)
		module_put(here->owner);

	return err;
}

static void fprobe_event_unregister(struct fprobe_event_probe *here)
{
	struct tracepoint *tp = here->tracepoint;

	if (!here->registered)
		return;

	if (here->on_tracepoint)
		tracepoint_probe_unregister(tp, tp->probestub, here);
	here->registered = false;
	if (!unregister_fprobe_nosync(&here->fp))
		here->left = probe_left_add(&fprobe_event_left);
	if (here->on_tracepoint && here->owner) {
		/* The function may be called until after this. */
		tracepoint_synchronize_unregister();
		module_put(here->owner);
	}
}

static int fprobe_event_attach(struct probe *probe)
{
	const struct fprobe_event_probe *here = fprobe_event_of(probe);
	int err = security_locked_down(LOCKDOWN_KPROBES);

	if (err || !fprobe_event_is_loaded(here))
		return err;

	return fprobe_event_address(here) ? 0 : -EINVAL;
}

static void fprobe_event_detach(struct list_head *probes)
{
	struct fprobe_event_probe *here;

	list_for_each_entry(here, probes, probe.list)
		fprobe_event_unregister(here);
	/* The first one usually waits for all. */
	list_for_each_entry(here, probes, probe.list)
		fprobe_event_synchronize(here);
}

static int fprobe_event_enable(struct probe *probe)
{
	struct fprobe_event_probe *here = fprobe_event_of(probe);
	int err = 0;

	if (fprobe_event_is_loaded(here))
		err = fprobe_event_register(here);
	here->enabled = !err;

	return err;
}

static void fprobe_event_disable(struct probe *probe)
{
	struct fprobe_event_probe *here = fprobe_event_of(probe);

	here->enabled = false;
	fprobe_event_unregister(here);
}

static void fprobe_event_free(struct probe *probe)
{
	struct fprobe_event_probe *here = fprobe_event_of(probe);

	probe_free(probe);
	kfree(here->owner_name);
	kfree(here->text);
	kfree(here);
}

static bool fprobe_event_at_return(const struct probe *probe)
{
	return fprobe_event_of(probe)->at_return;
}

static unsigned long fprobe_event_missed(const struct probe *probe)
{
	const struct fprobe_event_probe *here = fprobe_event_of(probe);

	return here->missed + here->fp.nmissed;
}

/*
 * Tracepoints
 */

/**
 * struct fprobe_tracepoint_match - search for a tracepoint
 * @name: its name
 * @found: the tracepoint, NULL if it has not been found yet
 * @module: its module, NULL if it is built in
 */
struct fprobe_tracepoint_match {
	const char		*name;
	struct tracepoint	*found;
	struct module		*module;
};

static void fprobe_tracepoint_match_one(struct tracepoint *tp, void *data)
{
	struct fprobe_tracepoint_match *match = data;

	if (!match->found && !strcmp(tp->name, match->name))
		match->found = tp;
}

static void fprobe_tracepoint_match_in_module(struct tracepoint *tp, struct module *module,
					      void *data)
{
	struct fprobe_tracepoint_match *match = data;

	if (match->found || module_is_coming(module))
		return;
	fprobe_tracepoint_match_one(tp, data);
	if (match->found)
		match->module = module;
}

/* Also correct for a module that is being loaded: the notifier of the probes is called last. */
static void fprobe_tracepoint_match_in_coming(struct tracepoint *tp, struct module *module,
					      void *data)
{
	struct fprobe_tracepoint_match *match = data;

	fprobe_tracepoint_match_one(tp, data);
	match->module = module;
}

static int fprobe_event_find_tracepoint(struct fprobe_event_probe *here, const char *name)
{
	struct fprobe_tracepoint_match match = { .name = name };

	for_each_kernel_tracepoint(fprobe_tracepoint_match_one, &match);
	if (!match.found)
		for_each_module_tracepoint(fprobe_tracepoint_match_in_module, &match);
	if (!match.found || !match.found->probestub)
		return -ENOENT;

	here->tracepoint = match.found;
	here->owner = match.module;
	if (match.module) {
		here->owner_name = kstrdup(match.module->name, GFP_KERNEL);
		if (!here->owner_name)
			return -ENOMEM;
	}

	return 0;
}

/*
 * Modules
 */

#ifdef CONFIG_MODULES
static bool fprobe_event_is_in(const struct probe *probe, const struct module *module)
{
	const struct fprobe_event_probe *here = fprobe_event_of(probe);
	const char *name = here->on_tracepoint ? here->owner_name : here->symbol.module;

	return name && !strcmp(name, module->name);
}

static int fprobe_event_loaded(struct fprobe_event_probe *here, struct module *module)
{
	struct fprobe_tracepoint_match match = { .name = here->text };

	if (here->on_tracepoint) {
		for_each_tracepoint_in_module(module, fprobe_tracepoint_match_in_coming, &match);
		if (!match.found || !match.found->probestub)
			return -ENOENT;
		here->tracepoint = match.found;
		here->owner = module;
	} else if (probe_symbol_count(&here->symbol) != 1) {
		return -EADDRNOTAVAIL;
	}

	return here->enabled ? fprobe_event_register(here) : 0;
}

static int fprobe_event_follow(struct probe *probe, struct module *module, bool coming)
{
	struct fprobe_event_probe *here = fprobe_event_of(probe);

	if (coming)
		return here->registered ? 0 : fprobe_event_loaded(here, module);

	fprobe_event_unregister(here);
	here->tracepoint = NULL;
	here->owner = NULL;

	return 0;
}
#endif

/*
 * Definitions
 */

static bool fprobe_event_is_begun_by(const char *token)
{
	return *token == 'f' || *token == 't';
}

/* "f" or "t", followed by MAXACTIVE and the name of the event. */
static int fprobe_event_parse_command(struct fprobe_event_probe *here, struct probe_def *def,
				      struct probe_name *name)
{
	char *token = def->token[0], *colon = strchr(token, ':');
	int err = 0;

	*name = (struct probe_name){};
	here->on_tracepoint = *token == 't';
	if (colon) {
		*colon = '\0';
		err = probe_name_parse(name, def, colon + 1, "");
	}
	if (err)
		return err;
	if (!token[1])
		return 0;
	if (here->on_tracepoint)
		return probe_refuse(def, token + 1, "Only a return probe has a maximum");

	return probe_maxactive_parse(&here->maxactive, def, token + 1);
}

/* [MODULE:]SYMBOL[%return] */
static int fprobe_event_parse_function(struct fprobe_event_probe *here, struct probe_def *def,
				       const char *at)
{
	char *text = here->text, *percent = strchr(text, '%'), *colon = strchr(text, ':');

	if (percent) {
		if (strcmp(percent, "%return"))
			return probe_refuse(def, at + (percent - text),
					    "Only %return can follow a symbol");
		*percent = '\0';
		here->at_return = true;
	}
	if (here->maxactive && !here->at_return)
		return probe_refuse(def, def->token[0] + 1,
				    "Only a return probe has a maximum");
	if (strpbrk(text, "+-"))
		return probe_refuse(def, at + strcspn(text, "+-"),
				    "Such a probe is on the entry of a function or its return");
	here->symbol.name = text;
	if (colon) {
		*colon = '\0';
		here->symbol.module = text;
		here->symbol.name = colon + 1;
	}
	if (!*here->symbol.name || !*text)
		return probe_refuse(def, at, "There is no symbol");
	if (strchr(text, '/'))
		return probe_refuse(def, at, "Invalid name of a module");

	return probe_symbol_check(&here->symbol, def, at);
}

static int fprobe_event_parse_place(struct fprobe_event_probe *here, struct probe_def *def)
{
	const char *at;
	int err;

	if (def->nr < 2)
		return probe_refuse(def, def->token[0] + strlen(def->token[0]),
				    "There is no place");
	at = def->token[1];
	here->text = kstrdup(at, GFP_KERNEL);
	here->probe.where = kstrdup(at, GFP_KERNEL);
	if (!here->text || !here->probe.where)
		return -ENOMEM;
	if (!here->on_tracepoint)
		return fprobe_event_parse_function(here, def, at);

	err = fprobe_event_find_tracepoint(here, at);
	if (err == -ENOENT)
		probe_refuse(def, at, "There is no such tracepoint");

	return err;
}

/* Derive missing names from the place. */
static void fprobe_event_complete_name(struct probe_name *name,
				       const struct fprobe_event_probe *here)
{
	if (!*name->group)
		strscpy(name->group, here->on_tracepoint ? "tracepoints" : "fprobes");
	if (*name->event)
		return;

	if (here->on_tracepoint)
		snprintf(name->event, sizeof(name->event), "%s%s",
			 isdigit(*here->text) ? "_" : "", here->text);
	else
		snprintf(name->event, sizeof(name->event), "%s__%s", here->symbol.name,
			 here->at_return ? "exit" : "entry");
	probe_name_mend(name);
}

static int fprobe_event_parse(struct fprobe_event_probe *here, struct probe_def *def,
			      struct probe_name *name)
{
	struct probe_place place = { .flags = PROBE_NO_REGISTERS };
	int err;

	err = fprobe_event_parse_command(here, def, name) ?:
	      fprobe_event_parse_place(here, def);
	if (err)
		return err;

	if (here->maxactive)
		here->probe.command = kasprintf(GFP_KERNEL, "f%u", here->maxactive);
	else
		here->probe.command = kstrdup(here->on_tracepoint ? "t" : "f", GFP_KERNEL);
	if (!here->probe.command)
		return -ENOMEM;

	fprobe_event_complete_name(name, here);
	place.flags |= here->at_return ? PROBE_AT_RETURN : PROBE_AT_ENTRY;
	if (here->on_tracepoint)
		place.flags |= PROBE_AT_TRACEPOINT;
	else if (!probe_symbol_is_loaded(&here->symbol))
		place.flags |= PROBE_WAITS;
	place.function = here->on_tracepoint ? here->text : here->symbol.name;

	return probe_init(&here->probe, def, &place, here->at_return);
}

static struct probe_kind fprobe_event_kind;

static int fprobe_event_define(struct probe_def *def)
{
	struct fprobe_event_probe *here = kzalloc(sizeof(*here), GFP_KERNEL);
	struct probe_name name;
	int err;

	if (!here)
		return -ENOMEM;

	guard(mutex)(&probe_lock);

	err = fprobe_event_parse(here, def, &name) ?:
	      probe_event_add(&fprobe_event_kind, &here->probe, &name, def);
	if (!err)
		return 0;

	fprobe_event_free(&here->probe);
	if (err == -EINVAL)
		return probe_refuse(def, def->token[1], "A probe is not possible here");

	return err;
}

static struct probe_kind fprobe_event_kind = {
	.flags		= TRACE_EVENT_FL_FPROBE,
	.is_begun_by	= fprobe_event_is_begun_by,
	.define		= fprobe_event_define,
	.free		= fprobe_event_free,
	.attach		= fprobe_event_attach,
	.detach		= fprobe_event_detach,
	.enable		= fprobe_event_enable,
	.disable	= fprobe_event_disable,
	.at_return	= fprobe_event_at_return,
	.missed		= fprobe_event_missed,
#ifdef CONFIG_MODULES
	.is_in		= fprobe_event_is_in,
	.follow		= fprobe_event_follow,
#endif
};

static int __init fprobe_events_init(void)
{
	probe_kind_register(&fprobe_event_kind);

	return 0;
}
core_initcall(fprobe_events_init);
