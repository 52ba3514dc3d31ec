// SPDX-License-Identifier: GPL-2.0
/*
 * uprobeop MODE [ARGUMENT...] - a program that contains probes, and perf events of the type
 * uprobe
 *
 * The function probed() is called with a number, a text, and the address of a structure, and
 * returns twice the number.
 *
 *	where		prints NAME OFFSET ADDRESS for symbols in this file: probed, counter (the
 *			reference counter of a probe), pair (the structure), variable (the text
 *			"variable"), trap (an instruction that is already a breakpoint), text
 *	run N [TEXT]	calls it for the numbers from 1 to N, then prints "counter N", and "patched 1"
 *			if there is a breakpoint at its entry, 0 otherwise
 *	wait		does "run 1" for each line of the standard input
 *	absent		calls it with text that is not in memory yet, and with an unmapped address
 *	fork		does "run 1" in a child, and then itself
 *	exec		does "run 1", and then executes itself to do the same again
 *	storm N ROUNDS	N children with two threads fork, execute this program and exit
 *	perf SCOPE RETURN REF	opens a perf event of the type uprobe for probed(), or its return
 *			if RETURN is 1, with the offset REF of a reference counter or 0; does "run 3";
 *			prints "count N". SCOPE: "self"; "child" for a child that does it; "other" for
 *			a child that does not; "all" for all tasks of CPU 0; "inherit" for itself and
 *			a child that does "run 2" before
 *	perf-refused	prints NAME:ERRNO for each invalid request
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "offset.h"

#define SECONDS		60

struct pair {
	uint32_t first;
	uint16_t bits;
	const char *text;
};

static char variable[16] = "variable";
static volatile uint16_t counter __attribute__((section(".probes"), aligned(2), used));
static struct pair pair = { 0x11223344, 0x5a, "inner" };
static char *self;

static int fail(const char *what)
{
	printf("%s:%d\n", what, errno);
	exit(1);
}

long probed(long number, const char *text, const struct pair *pair);

__attribute__((noinline, noclone))
long probed(long number, const char *text, const struct pair *pair)
{
	__asm__ volatile("" : "+r" (number) : "r" (text), "r" (pair) : "memory");
	return number * 2;
}

/* An existing breakpoint, which is never reached. */
void trap(void);

#if defined(__x86_64__)
__asm__(".globl trap\ntrap: int3\nret\n");
#elif defined(__aarch64__)
__asm__(".globl trap\ntrap: .inst 0xd42000a0\nret\n");
#else
void trap(void)
{
}
#endif

static void where_is(const char *name, const volatile void *address)
{
	printf("%s 0x%lx 0x%lx\n", name, offset_of((const void *)address), (unsigned long)address);
}

static int where(void)
{
	where_is("probed", probed);
	where_is("counter", &counter);
	where_is("pair", &pair);
	where_is("variable", variable);
	where_is("trap", trap);
	where_is("text", "a text");
	return 0;
}

/* Does the entry of probed() in this process differ from the file? */
static int is_patched(void)
{
	unsigned char bytes[4];
	int fd = open("/proc/self/exe", O_RDONLY);

	if (fd < 0 || pread(fd, bytes, sizeof(bytes), offset_of(probed)) != sizeof(bytes))
		return fail("exe");
	close(fd);
	return !!memcmp(bytes, (const void *)probed, sizeof(bytes));
}

static void run(int nr, const char *text)
{
	int i;

	for (i = 1; i <= nr; i++) {
		if (probed(i, text, &pair) != 2 * i)
			fail("probed");
	}
}

static int print_state(void)
{
	printf("counter %d\npatched %d\n", counter, is_patched());
	fflush(stdout);
	return 0;
}

static int wait_for_lines(void)
{
	char line[16];

	while (fgets(line, sizeof(line), stdin)) {
		run(1, "waited");
		print_state();
	}
	return 0;
}

/*
 * Calls probed() with a page of this file that is not present yet, and with an unmapped
 * address.
 */
static int absent(void)
{
	unsigned long offset = offset_of(variable), page = getpagesize();
	char *there;
	int fd = open("/proc/self/exe", O_RDONLY);

	there = mmap(NULL, 2 * page, PROT_READ, MAP_PRIVATE, fd, offset & -page);
	if (there == MAP_FAILED)
		return fail("mmap");
	probed(1, there + offset % page, &pair);
	probed(2, (const char *)8, &pair);
	return 0;
}

static int forks(void)
{
	pid_t child = fork();

	if (!child) {
		run(1, "child");
		_exit(0);
	}
	waitpid(child, NULL, 0);
	run(1, "parent");
	return print_state();
}

/*
 * A storm
 */

static int storm_rounds;

static void *storm_round(void *unused)
{
	int i;

	for (i = 0; i < storm_rounds; i++) {
		pid_t child = fork();

		if (!child) {
			run(2, "storm");
			if (i % 2)
				execl(self, self, "run", "2", "storm", NULL);
			_exit(0);
		}
		run(3, "storm");
		if (child < 0 || waitpid(child, NULL, 0) != child)
			fail("storm");
	}
	return unused;
}

static int storm(int nr, int rounds)
{
	int null = open("/dev/null", O_WRONLY), i, status, failed = 0;

	storm_rounds = rounds;
	for (i = 0; i < nr; i++) {
		pthread_t thread;

		if (fork())
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(null, 1);
		if (pthread_create(&thread, NULL, storm_round, NULL))
			_exit(1);
		storm_round(NULL);
		pthread_join(thread, NULL);
		_exit(0);
	}
	while (wait(&status) > 0)
		failed |= status;
	return !!failed;
}

/*
 * Perf
 */

static int pmu_type(void)
{
	FILE *file = fopen("/sys/bus/event_source/devices/uprobe/type", "r");
	int type;

	if (!file || fscanf(file, "%d", &type) != 1)
		return fail("type");
	fclose(file);
	return type;
}

static int perf_open(const char *path, unsigned long offset, uint64_t config, pid_t pid, int cpu,
		     int inherit)
{
	struct perf_event_attr attr = {
		.type = pmu_type(),
		.size = sizeof(attr),
		.config = config,
		.uprobe_path = (uintptr_t)path,
		.probe_offset = offset,
		.inherit = inherit,
	};

	return syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Starts a child that calls probed() @nr times when a byte is written to *go. */
static pid_t helper(int nr, int *go)
{
	int fds[2];
	pid_t child;
	char byte;

	if (pipe(fds))
		fail("pipe");
	child = fork();
	if (!child) {
		close(fds[1]);
		if (read(fds[0], &byte, 1) == 1)
			run(nr, "helper");
		_exit(0);
	}
	close(fds[0]);
	*go = fds[1];
	return child;
}

static int stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

static int perf(const char *scope, int is_return, unsigned long ref)
{
	int go, fd, inherit = !strcmp(scope, "inherit"), all = !strcmp(scope, "all");
	int child_runs = !strcmp(scope, "child"), other = !strcmp(scope, "other");
	pid_t child = helper(child_runs ? 3 : 0, &go), heir = 0;
	uint64_t count;

	if (all && stay_on(0))
		return fail("affinity");
	fd = perf_open(self, offset_of(probed), is_return | (uint64_t)ref << 32,
		       all ? -1 : child_runs || other ? child : 0, all ? 0 : -1, inherit);
	if (fd < 0)
		return fail("open");
	if (inherit)
		heir = fork();
	if (inherit && !heir) {
		run(2, "inherited");
		_exit(0);
	}
	if (write(go, "", 1) != 1)
		return fail("write");
	if (child_runs)
		waitpid(child, NULL, 0);
	else
		run(3, "perf");
	if (inherit && waitpid(heir, NULL, 0) != heir)
		return fail("wait");
	if (read(fd, &count, sizeof(count)) != sizeof(count))
		return fail("read");
	print_state();
	printf("count %d\n", (int)count);
	close(fd);
	printf("after-counter %d\nafter-patched %d\n", counter, is_patched());
	return 0;
}

static void refused_is(const char *name, int fd)
{
	printf("%s:%d\n", name, fd < 0 ? errno : 0);
	if (fd >= 0)
		close(fd);
}

static int perf_refused(void)
{
	static char long_path[8192];
	unsigned long offset = offset_of(probed);

	memset(long_path, 'x', sizeof(long_path) - 1);
	refused_is("right", perf_open(self, offset, 0, 0, -1, 0));
	refused_is("no-path", perf_open(NULL, offset, 0, 0, -1, 0));
	refused_is("empty-path", perf_open("", offset, 0, 0, -1, 0));
	refused_is("bad-path", perf_open((char *)8, offset, 0, 0, -1, 0));
	refused_is("long-path", perf_open(long_path, offset, 0, 0, -1, 0));
	refused_is("no-file", perf_open("/no/such", offset, 0, 0, -1, 0));
	refused_is("directory", perf_open("/", offset, 0, 0, -1, 0));
	refused_is("behind", perf_open(self, 1UL << 40, 0, 0, -1, 0));
	refused_is("negative", perf_open(self, -1UL, 0, 0, -1, 0));
	refused_is("odd-counter", perf_open(self, offset, 1ULL << 32, 0, -1, 0));
	refused_is("breakpoint", perf_open(self, offset_of(trap), 0, 0, -1, 0));
	if (setuid(1000))
		return fail("setuid");
	refused_is("user", perf_open(self, offset, 0, 0, -1, 0));
	return 0;
}

static int do_mode(const char *name, int argc, char **argv)
{
	if (!strcmp(name, "where"))
		return where();
	if (!strcmp(name, "run") && argc) {
		run(atoi(argv[0]), argc > 1 ? argv[1] : "text");
		return print_state();
	}
	if (!strcmp(name, "wait"))
		return wait_for_lines();
	if (!strcmp(name, "absent"))
		return absent();
	if (!strcmp(name, "fork"))
		return forks();
	if (!strcmp(name, "exec")) {
		run(1, "before");
		execl(self, self, "run", "1", "after", NULL);
		return fail("exec");
	}
	if (!strcmp(name, "storm") && argc == 2)
		return storm(atoi(argv[0]), atoi(argv[1]));
	if (!strcmp(name, "perf") && argc == 3)
		return perf(argv[0], atoi(argv[1]), strtoul(argv[2], NULL, 0));
	if (!strcmp(name, "perf-refused"))
		return perf_refused();
	fprintf(stderr, "usage: see uprobeop.c\n");
	return 2;
}

int main(int argc, char **argv)
{
	self = realpath("/proc/self/exe", NULL);
	if (argc < 2 || !self)
		return 2;
	/* not for a program that waits, which the test ends */
	if (strcmp(argv[1], "wait"))
		alarm(SECONDS);
	return do_mode(argv[1], argc - 2, argv + 2);
}
