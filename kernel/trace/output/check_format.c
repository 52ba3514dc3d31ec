// SPDX-License-Identifier: GPL-2.0
/*
 * Checks and changes of a trace event's format string before its entry is printed.
 *
 * An event may record the address of a string instead of a copy. When the entry is printed the
 * string may have been freed, unless it is a constant. And addresses are printed unhashed if
 * the option hash-ptr is off.
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>

#include <asm/sections.h>

#include "event/core/type.h"
#include "output/check_format.h"

/* va_list may be an array type, which a function cannot advance for its caller. */
struct check_format_arguments {
	va_list	list;
};

/**
 * struct check_format_conversion - a conversion specification in a format
 * @fmt: points to its '%'
 * @type: its last character; 0 at the end of the format
 * @rest: the text after it
 * @longs: number of 'l' modifiers, or their equivalent
 * @stars: number of arguments taken by width and precision
 */
struct check_format_conversion {
	const char	*fmt;
	char		type;
	const char	*rest;
	unsigned int	longs;
	unsigned int	stars;
};

static struct check_format_conversion check_format_parse(const char *fmt)
{
	struct check_format_conversion conv = { .fmt = fmt };

	for (fmt++; *fmt && strchr("-+ #0123456789.*", *fmt); fmt++)
		conv.stars += *fmt == '*';
	for (; *fmt && strchr("hlLqjzt", *fmt); fmt++) {
		if (*fmt == 'l' || *fmt == 'z' || *fmt == 't')
			conv.longs++;
		else if (*fmt != 'h')
			conv.longs = 2;
	}
	conv.type = *fmt;
	conv.rest = *fmt ? fmt + 1 : fmt;

	return conv;
}

/* Skip the arguments of a conversion. Return: the string if it is a %s conversion */
static const char *check_format_take(struct check_format_arguments *args,
				     const struct check_format_conversion *conv)
{
	unsigned int i;

	for (i = 0; i < conv->stars; i++)
		(void)va_arg(args->list, int);

	switch (conv->type) {
	case 's':
		return va_arg(args->list, const char *);
	case 'p':
		(void)va_arg(args->list, void *);
		return NULL;
	case '%':
	case '\0':
		return NULL;
	default:
		if (conv->longs > 1)
			(void)va_arg(args->list, long long);
		else if (conv->longs)
			(void)va_arg(args->list, long);
		else
			(void)va_arg(args->list, int);
		return NULL;
	}
}

static bool check_format_is_text_in(const char *text, const void *start, size_t size)
{
	return text >= (const char *)start && text < (const char *)start + size;
}

/* Memory of the kernel, or of the event's module, which outlives the event. */
static bool check_format_stays(const struct trace_iterator *iter, const char *text)
{
	unsigned long addr = (unsigned long)text;
	struct trace_event_call *call;

	if (is_kernel_rodata(addr) || is_kernel_core_data(addr))
		return true;

	call = trace_event_call_of(iter->ent->type);

	return call && !(call->flags & TRACE_EVENT_FL_DYNAMIC) && call->module &&
	       within_module_core(addr, call->module);
}

/* printf() itself reports NULL and error pointers. */
static bool check_format_is_safe(const struct trace_iterator *iter, const char *text)
{
	return (unsigned long)text < PAGE_SIZE || IS_ERR(text) ||
	       check_format_is_text_in(text, iter->ent, iter->ent_size) ||
	       check_format_is_text_in(text, iter->tmp_seq.buffer, sizeof(iter->tmp_seq.buffer)) ||
	       check_format_stays(iter, text);
}

static void check_format_put(struct trace_seq *p, const char *from, const char *to)
{
	trace_seq_putmem(p, from, to - from);
}

/* Print the conversion as one of a pointer, with the same arguments. */
static void check_format_put_address(struct trace_seq *p,
				     const struct check_format_conversion *conv)
{
	trace_seq_puts(p, "(0x");
	check_format_put(p, conv->fmt, conv->rest - 1);
	trace_seq_puts(p, "px)[UNSAFE-MEMORY]");
}

/* Terminate a copy that begins at @copy. */
static const char *check_format_end_copy(struct trace_seq *p, const char *copy)
{
	trace_seq_putc(p, 0);

	return trace_seq_has_overflowed(p) ? "[too long]\n" : copy;
}

/**
 * trace_format_check - make sure that the strings of an entry can be printed
 * @iter: iterator at the entry
 * @fmt: the format
 * @args: its arguments
 *
 * Return: @fmt; or, if a string may have been freed, a copy in iter->tmp_seq that prints the
 *	address of that string instead
 */
const char *trace_format_check(struct trace_iterator *iter, const char *fmt, va_list args)
{
	struct trace_seq *p = &iter->tmp_seq;
	const char *copy = NULL, *at, *done = fmt;
	struct check_format_arguments walk;

	va_copy(walk.list, args);
	for (at = strchr(fmt, '%'); at; at = strchr(at, '%')) {
		struct check_format_conversion conv = check_format_parse(at);
		const char *text = check_format_take(&walk, &conv);

		if (text && !check_format_is_safe(iter, text)) {
			copy = copy ?: trace_seq_buffer_ptr(p);
			check_format_put(p, done, at);
			check_format_put_address(p, &conv);
			done = conv.rest;
		}
		at = conv.rest;
	}
	va_end(walk.list);
	if (!copy)
		return fmt;

	trace_seq_puts(p, done);

	return check_format_end_copy(p, copy);
}

/**
 * trace_format_pointers - print addresses unhashed
 * @p: destination of the copy: after the texts of the arguments, if there is space
 * @fmt: the format
 *
 * Return: a copy with %px in place of %p; %pS and similar conversions are kept
 */
const char *trace_format_pointers(struct trace_seq *p, const char *fmt)
{
	const char *copy = trace_seq_buffer_ptr(p), *at, *done = fmt;

	for (at = strchr(fmt, '%'); at; at = strchr(done, '%')) {
		struct check_format_conversion conv = check_format_parse(at);

		check_format_put(p, done, conv.rest);
		if (conv.type == 'p' && !isalnum(*conv.rest))
			trace_seq_putc(p, 'x');
		done = conv.rest;
	}
	trace_seq_puts(p, done);

	return check_format_end_copy(p, copy);
}
