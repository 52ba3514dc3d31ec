/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Perf events in a map.
 */
#ifndef _TRACE_BPF_PERF_EVENT_READ_H
#define _TRACE_BPF_PERF_EVENT_READ_H

struct bpf_map;
struct perf_event;

struct perf_event *trace_bpf_event_of(struct bpf_map *map, u64 index);

#endif /* _TRACE_BPF_PERF_EVENT_READ_H */
