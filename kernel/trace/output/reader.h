/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A reader of a trace: entries of all CPUs in time order, and their text.
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
 * struct trace_head - the next entry of a CPU
 * @event: the entry, NULL for none
 * @ts: its time stamp
 * @lost: entries lost before it; TRACE_LOST_SOME for an unknown number
 * @left: how many entries are still to be shown, this one included; unused by a
 *	reader that consumes
 * @skipped: entries that are not shown, being older than the latency that the trace
 *	is of
 * @saved: it is of an earlier boot
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

/* Name, pid, thread group and CPU, of any length they can have. */
#define TRACE_TASK_MAX	64

/**
 * struct trace_reader - a reader of a buffer
 * @iter: what functions that print an entry get
 * @consuming: entries are consumed; otherwise the buffer stays as it is
 * @in_ns: time stamps are nanoseconds
 * @saved: the current entry is of an earlier boot
 * @comms_saved: names of running tasks were saved for this reader already
 * @next_other_ts: no other CPU's next entry is older than this
 * @copied: the current entry is a copy in iter.temp, the CPU's head is the next
 * @joined: the next is consumed together with the current one
 * @copied_cpu: iter.cpu of the entry that is held
 * @held_size: its iter.ent_size
 * @held_lost: its iter.lost_events
 * @held_ts: its iter.ts
 * @max: the latency that the trace is of
 * @first_ts: where time begins: the time stamp of the first entry, or @max.since
 * @next_ts: time stamp of the entry after the current one; latency-format only
 * @options: of the instance, as they were when the reader last started
 * @name_pid: the task of @name, -1 for none
 * @name_len: length of @name
 * @name: name of the task of the last entry
 * @task_pid: the task of @task_text, -1 for none
 * @task_cpu: the CPU of @task_text
 * @task_len: length of @task_text
 * @task_text: how lines of that task on that CPU begin
 * @context: flags and preempt_count that @context_text is of
 * @context_text: five characters, the first 0 before the first entry
 * @event: how entries are printed of the type that the last one had
 * @symbols: names of addresses
 * @args: how arguments of functions are shown
 * @heads: next entries by CPU
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
	int			held_size;
	unsigned long		held_lost;
	u64			held_ts;
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

/* trace_is_saved_event - it is a trace event of an earlier boot: pointers in it point nowhere */
static inline bool trace_is_saved_event(struct trace_iterator *iter)
{
	return unlikely(trace_reader_of(iter)->saved) && iter->ent->type >= TRACE_TYPE_FIXED;
}

/* trace_emit_args - the arguments of a call, see emit_args() */
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
