/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a dump needs of reading beyond <linux/ring_buffer.h>.
 */
#ifndef _TRACE_RING_READ_H
#define _TRACE_RING_READ_H

#include <linux/types.h>

void ring_buffer_set_trylock(bool on);

#endif /* _TRACE_RING_READ_H */
