// SPDX-License-Identifier: GPL-2.0
/*
 * Instances on the command line: trace_instance= creates instances, trace_clock= and
 * trace_options= configure the top one.
 */
#define pr_fmt(fmt) "tracing: " fmt

#include <linux/array_size.h>
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/string.h>

#include <asm/setup.h>

#include "boot/boot_events.h"
#include "boot/boot_instances.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/snapshot/buffer_change.h"
#include "instance/tracer/instance_create.h"
#include "instance/tracer/tracer_options.h"
#include "ring/persist.h"

/* The values of trace_instance=, concatenated, each with its NUL. */
static char boot_text[COMMAND_LINE_SIZE] __initdata;
static size_t boot_size __initdata;

static int __init boot_instances_setup(char *str)
{
	size_t size = strlen(str) + 1;

	if (size > sizeof(boot_text) - boot_size) {
		pr_warn("trace_instance=%s: too many instances\n", str);
		return 1;
	}

	memcpy(boot_text + boot_size, str, size);
	boot_size += size;

	return 1;
}
__setup("trace_instance=", boot_instances_setup);

static const char * __init boot_instances_why_not(int error)
{
	switch (error) {
	case -EEXIST:
		return "the name is taken";
	case -EINVAL:
		return "a directory cannot have that name";
	case -ENAMETOOLONG:
		return "the name is too long";
	case -ENXIO:
		return "the memory is too small, or there is none";
	default:
		return "no memory";
	}
}

static void __init boot_instances_set_flag(struct trace_array *tr, const char *flag)
{
	static const char * const printk_flags[] __initconst = {
		"traceprintk", "trace_printk", "printk",
	};
	int ret;

	if (!strcmp(flag, "traceoff")) {
		trace_array_off(tr);
		return;
	}

	if (match_string(printk_flags, ARRAY_SIZE(printk_flags), flag) < 0) {
		pr_warn("trace_instance=%s: no flag %s\n", tr->name,
			flag);
		return;
	}

	scoped_guard(mutex, &trace_lock)
		ret = trace_option_set(tr, TRACE_OPTION_TRACE_PRINTK_DEST, true);
	if (ret)
		pr_warn("trace_instance=%s^%s: error %d\n", tr->name, flag, ret);
}

/**
 * struct boot_instances_memory - memory that outlives the kernel
 * @start: its physical address
 * @size: its size in bytes
 */
struct boot_instances_memory {
	phys_addr_t	start;
	phys_addr_t	size;
};

/* Memory that is already used by instances. */
static struct boot_instances_memory boot_taken[8] __initdata;
static unsigned int boot_taken_nr __initdata;

static bool __init boot_instances_is_taken(const struct boot_instances_memory *memory)
{
	const struct boot_instances_memory *taken = boot_taken;

	for (; taken < boot_taken + boot_taken_nr; taken++) {
		if (memory->start < taken->start + taken->size &&
		    taken->start < memory->start + memory->size)
			return true;
	}

	return false;
}

/* Set @memory to the memory specified by @text. Return: NULL, or an error message. */
static const char * __init boot_instances_find_memory(const char *text,
						      struct boot_instances_memory *memory)
{
	char *end;

	if (!isdigit(*text))
		return reserve_mem_find_by_name(text, &memory->start, &memory->size) ?
		       NULL : "no memory was reserved under that name";

	memory->start = memparse(text, &end);
	if (*end != ':')
		return "the size of the memory is missing";
	memory->size = memparse(end + 1, &end);
	if (*end || !memory->size)
		return "no such size of memory";

	if (memory->start + memory->size - 1 < memory->start ||
	    memory->start + memory->size - 1 > iomem_resource.end)
		return "there is no such memory";
	/* The kernel uses this memory, or will use it. */
	if (region_intersects(memory->start, memory->size, IORESOURCE_SYSTEM_RAM,
			      IORES_DESC_NONE) != REGION_DISJOINT)
		return "the memory is not reserved";

	return NULL;
}

/* Map the whole pages of the memory specified by @text; @memory is reduced to these. */
static const char * __init boot_instances_map_memory(const char *text,
						     struct boot_instances_memory *memory,
						     void **mapped)
{
	const char *wrong = boot_instances_find_memory(text, memory);
	phys_addr_t end;

	if (wrong)
		return wrong;

	end = PAGE_ALIGN_DOWN(memory->start + memory->size);
	memory->start = PAGE_ALIGN(memory->start);
	if (memory->start >= end)
		return boot_instances_why_not(-ENXIO);

	memory->size = end - memory->start;
	if (boot_taken_nr == ARRAY_SIZE(boot_taken))
		return "too many instances have memory";
	if (boot_instances_is_taken(memory))
		return "another instance has the memory";

	*mapped = memremap(memory->start, memory->size, MEMREMAP_WB);

	return *mapped ? NULL : "the memory cannot be mapped";
}

/* Report the entries of the last boot in the memory at @start. */
static void __init boot_instances_report_saved(struct trace_array *tr, phys_addr_t start)
{
	const char *lost = ring_buffer_saved_lost(tr->main.buffer);

	if (lost)
		pr_info("instance %s at %pa has no buffer of the last boot: %s\n",
			tr->name, &start, lost);
	else
		pr_info("instance %s at %pa has %lu entries of the last boot\n",
			tr->name, &start, ring_buffer_entries(tr->main.buffer));
}

/* Return: an error message, or NULL with @tr set. */
static const char * __init boot_instances_create(const char *name, const char *where,
						 struct trace_array **tr)
{
	struct boot_instances_memory memory = { };
	const char *wrong = NULL;
	void *mapped = NULL;

	if (where)
		wrong = boot_instances_map_memory(where, &memory, &mapped);
	if (wrong)
		return wrong;

	*tr = trace_instance_at_boot(name, mapped, memory.size);
	if (IS_ERR(*tr)) {
		if (mapped)
			memunmap(mapped);
		return boot_instances_why_not(PTR_ERR(*tr));
	}
	if (mapped) {
		boot_taken[boot_taken_nr++] = memory;
		boot_instances_report_saved(*tr, memory.start);
	}

	return NULL;
}

/* @text is NAME[^FLAG...][@MEMORY][,EVENT...]; it is modified by the parser. */
static void __init boot_instances_make(char *text)
{
	char *events = text, *flags, *memory, *name, *token;
	struct trace_array *tr;
	const char *wrong;
	int ret;

	memory = strsep(&events, ",");
	flags = strsep(&memory, "@");
	name = strsep(&flags, "^");

	wrong = boot_instances_create(name, memory, &tr);
	if (wrong) {
		pr_warn("trace_instance=%s%s%s: %s\n", name,
			memory ? "@" : "", memory ?: "", wrong);
		return;
	}

	while ((token = strsep(&flags, "^")))
		boot_instances_set_flag(tr, token);
	while ((token = strsep(&events, ","))) {
		ret = trace_boot_event(tr, token);
		if (ret == -EINVAL)
			pr_warn("trace_instance=%s: no event %s\n", name, token);
		else if (ret)
			pr_warn("trace_instance=%s,%s: error %d\n", name, token, ret);
	}
}

/**
 * trace_boot_settings - apply trace_clock= and trace_options= to the top instance
 */
void __init trace_boot_settings(void)
{
	trace_clock_apply_boot(&trace_top);

	guard(mutex)(&trace_lock);
	trace_option_apply_boot(&trace_top);
}

/**
 * trace_boot_instances - create the instances of trace_instance=
 */
void __init trace_boot_instances(void)
{
	char *text, *end = boot_text + boot_size;
	size_t size;

	for (text = boot_text; text < end; text += size) {
		size = strlen(text) + 1;
		boot_instances_make(text);
	}
}
