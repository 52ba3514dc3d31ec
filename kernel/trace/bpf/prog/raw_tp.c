// SPDX-License-Identifier: GPL-2.0
/*
 * BPF programs at raw tracepoints, with the arguments of the tracepoint as their context.
 *
 * Each tracepoint that is a trace event, or that is declared by DECLARE_TRACE() in a trace
 * event header, has a struct bpf_raw_event_map in a section of the kernel or of its module,
 * with a probe that passes the arguments to bpf_trace_runN(). The data of the probe is the link
 * that attaches a program.
 */
#include <linux/bpf.h>
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/filter.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

/* Bounds of the section, see include/asm-generic/vmlinux.lds.h */
extern struct bpf_raw_event_map __start__bpf_raw_tp[], __stop__bpf_raw_tp[];

/*
 * Look-up
 */

static struct bpf_raw_event_map *raw_tp_find(struct bpf_raw_event_map *maps, unsigned int nr,
					     const char *name)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (!strcmp(maps[i].tp->name, name))
			return &maps[i];

	return NULL;
}

#ifdef CONFIG_MODULES
/**
 * struct raw_tp_source - a module with raw tracepoints
 * @link: entry in sources
 * @module: the module; its init function has finished, so that a reference pins it
 */
struct raw_tp_source {
	struct list_head	link;
	struct module		*module;
};

static LIST_HEAD(sources);

/* Protects sources. */
static DEFINE_MUTEX(sources_lock);

/* Return: the map, with a reference to its module */
static struct bpf_raw_event_map *raw_tp_find_in_modules(const char *name)
{
	struct raw_tp_source *source;

	guard(mutex)(&sources_lock);

	list_for_each_entry(source, &sources, link) {
		struct module *module = source->module;
		struct bpf_raw_event_map *map;

		map = raw_tp_find(module->bpf_raw_events, module->num_bpf_raw_events, name);
		if (map)
			return try_module_get(module) ? map : NULL;
	}

	return NULL;
}

/* Without memory, programs cannot find the tracepoints of the module. */
static void raw_tp_add_source(struct module *module)
{
	struct raw_tp_source *source = kmalloc(sizeof(*source), GFP_KERNEL);

	if (!source)
		return;
	source->module = module;

	guard(mutex)(&sources_lock);
	list_add(&source->link, &sources);
}

static void raw_tp_remove_source(struct module *module)
{
	struct raw_tp_source *source;

	guard(mutex)(&sources_lock);

	list_for_each_entry(source, &sources, link) {
		if (source->module == module) {
			list_del(&source->link);
			kfree(source);
			return;
		}
	}
}

static int raw_tp_module_notify(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *module = data;

	if (!module->num_bpf_raw_events)
		return NOTIFY_DONE;

	if (state == MODULE_STATE_LIVE)
		raw_tp_add_source(module);
	else if (state == MODULE_STATE_GOING)
		raw_tp_remove_source(module);

	return NOTIFY_OK;
}

static struct notifier_block module_nb = { .notifier_call = raw_tp_module_notify };

static int __init raw_tp_watch_modules(void)
{
	return register_module_notifier(&module_nb);
}
fs_initcall(raw_tp_watch_modules);
#else
static struct bpf_raw_event_map *raw_tp_find_in_modules(const char *name)
{
	return NULL;
}
#endif

/**
 * bpf_get_raw_tracepoint - find a raw tracepoint
 * @name: its name
 *
 * May sleep.
 *
 * Return: the tracepoint, NULL if there is no such tracepoint. Its module is pinned until the
 *	caller calls bpf_put_raw_tracepoint().
 */
struct bpf_raw_event_map *bpf_get_raw_tracepoint(const char *name)
{
	return raw_tp_find(__start__bpf_raw_tp, __stop__bpf_raw_tp - __start__bpf_raw_tp, name) ?:
	       raw_tp_find_in_modules(name);
}

/**
 * bpf_put_raw_tracepoint - undo bpf_get_raw_tracepoint()
 * @btp: the tracepoint returned by it
 *
 * Any context.
 */
void bpf_put_raw_tracepoint(struct bpf_raw_event_map *btp)
{
	guard(preempt)();
	module_put(__module_address((unsigned long)btp));
}

/**
 * bpf_probe_register - attach a program to a tracepoint
 * @btp: the tracepoint
 * @link: link with the program
 *
 * May sleep.
 *
 * Return: 0; -EINVAL if the program accesses arguments that the tracepoint does not have, or
 *	writes beyond the writable buffer; -ENOMEM
 */
int bpf_probe_register(struct bpf_raw_event_map *btp, struct bpf_raw_tp_link *link)
{
	const struct bpf_prog_aux *aux = link->link.prog->aux;

	if (aux->max_ctx_offset > btp->num_args * sizeof(u64) ||
	    aux->max_tp_access > btp->writable_size)
		return -EINVAL;

	return tracepoint_probe_register(btp->tp, btp->bpf_func, link);
}

/**
 * bpf_probe_unregister - undo bpf_probe_register()
 * @btp: the tracepoint
 * @link: link with the program, which may still run until a grace period of RCU has passed
 *
 * May sleep.
 *
 * Return: 0
 */
int bpf_probe_unregister(struct bpf_raw_event_map *btp, struct bpf_raw_tp_link *link)
{
	return tracepoint_probe_unregister(btp->tp, btp->bpf_func, link);
}

/*
 * Running programs
 */

/*
 * Any context, preemption disabled. A program that is running on this CPU, or was interrupted,
 * is not run again.
 */
static noinline void raw_tp_run(const struct bpf_raw_tp_link *link, const u64 *args)
{
	struct bpf_trace_run_ctx context = { .bpf_cookie = link->cookie };
	struct bpf_prog *prog = link->link.prog;
	struct bpf_run_ctx *outer;

	cant_sleep();

	if (this_cpu_inc_return(*prog->active) == 1) {
		outer = bpf_set_run_ctx(&context.run_ctx);
		scoped_guard(rcu)
			bpf_prog_run(prog, args);
		bpf_reset_run_ctx(outer);
	} else {
		bpf_prog_inc_misses_counter(prog);
	}
	this_cpu_dec(*prog->active);
}

void bpf_trace_run1(struct bpf_raw_tp_link *link, u64 a1)
{
	raw_tp_run(link, (u64 []){ a1 });
}
EXPORT_SYMBOL_GPL(bpf_trace_run1);

void bpf_trace_run2(struct bpf_raw_tp_link *link, u64 a1, u64 a2)
{
	raw_tp_run(link, (u64 []){ a1, a2 });
}
EXPORT_SYMBOL_GPL(bpf_trace_run2);

void bpf_trace_run3(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3)
{
	raw_tp_run(link, (u64 []){ a1, a2, a3 });
}
EXPORT_SYMBOL_GPL(bpf_trace_run3);

void bpf_trace_run4(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4)
{
	raw_tp_run(link, (u64 []){ a1, a2, a3, a4 });
}
EXPORT_SYMBOL_GPL(bpf_trace_run4);

void bpf_trace_run5(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5)
{
	raw_tp_run(link, (u64 []){ a1, a2, a3, a4, a5 });
}
EXPORT_SYMBOL_GPL(bpf_trace_run5);

void bpf_trace_run6(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		    u64 a6)
{
	raw_tp_run(link, (u64 []){ a1, a2, a3, a4, a5, a6 });
}
EXPORT_SYMBOL_GPL(bpf_trace_run6);

void bpf_trace_run7(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		    u64 a6, u64 a7)
{
	raw_tp_run(link, (u64 []){ a1, a2, a3, a4, a5, a6, a7 });
}
EXPORT_SYMBOL_GPL(bpf_trace_run7);

void bpf_trace_run8(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		    u64 a6, u64 a7, u64 a8)
{
	raw_tp_run(link, (u64 []){ a1, a2, a3, a4, a5, a6, a7, a8 });
}
EXPORT_SYMBOL_GPL(bpf_trace_run8);

void bpf_trace_run9(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		    u64 a6, u64 a7, u64 a8, u64 a9)
{
	raw_tp_run(link, (u64 []){ a1, a2, a3, a4, a5, a6, a7, a8, a9 });
}
EXPORT_SYMBOL_GPL(bpf_trace_run9);

void bpf_trace_run10(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		     u64 a6, u64 a7, u64 a8, u64 a9, u64 a10)
{
	raw_tp_run(link, (u64 []){ a1, a2, a3, a4, a5, a6, a7, a8, a9, a10 });
}
EXPORT_SYMBOL_GPL(bpf_trace_run10);

void bpf_trace_run11(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		     u64 a6, u64 a7, u64 a8, u64 a9, u64 a10, u64 a11)
{
	raw_tp_run(link, (u64 []){ a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11 });
}
EXPORT_SYMBOL_GPL(bpf_trace_run11);

void bpf_trace_run12(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		     u64 a6, u64 a7, u64 a8, u64 a9, u64 a10, u64 a11, u64 a12)
{
	raw_tp_run(link, (u64 []){ a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12 });
}
EXPORT_SYMBOL_GPL(bpf_trace_run12);
