// SPDX-License-Identifier: GPL-2.0
/*
 * BPF programs at many places of a program or library (uprobe.multi), attached with uprobes.
 */
#include <linux/bits.h>
#include <linux/bpf.h>
#include <linux/cleanup.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/namei.h>
#include <linux/overflow.h>
#include <linux/path.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>

#include "bpf/helper/helpers.h"

#define MOST_PLACES	BIT(20)

struct uprobe_multi_link;

/**
 * struct uprobe_multi_place - a place
 * @consumer: its consumer of the uprobe
 * @uprobe: the uprobe that the consumer is registered at
 * @link: the link that contains it
 * @offset: its offset in the file
 * @ref: offset of the reference counter; 0: no counter
 * @cookie: result of bpf_get_attach_cookie() there
 */
struct uprobe_multi_place {
	struct uprobe_consumer	consumer;
	struct uprobe		*uprobe;
	struct uprobe_multi_link	*link;
	unsigned long		offset;
	unsigned long		ref;
	u64			cookie;
};

/**
 * struct uprobe_multi_link - link of a program to places
 * @link: base, with the program
 * @path: the file, with a reference
 * @task: task of the only process to trace, or NULL
 * @flags: flags given by the caller
 * @nr: number of places
 * @places: the places
 */
struct uprobe_multi_link {
	struct bpf_link		link;
	struct path		path;
	struct task_struct	*task;
	u32			flags;
	u32			nr;
	struct uprobe_multi_place	places[] __counted_by(nr);
};

/**
 * struct uprobe_multi_context - run context of a program, for its helpers
 * @trace: base, with the cookie
 * @address: address of the probe
 */
struct uprobe_multi_context {
	struct bpf_trace_run_ctx	trace;
	unsigned long			address;
};

/*
 * Running programs, in the task that hits a place, which may sleep. rcu_read_lock_trace() is
 * held.
 */

static void uprobe_multi_run(const struct uprobe_multi_place *place, unsigned long address,
			     struct pt_regs *regs)
{
	struct uprobe_multi_context context = {
		.trace		= { .bpf_cookie = place->cookie, .is_uprobe = true },
		.address	= address,
	};
	const struct bpf_prog *prog = place->link->link.prog;
	struct bpf_run_ctx *outer;

	if (place->link->task && !same_thread_group(current, place->link->task))
		return;

	migrate_disable();
	if (!prog->sleepable)
		rcu_read_lock();
	outer = bpf_set_run_ctx(&context.trace.run_ctx);
	bpf_prog_run(prog, regs);
	bpf_reset_run_ctx(outer);
	if (!prog->sleepable)
		rcu_read_unlock();
	migrate_enable();
}

/* Is it the address space of the process? Its first thread may have exited. */
static bool uprobe_multi_filter(struct uprobe_consumer *consumer, struct mm_struct *mm)
{
	const struct uprobe_multi_place *place =
		container_of(consumer, struct uprobe_multi_place, consumer);
	struct task_struct *task = place->link->task, *thread;

	if (!task)
		return true;

	guard(rcu)();

	for_each_thread(task, thread) {
		if (READ_ONCE(thread->mm) == mm)
			return true;
	}

	return false;
}

static int uprobe_multi_hit(struct uprobe_consumer *consumer, struct pt_regs *regs)
{
	struct uprobe_multi_place *place =
		container_of(consumer, struct uprobe_multi_place, consumer);

	/* After fork() of the process, the child's memory does not need the breakpoint. */
	if (!uprobe_multi_filter(consumer, current->mm))
		return UPROBE_HANDLER_REMOVE;

	if (!(place->link->flags & BPF_F_UPROBE_MULTI_RETURN))
		uprobe_multi_run(place, instruction_pointer(regs), regs);

	return 0;
}

static int uprobe_multi_hit_return(struct uprobe_consumer *consumer, unsigned long function,
				   struct pt_regs *regs)
{
	uprobe_multi_run(container_of(consumer, struct uprobe_multi_place, consumer), function,
			 regs);

	return 0;
}

/* The verifier allows it only in programs with attach type BPF_TRACE_UPROBE_MULTI. */
BPF_CALL_1(bpf_get_func_ip_uprobe_multi, void *, ctx)
{
	return container_of(current->bpf_ctx, struct uprobe_multi_context, trace.run_ctx)->address;
}

const struct bpf_func_proto bpf_get_func_ip_proto_uprobe_multi = {
	.func		= bpf_get_func_ip_uprobe_multi,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_CTX,
};

/*
 * Links
 */

/* The first @nr places are registered. */
static void uprobe_multi_unregister(struct uprobe_multi_link *link, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		uprobe_unregister_nosync(link->places[i].uprobe, &link->places[i].consumer);
		cond_resched();
	}
	if (nr)
		uprobe_unregister_sync();
}

static int uprobe_multi_register(struct uprobe_multi_link *link)
{
	struct inode *inode = d_real_inode(link->path.dentry);
	u32 i;

	for (i = 0; i < link->nr; i++) {
		struct uprobe_multi_place *place = &link->places[i];

		place->uprobe = uprobe_register(inode, place->offset, place->ref,
						&place->consumer);
		if (IS_ERR(place->uprobe)) {
			int err = PTR_ERR(place->uprobe);

			uprobe_multi_unregister(link, i);
			return err == -ENOTSUPP ? -EOPNOTSUPP : err;
		}
		cond_resched();
	}

	return 0;
}

static void uprobe_multi_put(struct uprobe_multi_link *link)
{
	if (link->task)
		put_task_struct(link->task);
	path_put(&link->path);
}

/* When this returns, the program is no longer running. */
static void uprobe_multi_release(struct bpf_link *base)
{
	struct uprobe_multi_link *link = container_of(base, struct uprobe_multi_link, link);

	uprobe_multi_unregister(link, link->nr);
	uprobe_multi_put(link);
}

static void uprobe_multi_dealloc(struct bpf_link *link)
{
	kvfree(container_of(link, struct uprobe_multi_link, link));
}

/* Copy the path, and its size including the NUL. */
static int uprobe_multi_fill_path(const struct uprobe_multi_link *link, struct bpf_link_info *info)
{
	char __user *to = u64_to_user_ptr(info->uprobe_multi.path);
	u32 len = min_t(u32, info->uprobe_multi.path_size, PATH_MAX), size;
	char *path, *buffer __free(kfree) = NULL;

	buffer = kmalloc(PATH_MAX, GFP_KERNEL);
	if (!buffer)
		return -ENOMEM;
	path = d_path(&link->path, buffer, to ? len : PATH_MAX);
	if (IS_ERR(path))
		return PTR_ERR(path);
	size = strlen(path) + 1;
	if (to && copy_to_user(to, path, size))
		return -EFAULT;
	info->uprobe_multi.path_size = size;

	return 0;
}

static int uprobe_multi_fill_places(const struct uprobe_multi_link *link,
				    const struct bpf_link_info *info,
				    u32 max)
{
	u64 __user *offsets = u64_to_user_ptr(info->uprobe_multi.offsets);
	u64 __user *refs = u64_to_user_ptr(info->uprobe_multi.ref_ctr_offsets);
	u64 __user *cookies = u64_to_user_ptr(info->uprobe_multi.cookies);
	u32 i;

	for (i = 0; i < min(max, link->nr); i++) {
		const struct uprobe_multi_place *place = &link->places[i];

		if ((offsets && put_user((u64)place->offset, offsets + i)) ||
		    (refs && put_user((u64)place->ref, refs + i)) ||
		    (cookies && put_user(place->cookie, cookies + i)))
			return -EFAULT;
		cond_resched();
	}

	return max && max < link->nr ? -ENOSPC : 0;
}

static int uprobe_multi_fill_info(const struct bpf_link *base, struct bpf_link_info *info)
{
	const struct uprobe_multi_link *link = container_of(base, struct uprobe_multi_link, link);
	u32 max = info->uprobe_multi.count;
	int err;

	if (!info->uprobe_multi.path != !info->uprobe_multi.path_size)
		return -EINVAL;
	if (!max && (info->uprobe_multi.offsets || info->uprobe_multi.ref_ctr_offsets ||
		     info->uprobe_multi.cookies))
		return -EINVAL;

	info->uprobe_multi.count = link->nr;
	info->uprobe_multi.flags = link->flags;
	info->uprobe_multi.pid = link->task ?
				 task_pid_nr_ns(link->task, task_active_pid_ns(current)) : 0;
	err = uprobe_multi_fill_path(link, info);

	return err ?: uprobe_multi_fill_places(link, info, max);
}

static const struct bpf_link_ops umulti_link_ops = {
	.release		= uprobe_multi_release,
	.dealloc_deferred	= uprobe_multi_dealloc,
	.fill_link_info		= uprobe_multi_fill_info,
};

/*
 * Attaching
 */

static int uprobe_multi_read_places(const union bpf_attr *attr, struct uprobe_multi_link *link)
{
	unsigned long __user *offsets = u64_to_user_ptr(attr->link_create.uprobe_multi.offsets);
	unsigned long __user *refs;
	u64 __user *cookies = u64_to_user_ptr(attr->link_create.uprobe_multi.cookies);
	bool at_return = link->flags & BPF_F_UPROBE_MULTI_RETURN;
	u32 i;

	refs = u64_to_user_ptr(attr->link_create.uprobe_multi.ref_ctr_offsets);
	for (i = 0; i < link->nr; i++) {
		struct uprobe_multi_place *place = &link->places[i];

		if (get_user(place->offset, offsets + i) ||
		    (refs && get_user(place->ref, refs + i)) ||
		    (cookies && get_user(place->cookie, cookies + i)))
			return -EFAULT;
		if (place->offset > LONG_MAX || place->ref > LONG_MAX)
			return -EINVAL;
		place->link = link;
		place->consumer.handler = uprobe_multi_hit;
		place->consumer.ret_handler = at_return ? uprobe_multi_hit_return : NULL;
		place->consumer.filter = uprobe_multi_filter;
		cond_resched();
	}

	return 0;
}

static int uprobe_multi_find_file(const union bpf_attr *attr, struct uprobe_multi_link *link)
{
	char *name __free(kfree) = NULL;
	int err;

	name = strndup_user(u64_to_user_ptr(attr->link_create.uprobe_multi.path), PATH_MAX);
	if (IS_ERR(name))
		return PTR_ERR(no_free_ptr(name));
	err = kern_path(name, LOOKUP_FOLLOW, &link->path);
	if (err)
		return err;

	return d_is_reg(link->path.dentry) ? 0 : -EBADF;
}

static int uprobe_multi_find_task(const union bpf_attr *attr, struct uprobe_multi_link *link)
{
	pid_t pid = attr->link_create.uprobe_multi.pid;

	if (!pid)
		return 0;

	guard(rcu)();

	link->task = get_pid_task(find_vpid(pid), PIDTYPE_TGID);

	return link->task ? 0 : -ESRCH;
}

static int uprobe_multi_check(const union bpf_attr *attr, const struct bpf_prog *prog)
{
	u32 nr = attr->link_create.uprobe_multi.cnt;

	if (sizeof(u64) != sizeof(unsigned long))
		return -EOPNOTSUPP;
	if (prog->expected_attach_type != BPF_TRACE_UPROBE_MULTI || attr->link_create.flags ||
	    attr->link_create.uprobe_multi.flags & ~BPF_F_UPROBE_MULTI_RETURN ||
	    !attr->link_create.uprobe_multi.path || !attr->link_create.uprobe_multi.offsets ||
	    !nr || (pid_t)attr->link_create.uprobe_multi.pid < 0)
		return -EINVAL;

	return nr > MOST_PLACES ? -E2BIG : 0;
}

static int uprobe_multi_attach(const union bpf_attr *attr, struct uprobe_multi_link *link,
			       struct bpf_prog *prog, struct bpf_link_primer *primer)
{
	int err;

	err = uprobe_multi_find_file(attr, link) ?: uprobe_multi_find_task(attr, link) ?:
	      uprobe_multi_read_places(attr, link);
	if (err)
		return err;

	bpf_link_init(&link->link, BPF_LINK_TYPE_UPROBE_MULTI, &umulti_link_ops, prog);
	err = uprobe_multi_register(link);
	if (err)
		return err;
	err = bpf_link_prime(&link->link, primer);
	if (err)
		uprobe_multi_unregister(link, link->nr);

	return err;
}

/**
 * bpf_uprobe_multi_link_attach - attach a program to many places in a program or library
 * @attr: attributes of BPF_LINK_CREATE, with the places
 * @prog: the program
 *
 * May sleep.
 *
 * Return: a file descriptor; -EINVAL; -E2BIG; -EBADF if the file is not a regular file, or an
 *	error of the path look-up; -ESRCH if there is no such process; -EOPNOTSUPP if there
 *	already is a breakpoint at one of the places; -EFAULT; -ENOMEM
 */
int bpf_uprobe_multi_link_attach(const union bpf_attr *attr, struct bpf_prog *prog)
{
	u32 nr = attr->link_create.uprobe_multi.cnt;
	struct bpf_link_primer primer;
	struct uprobe_multi_link *link;
	int err = uprobe_multi_check(attr, prog);

	if (err)
		return err;

	link = kvzalloc(struct_size(link, places, nr), GFP_KERNEL);
	if (!link)
		return -ENOMEM;
	link->nr = nr;
	link->flags = attr->link_create.uprobe_multi.flags;

	err = uprobe_multi_attach(attr, link, prog, &primer);
	if (err) {
		uprobe_multi_put(link);
		kvfree(link);
		return err;
	}

	return bpf_link_settle(&primer);
}
