// SPDX-License-Identifier: GPL-2.0
/*
 * trace_seq (kernel/trace/lib/trace_seq.c) with the kernel's seq_buf.c.
 *
 * The rule under test: a write fits as a whole, or changes nothing and makes the sequence
 * permanently full. Each kind of write is made at every distance from the end of the buffer.
 */
#include <linux/trace_seq.h>

#include "tap.h"

/* --- functions that the sequence uses ----------------------------------------- */

size_t user_ok = SIZE_MAX;

char *d_path(const struct path *path, char *buf, int size)
{
	int len = strlen(path->name) + 1;

	if (len > size)
		return (char *)(intptr_t)-ENAMETOOLONG;
	return memcpy(buf + size - len, path->name, len);
}

/* The path is at the end of the buffer and moves to its start */
char *mangle_path(char *to, const char *from, const char *esc)
{
	size_t len = strlen(from);

	memmove(to, from, len);
	return to + len;
}

int seq_write(struct seq_file *m, const void *data, size_t len)
{
	if (len > m->space)
		return -1;
	memcpy(m->text, data, len);
	m->text += len;
	m->space -= len;
	return 0;
}

unsigned long copy_to_user(void *to, const void *from, unsigned long len)
{
	unsigned long ok = len < user_ok ? len : user_ok;

	memcpy(to, from, ok);
	return len - ok;
}

/* only formats of one number: the argument is where the kernel would have put it */
int bstr_printf(char *buf, size_t size, const char *fmt, const u32 *binary)
{
	char text[64];
	int len = sprintf(text, "bin %u", binary[0]);

	if (size) {
		memcpy(buf, text, (size_t)len < size ? len + 1 : size);
		buf[size - 1] = (size_t)len < size ? buf[size - 1] : '\0';
	}
	return len;
}

int hex_dump_to_buffer(const void *buf, size_t len, int rowsize, int groupsize,
		       void *line, size_t size, bool ascii)
{
	const unsigned char *p = buf;
	char *to = line;
	size_t i;

	*to = '\0';
	for (i = 0; i < len; i++)
		to += sprintf(to, i ? " %02x" : "%02x", p[i]);
	return to - (char *)line;
}

/* --- kinds of writes ----------------------------------------------------------- */

static const unsigned char bytes[20] = { 1, 2, 0xab, 4, 5, 6, 7, 8, 9, 10 };

static void write_printf(struct trace_seq *s)
{
	trace_seq_printf(s, "%s %d", "number", 12345);
}

static void write_bprintf(struct trace_seq *s)
{
	u32 binary[1] = { 77 };

	trace_seq_bprintf(s, "bin %u", binary);
}

static void write_puts(struct trace_seq *s)
{
	trace_seq_puts(s, "some text");
}

static void write_nothing(struct trace_seq *s)
{
	trace_seq_puts(s, "");
}

static void write_putc(struct trace_seq *s)
{
	trace_seq_putc(s, 'c');
}

static void write_putmem(struct trace_seq *s)
{
	trace_seq_putmem(s, "a\0b", 3);
}

static void write_hex(struct trace_seq *s)
{
	trace_seq_putmem_hex(s, bytes, 10);
}

static void write_path(struct trace_seq *s)
{
	struct path path = { "/some/file" };

	trace_seq_path(s, &path);
}

static void write_dump(struct trace_seq *s)
{
	trace_seq_hex_dump(s, "dump ", DUMP_PREFIX_OFFSET, 16, 1, bytes, sizeof(bytes), false);
}

static void write_acquired(struct trace_seq *s)
{
	char *space = trace_seq_acquire(s, 5);

	if (space)
		memcpy(space, "taken", 5);
}

#define TEXT(t) { .text = t, .len = sizeof(t) - 1 }

static const struct {
	const char	*name;
	void		(*write)(struct trace_seq *s);
	struct {
		const char	*text;
		size_t		len;
	} want;
} writes[] = {
	{ "printf",	write_printf,	TEXT("number 12345") },
	{ "bprintf",	write_bprintf,	TEXT("bin 77") },
	{ "puts",	write_puts,	TEXT("some text") },
	{ "nothing",	write_nothing,	TEXT("") },
	{ "putc",	write_putc,	TEXT("c") },
	{ "putmem",	write_putmem,	TEXT("a\0b") },
	{ "hex",	write_hex,	TEXT("0807060504ab0201 0a09 ") },
	{ "path",	write_path,	TEXT("/some/file") },
	{ "hex dump",	write_dump,
	  TEXT("dump 00000000: 01 02 ab 04 05 06 07 08 09 0a 00 00 00 00 00 00\n"
	       "dump 00000010: 00 00 00 00\n") },
	{ "acquire",	write_acquired,	TEXT("taken") },
};

/* on the heap, so that an extra byte is detected */
static struct trace_seq *new_seq(size_t used)
{
	struct trace_seq *s = malloc(sizeof(*s));

	memset(s, 0x5a, sizeof(*s));
	trace_seq_init(s);
	while (used) {
		size_t step = used < 100 ? used : 100;
		char text[100];

		memset(text, 'x', sizeof(text));
		trace_seq_putmem(s, text, step);
		used -= step;
	}
	return s;
}

static bool check_write(unsigned int i, size_t used)
{
	struct trace_seq *s = new_seq(used);
	size_t len = writes[i].want.len, before = trace_seq_used(s);
	unsigned long failures = tap_failures;
	bool fits;

	EXPECT_EQ(before, used);
	writes[i].write(s);
	fits = !trace_seq_has_overflowed(s);
	/*
	 * a write that leaves some space always fits; a write that exceeds the space never does
	 */
	if (used + len + 1 < TRACE_SEQ_BUFFER_SIZE)
		EXPECT(fits);
	if (used + len > TRACE_SEQ_BUFFER_SIZE)
		EXPECT(!fits);
	EXPECT_EQ(trace_seq_used(s), fits ? used + len : used);
	if (fits)
		EXPECT(!memcmp(s->buffer + used, writes[i].want.text, len));
	EXPECT(!used || (s->buffer[0] == 'x' && s->buffer[used - 1] == 'x'));

	/* Once it is full, even shorter writes fail */
	if (!fits) {
		write_putc(s);
		write_printf(s);
		EXPECT_EQ(trace_seq_used(s), used);
		EXPECT(trace_seq_has_overflowed(s));
		EXPECT(!trace_seq_acquire(s, 1));
	}
	free(s);
	if (tap_failures == failures)
		return true;
	printf("# %s after %zu bytes\n", writes[i].name, used);
	return false;
}

static void whole_or_not_at_all(void)
{
	unsigned int i;
	size_t left;

	for (i = 0; i < TAP_NUM(writes); i++)
		for (left = 0; left <= 150; left++)
			if (!check_write(i, TRACE_SEQ_BUFFER_SIZE - 1 - left))
				break;
	for (i = 0; i < TAP_NUM(writes); i++)
		check_write(i, 0);
}

/* a zeroed sequence also works without trace_seq_init() */
static void without_init(void)
{
	struct trace_seq *s = calloc(1, sizeof(*s));

	trace_seq_puts(s, "hello");
	EXPECT_EQ(trace_seq_used(s), 5);
	EXPECT(!memcmp(s->buffer, "hello", 5));
	free(s);
}

static void results(void)
{
	struct trace_seq *s = new_seq(0);
	struct path path = { "/a" };

	EXPECT_EQ(trace_seq_path(s, &path), 1);
	EXPECT_EQ(trace_seq_hex_dump(s, "", DUMP_PREFIX_NONE, 16, 1, bytes, 1, false), 1);
	free(s);
	s = new_seq(TRACE_SEQ_BUFFER_SIZE - 2);
	EXPECT_EQ(trace_seq_path(s, &path), 0);
	free(s);
	s = new_seq(TRACE_SEQ_BUFFER_SIZE - 2);
	EXPECT_EQ(trace_seq_hex_dump(s, "", DUMP_PREFIX_NONE, 16, 1, bytes, 1, false), 0);
	free(s);
}

static void to_seq_file(void)
{
	struct trace_seq *s = new_seq(0);
	char text[32];
	struct seq_file m = { text, 4 };

	trace_seq_puts(s, "hello");
	EXPECT_EQ(trace_print_seq(&m, s), -1);
	EXPECT_EQ(trace_seq_used(s), 5);
	m.space = sizeof(text);
	EXPECT_EQ(trace_print_seq(&m, s), 0);
	EXPECT_EQ(trace_seq_used(s), 0);
	EXPECT(m.text == text + 5 && !memcmp(text, "hello", 5));
	free(s);
}

static void to_user(void)
{
	struct trace_seq *s = new_seq(0);
	char text[8];

	EXPECT_EQ(trace_seq_to_user(s, text, 1), -EBUSY);
	trace_seq_puts(s, "hello");
	EXPECT_EQ(trace_seq_to_user(s, text, 0), 0);
	EXPECT_EQ(trace_seq_to_user(s, text, 2), 2);
	EXPECT(!memcmp(text, "he", 2));
	user_ok = 0;
	EXPECT_EQ(trace_seq_to_user(s, text, 8), -EFAULT);
	user_ok = 1;
	EXPECT_EQ(trace_seq_to_user(s, text, 8), 1);
	EXPECT_EQ(text[0], 'l');
	user_ok = SIZE_MAX;
	EXPECT_EQ(trace_seq_to_user(s, text, 8), 2);
	EXPECT(!memcmp(text, "lo", 2));
	EXPECT_EQ(trace_seq_to_user(s, text, 8), -EBUSY);
	free(s);
}

static const struct tap_case cases[] = {
	TAP_CASE(whole_or_not_at_all),
	TAP_CASE(without_init),
	TAP_CASE(results),
	TAP_CASE(to_seq_file),
	TAP_CASE(to_user),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
