/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes on the kernel.
 */
#ifndef _TRACE_PROBE_KPROBE_H
#define _TRACE_PROBE_KPROBE_H

struct probe;
struct probe_kind;
struct probe_name;
struct probe_words;

extern const struct probe_kind *const probe_kprobes;

struct probe *probe_kprobe_make(struct probe_words *words, struct probe_name *name);

#endif /* _TRACE_PROBE_KPROBE_H */
