// SPDX-License-Identifier: GPL-2.0
/*
 * Textual description of the format in ring/format.h, for tools that parse the pages.
 */

#include <linux/trace_seq.h>

#include "ring/page.h"

/**
 * ring_buffer_print_entry_header - print events/header_event of tracefs
 * @s: output
 *
 * Returns 0 if @s has no space left.
 */
int ring_buffer_print_entry_header(struct trace_seq *s)
{
	trace_seq_puts(s, "# compressed entry header\n"
			  "\ttype_len    :    5 bits\n"
			  "\ttime_delta  :   27 bits\n"
			  "\tarray       :   32 bits\n"
			  "\n");
	trace_seq_printf(s, "\tpadding     : type == %d\n", RINGBUF_TYPE_PADDING);
	trace_seq_printf(s, "\ttime_extend : type == %d\n", RINGBUF_TYPE_TIME_EXTEND);
	trace_seq_printf(s, "\ttime_stamp : type == %d\n", RINGBUF_TYPE_TIME_STAMP);
	trace_seq_printf(s, "\tdata max type_len  == %d\n",
			 RINGBUF_TYPE_DATA_TYPE_LEN_MAX);

	return !trace_seq_has_overflowed(s);
}

/**
 * ring_buffer_print_page_header - print events/header_page of tracefs
 * @buffer: buffer whose page size is in the last line
 * @s: output
 *
 * The flags for missed events have their own line, one byte at the offset of the commit word.
 * Returns 0 if @s has no space left.
 */
int ring_buffer_print_page_header(struct trace_buffer *buffer, struct trace_seq *s)
{
	static const char line[] = "\tfield: %s;\toffset:%zu;\tsize:%zu;\tsigned:%d;\n";

	trace_seq_printf(s, line, "u64 timestamp",
			 offsetof(struct buffer_data_page, time_stamp),
			 sizeof_field(struct buffer_data_page, time_stamp), 0);
	trace_seq_printf(s, line, "local_t commit",
			 offsetof(struct buffer_data_page, commit),
			 sizeof_field(struct buffer_data_page, commit), 1);
	trace_seq_printf(s, line, "int overwrite",
			 offsetof(struct buffer_data_page, commit), (size_t)1, 1);
	trace_seq_printf(s, line, "char data", RING_PAGE_HDR,
			 ring_data_size(READ_ONCE(buffer->order)),
			 is_signed_type(char));

	return !trace_seq_has_overflowed(s);
}
