// SPDX-License-Identifier: GPL-2.0
/*
 * Sites that announce themselves. A call site that nobody has listed calls FTRACE_MARK
 * each time it is executed, and entry code passes its address on to ftrace_announce().
 * That puts it into a slot, where the thread of ftrace/sites/discover.c finds it. Once the site is
 * a NOP it is not heard of again.
 *
 * Announcing happens in any context, on all CPUs, between any two instructions of the
 * kernel. So it allocates nothing, takes no lock, and calls nothing that is traced. All slots
 * are there from the start. A site hashes to a bucket of a few slots; when these are taken,
 * it is skipped and comes again when it is executed next.
 *
 * There is a second set of slots, for sites that never get a record. Those that are
 * executed in an NMI go there at once; when there is no slot for one, no site gets a record
 * any more. What this guarantees, and what not, is in ftrace-design.rst.
 *
 * A slot is 0 or the address of a site, and stands for nothing but that: so accesses to
 * slots are not ordered against any other, but for a record, which is there before the slot is
 * free. Two accesses to a slot that race end in one
 * site having the slot; a site may have two slots, if another one left its bucket meanwhile.
 *
 * Sites that somebody means, and that need not have been executed, have a place of their own
 * while they get their records, so that no full bucket is in their way.
 */
#include <linux/err.h>
#include <linux/ftrace_arch.h>
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
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
 * @slot: buckets of WAYS slots, each of which is 0 or the address of a site
 */
struct announce_sites {
	unsigned long	slot[NR_SLOTS] ____cacheline_aligned;
};

/* Waiting for a record. */
static struct announce_sites pending;
/* Never get one. */
static struct announce_sites never;

/* Get one right now, since somebody means them. Changed under ftrace_lock. */
static unsigned long meant[FTRACE_MEANT_MAX];
static unsigned int nr_meant;

/* Entry code reads it. Changed under ftrace_lock, and switched off anywhere. */
bool ftrace_announcing __read_mostly;

/* There is a thread that reads announcements. Changed under ftrace_lock. */
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

/* Return: whether the site is in the set now */
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

	/* The record comes before the slot is free. */
	/* announce_sites_remove:A */
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

		/* Nobody removes sites but under ftrace_lock. */
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
 * ftrace_announce - a call site that is not a NOP yet is executed
 * @ip: its address
 *
 * Init text of the kernel is not worth a record: it has gone before anybody reads one.
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
 * ftrace_announce_start - there is somebody now who makes records of announced sites
 *
 * Context: ftrace_lock held
 */
void ftrace_announce_start(void)
{
	started = true;
}

/**
 * ftrace_announce_switch - let sites announce themselves, or not
 * @on: whether they shall
 *
 * Context: ftrace_lock held
 */
void ftrace_announce_switch(bool on)
{
	WRITE_ONCE(ftrace_announcing, on && started && !READ_ONCE(failed));
	/* An NMI that stopped it between the two comes first. */
	barrier();
	if (READ_ONCE(failed))
		WRITE_ONCE(ftrace_announcing, false);
}

/**
 * ftrace_announce_has_failed - can it be that a site was executed in an NMI, and nobody knows?
 *
 * Context: any
 */
bool ftrace_announce_has_failed(void)
{
	return READ_ONCE(failed);
}

/**
 * ftrace_announced_read - get the sites that wait for a record
 * @ip: room for FTRACE_ANNOUNCED_MAX addresses; one may come twice
 *
 * They stay announced until ftrace_announced_done().
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
 * ftrace_announced_mean - sites are about to get a record, as if they had been executed
 * @ip: their addresses
 * @nr: their number, at most FTRACE_MEANT_MAX; 0 when those before have got their records, or
 *	shall get none
 *
 * Context: ftrace_lock held
 */
void ftrace_announced_mean(const unsigned long *ip, unsigned int nr)
{
	unsigned int i;

	/* Records come before their sites cease to be here. */
	/* ftrace_announced_mean:A */
	smp_wmb();
	for (i = 0; i < nr; i++)
		WRITE_ONCE(meant[i], ip[i]);
	/* The sites become NOPs later, and all CPUs are synchronized with that. */
	WRITE_ONCE(nr_meant, nr);
}

static bool announce_matches(unsigned long ip)
{
	unsigned int i, nr = READ_ONCE(nr_meant);

	for (i = 0; i < nr; i++)
		if (READ_ONCE(meant[i]) == ip)
			return true;
	return false;
}

/* Does the site wait for its record, although it may be a NOP by now? */
static bool announce_waits(unsigned long ip)
{
	return announce_sites_have(&pending, ip) || announce_matches(ip);
}

/**
 * ftrace_announced_done - a site does not wait any more
 * @ip: its address
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
 * ftrace_announced_forget - text goes
 * @start: first address of the text
 * @end: first address behind it
 *
 * A site that was executed just before may come to be announced later. It is not a
 * site any more then, or one of other text that has come to be there.
 *
 * Context: ftrace_lock held
 */
void ftrace_announced_forget(unsigned long start, unsigned long end)
{
	announce_sites_forget(&pending, start, end);
	announce_sites_forget(&never, start, end);
}

/**
 * ftrace_announced_never - shall a site never have a record?
 * @ip: its address
 *
 * Context: any
 */
bool ftrace_announced_never(unsigned long ip)
{
	return ftrace_announce_has_failed() || announce_sites_have(&never, ip);
}

/**
 * ftrace_announced_leave_out - never make a record of a site
 * @ip: its address
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
 * ftrace_text_of - the text that a site is in
 * @ip: its address
 *
 * Context: any but NMI. With ftrace_lock held, the text stays until that is released.
 *
 * Return: the module, NULL for the kernel; an error where a site cannot have a record: in
 * init text, or in text that goes
 */
struct module *ftrace_text_of(unsigned long ip)
{
	return is_kernel_text(ip) ? NULL : announce_module_of(ip);
}

static bool announce_is_site(unsigned long ip)
{
	u8 text[MCOUNT_INSN_SIZE];

	return !copy_from_kernel_nofault(text, (void *)ip, sizeof(text)) &&
	       ftrace_calls_mark(text, ip);
}

/**
 * ftrace_unfound_site - the call site of a function that has no record
 * @ip: address of the function or of its site
 *
 * Others that change text must leave it alone: it may get a record at any time. It is still a
 * call, or it waits for its record.
 *
 * Context: any but NMI
 *
 * Return: the address of the site; 0 if there is none, or if it never gets a record
 */
unsigned long ftrace_unfound_site(unsigned long ip)
{
	bool is_site = announce_is_site(ip) || announce_waits(ip);
	unsigned long site = is_site ? ip : ip + FTRACE_MCOUNT_MAX_OFFSET;
	unsigned long offset;

	if (!kallsyms_lookup_size_offset(site, NULL, &offset) ||
	    offset > FTRACE_MCOUNT_MAX_OFFSET || (site != ip && offset != site - ip))
		return 0;

	if (!(announce_is_site(site) || announce_waits(site)) || ftrace_announced_never(site) ||
	    IS_ERR(ftrace_text_of(site)))
		return 0;
	return site;
}

/**
 * ftrace_announced_totals - how many sites have no record
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
