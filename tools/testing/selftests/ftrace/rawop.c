// SPDX-License-Identifier: GPL-2.0
/*
 * rawop - operations on trace_pipe_raw and snapshot_raw.
 *
 *	rawop read|splice|tee|map FILE PAGE_SIZE
 *						show all pages, taken in that way; tee also
 *						splices, and shows a page of a second pipe
 *						after the next page was taken
 *	rawop types FILE PAGE_SIZE		show the type of each entry, taken by read
 *	rawop splice_some MODE FILE LEN		one splice(2) into a pipe; MODE is r, or n
 *						to not wait
 *	rawop stay_mapped FILE			map it, until SIGTERM
 *	rawop hold map|splice FILE		map it, or splice a page into a pipe, and close it
 *	rawop woken HOW BY FILE			wait for events by HOW (read, splice or map)
 *						and end that by BY (ioctl, close or off)
 *	rawop interrupted HOW BY FILE		wait for events by HOW, be interrupted by BY (stop,
 *						restart or handler), and then get an event
 *	rawop get_reader FILE			map it and wait for the reader page
 *	rawop get_reader_unmapped FILE		request the reader page without mapping it
 *	rawop poll_rest FILE LEN		read(2) LEN bytes, then poll(2) without waiting
 *	rawop sizes FILE MSECS			open and read repeatedly, while other processes
 *						change the size of the pages
 *
 * Pages are shown as events/header_page and header_event describe them: the text of each entry
 * of trace_marker on a separate line, "lost N" if a page reports a loss, and at the end the
 * number of "other" entries. splice_some prints the number of bytes or the name of the error by
 * strerrorname_np(). hold prints "held", waits for SIGTERM, and then shows the page in the
 * pipe. stay_mapped prints "mapped" when the mapping exists; woken prints the result of the
 * system call, or "still waits"; interrupted prints "event" for a call that got one, or its
 * error; sizes prints the number of pages.
 *
 * At the end stay_mapped requests the reader page and prints the number of events that were
 * written to the ring, overwritten and read, and the number of events in that page, as
 * Documentation/trace/ring-buffer-map.rst describes. An inconsistent page ends it with status
 * 1, an invalid command line with 2.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#define TYPE_PADDING	29
#define TYPE_EXTEND	30
#define TYPE_STAMP	31

/* Flags in the field commit. */
#define MISSED_EVENTS	0x80000000UL
#define MISSED_STORED	0x40000000UL
#define COMMIT_MASK	0x3fffffffUL

/* Type of the entries of trace_marker, and the offset of their text. */
#define ENTRY_PRINT	5
#define PRINT_TEXT	16

#define GET_READER	_IO('R', 0x20)

struct page {
	uint64_t stamp;
	uint64_t commit;
	unsigned char data[];
};

/* include/uapi/linux/trace_mmap.h is newer than the headers of many systems. */
struct meta {
	uint32_t meta_page_size;
	uint32_t meta_struct_len;
	uint32_t subbuf_size;
	uint32_t nr_subbufs;
	struct {
		uint64_t lost_events;
		uint32_t id;
		uint32_t read;
	} reader;
	uint64_t flags;
	uint64_t entries;
	uint64_t overrun;
	uint64_t read;
	uint64_t reserved[2];
};

static size_t page_size;
static bool quiet, types;
static unsigned long entries, others;

static void broken(const char *what)
{
	printf("bad page: %s\n", what);
	exit(1);
}

static void see_entry(const unsigned char *data, size_t len)
{
	uint16_t type;

	entries++;
	if (quiet)
		return;
	memcpy(&type, data, sizeof(type));
	if (types)
		printf("%u\n", type);
	else if (type == ENTRY_PRINT && len > PRINT_TEXT)
		printf("%s", (const char *)data + PRINT_TEXT);
	else
		others++;
}

/* Prints the event at @p, before @end; returns its total length. */
static size_t see_event(const unsigned char *p, const unsigned char *end)
{
	uint32_t header, length;
	unsigned int type;

	memcpy(&header, p, sizeof(header));
	type = header & 31;
	memcpy(&length, p + 4, sizeof(length));

	switch (type) {
	case TYPE_PADDING:
		return header >> 5 ? 4 + length : (size_t)(end - p);
	case TYPE_EXTEND:
	case TYPE_STAMP:
		return 8;
	case 0:
		if (p + 4 + length > end)
			broken("an event beyond the end");
		see_entry(p + 8, length - 4);
		return 4 + length;
	default:
		if (p + 4 + type * 4 > end)
			broken("an event beyond the end");
		see_entry(p + 4, type * 4);
		return 4 + type * 4;
	}
}

/* @from: bytes of the data that were shown before */
static void see_page(const struct page *page, size_t from)
{
	const unsigned char *p = page->data + from;
	const unsigned char *end = page->data + (page->commit & COMMIT_MASK);
	uint64_t lost;

	if (end > (const unsigned char *)page + page_size)
		broken("more data than a page has");
	if (page->commit & MISSED_STORED) {
		memcpy(&lost, end, sizeof(lost));
		printf("lost %llu\n", (unsigned long long)lost);
	} else if (page->commit & MISSED_EVENTS) {
		printf("lost some\n");
	}
	while (p < end)
		p += see_event(p, end);
	if (p != end)
		broken("the last event does not end with it");
}

static void by_read(int fd)
{
	struct page *buf = malloc(page_size);
	ssize_t got;

	while ((got = read(fd, buf, page_size)) > 0) {
		if ((size_t)got != page_size)
			broken("a short read");
		see_page(buf, 0);
	}
	if (got < 0 && errno != EAGAIN)
		printf("read: %s\n", strerror(errno));
	free(buf);
}

static void by_splice(int fd)
{
	struct page *buf = malloc(page_size);
	int pipes[2];
	ssize_t got;

	if (pipe(pipes))
		exit(2);
	while ((got = splice(fd, NULL, pipes[1], NULL, page_size,
			     SPLICE_F_MOVE | SPLICE_F_NONBLOCK)) > 0) {
		if ((size_t)got != page_size || read(pipes[0], buf, page_size) != got)
			broken("a short splice");
		see_page(buf, 0);
	}
	if (got < 0 && errno != EAGAIN)
		printf("splice: %s\n", strerror(errno));
	free(buf);
}

static void by_tee(int fd)
{
	struct page *buf = malloc(page_size);
	int pipes[2], later[2];
	unsigned int kept = 0;

	if (!buf || pipe(pipes) || pipe(later))
		exit(2);
	while (splice(fd, NULL, pipes[1], NULL, page_size, SPLICE_F_NONBLOCK) > 0) {
		if (tee(pipes[0], later[1], page_size, 0) != (ssize_t)page_size ||
		    read(pipes[0], buf, page_size) != (ssize_t)page_size)
			broken("a short tee");
		if (kept++ && read(later[0], buf, page_size) == (ssize_t)page_size)
			see_page(buf, 0);
	}
	if (kept && read(later[0], buf, page_size) == (ssize_t)page_size)
		see_page(buf, 0);
	free(buf);
}

/* Maps all pages; returns NULL and prints a message if that fails. */
static struct meta *map_all(int fd, char **data)
{
	struct meta *meta = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, fd, 0);

	if (meta == MAP_FAILED) {
		printf("mmap: %s\n", strerror(errno));
		return NULL;
	}
	page_size = meta->subbuf_size;
	*data = mmap(NULL, page_size * meta->nr_subbufs, PROT_READ, MAP_SHARED, fd,
		     meta->meta_page_size);
	if (*data == MAP_FAILED) {
		printf("mmap of the data: %s\n", strerror(errno));
		return NULL;
	}
	return meta;
}

static void by_map(int fd)
{
	char *data;
	struct meta *meta = map_all(fd, &data);
	struct page *page;

	while (meta) {
		uint32_t id = meta->reader.id, read = meta->reader.read;

		if (ioctl(fd, GET_READER)) {
			printf("ioctl: %s\n", strerror(errno));
			return;
		}
		/* The same page: show its new events. */
		if (meta->reader.id != id)
			read = 0;
		else if (meta->reader.read == read)
			break;
		page = (void *)(data + page_size * meta->reader.id);
		if (meta->reader.lost_events && !(page->commit & MISSED_EVENTS))
			broken("events were lost, and the page does not say so");
		see_page(page, read);
	}
}

static int show(const char *how, const char *file, const char *size)
{
	int fd = open(file, O_RDONLY | O_NONBLOCK);

	page_size = strtoul(size, NULL, 0);
	if (fd < 0) {
		printf("open: %s\n", strerror(errno));
		return 0;
	}
	types = !strcmp(how, "types");
	if (types || !strcmp(how, "read"))
		by_read(fd);
	else if (!strcmp(how, "splice"))
		by_splice(fd);
	else if (!strcmp(how, "tee"))
		by_tee(fd);
	else
		by_map(fd);
	if (others)
		printf("other %lu\n", others);
	return 0;
}

static int splice_some(const char *mode, const char *file, const char *len)
{
	int fd = open(file, O_RDONLY), pipes[2];
	ssize_t got = -1;

	if (fd >= 0 && !pipe(pipes))
		got = splice(fd, NULL, pipes[1], NULL, strtoul(len, NULL, 0),
			     *mode == 'n' ? SPLICE_F_NONBLOCK : 0);
	if (got < 0)
		puts(strerrorname_np(errno));
	else
		printf("%zd\n", got);
	return 0;
}

static void wait_for_term(const char *said)
{
	sigset_t term;
	int sig;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, NULL);
	puts(said);
	fflush(stdout);
	sigwait(&term, &sig);
}

/* Keeps a mapping, or a page in a pipe, that outlives the open file. */
static int hold(const char *how, const char *file)
{
	int fd = open(file, O_RDONLY | O_NONBLOCK), pipes[2];
	struct page *page = NULL;
	char *data;

	page_size = getpagesize();
	if (!strcmp(how, "map")) {
		if (!map_all(fd, &data))
			return 0;
	} else {
		page = malloc(page_size);
		if (!page || pipe(pipes) ||
		    splice(fd, NULL, pipes[1], NULL, page_size, 0) != (ssize_t)page_size) {
			puts(strerrorname_np(errno));
			return 0;
		}
	}
	close(fd);
	wait_for_term("held");
	if (page && read(pipes[0], page, page_size) == (ssize_t)page_size)
		see_page(page, 0);
	free(page);
	return 0;
}

static int stay_mapped(const char *file)
{
	int fd = open(file, O_RDONLY | O_NONBLOCK);
	char *data;
	struct meta *meta = map_all(fd, &data);

	if (!meta)
		return 0;
	wait_for_term("mapped");

	if (ioctl(fd, GET_READER)) {
		printf("ioctl: %s\n", strerror(errno));
		return 0;
	}
	quiet = true;
	see_page((void *)(data + page_size * meta->reader.id), 0);
	printf("%llu %llu %llu %lu\n", (unsigned long long)meta->entries,
	       (unsigned long long)meta->overrun, (unsigned long long)meta->read, entries);
	return 0;
}

/* Takes the available events, and then waits by @how. */
static long wait_for_events(const char *how, int fd, struct meta *meta)
{
	int flags = fcntl(fd, F_GETFL), pipes[2];
	char buf[65536];

	if (pipe(pipes))
		return -1;
	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	while (!meta && read(fd, buf, sizeof(buf)) > 0)
		;
	while (meta) {
		uint64_t seen = meta->read;

		if (ioctl(fd, GET_READER) || meta->read == seen)
			break;
	}
	fcntl(fd, F_SETFL, flags);
	if (!strcmp(how, "read"))
		return read(fd, buf, sizeof(buf));
	if (!strcmp(how, "splice"))
		return splice(fd, NULL, pipes[1], NULL, sizeof(buf), 0);
	return ioctl(fd, GET_READER);
}

static void end_wait(const char *by, int fd)
{
	int on;

	if (!strcmp(by, "ioctl")) {
		ioctl(fd, 0);
	} else if (!strcmp(by, "close")) {
		close(fd);
	} else {
		on = open("tracing_on", O_WRONLY);
		if (write(on, "0", 1) != 1)
			exit(2);
		close(on);
	}
}

/* Both processes share the open file. */
static int woken(const char *how, const char *by, const char *file)
{
	int fd = open(file, O_RDONLY), i, status;
	struct meta *meta = NULL;
	char *data;
	pid_t pid;

	pid = fork();
	if (!pid) {
		/* A child does not get the mappings of its parent. */
		if (!strcmp(how, "map")) {
			meta = map_all(fd, &data);
			if (!meta)
				return 0;
		}
		printf("%ld\n", wait_for_events(how, fd, meta));
		return 0;
	}
	usleep(300000);
	if (waitpid(pid, &status, WNOHANG)) {
		puts("does not wait");
		return 0;
	}
	end_wait(by, fd);
	for (i = 0; i < 500; i++) {
		if (waitpid(pid, &status, WNOHANG))
			return 0;
		usleep(10000);
	}
	puts("still waits");
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return 0;
}

static void no_action(int sig)
{
}

/* stop: stopped and continued; restart: a handler with SA_RESTART; handler: one without it. */
static void interrupt(const char *by, pid_t pid)
{
	if (!strcmp(by, "stop")) {
		kill(pid, SIGSTOP);
		usleep(100000);
		kill(pid, SIGCONT);
	} else {
		kill(pid, SIGUSR1);
	}
}

/* The entry that ends the wait is written on CPU 0. */
static int interrupted(const char *how, const char *by, const char *file)
{
	struct sigaction action = { .sa_handler = no_action };
	int fd = open(file, O_RDONLY), marker = open("trace_marker", O_WRONLY), status;
	struct meta *meta = NULL;
	cpu_set_t first;
	char *data;
	pid_t pid;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_setaffinity(0, sizeof(first), &first))
		return 2;
	if (!strcmp(by, "restart"))
		action.sa_flags = SA_RESTART;
	sigaction(SIGUSR1, &action, NULL);
	pid = fork();
	if (!pid) {
		if (!strcmp(how, "map")) {
			meta = map_all(fd, &data);
			if (!meta)
				return 0;
		}
		puts(wait_for_events(how, fd, meta) < 0 ? strerrorname_np(errno) : "event");
		return 0;
	}
	usleep(300000);
	interrupt(by, pid);
	usleep(300000);
	if (waitpid(pid, &status, WNOHANG))
		return 0;
	if (write(marker, "x\n", 2) != 2)
		puts("no entry");
	alarm(20);
	waitpid(pid, &status, 0);
	return 0;
}

static int get_reader(const char *file)
{
	int fd = open(file, O_RDONLY);
	char *data;
	struct meta *meta = map_all(fd, &data);

	if (!meta)
		return 0;
	puts("waits");
	fflush(stdout);
	if (ioctl(fd, GET_READER)) {
		puts(strerrorname_np(errno));
		return 0;
	}
	quiet = true;
	see_page((void *)(data + page_size * meta->reader.id), 0);
	printf("%lu\n", entries);
	return 0;
}

static int poll_rest(const char *file, const char *len)
{
	struct pollfd fd = { .fd = open(file, O_RDONLY | O_NONBLOCK), .events = POLLIN };
	size_t want = strtoul(len, NULL, 0);
	char buf[4096];

	if (want > sizeof(buf) || read(fd.fd, buf, want) != (ssize_t)want)
		puts("a short read");
	else
		puts(poll(&fd, 1, 0) == 1 && fd.revents & POLLIN ? "readable" : "timeout");
	return 0;
}

/*
 * Alternately takes a page, and the text of one read of @pipe, until nothing is left. The text
 * is printed to stdout, and the number of pages to stderr.
 */
static int take_turns(const char *file, const char *pipe)
{
	int fd = open(file, O_RDONLY | O_NONBLOCK), text = open(pipe, O_RDONLY | O_NONBLOCK);
	unsigned long pages = 0;
	char *data, buf[4096];
	struct meta *meta = map_all(fd, &data);
	ssize_t len;

	if (!meta || text < 0)
		return 1;
	do {
		if (meta->read < meta->entries) {
			if (ioctl(fd, GET_READER))
				return 1;
			pages++;
		}
		len = read(text, buf, sizeof(buf));
	} while (len > 0 && write(STDOUT_FILENO, buf, len) == len);
	fprintf(stderr, "%lu\n", pages);
	return len >= 0 || errno != EAGAIN;
}

/* SIGALRM kills it if that waits. */
static int get_reader_unmapped(const char *file)
{
	int fd = open(file, O_RDONLY);

	alarm(10);
	puts(ioctl(fd, GET_READER) ? strerrorname_np(errno) : "0");
	return 0;
}

/* Checks that the length of a page is correct, and that nothing follows its events. */
static int sizes(const char *file, const char *msecs)
{
	static unsigned char buf[1 << 18];
	struct page *page = (void *)buf;
	unsigned long pages = 0;
	struct timespec now, end;
	size_t at;
	ssize_t got;
	int fd;

	quiet = true;
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += strtoul(msecs, NULL, 0) % 1000 * 1000000;
	end.tv_sec += strtoul(msecs, NULL, 0) / 1000 + end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	do {
		fd = open(file, O_RDONLY | O_NONBLOCK);
		got = read(fd, buf, sizeof(buf));
		if (got > 0) {
			page_size = got;
			see_page(page, 0);
			at = sizeof(*page) + (page->commit & COMMIT_MASK);
			if (page->commit & MISSED_STORED)
				at += 8;
			while (at < (size_t)got) {
				if (buf[at++])
					broken("something behind the events");
			}
			pages++;
		}
		close(fd);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec < end.tv_sec ||
		 (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec));
	printf("%lu\n", pages);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (argc == 4 && (!strcmp(what, "read") || !strcmp(what, "splice") ||
			  !strcmp(what, "tee") || !strcmp(what, "map") || !strcmp(what, "types")))
		return show(what, argv[2], argv[3]);
	if (argc == 5 && !strcmp(what, "splice_some"))
		return splice_some(argv[2], argv[3], argv[4]);
	if (argc == 3 && !strcmp(what, "stay_mapped"))
		return stay_mapped(argv[2]);
	if (argc == 4 && !strcmp(what, "hold"))
		return hold(argv[2], argv[3]);
	if (argc == 5 && !strcmp(what, "woken"))
		return woken(argv[2], argv[3], argv[4]);
	if (argc == 5 && !strcmp(what, "interrupted"))
		return interrupted(argv[2], argv[3], argv[4]);
	if (argc == 3 && !strcmp(what, "get_reader"))
		return get_reader(argv[2]);
	if (argc == 4 && !strcmp(what, "take_turns"))
		return take_turns(argv[2], argv[3]);
	if (argc == 3 && !strcmp(what, "get_reader_unmapped"))
		return get_reader_unmapped(argv[2]);
	if (argc == 4 && !strcmp(what, "poll_rest"))
		return poll_rest(argv[2], argv[3]);
	if (argc == 4 && !strcmp(what, "sizes"))
		return sizes(argv[2], argv[3]);
	fputs("rawop read|splice|tee|map|types FILE PAGE_SIZE\n"
	      "rawop splice_some r|n FILE LEN\n"
	      "rawop stay_mapped FILE\n"
	      "rawop hold map|splice FILE\n"
	      "rawop woken read|splice|map ioctl|close|off FILE\n"
	      "rawop interrupted read|splice|map stop|restart|handler FILE\n"
	      "rawop get_reader FILE\n"
	      "rawop take_turns FILE PIPE\n"
	      "rawop get_reader_unmapped FILE\n"
	      "rawop poll_rest FILE LEN\n"
	      "rawop sizes FILE MSECS\n", stderr);
	return 2;
}
