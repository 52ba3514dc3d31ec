// SPDX-License-Identifier: GPL-2.0
/*
 * The benchmark's program in the guest, its first and only process. It does each piece of work
 * as a user of tracefs would, and prints for each row
 *
 *	@row <key> <ticks> <ticks waited> [<note>]
 *
 * or "@row <key> - - not yet" if the kernel cannot do it. QEMU runs with one tick of the clock
 * per instruction; ticks of an idle CPU are not work, so they are subtracted and shown
 * separately. The environment, which is the kernel's command line, selects the rows: rows= is a
 * pattern for their keys.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "abi.h"

#define TRACING	"/sys/kernel/tracing/"
#define CALLS	1000
#define RUNS	3

static int bench = -1;
static double untraced;
static double unfound;	/* while call sites have not been found; 0 if they are listed */

/* The cost of a piece of work. */
struct cost {
	int64_t ticks;		/* without idle ticks */
	int64_t idle;
	uint64_t start;
	uint64_t start_idle;
};

static struct cost since;

static uint64_t idle(void)
{
	struct bench_call call = { 0 };

	return ioctl(bench, BENCH_IDLE, &call) ? 0 : call.idle;
}

static void begin(void)
{
	since.start_idle = idle();
	bench_mark(BENCH_MARK_BEGIN);
	since.start = bench_ticks();
}

static struct cost end(void)
{
	since.ticks = bench_ticks() - since.start;
	bench_mark(BENCH_MARK_END);
	since.idle = idle() - since.start_idle;
	since.ticks -= since.idle;
	return since;
}

static void cheapest(struct cost *best, struct cost now, int run)
{
	if (!run || now.ticks < best->ticks)
		*best = now;
}

/* Output is flushed at once, so that no interrupt of the terminal is delayed. */
static void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	fflush(stdout);
	tcdrain(1);
}

static void row(const char *key, double ticks, double waited, const char *note)
{
	say("@row\t%s\t%.1f\t%.1f\t%s\n", key, ticks, waited, note);
}

static void cost_row(const char *key, struct cost cost, const char *note)
{
	row(key, cost.ticks, cost.idle, note);
}

static void not_yet(const char *key)
{
	say("@row\t%s\t-\t-\tnot yet\n", key);
}

/* write_all: returns 0, or an errno. A write may take less than it was given. */
static int write_fd(int fd, const char *text, size_t size)
{
	while (size) {
		ssize_t n = write(fd, text, size);

		if (n <= 0)
			return n ? errno : EIO;
		text += n;
		size -= n;
	}
	return 0;
}

static int write_file(const char *name, const char *text, int flags)
{
	char path[256];
	int fd, ret;

	snprintf(path, sizeof(path), "%s%s", name[0] == '/' ? "" : TRACING, name);
	fd = open(path, O_WRONLY | flags);
	if (fd < 0)
		return errno;
	ret = write_fd(fd, text, strlen(text));
	if (close(fd) && !ret)
		ret = errno;
	return ret;
}

static int set(const char *name, const char *text)
{
	return write_file(name, text, O_TRUNC);
}

/* read_file: returns its whole text, to be freed; counts its lines. */
static char *read_file(const char *name, long *lines)
{
	size_t have = 0, room = 1 << 20;
	char path[256], *text = malloc(room);
	int fd, n;

	*lines = 0;
	snprintf(path, sizeof(path), "%s%s", name[0] == '/' ? "" : TRACING, name);
	fd = open(path, O_RDONLY | O_NONBLOCK);
	text[0] = 0;
	if (fd < 0)
		return text;
	while ((n = read(fd, text + have, room - have - 1)) > 0) {
		have += n;
		if (room - have < 1 << 16)
			text = realloc(text, room *= 2);
	}
	close(fd);
	text[have] = 0;
	for (char *c = text; (c = strchr(c, '\n')); c++)
		++*lines;
	return text;
}

/* skim_file: reads it to its end, as cat does; returns the number of lines, or -1. */
static long skim_file(const char *name)
{
	static char text[1 << 16];
	char path[256];
	long lines = 0;
	int fd, n;

	snprintf(path, sizeof(path), "%s%s", TRACING, name);
	fd = open(path, O_RDONLY | O_NONBLOCK);
	if (fd < 0)
		return -1;
	begin();
	while ((n = read(fd, text, sizeof(text))) > 0) {
		uint64_t own = bench_ticks();

		bench_mark(BENCH_MARK_END);
		for (int i = 0; i < n; i++)
			lines += text[i] == '\n';
		bench_mark(BENCH_MARK_BEGIN);
		since.start += bench_ticks() - own;
	}
	end();
	close(fd);
	return lines;
}

static int load(const char *path, const char *args)
{
	int fd = open(path, O_RDONLY), ret;

	if (fd < 0)
		return errno;
	ret = syscall(SYS_finit_module, fd, args, 0) ? errno : 0;
	close(fd);
	return ret;
}

/* Restores the settings after boot. */
static void quiet(void)
{
	struct bench_call call = { .arg = SETUP_NONE };

	ioctl(bench, BENCH_SETUP, &call);
	set("current_tracer", "nop");
	set("set_ftrace_filter", "");
	set("set_ftrace_notrace", "");
	set("set_ftrace_pid", "");
	set("tracing_on", "1");
	set("trace", "");
}

/* --- per call ------------------------------------------------------- */

static double per_call(void)
{
	struct bench_call call = { .arg = CALLS };

	ioctl(bench, BENCH_CALLS, &call);
	return (double)call.ticks / CALLS;
}

/* measure_untraced: the first calls of all, and those after all call sites are known. */
static void measure_untraced(void)
{
	long lines;
	char *totals;

	untraced = per_call();
	totals = read_file("dyn_ftrace_total_info", &lines);
	if (strstr(totals, "pending: ")) {
		unfound = untraced;
		sleep(3);
		untraced = per_call();
	}
	free(totals);
}

static void call_row(const char *key)
{
	row(key, per_call() - untraced, 0, "");
}

static void call_setup(const char *key, enum bench_setup setup)
{
	struct bench_call call = { .arg = setup };

	if (ioctl(bench, BENCH_SETUP, &call))
		not_yet(key);
	else
		call_row(key);
}

static void do_untraced(const char *key)
{
	char note[64] = "";

	if (unfound)
		snprintf(note, sizeof(note), "%.0f before its call site has been found", unfound);
	row(key, untraced, 0, note);
}

static void do_plain(const char *key) { call_setup(key, SETUP_PLAIN); }
static void do_regs(const char *key) { call_setup(key, SETUP_REGS); }
static void do_recursion(const char *key) { call_setup(key, SETUP_RECURSION); }
static void do_guarded(const char *key) { call_setup(key, SETUP_GUARDED); }
static void do_two(const char *key) { call_setup(key, SETUP_TWO); }
static void do_two_eight(const char *key) { call_setup(key, SETUP_TWO_EIGHT); }
static void do_one_all(const char *key) { call_setup(key, SETUP_ONE_ALL); }
static void do_kprobe(const char *key) { call_setup(key, SETUP_KPROBE); }
static void do_fprobe(const char *key) { call_setup(key, SETUP_FPROBE); }
static void do_graph_user(const char *key) { call_setup(key, SETUP_GRAPH_USER); }

static void call_tracer(const char *key, const char *tracer, const char *file,
			const char *on, const char *off)
{
	set("set_ftrace_filter", "bench_target");
	if (set("current_tracer", tracer) || (file && set(file, on)))
		not_yet(key);
	else
		call_row(key);
	if (file)
		set(file, off);
}

static void do_tracer(const char *key)
{
	call_tracer(key, "function", NULL, NULL, NULL);
}

static void do_tracer_stack(const char *key)
{
	call_tracer(key, "function", "options/func_stack_trace", "1", "0");
}

static void do_graph(const char *key)
{
	call_tracer(key, "function_graph", NULL, NULL, NULL);
}

/* tree_duration: the shortest duration of the tree in the trace, in ticks; 0 if there is none */
static double tree_duration(void)
{
	struct bench_call call = { 0 };
	double best = 0, us;
	char *text, *line;
	long lines;

	set("trace", "");
	ioctl(bench, BENCH_TREE, &call);
	text = read_file("trace", &lines);
	for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		char *bar = strstr(line, "|  }"), *column = strchr(line, ')');

		/* the end of an outermost call */
		if (!bar || bar[4] || !column)
			continue;
		us = strtod(column + strcspn(column, "0123456789"), NULL);
		if (!best || us < best)
			best = us;
	}
	free(text);
	return best * 1000;
}

static void do_tree(const char *key)
{
	struct bench_call call = { 0 };

	ioctl(bench, BENCH_TREE, &call);
	row(key, call.ticks, 0, "");
	set("set_ftrace_filter", "bench_tree bench_branch bench_target");
	if (set("current_tracer", "function_graph"))
		not_yet("tree_traced");
	else
		row("tree_traced", tree_duration(), 0, "");
	if (set("options/tracer-time", "0"))
		not_yet("tree_true");
	else
		row("tree_true", tree_duration(), 0, "");
	set("options/tracer-time", "1");
}

static void do_profile(const char *key)
{
	call_tracer(key, "nop", "function_profile_enabled", "1", "0");
}

static void do_pid(const char *key)
{
	call_tracer(key, "function", "set_ftrace_pid", "2", "");
}

/* --- the buffer ----------------------------------------------------- */

static void buffer_row(const char *key, unsigned long cmd, int size, int units)
{
	struct bench_call call = { .arg = size };

	if (ioctl(bench, cmd, &call))
		not_yet(key);
	else
		row(key, (double)call.ticks / units, 0, "");
}

static void do_write16(const char *key)
{
	buffer_row(key, BENCH_WRITE, 16, BENCH_EVENTS);
}

static void do_write256(const char *key)
{
	buffer_row(key, BENCH_WRITE, 256, BENCH_EVENTS);
}

static void do_consume(const char *key)
{
	buffer_row(key, BENCH_CONSUME, 16, BENCH_EVENTS);
}

static void do_page(const char *key)
{
	buffer_row(key, BENCH_PAGE, 16, BENCH_PAGES);
}

/* Records functions of typical work, in enough pages for the readers. */
static int record(int rounds)
{
	long lines;

	quiet();
	if (set("current_tracer", "function"))
		return -1;
	for (int i = 0; i < rounds; i++) {
		struct stat st;

		getppid();
		stat("/init", &st);
		free(read_file("/proc/self/stat", &lines));
	}
	set("tracing_on", "0");
	/* Nothing is to be traced while the buffer is read. */
	return set("set_ftrace_filter", "bench_target");
}

static void do_splice(const char *key)
{
	int fd, null, pipes[2], pages = 0;
	struct cost cost;

	record(200);
	fd = open(TRACING "per_cpu/cpu0/trace_pipe_raw", O_RDONLY | O_NONBLOCK);
	null = open("/dev/null", O_WRONLY);
	if (fd < 0 || pipe(pipes)) {
		not_yet(key);
		return;
	}
	begin();
	for (;;) {
		ssize_t n = splice(fd, NULL, pipes[1], NULL, 4096, SPLICE_F_NONBLOCK);

		if (n <= 0)
			break;
		splice(pipes[0], NULL, null, NULL, n, 0);
		pages++;
	}
	cost = end();
	close(fd);
	close(null);
	close(pipes[0]);
	close(pipes[1]);
	if (pages)
		row(key, (double)cost.ticks / pages, 0, "");
	else
		not_yet(key);
}

/* --- switching ------------------------------------------------------ */

/* switching: switches TRACER on and off again with the current filter. */
static void switching(const char *on_key, const char *off_key,
		      const char *tracer, const char *note)
{
	struct cost on, off;

	for (int run = 0; run < RUNS; run++) {
		begin();
		if (set("current_tracer", tracer)) {
			not_yet(on_key);
			not_yet(off_key);
			return;
		}
		cheapest(&on, end(), run);
		begin();
		set("current_tracer", "nop");
		cheapest(&off, end(), run);
	}
	cost_row(on_key, on, note);
	cost_row(off_key, off, note);
}

static char off_key[64];

/* off_of: "x_on" -> "x_off". */
static const char *off_of(const char *key)
{
	snprintf(off_key, sizeof(off_key), "%.*s_off", (int)strlen(key) - 3, key);
	return off_key;
}

static void do_function(const char *key)
{
	switching(key, off_of(key), "function", "");
}

static void do_graph_all(const char *key)
{
	switching(key, off_of(key), "function_graph", "");
}

static void do_function_one(const char *key)
{
	set("set_ftrace_filter", "schedule");
	switching(key, off_of(key), "function", "");
}

static void do_graph_one(const char *key)
{
	set("set_ftrace_filter", "schedule");
	switching(key, off_of(key), "function_graph", "");
}

/* Selects about @want functions by as few globs as possible; returns their number. */
static long filter_about(long want)
{
	long lines, have = 0, count[128] = { 0 };
	char *text = read_file("available_filter_functions", &lines);

	count[(unsigned char)text[0] & 127]++;
	for (char *c = text; (c = strchr(c, '\n')); c++)
		count[(unsigned char)c[1] & 127]++;
	free(text);
	set("set_ftrace_filter", "");
	for (;;) {
		char glob[] = "?*\n";
		int best = 0;

		for (int c = 'A'; c < 128; c++)
			if (have + count[c] <= want + want / 8 &&
			    count[c] > count[best])
				best = c;
		if (!best || have >= want - want / 8)
			return have;
		glob[0] = best;
		write_file("set_ftrace_filter", glob, O_APPEND);
		have += count[best];
		count[best] = 0;
	}
}

static void thousand(const char *key, const char *tracer)
{
	char note[64];

	snprintf(note, sizeof(note), "%ld functions", filter_about(1000));
	switching(key, off_of(key), tracer, note);
}

static void do_function_1000(const char *key) { thousand(key, "function"); }
static void do_graph_1000(const char *key) { thousand(key, "function_graph"); }

/* The cost of something that one call of the module switches on and off. */
static void on_and_off(unsigned long what, const char *key, const char *off)
{
	struct bench_call call = { 0 };

	if (ioctl(bench, what, &call)) {
		not_yet(key);
		not_yet(off);
		return;
	}
	row(key, (double)(call.ticks - call.idle), call.idle, "");
	row(off, (double)(call.ticks2 - call.idle2), call.idle2, "");
}

static void do_register(const char *key) { on_and_off(BENCH_REGISTER, key, "unregister"); }
static void do_enable(const char *key) { on_and_off(BENCH_KPROBE, key, "disable"); }

static void do_grace(const char *key)
{
	struct bench_call call = { 0 };

	/* Previous work has pending grace periods */
	sleep(1);
	if (ioctl(bench, BENCH_GRACE, &call))
		not_yet(key);
	else
		row(key, (double)(call.ticks - call.idle), call.idle, "");
}

static void filtering(const char *key, const char *text, const char *note)
{
	struct cost cost;

	for (int run = 0; run < (strlen(text) > 1000 ? 1 : RUNS); run++) {
		set("set_ftrace_filter", "");
		begin();
		if (set("set_ftrace_filter", text)) {
			not_yet(key);
			return;
		}
		cheapest(&cost, end(), run);
	}
	cost_row(key, cost, note);
}

static void do_filter_name(const char *key) { filtering(key, "schedule", ""); }
static void do_filter_prefix(const char *key) { filtering(key, "vfs_*", ""); }
static void do_filter_infix(const char *key) { filtering(key, "*lock*", ""); }
static void do_filter_all(const char *key) { filtering(key, "*", ""); }
static void do_filter_module(const char *key) { filtering(key, "*:mod:bench", ""); }
static void do_filter_source(const char *key) { filtering(key, ":src:kernel/sched/*\n", ""); }

/* @n names from all over the kernel, in one write; the cost of @charge. */
static void filter_names(const char *key, int n, int charge)
{
	long lines, at = 0, taken = 0;
	char *text = read_file("available_filter_functions", &lines);
	char *names = malloc(n * 128L), *to = names, *line, *rest = text;
	struct cost cost;
	char note[64] = "";

	*to = 0;
	while (taken < n && (line = strsep(&rest, "\n")) && *line)
		if (at++ * n / lines >= taken) {
			to += sprintf(to, "%.*s ", (int)strcspn(line, " \t"), line);
			taken++;
		}
	if (n != charge)
		snprintf(note, sizeof(note), "measured at %d names", n);
	begin();
	if (taken < n || set("set_ftrace_filter", names)) {
		not_yet(key);
	} else {
		cost = end();
		row(key, (double)cost.ticks / n * charge, cost.idle, note);
	}
	free(names);
	free(text);
}

/* slow: returns 1 if the kernel takes seconds for the names that ours takes at once. */
static int slow(void)
{
	struct cost cost;

	begin();
	set("set_ftrace_filter", "schedule");
	cost = end();
	return cost.ticks > 10 * 1000 * 1000;
}

static void do_filter_100(const char *key)
{
	filter_names(key, slow() ? 20 : 100, 100);
}

static void do_filter_1000(const char *key)
{
	filter_names(key, slow() ? 20 : 1000, 1000);
}

static void do_module(const char *key)
{
	struct cost in, out;

	for (int run = 0; run < RUNS; run++) {
		begin();
		if (load("/many.ko", "")) {
			not_yet(key);
			return;
		}
		cheapest(&in, end(), run);
		begin();
		if (syscall(SYS_delete_module, "many", O_NONBLOCK))
			return;
		cheapest(&out, end(), run);
	}
	cost_row(key, in, "1,000 functions");
	cost_row("module_unload", out, "");
}

/* --- trace events --------------------------------------------------- */

#define EVENT	"events/bench/bench_event/"

static void event_row(const char *key)
{
	struct bench_call call = { .arg = CALLS };

	ioctl(bench, BENCH_EVENT, &call);
	row(key, (double)(int64_t)call.ticks / CALLS, 0, "");
}

static void do_event(const char *key)
{
	if (set(EVENT "enable", "0")) {
		not_yet("event_off");
		not_yet("event_on");
		not_yet("event_rejected");
		return;
	}
	event_row("event_off");
	set(EVENT "enable", "1");
	event_row("event_on");
	set(EVENT "filter", "number >= 1000000");
	event_row("event_rejected");
	set(EVENT "filter", "0");
	set(EVENT "enable", "0");
}

/* Write @on to @file, and @off to @file_off; the cheapest of several runs counts. */
static void write_both(const char *key, const char *key_off, const char *file, const char *on,
		      const char *file_off, const char *off)
{
	struct cost cost, cost_off;

	for (int run = 0; run < RUNS; run++) {
		begin();
		if (set(file, on)) {
			not_yet(key);
			not_yet(key_off);
			return;
		}
		cheapest(&cost, end(), run);
		begin();
		set(file_off, off);
		cheapest(&cost_off, end(), run);
	}
	cost_row(key, cost, "");
	cost_row(key_off, cost_off, "");
}

static void do_events_all(const char *key)
{
	set("tracing_on", "0");
	write_both("events_all_on", "events_all_off", "events/enable", "1",
		  "events/enable", "0");
	write_both("events_system_on", "events_system_off", "set_event", "sched:*",
		  "events/sched/enable", "0");
	set("tracing_on", "1");
}

/* --- probe events --------------------------------------------------- */

#define PROBE	"events/probes/it/"
#define ARGS	" a=$arg1 b=$arg2 text=+0($arg3):string"
#ifdef __aarch64__
#define REGS	" a=%x0 b=%x1 text=+0(%x2)"
#else
#define REGS	" a=%di b=%si text=+0(%dx)"
#endif

static double per_arg_call(void)
{
	struct bench_call call = { .arg = CALLS };

	ioctl(bench, BENCH_ARGS, &call);
	return (double)call.ticks / CALLS;
}

static double per_event(void)
{
	struct bench_call call = { .arg = CALLS };

	ioctl(bench, BENCH_EVENT, &call);
	return (double)(int64_t)call.ticks / CALLS;
}

static int define(const char *definition)
{
	return write_file("dynamic_events", definition, O_APPEND);
}

static void undefine(void)
{
	set(PROBE "enable", "0");
	define("-:probes/it");
}

/* What the event probes/it adds to each hit, with a filter or without. */
static void probe_row(const char *key, const char *definition, const char *filter,
		      double (*per_hit)(void))
{
	double before = per_hit();

	if (define(definition) || (filter && set(PROBE "filter", filter)) ||
	    set(PROBE "enable", "1")) {
		not_yet(key);
	} else {
		/* A kprobe that is not at a call site becomes a jump in the background. */
		sleep(1);
		row(key, per_hit() - before, 0, "");
	}
	undefine();
}

static void do_probe_kprobe(const char *key)
{
	probe_row(key, "p:probes/it bench_args" ARGS, NULL, per_arg_call);
}

static void do_probe_inside(const char *key)
{
	struct bench_call call = { 0 };
	char text[128];

	ioctl(bench, BENCH_INSIDE, &call);
	snprintf(text, sizeof(text), "p:probes/it 0x%llx%s", (unsigned long long)call.ticks,
		 REGS ":string");
	probe_row(key, text, NULL, per_arg_call);
}

static void do_probe_return(const char *key)
{
	probe_row(key, "r:probes/it bench_args ret=$retval", NULL, per_arg_call);
}

static void do_probe_fprobe(const char *key)
{
	probe_row(key, "f:probes/it bench_args" ARGS, NULL, per_arg_call);
}

static void do_probe_fexit(const char *key)
{
	probe_row(key, "f:probes/it bench_args%return ret=$retval", NULL, per_arg_call);
}

static void do_probe_event(const char *key)
{
	probe_row(key, "e:probes/it bench.bench_event number=$number", NULL, per_event);
}

static void do_probe_rejected(const char *key)
{
	probe_row(key, "p:probes/it bench_args a=$arg1 b=$arg2", "a > 1000000", per_arg_call);
}

static void do_probe_rejected_string(const char *key)
{
	probe_row(key, "p:probes/it bench_args" ARGS, "a > 1000000", per_arg_call);
}

/* Four NOPs at the entry, so that the instruction under the probe is emulated. */
__attribute__((noinline, noclone))
static void user_target(long a, long b, const char *text)
{
	asm volatile("nop; nop; nop; nop" : : "r" (a), "r" (b), "r" (text) : "memory");
}

static double per_user_call(void)
{
	struct cost best = { 0 };

	for (int run = 0; run < RUNS; run++) {
		begin();
		for (int i = 0; i < CALLS; i++)
			user_target(i, run, "a text of 24 characters.");
		cheapest(&best, end(), run);
	}
	return (double)best.ticks / CALLS;
}

/* Offset in this program's file, or 0 */
static unsigned long offset_of(const void *what)
{
	unsigned long start, end, offset, found = 0;
	FILE *file = fopen("/proc/self/maps", "r");
	char line[256];

	while (file && !found && fgets(line, sizeof(line), file))
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &offset) == 3 &&
		    (unsigned long)what >= start && (unsigned long)what < end)
			found = (unsigned long)what - start + offset;
	if (file)
		fclose(file);
	return found;
}

static void do_probe_uprobe(const char *key)
{
	char text[128];

	snprintf(text, sizeof(text), "p:probes/it /init:0x%lx%s", offset_of(user_target),
		 REGS ":ustring");
	probe_row(key, text, NULL, per_user_call);
}

static void do_probe_define(const char *key)
{
	struct cost defined = { 0 }, removed = { 0 };

	for (int run = 0; run < RUNS; run++) {
		begin();
		if (define("p:probes/it bench_args" ARGS)) {
			not_yet(key);
			not_yet("probe_remove");
			return;
		}
		cheapest(&defined, end(), run);
		begin();
		define("-:probes/it");
		cheapest(&removed, end(), run);
	}
	cost_row(key, defined, "");
	cost_row("probe_remove", removed, "");
}

/* Each in a write of its own, since a write has at most a page in some kernels. */
static int define_many(int nr)
{
	int fd = open(TRACING "kprobe_events", O_WRONLY | O_APPEND), ret = fd < 0 ? errno : 0;
	char text[128];

	for (int i = 0; i < nr && !ret; i++) {
		snprintf(text, sizeof(text), "p:probes/p%03d many_%03d a=$arg1 b=$arg2\n", i, i);
		ret = write_fd(fd, text, strlen(text));
	}
	if (fd >= 0)
		close(fd);
	return ret;
}

static void do_probe_define_1000(const char *key)
{
	struct cost cost;
	int ret;

	if (load("/many.ko", "")) {
		not_yet(key);
		not_yet("probe_remove_1000");
		return;
	}
	begin();
	ret = define_many(1000);
	cost = end();
	if (ret)
		not_yet(key);
	else
		cost_row(key, cost, "");
	begin();
	set("kprobe_events", "");
	cost = end();
	if (ret)
		not_yet("probe_remove_1000");
	else
		cost_row("probe_remove_1000", cost, "");
	syscall(SYS_delete_module, "many", O_NONBLOCK);
}

/* --- reading -------------------------------------------------------- */

static void do_read(const char *key, const char *name, int per_line)
{
	long lines = skim_file(name);
	char note[64];

	snprintf(note, sizeof(note), "%ld lines", lines);
	if (lines < 1)
		not_yet(key);
	else
		row(key, (double)since.ticks / (per_line ? lines : 1), 0, note);
}

/* A buffer of 4 MB, and more calls than there is space for. */
static void record_full(void)
{
	set("buffer_size_kb", "4096");
	record(3000);
}

static void do_read_trace(const char *key)
{
	record_full();
	do_read(key, "trace", 1);
}

static void do_read_pipe(const char *key)
{
	record_full();
	do_read(key, "trace_pipe", 1);
}

static void do_read_available(const char *key)
{
	do_read(key, "available_filter_functions", 0);
}

static void do_read_enabled(const char *key)
{
	set("current_tracer", "function");
	set("tracing_on", "0");
	do_read(key, "enabled_functions", 0);
}

static void do_read_filter(const char *key)
{
	set("set_ftrace_filter", "*lock*");
	do_read(key, "set_ftrace_filter", 0);
}

/* --- many functions of modules -------------------------------------- */

#define CLONES	20

/* The image of clone.ko under another name; it contains the name as "clone". */
static int load_clone(const char *image, size_t size, int nr)
{
	char *copy = malloc(size), name[6];
	int ret;

	memcpy(copy, image, size);
	snprintf(name, sizeof(name), "cl%03d", nr);
	for (size_t i = 1; i + 6 < size; i++)
		if (!memcmp(copy + i, "clone", 6) && (!copy[i - 1] || copy[i - 1] == '='))
			memcpy(copy + i, name, 5);
	ret = syscall(SYS_init_module, copy, size, "") ? errno : 0;
	free(copy);
	return ret;
}

static int load_clones(void)
{
	static char image[4 << 20];
	int fd = open("/clone.ko", O_RDONLY), ret = 0;
	size_t size = 0;
	ssize_t n;

	if (fd < 0)
		return errno;
	while ((n = read(fd, image + size, sizeof(image) - size)) > 0)
		size += n;
	close(fd);
	for (int i = 0; i < CLONES && !ret; i++)
		ret = load_clone(image, size, i);
	return ret;
}

/* The cost of the lines that a file has gained since it was read before. */
static void gained(const char *key, const char *name, struct cost before, long lines_before)
{
	long lines = skim_file(name) - lines_before;
	char note[64];

	snprintf(note, sizeof(note), "%ld lines", lines);
	if (lines < 1)
		not_yet(key);
	else
		row(key, (double)(since.ticks - before.ticks) / lines, 0, note);
}

/* Looks up 2,500 names, see clone.c. */
static void look_up(const char *key, const char *where)
{
	begin();
	write_file("/sys/module/cl000/parameters/names", where, 0);
	row(key, end().ticks / 2500., 0, "");
}

/* The trace of @rounds calls of the functions of every fifth module that match @filter. */
static void trace_clones(const char *key, const char *filter, int rounds)
{
	char path[64];

	set("current_tracer", "nop");
	set("set_ftrace_filter", filter);
	set("current_tracer", "function");
	set("trace", "");
	set("tracing_on", "1");
	for (int i = 0; i < CLONES * rounds; i += 5) {
		snprintf(path, sizeof(path), "/sys/module/cl%03d/parameters/call", i % CLONES);
		write_file(path, "1", 0);
	}
	set("tracing_on", "0");
	do_read(key, "trace", 1);
}

#define PUTS	10000

/*
 * The trace of one trace_puts() in each of many functions of the kernel, or of the modules. The
 * entry has the name of the function, and unlike a call it can be made for any of them.
 */
static void trace_puts_in(const char *key, int modules)
{
	long lines, nr = 0;
	char *text = read_file("available_filter_functions_addrs", &lines);
	char **found = calloc(lines + 1, sizeof(*found)), *line;

	for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (modules ? !!strstr(line, "[cl") : !strchr(line, '['))
			found[nr++] = line;
	set("current_tracer", "nop");
	set("trace", "");
	set("tracing_on", "1");
	for (long i = 0; i < nr && i < PUTS; i++) {
		line = found[nr > PUTS ? nr * i / PUTS : i];
		line[strcspn(line, " ")] = 0;
		write_file("/sys/module/cl000/parameters/puts", line, 0);
	}
	set("tracing_on", "0");
	free(found);
	free(text);
	do_read(key, "trace", 1);
}

static void do_clones(const char *key)
{
	struct cost available, enabled;
	long lines_available, lines_enabled;
	char path[64];

	lines_available = skim_file("available_filter_functions");
	available = since;
	set("current_tracer", "function");
	set("tracing_on", "0");
	lines_enabled = skim_file("enabled_functions");
	enabled = since;
	set("current_tracer", "nop");
	row("kernel_available", (double)available.ticks / lines_available, 0, "");
	row("kernel_enabled", (double)enabled.ticks / lines_enabled, 0, "");
	if (load_clones()) {
		not_yet("clones_available");
		not_yet("clones_enabled");
		not_yet("clones_trace");
		not_yet("clones_trace_few");
		not_yet("kernel_puts");
		not_yet("clones_puts");
		return;
	}
	gained("clones_available", "available_filter_functions", available, lines_available);
	set("current_tracer", "function");
	gained("clones_enabled", "enabled_functions", enabled, lines_enabled);

	set("current_tracer", "nop");
	look_up("kernel_names", "0");
	look_up("clones_names", "1");

	/*
	 * The functions of four modules fit into the buffer once, one hundredth of them 100
	 * times.
	 */
	trace_clones("clones_trace", "in_clone_*", 1);
	trace_clones("clones_trace_few", "in_clone_*00", 100);
	trace_puts_in("kernel_puts", 0);
	trace_puts_in("clones_puts", 1);

	quiet();
	for (int i = 0; i < CLONES; i++) {
		snprintf(path, sizeof(path), "cl%03d", i);
		syscall(SYS_delete_module, path, O_NONBLOCK);
	}
}

/* --- size and boot -------------------------------------------------- */

static void do_record(const char *key)
{
	struct bench_call call = { 0 };

	ioctl(bench, BENCH_RECORD, &call);
	row(key, call.ticks, 0, "");
}

/* Free pages that are cached by the CPU that freed them. */
static int64_t pages_at_hand(void)
{
	FILE *file = fopen("/proc/zoneinfo", "r");
	char line[256];
	int64_t all = 0, pages;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, " count: %" SCNd64, &pages) == 1)
			all += pages;
	if (file)
		fclose(file);
	return all;
}

static int64_t free_memory(void)
{
	struct sysinfo info;

	sync();
	usleep(100000);
	sysinfo(&info);
	return (int64_t)info.freeram * info.mem_unit + pages_at_hand() * getpagesize();
}

static void mem_row(const char *key, const char *tracer)
{
	int64_t before = free_memory();

	if (set("current_tracer", tracer)) {
		not_yet(key);
		return;
	}
	row(key, before - free_memory(), 0, "");
}

/* Before anything was traced. */
static void do_mem_first(const char *key)
{
	struct sysinfo info;

	sysinfo(&info);
	row("mem_rest", (int64_t)info.totalram * info.mem_unit - free_memory(), 0, "");
	mem_row(key, "function");
}

static void do_mem_again(const char *key) { mem_row(key, "function"); }
static void do_mem_graph(const char *key) { mem_row(key, "function_graph"); }

#define TASKS	64

/* The memory that TASKS idle tasks take. */
static int64_t memory_of_tasks(void)
{
	int64_t before = free_memory(), after;
	pid_t task[TASKS];

	for (int i = 0; i < TASKS; i++) {
		task[i] = fork();
		if (!task[i])
			for (;;)
				pause();
	}
	after = free_memory();
	for (int i = 0; i < TASKS; i++) {
		kill(task[i], SIGKILL);
		waitpid(task[i], NULL, 0);
	}
	return before - after;
}

static void do_mem_task(const char *key)
{
	int64_t plain, traced;

	memory_of_tasks();
	plain = memory_of_tasks();
	set("set_ftrace_filter", "schedule");
	if (set("current_tracer", "function_graph")) {
		not_yet(key);
		return;
	}
	traced = memory_of_tasks();
	row(key, (double)(traced - plain) / TASKS, 0, "");
}

static void do_boot(const char *key)
{
	int size = klogctl(10, NULL, 0);
	char *text = malloc(size + 1), *line, *rest = text;

	(void)key;
	size = klogctl(3, text, size);
	text[size < 0 ? 0 : size] = 0;
	while ((line = strsep(&rest, "\n")))
		if (strstr(line, "initcall ") || strstr(line, "ftrace: ") ||
		    strstr(line, "SLUB:") || strstr(line, "rcu: ") ||
		    strstr(line, "Run /init"))
			say("@log\t%s\n", line);
	say("@log\tidle %llu\n", (unsigned long long)idle());
	free(text);
}

/* --- growth --------------------------------------------------------- */

static void growth_functions(int n)
{
	char on[64], off[64], more[64], note[64];
	struct cost cost;

	quiet();
	snprintf(on, sizeof(on), "grow_on_%d", n);
	snprintf(off, sizeof(off), "grow_off_%d", n);
	snprintf(more, sizeof(more), "grow_name_%d", n);
	snprintf(note, sizeof(note), "%ld functions", filter_about(n));
	switching(on, off, "function", note);
	begin();
	if (write_file("set_ftrace_filter", "bench_target\n", O_APPEND)) {
		not_yet(more);
		return;
	}
	cost = end();
	cost_row(more, cost, note);
}

static void growth_ops(int n)
{
	struct bench_call call = { .arg = n };
	char key[64], off[64];

	snprintf(key, sizeof(key), "grow_register_%d", n);
	snprintf(off, sizeof(off), "grow_unregister_%d", n);
	if (ioctl(bench, BENCH_MANY, &call)) {
		not_yet(key);
		not_yet(off);
	} else {
		on_and_off(BENCH_REGISTER, key, off);
	}
	call.arg = 0;
	ioctl(bench, BENCH_MANY, &call);
}

static void do_growth(const char *key)
{
	(void)key;
	growth_functions(2000);
	growth_functions(8000);
	growth_functions(20000);
	growth_ops(0);
	growth_ops(3);
	growth_ops(15);
	growth_ops(63);
}

/* --- the longest stall of another CPU ------------------------------- */

struct watch {
	volatile uint64_t longest;
	volatile uint64_t rounds;
	volatile int stop;
};

static void pin(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
}

/* Loop of CPU 1: reads the clock repeatedly. */
static void watching(struct watch *watch)
{
	struct bench_call call = { .arg = 1 };
	uint64_t last, now;

	pin(1);
	ioctl(bench, BENCH_TICK, &call);
	last = bench_ticks();
	while (!watch->stop) {
		/* Reading it is slow in QEMU. */
		for (int i = 0; i < 200; i++)
			asm volatile("");
		now = bench_ticks();
		if (now - last > watch->longest)
			watch->longest = now - last;
		last = now;
		watch->rounds++;
	}
	call.arg = 0;
	ioctl(bench, BENCH_TICK, &call);
	_exit(0);
}

static void stall_row(const char *key, struct watch *watch, const char *tracer)
{
	uint64_t longest = 0;

	/* The result depends on the time within a turn at which the switching begins. */
	for (int run = 0; run < 5 * RUNS; run++) {
		/* Exclude previous work. */
		usleep(20000);
		watch->longest = 0;
		if (!tracer) {
			for (int i = 0; i < 20000; i++)
				getppid();
		} else if (set("current_tracer", tracer)) {
			not_yet(key);
			return;
		}
		/* The other CPU must notice its turn. */
		usleep(20000);
		if (!run || watch->longest < longest)
			longest = watch->longest;
		if (tracer)
			set("current_tracer", strcmp(tracer, "nop") ? "nop" : "function");
	}
	row(key, longest, 0, "");
}

static void do_stall(const char *key)
{
	const char *suffix = getenv("mode") ?: "";
	struct watch *watch;
	char name[64];
	int pid;

	(void)key;
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return;
	if (getenv("ftrace_patch")) {
		/*
		 * The kernel did not accept the parameter, so it was passed to the first
		 * process.
		 */
		snprintf(name, sizeof(name), "stall_on%s", suffix);
		not_yet(name);
		snprintf(name, sizeof(name), "stall_off%s", suffix);
		not_yet(name);
		return;
	}
	watch = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pin(0);
	pid = fork();
	if (!pid)
		watching(watch);
	while (watch->rounds < 1000)
		usleep(1000);
	snprintf(name, sizeof(name), "stall_none%s", suffix);
	stall_row(name, watch, NULL);
	snprintf(name, sizeof(name), "stall_on%s", suffix);
	stall_row(name, watch, "function");
	set("current_tracer", "function");
	snprintf(name, sizeof(name), "stall_off%s", suffix);
	stall_row(name, watch, "nop");
	watch->stop = 1;
	waitpid(pid, NULL, 0);
}

/* --- instances ------------------------------------------------------ */

#define INSTANCES	8

static const char *instance_file(int nr, const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), TRACING "instances/bench%d/%s", nr, name);
	return path;
}

/* make_instances: returns 0 if all could be made */
static int make_instances(int n)
{
	for (int i = 0; i < n; i++)
		if (mkdir(instance_file(i, ""), 0755))
			return errno;
	return 0;
}

static void remove_instances(void)
{
	for (int i = 0; i < INSTANCES; i++)
		rmdir(instance_file(i, ""));
}

/* trace_in: starts the function tracer of an instance on one function; returns 0 or an errno */
static int trace_in(int nr, const char *function)
{
	return set(instance_file(nr, "set_ftrace_filter"), function) ?:
	       set(instance_file(nr, "current_tracer"), "function");
}

static void do_mkdir(const char *key)
{
	struct cost on = { 0 }, off = { 0 }, now;

	for (int i = 0; i < RUNS; i++) {
		begin();
		if (make_instances(1)) {
			not_yet(key);
			not_yet("rmdir");
			return;
		}
		now = end();
		cheapest(&on, now, i);
		begin();
		remove_instances();
		now = end();
		cheapest(&off, now, i);
	}
	cost_row(key, on, "");
	cost_row("rmdir", off, "");
}

/* One function, since the cost with both tracers is the same on all functions. */
static void do_graph_beside(const char *key)
{
	if (make_instances(1) || set("current_tracer", "function_graph") ||
	    trace_in(0, "bench_target"))
		not_yet(key);
	else
		call_row(key);
	set("current_tracer", "nop");
	remove_instances();
}

/* The memory that each of several instances takes, so that shared memory counts little. */
static void do_instance_rest(const char *key)
{
	int64_t none, rest, used;

	make_instances(INSTANCES);
	remove_instances();
	none = free_memory();
	if (make_instances(INSTANCES)) {
		not_yet(key);
		not_yet("instance_use");
		remove_instances();
		return;
	}
	rest = free_memory();
	row(key, (none - rest) / INSTANCES, 0, "");
	for (int i = 0; i < INSTANCES; i++)
		trace_in(i, "bench_target");
	used = free_memory();
	row("instance_use", (none - used) / INSTANCES, 0, "");
	remove_instances();
}

/* The first of @n instances traces bench_target, the other ones trace @others. */
static void call_instances(const char *key, int n, const char *others)
{
	int failed = make_instances(n);

	for (int i = 0; i < n && !failed; i++)
		failed = trace_in(i, i ? others : "bench_target");
	if (failed)
		not_yet(key);
	else
		call_row(key);
	remove_instances();
}

static void do_instance_1(const char *key) { call_instances(key, 1, NULL); }

static void do_instance_8_same(const char *key)
{
	call_instances(key, INSTANCES, "bench_target");
}

static void do_instance_8_apart(const char *key)
{
	call_instances(key, INSTANCES, "vfs_mkdir");
}

/* --- histograms ----------------------------------------------------- */

#define AFTER	"events/bench/bench_after/"

/* What the trigger of bench_event adds to each hit of a key that is not new. */
static void hist_row(const char *key, const char *trigger)
{
	double before = per_event();

	if (set(EVENT "trigger", trigger))
		not_yet(key);
	else
		row(key, per_event() - before, 0, "");
	set(EVENT "trigger", "");
}

/* All keys are new. */
static void hist_new_row(const char *key)
{
	struct bench_call call = { .arg = 1 << 16 };
	double before = per_event();
	struct cost cost;

	/* There are several runs, of which the first one counts, so that the rest is subtracted. */
	set(EVENT "trigger", "hist:keys=number:size=65536");
	begin();
	ioctl(bench, BENCH_EVENT, &call);
	cost = end();
	begin();
	ioctl(bench, BENCH_EVENT, &call);
	row(key, (double)(int64_t)(cost.ticks - end().ticks) / call.arg +
	    (double)(int64_t)call.ticks / call.arg - before, 0, "");
	set(EVENT "trigger", "");
}

static void do_hist_one(const char *key)
{
	hist_row(key, "hist:keys=number");
	hist_new_row("hist_new");
}

static void do_hist_sum(const char *key)
{
	hist_row(key, "hist:keys=number:vals=number,common_pid");
}

static void do_hist_stack(const char *key)
{
	hist_row(key, "hist:keys=number,common_pid,common_stacktrace");
}

static double per_pair(void)
{
	struct bench_call call = { .arg = CALLS };

	ioctl(bench, BENCH_PAIR, &call);
	return (double)(int64_t)call.ticks / CALLS;
}

static void do_hist_pair(const char *key)
{
	double before = per_pair();

	if (set("synthetic_events", "bench_lat u64 lat; u64 number") ||
	    set("events/synthetic/bench_lat/enable", "1") ||
	    set(EVENT "trigger", "hist:keys=number:ts=common_timestamp") ||
	    set(AFTER "trigger", "hist:keys=number:lat=common_timestamp-$ts:"
		"onmatch(bench.bench_event).trace(bench_lat,$lat,number)"))
		not_yet(key);
	else
		row(key, per_pair() - before, 0, "");
	set(AFTER "trigger", "");
	set(EVENT "trigger", "");
	set("events/synthetic/bench_lat/enable", "0");
	set("synthetic_events", "");
}

static void hist_read_row(const char *key, unsigned int size)
{
	struct bench_call call = { .arg = size };
	struct cost cost;
	char text[64];
	long lines;

	snprintf(text, sizeof(text), "hist:keys=number:vals=number:size=%u", size);
	if (set(EVENT "trigger", text)) {
		not_yet(key);
		return;
	}
	ioctl(bench, BENCH_EVENT, &call);
	for (int run = 0; run < (size > 10000 ? 1 : RUNS); run++) {
		lines = skim_file(EVENT "hist");
		cheapest(&cost, since, run);
	}
	snprintf(text, sizeof(text), "%ld lines", lines);
	cost_row(key, cost, text);
	set(EVENT "trigger", "");
}

static void do_hist_read(const char *key)
{
	hist_read_row("hist_read_2048", 2048);
	hist_read_row("hist_read_131072", 131072);
}

static void hist_mem_row(const char *key, unsigned int size)
{
	int64_t before;
	char text[64];

	snprintf(text, sizeof(text), "hist:keys=number:vals=number:size=%u", size);
	before = free_memory();
	if (set(EVENT "trigger", text))
		not_yet(key);
	else
		row(key, before - free_memory(), 0, "");
	set(EVENT "trigger", "");
	free_memory();
}

static void do_hist_mem(const char *key)
{
	/* Memory that the first histogram of all takes, and that remains. */
	set(EVENT "trigger", "hist:keys=common_pid");
	set(EVENT "trigger", "");
	hist_mem_row("hist_mem_2048", 2048);
	hist_mem_row("hist_mem_131072", 131072);
}

static const struct {
	const char *key;
	void (*func)(const char *key);
} rows[] = {
	/* before anything was traced */
	{ "mem_first", do_mem_first },
	{ "mem_again", do_mem_again },
	{ "mem_graph", do_mem_graph },
	{ "mem_task", do_mem_task },
	{ "boot", do_boot },
	{ "record", do_record },
	{ "untraced", do_untraced },
	{ "plain", do_plain },
	{ "regs", do_regs },
	{ "recursion", do_recursion },
	{ "guarded", do_guarded },
	{ "two", do_two },
	{ "two_eight", do_two_eight },
	{ "one_all", do_one_all },
	{ "tracer", do_tracer },
	{ "tracer_stack", do_tracer_stack },
	{ "graph", do_graph },
	{ "tree_untraced", do_tree },
	{ "profile", do_profile },
	{ "pid", do_pid },
	{ "kprobe", do_kprobe },
	{ "fprobe", do_fprobe },
	{ "graph_user", do_graph_user },
	{ "write16", do_write16 },
	{ "write256", do_write256 },
	{ "consume", do_consume },
	{ "page", do_page },
	{ "splice", do_splice },
	{ "function_on", do_function },
	{ "graph_on", do_graph_all },
	{ "function_one_on", do_function_one },
	{ "graph_one_on", do_graph_one },
	{ "function_1000_on", do_function_1000 },
	{ "graph_1000_on", do_graph_1000 },
	{ "register", do_register },
	{ "enable", do_enable },
	{ "grace", do_grace },
	{ "filter_name", do_filter_name },
	{ "filter_prefix", do_filter_prefix },
	{ "filter_infix", do_filter_infix },
	{ "filter_all", do_filter_all },
	{ "filter_module", do_filter_module },
	{ "filter_source", do_filter_source },
	{ "filter_100", do_filter_100 },
	{ "filter_1000", do_filter_1000 },
	{ "module_load", do_module },
	{ "read_trace", do_read_trace },
	{ "read_pipe", do_read_pipe },
	{ "read_available", do_read_available },
	{ "read_enabled", do_read_enabled },
	{ "read_filter", do_read_filter },
	{ "clones", do_clones },
	{ "event", do_event },
	{ "events_all", do_events_all },
	{ "hist_one", do_hist_one },
	{ "hist_sum", do_hist_sum },
	{ "hist_stack", do_hist_stack },
	{ "hist_pair", do_hist_pair },
	{ "hist_read", do_hist_read },
	{ "hist_mem", do_hist_mem },
	{ "probe_kprobe", do_probe_kprobe },
	{ "probe_inside", do_probe_inside },
	{ "probe_return", do_probe_return },
	{ "probe_fprobe", do_probe_fprobe },
	{ "probe_fexit", do_probe_fexit },
	{ "probe_event", do_probe_event },
	{ "probe_rejected", do_probe_rejected },
	{ "probe_rejected_string", do_probe_rejected_string },
	{ "probe_uprobe", do_probe_uprobe },
	{ "probe_define", do_probe_define },
	{ "probe_define_1000", do_probe_define_1000 },
	{ "mkdir", do_mkdir },
	{ "instance_rest", do_instance_rest },
	{ "graph_beside", do_graph_beside },
	{ "instance_1", do_instance_1 },
	{ "instance_8_same", do_instance_8_same },
	{ "instance_8_apart", do_instance_8_apart },
	{ "growth", do_growth },
	{ "stall", do_stall },
};

/* matches: returns 1 if one of the patterns in @list, separated by commas, matches. */
static int matches(const char *list, const char *key)
{
	char pattern[64];

	while (*list) {
		int n = strcspn(list, ",");

		snprintf(pattern, sizeof(pattern), "%.*s", n, list);
		if (!fnmatch(pattern, key, 0))
			return 1;
		list += n + (list[n] == ',');
	}
	return 0;
}

int main(void)
{
	const char *wanted = getenv("rows") ?: "*";

	mkdir("/proc", 0755);
	mkdir("/sys", 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sysfs", "/sys", "sysfs", 0, NULL);
	mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL);
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	if (load("/bench.ko", "") || (bench = open("/proc/bench", O_RDWR)) < 0)
		say("@fail\tthe module cannot be loaded: %s\n", strerror(errno));
	else
		measure_untraced();
	for (size_t i = 0; bench >= 0 && i < sizeof(rows) / sizeof(*rows); i++) {
		if (!matches(wanted, rows[i].key))
			continue;
		say("@now\t%s\n", rows[i].key);
		rows[i].func(rows[i].key);
		quiet();
	}
	say("@done\n");
	reboot(RB_POWER_OFF);
	return 0;
}
