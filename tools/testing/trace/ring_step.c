// SPDX-License-Identifier: GPL-2.0
/*
 * The writers of the ring buffer, interrupted between any two instructions.
 *
 * The processor's trap flag stops a writer after every instruction. There the process forks: in
 * the child an interrupt occurs that also writes, and perhaps a second one a few instructions
 * later. With an NMI somewhere in these, and with interrupts that write more, only every few
 * instructions are tried. An interrupt gets its event, or it is counted. Afterwards all written
 * events must be present, complete, ordered by time and by writing, or must be counted as
 * overwritten. The second interrupt may also be one that changes the whole ring.
 */
#include "ring/page.h"
#include "ring/map.h"
#include "ring/swap.h"
#include "ring/write.h"
#include "tap.h"

#ifdef __x86_64__

#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define LEVELS		3
#define TRAP_FLAG	0x100
#define MAX_STEPS	20000
#define PASSES		4

struct sample {
	u32	level;
	u32	number;
	u32	check;
};

static struct trace_buffer *buffer;
/* the buffer that @buffer swaps its ring with; NULL: there are no swaps */
static struct trace_buffer *spare;
/* swaps are requested, and how often; events before the last but one are discarded */
static bool on_request;
static int requests;
static u64 now, last;

/* by context: number of events written, and read */
static u32 written[LEVELS], seen[LEVELS];
/* instructions until the interrupt, and in it until the NMI; 0: there is none */
static long countdown[2];
/* instructions from the interrupt to another one; 0: there is none */
static long second;
static int nesting;
static void (*inject)(int level);

/**
 * struct forks - the positions of interrupts in every()
 * @stride: instructions between two interrupts; 0: no interrupts, or this is a child
 * @steps: number of instructions executed
 * @nmi: there is an NMI in each interrupt
 * @twice: another interrupt occurs a few instructions later
 * @rng: random positions of the NMI and of the other interrupt
 */
static struct forks {
	long	stride;
	long	steps;
	bool	nmi;
	bool	twice;
	u64	rng;
} forks;

static bool early;
/* instructions with interrupts off */
static long steps_off;

/* the request of another CPU to the ring's CPU in the second interrupt */
static void (*change)(void);
static pthread_t changer;
static int changes;

static void time_passes(u64 ns)
{
	__atomic_fetch_add(&now, ns, __ATOMIC_RELAXED);
}

static u64 test_clock(void)
{
	return __atomic_fetch_add(&now, 1, __ATOMIC_RELAXED);
}

static void step(bool on)
{
	unsigned long long flags = __builtin_ia32_readeflags_u64();

	__builtin_ia32_writeeflags_u64(on ? flags | TRAP_FLAG : flags & ~TRAP_FLAG);
}

static void interrupt(int level, int offset)
{
	WRITE_ONCE(nesting, level);
	if (early)
		inject(level);
	env_preempt += offset;
	inject(level);
	env_preempt -= offset;
	WRITE_ONCE(nesting, level - 1);
}

static u64 draw(void)
{
	forks.rng = forks.rng * 6364136223846793005 + 1442695040888963407;
	return forks.rng >> 33;
}

/* Return: true in a child, in which the interrupt occurs; false after the child has exited. */
static bool in_child(void)
{
	int status;
	pid_t pid;

	countdown[1] = forks.nmi ? 1 + draw() % 600 : 0;
	second = forks.twice ? 1 + draw() % 40 : 0;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		forks.stride = 0;
		alarm(60);
		return true;
	}
	if (!EXPECT(pid > 0 && waitpid(pid, &status, 0) == pid && !status))
		printf("# at instruction %ld\n", forks.steps);
	countdown[0] = forks.stride;
	countdown[1] = 0;
	second = 0;
	return false;
}

static void on_trap(int sig, siginfo_t *info, void *context)
{
	greg_t *flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];
	int level = READ_ONCE(nesting);

	if (env_irqs_off)
		steps_off++;
	if (level >= 2 || !READ_ONCE(countdown[level]))
		return;
	forks.steps++;
	WRITE_ONCE(countdown[level], countdown[level] - 1);
	if (countdown[level])
		return;
	if (level == 0 && forks.stride && !in_child()) {
		if (tap_failures || forks.steps > MAX_STEPS)
			*flags &= ~TRAP_FLAG;
		return;
	}

	/* This was the instruction; the rest runs at full speed. */
	if (level == 0 && second) {
		countdown[0] = second;
		second = 0;
	} else {
		*flags &= ~TRAP_FLAG;
	}
	if (level == 0) {
		/* The handler itself is stepped through, for the NMI. */
		if (countdown[1])
			step(true);
		interrupt(1, HARDIRQ_OFFSET);
		step(false);
		WRITE_ONCE(countdown[1], 0);
	} else {
		interrupt(2, NMI_OFFSET + HARDIRQ_OFFSET);
	}
}

/* Resets the counts of written and read events. */
static void forget(void)
{
	memset(written, 0, sizeof(written));
	memset(seen, 0, sizeof(seen));
	requests = 0;
	last = 0;
}

/* A ring to write to, and perhaps another one to swap it with. */
static void make(unsigned int pages, unsigned int flags, bool two)
{
	env_cpu = 0;
	env_clock = test_clock;
	early = false;
	forget();
	buffer = ring_buffer_alloc(pages * ring_data_size(0), flags);
	if (two)
		spare = ring_buffer_alloc(pages * ring_data_size(0), flags);
}

static void done(void)
{
	ring_buffer_free(buffer);
	if (spare)
		ring_buffer_free(spare);
	spare = NULL;
	EXPECT_EQ(env_allocs_live, 0);
}

static void interrupts_do(void (*irq)(int level))
{
	struct sigaction sa = {
		.sa_sigaction	= on_trap,
		.sa_flags	= SA_NODEFER | SA_SIGINFO,
	};

	sigaction(SIGTRAP, &sa, NULL);
	inject = irq;
}

/*
 * Run @fn, with an interrupt after @first instructions, an NMI after @nmi instructions of the
 * interrupt, and a second interrupt @then instructions after the first; 0: there is none
 */
static void run_interrupted(void (*fn)(void), long first, long nmi, long then)
{
	WRITE_ONCE(second, then);
	WRITE_ONCE(countdown[0], first);
	WRITE_ONCE(countdown[1], nmi);
	step(true);
	fn();
	step(false);
}

static void put_sample(struct sample *s, int level)
{
	s->level = level;
	s->number = written[level]++;
	s->check = ~s->number;
}

static bool write_sample(int level, unsigned int bytes)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, bytes);

	if (!event)
		return false;
	/* An interrupt of ring_push() used the same frame, and left no trace there. */
	if (!level && !spare)
		EXPECT_EQ(buffer->cpus[0]->frame[1] & HARDIRQ_MASK, 0);
	put_sample(ring_buffer_event_data(event), level);
	ring_buffer_unlock_commit(buffer);
	return true;
}

/* Number of events that were not written but counted, on both rings. */
static unsigned long missed(void)
{
	unsigned long sum = ring_buffer_dropped_events_cpu(buffer, 0) +
			    ring_buffer_commit_overrun_cpu(buffer, 0);

	if (spare)
		sum += ring_buffer_dropped_events_cpu(spare, 0) +
		       ring_buffer_commit_overrun_cpu(spare, 0);
	return sum;
}

/*
 * An interrupt gets its event, or it is counted. Only an NMI that traces before preempt_count()
 * is updated, in an interrupt that does the same, looks like recursion.
 */
static void interrupt_writes(int level, unsigned int bytes)
{
	unsigned long before = missed();

	if (write_sample(level, bytes))
		return;
	EXPECT(missed() > before || (early && level == 2));
}

static void write_discard(int level)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, 32);

	if (event)
		ring_buffer_discard_commit(buffer, event);
}

/*
 * Writers that are interrupted
 */
static void one_event(void)
{
	write_sample(0, 16);
}

/* As tracers do that leave special cases to a slow path */
static void one_plain_event(void)
{
	struct ring_write write;
	struct ring_cpu *cb;
	void *data;
	u64 time;

	preempt_disable_notrace();
	time = test_clock();
	if (ring_plain_begin(buffer, sizeof(struct sample), time, &cb, &data)) {
		put_sample(data, 0);
		ring_plain_end(cb);
	} else {
		ring_plain_undo(cb);
		data = ring_write_begin_at(buffer, sizeof(struct sample), time, &write);
		if (data) {
			put_sample(data, 0);
			ring_write_end(&write);
		}
	}
	preempt_enable_notrace();
}

static void one_long_event(void)
{
	write_sample(0, 300);
}

static void one_late_event(void)
{
	time_passes(3ULL << 27);
	write_sample(0, 16);
}

static void one_much_later_event(void)
{
	time_passes(RING_REL_LIMIT);
	write_sample(0, 16);
}

static void one_discarded(void)
{
	write_discard(0);
}

static void one_in_one(void)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, 16);
	struct sample *s;

	if (!event)
		return;
	s = ring_buffer_event_data(event);
	*s = (struct sample){ 0, written[0], ~written[0] };
	written[0]++;
	ring_buffer_nest_start(buffer);
	write_sample(0, 16);
	ring_buffer_nest_end(buffer);
	ring_buffer_unlock_commit(buffer);
}

/* A reader that NMIs interrupt: each page of irq_flood() has one event. */
static void ask_for_figures(void)
{
	unsigned long pages = buffer->cpus[0]->nr_slots + 1;

	EXPECT(ring_buffer_entries_cpu(buffer, 0) <= pages);
	EXPECT(ring_buffer_bytes_cpu(buffer, 0) <= pages * ring_data_size(0));
}

static void check_event(struct ring_buffer_event *event, u64 ts)
{
	struct sample *s = ring_buffer_event_data(event);

	EXPECT(ts >= last);
	EXPECT(ts < now);
	last = ts;
	if (!EXPECT(s->level < LEVELS))
		return;
	EXPECT_EQ(s->check, (u32)~s->number);
	EXPECT(s->number >= seen[s->level]);
	seen[s->level] = s->number + 1;
}

/* A reader of whole pages, which interrupts write. */
static struct buffer_data_read_page *whole;

static void read_whole_page(void)
{
	struct ring_cursor cur = { };
	struct ring_buffer_event *event;

	if (ring_buffer_read_page(buffer, whole, PAGE_SIZE, 0, 0))
		return;
	cur.page = ring_buffer_read_page_data(whole);
	cur.stamp = cur.page->time_stamp;
	cur.end = cur.page->commit & RING_COMMIT_MASK;
	while ((event = ring_cursor_event(&cur))) {
		ring_cursor_advance(&cur, event);
		check_event(event, cur.stamp);
	}
}

/*
 * Actions of the interrupts
 */
static void irq_event(int level)
{
	interrupt_writes(level, 20);
}

static void irq_late_event(int level)
{
	time_passes(2ULL << 27);
	interrupt_writes(level, 20);
}

static void irq_discard(int level)
{
	write_discard(level);
}

/* writes to the next page */
static void irq_page(int level)
{
	int i;

	for (i = 0; i < 3; i++)
		interrupt_writes(level, 1500);
}

/* wraps the ring, until no page is left to overwrite */
static void irq_flood(int level)
{
	int i;

	for (i = 0; i < 8; i++)
		interrupt_writes(level, 2500);
}

/* swaps the ring, unless a writer is inside; an NMI cannot */
static void irq_swap(int level)
{
	if (level == 1)
		ring_buffer_swap_cpu(buffer, spare, 0);
	else
		interrupt_writes(level, 20);
}

static void irq_swap_event(int level)
{
	irq_swap(level);
	interrupt_writes(level, 20);
}

/* swaps and swaps back, so the writer has the ring that it looked up */
static void irq_swap_twice(int level)
{
	irq_swap_event(level);
	irq_swap(level);
}

/* An NMI can also request a swap. */
static void irq_request(int level)
{
	EXPECT(ring_buffer_swap_request(buffer));
	requests++;
}

static void irq_request_event(int level)
{
	irq_request(level);
	EXPECT(write_sample(level, 20) || early);
}

static void irq_request_twice(int level)
{
	irq_request_event(level);
	irq_request(level);
}

static void empty_ring(void)
{
	ring_buffer_reset_cpu(buffer, 0);
}

static void exchange_ring(void)
{
	EXPECT_EQ(ring_buffer_exchange_cpu(buffer, spare, 0), 0);
}

static void resize_ring(void)
{
	int pages = changes % 2 ? 3 : 5;

	EXPECT_EQ(ring_buffer_resize(buffer, pages * ring_data_size(0), 0), 0);
}

static void *changer_main(void *arg)
{
	env_cpu = ENV_CPUS;
	change();
	return NULL;
}

/* The first interrupt moves to another page, the second one changes the ring. */
static void irq_page_then_change(int level)
{
	unsigned long calls = __atomic_load_n(&env_calls, __ATOMIC_ACQUIRE);

	if (READ_ONCE(countdown[0])) {
		irq_page(level);
		return;
	}
	changes++;
	pthread_create(&changer, NULL, changer_main, NULL);
	while (__atomic_load_n(&env_calls, __ATOMIC_ACQUIRE) == calls)
		sched_yield();
}

/* Read all events of a buffer; returns the number of events written to its ring. */
static unsigned long drain_one(struct trace_buffer *from)
{
	struct ring_buffer_event *event;
	unsigned long entries = ring_buffer_entries_cpu(from, 0);
	unsigned long lost, count = 0;
	u64 ts;

	EXPECT_EQ(from->cpus[0]->depth, 0);
	while ((event = ring_buffer_consume(from, 0, &ts, &lost))) {
		check_event(event, ts);
		count++;
	}
	EXPECT_EQ(count, entries);
	EXPECT_EQ(ring_buffer_bytes_cpu(from, 0), 0);
	return ring_buffer_read_events_cpu(from, 0) + ring_buffer_overrun_cpu(from, 0);
}

/* Compare the events with what was written. */
static void drain(void)
{
	unsigned long sum = 0;

	EXPECT_EQ(env_preempt, 0);
	if (on_request)
		EXPECT_EQ(ring_buffer_swap_finish(buffer), 0);
	/*
	 * The swapped ring has older events, except for the event of a writer that was in
	 * flight at the swap: time is ordered within each ring.
	 */
	if (spare) {
		sum = drain_one(spare);
		last = 0;
	}
	sum += drain_one(buffer);
	if (requests < 2)
		EXPECT_EQ(sum, written[0] + written[1] + written[2]);
}

/* Leave @space bytes or less in the page. */
static void fill(unsigned int space)
{
	struct ring_cpu *cb = buffer->cpus[0];

	while (cb->size - (local_read(&cb->tail->write) & RING_OFFSET_MASK) > space)
		write_sample(0, 12);
}

/* Each pass begins at another position in the ring. */
static void move_on(void)
{
	int i;

	for (i = draw() % 100; i; i--)
		write_sample(0, 12 + draw() % 64);
	drain();
}

/*
 * Run @writer, with @irq after every @stride of its instructions: each time in a child, so that
 * no instruction is stepped through more than once in a pass.
 */
static void every(void (*writer)(void), void (*irq)(int level), int space, bool nmi,
		  bool twice, int stride)
{
	int pass;

	interrupts_do(irq);
	forks = (struct forks){ .nmi = nmi, .twice = twice, .rng = tap_seed() };
	for (pass = 0; pass < PASSES && !tap_failures; pass++) {
		move_on();
		if (on_request) {
			/* Events that are discarded later must be from this pass. */
			ring_buffer_reset_cpu(buffer, 0);
			ring_buffer_reset_cpu(spare, 0);
			forget();
		}
		if (space)
			fill(space);
		forks.stride = PASSES * stride;
		forks.steps = 0;
		run_interrupted(writer, 1 + pass * stride, 0, 0);
		countdown[0] = 0;
		drain();
		/* the child, after the interrupt and all of its expectations */
		if (!forks.stride) {
			fflush(stdout);
			_exit(!!tap_failures);
		}
		forks.stride = 0;
		EXPECT(forks.steps > 50);
		EXPECT(forks.steps < MAX_STEPS);
	}
}

static void all(void (*writer)(void), unsigned int space)
{
	static void (*const writes[])(int) = {
		irq_event, irq_late_event, irq_discard, irq_page, irq_flood,
	};
	static void (*const swaps[])(int) = { irq_swap, irq_swap_event, irq_swap_twice };
	static void (*const requests[])(int) = {
		irq_request, irq_request_event, irq_request_twice,
	};
	void (*const *irqs)(int) = on_request ? requests : spare ? swaps : writes;
	size_t i, n, modes;

	for (i = 0; i < (spare ? ARRAY_SIZE(swaps) : ARRAY_SIZE(writes)); i++) {
		modes = spare ? 2 : i ? 5 : 8;
		/*
		 * With and without an NMI, each with preempt_count() updated or not, one or
		 * two.
		 */
		for (n = i && !spare ? 3 : 0; n < modes; n += n < 4 ? 1 : 2) {
			early = n & 2;
			every(writer, irqs[i], space, n & 1, n & 4,
			      n ? 2 * i + 3 + 2 * n : 1);
			if (tap_failures) {
				printf("# interrupt %zu, mode %zu\n", i, n);
				return;
			}
		}
	}
}

/* Interrupt @writer twice; false if it had completed before. */
static bool change_at(void (*writer)(void), long first, long then)
{
	int before = changes;

	/* There is space for its event, but not for the events of the interrupts. */
	fill(600);
	run_interrupted(writer, first, 0, then);
	if (changes == before)
		return false;

	pthread_join(changer, NULL);
	if (change != empty_ring) {
		drain();
	} else {
		/* The number of events written before the reset is unknown. */
		drain_one(buffer);
		ring_buffer_reset_cpu(buffer, 0);
		forget();
	}
	if (tap_failures)
		printf("# at instructions %ld and %ld\n", first, then);
	return true;
}

/*
 * A change of the whole ring, at most some instructions after an interrupt has moved to another
 * page. A writer that is about to finish may have checked before that.
 */
static void changed(void (*op)(void), void (*writer)(void))
{
	long first, then;

	env_cpu_start(0);
	make(4, RB_FL_OVERWRITE, op == exchange_ring);
	interrupts_do(irq_page_then_change);
	change = op;
	for (first = 1; !tap_failures; first++) {
		for (then = 1; then < 9 && !tap_failures; then++) {
			if (!change_at(writer, first, then))
				break;
		}
		if (then == 1)
			break;
	}
	EXPECT(first > 50);
	env_cpu_stop();
	done();
}

static void emptied(void)
{
	changed(empty_ring, one_event);
}

static void emptied_plain(void)
{
	changed(empty_ring, one_plain_event);
}

static void resized(void)
{
	changed(resize_ring, one_event);
}

static void resized_plain(void)
{
	changed(resize_ring, one_plain_event);
}

/* The swap waits for the writer in flight. */
static void exchanged(void)
{
	changed(exchange_ring, one_event);
}

static void exchanged_plain(void)
{
	changed(exchange_ring, one_plain_event);
}

static void with_rings(unsigned int pages, unsigned int flags, bool two,
		       void (*writer)(void), unsigned int space)
{
	make(pages, flags, two);
	all(writer, space);
	done();
}

static void with_ring(unsigned int pages, unsigned int flags, void (*writer)(void),
		      unsigned int space)
{
	with_rings(pages, flags, false, writer, space);
}

static void with_two(unsigned int pages, unsigned int flags, void (*writer)(void),
		     unsigned int space)
{
	with_rings(pages, flags, true, writer, space);
}

/* The statistics never exceed the capacity of the ring. */
static void figures_flooded(void)
{
	make(3, RB_FL_OVERWRITE, false);
	every(ask_for_figures, irq_flood, 0, false, false, 1);
	done();
}

/* The process that has mapped the ring finds complete events in its page. */
static void check_mapped(struct page *pages[])
{
	struct trace_buffer_meta *meta = (void *)pages[0];
	struct buffer_data_page *page = (void *)pages[1 + meta->reader.id];
	struct ring_cursor cur = { .page = page, .end = page->commit & RING_COMMIT_MASK };
	struct ring_buffer_event *event;
	struct sample *s;

	while (!tap_failures && (event = ring_cursor_event(&cur))) {
		s = ring_buffer_event_data(event);
		EXPECT(s->level < LEVELS);
		EXPECT_EQ(s->check, (u32)~s->number);
		ring_cursor_advance(&cur, event);
	}
}

static void get_mapped_page(void)
{
	ring_buffer_map_get_reader(buffer, 0);
}

static void irq_fill(int level)
{
	int i;

	for (i = 0; i < 6; i++)
		write_sample(level, 800);
}

/*
 * A process requests the page that is being written, before which events were lost, and an
 * interrupt fills the page after any instruction.
 */
static void mapped_page_filled(void)
{
	struct page *pages[6];
	struct vm_area_struct vma = { .vm_flags = VM_MAYSHARE, .pages = pages, .nr = 6 };
	long n;

	interrupts_do(irq_fill);
	for (n = 1; n < MAX_STEPS && !tap_failures; n++) {
		make(4, 0, false);
		EXPECT_EQ(ring_buffer_map(buffer, 0, &vma), 0);
		while (write_sample(0, 800))
			;
		while (ring_buffer_consume(buffer, 0, NULL, NULL))
			;
		write_sample(0, 800);
		run_interrupted(get_mapped_page, n, 0, 0);
		check_mapped(pages);
		ring_buffer_map_get_reader(buffer, 0);
		check_mapped(pages);
		ring_buffer_unmap(buffer, 0);
		done();
		if (READ_ONCE(countdown[0]))
			break;
	}
	WRITE_ONCE(countdown[0], 0);
	EXPECT(n > 50);
}

/* All events that a page gets before it is handed to its reader are read with it. */
static void whole_pages(void)
{
	make(3, RB_FL_OVERWRITE, false);
	EXPECT_EQ(ring_buffer_alloc_read_page(buffer, 0, &whole), 0);
	every(read_whole_page, irq_page, 2000, false, false, 1);
	ring_buffer_free_read_page(buffer, 0, whole);
	done();
}

/* Returns for how many instructions interrupts are off during a resize. */
static long resize_steps(unsigned long from, unsigned long to)
{
	make(from, RB_FL_OVERWRITE, false);
	interrupts_do(irq_event);
	while (!ring_buffer_overrun_cpu(buffer, 0))
		write_sample(0, 1000);
	countdown[0] = 0;
	second = 0;
	steps_off = 0;
	step(true);
	EXPECT_EQ(ring_buffer_resize(buffer, to * ring_data_size(0), 0), 0);
	step(false);
	done();
	return steps_off;
}

/* That does not depend on the number of pages of the ring before and after. */
static void resized_shortly(void)
{
	static const int sizes[][2] = { { 1, 2 }, { 2, 1 } };
	long few, many;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		few = resize_steps(10 * sizes[i][0], 10 * sizes[i][1]);
		many = resize_steps(200 * sizes[i][0], 200 * sizes[i][1]);
		EXPECT(few > 50);
		if (!EXPECT(many < few + 100))
			printf("# %ld instructions for 20 times as many pages as %ld\n", many, few);
	}
}

static void event(void)
{
	with_ring(3, RB_FL_OVERWRITE, one_event, 0);
}

static void event_behind_the_page(void)
{
	with_ring(3, RB_FL_OVERWRITE, one_event, 12);
}

static void event_on_two_pages(void)
{
	with_ring(2, RB_FL_OVERWRITE, one_event, 12);
}

static void event_produce_only(void)
{
	with_ring(2, 0, one_event, 12);
}

static void event_plain(void)
{
	with_ring(3, RB_FL_OVERWRITE, one_plain_event, 0);
}

static void event_plain_behind_the_page(void)
{
	with_ring(3, RB_FL_OVERWRITE, one_plain_event, 12);
}

static void event_plain_produce_only(void)
{
	with_ring(2, 0, one_plain_event, 12);
}

static void event_plain_while_exchanged(void)
{
	with_two(3, RB_FL_OVERWRITE, one_plain_event, 0);
}

static void event_long(void)
{
	with_ring(3, RB_FL_OVERWRITE, one_long_event, 200);
}

static void event_late(void)
{
	with_ring(3, RB_FL_OVERWRITE, one_late_event, 0);
}

static void event_much_later(void)
{
	with_ring(3, RB_FL_OVERWRITE, one_much_later_event, 0);
}

static void event_discarded(void)
{
	with_ring(3, RB_FL_OVERWRITE, one_discarded, 40);
}

static void event_in_event(void)
{
	with_ring(3, RB_FL_OVERWRITE, one_in_one, 30);
}

static void event_while_exchanged(void)
{
	with_two(3, RB_FL_OVERWRITE, one_event, 0);
}

static void event_while_exchanged_behind(void)
{
	with_two(3, RB_FL_OVERWRITE, one_event, 12);
}

static void event_while_exchanged_long(void)
{
	with_two(3, RB_FL_OVERWRITE, one_long_event, 200);
}

static void event_while_exchanged_inside(void)
{
	with_two(3, RB_FL_OVERWRITE, one_in_one, 30);
}

static void event_while_exchanged_discarded(void)
{
	with_two(3, RB_FL_OVERWRITE, one_discarded, 40);
}

static void with_requests(void (*writer)(void), unsigned int space)
{
	make(3, RB_FL_OVERWRITE, true);
	ring_buffer_swap_with(buffer, spare, false);
	on_request = true;
	all(writer, space);
	on_request = false;
	done();
}

static void event_while_requested(void)
{
	with_requests(one_event, 12);
}

static void event_while_requested_plain(void)
{
	with_requests(one_plain_event, 0);
}

/* Two events, with requests between and inside them. */
static void two_events(void)
{
	write_sample(0, 16);
	write_sample(0, 16);
}

static void events_while_requested(void)
{
	with_requests(two_events, 0);
}

static const struct tap_case cases[] = {
	TAP_CASE(figures_flooded),
	TAP_CASE(resized_shortly),
	TAP_CASE(whole_pages),
	TAP_CASE(emptied),
	TAP_CASE(resized),
	TAP_CASE(exchanged),
	TAP_CASE(emptied_plain),
	TAP_CASE(resized_plain),
	TAP_CASE(exchanged_plain),
	TAP_CASE(mapped_page_filled),
	TAP_CASE(event_while_exchanged),
	TAP_CASE(event_while_exchanged_behind),
	TAP_CASE(event_while_exchanged_long),
	TAP_CASE(event_while_exchanged_inside),
	TAP_CASE(event_while_exchanged_discarded),
	TAP_CASE(event_while_requested),
	TAP_CASE(event_while_requested_plain),
	TAP_CASE(events_while_requested),
	TAP_CASE(event),
	TAP_CASE(event_behind_the_page),
	TAP_CASE(event_on_two_pages),
	TAP_CASE(event_produce_only),
	TAP_CASE(event_plain),
	TAP_CASE(event_plain_behind_the_page),
	TAP_CASE(event_plain_produce_only),
	TAP_CASE(event_plain_while_exchanged),
	TAP_CASE(event_long),
	TAP_CASE(event_late),
	TAP_CASE(event_much_later),
	TAP_CASE(event_discarded),
	TAP_CASE(event_in_event),
};

#else

static void every_instruction(void)
{
	tap_skip("knows the trap flag of x86 only");
}

static const struct tap_case cases[] = { TAP_CASE(every_instruction) };

#endif

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
