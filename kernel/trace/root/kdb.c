// SPDX-License-Identifier: GPL-2.0
/*
 * ftdump, a command of the kernel debugger kdb: prints the top buffer, while all CPUs are
 * stopped.
 *
 * It prints in the same way as ftrace_dump(), and so consumes entries: a reader that leaves
 * them in the buffer needs memory, which the debugger cannot allocate.
 */
#include <linux/cpumask.h>
#include <linux/init.h>
#include <linux/kdb.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/ring_buffer.h>

#include "instance/core/instance.h"
#include "output/dump.h"

/* The user may have stopped the output at the end of a screen. */
static bool kdb_ftdump_print(const char *line, int len)
{
	kdb_printf("%.*s\n", len, line);

	return !KDB_FLAG(CMD_INTERRUPT);
}

/* kdb_printf() formats into a buffer of 256 bytes. */
static const struct trace_dump_to screen = {
	.print	= kdb_ftdump_print,
	.width	= 250,
};

/*
 * ftdump [N] [cpu]: skip the first N entries; with -N, print only the last N entries. The
 * debugger may have interrupted another dump.
 */
static int kdb_ftdump(int argc, const char **argv)
{
	int cpu = RING_BUFFER_ALL_CPUS;
	long skip = 0;

	if (argc > 2)
		return KDB_ARGCOUNT;

	if (!trace_top.main.buffer)
		return KDB_NOTIMP;

	if (argc && kstrtol(argv[1], 0, &skip))
		return KDB_BADINT;

	if (argc == 2) {
		if (kstrtoint(argv[2], 0, &cpu) || cpu < 0 || cpu >= nr_cpu_ids ||
		    !cpu_online(cpu))
			return KDB_BADCPUNUM;
	}

	kdb_printf("The trace buffer, oldest entry first");
	if (skip)
		kdb_printf(skip > 0 ? ", without the first %ld" : ", the last %ld",
			   abs(skip));
	kdb_printf(":\n");
	if (!trace_dump_top(cpu, skip, &screen))
		kdb_printf("   (another dump is under way)\n");

	return 0;
}

static kdbtab_t ftdump_command = {
	.func	= kdb_ftdump,
	.flags	= KDB_ENABLE_ALWAYS_SAFE,
	.name	= "ftdump",
	.help	= "Print and empty the trace buffer, without N entries; -N: the last N",
	.usage	= "[N] [cpu]",
};

static int __init kdb_ftdump_init(void)
{
	return kdb_register(&ftdump_command);
}
late_initcall(kdb_ftdump_init);
