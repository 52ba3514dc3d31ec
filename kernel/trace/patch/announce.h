/* SPDX-License-Identifier: GPL-2.0 */
/* Call sites that are not listed: each announces itself when it is executed. */
#ifndef _TRACE_PATCH_ANNOUNCE_H
#define _TRACE_PATCH_ANNOUNCE_H

#include <linux/types.h>

/* Maximum number of sites that can be announced at a time. */
#define FTRACE_ANNOUNCED_MAX	8192

/* Maximum number of sites without a record that a filter change can select at a time. */
#define FTRACE_SELECTED_MAX	512

struct module;

/**
 * struct ftrace_announced_totals - numbers of sites that have no record
 * @pending: announced, and waiting for the thread that makes records
 * @skipped: announcements that found no free slot
 * @left_out: sites that never get a record
 */
struct ftrace_announced_totals {
	unsigned int	pending;
	unsigned long	skipped;
	unsigned int	left_out;
};

#ifdef CONFIG_FTRACE_DISCOVER

/* Do sites announce themselves? Read by entry code. */
extern bool ftrace_announcing;

void ftrace_announce(unsigned long ip);

void ftrace_announce_start(void);
void ftrace_announce_switch(bool on);
bool ftrace_announce_has_failed(void);
unsigned int ftrace_announced_read(unsigned long *ip);
void ftrace_announced_select(const unsigned long *ip, unsigned int nr);
void ftrace_announced_done(unsigned long ip);
void ftrace_announced_forget(unsigned long start, unsigned long end);

bool ftrace_announced_never(unsigned long ip);
void ftrace_announced_leave_out(unsigned long ip);

struct module *ftrace_text_of(unsigned long ip);
unsigned long ftrace_unfound_site(unsigned long ip);

struct ftrace_announced_totals ftrace_announced_totals(void);

#else /* !CONFIG_FTRACE_DISCOVER */

static inline void ftrace_announce_switch(bool on) { }

static inline void ftrace_announced_forget(unsigned long start, unsigned long end) { }

static inline unsigned long ftrace_unfound_site(unsigned long ip)
{
	return 0;
}

static inline struct ftrace_announced_totals ftrace_announced_totals(void)
{
	return (struct ftrace_announced_totals) { };
}

#endif /* CONFIG_FTRACE_DISCOVER */
#endif /* _TRACE_PATCH_ANNOUNCE_H */
