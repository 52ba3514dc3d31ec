// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace_bug(): what was found at a call site, and what was expected. Once: a
 * kernel whose text is not what it should be would have more to say than
 * anybody wants to read.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/kallsyms.h>
#include <linux/printk.h>

#include "patch/report.h"

static const char * const site_name[FTRACE_SITES] = {
	[FTRACE_SITE_NOP]	= "nop",
	[FTRACE_SITE_LIST]	= "list",
	[FTRACE_SITE_LIST_REGS]	= "list with registers",
	[FTRACE_SITE_SET]	= "set",
};

/* What a site calls, as text. */
static const char *target_text(unsigned long target, char *buf)
{
	if (!target)
		return "nop";

	sprint_symbol(buf, target);
	return buf;
}

/**
 * ftrace_bug - report a call site that is not what it should be
 * @bug: all that is known about it
 *
 * Not a WARN(): the kernel goes on as it did, only without function tracing.
 *
 * Context: process context
 */
void ftrace_bug(const struct ftrace_bug *bug)
{
	unsigned long ip = ftrace_rec_ip(bug->rec);
	unsigned int have = ftrace_rec_have(bug->rec);
	char buf[KSYM_SYMBOL_LEN];
	static bool reported;

	if (reported)
		return;
	reported = true;

	pr_err("unexpected instruction at the call site %pS [<%px>]\n",
	       (void *)ip, (void *)ip);
	pr_err("  for:      %s %pS\n", bug->owner, bug->func);
	pr_err("  found:    %*ph\n", MCOUNT_INSN_SIZE, bug->found);
	pr_err("  expected: %*ph, %s\n", MCOUNT_INSN_SIZE, bug->expected,
	       target_text(bug->from, buf));
	pr_err("  record: %08x, has %s %u, is to have %s %u\n", bug->rec->state,
	       site_name[ftrace_site_of(have)], have,
	       site_name[ftrace_site_of(bug->goal)], bug->goal);
	pr_err("function tracing is shut down\n");
}
