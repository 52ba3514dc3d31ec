// SPDX-License-Identifier: GPL-2.0
/*
 * rawop - what can be done with trace_pipe_raw and snapshot_raw.
 *
 *	rawop read|splice|map FILE PAGE_SIZE	show all pages, taken in that way
 *	rawop splice_some MODE FILE LEN		one splice(2) into a pipe; MODE r, or n
 *						not to wait
 *	rawop stay_mapped FILE			map it, until SIGTERM
 *
 * Pages are shown as events/header_page and header_event describe them: the text of
 * each entry of trace_marker on a line of its own, "lost N" where a page says so, and
 * at the end how many entries were "other". splice_some prints the number of bytes or
 * the error as strerrorname_np() has it. stay_mapped says "mapped" once all is there;
 * at the end it asks for the reader's page and prints how many events the ring has
 * seen, how many were overwritten, how many read and how many are in the page that it
 * is given, as Documentation/trace/ring-buffer-map.rst tells. A page that makes no
 * sense ends it with status 1, a wrong command line with 2.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define TYPE_PADDING	29
#define TYPE_EXTEND	30
#define TYPE_STAMP	31

/* Of the field commit. */
#define MISSED_EVENTS	0x80000000UL
#define MISSED_STORED	0x40000000UL
#define COMMIT_MASK	0x3fffffffUL

/* Number of the entries of trace_marker, and where their text is. */
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
static bool quiet;
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
	if (type == ENTRY_PRINT && len > PRINT_TEXT)
		printf("%s", (const char *)data + PRINT_TEXT);
	else
		others++;
}

/* Prints the event at @p, before @end; returns its length in all. */
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

/* @from: bytes of the data that were seen before */
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

/* Maps all of it; NULL and a message if that cannot be. */
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

	while (meta) {
		uint32_t id = meta->reader.id, read = meta->reader.read;

		if (ioctl(fd, GET_READER)) {
			printf("ioctl: %s\n", strerror(errno));
			return;
		}
		/* The same page: what came since. */
		if (meta->reader.id != id)
			read = 0;
		else if (meta->reader.read == read)
			break;
		if (meta->reader.lost_events)
			printf("lost %llu\n", (unsigned long long)meta->reader.lost_events);
		see_page((void *)(data + page_size * meta->reader.id), read);
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
	if (!strcmp(how, "read"))
		by_read(fd);
	else if (!strcmp(how, "splice"))
		by_splice(fd);
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

static int stay_mapped(const char *file)
{
	int fd = open(file, O_RDONLY | O_NONBLOCK), sig;
	char *data;
	struct meta *meta = map_all(fd, &data);
	sigset_t term;

	if (!meta)
		return 0;
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, NULL);
	puts("mapped");
	fflush(stdout);
	sigwait(&term, &sig);

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

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (argc == 4 && (!strcmp(what, "read") || !strcmp(what, "splice") ||
			  !strcmp(what, "map")))
		return show(what, argv[2], argv[3]);
	if (argc == 5 && !strcmp(what, "splice_some"))
		return splice_some(argv[2], argv[3], argv[4]);
	if (argc == 3 && !strcmp(what, "stay_mapped"))
		return stay_mapped(argv[2]);
	fputs("rawop read|splice|map FILE PAGE_SIZE\n"
	      "rawop splice_some r|n FILE LEN\n"
	      "rawop stay_mapped FILE\n", stderr);
	return 2;
}
