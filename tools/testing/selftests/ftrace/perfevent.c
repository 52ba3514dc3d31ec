// SPDX-License-Identifier: GPL-2.0
/*
 * perfevent [OPTION...] ID PROGRAM [ARGUMENT...] - a trace event as a perf event
 *
 * Runs PROGRAM with a perf event for the trace event with the number ID, and prints how often
 * it was counted, the number of samples with its entry, and how many of these are of the type
 * ID. If a system call fails, it prints its name and the errno, and PROGRAM is not run.
 *
 *	-k RETURN	ID is FUNCTION[+OFFSET] or 0xADDRESS: an event of perf's type kprobe, at the
 *			return if RETURN is 1; the number of samples of its type is not counted
 *	-f FILTER	the filter of the event; several filters are set one after another
 *	-u UID		program and event belong to this user, and the event does not
 *			count the kernel's activity
 *	-a		counts on CPU 0, whatever task runs there, and not only the program
 *	-c		counts only: there are no samples
 *	-p PERIOD	there is a sample every PERIOD times, and not each time
 *	-F FREQUENCY	there are FREQUENCY samples per second
 *	-g		samples have stacks of the kernel
 *	-G		samples also have stacks of user space
 *	-i		children of the program are also counted, but have no samples
 *	-n NTH		the NTH allocation of opening the event and setting the filter fails; the
 *			first line has "left" if there are fewer
 *	-v		prints each sample of ftrace:function: the address of the function,
 *			the address of its caller, and with -g the stack
 *
 * It ends after a minute in any case, and leaves nothing behind.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGES		64
#define MOST_FILTERS	4
#define SECONDS		60

static const char *filters[MOST_FILTERS], *nth, *place;
static int nr_filters, user, period = 1, is_return;
static bool frequency, whole_cpu, count_only, stacks, user_stacks, children, verbose;

/* When this process exits, the other one is also killed. */
static int fail(const char *what)
{
	printf("%s:%d\n", what, errno);
	return 1;
}

static int parse(int argc, char **argv)
{
	int c;

	/* + does not parse the options of PROGRAM */
	while ((c = getopt(argc, argv, "+f:k:n:p:u:F:acgGiv")) != -1) {
		switch (c) {
		case 'f':
			if (nr_filters == MOST_FILTERS)
				return 0;
			filters[nr_filters++] = optarg;
			break;
		case 'k':
			place = "";
			is_return = atoi(optarg);
			break;
		case 'n':
			nth = optarg;
			break;
		case 'u':
			user = atoi(optarg);
			break;
		case 'p':
		case 'F':
			frequency = c == 'F';
			period = atoi(optarg);
			break;
		case 'a':
			whole_cpu = true;
			break;
		case 'c':
			count_only = true;
			break;
		case 'G':
			stacks = true;
			user_stacks = true;
			break;
		case 'g':
			stacks = true;
			break;
		case 'i':
			children = true;
			break;
		case 'v':
			verbose = true;
			break;
		default:
			return 0;
		}
	}
	return argc - optind >= 2 ? optind : 0;
}

/* Starts the process that becomes PROGRAM when a byte can be read from the pipe. */
static pid_t start(int from, int to, char **program)
{
	pid_t parent = getpid(), child = fork();
	char byte;

	if (child)
		return child;

	/* Otherwise the pipe would have no end when the other process exits */
	close(to);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent && read(from, &byte, 1) == 1)
		execv(program[0], program);
	_exit(127);
}

static int kprobe_type(void)
{
	FILE *file = fopen("/sys/bus/event_source/devices/kprobe/type", "r");
	int type = -1;

	if (file && fscanf(file, "%d", &type) != 1)
		type = -1;
	if (file)
		fclose(file);
	return type;
}

static void set_place(struct perf_event_attr *attr)
{
	static char name[4096];
	char *plus;

	attr->type = kprobe_type();
	attr->config = is_return;
	if (!strncmp(place, "0x", 2)) {
		attr->kprobe_addr = strtoull(place, NULL, 0);
		return;
	}
	snprintf(name, sizeof(name), "%s", place);
	plus = strchr(name, '+');
	if (plus) {
		*plus = 0;
		attr->probe_offset = strtoull(plus + 1, NULL, 0);
	}
	attr->kprobe_func = (uintptr_t)name;
}

static int event_open(uint64_t id, pid_t child)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = id,
		.sample_period = count_only ? 0 : period,
		.freq = frequency,
		.sample_type = count_only ? 0 :
			       PERF_SAMPLE_RAW | (stacks ? PERF_SAMPLE_CALLCHAIN : 0),
		.exclude_callchain_user = !user_stacks,
		.exclude_kernel = user != 0,
		.inherit = children,
		.disabled = 1,
		.enable_on_exec = !whole_cpu,
	};

	if (place)
		set_place(&attr);
	return syscall(SYS_perf_event_open, &attr, whole_cpu ? -1 : child,
		       whole_cpu ? 0 : -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* See fault-injection.rst. */
static int fail_nth(const char *value)
{
	int fd = open("/proc/self/fail-nth", O_WRONLY);
	int err = fd < 0 || write(fd, value, strlen(value)) < 0;

	close(fd);
	return err;
}

/* Ends the injection of failures. Prints "left" if no failure has occurred. */
static void fail_no_more(void)
{
	int fd = open("/proc/self/fail-nth", O_RDONLY);
	char left[16] = "";

	if (read(fd, left, sizeof(left) - 1) > 0 && atoi(left))
		printf("left\n");
	close(fd);
	fail_nth("0");
}

/* Returns the event, or -1 after it has printed the error. */
static int prepare(uint64_t id, pid_t child)
{
	const char *what = NULL;
	int fd, err = 0, i;

	if (nth && fail_nth(nth)) {
		fail("nth");
		return -1;
	}
	fd = event_open(id, child);
	if (fd < 0)
		what = "open";
	for (i = 0; !what && i < nr_filters; i++)
		if (ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filters[i]))
			what = "filter";
	err = errno;
	if (nth)
		fail_no_more();
	if (!what)
		return fd;
	errno = err;
	fail(what);
	return -1;
}

static void print_function(const char *entry, const uint64_t *stack, uint64_t depth)
{
	uint64_t ip, parent, i;

	memcpy(&ip, entry + 8, sizeof(ip));
	memcpy(&parent, entry + 16, sizeof(parent));
	printf("function %llx %llx", (unsigned long long)ip, (unsigned long long)parent);
	for (i = 0; i < depth; i++)
		printf(" %llx", (unsigned long long)stack[i]);
	printf("\n");
}

static void count_samples(struct perf_event_mmap_page *page, uint64_t id, long *nr,
			  long *ours)
{
	static uint64_t words[65536 / sizeof(uint64_t)];
	char *bytes = (char *)words;
	const struct perf_event_header *header = (void *)words;
	size_t size = PAGES * getpagesize(), i;
	char *data = (char *)page + getpagesize();
	uint64_t at = page->data_tail;
	uint64_t end = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);

	for (; at < end; at += header->size) {
		char *body = bytes + sizeof(*header);
		uint64_t *stack = NULL, depth = 0;
		uint16_t type;

		for (i = 0; i < sizeof(*header); i++)
			bytes[i] = data[(at + i) % size];
		for (; i < header->size; i++)
			bytes[i] = data[(at + i) % size];
		if (header->type == PERF_RECORD_LOST)
			printf("lost\n");
		if (header->type != PERF_RECORD_SAMPLE)
			continue;

		if (stacks) {
			memcpy(&depth, body, sizeof(depth));
			stack = (uint64_t *)body + 1;
			body = (char *)(stack + depth);
		}
		/* the entry follows its size */
		body += sizeof(uint32_t);
		memcpy(&type, body, sizeof(type));
		++*nr;
		*ours += type == id;
		if (verbose)
			print_function(body, stack, depth);
	}
}

int main(int argc, char **argv)
{
	struct perf_event_mmap_page *page = NULL;
	int arg = parse(argc, argv), fd, go[2];
	long nr = 0, ours = 0;
	uint64_t id, count;
	pid_t child;

	if (!arg) {
		fprintf(stderr, "usage: see perfevent.c\n");
		return 2;
	}
	id = strtoull(argv[arg], NULL, 0);
	if (place)
		place = argv[arg];
	alarm(SECONDS);
	/* Only root can monitor a process that has changed its user, unless it permits this */
	if ((user && (setuid(user) || prctl(PR_SET_DUMPABLE, 1))) || pipe2(go, O_CLOEXEC))
		return fail("setup");
	child = start(go[0], go[1], argv + arg + 1);
	if (child < 0)
		return fail("fork");

	fd = prepare(id, child);
	if (fd < 0)
		return 1;
	/* Samples of children would need a buffer for each CPU */
	if (!count_only && !children) {
		page = mmap(NULL, (PAGES + 1) * getpagesize(), PROT_READ | PROT_WRITE,
			    MAP_SHARED, fd, 0);
		if (page == MAP_FAILED)
			return fail("mmap");
	}
	if (whole_cpu && ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		return fail("enable");
	if (write(go[1], "", 1) != 1 || waitpid(child, NULL, 0) != child)
		return fail("run");
	if (read(fd, &count, sizeof(count)) != sizeof(count))
		return fail("read");
	if (page)
		count_samples(page, id, &nr, &ours);
	printf("%llu %ld %ld\n", (unsigned long long)count, nr, ours);
	return 0;
}
