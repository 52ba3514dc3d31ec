/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All that hist/hist_map.c needs from outside. The user-space harness has a header of this name of
 * its own, see tools/testing/trace/.
 */
#ifndef _TRACE_HIST_ENV_H
#define _TRACE_HIST_ENV_H

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/types.h>

#endif /* _TRACE_HIST_ENV_H */
