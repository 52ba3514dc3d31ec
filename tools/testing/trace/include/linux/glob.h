/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For the kernel's lib/glob.c in user space, and for those who call it.
 */
#ifndef TEST_LINUX_GLOB_H
#define TEST_LINUX_GLOB_H

#include <stdbool.h>
#include <stddef.h>

bool glob_match(char const *pat, char const *str);
/* newer trees have it, and nobody here uses it */
bool glob_match_len(char const *pat, char const *str, size_t len);

#endif
