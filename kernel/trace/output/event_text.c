// SPDX-License-Identifier: GPL-2.0
/*
 * Text of trace events: TP_printk() and the functions that it calls.
 *
 * Functions that format an argument (__print_flags() and the like) append their text, with its
 * NUL, to iter->tmp_seq.
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>

#include "event/core/type.h"
#include "instance/core/options.h"
#include "output/check_format.h"
#include "output/reader.h"

static const char *event_text_at(struct trace_seq *p)
{
	return trace_seq_buffer_ptr(p);
}

static const char *event_text_end(struct trace_seq *p, const char *text)
{
	trace_seq_putc(p, 0);

	return trace_seq_has_overflowed(p) ? "[too long]" : text;
}

/**
 * trace_print_flags_seq - print the names of flags
 * @p: destination
 * @delim: text between two names, may be NULL
 * @flags: the flags; flags without a name are printed as a number at the end
 * @flag_array: names of masks, ended by an entry without a name; earlier entries take
 *	precedence
 *
 * Return: the text
 */
const char *trace_print_flags_seq(struct trace_seq *p, const char *delim,
				  unsigned long flags,
				  const struct trace_print_flags *flag_array)
{
	const char *text = event_text_at(p), *between = "";

	for (; flags && flag_array->name; flag_array++) {
		unsigned long mask = flag_array->mask;

		if ((flags & mask) != mask)
			continue;

		trace_seq_printf(p, "%s%s", between, flag_array->name);
		between = delim ?: "";
		flags &= ~mask;
	}
	if (flags)
		trace_seq_printf(p, "%s0x%lx", between, flags);

	return event_text_end(p, text);
}
EXPORT_SYMBOL(trace_print_flags_seq);

/**
 * trace_print_symbols_seq - print the name of a number
 * @p: destination
 * @val: the number, printed in hexadecimal if it has no name
 * @symbol_array: names of numbers, ended by an entry without a name
 *
 * Return: the text
 */
const char *trace_print_symbols_seq(struct trace_seq *p, unsigned long val,
				    const struct trace_print_flags *symbol_array)
{
	const char *text = event_text_at(p);

	while (symbol_array->name && symbol_array->mask != val)
		symbol_array++;

	if (symbol_array->name)
		trace_seq_puts(p, symbol_array->name);
	else
		trace_seq_printf(p, "0x%lx", val);

	return event_text_end(p, text);
}
EXPORT_SYMBOL(trace_print_symbols_seq);

/**
 * trace_print_bitmask_seq - print a bitmask in the format of CPU mask files
 * @p: destination
 * @bitmask_ptr: the mask
 * @bitmask_size: size of the mask in bytes
 *
 * Return: the text
 */
const char *trace_print_bitmask_seq(struct trace_seq *p, void *bitmask_ptr,
				    unsigned int bitmask_size)
{
	const char *text = event_text_at(p);

	trace_seq_bitmask(p, bitmask_ptr, bitmask_size * BITS_PER_BYTE);

	return event_text_end(p, text);
}
EXPORT_SYMBOL_GPL(trace_print_bitmask_seq);

/**
 * trace_print_hex_seq - print bytes as hexadecimal digits
 * @p: destination
 * @buf: the bytes
 * @len: number of bytes
 * @concatenate: print no spaces between the bytes
 *
 * Return: the text
 */
const char *trace_print_hex_seq(struct trace_seq *p, const unsigned char *buf, int len,
				bool concatenate)
{
	const char *text = event_text_at(p);
	int i;

	for (i = 0; i < len; i++)
		trace_seq_printf(p, "%s%02x", i && !concatenate ? " " : "", buf[i]);

	return event_text_end(p, text);
}
EXPORT_SYMBOL(trace_print_hex_seq);

static u64 event_text_element(const void *at, size_t size)
{
	switch (size) {
	case sizeof(u8):
		return *(const u8 *)at;
	case sizeof(u16):
		return *(const u16 *)at;
	case sizeof(u32):
		return *(const u32 *)at;
	default:
		return *(const u64 *)at;
	}
}

/**
 * trace_print_array_seq - print the numbers of an array
 * @p: destination
 * @buf: the array
 * @count: number of elements
 * @el_size: size of an element in bytes: 1, 2, 4 or 8
 *
 * Return: the text
 */
const char *trace_print_array_seq(struct trace_seq *p, const void *buf, int count,
				  size_t el_size)
{
	const char *text = event_text_at(p);
	int i;

	trace_seq_putc(p, '{');
	for (i = 0; i < count; i++)
		trace_seq_printf(p, "%s0x%llx", i ? "," : "",
				 event_text_element(buf + i * el_size, el_size));
	trace_seq_putc(p, '}');

	return event_text_end(p, text);
}
EXPORT_SYMBOL(trace_print_array_seq);

/**
 * trace_print_hex_dump_seq - print bytes in the format of print_hex_dump()
 * @p: destination
 * @prefix_str: prefix of each line
 * @prefix_type: DUMP_PREFIX_*
 * @rowsize: bytes per line: 16 or 32
 * @groupsize: bytes per group, printed without a space between them
 * @buf: the bytes
 * @len: number of bytes
 * @ascii: print the characters after the bytes
 *
 * Return: the text, which begins with a newline
 */
const char *trace_print_hex_dump_seq(struct trace_seq *p, const char *prefix_str,
				     int prefix_type, int rowsize, int groupsize,
				     const void *buf, size_t len, bool ascii)
{
	const char *text = event_text_at(p);

	trace_seq_putc(p, '\n');
	trace_seq_hex_dump(p, prefix_str, prefix_type, rowsize, groupsize, buf, len, ascii);

	return event_text_end(p, text);
}
EXPORT_SYMBOL(trace_print_hex_dump_seq);

static void event_text_print_name(struct trace_iterator *iter, const char *name)
{
	trace_seq_printf(&iter->seq, "%s: ", name);
}

/**
 * trace_raw_output_prep - begin to print the entry of an event
 * @iter: iterator at the entry
 * @trace_event: type of the entry, which is an event
 *
 * Return: TRACE_TYPE_HANDLED; otherwise the value that the caller has to return
 */
int trace_raw_output_prep(struct trace_iterator *iter, struct trace_event *trace_event)
{
	struct trace_event_call *call;

	if (WARN_ON_ONCE(iter->ent->type != trace_event->type))
		return TRACE_TYPE_UNHANDLED;

	call = container_of(trace_event, struct trace_event_call, event);
	trace_seq_init(&iter->tmp_seq);
	event_text_print_name(iter, trace_event_name(call));

	return trace_handle_return(&iter->seq);
}
EXPORT_SYMBOL(trace_raw_output_prep);

/**
 * trace_event_printf - print the fields of an entry
 * @iter: iterator at the entry, after trace_raw_output_prep()
 * @fmt: format, as for printf()
 */
void trace_event_printf(struct trace_iterator *iter, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fmt = trace_format_check(iter, fmt, args);
	if (!(trace_reader_of(iter)->options & TRACE_OPT(HASH_PTR)))
		fmt = trace_format_pointers(&iter->tmp_seq, fmt);
	trace_seq_vprintf(&iter->seq, fmt, args);
	va_end(args);
}
EXPORT_SYMBOL(trace_event_printf);

/**
 * trace_output_call - print the entry of an event that has a format of its own
 * @iter: iterator at the entry
 * @name: name of the event
 * @fmt: format, as for printf()
 *
 * Return: as trace_handle_return()
 */
int trace_output_call(struct trace_iterator *iter, char *name, char *fmt, ...)
{
	va_list args;

	event_text_print_name(iter, name);
	va_start(args, fmt);
	trace_seq_vprintf(&iter->seq, fmt, args);
	va_end(args);

	return trace_handle_return(&iter->seq);
}
EXPORT_SYMBOL_GPL(trace_output_call);
