// SPDX-License-Identifier: GPL-2.0
/*
 * rawop - what can be done with trace_pipe_raw besides reading it.
 *
 *	rawop splice MODE FILE LEN	splice(2) into a pipe; MODE r, or n not to wait
 *	rawop map FILE			map it, until SIGTERM
 *
 * Both print the outcome, a number of bytes or the error as strerrorname_np() has it.
 * map says "mapped" once all is there; at the end it asks for the reader's page and
 * prints how many events the ring has seen, how many were overwritten, how many read
 * and how many are in the page that it is given, as Documentation/trace/ring-buffer-map.rst
 * tells.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define GET_READER	_IO('R', 0x20)

/* the first page of the mapping, as linux/trace_mmap.h has it */
struct meta {
	uint32_t	meta_page_size;
	uint32_t	meta_struct_len;
	uint32_t	subbuf_size;
	uint32_t	nr_subbufs;
	struct {
		uint64_t	lost_events;
		uint32_t	id;
		uint32_t	read;
	} reader;
	uint64_t	flags;
	uint64_t	entries;
	uint64_t	overrun;
	uint64_t	read;
};

static int failed(void)
{
	puts(strerrorname_np(errno));
	return 0;
}

static int do_splice(const char *mode, const char *file, size_t len)
{
	int fd = open(file, O_RDONLY), pipes[2];
	ssize_t ret;

	if (fd < 0 || pipe(pipes))
		return failed();
	ret = splice(fd, NULL, pipes[1], NULL, len, *mode == 'n' ? SPLICE_F_NONBLOCK : 0);
	if (ret < 0)
		return failed();
	printf("%zd\n", ret);
	return 0;
}

/* Events of a page, by the format in events/header_event. */
static unsigned int events_in(const uint8_t *page)
{
	uint64_t end = *(const uint64_t *)(page + 8) & 0xfffff;
	const uint8_t *data = page + 16;
	unsigned int nr = 0, at = 0;
	uint32_t event, next;

	while (at < end) {
		memcpy(&event, data + at, 4);
		memcpy(&next, data + at + 4, 4);
		switch (event & 31) {
		case 29:
			at += 4 + next;
			break;
		case 30:
		case 31:
			at += 8;
			break;
		case 0:
			nr++;
			at += 4 + next;
			break;
		default:
			nr++;
			at += 4 + (event & 31) * 4;
		}
	}
	return nr;
}

static int do_map(const char *file)
{
	int fd = open(file, O_RDONLY | O_NONBLOCK), sig;
	const struct meta *meta;
	const uint8_t *data;
	sigset_t term;
	size_t size;

	if (fd < 0)
		return failed();
	meta = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, fd, 0);
	if (meta == MAP_FAILED)
		return failed();
	size = (size_t)meta->subbuf_size * meta->nr_subbufs;
	data = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, meta->meta_page_size);
	if (data == MAP_FAILED)
		return failed();

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, NULL);
	puts("mapped");
	fflush(stdout);
	sigwait(&term, &sig);

	if (ioctl(fd, GET_READER))
		return failed();
	printf("%llu %llu %llu %u\n", (unsigned long long)meta->entries,
	       (unsigned long long)meta->overrun, (unsigned long long)meta->read,
	       events_in(data + (size_t)meta->reader.id * meta->subbuf_size));
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 5 && !strcmp(argv[1], "splice"))
		return do_splice(argv[2], argv[3], strtoul(argv[4], NULL, 0));
	if (argc == 3 && !strcmp(argv[1], "map"))
		return do_map(argv[2]);
	fputs("rawop splice r|n FILE LEN, rawop map FILE\n", stderr);
	return 2;
}
