// SPDX-License-Identifier: GPL-2.0
/*
 * Files of the hardware latency detector, in the directory hwlat_detector.
 */
#include <linux/cleanup.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/tracefs.h>

#include "instance/core/instance.h"
#include "tracefs/files.h"
#include "tracer/osnoise/hwlat.h"
#include "tracer/osnoise/noise_files.h"

static void hwlat_files_width_show(struct seq_file *m, const struct tracefs_node *node)
{
	seq_printf(m, "%lu\n", trace_hwlat_width());
}

static int hwlat_files_width_set(const struct tracefs_node *node, unsigned long value)
{
	guard(mutex)(&trace_lock);

	return trace_hwlat_set_width(value);
}

static void hwlat_files_window_show(struct seq_file *m, const struct tracefs_node *node)
{
	seq_printf(m, "%lu\n", trace_hwlat_window());
}

static int hwlat_files_window_set(const struct tracefs_node *node, unsigned long value)
{
	guard(mutex)(&trace_lock);

	return trace_hwlat_set_window(value);
}

static void hwlat_files_mode_show(struct seq_file *m, const struct tracefs_node *node)
{
	enum hwlat_mode mode = trace_hwlat_mode();
	enum hwlat_mode each;

	for (each = 0; each < HWLAT_MODES; each++)
		seq_printf(m, each == mode ? "%s[%s]" : "%s%s", each ? " " : "",
			   trace_hwlat_modes[each]);
	seq_putc(m, '\n');
}

static int hwlat_files_mode_set(const struct tracefs_node *node, char *name)
{
	int mode = match_string(trace_hwlat_modes, HWLAT_MODES, name);

	return mode < 0 ? -EINVAL : trace_hwlat_set_mode(mode);
}

static const struct tracefs_entry hwlat_files[] = {
	{ "width", TRACEFS_BOTH, .show = hwlat_files_width_show,
	 .set_number = hwlat_files_width_set },
	{ "window", TRACEFS_BOTH, .show = hwlat_files_window_show,
	 .set_number = hwlat_files_window_set },
	{ "mode", TRACEFS_BOTH, .show = hwlat_files_mode_show, .set_token = hwlat_files_mode_set,
	  .refused = "No such mode" },
	{ }
};

/**
 * tracefs_add_hwlat - create the directory hwlat_detector
 */
void tracefs_add_hwlat(void)
{
	struct dentry *dir = tracefs_create_dir("hwlat_detector", NULL);

	if (dir)
		tracefs_add_files(dir, hwlat_files, &trace_top, RING_BUFFER_ALL_CPUS, NULL);
}
