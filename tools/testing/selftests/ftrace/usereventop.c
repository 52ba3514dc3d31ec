// SPDX-License-Identifier: GPL-2.0
/*
 * usereventop OPERATION... - a program with user events
 *
 * Does these operations, and prints a line for each that has a result: its name and the result,
 * or NAME:ERRNO. The bits that show whether events are enabled are in one number. Paths are
 * relative to the directory of tracefs, which is the current one.
 *
 *	flags=N		flags for the following "reg"
 *	reg=TEXT	registers an event with the next bit; prints its index
 *	bit=N		"reg" uses this bit next
 *	thread=TEXT	"reg" in a thread, which then exits
 *	unreg=BIT	unregisters a bit
 *	del=NAME	deletes an event
 *	write=N,HEX	writes these bytes as the payload of the event with the index N; prints
 *			the number of bytes written
 *	long=N,LEN	writes LEN bytes of payload
 *	on=EVENT	enables SYSTEM/NAME
 *	off=EVENT	disables it
 *	bits		prints the number with the bits
 *	wait=N		waits until the number has this value; prints it
 *	drop		removes the page with the number from the page tables
 *	unmap		unmaps it
 *	close		closes user_events_data and opens it again
 *	line		waits for a line on the standard input
 *	fork		a child does the remaining operations, then the parent does them
 *	exec		executes itself for the remaining operations
 *	bad		tries invalid registrations and requests; prints ERRNO for each
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../../include/uapi/linux/user_events.h"

static uint32_t *number;
static int data;
static unsigned int next_bit, flags;
static char **rest;

static void result(const char *name, long value)
{
	if (value < 0)
		printf("%s:%d\n", name, errno);
	else
		printf("%s %ld\n", name, value);
	fflush(stdout);
}

static void open_data(void)
{
	data = open("user_events_data", O_RDWR | O_CLOEXEC);
	if (data < 0) {
		result("open", -1);
		exit(1);
	}
}

static long reg_of(const char *text, unsigned int bit)
{
	struct user_reg reg = {
		.size = sizeof(reg), .enable_bit = bit, .enable_size = sizeof(*number),
		.flags = flags, .enable_addr = (uintptr_t)number, .name_args = (uintptr_t)text,
	};

	return ioctl(data, DIAG_IOCSREG, &reg) ? -1 : (long)reg.write_index;
}

static void do_flags(char *arg)
{
	flags = strtoul(arg, NULL, 0);
}

static void do_bit(char *arg)
{
	next_bit = strtoul(arg, NULL, 0);
}

static void do_reg(char *arg)
{
	result("reg", reg_of(arg, next_bit++));
}

static void *thread_main(void *arg)
{
	do_reg(arg);
	return NULL;
}

static void do_thread(char *arg)
{
	pthread_t thread;

	pthread_create(&thread, NULL, thread_main, arg);
	pthread_join(thread, NULL);
}

static void do_unreg(char *arg)
{
	struct user_unreg unreg = {
		.size = sizeof(unreg), .disable_bit = strtoul(arg, NULL, 0),
		.disable_addr = (uintptr_t)number,
	};

	result("unreg", ioctl(data, DIAG_IOCSUNREG, &unreg));
}

static void do_del(char *arg)
{
	result("del", ioctl(data, DIAG_IOCSDEL, arg));
}

static void write_payload(const char *name, int32_t index, void *payload, size_t len)
{
	struct iovec io[] = { { &index, sizeof(index) }, { payload, len } };

	result(name, writev(data, io, 2));
}

static void do_write(char *arg)
{
	int32_t index = strtol(arg, &arg, 0);
	unsigned char payload[512];
	unsigned int byte;
	size_t len = 0;

	for (arg += *arg == ','; len < sizeof(payload) && sscanf(arg, "%2x", &byte) == 1; arg += 2)
		payload[len++] = byte;
	write_payload("write", index, payload, len);
}

static void do_long(char *arg)
{
	int32_t index = strtol(arg, &arg, 0);
	size_t len = strtoul(arg + 1, NULL, 0);

	write_payload("long", index, calloc(1, len + 1), len);
}

static void set_enabled(const char *event, const char *state)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "events/%s/enable", event);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, state, 1) != 1)
		result("enable", -1);
	close(fd);
}

static void do_on(char *arg)
{
	set_enabled(arg, "1");
}

static void do_off(char *arg)
{
	set_enabled(arg, "0");
}

static void do_bits(char *arg)
{
	(void)arg;
	result("bits", __atomic_load_n(number, __ATOMIC_RELAXED));
}

static void do_wait(char *arg)
{
	uint32_t value = strtoul(arg, NULL, 0);
	int i;

	for (i = 0; i < 10000 && __atomic_load_n(number, __ATOMIC_RELAXED) != value; i++)
		usleep(1000);
	result("wait", *number);
}

static void do_drop(char *arg)
{
	(void)arg;
	if (madvise(number, getpagesize(), MADV_DONTNEED))
		result("drop", -1);
}

static void do_unmap(char *arg)
{
	(void)arg;
	munmap(number, getpagesize());
}

static void do_close(char *arg)
{
	(void)arg;
	close(data);
	open_data();
}

static void do_line(char *arg)
{
	int c;
	(void)arg;

	while ((c = getchar()) != '\n') {
		if (c == EOF)
			exit(0);
	}
}

static void do_fork(char *arg)
{
	pid_t pid = fork();
	(void)arg;

	if (pid)
		waitpid(pid, NULL, 0);
}

static void do_exec(char *arg)
{
	char **args = rest - 1;
	(void)arg;

	args[0] = "/proc/self/exe";
	execv(args[0], args);
	result("exec", -1);
}

static void bad_reg(unsigned int size, unsigned int number_size, unsigned int bit,
		    unsigned int reg_flags, uintptr_t address, uintptr_t text)
{
	struct user_reg reg = {
		.size = size, .enable_bit = bit, .enable_size = number_size, .flags = reg_flags,
		.enable_addr = address, .name_args = text,
	};

	result("reg", ioctl(data, DIAG_IOCSREG, &reg));
}

static void do_bad(char *arg)
{
	uintptr_t text = (uintptr_t)"bad u32 a", at = (uintptr_t)number;
	(void)arg;
	struct user_unreg unreg = { .size = sizeof(unreg), .__reserved = 1, .disable_addr = at };
	unsigned int size = sizeof(struct user_reg);
	char *text_max = malloc(1000);

	memset(text_max, 'a', 999);
	text_max[999] = '\0';
	bad_reg(size - 1, 4, 0, 0, at, text);
	bad_reg(100000, 4, 0, 0, at, text);
	bad_reg(size, 3, 0, 0, at, text);
	bad_reg(size, 4, 32, 0, at, text);
	bad_reg(size, 4, 0, 0, at + 2, text);
	bad_reg(size, 8, 0, 0, at + 4, text);
	bad_reg(size, 4, 0, 0, 0, text);
	bad_reg(size, 4, 0, 0, (uintptr_t)-4096, text);
	bad_reg(size, 4, 0, 0, at, 0);
	bad_reg(size, 4, 0, 0, at, (uintptr_t)text_max);
	bad_reg(size, 4, 0, USER_EVENT_REG_MAX, at, text);
	result("unreg", ioctl(data, DIAG_IOCSUNREG, &unreg));
	result("del", ioctl(data, DIAG_IOCSDEL, NULL));
	result("ioctl", ioctl(data, _IO(DIAG_IOC_MAGIC, 9), &size));
	result("read", read(data, text_max, 10));
	result("write", write(data, text_max, 3));
	result("fault", write(data, (void *)8, 8));
}

static const struct operation {
	const char	*name;
	void		(*run)(char *arg);
} operations[] = {
	{ "flags", do_flags }, { "bit", do_bit }, { "reg", do_reg }, { "thread", do_thread },
	{ "unreg", do_unreg }, { "del", do_del }, { "write", do_write }, { "long", do_long },
	{ "on", do_on }, { "off", do_off }, { "bits", do_bits }, { "wait", do_wait },
	{ "drop", do_drop }, { "unmap", do_unmap }, { "close", do_close }, { "line", do_line },
	{ "fork", do_fork }, { "exec", do_exec }, { "bad", do_bad },
};

static int run(char *text)
{
	char *arg = strchrnul(text, '=');
	unsigned int i;

	for (i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		if (!strncmp(operations[i].name, text, arg - text) &&
		    !operations[i].name[arg - text]) {
			operations[i].run(arg + !!*arg);
			return 0;
		}
	}
	fprintf(stderr, "usereventop: %s?\n", text);
	return 1;
}

int main(int argc, char **argv)
{
	int memory = memfd_create("bits", MFD_CLOEXEC), failed = 0;

	if (argc < 2 || ftruncate(memory, getpagesize()))
		return 1;
	/* A page of a file remains when it is removed from the page tables. */
	number = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	if (number == MAP_FAILED)
		return 1;

	open_data();
	for (rest = argv + 1; *rest && !failed;) {
		rest++;
		failed = run(rest[-1]);
	}

	return failed;
}
