/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface for dumps that read a ring, in addition to <linux/ring_buffer.h>.
 */
#ifndef _TRACE_RING_READ_H
#define _TRACE_RING_READ_H

#include <linux/types.h>

void ring_buffer_set_trylock(bool on);

#endif /* _TRACE_RING_READ_H */
