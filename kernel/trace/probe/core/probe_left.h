/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waiting for the hits of probes that were unregistered. One wait is enough for all probes that
 * were unregistered before it began.
 */
#ifndef _TRACE_PROBE_CORE_PROBE_LEFT_H
#define _TRACE_PROBE_CORE_PROBE_LEFT_H

#include <linux/cleanup.h>
#include <linux/mutex.h>

/**
 * struct probe_left - unregistered probes of a kind
 * @lock: protects the other fields
 * @nr: number of unregistrations
 * @done: number of those whose hits have ended
 * @wait: waits for the hits of all probes that are unregistered by now
 */
struct probe_left {
	/* see ftrace-design.rst, "Locks" */
	struct mutex	lock;
	unsigned long	nr;
	unsigned long	done;
	void		(*wait)(void);
};

#define PROBE_LEFT_INIT(name, function)	\
	{ .lock = __MUTEX_INITIALIZER(name.lock), .wait = function }

/* probe_left_add - note that a probe was unregistered; return the number for probe_left_wait() */
static inline unsigned long probe_left_add(struct probe_left *left)
{
	guard(mutex)(&left->lock);

	return ++left->nr;
}

/* probe_left_wait - wait until the probe with this number, or 0, is no longer being hit */
static inline void probe_left_wait(struct probe_left *left, unsigned long number)
{
	unsigned long last;

	guard(mutex)(&left->lock);

	if (number <= left->done)
		return;
	last = left->nr;
	left->wait();
	left->done = last;
}

#endif /* _TRACE_PROBE_CORE_PROBE_LEFT_H */
