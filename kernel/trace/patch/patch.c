// SPDX-License-Identifier: GPL-2.0
/*
 * Patching of call sites. Everything that can fail is done first: allocating memory, encoding
 * the sites, and comparing each site with the expected bytes. Then the stores are made, while
 * all other CPUs are stopped in stop_machine() or, with ftrace_patch=live, while they keep
 * running.
 *
 * NMIs are not stopped in either case. So the stores are made in steps, and a site is executable
 * after each step (see linux/ftrace_arch.h). After each step every CPU executes
 * ftrace_text_sync() and acknowledges the step. A CPU acknowledges no step while it is in an
 * NMI, so an NMI that executes a site sees at most one step. The last step withdraws the batch
 * from ftrace_patch_find(); once all CPUs have acknowledged that, no handler is reading the
 * batch.
 *
 * Ordered accesses, by function and letter
 *
 *	patch_store_parts:A	release of patching, pairs with ftrace_patch_find:A
 *	patch_store_parts:B	write barrier before the first store: a CPU that traps on the store
 *			finds the site. Taking the trap orders the other side.
 *	patch_conduct:A	release of rendezvous.step, pairs with patch_follow:A: a CPU that sees
 *			the step fetches text that has it
 *	patch_follow:B	release of rendezvous.seen, pairs with patch_conduct:B: the stores of
 *			the next step come after all CPUs have acknowledged the last
 *	announce_sites_remove:A, ftrace_announced_select:A
 *			write barriers, pair with the read barriers ftrace_location:A and
 *			ftrace_text_reserved:A: a site that is no longer among the announced or
 *			selected sites has its record
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/bsearch.h>
#include <linux/cpu.h>
#include <linux/ftrace_arch.h>
#include <linux/init.h>
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/stop_machine.h>
#include <linux/uaccess.h>

#include <asm/sections.h>

#include "lib/array.h"
#include "patch/patch.h"
#include "patch/report.h"

/**
 * struct patch_batch - sites while they are being changed
 * @site: sites in ascending order of their addresses
 * @nr: number of sites
 */
struct patch_batch {
	struct ftrace_site	*site;
	unsigned int		nr;
};

/* The batch whose sites are between two steps, or NULL. Changed under text_mutex. */
static const struct patch_batch *patching;

static __always_inline int patch_compare_ip(const void *key, const void *elt)
{
	unsigned long ip = *(const unsigned long *)key;
	const struct ftrace_site *site = elt;

	return ip < site->ip ? -1 : ip > site->ip;
}

/**
 * ftrace_patch_find - find a site that is being changed
 * @ip: address of the site
 *
 * Context: any, the handler of a trap included
 *
 * Return: the site, valid until the CPU next executes ftrace_text_sync(); NULL if no site at @ip
 * is being changed
 */
noinstr const struct ftrace_site *ftrace_patch_find(unsigned long ip)
{
	/* ftrace_patch_find:A: pointer before the batch; pairs with patch_store_parts:A */
	const struct patch_batch *batch = smp_load_acquire(&patching);

	if (!batch)
		return NULL;

	return __inline_bsearch(&ip, batch->site, batch->nr,
				sizeof(*batch->site), patch_compare_ip);
}

/**
 * struct patch_rendezvous - all CPUs in stop_machine(), performing the steps together
 * @batch: the batch that is being changed
 * @conductor: 0 until one CPU has become the CPU that makes the stores
 * @followers: number of the other CPUs
 * @step: number of completed steps
 * @seen: number of acknowledgments up to now, @followers for each step
 */
struct patch_rendezvous {
	const struct patch_batch	*batch;
	atomic_t		conductor;
	int			followers;
	int			step;
	atomic_t		seen;
};

/* The steps of the architecture, and one step that withdraws the batch. */
#define STEPS	(FTRACE_PATCH_STEPS + 1)

/*
 * A branch trace is decoded with the new text from the last step on. Before, a site that is
 * executed shows up there as a trap, if there is more than one step.
 */
static void patch_report_to_perf(const struct patch_batch *batch)
{
	unsigned int i;

	for (i = 0; i < batch->nr; i++) {
		const struct ftrace_site *site = &batch->site[i];

		perf_event_text_poke((void *)(site->ip - FTRACE_SITE_BEFORE),
				     site->old, FTRACE_SITE_SIZE,
				     site->insn, FTRACE_SITE_SIZE);
	}
}

static void patch_do_step(const struct patch_batch *batch, int step)
{
	if (step == FTRACE_PATCH_STEPS) {
		WRITE_ONCE(patching, NULL);
		return;
	}
	if (step == FTRACE_PATCH_STEPS - 1 && perf_event_text_poke_wanted())
		patch_report_to_perf(batch);
	ftrace_text_store(step, batch->site, batch->nr);
}

static void patch_conduct(struct patch_rendezvous *r)
{
	int step;

	for (step = 0; step < STEPS; step++) {
		patch_do_step(r->batch, step);
		/* patch_conduct:A: stores of the step before step; pairs with patch_follow:A */
		smp_store_release(&r->step, step + 1);
		ftrace_text_sync();
		/* patch_conduct:B: acknowledgments before the next step; with patch_follow:B */
		while (atomic_read_acquire(&r->seen) <
		       r->followers * (step + 1))
			cpu_relax();
	}
}

static void patch_follow(struct patch_rendezvous *r)
{
	int step;

	for (step = 0; step < STEPS; step++) {
		/* patch_follow:A: step before the text is fetched; pairs with patch_conduct:A */
		while (smp_load_acquire(&r->step) <= step)
			cpu_relax();
		ftrace_text_sync();
		/* patch_follow:B: ftrace_text_sync() before seen; pairs with patch_conduct:B */
		atomic_inc_return_release(&r->seen);
	}
}

/* Runs on every CPU, interrupts disabled. */
static int patch_rendezvous_cpu(void *data)
{
	struct patch_rendezvous *r = data;

	/* Only elects the first CPU: stop_machine() has ordered all previous accesses. */
	if (atomic_xchg_relaxed(&r->conductor, 1))
		patch_follow(r);
	else
		patch_conduct(r);
	return 0;
}

/* All other CPUs are stopped, except for NMIs. */
static void patch_store_stopped(const struct patch_batch *batch)
{
	struct patch_rendezvous r = {
		.batch		= batch,
		.followers	= num_online_cpus() - 1,
	};

	lockdep_assert_cpus_held();
	stop_machine_cpuslocked(patch_rendezvous_cpu, &r, cpu_online_mask);
}

static void patch_sync_cpu(void *unused)
{
	ftrace_text_sync();
}

/* All CPUs keep running, and may execute a site between two steps. */
static void patch_store_live(const struct patch_batch *batch)
{
	int step;

	for (step = 0; step < STEPS; step++) {
		patch_do_step(batch, step);
		on_each_cpu(patch_sync_cpu, NULL, 1);
	}
}

/* Mode of patching: ftrace_patch=stop or =live on the kernel's command line. */
static bool patch_live __ro_after_init;

static int __init patch_set_mode(char *str)
{
	patch_live = !strcmp(str, "live");
	if (!patch_live && strcmp(str, "stop"))
		pr_warn("ftrace_patch=%s is neither stop nor live\n", str);
	return 1;
}
__setup("ftrace_patch=", patch_set_mode);

/*
 * Maximum number of sites that are changed while the CPUs are stopped. All sites of a kernel at
 * once would stop the other CPUs for a millisecond and more.
 */
#define STOPPED_MOST	256

static struct page *patch_text_page(unsigned long addr)
{
	return __is_kernel(addr) ? virt_to_page(lm_alias((void *)addr)) :
				   vmalloc_to_page((void *)addr);
}

/*
 * Make as many of the sites writable as there are slots for, and return their number. A site
 * that straddles two pages has both, in neighboring slots.
 */
static unsigned int patch_map_sites(struct ftrace_site *site, unsigned int nr,
				    unsigned int *slots)
{
	unsigned long last = 0;
	unsigned int i;

	*slots = 0;
	for (i = 0; i < nr; i++) {
		unsigned long start = site[i].ip - FTRACE_SITE_BEFORE;
		unsigned long page = PAGE_ALIGN_DOWN(start);
		unsigned long end = PAGE_ALIGN_DOWN(start + FTRACE_SITE_SIZE - 1);

		if (page != last) {
			if (!ftrace_text_map(*slots, patch_text_page(page)))
				break;
			++*slots;
		}
		site[i].where = (*slots - 1) * PAGE_SIZE + offset_in_page(start);
		if (end != page) {
			if (!ftrace_text_map(*slots, patch_text_page(end)))
				break;
			++*slots;
		}
		last = end;
	}
	return i;
}

static void patch_store_parts(const struct patch_batch *batch)
{
	unsigned int most = patch_live ? batch->nr : STOPPED_MOST, first, slots;
	struct patch_batch part;

	for (first = 0; first < batch->nr; first += part.nr) {
		part.site = batch->site + first;
		part.nr = patch_map_sites(part.site, min(most, batch->nr - first), &slots);

		/* patch_store_parts:A: batch before the pointer; pairs with ftrace_patch_find:A */
		smp_store_release(&patching, &part);
		/* patch_store_parts:B: pointer before the first store; pairs with the trap */
		smp_wmb();
		if (patch_live)
			patch_store_live(&part);
		else
			patch_store_stopped(&part);
		ftrace_text_unmap(slots);
		cond_resched();
	}
}

/*
 * Does the text hold these bytes? The kernel's own text is always mapped, so most sites can be
 * read directly.
 */
static __always_inline bool patch_text_is(unsigned long ip, const u8 *insn)
{
	u8 found[FTRACE_SITE_SIZE];
	const void *text = (void *)(ip - FTRACE_SITE_BEFORE);

	if (likely(is_kernel_text(ip) && !memcmp(text, insn, FTRACE_SITE_SIZE)))
		return true;

	return !copy_from_kernel_nofault(found, text, FTRACE_SITE_SIZE) &&
	       !memcmp(found, insn, FTRACE_SITE_SIZE);
}

/* Return: the error of a site whose bytes are not the expected ones. */
static noinline int patch_corrupt(const struct ftrace_site *site,
				  const struct ftrace_patch *patch)
{
	const void *text = (void *)(site->ip - FTRACE_SITE_BEFORE);
	struct dyn_ftrace *rec = ftrace_rec_find(site->ip);
	u8 found[FTRACE_SITE_SIZE];
	bool mapped = !copy_from_kernel_nofault(found, text, FTRACE_SITE_SIZE);

	ftrace_bug(&(struct ftrace_bug) {
		.rec = rec, .site = site, .found = mapped ? found : NULL,
		.owner = patch->owner, .func = patch->func,
	});
	rec->state |= FTRACE_REC_CORRUPT;
	return mapped ? -EINVAL : -EFAULT;
}

/* Check all sites: corrupt ones must never be changed again. */
static int patch_verify(const struct patch_batch *batch, const struct ftrace_patch *patch)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < batch->nr; i++) {
		const struct ftrace_site *site = &batch->site[i];

		if (unlikely(!patch_text_is(site->ip, site->old)))
			err = patch_corrupt(site, patch);
		if (!(i % STOPPED_MOST))
			cond_resched();
	}
	return err;
}

static int patch_store(const struct patch_batch *batch, const struct ftrace_patch *patch)
{
	int err;

	guard(cpus_read_lock)();
	guard(mutex)(&text_mutex);

	err = patch_verify(batch, patch);
	if (!err)
		patch_store_parts(batch);
	return err;
}

/**
 * ftrace_patch_init - begin to collect changes
 * @patch: the collection
 * @owner: originator of the changes, for reports; must remain valid as long as @patch
 * @gfp: GFP_KERNEL, or with __GFP_NOFAIL for a change that must not fail
 */
void ftrace_patch_init(struct ftrace_patch *patch, const char *owner, gfp_t gfp)
{
	*patch = (struct ftrace_patch) { .owner = owner, .gfp = gfp };
}

/**
 * ftrace_patch_add - collect the change of one record
 * @patch: the collection
 * @rec: record, at a higher address than the records before it
 * @want: number of the target that its site must call while ftrace is enabled
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: 0 or -ENOMEM
 */
int ftrace_patch_add(struct ftrace_patch *patch, struct dyn_ftrace *rec,
		     unsigned int want)
{
	struct ftrace_change *array;

	lockdep_assert_held(&ftrace_lock);

	array = ftrace_array_reserve(patch->change, patch->nr, &patch->max, sizeof(*array),
				     patch->gfp);
	if (!array)
		return -ENOMEM;

	patch->change = array;
	patch->change[patch->nr++] = (struct ftrace_change) {
		.rec = rec,
		.want = want,
	};
	return 0;
}

/**
 * struct patch_target - the address that a number stands for
 * @nr: the number
 * @addr: its address, 0 for FTRACE_NR_NOP
 */
struct patch_target {
	unsigned int	nr;
	unsigned long	addr;
};

/* Most sites have the same target as the site before them: look up only another number. */
static unsigned long patch_target_of(struct patch_target *last, unsigned int nr,
				     ftrace_target_t target)
{
	if (nr != last->nr) {
		last->nr = nr;
		last->addr = nr == FTRACE_NR_NOP ? 0 : target(nr);
	}
	return last->addr;
}

/* Plan each change, and encode the sites that must be written. */
static int patch_plan(struct patch_batch *batch, struct ftrace_patch *patch, bool enabled,
		      ftrace_target_t target)
{
	struct patch_target from = { FTRACE_NR_NOP }, to = { FTRACE_NR_NOP };
	unsigned int i;

	for (i = 0; i < patch->nr; i++) {
		struct ftrace_change *change = &patch->change[i];
		u32 old = change->rec->state;
		u32 new = ftrace_plan(old, change->want, enabled);
		unsigned int have = ftrace_state_have(old);
		unsigned int goal = ftrace_state_have(new);
		struct ftrace_site *site;

		change->old = old;
		if (have == goal)
			continue;

		site = &batch->site[batch->nr++];
		site->ip = ftrace_rec_ip(change->rec);
		site->from = patch_target_of(&from, have, target);
		if (ftrace_site_encode(site->old, site->ip, site->from) ||
		    ftrace_site_encode(site->insn, site->ip, patch_target_of(&to, goal, target)))
			return -ERANGE;
	}
	return 0;
}

static void patch_commit(const struct ftrace_patch *patch, bool enabled)
{
	unsigned int i;

	for (i = 0; i < patch->nr; i++) {
		const struct ftrace_change *change = &patch->change[i];

		change->rec->state = ftrace_plan(change->old, change->want, enabled);
	}
}

/**
 * ftrace_patch_apply - apply the changes, all of them or none
 * @patch: the changes
 * @enabled: kernel.ftrace_enabled: if false, WANT changes and sites become NOPs
 * @target: returns the address that a number stands for
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: 0; -ENOMEM; -ERANGE if a site cannot reach its target; -EFAULT or -EINVAL if the bytes
 * of a site are not the expected ones: that has been reported, and its record is CORRUPT from
 * now on. An error has no other effect.
 */
int ftrace_patch_apply(struct ftrace_patch *patch, bool enabled,
		       ftrace_target_t target)
{
	struct patch_batch batch = { };
	int err;

	lockdep_assert_held(&ftrace_lock);

	if (!patch->nr)
		return 0;

	batch.site = kvmalloc_array(patch->nr, sizeof(*batch.site), patch->gfp);
	if (!batch.site)
		return -ENOMEM;

	err = patch_plan(&batch, patch, enabled, target);
	if (!err && batch.nr)
		err = patch_store(&batch, patch);
	if (!err)
		patch_commit(patch, enabled);
	kvfree(batch.site);
	return err;
}

/**
 * ftrace_patch_free - free collected changes
 * @patch: the changes, applied or not
 */
void ftrace_patch_free(struct ftrace_patch *patch)
{
	kvfree(patch->change);
}

/**
 * ftrace_site_prepare - bring a site that the build listed to its initial form
 * @ip: address of the site, or any address
 *
 * Context: before any CPU can execute the site, or if the build has already done it
 *
 * Return: true if there is a call site now, which is a NOP
 */
bool ftrace_site_prepare(unsigned long ip)
{
	u8 nop[FTRACE_SITE_SIZE];

	return ftrace_site_init(ip) && !ftrace_site_encode(nop, ip, 0) &&
	       patch_text_is(ip, nop);
}

#ifdef CONFIG_FTRACE_DISCOVER
/* Is a site as the compiler and the linker made it? Read its text. */
static bool patch_read_mark(struct ftrace_site *site)
{
	const void *text = (void *)(site->ip - FTRACE_SITE_BEFORE);

	return !copy_from_kernel_nofault(site->old, text, FTRACE_SITE_SIZE) &&
	       ftrace_calls_mark(site->old + FTRACE_SITE_BEFORE, site->ip, false);
}

/**
 * ftrace_sites_settle - turn call sites that are as the compiler made them into NOPs
 * @ip: addresses in ascending order; addresses of other sites are moved to the end
 * @nr: number of addresses
 *
 * The content of an address is not known: it may be a breakpoint of a debugger, which is left as
 * it is.
 *
 * Context: ftrace_lock held; may sleep
 *
 * Return: the number of sites that have become NOPs, or -ENOMEM
 */
int ftrace_sites_settle(unsigned long *ip, unsigned int nr)
{
	struct patch_batch batch = { };
	unsigned int i;

	lockdep_assert_held(&ftrace_lock);

	if (!nr)
		return 0;

	batch.site = kvmalloc_array(nr, sizeof(*batch.site), GFP_KERNEL);
	if (!batch.site)
		return -ENOMEM;

	scoped_guard(cpus_read_lock) {
		guard(mutex)(&text_mutex);

		for (i = 0; i < nr; i++) {
			struct ftrace_site *site = &batch.site[batch.nr];

			site->ip = ip[i];
			site->from = MCOUNT_ADDR;
			if (!patch_read_mark(site) || ftrace_site_encode(site->insn, ip[i], 0))
				continue;
			swap(ip[batch.nr], ip[i]);
			batch.nr++;
		}
		if (batch.nr)
			patch_store_parts(&batch);
	}
	kvfree(batch.site);
	return batch.nr;
}
#endif /* CONFIG_FTRACE_DISCOVER */
