/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User space declarations for the kernel's lib/glob.c and its callers.
 */
#ifndef TEST_LINUX_GLOB_H
#define TEST_LINUX_GLOB_H

#include <stdbool.h>
#include <stddef.h>

bool glob_match(char const *pat, char const *str);
/* Newer trees have it, but it is not used here */
bool glob_match_len(char const *pat, char const *str, size_t len);

#endif
