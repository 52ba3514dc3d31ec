// SPDX-License-Identifier: GPL-2.0
/*
 * fileop - the file operations of the ftrace tests that a shell cannot do.
 *
 * A shell splits and buffers its writes, and hides errno. Each verb here does exactly the
 * system calls that it names, prints the outcome as one word on a separate line, a number of
 * bytes or the name of the error, and exits 0 even if the call failed: the test decides whether
 * that is a failure. An invalid command line exits 2.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../kselftest.h"

#define NOBODY		65534
#define SOME_GROUP	1234
#define WHOLE_MAX	(64UL << 20)
#define SYS32_write	4
#define NSEC_PER_SEC	1000000000LL

static const struct {
	int nr;
	const char *name;
} error_names[] = {
	{ EPERM, "EPERM" }, { ENOENT, "ENOENT" }, { EIO, "EIO" },
	{ E2BIG, "E2BIG" }, { EBADF, "EBADF" }, { EAGAIN, "EAGAIN" },
	{ ENOMEM, "ENOMEM" }, { EACCES, "EACCES" }, { EFAULT, "EFAULT" },
	{ EBUSY, "EBUSY" }, { EEXIST, "EEXIST" }, { ENODEV, "ENODEV" },
	{ ENOTDIR, "ENOTDIR" }, { EISDIR, "EISDIR" }, { EINVAL, "EINVAL" },
	{ EFBIG, "EFBIG" }, { ENOSPC, "ENOSPC" }, { ESPIPE, "ESPIPE" },
	{ EROFS, "EROFS" }, { ERANGE, "ERANGE" },
	{ EADDRINUSE, "EADDRINUSE" }, { EADDRNOTAVAIL, "EADDRNOTAVAIL" },
	{ EOVERFLOW, "EOVERFLOW" }, { EOPNOTSUPP, "EOPNOTSUPP" },
	{ EINTR, "EINTR" }, { ENXIO, "ENXIO" }, { ETXTBSY, "ETXTBSY" },
};

static const char *error_name(int nr)
{
	static char other[16];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(error_names); i++) {
		if (error_names[i].nr == nr)
			return error_names[i].name;
	}
	snprintf(other, sizeof(other), "errno-%d", nr);
	return other;
}

/* Prints the return value of a call, or the name of errno. */
static void outcome(ssize_t ret)
{
	if (ret < 0)
		puts(error_name(errno));
	else
		printf("%zd\n", ret);
}

static void usage(void)
{
	fputs("arguments:\n"
	      "  open MODE FILE\n"
	      "  write MODE FILE BYTES...   one write(2) for each BYTES, - is all of stdin\n"
	      "  repeat MODE FILE TEXT N    one write(2) of N copies of TEXT\n"
	      "  split MODE FILE SIZE BYTES one open, BYTES in writes of SIZE\n"
	      "  fault MODE FILE            write(2) from an unmapped address\n"
	      "  edge MODE FILE N           write(2) of N bytes and N more that are unmapped\n"
	      "  read MODE FILE [COUNT]     one read(2), the bytes go to stderr\n"
	      "  splice MODE FILE [COUNT]   one splice(2) into a pipe, the bytes go to stderr\n"
	      "  end MODE FILE              lseek(2) to the end\n"
	      "  append MODE FILE BYTES     lseek(2) to the end, then one write(2)\n"
	      "  chunks FILE SIZE           the file in reads of SIZE against the whole\n"
	      "  offsets FILE STEP          pread(2) at each STEP-th offset against the whole\n"
	      "  poll MODE FILE MSEC        poll(2) for input\n"
	      "  watch FILE MSEC OTHER TEXT inotify(7) of FILE while TEXT is written to OTHER\n"
	      "  race N FILE A B            two processes write A and B, N times each\n"
	      "  fuzz SEED SECONDS FILE WORD...  writes of WORDs in disorder and with damage;\n"
	      "                             prints how many were accepted, and how many refused\n"
	      "  log FD [MARK]              what is new in /dev/kmsg, which FD is, as dmesg has it,\n"
	      "                             without lines that contain MARK\n"
	      "  noise SEED N FILE          writes N random bytes\n"
	      "  load SECONDS               one busy process on each CPU, of low priority\n"
	      "  mkdir NTH DIR              mkdir(2) in which the NTH allocation fails; prints the\n"
	      "                             outcome, and 1 if there were fewer\n"
	      "  signals N                  read(2) from a pipe, which each of N signals interrupts; the\n"
	      "                             handler of the last one writes to it; prints how many came\n"
	      "  stream text|raw FILE       writes of one number after the other, until SIGTERM; prints\n"
	      "                             how many, and how many of them failed\n"
	      "  aspid PID                  a process with this pid that sleeps and wakes for 20 s\n"
	      "  thread FILE                prints its pid and that of a second thread, waits for\n"
	      "                             stdin; then both read FILE, and the second execs\n"
	      "MODE: of r w rw, then t (O_TRUNC), a (O_APPEND), n (O_NONBLOCK), u (as a user without rights),\n"
	      "  g (as one of group 1234)\n"
	      "BYTES: with \\n \\t \\\\ \\xHH\n",
	      stderr);
	exit(2);
}

static int open_flags(const char *mode)
{
	int flags;
	gid_t gid;

	if (!strncmp(mode, "rw", 2)) {
		flags = O_RDWR;
		mode += 2;
	} else {
		flags = *mode == 'w' ? O_WRONLY : O_RDONLY;
		mode++;
	}
	for (; *mode; mode++) {
		switch (*mode) {
		case 't':
			flags |= O_TRUNC;
			break;
		case 'a':
			flags |= O_APPEND;
			break;
		case 'n':
			flags |= O_NONBLOCK;
			break;
		case 'u':
		case 'g':
			gid = *mode == 'g' ? SOME_GROUP : NOBODY;
			if (setgroups(0, NULL) || setgid(gid) || setuid(NOBODY))
				usage();
			break;
		default:
			usage();
		}
	}
	return flags;
}

/* Opens @file; if that fails, prints the error and exits. */
static int open_or_end(const char *mode, const char *file)
{
	int fd = open(file, open_flags(mode));

	if (fd < 0) {
		printf("open:%s\n", error_name(errno));
		exit(0);
	}
	return fd;
}

static unsigned long number(const char *text)
{
	char *end;
	unsigned long val = strtoul(text, &end, 0);

	if (*end || end == text)
		usage();
	return val;
}

static void *allocate(size_t size)
{
	void *mem = malloc(size ? size : 1);

	if (!mem) {
		fputs("fileop: out of memory\n", stderr);
		exit(2);
	}
	return mem;
}

/* Undoes the escapes of @text in place; returns the number of bytes, which may include zeroes. */
static size_t unescape(char *text)
{
	char *from = text, *to = text;
	char hex[3] = "";

	while (*from) {
		if (*from != '\\') {
			*to++ = *from++;
			continue;
		}
		from++;
		switch (*from) {
		case 'n':
			*to++ = '\n';
			break;
		case 't':
			*to++ = '\t';
			break;
		case '\\':
			*to++ = '\\';
			break;
		case 'x':
			if (!from[1] || !from[2])
				usage();
			memcpy(hex, from + 1, 2);
			*to++ = (char)strtoul(hex, NULL, 16);
			from += 2;
			break;
		default:
			usage();
		}
		from++;
	}
	return to - text;
}

/* Reads @fd to its end; the caller frees. */
static char *read_whole(int fd, size_t step, size_t *size)
{
	char *buf = allocate(WHOLE_MAX);
	size_t have = 0;
	ssize_t got;

	while (have + step <= WHOLE_MAX) {
		got = read(fd, buf + have, step);
		if (got < 0) {
			printf("read:%s\n", error_name(errno));
			exit(0);
		}
		if (!got)
			break;
		have += got;
	}
	*size = have;
	return buf;
}

static char *file_whole(const char *file, size_t step, size_t *size)
{
	int fd = open_or_end("r", file);
	char *buf = read_whole(fd, step, size);

	close(fd);
	return buf;
}

/* close_or_tell() - close a file, and print an error: some files act only when they are closed */
static int close_or_tell(int fd)
{
	int ret = close(fd);

	if (ret)
		printf("close:%s\n", error_name(errno));
	return ret;
}

static void do_open(char **argv)
{
	close(open_or_end(argv[0], argv[1]));
	puts("0");
}

static void do_write(char **argv)
{
	int fd = open_or_end(argv[0], argv[1]);
	char *text;
	size_t size;

	for (argv += 2; *argv; argv++) {
		text = *argv;
		if (!strcmp(text, "-"))
			text = read_whole(0, 65536, &size);
		else
			size = unescape(text);
		outcome(write(fd, text, size));
	}
	close_or_tell(fd);
}

static void do_repeat(char **argv)
{
	int fd = open_or_end(argv[0], argv[1]);
	size_t len = unescape(argv[2]);
	size_t nr = number(argv[3]);
	char *buf = allocate(len * nr);
	size_t i;

	for (i = 0; i < nr; i++)
		memcpy(buf + i * len, argv[2], len);
	outcome(write(fd, buf, len * nr));
}

static void do_split(char **argv)
{
	int fd = open_or_end(argv[0], argv[1]);
	size_t step = number(argv[2]);
	size_t size = unescape(argv[3]);
	size_t done = 0;
	ssize_t ret;

	while (done < size) {
		ret = write(fd, argv[3] + done, size - done < step ? size - done : step);
		if (ret < 0) {
			outcome(ret);
			return;
		}
		if (!ret)
			break;
		done += ret;
	}
	if (!close_or_tell(fd))
		printf("%zu\n", done);
}

static void do_fault(char **argv)
{
	int fd = open_or_end(argv[0], argv[1]);
	void *hole = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	outcome(write(fd, hole, 16));
}

/* The first half of the data is at the end of a page, the second half is unmapped. */
static void do_edge(char **argv)
{
	size_t page = sysconf(_SC_PAGESIZE), half = number(argv[2]);
	int fd = open_or_end(argv[0], argv[1]);
	char *map;

	if (half > page)
		usage();
	map = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED || munmap(map + page, page))
		usage();
	memset(map, 'e', page);
	outcome(write(fd, map + page - half, 2 * half));
}

static void do_read(char **argv)
{
	int fd = open_or_end(argv[0], argv[1]);
	size_t count = argv[2] ? number(argv[2]) : 65536;
	char *buf = allocate(count);
	ssize_t got = read(fd, buf, count);

	outcome(got);
	if (got > 0)
		fwrite(buf, 1, got, stderr);
}

static void do_splice(char **argv)
{
	size_t count = argv[2] ? number(argv[2]) : 65536;
	unsigned int flags = strchr(argv[0], 'n') ? SPLICE_F_NONBLOCK : 0;
	int fd = open_or_end(argv[0], argv[1]);
	char *buf = allocate(count);
	ssize_t got;
	int p[2];

	if (pipe(p))
		usage();
	got = splice(fd, NULL, p[1], NULL, count, flags);
	outcome(got);
	if (got > 0)
		fwrite(buf, 1, read(p[0], buf, got), stderr);
}

static void do_end(char **argv)
{
	outcome(lseek(open_or_end(argv[0], argv[1]), 0, SEEK_END));
}

static void do_append(char **argv)
{
	int fd = open_or_end(argv[0], argv[1]);
	size_t size = unescape(argv[2]);

	if (lseek(fd, 0, SEEK_END) < 0)
		outcome(-1);
	else
		outcome(write(fd, argv[2], size));
}

static void compare(const char *whole, size_t size, const char *other, size_t other_size)
{
	size_t i;

	for (i = 0; i < size && i < other_size; i++) {
		if (whole[i] != other[i]) {
			printf("differ at %zu\n", i);
			return;
		}
	}
	if (size != other_size)
		printf("sizes %zu and %zu\n", size, other_size);
	else
		puts("same");
}

static void do_chunks(char **argv)
{
	size_t size, other_size;
	char *whole = file_whole(argv[0], 65536, &size);
	char *other = file_whole(argv[0], number(argv[1]), &other_size);

	compare(whole, size, other, other_size);
}

static void do_offsets(char **argv)
{
	size_t step = number(argv[1]);
	size_t size, at;
	char *whole = file_whole(argv[0], 65536, &size);
	int fd = open_or_end("r", argv[0]);
	char part[64];
	ssize_t got;

	for (at = 0; at <= size; at += step) {
		got = pread(fd, part, sizeof(part), at);
		if (got < 0) {
			printf("%s at %zu\n", error_name(errno), at);
			return;
		}
		if ((!got && at < size) || at + got > size || memcmp(whole + at, part, got)) {
			printf("differ at %zu\n", at);
			return;
		}
	}
	puts("same");
}

static void do_poll(char **argv)
{
	struct pollfd pfd = { .events = POLLIN };
	int ret;

	pfd.fd = open_or_end(argv[0], argv[1]);
	ret = poll(&pfd, 1, number(argv[2]));
	if (ret < 0)
		outcome(ret);
	else if (!ret)
		puts("timeout");
	else
		puts(pfd.revents & POLLIN ? "readable" : "other");
}

static void do_watch(char **argv)
{
	struct pollfd pfd = { .fd = inotify_init(), .events = POLLIN };
	size_t size = strlen(argv[3]);
	int fd, ret;

	if (inotify_add_watch(pfd.fd, argv[0], IN_MODIFY) < 0) {
		outcome(-1);
		return;
	}
	fd = open_or_end("w", argv[2]);
	if (write(fd, argv[3], size) != (ssize_t)size) {
		outcome(-1);
		return;
	}
	ret = poll(&pfd, 1, number(argv[1]));
	puts(ret < 0 ? error_name(errno) : ret ? "modified" : "timeout");
}

/* Exits 0 if every write of @text was complete, else with errno. */
static void race_writer(const char *file, char *text, unsigned long nr)
{
	size_t size = unescape(text);
	unsigned long i;
	int fd;

	for (i = 0; i < nr; i++) {
		fd = open(file, O_WRONLY | O_TRUNC);
		if (fd < 0)
			_exit(errno);
		if (write(fd, text, size) != (ssize_t)size)
			_exit(errno);
		if (close(fd))
			_exit(errno);
	}
	_exit(0);
}

static void do_race(char **argv)
{
	unsigned long nr = number(argv[0]);
	int i, status, worst = 0;

	fflush(stdout);
	for (i = 0; i < 2; i++) {
		if (!fork())
			race_writer(argv[1], argv[2 + i], nr);
	}
	for (i = 0; i < 2; i++) {
		wait(&status);
		if (!WIFEXITED(status))
			worst = EINTR;
		else if (WEXITSTATUS(status))
			worst = WEXITSTATUS(status);
	}
	errno = worst;
	outcome(worst ? -1 : 0);
}

static unsigned long long random_state;

/* The same seed gives the same numbers. */
static void random_seed(unsigned long seed)
{
	/* spread over all bits, and not zero, which xorshift never leaves */
	random_state = (seed + 1) * 0x9e3779b97f4a7c15ull | 1;
}

/* Returns a random number less than @below (xorshift). */
static unsigned int any(unsigned int below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 11) % below;
}

/* Writes some tokens in a row, mostly without damage; returns the number of bytes. */
static size_t fuzz_text(char *text, size_t max, char **words, int nr)
{
	static const char marks[] = "!:*?[]\\-#.\n\t \0z\xff";
	size_t len = 0, size, at;
	int i;

	for (i = any(4) + 1; i; i--) {
		const char *word = words[any(nr)];

		size = strlen(word);
		if (len + size + 2 > max)
			break;
		if (!any(4))
			text[len++] = '!';
		memcpy(text + len, word, size);
		len += size;
		text[len++] = "\n\t "[any(3)];
	}
	for (i = any(2) ? 0 : any(5); i; i--) {
		at = any(len);
		text[at] = any(2) ? marks[any(sizeof(marks) - 1)] : (char)any(256);
	}
	return any(8) ? len : any(len + 1);
}

/* One open, one or two writes, one close; returns 1 if all of it was accepted. */
static int fuzz_once(const char *file, const char *text, size_t len)
{
	size_t cut = any(3) ? len : any(len + 1);
	int fd = open(file, O_WRONLY | (any(4) ? O_APPEND : O_TRUNC));
	int accepted;

	if (fd < 0)
		return 0;
	accepted = write(fd, text, cut) == (ssize_t)cut &&
		   write(fd, text + cut, len - cut) == (ssize_t)(len - cut);
	close(fd);
	return accepted;
}

static void do_fuzz(char **argv)
{
	unsigned long seconds = number(argv[1]), accepted = 0, refused = 0;
	struct timespec begin, now;
	char text[512];
	size_t len;
	int nr = 0;

	random_seed(number(argv[0]));
	while (argv[3 + nr])
		nr++;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		len = fuzz_text(text, sizeof(text), argv + 3, nr);
		if (fuzz_once(argv[2], text, len))
			accepted++;
		else
			refused++;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec - begin.tv_sec < (long)seconds);
	printf("%lu\n%lu\n", accepted, refused);
}

/* Prints the text of a record of /dev/kmsg, where bytes are \xHH, in the format of dmesg. */
static void print_record(char *record, const char *mark)
{
	char *text = strchr(record, ';');
	unsigned long long usec;

	if (!text || sscanf(record, "%*u,%*u,%llu", &usec) != 1)
		return;
	*text++ = '\0';
	/* Lines after the first one are about the device */
	text[strcspn(text, "\n")] = '\0';
	text[unescape(text)] = '\0';
	for (text = strtok(text, "\n"); text; text = strtok(NULL, "\n"))
		if (!mark || !strstr(text, mark))
			printf("[%5llu.%06llu] %s\n", usec / 1000000, usec % 1000000, text);
}

static void do_log(char **argv)
{
	int fd = number(argv[0]);
	char record[8192];
	ssize_t got;

	fcntl(fd, F_SETFL, O_NONBLOCK);
	while ((got = read(fd, record, sizeof(record) - 1)) > 0 || (got < 0 && errno == EPIPE)) {
		/* EPIPE: records that were not read have been overwritten */
		if (got < 0)
			continue;
		record[got] = '\0';
		print_record(record, argv[1]);
	}
	if (errno != EAGAIN)
		outcome(got);
}

static void do_noise(char **argv)
{
	size_t nr = number(argv[1]), i;
	int fd = open_or_end("w", argv[2]);
	char *noise = allocate(nr);

	random_seed(number(argv[0]));
	for (i = 0; i < nr; i++)
		noise[i] = any(256);
	outcome(write(fd, noise, nr));
	close_or_tell(fd);
}

/* Makes system calls of several kinds, so that many kernel functions run. */
static void load_cpu(int cpu, long long seconds)
{
	long long end;
	struct timespec now;
	cpu_set_t set;
	char buf[64];
	int fd, p[2];

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		_exit(0);
	clock_gettime(CLOCK_MONOTONIC, &now);
	end = (now.tv_sec + seconds) * NSEC_PER_SEC + now.tv_nsec;
	while (now.tv_sec * NSEC_PER_SEC + now.tv_nsec < end) {
		if (pipe(p))
			_exit(1);
		if (write(p[1], "x", 1) != 1 || read(p[0], buf, 1) != 1)
			_exit(1);
		close(p[0]);
		close(p[1]);
		fd = open("/proc/self/stat", O_RDONLY);
		if (fd >= 0) {
			if (read(fd, buf, sizeof(buf)) < 0)
				_exit(1);
			close(fd);
		}
		sched_yield();
		if (!fork())
			_exit(0);
		wait(NULL);
		/*
		 * An emulator that runs all CPUs in one thread switches to another CPU when
		 * this one is idle. While all are busy, some may get little time.
		 */
		usleep(500);
		clock_gettime(CLOCK_MONOTONIC, &now);
	}
	_exit(0);
}

static void do_load(char **argv)
{
	long nr = sysconf(_SC_NPROCESSORS_ONLN);
	long cpu;

	/* a separate process group, so that one signal ends all of it */
	setpgid(0, 0);
	/* The test itself must make progress */
	if (nice(10) < 0)
		usage();
	for (cpu = 0; cpu < nr; cpu++) {
		if (!fork())
			load_cpu(cpu, number(argv[0]));
	}
	while (wait(NULL) > 0)
		;
}

static void read_some(const char *file)
{
	int fd = open(file, O_RDONLY);
	char buf[64];

	if (fd < 0 || read(fd, buf, sizeof(buf)) < 0)
		_exit(1);
	close(fd);
}

static int thread_goes_on;

/* By exec, this thread ends the first one and gets its pid. */
static void *second_thread(void *arg)
{
	char *file = arg, c;

	printf("%d %ld\n", getpid(), syscall(SYS_gettid));
	fflush(stdout);
	if (read(STDIN_FILENO, &c, 1) < 0)
		_exit(1);
	__atomic_store_n(&thread_goes_on, 1, __ATOMIC_RELEASE);
	read_some(file);
	usleep(20000);
	execl("/proc/self/exe", "fileop", "read", "r", file, NULL);
	_exit(1);
}

static void do_thread(char **argv)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, second_thread, argv[0]))
		_exit(1);
	for (;;) {
		if (__atomic_load_n(&thread_goes_on, __ATOMIC_ACQUIRE))
			read_some(argv[0]);
		usleep(5000);
	}
}

/* Loads a module while the Nth allocation fails. After the outcome: 1 if there were fewer. */
static void do_insmod(char **argv)
{
	int faults = open("/proc/self/fail-nth", O_RDWR);
	int fd = open(argv[1], O_RDONLY);
	off_t size = lseek(fd, 0, SEEK_END);
	void *module = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	size_t len = strlen(argv[0]);
	char left[16] = "";
	int err;

	/* not by its descriptor: the kernel warns if it has no memory to read the file */
	if (faults < 0 || module == MAP_FAILED || pwrite(faults, argv[0], len, 0) != (ssize_t)len)
		usage();
	err = syscall(SYS_init_module, module, size, "") ? errno : 0;
	if (pread(faults, left, sizeof(left) - 1, 0) < 0 || pwrite(faults, "0", 1, 0) != 1)
		usage();
	printf("%s %d\n", err ? error_name(err) : "0", atoi(left) != 0);
}

static void do_mkdir(char **argv)
{
	int faults = open("/proc/self/fail-nth", O_RDWR);
	size_t len = strlen(argv[0]);
	char left[16] = "";
	int err;

	if (faults < 0 || pwrite(faults, argv[0], len, 0) != (ssize_t)len)
		usage();
	err = mkdir(argv[1], 0777) ? errno : 0;
	if (pread(faults, left, sizeof(left) - 1, 0) < 0 || pwrite(faults, "0", 1, 0) != 1)
		usage();
	printf("%s %d\n", err ? error_name(err) : "0", atoi(left) != 0);
}

static int signals_left, signals_came, signal_null, signal_pipe[2];

/*
 * The last signal writes the data that the read waits for, the other signals write to
 * /dev/null.
 */
static void on_signal(int nr)
{
	(void)nr;
	signals_came++;
	if (write(--signals_left ? signal_null : signal_pipe[1], "x", 1) != 1)
		_exit(1);
	if (signals_left)
		ualarm(20000, 0);
}

static void do_signals(char **argv)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	char c;

	signals_left = number(argv[0]);
	signal_null = open("/dev/null", O_WRONLY);
	if (signals_left < 1 || signal_null < 0 || pipe(signal_pipe) ||
	    sigaction(SIGALRM, &action, NULL))
		usage();
	ualarm(20000, 0);
	outcome(read(signal_pipe[0], &c, 1) == 1 ? signals_came : -1);
}

static int stream_ends;

static void end_stream(int nr)
{
	(void)nr;
	stream_ends = 1;
}

static void do_stream(char **argv)
{
	int raw = !strcmp(argv[0], "raw");
	uint32_t number = 0, failed = 0, id = 1;
	int fd = open(argv[1], O_WRONLY);
	char bytes[32];
	size_t len;

	signal(SIGTERM, end_stream);
	for (; !stream_ends; number++) {
		len = snprintf(bytes, sizeof(bytes), "number %u\n", number);
		if (raw) {
			memcpy(bytes, &id, sizeof(id));
			memcpy(bytes + sizeof(id), &number, sizeof(number));
			len = sizeof(id) + sizeof(number);
		}
		if (write(fd, bytes, len) != (ssize_t)len)
			failed++;
		usleep(1000);
	}
	printf("%u %u\n", number, failed);
}

static void do_aspid(char **argv)
{
	pid_t pid = atoi(argv[0]);
	struct clone_args args = {
		.exit_signal = SIGCHLD,
		.set_tid = (uintptr_t)&pid,
		.set_tid_size = 1,
	};
	long child = syscall(SYS_clone3, &args, sizeof(args));
	int i;

	for (i = 0; !child && i < 200; i++)
		usleep(100000);
	if (!child)
		_exit(0);
	outcome(child < 0 ? child : waitpid(child, NULL, 0));
}

static void no_compat(int nr)
{
	(void)nr;
	_exit(puts("none") < 0 || fflush(stdout));
}

/* compat: prints the result of write() of 5 bytes, called as a 32-bit program does, or "none" */
static void do_compat(char **argv)
{
	int fd = open("/dev/null", O_WRONLY);
	long ret = -1;

	(void)argv;
	signal(SIGSEGV, no_compat);
	signal(SIGILL, no_compat);
#ifdef __x86_64__
	ret = SYS32_write;
	asm volatile("int $0x80" : "+a" (ret)
		     : "b" (fd), "c" (mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS |
					   MAP_32BIT, -1, 0)), "d" (5L)
		     : "memory", "r8", "r9", "r10", "r11");
#else
	no_compat(fd);
#endif
	printf("%ld\n", ret);
}

static const struct verb {
	const char *name;
	int least, most;
	void (*run)(char **argv);
} verbs[] = {
	{ "open", 2, 2, do_open },
	{ "write", 3, 64, do_write },
	{ "repeat", 4, 4, do_repeat },
	{ "split", 4, 4, do_split },
	{ "fault", 2, 2, do_fault },
	{ "edge", 3, 3, do_edge },
	{ "read", 2, 3, do_read },
	{ "splice", 2, 3, do_splice },
	{ "end", 2, 2, do_end },
	{ "append", 3, 3, do_append },
	{ "chunks", 2, 2, do_chunks },
	{ "offsets", 2, 2, do_offsets },
	{ "poll", 3, 3, do_poll },
	{ "watch", 4, 4, do_watch },
	{ "race", 4, 4, do_race },
	{ "fuzz", 4, 64, do_fuzz },
	{ "log", 1, 2, do_log },
	{ "noise", 3, 3, do_noise },
	{ "load", 1, 1, do_load },
	{ "thread", 1, 1, do_thread },
	{ "insmod", 2, 2, do_insmod },
	{ "mkdir", 2, 2, do_mkdir },
	{ "signals", 1, 1, do_signals },
	{ "stream", 2, 2, do_stream },
	{ "aspid", 1, 1, do_aspid },
	{ "compat", 0, 0, do_compat },
};

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2)
		usage();
	argc -= 2;
	for (i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (strcmp(argv[1], verbs[i].name))
			continue;
		if (argc < verbs[i].least || argc > verbs[i].most)
			usage();
		verbs[i].run(argv + 2);
		return 0;
	}
	usage();
}
