// SPDX-License-Identifier: GPL-2.0
/*
 * Writing events of block devices.
 *
 * Events are written to the binary stream of the device, which the program blktrace reads,
 * while that is running, and to the instance that has the tracer blk. A stream also contains
 * the names of tasks: the first event of a task after any stream was started is preceded by the
 * name of the task, in all streams.
 */
#include <linux/atomic.h>
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/relay.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/record/entry.h"
#include "tracer/blk/blk.h"
#include "tracer/blk/blk_write.h"

/* Taken with interrupts off; inside it, only relay functions are called, which take no lock. */
static DEFINE_RAW_SPINLOCK(running_lock);

/* Running streams, linked by blk_trace.running_list; protected by running_lock */
static LIST_HEAD(running);

/*
 * Number of stream starts. task_struct.btrace_seq is its value when the task's name was last
 * written.
 */
static atomic_t nr_starts;

static bool blk_write_is_running(const struct blk_trace *bt)
{
	/* blk_write_is_running:a pairs with blk_trace_run:a */
	return smp_load_acquire(&bt->trace_state) == Blktrace_running;
}

/*
 * Fill everything after the header, which differs between a relay stream and a trace entry.
 * @cgroup: 0 if there is no cgroup
 */
static void blk_write_fill(struct blk_io_trace *to, const struct blk_trace *bt,
			   const struct blk_event *event, u64 cgroup)
{
	u8 *rest = (u8 *)(to + 1);

	to->time = ktime_to_ns(ktime_get());
	to->sector = event->sector;
	to->bytes = event->bytes;
	to->action = event->action;
	to->pid = current->pid;
	to->device = bt->dev;
	to->cpu = raw_smp_processor_id();
	to->error = event->error;
	to->pdu_len = event->len;
	if (cgroup) {
		to->action |= __BLK_TA_CGROUP;
		to->pdu_len += sizeof(cgroup);
		memcpy(rest, &cgroup, sizeof(cgroup));
		rest += sizeof(cgroup);
	}
	if (event->len)
		memcpy(rest, event->data, event->len);
}

/*
 * Interrupts are off. Events that do not fit are counted in the callback subbuf_start of relay.
 * Cgroups are left out, because blkparse(1) cannot parse events with a cgroup.
 */
static void blk_write_stream(struct blk_trace *bt, const struct blk_event *event)
{
	struct blk_io_trace *to;

	lockdep_assert_irqs_disabled();

	to = relay_reserve(bt->rchan, sizeof(*to) + event->len);
	if (!to)
		return;

	to->magic = BLK_IO_TRACE_MAGIC | BLK_IO_TRACE_VERSION;
	to->sequence = ++*this_cpu_ptr(bt->sequence);
	blk_write_fill(to, bt, event, 0);
}

static void blk_write_entry(struct trace_array *tr, const struct blk_trace *bt,
			    const struct blk_event *event)
{
	size_t len = event->len + (event->cgroup ? sizeof(event->cgroup) : 0);
	struct trace_buffer *buffer = tr->main.buffer;
	struct blk_entry *entry;

	entry = trace_entry_begin(buffer, TRACE_BLK, struct_size(entry, rest, len),
				  trace_context_now());
	if (!entry)
		return;

	blk_write_fill(&entry->event, bt, event, event->cgroup);
	trace_entry_end(buffer);
}

static void blk_write_name(void)
{
	struct blk_event event = {
		.action	= BLK_TN_PROCESS,
		.data	= current->comm,
		.len	= sizeof(current->comm),
	};
	unsigned int starts = atomic_read(&nr_starts);
	struct blk_trace *bt;

	if (likely(current->btrace_seq == starts))
		return;

	current->btrace_seq = starts;
	raw_spin_lock(&running_lock);
	list_for_each_entry(bt, &running, running_list)
		blk_write_stream(bt, &event);
	raw_spin_unlock(&running_lock);
}

static bool blk_write_matches(const struct blk_trace *bt, const struct blk_event *event)
{
	u32 pid;

	if (!(BLK_TC_ACT((u32)READ_ONCE(bt->act_mask)) & event->action))
		return false;

	if (event->sector && (event->sector < READ_ONCE(bt->start_lba) ||
			      event->sector > READ_ONCE(bt->end_lba)))
		return false;

	pid = READ_ONCE(bt->pid);

	return !pid || pid == current->pid;
}

/**
 * blk_trace_write - record an event of a device
 * @bt: tracing state of the device; protected by RCU
 * @event: the event, of the current task
 *
 * Any context except NMIs.
 */
void blk_trace_write(struct blk_trace *bt, const struct blk_event *event)
{
	struct trace_array *tr;
	unsigned long flags;

	if (!blk_write_matches(bt, event))
		return;

	local_irq_save(flags);
	tr = trace_blk_instance();
	if (tr)
		blk_write_entry(tr, bt, event);
	if (blk_write_is_running(bt)) {
		blk_write_name();
		blk_write_stream(bt, event);
	}
	local_irq_restore(flags);
}

/**
 * __blk_trace_note_message - record a message of kernel code about a device
 * @bt: tracing state of the device; protected by RCU
 * @css: the cgroup that the message is about, or NULL
 * @fmt: the message, as for printf()
 *
 * A message of BLK_TN_MAX_MSG characters or more is truncated. Any context except NMIs.
 */
void __blk_trace_note_message(struct blk_trace *bt, struct cgroup_subsys_state *css,
			      const char *fmt, ...)
{
	struct blk_event event = { .action = BLK_TN_MESSAGE };
	unsigned long flags;
	va_list args;
	char *text;

	if (!(READ_ONCE(bt->act_mask) & BLK_TC_NOTIFY))
		return;

	if (trace_blk_flags() & BLK_OPT_CGROUP)
		event.cgroup = blk_cgroup_id(css);

	/* The text buffer of a CPU may only be used with interrupts off. */
	local_irq_save(flags);
	text = this_cpu_ptr(bt->msg_data);
	va_start(args, fmt);
	event.len = vscnprintf(text, BLK_TN_MAX_MSG, fmt, args);
	va_end(args);
	event.data = text;
	blk_trace_write(bt, &event);
	local_irq_restore(flags);
}
EXPORT_SYMBOL_GPL(__blk_trace_note_message);

/* Write the current time of day, from which tools compute the time of day of all events */
static void blk_write_time(struct blk_trace *bt)
{
	struct blk_event event = { .action = BLK_TN_TIMESTAMP };
	struct timespec64 now;
	unsigned long flags;
	u32 words[2];

	ktime_get_real_ts64(&now);
	words[0] = (u32)now.tv_sec;
	words[1] = now.tv_nsec;
	event.data = words;
	event.len = sizeof(words);

	local_irq_save(flags);
	blk_write_stream(bt, &event);
	local_irq_restore(flags);
}

/**
 * blk_trace_run - start writing events of a device to its stream
 * @bt: tracing state of the device, with a stream that is not running
 *
 * The caller serializes changes of the stream.
 */
void blk_trace_run(struct blk_trace *bt)
{
	unsigned long flags;

	blk_write_time(bt);
	raw_spin_lock_irqsave(&running_lock, flags);
	list_add(&bt->running_list, &running);
	raw_spin_unlock_irqrestore(&running_lock, flags);

	atomic_inc(&nr_starts);
	/*
	 * blk_trace_run:a, with blk_write_is_running:a: an event writer that sees
	 * Blktrace_running also sees the incremented nr_starts, and so emits the process name
	 * first.
	 */
	smp_store_release(&bt->trace_state, Blktrace_running);
}

/**
 * blk_trace_halt - stop writing events of a device to its stream
 * @bt: tracing state of the device, with a running stream
 *
 * All written events are available to readers afterwards. Sleeps.
 */
void blk_trace_halt(struct blk_trace *bt)
{
	unsigned long flags;

	WRITE_ONCE(bt->trace_state, Blktrace_stopped);
	raw_spin_lock_irqsave(&running_lock, flags);
	list_del_init(&bt->running_list);
	raw_spin_unlock_irqrestore(&running_lock, flags);

	/*
	 * relay_flush() does no locking: wait until no CPU can be writing before switching
	 * sub-buffers.
	 */
	synchronize_rcu();
	relay_flush(bt->rchan);
}
