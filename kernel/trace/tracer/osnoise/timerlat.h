/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Header text of the tracer timerlat, and the threads of user space that measure with it.
 */
#ifndef _TRACE_TRACER_OSNOISE_TIMERLAT_H
#define _TRACE_TRACER_OSNOISE_TIMERLAT_H

struct seq_file;
struct timerlat_user;
struct trace_iterator;

void trace_timerlat_header(struct seq_file *m, struct trace_iterator *iter);

struct timerlat_user *trace_timerlat_attach(unsigned int cpu);
int trace_timerlat_cycle(struct timerlat_user *user);
void trace_timerlat_detach(struct timerlat_user *user);

#endif /* _TRACE_TRACER_OSNOISE_TIMERLAT_H */
