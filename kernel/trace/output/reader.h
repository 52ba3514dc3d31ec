/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reader of a trace: merges the entries of all CPUs in time order and prints them.
 */
#ifndef _TRACE_OUTPUT_READER_H
#define _TRACE_OUTPUT_READER_H

#include <linux/container_of.h>
#include <linux/sched.h>
#include <linux/trace_events.h>

#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "output/func_args.h"
#include "output/symbols.h"

struct seq_file;

/**
 * struct trace_head - next entry of a CPU
 * @event: the entry, or NULL
 * @ts: its time stamp
 * @lost: number of entries lost before it; TRACE_LOST_SOME if the number is unknown
 * @left: number of entries still to be shown, including this one; unused by a consuming reader
 * @skipped: number of entries not shown because they are older than the latency that is shown
 * @saved: the entry is from an earlier boot
 */
struct trace_head {
	struct ring_buffer_event	*event;
	u64				ts;
	unsigned long			lost;
	unsigned long			left;
	unsigned long			skipped;
	bool				saved;
};

#define TRACE_LOST_SOME	(~0UL)

/* Size of name, pid, thread group and CPU at their maximum lengths. */
#define TRACE_TASK_MAX	64

/**
 * struct trace_reader - a reader of a buffer
 * @iter: iterator passed to the functions that print an entry
 * @consuming: entries are consumed; otherwise the buffer is not changed
 * @in_ns: time stamps are nanoseconds
 * @saved: the current entry is from an earlier boot
 * @comms_saved: names of running tasks were already saved for this reader
 * @next_other_ts: no next entry of another CPU is older than this time stamp
 * @copied: the current entry is a copy in iter.temp; the head of its CPU is the entry after it
 * @joined: the next entry is consumed together with the current one
 * @copied_cpu: iter.cpu of the copied entry
 * @copied_size: iter.ent_size of the copied entry
 * @copied_lost: iter.lost_events of the copied entry
 * @copied_ts: iter.ts of the copied entry
 * @max: the latency that the trace belongs to
 * @first_ts: origin of relative times: the time stamp of the first entry, or @max.since
 * @next_ts: time stamp of the entry after the current one; only with latency-format
 * @options: options of the instance, read when the reader last started
 * @name_pid: pid of the task in @name, -1 if there is none
 * @name_len: length of @name
 * @name: name of the task of the last entry
 * @task_pid: pid of the task in @task_text, -1 if there is none
 * @task_cpu: CPU in @task_text
 * @task_len: length of @task_text
 * @task_text: beginning of the lines of that task on that CPU
 * @context: flags and preempt_count shown in @context_text
 * @context_text: five characters; the first is 0 before the first entry
 * @event: output functions for the type of the last entry
 * @symbols: cache of symbol names
 * @args: cache of function prototypes
 * @heads: next entries, indexed by CPU
 */
struct trace_reader {
	struct trace_iterator	iter;
	bool			consuming;
	bool			in_ns;
	bool			saved;
	bool			comms_saved;
	bool			copied;
	bool			joined;
	int			copied_cpu;
	int			copied_size;
	unsigned long		copied_lost;
	u64			copied_ts;
	u64			next_other_ts;
	struct trace_max	max;
	u64			first_ts;
	u64			next_ts;
	u64			options;
	int			name_pid;
	unsigned int		name_len;
	char			name[TASK_COMM_LEN];
	int			task_pid;
	int			task_cpu;
	unsigned int		task_len;
	char			task_text[TRACE_TASK_MAX];
	u16			context;
	char			context_text[5];
	struct trace_event	*event;
	struct symbol_cache	symbols;
	struct args_cache	args;
	struct trace_head	heads[];
};

static inline struct trace_reader *trace_reader_of(struct trace_iterator *iter)
{
	return container_of(iter, struct trace_reader, iter);
}

/* trace_is_saved_event - a trace event from an earlier boot, whose pointers are stale */
static inline bool trace_is_saved_event(struct trace_iterator *iter)
{
	return unlikely(trace_reader_of(iter)->saved) && iter->ent->type >= TRACE_TYPE_FIXED;
}

/* trace_emit_args - write the arguments of a call, see emit_args() */
static inline char *trace_emit_args(struct trace_reader *reader, char *p, unsigned long func,
				    const void *regs, unsigned int nr)
{
	return emit_args(reader->symbols.no_alloc ? NULL : &reader->args, p, func, regs, nr);
}

struct trace_reader *trace_reader_alloc(struct array_buffer *ab, int cpu,
					bool consuming);
bool trace_reader_alloc_temp(struct trace_reader *reader);
void trace_reader_free(struct trace_reader *reader);
int trace_reader_start(struct trace_reader *reader);
void trace_reader_lock(struct trace_reader *reader);
void trace_reader_unlock(struct trace_reader *reader);
int trace_reader_follow(struct trace_reader *reader);
void trace_reader_rewind(struct trace_reader *reader);
void trace_reader_look(struct trace_reader *reader);
bool trace_reader_next(struct trace_reader *reader);
void trace_reader_consumed(struct trace_reader *reader);
bool trace_reader_empty(struct trace_reader *reader);

/* For functions that print an entry. */
struct trace_entry *trace_reader_peek(struct trace_iterator *iter, u64 *ts,
				      int *size);
void trace_reader_join(struct trace_iterator *iter);

char *trace_emit_context(struct trace_reader *reader, char *p);
char trace_delay_char(u64 ns);
enum print_line_t trace_print_entry(struct trace_reader *reader);
void trace_print_usual_header(struct seq_file *m, struct trace_reader *reader);
void trace_print_header(struct seq_file *m, struct trace_reader *reader);
void trace_print_latency(struct seq_file *m, struct trace_reader *reader);

#endif /* _TRACE_OUTPUT_READER_H */
