// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots on the command line: alloc_snapshot allocates spare buffers, ftrace_boot_snapshot=
 * takes a snapshot of the entries recorded during boot.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "instance/core/instance.h"
#include "instance/snapshot/snapshot.h"

/**
 * struct boot_snapshots_request - instances that a parameter of the command line names
 * @top: the top instance is among them
 * @names: names of the other instances, each with a preceding comma
 */
struct boot_snapshots_request {
	bool	top;
	char	names[256];
};

static struct boot_snapshots_request boot_alloc __initdata;
static struct boot_snapshots_request boot_take __initdata;

/* @str is the text after the parameter: empty, or =NAME[,NAME...]. */
static int __init boot_snapshots_note(struct boot_snapshots_request *boot, const char *str)
{
	size_t len = strlen(boot->names);

	if (!*str) {
		boot->top = true;
		return 1;
	}

	if (*str != '=' || len + strlen(str) >= sizeof(boot->names))
		return 0;

	strscpy(boot->names + len, str, sizeof(boot->names) - len);
	boot->names[len] = ',';

	return 1;
}

static int __init boot_snapshots_alloc_setup(char *str)
{
	return boot_snapshots_note(&boot_alloc, str);
}
__setup("alloc_snapshot", boot_snapshots_alloc_setup);

static int __init boot_snapshots_take_setup(char *str)
{
	return boot_snapshots_note(&boot_take, str);
}
__setup("ftrace_boot_snapshot", boot_snapshots_take_setup);

static struct trace_array * __init boot_snapshots_find(const char *name)
{
	guard(mutex)(&trace_lock);

	return trace_array_find(name);
}

/* Call @fn for the instances of @boot, which cannot be removed yet. */
static void __init boot_snapshots_each(const struct boot_snapshots_request *boot,
				       int (*fn)(struct trace_array *tr))
{
	char names[sizeof(boot->names)], *rest = names, *name;
	struct trace_array *tr;
	int ret;

	if (!trace_top.main.buffer)
		return;

	ret = boot->top ? fn(&trace_top) : 0;
	if (ret)
		pr_warn("could not take a snapshot: error %d\n", ret);

	strscpy(names, boot->names);
	while ((name = strsep(&rest, ","))) {
		if (!*name)
			continue;
		tr = boot_snapshots_find(name);
		ret = tr ? fn(tr) : -ENOENT;
		if (ret)
			pr_warn("could not take a snapshot of instance %s: error %d\n",
				name, ret);
	}
}

/**
 * trace_boot_snapshots - allocate the spare buffers requested on the command line
 *
 * Called after the instances of the command line were created.
 */
void __init trace_boot_snapshots(void)
{
	boot_snapshots_each(&boot_alloc, trace_snapshot_alloc);
	boot_snapshots_each(&boot_take, trace_snapshot_alloc);
}

static int __init boot_snapshots_take_all(struct trace_array *tr)
{
	return trace_snapshot_take(tr, RING_BUFFER_ALL_CPUS);
}

/* Runs before user space. */
static int __init boot_snapshots_take(void)
{
	boot_snapshots_each(&boot_take, boot_snapshots_take_all);

	return 0;
}
late_initcall_sync(boot_snapshots_take);
