// SPDX-License-Identifier: GPL-2.0
/*
 * perfop SECONDS COMMAND - records that perf gets of changed text while a command runs
 *
 * Opens an event on each CPU that requests PERF_RECORD_TEXT_POKE and PERF_RECORD_KSYMBOL, runs
 * COMMAND by the shell, waits SECONDS, and prints a line for each record in order:
 *
 *	poke ADDRESS OLD NEW		bytes in hex, - if there are no bytes
 *	ksymbol ADDRESS LENGTH TYPE +NAME	or -NAME if it is removed
 *
 * Exits with 0, with 1 if records were lost or COMMAND failed, or with 4 if the kernel has no
 * such events.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGES		256
#define MOST_CPUS	64
#define MOST_RECORDS	65536

/* Some libcs have older copies of the header */
#define RECORD_LOST	2
#define RECORD_KSYMBOL	17
#define RECORD_TEXT_POKE 20

struct record {
	uint64_t time;
	char text[240];
};

static struct record *records;
static int nr_records;
static int failed;

static int event_open(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.ksymbol = 1,
		.text_poke = 1,
	};

	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static char *hex(char *p, const unsigned char *bytes, int nr)
{
	int i;

	if (!nr)
		*p++ = '-';
	/* The first bytes of a trampoline are enough */
	for (i = 0; i < nr && i < 32; i++)
		p += sprintf(p, "%02x", bytes[i]);
	*p = 0;
	return p;
}

static void add(const struct perf_event_header *header)
{
	const unsigned char *body = (const unsigned char *)(header + 1);
	struct record *record = &records[nr_records];
	uint64_t addr;
	char *p = record->text;

	if (header->type == RECORD_LOST || nr_records == MOST_RECORDS - 1)
		failed = 1;
	memcpy(&addr, body, 8);
	memcpy(&record->time, (const char *)header + header->size - 8, 8);
	if (header->type == RECORD_TEXT_POKE) {
		uint16_t old, new;

		memcpy(&old, body + 8, 2);
		memcpy(&new, body + 10, 2);
		p += sprintf(p, "poke %llx ", (unsigned long long)addr);
		p = hex(p, body + 12, old);
		*p++ = ' ';
		hex(p, body + 12 + old, new);
		nr_records++;
	} else if (header->type == RECORD_KSYMBOL) {
		uint32_t len;
		uint16_t type, flags;

		memcpy(&len, body + 8, 4);
		memcpy(&type, body + 12, 2);
		memcpy(&flags, body + 14, 2);
		snprintf(p, sizeof(record->text), "ksymbol %llx %u %u %c%.100s",
			 (unsigned long long)addr,
			 len, type, flags & 1 ? '-' : '+', (const char *)body + 16);
		nr_records++;
	}
}

/* Processes all records of a ring. A record that wraps is copied first. */
static void drain(struct perf_event_mmap_page *page, size_t page_size)
{
	char *data = (char *)page + page_size, copy[65536];
	size_t size = PAGES * page_size;
	uint64_t tail = page->data_tail;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);

	while (tail < head) {
		struct perf_event_header *header = (void *)(data + tail % size);
		size_t i, n = header->size;

		for (i = 0; i < n; i++)
			copy[i] = data[(tail + i) % size];
		add((struct perf_event_header *)copy);
		tail += n;
	}
	__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
}

static int by_time(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

int main(int argc, char **argv)
{
	struct perf_event_mmap_page *ring[MOST_CPUS];
	size_t page_size = sysconf(_SC_PAGESIZE);
	int cpu, i, nr_cpus = 0;

	if (argc != 3)
		return 2;
	records = calloc(MOST_RECORDS, sizeof(*records));
	for (cpu = 0; cpu < MOST_CPUS && records; cpu++) {
		int fd = event_open(cpu);

		if (fd < 0 && errno == ENODEV)
			continue;
		if (fd < 0) {
			if (nr_cpus)
				break;
			perror("perf_event_open");
			return 4;
		}
		ring[nr_cpus] = mmap(NULL, (PAGES + 1) * page_size, PROT_READ | PROT_WRITE,
				     MAP_SHARED, fd, 0);
		if (ring[nr_cpus] == MAP_FAILED) {
			perror("mmap");
			return 1;
		}
		nr_cpus++;
	}
	if (system(argv[2]))
		failed = 1;
	sleep(atoi(argv[1]));
	for (i = 0; i < nr_cpus; i++)
		drain(ring[i], page_size);
	qsort(records, nr_records, sizeof(*records), by_time);
	for (i = 0; i < nr_records; i++)
		puts(records[i].text);
	return failed;
}
