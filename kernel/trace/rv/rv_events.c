// SPDX-License-Identifier: GPL-2.0
/*
 * Trace events of monitors.
 */
#include <linux/types.h>

#define CREATE_TRACE_POINTS
#include <trace/events/rv.h>
