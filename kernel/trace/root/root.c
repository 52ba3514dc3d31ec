// SPDX-License-Identifier: GPL-2.0
/*
 * Files in the directories of tracefs.
 */
#define pr_fmt(fmt) "tracefs: " fmt

#include <linux/cleanup.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mount.h>
#include <linux/printk.h>
#include <linux/ring_buffer.h>
#include <linux/security.h>
#include <linux/tracefs.h>

#include "instance/core/instance.h"
#include "instance/tracer/instance_create.h"
#include "rv/rv_files.h"
#include "tracefs/event/event_dirs.h"
#include "tracefs/files.h"
#include "tracefs/tables.h"
#include "tracefs/trace_options.h"
#include "tracefs/tracing_max_latency.h"
#include "tracer/branch/branch_files.h"
#include "tracer/osnoise/noise_files.h"
#include "tracer/profile/profile_files.h"

static const struct tracefs_entry raw_files[] = {
	{ "trace_pipe_raw", TRACEFS_READ, .fops = &tracefs_raw_fops },
#ifdef CONFIG_TRACER_SNAPSHOT
	{ "snapshot_raw", TRACEFS_READ, .fops = &tracefs_snapshot_raw_fops },
#endif
	{ }
};

/* Files in the directory of every instance. */
static const struct tracefs_entry * const instance_tables[] = {
	tracefs_control_files,
	tracefs_trace_files,
	tracefs_pipe_files,
	tracefs_marker_files,
	tracefs_errlog_files,
	tracefs_option_files,
	tracefs_buffer_files,
	tracefs_filter_files,
	tracefs_graph_files,
	tracefs_pid_files,
};

/* Files in the directory of every instance that has events. */
static const struct tracefs_entry * const event_tables[] = {
	tracefs_set_event_files,
	tracefs_event_pid_files,
};

/* Files in the top directory only. */
static const struct tracefs_entry * const top_tables[] = {
	tracefs_readme_files,
	tracefs_name_files,
	tracefs_function_files,
	tracefs_top_filter_files,
	tracefs_recursed_files,
	tracefs_profile_files,
	tracefs_latency_files,
	tracefs_stack_files,
	tracefs_available_event_files,
	tracefs_probe_files,
	tracefs_kprobe_files,
	tracefs_uprobe_files,
	tracefs_synth_files,
	tracefs_user_event_files,
};

/* Files in the directory of every CPU of an instance. */
static const struct tracefs_entry * const cpu_tables[] = {
	tracefs_trace_files,
	tracefs_pipe_files,
	raw_files,
	tracefs_cpu_buffer_files,
};

/* Return: 0, or -ENOMEM if files are missing; the other files are created. */
static int root_add_instance(struct dentry *dir, struct trace_array *tr)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < ARRAY_SIZE(instance_tables); i++)
		ret = tracefs_add_files(dir, instance_tables[i], tr,
					RING_BUFFER_ALL_CPUS, NULL) ?: ret;
	/* The events of the top instance may be missing if memory was short at boot. */
	for (i = 0; tr->events && i < ARRAY_SIZE(event_tables); i++)
		ret = tracefs_add_files(dir, event_tables[i], tr,
					RING_BUFFER_ALL_CPUS, NULL) ?: ret;
	ret = tracefs_add_latency(dir, tr) ?: ret;
	if (tr->memory)
		ret = tracefs_add_files(dir, tracefs_saved_files, tr,
					RING_BUFFER_ALL_CPUS, NULL) ?: ret;
	ret = tracefs_add_events(dir, tr) ?: ret;

	return tracefs_add_cpus(dir, cpu_tables, ARRAY_SIZE(cpu_tables), tr) ?: ret;
}

/* Directory of the instances' directories, NULL before files are created. */
static struct dentry *instances_dir;

static void root_tracefs_destroy(struct trace_array *tr)
{
	tracefs_remove_latency(tr);
	tracefs_remove_events(tr);
	scoped_guard(mutex, &trace_lock)
		tracefs_forget(tr);
	tracefs_remove(tr->dir);
	tr->dir = NULL;
}

static int root_tracefs_create(struct trace_array *tr)
{
	int ret;

	/*
	 * root_tracefs_fill() creates the files of the top instance. Instances of the kernel
	 * itself need no files.
	 */
	if (!instances_dir || !tr->name || security_locked_down(LOCKDOWN_TRACEFS))
		return 0;

	tr->dir = tracefs_create_dir(tr->name, instances_dir);
	if (!tr->dir)
		return -ENOMEM;

	ret = root_add_instance(tr->dir, tr);
	if (ret)
		root_tracefs_destroy(tr);

	return ret;
}

static int root_instance_mkdir(const char *name)
{
	return security_locked_down(LOCKDOWN_TRACEFS) ?: trace_instance_mkdir(name);
}

static struct trace_instance_ops root_part = {
	.create		= root_tracefs_create,
	.destroy	= root_tracefs_destroy,
};

/* /sys/kernel/debug/tracing, the location of these files before tracefs existed. */
static struct vfsmount *root_mount_in_debugfs(struct dentry *at, void *unused)
{
	struct file_system_type *type = get_fs_type("tracefs");
	struct vfsmount *mnt;

	if (!type)
		return NULL;

	mnt = vfs_submount(at, type, "tracefs", NULL);
	put_filesystem(type);

	return IS_ERR(mnt) ? NULL : mntget(mnt);
}

/* The directory trace_stat */
static void __init root_add_stats(void)
{
	struct dentry *dir;

	if (!IS_ENABLED(CONFIG_FUNCTION_PROFILER) && !IS_ENABLED(CONFIG_TRACE_BRANCH_PROFILING))
		return;

	dir = tracefs_create_dir("trace_stat", NULL);
	if (!dir)
		return;
	tracefs_add_function_stats(dir);
	tracefs_add_branch_stats(dir);
}

static int __init root_tracefs_fill(void)
{
	struct trace_array *tr = &trace_top;
	unsigned int i;
	int ret;

	if (!tr->main.buffer || !tracefs_initialized())
		return 0;

	if (security_locked_down(LOCKDOWN_TRACEFS)) {
		pr_warn("no files because the kernel is locked down\n");
		return 0;
	}

	if (IS_ENABLED(CONFIG_DEBUG_FS))
		debugfs_create_automount("tracing", NULL, root_mount_in_debugfs,
					 NULL);

	for (i = 0; i < ARRAY_SIZE(top_tables); i++)
		tracefs_add_files(NULL, top_tables[i], tr,
				  RING_BUFFER_ALL_CPUS, NULL);
	root_add_stats();
	tracefs_add_hwlat();
	tracefs_add_osnoise();
	tracefs_add_rv();
	ret = tracefs_events_init();
	if (ret)
		return ret;

	root_add_instance(NULL, tr);
	instances_dir = tracefs_create_instance_dir("instances", NULL,
						    root_instance_mkdir,
						    trace_instance_rmdir);

	return register_trace_instance_ops(&root_part);
}
fs_initcall(root_tracefs_fill);

/* The files are removed with the directory of the instance. */
static int root_options_create(struct trace_array *tr)
{
	int ret = tr == &trace_top || tr->dir ? tracefs_add_options(tr->dir, tr) : 0;

	/* For the top instance, missing files are not fatal. */
	return tr == &trace_top ? 0 : ret;
}

static struct trace_instance_ops options_part = {
	.create		= root_options_create,
};

/*
 * Tracers register in initcalls of any level: all are registered now. Instances that were
 * created before also get their options.
 */
static int __init root_tracefs_fill_options(void)
{
	if (!trace_top.main.buffer || !tracefs_initialized() ||
	    security_locked_down(LOCKDOWN_TRACEFS))
		return 0;

	return register_trace_instance_ops(&options_part);
}
late_initcall_sync(root_tracefs_fill_options);
