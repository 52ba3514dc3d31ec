// SPDX-License-Identifier: GPL-2.0
/*
 * ring_stress again, with the thread sanitizer.
 */
#include "ring_stress.c"
