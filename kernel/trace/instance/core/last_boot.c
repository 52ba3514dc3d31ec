// SPDX-License-Identifier: GPL-2.0
/*
 * Entries of an earlier boot, in memory that outlives the kernel: selects the entries that can
 * be printed and relocates their addresses. This is done once, before the first reader, so that
 * readers treat them like other entries.
 */
#include <linux/stddef.h>
#include <linux/string.h>

#include "instance/core/entries.h"
#include "instance/core/last_boot.h"
#include "ring/persist.h"

/* First type that is not one of the kernel's own events. */
static unsigned int events_end = TRACE_TYPE_FIXED;

/*
 * Relocate an address of the kernel image. Addresses of modules cannot be relocated and are
 * kept.
 */
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

static bool last_boot_branch_entry(const struct trace_branch *entry, unsigned int length)
{
	return length >= sizeof(*entry) && !entry->func[TRACE_FUNC_SIZE] &&
	       !entry->file[TRACE_FILE_SIZE];
}

/* A function call or its repeats; both have the same first fields. */
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

/* A function entry or return; both begin with the function. */
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
 * A trace event. The header of the memory was checked to be from the same kernel build, in
 * which the kernel's own events have the same types. Events of modules may have other types.
 */
static bool last_boot_event_entry(const struct trace_entry *entry)
{
	return entry->type >= TRACE_TYPE_FIXED && entry->type < events_end;
}

/**
 * trace_saved_events - set the range of the kernel's own trace events
 * @end: first type after the kernel's own events
 *
 * Called before there are instances in memory that outlives the kernel.
 */
void trace_saved_events(unsigned int end)
{
	events_end = end;
}

/**
 * trace_saved_entry - prepare an entry of an earlier boot for printing
 * @data: the entry, whose addresses are changed to addresses of this boot
 * @length: size of the entry in bytes
 * @was: layout of the kernel that wrote it
 * @is: layout of this kernel
 *
 * Two kinds of entries are dropped: entries that refer to text outside the entry, which is
 * lost, and entries whose type number may mean another type in this boot. Trace events can only
 * be printed field by field: their pointers are stale.
 *
 * Return: true if the entry is valid and can be kept.
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
	case TRACE_BRANCH:
		return last_boot_branch_entry(data, length);
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
