// SPDX-License-Identifier: GPL-2.0
/*
 * rawpage - what is in the pages of trace_pipe_raw and snapshot_raw.
 *
 * Takes the pages by read(2), splice(2) or mmap(2), goes over their events as
 * events/header_page and header_event describe them, and prints the text of each
 * entry of trace_marker on a line of its own, and "lost N" where a page says so.
 * What is no such entry counts as "other". A page that makes no sense ends it with
 * status 1, a wrong command line with 2.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "../kselftest.h"

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
static unsigned long others;

static void broken(const char *what)
{
	printf("bad page: %s\n", what);
	exit(1);
}

static void see_entry(const unsigned char *data, size_t len)
{
	uint16_t type;

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

static void by_map(int fd)
{
	struct meta *meta = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, fd, 0);
	size_t size;
	char *data;

	if (meta == MAP_FAILED) {
		printf("mmap: %s\n", strerror(errno));
		return;
	}
	page_size = meta->subbuf_size;
	size = page_size * meta->nr_subbufs;
	data = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, meta->meta_page_size);
	if (data == MAP_FAILED) {
		printf("mmap of the data: %s\n", strerror(errno));
		return;
	}
	for (;;) {
		uint32_t id = meta->reader.id, read = meta->reader.read;
		const struct page *reader;

		if (ioctl(fd, GET_READER)) {
			printf("ioctl: %s\n", strerror(errno));
			return;
		}
		/* The same page: what came since. */
		if (meta->reader.id != id)
			read = 0;
		else if (meta->reader.read == read)
			break;
		reader = (void *)(data + page_size * meta->reader.id);
		if (meta->reader.lost_events)
			printf("lost %llu\n", (unsigned long long)meta->reader.lost_events);
		see_page(reader, read);
	}
}

int main(int argc, char **argv)
{
	int fd;

	if (argc != 4) {
		fputs("usage: rawpage read|splice|map FILE PAGE_SIZE\n", stderr);
		return 2;
	}
	page_size = strtoul(argv[3], NULL, 0);
	fd = open(argv[2], O_RDONLY | O_NONBLOCK);
	if (fd < 0) {
		printf("open: %s\n", strerror(errno));
		return 0;
	}
	if (!strcmp(argv[1], "read"))
		by_read(fd);
	else if (!strcmp(argv[1], "splice"))
		by_splice(fd);
	else if (!strcmp(argv[1], "map"))
		by_map(fd);
	else
		return 2;
	if (others)
		printf("other %lu\n", others);
	return 0;
}
