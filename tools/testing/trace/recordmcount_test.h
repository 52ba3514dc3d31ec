/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations for the tests of recordmcount that no other header has.
 */
#ifndef RECORDMCOUNT_TEST_H
#define RECORDMCOUNT_TEST_H

#include <stddef.h>

/* glibc's allocator, which is used by replaceable functions */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t num, size_t size);
void *__libc_realloc(void *old, size_t size);

/* main() of scripts/recordmcount.c if it is part of a test */
int recordmcount_main(int argc, char **argv);

#endif
