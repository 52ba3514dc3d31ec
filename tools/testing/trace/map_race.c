// SPDX-License-Identifier: GPL-2.0
/*
 * map_test again, with the thread sanitizer.
 */
#include "map_test.c"
