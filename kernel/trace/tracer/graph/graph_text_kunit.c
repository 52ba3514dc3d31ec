// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the function graph text, with the examples of Documentation/trace/ftrace.rst.
 * A test has a text: its lines are converted to entries in the buffer of an instance whose
 * clock is set by hand, and readers must show the same text.
 */
#include <kunit/static_stub.h>
#include <kunit/test.h>
#include <kunit/test-bug.h>
#include <linux/array_size.h>
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/trace.h>
#include <linux/trace_events.h>

#include "ftrace/test/kunit_target.h"
#include "instance/core/buffer.h"
#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/record/cmdlines.h"
#include "instance/tracer/current_tracer.h"
#include "instance/tracer/tracer_options.h"
#include "output/reader.h"
#include "output/symbols.h"
#include "tracer/graph/graph_tracer.h"

#define TEXT_MAX	4096
#define NAMES_MAX	80
#define NAMES_AT	0x1000
#define COMMENT_MAX	32
#define CPUS		2

/* Width of a duration in a line, and the text between it and the calls. */
#define DURATION	12
#define CALLS		"|  "

static u64 test_now;

static u64 test_clock(void)
{
	return test_now;
}

/**
 * struct graph_text_cpu - state of a CPU after the lines up to now
 * @pid: the task
 * @flags: flags of its entries
 * @func: calls in progress, by depth
 * @missing: a call began before the text was written
 */
struct graph_text_cpu {
	pid_t		pid;
	u8		flags;
	bool		missing;
	unsigned long	func[GRAPH_DEPTH_MAX];
};

/**
 * struct graph_test - a test
 * @tr: the instance
 * @overrun: overrun of all returns
 * @skip: number of lines before the text
 * @cpu: state, by CPU
 * @name: names of functions in the text; the address of the first one is NAMES_AT, and so on
 * @text: the text that was read
 * @want: the expected text
 */
struct graph_test {
	struct trace_array	*tr;
	unsigned int		overrun;
	unsigned int		skip;
	struct graph_text_cpu	cpu[CPUS];
	struct {
		const char	*start;
		unsigned int	len;
	} name[NAMES_MAX];
	char			text[TEXT_MAX];
	char			want[TEXT_MAX];
};

/*
 * A line of a text; its call is the @len characters at @call. @ts is 0 if the line has no time.
 */
struct graph_text_line {
	unsigned int	cpu;
	int		depth;
	u64		ts;
	u64		ns;
	unsigned long	func;
	unsigned long	retval;
	const char	*call;
	size_t		len;
};

/* An entry to be written on the CPU whose buffer it belongs to. */
struct graph_test_entry {
	struct trace_buffer	*buffer;
	const void		*data;
	size_t			size;
	bool			written;
};

static void write_here(void *info)
{
	struct graph_test_entry *entry = info;
	struct ring_buffer_event *event;

	event = ring_buffer_lock_reserve(entry->buffer, entry->size);
	if (!event)
		return;

	memcpy(ring_buffer_event_data(event), entry->data, entry->size);
	ring_buffer_unlock_commit(entry->buffer);
	entry->written = true;
}

static void write_entry(struct kunit *test, unsigned int cpu, struct trace_entry *ent, size_t size)
{
	struct graph_test *t = test->priv;
	struct graph_test_entry entry = {
		.buffer	= t->tr->main.buffer,
		.data	= ent,
		.size	= size,
	};

	ent->pid = t->cpu[cpu].pid;
	ent->flags = t->cpu[cpu].flags;
	smp_call_function_single(cpu, write_here, &entry, true);
	KUNIT_ASSERT_TRUE(test, entry.written);
}

static void write_call(struct kunit *test, const struct graph_text_line *line)
{
	struct graph_test *t = test->priv;
	struct graph_ent_entry entry = {
		.ent.type		= TRACE_GRAPH_ENT,
		.graph_ent.func		= line->func,
		.graph_ent.depth	= line->depth,
	};

	t->cpu[line->cpu].func[line->depth] = line->func;
	write_entry(test, line->cpu, &entry.ent, sizeof(entry));
}

static void write_return(struct kunit *test, const struct graph_text_line *line)
{
	struct graph_test *t = test->priv;
	struct graph_ret_entry entry = {
		.ent.type	= TRACE_GRAPH_RET,
		.ret.func	= line->func,
		.ret.depth	= line->depth,
		.ret.overrun	= t->overrun,
		.ret.calltime	= 7,
		.ret.rettime	= 7 + line->ns,
	};

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	entry.ret.retval = line->retval;
#endif
	t->cpu[line->cpu].func[line->depth] = 0;
	write_entry(test, line->cpu, &entry.ent, sizeof(entry));
}

/* "a text" of "/\* a text *\/" */
static void write_comment(struct kunit *test, const struct graph_text_line *line)
{
	char data[sizeof(struct print_entry) + COMMENT_MAX]
		__aligned(__alignof__(struct print_entry)) = { };
	struct print_entry *entry = (struct print_entry *)data;

	KUNIT_ASSERT_LT(test, line->len, COMMENT_MAX);
	entry->ent.type = TRACE_PRINT;
	memcpy(entry->buf, line->call + 3, line->len - 6);
	write_entry(test, line->cpu, &entry->ent, sizeof(data));
}

/* "1837.709 us": the maximum number of nanoseconds that is shown like this */
static u64 duration_of(const char *p)
{
	int digits;
	u64 ns = 0;

	for (p = skip_spaces(p); isdigit(*p); p++)
		ns = ns * 10 + *p - '0';
	if (*p == '.')
		p++;
	for (digits = 0; digits < 3; digits++)
		ns = ns * 10 + (isdigit(*p) ? *p++ - '0' : 9);

	return ns;
}

/* The value after "= " in a comment. A negative int has no upper half. */
static unsigned long retval_of(const struct graph_text_line *line)
{
	const char *value = strnstr(line->call, " = ", line->len);
	unsigned long retval;
	int below;

	if (!value)
		return 0;
	if (sscanf(value, " = -%d", &below) == 1)
		return (u32)-below;

	return sscanf(value, " = 0x%lx", &retval) == 1 ? retval : 0;
}

/* The column of the calls is the last one. */
static const char *find_calls(const char *text, const char *end)
{
	const char *found = NULL, *p;

	for (p = text; (p = strnstr(p, CALLS, end - p)); p++)
		found = p;

	return found;
}

/* Map a digit of a text to a CPU of this machine. */
static unsigned int cpu_of(char digit)
{
	return cpu_online(1) ? (digit - '0') % CPUS : 0;
}

/*
 * Parse a line up to @end. All columns before the calls may be missing, except the CPU and the
 * duration.
 *
 * Return: false if there is no call in it
 */
static bool parse(struct kunit *test, const char *text, const char *end,
		  struct graph_text_line *line)
{
	const char *cpu = strnchr(text, end - text, ')');
	const char *calls = find_calls(text, end);
	struct graph_test *t = test->priv;
	struct graph_text_cpu *known;
	unsigned long s, us;
	const char *task;

	if (!cpu || !isdigit(cpu[-1]))
		return false;

	memset(line, 0, sizeof(*line));
	line->cpu = cpu_of(cpu[-1]);
	known = &t->cpu[line->cpu];
	if (strnstr(text, "====", end - text))
		known->flags ^= TRACE_FLAG_HARDIRQ;
	task = strnstr(text, " => ", end - text);
	if (task)
		sscanf(strchrnul(task, '-'), "-%d", &known->pid);
	if (!calls)
		return false;

	if (sscanf(text, "%lu.%lu |", &s, &us) == 2)
		line->ts = s * NSEC_PER_SEC + us * NSEC_PER_USEC;
	line->ns = duration_of(calls - DURATION);
	line->call = skip_spaces(calls + strlen(CALLS));
	line->depth = (line->call - calls - strlen(CALLS)) / 2;
	line->len = end - line->call;
	line->retval = retval_of(line);

	return true;
}

/* Address used for a name: the kernel may have no such function, or a different one. */
static unsigned long func_of(struct kunit *test, const char *name)
{
	struct graph_test *t = test->priv;
	unsigned int len = strcspn(name, "( ");
	int i;

	for (i = 0; i < NAMES_MAX && t->name[i].start; i++) {
		if (t->name[i].len == len && !memcmp(t->name[i].start, name, len))
			return NAMES_AT + i;
	}

	KUNIT_ASSERT_LT(test, i, NAMES_MAX);
	t->name[i].start = name;
	t->name[i].len = len;
	return NAMES_AT + i;
}

/* Stub of symbol_text() */
static const char *name_of(struct symbol_cache *cache, unsigned long ip, u64 options,
			   unsigned int *len)
{
	struct graph_test *t = kunit_get_current_test()->priv;
	unsigned long i = ip - NAMES_AT;

	if (i >= NAMES_MAX || !t->name[i].start) {
		*len = 1;
		return "?";
	}
	*len = t->name[i].len;
	return t->name[i].start;
}

static void write_line(struct kunit *test, struct graph_text_line *line)
{
	struct graph_test *t = test->priv;

	test_now = line->ts ?: test_now + NSEC_PER_USEC;
	switch (*line->call) {
	case '}':
		line->func = t->cpu[line->cpu].func[line->depth];
		if (!line->func)
			line->func = func_of(test, line->call + strlen("} /* "));
		write_return(test, line);
		break;
	case '/':
		write_comment(test, line);
		break;
	default:
		line->func = func_of(test, line->call);
		write_call(test, line);
		if (strnchr(line->call, line->len, ';'))
			write_return(test, line);
	}
}

/*
 * A return is shown without its function if the call has been shown. A call that is missing in
 * a text is written before it.
 */
static void write_missing(struct kunit *test, struct graph_text_line *line)
{
	struct graph_test *t = test->priv;
	struct graph_text_cpu *cpu = &t->cpu[line->cpu];
	unsigned long *func = &cpu->func[line->depth];

	if (line->len == 1 && *line->call == '}' && !*func) {
		line->func = func_of(test, "schedule");
		write_call(test, line);
		cpu->missing = true;
		t->skip++;
	} else if (!*func && strnchr(line->call, line->len, '{')) {
		*func = 1;
	}
}

static void do_lines(struct kunit *test, const char *text,
		     void (*func)(struct kunit *test, struct graph_text_line *line))
{
	struct graph_text_line line;
	const char *end;

	for (; *text; text = *end ? end + 1 : end) {
		end = strchrnul(text, '\n');
		if (parse(test, text, end, &line))
			func(test, &line);
	}
}

static void forget(struct graph_test *t, unsigned long seen)
{
	int cpu, depth;

	for (cpu = 0; cpu < CPUS; cpu++) {
		t->cpu[cpu].pid = 4802;
		t->cpu[cpu].flags = 0;
		for (depth = 0; depth < GRAPH_DEPTH_MAX; depth++) {
			if (t->cpu[cpu].func[depth] <= seen)
				t->cpu[cpu].func[depth] = 0;
		}
	}
}

/* Write the entries of a text. The last call before the text must not look like a leaf. */
static void write_text(struct kunit *test, const char *text)
{
	const struct graph_text_line fence = { .call = "/* */", .len = 6 };
	struct graph_test *t = test->priv;
	struct graph_text_line line;
	int cpu;

	test_now = NSEC_PER_USEC;
	trace_array_clear(t->tr, RING_BUFFER_ALL_CPUS);
	t->skip = 0;
	forget(t, ULONG_MAX);
	do_lines(test, text, write_missing);
	for (cpu = 0; cpu < CPUS; cpu++) {
		if (!t->cpu[cpu].missing)
			continue;

		line = fence;
		line.cpu = cpu;
		write_comment(test, &line);
		t->cpu[cpu].missing = false;
		t->skip++;
	}

	forget(t, 1);
	do_lines(test, text, write_line);
}

/* The header is compared only if the text begins with one. */
static void read_header(struct graph_test *t, struct trace_reader *reader)
{
	struct seq_file m = {
		.buf	= t->text,
		.size	= sizeof(t->text) - 1,
	};

	trace_print_header(&m, reader);
	t->text[m.count] = '\0';
}

static void read_text(struct kunit *test, bool consuming)
{
	struct graph_test *t = test->priv;
	struct trace_reader *reader;
	unsigned int n = 0;

	scoped_guard(mutex, &trace_lock)
		reader = trace_reader_alloc(&t->tr->main, RING_BUFFER_ALL_CPUS, consuming);
	KUNIT_ASSERT_NOT_NULL(test, reader);

	if (consuming)
		trace_reader_look(reader);
	else
		KUNIT_EXPECT_EQ(test, trace_reader_start(reader), 0);

	t->text[0] = '\0';
	if (t->want[0] == '#')
		read_header(t, reader);

	while (trace_reader_next(reader)) {
		trace_seq_init(&reader->iter.seq);
		KUNIT_EXPECT_EQ(test, (int)trace_print_entry(reader), (int)TRACE_TYPE_HANDLED);
		if (n++ >= t->skip)
			strlcat(t->text, seq_buf_str(&reader->iter.seq.seq), sizeof(t->text));
		trace_reader_consumed(reader);
	}
	trace_reader_free(reader);
}

/* The expected text, with the CPUs of this machine. */
static void copy_want(struct graph_test *t, const char *want)
{
	char *cpu, *line;

	strscpy(t->want, want);
	for (line = t->want; *line; line += *line == '\n') {
		cpu = line + strspn(line, " .|0123456789");
		if (*cpu == ')')
			cpu[-1] = '0' + cpu_of(cpu[-1]);
		line = strchrnul(cpu, '\n');
	}
}

/* @text is shown as @want by a reader that does not consume, and by one that does. */
static void expect_shown(struct kunit *test, const char *text, const char *want)
{
	struct graph_test *t = test->priv;

	copy_want(t, want);
	write_text(test, text);
	read_text(test, false);
	KUNIT_EXPECT_STREQ(test, t->text, t->want);
	read_text(test, true);
	KUNIT_EXPECT_STREQ(test, t->text, t->want);
}

static void expect_same(struct kunit *test, const char *text)
{
	expect_shown(test, text, text);
}

static void set_option(struct kunit *test, const char *text)
{
	struct graph_test *t = test->priv;

	KUNIT_ASSERT_EQ(test, trace_option_write(t->tr, text), 0);
}

static const char calls_of_open[] =
	"# tracer: function_graph\n"
	"#\n"
	"# CPU  DURATION                  FUNCTION CALLS\n"
	"# |     |   |                     |   |   |   |\n"
	" 0)               |  sys_open() {\n"
	" 0)               |    do_sys_open() {\n"
	" 0)               |      getname() {\n"
	" 0)               |        kmem_cache_alloc() {\n"
	" 0)   1.382 us    |          __might_sleep();\n"
	" 0)   2.478 us    |        }\n"
	" 0)               |        strncpy_from_user() {\n"
	" 0)               |          might_fault() {\n"
	" 0)   1.389 us    |            __might_sleep();\n"
	" 0)   2.553 us    |          }\n"
	" 0)   3.807 us    |        }\n"
	" 0)   7.876 us    |      }\n"
	" 0)               |      alloc_fd() {\n"
	" 0)   0.668 us    |        _spin_lock();\n"
	" 0)   0.570 us    |        expand_files();\n"
	" 0)   0.586 us    |        _spin_unlock();\n";

static const char calls_of_fault[] =
	" 0)               |  __do_fault() {\n"
	" 0)               |    filemap_fault() {\n"
	" 0)               |      find_lock_page() {\n"
	" 0)   0.804 us    |        find_get_page();\n"
	" 0)   1.329 us    |        __might_sleep();\n"
	" 0)   3.904 us    |      }\n"
	" 0)   4.979 us    |    }\n"
	" 0)   0.653 us    |    _spin_lock();\n"
	" 0)   0.578 us    |    page_add_file_rmap();\n"
	" 0)   0.525 us    |    native_set_pte_at();\n"
	" 0)   0.585 us    |    _spin_unlock();\n"
	" 0)               |    unlock_page() {\n"
	" 0)   0.541 us    |      page_waitqueue();\n"
	" 0)   0.639 us    |      __wake_up_bit();\n"
	" 0)   2.786 us    |    }\n"
	" 0) + 14.237 us   |  }\n";

static void test_tree(struct kunit *test)
{
	expect_same(test, calls_of_open);
	expect_same(test, calls_of_fault);
}

static const char marks_of_schedule[] =
	" 3) # 1837.709 us |          } /* __switch_to */\n"
	" 3)               |          finish_task_switch() {\n"
	" 3)   0.313 us    |            _raw_spin_unlock_irq();\n"
	" 3)   3.177 us    |          }\n"
	" 3) # 1889.063 us |        } /* __schedule */\n"
	" 3) ! 140.417 us  |      } /* __schedule */\n"
	" 3) # 2034.948 us |    } /* schedule */\n"
	" 3) * 33998.59 us |  } /* schedule_preempt_disabled */\n";

static const char marks_of_rcu[] =
	" 1)   0.260 us    |              msecs_to_jiffies();\n"
	" 1)   0.313 us    |              __rcu_read_unlock();\n"
	" 1) + 61.770 us   |            }\n"
	" 1) + 64.479 us   |          }\n"
	" 1)   0.313 us    |          rcu_bh_qs();\n"
	" 1)   0.313 us    |          __local_bh_enable();\n"
	" 1) ! 217.240 us  |        }\n"
	" 1)   0.365 us    |        idle_cpu();\n"
	" 1)               |        rcu_irq_exit() {\n"
	" 1)   0.417 us    |          rcu_eqs_enter_common.isra.47();\n"
	" 1)   3.125 us    |        }\n"
	" 1) ! 227.812 us  |      }\n"
	" 1) ! 457.395 us  |    }\n"
	" 1) @ 119760.2 us |  }\n";

static const char marks_of_cpus[] =
	" 2)               |    handle_IPI() {\n"
	" 1)   6.979 us    |                  }\n"
	" 2)   0.417 us    |      scheduler_ipi();\n"
	" 1)   9.791 us    |                }\n"
	" 1) + 12.917 us   |              }\n"
	" 2)   3.490 us    |    }\n"
	" 1) + 15.729 us   |            }\n"
	" 1) + 18.542 us   |          }\n"
	" 2) $ 3594274 us  |  }\n";

static void test_marks(struct kunit *test)
{
	expect_same(test, marks_of_schedule);
	expect_same(test, marks_of_rcu);
	if (cpu_online(1))
		expect_same(test, marks_of_cpus);

	set_option(test, "nofuncgraph-overhead");
	expect_shown(test, marks_of_schedule,
		     " 3)   1837.709 us |          } /* __switch_to */\n"
		     " 3)               |          finish_task_switch() {\n"
		     " 3)   0.313 us    |            _raw_spin_unlock_irq();\n"
		     " 3)   3.177 us    |          }\n"
		     " 3)   1889.063 us |        } /* __schedule */\n"
		     " 3)   140.417 us  |      } /* __schedule */\n"
		     " 3)   2034.948 us |    } /* schedule */\n"
		     " 3)   33998.59 us |  } /* schedule_preempt_disabled */\n");
}

/* A mark is shown if the duration exceeds its limit. */
static void test_limits(struct kunit *test)
{
	static const struct {
		u64		ns;
		const char	*duration;
	} rows[] = {
		{ 0,			"  0.000 us    " },
		{ 9,			"  0.009 us    " },
		{ 9999,			"  9.999 us    " },
		{ 10000,		"  10.000 us   " },
		{ 10001,		"+ 10.001 us   " },
		{ 99999,		"+ 99.999 us   " },
		{ 100000,		"+ 100.000 us  " },
		{ 100001,		"! 100.001 us  " },
		{ 999999,		"! 999.999 us  " },
		{ 1000000,		"! 1000.000 us " },
		{ 1000001,		"# 1000.001 us " },
		{ 9999999,		"# 9999.999 us " },
		{ 10000000,		"# 10000.00 us " },
		{ 10000001,		"* 10000.00 us " },
		{ 99999999,		"* 99999.99 us " },
		{ 100000000,		"* 100000.0 us " },
		{ 100000001,		"@ 100000.0 us " },
		{ 999999999,		"@ 999999.9 us " },
		{ 1000000000,		"@ 1000000 us  " },
		{ 1000000001,		"$ 1000000 us  " },
		{ 9999999999,		"$ 9999999 us  " },
		{ 10000000000,		"$ 10000000 us " },
		{ 999999999999,		"$ 999999999 us " },
	};
	struct graph_test *t = test->priv;
	struct graph_text_line line = { .call = "schedule();", .len = 11 };
	int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		snprintf(t->want, sizeof(t->want), " 0) %s|  schedule();\n", rows[i].duration);
		write_text(test, "");
		line.ns = rows[i].ns;
		write_line(test, &line);
		read_text(test, false);
		KUNIT_EXPECT_STREQ(test, t->text, t->want);
	}
}

static void test_columns(struct kunit *test)
{
	static const char text[] =
		" 0)               |  sys_open() {\n"
		" 0)   1.382 us    |    might_fault();\n"
		" 0) + 14.237 us   |  }\n";

	set_option(test, "nofuncgraph-cpu");
	expect_shown(test, text,
		     "# tracer: function_graph\n"
		     "#\n"
		     "#  DURATION                  FUNCTION CALLS\n"
		     "#   |   |                     |   |   |   |\n"
		     "              |  sys_open() {\n"
		     "  1.382 us    |    might_fault();\n"
		     "+ 14.237 us   |  }\n");

	set_option(test, "nofuncgraph-duration");
	expect_shown(test, text,
		     "# tracer: function_graph\n"
		     "#\n"
		     "#               FUNCTION CALLS\n"
		     "#               |   |   |   |\n"
		     "sys_open() {\n"
		     "  might_fault();\n"
		     "}\n");

	set_option(test, "funcgraph-cpu");
	expect_shown(test, text,
		     "# tracer: function_graph\n"
		     "#\n"
		     "# CPU               FUNCTION CALLS\n"
		     "# |                 |   |   |   |\n"
		     " 0) sys_open() {\n"
		     " 0)   might_fault();\n"
		     " 0) }\n");
}

static const char calls_of_sh[] =
	"# tracer: function_graph\n"
	"#\n"
	"# CPU  TASK/PID         DURATION                  FUNCTION CALLS\n"
	"# |     |    |           |   |                     |   |   |   |\n"
	" 0)    sh-4802     |               |                  d_free() {\n"
	" 0)    sh-4802     |               |                    call_rcu() {\n"
	" 0)    sh-4802     |               |                      __call_rcu() {\n"
	" 0)    sh-4802     |   0.616 us    |                        rcu_process_gp_end();\n"
	" 0)    sh-4802     |   0.586 us    |                        check_for_new_grace_period();\n"
	" 0)    sh-4802     |   2.899 us    |                      }\n"
	" 0)    sh-4802     |   4.040 us    |                    }\n"
	" 0)    sh-4802     |   5.151 us    |                  }\n"
	" 0)    sh-4802     | + 49.370 us   |                }\n";

static void test_proc(struct kunit *test)
{
	set_option(test, "funcgraph-proc");
	expect_same(test, calls_of_sh);
}

static const char calls_with_times[] =
	"# tracer: function_graph\n"
	"#\n"
	"#     TIME        CPU  DURATION                  FUNCTION CALLS\n"
	"#      |          |     |   |                     |   |   |   |\n"
	"  360.774522 |   1)   0.541 us    |                                          }\n"
	"  360.774522 |   1)   4.663 us    |                                        }\n"
	"  360.774523 |   1)   0.541 us    |                                        __wake_up_bit();\n"
	"  360.774524 |   1)   6.796 us    |                                      }\n"
	"  360.774524 |   1)   7.952 us    |                                    }\n"
	"  360.774525 |   1)   9.063 us    |                                  }\n"
	"  360.774525 |   1)   0.615 us    |                                  journal_mark_dirty();\n"
	"  360.774527 |   1)   0.578 us    |                                  __brelse();\n"
	"  360.774528 |   1)               |                                  reiserfs_prepare_for_journal() {\n"
	"  360.774528 |   1)               |                                    unlock_buffer() {\n"
	"  360.774529 |   1)               |                                      wake_up_bit() {\n"
	"  360.774529 |   1)               |                                        bit_waitqueue() {\n"
	"  360.774530 |   1)   0.594 us    |                                          __phys_addr();\n";

static void test_abstime(struct kunit *test)
{
	set_option(test, "funcgraph-abstime");
	expect_same(test, calls_with_times);
}

static const char calls_of_putname[] =
	" 0)               |      putname() {\n"
	" 0)               |        kmem_cache_free() {\n"
	" 0)   0.518 us    |          __phys_addr();\n"
	" 0)   1.757 us    |        }\n"
	" 0)   2.861 us    |      }\n";

static void test_tail(struct kunit *test)
{
	expect_same(test, calls_of_putname);
	set_option(test, "funcgraph-tail");
	expect_shown(test, calls_of_putname,
		     " 0)               |      putname() {\n"
		     " 0)               |        kmem_cache_free() {\n"
		     " 0)   0.518 us    |          __phys_addr();\n"
		     " 0)   1.757 us    |        } /* kmem_cache_free */\n"
		     " 0)   2.861 us    |      } /* putname */\n");
}

static const char __maybe_unused values_of_attach[] =
	" 1)               |    cgroup_migrate() {\n"
	" 1)   0.651 us    |      cgroup_migrate_add_task(); /* = 0xffff93fcfd346c00 */\n"
	" 1)               |      cgroup_migrate_execute() {\n"
	" 1)               |        cpu_cgroup_can_attach() {\n"
	" 1)               |          cgroup_taskset_first() {\n"
	" 1)   0.732 us    |            cgroup_taskset_next(); /* = 0xffff93fc8fb20000 */\n"
	" 1)   1.232 us    |          } /* cgroup_taskset_first = 0xffff93fc8fb20000 */\n"
	" 1)   0.380 us    |          sched_rt_can_attach(); /* = 0x0 */\n"
	" 1)   2.335 us    |        } /* cpu_cgroup_can_attach = -22 */\n"
	" 1)   4.369 us    |      } /* cgroup_migrate_execute = -22 */\n"
	" 1)   7.143 us    |    } /* cgroup_migrate = -22 */\n";

static const char __maybe_unused values_of_attach_in_hex[] =
	" 1)               |      cgroup_migrate() {\n"
	" 1)   0.651 us    |        cgroup_migrate_add_task(); /* = 0xffff93fcfd346c00 */\n"
	" 1)               |        cgroup_migrate_execute() {\n"
	" 1)               |          cpu_cgroup_can_attach() {\n"
	" 1)               |            cgroup_taskset_first() {\n"
	" 1)   0.732 us    |              cgroup_taskset_next(); /* = 0xffff93fc8fb20000 */\n"
	" 1)   1.232 us    |            } /* cgroup_taskset_first = 0xffff93fc8fb20000 */\n"
	" 1)   0.380 us    |            sched_rt_can_attach(); /* = 0x0 */\n"
	" 1)   2.335 us    |          } /* cpu_cgroup_can_attach = 0xffffffea */\n"
	" 1)   4.369 us    |        } /* cgroup_migrate_execute = 0xffffffea */\n"
	" 1)   7.143 us    |      } /* cgroup_migrate = 0xffffffea */\n";

static void test_retval(struct kunit *test)
{
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	set_option(test, "funcgraph-retval");
	expect_same(test, values_of_attach);
	set_option(test, "funcgraph-retval-hex");
	expect_same(test, values_of_attach_in_hex);
#else
	kunit_skip(test, "no return values");
#endif
}

/* Number of calls that found no space on the stack, after each return */
static void test_overrun(struct kunit *test)
{
	struct graph_test *t = test->priv;

	t->overrun = 3;
	set_option(test, "funcgraph-overrun");
	expect_shown(test, calls_of_putname,
		     " 0)               |      putname() {\n"
		     " 0)               |        kmem_cache_free() {\n"
		     " 0)   0.518 us    |          __phys_addr();\n"
		     " (Overruns: 3)\n"
		     " 0)   1.757 us    |        }\n"
		     " (Overruns: 3)\n"
		     " 0)   2.861 us    |      }\n"
		     " (Overruns: 3)\n");
}

static void test_comment(struct kunit *test)
{
	expect_same(test,
		    " 1)               |            __might_sleep() {\n"
		    " 1)               |              /* I'm a comment! */\n"
		    " 1)   1.449 us    |            }\n");
}

/* An interrupt ends with the return of its first call. */
static void test_irq(struct kunit *test)
{
	expect_same(test,
		    " 0)               |  sys_open() {\n"
		    " 0)   ==========> |\n"
		    " 0)               |    handle_IPI() {\n"
		    " 0)   0.417 us    |      scheduler_ipi();\n"
		    " 0)   3.490 us    |    }\n"
		    " 0)   <========== |\n"
		    " 0)   1.382 us    |    might_fault();\n"
		    " 0) + 14.237 us   |  }\n");
}

static void test_switch(struct kunit *test)
{
	expect_same(test,
		    " 0)   0.626 us    |  idle_cpu();\n"
		    " ------------------------------------------\n"
		    " 0)    sh-4802     =>    <idle>-0   \n"
		    " ------------------------------------------\n"
		    "\n"
		    " 0)   0.586 us    |  idle_cpu();\n"
		    " ------------------------------------------\n"
		    " 0)    <idle>-0    =>    sh-4802    \n"
		    " ------------------------------------------\n"
		    "\n"
		    " 0)   0.365 us    |  idle_cpu();\n");
}

static void end_instance(void *tr)
{
	trace_array_put(tr);
	trace_array_destroy(tr);
}

static void save_name(pid_t pid, const char *name, struct task_struct *task)
{
	char comm[TASK_COMM_LEN];
	int i;

	task->pid = pid;
	strscpy(task->comm, name);
	/* The name is not saved while another CPU saves one. */
	for (i = 0; i < 100; i++) {
		tracing_record_cmdline(task);
		if (trace_find_cmdline(pid, comm, true))
			break;
	}
}

static int graph_test_init(struct kunit *test)
{
	struct task_struct *task = kunit_kzalloc(test, sizeof(*task), GFP_KERNEL);
	struct graph_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	struct trace_array *tr;
	int ret;

	if (!task || !t)
		return -ENOMEM;

	save_name(4802, "sh", task);
	tr = trace_array_get_by_name("kunit", NULL);
	if (!tr)
		return -ENOMEM;
	ret = kunit_add_action_or_reset(test, end_instance, tr);
	if (ret)
		return ret;

	/* The traced function is never called. */
	ret = ftrace_set_filter_ip(tr->ops, (unsigned long)ftrace_kunit_mul, 0, 1) ?:
	      tracing_set_tracer(tr, "function_graph");
	ring_buffer_set_clock(tr->main.buffer, test_clock);
	t->tr = tr;
	test->priv = t;
	kunit_activate_static_stub(test, symbol_text, name_of);

	return ret;
}

static struct kunit_case graph_test_cases[] = {
	KUNIT_CASE(test_tree),
	KUNIT_CASE(test_marks),
	KUNIT_CASE(test_limits),
	KUNIT_CASE(test_columns),
	KUNIT_CASE(test_proc),
	KUNIT_CASE(test_abstime),
	KUNIT_CASE(test_tail),
	KUNIT_CASE(test_retval),
	KUNIT_CASE(test_overrun),
	KUNIT_CASE(test_comment),
	KUNIT_CASE(test_irq),
	KUNIT_CASE(test_switch),
	{ }
};

static struct kunit_suite graph_test_suite = {
	.name		= "trace_graph_text",
	.init		= graph_test_init,
	.test_cases	= graph_test_cases,
};

kunit_test_suite(graph_test_suite);
