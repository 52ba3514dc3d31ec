// SPDX-License-Identifier: GPL-2.0
/*
 * map_test once more, under the sanitizer that watches threads.
 */
#include "map_test.c"
