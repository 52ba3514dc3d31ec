// SPDX-License-Identifier: GPL-2.0
/*
 * The tracer mmiotrace: mappings of device memory, and accesses to them.
 *
 * While it is on, the architecture makes each access to a new mapping fault and executes it by
 * single-stepping. It reports mappings and accesses by calling the functions of
 * <linux/mmiotrace.h> that are here. Another CPU could access the same page during that step,
 * so all CPUs except one are offline during tracing.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/build_bug.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/mmiotrace.h>
#include <linux/printk.h>
#include <linux/ring_buffer.h>

#include "instance/core/entries.h"
#include "instance/core/instance.h"
#include "instance/record/entry.h"
#include "instance/tracer/register_tracer.h"
#include "instance/tracer/tracer.h"
#include "tracer/mmiotrace/mmiotrace.h"

/* Maximum length of a marker of mmiotrace_printk() */
#define MARKER_MAX	256

/*
 * The instance that has the tracer, or NULL; changed under trace_lock. The functions that write
 * entries find it set: calls begin with enable_mmiotrace(), and the last one has returned when
 * disable_mmiotrace() returns.
 */
static struct trace_array *mmio_tr;

static_assert(sizeof_field(struct mmio_rw_entry, phys) == sizeof(resource_size_t));
static_assert(sizeof_field(struct mmio_map_entry, phys) == sizeof(resource_size_t));

/**
 * mmio_trace_rw - record an access
 * @rw: the access
 *
 * Called with interrupts off, from the exception after the access.
 */
void mmio_trace_rw(struct mmiotrace_rw *rw)
{
	struct trace_buffer *buffer = mmio_tr->main.buffer;
	struct mmio_rw_entry *entry;

	entry = trace_entry_begin(buffer, TRACE_MMIO_RW, sizeof(*entry), trace_context_now());
	if (!entry)
		return;

	entry->phys = rw->phys;
	entry->value = rw->value;
	entry->pc = rw->pc;
	entry->map_id = rw->map_id;
	entry->opcode = rw->opcode;
	entry->width = rw->width;
	trace_entry_end(buffer);
}

/**
 * mmio_trace_mapping - record that a mapping was added or is being removed
 * @map: the mapping
 *
 * Called with interrupts off.
 */
void mmio_trace_mapping(struct mmiotrace_map *map)
{
	struct trace_buffer *buffer = mmio_tr->main.buffer;
	struct mmio_map_entry *entry;

	entry = trace_entry_begin(buffer, TRACE_MMIO_MAP, sizeof(*entry), trace_context_now());
	if (!entry)
		return;

	entry->phys = map->phys;
	entry->virt = map->virt;
	entry->len = map->len;
	entry->map_id = map->map_id;
	entry->opcode = map->opcode;
	trace_entry_end(buffer);
}

/**
 * mmio_trace_printk - record a marker
 * @fmt: format of its text, which must end with a newline, as for printf()
 * @args: arguments of @fmt
 *
 * Called with interrupts off. A text that is too long is truncated.
 *
 * Return: number of characters recorded
 */
int mmio_trace_printk(const char *fmt, va_list args)
{
	char text[MARKER_MAX];
	int len = vscnprintf(text, sizeof(text), fmt, args);

	return __trace_array_puts(mmio_tr, 0, text, len);
}

static int mmiotrace_init(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	if (mmio_tr)
		return -EBUSY;

	mmio_tr = tr;
	enable_mmiotrace();

	return 0;
}

static unsigned long mmiotrace_lost(struct trace_buffer *buffer)
{
	unsigned long lost = ring_buffer_overruns(buffer);
	int cpu;

	for_each_possible_cpu(cpu)
		lost += ring_buffer_dropped_events_cpu(buffer, cpu) +
			ring_buffer_commit_overrun_cpu(buffer, cpu);

	return lost;
}

static void mmiotrace_reset(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);

	disable_mmiotrace();
	mmio_tr = NULL;
	/* Documentation/trace/mmiotrace.rst refers users to this message. */
	if (mmiotrace_lost(tr->main.buffer))
		pr_warn("mmiotrace has lost events\n");
}

/* noboot: kernel initialization must not lose CPUs. So there is no self test either. */
static struct tracer mmio_tracer = {
	.name			= "mmiotrace",
	.init			= mmiotrace_init,
	.reset			= mmiotrace_reset,
	.open			= trace_mmio_open,
	.close			= trace_mmio_close,
	.header			= trace_mmio_header,
	.line			= trace_mmio_line,
	.noboot			= true,
	.shows_lost		= true,
	.allow_instances	= true,
};

static int __init mmiotrace_mmio_tracer_init(void)
{
	return trace_top.main.buffer ? register_tracer(&mmio_tracer) : -ENODEV;
}
early_initcall(mmiotrace_mmio_tracer_init);
