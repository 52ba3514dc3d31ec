// SPDX-License-Identifier: GPL-2.0
/*
 * herdop - many tasks, each of which calls one function of the kernel once.
 *
 *   herdop herd NR	NR tasks wait. When a byte is read from standard input, all of them are
 *			woken at once. Each calls select(), and sleeps in it until all have.
 *   herdop forks NR	NR tasks, a few at a time, each of which calls select() and exits.
 *   herdop starved NR	The same, but while a task is forked, the first allocation that can fail
 *			fails.
 *
 * The C library calls pselect6() for select(), which calls core_sys_select() in the kernel;
 * nothing else here calls it. Prints "ready" when the herd waits, and at the end the number of
 * tasks.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/wait.h>

#define AT_A_TIME	40

/* Progress of the tasks. */
static struct {
	atomic_int waiting;
	atomic_int calling;
} *herd;

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static void sleep_ms(long ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&time, &time) && errno == EINTR)
		;
}

/* Returns when the other end of the pipe is closed. */
static void wait_for_end(int fd)
{
	char byte;

	while (read(fd, &byte, 1) < 0 && errno == EINTR)
		;
}

static void call_select(int fd)
{
	struct timeval none = { 0, 0 };
	fd_set set;

	FD_ZERO(&set);
	if (fd >= 0)
		FD_SET(fd, &set);
	if (select(fd + 1, &set, NULL, NULL, fd < 0 ? &none : NULL) < 0)
		die("select");
}

static void wait_for_children(int nr)
{
	int status;

	while (nr--) {
		if (wait(&status) < 0 || status)
			die("child");
	}
}

static void run_herd(int nr)
{
	int start[2], end[2], i;
	char byte;

	if (pipe(start) || pipe(end))
		die("pipe");

	for (i = 0; i < nr; i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (pid)
			continue;

		close(start[1]);
		close(end[1]);
		atomic_fetch_add(&herd->waiting, 1);
		wait_for_end(start[0]);
		atomic_fetch_add(&herd->calling, 1);
		call_select(end[0]);
		_exit(0);
	}

	while (atomic_load(&herd->waiting) < nr)
		sleep_ms(1);
	puts("ready");
	fflush(stdout);
	if (read(0, &byte, 1) != 1)
		die("standard input");
	close(start[1]);
	while (atomic_load(&herd->calling) < nr)
		sleep_ms(1);
	close(end[1]);
	wait_for_children(nr);
}

static void run_forks(int nr)
{
	int i, left = 0;

	for (i = 0; i < nr; i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (!pid) {
			call_select(-1);
			_exit(0);
		}
		if (++left < AT_A_TIME)
			continue;
		wait_for_children(left);
		left = 0;
	}
	wait_for_children(left);
}

/* Makes the next allocation of this task fail, or no more allocations. */
static void fail_next(int fd, const char *nth)
{
	if (pwrite(fd, nth, 1, 0) != 1)
		die("fail-nth");
}

static void run_starved(int nr)
{
	int fd = open("/proc/self/fail-nth", O_WRONLY), i;

	for (i = 0; i < nr; i++) {
		pid_t pid;

		fail_next(fd, "1");
		pid = fork();
		if (!pid) {
			call_select(-1);
			_exit(0);
		}
		fail_next(fd, "0");
		if (pid < 0)
			die("fork");
	}
	wait_for_children(nr);
	close(fd);
}

int main(int argc, char **argv)
{
	int nr = argc == 3 ? atoi(argv[2]) : 0;

	if (nr <= 0) {
		fputs("arguments: herd NR, forks NR, or starved NR\n", stderr);
		return 2;
	}

	herd = mmap(NULL, sizeof(*herd), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (herd == MAP_FAILED)
		die("mmap");

	if (!strcmp(argv[1], "herd"))
		run_herd(nr);
	else if (!strcmp(argv[1], "starved"))
		run_starved(nr);
	else
		run_forks(nr);
	printf("%d\n", nr);
	return 0;
}
