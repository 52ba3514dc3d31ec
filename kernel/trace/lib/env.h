/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All that lib/ and patch/plan.h need from outside. The user-space harness has
 * a header of this name of its own, see tools/testing/trace/.
 */
#ifndef _TRACE_LIB_ENV_H
#define _TRACE_LIB_ENV_H

#include <linux/bitops.h>
#include <linux/bsearch.h>
#include <linux/errno.h>
#include <linux/glob.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/types.h>

#endif /* _TRACE_LIB_ENV_H */
