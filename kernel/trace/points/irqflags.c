// SPDX-License-Identifier: GPL-2.0
/*
 * Hooks of the kernel for disabling and enabling interrupts and preemption. Lockdep is called
 * directly for interrupts; all other users attach to the tracepoints irq_disable, irq_enable,
 * preempt_disable and preempt_enable.
 *
 * Entry code splits a change of interrupts in two, since lockdep's part needs RCU: _prepare is
 * called while RCU is watching, _finish when it is watching again.
 */
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#define CREATE_TRACE_POINTS
#include <trace/events/preemptirq.h>

#include "lib/preemptirq.h"

#if defined(CONFIG_TRACE_IRQFLAGS) && defined(CONFIG_PREEMPTIRQ_TRACEPOINTS)
/*
 * irq_disable was the last of the two tracepoints that was called on this CPU. Entry code
 * reports that interrupts are off on every entry, even if they were already off. NMI entry does
 * so too, without always reporting the end, so NMIs are ignored: they leave the interrupt state
 * unchanged.
 */
static DEFINE_PER_CPU(bool, irqs_reported_off);

static __always_inline void irqflags_report_off(unsigned long ip, unsigned long parent_ip)
{
	if (in_nmi() || this_cpu_read(irqs_reported_off))
		return;

	this_cpu_write(irqs_reported_off, true);
	if (trace_irq_disable_enabled() && rcu_is_watching())
		trace_irq_disable(ip, parent_ip);
}

static __always_inline void irqflags_report_on(unsigned long ip, unsigned long parent_ip)
{
	if (in_nmi() || !this_cpu_read(irqs_reported_off))
		return;

	if (trace_irq_enable_enabled() && rcu_is_watching())
		trace_irq_enable(ip, parent_ip);
	this_cpu_write(irqs_reported_off, false);
}
#else
static __always_inline void irqflags_report_off(unsigned long ip, unsigned long parent_ip) { }
static __always_inline void irqflags_report_on(unsigned long ip, unsigned long parent_ip) { }
#endif

#ifdef CONFIG_TRACE_IRQFLAGS
/**
 * trace_hardirqs_on_prepare - report that interrupts are about to be enabled
 *
 * RCU is watching. The caller calls lockdep itself.
 */
void trace_hardirqs_on_prepare(void)
{
	irqflags_report_on(CALLER_ADDR0, CALLER_ADDR1);
}
EXPORT_SYMBOL(trace_hardirqs_on_prepare);
NOKPROBE_SYMBOL(trace_hardirqs_on_prepare);

/**
 * trace_hardirqs_on - report that interrupts are about to be enabled, outside entry code
 */
void trace_hardirqs_on(void)
{
	irqflags_report_on(CALLER_ADDR0, CALLER_ADDR1);
	lockdep_hardirqs_on_prepare();
	lockdep_hardirqs_on(CALLER_ADDR0);
}
EXPORT_SYMBOL(trace_hardirqs_on);
NOKPROBE_SYMBOL(trace_hardirqs_on);

/**
 * trace_hardirqs_off_finish - report that interrupts were disabled a while ago
 *
 * RCU is watching again. The caller has called lockdep immediately.
 */
void trace_hardirqs_off_finish(void)
{
	irqflags_report_off(CALLER_ADDR0, CALLER_ADDR1);
}
EXPORT_SYMBOL(trace_hardirqs_off_finish);
NOKPROBE_SYMBOL(trace_hardirqs_off_finish);

/**
 * trace_hardirqs_off - report that interrupts were just disabled, outside entry code
 */
void trace_hardirqs_off(void)
{
	lockdep_hardirqs_off(CALLER_ADDR0);
	irqflags_report_off(CALLER_ADDR0, CALLER_ADDR1);
}
EXPORT_SYMBOL(trace_hardirqs_off);
NOKPROBE_SYMBOL(trace_hardirqs_off);
#endif /* CONFIG_TRACE_IRQFLAGS */

#ifdef CONFIG_TRACE_PREEMPT_TOGGLE
/**
 * trace_preempt_on - report that preemption is about to be enabled
 * @ip: the code that enables it
 * @parent_ip: its caller, skipping functions of locks
 */
void trace_preempt_on(unsigned long ip, unsigned long parent_ip)
{
	if (trace_preempt_enable_enabled() && rcu_is_watching())
		trace_preempt_enable(ip, parent_ip);
}

/**
 * trace_preempt_off - report that preemption was just disabled
 * @ip: the code that has disabled it
 * @parent_ip: its caller, skipping functions of locks
 */
void trace_preempt_off(unsigned long ip, unsigned long parent_ip)
{
	if (trace_preempt_disable_enabled() && rcu_is_watching())
		trace_preempt_disable(ip, parent_ip);
}
#endif

#ifdef CONFIG_CRITICAL_TIMINGS
DEFINE_TRACE(critical_pause, TP_PROTO(unsigned long ip, unsigned long parent_ip),
	     TP_ARGS(ip, parent_ip));
DEFINE_TRACE(critical_resume, TP_PROTO(unsigned long ip, unsigned long parent_ip),
	     TP_ARGS(ip, parent_ip));

/**
 * stop_critical_timings - interrupts or preemption are off on purpose from here on
 *
 * An idle CPU delays no task. Preemption is disabled.
 */
void stop_critical_timings(void)
{
	if (trace_critical_pause_enabled() && rcu_is_watching())
		trace_critical_pause(CALLER_ADDR0, CALLER_ADDR1);
}
EXPORT_SYMBOL_GPL(stop_critical_timings);
NOKPROBE_SYMBOL(stop_critical_timings);

/**
 * start_critical_timings - undo stop_critical_timings()
 */
void start_critical_timings(void)
{
	if (trace_critical_resume_enabled() && rcu_is_watching())
		trace_critical_resume(CALLER_ADDR0, CALLER_ADDR1);
}
EXPORT_SYMBOL_GPL(start_critical_timings);
NOKPROBE_SYMBOL(start_critical_timings);
#endif
