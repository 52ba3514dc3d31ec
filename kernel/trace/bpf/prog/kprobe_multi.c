// SPDX-License-Identifier: GPL-2.0
/*
 * BPF programs at the entry or return of many functions (kprobe.multi), or at both
 * (kprobe.session), attached with an fprobe.
 */
#include <linux/bits.h>
#include <linux/bpf.h>
#include <linux/bsearch.h>
#include <linux/cleanup.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/error-injection.h>
#include <linux/filter.h>
#include <linux/fprobe.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>

#include "bpf/helper/helpers.h"
#include "bpf/prog/session.h"
#include "ftrace/entry/ftrace_rcu.h"
#include "probe/kind/override.h"

#define MOST_FUNCTIONS	BIT(20)

/**
 * struct kprobe_multi_target - a function
 * @site: its call site
 * @function: its address
 * @cookie: result of bpf_get_attach_cookie() there
 * @module: the module that contains it, with a reference; NULL if it is built in
 */
struct kprobe_multi_target {
	unsigned long	site;
	unsigned long	function;
	u64		cookie;
	struct module	*module;
};

/**
 * struct kprobe_multi_link - link of a program to functions
 * @link: base, with the program
 * @probe: fprobe that calls the program
 * @flags: flags given by the caller
 * @rcu: head for waiting until the program no longer runs
 * @refs: 1, and another one while it is waited for
 * @nr: number of functions
 * @targets: the functions, sorted by their sites
 */
struct kprobe_multi_link {
	struct bpf_link	link;
	struct fprobe	probe;
	u32		flags;
	struct rcu_head	rcu;
	refcount_t	refs;
	u32		nr;
	struct kprobe_multi_target	targets[] __counted_by(nr);
};

/**
 * struct kprobe_multi_context - run context of a program, for its helpers
 * @session: base, with the cookie of the function
 * @function: the address of the function
 */
struct kprobe_multi_context {
	struct trace_bpf_session	session;
	unsigned long			function;
};

/*
 * Functions
 */

static int kprobe_multi_by_site(const void *a, const void *b)
{
	const struct kprobe_multi_target *x = a, *y = b;

	return x->site < y->site ? -1 : x->site > y->site;
}

/**
 * struct kprobe_multi_names - names of functions
 * @nr: number of names
 * @given: names in the order given by the caller
 * @sorted: the same names without duplicates, in the order of strcmp()
 * @distinct: number of names in @sorted
 * @address: addresses of the names in @sorted
 */
struct kprobe_multi_names {
	u32		nr;
	char		**given;
	const char	**sorted;
	u32		distinct;
	unsigned long	*address;
};

static int kprobe_multi_by_name(const void *a, const void *b)
{
	return strcmp(*(const char * const *)a, *(const char * const *)b);
}

static void kprobe_multi_names_free(struct kprobe_multi_names *names)
{
	u32 i;

	for (i = 0; names->given && i < names->nr; i++)
		kfree(names->given[i]);
	kvfree(names->given);
	kvfree(names->sorted);
	kvfree(names->address);
}

static int kprobe_multi_names_copy(struct kprobe_multi_names *names, const u64 __user *from)
{
	char *name;
	u64 at;
	u32 i;

	for (i = 0; i < names->nr; i++) {
		if (get_user(at, from + i))
			return -EFAULT;
		name = strndup_user(u64_to_user_ptr(at), KSYM_NAME_LEN);
		if (IS_ERR(name))
			return PTR_ERR(name) == -EINVAL ? -E2BIG : PTR_ERR(name);
		names->given[i] = name;
		names->sorted[i] = name;
		cond_resched();
	}

	return 0;
}

static void kprobe_multi_names_sort(struct kprobe_multi_names *names)
{
	u32 i;

	sort(names->sorted, names->nr, sizeof(*names->sorted), kprobe_multi_by_name, NULL);
	for (i = 0; i < names->nr; i++) {
		if (!i || strcmp(names->sorted[i], names->sorted[names->distinct - 1]))
			names->sorted[names->distinct++] = names->sorted[i];
	}
}

/* If several functions have a name, the first one that can be traced is used. */
static int kprobe_multi_names_find(struct kprobe_multi_names *names, const u64 __user *from)
{
	int err;

	names->given = kvcalloc(names->nr, sizeof(*names->given), GFP_KERNEL);
	names->sorted = kvcalloc(names->nr, sizeof(*names->sorted), GFP_KERNEL);
	names->address = kvcalloc(names->nr, sizeof(*names->address), GFP_KERNEL);
	if (!names->given || !names->sorted || !names->address)
		return -ENOMEM;

	err = kprobe_multi_names_copy(names, from);
	if (err)
		return err;
	kprobe_multi_names_sort(names);

	return ftrace_lookup_symbols(names->sorted, names->distinct, names->address);
}

static unsigned long kprobe_multi_names_address(const struct kprobe_multi_names *names, u32 i)
{
	const char **name = bsearch(&names->given[i], names->sorted, names->distinct,
				    sizeof(*name), kprobe_multi_by_name);

	return names->address[name - names->sorted];
}

static int kprobe_multi_read_names(const union bpf_attr *attr, struct kprobe_multi_link *link)
{
	const u64 __user *from = u64_to_user_ptr(attr->link_create.kprobe_multi.syms);
	struct kprobe_multi_names names = { .nr = link->nr };
	int err = kprobe_multi_names_find(&names, from);
	u32 i;

	for (i = 0; !err && i < link->nr; i++)
		link->targets[i].function = kprobe_multi_names_address(&names, i);
	kprobe_multi_names_free(&names);

	return err;
}

static int kprobe_multi_read_addresses(const union bpf_attr *attr, struct kprobe_multi_link *link)
{
	const u64 __user *from = u64_to_user_ptr(attr->link_create.kprobe_multi.addrs);
	u64 address;
	u32 i;

	for (i = 0; i < link->nr; i++) {
		if (get_user(address, from + i))
			return -EFAULT;
		link->targets[i].function = address;
	}

	return 0;
}

static int kprobe_multi_read_cookies(const union bpf_attr *attr, struct kprobe_multi_link *link)
{
	const u64 __user *from = u64_to_user_ptr(attr->link_create.kprobe_multi.cookies);
	u32 i;

	for (i = 0; from && i < link->nr; i++) {
		if (get_user(link->targets[i].cookie, from + i))
			return -EFAULT;
	}

	return 0;
}

/*
 * Pin the module of the function, because its name would be freed with it. A module that is
 * being loaded cannot be pinned: it is freed if its init function fails, even if there are
 * references.
 */
static bool kprobe_multi_pin(struct kprobe_multi_target *target)
{
	struct module *module;

	guard(preempt)();

	module = __module_address(target->function);
	if (module && (module_is_coming(module) || !try_module_get(module)))
		return false;

	target->module = module;
	return true;
}

static void kprobe_multi_unpin(struct kprobe_multi_link *link)
{
	u32 i;

	for (i = 0; i < link->nr; i++)
		module_put(link->targets[i].module);
}

/* The function may be given by its address, or by the address of its call site. */
static int kprobe_multi_prepare(struct kprobe_multi_target *target)
{
	unsigned long size, offset;

	if (!kprobe_multi_pin(target))
		return -ESRCH;

	target->site = ftrace_location(target->function);
	if (!target->site)
		return -ESRCH;
	if (kallsyms_lookup_size_offset(target->site, &size, &offset))
		target->function = target->site - offset;

	return 0;
}

static int kprobe_multi_read_targets(const union bpf_attr *attr, struct kprobe_multi_link *link)
{
	bool named = attr->link_create.kprobe_multi.syms;
	int err = kprobe_multi_read_cookies(attr, link);
	u32 i;

	if (!err)
		err = named ? kprobe_multi_read_names(attr, link) :
			      kprobe_multi_read_addresses(attr, link);
	for (i = 0; !err && i < link->nr; i++) {
		err = kprobe_multi_prepare(&link->targets[i]);
		cond_resched();
	}
	sort(link->targets, link->nr, sizeof(link->targets[0]), kprobe_multi_by_site, NULL);

	return err;
}

/*
 * Running
 */

/*
 * Preemption is disabled, and RCU is watching. @word: see struct trace_bpf_session
 *
 * Return: result of the program, 1 if it did not run
 */
static int kprobe_multi_run(struct kprobe_multi_link *link, unsigned long site,
			    struct pt_regs *regs, bool is_return, u64 *word)
{
	const struct kprobe_multi_target key = { .site = site }, *target;
	struct kprobe_multi_context context = {
		.session = { .is_return = is_return, .word = word },
	};
	struct bpf_run_ctx *outer;
	int ret = 1;

	target = bsearch(&key, link->targets, link->nr, sizeof(key), kprobe_multi_by_site);
	if (!target)
		return 1;
	context.session.trace.bpf_cookie = target->cookie;
	context.function = target->function;

	if (__this_cpu_inc_return(bpf_prog_active) == 1) {
		outer = bpf_set_run_ctx(&context.session.trace.run_ctx);
		scoped_guard(rcu)
			ret = bpf_prog_run(link->link.prog, regs);
		bpf_reset_run_ctx(outer);
	} else {
		bpf_prog_inc_misses_counter(link->link.prog);
	}
	__this_cpu_dec(bpf_prog_active);

	return ret;
}

static int kprobe_multi_on_entry(struct fprobe *probe, unsigned long site, unsigned long to,
				 struct pt_regs *regs, void *unused)
{
	kprobe_multi_run(container_of(probe, struct kprobe_multi_link, probe), site, regs,
			 false, NULL);
	return 0;
}

/*
 * The program decides whether it also runs at the return of this call. It does not if it did not
 * run here: it would find a word that it has not set.
 */
static int kprobe_multi_on_session(struct fprobe *probe, unsigned long site, unsigned long to,
				   struct pt_regs *regs, void *data)
{
	u64 *word = data;

	/* Another call has used it. */
	*word = 0;

	return kprobe_multi_run(container_of(probe, struct kprobe_multi_link, probe), site, regs,
				false, word);
}

/* A function that has run already cannot be overridden: the program of a session may try. */
static void kprobe_multi_on_return(struct fprobe *probe, unsigned long site, unsigned long to,
				   struct pt_regs *regs, void *word)
{
	struct kprobe_multi_link *link = container_of(probe, struct kprobe_multi_link, probe);
	const struct probe_override before = probe_override_begin(regs);

	kprobe_multi_run(link, site, regs, true, word);
	if (link->link.prog->kprobe_override)
		probe_override_undo(&before, regs);
}

/* The verifier allows it only in programs with the attach types of these links. */
BPF_CALL_1(bpf_get_func_ip_multi, void *, ctx)
{
	return container_of(current->bpf_ctx, struct kprobe_multi_context,
			    session.trace.run_ctx)->function;
}

const struct bpf_func_proto bpf_get_func_ip_proto_multi = {
	.func		= bpf_get_func_ip_multi,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_CTX,
};

/*
 * Links
 */

static void kprobe_multi_put(struct kprobe_multi_link *link)
{
	if (refcount_dec_and_test(&link->refs))
		kvfree(link);
}

/* The program no longer runs. */
static void kprobe_multi_finish(struct rcu_head *head)
{
	struct kprobe_multi_link *link = container_of(head, struct kprobe_multi_link, rcu);

	unregister_fprobe_finish(&link->probe);
	bpf_prog_put(link->link.prog);
	kprobe_multi_put(link);
}

/*
 * The program may still run: it is not waited for here, because tools close many links one after
 * another.
 */
static void kprobe_multi_release(struct bpf_link *base)
{
	struct kprobe_multi_link *link = container_of(base, struct kprobe_multi_link, link);

	refcount_inc(&link->refs);
	bpf_prog_inc(link->link.prog);
	unregister_fprobe_nosync(&link->probe);
	call_ftrace_rcu(&link->rcu, kprobe_multi_finish);
	kprobe_multi_unpin(link);
}

static void kprobe_multi_dealloc(struct bpf_link *link)
{
	kprobe_multi_put(container_of(link, struct kprobe_multi_link, link));
}

static int kprobe_multi_fill_info(const struct bpf_link *base, struct bpf_link_info *info)
{
	const struct kprobe_multi_link *link = container_of(base, struct kprobe_multi_link, link);
	u64 __user *addresses = u64_to_user_ptr(info->kprobe_multi.addrs);
	u64 __user *cookies = u64_to_user_ptr(info->kprobe_multi.cookies);
	bool show = kallsyms_show_value(current_cred());
	u32 i, max = info->kprobe_multi.count;

	if (!addresses ^ !max || (cookies && !max))
		return -EINVAL;

	info->kprobe_multi.count = link->nr;
	info->kprobe_multi.flags = link->flags;
	info->kprobe_multi.missed = link->probe.nmissed;

	for (i = 0; i < min(max, link->nr); i++) {
		const struct kprobe_multi_target *target = &link->targets[i];

		if (put_user(show ? (u64)target->function : 0, addresses + i) ||
		    (cookies && put_user(target->cookie, cookies + i)))
			return -EFAULT;
	}

	return addresses && max < link->nr ? -ENOSPC : 0;
}

static const struct bpf_link_ops link_ops = {
	.release		= kprobe_multi_release,
	.dealloc_deferred	= kprobe_multi_dealloc,
	.fill_link_info		= kprobe_multi_fill_info,
};

static void kprobe_multi_choose_handlers(struct kprobe_multi_link *link)
{
	if (trace_bpf_is_session(link->link.prog)) {
		link->probe.entry_handler = kprobe_multi_on_session;
		link->probe.exit_handler = kprobe_multi_on_return;
		link->probe.entry_data_size = sizeof(u64);
	} else if (link->flags & BPF_F_KPROBE_MULTI_RETURN) {
		link->probe.exit_handler = kprobe_multi_on_return;
	} else {
		link->probe.entry_handler = kprobe_multi_on_entry;
	}
}

/* register_fprobe_ips() needs the sites as a separate array. */
static int kprobe_multi_begin(struct kprobe_multi_link *link)
{
	unsigned long *sites = kvmalloc_array(link->nr, sizeof(*sites), GFP_KERNEL);
	u32 i;
	int err;

	if (!sites)
		return -ENOMEM;
	for (i = 0; i < link->nr; i++)
		sites[i] = link->targets[i].site;

	kprobe_multi_choose_handlers(link);
	err = register_fprobe_ips(&link->probe, sites, link->nr);
	kvfree(sites);

	return err;
}

/*
 * A session is always at the entry and the return. A program only at the return cannot override
 * functions.
 */
static u32 kprobe_multi_known_flags(const struct bpf_prog *prog)
{
	return trace_bpf_is_session(prog) || prog->kprobe_override ? 0 : BPF_F_KPROBE_MULTI_RETURN;
}

static int kprobe_multi_check(const union bpf_attr *attr, const struct bpf_prog *prog)
{
	u32 nr = attr->link_create.kprobe_multi.cnt;

	if (prog->expected_attach_type != BPF_TRACE_KPROBE_MULTI && !trace_bpf_is_session(prog))
		return -EINVAL;
	if (attr->link_create.flags || prog->sleepable ||
	    attr->link_create.kprobe_multi.flags & ~kprobe_multi_known_flags(prog) ||
	    !nr || !attr->link_create.kprobe_multi.syms == !attr->link_create.kprobe_multi.addrs)
		return -EINVAL;

	return nr > MOST_FUNCTIONS ? -E2BIG : 0;
}

/* May @prog override all functions, if it does? Modules with functions are pinned. */
static int kprobe_multi_check_override(const struct kprobe_multi_link *link,
				       const struct bpf_prog *prog)
{
	u32 i;

	for (i = 0; prog->kprobe_override && i < link->nr; i++) {
		if (!within_error_injection_list(link->targets[i].function))
			return -EINVAL;
		cond_resched();
	}

	return 0;
}

/**
 * bpf_kprobe_multi_link_attach - attach a program to many functions
 * @attr: attributes with the functions
 * @prog: the program
 *
 * Their modules are pinned until the link is released. May sleep.
 *
 * Return: a file descriptor; -EINVAL, also if the program overrides a function that does not
 *	allow it; -E2BIG; -ESRCH if one of them is not a traceable function, or is in a module
 *	that is being loaded; -EFAULT; -ENOMEM; -EOPNOTSUPP without fprobe
 */
int bpf_kprobe_multi_link_attach(const union bpf_attr *attr, struct bpf_prog *prog)
{
	u32 nr = attr->link_create.kprobe_multi.cnt;
	struct bpf_link_primer primer;
	struct kprobe_multi_link *link;
	int err = kprobe_multi_check(attr, prog);

	if (err)
		return err;

	link = kvzalloc(struct_size(link, targets, nr), GFP_KERNEL);
	if (!link)
		return -ENOMEM;
	link->nr = nr;
	refcount_set(&link->refs, 1);
	link->flags = attr->link_create.kprobe_multi.flags;
	err = kprobe_multi_read_targets(attr, link) ?: kprobe_multi_check_override(link, prog);
	if (err)
		goto free;

	bpf_link_init(&link->link, BPF_LINK_TYPE_KPROBE_MULTI, &link_ops, prog);
	err = bpf_link_prime(&link->link, &primer);
	if (err)
		goto free;

	err = kprobe_multi_begin(link);
	if (err) {
		kprobe_multi_unpin(link);
		bpf_link_cleanup(&primer);
		return err;
	}

	return bpf_link_settle(&primer);

free:
	kprobe_multi_unpin(link);
	kvfree(link);
	return err;
}
