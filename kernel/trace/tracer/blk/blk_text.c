// SPDX-License-Identifier: GPL-2.0
/*
 * Text of the entries of the tracer blk, in the format of the program blkparse: blkparse(1),
 * "DEFAULT OUTPUT" and "DEFAULT OUTPUT PER ACTION". With the option blk_classic the format
 * applies to the whole line. With the option bin the output is a binary stream.
 */
#include <linux/array_size.h>
#include <linux/blktrace_api.h>
#include <linux/cgroup.h>
#include <linux/init.h>
#include <linux/kdev_t.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/time64.h>
#include <linux/trace_seq.h>
#include <linux/unaligned.h>

#include "instance/core/entries.h"
#include "instance/core/options.h"
#include "instance/record/cmdlines.h"
#include "output/reader.h"
#include "tracer/blk/blk.h"
#include "tracer/blk/blk_write.h"

#define SECTOR_BYTES_SHIFT	9

/* Longer paths of cgroups are truncated. */
#define CGROUP_PATH_MAX		128

/**
 * struct blk_text_line - an entry and its task
 * @s: destination of the text
 * @event: the entry
 * @cgroup: the id of the cgroup, or 0
 * @data: additional data of the entry
 * @len: length of @data in bytes
 * @comm: the name of the task
 */
struct blk_text_line {
	struct trace_seq		*s;
	const struct blk_io_trace	*event;
	u64				cgroup;
	const u8			*data;
	unsigned int			len;
	char				comm[TASK_COMM_LEN];
};

/* Number of bytes after an entry. Another kernel may have written the entry. */
static unsigned int blk_text_rest_of(const struct trace_iterator *iter)
{
	const struct blk_entry *entry = (struct blk_entry *)iter->ent;

	if (iter->ent_size < sizeof(*entry))
		return 0;

	return min_t(unsigned int, entry->event.pdu_len, iter->ent_size - sizeof(*entry));
}

static void blk_text_line_init(struct blk_text_line *line, struct trace_iterator *iter)
{
	const struct blk_entry *entry = (struct blk_entry *)iter->ent;

	line->s = &iter->seq;
	line->event = &entry->event;
	line->cgroup = 0;
	line->data = entry->rest;
	line->len = blk_text_rest_of(iter);
	if (entry->event.action & __BLK_TA_CGROUP && line->len >= sizeof(u64)) {
		line->cgroup = get_unaligned((const u64 *)line->data);
		line->data += sizeof(u64);
		line->len -= sizeof(u64);
	}
	trace_find_cmdline(entry->event.pid, line->comm, !trace_reader_of(iter)->symbols.no_alloc);
}

static unsigned int blk_text_sectors(const struct blk_text_line *line)
{
	return line->event->bytes >> SECTOR_BYTES_SHIFT;
}

static bool blk_text_is_packet(const struct blk_text_line *line)
{
	return line->event->action & BLK_TC_ACT(BLK_TC_PC);
}

static void blk_text_print_data(const struct blk_text_line *line)
{
	unsigned int i;

	if (!line->len)
		return;

	trace_seq_putc(line->s, '(');
	for (i = 0; i < line->len; i++)
		trace_seq_printf(line->s, "%02x ", line->data[i]);
	trace_seq_puts(line->s, ") ");
}

static void blk_text_print_request(const struct blk_text_line *line)
{
	if (blk_text_is_packet(line)) {
		trace_seq_printf(line->s, "%u ", line->event->bytes);
		blk_text_print_data(line);
	} else if (blk_text_sectors(line)) {
		trace_seq_printf(line->s, "%llu + %u ", line->event->sector,
				 blk_text_sectors(line));
	}
	trace_seq_printf(line->s, "[%s]\n", line->comm);
}

static void blk_text_print_complete(const struct blk_text_line *line)
{
	if (blk_text_is_packet(line))
		blk_text_print_data(line);
	else if (blk_text_sectors(line))
		trace_seq_printf(line->s, "%llu + %u ", line->event->sector,
				 blk_text_sectors(line));
	else
		trace_seq_printf(line->s, "%llu ", line->event->sector);
	trace_seq_printf(line->s, "[%d]\n", (s16)line->event->error);
}

static void blk_text_print_plug(const struct blk_text_line *line)
{
	trace_seq_printf(line->s, "[%s]\n", line->comm);
}

/* The number of an unplug or split event */
static u64 blk_text_number(const struct blk_text_line *line)
{
	return line->len >= sizeof(u64) ? get_unaligned_be64(line->data) : 0;
}

static void blk_text_print_unplug(const struct blk_text_line *line)
{
	trace_seq_printf(line->s, "[%s] %llu\n", line->comm, blk_text_number(line));
}

static void blk_text_print_split(const struct blk_text_line *line)
{
	trace_seq_printf(line->s, "%llu / %llu [%s]\n", line->event->sector, blk_text_number(line),
			 line->comm);
}

static void blk_text_print_remap(const struct blk_text_line *line)
{
	const struct blk_io_trace_remap *remap = (const void *)line->data;
	dev_t from;

	if (line->len < sizeof(*remap))
		return;

	from = get_unaligned_be32(&remap->device_from);
	trace_seq_printf(line->s, "%llu + %u <- (%d,%d) %llu\n", line->event->sector,
			 blk_text_sectors(line), MAJOR(from), MINOR(from),
			 get_unaligned_be64(&remap->sector_from));
}

/* Print the data of a driver, whose format is known only to that driver. */
static void blk_text_print_driver(const struct blk_text_line *line)
{
	blk_text_print_data(line);
	trace_seq_printf(line->s, "[%s]\n", line->comm);
}

static void blk_text_print_message(const struct blk_text_line *line)
{
	trace_seq_putmem(line->s, line->data, line->len);
	if (!line->len || line->data[line->len - 1] != '\n')
		trace_seq_putc(line->s, '\n');
}

/**
 * struct blk_text_action - output of an action
 * @letter: identifier of the action
 * @name: its name with the option verbose
 * @print: prints the text after the identifier
 */
struct blk_text_action {
	const char	*letter;
	const char	*name;
	void		(*print)(const struct blk_text_line *line);
};

static const struct blk_text_action message = { "m", "message", blk_text_print_message };

static const struct blk_text_action actions[] = {
	[__BLK_TA_QUEUE]	= { "Q", "queue", blk_text_print_request },
	[__BLK_TA_BACKMERGE]	= { "M", "backmerge", blk_text_print_request },
	[__BLK_TA_FRONTMERGE]	= { "F", "frontmerge", blk_text_print_request },
	[__BLK_TA_GETRQ]	= { "G", "getrq", blk_text_print_request },
	[__BLK_TA_SLEEPRQ]	= { "S", "sleeprq", blk_text_print_request },
	[__BLK_TA_REQUEUE]	= { "R", "requeue", blk_text_print_complete },
	[__BLK_TA_ISSUE]	= { "D", "issue", blk_text_print_request },
	[__BLK_TA_COMPLETE]	= { "C", "complete", blk_text_print_complete },
	[__BLK_TA_PLUG]		= { "P", "plug", blk_text_print_plug },
	[__BLK_TA_UNPLUG_IO]	= { "U", "unplug_io", blk_text_print_unplug },
	[__BLK_TA_UNPLUG_TIMER]	= { "UT", "unplug_timer", blk_text_print_unplug },
	[__BLK_TA_INSERT]	= { "I", "insert", blk_text_print_request },
	[__BLK_TA_SPLIT]	= { "X", "split", blk_text_print_split },
	[__BLK_TA_BOUNCE]	= { "B", "bounce", blk_text_print_request },
	[__BLK_TA_REMAP]	= { "A", "remap", blk_text_print_remap },
	[__BLK_TA_ABORT]	= { "AB", "abort", blk_text_print_request },
	[__BLK_TA_DRV_DATA]	= { "d", "drv_data", blk_text_print_driver },
};

static const struct blk_text_action *blk_text_action_of(const struct blk_io_trace *event)
{
	unsigned int nr = event->action & (BIT(BLK_TC_SHIFT) - 1) & ~__BLK_TA_CGROUP;

	if (event->action & BLK_TC_ACT((u32)BLK_TC_NOTIFY))
		return &message;

	return nr < ARRAY_SIZE(actions) && actions[nr].print ? &actions[nr] : NULL;
}

/* Letters of a request, like blk_fill_rwbs(), but an event has only categories. */
static void blk_text_fill_letters(char *p, const struct blk_io_trace *event)
{
	u32 category = event->action >> BLK_TC_SHIFT;

	if (category & BLK_TC_FLUSH)
		*p++ = 'F';
	if (category & BLK_TC_DISCARD)
		*p++ = 'D';
	else if (category & BLK_TC_WRITE)
		*p++ = 'W';
	else
		*p++ = event->bytes ? 'R' : 'N';
	if (category & BLK_TC_FUA)
		*p++ = 'F';
	if (category & BLK_TC_AHEAD)
		*p++ = 'A';
	if (category & BLK_TC_SYNC)
		*p++ = 'S';
	if (category & BLK_TC_META)
		*p++ = 'M';
	*p = '\0';
}

/* Text between the device and the action: a path, or the two halves of the id */
static void blk_text_print_cgroup(const struct blk_text_line *line)
{
	char path[CGROUP_PATH_MAX] = "<...>";

	if (!line->cgroup)
		return;

	if (!IS_ENABLED(CONFIG_CGROUPS) || !(trace_blk_flags() & BLK_OPT_CGNAME)) {
		trace_seq_printf(line->s, "%x,%-x ", lower_32_bits(line->cgroup),
				 upper_32_bits(line->cgroup));
		return;
	}

	cgroup_path_from_kernfs_id(line->cgroup, path, sizeof(path));
	trace_seq_printf(line->s, "%s ", path);
}

/* @classic: print the CPU, the time and the task, which are otherwise in the line's prefix */
static enum print_line_t blk_text_print_event(struct trace_iterator *iter, bool classic)
{
	struct trace_reader *reader = trace_reader_of(iter);
	const struct blk_text_action *action;
	struct blk_text_line line;
	char letters[8];
	u32 ns;
	u64 s;

	blk_text_line_init(&line, iter);
	action = blk_text_action_of(line.event);
	if (!action) {
		trace_seq_printf(line.s, "Unknown action %x\n", line.event->action);
		return trace_handle_return(line.s);
	}

	trace_seq_printf(line.s, "%3d,%-3d ", MAJOR(line.event->device),
			 MINOR(line.event->device));
	if (classic) {
		s = div_u64_rem(iter->ts, NSEC_PER_SEC, &ns);
		trace_seq_printf(line.s, "%2d %5llu.%09u %5u ", iter->cpu, s, ns, line.event->pid);
	} else {
		blk_text_print_cgroup(&line);
	}
	blk_text_fill_letters(letters, line.event);
	trace_seq_printf(line.s, "%2s %3s ",
			 reader->options & TRACE_OPT(VERBOSE) ? action->name : action->letter,
			 letters);
	action->print(&line);

	return trace_handle_return(line.s);
}

static enum print_line_t blk_text_trace(struct trace_iterator *iter, int flags,
					struct trace_event *event)
{
	return blk_text_print_event(iter, false);
}

/* Binary output for blkparse(1) */
static enum print_line_t blk_text_binary(struct trace_iterator *iter, int flags,
					 struct trace_event *event)
{
	const struct blk_entry *entry = (struct blk_entry *)iter->ent;
	struct blk_io_trace first = entry->event;

	first.pdu_len = blk_text_rest_of(iter);
	first.magic = BLK_IO_TRACE_MAGIC | BLK_IO_TRACE_VERSION;
	first.sequence = iter->idx;
	first.time = iter->ts;
	trace_seq_putmem(&iter->seq, &first, sizeof(first));
	trace_seq_putmem(&iter->seq, entry->rest, blk_text_rest_of(iter));

	return trace_handle_return(&iter->seq);
}

static bool blk_text_is_classic(struct trace_iterator *iter)
{
	u64 numbers = TRACE_OPT(BIN) | TRACE_OPT(HEX) | TRACE_OPT(RAW);

	return !(trace_reader_of(iter)->options & numbers) &&
	       (trace_blk_flags() & BLK_OPT_CLASSIC);
}

/**
 * trace_blk_line - print an entry as a whole line, tracer.line
 * @iter: iterator of a reader
 *
 * Return: TRACE_TYPE_UNHANDLED without the option blk_classic.
 */
enum print_line_t trace_blk_line(struct trace_iterator *iter)
{
	if (iter->ent->type != TRACE_BLK || !blk_text_is_classic(iter))
		return TRACE_TYPE_UNHANDLED;

	return blk_text_print_event(iter, true);
}

/**
 * trace_blk_header - print the header, tracer.header
 * @m: destination
 * @iter: iterator of a reader
 */
void trace_blk_header(struct seq_file *m, struct trace_iterator *iter)
{
	if (!blk_text_is_classic(iter)) {
		trace_print_usual_header(m, trace_reader_of(iter));
		return;
	}

	seq_puts(m,
		 "# DEV   CPU TIMESTAMP     PID ACT FLG\n"
		 "#  |     |     |           |   |   |\n");
}

static struct trace_event_functions blk_funcs = {
	.trace	= blk_text_trace,
	.binary	= blk_text_binary,
};

static struct trace_event blk_type = {
	.type	= TRACE_BLK,
	.funcs	= &blk_funcs,
};

static int __init blk_text_type_init(void)
{
	if (!trace_top.main.buffer)
		return -ENODEV;

	return register_trace_event(&blk_type) ? 0 : -ENOMEM;
}
early_initcall(blk_text_type_init);
