// SPDX-License-Identifier: GPL-2.0
/*
 * Entries that an earlier boot of the kernel has written into memory that outlives
 * it: which of them can be printed, and where their addresses are now. They are
 * checked once, before the first reader, so that readers treat them like any others.
 */
#include <linux/stddef.h>
#include <linux/string.h>

#include "instance/core/entries.h"
#include "instance/core/last_boot.h"
#include "ring/persist.h"

/* Types of the kernel's own events are less. */
static unsigned int events_end = TRACE_TYPE_FIXED;

/* An address of the kernel's image moves with it; that of a module means nothing now. */
static unsigned long last_boot_moved(unsigned long address, const struct ring_persist_kernel *was,
				     const struct ring_persist_kernel *is)
{
	if (address - was->text < was->text_size)
		address += is->text - was->text;

	return address;
}

static bool last_boot_stack_entry(struct stack_entry *entry, unsigned int length,
				  const struct ring_persist_kernel *was,
				  const struct ring_persist_kernel *is)
{
	int i;

	if (length < sizeof(*entry) || entry->size < 0 ||
	    entry->size > (length - sizeof(*entry)) / sizeof(entry->caller[0]))
		return false;

	for (i = 0; i < entry->size; i++)
		entry->caller[i] = last_boot_moved(entry->caller[i], was, is);

	return true;
}

static bool last_boot_print_entry(struct print_entry *entry, unsigned int length,
				  const struct ring_persist_kernel *was,
				  const struct ring_persist_kernel *is)
{
	if (length <= sizeof(*entry) ||
	    !memchr(entry->buf, '\0', length - sizeof(*entry)))
		return false;

	entry->ip = last_boot_moved(entry->ip, was, is);

	return true;
}

/* A call, or repeats of it, which have the same fields first. */
static bool last_boot_call_entry(struct ftrace_entry *entry, unsigned int length,
				 unsigned int least, const struct ring_persist_kernel *was,
				 const struct ring_persist_kernel *is)
{
	if (length < least)
		return false;

	entry->ip = last_boot_moved(entry->ip, was, is);
	entry->parent_ip = last_boot_moved(entry->parent_ip, was, is);

	return true;
}

static_assert(offsetof(struct func_repeats_entry, ip) ==
	      offsetof(struct ftrace_entry, ip));
static_assert(offsetof(struct func_repeats_entry, parent_ip) ==
	      offsetof(struct ftrace_entry, parent_ip));

/* The call or the return of a function, which have the function first. */
static bool last_boot_graph_entry(struct graph_ent_entry *entry, unsigned int length,
				  unsigned int least, const struct ring_persist_kernel *was,
				  const struct ring_persist_kernel *is)
{
	if (length < least)
		return false;

	entry->graph_ent.func = last_boot_moved(entry->graph_ent.func, was, is);

	return true;
}

static_assert(offsetof(struct graph_ret_entry, ret.func) ==
	      offsetof(struct graph_ent_entry, graph_ent.func));
static bool last_boot_graph_retaddr_entry(struct graph_retaddr_entry *entry, unsigned int length,
					  const struct ring_persist_kernel *was,
					  const struct ring_persist_kernel *is)
{
	if (length < sizeof(*entry))
		return false;

	entry->graph_ent.func = last_boot_moved(entry->graph_ent.func, was, is);
	entry->retaddr = last_boot_moved(entry->retaddr, was, is);

	return true;
}

/*
 * An event: the header of the memory says that the same build of the kernel has recorded it,
 * in which the kernel's own events have the same types. Those of modules need not have.
 */
static bool last_boot_event_entry(const struct trace_entry *entry)
{
	return entry->type >= TRACE_TYPE_FIXED && entry->type < events_end;
}

/**
 * trace_saved_events - say which trace events are the kernel's own
 * @end: their types are less
 *
 * Called before there are instances in memory that outlives the kernel.
 */
void trace_saved_events(unsigned int end)
{
	events_end = end;
}

/**
 * trace_saved_entry - make an entry of an earlier boot ready to be printed
 * @data: the entry, whose addresses are changed to those of this boot
 * @length: bytes of it
 * @was: the kernel that wrote it
 * @is: this kernel
 *
 * An entry that refers to text elsewhere is not kept, as the text is gone, nor is one
 * of a type whose number may be another type's in this boot. Trace events can be printed
 * by their fields alone: pointers in them point nowhere.
 *
 * Return: whether it is what it should be, and can be kept.
 */
bool trace_saved_entry(void *data, unsigned int length,
		       const struct ring_persist_kernel *was,
		       const struct ring_persist_kernel *is)
{
	struct trace_entry *entry = data;

	if (length < sizeof(*entry))
		return false;

	switch (entry->type) {
	case TRACE_FN:
		return last_boot_call_entry(data, length, sizeof(struct ftrace_entry),
					    was, is);
	case TRACE_FUNC_REPEATS:
		return last_boot_call_entry(data, length,
					    sizeof(struct func_repeats_entry), was, is);
	case TRACE_GRAPH_ENT:
		return last_boot_graph_entry(data, length, sizeof(struct graph_ent_entry),
					     was, is);
	case TRACE_GRAPH_RET:
		return last_boot_graph_entry(data, length, sizeof(struct graph_ret_entry),
					     was, is);
	case TRACE_GRAPH_RETADDR_ENT:
		return last_boot_graph_retaddr_entry(data, length, was, is);
	case TRACE_STACK:
		return last_boot_stack_entry(data, length, was, is);
	case TRACE_PRINT:
		return last_boot_print_entry(data, length, was, is);
	case TRACE_USER_STACK:
		return length >= sizeof(struct userstack_entry);
	case TRACE_RAW_DATA:
		return length >= sizeof(struct raw_data_entry);
	case TRACE_CTX:
	case TRACE_WAKE:
		return length >= sizeof(struct ctx_switch_entry);
	case TRACE_HWLAT:
		return length >= sizeof(struct hwlat_entry);
	case TRACE_OSNOISE:
		return length >= sizeof(struct osnoise_entry);
	case TRACE_TIMERLAT:
		return length >= sizeof(struct timerlat_entry);
	default:
		return last_boot_event_entry(entry);
	}
}
