// SPDX-License-Identifier: GPL-2.0
/*
 * trace_seq: text of bounded length under construction.
 *
 * A write either fits as a whole or leaves the text as it was and marks the sequence full; from
 * then on every write is dropped. So the text never ends within a field, and a caller has to
 * check only once, at the end.
 */
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/trace_seq.h>
#include <linux/uaccess.h>

/*
 * Start of a write. seq_end() takes the write back if it overflowed; both do nothing with a
 * sequence that is full.
 */
static size_t seq_begin(struct trace_seq *s)
{
	/* A sequence that was copied by a bare struct assignment has no buffer yet. */
	if (unlikely(!s->seq.size))
		trace_seq_init(s);

	return s->seq.len;
}

static void seq_end(struct trace_seq *s, size_t start)
{
	if (likely(!seq_buf_has_overflowed(&s->seq)))
		return;

	s->seq.len = start;
	s->full = 1;
}

/**
 * trace_seq_vprintf - add formatted text
 * @s: the sequence
 * @fmt: format as for printf()
 * @args: arguments of @fmt
 */
void trace_seq_vprintf(struct trace_seq *s, const char *fmt, va_list args)
{
	size_t start = seq_begin(s);

	if (s->full)
		return;

	seq_buf_vprintf(&s->seq, fmt, args);
	seq_end(s, start);
}
EXPORT_SYMBOL_GPL(trace_seq_vprintf);

/**
 * trace_seq_printf - add formatted text
 * @s: the sequence
 * @fmt: format as for printf()
 */
void trace_seq_printf(struct trace_seq *s, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	trace_seq_vprintf(s, fmt, args);
	va_end(args);
}
EXPORT_SYMBOL_GPL(trace_seq_printf);

/**
 * trace_seq_bprintf - add text whose arguments were saved by vbin_printf()
 * @s: the sequence
 * @fmt: format that the arguments were saved with
 * @binary: the saved arguments
 */
void trace_seq_bprintf(struct trace_seq *s, const char *fmt, const u32 *binary)
{
	size_t start = seq_begin(s);

	if (s->full)
		return;

	seq_buf_bprintf(&s->seq, fmt, binary);
	seq_end(s, start);
}
EXPORT_SYMBOL_GPL(trace_seq_bprintf);

/**
 * trace_seq_bitmask - add a bitmap as comma separated groups of hex digits
 * @s: the sequence
 * @maskp: the bits
 * @nmaskbits: number of bits
 */
void trace_seq_bitmask(struct trace_seq *s, const unsigned long *maskp,
		       int nmaskbits)
{
	trace_seq_printf(s, "%*pb", nmaskbits, maskp);
}
EXPORT_SYMBOL_GPL(trace_seq_bitmask);

/**
 * trace_seq_puts - add a string
 * @s: the sequence
 * @str: the string
 */
void trace_seq_puts(struct trace_seq *s, const char *str)
{
	trace_seq_putmem(s, str, strlen(str));
}
EXPORT_SYMBOL_GPL(trace_seq_puts);

/**
 * trace_seq_putc - add a character
 * @s: the sequence
 * @c: the character
 */
void trace_seq_putc(struct trace_seq *s, unsigned char c)
{
	trace_seq_putmem(s, &c, 1);
}
EXPORT_SYMBOL_GPL(trace_seq_putc);

/**
 * trace_seq_putmem - add bytes as they are
 * @s: the sequence
 * @mem: the bytes
 * @len: number of bytes
 */
void trace_seq_putmem(struct trace_seq *s, const void *mem, unsigned int len)
{
	size_t start = seq_begin(s);

	if (s->full)
		return;

	/* seq_buf does not allow the last byte to be filled. */
	if (len >= seq_buf_buffer_left(&s->seq)) {
		s->full = 1;
		return;
	}

	memcpy(s->buffer + start, mem, len);
	s->seq.len = start + len;
}
EXPORT_SYMBOL_GPL(trace_seq_putmem);

/**
 * trace_seq_putmem_hex - add bytes as hex digits, most significant first
 * @s: the sequence
 * @mem: bytes of one number in the CPU's byte order
 * @len: number of bytes
 */
void trace_seq_putmem_hex(struct trace_seq *s, const void *mem,
			  unsigned int len)
{
	size_t start = seq_begin(s);

	if (s->full)
		return;

	seq_buf_putmem_hex(&s->seq, mem, len);
	seq_end(s, start);
}
EXPORT_SYMBOL_GPL(trace_seq_putmem_hex);

/**
 * trace_seq_path - add the name of a file
 * @s: the sequence
 * @path: the file
 *
 * Return: 1, or 0 if the name did not fit.
 */
int trace_seq_path(struct trace_seq *s, const struct path *path)
{
	size_t start = seq_begin(s);

	if (s->full)
		return 0;

	seq_buf_path(&s->seq, path, "\n");
	seq_end(s, start);

	return !s->full;
}
EXPORT_SYMBOL_GPL(trace_seq_path);

/**
 * trace_seq_hex_dump - add a dump of memory as print_hex_dump() shows it
 * @s: the sequence
 * @prefix_str: prefix of each line
 * @prefix_type: DUMP_PREFIX_OFFSET, DUMP_PREFIX_ADDRESS or DUMP_PREFIX_NONE
 * @rowsize: bytes per line, 16 or 32
 * @groupsize: bytes per group, 1, 2, 4 or 8
 * @buf: the memory
 * @len: number of bytes
 * @ascii: also show the characters
 *
 * Return: 1, or 0 if the dump did not fit.
 */
int trace_seq_hex_dump(struct trace_seq *s, const char *prefix_str,
		       int prefix_type, int rowsize, int groupsize,
		       const void *buf, size_t len, bool ascii)
{
	size_t start = seq_begin(s);

	if (s->full)
		return 0;

	seq_buf_hex_dump(&s->seq, prefix_str, prefix_type, rowsize, groupsize,
			 buf, len, ascii);
	seq_end(s, start);

	return !s->full;
}
EXPORT_SYMBOL(trace_seq_hex_dump);

/**
 * trace_seq_acquire - reserve space at the end, to be filled by the caller
 * @s: the sequence
 * @len: number of bytes
 *
 * Return: the space, which counts as written, or NULL if there is not enough.
 */
char *trace_seq_acquire(struct trace_seq *s, unsigned int len)
{
	size_t start = seq_begin(s);

	if (s->full)
		return NULL;

	if (len >= seq_buf_buffer_left(&s->seq)) {
		s->full = 1;
		return NULL;
	}

	s->seq.len = start + len;

	return s->buffer + start;
}
EXPORT_SYMBOL(trace_seq_acquire);

/**
 * trace_print_seq - move the text into a seq_file
 * @m: the file
 * @s: the sequence, empty afterwards unless the text did not fit
 *
 * Return: 0, or -1 if the text did not fit.
 */
int trace_print_seq(struct seq_file *m, struct trace_seq *s)
{
	seq_begin(s);

	if (seq_write(m, s->buffer, trace_seq_used(s)))
		return -1;

	trace_seq_init(s);

	return 0;
}

/**
 * trace_seq_to_user - copy the next bytes of the text to user space
 * @s: the sequence, which keeps the number of bytes already copied
 * @ubuf: destination in user space
 * @cnt: maximum number of bytes
 *
 * Return: the number of bytes copied; -EBUSY if no bytes are left, -EFAULT if the copy failed.
 */
int trace_seq_to_user(struct trace_seq *s, char __user *ubuf, int cnt)
{
	int ret;

	seq_begin(s);

	if (!cnt)
		return 0;

	ret = seq_buf_to_user(&s->seq, ubuf, s->readpos, cnt);
	if (ret > 0)
		s->readpos += ret;

	return ret;
}
EXPORT_SYMBOL_GPL(trace_seq_to_user);
