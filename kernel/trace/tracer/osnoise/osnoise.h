/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Header text of the tracer osnoise.
 */
#ifndef _TRACE_TRACER_OSNOISE_OSNOISE_H
#define _TRACE_TRACER_OSNOISE_OSNOISE_H

struct seq_file;
struct trace_iterator;

void trace_osnoise_header(struct seq_file *m, struct trace_iterator *iter);

#endif /* _TRACE_TRACER_OSNOISE_OSNOISE_H */
