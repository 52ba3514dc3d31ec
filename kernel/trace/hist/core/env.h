/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All interfaces that hist/core/hist_map.c uses. The user-space harness has its own header of this
 * name, see tools/testing/trace/.
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
