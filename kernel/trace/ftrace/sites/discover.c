// SPDX-License-Identifier: GPL-2.0
/*
 * Discovery of call sites at run time, where the build does not list them.
 *
 * Sites announce themselves, see patch/announce.c. A thread checks once a second whether there
 * are announced sites. It turns them into NOPs under stop_machine(), and makes records of them;
 * from then on they are like listed sites. Ops that trace all functions trace the new ones.
 *
 * A user that selects a function by its address does not wait for the thread: the site gets its
 * record when the address is added to a filter.
 *
 * The text of a module cannot be freed while ftrace_lock is held, unless its records have
 * already been removed: ftrace_release_mod() takes the lock after the module's state has become
 * GOING.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/err.h>
#include <linux/freezer.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "ftrace/ops/kill.h"
#include "ftrace/ops/update.h"
#include "ftrace/sites/discover.h"
#include "ftrace/sites/site_module.h"
#include "lib/array.h"
#include "patch/announce.h"
#include "patch/patch.h"

/* Is the site eligible for a record, but still without one? A function has one, at its start. */
static bool discover_is_new(unsigned long ip)
{
	unsigned long offset;

	if (ftrace_announced_never(ip) || ftrace_rec_find(ip))
		return false;

	if (kallsyms_lookup_size_offset(ip, NULL, &offset) && offset <= FTRACE_MCOUNT_MAX_OFFSET)
		return true;

	ftrace_announced_leave_out(ip);
	return false;
}

/* Move the sites that pass a test to the front, in their order. Return: the number of such sites */
static unsigned int discover_keep(unsigned long *ip, unsigned int nr,
				  bool (*test)(unsigned long ip))
{
	unsigned int i, kept = 0;

	for (i = 0; i < nr; i++) {
		cond_resched();
		if (!test(ip[i]))
			continue;
		swap(ip[kept], ip[i]);
		kept++;
	}
	return kept;
}

static bool discover_not_in_nmi(unsigned long ip)
{
	return !ftrace_announced_never(ip);
}

/*
 * Until all CPUs execute the NOP at a site, an NMI that executes the site announces it. So the
 * sites known after that are all sites that can be known. Return: the number of sites that have
 * got a record, which are the first ones then; or -ENOMEM
 */
static int discover_record_text(struct module *mod, unsigned long *ip, unsigned int nr)
{
	struct ftrace_merge merge;
	int settled;

	nr = discover_keep(ip, nr, discover_is_new);
	if (!nr)
		return 0;

	/* A site that is a NOP must get its record: so allocate the memory before. */
	settled = ftrace_merge_prepare(&merge, mod, ip, nr) ?: ftrace_sites_settle(ip, nr);
	if (settled > 0) {
		settled = discover_keep(ip, settled, discover_not_in_nmi);
		if (settled)
			ftrace_records_merge(&merge, mod, ip, settled);
	}
	ftrace_merge_free(&merge);
	if (settled > 0 && ftrace_check_text(ftrace_update_these(ip, settled)))
		pr_warn_once("new functions are not traced\n");
	return settled;
}

/**
 * struct discover_sites_of_text - the first sites of a list, which are in one text
 * @mod: the module; NULL for the kernel, or if the sites cannot have records
 * @nr: number of sites
 * @recorded: number of sites that have got records now; they are the first ones, and ascending
 * @err: 0 or -ENOMEM
 */
struct discover_sites_of_text {
	struct module	*mod;
	unsigned int	nr;
	unsigned int	recorded;
	int		err;
};

/*
 * Make records of the first sites, which are in one text. The sites are announced and in
 * ascending order of addresses, and are reordered.
 */
static struct discover_sites_of_text discover_record(unsigned long *ip, unsigned int nr)
{
	struct discover_sites_of_text text = { .mod = ftrace_text_of(*ip), .nr = 1 };
	unsigned int i;
	int recorded;

	lockdep_assert_held(&ftrace_lock);

	while (text.nr < nr && ftrace_text_of(ip[text.nr]) == text.mod)
		text.nr++;
	if (IS_ERR(text.mod)) {
		text.mod = NULL;
	} else {
		recorded = discover_record_text(text.mod, ip, text.nr);
		text.err = min(recorded, 0);
		text.recorded = max(recorded, 0);
	}
	/* Only now: ftrace_location() finds each of them either as announced or by its record. */
	for (i = 0; i < text.nr; i++)
		ftrace_announced_done(ip[i]);
	return text;
}

static bool discover_may_record(void)
{
	return ftrace_enabled && !ftrace_is_dead() && !ftrace_announce_has_failed();
}

/* As discover_record(). No sites are returned if no record can be made now. */
static struct discover_sites_of_text discover_record_announced(unsigned long *ip, unsigned int nr)
{
	guard(mutex)(&ftrace_lock);

	return discover_may_record() ? discover_record(ip, nr) : (struct discover_sites_of_text){ };
}

static unsigned int discover_read_announced(unsigned long *ip)
{
	unsigned int i, nr = ftrace_announced_read(ip), unique = 0;

	sort(ip, nr, sizeof(*ip), ftrace_compare_addr, NULL);
	for (i = 0; i < nr; i++)
		if (!unique || ip[i] != ip[unique - 1])
			ip[unique++] = ip[i];
	return unique;
}

/**
 * struct discover_unreported - a site that has got its record because a filter selected it
 * @ip: address of the site
 * @serial: serial number of its text, see struct ftrace_page
 */
struct discover_unreported {
	unsigned long	ip;
	unsigned long	serial;
};

/*
 * Sites that have not been reported yet to pending patterns: the code that selects a site cannot
 * report it with its locks held. The thread takes them at most a second later. Under ftrace_lock.
 */
static struct discover_unreported *unreported;
static unsigned int nr_unreported;
static unsigned int max_unreported;

/* Reserve space for more unreported sites. Return: 0 or -ENOMEM */
static int discover_unreported_reserve(unsigned int more)
{
	unsigned int most = nr_unreported + more;
	struct discover_unreported *array;

	if (most <= max_unreported)
		return 0;

	array = kvrealloc(unreported, array_size(most, sizeof(*array)), GFP_KERNEL);
	if (!array)
		return -ENOMEM;

	unreported = array;
	max_unreported = most;
	return 0;
}

/* The space has been reserved. */
static void discover_unreported_add(const unsigned long *ip, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		unreported[nr_unreported++] = (struct discover_unreported) {
			.ip = ip[i],
			.serial = ftrace_rec_page(ftrace_rec_find(ip[i]))->serial,
		};
}

/*
 * The text of a site, NULL for the kernel; an error if the site is not the same any longer, or if
 * its module is being unloaded.
 */
static struct module *discover_unreported_text(const struct discover_unreported *site)
{
	struct dyn_ftrace *rec = ftrace_rec_find(site->ip);

	if (!rec || ftrace_rec_page(rec)->serial != site->serial)
		return ERR_PTR(-ENOENT);

	return ftrace_text_of(site->ip);
}

/* Take some unreported sites of one text. Return: their number, 0 if no site is left */
static unsigned int discover_unreported_take(unsigned long *ip, unsigned int most,
					     struct module **mod)
{
	unsigned int nr;

	guard(mutex)(&ftrace_lock);

	for (nr = 0; nr_unreported && nr < most; nr_unreported--) {
		const struct discover_unreported *site = &unreported[nr_unreported - 1];
		struct module *text = discover_unreported_text(site);

		if (IS_ERR(text))
			continue;
		if (nr && text != *mod)
			break;
		*mod = text;
		ip[nr++] = site->ip;
	}
	if (!nr_unreported) {
		kvfree(unreported);
		unreported = NULL;
		max_unreported = 0;
	}
	return nr;
}

/* ftrace_found_mutex held */
static void discover_report(void)
{
	unsigned long ip[32];
	struct module *mod;
	unsigned int nr;

	while ((nr = discover_unreported_take(ip, ARRAY_SIZE(ip), &mod)))
		ftrace_sites_found(mod, ip, nr);
}

/* One pass. @ip has space for all sites that can be announced. */
static void discover_run(unsigned long *ip)
{
	unsigned int nr = discover_read_announced(ip);
	struct discover_sites_of_text text;

	guard(mutex)(&ftrace_found_mutex);

	discover_report();
	for (; nr; ip += text.nr, nr -= text.nr) {
		text = discover_record_announced(ip, nr);
		if (!text.nr)
			break;
		if (text.recorded)
			ftrace_sites_found(text.mod, ip, text.recorded);
	}
}

static int discover_thread(void *ip)
{
	set_freezable();
	while (!ftrace_is_dead() && !ftrace_announce_has_failed()) {
		schedule_timeout_interruptible(HZ);
		try_to_freeze();
		discover_run(ip);
	}
	if (!ftrace_is_dead())
		pr_warn("too many functions run in NMIs, call sites are no longer recorded\n");
	kvfree(ip);
	return 0;
}

static int __init discover_init(void)
{
	unsigned long *ip = kvmalloc_array(FTRACE_ANNOUNCED_MAX, sizeof(*ip), GFP_KERNEL);
	struct task_struct *thread;

	if (!ip)
		return -ENOMEM;

	thread = kthread_run(discover_thread, ip, "ftraced");
	if (IS_ERR(thread)) {
		kvfree(ip);
		return PTR_ERR(thread);
	}

	guard(mutex)(&ftrace_lock);

	ftrace_announce_start();
	ftrace_announce_switch(discover_may_record());
	return 0;
}
core_initcall(discover_init);

/* The sites that have no record, as a new array, NULL if memory is short. */
static unsigned long *discover_find_missing(const unsigned long *ip, unsigned int nr,
					    unsigned int *missing)
{
	unsigned long *sites = kvmalloc_array(max(nr, 1U), sizeof(*sites), GFP_KERNEL);
	unsigned int i;

	*missing = 0;
	for (i = 0; sites && i < nr; i++)
		if (!ftrace_rec_find(ip[i]))
			sites[(*missing)++] = ip[i];
	return sites;
}

/* As discover_record(), for sites that need not be announced. */
static struct discover_sites_of_text discover_record_matching(unsigned long *ip, unsigned int nr)
{
	struct discover_sites_of_text text;

	nr = min(nr, FTRACE_SELECTED_MAX);
	if (discover_unreported_reserve(nr))
		return (struct discover_sites_of_text) { .err = -ENOMEM };

	ftrace_announced_select(ip, nr);
	text = discover_record(ip, nr);
	ftrace_announced_select(NULL, 0);
	discover_unreported_add(ip, text.recorded);
	return text;
}

/**
 * ftrace_discover_sites - make records of sites that a user wants to trace
 * @ip: addresses from ftrace_location(), ascending
 * @nr: number of addresses
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: 0; -EINVAL if a site can have no record, or -ENOMEM
 */
int ftrace_discover_sites(const unsigned long *ip, unsigned int nr)
{
	struct discover_sites_of_text text = { };
	unsigned int i, missing;
	unsigned long *sites;

	guard(mutex)(&ftrace_lock);

	if (ftrace_is_dead())
		return 0;

	sites = discover_find_missing(ip, nr, &missing);
	if (!sites)
		return -ENOMEM;

	for (i = 0; i < missing && !text.err; i += text.nr)
		text = discover_record_matching(sites + i, missing - i);
	kvfree(sites);
	if (text.err)
		return text.err;

	for (i = 0; missing && i < nr; i++)
		if (!ftrace_rec_find(ip[i]))
			return -EINVAL;
	return 0;
}

/**
 * ftrace_init - do nothing at boot: sites are still calls, which are not announced yet
 *
 * Context: boot, before there is more than one CPU
 */
void __init ftrace_init(void)
{
}

/**
 * ftrace_module_init - do nothing for a new module: its sites get records when they are found
 * @mod: the module
 *
 * Context: process context
 */
void ftrace_module_init(struct module *mod)
{
}
