// SPDX-License-Identifier: GPL-2.0
/*
 * Text of the function graph: calls indented like source code.
 *
 * The format is described in Documentation/trace/ftrace.rst, "function graph tracer" and
 * "Dynamic ftrace with the function graph tracer". A line:
 *
 *	 360.774522 |   1)    sh-4802     |   0.541 us    |    d_free();
 *	 time          CPU    task           duration          call
 *
 * Each column is present if its option is set. The latency tracers use the same text with the
 * option display-graph, with columns of their own.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/types.h>

#include <asm/sections.h>

#include "event/core/type.h"
#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/record/cmdlines.h"
#include "instance/tracer/tracer.h"
#include "output/emit.h"
#include "output/entry_text.h"
#include "output/print_fields.h"
#include "output/reader.h"
#include "tracer/graph/graph_header.h"
#include "tracer/graph/graph_text.h"
#include "tracer/graph/graph_options.h"

#define TASK_WIDTH	14
#define TASK_COMM_MAX	7
#define INDENT		2

/* The columns of latency tracers */
#define LATENCY_FLAGS	(GRAPH_REL_TIME | GRAPH_CPU | GRAPH_PROC | GRAPH_OVERHEAD | GRAPH_DURATION)

/* Upper limit for all columns of a line, without the symbol and the indentation. */
#define COLUMNS_MAX	160

/* Duration column of a line without a duration. */
#define NO_DURATION	"              |  "

/**
 * struct graph_text_cpu - state of a CPU in a reader
 * @pid: task of its last line, -1 before the first line
 * @depth: depth of the last line
 * @irq_depth: depth of the first function of an interrupt, -1 outside
 * @open: functions, by depth, whose start was shown, but not their end
 */
struct graph_text_cpu {
	pid_t		pid;
	int		depth;
	int		irq_depth;
	unsigned long	open[GRAPH_DEPTH_MAX];
};

/**
 * struct graph_text_line - a line that is being printed
 * @iter: iterator of the reader
 * @cpu: state of the CPU, NULL without state
 * @flags: the options GRAPH_*
 * @pid: the task
 * @depth: value of cpu->depth after the line
 * @irq_depth: value of cpu->irq_depth after the line
 *
 * A line that does not fit is printed again. So @cpu is not changed before the end of the line.
 */
struct graph_text_line {
	struct trace_iterator	*iter;
	struct graph_text_cpu	*cpu;
	u32			flags;
	pid_t			pid;
	int			depth;
	int			irq_depth;
};

static int graph_text_cpu_width(void)
{
	int width = 1;
	unsigned int n;

	for (n = nr_cpu_ids - 1; n > 9; n /= 10)
		width++;

	return width;
}

static char *graph_text_emit_cpu(char *p, int cpu)
{
	p = emit_char(p, ' ');
	p = emit_dec_right(p, cpu, graph_text_cpu_width(), ' ');

	return emit_mem(p, ") ", 2);
}

/* "   sh-4802    ": centered in the column */
static char *graph_text_emit_task(struct trace_reader *reader, char *p, pid_t pid)
{
	char text[TASK_COMM_LEN + EMIT_DEC_MAX + 2];
	char comm[TASK_COMM_LEN];
	char *end = text;
	int spaces, len;

	trace_find_cmdline(pid, comm, !reader->symbols.no_alloc);
	end = emit_mem(end, comm, strnlen(comm, TASK_COMM_MAX));
	end = emit_int(emit_char(end, '-'), pid);
	len = end - text;
	spaces = max(TASK_WIDTH - len, 0);

	p = emit_fill(p, ' ', spaces / 2);
	p = emit_mem(p, text, len);

	return emit_fill(p, ' ', spaces - spaces / 2);
}

static char *graph_text_emit_abstime(struct trace_reader *reader, char *p)
{
	u64 ts = reader->iter.ts;

	p = reader->in_ns ? emit_time(p, ts, 5) : emit_dec_right(p, ts, 12, ' ');

	return emit_mem(p, " |  ", 4);
}

static char *graph_text_emit_rel_time(struct trace_reader *reader, char *p)
{
	u64 since = reader->iter.ts - reader->first_ts;

	p = emit_dec_right(p, reader->in_ns ? div_u64(since, NSEC_PER_USEC) : since, 9, ' ');

	return emit_mem(p, " us |  ", 7);
}

/* All columns before the duration. */
static char *graph_text_emit_columns(const struct graph_text_line *line, char *p)
{
	struct trace_reader *reader = trace_reader_of(line->iter);

	if (line->flags & GRAPH_ABSTIME)
		p = graph_text_emit_abstime(reader, p);
	if (line->flags & GRAPH_REL_TIME)
		p = graph_text_emit_rel_time(reader, p);
	if (line->flags & GRAPH_CPU)
		p = graph_text_emit_cpu(p, line->iter->cpu);
	if (line->flags & GRAPH_PROC)
		p = emit_mem(graph_text_emit_task(reader, p, line->pid), " | ", 3);
	if (reader->options & TRACE_OPT(LATENCY_FORMAT)) {
		p = emit_char(p, ' ');
		p = trace_emit_context(reader, p);
		p = emit_mem(p, " | ", 3);
	}

	return p;
}

static char *graph_text_emit_duration(const struct graph_text_line *line, char *p, u64 ns)
{
	if (!(line->flags & GRAPH_DURATION))
		return p;

	p = emit_char(p, line->flags & GRAPH_OVERHEAD ? trace_delay_char(ns) : ' ');
	p = emit_us(emit_char(p, ' '), ns);

	return emit_mem(p, "|  ", 3);
}

static char *graph_text_emit_no_duration(const struct graph_text_line *line, char *p)
{
	if (!(line->flags & GRAPH_DURATION))
		return p;

	return emit_mem(p, NO_DURATION, sizeof(NO_DURATION) - 1);
}

static char *graph_text_emit_indent(char *p, int depth)
{
	return emit_fill(p, ' ', clamp(depth, 0, GRAPH_DEPTH_MAX) * INDENT);
}

/* " [ext4]" after the name of a module's function */
static char *graph_text_emit_module(char *p, unsigned long func)
{
#ifdef CONFIG_MODULES
	struct module *mod;

	if (is_kernel(func))
		return p;

	guard(preempt)();

	mod = __module_text_address(func);
	if (mod)
		p = emit_char(emit_str(emit_mem(p, " [", 2), mod->name), ']');
#endif
	return p;
}

static char *graph_text_emit_func(const struct graph_text_line *line, char *p, unsigned long func)
{
	struct trace_reader *reader = trace_reader_of(line->iter);
	unsigned int len;
	const char *text;

	text = symbol_text(&reader->symbols, func, reader->options, &len);
	p = emit_mem(p, text, len);

	/* With an offset, the name of the module is already in the text. */
	return reader->options & TRACE_OPT(SYM_OFFSET) ? p : graph_text_emit_module(p, func);
}

static char *graph_text_line_room(const struct graph_text_line *line)
{
	return seq_room(&line->iter->seq, COLUMNS_MAX + 2 * SYMBOL_TEXT_MAX +
					  ARGS_TEXT_MAX + GRAPH_DEPTH_MAX * INDENT);
}

/*
 * A return value that looks like an error code is shown as one. If the function returns an int,
 * the upper half of the register is 0.
 */
static char *graph_text_emit_retval(const struct graph_text_line *line, char *p,
				    const struct ftrace_graph_ret *ret)
{
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	long value = ret->retval;

	if (!(value >> 31 >> 1) && value >> 31)
		value = (s32)value;

	if (!(line->flags & GRAPH_RETVAL_HEX) && IS_ERR_VALUE(value))
		return emit_int(p, value);

	return emit_hex(emit_mem(p, "0x", 2), ret->retval);
#else
	return p;
#endif
}

/*
 * " /\* <-do_sys_open+0x57/0xa0 ret=0x3 *\/" after a call: its caller and its return value,
 * each if it is to be shown. The text is that of Linux 6.12 if only the return value is shown,
 * and with funcgraph-retaddr that of 6.13, which introduced the option.
 */
static char *graph_text_emit_comment(const struct graph_text_line *line, char *p,
				     unsigned long retaddr,
				     const struct ftrace_graph_ret *ret)
{
	bool retval = ret && line->flags & GRAPH_RETVAL;

	if (!retaddr && !retval)
		return p;

	p = emit_mem(p, " /*", 3);
	if (retaddr)
		p += scnprintf(p, SYMBOL_TEXT_MAX, " <-%pS", (void *)retaddr);
	if (retval)
		p = graph_text_emit_retval(line, emit_str(p, line->flags & GRAPH_RETADDR ?
						  " ret=" : " = "), ret);
	return emit_mem(p, " */", 3);
}

/* Print three lines if the task differs from the task of the CPU's last line. */
static void graph_text_print_switch(const struct graph_text_line *line)
{
	static const char ruler[] = " ------------------------------------------\n";
	struct trace_reader *reader = trace_reader_of(line->iter);
	char *p;

	if (!line->cpu || line->cpu->pid == -1 || line->cpu->pid == line->pid)
		return;

	p = seq_room(&line->iter->seq, 2 * sizeof(ruler) + COLUMNS_MAX);
	if (!p)
		return;

	p = emit_mem(p, ruler, sizeof(ruler) - 1);
	p = graph_text_emit_cpu(p, line->iter->cpu);
	p = graph_text_emit_task(reader, p, line->cpu->pid);
	p = emit_mem(p, " => ", 4);
	p = graph_text_emit_task(reader, p, line->pid);
	p = emit_char(p, '\n');
	p = emit_mem(p, ruler, sizeof(ruler) - 1);
	seq_upto(&line->iter->seq, emit_char(p, '\n'));
}

static void graph_text_print_irq_arrow(const struct graph_text_line *line, const char *arrow)
{
	char *p = graph_text_line_room(line);

	if (!p)
		return;

	p = graph_text_emit_columns(line, p);
	if (line->flags & GRAPH_DURATION)
		p = emit_mem(p, "  ", 2);
	p = emit_str(p, arrow);
	seq_upto(&line->iter->seq, emit_str(p, " |\n"));
}

/* The architecture may mark the entry functions of interrupts, or have no such functions. */
static bool graph_text_begins_irq(const struct graph_ent_entry *entry)
{
	unsigned long func = entry->graph_ent.func;

	return entry->ent.flags & TRACE_FLAG_HARDIRQ ||
	       (func >= (unsigned long)__irqentry_text_start &&
		func < (unsigned long)__irqentry_text_end);
}

/* "name [module](x=1)", from the entry of the call, or "name [module]()" */
static char *graph_text_emit_call(const struct graph_text_line *line, char *p, unsigned long func)
{
	struct trace_reader *reader = trace_reader_of(line->iter);
	const struct graph_retaddr_entry *with_retaddr = (const void *)line->iter->ent;
	const struct graph_ent_entry *entry = (const void *)line->iter->ent;
	bool retaddr = entry->ent.type == TRACE_GRAPH_RETADDR_ENT;
	unsigned int nr = retaddr ? args_of(line->iter, with_retaddr) :
				    args_of(line->iter, entry);

	p = graph_text_emit_func(line, p, func);
	if (likely(!nr))
		return emit_mem(p, "()", 2);

	return trace_emit_args(reader, p, func,
			       retaddr ? (void *)with_retaddr->args : (void *)entry->args, nr);
}

/* Print the line of an entry whose return is not on the same line. */
static void graph_text_print_entry(struct graph_text_line *line, const struct ftrace_graph_ent *ent,
				   unsigned long retaddr)
{
	char *p = graph_text_line_room(line);

	if (!p)
		return;

	p = graph_text_emit_columns(line, p);
	p = graph_text_emit_no_duration(line, p);
	p = graph_text_emit_indent(p, ent->depth);
	p = graph_text_emit_call(line, p, ent->func);
	p = graph_text_emit_comment(line, emit_mem(p, " {", 2), retaddr, NULL);
	seq_upto(&line->iter->seq, emit_char(p, '\n'));
}

static void graph_text_print_overrun(const struct graph_text_line *line,
				     const struct ftrace_graph_ret *ret)
{
	if (line->flags & GRAPH_OVERRUN)
		trace_seq_printf(&line->iter->seq, " (Overruns: %u)\n", ret->overrun);
}

/* Print entry and return of a function that made no call, or only untraced calls. */
static void graph_text_print_leaf(struct graph_text_line *line, const struct ftrace_graph_ret *ret,
				  unsigned long retaddr)
{
	char *p = graph_text_line_room(line);

	if (!p)
		return;

	p = graph_text_emit_columns(line, p);
	p = graph_text_emit_duration(line, p, ret->rettime - ret->calltime);
	p = graph_text_emit_indent(p, ret->depth);
	p = graph_text_emit_call(line, p, ret->func);
	p = graph_text_emit_comment(line, emit_char(p, ';'), retaddr, ret);
	seq_upto(&line->iter->seq, emit_char(p, '\n'));
	graph_text_print_overrun(line, ret);
}

/* The next entry of the CPU, if it is the return of the current entry. */
static const struct graph_ret_entry *graph_text_next_return(struct trace_iterator *iter)
{
	const struct graph_ret_entry *next;
	const struct graph_ent_entry *entry;
	int size;
	u64 ts;

	next = (const void *)trace_reader_peek(iter, &ts, &size);
	/* trace_reader_peek() may have copied the current entry: reload the pointer. */
	entry = (const struct graph_ent_entry *)iter->ent;
	if (!next || next->ent.type != TRACE_GRAPH_RET ||
	    next->ent.pid != entry->ent.pid ||
	    next->ret.func != entry->graph_ent.func ||
	    next->ret.depth != entry->graph_ent.depth)
		return NULL;

	return next;
}

/*
 * The function of the last open call at a depth. A return at that depth ends it; otherwise its
 * end is never shown.
 */
static unsigned long *graph_text_open_at(const struct graph_text_line *line, int depth)
{
	if (!line->cpu || depth < 0 || depth >= GRAPH_DEPTH_MAX)
		return NULL;

	return &line->cpu->open[depth];
}

static void graph_text_begin_irq(struct graph_text_line *line, const struct graph_ent_entry *entry)
{
	if (line->cpu && line->irq_depth < 0 && graph_text_begins_irq(entry)) {
		graph_text_print_irq_arrow(line, "==========>");
		line->irq_depth = entry->graph_ent.depth;
	}
}

static void graph_text_end_irq(struct graph_text_line *line, int depth)
{
	if (line->cpu && line->irq_depth >= 0 && depth <= line->irq_depth) {
		graph_text_print_irq_arrow(line, "<==========");
		line->irq_depth = -1;
	}
}

/* Return address of the call of an entry, 0 if it is not to be shown. */
static unsigned long graph_text_retaddr_of(const struct graph_text_line *line)
{
	const struct graph_retaddr_entry *entry = (const void *)line->iter->ent;

	if (!(line->flags & GRAPH_RETADDR) || entry->ent.type != TRACE_GRAPH_RETADDR_ENT)
		return 0;

	return entry->retaddr;
}

static void graph_text_entry_line(struct graph_text_line *line)
{
	struct trace_iterator *iter = line->iter;
	const struct graph_ret_entry *next = graph_text_next_return(iter);
	const struct graph_ent_entry *entry = (const void *)iter->ent;
	struct ftrace_graph_ent ent = entry->graph_ent;
	unsigned long *open = graph_text_open_at(line, ent.depth);
	unsigned long retaddr = graph_text_retaddr_of(line);

	graph_text_begin_irq(line, entry);
	if (next) {
		graph_text_print_leaf(line, &next->ret, retaddr);
		trace_reader_join(iter);
		graph_text_end_irq(line, ent.depth);
		line->depth = ent.depth - 1;
	} else {
		graph_text_print_entry(line, &ent, retaddr);
		line->depth = ent.depth;
	}

	if (open && !trace_seq_has_overflowed(&iter->seq))
		*open = next ? 0 : ent.func;
}

static void graph_text_return_line(struct graph_text_line *line)
{
	const struct graph_ret_entry *entry = (const void *)line->iter->ent;
	struct ftrace_graph_ret ret = entry->ret;
	unsigned long *open = graph_text_open_at(line, ret.depth);
	char *p = graph_text_line_room(line);

	if (!p)
		return;

	p = graph_text_emit_columns(line, p);
	p = graph_text_emit_duration(line, p, ret.rettime - ret.calltime);
	p = emit_char(graph_text_emit_indent(p, ret.depth), '}');
	if (!open || *open != ret.func || line->flags & (GRAPH_TAIL | GRAPH_RETVAL)) {
		p = graph_text_emit_func(line, emit_str(p, " /* "), ret.func);
		if (line->flags & GRAPH_RETVAL)
			p = graph_text_emit_retval(line, emit_str(p, line->flags & GRAPH_RETADDR ?
							  " ret=" : " = "), &ret);
		p = emit_str(p, " */");
	}
	seq_upto(&line->iter->seq, emit_char(p, '\n'));
	graph_text_print_overrun(line, &ret);
	graph_text_end_irq(line, ret.depth);
	line->depth = ret.depth - 1;

	if (open && !trace_seq_has_overflowed(&line->iter->seq))
		*open = 0;
}

/* The text of any other entry, for a comment. */
static void graph_text_print(struct trace_iterator *iter)
{
	struct trace_reader *reader = trace_reader_of(iter);
	struct trace_event *event = trace_event_find(iter->ent->type);
	struct print_entry *print = (struct print_entry *)iter->ent;
	struct bprint_entry *bprint = (struct bprint_entry *)iter->ent;
	struct bputs_entry *bputs = (struct bputs_entry *)iter->ent;
	bool saved;

	/* For trace_printk(), print only the text. */
	switch (iter->ent->type) {
	case TRACE_PRINT:
		trace_seq_putmem(&iter->seq, print->buf,
				 strnlen(print->buf, iter->ent_size -
					 offsetof(struct print_entry, buf)));
		break;
	case TRACE_BPRINT:
		trace_seq_bprintf(&iter->seq, bprint->fmt, bprint->buf);
		break;
	case TRACE_BPUTS:
		trace_seq_puts(&iter->seq, bputs->str);
		break;
	default:
		saved = trace_is_saved_event(iter);
		if (saved && trace_print_fields(iter))
			break;
		if (!saved && event && event->funcs->trace)
			event->funcs->trace(iter, reader->options, event);
		else
			trace_seq_printf(&iter->seq, "Unknown type %d",
					 iter->ent->type);
	}
}

static void graph_text_comment_line(struct graph_text_line *line)
{
	struct trace_seq *s = &line->iter->seq;
	char *p = graph_text_line_room(line);

	if (!p)
		return;

	p = graph_text_emit_columns(line, p);
	p = graph_text_emit_no_duration(line, p);
	p = graph_text_emit_indent(p, line->depth + 1);
	seq_upto(s, emit_str(p, "/* "));

	graph_text_print(line->iter);
	if (!trace_seq_has_overflowed(s) && s->buffer[s->seq.len - 1] == '\n')
		s->seq.len--;
	trace_seq_puts(s, " */\n");
}

/* Reset the state when the reader starts from the beginning. */
static void graph_text_cpus_reset(struct graph_text_cpu *cpus)
{
	unsigned int cpu;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		cpus[cpu] = (struct graph_text_cpu) {
			.pid		= -1,
			.depth		= -1,
			.irq_depth	= -1,
		};
	}
}

static u32 graph_text_flags_of(struct trace_iterator *iter)
{
	return iter->trace->keeps_max ? LATENCY_FLAGS : READ_ONCE(*trace_graph_flags(iter->tr));
}

static struct graph_text_line graph_text_line_of(struct trace_iterator *iter)
{
	struct graph_text_cpu *cpus = iter->private;
	struct graph_text_line line = {
		.iter		= iter,
		.flags		= graph_text_flags_of(iter),
		.pid		= iter->ent->pid,
		.depth		= -1,
		.irq_depth	= -1,
	};

	if (cpus) {
		line.cpu = &cpus[iter->cpu];
		line.depth = line.cpu->depth;
		line.irq_depth = line.cpu->irq_depth;
	}
	return line;
}

/* Stacks have lines of their own, and so do entries printed with options for numbers. */
static bool graph_text_is_left_to_type(struct trace_iterator *iter)
{
	u64 numbers = TRACE_OPT(BIN) | TRACE_OPT(HEX) | TRACE_OPT(RAW) |
		      TRACE_OPT(FIELDS);

	return trace_reader_of(iter)->options & numbers ||
	       iter->ent->type == TRACE_STACK || iter->ent->type == TRACE_USER_STACK;
}

/**
 * graph_print_line - print an entry, tracer.line of function_graph
 * @iter: iterator of a reader
 */
enum print_line_t graph_print_line(struct trace_iterator *iter)
{
	struct graph_text_line line;

	if (graph_text_is_left_to_type(iter))
		return TRACE_TYPE_UNHANDLED;

	if (!iter->idx && iter->private)
		graph_text_cpus_reset(iter->private);

	line = graph_text_line_of(iter);
	graph_text_print_switch(&line);
	switch (iter->ent->type) {
	case TRACE_GRAPH_ENT:
	case TRACE_GRAPH_RETADDR_ENT:
		graph_text_entry_line(&line);
		break;
	case TRACE_GRAPH_RET:
		graph_text_return_line(&line);
		break;
	default:
		graph_text_comment_line(&line);
	}

	if (line.cpu && !trace_seq_has_overflowed(&iter->seq)) {
		line.cpu->pid = line.pid;
		line.cpu->depth = line.depth;
		line.cpu->irq_depth = line.irq_depth;
	}
	return trace_handle_return(&iter->seq);
}

/**
 * graph_print_header - print the header, tracer.header of function_graph
 * @m: destination
 * @iter: iterator of a reader
 */
void graph_print_header(struct seq_file *m, struct trace_iterator *iter)
{
	graph_print_columns(m, trace_reader_of(iter), graph_text_flags_of(iter));
}

/**
 * graph_open - prepare a reader, tracer.open of function_graph
 * @iter: iterator of the reader
 *
 * Return: 0 or -ENOMEM
 */
int graph_open(struct trace_iterator *iter)
{
	struct graph_text_cpu *cpus = kvcalloc(nr_cpu_ids, sizeof(*cpus), GFP_KERNEL);

	if (!cpus)
		return -ENOMEM;

	graph_text_cpus_reset(cpus);
	iter->private = cpus;

	return 0;
}

/**
 * graph_close - release the state of a reader, tracer.close of function_graph
 * @iter: iterator of the reader
 */
void graph_close(struct trace_iterator *iter)
{
	kvfree(iter->private);
}
