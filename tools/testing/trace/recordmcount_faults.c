// SPDX-License-Identifier: GPL-2.0
/*
 * Injects rare failures into recordmcount, when it is preloaded. $FAULT selects the failure:
 *
 *	killed		the program is killed when it is about to rename
 *	stopped		it gets SIGTERM then, and continues if it can
 *	full:N		the disk is full after N bytes
 *	readonly	no file can be created
 *	lost		the new file's data is lost, as close() reports
 *	alloc:N		the Nth allocation fails (first is 0)
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recordmcount_test.h"

static int tmp_fd = -1;

static int is_fault(const char *name, long *arg)
{
	const char *fault = getenv("FAULT");
	size_t len = strlen(name);

	if (!fault || strncmp(fault, name, len))
		return 0;
	if (arg)
		*arg = atol(fault + len);
	return 1;
}

int rename(const char *from, const char *to)
{
	static int (*real)(const char *, const char *);

	if (is_fault("killed", NULL))
		raise(SIGKILL);
	if (is_fault("stopped", NULL))
		raise(SIGTERM);
	real = dlsym(RTLD_NEXT, "rename");
	return real(from, to);
}

int mkstemp(char *template)
{
	static int (*real)(char *);

	if (is_fault("readonly", NULL)) {
		errno = EACCES;
		return -1;
	}
	real = dlsym(RTLD_NEXT, "mkstemp");
	tmp_fd = real(template);
	return tmp_fd;
}

/* writes in two halves, as write() may */
ssize_t write(int fd, const void *data, size_t size)
{
	static ssize_t (*real)(int, const void *, size_t);
	static long written;
	long space;

	real = dlsym(RTLD_NEXT, "write");
	if (fd != tmp_fd)
		return real(fd, data, size);
	if (size > 1)
		size /= 2;
	if (is_fault("full:", &space)) {
		if (written >= space) {
			errno = ENOSPC;
			return -1;
		}
		if (size > space - written)
			size = space - written;
	}
	written += size;
	return real(fd, data, size);
}

int close(int fd)
{
	static int (*real)(int);

	real = dlsym(RTLD_NEXT, "close");
	if (fd == tmp_fd && is_fault("lost", NULL)) {
		real(fd);
		errno = EIO;
		return -1;
	}
	return real(fd);
}

static int allocation_fails(void)
{
	static long count;
	long which;

	return is_fault("alloc:", &which) && count++ == which;
}

void *malloc(size_t size)
{
	return allocation_fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t num, size_t size)
{
	return allocation_fails() ? NULL : __libc_calloc(num, size);
}

void *realloc(void *old, size_t size)
{
	return allocation_fails() ? NULL : __libc_realloc(old, size);
}
