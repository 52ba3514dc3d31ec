// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_printk - trace_printk() and related functions in each context, warnings and oopses.
 *
 * A keyword written to the parameter `run` selects the action:
 *
 *   task, softirq, irq, nmi	writes text in this context by each function
 *   long			text that does not fit into an entry
 *   stack			trace_dump_stack()
 *   warn			WARN()
 *   oops			a kernel thread dereferences NULL
 *   dump, dump_orig, dump_param	ftrace_dump(); dump_param applies ftrace_dump_on_oops
 *   snapshot			tracing_snapshot(), with a text before and one after
 *   broken			corrupts a private ring buffer, which reports that
 *   broken_instance		corrupts the ring buffer of the instance `ftest`
 *
 * If the name of a function is written to the parameter `dump_in`, ftrace_dump() is called
 * once, before that function releases a spin lock that it took with interrupts off.
 *
 * Each text begins with the name of the context.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/ring_buffer.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#ifdef CONFIG_X86_LOCAL_APIC
#include <linux/nmi.h>
#include <asm/apic.h>
#include <asm/nmi.h>
#endif

/* Not constant at compile time. */
static char text_of_puts[32];
static char long_text[4096];

static noinline __noclone __printf(1, 2) void by_list(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	ftrace_vprintk(fmt, args);
	va_end(args);
}

static noinline __noclone void write_all(const char *context)
{
	trace_printk("%s: number %d, %s\n", context, -5, "text");
	trace_puts("constant text\n");
	strscpy(text_of_puts, "text of a variable\n");
	trace_puts(text_of_puts);
	by_list("%s: by a list %x\n", context, 0xbeef);
	__trace_printk(_THIS_IP_, "%s: formatted at once\n", context);
	/* so that the call above is not a tail call and its stack begins here */
	barrier();
}

static struct completion done;

static void in_softirq_fn(struct tasklet_struct *unused)
{
	write_all("softirq");
	complete(&done);
}

static DECLARE_TASKLET(tasklet, in_softirq_fn);

static void in_irq_fn(struct irq_work *unused)
{
	write_all("irq");
	complete(&done);
}

static int from_softirq(void)
{
	tasklet_schedule(&tasklet);
	wait_for_completion(&done);
	tasklet_kill(&tasklet);
	return 0;
}

static int from_irq(void)
{
	static struct irq_work work = IRQ_WORK_INIT_HARD(in_irq_fn);

	irq_work_queue(&work);
	wait_for_completion(&done);
	irq_work_sync(&work);
	return 0;
}

#ifdef CONFIG_X86_LOCAL_APIC
static atomic_t wanted;

static int in_nmi_fn(unsigned int cmd, struct pt_regs *regs)
{
	if (!atomic_cmpxchg(&wanted, 1, 0))
		return NMI_DONE;

	write_all("nmi");
	return NMI_HANDLED;
}

static int from_nmi(void)
{
	int i, ret;

	ret = register_nmi_handler(NMI_LOCAL, in_nmi_fn, 0, "ftest_printk");
	if (ret)
		return ret;

	atomic_set(&wanted, 1);
	__apic_send_IPI_mask(cpumask_of(raw_smp_processor_id()), NMI_VECTOR);
	for (i = 0; i < 1000 && atomic_read(&wanted); i++)
		usleep_range(1000, 2000);
	unregister_nmi_handler(NMI_LOCAL, "ftest_printk");
	return atomic_read(&wanted) ? -ETIMEDOUT : 0;
}
#else
static int from_nmi(void)
{
	return -EOPNOTSUPP;
}
#endif

static int from_task(void)
{
	write_all("task");
	return 0;
}

static int write_endless(void)
{
	trace_printk("without an end");
	trace_puts("constant text\n");
	return 0;
}

static int write_long(void)
{
	memset(long_text, 'l', sizeof(long_text) - 1);
	trace_printk("%s\n", long_text);
	__trace_printk(_THIS_IP_, "%s\n", long_text);
	return 0;
}

static int write_stack(void)
{
	trace_dump_stack(0);
	return 0;
}

static int warn(void)
{
	WARN(1, "ftest_printk: a warning that is expected\n");
	return 0;
}

static int oops_fn(void *unused)
{
	return READ_ONCE(*(int *)8);
}

/* In a separate thread, which holds no lock that other tasks could wait for. */
static int oops(void)
{
	struct task_struct *task = kthread_run(oops_fn, NULL, "ftest_oops");

	return PTR_ERR_OR_ZERO(task);
}

static int dump(void)
{
	ftrace_dump(DUMP_ALL);
	return 0;
}

static int dump_orig(void)
{
	ftrace_dump(DUMP_ORIG);
	return 0;
}

static int dump_param(void)
{
	ftrace_dump(DUMP_PARAM);
	return 0;
}

static int puts_and_snapshot(void)
{
	trace_puts("before the snapshot\n");
	tracing_snapshot();
	trace_puts("after the snapshot\n");
	return 0;
}

/* A corrupt ring buffer can only be read. */
static int broken(void)
{
	u32 stray[4] = { 1 }, first = 1, later = 2;
	struct ring_buffer_event *event;
	struct trace_buffer *buffer;
	int cpu, ret = 0;

	buffer = ring_buffer_alloc(PAGE_SIZE, RB_FL_OVERWRITE);
	if (!buffer)
		return -ENOMEM;

	cpu = get_cpu();
	if (ring_buffer_write(buffer, sizeof(first), &first) ||
	    !ring_buffer_lock_reserve(buffer, sizeof(first)))
		ret = -EPROTO;
	/* This event is neither the reserved one nor in the ring. */
	ring_buffer_discard_commit(buffer, (void *)stray);
	put_cpu();

	ring_buffer_record_on(buffer);
	if (ring_buffer_write(buffer, sizeof(later), &later) != -EBUSY)
		ret = -EPROTO;
	event = ring_buffer_consume(buffer, cpu, NULL, NULL);
	if (!event || *(u32 *)ring_buffer_event_data(event) != first)
		ret = -EPROTO;
	ring_buffer_free(buffer);
	return ret;
}

static int broken_instance(void)
{
	struct trace_event_file *file = trace_get_event_file("ftest", "sched",
							     "sched_process_fork");
	struct trace_event_buffer fbuffer;
	u32 stray[4] = { 1 };

	if (IS_ERR(file))
		return PTR_ERR(file);

	get_cpu();
	if (trace_event_buffer_reserve(&fbuffer, file, sizeof(struct trace_entry)))
		ring_buffer_discard_commit(fbuffer.buffer, (void *)stray);
	put_cpu();

	trace_put_event_file(file);
	return 0;
}

#ifdef CONFIG_DYNAMIC_FTRACE
static char dump_in[KSYM_NAME_LEN];
static atomic_t dumps_to_come;

/* Called while the lock is still held. */
static void notrace dump_at_unlock(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	char name[KSYM_SYMBOL_LEN];

	if (!atomic_read(&dumps_to_come))
		return;

	sprint_symbol_no_offset(name, parent_ip);
	if (strcmp(name, dump_in) || atomic_dec_if_positive(&dumps_to_come) < 0)
		return;

	ftrace_dump(DUMP_ALL);
}

static struct ftrace_ops dump_ops = {
	.func = dump_at_unlock,
};

static void dump_in_end(void)
{
	if (!*dump_in)
		return;

	unregister_ftrace_function(&dump_ops);
	*dump_in = '\0';
}

static int dump_in_set(const char *val, const struct kernel_param *kp)
{
	char unlock[] = "_raw_spin_unlock_irqrestore";
	int ret;

	dump_in_end();
	if (sysfs_streq(val, ""))
		return 0;

	ret = ftrace_set_filter(&dump_ops, unlock, strlen(unlock), 1);
	if (ret)
		return ret;

	strscpy(dump_in, val);
	strim(dump_in);
	atomic_set(&dumps_to_come, 1);
	ret = register_ftrace_function(&dump_ops);
	if (ret)
		*dump_in = '\0';
	return ret;
}

static const struct kernel_param_ops dump_in_ops = {
	.set = dump_in_set,
};
module_param_cb(dump_in, &dump_in_ops, NULL, 0200);
MODULE_PARM_DESC(dump_in, "Before which function's unlocking to dump");
#else
static void dump_in_end(void)
{
}
#endif

static const struct {
	const char	*name;
	int		(*fn)(void);
} runs[] = {
	{ "task", from_task },
	{ "softirq", from_softirq },
	{ "irq", from_irq },
	{ "nmi", from_nmi },
	{ "endless", write_endless },
	{ "long", write_long },
	{ "stack", write_stack },
	{ "warn", warn },
	{ "oops", oops },
	{ "dump", dump },
	{ "dump_orig", dump_orig },
	{ "dump_param", dump_param },
	{ "snapshot", puts_and_snapshot },
	{ "broken", broken },
	{ "broken_instance", broken_instance },
};

static int run_set(const char *val, const struct kernel_param *kp)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		if (sysfs_streq(val, runs[i].name))
			return runs[i].fn();
	}
	return -EINVAL;
}

static const struct kernel_param_ops run_ops = {
	.set = run_set,
};
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "What to do");

static int __init ftest_printk_init(void)
{
	init_completion(&done);
	return 0;
}
module_init(ftest_printk_init);

static void __exit ftest_printk_exit(void)
{
	dump_in_end();
}
module_exit(ftest_printk_exit);

MODULE_DESCRIPTION("trace_printk() in each context, warnings and oopses");
MODULE_LICENSE("GPL");
