// SPDX-License-Identifier: GPL-2.0
/*
 * Test of kernel/trace/output/emit.h: each function is compared with printf().
 *
 * The buffer has the length of the expected text, so that the sanitizer detects an extra byte.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "output/emit.h"
#include "tap.h"

#define RANDOM_RUNS	200000

/* Numbers around changes of the number of digits. */
static const u64 edges[] = {
	0, 1, 9, 10, 11, 99, 100, 999, 1000, 99999, 100000, 999999, 1000000,
	0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 4294967299, 9999999999,
	10000000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
};

#define NR_EDGES	(sizeof(edges) / sizeof(edges[0]))

static u64 a_number(unsigned int i)
{
	u64 v;

	if (i < NR_EDGES)
		return edges[i];

	v = (u64)random() << 42 ^ (u64)random() << 21 ^ random();

	return v >> (random() % 64);
}

/* Applies @how to a buffer of exactly the length of @want. */
#define EMITS(how, want)						\
do {									\
	const char *_want = (want);					\
	size_t _len = strlen(_want);					\
	char *_buf = malloc(_len ?: 1);					\
	char *p = _buf;							\
	char *_end = (how);						\
									\
	tap_check((size_t)(_end - _buf) == _len &&			\
		  !memcmp(_buf, _want, _len), __FILE__, __LINE__,	\
		  _want);						\
	free(_buf);							\
} while (0)

static void text(void)
{
	EMITS(emit_char(p, 'x'), "x");
	EMITS(emit_str(p, ""), "");
	EMITS(emit_str(p, "some text"), "some text");
	EMITS(emit_mem(p, "some text", 4), "some");
	EMITS(emit_fill(p, '.', 3), "...");
	EMITS(emit_fill(p, '.', 0), "");
	EMITS(emit_fill(p, '.', -5), "");
	EMITS(emit_str_right(p, "ab", 5), "   ab");
	EMITS(emit_str_right(p, "abcdef", 5), "abcdef");
	EMITS(emit_str_right(p, "", 2), "  ");
}

static void decimal(u64 v)
{
	char want[64];

	sprintf(want, "%" PRIu64, v);
	EMITS(emit_dec(p, v), want);
	sprintf(want, "%" PRId64, (int64_t)v);
	EMITS(emit_int(p, v), want);
	sprintf(want, "%12" PRIu64, v);
	EMITS(emit_dec_right(p, v, 12, ' '), want);
	sprintf(want, "%03" PRIu64, v);
	EMITS(emit_dec_right(p, v, 3, '0'), want);
	sprintf(want, "%-5" PRId64, (int64_t)v);
	EMITS(emit_int_left(p, v, 5), want);
}

static void hex(u64 v)
{
	char want[64];

	sprintf(want, "%" PRIx64, v);
	EMITS(emit_hex(p, v), want);
	sprintf(want, "%08" PRIx32, (uint32_t)v);
	EMITS(emit_hex_wide(p, (uint32_t)v, 8), want);
	sprintf(want, "%016" PRIx64, v);
	EMITS(emit_hex_wide(p, v, 16), want);
}

static void a_time(u64 ns)
{
	char want[64];

	sprintf(want, "%5" PRIu64 ".%06" PRIu64, ns / 1000000000,
		ns / 1000 % 1000000);
	EMITS(emit_time(p, ns, 5), want);
}

/* The same as printf(), but times are truncated, not rounded. */
static void decimal_numbers(void)
{
	unsigned int i;

	for (i = 0; i < RANDOM_RUNS; i++)
		decimal(a_number(i));
}

static void hex_numbers(void)
{
	unsigned int i;

	for (i = 0; i < RANDOM_RUNS; i++)
		hex(a_number(i));
}

static void times(void)
{
	unsigned int i;

	for (i = 0; i < RANDOM_RUNS; i++)
		a_time(a_number(i));
}

static const struct tap_case cases[] = {
	TAP_CASE(text),
	TAP_CASE(decimal_numbers),
	TAP_CASE(hex_numbers),
	TAP_CASE(times),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
