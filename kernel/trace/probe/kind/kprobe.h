/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes on the kernel.
 */
#ifndef _TRACE_PROBE_KIND_KPROBE_H
#define _TRACE_PROBE_KIND_KPROBE_H

#include <linux/types.h>

struct probe;
struct probe_kind;
struct probe_name;
struct probe_def;
struct trace_event_call;

/**
 * struct probe_kprobe_info - place of a probe
 * @at_return: it is at the return of the function
 * @symbol: the function or another symbol, NULL if it was given by its address
 * @offset: offset from the symbol
 * @address: address, 0 if the current task must not see it
 * @missed: number of missed hits
 */
struct probe_kprobe_info {
	bool		at_return;
	const char	*symbol;
	unsigned long	offset;
	unsigned long	address;
	unsigned long	missed;
};

extern const struct probe_kind *const probe_kprobes;

#ifdef CONFIG_KPROBE_EVENTS
void probe_kprobe_info(const struct trace_event_call *call, struct probe_kprobe_info *info);
bool probe_kprobe_may_override(const struct trace_event_call *call);
#else
static inline void probe_kprobe_info(const struct trace_event_call *call,
				     struct probe_kprobe_info *info)
{
}

static inline bool probe_kprobe_may_override(const struct trace_event_call *call)
{
	return false;
}
#endif

bool probe_kprobe_waits(const struct probe *probe);
struct probe *probe_kprobe_make(struct probe_def *def, struct probe_name *name);

#endif /* _TRACE_PROBE_KIND_KPROBE_H */
