/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of recordmcount use that no other header declares.
 */
#ifndef RECORDMCOUNT_TEST_H
#define RECORDMCOUNT_TEST_H

#include <stddef.h>

/* glibc's own allocator, behind functions that may be replaced */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t num, size_t size);
void *__libc_realloc(void *old, size_t size);

/* main() of scripts/recordmcount.c where it is part of a test */
int recordmcount_main(int argc, char **argv);

#endif
