// SPDX-License-Identifier: GPL-2.0
/*
 * Bits in the memory of programs that show whether a user event is enabled.
 *
 * A bit belongs to an address space. It changes with trace_event_lock held, which is no time to
 * wait for page faults, or for a task that has locked its memory: then a work writes the bit.
 *
 * The kernel calls user_events_fork(), and user_event_mm_remove() through user_events_execve() and
 * user_events_exit() of <linux/user_events.h>.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/cleanup.h>
#include <linux/highmem.h>
#include <linux/init.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/user_events.h>
#include <linux/workqueue.h>

#include "user/user_event.h"

/*
 * Attempts to write to a page that is not present or locked: first 50 a second, then each one waits
 * twice as long, up to 20 seconds.
 */
#define USER_FAULTS_FAST	50
#define USER_FAULTS_MAX		(USER_FAULTS_FAST + 10)

/* Maximum number of bits in an address space */
#define USER_BITS_MAX		4096

/* A file system may let a work wait for ever: others of the kernel do not wait with it. */
static struct workqueue_struct *user_mm_works;

/*
 * Protects the list of address spaces and their bits. Taken after trace_event_lock, and after the
 * mmap_lock of any task.
 */
static DEFINE_MUTEX(user_mms_lock);
static LIST_HEAD(user_mms);

/**
 * struct user_bit - a bit
 * @list: entry in user_event_mm.enablers
 * @event: the event, with a reference
 * @address: address of the number with the bit, a multiple of @size
 * @size: size of the number in bytes, 4 or 8
 * @bit: the bit in it
 * @mm: its address space; with a reference while @work is pending
 * @work: faults the page in
 * @faults: number of attempts, not counted beyond USER_FAULTS_MAX; 0 if @work is not pending
 * @is_gone: it was unregistered while @work was pending, which frees it
 */
struct user_bit {
	struct list_head	list;
	struct user_event	*event;
	unsigned long		address;
	u8			size;
	u8			bit;
	struct user_event_mm	*mm;
	struct delayed_work	work;
	u8			faults;
	bool			is_gone;
};

/**
 * struct user_event_mm - an address space with bits
 * @mms_link: entry in user_mms
 * @enablers: struct user_bit
 * @mm: the address space, with a reference to the structure, but not to the memory
 * @refcnt: references: the list, and works
 * @tasks: number of tasks whose user_event_mm points to it. Other threads of the process have
 *	none: those that existed before the first bit
 */
struct user_event_mm {
	struct list_head	mms_link;
	struct list_head	enablers;
	struct mm_struct	*mm;
	refcount_t		refcnt;
	refcount_t		tasks;
};

static void user_mm_put(struct user_event_mm *um)
{
	if (refcount_dec_and_test(&um->refcnt)) {
		mmdrop(um->mm);
		kfree(um);
	}
}

/* Return: an address space with one task, which is not in the list yet; or NULL */
static struct user_event_mm *user_mm_new(struct mm_struct *mm)
{
	struct user_event_mm *um = kzalloc(sizeof(*um), GFP_KERNEL_ACCOUNT);

	if (!um)
		return NULL;

	INIT_LIST_HEAD(&um->mms_link);
	INIT_LIST_HEAD(&um->enablers);
	refcount_set(&um->refcnt, 1);
	refcount_set(&um->tasks, 1);
	um->mm = mm;
	mmgrab(mm);

	return um;
}

/*
 * Writing
 */

static void user_bit_change(const struct user_bit *bit, void *at, bool on)
{
	if (bit->size == sizeof(u32) && on)
		atomic_or(BIT(bit->bit), at);
	else if (bit->size == sizeof(u32))
		atomic_andnot(BIT(bit->bit), at);
	else if (on)
		atomic64_or(BIT_ULL(bit->bit), at);
	else
		atomic64_andnot(BIT_ULL(bit->bit), at);
}

/* Write the bit to its page, which is locked. */
static void user_bit_write_page(const struct user_bit *bit, struct page *page, bool on)
{
	void *base = kmap_local_page(page);

	user_bit_change(bit, base + offset_in_page(bit->address), on);
	kunmap_local(base);
	set_page_dirty(page);
}

/*
 * Write the bit. mmap_lock held. Return: false if the page is not present, not writable, or locked
 */
static bool user_bit_write(const struct user_bit *bit, bool on)
{
	struct mm_struct *mm = bit->mm->mm;
	struct page *page;
	bool locked;

	if (pin_user_pages_remote(mm, bit->address, 1, FOLL_WRITE | FOLL_NOFAULT, &page,
				  NULL) != 1)
		return false;

	/* A page of a file may be locked as long as the file system likes. */
	locked = trylock_page(page);
	if (locked) {
		user_bit_write_page(bit, page, on);
		unlock_page(page);
	}
	unpin_user_page(page);

	return locked;
}

/*
 * Does the memory of a new process show the state of the event? If the page is not present, it is
 * shared with the parent, or was copied when it was in swap: then this is assumed. mmap_lock held
 */
static bool user_bit_is_shown(const struct user_bit *bit)
{
	struct mm_struct *mm = bit->mm->mm;
	struct page *page;
	u64 number;
	void *base, *at;

	if (get_user_pages_remote(mm, bit->address, 1, FOLL_NOFAULT, &page, NULL) != 1)
		return true;

	base = kmap_local_page(page);
	at = base + offset_in_page(bit->address);
	number = bit->size == sizeof(u32) ? READ_ONCE(*(u32 *)at) : READ_ONCE(*(u64 *)at);
	kunmap_local(base);
	put_page(page);

	return !!(number & BIT_ULL(bit->bit)) == user_event_is_enabled(bit->event);
}

static void user_bit_free(struct user_bit *bit)
{
	user_event_put(bit->event);
	kfree(bit);
}

/* Write the bit in a work, after a page fault or when the memory is not locked. */
static void user_bit_show_later(struct user_bit *bit)
{
	unsigned long delay = 0;

	lockdep_assert_held(&user_mms_lock);

	if (bit->faults)
		delay = HZ / 50 << (max(bit->faults, USER_FAULTS_FAST) - USER_FAULTS_FAST);
	if (bit->faults < USER_FAULTS_MAX)
		bit->faults++;
	refcount_inc(&bit->mm->refcnt);
	queue_delayed_work(user_mm_works, &bit->work, delay);
}

/* Return: false if a work is about to write the bit, which reads the state of the event then */
static bool user_bit_stop(struct user_bit *bit)
{
	lockdep_assert_held(&user_mms_lock);

	if (!bit->faults)
		return true;
	if (!cancel_delayed_work(&bit->work))
		return false;

	bit->faults = 0;
	user_mm_put(bit->mm);

	return true;
}

/* Write the state of the event. mmap_lock held, and the address space is alive. */
static void user_bit_show(struct user_bit *bit)
{
	lockdep_assert_held(&user_mms_lock);

	if (user_bit_write(bit, user_event_is_enabled(bit->event)))
		bit->faults = 0;
	else
		user_bit_show_later(bit);
}

/* @is_present: the page was faulted in, and mmap_lock is held */
static void user_bit_finish(struct user_bit *bit, bool is_present)
{
	guard(mutex)(&user_mms_lock);

	if (bit->is_gone)
		user_bit_free(bit);
	else if (is_present)
		user_bit_show(bit);
	else
		bit->faults = 0;
}

static void user_bit_fault_work(struct work_struct *work)
{
	struct user_bit *bit = container_of(to_delayed_work(work), struct user_bit, work);
	struct user_event_mm *um = bit->mm;
	struct mm_struct *mm = um->mm;

	if (mmget_not_zero(mm)) {
		mmap_read_lock(mm);
		user_bit_finish(bit, !fixup_user_fault(mm, bit->address,
						       FAULT_FLAG_WRITE | FAULT_FLAG_REMOTE, NULL));
		mmap_read_unlock(mm);
		mmput(mm);
	} else {
		user_bit_finish(bit, false);
	}
	user_mm_put(um);
}

/*
 * Show the state of an event in one address space. A task with its mmap_lock may be waiting for
 * trace_event_lock: it may be freeing the last reference of a perf event.
 */
static void user_mm_update(struct user_event_mm *um, const struct user_event *event)
{
	bool is_locked = mmap_read_trylock(um->mm);
	struct user_bit *bit;

	list_for_each_entry(bit, &um->enablers, list) {
		if (bit->event != event || !user_bit_stop(bit))
			continue;
		if (is_locked)
			user_bit_show(bit);
		else
			user_bit_show_later(bit);
	}
	if (is_locked)
		mmap_read_unlock(um->mm);
}

/**
 * user_bits_update - show the state of an event in the memory of programs
 * @event: the event, which was enabled or disabled
 *
 * trace_event_lock held. May sleep.
 */
void user_bits_update(const struct user_event *event)
{
	struct user_event_mm *um;

	guard(mutex)(&user_mms_lock);

	list_for_each_entry(um, &user_mms, mms_link) {
		if (!mmget_not_zero(um->mm))
			continue;
		user_mm_update(um, event);
		cond_resched();
		/* The memory of a task that has exited meanwhile is not freed here. */
		mmput_async(um->mm);
	}
}

/*
 * Registration
 */

static bool user_mm_is_full(struct user_event_mm *um)
{
	return list_count_nodes(&um->enablers) >= USER_BITS_MAX;
}

static struct user_bit *user_bit_find(struct user_event_mm *um, unsigned long address,
				      unsigned int nr)
{
	struct user_bit *bit;

	lockdep_assert_held(&user_mms_lock);

	list_for_each_entry(bit, &um->enablers, list) {
		if (bit->address == address && bit->bit == nr)
			return bit;
	}

	return NULL;
}

/* Find the address space of this task. Other threads of the process may have created it. */
static struct user_event_mm *user_mm_of_current(void)
{
	struct user_event_mm *um;

	lockdep_assert_held(&user_mms_lock);

	if (current->user_event_mm)
		return current->user_event_mm;

	list_for_each_entry(um, &user_mms, mms_link) {
		if (um->mm == current->mm)
			return um;
	}

	return NULL;
}

/* Let the current task keep its address space in the list. */
static void user_mm_attach(struct user_event_mm *um)
{
	if (current->user_event_mm)
		return;

	if (!refcount_inc_not_zero(&um->tasks))
		refcount_set(&um->tasks, 1);
	current->user_event_mm = um;
}

static struct user_bit *user_bit_new(struct user_event_mm *um, struct user_event *event,
				     unsigned long address, unsigned int size, unsigned int nr)
{
	struct user_bit *bit = kzalloc(sizeof(*bit), GFP_KERNEL_ACCOUNT);

	if (!bit)
		return NULL;

	INIT_DELAYED_WORK(&bit->work, user_bit_fault_work);
	bit->mm = um;
	bit->event = event;
	bit->address = address;
	bit->size = size;
	bit->bit = nr;
	user_event_get(event);

	return bit;
}

/* Add a bit to the address space of this task. */
static int user_bit_add(struct user_event *event, unsigned long address, unsigned int size,
			unsigned int nr)
{
	struct user_event_mm *um = user_mm_of_current();
	bool is_new = !um;
	struct user_bit *bit;

	if (um && user_bit_find(um, address, nr))
		return -EADDRINUSE;
	if (um && user_mm_is_full(um))
		return -ENOSPC;
	if (is_new)
		um = user_mm_new(current->mm);
	if (!um)
		return -ENOMEM;
	bit = user_bit_new(um, event, address, size, nr);
	if (!bit) {
		if (is_new)
			user_mm_put(um);
		return -ENOMEM;
	}

	if (is_new) {
		current->user_event_mm = um;
		list_add_tail(&um->mms_link, &user_mms);
	}
	user_mm_attach(um);
	list_add_tail(&bit->list, &um->enablers);
	user_bit_show(bit);

	return 0;
}

/**
 * user_bit_register - register a bit of this task's memory for an event
 * @event: the event
 * @address: address of a number, a multiple of @size
 * @size: size of the number in bytes, 4 or 8
 * @bit: the bit in it
 *
 * May sleep.
 *
 * Return: 0; -EADDRINUSE if it is registered already, -EFAULT if the memory is not writable,
 *	-ENOSPC if the task has registered too many, -ENOMEM
 */
int user_bit_register(struct user_event *event, unsigned long address, unsigned int size,
		      unsigned int bit)
{
	int err;

	if (fault_in_safe_writeable((char __user *)address, size))
		return -EFAULT;

	mmap_read_lock(current->mm);
	mutex_lock(&user_mms_lock);
	err = user_bit_add(event, address, size, bit);
	mutex_unlock(&user_mms_lock);
	mmap_read_unlock(current->mm);

	return err;
}

/**
 * user_bit_is_registered - check whether a bit of this task's memory is registered
 * @address: address of a number
 * @bit: a bit in it
 *
 * May sleep.
 */
bool user_bit_is_registered(unsigned long address, unsigned int bit)
{
	struct user_event_mm *um;

	guard(mutex)(&user_mms_lock);

	um = user_mm_of_current();

	return um && user_bit_find(um, address, bit);
}

/* Remove a bit, which may be freed. */
static void user_bit_remove(struct user_bit *bit)
{
	list_del(&bit->list);
	if (user_bit_stop(bit))
		user_bit_free(bit);
	else
		bit->is_gone = true;
}

/* @page: the locked page with the bit, or NULL */
static int user_bit_clear(unsigned long address, unsigned int nr, struct page *page)
{
	struct user_event_mm *um = user_mm_of_current();
	struct user_bit *bit = um ? user_bit_find(um, address, nr) : NULL;

	if (!bit)
		return -ENOENT;

	if (page)
		user_bit_write_page(bit, page, false);
	user_bit_remove(bit);

	return 0;
}

/*
 * Pin and lock a page of this task's memory. Return: NULL if it does not exist or is not writable,
 * or if the task is being killed
 */
static struct page *user_page_lock(unsigned long address)
{
	struct page *page;

	if (pin_user_pages_fast(address, 1, FOLL_WRITE, &page) != 1)
		return NULL;
	if (!folio_lock_killable(page_folio(page)))
		return page;
	unpin_user_page(page);

	return NULL;
}

/**
 * user_bit_unregister - undo user_bit_register(), and clear the bit
 * @address: address of the number
 * @bit: the bit in it
 *
 * May sleep.
 *
 * Return: 0, or -ENOENT if it is not registered
 */
int user_bit_unregister(unsigned long address, unsigned int bit)
{
	/* If the memory does not exist any longer, there is nothing to clear. */
	struct page *page = user_page_lock(address);
	int err;

	/* Other tasks only try to lock a page with the mutex held. */
	mutex_lock(&user_mms_lock);
	err = user_bit_clear(address, bit, page);
	mutex_unlock(&user_mms_lock);
	if (page) {
		unlock_page(page);
		unpin_user_page(page);
	}

	return err;
}

/*
 * Tasks
 */

static void user_mm_remove(struct user_event_mm *um)
{
	struct user_bit *bit, *next;

	lockdep_assert_held(&user_mms_lock);

	list_for_each_entry_safe(bit, next, &um->enablers, list)
		user_bit_remove(bit);
	list_del(&um->mms_link);
	user_mm_put(um);
}

static void user_mms_reap(struct work_struct *work);
static DECLARE_DELAYED_WORK(user_mms_reaper, user_mms_reap);

/*
 * Remove the address spaces that no longer exist. The thread that registered a bit may exit
 * before the others, which do not know of the bit.
 */
static void user_mms_reap(struct work_struct *work)
{
	struct user_event_mm *um, *next;
	bool again = false;

	guard(mutex)(&user_mms_lock);

	list_for_each_entry_safe(um, next, &user_mms, mms_link) {
		if (refcount_read(&um->tasks))
			continue;
		if (atomic_read(&um->mm->mm_users))
			again = true;
		else
			user_mm_remove(um);
	}
	if (again)
		schedule_delayed_work(&user_mms_reaper, HZ);
}

/**
 * user_event_mm_remove - detach a task from its address space
 * @t: the current task, which exits or has executed another program
 *
 * May sleep.
 */
void user_event_mm_remove(struct task_struct *t)
{
	struct user_event_mm *um = t->user_event_mm;
	int own = um->mm == t->mm;

	guard(mutex)(&user_mms_lock);

	t->user_event_mm = NULL;
	if (!refcount_dec_and_test(&um->tasks))
		return;

	/* Is this the only task with this memory, or has the memory been replaced? */
	if (atomic_read(&um->mm->mm_users) <= own)
		user_mm_remove(um);
	else
		schedule_delayed_work(&user_mms_reaper, HZ);
}

static int user_bits_copy(struct user_event_mm *to, const struct user_event_mm *from)
{
	struct user_bit *old, *bit;

	list_for_each_entry(old, &from->enablers, list) {
		bit = user_bit_new(to, old->event, old->address, old->size, old->bit);
		if (!bit)
			return -ENOMEM;
		list_add_tail(&bit->list, &to->enablers);
		/* The event may have changed since the memory was copied. */
		if (!user_bit_is_shown(bit))
			user_bit_show(bit);
	}

	return 0;
}

/* Has the memory of the current task bits? They remain, since the task remains. */
static bool user_mm_exists(void)
{
	guard(mutex)(&user_mms_lock);

	return user_mm_of_current();
}

/*
 * Give a new process copies of its parent's bits. If there is not enough memory, it has none.
 * @t: its task, with a copy of the parent's memory
 */
static void user_mm_copy(struct task_struct *t)
{
	struct user_event_mm *um = user_mm_new(t->mm);

	if (!um)
		return;

	mmap_read_lock(t->mm);
	scoped_guard(mutex, &user_mms_lock) {
		list_add_tail(&um->mms_link, &user_mms);
		if (user_bits_copy(um, user_mm_of_current()))
			user_mm_remove(um);
		else
			t->user_event_mm = um;
	}
	mmap_read_unlock(t->mm);
}

/**
 * user_events_fork - a task or thread has been made
 * @t: the new task, which does not run yet
 * @clone_flags: whether it shares the memory of the current task
 *
 * A new process has the bits of its parent, also those that other threads have registered. May
 * sleep.
 */
void user_events_fork(struct task_struct *t, unsigned long clone_flags)
{
	struct user_event_mm *um = current->user_event_mm;

	if (clone_flags & CLONE_VM) {
		t->user_event_mm = um;
		if (um)
			refcount_inc(&um->tasks);
		return;
	}

	/* It was a copy of the parent's pointer. */
	t->user_event_mm = NULL;
	if (!list_empty(&user_mms) && t->mm && user_mm_exists())
		user_mm_copy(t);
}

static int __init user_mm_init(void)
{
	user_mm_works = alloc_workqueue("user_events", WQ_UNBOUND, 4) ?: system_unbound_wq;

	return 0;
}
core_initcall(user_mm_init);
