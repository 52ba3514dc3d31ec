// SPDX-License-Identifier: GPL-2.0
/*
 * What the command line asks of instances: trace_instance= makes some, trace_clock=
 * and trace_options= are about the top one.
 */
#include <linux/array_size.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/string.h>

#include <asm/setup.h>

#include "instance/clocks.h"
#include "instance/instance.h"
#include "instance/life.h"
#include "instance/options.h"
#include "instance/tracer_options.h"

/* The values of trace_instance=, one behind the other, each with its NUL. */
static char boot_text[COMMAND_LINE_SIZE] __initdata;
static size_t boot_size __initdata;

static int __init boot_instance_setup(char *str)
{
	size_t size = strlen(str) + 1;

	if (size > sizeof(boot_text) - boot_size) {
		pr_warn("tracing: trace_instance=%s: too many instances\n", str);
		return 1;
	}

	memcpy(boot_text + boot_size, str, size);
	boot_size += size;

	return 1;
}
__setup("trace_instance=", boot_instance_setup);

static const char * __init why_not(int error)
{
	switch (error) {
	case -EEXIST:
		return "the name is taken";
	case -EINVAL:
		return "a directory cannot have that name";
	case -ENAMETOOLONG:
		return "the name is too long";
	default:
		return "no memory";
	}
}

static void __init set_flag(struct trace_array *tr, const char *flag)
{
	static const char * const printk_flags[] __initconst = {
		"traceprintk", "trace_printk", "printk",
	};

	if (!strcmp(flag, "traceoff")) {
		trace_array_off(tr);
		return;
	}

	if (match_string(printk_flags, ARRAY_SIZE(printk_flags), flag) < 0) {
		pr_warn("tracing: trace_instance=%s: no flag %s\n", tr->name,
			flag);
		return;
	}

	guard(mutex)(&trace_lock);
	trace_option_set(tr, TRACE_OPTION_TRACE_PRINTK_DEST, true);
}

/* @text is NAME[^FLAG...][@MEMORY][,EVENT...]; it is taken to pieces. */
static void __init make_instance(char *text)
{
	char *events = text, *flags, *memory, *name, *word;
	struct trace_array *tr;

	memory = strsep(&events, ",");
	flags = strsep(&memory, "@");
	name = strsep(&flags, "^");
	if (memory) {
		pr_warn("tracing: trace_instance=%s@%s: no instance in memory of one's choice yet\n",
			name, memory);
		return;
	}

	tr = trace_instance_at_boot(name);
	if (IS_ERR(tr)) {
		pr_warn("tracing: trace_instance=%s: %s\n", name,
			why_not(PTR_ERR(tr)));
		return;
	}

	while ((word = strsep(&flags, "^")))
		set_flag(tr, word);
	while ((word = strsep(&events, ",")))
		pr_warn("tracing: trace_instance=%s: no event %s\n", name, word);
}

/**
 * trace_init - what of booting needs RCU and a clock
 *
 * Interrupts are off and there is no scheduler yet.
 */
void __init trace_init(void)
{
	struct trace_array *tr = &trace_top;
	char *text, *end = boot_text + boot_size;
	size_t size;

	if (!tr->main.buffer)
		return;

	trace_clock_apply_boot(tr);
	trace_option_apply_boot(tr);

	for (text = boot_text; text < end; text += size) {
		size = strlen(text) + 1;
		make_instance(text);
	}
}
