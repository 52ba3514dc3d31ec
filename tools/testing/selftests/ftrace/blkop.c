// SPDX-License-Identifier: GPL-2.0
/*
 * blkop - the ioctls that the program blktrace uses, and the binary stream of a block device.
 *
 * blkop DEVICE COMMAND...	runs the commands in order, and prints the result of each: 0 or an
 *				errno.
 *				COMMAND is setup=SIZE,NUMBER,MASK (size and number of buffers, and
 *				categories; also prints the name of the directory, if there is
 *				one), start, stop, teardown, bad-address (a setup without a
 *				structure), read-only (a setup that cannot write the name back),
 *				hungry=N (the Nth allocation from here on fails) or fed (no
 *				allocation fails; prints 1 if there were fewer than N, or 0)
 * blkop - events		prints the stream at standard input, a line for each event: the
 *				action's number, with N in front if it is a note; the categories;
 *				pid, sector, bytes, error; the data as text, or in hexadecimal
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/blktrace_api.h>
#include <linux/fs.h>

#define DATA_MAX	4096

static const char *name_of(int error)
{
	switch (error) {
	case EINVAL: return "EINVAL";
	case EBUSY: return "EBUSY";
	case ENOENT: return "ENOENT";
	case EFAULT: return "EFAULT";
	case ENOTTY: return "ENOTTY";
	case ENOMEM: return "ENOMEM";
	default: return strerror(error);
	}
}

static void do_setup(int fd, const char *sizes)
{
	struct blk_user_trace_setup setup = {};
	unsigned int size, number, mask;

	if (sscanf(sizes, "%u,%u,%i", &size, &number, &mask) != 3)
		exit(2);

	setup.buf_size = size;
	setup.buf_nr = number;
	setup.act_mask = mask;
	if (ioctl(fd, BLKTRACESETUP, &setup))
		printf("%s\n", name_of(errno));
	else
		printf("0 %s\n", setup.name);
}

static void do_read_only(int fd)
{
	struct blk_user_trace_setup *setup;

	setup = mmap(NULL, sizeof(*setup), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	if (setup == MAP_FAILED)
		exit(2);

	setup->buf_size = 4096;
	setup->buf_nr = 4;
	if (mprotect(setup, sizeof(*setup), PROT_READ))
		exit(2);
	printf("%s\n", ioctl(fd, BLKTRACESETUP, setup) ? name_of(errno) : "0");
}

static int faults;

static void do_hungry(const char *nth)
{
	faults = open("/proc/self/fail-nth", O_RDWR);
	/* Printing must not allocate */
	fflush(stdout);
	if (faults < 0 || pwrite(faults, nth, strlen(nth), 0) < 0)
		exit(2);
}

static void do_fed(void)
{
	char left[16] = "";

	if (pread(faults, left, sizeof(left) - 1, 0) < 0 || pwrite(faults, "0", 1, 0) != 1)
		exit(2);
	printf("%d\n", atoi(left) != 0);
}

static void do_command(int fd, const char *command)
{
	unsigned long cmd;

	if (!strncmp(command, "setup=", 6)) {
		do_setup(fd, command + 6);
		return;
	}

	if (!strncmp(command, "hungry=", 7)) {
		do_hungry(command + 7);
		return;
	}

	if (!strcmp(command, "fed")) {
		do_fed();
		return;
	}

	if (!strcmp(command, "read-only")) {
		do_read_only(fd);
		return;
	}

	if (!strcmp(command, "start"))
		cmd = BLKTRACESTART;
	else if (!strcmp(command, "stop"))
		cmd = BLKTRACESTOP;
	else if (!strcmp(command, "teardown"))
		cmd = BLKTRACETEARDOWN;
	else if (!strcmp(command, "bad-address"))
		cmd = BLKTRACESETUP;
	else
		exit(2);

	if (ioctl(fd, cmd, NULL))
		printf("%s\n", name_of(errno));
	else
		printf("0\n");
}

static void print_event(const struct blk_io_trace *event, const unsigned char *data)
{
	unsigned int category = event->action >> BLK_TC_SHIFT;
	unsigned int i;

	printf("%s%u %x %u %llu %u %d ", category & BLK_TC_NOTIFY ? "N" : "",
	       event->action & 0xffff, category, event->pid, event->sector, event->bytes,
	       (int16_t)event->error);
	for (i = 0; i < event->pdu_len; i++) {
		if ((category & BLK_TC_NOTIFY) && isprint(data[i]))
			putchar(data[i]);
		else if (!(category & BLK_TC_NOTIFY))
			printf("%02x", data[i]);
	}
	putchar('\n');
}

/* Fails unless the stream consists of complete events with consecutive numbers. */
static int events(void)
{
	static unsigned char data[DATA_MAX];
	struct blk_io_trace event;
	uint32_t last = 0;

	while (fread(&event, sizeof(event), 1, stdin) == 1) {
		if (event.magic != (BLK_IO_TRACE_MAGIC | BLK_IO_TRACE_VERSION) ||
		    event.pdu_len > sizeof(data) || event.sequence != ++last) {
			printf("bad event %x %u after %u\n", event.magic, event.sequence, last);
			return 1;
		}
		if (event.pdu_len && fread(data, event.pdu_len, 1, stdin) != 1) {
			puts("bad data");
			return 1;
		}
		print_event(&event, data);
	}

	return 0;
}

int main(int argc, char **argv)
{
	int fd, i;

	if (argc == 3 && !strcmp(argv[2], "events"))
		return events();

	if (argc < 3)
		return 2;

	fd = open(argv[1], O_RDONLY);
	if (fd < 0) {
		perror(argv[1]);
		return 2;
	}

	for (i = 2; i < argc; i++)
		do_command(fd, argv[i]);

	return 0;
}
