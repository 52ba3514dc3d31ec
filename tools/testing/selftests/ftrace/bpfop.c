// SPDX-License-Identifier: GPL-2.0
/*
 * bpfop MODE [ARGUMENT...] - BPF tracing programs, by raw system calls
 *
 * Attaches a program, does four reads itself, or runs COMMAND by the shell, detaches the
 * program, and prints the values that it has counted: one in each line, after its name. Three
 * reads are of 77 bytes each, and one of 9 fails with EBADF. If a system call fails, prints its
 * name and the errno, and exits with 1. Exits with 4 if the mode needs the BTF of the kernel,
 * and the kernel has none; and with 6 if it has no bpf_override_return().
 *
 *	entry		at the entry of vfs_read(), for calls of this process
 *	exit		at its exit
 *	print		at the entry of vfs_read(); it writes "bpfop reads COUNT" to the trace
 *	output		it writes samples to a perf event
 *	signal		it sends SIGUSR1 to this process
 *	stack		it reads the stack; prints the addresses in hex
 *	raw		at the tracepoint sys_enter, for read() of this process
 *	typed		the same, with the types of its arguments
 *	late		at the tracepoint sched_switch; sends SIGUSR1 when this process sleeps
 *	multi RETURN NAME...	at the entry of the functions, or their return if RETURN is 1; their
 *			cookies are 1, 2 ...
 *	session SKIP NAME...	the same at both; functions with the cookie SKIP only at the entry
 *	session-cookie NAME...	the same; its cookie is 40 more than the cookie of the function
 *	override WAY NAME	makes getppid(), which is function NAME, return 4321, by a perf
 *			event ("event"), by a link ("multi"), or by a session ("session")
 *	override-event ID COMMAND	the same for the trace event with the number ID
 *	session-refused NAME, override-refused NAME, override-refused-multi NAME	print
 *			NAME:ERRNO for each invalid request
 *	watch NAME COMMAND	at the tracepoint NAME, in all tasks
 *	event ID RET	at the trace event with the number ID, syscalls/sys_enter_read, for this
 *			process; returns RET, and if RET is 0, perf does not count the event
 *	refused ID	prints NAME:ERRNO for each invalid request, 0 if it is accepted; ID as above
 *	memory		at the entry of vfs_read(); it reads valid and invalid memory, and writes
 *	other_memory	the same; it reads user memory with the helpers for kernel memory
 *	bounds		the same; it accesses perf events that exist, and that do not exist
 *	sample		for a perf event, a page fault of this process
 *	nmi		at the tracepoint nmi_handler; it reads a string of this process
 *	path		at the entry of vfs_truncate(), for this process; prints the path
 *	branches	at the entry of vfs_read(); it reads branch records, of which an emulated
 *			CPU has none
 *	keys NAME	at the entry of dup(), which is function NAME; prints how many keys
 *			were found, and the result for an invalid signature
 *	syscall		is not attached, and reads the stack of the system call that runs it
 *	iterate		prints the output of a program for the file of an iterator
 *	socket		at a socket; it writes samples with the data that is sent. Exits with 5 if
 *			there are no sockets
 *	writable	at the tracepoint bpf_test_finish; it changes the argument
 *	hold NAME COMMAND	at the entry of the function NAME, in all tasks
 *	child ID	at the trace event for this process and a child, which exits first
 *	query ID	prints the result of querying the programs of the trace event
 *	nested ID PRINTK	programs inside other programs, PRINTK is the number of the trace
 *			event bpf_trace_printk
 *	starve ID	attaches and detaches programs while each allocation fails once
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bpfprog.h"

#define SECONDS		60
#define NO_TYPES	4
#define NO_SOCKETS	5
#define NO_OVERRIDE	6

/* Older headers do not have it. */
#define KPROBE_SESSION	56
#define UPROBE_MULTI	48

static int nr_signals, inherit;

/*
 * BTF of the kernel
 */

#define BTF_FUNC	12
#define BTF_TYPEDEF	8

struct btf_head {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t size, types, types_size, strings, strings_size;
};

struct btf_type {
	uint32_t name, info, size;
};

static char *read_types(void)
{
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY);
	off_t size = lseek(fd, 0, SEEK_END), at = 0;
	char *all = size > 0 ? malloc(size) : NULL;
	ssize_t nr;

	if (!all)
		exit(NO_TYPES);
	lseek(fd, 0, SEEK_SET);
	while (at < size) {
		nr = read(fd, all + at, size - at);
		if (nr <= 0)
			fail("types");
		at += nr;
	}
	close(fd);
	return all;
}

/* Bytes after a type, by its kind; see Documentation/bpf/btf.rst. */
static size_t more(const struct btf_type *type)
{
	int nr = type->info & 0xffff;

	switch (type->info >> 24 & 0x1f) {
	case 1: /* int */
	case 14: /* var */
	case 17: /* decl_tag */
		return 4;
	case 3: /* array */
	case 4: /* struct */
	case 5: /* union */
	case 15: /* datasec */
	case 19: /* enum64 */
		return (type->info >> 24 & 0x1f) == 3 ? 12 : nr * 12;
	case 6: /* enum */
	case 13: /* func_proto */
		return nr * 8;
	default:
		return 0;
	}
}

static int type_id(int kind, const char *name)
{
	static char *all;
	const struct btf_head *head;
	const char *at, *end, *strings;
	int id;

	if (!all)
		all = read_types();
	head = (void *)all;
	at = all + head->size + head->types;
	end = at + head->types_size;
	strings = all + head->size + head->strings;
	for (id = 1; at < end; id++) {
		const struct btf_type *type = (const void *)at;

		if ((int)(type->info >> 24 & 0x1f) == kind && !strcmp(strings + type->name, name))
			return id;
		at += sizeof(*type) + more(type);
	}
	errno = ENOENT;
	fail(name);
	return 0;
}

static int event_open(int type, int config, pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.sample_type = PERF_SAMPLE_RAW,
		.sample_period = 1,
		.wakeup_events = 1,
		.inherit = inherit,
	};
	int fd = syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		fail("open");
	return fd;
}

/*
 * Actions during the measurement
 */

static void reads(void)
{
	int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY), i;
	char bytes[77];

	for (i = 0; i < 3; i++)
		if (read(zero, bytes, sizeof(bytes)) != sizeof(bytes))
			fail("zero");
	if (read(null, bytes, 9) != -1 || errno != EBADF)
		fail("null");
	close(zero);
	close(null);
}

static void on_signal(int signal)
{
	nr_signals += signal == SIGUSR1;
}

/*
 * Modes
 */

static void count_call(void)
{
	load(BPF_DW, BPF_REG_2, BPF_REG_6, 2 * 8);
	add(COUNTS, BPF_REG_2);
	move(BPF_REG_1, BPF_REG_6);
	set(BPF_REG_2, 2);
	stack_word(BPF_REG_3);
	call(BPF_FUNC_get_func_arg);
	load(BPF_DW, BPF_REG_2, BPF_REG_10, -8);
	add(AGAIN, BPF_REG_2);
	move(BPF_REG_1, BPF_REG_6);
	call(BPF_FUNC_get_func_arg_cnt);
	add(ARGUMENTS, BPF_REG_0);
	move(BPF_REG_1, BPF_REG_6);
	call(BPF_FUNC_get_func_ip);
	keep(ADDRESS, BPF_REG_0);
	move(BPF_REG_1, BPF_REG_6);
	call(BPF_FUNC_get_attach_cookie);
	keep(COOKIES, BPF_REG_0);
}

/* Attaches the generated program to the entry or exit of vfs_read(). */
static int attach_function(int attach_type)
{
	int prog = prog_load(BPF_PROG_TYPE_TRACING, attach_type, type_id(BTF_FUNC, "vfs_read"));
	int link = link_create(prog, 0, attach_type);

	if (link < 0)
		fail("attach");
	close(prog);
	return link;
}

/* Prints what a program has counted of reads while it was attached. */
static void show_reads(int link)
{
	if (link < 0)
		fail("attach");
	reads();
	close(link);
	reads();
	print_slots();
}

static void entry(void)
{
	int link;

	begin_own(0);
	count_call();
	leave(0);
	link = attach_function(BPF_TRACE_FENTRY);
	reads();
	close(link);
	reads();
	print_slots();
}

/* Attaches by the older system call, which has no cookies. */
static void exit_of(void)
{
	int link;

	begin_own(0);
	count_call();
	load(BPF_DW, BPF_REG_2, BPF_REG_6, 4 * 8);
	add(RETURNS, BPF_REG_2);
	move(BPF_REG_1, BPF_REG_6);
	stack_word(BPF_REG_2);
	call(BPF_FUNC_get_func_ret);
	load(BPF_DW, BPF_REG_2, BPF_REG_10, -8);
	add(RETURNS, BPF_REG_2);
	leave(0);
	link = raw_open(prog_load(BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT,
				  type_id(BTF_FUNC, "vfs_read")), NULL);
	show_reads(link);
}

/* Prints the number in a 64-bit word of the context. */
static void emit_print(int off)
{
	static const char format[24] = "bpfop reads %d";
	int i, word;

	for (i = 0; i < 24; i += 4) {
		memcpy(&word, format + i, sizeof(word));
		emit(BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, i - 24, word);
	}
	stack_address(BPF_REG_1, -24);
	set(BPF_REG_2, strlen(format) + 1);
	load(BPF_DW, BPF_REG_3, BPF_REG_6, off);
	call(BPF_FUNC_trace_printk);
	add(RETURNS, BPF_REG_0);
}

static void print(void)
{
	begin_own(0);
	emit_print(2 * 8);
	leave(0);
	attach_function(BPF_TRACE_FENTRY);
	reads();
	print_slots();
}

/* Prints the number of samples, and the sum of their values. */
static void print_samples(const struct perf_event_mmap_page *page)
{
	const char *data = (const char *)page + getpagesize();
	uint64_t at = 0, end = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), word;
	long long nr = 0, sum = 0, size = 0;
	const struct perf_event_header *head;

	/* There are so few that the ring has not wrapped */
	for (; at < end; at += head->size) {
		head = (const void *)(data + at);
		if (head->type != PERF_RECORD_SAMPLE)
			continue;
		memcpy(&word, head + 1, sizeof(uint32_t));
		if ((uint32_t)word < sizeof(word))
			continue;
		memcpy(&word, (const char *)(head + 1) + sizeof(uint32_t), sizeof(word));
		nr++;
		sum += word;
		size = *(const uint32_t *)(head + 1);
		if (size >= 16)
			printf("behind %c\n", *((const char *)(head + 1) + 12));
	}
	printf("samples %lld\nsum %lld\nsize %lld\n", nr, sum, size);
}

static int stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

/* Binds this process to the first CPU, whose samples the map gets. Returns their buffer. */
static const struct perf_event_mmap_page *make_output(int events, int key)
{
	const struct perf_event_mmap_page *page;
	int event;

	if (stay_on(0))
		fail("affinity");
	event = event_open(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT, -1, 0);
	page = mmap(NULL, 9 * getpagesize(), PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
	if (page == MAP_FAILED)
		fail("event");
	map_set(events, key, &event);
	return page;
}

static void output(void)
{
	int events = map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 1);
	const struct perf_event_mmap_page *page = make_output(events, 0);

	begin_own(0);
	load(BPF_DW, BPF_REG_2, BPF_REG_6, 2 * 8);
	store(BPF_REG_10, -8, BPF_REG_2);
	move(BPF_REG_1, BPF_REG_6);
	load_map(BPF_REG_2, events);
	emit(BPF_ALU | BPF_MOV | BPF_K, BPF_REG_3, 0, 0, -1);
	stack_address(BPF_REG_4, -8);
	set(BPF_REG_5, 8);
	call(BPF_FUNC_perf_event_output);
	add(RETURNS, BPF_REG_0);
	leave(0);
	attach_function(BPF_TRACE_FENTRY);
	reads();
	print_slots();
	print_samples(page);
}

/* Calls the helper with SIGUSR1. */
static void emit_signal(void)
{
	set(BPF_REG_1, SIGUSR1);
	call(BPF_FUNC_send_signal);
	add(RETURNS, BPF_REG_0);
}

static void signals(void)
{
	begin_own(0);
	emit_signal();
	leave(0);
	attach_function(BPF_TRACE_FENTRY);
	reads();
	print_slots();
	printf("sent %d\n", nr_signals);
}

static void stack(void)
{
	uint64_t slots[NR_SLOTS];
	int i;

	begin_own(0);
	move(BPF_REG_1, BPF_REG_6);
	load_slot(BPF_REG_2, STACK);
	set(BPF_REG_3, (NR_SLOTS - STACK) * 8);
	set(BPF_REG_4, 0);
	call(BPF_FUNC_get_stack);
	add(RETURNS, BPF_REG_0);
	leave(0);
	attach_function(BPF_TRACE_FENTRY);
	reads();
	print_slots();
	map_read(slots);
	for (i = STACK; i < NR_SLOTS; i++)
		printf("from %llx\n", (unsigned long long)slots[i]);
}

/* At sys_enter, whose second argument is the number of the system call. */
static void make_sys_enter(void)
{
	begin_own(0);
	load(BPF_DW, BPF_REG_2, BPF_REG_6, 8);
	only_if(BPF_REG_2, SYS_read, 0);
	set(BPF_REG_2, 1);
	add(COUNTS, BPF_REG_2);
	move(BPF_REG_1, BPF_REG_6);
	call(BPF_FUNC_get_attach_cookie);
	keep(COOKIES, BPF_REG_0);
	leave(0);
}

static void attach_sys_enter(int prog, const char *name)
{
	int link = raw_open(prog, name);

	show_reads(link);
}

static void raw(void)
{
	make_sys_enter();
	attach_sys_enter(prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, 0), "sys_enter");
}

static void typed(void)
{
	make_sys_enter();
	attach_sys_enter(prog_load(BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP,
				   type_id(BTF_TYPEDEF, "btf_trace_sys_enter")), NULL);
}

static void late(void)
{
	begin_own(0);
	emit_signal();
	leave(0);
	if (raw_open(prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, 0), "sched_switch") < 0)
		fail("attach");
	while (!usleep(100000))
		;
	printf("sent %d\n", nr_signals > 0);
}

static void watch(const char *name, const char *command)
{
	int link;

	begin();
	set(BPF_REG_2, 1);
	add(CALLS, BPF_REG_2);
	leave(0);
	link = raw_open(prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, 0), name);
	if (link < 0)
		fail("attach");
	fflush(stdout);
	if (system(command) == -1)
		fail("run");
	print_slots();
}

static int make_event_prog(int ret, int off)
{
	begin_own(1);
	load(BPF_DW, BPF_REG_2, BPF_REG_6, off);
	add(COUNTS, BPF_REG_2);
	move(BPF_REG_1, BPF_REG_6);
	call(BPF_FUNC_get_attach_cookie);
	keep(COOKIES, BPF_REG_0);
	leave(ret);
	return try_load(BPF_PROG_TYPE_TRACEPOINT, 0, 0);
}

/* The third argument of a system call is 32 bytes after the beginning of its entry. */
static void event(int id, int ret)
{
	int fd = event_open(PERF_TYPE_TRACEPOINT, id, 0, -1), prog = make_event_prog(ret, 32);
	struct perf_event_query_bpf *query = calloc(1, sizeof(*query) + sizeof(uint32_t));
	uint64_t count;
	int link;

	if (prog < 0)
		fail("load");
	link = link_create(prog, fd, BPF_PERF_EVENT);
	if (link < 0)
		fail("attach");
	reads();
	query->ids_len = 1;
	if (ioctl(fd, PERF_EVENT_IOC_QUERY_BPF, query))
		fail("query");
	close(link);
	/* This read is another event, after the count was read */
	if (read(fd, &count, sizeof(count)) != sizeof(count))
		fail("read");
	print_slots();
	printf("programs %d\nevents %lld\n", query->prog_cnt, (long long)count);
}

/* The parent's reads are counted, since the program of the event is inherited. */
static void child(int id)
{
	int fd, link;
	pid_t pid;

	inherit = 1;
	fd = event_open(PERF_TYPE_TRACEPOINT, id, 0, -1);
	link = link_create(make_event_prog(1, 32), fd, BPF_PERF_EVENT);
	if (link < 0)
		fail("attach");
	fflush(stdout);
	pid = fork();
	if (!pid) {
		reads();
		_exit(0);
	}
	if (waitpid(pid, NULL, 0) != pid)
		fail("wait");
	reads();
	print_slots();
}

static struct bpf_prog_info prog_info(int prog)
{
	struct bpf_prog_info info = { };
	union bpf_attr attr = { };

	attr.info.bpf_fd = prog;
	attr.info.info_len = sizeof(info);
	attr.info.info = (uintptr_t)&info;
	if (bpf(BPF_OBJ_GET_INFO_BY_FD, &attr))
		fail("info");
	return info;
}

static void print_query(const char *when, int fd, int prog)
{
	char name[64] = "";
	union bpf_attr attr = { };

	attr.task_fd_query.pid = getpid();
	attr.task_fd_query.fd = fd;
	attr.task_fd_query.buf = (uintptr_t)name;
	attr.task_fd_query.buf_len = sizeof(name);
	if (bpf(BPF_TASK_FD_QUERY, &attr))
		printf("%s %d\n", when, errno);
	else
		printf("%s %s %d %d\n", when, name, attr.task_fd_query.fd_type,
		       attr.task_fd_query.prog_id == prog_info(prog).id);
	if (attr.task_fd_query.probe_addr)
		printf("address %llx\n", attr.task_fd_query.probe_addr);
}

static int probe_open(const char *type, int is_return, const char *place, int offset);

static void query(int id)
{
	int fd = event_open(PERF_TYPE_TRACEPOINT, id, 0, -1), prog = make_event_prog(1, 32);
	int other = event_open(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 0, -1), link;

	print_query("before", fd, prog);
	link = link_create(prog, fd, BPF_PERF_EVENT);
	if (link < 0)
		fail("attach");
	print_query("during", fd, prog);
	close(link);
	print_query("after", fd, prog);

	begin();
	leave(0);
	prog = prog_load(BPF_PROG_TYPE_PERF_EVENT, 0, 0);
	if (link_create(prog, other, BPF_PERF_EVENT) < 0)
		fail("attach");
	print_query("other", other, prog);

	begin();
	leave(0);
	prog = prog_load(BPF_PROG_TYPE_KPROBE, 0, 0);
	fd = probe_open("kprobe", 0, "vfs_read", 0);
	link = link_create(prog, fd, BPF_PERF_EVENT);
	if (link < 0)
		fail("attach");
	print_query("kprobe", fd, prog);
}

static void refused_is(const char *what, int result)
{
	printf("%s:%d\n", what, result < 0 ? errno : 0);
	if (result > 0)
		close(result);
}

/*
 * Kprobes at many functions
 */

static int multi_link_as(int type, int prog, int flags, int nr, const void *functions)
{
	uint64_t cookies[nr], i;
	union bpf_attr attr = { };

	for (i = 0; i < (uint64_t)nr; i++)
		cookies[i] = i + 1;
	attr.link_create.prog_fd = prog;
	attr.link_create.attach_type = type;
	attr.link_create.kprobe_multi.flags = flags;
	attr.link_create.kprobe_multi.cnt = nr;
	attr.link_create.kprobe_multi.syms = (uintptr_t)functions;
	attr.link_create.kprobe_multi.cookies = (uintptr_t)cookies;
	return bpf(BPF_LINK_CREATE, &attr);
}

static int multi_link(int prog, int flags, int nr, const void *functions)
{
	return multi_link_as(BPF_TRACE_KPROBE_MULTI, prog, flags, nr, functions);
}

/* Its context is registers. It saves the address of the last function that was called. */
static int make_multi_prog(void)
{
	begin_own(0);
	move(BPF_REG_1, BPF_REG_6);
	call(BPF_FUNC_get_attach_cookie);
	add(COUNTS, BPF_REG_0);
	move(BPF_REG_1, BPF_REG_6);
	call(BPF_FUNC_get_func_ip);
	keep(ADDRESS, BPF_REG_0);
	leave(0);
	return try_load(BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, 0);
}

struct multi_info {
	uint32_t type, id, prog, unused;
	uint64_t addresses;
	uint32_t count, flags;
	uint64_t missed, cookies, more[4];
};

static int multi_info(int link, struct multi_info *info)
{
	union bpf_attr attr = { };

	attr.info.bpf_fd = link;
	attr.info.info_len = sizeof(*info);
	attr.info.info = (uintptr_t)info;
	return bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

/* Prints the info of the link, with less space than it has functions, and with enough. */
static void print_multi(int link, int nr)
{
	uint64_t addresses[nr], cookies[nr];
	struct multi_info info = { };
	int i;

	if (multi_info(link, &info))
		fail("info");
	printf("functions %d\nflags %d\n", info.count, info.flags);
	refused_is("info-count", multi_info(link, &info));
	info = (struct multi_info){ .addresses = (uintptr_t)addresses };
	refused_is("info-addresses", multi_info(link, &info));
	info = (struct multi_info){ .cookies = (uintptr_t)cookies };
	refused_is("info-cookies", multi_info(link, &info));
	info.addresses = (uintptr_t)addresses;
	info.count = nr - 1;
	if (info.count)
		refused_is("info-few", multi_info(link, &info));
	info.count = nr;
	if (multi_info(link, &info))
		fail("info");
	for (i = 0; i < nr; i++)
		printf("at %llx %d\n", (unsigned long long)addresses[i], (int)cookies[i]);
}

static void multi(int flags, int nr, const void *functions)
{
	int link = multi_link(make_multi_prog(), flags, nr, functions);

	if (link < 0)
		fail("attach");
	print_multi(link, nr);
	reads();
	close(link);
	reads();
	print_slots();
}

static void hold(const char *name, const char *command)
{
	begin();
	set(BPF_REG_2, 1);
	add(CALLS, BPF_REG_2);
	leave(0);
	if (multi_link(prog_load(BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, 0), 0, 1,
		       &name) < 0)
		fail("attach");
	fflush(stdout);
	if (system(command) == -1)
		fail("run");
	print_slots();
}

/*
 * Sessions: at the entry and at the return of functions
 */

static void session_link(int nr, const void *functions)
{
	int link = multi_link_as(KPROBE_SESSION,
				 prog_load(BPF_PROG_TYPE_KPROBE, KPROBE_SESSION, 0), 0, nr,
				 functions);

	show_reads(link);
}

/* Counts the cookies of functions, and saves the address of the last one. */
static void session(int skip, int nr, const void *functions)
{
	begin_own(1);
	move(BPF_REG_1, BPF_REG_6);
	call(BPF_FUNC_get_func_ip);
	keep(ADDRESS, BPF_REG_0);
	move(BPF_REG_1, BPF_REG_6);
	call(BPF_FUNC_get_attach_cookie);
	add(COUNTS, BPF_REG_0);
	emit(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 2, skip);
	leave(0);
	leave(1);
	session_link(nr, functions);
}

static void call_kfunc(const char *name)
{
	emit(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, type_id(BTF_FUNC, name));
}

/*
 * The sum of cookies at entries, before they are set, is in AGAIN; the number of returns in
 * COUNTS, and the sum of cookies there in RETURNS.
 */
static void session_cookie(int nr, const void *functions)
{
	begin_own(1);
	call_kfunc("bpf_session_cookie");
	move(BPF_REG_7, BPF_REG_0);
	call_kfunc("bpf_session_is_return");
	load(BPF_DW, BPF_REG_2, BPF_REG_7, 0);
	emit(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 9, 0);
	add(RETURNS, BPF_REG_2);
	set(BPF_REG_2, 1);
	add(COUNTS, BPF_REG_2);
	leave(0);
	/* at the entry */
	add(AGAIN, BPF_REG_2);
	move(BPF_REG_1, BPF_REG_6);
	call(BPF_FUNC_get_attach_cookie);
	emit(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_0, 0, 0, 40);
	store(BPF_REG_7, 0, BPF_REG_0);
	leave(0);
	session_link(nr, functions);
}

static int set_bpf(int fd, int prog);

static void refused_sessions(const void *functions)
{
	int prog;

	begin();
	leave(2);
	refused_is("session-result", try_load(BPF_PROG_TYPE_KPROBE, KPROBE_SESSION, 0));
	begin();
	leave(0);
	prog = prog_load(BPF_PROG_TYPE_KPROBE, KPROBE_SESSION, 0);
	refused_is("session-flags", multi_link_as(KPROBE_SESSION, prog, 1, 1, functions));
	refused_is("session-as-multi", multi_link(prog, 0, 1, functions));
	refused_is("session", multi_link_as(KPROBE_SESSION, prog, 0, 1, functions));
	refused_is("session-at-event", set_bpf(probe_open("kprobe", 0, "vfs_read", 0), prog));
	prog = prog_load(BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, 0);
	refused_is("multi-as-session", multi_link_as(KPROBE_SESSION, prog, 0, 1, functions));
	refused_is("multi-at-event", set_bpf(probe_open("kprobe", 0, "vfs_read", 0), prog));
	begin();
	call_kfunc("bpf_session_is_return");
	leave(0);
	refused_is("kfunc", try_load(BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, 0));
	refused_is("kfunc-session", try_load(BPF_PROG_TYPE_KPROBE, KPROBE_SESSION, 0));
}

static void refused_multi(void)
{
	static const char * const none[] = { "no_such_function" }, * const data[] = { "jiffies" };
	int prog = make_multi_prog();

	refused_is("multi-name", multi_link(prog, 0, 1, none));
	refused_is("multi-data", multi_link(prog, 0, 1, data));
	refused_is("multi-flags", multi_link(prog, 2, 1, none));
	refused_is("multi-none", multi_link(prog, 0, 0, none));
	begin();
	leave(0);
	prog = prog_load(BPF_PROG_TYPE_KPROBE, 0, 0);
	refused_is("multi-other", multi_link(prog, 0, 1, none));
}

/* A program that loads from its context. */
static int loads(int type, int attach_type, int size, int off)
{
	begin();
	load(size, BPF_REG_2, BPF_REG_6, off);
	leave(0);
	return try_load(type, attach_type, attach_type == BPF_TRACE_FENTRY ?
			type_id(BTF_FUNC, "vfs_read") : 0);
}

/* A program that calls a helper with its context. */
static int calls(int type, int attach_type, int helper)
{
	begin();
	move(BPF_REG_1, BPF_REG_6);
	set(BPF_REG_2, 0);
	set(BPF_REG_3, 0);
	call(helper);
	leave(0);
	return try_load(type, attach_type, attach_type == BPF_TRACE_FENTRY ?
			type_id(BTF_FUNC, "vfs_read") : 0);
}

static int set_bpf(int fd, int prog)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog);
}

static void refused_loads(void)
{
	refused_is("argument", loads(BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, BPF_DW, 4 * 8));
	refused_is("unaligned", loads(BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, BPF_DW, 4));
	refused_is("raw", loads(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, BPF_DW, 12 * 8));
	refused_is("raw-unaligned", loads(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, BPF_W, 2));
	refused_is("registers", loads(BPF_PROG_TYPE_KPROBE, 0, BPF_DW, 8192));
	refused_is("registers-unaligned", loads(BPF_PROG_TYPE_KPROBE, 0, BPF_DW, 4));
	refused_is("first-word", loads(BPF_PROG_TYPE_TRACEPOINT, 0, BPF_DW, 0));
	refused_is("negative", loads(BPF_PROG_TYPE_TRACEPOINT, 0, BPF_DW, -8));
	refused_is("sample", loads(BPF_PROG_TYPE_PERF_EVENT, 0, BPF_W, 0));
	refused_is("buffer", loads(BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE, 0, BPF_W, 0));
	begin();
	emit(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_6, 0, 0, 0);
	leave(0);
	refused_is("write", try_load(BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY,
				     type_id(BTF_FUNC, "vfs_read")));
	refused_is("override", calls(BPF_PROG_TYPE_TRACEPOINT, 0, BPF_FUNC_override_return));
	refused_is("d-path", calls(BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, BPF_FUNC_d_path));
	refused_is("address", calls(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, BPF_FUNC_get_func_ip));
	refused_is("return", calls(BPF_PROG_TYPE_TRACEPOINT, 0, BPF_FUNC_get_func_ret));
	begin();
	leave(0);
	refused_is("no-function", try_load(BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, 0x7ffffff));
}

static void refused(int id)
{
	int fd = event_open(PERF_TYPE_TRACEPOINT, id, 0, -1), prog;
	int other = event_open(PERF_TYPE_TRACEPOINT, id, 0, -1);

	refused_loads();
	prog = loads(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, BPF_DW, 5 * 8);
	refused_is("no-tracepoint", raw_open(prog, "no_such_tracepoint"));
	refused_is("few-arguments", raw_open(prog, "sys_enter"));
	refused_is("other-type", set_bpf(fd, prog));
	refused_is("long-entry", set_bpf(fd, make_event_prog(1, 4096)));
	prog = make_event_prog(1, 32);
	refused_is("attached", set_bpf(fd, prog));
	refused_is("attached-twice", set_bpf(fd, make_event_prog(1, 32)));
	refused_is("same-program", set_bpf(other, prog));
	refused_multi();
	if (setuid(1000))
		fail("setuid");
	begin();
	leave(0);
	refused_is("permission", try_load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, 0));
}

/*
 * Overriding functions
 */

static int try_override(int attach_type)
{
	begin_own(1);
	move(BPF_REG_1, BPF_REG_6);
	set(BPF_REG_2, 4321);
	call(BPF_FUNC_override_return);
	add(RETURNS, BPF_REG_0);
	leave(0);
	return try_load(BPF_PROG_TYPE_KPROBE, attach_type, 0);
}

static int load_override(int attach_type)
{
	int prog = try_override(attach_type);

	if (prog < 0 && errno == EINVAL)
		exit(NO_OVERRIDE);
	if (prog < 0)
		fail("load");
	return prog;
}

/* Opens an event of perf's types kprobe and uprobe. */
static int try_probe_open(const char *type, int is_return, const char *place, int offset)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .config = is_return,
		.kprobe_func = (uintptr_t)place, .probe_offset = offset,
	};
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", type);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%d", (int *)&attr.type) != 1)
		fail("type");
	fclose(file);
	return syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

static int probe_open(const char *type, int is_return, const char *place, int offset)
{
	int fd = try_probe_open(type, is_return, place, offset);

	if (fd < 0)
		fail("open");
	return fd;
}

/* Opens an event at the first instruction of a function after its entry. */
static int inside_open(const char *name)
{
	int fd = -1, offset;

	for (offset = 5; fd < 0 && offset < 64; offset++)
		fd = try_probe_open("kprobe", 0, name, offset);
	if (fd < 0)
		fail("inside");
	return fd;
}

static void print_parent(const char *when)
{
	printf("%s %ld\n", when, (long)syscall(SYS_getppid));
}

static int attach_override(const char *way, const char *name)
{
	if (!strcmp(way, "event"))
		return link_create(load_override(0), probe_open("kprobe", 0, name, 0),
				   BPF_PERF_EVENT);
	if (!strcmp(way, "multi"))
		return multi_link(load_override(BPF_TRACE_KPROBE_MULTI), 0, 1, &name);

	return multi_link_as(KPROBE_SESSION, load_override(KPROBE_SESSION), 0, 1, &name);
}

static void override(const char *way, const char *name)
{
	int link;

	print_parent("before");
	link = attach_override(way, name);
	if (link < 0)
		fail("attach");
	print_parent("during");
	close(link);
	print_parent("after");
	print_slots();
}

/* COMMAND may add other functions to the event, such as vfs_read(). */
static void override_event(int id, const char *command)
{
	int fd = event_open(PERF_TYPE_TRACEPOINT, id, 0, -1);

	if (set_bpf(fd, load_override(0)))
		fail("attach");
	fflush(stdout);
	if (system(command) == -1)
		fail("run");
	print_parent("during");
	reads();
	print_slots();
}

static void refused_override(const char *name)
{
	const char *other = "vfs_read";
	int prog = load_override(0);

	refused_is("right", set_bpf(probe_open("kprobe", 0, name, 0), prog));
	refused_is("other", set_bpf(probe_open("kprobe", 0, other, 0), prog));
	refused_is("inside", set_bpf(inside_open(name), prog));
	refused_is("return", set_bpf(probe_open("kprobe", 1, name, 0), prog));
	refused_is("uprobe", set_bpf(probe_open("uprobe", 0, "/proc/self/exe", 4096), prog));
	refused_is("uprobes", try_override(UPROBE_MULTI));
}

static void refused_override_multi(const char *name)
{
	const char * const names[] = { name, "vfs_read" };
	int prog = load_override(BPF_TRACE_KPROBE_MULTI);

	refused_is("multi", multi_link(prog, 0, 1, names));
	refused_is("multi-other", multi_link(prog, 0, 2, names));
	refused_is("multi-return", multi_link(prog, 1, 1, names));
}

/*
 * Helpers
 */

static const uint64_t number = 5;
static const char text[] = "ftest text";

/* Reads 8 bytes into R2, over a value that is not zero. Adds the result to a slot. */
static void read_memory(int helper, uint64_t from, enum slot slot)
{
	emit(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -8, -1);
	stack_address(BPF_REG_1, -8);
	set(BPF_REG_2, 8);
	load_number(BPF_REG_3, from);
	call(helper);
	add(slot, BPF_REG_0);
	load(BPF_DW, BPF_REG_2, BPF_REG_10, -8);
}

/* The read is expected to fail. */
static void read_nothing(int helper, uint64_t from)
{
	read_memory(helper, from, AGAIN);
	add(COUNTS, BPF_REG_2);
}

static void write_memory(uint64_t to, enum slot slot)
{
	emit(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -8, 77);
	load_number(BPF_REG_1, to);
	stack_address(BPF_REG_2, -8);
	set(BPF_REG_3, 8);
	call(BPF_FUNC_probe_write_user);
	add(slot, BPF_REG_0);
}

static void memory(void)
{
	static uint64_t changed;
	uint64_t slots[NR_SLOTS];

	begin_own(0);
	read_memory(BPF_FUNC_probe_read_user, (uintptr_t)&number, RETURNS);
	add(COUNTS, BPF_REG_2);
	read_memory(BPF_FUNC_probe_read_user_str, (uintptr_t)text, ARGUMENTS);
	keep(STACK, BPF_REG_2);
	read_nothing(BPF_FUNC_probe_read_user, 0);
	read_nothing(BPF_FUNC_probe_read_user_str, 0);
	read_nothing(BPF_FUNC_probe_read_kernel, ~0xffffULL);
	write_memory((uintptr_t)&changed, RETURNS);
	write_memory(~0xffffULL, AGAIN);
	leave(0);
	attach_function(BPF_TRACE_FENTRY);
	reads();
	print_slots();
	map_read(slots);
	printf("changed %d\ntext %.8s\n", (int)changed, (char *)&slots[STACK]);
}

static void other_memory(void)
{
	begin_own(0);
	read_nothing(BPF_FUNC_probe_read_kernel, (uintptr_t)&number);
	read_nothing(BPF_FUNC_probe_read_kernel_str, (uintptr_t)&number);
	leave(0);
	attach_function(BPF_TRACE_FENTRY);
	reads();
	print_slots();
}

static void read_event(int nr, int events, uint64_t index, int size)
{
	load_map(BPF_REG_1, events);
	load_number(BPF_REG_2, index);
	stack_address(BPF_REG_3, -24);
	set(BPF_REG_4, size);
	call(BPF_FUNC_perf_event_read_value);
	keep(STACK + nr, BPF_REG_0);
}

static void write_event(int nr, int events, uint64_t index, int large, int size)
{
	move(BPF_REG_1, BPF_REG_6);
	load_map(BPF_REG_2, events);
	load_number(BPF_REG_3, index);
	load_element(BPF_REG_4, large);
	set(BPF_REG_5, size);
	call(BPF_FUNC_perf_event_output);
	keep(STACK + nr, BPF_REG_0);
}

/* Of three elements, the second one has no event. */
static void bounds(void)
{
	int events = map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 3), event, i;
	int large = map_create(BPF_MAP_TYPE_ARRAY, 65536, 1);
	uint64_t slots[NR_SLOTS];

	make_output(events, 2);
	event = event_open(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, -1, 0);
	map_set(events, 0, &event);

	begin_own(0);
	read_event(0, events, BPF_F_CURRENT_CPU, 24);
	read_event(1, events, 1, 24);
	read_event(2, events, 3, 24);
	read_event(3, events, 1ULL << 32, 24);
	read_event(4, events, 0, 16);
	write_event(5, events, 0, large, 8);
	write_event(6, events, 2, large, 4096);
	write_event(7, events, 2, large, 65536);
	write_event(8, events, 1ULL << 32 | 2, large, 8);
	leave(0);
	attach_function(BPF_TRACE_FENTRY);
	reads();
	map_read(slots);
	for (i = 0; i < 9; i++)
		printf("result%d %lld\n", i, (long long)slots[STACK + i]);
}

/* Touches a new page. The size of a counter is invalid the second time. */
static void sample(void)
{
	char *page = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int event = event_open(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 0, -1);

	begin();
	load(BPF_DW, BPF_REG_2, BPF_REG_6, offsetof(struct bpf_perf_event_data, addr));
	load_number(BPF_REG_3, (uintptr_t)page);
	emit(BPF_JMP | BPF_JEQ | BPF_X, BPF_REG_2, BPF_REG_3, 2, 0);
	leave(0);
	set(BPF_REG_2, 1);
	add(CALLS, BPF_REG_2);
	load(BPF_DW, BPF_REG_2, BPF_REG_6, offsetof(struct bpf_perf_event_data, sample_period));
	add(COUNTS, BPF_REG_2);
	load(BPF_B, BPF_REG_2, BPF_REG_6, offsetof(struct bpf_perf_event_data, sample_period));
	add(AGAIN, BPF_REG_2);
	move(BPF_REG_1, BPF_REG_6);
	stack_address(BPF_REG_2, -24);
	set(BPF_REG_3, 24);
	call(BPF_FUNC_perf_prog_read_value);
	keep(ARGUMENTS, BPF_REG_0);
	move(BPF_REG_1, BPF_REG_6);
	stack_address(BPF_REG_2, -24);
	set(BPF_REG_3, 16);
	call(BPF_FUNC_perf_prog_read_value);
	keep(RETURNS, BPF_REG_0);
	move(BPF_REG_1, BPF_REG_6);
	call(BPF_FUNC_get_attach_cookie);
	keep(COOKIES, BPF_REG_0);
	move(BPF_REG_1, BPF_REG_6);
	stack_address(BPF_REG_2, -24);
	set(BPF_REG_3, 24);
	set(BPF_REG_4, 0);
	call(BPF_FUNC_read_branch_records);
	keep(ADDRESS, BPF_REG_0);
	leave(0);
	if (link_create(prog_load(BPF_PROG_TYPE_PERF_EVENT, 0, 0), event, BPF_PERF_EVENT) < 0)
		fail("attach");
	page[0] = 1;
	print_slots();
}

/* The path is where the slots of stacks are. */
static void path_of_file(void)
{
	uint64_t slots[NR_SLOTS];
	int prog, link;

	begin_own(0);
	load(BPF_DW, BPF_REG_1, BPF_REG_6, 0);
	load_slot(BPF_REG_2, STACK);
	set(BPF_REG_3, (NR_SLOTS - STACK) * sizeof(uint64_t));
	call(BPF_FUNC_d_path);
	keep(RETURNS, BPF_REG_0);
	load(BPF_DW, BPF_REG_1, BPF_REG_6, 0);
	load_slot(BPF_REG_2, COUNTS);
	set(BPF_REG_3, 4);
	call(BPF_FUNC_d_path);
	keep(AGAIN, BPF_REG_0);
	leave(0);
	prog = prog_load(BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY,
			 type_id(BTF_FUNC, "vfs_truncate"));
	link = link_create(prog, 0, BPF_TRACE_FENTRY);
	if (link < 0)
		fail("attach");
	if (!truncate("/dev/null", 0) || errno != EINVAL)
		fail("truncate");
	close(link);
	print_slots();
	map_read(slots);
	printf("path %.72s\n", (const char *)(slots + STACK));
}

static void branches(void)
{
	int i;

	begin_own(0);
	for (i = 0; i < 2; i++) {
		stack_address(BPF_REG_1, -24);
		set(BPF_REG_2, 24);
		set(BPF_REG_3, i);
		call(BPF_FUNC_get_branch_snapshot);
		keep(i ? AGAIN : RETURNS, BPF_REG_0);
	}
	leave(0);
	show_reads(attach_function(BPF_TRACE_FENTRY));
}

/* Adds 1 to a slot if there is a key, and puts it. */
static void count_key(enum slot slot)
{
	emit(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 7, 0);
	move(BPF_REG_7, BPF_REG_0);
	set(BPF_REG_2, 1);
	add(slot, BPF_REG_2);
	move(BPF_REG_1, BPF_REG_7);
	call_kfunc("bpf_key_put");
}

/* Adds the result of verifying data that is not a signature. */
static void verify_nothing(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		load_slot(BPF_REG_1, STACK);
		set(BPF_REG_2, 16);
		set(BPF_REG_3, 0);
		stack_address(BPF_REG_4, -16 * (i + 1));
		call(BPF_FUNC_dynptr_from_mem);
	}
	set(BPF_REG_1, 0);
	call_kfunc("bpf_lookup_system_key");
	emit(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 15, 0);
	move(BPF_REG_7, BPF_REG_0);
	stack_address(BPF_REG_1, -16);
	stack_address(BPF_REG_2, -32);
	move(BPF_REG_3, BPF_REG_7);
	call_kfunc("bpf_verify_pkcs7_signature");
	move(BPF_REG_2, BPF_REG_0);
	/* It is an int. */
	emit(BPF_ALU64 | BPF_LSH | BPF_K, BPF_REG_2, 0, 0, 32);
	emit(BPF_ALU64 | BPF_ARSH | BPF_K, BPF_REG_2, 0, 0, 32);
	add(RETURNS, BPF_REG_2);
	move(BPF_REG_1, BPF_REG_7);
	call_kfunc("bpf_key_put");
}

/* COUNTS is the number of keyrings found, AGAIN of keyrings that do not exist. */
static void keys(const char *function)
{
	static const int serials[][2] = { { KEY_SPEC_SESSION_KEYRING, 1 }, { 1, 0 }, { -4, 8 } };
	unsigned int i;
	int link, prog;

	begin_own(0);
	for (i = 0; i < 4; i++) {
		set(BPF_REG_1, i);
		call_kfunc("bpf_lookup_system_key");
		count_key(i < 3 ? COUNTS : AGAIN);
	}
	for (i = 0; i < 3; i++) {
		set(BPF_REG_1, serials[i][0]);
		set(BPF_REG_2, serials[i][1]);
		call_kfunc("bpf_lookup_user_key");
		count_key(i < 1 ? ARGUMENTS : AGAIN);
	}
	verify_nothing();
	leave(0);
	sleeps = 1;
	prog = prog_load(BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, type_id(BTF_FUNC, function));
	link = link_create(prog, 0, BPF_TRACE_FENTRY);
	if (link < 0)
		fail("attach");
	dup(-1);
	close(link);
	print_slots();
}

/*
 * Runs until some NMIs have interrupted it. It changes CPUs, because the thread that sends the
 * NMIs does not interrupt its own CPU.
 */
static void nmi(void)
{
	uint64_t slots[NR_SLOTS];
	int i;

	begin_own(0);
	stack_address(BPF_REG_1, -16);
	set(BPF_REG_2, 16);
	load_number(BPF_REG_3, (uintptr_t)text);
	call(BPF_FUNC_probe_read_user_str);
	only_if(BPF_REG_0, sizeof(text), 0);
	set(BPF_REG_2, 1);
	add(COUNTS, BPF_REG_2);
	leave(0);
	if (raw_open(prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, 0), "nmi_handler") < 0)
		fail("attach");
	/* Helpers do not fault in pages, so touch the text first */
	access(text, F_OK);
	for (i = 0; !i || slots[CALLS] < 20; i++) {
		stay_on(i / 1000 % 2);
		map_read(slots);
	}
	print_slots();
}

/* A program that is run by a system call has no cookie. */
static void by_syscall(void)
{
	union bpf_attr attr = { };

	refused_is("cookie", calls(BPF_PROG_TYPE_SYSCALL, 0, BPF_FUNC_get_attach_cookie));
	begin();
	move(BPF_REG_1, BPF_REG_6);
	stack_address(BPF_REG_2, -64);
	set(BPF_REG_3, 64);
	set(BPF_REG_4, 0);
	call(BPF_FUNC_get_stack);
	add(RETURNS, BPF_REG_0);
	leave(0);
	attr.test.prog_fd = prog_load(BPF_PROG_TYPE_SYSCALL, 0, 0);
	printf("load:0\n");
	if (bpf(BPF_PROG_RUN, &attr))
		fail("run");
	print_slots();
}

static void iterate(void)
{
	static const char format[16] = "bpfop counts %d";
	uint64_t word;
	int link, fd, i;
	union bpf_attr attr = { };
	char bytes[256];

	begin();
	load(BPF_DW, BPF_REG_7, BPF_REG_6, 0);
	load(BPF_DW, BPF_REG_2, BPF_REG_7, 16);
	only_if(BPF_REG_2, 0, 0);
	load(BPF_DW, BPF_REG_7, BPF_REG_7, 0);
	for (i = 0; i < 16; i += 8) {
		memcpy(&word, format + i, sizeof(word));
		load_number(BPF_REG_2, word);
		store(BPF_REG_10, i - 16, BPF_REG_2);
	}
	emit(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -24, 77);
	move(BPF_REG_1, BPF_REG_7);
	stack_address(BPF_REG_2, -16);
	set(BPF_REG_3, 16);
	stack_address(BPF_REG_4, -24);
	set(BPF_REG_5, 8);
	call(BPF_FUNC_seq_printf);
	add(RETURNS, BPF_REG_0);
	move(BPF_REG_1, BPF_REG_7);
	stack_address(BPF_REG_2, -16);
	set(BPF_REG_3, 5);
	call(BPF_FUNC_seq_write);
	add(RETURNS, BPF_REG_0);
	leave(0);
	link = link_create(prog_load(BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER,
				     type_id(BTF_FUNC, "bpf_iter_task")), 0, BPF_TRACE_ITER);
	if (link < 0)
		fail("attach");
	attr.iter_create.link_fd = link;
	fd = bpf(BPF_ITER_CREATE, &attr);
	if (fd < 0)
		fail("iterator");
	i = read(fd, bytes, sizeof(bytes));
	if (i < 0)
		fail("read");
	print_slots();
	printf("file %.*s\n", i, bytes);
}

static void make_sockets(int *fds)
{
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, fds))
		exit(NO_SOCKETS);
}

static int make_filter(void)
{
	begin();
	leave(65535);
	return prog_load(BPF_PROG_TYPE_SOCKET_FILTER, 0, 0);
}

/* The first 16 bytes of the sent data follow 8 bytes of the program. */
static void at_socket(void)
{
	int events = map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 1), fds[2], prog;
	const struct perf_event_mmap_page *page = make_output(events, 0);
	char bytes[20];

	make_sockets(fds);
	begin();
	set(BPF_REG_2, 77);
	store(BPF_REG_10, -8, BPF_REG_2);
	move(BPF_REG_1, BPF_REG_6);
	load_map(BPF_REG_2, events);
	load_number(BPF_REG_3, 16ULL << 32 | BPF_F_CURRENT_CPU);
	stack_address(BPF_REG_4, -8);
	set(BPF_REG_5, 8);
	call(BPF_FUNC_perf_event_output);
	add(RETURNS, BPF_REG_0);
	leave(65535);
	prog = prog_load(BPF_PROG_TYPE_SOCKET_FILTER, 0, 0);
	if (setsockopt(fds[1], SOL_SOCKET, SO_ATTACH_BPF, &prog, sizeof(prog)))
		fail("attach");
	memset(bytes, 'x', sizeof(bytes));
	if (send(fds[0], bytes, sizeof(bytes), 0) != sizeof(bytes))
		fail("send");
	print_slots();
	print_samples(page);
}

/* Returns a program that writes @size bytes through its first argument. */
static int make_writer(int size)
{
	begin();
	load(BPF_DW, BPF_REG_7, BPF_REG_6, 0);
	emit(BPF_ST | BPF_MEM | size, BPF_REG_7, 0, 0, -ENOTBLK);
	leave(0);
	return prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE, 0, 0);
}

/* The argument is the error of a test run. */
static void writable(void)
{
	char bytes[64] = "";
	union bpf_attr attr = { };
	int fds[2];

	/* Test runs also need the network */
	make_sockets(fds);
	attr.test.prog_fd = make_filter();
	attr.test.data_in = (uintptr_t)bytes;
	attr.test.data_size_in = sizeof(bytes);
	attr.test.repeat = 1;
	refused_is("unchanged", bpf(BPF_PROG_TEST_RUN, &attr));
	refused_is("writes-more", raw_open(make_writer(BPF_DW), "bpf_test_finish"));
	refused_is("writes-none", raw_open(make_writer(BPF_W), "sys_enter"));
	if (raw_open(make_writer(BPF_W), "bpf_test_finish") < 0)
		fail("attach");
	refused_is("written", bpf(BPF_PROG_TEST_RUN, &attr));
}

/*
 * Programs inside other programs
 */

static int make_inner(int type, int attach_type)
{
	begin_own_as(AGAIN, 1);
	leave(1);
	return prog_load(type, attach_type, 0);
}

/* Prints how often the inner program ran, and how often it could not run. */
static void print_nested(const char *what, int prog)
{
	static uint64_t before;
	uint64_t slots[NR_SLOTS];

	reads();
	map_read(slots);
	printf("%s-runs %d\n", what, (int)(slots[AGAIN] - before));
	printf("%s-misses %d\n", what, (int)prog_info(prog).recursion_misses);
	before = slots[AGAIN];
}

static int printing_multi(void)
{
	const char *name = "vfs_read";
	int prog;

	begin_own(0);
	emit_print(0);
	leave(0);
	prog = prog_load(BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, 0);
	return multi_link(prog, 0, 1, &name);
}

static void nested(int id, int printk)
{
	int event = event_open(PERF_TYPE_TRACEPOINT, printk, 0, -1), outer, inner, prog;
	const char *name = "bpf_bprintf_prepare";

	prog = make_inner(BPF_PROG_TYPE_TRACEPOINT, 0);
	inner = link_create(prog, event, BPF_PERF_EVENT);
	outer = printing_multi();
	if (inner < 0 || outer < 0)
		fail("attach");
	print_nested("event", prog);
	close(inner);

	begin_own_as(AGAIN, 0);
	emit_print(0);
	leave(0);
	prog = prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, 0);
	inner = raw_open(prog, "bpf_trace_printk");
	if (inner < 0)
		fail("attach");
	print_nested("self", prog);
	close(inner);
	close(outer);

	begin_own(1);
	emit_print(32);
	leave(1);
	event = event_open(PERF_TYPE_TRACEPOINT, id, 0, -1);
	outer = link_create(prog_load(BPF_PROG_TYPE_TRACEPOINT, 0, 0), event, BPF_PERF_EVENT);
	prog = make_inner(BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI);
	inner = multi_link(prog, 0, 1, &name);
	if (inner < 0 || outer < 0)
		fail("attach");
	print_nested("multi", prog);
}

/*
 * Failing allocations, see Documentation/fault-injection/
 */

/* Makes the NTH allocation from now on fail; 0 for none. Returns the rest of the last NTH. */
static int fail_nth(int nth)
{
	static int fd = -1;
	char bytes[16] = "";
	int left = 0;

	if (fd < 0)
		fd = open("/proc/self/fail-nth", O_RDWR | O_CLOEXEC);
	if (nth >= 0) {
		if (pread(fd, bytes, sizeof(bytes) - 1, 0) < 0)
			fail("fail-nth");
		left = atoi(bytes);
	}
	snprintf(bytes, sizeof(bytes), "%d", nth);
	if (pwrite(fd, bytes, strlen(bytes), 0) < 0)
		fail("fail-nth");
	return left;
}

static int starved_event, starved_prog;

static int attach_raw(void)
{
	return raw_open(starved_prog, "sys_enter");
}

static int attach_event(void)
{
	return link_create(starved_prog, starved_event, BPF_PERF_EVENT);
}

static int attach_multi(void)
{
	static const char * const names[] = { "vfs_read", "ksys_read" };

	return multi_link(starved_prog, 1, 2, names);
}

static uint64_t nr_calls(void)
{
	uint64_t slots[NR_SLOTS], before;

	map_read(slots);
	before = slots[CALLS];
	reads();
	map_read(slots);
	return slots[CALLS] - before;
}

/*
 * An attached program runs @want times, a detached one does not run, whichever allocation
 * failed.
 */
static void starve_one(const char *what, int (*attach)(void), uint64_t want)
{
	int nth, link, left = 0, refused = 0;

	for (nth = 1; !left; nth++) {
		fail_nth(nth);
		link = attach();
		left = fail_nth(0);
		if (link < 0 && errno != ENOMEM)
			fail(what);
		refused += link < 0;
		if (nr_calls() != (link < 0 ? 0 : want)) {
			printf("%s-runs %d\n", what, nth);
			exit(1);
		}
		if (link < 0)
			continue;
		/* the same for detaching */
		fail_nth(nth);
		close(link);
		fail_nth(0);
		if (nr_calls()) {
			printf("%s-ends %d\n", what, nth);
			exit(1);
		}
	}
	printf("%s %d\n", what, refused);
}

static void starve(int id)
{
	int other = event_open(PERF_TYPE_TRACEPOINT, id, 0, -1);

	begin_own(0);
	leave(1);
	starved_prog = prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, 0);
	/* eight system calls, and the read of the counts */
	starve_one("raw", attach_raw, 9);

	starved_event = event_open(PERF_TYPE_TRACEPOINT, id, 0, -1);
	starved_prog = make_event_prog(1, 32);
	starve_one("event", attach_event, 4);
	/* another program remains attached */
	begin();
	leave(1);
	if (link_create(prog_load(BPF_PROG_TYPE_TRACEPOINT, 0, 0), other, BPF_PERF_EVENT) < 0)
		fail("attach");
	starve_one("beside", attach_event, 4);

	starved_prog = make_multi_prog();
	starve_one("multi", attach_multi, 8);
}

int main(int argc, char **argv)
{
	static const struct mode {
		const char *name;
		void (*run)(void);
	} modes[] = {
		{ "entry", entry }, { "exit", exit_of }, { "print", print },
		{ "output", output }, { "signal", signals }, { "stack", stack },
		{ "raw", raw }, { "typed", typed }, { "late", late },
		{ "memory", memory }, { "other_memory", other_memory },
		{ "bounds", bounds }, { "sample", sample },
		{ "path", path_of_file }, { "branches", branches },
		{ "nmi", nmi }, { "syscall", by_syscall },
		{ "iterate", iterate }, { "socket", at_socket },
		{ "writable", writable }, { }
	};
	const char *name = argc > 1 ? argv[1] : "";
	const struct mode *mode;

	alarm(SECONDS);
	signal(SIGUSR1, on_signal);
	map = map_create(BPF_MAP_TYPE_ARRAY, NR_SLOTS * sizeof(uint64_t), 1);
	for (mode = modes; mode->name; mode++) {
		if (argc == 2 && !strcmp(name, mode->name)) {
			mode->run();
			return 0;
		}
	}
	if (!strcmp(name, "multi") && argc > 3) {
		multi(atoi(argv[2]), argc - 3, argv + 3);
	} else if (!strcmp(name, "session") && argc > 3) {
		session(atoi(argv[2]), argc - 3, argv + 3);
	} else if (!strcmp(name, "session-cookie") && argc > 2) {
		session_cookie(argc - 2, argv + 2);
	} else if (!strcmp(name, "session-refused") && argc == 3) {
		refused_sessions(argv + 2);
	} else if (!strcmp(name, "override") && argc == 4) {
		override(argv[2], argv[3]);
	} else if (!strcmp(name, "override-event") && argc == 4) {
		override_event(atoi(argv[2]), argv[3]);
	} else if (!strcmp(name, "override-refused") && argc == 3) {
		refused_override(argv[2]);
	} else if (!strcmp(name, "override-refused-multi") && argc == 3) {
		refused_override_multi(argv[2]);
	} else if (!strcmp(name, "keys") && argc == 3) {
		keys(argv[2]);
	} else if (!strcmp(name, "watch") && argc == 4) {
		watch(argv[2], argv[3]);
	} else if (!strcmp(name, "event") && argc == 4) {
		event(atoi(argv[2]), atoi(argv[3]));
	} else if (!strcmp(name, "hold") && argc == 4) {
		hold(argv[2], argv[3]);
	} else if (!strcmp(name, "child") && argc == 3) {
		child(atoi(argv[2]));
	} else if (!strcmp(name, "query") && argc == 3) {
		query(atoi(argv[2]));
	} else if (!strcmp(name, "nested") && argc == 4) {
		nested(atoi(argv[2]), atoi(argv[3]));
	} else if (!strcmp(name, "starve") && argc == 3) {
		starve(atoi(argv[2]));
	} else if (!strcmp(name, "refused") && argc == 3) {
		refused(atoi(argv[2]));
	} else {
		fprintf(stderr, "usage: see bpfop.c\n");
		return 2;
	}
	return 0;
}
