// SPDX-License-Identifier: GPL-2.0
/*
 * Functions with the names that examples of the documentation have. Some of these were names
 * of functions of the kernel once, and some still are: so nothing else is in this object, which
 * would call the wrong one. They do nothing, and nobody calls them.
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>

#include "output/kunit_names.h"

#define NAMES(name)							\
	name(sys_open)							\
	name(do_sys_open)						\
	name(getname)							\
	name(kmem_cache_alloc)						\
	name(__might_sleep)						\
	name(strncpy_from_user)						\
	name(might_fault)						\
	name(alloc_fd)							\
	name(_spin_lock)						\
	name(expand_files)						\
	name(_spin_unlock)						\
	name(__switch_to)						\
	name(finish_task_switch)					\
	name(_raw_spin_unlock_irq)					\
	name(__schedule)						\
	name(schedule)							\
	name(schedule_preempt_disabled)					\
	name(msecs_to_jiffies)						\
	name(__rcu_read_unlock)						\
	name(rcu_bh_qs)							\
	name(__local_bh_enable)						\
	name(idle_cpu)							\
	name(rcu_irq_exit)						\
	name(handle_IPI)						\
	name(scheduler_ipi)						\
	name(d_free)							\
	name(call_rcu)							\
	name(__call_rcu)						\
	name(rcu_process_gp_end)					\
	name(check_for_new_grace_period)				\
	name(__wake_up_bit)						\
	name(journal_mark_dirty)					\
	name(__brelse)							\
	name(reiserfs_prepare_for_journal)				\
	name(unlock_buffer)						\
	name(wake_up_bit)						\
	name(bit_waitqueue)						\
	name(__phys_addr)						\
	name(putname)							\
	name(kmem_cache_free)						\
	name(cgroup_migrate)						\
	name(cgroup_migrate_add_task)					\
	name(cgroup_migrate_execute)					\
	name(cpu_cgroup_can_attach)					\
	name(cgroup_taskset_first)					\
	name(cgroup_taskset_next)					\
	name(sched_rt_can_attach)					\
	name(__do_fault)						\
	name(filemap_fault)						\
	name(find_lock_page)						\
	name(find_get_page)						\
	name(page_add_file_rmap)					\
	name(native_set_pte_at)						\
	name(unlock_page)						\
	name(page_waitqueue)

/* The comment keeps compilers from making one function of all. */
#define DEFINE_NAMED(id, text)						\
	static void id(void) asm(text);					\
	static noinline void id(void)					\
	{								\
		asm volatile("/* " text " */");				\
	}

#define DEFINE_NAME(name)	DEFINE_NAMED(example_##name, #name)
#define NAME_ROW(name)		{ #name, example_##name },

NAMES(DEFINE_NAME)
DEFINE_NAMED(example_isra, "rcu_eqs_enter_common.isra.47")

static const struct {
	const char	*name;
	void		(*func)(void);
} names[] = {
	NAMES(NAME_ROW)
	{ "rcu_eqs_enter_common.isra.47", example_isra },
};

/**
 * kunit_named_func - find a function that has the name
 * @name: of an example of the documentation; no NUL is needed
 * @len: its length
 *
 * Return: its address, 0 if there is none.
 */
unsigned long kunit_named_func(const char *name, size_t len)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (strlen(names[i].name) == len && !memcmp(names[i].name, name, len))
			return (unsigned long)names[i].func;
	}

	return 0;
}
