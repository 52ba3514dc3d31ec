/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text output without printf(): a line of the trace has ten fields, and parsing a format for
 * each line costs more than everything else.
 *
 * Each function writes at @p, where the caller has reserved enough space, adds no NUL, and
 * returns the end of the text it wrote. PURE: nothing here depends on the state of the kernel.
 */
#ifndef _TRACE_OUTPUT_EMIT_H
#define _TRACE_OUTPUT_EMIT_H

#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>

/* Maximum number of characters written by emit_dec() and emit_hex(). */
#define EMIT_DEC_MAX	20
#define EMIT_HEX_MAX	16

/* Minimum and maximum number of characters written by emit_us(). */
#define EMIT_US_WIDTH	12
#define EMIT_US_MAX	(EMIT_DEC_MAX + 4)

static const char emit_hex_digits[] = "0123456789abcdef";

static inline char *emit_char(char *p, char c)
{
	*p = c;

	return p + 1;
}

static inline char *emit_mem(char *p, const char *text, size_t len)
{
	memcpy(p, text, len);

	return p + len;
}

static inline char *emit_str(char *p, const char *text)
{
	while (*text)
		*p++ = *text++;

	return p;
}

static inline char *emit_fill(char *p, char c, int n)
{
	while (n-- > 0)
		*p++ = c;

	return p;
}

/* Right-aligned in @width columns; a longer text is written in full. */
static inline char *emit_str_right(char *p, const char *text, int width)
{
	int len = strlen(text);

	return emit_mem(emit_fill(p, ' ', width - len), text, len);
}

/*
 * Write the digits of @v so that they end before @end. Compilers turn a division
 * of 32 bits by ten into a multiplication; only larger values need one of 64 bits.
 *
 * Return: the first digit.
 */
static inline char *emit_digits(char *end, u64 v)
{
	u32 low;

	while (v > 0xffffffffULL) {
		u64 q = div_u64(v, 10);

		*--end = '0' + (char)(v - q * 10);
		v = q;
	}

	low = (u32)v;
	do {
		u32 q = low / 10;

		*--end = '0' + (char)(low - q * 10);
		low = q;
	} while (low);

	return end;
}

/* Six digits, for @v below a million. Writes two digits at a time to save divisions. */
static inline char *emit_six(char *p, u32 v)
{
	u32 pair[3] = { v / 10000, v / 100 % 100, v % 100 };
	int i;

	for (i = 0; i < 3; i++) {
		*p++ = '0' + pair[i] / 10;
		*p++ = '0' + pair[i] % 10;
	}

	return p;
}

static inline char *emit_dec(char *p, u64 v)
{
	char digits[EMIT_DEC_MAX];
	char *end = digits + sizeof(digits);
	char *start = emit_digits(end, v);

	while (start < end)
		*p++ = *start++;

	return p;
}

static inline char *emit_int(char *p, s64 v)
{
	if (v >= 0)
		return emit_dec(p, v);

	return emit_dec(emit_char(p, '-'), 0 - (u64)v);
}

/* Right-aligned in @width columns, padded with @fill; a longer number is written in full. */
static inline char *emit_dec_right(char *p, u64 v, int width, char fill)
{
	char digits[EMIT_DEC_MAX];
	char *end = digits + sizeof(digits);
	char *start = emit_digits(end, v);

	p = emit_fill(p, fill, width - (int)(end - start));
	while (start < end)
		*p++ = *start++;

	return p;
}

/* Left-aligned in @width columns; a longer number is written in full. */
static inline char *emit_int_left(char *p, s64 v, int width)
{
	char *end = emit_int(p, v);

	return emit_fill(end, ' ', width - (int)(end - p));
}

/* Without leading zeros. */
static inline char *emit_hex(char *p, u64 v)
{
	int shift = 60;

	while (shift && !(v >> shift))
		shift -= 4;

	for (; shift >= 0; shift -= 4)
		*p++ = emit_hex_digits[(v >> shift) & 15];

	return p;
}

/* Exactly @width digits, the lowest ones. */
static inline char *emit_hex_wide(char *p, u64 v, int width)
{
	while (width--)
		*p++ = emit_hex_digits[(v >> (width * 4)) & 15];

	return p;
}

/* @ns as seconds, right-aligned in @width columns, and microseconds. */
static inline char *emit_time(char *p, u64 ns, int width)
{
	u64 us = div_u64(ns, 1000);
	u64 s = div_u64(us, 1000000);

	p = emit_dec_right(p, s, width, ' ');
	p = emit_char(p, '.');

	return emit_six(p, us - s * 1000000);
}

/* "0.541 us    ": at most eight characters for the number, including the point */
static inline char *emit_us(char *p, u64 ns)
{
	u32 rest;
	u64 us = div_u64_rem(ns, 1000, &rest);
	char digits[4];
	char *start = p;
	int space;

	p = emit_dec(p, us);
	space = 8 - (int)(p - start) - 1;
	if (space > 0) {
		p = emit_char(p, '.');
		emit_dec_right(digits, rest, 3, '0');
		p = emit_mem(p, digits, min(space, 3));
	}
	p = emit_mem(p, " us ", 4);

	return emit_fill(p, ' ', EMIT_US_WIDTH - (int)(p - start));
}

#endif /* _TRACE_OUTPUT_EMIT_H */
