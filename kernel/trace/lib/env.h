/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Includes of lib/ and patch/plan.h: all that they need from outside. The user-space harness has
 * its own header of this name, see tools/testing/trace/.
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
