// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace_bug(): report of a call site whose bytes are not the expected ones. Only the first one
 * is reported: a kernel whose text is corrupt could flood the log.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/ftrace_arch.h>
#include <linux/kallsyms.h>
#include <linux/printk.h>

#include "patch/report.h"

/* The target of a site, as text. */
static const char *report_target_text(unsigned long target, char *buf)
{
	if (!target)
		return "nop";

	sprint_symbol(buf, target);
	return buf;
}

/**
 * ftrace_bug - report a call site whose bytes are not the expected ones
 * @bug: description of the site
 *
 * Not a WARN(): the kernel keeps running as before, only without function tracing.
 *
 * Context: process context
 */
void ftrace_bug(const struct ftrace_bug *bug)
{
	const struct ftrace_site *site = bug->site;
	char buf[KSYM_SYMBOL_LEN];
	static bool reported;

	if (reported)
		return;
	reported = true;

	pr_err("unexpected instruction at the call site %pS [<%px>]\n",
	       (void *)site->ip, (void *)site->ip);
	pr_err("  for:      %s %pS\n", bug->owner, bug->func);
	if (bug->found)
		pr_err("  found:    %*ph\n", FTRACE_SITE_SIZE, bug->found);
	else
		pr_err("  found:    no text\n");
	pr_err("  expected: %*ph, %s\n", FTRACE_SITE_SIZE, site->old,
	       report_target_text(site->from, buf));
	pr_err("  new:      %*ph\n", FTRACE_SITE_SIZE, site->insn);
	pr_err("  record: %08x, calls number %u\n", bug->rec->state,
	       ftrace_rec_have(bug->rec));
	pr_err("function tracing is shut down\n");
}
