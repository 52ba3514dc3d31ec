// SPDX-License-Identifier: GPL-2.0
/*
 * Lines of the trace: task, CPU, context and time, then the text of the entry.
 *
 * The formats are those of Documentation/trace/ftrace.rst, "Output format" and the options that
 * change it, with the columns of 6.12 as in Documentation/trace/histogram.rst: the first column
 * of the context also shows whether bottom halves are off, and a fifth one how often migration
 * is disabled.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/utsname.h>

#include "event/core/type.h"
#include "instance/record/cmdlines.h"
#include "instance/core/entries.h"
#include "instance/snapshot/max_latency.h"
#include "instance/core/options.h"
#include "instance/tracer/tracer.h"
#include "instance/record/tgids.h"
#include "output/emit.h"
#include "output/print_fields.h"
#include "output/reader.h"
#include "output/entry_text.h"

/* Upper limit for a prefix: name, pid, CPU, context, two times. */
#define PREFIX_MAX	160

#define COMM_WIDTH	16
#define PID_WIDTH	7
#define TGID_WIDTH	7

static void line_reader_name(struct trace_reader *reader, int pid)
{
	bool may_wait = !reader->symbols.no_alloc;

	if (likely(pid == reader->name_pid))
		return;

	if (!trace_find_cmdline(pid, reader->name, may_wait) && !reader->comms_saved &&
	    may_wait) {
		/* The task may still be running, so that its name has not been saved yet. */
		reader->comms_saved = true;
		trace_cmdlines_save_running();
		trace_find_cmdline(pid, reader->name, may_wait);
	}

	reader->name_len = strlen(reader->name);
	reader->name_pid = pid;
}

/* @width: width of the column; a longer name is cut */
static char *line_emit_task(struct trace_reader *reader, char *p, unsigned int width)
{
	int pid = reader->iter.ent->pid;
	unsigned int len;

	line_reader_name(reader, pid);
	len = min(width, reader->name_len);
	p = emit_fill(p, ' ', width - len);
	p = emit_mem(p, reader->name, len);
	p = emit_char(p, '-');

	return emit_int_left(p, pid, PID_WIDTH);
}

static char line_irqs_char(unsigned int flags)
{
	bool bh_off = flags & TRACE_FLAG_BH_OFF;

	if (flags & TRACE_FLAG_IRQS_OFF)
		return bh_off ? 'D' : 'd';

	if (bh_off)
		return 'b';

	return flags & TRACE_FLAG_IRQS_NOSUPPORT ? 'X' : '.';
}

static char line_resched_char(unsigned int flags)
{
	bool tif = flags & TRACE_FLAG_NEED_RESCHED;
	bool preempt = flags & TRACE_FLAG_PREEMPT_RESCHED;

	if (tif)
		return preempt ? 'N' : 'n';

	return preempt ? 'p' : '.';
}

static char line_context_char(unsigned int flags)
{
	bool hard = flags & TRACE_FLAG_HARDIRQ;
	bool soft = flags & TRACE_FLAG_SOFTIRQ;

	if (flags & TRACE_FLAG_NMI)
		return hard ? 'Z' : 'z';

	if (hard)
		return soft ? 'H' : 'h';

	return soft ? 's' : '.';
}

static char line_depth_char(unsigned int depth)
{
	return depth ? emit_hex_digits[depth & TRACE_DEPTH_MAX] : '.';
}

/**
 * trace_emit_context - write the context of the current entry
 * @reader: after trace_reader_next()
 * @p: destination, with space for five characters
 *
 * Return: the end of the text
 */
char *trace_emit_context(struct trace_reader *reader, char *p)
{
	const struct trace_entry *ent = reader->iter.ent;
	u16 context = ent->flags << 8 | ent->preempt_count;

	/* Most entries have the same context as the entry before. */
	if (unlikely(context != reader->context || !*reader->context_text)) {
		char *text = reader->context_text;

		text = emit_char(text, line_irqs_char(ent->flags));
		text = emit_char(text, line_resched_char(ent->flags));
		text = emit_char(text, line_context_char(ent->flags));
		text = emit_char(text, line_depth_char(ent->preempt_count & 0xf));
		emit_char(text, line_depth_char(ent->preempt_count >> 4));
		reader->context = context;
	}

	return emit_mem(p, reader->context_text, sizeof(reader->context_text));
}

/* " (    123)", or dashes if the thread group is not known */
static char *line_emit_tgid(char *p, int pid)
{
	int tgid = trace_find_tgid(pid);

	p = emit_mem(p, " (", 2);
	p = tgid ? emit_dec_right(p, tgid, TGID_WIDTH, ' ') :
		   emit_fill(p, '-', TGID_WIDTH);

	return emit_char(p, ')');
}

/* Most entries have the same task and CPU as the entry before. */
static void line_reader_task(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;
	char *p;

	p = line_emit_task(reader, reader->task_text, COMM_WIDTH);
	if (reader->options & TRACE_OPT(RECORD_TGID))
		p = line_emit_tgid(p, iter->ent->pid);
	p = emit_mem(p, " [", 2);
	p = emit_dec_right(p, iter->cpu, 3, '0');
	p = emit_mem(p, "] ", 2);

	reader->task_pid = iter->ent->pid;
	reader->task_cpu = iter->cpu;
	reader->task_len = p - reader->task_text;
}

static char *line_emit_prefix(struct trace_reader *reader, char *p)
{
	struct trace_iterator *iter = &reader->iter;

	if (unlikely(iter->ent->pid != reader->task_pid ||
		     iter->cpu != reader->task_cpu))
		line_reader_task(reader);
	p = emit_mem(p, reader->task_text, reader->task_len);

	if (likely(reader->options & TRACE_OPT(IRQ_INFO)))
		p = trace_emit_context(reader, p);
	p = emit_char(p, ' ');

	if (likely(reader->in_ns))
		p = emit_time(p, iter->ts, 5);
	else
		p = emit_dec_right(p, iter->ts, 12, ' ');

	return emit_mem(p, ": ", 2);
}

/**
 * trace_delay_char - get the mark that highlights a long time
 * @ns: the time in nanoseconds
 *
 * Return: the mark, or a space
 */
char trace_delay_char(u64 ns)
{
	static const struct {
		u64	more;
		char	mark;
	} marks[] = {
		{ NSEC_PER_SEC,		'$' },
		{ 100 * NSEC_PER_MSEC,	'@' },
		{ 10 * NSEC_PER_MSEC,	'*' },
		{ 1000 * NSEC_PER_USEC,	'#' },
		{ 100 * NSEC_PER_USEC,	'!' },
		{ 10 * NSEC_PER_USEC,	'+' },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(marks); i++) {
		if (ns > marks[i].more)
			return marks[i].mark;
	}

	return ' ';
}

static char *line_emit_latency_time(struct trace_reader *reader, char *p)
{
	u64 since = reader->iter.ts - reader->first_ts;
	u64 until = reader->next_ts - reader->iter.ts;

	if (!reader->in_ns)
		return emit_mem(emit_dec_right(p, since, 12, ' '), ": ", 2);

	p = emit_dec_right(emit_char(p, ' '), div_u64(since, 1000), 4, ' ');
	p = emit_mem(p, "us", 2);
	p = emit_char(p, trace_delay_char(until));

	return emit_mem(p, ": ", 2);
}

static char *line_emit_latency_prefix(struct trace_reader *reader, char *p)
{
	struct trace_iterator *iter = &reader->iter;

	p = line_emit_task(reader, p, 8);
	p = emit_char(p, ' ');
	p = emit_dec_right(p, iter->cpu, 3, ' ');
	p = trace_emit_context(reader, p);

	return line_emit_latency_time(reader, p);
}

/* "   4000   1 0 00000000 00010a95 [58127d26] 1720.415ms (+0.000ms): " */
static void line_print_verbose_prefix(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;
	u64 since = iter->ts - reader->first_ts;
	u64 until = reader->next_ts - iter->ts;
	u32 ms_rest, until_rest;
	u64 ms, until_ms;

	line_reader_name(reader, iter->ent->pid);
	ms = div_u64_rem(div_u64(since, 1000), 1000, &ms_rest);
	until_ms = div_u64_rem(div_u64(until, 1000), 1000, &until_rest);

	trace_seq_printf(&iter->seq,
			 "%16s %7d %3d %d %08x %08lx [%08llx] %llu.%03ums (+%llu.%03ums): ",
			 reader->name, iter->ent->pid, iter->cpu,
			 iter->ent->flags, iter->ent->preempt_count, iter->idx,
			 div_u64(iter->ts, 1000), ms, ms_rest,
			 until_ms, until_rest);
}

static void line_print_prefix(struct trace_reader *reader)
{
	struct trace_seq *s = &reader->iter.seq;
	bool latency = reader->options & TRACE_OPT(LATENCY_FORMAT);
	char *p;

	if (latency && (reader->options & TRACE_OPT(VERBOSE))) {
		line_print_verbose_prefix(reader);
		return;
	}

	p = seq_room(s, PREFIX_MAX);
	if (!p)
		return;

	seq_upto(s, latency ? line_emit_latency_prefix(reader, p) :
			      line_emit_prefix(reader, p));
}

static void line_print_lost(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;

	if (iter->lost_events == TRACE_LOST_SOME)
		trace_seq_printf(&iter->seq, "CPU:%d [LOST EVENTS]\n",
				 iter->cpu);
	else
		trace_seq_printf(&iter->seq, "CPU:%d [LOST %lu EVENTS]\n",
				 iter->cpu, iter->lost_events);
}

/*
 * If the rings of some CPUs have overwritten entries, the oldest entries are those of the other
 * CPUs: mark the first entry of each CPU.
 */
static void line_print_annotation(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;

	if (!(reader->options & TRACE_OPT(ANNOTATE)) ||
	    !(iter->iter_flags & TRACE_FILE_ANNOTATE) || reader->heads[iter->cpu].skipped)
		return;

	/*
	 * trace_reader_consumed() marks the CPU as started: an entry for which the caller has
	 * no space is printed again, along with this line.
	 */
	if (!cpumask_empty(iter->started) &&
	    !cpumask_test_cpu(iter->cpu, iter->started))
		trace_seq_printf(&iter->seq, "##### CPU %d buffer started ####\n",
				 iter->cpu);
}

/*
 * Output functions of the current entry's type. The last result is cached: entries of the same
 * type are often consecutive.
 *
 * Return: the functions, or NULL if only the fields of the entry can be printed.
 */
static struct trace_event *line_entry_event(struct trace_reader *reader)
{
	unsigned int type = reader->iter.ent->type;

	if (trace_is_saved_event(&reader->iter))
		return NULL;

	if (unlikely(!reader->event || reader->event->type != type))
		reader->event = trace_event_find(type);

	return reader->event;
}

static enum print_line_t line_print_as(struct trace_reader *reader,
				       struct trace_event *event,
				       trace_print_func print)
{
	u64 names = TRACE_OPT(PRINT_PARENT) | TRACE_OPT(SYM_OFFSET) |
		    TRACE_OPT(SYM_ADDR);

	return print(&reader->iter, reader->options & names, event);
}

static enum print_line_t line_print_unknown(struct trace_iterator *iter)
{
	trace_seq_printf(&iter->seq, "Unknown type %d\n", iter->ent->type);

	return trace_handle_return(&iter->seq);
}

/* The context of an entry for tools: its task, CPU and time. */
static void line_print_numbers_prefix(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;
	struct trace_entry *ent = iter->ent;
	struct trace_seq *s = &iter->seq;

	if (reader->options & TRACE_OPT(BIN)) {
		trace_seq_putmem(s, &ent->pid, sizeof(ent->pid));
		trace_seq_putmem(s, &iter->cpu, sizeof(iter->cpu));
		trace_seq_putmem(s, &iter->ts, sizeof(iter->ts));
	} else if (reader->options & TRACE_OPT(HEX)) {
		trace_seq_putmem_hex(s, &ent->pid, sizeof(ent->pid));
		trace_seq_putmem_hex(s, &iter->cpu, sizeof(iter->cpu));
		trace_seq_putmem_hex(s, &iter->ts, sizeof(iter->ts));
	} else {
		trace_seq_printf(s, "%d %d %llu ", ent->pid, iter->cpu, iter->ts);
	}
}

/* Options raw, hex and bin: numbers for tools. */
static enum print_line_t line_print_numbers(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;
	struct trace_event *event = line_entry_event(reader);
	struct trace_event_functions *funcs = event ? event->funcs : NULL;
	trace_print_func func;

	if (reader->options & TRACE_OPT(CONTEXT_INFO))
		line_print_numbers_prefix(reader);

	if (reader->options & TRACE_OPT(BIN)) {
		func = funcs ? funcs->binary : NULL;
		return func ? line_print_as(reader, event, func) :
			      TRACE_TYPE_HANDLED;
	}

	if (reader->options & TRACE_OPT(HEX)) {
		func = funcs ? funcs->hex : NULL;
		if (func)
			line_print_as(reader, event, func);
		trace_seq_putc(&iter->seq, '\n');
		return trace_handle_return(&iter->seq);
	}

	func = funcs ? funcs->raw : NULL;
	if (func)
		return line_print_as(reader, event, func);

	trace_seq_printf(&iter->seq, "%d ?\n", iter->ent->type);

	return trace_handle_return(&iter->seq);
}

static enum print_line_t line_print_text(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;
	struct trace_event *event = line_entry_event(reader);
	bool saved = trace_is_saved_event(iter);
	enum print_line_t ret;

	if (likely(reader->options & TRACE_OPT(CONTEXT_INFO)))
		line_print_prefix(reader);

	if (unlikely(saved || reader->options & TRACE_OPT(FIELDS)) &&
	    trace_print_fields(iter))
		return trace_handle_return(&iter->seq);

	if (unlikely(!event || !event->funcs->trace))
		return line_print_unknown(iter);

	ret = line_print_as(reader, event, event->funcs->trace);

	return likely(ret != TRACE_TYPE_UNHANDLED) ? ret : line_print_unknown(iter);
}

/**
 * trace_print_entry - print the current entry into iter.seq
 * @reader: the reader, after trace_reader_next()
 *
 * A line that is too long even for an empty iter.seq is replaced by "[LINE TOO BIG]".
 *
 * Return: TRACE_TYPE_HANDLED; TRACE_TYPE_NO_CONSUME if the entry must not be consumed yet;
 *	TRACE_TYPE_PARTIAL_LINE if the line does not fit after the text in iter.seq, which is
 *	then unchanged.
 */
enum print_line_t trace_print_entry(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;
	u64 numbers = TRACE_OPT(BIN) | TRACE_OPT(HEX) | TRACE_OPT(RAW);
	size_t start = iter->seq.seq.len;
	enum print_line_t ret = TRACE_TYPE_UNHANDLED;
	size_t line;

	if (unlikely(iter->lost_events) && !iter->trace->shows_lost)
		line_print_lost(reader);
	line_print_annotation(reader);
	line = iter->seq.seq.len;

	if (unlikely(iter->trace->line))
		ret = iter->trace->line(iter);

	if (ret == TRACE_TYPE_UNHANDLED)
		ret = unlikely(reader->options & numbers) ?
		      line_print_numbers(reader) : line_print_text(reader);

	if (likely(!trace_seq_has_overflowed(&iter->seq)))
		return ret;

	iter->seq.full = 0;
	if (start) {
		iter->seq.seq.len = start;
		return TRACE_TYPE_PARTIAL_LINE;
	}

	/*
	 * It must not block the entries after it, nor hide the number of entries lost before
	 * it.
	 */
	iter->seq.seq.len = line;
	trace_seq_puts(&iter->seq, "[LINE TOO BIG]\n");

	return TRACE_TYPE_HANDLED;
}

/* @written: number of entries written, except those already consumed */
static void line_count_entries(struct trace_reader *reader, unsigned long *held,
			       unsigned long *written)
{
	struct trace_buffer *buffer = reader->iter.array_buffer->buffer;
	int only = reader->iter.cpu_file;
	unsigned int cpu;

	*held = 0;
	*written = 0;

	for_each_possible_cpu(cpu) {
		unsigned long n;

		if (only != RING_BUFFER_ALL_CPUS && only != cpu)
			continue;

		n = ring_buffer_entries_cpu(buffer, cpu);
		n -= min(n, reader->heads[cpu].skipped);
		*held += n;
		*written += n;
		/* If older entries are skipped, those that were overwritten are older still. */
		if (!reader->heads[cpu].skipped)
			*written += ring_buffer_overrun_cpu(buffer, cpu);
	}
}

static const char *line_preempt_model(void)
{
	if (preempt_model_rt())
		return "preempt_rt";
	if (preempt_model_full())
		return "preempt";
	if (preempt_model_voluntary())
		return "desktop";

	return "server";
}

/* The places where the latency began and ended. */
static void line_print_places(struct seq_file *m, struct trace_reader *reader)
{
	struct trace_seq *s = &reader->iter.seq;

	trace_seq_init(s);
	trace_print_symbol(&reader->iter, "#  => started at: ",
			   reader->max.start_ip, "\n");
	trace_print_symbol(&reader->iter, "#  => ended at:   ",
			   reader->max.end_ip, "\n");
	seq_printf(m, "%s#\n", seq_buf_str(&s->seq));
	trace_seq_init(s);
}

/**
 * trace_print_latency - print the header of the option latency-format, without the columns
 * @m: destination
 * @reader: reader of the buffer, with the latency to describe
 */
void trace_print_latency(struct seq_file *m, struct trace_reader *reader)
{
	const char *name = reader->iter.trace->name;
	const struct trace_max *max = &reader->max;
	unsigned long held, written;
	int cpu = max->latency ? max->cpu : max(reader->iter.cpu_file, 0);

	line_count_entries(reader, &held, &written);
	seq_printf(m, "# tracer: %s\n#\n", name);
	seq_printf(m, "# %s latency trace v1.1.5 on %s\n", name,
		   init_utsname()->release);
	seq_puts(m, "# --------------------------------------------------------------------\n");
	seq_printf(m, "# latency: %llu us, #%lu/%lu, CPU#%d | (M:%s VP:0, KP:0, SP:0 HP:0 #P:%d)\n",
		   trace_latency_us(max->latency), held, written, cpu,
		   line_preempt_model(), num_online_cpus());
	seq_puts(m, "#    -----------------\n");
	seq_printf(m, "#    | task: %s-%d (uid:%u nice:%d policy:%u rt_prio:%u)\n",
		   max->comm, max->pid, max->uid, max->nice, max->policy,
		   max->rt_priority);
	seq_puts(m, "#    -----------------\n");
	if (max->start_ip)
		line_print_places(m, reader);
	seq_puts(m, "#\n");
}

static void line_print_latency_columns(struct seq_file *m)
{
	seq_puts(m,
		 "#                    _------=> CPU#\n"
		 "#                   / _-----=> irqs-off/BH-disabled\n"
		 "#                  | / _----=> need-resched\n"
		 "#                  || / _---=> hardirq/softirq\n"
		 "#                  ||| / _--=> preempt-depth\n"
		 "#                  |||| / _-=> migrate-disable\n"
		 "#                  ||||| /     delay\n"
		 "#  cmd     pid     |||||| time  |   caller\n"
		 "#     \\   /        ||||||  \\    |   /\n");
}

/* @irqs: show the context of an entry; @tgid: show the thread group */
static void line_print_columns(struct seq_file *m, bool irqs, bool tgid)
{
	const char *name = tgid ? "    TGID  " : "";
	const char *line = tgid ? "      |   " : "";
	const char *gap = tgid ? "          " : "";

	if (!irqs) {
		seq_printf(m, "#           TASK-PID  %s   CPU#     TIMESTAMP  FUNCTION\n",
			   name);
		seq_printf(m, "#              | |    %s     |         |         |\n",
			   line);
		return;
	}

	seq_printf(m, "#                     %s           _-----=> irqs-off/BH-disabled\n", gap);
	seq_printf(m, "#                     %s          / _----=> need-resched\n", gap);
	seq_printf(m, "#                     %s         | / _---=> hardirq/softirq\n", gap);
	seq_printf(m, "#                     %s         || / _--=> preempt-depth\n", gap);
	seq_printf(m, "#                     %s         ||| / _-=> migrate-disable\n", gap);
	seq_printf(m, "#                     %s         |||| /     delay\n", gap);
	seq_printf(m, "#           TASK-PID  %s   CPU#  |||||  TIMESTAMP  FUNCTION\n", name);
	seq_printf(m, "#              | |    %s     |   |||||     |         |\n", line);
}

/**
 * trace_print_usual_header - print the default header of tracers
 * @m: destination
 * @reader: the reader, whose options select the columns
 */
void trace_print_usual_header(struct seq_file *m, struct trace_reader *reader)
{
	unsigned long held, written;

	if (!(reader->options & TRACE_OPT(CONTEXT_INFO))) {
		seq_printf(m, "# tracer: %s\n#\n", reader->iter.trace->name);
		return;
	}

	if (reader->options & TRACE_OPT(LATENCY_FORMAT)) {
		trace_print_latency(m, reader);
		if (!(reader->options & TRACE_OPT(VERBOSE)))
			line_print_latency_columns(m);
		return;
	}

	line_count_entries(reader, &held, &written);
	seq_printf(m, "# tracer: %s\n#\n", reader->iter.trace->name);
	seq_printf(m, "# entries-in-buffer/entries-written: %lu/%lu   #P:%d\n#\n",
		   held, written, num_online_cpus());

	line_print_columns(m, reader->options & TRACE_OPT(IRQ_INFO),
			   reader->options & TRACE_OPT(RECORD_TGID));
}

/**
 * trace_print_header - print the lines before the entries
 * @m: destination
 * @reader: the reader, whose tracer may have a header of its own
 */
void trace_print_header(struct seq_file *m, struct trace_reader *reader)
{
	struct tracer *tracer = reader->iter.trace;

	if (tracer->header)
		tracer->header(m, &reader->iter);
	else
		trace_print_usual_header(m, reader);
}
