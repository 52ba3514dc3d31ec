// SPDX-License-Identifier: GPL-2.0
/*
 * Filters that kernel code and the kernel's command line set, where call sites are listed: by
 * the same edits as the files use, see kernel-parameters.txt.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/err.h>
#include <linux/init.h>
#include <linux/string.h>

#include "filter/filter.h"
#include "filter/set_filter.h"
#include "ftrace/ops/ops.h"

/**
 * ftrace_filter_set_patterns - set the functions of a filter by patterns
 * @hash: the filters
 * @exclude: set the functions to exclude
 * @buf: patterns as in set_ftrace_filter, NULL for no patterns
 * @len: length of @buf
 * @reset: replace the functions instead of adding to them
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: as ftrace_set_filter()
 */
int ftrace_filter_set_patterns(struct ftrace_ops_hash *hash, bool exclude, const char *buf, int len,
			       bool reset)
{
	struct ftrace_filter_edit *edit;
	size_t size = buf ? len : 0;
	int err;

	edit = ftrace_filter_edit_begin(hash, exclude, reset);
	if (!edit)
		return -ENOMEM;

	err = ftrace_filter_edit_text(edit, buf, &size, true);
	if (!err)
		err = ftrace_filter_edit_end(edit);
	ftrace_filter_edit_free(edit);
	return err;
}

/**
 * ftrace_filter_set_sites - set the functions of a filter by their call sites
 * @hash: the filters; filter_hash is set
 * @sites: call sites to add, NULL for no sites
 * @serial: value of ftrace_records_serial() from before they were looked up
 * @reset: replace the functions instead of adding to them
 *
 * Context: process context; takes ftrace_lock
 *
 * Return: 0; -ENOMEM; or as ftrace_ops_edit_hash()
 */
int ftrace_filter_set_sites(struct ftrace_ops_hash *hash, const struct ftrace_hash *sites,
			    unsigned long serial, bool reset)
{
	struct ftrace_filter_edit *edit = ftrace_filter_edit_begin(hash, false, reset);
	int err = edit ? 0 : -ENOMEM;

	if (edit)
		edit->serial = serial;
	if (edit && sites)
		err = ftrace_filter_edit_sites(edit, sites, false);
	if (!err)
		err = ftrace_filter_edit_end(edit);
	ftrace_filter_edit_free(edit);
	return err;
}

FTRACE_BOOT_FILTER(boot_filter, "ftrace_filter=");
FTRACE_BOOT_FILTER(boot_notrace, "ftrace_notrace=");

/**
 * ftrace_filter_boot - set filters from the kernel's command line
 * @hash: the filters
 * @patterns: patterns, separated by commas
 * @exclude: set the functions to exclude
 *
 * All patterns are one edit; a pattern that is refused does not prevent the others.
 */
void __init ftrace_filter_boot(struct ftrace_ops_hash *hash, char *patterns, bool exclude)
{
	struct ftrace_filter_edit *edit;
	int err = -ENOMEM;
	char *pattern;
	size_t len;

	if (!*patterns)
		return;

	edit = ftrace_filter_edit_begin(hash, exclude, false);
	if (edit) {
		edit->may_wait = true;
		while ((pattern = strsep(&patterns, ","))) {
			len = strlen(pattern);
			err = ftrace_filter_edit_text(edit, pattern, &len, true);
			if (err == -EINVAL)
				pr_warn("no function matches %s\n", pattern);
			else if (err)
				pr_warn("ignoring %s: %pe\n", pattern, ERR_PTR(err));
		}
		err = ftrace_filter_edit_end(edit);
	}
	if (err)
		pr_warn("failed to apply the filters of the command line\n");
	ftrace_filter_edit_free(edit);
}

/* The filters are in force before the first tracer registers. */
static int __init set_filter_dyn_boot(void)
{
	ftrace_filter_boot(&ftrace_global_hash, boot_filter, false);
	ftrace_filter_boot(&ftrace_global_hash, boot_notrace, true);
	return 0;
}
early_initcall(set_filter_dyn_boot);
