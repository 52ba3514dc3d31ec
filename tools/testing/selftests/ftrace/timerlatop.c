// SPDX-License-Identifier: GPL-2.0
/*
 * timerlatop FILE CPU COUNT [THEN] - measure with the tracer timerlat from user space
 *
 * Binds itself to CPU, unless CPU is -1, opens FILE, which is a timerlat_fd, and reads it COUNT
 * times, with a millisecond of work after each read. Prints the outcome as one word on a
 * separate line: "done", or "errno" and the number of the error of open(2) or read(2). Then it
 * does THEN:
 *
 *	again	opens FILE once more, and prints the outcome of that
 *	given	lets a child read the open file, and prints the outcome of that
 *	read	reads forever
 *	work	works forever
 *	move N	moves to CPU N, and reads forever
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void say(const char *word)
{
	printf("%s\n", word);
	fflush(stdout);
}

static void say_error(void)
{
	printf("errno %d\n", errno);
	fflush(stdout);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		say_error();
		exit(2);
	}
}

static void work(void)
{
	struct timespec begin, now;
	long ns;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
		ns = (now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec;
	} while (ns < 1000000);
}

/* Return: 1 if all reads succeeded */
static int read_times(int fd, long count)
{
	char byte;

	while (count--) {
		if (read(fd, &byte, 1) < 0) {
			say_error();
			return 0;
		}
		work();
	}
	return 1;
}

static void read_in_child(int fd)
{
	pid_t child = fork();

	if (child) {
		waitpid(child, NULL, 0);
		return;
	}
	if (read_times(fd, 1))
		say("done");
	_exit(0);
}

static void then(const char *what, const char *file, int fd, const char *more)
{
	if (!strcmp(what, "again")) {
		if (open(file, O_RDONLY) < 0)
			say_error();
		else
			say("done");
	} else if (!strcmp(what, "given")) {
		read_in_child(fd);
	} else if (!strcmp(what, "work")) {
		for (;;)
			work();
	} else {
		if (!strcmp(what, "move"))
			pin(atoi(more));
		while (read_times(fd, 1))
			;
	}
}

int main(int argc, char **argv)
{
	int fd;

	if (argc < 4 || (argc > 4 && !strcmp(argv[4], "move") && argc < 6)) {
		fprintf(stderr, "usage: timerlatop FILE CPU COUNT [THEN]\n");
		return 2;
	}
	if (atoi(argv[2]) >= 0)
		pin(atoi(argv[2]));

	fd = open(argv[1], O_RDONLY);
	if (fd < 0) {
		say_error();
		return 1;
	}
	if (!read_times(fd, atol(argv[3])))
		return 1;
	say("done");
	if (argc > 4)
		then(argv[4], argv[1], fd, argv[5]);
	return 0;
}
