// SPDX-License-Identifier: GPL-2.0
/*
 * The files user_events_data and user_events_status. See Documentation/trace/user_events.rst.
 *
 * An open user_events_data has a table of the events that were registered with it. Written data
 * begins with an index in this table.
 */
#include <linux/cleanup.h>
#include <linux/compat.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/nospec.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <linux/user_events.h>

#include "tracefs/files.h"
#include "tracefs/tables.h"
#include "user/user_event.h"

/* Maximum length of a definition and of a name, including the NUL */
#define USER_TEXT_MAX		512

/* Entries up to this size are assembled on the stack. */
#define USER_ENTRY_SHORT	256

/**
 * struct user_events_table - events that were registered with an open file
 * @rcu: frees it after a grace period
 * @nr: number of events
 * @event: the events, each with a reference
 */
struct user_events_table {
	struct rcu_head		rcu;
	int			nr;
	struct user_event	*event[] __counted_by(nr);
};

/**
 * struct user_events_file - an open user_events_data
 * @lock: protects changes of @table
 * @table: NULL if no event was registered; replaced by a new table, and read with RCU
 */
struct user_events_file {
	struct mutex			lock;	/* see above */
	struct user_events_table __rcu	*table;
};

static struct user_events_table *user_events_table_of(struct user_events_file *own)
{
	return rcu_dereference_protected(own->table, lockdep_is_held(&own->lock));
}

/*
 * Writing
 */

/* Return: the event with an index, which remains valid as long as the file is open; or NULL */
static struct user_event *user_events_find(struct user_events_file *own, int index)
{
	const struct user_events_table *table;

	guard(rcu)();

	table = rcu_dereference(own->table);

	if (!table || index >= table->nr)
		return NULL;

	return table->event[array_index_nospec(index, table->nr)];
}

/* @entry has space for the entry of @len bytes */
static int user_events_copy(struct user_event *event, void *entry, size_t len,
			    struct iov_iter *from)
{
	memset(entry, 0, sizeof(struct trace_entry));
	if (!copy_from_iter_full(entry + sizeof(struct trace_entry),
				 len - sizeof(struct trace_entry), from))
		return -EFAULT;
	if (!user_fields_are_valid(event, entry, len))
		return -EFAULT;

	user_event_hit(event, entry, len);

	return 0;
}

/* Write an event whose payload is the rest of @from. */
static int user_events_hit(struct user_event *event, struct iov_iter *from)
{
	u64 entry[USER_ENTRY_SHORT / sizeof(u64)];
	size_t len = iov_iter_count(from) + sizeof(struct trace_entry);
	void *large;
	int err;

	if (len < event->size)
		return -EINVAL;
	if (!user_event_is_enabled(event))
		return -EBADF;
	if (len > USER_ENTRY_MAX)
		return -E2BIG;
	if (len <= sizeof(entry))
		return user_events_copy(event, entry, len, from);

	large = kmalloc(len, GFP_KERNEL);
	if (!large)
		return -ENOMEM;
	err = user_events_copy(event, large, len, from);
	kfree(large);

	return err;
}

static ssize_t user_events_write_iter(struct kiocb *kiocb, struct iov_iter *from)
{
	struct user_events_file *own = kiocb->ki_filp->private_data;
	size_t count = iov_iter_count(from);
	struct user_event *event;
	int index, err;

	if (count < sizeof(index))
		return -EINVAL;
	if (!copy_from_iter_full(&index, sizeof(index), from))
		return -EFAULT;
	if (index < 0)
		return -EINVAL;

	event = user_events_find(own, index);
	if (!event)
		return -ENOENT;

	err = user_events_hit(event, from);

	return err ?: count;
}

/*
 * ioctl
 */

/* Add an event to the table. Return: its index, or -ENOMEM; the reference is kept or dropped */
static int user_events_add(struct user_events_file *own, struct user_event *event)
{
	struct user_events_table *old = user_events_table_of(own), *new;
	int nr = old ? old->nr : 0, i;

	for (i = 0; i < nr; i++) {
		if (old->event[i] == event) {
			user_event_put(event);
			return i;
		}
	}

	new = kmalloc(struct_size(new, event, nr + 1), GFP_KERNEL_ACCOUNT);
	if (!new) {
		user_event_put(event);
		return -ENOMEM;
	}

	new->nr = nr + 1;
	if (nr)
		memcpy(new->event, old->event, nr * sizeof(*new->event));
	new->event[nr] = event;
	rcu_assign_pointer(own->table, new);
	if (old)
		kfree_rcu(old, rcu);

	return nr;
}

static int user_events_copy_reg(struct user_reg *reg, const struct user_reg __user *ureg)
{
	u32 size;
	int err;

	if (get_user(size, &ureg->size))
		return -EFAULT;
	if (size > PAGE_SIZE)
		return -E2BIG;
	if (size < offsetofend(struct user_reg, write_index))
		return -EINVAL;

	err = copy_struct_from_user(reg, sizeof(*reg), ureg, size);
	if (err)
		return err;
	reg->size = size;

	/* One error for all kinds of invalid bits */
	if (reg->flags >= USER_EVENT_REG_MAX ||
	    (reg->enable_size != sizeof(u32) && reg->enable_size != sizeof(u64)) ||
	    reg->enable_size > sizeof(long) || reg->enable_addr % reg->enable_size ||
	    reg->enable_bit >= reg->enable_size * BITS_PER_BYTE ||
	    reg->enable_addr != (unsigned long)reg->enable_addr)
		return -EINVAL;

	return 0;
}

/* @text: the definition. Return: the index of the event, or an error */
static int user_events_register_text(struct user_events_file *own, const struct user_reg *reg,
				     const char *text)
{
	struct user_event *event = user_event_register(text, reg->flags);
	int index, err;

	if (IS_ERR(event))
		return PTR_ERR(event);

	index = user_events_add(own, event);
	if (index < 0)
		return index;

	err = user_bit_register(event, reg->enable_addr, reg->enable_size, reg->enable_bit);

	return err ?: index;
}

static long user_events_register(struct user_events_file *own, struct user_reg __user *ureg)
{
	struct user_reg reg;
	char *text;
	int ret;

	ret = user_events_copy_reg(&reg, ureg);
	if (ret)
		return ret;
	if (user_bit_is_registered(reg.enable_addr, reg.enable_bit))
		return -EADDRINUSE;

	text = strndup_user(u64_to_user_ptr(reg.name_args), USER_TEXT_MAX);
	if (IS_ERR(text))
		return PTR_ERR(text);
	scoped_guard(mutex, &own->lock)
		ret = user_events_register_text(own, &reg, text);
	kfree(text);
	if (ret < 0)
		return ret;

	return put_user((u32)ret, &ureg->write_index);
}

static long user_events_delete(const char __user *uname)
{
	char *name = strndup_user(uname, USER_TEXT_MAX);
	int err;

	if (IS_ERR(name))
		return PTR_ERR(name);
	err = user_event_delete(name);
	kfree(name);

	return err;
}

static long user_events_unregister(const struct user_unreg __user *uunreg)
{
	struct user_unreg unreg;
	u32 size;
	int err;

	if (get_user(size, &uunreg->size))
		return -EFAULT;
	if (size > PAGE_SIZE)
		return -E2BIG;
	if (size < offsetofend(struct user_unreg, disable_addr))
		return -EINVAL;

	err = copy_struct_from_user(&unreg, sizeof(unreg), uunreg, size);
	if (err)
		return err;
	if (unreg.__reserved || unreg.__reserved2)
		return -EINVAL;

	return user_bit_unregister(unreg.disable_addr, unreg.disable_bit);
}

static long user_events_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case DIAG_IOCSREG:
		return user_events_register(file->private_data, (struct user_reg __user *)arg);
	case DIAG_IOCSDEL:
		return user_events_delete((const char __user *)arg);
	case DIAG_IOCSUNREG:
		return user_events_unregister((const struct user_unreg __user *)arg);
	default:
		return -ENOTTY;
	}
}

#ifdef CONFIG_COMPAT
/* The commands contain the size of a pointer. */
static long user_events_compat_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (_IOC_SIZE(cmd) != sizeof(compat_uptr_t))
		return -ENOTTY;
	cmd += (sizeof(void *) - sizeof(compat_uptr_t)) << _IOC_SIZESHIFT;

	return user_events_ioctl(file, cmd, (unsigned long)compat_ptr(arg));
}
#endif

static int user_events_data_open(struct inode *inode, struct file *file)
{
	struct user_events_file *own;
	int err = tracefs_open(inode);

	if (err)
		return err;

	own = kzalloc(sizeof(*own), GFP_KERNEL_ACCOUNT);
	if (!own) {
		tracefs_release(inode);
		return -ENOMEM;
	}
	mutex_init(&own->lock);
	file->private_data = own;

	return stream_open(inode, file);
}

static int user_events_data_release(struct inode *inode, struct file *file)
{
	struct user_events_file *own = file->private_data;
	/* There are no other users any longer. */
	struct user_events_table *table = rcu_dereference_protected(own->table, true);
	int i;

	for (i = 0; table && i < table->nr; i++)
		user_event_put(table->event[i]);
	kfree(table);
	kfree(own);
	tracefs_release(inode);

	return 0;
}

static const struct file_operations user_data_fops = {
	.open		= user_events_data_open,
	.write_iter	= user_events_write_iter,
	.unlocked_ioctl	= user_events_ioctl,
#ifdef CONFIG_COMPAT
	.compat_ioctl	= user_events_compat_ioctl,
#endif
	.release	= user_events_data_release,
};

/*
 * Status
 */

static void user_events_show(struct seq_file *m, const struct tracefs_node *node)
{
	const struct user_event *event;
	unsigned int active = 0, busy = 0;

	guard(mutex)(&user_events_lock);

	list_for_each_entry(event, &user_events, list) {
		active++;
		seq_puts(m, event->call.name);
		if (user_event_is_enabled(event)) {
			busy++;
			seq_puts(m, " # Used by");
		}
		if (!list_empty(&event->users))
			seq_puts(m, " ftrace");
		if (READ_ONCE(event->perf))
			seq_puts(m, " perf");
		seq_putc(m, '\n');
	}
	seq_printf(m, "\nActive: %u\nBusy: %u\n", active, busy);
}

/* Only in the top directory. */
const struct tracefs_entry tracefs_user_event_files[] = {
	{ "user_events_data", TRACEFS_BOTH, .fops = &user_data_fops },
	{ "user_events_status", TRACEFS_READ, .show = user_events_show },
	{ }
};
