/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Perf events of the types kprobe and uprobe.
 */
#ifndef _TRACE_PROBE_CORE_PROBE_PERF_H
#define _TRACE_PROBE_CORE_PROBE_PERF_H

struct perf_event;
struct probe_event;

int probe_perf_begin(struct perf_event *event, struct probe_event *made);
int probe_perf_share(struct perf_event *event);
void probe_perf_end(struct perf_event *event);

#endif /* _TRACE_PROBE_CORE_PROBE_PERF_H */
