// SPDX-License-Identifier: GPL-2.0
/*
 * The log of the tracer mmiotrace: each entry is a line that begins with a keyword. Before the
 * entries there are lines for the version and the PCI devices. Format:
 * Documentation/trace/mmiotrace.rst, "Trace Log Format", version 20070824.
 */
#include <linux/math64.h>
#include <linux/mmiotrace.h>
#include <linux/pci.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

#include "instance/core/entries.h"
#include "output/reader.h"
#include "tracer/mmiotrace/mmiotrace.h"
#include "tracer/mmiotrace/pcidev.h"

#define VERSION_LINE	"VERSION 20070824\n"

/* Accesses by user space are not recorded, so there is no pid. */
#define NO_PID		0

/*
 * trace_iterator.private of a consuming reader: the next line before the first entry. It is
 * &version_next for the version, then a device, which the reader has a reference to, then NULL.
 */
static const char version_next;

/**
 * trace_mmio_open - prepare a reader of the log, tracer.open
 * @iter: iterator of the reader. Not called for the reader of ftrace_dump(), which must not
 *	access devices.
 */
int trace_mmio_open(struct trace_iterator *iter)
{
	if (trace_reader_of(iter)->consuming)
		iter->private = (void *)&version_next;

	return 0;
}

/**
 * trace_mmio_close - release the state of a reader, tracer.close
 * @iter: iterator of the reader
 */
void trace_mmio_close(struct trace_iterator *iter)
{
	if (iter->private != &version_next)
		pci_dev_put(iter->private);
}

/* Print one line at a time, so that any number of devices fits. */
static enum print_line_t mmiotrace_text_print_preface(struct trace_iterator *iter)
{
	struct pci_dev *dev = NULL;

	if (iter->private == &version_next) {
		trace_seq_puts(&iter->seq, VERSION_LINE);
	} else {
		dev = iter->private;
		trace_print_pcidev(&iter->seq, dev);
	}

	/* A line that does not fit is printed again. */
	if (trace_seq_has_overflowed(&iter->seq))
		return TRACE_TYPE_PARTIAL_LINE;

	iter->private = pci_get_device(PCI_ANY_ID, PCI_ANY_ID, dev);

	return TRACE_TYPE_NO_CONSUME;
}

/**
 * trace_mmio_header - print the version and the PCI devices, tracer.header
 * @m: destination
 * @iter: iterator of a reader
 */
void trace_mmio_header(struct seq_file *m, struct trace_iterator *iter)
{
	struct pci_dev *dev = NULL;

	seq_puts(m, "# tracer: mmiotrace\n#\n" VERSION_LINE);
	for_each_pci_dev(dev) {
		trace_seq_init(&iter->seq);
		trace_print_pcidev(&iter->seq, dev);
		seq_write(m, iter->seq.buffer, trace_seq_used(&iter->seq));
	}
	trace_seq_init(&iter->seq);
}

/* Seconds, or the count of a clock that is not in nanoseconds */
static void mmiotrace_text_print_time(struct trace_iterator *iter)
{
	u32 us;
	u64 s;

	if (!trace_reader_of(iter)->in_ns) {
		trace_seq_printf(&iter->seq, "%llu", iter->ts);
		return;
	}

	s = div_u64_rem(div_u64(iter->ts, NSEC_PER_USEC), USEC_PER_SEC, &us);
	trace_seq_printf(&iter->seq, "%llu.%06u", s, us);
}

static void mmiotrace_text_print_rw(struct trace_iterator *iter)
{
	const struct mmio_rw_entry *rw = (struct mmio_rw_entry *)iter->ent;
	struct trace_seq *s = &iter->seq;

	if (rw->opcode == MMIO_READ)
		trace_seq_printf(s, "R %u ", rw->width);
	else if (rw->opcode == MMIO_WRITE)
		trace_seq_printf(s, "W %u ", rw->width);
	else
		trace_seq_puts(s, "UNKNOWN ");

	mmiotrace_text_print_time(iter);
	trace_seq_printf(s, " %d 0x%llx ", rw->map_id, rw->phys);
	/* For an unknown instruction, print its first three bytes */
	if (rw->opcode == MMIO_READ || rw->opcode == MMIO_WRITE)
		trace_seq_printf(s, "0x%lx", rw->value);
	else
		trace_seq_printf(s, "0x%02x,0x%02x,0x%02x", (u8)(rw->value >> 16),
				 (u8)(rw->value >> 8), (u8)rw->value);
	trace_seq_printf(s, " 0x%lx %d\n", rw->pc, NO_PID);
}

/* The program counter is not recorded for mappings. */
static void mmiotrace_text_print_map(struct trace_iterator *iter)
{
	const struct mmio_map_entry *map = (struct mmio_map_entry *)iter->ent;
	struct trace_seq *s = &iter->seq;
	bool gone = map->opcode == MMIO_UNPROBE;

	trace_seq_puts(s, gone ? "UNMAP " : "MAP ");
	mmiotrace_text_print_time(iter);
	trace_seq_printf(s, " %d ", map->map_id);
	if (!gone)
		trace_seq_printf(s, "0x%llx 0x%lx 0x%lx ", map->phys, map->virt, map->len);
	trace_seq_printf(s, "0x%lx %d\n", 0UL, NO_PID);
}

/* Text written to trace_marker or by mmiotrace_printk(), as a single line */
static void mmiotrace_text_print_mark(struct trace_iterator *iter)
{
	const struct print_entry *entry = (struct print_entry *)iter->ent;
	size_t most = iter->ent_size - offsetof(struct print_entry, buf);
	size_t len = strnlen(entry->buf, most);

	trace_seq_puts(&iter->seq, "MARK ");
	mmiotrace_text_print_time(iter);
	trace_seq_putc(&iter->seq, ' ');
	trace_seq_putmem(&iter->seq, entry->buf, len);
	if (!len || entry->buf[len - 1] != '\n')
		trace_seq_putc(&iter->seq, '\n');
}

static void mmiotrace_text_print_lost(struct trace_iterator *iter)
{
	trace_seq_puts(&iter->seq, "MARK ");
	mmiotrace_text_print_time(iter);
	if (iter->lost_events == TRACE_LOST_SOME)
		trace_seq_puts(&iter->seq, " Lost events.\n");
	else
		trace_seq_printf(&iter->seq, " Lost %lu events.\n", iter->lost_events);
}

/**
 * trace_mmio_line - print an entry as a line of the log, tracer.line
 * @iter: iterator of a reader
 *
 * The log has no other lines: entries of other types, for example trace events, are left out.
 */
enum print_line_t trace_mmio_line(struct trace_iterator *iter)
{
	if (iter->private)
		return mmiotrace_text_print_preface(iter);

	if (iter->lost_events)
		mmiotrace_text_print_lost(iter);

	switch (iter->ent->type) {
	case TRACE_MMIO_RW:
		mmiotrace_text_print_rw(iter);
		break;
	case TRACE_MMIO_MAP:
		mmiotrace_text_print_map(iter);
		break;
	case TRACE_PRINT:
		mmiotrace_text_print_mark(iter);
		break;
	}

	return trace_handle_return(&iter->seq);
}
