// SPDX-License-Identifier: GPL-2.0
/*
 * uprobe events: probes at any instruction of programs and libraries, and at the returns of
 * their functions, with the commands p and r of uprobe_events. See
 * Documentation/trace/uprobetracer.rst.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kstrtox.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/namei.h>
#include <linux/path.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uprobes.h>

#include "event/core/event_list.h"
#include "probe/arg/probe_def.h"
#include "probe/core/probe_event.h"
#include "probe/core/probe_left.h"
#include "probe/kind/uprobe.h"

/**
 * struct uprobe_probe - a probe
 * @probe: the part in common with all kinds
 * @place: its place
 * @file: path of the file, same as place.file
 * @path: the file, with a reference, which is independent of changes of its name
 * @inode: the inode that it is registered at
 * @consumer: its consumer of the uprobe
 * @uprobe: the uprobe that it is registered at while it is enabled, or NULL; protected by
 *	trace_event_lock
 * @left: number of the unregistration that removed it from its uprobe, see probe_left_wait()
 */
struct uprobe_probe {
	struct probe			probe;
	struct probe_uprobe_place	place;
	char				*file;
	struct path			path;
	struct inode			*inode;
	struct uprobe_consumer		consumer;
	struct uprobe			*uprobe;
	unsigned long			left;
};

/**
 * struct uprobe_source - source of values when a probe is hit
 * @user: the part in common with all places in programs
 * @here: the probe
 */
struct uprobe_source {
	struct probe_source_user	user;
	const struct uprobe_probe	*here;
};

static struct uprobe_probe *uprobe_of(const struct probe *probe)
{
	return container_of(probe, struct uprobe_probe, probe);
}

/* The inode that the kernel uses for the file, also below an overlay file system */
static struct inode *uprobe_inode(const struct uprobe_probe *here)
{
	return d_real_inode(here->path.dentry);
}

/*
 * Hits. All functions run in the task that hits the probe, and may sleep.
 */

/*
 * Address where the task has mapped the byte @offset of the file. If there are several
 * mappings, a writable one is preferred, because it has the variables.
 */
static unsigned long uprobe_mapped(const struct probe_source_user *user, unsigned long offset)
{
	const struct uprobe_source *from = container_of_const(user, struct uprobe_source, user);
	const struct inode *inode = from->here->inode;
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;
	unsigned long address = 0;
	struct vma_iterator vmi;

	mmap_read_lock(mm);
	vma_iter_init(&vmi, mm, 0);
	for_each_vma(vmi, vma) {
		u64 begin = (u64)vma->vm_pgoff << PAGE_SHIFT;

		if (!vma->vm_file || file_inode(vma->vm_file) != inode || offset < begin ||
		    offset - begin >= vma->vm_end - vma->vm_start)
			continue;
		address = vma->vm_start + (offset - begin);
		if (vma->vm_flags & VM_WRITE)
			break;
	}
	mmap_read_unlock(mm);

	return address;
}

/* Is the task a target of perf events? */
static bool uprobe_is_target(const struct uprobe_probe *here)
{
	struct probe_event *event = here->probe.event;

	return READ_ONCE(event->perf) && probe_targets_have(&event->targets, current->mm);
}

/* Return: true if an entry may be recorded for the task */
static bool uprobe_record(struct uprobe_probe *here, struct pt_regs *regs,
			  const unsigned long *addresses)
{
	bool perf = uprobe_is_target(here);
	struct uprobe_source from = { .user.mapped = uprobe_mapped, .here = here };
	struct probe_source source = { .regs = regs, .user = &from.user };

	if (!perf && list_empty(&here->probe.event->files))
		return false;

	/*
	 * Used by bpf_get_func_ip(). The field is otherwise unused while no instruction is
	 * being single-stepped.
	 */
	current->utask->vaddr = addresses[0];
	probe_hit_sleeping(&here->probe, &source, addresses, perf);

	return true;
}

static int uprobe_hit(struct uprobe_consumer *consumer, struct pt_regs *regs)
{
	struct uprobe_probe *here = container_of(consumer, struct uprobe_probe, consumer);
	unsigned long address = instruction_pointer(regs);

	/* After fork() of a target, the child's memory does not need the breakpoint. */
	return uprobe_record(here, regs, &address) ? 0 : UPROBE_HANDLER_REMOVE;
}

/* At the entry of the function: the kernel reports its return, unless no user needs it. */
static int uprobe_hit_before(struct uprobe_consumer *consumer, struct pt_regs *regs)
{
	struct uprobe_probe *here = container_of(consumer, struct uprobe_probe, consumer);

	if (!list_empty(&here->probe.event->files) || uprobe_is_target(here))
		return 0;

	return UPROBE_HANDLER_REMOVE;
}

static int uprobe_hit_return(struct uprobe_consumer *consumer, unsigned long function,
			     struct pt_regs *regs)
{
	struct uprobe_probe *here = container_of(consumer, struct uprobe_probe, consumer);
	const unsigned long addresses[] = { function, instruction_pointer(regs) };

	uprobe_record(here, regs, addresses);

	return 0;
}

/* Does any user need breakpoints in this address space? */
static bool uprobe_filter(struct uprobe_consumer *consumer, struct mm_struct *mm)
{
	const struct uprobe_probe *here = container_of(consumer, struct uprobe_probe, consumer);
	struct probe_event *event = here->probe.event;

	return !list_empty(&event->files) || probe_targets_have(&event->targets, mm);
}

/*
 * Callbacks of the kind
 */

static struct probe_left uprobe_left = PROBE_LEFT_INIT(uprobe_left, uprobe_unregister_sync);

static int uprobe_attach(struct probe *probe)
{
	return 0;
}

static void uprobe_detach(struct list_head *probes)
{
	struct uprobe_probe *here;

	list_for_each_entry(here, probes, probe.list) {
		if (WARN_ON_ONCE(here->uprobe))
			uprobe_unregister_nosync(here->uprobe, &here->consumer);
		probe_left_wait(&uprobe_left, here->left);
	}
}

/* Otherwise the file system could not be unmounted. Hits only compare the inode. */
static void uprobe_leave(struct probe *probe)
{
	struct uprobe_probe *here = uprobe_of(probe);

	path_put(&here->path);
	here->path = (struct path){};
}

/* ENOTSUPP is kernel-internal. */
static int uprobe_error(int err)
{
	return err == -ENOTSUPP ? -EOPNOTSUPP : err;
}

static int uprobe_enable(struct probe *probe)
{
	struct uprobe_probe *here = uprobe_of(probe);
	struct uprobe *uprobe;

	/*
	 * Hits may still be walking the consumer list of the uprobe that it was registered at
	 * before.
	 */
	probe_left_wait(&uprobe_left, here->left);
	here->inode = uprobe_inode(here);
	uprobe = uprobe_register(here->inode, here->place.offset, here->place.ref,
				 &here->consumer);
	if (IS_ERR(uprobe))
		return uprobe_error(PTR_ERR(uprobe));
	here->uprobe = uprobe;

	return 0;
}

static void uprobe_disable(struct probe *probe)
{
	struct uprobe_probe *here = uprobe_of(probe);

	uprobe_unregister_nosync(here->uprobe, &here->consumer);
	here->uprobe = NULL;
	here->left = probe_left_add(&uprobe_left);
}

static int uprobe_reach(struct probe *probe, bool more)
{
	struct uprobe_probe *here = uprobe_of(probe);

	return uprobe_error(uprobe_apply(here->uprobe, &here->consumer, more));
}

static void uprobe_free(struct probe *probe)
{
	struct uprobe_probe *here = uprobe_of(probe);

	probe_free(probe);
	path_put(&here->path);
	kfree(here->file);
	kfree(here);
}

static bool uprobe_at_return(const struct probe *probe)
{
	return uprobe_of(probe)->place.at_return;
}

/* Hits that a task misses are not counted. */
static unsigned long uprobe_missed(const struct probe *probe)
{
	return 0;
}

/*
 * Definitions
 */

static bool uprobe_is_begun_by(const char *token)
{
	return *token == 'p' || *token == 'r';
}

static bool uprobe_is_place(const char *token)
{
	return strchr(token, '/');
}

static int uprobe_parse_command(struct uprobe_probe *here, struct probe_def *def,
				struct probe_name *name)
{
	char *token = def->token[0], *colon = strchr(token, ':');
	int err = 0;

	*name = (struct probe_name){};
	here->place.at_return = *token == 'r';
	if (colon) {
		*colon = '\0';
		err = probe_name_parse(name, def, colon + 1, "");
	}
	if (err)
		return err;
	if (token[1])
		return probe_refuse(def, token + 1, "A probe in a program has no maximum");

	return 0;
}

/* "%return". Return: the text after it, or NULL */
static char *uprobe_parse_return(struct uprobe_probe *here, char *text)
{
	if (!strstarts(text, "%return"))
		return NULL;
	here->place.at_return = true;

	return text + strlen("%return");
}

/* "(OFFSET)". Return: the text after it, or NULL */
static char *uprobe_parse_ref(struct uprobe_probe *here, char *text)
{
	char *close = strchr(text, ')');

	if (!close)
		return NULL;
	*close = '\0';
	if (kstrtoul(text + 1, 0, &here->place.ref) || here->place.ref > LONG_MAX)
		return NULL;

	return close + 1;
}

/* OFFSET[%return][(REF_CTR)] */
static int uprobe_parse_offset(struct uprobe_probe *here, struct probe_def *def, char *text)
{
	char *rest = text + strcspn(text, "%("), kind = *rest;

	*rest = '\0';
	if (kstrtoul(text, 0, &here->place.offset) || here->place.offset > LONG_MAX)
		return probe_refuse(def, text, "Invalid offset");

	while (kind) {
		char *at = rest;

		*at = kind;
		if (kind == '%')
			rest = uprobe_parse_return(here, at);
		else if (kind == '(')
			rest = uprobe_parse_ref(here, at);
		else
			rest = NULL;
		if (!rest)
			return probe_refuse(def, at, kind == '(' ?
					    "A reference counter is (OFFSET)" :
					    "Only %return can follow an offset");
		kind = *rest;
	}

	return 0;
}

/*
 * Set the path of the file: as written, or the absolute path if it was written as a relative
 * one.
 */
static int uprobe_set_file(struct uprobe_probe *here, const char *text)
{
	char *buffer __free(kfree) = NULL;

	if (*text != '/') {
		buffer = kmalloc(PATH_MAX, GFP_KERNEL);
		if (!buffer)
			return -ENOMEM;
		text = d_path(&here->path, buffer, PATH_MAX);
		if (IS_ERR(text))
			return PTR_ERR(text);
	}
	here->file = kstrdup(text, GFP_KERNEL);
	here->place.file = here->file;

	return here->file ? 0 : -ENOMEM;
}

/* Return: 0; -EINVAL if it is not a regular file; or the error of the path look-up */
static int uprobe_find_file(struct uprobe_probe *here, const char *text)
{
	int err = kern_path(text, LOOKUP_FOLLOW, &here->path);

	if (err)
		return err;
	if (!d_is_reg(here->path.dentry))
		return -EINVAL;

	return uprobe_set_file(here, text);
}

static int uprobe_parse_place(struct uprobe_probe *here, struct probe_def *def)
{
	char *text, *colon;
	int err;

	if (def->nr < 2)
		return probe_refuse(def, def->token[0] + strlen(def->token[0]),
				    "There is no place");
	text = def->token[1];
	colon = strrchr(text, ':');
	if (!colon)
		return probe_refuse(def, text + strlen(text), "There is no offset");
	err = uprobe_parse_offset(here, def, colon + 1);
	if (err)
		return err;

	*colon = '\0';
	if (!*text)
		return probe_refuse(def, text, "There is no path");
	err = uprobe_find_file(here, text);
	if (err && err != -ENOMEM)
		probe_refuse(def, text, err == -EINVAL ? "It is not a regular file" :
							   "There is no such file");

	return err;
}

static struct probe_kind uprobe_kind;

/* All probes at a place must have the same reference counter. */
static int uprobe_check_ref(const struct uprobe_probe *here, struct probe_def *def)
{
	const struct probe_event *event;
	const struct probe *probe;

	list_for_each_entry(event, &probe_events, list) {
		if (event->kind != &uprobe_kind)
			continue;
		list_for_each_entry(probe, &event->probes, list) {
			const struct uprobe_probe *other = uprobe_of(probe);

			if (uprobe_inode(other) == uprobe_inode(here) &&
			    other->place.offset == here->place.offset &&
			    other->place.ref != here->place.ref)
				return probe_refuse(def, def->token[1],
						    "A probe there has another reference counter");
		}
	}

	return 0;
}

/*
 * The place as one token, which is the same for the same place; %return is implied by the
 * command.
 */
static char *uprobe_where(const struct probe_uprobe_place *place)
{
	const int digits = sizeof(long) * 2;

	if (place->ref)
		return kasprintf(GFP_KERNEL, "%s:0x%0*lx(0x%lx)", place->file, digits,
				 place->offset, place->ref);

	return kasprintf(GFP_KERNEL, "%s:0x%0*lx", place->file, digits, place->offset);
}

/* Derive missing names from the place, as shown in uprobetracer.rst. */
static void uprobe_complete_name(struct probe_name *name, const struct probe_uprobe_place *place)
{
	const char *base = kbasename(place->file);
	int len = 0;

	if (!*name->group)
		strscpy(name->group, "uprobes");
	if (*name->event)
		return;

	while (isalnum(base[len]) && len < PROBE_NAME_MAX / 2)
		len++;
	snprintf(name->event, sizeof(name->event), "p_%.*s_0x%lx", len, base, place->offset);
}

static int uprobe_complete(struct uprobe_probe *here, struct probe_def *def)
{
	const bool at_return = here->place.at_return;
	const struct probe_place place = {
		.flags = PROBE_AT_USER | (at_return ? PROBE_AT_RETURN : 0),
	};

	here->probe.command = kstrdup(at_return ? "r" : "p", GFP_KERNEL);
	here->probe.where = uprobe_where(&here->place);
	if (!here->probe.command || !here->probe.where)
		return -ENOMEM;

	here->consumer.handler = at_return ? uprobe_hit_before : uprobe_hit;
	here->consumer.ret_handler = at_return ? uprobe_hit_return : NULL;
	here->consumer.filter = uprobe_filter;

	return probe_init(&here->probe, def, &place, at_return);
}

static int uprobe_define_by(struct uprobe_probe *here, struct probe_def *def)
{
	struct probe_name name;
	int err;

	/*
	 * Not with probe_lock, which is needed to load modules: the look-up of the path may load
	 * one, or wait for a server.
	 */
	err = uprobe_parse_command(here, def, &name) ?: uprobe_parse_place(here, def);
	if (err)
		return err;

	guard(mutex)(&probe_lock);

	err = uprobe_check_ref(here, def) ?: uprobe_complete(here, def);
	if (err)
		return err;
	uprobe_complete_name(&name, &here->place);

	return probe_event_add(&uprobe_kind, &here->probe, &name, def);
}

static int uprobe_define(struct probe_def *def)
{
	struct uprobe_probe *here = kzalloc(sizeof(*here), GFP_KERNEL);
	int err;

	if (!here)
		return -ENOMEM;
	err = uprobe_define_by(here, def);
	if (err)
		uprobe_free(&here->probe);

	return err;
}

static struct probe_kind uprobe_kind = {
	.flags		= TRACE_EVENT_FL_UPROBE | TRACE_EVENT_FL_CAP_ANY,
	.is_begun_by	= uprobe_is_begun_by,
	.is_place	= uprobe_is_place,
	.define		= uprobe_define,
	.free		= uprobe_free,
	.attach		= uprobe_attach,
	.detach		= uprobe_detach,
	.leave		= uprobe_leave,
	.enable		= uprobe_enable,
	.disable	= uprobe_disable,
	.reach		= uprobe_reach,
	.at_return	= uprobe_at_return,
	.missed		= uprobe_missed,
};

const struct probe_kind *const probe_uprobes = &uprobe_kind;

/**
 * probe_uprobe_make - make a probe without arguments that is not part of an event yet
 * @where: the place; its strings are copied
 *
 * May sleep.
 *
 * Return: the probe; -EINVAL if it is not in a regular file; another error of the path look-up;
 *	-ENOMEM
 */
struct probe *probe_uprobe_make(const struct probe_uprobe_place *where)
{
	struct uprobe_probe *here = kzalloc(sizeof(*here), GFP_KERNEL);
	struct probe_def def = {};
	int err;

	if (!here)
		return ERR_PTR(-ENOMEM);

	here->place = *where;
	err = uprobe_find_file(here, where->file) ?: uprobe_complete(here, &def);
	if (err) {
		uprobe_free(&here->probe);
		return ERR_PTR(err);
	}

	return &here->probe;
}

/**
 * probe_uprobe_file - get the path of the file that a probe is in
 * @probe: the probe
 */
const char *probe_uprobe_file(const struct probe *probe)
{
	return uprobe_of(probe)->place.file;
}

/**
 * probe_uprobe_place_of - get the place of the first probe of an event
 * @call: the event, with TRACE_EVENT_FL_UPROBE and with a reference
 *
 * Any context.
 */
const struct probe_uprobe_place *probe_uprobe_place_of(const struct trace_event_call *call)
{
	const struct probe_event *event = container_of(call, struct probe_event, call);

	return &uprobe_of(list_first_entry(&event->probes, struct probe, list))->place;
}

static int __init uprobe_events_init(void)
{
	probe_kind_register(&uprobe_kind);

	return 0;
}
core_initcall(uprobe_events_init);
