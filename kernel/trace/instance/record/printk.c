// SPDX-License-Identifier: GPL-2.0
/*
 * trace_printk() and related functions: text that kernel code writes into the buffer.
 *
 * A constant format is recorded by its address, with its arguments in binary; the reader
 * formats it. Other text is formatted in a per-CPU scratch area of the nesting level first,
 * because its length is only known afterwards. The areas are allocated and the buffer is
 * expanded when code that uses trace_printk() is loaded. A message is dropped before that, and
 * if contexts nest deeper than there are levels.
 */
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "instance/core/buffer.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"
#include "instance/record/entry.h"
#include "instance/record/printk.h"
#include "instance/record/printk_formats.h"
#include "instance/record/record_stack.h"

#define TEXT_MAX	1024

/* A task, a softirq, an interrupt and an NMI can nest on a CPU. */
#define TEXT_LEVELS	4

struct printk_text_area {
	unsigned int	depth;
	u32		text[TEXT_LEVELS][TEXT_MAX / sizeof(u32)];
};

static struct printk_text_area __percpu *areas;

/* The instance with option trace_printk_dest; changed under trace_lock. */
static struct trace_array *printk_dest = &trace_top;

/*
 * Return: the area of this CPU and nesting level, with preemption disabled until
 * printk_area_put(), or NULL. Nested contexts put their area before they return, so
 * incrementing depth before the area is used is sufficient.
 */
static u32 *printk_area_get(void)
{
	struct printk_text_area __percpu *all = READ_ONCE(areas);
	struct printk_text_area *area;

	if (!all)
		return NULL;

	preempt_disable_notrace();
	area = this_cpu_ptr(all);
	if (area->depth >= TEXT_LEVELS) {
		preempt_enable_notrace();
		return NULL;
	}

	area->depth++;
	/* Interrupts after this point take the next level. */
	barrier();

	return area->text[area->depth - 1];
}

static void printk_area_put(void)
{
	/* All reads from the area are before this point. */
	barrier();
	this_cpu_ptr(areas)->depth--;
	preempt_enable_notrace();
}

static bool printk_wants(struct trace_array *tr)
{
	return tr->main.buffer &&
	       (READ_ONCE(tr->options) & TRACE_OPT(TRACE_PRINTK));
}

/* If any code uses trace_printk(), expand the buffer that it writes to. */
static void printk_grow_dest(void)
{
	lockdep_assert_held(&trace_lock);

	if (areas && printk_dest->main.buffer && trace_array_expand(printk_dest))
		pr_warn("tracing: no memory to expand the buffer of trace_printk()\n");
}

/*
 * Option trace_printk_dest: trace_printk() writes into one instance, which is the top one if no
 * other instance has the option set. It cannot be cleared in the top instance.
 */
static int printk_set_dest(struct trace_array *tr, bool on)
{
	struct trace_array *old = printk_dest;
	struct trace_array *new = on ? tr : &trace_top;
	int ret;

	lockdep_assert_held(&trace_lock);

	if (tr == new && !on)
		return -EINVAL;

	ret = on ? trace_array_expand(tr) : 0;
	if (ret)
		return ret;

	WRITE_ONCE(old->options, old->options & ~TRACE_OPT(TRACE_PRINTK_DEST));
	WRITE_ONCE(new->options, new->options | TRACE_OPT(TRACE_PRINTK_DEST));
	WRITE_ONCE(printk_dest, new);
	/* Removing an instance clears the option, which must not fail for lack of memory. */
	if (!on)
		printk_grow_dest();

	return 0;
}

/*
 * If a stack trace is also recorded, it begins with the caller that @from belongs to.
 *
 * Return: number of bytes written, 0 if it was not recorded.
 */
static int printk_record_text(struct trace_array *tr, unsigned long ip,
			      unsigned long from, const char *text, size_t len,
			      unsigned int context)
{
	struct trace_buffer *buffer = tr->main.buffer;
	struct print_entry *entry;

	entry = trace_entry_begin(buffer, TRACE_PRINT,
				  struct_size(entry, buf, len + 1), context);
	if (!entry)
		return 0;

	entry->ip = ip;
	memcpy(entry->buf, text, len);
	entry->buf[len] = '\0';
	trace_entry_end(buffer);
	trace_stacks_after(tr, context, from);
	trace_cmdline_save_now(tr);

	return len;
}

static __printf(4, 0)
int printk_record_vprintk(struct trace_array *tr, unsigned long ip, unsigned long from,
			  const char *fmt, va_list args)
{
	unsigned int context = trace_context_now();
	char *text;
	int len;

	if (!printk_wants(tr))
		return 0;

	text = (char *)printk_area_get();
	if (!text)
		return 0;

	len = vscnprintf(text, TEXT_MAX, fmt, args);
	len = printk_record_text(tr, ip, from, text, len, context);
	printk_area_put();

	return len;
}

/* The next boot could not dereference the address of a format or string. */
static bool printk_wants_text(struct trace_array *tr)
{
	return tr->memory;
}

static __printf(3, 0)
int printk_record_vbprintk(unsigned long ip, unsigned long from, const char *fmt,
			   va_list args)
{
	struct trace_array *tr = READ_ONCE(printk_dest);
	struct trace_buffer *buffer = tr->main.buffer;
	unsigned int context = trace_context_now();
	struct bprint_entry *entry;
	u32 *words;
	int len;

	if (!fmt || !printk_wants(tr))
		return 0;

	if (printk_wants_text(tr))
		return printk_record_vprintk(tr, ip, from, fmt, args);

	words = printk_area_get();
	if (!words)
		return 0;

	len = vbin_printf(words, TEXT_MAX / sizeof(u32), fmt, args);
	if (len < 0 || len > TEXT_MAX / sizeof(u32)) {
		len = 0;
		goto out;
	}

	entry = trace_entry_begin(buffer, TRACE_BPRINT,
				  struct_size(entry, buf, len), context);
	if (!entry) {
		len = 0;
		goto out;
	}

	entry->ip = ip;
	entry->fmt = fmt;
	memcpy(entry->buf, words, len * sizeof(u32));
	trace_entry_end(buffer);
	trace_stacks_after(tr, context, from);
	trace_cmdline_save_now(tr);
out:
	printk_area_put();
	return len;
}

/**
 * trace_vbprintk - record a constant format and its arguments
 * @ip: address of the call
 * @fmt: the format, which must never be freed
 * @args: the arguments
 *
 * Any context.
 *
 * Return: number of u32 words that the arguments take, 0 if it was not recorded.
 */
int trace_vbprintk(unsigned long ip, const char *fmt, va_list args)
{
	return printk_record_vbprintk(ip, _RET_IP_, fmt, args);
}
EXPORT_SYMBOL_GPL(trace_vbprintk);

/**
 * trace_vprintk - record formatted text
 * @ip: address of the call
 * @fmt: the format
 * @args: the arguments
 *
 * Any context.
 *
 * Return: number of characters recorded.
 */
int trace_vprintk(unsigned long ip, const char *fmt, va_list args)
{
	return printk_record_vprintk(READ_ONCE(printk_dest), ip, _RET_IP_, fmt, args);
}
EXPORT_SYMBOL_GPL(trace_vprintk);

/* trace_printk() of include/linux/kernel.h expands to one of the following functions. */

int __trace_bprintk(unsigned long ip, const char *fmt, ...)
{
	va_list args;
	int ret;

	va_start(args, fmt);
	ret = printk_record_vbprintk(ip, _RET_IP_, fmt, args);
	va_end(args);

	return ret;
}
EXPORT_SYMBOL_GPL(__trace_bprintk);

int __trace_printk(unsigned long ip, const char *fmt, ...)
{
	va_list args;
	int ret;

	va_start(args, fmt);
	ret = printk_record_vprintk(READ_ONCE(printk_dest), ip, _RET_IP_, fmt, args);
	va_end(args);

	return ret;
}
EXPORT_SYMBOL_GPL(__trace_printk);

int __ftrace_vbprintk(unsigned long ip, const char *fmt, va_list ap)
{
	return printk_record_vbprintk(ip, _RET_IP_, fmt, ap);
}
EXPORT_SYMBOL_GPL(__ftrace_vbprintk);

int __ftrace_vprintk(unsigned long ip, const char *fmt, va_list ap)
{
	return printk_record_vprintk(READ_ONCE(printk_dest), ip, _RET_IP_, fmt, ap);
}
EXPORT_SYMBOL_GPL(__ftrace_vprintk);

/**
 * __trace_bputs - record a constant string
 * @ip: address of the call
 * @str: the string, which must never be freed
 *
 * Any context.
 *
 * Return: 1, or 0 if it was not recorded.
 */
int __trace_bputs(unsigned long ip, const char *str)
{
	struct trace_array *tr = READ_ONCE(printk_dest);
	struct trace_buffer *buffer = tr->main.buffer;
	unsigned int context = trace_context_now();
	struct bputs_entry *entry;

	if (!str || !printk_wants(tr))
		return 0;

	if (printk_wants_text(tr))
		return printk_record_text(tr, ip, _RET_IP_, str, strlen(str), context) > 0;

	entry = trace_entry_begin(buffer, TRACE_BPUTS, sizeof(*entry), context);
	if (!entry)
		return 0;

	entry->ip = ip;
	entry->str = str;
	trace_entry_end(buffer);
	trace_stacks_after(tr, context, _RET_IP_);
	trace_cmdline_save_now(tr);

	return 1;
}
EXPORT_SYMBOL_GPL(__trace_bputs);

/**
 * __trace_array_puts - record a string in an instance
 * @tr: the instance
 * @ip: address of the call
 * @str: the string
 * @size: length of the string
 *
 * Any context.
 *
 * Return: @size, or 0 if it was not recorded.
 */
int __trace_array_puts(struct trace_array *tr, unsigned long ip,
		       const char *str, int size)
{
	if (!tr || size < 0 || !printk_wants(tr))
		return 0;

	return printk_record_text(tr, ip, _RET_IP_, str, size, trace_context_now());
}
EXPORT_SYMBOL_GPL(__trace_array_puts);

/**
 * __trace_puts - record a string
 * @ip: address of the call
 * @str: the string
 * @size: length of the string
 *
 * Any context.
 *
 * Return: @size, or 0 if it was not recorded.
 */
int __trace_puts(unsigned long ip, const char *str, int size)
{
	struct trace_array *tr = READ_ONCE(printk_dest);

	if (size < 0 || !printk_wants(tr))
		return 0;

	return printk_record_text(tr, ip, _RET_IP_, str, size, trace_context_now());
}
EXPORT_SYMBOL_GPL(__trace_puts);

/**
 * trace_array_printk - record formatted text in an instance
 * @tr: the instance; trace_array_init_printk() was called for it
 * @ip: address of the call
 * @fmt: the format
 *
 * Any context.
 *
 * Return: number of characters recorded, -ENOENT if @tr is NULL.
 */
int trace_array_printk(struct trace_array *tr, unsigned long ip,
		       const char *fmt, ...)
{
	va_list args;
	int ret;

	if (!tr)
		return -ENOENT;

	va_start(args, fmt);
	ret = printk_record_vprintk(tr, ip, _RET_IP_, fmt, args);
	va_end(args);

	return ret;
}
EXPORT_SYMBOL_GPL(trace_array_printk);

/**
 * trace_dump_stack - record the stack of the caller in the buffer of trace_printk()
 * @skip: number of callers to skip
 *
 * Any context.
 */
void trace_dump_stack(int skip)
{
	struct trace_array *tr = READ_ONCE(printk_dest);

	if (!tr->main.buffer)
		return;

	trace_record_stack(tr, trace_context_now(), NULL, skip + 1);
	/* Prevent a tail call: @skip counts frames. */
	barrier();
}
EXPORT_SYMBOL_GPL(trace_dump_stack);

/**
 * trace_printk_init_buffers - allocate the scratch areas of trace_printk()
 *
 * Prints a warning to the log: trace_printk() is for debugging only and must not be in a
 * distributed kernel. May sleep.
 */
void trace_printk_init_buffers(void)
{
	struct printk_text_area __percpu *all;

	if (READ_ONCE(areas))
		return;

	all = alloc_percpu(struct printk_text_area);
	if (!all) {
		pr_warn("tracing: no memory for trace_printk(), which is disabled\n");
		return;
	}

	if (cmpxchg(&areas, NULL, all)) {
		free_percpu(all);
		return;
	}

	/* Same text as in Documentation/trace/debugging.rst; tools search for it. */
	pr_warn("** trace_printk() being used. Allocating extra memory.  **\n");
	pr_warn("** This means that this is a DEBUG kernel and it is     **\n");
	pr_warn("** unsafe for production use.                           **\n");
}
EXPORT_SYMBOL_GPL(trace_printk_init_buffers);

/**
 * trace_array_init_printk - prepare an instance for trace_array_printk()
 * @tr: the instance, not the top one
 *
 * Return: 0, -ENOENT if @tr is NULL, -EINVAL for the top one, -ENOMEM.
 */
int trace_array_init_printk(struct trace_array *tr)
{
	if (!tr)
		return -ENOENT;

	if (tr == &trace_top)
		return -EINVAL;

	trace_printk_init_buffers();
	if (!areas)
		return -ENOMEM;

	return trace_array_expand_now(tr);
}
EXPORT_SYMBOL_GPL(trace_array_init_printk);

/**
 * trace_printk_grow - expand the buffer that trace_printk() writes to
 *
 * Does nothing as long as no code uses trace_printk(). Takes trace_lock, may sleep.
 */
void trace_printk_grow(void)
{
	guard(mutex)(&trace_lock);

	printk_grow_dest();
}

#ifdef CONFIG_MODULES
/* A module may be the first user of trace_printk(). */
static int printk_module(struct notifier_block *nb, unsigned long event,
			 void *data)
{
	struct module *mod = data;

	if (event != MODULE_STATE_COMING || !mod->num_trace_bprintk_fmt)
		return NOTIFY_DONE;

	trace_formats_keep(mod);
	trace_printk_init_buffers();
	trace_printk_grow();

	return NOTIFY_OK;
}

static struct notifier_block printk_nb = {
	.notifier_call	= printk_module,
};

static int __init printk_module_init(void)
{
	return register_module_notifier(&printk_nb);
}
early_initcall(printk_module_init);
#endif /* CONFIG_MODULES */

/**
 * trace_printk_init - set up trace_printk() after the top instance exists
 */
void __init trace_printk_init(void)
{
	trace_option_handle(TRACE_OPTION_TRACE_PRINTK_DEST, printk_set_dest);

	if (trace_formats_built_in())
		trace_printk_init_buffers();
}
