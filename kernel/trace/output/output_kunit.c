// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of trace output: entries with known fields are written to a buffer with a clock
 * that is set by hand, and the lines are compared.
 */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "filter/func_command.h"
#include "ftrace/test/kunit_target.h"
#include "instance/core/buffer.h"
#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/tracer/tracer.h"
#include "lib/pattern.h"
#include "output/dump.h"
#include "output/reader.h"

#define PAGES		2
#define NOBODY		0x3fffff	/* a pid that no task has had */
#define NOBODYS		"           <...>-4194303"

static u64 test_now;

static u64 test_clock(void)
{
	return test_now;
}

/* An entry to be written on the CPU whose buffer it belongs to. */
struct test_entry {
	struct trace_array	*tr;
	const void		*data;
	size_t			size;
	bool			written;
};

static void write_here(void *info)
{
	struct test_entry *test = info;
	struct trace_buffer *buffer = test->tr->main.buffer;
	struct ring_buffer_event *event;

	event = ring_buffer_lock_reserve(buffer, test->size);
	if (!event)
		return;

	memcpy(ring_buffer_event_data(event), test->data, test->size);
	ring_buffer_unlock_commit(buffer);
	test->written = true;
}

static void write_entry(struct kunit *test, int cpu, u64 ns, const void *data,
			size_t size)
{
	struct test_entry entry = {
		.tr	= test->priv,
		.data	= data,
		.size	= size,
	};

	test_now = ns;
	smp_call_function_single(cpu, write_here, &entry, true);
	KUNIT_ASSERT_TRUE(test, entry.written);
}

static void write_call(struct kunit *test, int cpu, u64 ns, u8 flags, u8 count)
{
	struct ftrace_entry entry = {
		.ent = {
			.type		= TRACE_FN,
			.flags		= flags,
			.preempt_count	= count,
			.pid		= NOBODY,
		},
		.ip		= (unsigned long)vfs_read,
		.parent_ip	= (unsigned long)kernel_read,
	};

	write_entry(test, cpu, ns, &entry, sizeof(entry));
}

static struct trace_reader *begin(struct kunit *test, bool consuming)
{
	struct trace_array *tr = test->priv;
	struct trace_reader *reader;

	scoped_guard(mutex, &trace_lock)
		reader = trace_reader_alloc(&tr->main, RING_BUFFER_ALL_CPUS,
					    consuming);
	KUNIT_ASSERT_NOT_NULL(test, reader);

	if (consuming)
		trace_reader_look(reader);
	else
		KUNIT_EXPECT_EQ(test, trace_reader_start(reader), 0);

	return reader;
}

/* The next line is @want; NULL if there must be no more entries. */
static void expect_line(struct kunit *test, struct trace_reader *reader,
			const char *want)
{
	struct trace_seq *s = &reader->iter.seq;

	if (!want) {
		KUNIT_EXPECT_FALSE(test, trace_reader_next(reader));
		return;
	}

	KUNIT_ASSERT_TRUE(test, trace_reader_next(reader));
	trace_seq_init(s);
	KUNIT_EXPECT_EQ(test, (int)trace_print_entry(reader),
			(int)TRACE_TYPE_HANDLED);
	KUNIT_EXPECT_STREQ(test, seq_buf_str(&s->seq), want);
	trace_reader_consumed(reader);
}

static void test_function_line(struct kunit *test)
{
	struct trace_reader *reader;
	int i;

	write_call(test, 0, 17284993652789ULL, 0, 0);
	write_call(test, 0, 17284993653000ULL, TRACE_FLAG_IRQS_OFF, 1);
	reader = begin(test, false);

	/* A reader that does not consume: read the same entries again. */
	for (i = 0; i < 2; i++) {
		expect_line(test, reader, NOBODYS
			    " [000] ..... 17284.993652: vfs_read <-kernel_read\n");
		expect_line(test, reader, NOBODYS
			    " [000] d..1. 17284.993653: vfs_read <-kernel_read\n");
		expect_line(test, reader, NULL);
		trace_reader_rewind(reader);
	}
	trace_reader_free(reader);
}

static void test_flags(struct kunit *test)
{
	static const struct {
		u8		flags;
		u8		count;
		const char	*text;
	} rows[] = {
		{ 0, 0, "....." },
		{ TRACE_FLAG_IRQS_OFF, 0, "d...." },
		{ TRACE_FLAG_BH_OFF, 0, "b...." },
		{ TRACE_FLAG_IRQS_OFF | TRACE_FLAG_BH_OFF, 0, "D...." },
		{ TRACE_FLAG_IRQS_NOSUPPORT, 0, "X...." },
		{ TRACE_FLAG_NEED_RESCHED, 0, ".n..." },
		{ TRACE_FLAG_PREEMPT_RESCHED, 0, ".p..." },
		{ TRACE_FLAG_NEED_RESCHED | TRACE_FLAG_PREEMPT_RESCHED, 0,
		  ".N..." },
		{ TRACE_FLAG_SOFTIRQ, 0, "..s.." },
		{ TRACE_FLAG_HARDIRQ, 0, "..h.." },
		{ TRACE_FLAG_HARDIRQ | TRACE_FLAG_SOFTIRQ, 0, "..H.." },
		{ TRACE_FLAG_NMI, 0, "..z.." },
		{ TRACE_FLAG_NMI | TRACE_FLAG_HARDIRQ, 0, "..Z.." },
		{ 0, 9, "...9." },
		{ 0, 15, "...f." },
		/* The high half is the number of times that migration is disabled. */
		{ 0, 0x32, "...23" },
		{ 0, 0xf0, "....f" },
	};
	struct trace_reader *reader;
	char want[120];
	int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		write_call(test, 0, 1000 * i, rows[i].flags, rows[i].count);

	reader = begin(test, false);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		snprintf(want, sizeof(want), NOBODYS
			 " [000] %s     0.%06d: vfs_read <-kernel_read\n",
			 rows[i].text, i);
		expect_line(test, reader, want);
	}
	expect_line(test, reader, NULL);
	trace_reader_free(reader);
}

static void test_options(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	struct trace_reader *reader;

	write_call(test, 0, 5000000, 0, 0);

	tr->options = TRACE_OPT_DEFAULT & ~TRACE_OPT(PRINT_PARENT);
	reader = begin(test, false);
	expect_line(test, reader,
		    NOBODYS " [000] .....     0.005000: vfs_read\n");

	tr->options = TRACE_OPT_DEFAULT & ~TRACE_OPT(IRQ_INFO);
	trace_reader_rewind(reader);
	expect_line(test, reader, NOBODYS
		    " [000]      0.005000: vfs_read <-kernel_read\n");

	tr->options = TRACE_OPT_DEFAULT & ~TRACE_OPT(CONTEXT_INFO);
	trace_reader_rewind(reader);
	expect_line(test, reader, "vfs_read <-kernel_read\n");

	tr->options = TRACE_OPT_DEFAULT & ~TRACE_OPT(CONTEXT_INFO);
	tr->options |= TRACE_OPT(SYM_OFFSET);
	trace_reader_rewind(reader);
	KUNIT_ASSERT_TRUE(test, trace_reader_next(reader));
	trace_print_entry(reader);
	KUNIT_EXPECT_NOT_NULL(test, strstr(reader->iter.seq.buffer,
					   "vfs_read+0x0/0x"));
	trace_reader_free(reader);
}

static void test_order(struct kunit *test)
{
	struct trace_reader *reader;
	int other = cpumask_next(0, cpu_online_mask);

	if (other >= nr_cpu_ids)
		kunit_skip(test, "one CPU only");

	write_call(test, 0, 1000, 0, 0);
	write_call(test, 0, 4000, 0, 0);
	write_call(test, other, 2000, 0, 1);
	write_call(test, other, 3000, 0, 1);
	write_call(test, other, 4000, 0, 1);

	reader = begin(test, true);
	expect_line(test, reader, NOBODYS
		    " [000] .....     0.000001: vfs_read <-kernel_read\n");
	KUNIT_EXPECT_TRUE(test, trace_reader_next(reader));
	KUNIT_EXPECT_EQ(test, reader->iter.ts, 2000);
	trace_reader_consumed(reader);
	KUNIT_EXPECT_TRUE(test, trace_reader_next(reader));
	KUNIT_EXPECT_EQ(test, reader->iter.ts, 3000);
	trace_reader_consumed(reader);

	/* Equal time stamps: the lower CPU is first. */
	KUNIT_EXPECT_TRUE(test, trace_reader_next(reader));
	KUNIT_EXPECT_EQ(test, reader->iter.cpu, 0);
	trace_reader_consumed(reader);
	KUNIT_EXPECT_TRUE(test, trace_reader_next(reader));
	KUNIT_EXPECT_EQ(test, reader->iter.cpu, other);
	trace_reader_consumed(reader);
	expect_line(test, reader, NULL);
	KUNIT_EXPECT_TRUE(test, trace_reader_empty(reader));
	trace_reader_free(reader);
}

static void test_lost(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	struct trace_buffer *buffer = tr->main.buffer;
	unsigned long lost, left;
	struct trace_reader *reader;
	char want[160];
	int i, n = PAGES * PAGE_SIZE / 8;

	for (i = 0; i < n; i++)
		write_call(test, 0, i * 1000, 0, 0);

	lost = ring_buffer_overrun_cpu(buffer, 0);
	left = ring_buffer_entries_cpu(buffer, 0);
	KUNIT_EXPECT_EQ(test, lost + left, n);
	KUNIT_ASSERT_GT(test, lost, 0);

	reader = begin(test, true);
	snprintf(want, sizeof(want), "CPU:0 [LOST %lu EVENTS]\n" NOBODYS
		 " [000] .....     0.%06lu: vfs_read <-kernel_read\n", lost, lost);
	expect_line(test, reader, want);

	for (i = lost + 1; i < n; i++) {
		KUNIT_ASSERT_TRUE(test, trace_reader_next(reader));
		KUNIT_ASSERT_EQ(test, reader->iter.lost_events, 0);
		KUNIT_ASSERT_EQ(test, reader->iter.ts, i * 1000);
		trace_reader_consumed(reader);
	}
	expect_line(test, reader, NULL);
	trace_reader_free(reader);
}

/* An entry whose fields end at @head, followed by an array. */
static void *entry_with(struct kunit *test, u16 type, size_t head,
			const void *tail, size_t len)
{
	struct trace_entry *ent = kunit_kzalloc(test, head + len, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ent);
	memcpy((void *)ent + head, tail, len);
	ent->type = type;
	ent->pid = NOBODY;

	return ent;
}

static void test_texts(struct kunit *test)
{
	static const char text[] = "a text", line[] = "a line\n";
	static const char data[] = { 1, 2, (char)0xff };
	static const u32 words[] = { 7, 5 };
	struct trace_array *tr = test->priv;
	struct print_entry *print, *print_line;
	struct raw_data_entry *raw;
	struct bprint_entry *bprint;
	struct bputs_entry bputs = {
		.ent	= { .type = TRACE_BPUTS },
		.ip	= (unsigned long)vfs_read,
		.str	= "constant\n",
	};
	struct trace_reader *reader;

	print = entry_with(test, TRACE_PRINT, sizeof(*print), text,
			   sizeof(text));
	print->ip = (unsigned long)vfs_read;
	print_line = entry_with(test, TRACE_PRINT, sizeof(*print), line,
				sizeof(line));
	print_line->ip = (unsigned long)vfs_read;
	raw = entry_with(test, TRACE_RAW_DATA,
			 offsetof(struct raw_data_entry, buf), data,
			 sizeof(data));
	raw->id = 0x2a;
	bprint = entry_with(test, TRACE_BPRINT, sizeof(*bprint), words,
			    sizeof(words));
	bprint->ip = (unsigned long)vfs_read;
	bprint->fmt = "%d and %d";

	write_entry(test, 0, 1, print, sizeof(*print) + sizeof(text));
	write_entry(test, 0, 2, print_line, sizeof(*print) + sizeof(line));
	write_entry(test, 0, 3, raw,
		    offsetof(struct raw_data_entry, buf) + sizeof(data));
	write_entry(test, 0, 4, bprint, sizeof(*bprint) + sizeof(words));
	write_entry(test, 0, 5, &bputs, sizeof(bputs));

	tr->options &= ~TRACE_OPT(CONTEXT_INFO);
	reader = begin(test, false);
	expect_line(test, reader, "vfs_read: a text\n");
	expect_line(test, reader, "vfs_read: a line\n");
	/* The length of an event is rounded up to a multiple of four. */
	KUNIT_ASSERT_TRUE(test, trace_reader_next(reader));
	trace_seq_init(&reader->iter.seq);
	trace_print_entry(reader);
	KUNIT_EXPECT_TRUE(test, str_has_prefix(reader->iter.seq.buffer,
					       "# 2a buf: 01 02 ff"));
	trace_reader_consumed(reader);
	expect_line(test, reader, "vfs_read: 7 and 5\n");
	expect_line(test, reader, "vfs_read: constant\n");
	expect_line(test, reader, NULL);
	trace_reader_free(reader);
}

static void test_full(struct kunit *test)
{
	struct trace_reader *reader;
	struct trace_seq *s;
	size_t used;

	write_call(test, 0, 1000, 0, 0);
	reader = begin(test, true);
	s = &reader->iter.seq;
	while (seq_buf_buffer_left(&s->seq) > 40)
		trace_seq_putc(s, 'x');
	used = trace_seq_used(s);

	KUNIT_ASSERT_TRUE(test, trace_reader_next(reader));
	KUNIT_EXPECT_EQ(test, (int)trace_print_entry(reader),
			(int)TRACE_TYPE_PARTIAL_LINE);
	KUNIT_EXPECT_EQ(test, trace_seq_used(s), used);
	/* There is space again for a shorter text. */
	trace_seq_puts(s, "short");
	KUNIT_EXPECT_EQ(test, trace_seq_used(s), used + strlen("short"));

	/* The entry was not consumed. */
	expect_line(test, reader, NOBODYS
		    " [000] .....     0.000001: vfs_read <-kernel_read\n");
	trace_reader_free(reader);
}

/*
 * seq_file prints an entry again if its buffer ended within it: the annotation before the first
 * entry of a CPU has to be printed again with it.
 */
static void test_annotation(struct kunit *test)
{
	int other = cpumask_next(0, cpu_online_mask);
	struct trace_reader *reader;
	struct trace_seq *s;
	int i;

	if (other >= nr_cpu_ids)
		kunit_skip(test, "one CPU only");

	write_call(test, 0, 1000, 0, 0);
	write_call(test, other, 2000, 0, 0);
	write_call(test, other, 3000, 0, 0);
	reader = begin(test, false);
	reader->iter.iter_flags |= TRACE_FILE_ANNOTATE;
	s = &reader->iter.seq;

	expect_line(test, reader, NOBODYS
		    " [000] .....     0.000001: vfs_read <-kernel_read\n");
	KUNIT_ASSERT_TRUE(test, trace_reader_next(reader));
	for (i = 0; i < 2; i++) {
		trace_seq_init(s);
		trace_print_entry(reader);
		KUNIT_EXPECT_TRUE(test, str_has_prefix(seq_buf_str(&s->seq),
						       "##### CPU "));
		KUNIT_EXPECT_NOT_NULL(test, strstr(s->buffer,
						   " buffer started ####\n"));
	}
	trace_reader_consumed(reader);

	KUNIT_ASSERT_TRUE(test, trace_reader_next(reader));
	trace_seq_init(s);
	trace_print_entry(reader);
	KUNIT_EXPECT_FALSE(test, str_has_prefix(seq_buf_str(&s->seq), "#####"));
	trace_reader_free(reader);
}

static enum print_line_t print_own_text(struct trace_iterator *iter, int flags,
					struct trace_event *event)
{
	trace_seq_printf(&iter->seq, "own text of %s\n",
			 event->type == iter->ent->type ? "it" : "another");

	return trace_handle_return(&iter->seq);
}

/* A type of a module: its entries are printed by its function while it is registered. */
static void test_own_type(struct kunit *test)
{
	static struct trace_event_functions funcs = { .trace = print_own_text };
	struct trace_event event = { .funcs = &funcs }, next = { .funcs = &funcs };
	struct trace_array *tr = test->priv;
	struct trace_entry entry = { .pid = NOBODY };
	struct trace_reader *reader;
	char unknown[32];
	int type;

	type = register_trace_event(&event);
	KUNIT_ASSERT_GE(test, type, (int)TRACE_TYPE_FIXED);
	KUNIT_EXPECT_EQ(test, event.type, type);
	KUNIT_EXPECT_EQ(test, register_trace_event(&event), 0);

	entry.type = type;
	write_entry(test, 0, 1000, &entry, sizeof(entry));
	tr->options &= ~TRACE_OPT(CONTEXT_INFO);
	reader = begin(test, false);
	expect_line(test, reader, "own text of it\n");

	KUNIT_EXPECT_EQ(test, unregister_trace_event(&event), 0);
	KUNIT_EXPECT_EQ(test, unregister_trace_event(&event), -ENOENT);

	/* The number is not reused for the next type, whose text would be wrong. */
	KUNIT_EXPECT_GT(test, register_trace_event(&next), type);
	snprintf(unknown, sizeof(unknown), "Unknown type %d\n", type);
	trace_reader_rewind(reader);
	expect_line(test, reader, unknown);
	KUNIT_EXPECT_EQ(test, unregister_trace_event(&next), 0);
	trace_reader_free(reader);
}

static enum print_line_t print_long_text(struct trace_iterator *iter, int flags,
					 struct trace_event *event)
{
	while (!trace_seq_has_overflowed(&iter->seq))
		trace_seq_puts(&iter->seq, "long ");

	return trace_handle_return(&iter->seq);
}

/* The number of lost entries is printed even if the entry after it does not fit. */
static void test_lost_before_long(struct kunit *test)
{
	static struct trace_event_functions funcs = { .trace = print_long_text };
	struct trace_event event = { .funcs = &funcs };
	struct trace_array *tr = test->priv;
	struct trace_entry entry = { .pid = NOBODY };
	struct trace_reader *reader;
	char want[80];
	int i;

	entry.type = register_trace_event(&event);
	KUNIT_ASSERT_GT(test, (int)entry.type, 0);

	for (i = 0; i < PAGES * PAGE_SIZE / 2; i++)
		write_entry(test, 0, i * 1000, &entry, sizeof(entry));
	KUNIT_EXPECT_GT(test, ring_buffer_overrun_cpu(tr->main.buffer, 0), 0);
	reader = begin(test, true);
	snprintf(want, sizeof(want), "CPU:0 [LOST %lu EVENTS]\n[LINE TOO BIG]\n",
		 ring_buffer_overrun_cpu(tr->main.buffer, 0));
	expect_line(test, reader, want);
	expect_line(test, reader, "[LINE TOO BIG]\n");

	/* After other text, the line is deferred to the next buffer. */
	KUNIT_ASSERT_TRUE(test, trace_reader_next(reader));
	KUNIT_EXPECT_EQ(test, (int)trace_print_entry(reader),
			(int)TRACE_TYPE_PARTIAL_LINE);
	KUNIT_EXPECT_STREQ(test, seq_buf_str(&reader->iter.seq.seq), "[LINE TOO BIG]\n");

	trace_reader_free(reader);
	KUNIT_EXPECT_EQ(test, unregister_trace_event(&event), 0);
}

/*
 * A function that prints an entry may look at the next entry of its CPU, and have both consumed
 * together, also if the reader has no space for the line at first.
 */
static void peek_and_join(struct kunit *test, bool consuming)
{
	struct trace_reader *reader;
	struct trace_iterator *iter;
	int size;
	u64 ts;
	int i;

	for (i = 1; i <= 3; i++)
		write_call(test, 0, i * 1000, 0, i);
	reader = begin(test, consuming);
	iter = &reader->iter;

	for (i = 0; i < 3; i++) {
		KUNIT_ASSERT_TRUE(test, trace_reader_next(reader));
		KUNIT_ASSERT_NOT_NULL(test, trace_reader_peek(iter, &ts, &size));
		KUNIT_EXPECT_EQ(test, ts, 2000);
		KUNIT_EXPECT_EQ(test, size, sizeof(struct ftrace_entry));
		KUNIT_EXPECT_EQ(test, iter->ts, 1000);
		KUNIT_EXPECT_EQ(test, iter->ent->preempt_count, 1);
		if (i < 2)
			trace_reader_join(iter);

		/* Like a read() that had no space for the line. */
		if (consuming)
			trace_reader_look(reader);
		KUNIT_EXPECT_FALSE(test, trace_reader_empty(reader));
	}
	trace_reader_consumed(reader);

	/* The entry was not joined in the last pass. */
	KUNIT_ASSERT_TRUE(test, trace_reader_next(reader));
	KUNIT_EXPECT_EQ(test, iter->ts, 2000);
	KUNIT_ASSERT_NOT_NULL(test, trace_reader_peek(iter, &ts, &size));
	trace_reader_join(iter);
	trace_reader_consumed(reader);
	KUNIT_EXPECT_FALSE(test, trace_reader_next(reader));
	if (consuming)
		KUNIT_EXPECT_TRUE(test, trace_reader_empty(reader));

	/* There may be no next entry. */
	write_call(test, 0, 4000, 0, 4);
	if (consuming)
		trace_reader_look(reader);
	else
		trace_reader_rewind(reader);
	for (i = consuming ? 4 : 1; i < 4; i++) {
		KUNIT_ASSERT_TRUE(test, trace_reader_next(reader));
		trace_reader_consumed(reader);
	}
	KUNIT_ASSERT_TRUE(test, trace_reader_next(reader));
	KUNIT_EXPECT_NULL(test, trace_reader_peek(iter, &ts, &size));
	KUNIT_EXPECT_EQ(test, iter->ent->preempt_count, 4);
	trace_reader_consumed(reader);
	KUNIT_EXPECT_FALSE(test, trace_reader_next(reader));
	trace_reader_free(reader);
}

static void test_peek(struct kunit *test)
{
	peek_and_join(test, false);
}

static void test_peek_consuming(struct kunit *test)
{
	peek_and_join(test, true);
}

static void test_latency_format(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	struct trace_reader *reader;

	tr->options |= TRACE_OPT(LATENCY_FORMAT);
	write_call(test, 0, 1000000, TRACE_FLAG_IRQS_OFF, 0);
	write_call(test, 0, 1259000, TRACE_FLAG_IRQS_OFF, 1);
	write_call(test, 0, 1263000, TRACE_FLAG_IRQS_OFF, 1);

	reader = begin(test, false);
	expect_line(test, reader,
		    "   <...>-4194303   0d....    0us!: vfs_read <-kernel_read\n");
	expect_line(test, reader,
		    "   <...>-4194303   0d..1.  259us : vfs_read <-kernel_read\n");
	expect_line(test, reader,
		    "   <...>-4194303   0d..1.  263us : vfs_read <-kernel_read\n");
	expect_line(test, reader, NULL);
	trace_reader_free(reader);
}

static int output_test_init(struct kunit *test)
{
	struct trace_array *tr = kunit_kzalloc(test, sizeof(*tr), GFP_KERNEL);

	if (!tr)
		return -ENOMEM;

	tr->options = TRACE_OPT_DEFAULT;
	tr->tracer = &trace_nop;
	tr->main.tr = tr;
	tr->main.buffer = ring_buffer_alloc(PAGES * PAGE_SIZE, RB_FL_OVERWRITE);
	if (!tr->main.buffer)
		return -ENOMEM;

	/* Writing so far used the ring's previous clock. */
	test_now = 0;
	ring_buffer_set_clock(tr->main.buffer, test_clock);
	ring_buffer_reset(tr->main.buffer);
	test->priv = tr;

	return 0;
}

static void output_test_exit(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	if (tr)
		ring_buffer_free(tr->main.buffer);
}

/* Lines printed by a dump; of an entry's line, only the text of the entry is kept. */
static char dumped[256];

static bool keep_line(const char *line, int len)
{
	const char *text = strnstr(line, "kunit: ", len) ?: line;
	size_t used = strlen(dumped);

	scnprintf(dumped + used, sizeof(dumped) - used, "%.*s\n", (int)(line + len - text), text);

	return true;
}

static const struct trace_dump_to keeper = {
	.print	= keep_line,
	.width	= 200,
};

static void dump_top(struct kunit *test, int cpu, long skip)
{
	*dumped = '\0';
	KUNIT_EXPECT_TRUE(test, trace_dump_top(cpu, skip, &keeper));
}

/* A dump to a caller's function, like ftdump: all but the first entries. */
/* A dump disables preemption, and a stub of KUnit takes a spinlock. */
static void need_atomic_stubs(struct kunit *test)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		kunit_skip(test, "a stub may sleep");
}

static void test_dump(struct kunit *test)
{
	need_atomic_stubs(test);
	trace_array_clear(&trace_top, RING_BUFFER_ALL_CPUS);
	KUNIT_ASSERT_GT(test, __trace_puts(_THIS_IP_, "kunit: one", 10), 0);
	KUNIT_ASSERT_GT(test, __trace_puts(_THIS_IP_, "kunit: two", 10), 0);
	KUNIT_ASSERT_GT(test, __trace_puts(_THIS_IP_, "kunit: three", 12), 0);

	dump_top(test, RING_BUFFER_ALL_CPUS, 1);
	KUNIT_EXPECT_STREQ(test, dumped,
			   "---------------------------------\n"
			   "kunit: two\nkunit: three\n"
			   "---------------------------------\n");
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(trace_top.main.buffer), 0);
	KUNIT_EXPECT_FALSE(test, tracing_is_on());

	dump_top(test, raw_smp_processor_id(), 0);
	KUNIT_EXPECT_STREQ(test, dumped, "   (ftrace buffer empty)\n");
	tracing_on();
}

static bool end_dump(const char *line, int len)
{
	return !strnstr(line, "two", len) && keep_line(line, len);
}

static const struct trace_dump_to ender = {
	.print	= end_dump,
	.width	= 100,
};

/* The entry whose line ended the dump, and the entries after it, are still in the buffer. */
static void test_dump_ended(struct kunit *test)
{
	need_atomic_stubs(test);
	trace_array_clear(&trace_top, RING_BUFFER_ALL_CPUS);
	KUNIT_ASSERT_GT(test, __trace_puts(_THIS_IP_, "kunit: one", 10), 0);
	KUNIT_ASSERT_GT(test, __trace_puts(_THIS_IP_, "kunit: two", 10), 0);
	KUNIT_ASSERT_GT(test, __trace_puts(_THIS_IP_, "kunit: three", 12), 0);

	*dumped = '\0';
	KUNIT_EXPECT_TRUE(test, trace_dump_top(RING_BUFFER_ALL_CPUS, 0, &ender));
	KUNIT_EXPECT_STREQ(test, dumped,
			   "---------------------------------\n"
			   "kunit: one\n");
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(trace_top.main.buffer), 2);
	trace_array_clear(&trace_top, RING_BUFFER_ALL_CPUS);
	tracing_on();
}

static bool dump_again(const char *line, int len)
{
	return trace_dump(&trace_top, DUMP_ALL) ||
	       trace_dump_top(RING_BUFFER_ALL_CPUS, 0, &keeper);
}

static const struct trace_dump_to nester = {
	.print	= dump_again,
	.width	= 100,
};

/* The debugger may be entered in the middle of a dump. */
static void test_dump_in_dump(struct kunit *test)
{
	need_atomic_stubs(test);
	trace_array_clear(&trace_top, RING_BUFFER_ALL_CPUS);
	KUNIT_ASSERT_GT(test, __trace_puts(_THIS_IP_, "kunit: one", 10), 0);

	*dumped = '\0';
	KUNIT_EXPECT_TRUE(test, trace_dump_top(RING_BUFFER_ALL_CPUS, 0, &nester));
	KUNIT_EXPECT_STREQ(test, dumped, "");
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(trace_top.main.buffer), 1);
	trace_array_clear(&trace_top, RING_BUFFER_ALL_CPUS);
	tracing_on();
}

static bool call_and_end(const char *line, int len)
{
	ftrace_kunit_add(1, 2);
	return false;
}

static const struct trace_dump_to caller = {
	.print	= call_and_end,
	.width	= 100,
};

static int do_command(const char *text)
{
	struct ftrace_pattern pattern;
	char token[40];

	strscpy(token, text);
	return ftrace_pattern_parse(&pattern, token) ?: ftrace_command_do(&trace_top, &pattern);
}

/* A dump command that is triggered during another dump does not use up its count. */
static void test_dump_command_in_dump(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_DYNAMIC_FTRACE))
		kunit_skip(test, "there are no commands");
	need_atomic_stubs(test);

	KUNIT_ASSERT_EQ(test, do_command("ftrace_kunit_add:dump:1"), 0);
	trace_array_clear(&trace_top, RING_BUFFER_ALL_CPUS);
	KUNIT_EXPECT_GT(test, __trace_puts(_THIS_IP_, "kunit: one", 10), 0);
	KUNIT_EXPECT_TRUE(test, trace_dump_top(RING_BUFFER_ALL_CPUS, 0, &caller));
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(trace_top.main.buffer), 1);

	ftrace_kunit_add(1, 2);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(trace_top.main.buffer), 0);
	KUNIT_EXPECT_EQ(test, do_command("!ftrace_kunit_add:dump"), 0);
	tracing_on();
}

static struct kunit_case output_test_cases[] = {
	KUNIT_CASE(test_function_line),
	KUNIT_CASE(test_flags),
	KUNIT_CASE(test_options),
	KUNIT_CASE(test_order),
	KUNIT_CASE(test_lost),
	KUNIT_CASE(test_texts),
	KUNIT_CASE(test_full),
	KUNIT_CASE(test_annotation),
	KUNIT_CASE(test_own_type),
	KUNIT_CASE(test_lost_before_long),
	KUNIT_CASE(test_peek),
	KUNIT_CASE(test_peek_consuming),
	KUNIT_CASE(test_latency_format),
	KUNIT_CASE(test_dump),
	KUNIT_CASE(test_dump_ended),
	KUNIT_CASE(test_dump_in_dump),
	KUNIT_CASE(test_dump_command_in_dump),
	{ }
};

static struct kunit_suite output_test_suite = {
	.name		= "trace_output",
	.init		= output_test_init,
	.exit		= output_test_exit,
	.test_cases	= output_test_cases,
};

kunit_test_suite(output_test_suite);

MODULE_LICENSE("GPL");
