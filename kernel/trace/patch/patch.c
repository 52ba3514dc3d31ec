// SPDX-License-Identifier: GPL-2.0
/*
 * Changing call sites. All that could fail comes first: memory, a writable
 * alias of the text, and a look at every site. Then the stores are made, while
 * all other CPUs stand still in stop_machine() or, with ftrace_patch=live,
 * while they go on.
 *
 * NMIs do not stand still in either case. So the stores go in steps, such that
 * a site is executable after each (see asm/ftrace.h), and after each step every
 * CPU acknowledges that it will fetch anew what it executes. An NMI that is in
 * the middle of a site delays that acknowledgment, hence sees one step at most.
 * The last step withdraws the batch from the breakpoint handler: when that is
 * acknowledged, nobody looks at it any more.
 *
 * Ordered accesses, in labels function:letter
 *
 *	publish:A	release of patching, pairs with find:A
 *	conduct:A	release of rendezvous.step, pairs with follow:A: who sees
 *			the step done fetches text that has it
 *	follow:B	release of rendezvous.seen, pairs with conduct:B: the next
 *			step is not stored before all CPUs passed the last one
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/bsearch.h>
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/smp.h>
#include <linux/stop_machine.h>
#include <linux/uaccess.h>

#include <asm/sections.h>

#include "patch/alias.h"
#include "patch/patch.h"
#include "patch/report.h"

/**
 * struct batch - sites while they are being changed
 * @site: the sites by ascending address
 * @nr: their number
 */
struct batch {
	struct ftrace_patch_site	*site;
	unsigned int			nr;
};

/* The batch whose sites may hold a breakpoint, if any. Under text_mutex. */
static const struct batch *patching;

static __always_inline int compare_ip(const void *key, const void *elt)
{
	unsigned long ip = *(const unsigned long *)key;
	const struct ftrace_patch_site *site = elt;

	return ip < site->ip ? -1 : ip > site->ip;
}

/**
 * ftrace_patch_find - is this site being changed right now?
 * @ip: address of the site
 *
 * Context: any, the breakpoint exception included
 *
 * Return: the site, valid until the CPU next executes ftrace_patch_sync();
 * NULL if there is none
 */
noinstr const struct ftrace_patch_site *ftrace_patch_find(unsigned long ip)
{
	const struct batch *batch = smp_load_acquire(&patching); /* find:A */

	if (!batch)
		return NULL;

	return __inline_bsearch(&ip, batch->site, batch->nr,
				sizeof(*batch->site), compare_ip);
}

/**
 * struct rendezvous - all CPUs in stop_machine(), going through the steps
 * @batch: what is being changed
 * @conductor: 0 until a CPU has taken it on itself to store
 * @followers: number of the other CPUs
 * @step: steps taken so far
 * @seen: acknowledgments so far, @followers for each step
 */
struct rendezvous {
	const struct batch	*batch;
	atomic_t		conductor;
	int			followers;
	int			step;
	atomic_t		seen;
};

/* The steps of the architecture, and one in which the batch is withdrawn. */
#define STEPS	(FTRACE_PATCH_STEPS + 1)

static void do_step(const struct batch *batch, int step)
{
	unsigned int i;

	if (step == FTRACE_PATCH_STEPS) {
		WRITE_ONCE(patching, NULL);
		return;
	}
	for (i = 0; i < batch->nr; i++)
		ftrace_patch_store(step, batch->site[i].text, batch->site[i].insn);
}

static void conduct(struct rendezvous *r)
{
	int step;

	for (step = 0; step < STEPS; step++) {
		do_step(r->batch, step);
		smp_store_release(&r->step, step + 1);		/* conduct:A */
		ftrace_patch_sync();
		while (atomic_read_acquire(&r->seen) <		/* conduct:B */
		       r->followers * (step + 1))
			cpu_relax();
	}
}

static void follow(struct rendezvous *r)
{
	int step;

	for (step = 0; step < STEPS; step++) {
		while (smp_load_acquire(&r->step) <= step)	/* follow:A */
			cpu_relax();
		ftrace_patch_sync();
		atomic_inc_return_release(&r->seen);		/* follow:B */
	}
}

/* On every CPU, interrupts off. */
static int rendezvous_cpu(void *data)
{
	struct rendezvous *r = data;

	if (atomic_xchg(&r->conductor, 1))
		follow(r);
	else
		conduct(r);
	return 0;
}

/* All other CPUs stand still, but for NMIs. */
static void store_stopped(const struct batch *batch)
{
	struct rendezvous r = {
		.batch		= batch,
		.followers	= num_online_cpus() - 1,
	};

	lockdep_assert_cpus_held();
	stop_machine_cpuslocked(rendezvous_cpu, &r, cpu_online_mask);
}

static void sync_cpu(void *unused)
{
	ftrace_patch_sync();
}

/* All CPUs go on, through breakpoints where they come by. */
static void store_live(const struct batch *batch)
{
	int step;

	for (step = 0; step < STEPS; step++) {
		do_step(batch, step);
		on_each_cpu(sync_cpu, NULL, 1);
	}
}

/* How text is changed: ftrace_patch=stop or =live on the kernel's command line. */
static bool patch_live __ro_after_init;

static int __init set_patch_mode(char *str)
{
	if (!strcmp(str, "live"))
		patch_live = true;
	else if (strcmp(str, "stop"))
		pr_warn("ftrace_patch=%s is neither stop nor live\n", str);
	return 1;
}
__setup("ftrace_patch=", set_patch_mode);

/**
 * ftrace_patch_is_live - shall other CPUs go on while text is changed?
 */
bool ftrace_patch_is_live(void)
{
	return patch_live;
}

/*
 * Sites that are changed at one standstill. All of a kernel's would keep the
 * other CPUs from their work for a millisecond and more.
 */
#define STOPPED_MOST	256

static void store_parts(const struct batch *batch)
{
	unsigned int most = patch_live ? batch->nr : STOPPED_MOST, first;

	for (first = 0; first < batch->nr; first += most) {
		struct batch part = {
			.site	= batch->site + first,
			.nr	= min(most, batch->nr - first),
		};

		smp_store_release(&patching, &part);	/* publish:A */
		if (patch_live)
			store_live(&part);
		else
			store_stopped(&part);
	}
}

/* The alias is mapped, so this does not fault. Return: 0, or what is wrong. */
static int verify_site(const struct ftrace_patch_site *site,
		       const struct ftrace_change *change,
		       const struct ftrace_patch *patch)
{
	u8 expected[MCOUNT_INSN_SIZE], none[MCOUNT_INSN_SIZE] = { };
	bool there = !IS_ERR(site->text);

	ftrace_site_encode(expected, site->ip, site->from);
	if (likely(there && !memcmp(site->text, expected, MCOUNT_INSN_SIZE)))
		return 0;

	ftrace_bug(&(struct ftrace_bug) {
		.rec = change->rec, .goal = change->have,
		.owner = patch->owner, .func = patch->func,
		.found = there ? site->text : none,
		.expected = expected, .from = site->from,
	});
	change->rec->state |= FTRACE_REC_FIXED;
	return there ? -EINVAL : PTR_ERR(site->text);
}

/* Look at all sites: those that are wrong are not to be touched any more. */
static int verify(const struct batch *batch, const struct ftrace_patch *patch)
{
	unsigned int i, n = 0;
	int err = 0;

	for (i = 0; i < patch->nr; i++) {
		const struct ftrace_change *change = &patch->change[i];

		if (change->have != change->old_have)
			err = verify_site(&batch->site[n++], change, patch) ?: err;
	}
	return err;
}

static int store(struct batch *batch, const struct ftrace_patch *patch)
{
	struct ftrace_alias alias;
	int err;

	guard(cpus_read_lock)();
	guard(mutex)(&text_mutex);

	while ((err = ftrace_alias_map(&alias, batch->site, batch->nr, patch->gfp)) ==
	       -ENOMEM && patch->gfp & __GFP_NOFAIL)
		memalloc_retry_wait(patch->gfp);
	if (err)
		return err;

	err = verify(batch, patch);
	if (!err)
		store_parts(batch);
	ftrace_alias_unmap(&alias);
	return err;
}

/**
 * ftrace_patch_init - begin to collect changes
 * @patch: where
 * @owner: for whom, as text for a report; has to last as long as @patch
 * @gfp: GFP_KERNEL, or with __GFP_NOFAIL for a change that must not fail
 */
void ftrace_patch_init(struct ftrace_patch *patch, const char *owner, gfp_t gfp)
{
	*patch = (struct ftrace_patch) { .owner = owner, .gfp = gfp };
}

/**
 * ftrace_patch_add - one more record that shall change
 * @patch: the changes
 * @rec: the record, at a higher address than those before it
 * @want: number of what its site shall call while ftrace is enabled
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: 0 or -ENOMEM
 */
int ftrace_patch_add(struct ftrace_patch *patch, struct dyn_ftrace *rec,
		     unsigned int want)
{
	lockdep_assert_held(&ftrace_lock);

	if (patch->nr == patch->max) {
		unsigned int max = max(16U, 2 * patch->max);
		struct ftrace_change *change;

		change = kvmalloc_array(max, sizeof(*change), patch->gfp);
		if (!change)
			return -ENOMEM;
		if (patch->nr)
			memcpy(change, patch->change, patch->nr * sizeof(*change));
		kvfree(patch->change);
		patch->change = change;
		patch->max = max;
	}

	patch->change[patch->nr++] = (struct ftrace_change) {
		.rec = rec,
		.want = want,
	};
	return 0;
}

/* Ask the planner about each change; how many sites need a store? */
static unsigned int plan(struct ftrace_patch *patch, bool enabled)
{
	unsigned int i, nr = 0;

	for (i = 0; i < patch->nr; i++) {
		struct ftrace_change *change = &patch->change[i];
		unsigned int have = ftrace_rec_have(change->rec);
		unsigned int goal = ftrace_plan_goal(change->want, enabled);

		change->old_want = ftrace_rec_want(change->rec);
		change->old_have = have;
		change->have = have;
		if (ftrace_plan(have, goal,
				change->rec->state & FTRACE_REC_FIXED)) {
			change->have = goal;
			nr++;
		}
	}
	return nr;
}

/**
 * struct target - where the code is that a number stands for
 * @nr: the number
 * @addr: the address, 0 for FTRACE_NR_NOP
 */
struct target {
	unsigned int	nr;
	unsigned long	addr;
};

/* Ask only where the number is not the last one again. */
static unsigned long target_of(struct target *last, unsigned int nr,
			       ftrace_target_t target)
{
	if (nr != last->nr) {
		last->nr = nr;
		last->addr = nr == FTRACE_NR_NOP ? 0 : target(nr);
	}
	return last->addr;
}

static void fill(struct batch *batch, const struct ftrace_patch *patch,
		 ftrace_target_t target)
{
	struct target from = { FTRACE_NR_NOP }, to = { FTRACE_NR_NOP };
	unsigned int i;

	for (i = 0; i < patch->nr; i++) {
		const struct ftrace_change *change = &patch->change[i];
		struct ftrace_patch_site *site;

		if (change->have == change->old_have)
			continue;

		site = &batch->site[batch->nr++];
		site->ip = ftrace_rec_ip(change->rec);
		site->from = target_of(&from, change->old_have, target);
		ftrace_site_encode(site->insn, site->ip,
				   target_of(&to, change->have, target));
	}
}

static void commit(const struct ftrace_patch *patch)
{
	unsigned int i;

	for (i = 0; i < patch->nr; i++) {
		const struct ftrace_change *change = &patch->change[i];
		u32 flags = change->rec->state &
			    ~(FTRACE_REC_HAVE | FTRACE_REC_WANT);

		if (change->have != FTRACE_NR_NOP)
			flags |= FTRACE_REC_TOUCHED;
		change->rec->state = flags |
				     FIELD_PREP(FTRACE_REC_HAVE, change->have) |
				     FIELD_PREP(FTRACE_REC_WANT, change->want);
	}
}

/**
 * ftrace_patch_apply - make the changes, all of them or none
 * @patch: the changes
 * @enabled: kernel.ftrace_enabled: when false, WANT changes and sites become NOPs
 * @target: tells the code of a number
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: 0; -ENOMEM; -EFAULT or -EINVAL, where a site is not what it should
 * be: that has been reported, and its record is FIXED from now on. In an error
 * nothing else has changed.
 */
int ftrace_patch_apply(struct ftrace_patch *patch, bool enabled,
		       ftrace_target_t target)
{
	struct batch batch = { };
	unsigned int nr;
	int err = 0;

	lockdep_assert_held(&ftrace_lock);

	nr = plan(patch, enabled);
	if (nr) {
		batch.site = kvmalloc_array(nr, sizeof(*batch.site), patch->gfp);
		if (!batch.site)
			return -ENOMEM;
		fill(&batch, patch, target);
		err = store(&batch, patch);
		kvfree(batch.site);
	}
	if (!err)
		commit(patch);
	return err;
}

/**
 * ftrace_patch_free - forget collected changes
 * @patch: the changes, applied or not
 */
void ftrace_patch_free(struct ftrace_patch *patch)
{
	kvfree(patch->change);
}

/**
 * ftrace_site_is_nop - is there the NOP of a call site?
 * @ip: any address
 *
 * Context: any
 */
bool ftrace_site_is_nop(unsigned long ip)
{
	u8 found[MCOUNT_INSN_SIZE], nop[MCOUNT_INSN_SIZE];

	ftrace_site_encode(nop, ip, 0);
	if (is_kernel_text(ip))
		return !memcmp((void *)ip, nop, sizeof(nop));

	return !copy_from_kernel_nofault(found, (void *)ip, sizeof(found)) &&
	       !memcmp(found, nop, sizeof(nop));
}
