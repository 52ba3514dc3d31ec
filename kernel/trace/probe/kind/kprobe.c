// SPDX-License-Identifier: GPL-2.0
/*
 * kprobe events: probes at any instruction of the kernel, and at the returns of its functions,
 * with the commands p and r of kprobe_events. See Documentation/trace/kprobetrace.rst.
 */
#include <linux/cleanup.h>
#include <linux/cred.h>
#include <linux/ctype.h>
#include <linux/error-injection.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "probe/arg/env.h"
#include "probe/arg/probe_def.h"
#include "probe/core/probe_event.h"
#include "probe/core/probe_symbol.h"
#include "probe/kind/kprobe.h"
#include "probe/kind/override.h"

/**
 * struct kprobe_place - place of a probe
 * @symbol: a function or another symbol; without a name if @address is used
 * @offset: offset from the symbol
 * @address: address, if there is no symbol
 * @at_return: it is at the return of the function
 */
struct kprobe_place {
	struct probe_symbol	symbol;
	unsigned long		offset;
	unsigned long		address;
	bool			at_return;
};

/**
 * struct kprobe_probe - a probe
 * @probe: the part in common with all kinds
 * @place: its place; the strings are in @text
 * @text: the place as written, split into its parts
 * @rp: the kretprobe, or in its kp field the kprobe
 * @attached: it is registered: its module is loaded
 * @enabled: it has been enabled
 * @overridable: BPF programs may override the function; false while it is not attached
 */
struct kprobe_probe {
	struct probe		probe;
	struct kprobe_place	place;
	char			*text;
	struct kretprobe	rp;
	bool			attached;
	bool			enabled;
	bool			overridable;
};

static struct kprobe_probe *kprobe_of(const struct probe *probe)
{
	return container_of(probe, struct kprobe_probe, probe);
}

/*
 * Hits
 */

/*
 * Has a BPF program of the event overridden the function? A probe that was added to the event
 * after the program was attached may be at another function, which must run.
 */
static __always_inline bool kprobe_is_overridden(const struct kprobe_probe *here,
						 const struct probe_override *before,
						 struct pt_regs *regs)
{
	if (likely(!probe_override_is_done(before, regs)))
		return false;
	if (READ_ONCE(here->overridable))
		return true;

	probe_override_undo(before, regs);

	return false;
}

/* Return: 1 if the registers were changed, so that the probed instruction is not executed */
static int kprobe_hit(struct kprobe *kp, struct pt_regs *regs)
{
	struct kprobe_probe *here = container_of(kp, struct kprobe_probe, rp.kp);
	const struct probe_override before = probe_override_begin(regs);
	const struct probe_source source = { .regs = regs };
	unsigned long address = (unsigned long)kp->addr;

	probe_hit(&here->probe, &source, &address);

	return kprobe_is_overridden(here, &before, regs);
}

NOKPROBE_SYMBOL(kprobe_hit);

/* At the entry of the function, save the arguments that the probe at its return needs. */
static int kprobe_keep(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);
	unsigned long *kept = (unsigned long *)ri->data;
	unsigned int i;

	if (!rp)
		return 1;
	for (i = 0; i < rp->data_size / sizeof(*kept); i++)
		kept[i] = probe_env_argument(regs, i);

	return 0;
}

NOKPROBE_SYMBOL(kprobe_keep);

static int kprobe_hit_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);
	const struct probe_source source = { .regs = regs, .kept = (unsigned long *)ri->data };
	struct kprobe_probe *here;
	unsigned long addresses[2];

	/* The probe was unregistered while the function was running. */
	if (!rp)
		return 0;

	here = container_of(rp, struct kprobe_probe, rp);
	addresses[0] = (unsigned long)rp->kp.addr;
	/* @ri may have the trampoline of another probe that has hooked this return. */
	addresses[1] = instruction_pointer(regs);
	probe_hit(&here->probe, &source, addresses);

	return 0;
}

NOKPROBE_SYMBOL(kprobe_hit_return);

/*
 * Places
 */

/* Does the function at @address, with @size bytes, have a call site? */
static bool kprobe_has_site(unsigned long address, unsigned long size)
{
	/* The second call also finds sites that are discovered when they are executed. */
	return ftrace_location_range(address, address + size - 1) || ftrace_location(address);
}

/*
 * The compiler moves rarely executed code of FUNCTION to FUNCTION.cold, which has no call site
 * of its own. Return: the address of FUNCTION, 0 if @name does not have this form
 */
static unsigned long kprobe_function_of_cold(char *name)
{
	char *dot = strstr(name, ".cold");

	if (!dot || (dot[strlen(".cold")] && dot[strlen(".cold")] != '.'))
		return 0;
	*dot = '\0';

	return kallsyms_lookup_name(name);
}

/* A function that must not be traced must not be probed either. */
static bool kprobe_is_notrace(unsigned long address)
{
	unsigned long size, offset, function;
	char name[KSYM_NAME_LEN], *module;

	if (IS_ENABLED(CONFIG_KPROBE_EVENTS_ON_NOTRACE) ||
	    !IS_ENABLED(CONFIG_DYNAMIC_FTRACE) || !IS_ENABLED(CONFIG_KPROBES_ON_FTRACE))
		return false;
	if (!address || !kallsyms_lookup(address, &size, &offset, &module, name))
		return false;
	if (kprobe_has_site(address - offset, size))
		return false;

	function = kprobe_function_of_cold(name);

	return !function || !kallsyms_lookup_size_offset(function, &size, &offset) ||
	       !kprobe_has_site(function, size);
}

static unsigned long kprobe_address_of(const struct kprobe_place *place)
{
	return place->symbol.name ? probe_symbol_address(&place->symbol) : place->address;
}

/*
 * Callbacks of the kind
 */

/*
 * A kprobe that may become a jump cannot change where the function continues. One at a call site
 * never does.
 */
static bool kprobe_may_override(struct kprobe_probe *here)
{
	struct kprobe *kp = &here->rp.kp;

	return IS_ENABLED(CONFIG_BPF_KPROBE_OVERRIDE) && !here->place.at_return &&
	       kp->flags & KPROBE_FLAG_ON_FUNC_ENTRY &&
	       (kprobe_ftrace(kp) || !IS_ENABLED(CONFIG_OPTPROBES)) &&
	       within_error_injection_list((unsigned long)kp->addr);
}

static int kprobe_register_it(struct kprobe_probe *here)
{
	struct kprobe *kp = &here->rp.kp;
	int err;

	if (kprobe_is_notrace(kprobe_address_of(&here->place) + here->place.offset))
		return -EINVAL;

	/* These were set by the kernel if the probe was registered before. */
	kp->addr = NULL;
	kp->symbol_name = NULL;
	kp->flags = here->enabled ? 0 : KPROBE_FLAG_DISABLED;
	kp->offset = here->place.offset;
	if (here->place.symbol.module)
		kp->addr = (void *)kprobe_address_of(&here->place);
	else if (here->place.symbol.name)
		kp->symbol_name = here->place.symbol.name;
	else
		kp->addr = (void *)here->place.address;
	if (!kp->addr && !kp->symbol_name)
		return -ENOENT;

	err = here->place.at_return ? register_kretprobe(&here->rp) : register_kprobe(kp);
	here->attached = !err;
	WRITE_ONCE(here->overridable, !err && kprobe_may_override(here));

	return err;
}

static void kprobe_unregister_it(struct kprobe_probe *here)
{
	if (!here->attached)
		return;

	if (here->place.at_return)
		unregister_kretprobe(&here->rp);
	else
		unregister_kprobe(&here->rp.kp);
	here->attached = false;
	WRITE_ONCE(here->overridable, false);
}

static int kprobe_attach(struct probe *probe)
{
	struct kprobe_probe *here = kprobe_of(probe);
	int err = security_locked_down(LOCKDOWN_KPROBES);

	if (err)
		return err;

	/* It is registered when its module is loaded. */
	if (!probe_symbol_is_loaded(&here->place.symbol))
		return 0;

	return kprobe_register_it(here);
}

/* Unregister those of the probes that are kprobes, or kretprobes, with one grace period. */
static void kprobe_detach_those(struct list_head *probes, void **group, bool at_return)
{
	struct kprobe_probe *here;
	unsigned int nr = 0;

	list_for_each_entry(here, probes, probe.list) {
		if (!here->attached || here->place.at_return != at_return)
			continue;
		group[nr++] = at_return ? (void *)&here->rp : &here->rp.kp;
		here->attached = false;
		WRITE_ONCE(here->overridable, false);
	}

	if (at_return)
		unregister_kretprobes((struct kretprobe **)group, nr);
	else
		unregister_kprobes((struct kprobe **)group, nr);
}

/* One by one without memory */
static void kprobe_detach(struct list_head *probes)
{
	void **group = kvmalloc_array(list_count_nodes(probes), sizeof(*group), GFP_KERNEL);
	struct kprobe_probe *here;

	if (group) {
		kprobe_detach_those(probes, group, false);
		kprobe_detach_those(probes, group, true);
		kvfree(group);
		return;
	}

	list_for_each_entry(here, probes, probe.list)
		kprobe_unregister_it(here);
}

static int kprobe_enable(struct probe *probe)
{
	struct kprobe_probe *here = kprobe_of(probe);
	int err = 0;

	/*
	 * If its module was unloaded, but its definition does not name the module, the probe is
	 * never hit.
	 */
	if (here->attached && !kprobe_gone(&here->rp.kp))
		err = here->place.at_return ? enable_kretprobe(&here->rp) :
					      enable_kprobe(&here->rp.kp);
	here->enabled = !err;

	return err;
}

static void kprobe_disable(struct probe *probe)
{
	struct kprobe_probe *here = kprobe_of(probe);

	here->enabled = false;
	if (!here->attached)
		return;

	if (here->place.at_return)
		disable_kretprobe(&here->rp);
	else
		disable_kprobe(&here->rp.kp);
}

static void kprobe_free(struct probe *probe)
{
	struct kprobe_probe *here = kprobe_of(probe);

	probe_free(probe);
	kfree(here->text);
	kfree(here);
}

/**
 * probe_kprobe_waits - is a probe in a module that is not loaded?
 * @probe: the probe
 */
bool probe_kprobe_waits(const struct probe *probe)
{
	return !probe_symbol_is_loaded(&kprobe_of(probe)->place.symbol);
}

static bool kprobe_at_return(const struct probe *probe)
{
	return kprobe_of(probe)->place.at_return;
}

static unsigned long kprobe_missed(const struct probe *probe)
{
	const struct kprobe_probe *here = kprobe_of(probe);

	return here->rp.kp.nmissed + (here->place.at_return ? here->rp.nmissed : 0);
}

/*
 * Definitions
 */

/* "p" or "r", followed by MAXACTIVE and the name of the event. */
static bool kprobe_is_begun_by(const char *token)
{
	return *token == 'p' || *token == 'r';
}

static int kprobe_parse_command(struct kprobe_probe *here, struct probe_def *def,
				struct probe_name *name)
{
	char *token = def->token[0], *colon = strchr(token, ':');
	unsigned int most;
	int err = 0;

	*name = (struct probe_name){};
	here->place.at_return = *token == 'r';
	if (colon) {
		*colon = '\0';
		err = probe_name_parse(name, def, colon + 1, "");
	}
	if (err)
		return err;
	if (!token[1])
		return 0;
	if (!here->place.at_return)
		return probe_refuse(def, token + 1, "Only a return probe has a maximum");
	err = probe_maxactive_parse(&most, def, token + 1);
	if (!err)
		here->rp.maxactive = most;

	return err;
}

/* [MODULE:]SYMBOL[+OFFSET][%return]. @at: its position in the definition */
static int kprobe_parse_symbol(struct kprobe_probe *here, struct probe_def *def, const char *at)
{
	struct kprobe_place *place = &here->place;
	char *text = here->text, *colon, *plus, *percent;

	percent = strchr(text, '%');
	if (percent) {
		if (strcmp(percent, "%return"))
			return probe_refuse(def, at + (percent - text),
					    "Only %return can follow a symbol");
		*percent = '\0';
		place->at_return = true;
	}
	plus = strpbrk(text, "+-");
	if (plus) {
		/* The offset in struct kprobe is an unsigned int. */
		if (*plus == '-' || kstrtoul(plus + 1, 0, &place->offset) ||
		    place->offset > UINT_MAX)
			return probe_refuse(def, at + (plus - text), "Invalid offset");
		*plus = '\0';
	}
	colon = strchr(text, ':');
	place->symbol.name = text;
	if (colon) {
		*colon = '\0';
		place->symbol.module = text;
		place->symbol.name = colon + 1;
	}
	if (!*place->symbol.name || !*text)
		return probe_refuse(def, at, "There is no symbol");
	/* This is a place in a program, which belongs in uprobe_events */
	if (strchr(text, '/'))
		return probe_refuse(def, at, "Invalid name of a module");

	return 0;
}

/* Is this the entry of a function, also in a module that is not loaded yet? */
static bool kprobe_is_entry(const struct kprobe_place *place)
{
	if (!probe_symbol_is_loaded(&place->symbol))
		return !place->offset;
	if (place->symbol.name)
		return !kprobe_on_func_entry(NULL, place->symbol.name, place->offset);

	return !kprobe_on_func_entry((void *)place->address, NULL, 0);
}

static int kprobe_parse_place(struct kprobe_probe *here, struct probe_def *def)
{
	struct kprobe_place *place = &here->place;
	const char *at;
	int err;

	if (def->nr < 2)
		return probe_refuse(def, def->token[0] + strlen(def->token[0]),
				    "There is no place");
	at = def->token[1];
	here->text = kstrdup(at, GFP_KERNEL);
	if (!here->text)
		return -ENOMEM;

	if (isdigit(*at)) {
		if (kstrtoul(at, 0, &place->address))
			return probe_refuse(def, at, "Invalid address");
	} else {
		err = kprobe_parse_symbol(here, def, at) ?:
		      probe_symbol_check(&place->symbol, def, at);
		if (err)
			return err;
	}
	if (place->at_return && !kprobe_is_entry(place))
		return probe_refuse(def, at, "A return probe must be at the entry of a function");

	return 0;
}

/*
 * The place as one token, which is the same for the same place; %return is implied by the
 * command.
 */
static char *kprobe_where_text(const struct kprobe_place *place)
{
	const char *module = place->symbol.module ?: "", *name = place->symbol.name;
	const char *colon = place->symbol.module ? ":" : "";

	if (!name)
		return kasprintf(GFP_KERNEL, "0x%lx", place->address);
	if (place->offset)
		return kasprintf(GFP_KERNEL, "%s%s%s+%lu", module, colon, name,
				 place->offset);

	return kasprintf(GFP_KERNEL, "%s%s%s", module, colon, name);
}

/* Derive missing names from the place. */
static void kprobe_complete_name(struct probe_name *name, const struct kprobe_place *place)
{
	if (!*name->group)
		strscpy(name->group, "kprobes");
	if (*name->event)
		return;

	if (place->symbol.name)
		snprintf(name->event, sizeof(name->event), "%c_%s_%lu",
			 place->at_return ? 'r' : 'p', place->symbol.name, place->offset);
	else
		snprintf(name->event, sizeof(name->event), "%c_0x%lx",
			 place->at_return ? 'r' : 'p', place->address);
	probe_name_mend(name);
}

static unsigned int kprobe_place_flags(const struct kprobe_place *place)
{
	if (place->at_return)
		return PROBE_AT_RETURN;

	return kprobe_is_entry(place) ? PROBE_AT_ENTRY : 0;
}

/* Report why the kernel refuses a probe at this place */
static int kprobe_explain(int err, struct probe_def *def)
{
	const char *what = "A probe is not possible here";

	if (err == -EILSEQ)
		what = "No instruction begins there";
	if (err == -EINVAL || err == -EILSEQ)
		return probe_refuse(def, def->token[1], what);

	return err;
}

static int kprobe_make(struct kprobe_probe *here, struct probe_def *def,
		       struct probe_name *name)
{
	struct kretprobe *rp = &here->rp;
	struct probe_place place = {};
	int err;

	err = kprobe_parse_command(here, def, name) ?: kprobe_parse_place(here, def);
	if (err)
		return err;

	if (rp->maxactive)
		here->probe.command = kasprintf(GFP_KERNEL, "r%d", rp->maxactive);
	else
		here->probe.command = kstrdup(here->place.at_return ? "r" : "p", GFP_KERNEL);
	here->probe.where = kprobe_where_text(&here->place);
	if (!here->probe.command || !here->probe.where)
		return -ENOMEM;

	kprobe_complete_name(name, &here->place);
	place.flags = kprobe_place_flags(&here->place);
	if (!probe_symbol_is_loaded(&here->place.symbol))
		place.flags |= PROBE_WAITS;
	place.function = here->place.symbol.name;
	err = probe_init(&here->probe, def, &place, here->place.at_return);
	if (err)
		return err;

	if (here->place.at_return) {
		rp->handler = kprobe_hit_return;
		rp->data_size = here->probe.args.nr_kept * sizeof(unsigned long);
		rp->entry_handler = rp->data_size ? kprobe_keep : NULL;
	} else {
		rp->kp.pre_handler = kprobe_hit;
	}

	return 0;
}

/**
 * probe_kprobe_info - get the place of the first probe of an event
 * @call: the event, with TRACE_EVENT_FL_KPROBE and with a reference
 * @info: filled in; the symbol is valid as long as the event
 *
 * Any context.
 */
void probe_kprobe_info(const struct trace_event_call *call, struct probe_kprobe_info *info)
{
	const struct probe_event *event = container_of(call, struct probe_event, call);
	const struct probe *probe = list_first_entry(&event->probes, struct probe, list);
	const struct kprobe_probe *here = kprobe_of(probe);

	*info = (struct probe_kprobe_info){
		.at_return	= here->place.at_return,
		.symbol		= here->place.symbol.name,
		.offset		= here->place.offset,
		.address	= kallsyms_show_value(current_cred()) ?
				  (unsigned long)here->rp.kp.addr : 0,
		.missed		= kprobe_missed(probe),
	};
}

/**
 * probe_kprobe_may_override - may a BPF program of an event override the probed functions?
 * @call: the event, with TRACE_EVENT_FL_KPROBE and in use
 *
 * Any context.
 */
bool probe_kprobe_may_override(const struct trace_event_call *call)
{
	const struct probe_event *event = container_of(call, struct probe_event, call);
	const struct probe *probe;

	guard(rcu)();

	/* While the event is in use, probes are added to it, but not removed. */
	list_for_each_entry_rcu(probe, &event->probes, list) {
		if (!READ_ONCE(kprobe_of(probe)->overridable))
			return false;
	}

	return true;
}

static struct probe_kind kprobe_kind;

/**
 * probe_kprobe_make - make a probe that is not part of an event yet
 * @def: its definition
 * @name: set to the name of its event
 *
 * Return: the probe, or an error, possibly with the reason in @def
 */
struct probe *probe_kprobe_make(struct probe_def *def, struct probe_name *name)
{
	struct kprobe_probe *here = kzalloc(sizeof(*here), GFP_KERNEL);
	int err;

	if (!here)
		return ERR_PTR(-ENOMEM);

	err = kprobe_make(here, def, name);
	if (err) {
		kprobe_free(&here->probe);
		return ERR_PTR(err);
	}

	return &here->probe;
}

static int kprobe_define(struct probe_def *def)
{
	struct probe_name name;
	struct probe *probe;
	int err;

	guard(mutex)(&probe_lock);

	probe = probe_kprobe_make(def, &name);
	if (IS_ERR(probe))
		return PTR_ERR(probe);

	err = probe_event_add(&kprobe_kind, probe, &name, def);
	if (err)
		kprobe_free(probe);

	return kprobe_explain(err, def);
}

#ifdef CONFIG_MODULES
static bool kprobe_is_in(const struct probe *probe, const struct module *module)
{
	const char *name = kprobe_of(probe)->place.symbol.module;

	return name && !strcmp(name, module->name);
}

static int kprobe_follow(struct probe *probe, struct module *module, bool coming)
{
	struct kprobe_probe *here = kprobe_of(probe);

	if (!coming)
		kprobe_unregister_it(here);
	else if (!here->attached)
		return probe_symbol_count(&here->place.symbol) == 1 ? kprobe_register_it(here) :
								     -EADDRNOTAVAIL;

	return 0;
}
#endif

static struct probe_kind kprobe_kind = {
	.flags		= TRACE_EVENT_FL_KPROBE,
	.is_begun_by	= kprobe_is_begun_by,
	.define		= kprobe_define,
	.free		= kprobe_free,
	.attach		= kprobe_attach,
	.detach		= kprobe_detach,
	.waits_for_rcu	= true,
	.enable		= kprobe_enable,
	.disable	= kprobe_disable,
	.at_return	= kprobe_at_return,
	.missed		= kprobe_missed,
#ifdef CONFIG_MODULES
	.is_in		= kprobe_is_in,
	.follow		= kprobe_follow,
#endif
};

const struct probe_kind *const probe_kprobes = &kprobe_kind;

static int __init kprobe_events_init(void)
{
	probe_kind_register(&kprobe_kind);

	return 0;
}
core_initcall(kprobe_events_init);
