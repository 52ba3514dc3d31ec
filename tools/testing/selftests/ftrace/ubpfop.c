// SPDX-License-Identifier: GPL-2.0
/*
 * ubpfop MODE [ARGUMENT...] - BPF programs in user space programs, by raw system calls
 *
 * Attaches a program to its own functions, calls them, and prints the values that the program
 * has counted: one in each line, after its name. one() is called three times, two() twice; and
 * once each after the program is detached. "counter" is the reference counter while it is
 * attached. If a system call fails, prints its name and the errno, and exits with 1.
 *
 *	perf RETURN	by a perf event for one(), or its return if RETURN is 1
 *	sleeping	the same, by a program that reads memory which is not present
 *	multi RETURN	by a link for both functions, with the cookies 1 and 2
 *	pid WHICH	the same for this process ("self") or a child ("child"), both of which call
 *	refused		prints NAME:ERRNO for each invalid request, 0 if it is accepted
 *	storm N		attaches and detaches N times, while a child calls and forks
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bpfprog.h"
#include "offset.h"

#define SECONDS		60

/* Older headers do not have these. */
#define UPROBE_MULTI		48
#define UPROBE_MULTI_RETURN	1

struct multi_attr {
	uint32_t prog, target, type, flags;
	uint64_t path, offsets, refs, cookies;
	uint32_t nr, multi_flags, pid, unused;
};

struct multi_info {
	uint32_t type, id, prog, unused;
	uint64_t path, offsets, refs, cookies;
	uint32_t path_size, nr, flags, pid;
	uint64_t more[4];
};

struct perf_info {
	uint32_t type, id, prog, unused, event_type, unused2;
	uint64_t name;
	uint32_t name_size, offset;
	uint64_t cookie, more[4];
};

static volatile uint16_t counter __attribute__((section(".probes"), aligned(2), used));
static char variable[16] = "variable";
static char *self;

long one(long number, const char *text);
long two(long number, const char *text);

__attribute__((noinline, noclone))
long one(long number, const char *text)
{
	__asm__ volatile("" : "+r" (number) : "r" (text) : "memory");
	return number + 1;
}

__attribute__((noinline, noclone))
long two(long number, const char *text)
{
	__asm__ volatile("" : "+r" (number) : "r" (text) : "memory");
	return number + 2;
}

static void call_both(void)
{
	int i;

	for (i = 0; i < 3; i++)
		if (one(i, variable) != i + 1)
			fail("one");
	for (i = 0; i < 2; i++)
		if (two(i, variable) != i + 2)
			fail("two");
	printf("counter %d\n", counter);
}

static void call_after(void)
{
	one(1, variable);
	two(1, variable);
	printf("counter-after %d\n", counter);
	print_slots();
	printf("one %lx\ntwo %lx\n", (unsigned long)one, (unsigned long)two);
}

/* Saves the address of the function, and the sum of the cookies. */
static int load_prog(int attach_type)
{
	begin();
	set(BPF_REG_2, 1);
	add(CALLS, BPF_REG_2);
	move(BPF_REG_1, BPF_REG_6);
	call(BPF_FUNC_get_attach_cookie);
	add(COUNTS, BPF_REG_0);
	keep(COOKIES, BPF_REG_0);
	move(BPF_REG_1, BPF_REG_6);
	call(BPF_FUNC_get_func_ip);
	keep(ADDRESS, BPF_REG_0);
	leave(0);
	return prog_load(BPF_PROG_TYPE_KPROBE, attach_type, 0);
}

static int link_info(int link, void *info, int size)
{
	union bpf_attr attr = { };

	attr.info.bpf_fd = link;
	attr.info.info_len = size;
	attr.info.info = (uintptr_t)info;
	return bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

static void refused_is(const char *what, int result)
{
	printf("%s:%d\n", what, result < 0 ? errno : 0);
	if (result > 0)
		close(result);
}

/*
 * Perf events
 */

static int event_open(int is_return)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.config = is_return | (uint64_t)offset_of((const void *)&counter) << 32,
		.uprobe_path = (uintptr_t)self,
		.probe_offset = offset_of(one),
	};
	FILE *file = fopen("/sys/bus/event_source/devices/uprobe/type", "r");
	int fd;

	if (!file || fscanf(file, "%d", (int *)&attr.type) != 1)
		fail("type");
	fclose(file);
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		fail("open");
	return fd;
}

static void print_perf_info(int link)
{
	char path[4096] = "";
	struct perf_info info = { .name = (uintptr_t)path, .name_size = sizeof(path) };

	if (link_info(link, &info, sizeof(info)))
		fail("info");
	printf("type %d\noffset %d\ncookie %llx\nself %d\n", info.event_type,
	       info.offset - (int)offset_of(one), (unsigned long long)info.cookie,
	       !strcmp(path, self) && info.name_size == strlen(self) + 1);
}

static void perf(int is_return)
{
	int event = event_open(is_return), link;

	link = link_create(load_prog(0), event, BPF_PERF_EVENT);
	if (link < 0)
		fail("attach");
	print_perf_info(link);
	call_both();
	close(link);
	close(event);
	call_after();
}

/* Attaches by the older ioctl. The text is in a page of this file that is not present yet. */
static void sleeping(void)
{
	unsigned long offset = offset_of(variable), page = getpagesize();
	int event = event_open(0), fd = open("/proc/self/exe", O_RDONLY), prog;
	char *there = mmap(NULL, 2 * page, PROT_READ, MAP_PRIVATE, fd, offset & -page);
	uint64_t word;

	if (there == MAP_FAILED)
		fail("mmap");
	begin();
	stack_word(BPF_REG_1);
	set(BPF_REG_2, 8);
	load_number(BPF_REG_3, (uintptr_t)there + offset % page);
	call(BPF_FUNC_copy_from_user);
	keep(RETURNS, BPF_REG_0);
	load(BPF_DW, BPF_REG_2, BPF_REG_10, -8);
	keep(COUNTS, BPF_REG_2);
	leave(0);
	sleeps = 1;
	prog = prog_load(BPF_PROG_TYPE_KPROBE, 0, 0);
	if (ioctl(event, PERF_EVENT_IOC_SET_BPF, prog) || ioctl(event, PERF_EVENT_IOC_ENABLE, 0))
		fail("attach");
	one(1, variable);
	memcpy(&word, variable, sizeof(word));
	printf("word %lld\n", (long long)word);
	close(event);
	call_after();
}

/*
 * Links
 */

static uint64_t offsets[2], refs[2], cookies[2] = { 1, 2 };

/* Attributes that a caller may change before attaching. */
static struct multi_attr multi_attr(int prog)
{
	offsets[0] = offset_of(one);
	offsets[1] = offset_of(two);
	refs[0] = offset_of((const void *)&counter);
	refs[1] = refs[0];
	return (struct multi_attr){
		.prog = prog, .type = UPROBE_MULTI, .path = (uintptr_t)self,
		.offsets = (uintptr_t)offsets, .refs = (uintptr_t)refs,
		.cookies = (uintptr_t)cookies, .nr = 2,
	};
}

static int multi_link(struct multi_attr attr)
{
	return syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));
}

static void print_multi(int link)
{
	uint64_t there[3][2];
	char path[4096];
	struct multi_info info = { };
	int i;

	if (link_info(link, &info, sizeof(info)))
		fail("info");
	printf("places %d\nflags %d\npid %d\n", info.nr, info.flags,
	       info.pid == (uint32_t)getpid() ? 1 : info.pid ? 2 : 0);
	info = (struct multi_info){ .path_size = 3 };
	refused_is("info-no-path", link_info(link, &info, sizeof(info)));
	info = (struct multi_info){ .path = (uintptr_t)path, .path_size = 3 };
	refused_is("info-small-path", link_info(link, &info, sizeof(info)));
	info = (struct multi_info){ .path = 8, .path_size = sizeof(path) };
	refused_is("info-bad-path", link_info(link, &info, sizeof(info)));
	info = (struct multi_info){ .offsets = (uintptr_t)there };
	refused_is("info-no-room", link_info(link, &info, sizeof(info)));
	info = (struct multi_info){ .offsets = (uintptr_t)there, .nr = 1 };
	refused_is("info-few", link_info(link, &info, sizeof(info)));
	info = (struct multi_info){ .offsets = 8, .nr = 2 };
	refused_is("info-bad-offsets", link_info(link, &info, sizeof(info)));

	info = (struct multi_info){
		.path = (uintptr_t)path, .path_size = sizeof(path), .nr = 2,
		.offsets = (uintptr_t)there[0], .refs = (uintptr_t)there[1],
		.cookies = (uintptr_t)there[2],
	};
	if (link_info(link, &info, sizeof(info)))
		fail("info");
	for (i = 0; i < 2; i++)
		printf("place%d %d\n", i, there[0][i] == offsets[i] && there[1][i] == refs[i] &&
		       there[2][i] == cookies[i]);
	printf("self %d\n", !strcmp(path, self) && info.path_size == strlen(self) + 1);
}

static void multi(int is_return)
{
	struct multi_attr attr = multi_attr(load_prog(UPROBE_MULTI));
	int link;

	attr.multi_flags = is_return ? UPROBE_MULTI_RETURN : 0;
	link = multi_link(attr);
	if (link < 0)
		fail("attach");
	print_multi(link);
	call_both();
	close(link);
	call_after();
}

/* This process calls both five times, and its child seven times. */
static void by_pid(const char *which)
{
	struct multi_attr attr = multi_attr(load_prog(UPROBE_MULTI));
	int go[2], link, i;
	pid_t child;
	char byte;

	if (pipe(go))
		fail("pipe");
	child = fork();
	if (!child) {
		close(go[1]);
		if (read(go[0], &byte, 1) == 1)
			for (i = 0; i < 7; i++)
				one(i, variable);
		_exit(0);
	}
	attr.pid = !strcmp(which, "self") ? getpid() : child;
	link = multi_link(attr);
	if (link < 0)
		fail("attach");
	print_multi(link);
	call_both();
	if (write(go[1], "", 1) != 1)
		fail("write");
	waitpid(child, NULL, 0);
	close(link);
	call_after();
}

static void refused(void)
{
	const struct multi_attr right = multi_attr(load_prog(UPROBE_MULTI));
	struct multi_attr attr = right;

	refused_is("right", multi_link(attr));
	attr.flags = 1;
	refused_is("flags", multi_link(attr));
	attr = right, attr.multi_flags = 2;
	refused_is("multi-flags", multi_link(attr));
	attr = right, attr.nr = 0;
	refused_is("none", multi_link(attr));
	attr = right, attr.nr = 1 << 30;
	refused_is("many", multi_link(attr));
	attr = right, attr.path = 0;
	refused_is("no-path", multi_link(attr));
	attr = right, attr.path = 8;
	refused_is("bad-path", multi_link(attr));
	attr = right, attr.path = (uintptr_t)"/no/such";
	refused_is("no-file", multi_link(attr));
	attr = right, attr.path = (uintptr_t)"/";
	refused_is("directory", multi_link(attr));
	attr = right, attr.offsets = 0;
	refused_is("no-offsets", multi_link(attr));
	attr = right, attr.offsets = 8;
	refused_is("bad-offsets", multi_link(attr));
	attr = right, attr.refs = 8;
	refused_is("bad-counters", multi_link(attr));
	attr = right, attr.cookies = 8;
	refused_is("bad-cookies", multi_link(attr));
	attr = right, attr.pid = -2;
	refused_is("negative-pid", multi_link(attr));
	attr = right, attr.pid = 1 << 22;
	refused_is("no-pid", multi_link(attr));
	attr = right, offsets[1] = -1;
	refused_is("negative-offset", multi_link(attr));
	/* The second place is invalid, so the first one is detached again */
	offsets[1] = offsets[0], refs[1] += 2;
	refused_is("other-counter", multi_link(attr));
	attr = multi_attr(load_prog(0));
	refused_is("other-type", multi_link(attr));
	call_both();
	call_after();
}

static void storm(int nr)
{
	struct multi_attr attr = multi_attr(load_prog(UPROBE_MULTI));
	pid_t child = fork();
	int link, event;

	while (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		one(1, variable);
		if (!fork()) {
			two(1, variable);
			_exit(0);
		}
		wait(NULL);
	}
	for (; nr; nr--) {
		attr.multi_flags = nr & 1;
		attr.pid = nr & 2 ? child : 0;
		link = multi_link(attr);
		event = event_open(nr & 1);
		if (link < 0 || ioctl(event, PERF_EVENT_IOC_SET_BPF, load_prog(0)))
			fail("attach");
		usleep(1000);
		close(link);
		close(event);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	printf("ended 1\n");
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	alarm(SECONDS);
	self = realpath("/proc/self/exe", NULL);
	map = map_create(BPF_MAP_TYPE_ARRAY, NR_SLOTS * sizeof(uint64_t), 1);
	if (!strcmp(name, "perf") && argc == 3) {
		perf(atoi(argv[2]));
	} else if (!strcmp(name, "sleeping")) {
		sleeping();
	} else if (!strcmp(name, "multi") && argc == 3) {
		multi(atoi(argv[2]));
	} else if (!strcmp(name, "pid") && argc == 3) {
		by_pid(argv[2]);
	} else if (!strcmp(name, "refused")) {
		refused();
	} else if (!strcmp(name, "storm") && argc == 3) {
		storm(atoi(argv[2]));
	} else {
		fprintf(stderr, "usage: see ubpfop.c\n");
		return 2;
	}
	return 0;
}
