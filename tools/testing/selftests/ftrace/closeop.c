// SPDX-License-Identifier: GPL-2.0
/*
 * closeop KIND ARGUMENT... - opens a perf event for each argument, and closes all of them
 *
 *	tracepoint ID...	trace events with these numbers
 *	kprobe NAME...		kprobes at the entries of these functions
 *	kretprobe NAME...	kprobes at their returns
 *	uprobe FILE OFFSET...	uprobes at these offsets in a file
 *
 * Writes "closing" to the standard output before it closes the first event, and "closed" after
 * the last one. If a system call fails, it prints its name and the errno to the standard error,
 * and exits with 1. Exits with 4 if the kernel has no perf events of this kind.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_EVENTS	1000

static int fail(const char *what)
{
	fprintf(stderr, "%s:%d\n", what, errno);
	return 1;
}

static int type_of(const char *kind)
{
	char path[128];
	FILE *file;
	int type = -1;

	if (!strcmp(kind, "tracepoint"))
		return PERF_TYPE_TRACEPOINT;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type",
		 strcmp(kind, "kretprobe") ? kind : "kprobe");
	file = fopen(path, "r");
	if (file) {
		if (fscanf(file, "%d", &type) != 1)
			type = -1;
		fclose(file);
	}
	return type;
}

static int say(const char *what)
{
	return write(STDOUT_FILENO, what, strlen(what)) < 0 ? fail("write") : 0;
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .exclude_hv = 1 };
	int fds[MOST_EVENTS], nr = 0, i = 2, type;
	const char *file = NULL;

	type = argc > 2 ? type_of(argv[1]) : -1;
	if (type < 0)
		return 4;
	attr.type = type;
	if (!strcmp(argv[1], "uprobe"))
		file = argv[i++];
	if (!strcmp(argv[1], "kretprobe"))
		attr.config = 1;

	for (; i < argc && nr < MOST_EVENTS; i++) {
		if (type == PERF_TYPE_TRACEPOINT) {
			attr.config = strtoul(argv[i], NULL, 0);
		} else if (file) {
			attr.uprobe_path = (uintptr_t)file;
			attr.probe_offset = strtoul(argv[i], NULL, 0);
		} else {
			attr.kprobe_func = (uintptr_t)argv[i];
		}
		fds[nr] = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
		if (fds[nr++] < 0)
			return fail(argv[i]);
	}

	if (say("closing"))
		return 1;
	while (nr)
		close(fds[--nr]);
	return say("closed");
}
