// SPDX-License-Identifier: GPL-2.0
/*
 * Text of an entry, by its type: the part of a line after the time.
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "instance/record/cmdlines.h"
#include "output/emit.h"
#include "output/entry_text.h"
#include "output/reader.h"

/* Text in an entry need not end with a NUL: another kernel may have written it. */
#define REST(iter, entry, field)					\
	((iter)->ent_size - (int)offsetof(typeof(*(entry)), field))

static char *entry_text_emit_symbol(struct trace_reader *reader, char *p, unsigned long ip)
{
	unsigned int len;
	const char *text;

	text = symbol_text(&reader->symbols, ip, reader->options, &len);

	return emit_mem(p, text, len);
}

/**
 * trace_print_symbol - print the name of an address into iter->seq
 * @iter: iterator of a reader
 * @before: text before the name
 * @ip: the address
 * @after: text after the name
 *
 * Return: false if it does not fit.
 */
bool trace_print_symbol(struct trace_iterator *iter, const char *before,
			unsigned long ip, const char *after)
{
	char *p = seq_room(&iter->seq,
			   strlen(before) + SYMBOL_TEXT_MAX + strlen(after));

	if (!p)
		return false;

	p = entry_text_emit_symbol(trace_reader_of(iter), emit_str(p, before), ip);
	seq_upto(&iter->seq, emit_str(p, after));

	return true;
}

static enum print_line_t entry_text_fn_trace(struct trace_iterator *iter, int flags,
					     struct trace_event *event)
{
	struct ftrace_entry *entry = (struct ftrace_entry *)iter->ent;
	struct trace_reader *reader = trace_reader_of(iter);
	char *p = seq_room(&iter->seq, 2 * SYMBOL_TEXT_MAX + 4 + ARGS_TEXT_MAX);

	if (!p)
		return TRACE_TYPE_PARTIAL_LINE;

	p = entry_text_emit_symbol(reader, p, entry->ip);
	if (unlikely(args_of(iter, entry)))
		p = trace_emit_args(reader, p, entry->ip, entry->args, args_of(iter, entry));
	/* At the beginning of a latency the caller may be unknown. */
	if (likely(reader->options & TRACE_OPT(PRINT_PARENT) && entry->parent_ip)) {
		p = emit_mem(p, " <-", 3);
		p = entry_text_emit_symbol(reader, p, entry->parent_ip);
	}
	seq_upto(&iter->seq, emit_char(p, '\n'));

	return TRACE_TYPE_HANDLED;
}

static enum print_line_t entry_text_fn_raw(struct trace_iterator *iter, int flags,
					   struct trace_event *event)
{
	struct ftrace_entry *entry = (struct ftrace_entry *)iter->ent;

	trace_seq_printf(&iter->seq, "%lx %lx\n", entry->ip, entry->parent_ip);

	return trace_handle_return(&iter->seq);
}

static enum print_line_t entry_text_fn_hex(struct trace_iterator *iter, int flags,
					   struct trace_event *event)
{
	struct ftrace_entry *entry = (struct ftrace_entry *)iter->ent;

	trace_seq_putmem_hex(&iter->seq, &entry->ip, sizeof(entry->ip));
	trace_seq_putmem_hex(&iter->seq, &entry->parent_ip,
			     sizeof(entry->parent_ip));

	return trace_handle_return(&iter->seq);
}

static enum print_line_t entry_text_fn_bin(struct trace_iterator *iter, int flags,
					   struct trace_event *event)
{
	struct ftrace_entry *entry = (struct ftrace_entry *)iter->ent;

	trace_seq_putmem(&iter->seq, &entry->ip, sizeof(entry->ip));
	trace_seq_putmem(&iter->seq, &entry->parent_ip,
			 sizeof(entry->parent_ip));

	return trace_handle_return(&iter->seq);
}

/* The letter that ps shows. Another kernel may have written the entry. */
static char entry_text_state_char(unsigned char state)
{
	return state <= ilog2(TASK_REPORT_MAX) ? task_index_to_char(state) : '?';
}

static void entry_text_print_tasks(struct trace_iterator *iter, const char *arrow)
{
	struct ctx_switch_entry *entry = (struct ctx_switch_entry *)iter->ent;
	char comm[TASK_COMM_LEN];

	trace_find_cmdline(entry->next_pid, comm, !trace_reader_of(iter)->symbols.no_alloc);
	trace_seq_printf(&iter->seq, " %7d:%3d:%c %s [%03d] %7d:%3d:%c %s\n",
			 entry->prev_pid, entry->prev_prio,
			 entry_text_state_char(entry->prev_state), arrow, entry->next_cpu,
			 entry->next_pid, entry->next_prio,
			 entry_text_state_char(entry->next_state), comm);
}

static enum print_line_t entry_text_ctx_trace(struct trace_iterator *iter, int flags,
					      struct trace_event *event)
{
	entry_text_print_tasks(iter, "==>");

	return trace_handle_return(&iter->seq);
}

static enum print_line_t entry_text_wake_trace(struct trace_iterator *iter, int flags,
					       struct trace_event *event)
{
	entry_text_print_tasks(iter, "  +");

	return trace_handle_return(&iter->seq);
}

static enum print_line_t entry_text_tasks_raw(struct trace_iterator *iter, int flags,
					      struct trace_event *event)
{
	struct ctx_switch_entry *entry = (struct ctx_switch_entry *)iter->ent;

	trace_seq_printf(&iter->seq, "%d %d %c %d %d %d %c\n", entry->prev_pid,
			 entry->prev_prio, entry_text_state_char(entry->prev_state),
			 entry->next_cpu, entry->next_pid, entry->next_prio,
			 entry_text_state_char(entry->next_state));

	return trace_handle_return(&iter->seq);
}

/* For readers whose tracer is not function_graph. */
static enum print_line_t entry_text_graph_ent_trace(struct trace_iterator *iter, int flags,
						    struct trace_event *event)
{
	struct graph_ent_entry *entry = (struct graph_ent_entry *)iter->ent;

	trace_print_symbol(iter, "--> ", entry->graph_ent.func, "");
	trace_seq_printf(&iter->seq, " (%d)\n", entry->graph_ent.depth);

	return trace_handle_return(&iter->seq);
}

static enum print_line_t entry_text_graph_ent_raw(struct trace_iterator *iter, int flags,
						  struct trace_event *event)
{
	struct graph_ent_entry *entry = (struct graph_ent_entry *)iter->ent;

	trace_seq_printf(&iter->seq, "%lx %d\n", entry->graph_ent.func,
			 entry->graph_ent.depth);

	return trace_handle_return(&iter->seq);
}

static enum print_line_t entry_text_graph_retaddr_trace(struct trace_iterator *iter, int flags,
							struct trace_event *event)
{
	struct graph_retaddr_entry *entry = (struct graph_retaddr_entry *)iter->ent;

	trace_print_symbol(iter, "--> ", entry->graph_ent.func, "");
	trace_seq_printf(&iter->seq, " (%d)", entry->graph_ent.depth);
	trace_print_symbol(iter, " <- ", entry->retaddr, "\n");

	return trace_handle_return(&iter->seq);
}

static enum print_line_t entry_text_graph_retaddr_raw(struct trace_iterator *iter, int flags,
						      struct trace_event *event)
{
	struct graph_retaddr_entry *entry = (struct graph_retaddr_entry *)iter->ent;

	trace_seq_printf(&iter->seq, "%lx %d %lx\n", entry->graph_ent.func,
			 entry->graph_ent.depth, entry->retaddr);

	return trace_handle_return(&iter->seq);
}

static enum print_line_t entry_text_graph_ret_trace(struct trace_iterator *iter, int flags,
						    struct trace_event *event)
{
	struct graph_ret_entry *entry = (struct graph_ret_entry *)iter->ent;

	trace_print_symbol(iter, "<-- ", entry->ret.func, "");
	trace_seq_printf(&iter->seq, " (%d) %llu ns\n", entry->ret.depth,
			 entry->ret.rettime - entry->ret.calltime);

	return trace_handle_return(&iter->seq);
}

static enum print_line_t entry_text_graph_ret_raw(struct trace_iterator *iter, int flags,
						  struct trace_event *event)
{
	struct graph_ret_entry *entry = (struct graph_ret_entry *)iter->ent;

	trace_seq_printf(&iter->seq, "%lx %d %u %llu %llu\n", entry->ret.func,
			 entry->ret.depth, entry->ret.overrun, entry->ret.calltime,
			 entry->ret.rettime);

	return trace_handle_return(&iter->seq);
}

/* In the unit of the clock, like the time of the line. */
static void entry_text_print_stamp(struct trace_iterator *iter, u64 ts)
{
	char *p = seq_room(&iter->seq, 2 * EMIT_DEC_MAX);

	if (p)
		seq_upto(&iter->seq, trace_reader_of(iter)->in_ns ?
				     emit_time(p, ts, 5) : emit_dec(p, ts));
}

static enum print_line_t entry_text_func_repeats_trace(struct trace_iterator *iter,
						       int flags,
						       struct trace_event *event)
{
	struct func_repeats_entry *entry = (struct func_repeats_entry *)iter->ent;
	u64 delta = (u64)entry->top_delta_ts << 32 | entry->bottom_delta_ts;

	trace_print_symbol(iter, "", entry->ip, " <-");
	trace_print_symbol(iter, "", entry->parent_ip, " ");
	trace_seq_printf(&iter->seq, "(repeats: %u, last_ts: ", entry->count);
	entry_text_print_stamp(iter, iter->ts - delta);
	trace_seq_puts(&iter->seq, ")\n");

	return trace_handle_return(&iter->seq);
}

static enum print_line_t entry_text_func_repeats_raw(struct trace_iterator *iter,
						     int flags, struct trace_event *event)
{
	struct func_repeats_entry *entry = (struct func_repeats_entry *)iter->ent;
	u64 delta = (u64)entry->top_delta_ts << 32 | entry->bottom_delta_ts;

	trace_seq_printf(&iter->seq, "%lx %lx %u %llu\n", entry->ip,
			 entry->parent_ip, entry->count, delta);

	return trace_handle_return(&iter->seq);
}

static enum print_line_t entry_text_stack_trace(struct trace_iterator *iter, int flags,
						struct trace_event *event)
{
	struct stack_entry *entry = (struct stack_entry *)iter->ent;
	int n = min_t(int, entry->size,
		      REST(iter, entry, caller) / (int)sizeof(long));
	int i;

	trace_seq_puts(&iter->seq, "<stack trace>\n");
	for (i = 0; i < n; i++) {
		if (!trace_print_symbol(iter, " => ", entry->caller[i], "\n"))
			break;
	}

	return trace_handle_return(&iter->seq);
}

/* The line ends with one newline, whether or not the recorded text has one. */
static void entry_text_print_line(struct trace_iterator *iter, const char *text, int most)
{
	size_t len = strnlen(text, max(most, 0));

	trace_seq_putmem(&iter->seq, text, len);
	if (!len || text[len - 1] != '\n')
		trace_seq_putc(&iter->seq, '\n');
}

static enum print_line_t entry_text_print_trace(struct trace_iterator *iter, int flags,
						struct trace_event *event)
{
	struct print_entry *entry = (struct print_entry *)iter->ent;

	trace_print_symbol(iter, "", entry->ip, ": ");
	entry_text_print_line(iter, entry->buf, REST(iter, entry, buf));

	return trace_handle_return(&iter->seq);
}

static enum print_line_t entry_text_print_raw(struct trace_iterator *iter, int flags,
					      struct trace_event *event)
{
	struct print_entry *entry = (struct print_entry *)iter->ent;

	trace_seq_printf(&iter->seq, "# %lx ", entry->ip);
	entry_text_print_line(iter, entry->buf, REST(iter, entry, buf));

	return trace_handle_return(&iter->seq);
}

/* Text of trace_printk() often has no newline, which the line needs. */
static enum print_line_t entry_text_end_line(struct trace_seq *s)
{
	unsigned int len = trace_seq_used(s);

	if (len && s->buffer[len - 1] != '\n')
		trace_seq_putc(s, '\n');

	return trace_handle_return(s);
}

static enum print_line_t entry_text_print_formatted(struct trace_iterator *iter)
{
	struct bprint_entry *entry = (struct bprint_entry *)iter->ent;
	struct trace_reader *reader = trace_reader_of(iter);

	if (reader->options & TRACE_OPT(PRINTK_MSG_ONLY))
		trace_seq_puts(&iter->seq, entry->fmt);
	else
		trace_seq_bprintf(&iter->seq, entry->fmt, entry->buf);

	return entry_text_end_line(&iter->seq);
}

static enum print_line_t entry_text_bprint_trace(struct trace_iterator *iter, int flags,
						 struct trace_event *event)
{
	struct bprint_entry *entry = (struct bprint_entry *)iter->ent;

	trace_print_symbol(iter, "", entry->ip, ": ");

	return entry_text_print_formatted(iter);
}

static enum print_line_t entry_text_bprint_raw(struct trace_iterator *iter, int flags,
					       struct trace_event *event)
{
	struct bprint_entry *entry = (struct bprint_entry *)iter->ent;

	trace_seq_printf(&iter->seq, ": %lx : ", entry->ip);

	return entry_text_print_formatted(iter);
}

static enum print_line_t entry_text_bputs_trace(struct trace_iterator *iter, int flags,
						struct trace_event *event)
{
	struct bputs_entry *entry = (struct bputs_entry *)iter->ent;

	trace_print_symbol(iter, "", entry->ip, ": ");
	trace_seq_puts(&iter->seq, entry->str);

	return entry_text_end_line(&iter->seq);
}

static enum print_line_t entry_text_bputs_raw(struct trace_iterator *iter, int flags,
					      struct trace_event *event)
{
	struct bputs_entry *entry = (struct bputs_entry *)iter->ent;

	trace_seq_printf(&iter->seq, ": %lx : ", entry->ip);
	trace_seq_puts(&iter->seq, entry->str);

	return entry_text_end_line(&iter->seq);
}

/* Number of bytes that fit in a line with its prefix and a line about lost entries before it. */
#define RAW_DATA_SHOWN	((TRACE_SEQ_BUFFER_SIZE - 512) / 3)

static enum print_line_t entry_text_raw_data_trace(struct trace_iterator *iter, int flags,
						   struct trace_event *event)
{
	struct raw_data_entry *entry = (struct raw_data_entry *)iter->ent;
	int n = REST(iter, entry, buf);
	int i;

	trace_seq_printf(&iter->seq, "# %x buf:", entry->id);
	for (i = 0; i < min_t(int, n, RAW_DATA_SHOWN); i++)
		trace_seq_printf(&iter->seq, " %02x", (u8)entry->buf[i]);
	trace_seq_puts(&iter->seq, i < n ? " ...\n" : "\n");

	return trace_handle_return(&iter->seq);
}

struct trace_event_functions trace_fixed_funcs[TRACE_TYPE_FIXED] = {
	[TRACE_FN] = {
		.trace	= entry_text_fn_trace,
		.raw	= entry_text_fn_raw,
		.hex	= entry_text_fn_hex,
		.binary	= entry_text_fn_bin,
	},
	[TRACE_CTX]		= { .trace = entry_text_ctx_trace, .raw = entry_text_tasks_raw },
	[TRACE_WAKE]		= { .trace = entry_text_wake_trace, .raw = entry_text_tasks_raw },
	[TRACE_GRAPH_ENT]	= { .trace = entry_text_graph_ent_trace,
				   .raw = entry_text_graph_ent_raw },
	[TRACE_GRAPH_RETADDR_ENT] = { .trace = entry_text_graph_retaddr_trace,
				      .raw = entry_text_graph_retaddr_raw },
	[TRACE_GRAPH_RET]	= { .trace = entry_text_graph_ret_trace,
				   .raw = entry_text_graph_ret_raw },
	[TRACE_FUNC_REPEATS]	= {
		.trace	= entry_text_func_repeats_trace,
		.raw	= entry_text_func_repeats_raw,
	},
	[TRACE_STACK]		= { .trace = entry_text_stack_trace,
				   .raw = entry_text_stack_trace },
	[TRACE_USER_STACK]	= {
		.trace	= trace_print_user_stack,
		.raw	= trace_print_user_stack,
	},
	[TRACE_PRINT]		= { .trace = entry_text_print_trace, .raw = entry_text_print_raw },
	[TRACE_BPRINT]		= { .trace = entry_text_bprint_trace,
				   .raw = entry_text_bprint_raw },
	[TRACE_BPUTS]		= { .trace = entry_text_bputs_trace, .raw = entry_text_bputs_raw },
	[TRACE_RAW_DATA]	= {
		.trace	= entry_text_raw_data_trace,
		.raw	= entry_text_raw_data_trace,
	},
};
