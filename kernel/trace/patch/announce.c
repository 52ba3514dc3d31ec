// SPDX-License-Identifier: GPL-2.0
/*
 * Discovery of call sites that announce themselves. A call site that is not listed calls
 * FTRACE_MARK each time it is executed, and entry code passes its address on to
 * ftrace_announce(). That puts it into a slot, where the thread of ftrace/sites/discover.c finds
 * it. Once the site is a NOP, it no longer announces itself.
 *
 * Announcing happens in any context, on all CPUs, between any two instructions of the kernel. So
 * it does not allocate memory, takes no lock, and calls no traced function. All slots exist from
 * the start. A site hashes to a bucket of a few slots; when these are taken, the site is skipped
 * and announces itself again the next time it is executed.
 *
 * There is a second set of slots, for sites that never get a record. Sites that are executed in
 * an NMI are added to it immediately; if there is no slot for one of them, no site gets a record
 * from then on. ftrace-design.rst describes which guarantees this gives, and which it does not.
 *
 * A slot is 0 or the address of a site, and holds no other information. So accesses to slots are
 * not ordered against any other access, except that a record exists before the slot is free. Two
 * accesses to a slot that race end in one site having the slot; a site may have two slots, if
 * another site left its bucket concurrently.
 *
 * Sites that a filter selects, and that need not have been executed, have separate storage while
 * they get their records, so that a full bucket cannot block them.
 */
#include <linux/err.h>
#include <linux/ftrace_arch.h>
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/uaccess.h>

#include <asm/sections.h>

#include "patch/announce.h"

#define WAYS		8
#define BUCKET_BITS	10
#define NR_SLOTS	(WAYS << BUCKET_BITS)

static_assert(NR_SLOTS == FTRACE_ANNOUNCED_MAX);

/**
 * struct announce_sites - a set of call sites
 * @slot: buckets of WAYS slots; a slot is 0 or the address of a site
 */
struct announce_sites {
	unsigned long	slot[NR_SLOTS] ____cacheline_aligned;
};

/* Pending: waiting for a record. */
static struct announce_sites pending;
/* Never get a record. */
static struct announce_sites never;

/* Get a record right now, because a filter selects them. Changed under ftrace_lock. */
static unsigned long selected[FTRACE_SELECTED_MAX];
static unsigned int nr_selected;

/* Read by entry code. Changed under ftrace_lock, and cleared from any context. */
bool ftrace_announcing __read_mostly;

/* A thread reads announcements. Changed under ftrace_lock. */
static bool started;

/* There was no slot in @never for a site that was executed in an NMI. */
static bool failed;

static DEFINE_PER_CPU(unsigned long, skipped);

static __always_inline unsigned long *announce_bucket_of(struct announce_sites *sites,
							 unsigned long ip)
{
	return &sites->slot[hash_long(ip, BUCKET_BITS) * WAYS];
}

static __always_inline bool announce_sites_have(struct announce_sites *sites, unsigned long ip)
{
	const unsigned long *slot = announce_bucket_of(sites, ip);
	unsigned int i;

	for (i = 0; i < WAYS; i++)
		if (READ_ONCE(slot[i]) == ip)
			return true;
	return false;
}

/* Return: true if the site is in the set now */
static __always_inline bool announce_sites_add(struct announce_sites *sites, unsigned long ip)
{
	unsigned long *slot = announce_bucket_of(sites, ip);
	unsigned int i;

	for (i = 0; i < WAYS; i++) {
		unsigned long old = READ_ONCE(slot[i]);

		if (!old)
			old = cmpxchg_relaxed(&slot[i], 0, ip);
		if (!old || old == ip)
			return true;
	}
	return false;
}

static void announce_sites_remove(struct announce_sites *sites, unsigned long ip)
{
	unsigned long *slot = announce_bucket_of(sites, ip);
	unsigned int i;

	/* announce_sites_remove:A: record before the slot is free; pairs with ftrace_location:A */
	smp_wmb();
	for (i = 0; i < WAYS; i++)
		if (READ_ONCE(slot[i]) == ip)
			WRITE_ONCE(slot[i], 0);
}

static unsigned int announce_sites_read(const struct announce_sites *sites, unsigned long *ip)
{
	unsigned int i, nr = 0;

	for (i = 0; i < NR_SLOTS; i++) {
		unsigned long site = READ_ONCE(sites->slot[i]);

		if (site && ip)
			ip[nr] = site;
		nr += !!site;
	}
	return nr;
}

static void announce_sites_forget(struct announce_sites *sites, unsigned long start,
				  unsigned long end)
{
	unsigned int i;

	for (i = 0; i < NR_SLOTS; i++) {
		unsigned long site = READ_ONCE(sites->slot[i]);

		/* Sites are only removed under ftrace_lock. */
		if (site >= start && site < end)
			WRITE_ONCE(sites->slot[i], 0);
	}
}

static void announce_stop(void)
{
	WRITE_ONCE(failed, true);
	WRITE_ONCE(ftrace_announcing, false);
}

/**
 * ftrace_announce - announce that a call site that is not a NOP yet is executed
 * @ip: address of the site
 *
 * Init text of the kernel is not worth a record: it is freed before a record could be read.
 *
 * Context: any, NMI included; called by entry code while ftrace_announcing is true
 */
void ftrace_announce(unsigned long ip)
{
	if (ip >= (unsigned long)__init_begin && ip < (unsigned long)__init_end)
		return;
	if (announce_sites_have(&never, ip))
		return;

	if (in_nmi()) {
		if (!announce_sites_add(&never, ip))
			announce_stop();
	} else if (!announce_sites_add(&pending, ip)) {
		raw_cpu_inc(skipped);
	}
}

NOKPROBE_SYMBOL(ftrace_announce);

/**
 * ftrace_announce_start - report that there is a thread now that makes records of announced
 * sites
 *
 * Context: ftrace_lock held
 */
void ftrace_announce_start(void)
{
	started = true;
}

/**
 * ftrace_announce_switch - let sites announce themselves, or not
 * @on: true to let them
 *
 * Context: ftrace_lock held
 */
void ftrace_announce_switch(bool on)
{
	WRITE_ONCE(ftrace_announcing, on && started && !READ_ONCE(failed));
	/* Catch an NMI that stopped it between the check and the store. */
	barrier();
	if (READ_ONCE(failed))
		WRITE_ONCE(ftrace_announcing, false);
}

/**
 * ftrace_announce_has_failed - may a site have been executed in an NMI unnoticed?
 *
 * Context: any
 */
bool ftrace_announce_has_failed(void)
{
	return READ_ONCE(failed);
}

/**
 * ftrace_announced_read - get the pending sites, which wait for a record
 * @ip: array of FTRACE_ANNOUNCED_MAX addresses for the result; an address may appear twice
 *
 * They remain announced until ftrace_announced_done().
 *
 * Context: any
 *
 * Return: the number of addresses
 */
unsigned int ftrace_announced_read(unsigned long *ip)
{
	return announce_sites_read(&pending, ip);
}

/**
 * ftrace_announced_select - give sites a record, as if they had been executed
 * @ip: addresses of the sites
 * @nr: number of sites, at most FTRACE_SELECTED_MAX; 0 when the previous sites have got their
 *	records, or will not get any
 *
 * Context: ftrace_lock held
 */
void ftrace_announced_select(const unsigned long *ip, unsigned int nr)
{
	unsigned int i;

	/* ftrace_announced_select:A: records before their sites go; pairs with ftrace_location:A */
	smp_wmb();
	for (i = 0; i < nr; i++)
		WRITE_ONCE(selected[i], ip[i]);
	/* The sites become NOPs later, which synchronizes all CPUs. */
	WRITE_ONCE(nr_selected, nr);
}

static bool announce_matches(unsigned long ip)
{
	unsigned int i, nr = READ_ONCE(nr_selected);

	for (i = 0; i < nr; i++)
		if (READ_ONCE(selected[i]) == ip)
			return true;
	return false;
}

/* Is a record of the site pending, although it may be a NOP by now? */
static bool announce_waits(unsigned long ip)
{
	return announce_sites_have(&pending, ip) || announce_matches(ip);
}

/**
 * ftrace_announced_done - remove a site from the pending sites
 * @ip: address of the site
 *
 * If it is not a NOP, it will announce itself again.
 *
 * Context: ftrace_lock held
 */
void ftrace_announced_done(unsigned long ip)
{
	announce_sites_remove(&pending, ip);
}

/**
 * ftrace_announced_forget - forget the sites of text that is being removed
 * @start: first address of the text
 * @end: end of the text, exclusive
 *
 * A site that was executed just before may be announced later. Then it is no longer a site, or
 * it is a site of other text at the same address.
 *
 * Context: ftrace_lock held
 */
void ftrace_announced_forget(unsigned long start, unsigned long end)
{
	announce_sites_forget(&pending, start, end);
	announce_sites_forget(&never, start, end);
}

/**
 * ftrace_announced_never - must a site never have a record?
 * @ip: address of the site
 *
 * Context: any
 */
bool ftrace_announced_never(unsigned long ip)
{
	return ftrace_announce_has_failed() || announce_sites_have(&never, ip);
}

/**
 * ftrace_announced_leave_out - never make a record of a site
 * @ip: address of the site
 *
 * Context: ftrace_lock held
 */
void ftrace_announced_leave_out(unsigned long ip)
{
	announce_sites_add(&never, ip);
}

#ifdef CONFIG_MODULES
static struct module *announce_module_of(unsigned long ip)
{
	struct module *mod;

	guard(preempt)();

	mod = __module_text_address(ip);
	if (!mod || !within_module_mem_type(ip, mod, MOD_TEXT))
		return ERR_PTR(-ENOENT);

	switch (READ_ONCE(mod->state)) {
	case MODULE_STATE_COMING:
	case MODULE_STATE_LIVE:
		return mod;
	default:
		return ERR_PTR(-ENOENT);
	}
}
#else
static struct module *announce_module_of(unsigned long ip)
{
	return ERR_PTR(-ENOENT);
}
#endif

/**
 * ftrace_text_of - find the text that a site is in
 * @ip: address of the site
 *
 * Context: any except NMI. With ftrace_lock held, the text remains valid until the lock is
 * released.
 *
 * Return: the module, NULL for the kernel; an error if a site cannot have a record: in init
 * text, or in text that is being removed
 */
struct module *ftrace_text_of(unsigned long ip)
{
	return is_kernel_text(ip) ? NULL : announce_module_of(ip);
}

static bool announce_is_site(unsigned long ip)
{
	u8 text[MCOUNT_INSN_SIZE];

	return !copy_from_kernel_nofault(text, (void *)ip, sizeof(text)) &&
	       ftrace_calls_mark(text, ip, true);
}

/* Is it a site without a record, by its text or, if it may be a NOP by now, by its announcement? */
static bool announce_is_unfound(unsigned long ip)
{
	return announce_is_site(ip) || announce_waits(ip);
}

/* The site of the function at @ip, which is after the prologue; 0 if there is no site */
static unsigned long announce_site_after(unsigned long ip, unsigned long size)
{
	unsigned long at;

	size = min(size, FTRACE_MCOUNT_MAX_OFFSET + MCOUNT_INSN_SIZE);
	for (at = ip + 1; at + MCOUNT_INSN_SIZE <= ip + size; at++)
		if (announce_is_unfound(at))
			return at;
	return 0;
}

/**
 * ftrace_unfound_site - find the call site of a function that has no record
 * @ip: address of the function or of its site
 *
 * Other code that changes text must not touch the site: it may get a record at any time. It is
 * still a call, or its record is pending.
 *
 * Context: any except NMI
 *
 * Return: the address of the site; 0 if there is no site, or if it never gets a record
 */
unsigned long ftrace_unfound_site(unsigned long ip)
{
	unsigned long size, offset, site = ip;

	if (!kallsyms_lookup_size_offset(ip, &size, &offset) ||
	    offset > FTRACE_MCOUNT_MAX_OFFSET)
		return 0;

	if (!announce_is_unfound(ip))
		site = offset ? 0 : announce_site_after(ip, size);
	if (!site || ftrace_announced_never(site) || IS_ERR(ftrace_text_of(site)))
		return 0;
	return site;
}

/**
 * ftrace_announced_totals - count the sites that have no record
 *
 * Context: process context
 */
struct ftrace_announced_totals ftrace_announced_totals(void)
{
	struct ftrace_announced_totals totals = {
		.pending = announce_sites_read(&pending, NULL),
		.left_out = announce_sites_read(&never, NULL),
	};
	int cpu;

	for_each_possible_cpu(cpu)
		totals.skipped += READ_ONCE(per_cpu(skipped, cpu));
	return totals;
}
