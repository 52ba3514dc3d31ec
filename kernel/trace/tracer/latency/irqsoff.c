// SPDX-License-Identifier: GPL-2.0
/*
 * The tracers irqsoff, preemptoff and preemptirqsoff: the longest time with interrupts or
 * preemption off, and the activity of the CPU during that time.
 *
 * A section begins on a CPU when the first of the states that the tracer measures is switched
 * off, and ends when all of them are on again. Several instances can have such a tracer at the
 * same time, each with its own sections.
 */
#include <linux/bits.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <trace/events/preemptirq.h>

#include "instance/core/clocks.h"
#include "instance/core/instance.h"
#include "instance/record/entry.h"
#include "instance/record/record_stack.h"
#include "instance/snapshot/max_latency.h"
#include "instance/tracer/instance_create.h"
#include "instance/tracer/register_tracer.h"
#include "lib/preemptirq.h"
#include "lib/probes.h"
#include "tracer/latency/latency_common.h"
#include "tracer/selftest/selftest.h"

/* States that are off in a section. */
#define CRITICAL_IRQS		BIT(0)
#define CRITICAL_PREEMPT	BIT(1)

/**
 * struct irqsoff_section - current section of a CPU
 * @on: the CPU is in a section
 * @busy: a measured section is being recorded: sections inside are ignored
 * @run: trace_critical.run when it began. If @run, @clock or @comings has changed since, the end of
 *	the section was missed, or its length is unknown.
 * @clock: trace_clock_changes() when it began
 * @comings: number of times that the CPU had come online when it began
 * @since: time when it began, by the clock of the instance
 * @ip: place where it began
 *
 * Used on its CPU with interrupts off, and never in NMIs.
 */
struct irqsoff_section {
	bool		on;
	bool		busy;
	unsigned int	run;
	unsigned int	clock;
	unsigned int	comings;
	u64		since;
	unsigned long	ip;
};

/*
 * A CPU goes offline with interrupts off, and is still in that section when it is online again.
 */
static DEFINE_PER_CPU(unsigned int, cpu_comings);

/**
 * struct trace_critical - state of an instance for these tracers
 * @tr: the instance
 * @kinds: CRITICAL_*; changed under trace_lock
 * @run: number of times that a tracer was started; changed under trace_lock
 * @sections: a section for each CPU
 */
struct trace_critical {
	struct trace_array	*tr;
	unsigned int		kinds;
	unsigned int		run;
	struct irqsoff_section __percpu	*sections;
};

/*
 * Disable interrupts without an event. Lockdep must be informed, because locks may be taken
 * where entries are recorded.
 */
static unsigned long irqsoff_irqs_save(void)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	if (!raw_irqs_disabled_flags(flags))
		lockdep_hardirqs_off(_THIS_IP_);

	return flags;
}

static void irqsoff_irqs_restore(unsigned long flags)
{
	if (!raw_irqs_disabled_flags(flags)) {
		lockdep_hardirqs_on_prepare();
		lockdep_hardirqs_on(_THIS_IP_);
	}
	raw_local_irq_restore(flags);
}

/* A section is named after the caller, if the kernel records callers. */
static unsigned long irqsoff_place(unsigned long ip, unsigned long parent_ip)
{
	return parent_ip ?: ip;
}

/*
 * tracing_cpumask leaves this CPU out: the latencies of other CPUs are not compared with its
 * latencies. Interrupts are off.
 */
static bool irqsoff_is_left_out(const struct trace_array *tr)
{
	return !cpumask_test_cpu(smp_processor_id(), tr->cpumask);
}

static void irqsoff_begin_section(struct trace_critical *critical, unsigned long ip,
				  unsigned long parent_ip)
{
	struct trace_array *tr = critical->tr;
	unsigned int run = READ_ONCE(critical->run);
	struct irqsoff_section *section;
	unsigned long flags;

	if (in_nmi())
		return;

	flags = irqsoff_irqs_save();
	section = this_cpu_ptr(critical->sections);
	if (!section->busy && !(section->on && section->run == run) && !irqsoff_is_left_out(tr)) {
		section->run = run;
		section->clock = trace_clock_changes(tr);
		section->comings = __this_cpu_read(cpu_comings);
		section->since = ring_buffer_time_stamp(tr->main.buffer);
		section->ip = irqsoff_place(ip, parent_ip);
		trace_latency_record_call(tr, ip, parent_ip);
		WRITE_ONCE(section->on, true);
	}
	irqsoff_irqs_restore(flags);
}

/* Functions called from here may themselves disable and enable preemption. */
static noinline void irqsoff_record_section(struct trace_array *tr, struct irqsoff_section *section,
					    u64 ns, unsigned long ip, unsigned long parent_ip)
{
	struct trace_latency latency = {
		.task		= current,
		.ns		= ns,
		.since		= section->since,
		.start_ip	= section->ip,
		.end_ip		= irqsoff_place(ip, parent_ip),
	};
	const struct trace_stack_start start = { .caller = ip };

	section->busy = true;
	trace_latency_record_call(tr, ip, parent_ip);
	trace_record_stack_from(tr, trace_context_now(), &start);
	trace_latency_record_cpu(tr, &latency);
	section->busy = false;
}

static void irqsoff_end_section(struct trace_critical *critical, unsigned long ip,
				unsigned long parent_ip)
{
	struct trace_array *tr = critical->tr;
	struct irqsoff_section *section;
	unsigned long flags;
	u64 ns;

	if (in_nmi())
		return;

	flags = irqsoff_irqs_save();
	section = this_cpu_ptr(critical->sections);
	if (section->on && !section->busy) {
		WRITE_ONCE(section->on, false);
		ns = ring_buffer_time_stamp(tr->main.buffer) - section->since;
		if (section->run == READ_ONCE(critical->run) &&
		    section->clock == trace_clock_changes(tr) &&
		    section->comings == __this_cpu_read(cpu_comings) &&
		    !irqsoff_is_left_out(tr) && trace_latency_counts(tr, ns))
			irqsoff_record_section(tr, section, ns, ip, parent_ip);
	}
	irqsoff_irqs_restore(flags);
}

/* Is preemption off, apart from the tracepoint that calls this probe? */
static bool irqsoff_is_preempt_off(const struct trace_critical *critical)
{
	return READ_ONCE(critical->kinds) & CRITICAL_PREEMPT && preempt_count() > 1;
}

static bool irqsoff_is_irqs_off(const struct trace_critical *critical)
{
	return READ_ONCE(critical->kinds) & CRITICAL_IRQS && raw_irqs_disabled();
}

/* The kernel may have events only for interrupts, or only for preemption. */
static __maybe_unused void
irqsoff_irqs_disable(void *critical, unsigned long ip, unsigned long parent_ip)
{
	irqsoff_begin_section(critical, ip, parent_ip);
}

static __maybe_unused void
irqsoff_irqs_enable(void *critical, unsigned long ip, unsigned long parent_ip)
{
	if (!irqsoff_is_preempt_off(critical))
		irqsoff_end_section(critical, ip, parent_ip);
}

static __maybe_unused void
irqsoff_preempt_disable(void *critical, unsigned long ip, unsigned long parent_ip)
{
	irqsoff_begin_section(critical, ip, parent_ip);
}

static __maybe_unused void
irqsoff_preempt_enable(void *critical, unsigned long ip, unsigned long parent_ip)
{
	if (!irqsoff_is_irqs_off(critical))
		irqsoff_end_section(critical, ip, parent_ip);
}

static void irqsoff_idle_begins(void *critical, unsigned long ip, unsigned long parent_ip)
{
	irqsoff_end_section(critical, ip, parent_ip);
}

static void irqsoff_idle_ends(void *critical, unsigned long ip, unsigned long parent_ip)
{
	if (irqsoff_is_irqs_off(critical) || irqsoff_is_preempt_off(critical))
		irqsoff_begin_section(critical, ip, parent_ip);
}

static struct trace_instance_ops critical_part;

static struct trace_critical *irqsoff_of(const struct trace_array *tr)
{
	return trace_instance_data(tr, &critical_part);
}

/* Option function-trace */
static bool irqsoff_should_record_call(struct trace_array *tr)
{
	const struct irqsoff_section *section = this_cpu_ptr(irqsoff_of(tr)->sections);

	return READ_ONCE(section->on) && !READ_ONCE(section->busy);
}

/*
 * Probes that end a section are registered first and unregistered last: a section whose end is
 * missed would continue until the end of the next section.
 */
static const struct trace_probe probes[] = {
#ifdef CONFIG_IRQSOFF_TRACER
	TRACE_PROBE_IF(CRITICAL_IRQS, irq_enable, irqsoff_irqs_enable),
#endif
#ifdef CONFIG_PREEMPT_TRACER
	TRACE_PROBE_IF(CRITICAL_PREEMPT, preempt_enable, irqsoff_preempt_enable),
#endif
	TRACE_PROBE(critical_pause, irqsoff_idle_begins),
	TRACE_PROBE(critical_resume, irqsoff_idle_ends),
#ifdef CONFIG_IRQSOFF_TRACER
	TRACE_PROBE_IF(CRITICAL_IRQS, irq_disable, irqsoff_irqs_disable),
#endif
#ifdef CONFIG_PREEMPT_TRACER
	TRACE_PROBE_IF(CRITICAL_PREEMPT, preempt_disable, irqsoff_preempt_disable),
#endif
	{ }
};

/* Exists as long as the instance: probes may still be running when a tracer has stopped. */
static struct trace_critical *irqsoff_alloc(struct trace_array *tr)
{
	struct trace_critical *critical = kzalloc(sizeof(*critical), GFP_KERNEL);

	if (!critical)
		return NULL;

	critical->tr = tr;
	critical->sections = alloc_percpu(struct irqsoff_section);
	if (!critical->sections) {
		kfree(critical);
		return NULL;
	}

	return critical;
}

static int irqsoff_start(struct trace_array *tr, unsigned int kinds)
{
	struct trace_critical *critical = irqsoff_of(tr);

	lockdep_assert_held(&trace_lock);

	if (!critical)
		critical = irqsoff_alloc(tr);
	if (!critical)
		return -ENOMEM;

	trace_instance_set_data(tr, &critical_part, critical);
	WRITE_ONCE(critical->kinds, kinds);
	WRITE_ONCE(critical->run, critical->run + 1);

	return trace_latency_start(tr, irqsoff_should_record_call, probes, kinds, critical);
}

static void irqsoff_reset(struct trace_array *tr)
{
	struct trace_critical *critical = irqsoff_of(tr);

	trace_latency_stop(tr, probes, critical->kinds, critical);
}

static void irqsoff_release(struct trace_array *tr)
{
	struct trace_critical *critical = irqsoff_of(tr);

	if (!critical)
		return;

	trace_instance_set_data(tr, &critical_part, NULL);
	free_percpu(critical->sections);
	kfree(critical);
}

static struct trace_instance_ops critical_part = {
	.release	= irqsoff_release,
};

static __maybe_unused int irqsoff_init(struct trace_array *tr)
{
	return irqsoff_start(tr, CRITICAL_IRQS);
}

static __maybe_unused int preemptoff_init(struct trace_array *tr)
{
	return irqsoff_start(tr, CRITICAL_PREEMPT);
}

static __maybe_unused int preemptirqsoff_init(struct trace_array *tr)
{
	return irqsoff_start(tr, CRITICAL_IRQS | CRITICAL_PREEMPT);
}

static struct tracer critical_tracers[] = {
#ifdef CONFIG_IRQSOFF_TRACER
	LATENCY_TRACER(irqsoff, irqsoff_reset),
#endif
#ifdef CONFIG_PREEMPT_TRACER
	LATENCY_TRACER(preemptoff, irqsoff_reset),
#endif
#if defined(CONFIG_IRQSOFF_TRACER) && defined(CONFIG_PREEMPT_TRACER)
	LATENCY_TRACER(preemptirqsoff, irqsoff_reset),
#endif
};

static int irqsoff_prepare_cpu(unsigned int cpu)
{
	per_cpu(cpu_comings, cpu)++;

	return 0;
}

static int __init irqsoff_tracers_init(void)
{
	int i, ret;

	if (!trace_top.main.buffer)
		return -ENODEV;

	ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "trace/critical:prepare",
					irqsoff_prepare_cpu, NULL);
	if (ret < 0)
		return ret;

	ret = register_trace_instance_ops(&critical_part);
	for (i = 0; !ret && i < ARRAY_SIZE(critical_tracers); i++)
		ret = register_tracer(&critical_tracers[i]);

	return ret;
}
early_initcall(irqsoff_tracers_init);
