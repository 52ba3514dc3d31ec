/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes on tracepoints of block devices.
 */
#ifndef _TRACE_TRACER_BLK_BLK_PROBE_H
#define _TRACE_TRACER_BLK_BLK_PROBE_H

int blk_probes_get(void);
void blk_probes_put(void);

#endif /* _TRACE_TRACER_BLK_BLK_PROBE_H */
