// SPDX-License-Identifier: GPL-2.0
/*
 * trace_printk() and its kin: text of the kernel's own in the top buffer.
 *
 * A constant format is recorded by its address, with its arguments in binary,
 * and turned into text by the reader. Text is made in a buffer of the CPU and
 * of the level of nesting first, since its length is known only then. The
 * buffers are made when something that uses trace_printk() is loaded; until
 * then, and where nesting goes deeper, a message is dropped.
 */
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include "instance/formats.h"
#include "instance/instance.h"
#include "instance/printk.h"
#include "instance/stack.h"
#include "instance/write.h"

#define TEXT_MAX	1024

/* On the stack of the caller, who may be short of it. */
#define STACK_MAX	48

/* A task, a softirq, an interrupt and an NMI can nest on a CPU. */
#define TEXT_LEVELS	4

struct text_area {
	unsigned int	depth;
	u32		text[TEXT_LEVELS][TEXT_MAX / sizeof(u32)];
};

static struct text_area __percpu *areas;

/* Option trace_printk_dest is set in this one; changed under trace_lock. */
static struct trace_array *printk_dest = &trace_top;

/*
 * Return: the area of this CPU and level, or NULL; preemption is off until
 * area_put() if it is one. What nests gives back before it returns, so depth
 * needs no more than to be raised before the area is used.
 */
static u32 *area_get(void)
{
	struct text_area __percpu *all = READ_ONCE(areas);
	struct text_area *area;

	if (!all)
		return NULL;

	preempt_disable_notrace();
	area = this_cpu_ptr(all);
	if (area->depth >= TEXT_LEVELS) {
		preempt_enable_notrace();
		return NULL;
	}

	area->depth++;
	/* An interrupt from here on takes the next level. */
	barrier();

	return area->text[area->depth - 1];
}

static void area_put(void)
{
	/* Nothing is read from the area any more. */
	barrier();
	this_cpu_ptr(areas)->depth--;
	preempt_enable_notrace();
}

static bool wants_printk(struct trace_array *tr)
{
	return tr->main.buffer &&
	       (READ_ONCE(tr->options) & TRACE_OPT(TRACE_PRINTK));
}

/**
 * trace_printk_direct - change the instance that trace_printk() writes into
 * @tr: the instance
 * @on: whether it is to be this one; if not, it is the top one again
 *
 * Return: 0; -EINVAL for the top one not to be it, as none would be. trace_lock
 * held.
 */
int trace_printk_direct(struct trace_array *tr, bool on)
{
	struct trace_array *old = printk_dest;
	struct trace_array *new = on ? tr : &trace_top;

	lockdep_assert_held(&trace_lock);

	if (tr == new && !on)
		return -EINVAL;

	WRITE_ONCE(old->options, old->options & ~TRACE_OPT(TRACE_PRINTK_DEST));
	WRITE_ONCE(new->options, new->options | TRACE_OPT(TRACE_PRINTK_DEST));
	WRITE_ONCE(printk_dest, new);

	return 0;
}

/*
 * @from: where what is not of interest in a stack returns to.
 * Return: bytes written, 0 for none.
 */
static int record_text(struct trace_array *tr, unsigned long ip,
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
	tracing_record_cmdline(current);

	return len;
}

static __printf(4, 0)
int record_vprintk(struct trace_array *tr, unsigned long ip, unsigned long from,
		   const char *fmt, va_list args)
{
	unsigned int context = trace_context_now();
	char *text;
	int len;

	if (!wants_printk(tr))
		return 0;

	text = (char *)area_get();
	if (!text)
		return 0;

	len = vscnprintf(text, TEXT_MAX, fmt, args);
	len = record_text(tr, ip, from, text, len, context);
	area_put();

	return len;
}

static __printf(3, 0)
int record_vbprintk(unsigned long ip, unsigned long from, const char *fmt,
		    va_list args)
{
	struct trace_array *tr = READ_ONCE(printk_dest);
	struct trace_buffer *buffer = tr->main.buffer;
	unsigned int context = trace_context_now();
	struct bprint_entry *entry;
	u32 *words;
	int len;

	if (!fmt || !wants_printk(tr))
		return 0;

	words = area_get();
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
	tracing_record_cmdline(current);
out:
	area_put();
	return len;
}

/**
 * trace_vbprintk - record a constant format and its arguments
 * @ip: where it was called from
 * @fmt: the format, which has to stay
 * @args: the arguments
 *
 * Any context.
 *
 * Return: how many words the arguments take, 0 if nothing was recorded.
 */
int trace_vbprintk(unsigned long ip, const char *fmt, va_list args)
{
	return record_vbprintk(ip, _RET_IP_, fmt, args);
}
EXPORT_SYMBOL_GPL(trace_vbprintk);

/**
 * trace_vprintk - record formatted text
 * @ip: where it was called from
 * @fmt: the format
 * @args: the arguments
 *
 * Any context.
 *
 * Return: how many characters were recorded.
 */
int trace_vprintk(unsigned long ip, const char *fmt, va_list args)
{
	return record_vprintk(READ_ONCE(printk_dest), ip, _RET_IP_, fmt, args);
}
EXPORT_SYMBOL_GPL(trace_vprintk);

/* What trace_printk() of include/linux/kernel.h comes to. */

int __trace_bprintk(unsigned long ip, const char *fmt, ...)
{
	va_list args;
	int ret;

	va_start(args, fmt);
	ret = record_vbprintk(ip, _RET_IP_, fmt, args);
	va_end(args);

	return ret;
}
EXPORT_SYMBOL_GPL(__trace_bprintk);

int __trace_printk(unsigned long ip, const char *fmt, ...)
{
	va_list args;
	int ret;

	va_start(args, fmt);
	ret = record_vprintk(READ_ONCE(printk_dest), ip, _RET_IP_, fmt, args);
	va_end(args);

	return ret;
}
EXPORT_SYMBOL_GPL(__trace_printk);

int __ftrace_vbprintk(unsigned long ip, const char *fmt, va_list ap)
{
	return record_vbprintk(ip, _RET_IP_, fmt, ap);
}
EXPORT_SYMBOL_GPL(__ftrace_vbprintk);

int __ftrace_vprintk(unsigned long ip, const char *fmt, va_list ap)
{
	return record_vprintk(READ_ONCE(printk_dest), ip, _RET_IP_, fmt, ap);
}
EXPORT_SYMBOL_GPL(__ftrace_vprintk);

/**
 * __trace_bputs - record a constant string
 * @ip: where it was called from
 * @str: the string, which has to stay
 *
 * Any context.
 *
 * Return: 1, or 0 if nothing was recorded.
 */
int __trace_bputs(unsigned long ip, const char *str)
{
	struct trace_array *tr = READ_ONCE(printk_dest);
	struct trace_buffer *buffer = tr->main.buffer;
	unsigned int context = trace_context_now();
	struct bputs_entry *entry;

	if (!str || !wants_printk(tr))
		return 0;

	entry = trace_entry_begin(buffer, TRACE_BPUTS, sizeof(*entry), context);
	if (!entry)
		return 0;

	entry->ip = ip;
	entry->str = str;
	trace_entry_end(buffer);
	trace_stacks_after(tr, context, _RET_IP_);
	tracing_record_cmdline(current);

	return 1;
}
EXPORT_SYMBOL_GPL(__trace_bputs);

/**
 * __trace_array_puts - record a string in an instance
 * @tr: the instance
 * @ip: where it was called from
 * @str: the string
 * @size: its length
 *
 * Any context.
 *
 * Return: @size, or 0 if nothing was recorded.
 */
int __trace_array_puts(struct trace_array *tr, unsigned long ip,
		       const char *str, int size)
{
	if (!tr || size < 0 || !wants_printk(tr))
		return 0;

	return record_text(tr, ip, _RET_IP_, str, size, trace_context_now());
}
EXPORT_SYMBOL_GPL(__trace_array_puts);

/**
 * __trace_puts - record a string
 * @ip: where it was called from
 * @str: the string
 * @size: its length
 *
 * Any context.
 *
 * Return: @size, or 0 if nothing was recorded.
 */
int __trace_puts(unsigned long ip, const char *str, int size)
{
	struct trace_array *tr = READ_ONCE(printk_dest);

	if (size < 0 || !wants_printk(tr))
		return 0;

	return record_text(tr, ip, _RET_IP_, str, size, trace_context_now());
}
EXPORT_SYMBOL_GPL(__trace_puts);

/**
 * trace_array_printk - record formatted text in an instance
 * @tr: the instance, for which trace_array_init_printk() was called
 * @ip: where it was called from
 * @fmt: the format
 *
 * Any context.
 *
 * Return: how many characters were recorded, -ENOENT without an instance.
 */
int trace_array_printk(struct trace_array *tr, unsigned long ip,
		       const char *fmt, ...)
{
	va_list args;
	int ret;

	if (!tr)
		return -ENOENT;

	va_start(args, fmt);
	ret = record_vprintk(tr, ip, _RET_IP_, fmt, args);
	va_end(args);

	return ret;
}
EXPORT_SYMBOL_GPL(trace_array_printk);

/**
 * trace_printk_init_buffers - make the buffers that text is made in
 *
 * Says so in the log, loudly: trace_printk() is for debugging, and a kernel
 * that is given to others should have none. May sleep.
 */
void trace_printk_init_buffers(void)
{
	struct text_area __percpu *all;

	if (READ_ONCE(areas))
		return;

	all = alloc_percpu(struct text_area);
	if (!all) {
		pr_warn("tracing: no memory for trace_printk(), it records nothing\n");
		return;
	}

	if (cmpxchg(&areas, NULL, all)) {
		free_percpu(all);
		return;
	}

	pr_notice("tracing: trace_printk() is in use: this kernel or a module was built for debugging\n");
}
EXPORT_SYMBOL_GPL(trace_printk_init_buffers);

/**
 * trace_array_init_printk - make trace_array_printk() work for an instance
 * @tr: the instance, not the top one
 *
 * Return: 0, -ENOENT without an instance, -EINVAL for the top one, -ENOMEM.
 */
int trace_array_init_printk(struct trace_array *tr)
{
	if (!tr)
		return -ENOENT;

	if (tr == &trace_top)
		return -EINVAL;

	trace_printk_init_buffers();

	return areas ? 0 : -ENOMEM;
}
EXPORT_SYMBOL_GPL(trace_array_init_printk);

/**
 * trace_record_stack - record the stack of whoever calls
 * @tr: the instance
 * @context: trace_context_now() of who wants it
 * @regs: registers of the function to begin with, or NULL
 * @skip: how many callers to leave out where there are no @regs
 *
 * Any context.
 */
noinline void trace_record_stack(struct trace_array *tr, unsigned int context,
				 struct pt_regs *regs, int skip)
{
	struct trace_buffer *buffer = tr->main.buffer;
	unsigned long callers[STACK_MAX];
	struct stack_entry *entry;
	unsigned int n;

	if (regs)
		n = stack_trace_save_regs(regs, callers, STACK_MAX, 0);
	else
		n = stack_trace_save(callers, STACK_MAX, skip + 1);

	entry = trace_entry_begin(buffer, TRACE_STACK,
				  struct_size(entry, caller, n), context);
	if (!entry)
		return;

	entry->size = n;
	memcpy(entry->caller, callers, n * sizeof(*callers));
	trace_entry_end(buffer);
}

/**
 * trace_dump_stack - record the stack of whoever calls in the top buffer
 * @skip: how many callers to leave out
 *
 * Any context.
 */
void trace_dump_stack(int skip)
{
	if (!trace_top.main.buffer)
		return;

	trace_record_stack(&trace_top, trace_context_now(), NULL, skip + 1);
	/* A call, not a jump: @skip counts frames. */
	barrier();
}
EXPORT_SYMBOL_GPL(trace_dump_stack);

/**
 * trace_printk_boot - make the buffers if the kernel itself uses them
 */
void __init trace_printk_boot(void)
{
	if (trace_formats_built_in())
		trace_printk_init_buffers();
}
