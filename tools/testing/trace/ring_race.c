// SPDX-License-Identifier: GPL-2.0
/*
 * ring_stress once more, under the sanitizer that watches threads.
 */
#include "ring_stress.c"
