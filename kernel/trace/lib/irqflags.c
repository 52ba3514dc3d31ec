// SPDX-License-Identifier: GPL-2.0
/*
 * What local_irq_enable() and its like call when somebody follows the state
 * of interrupts, which is lockdep alone so far.
 *
 * Entry code splits a change in two, since lockdep's part needs RCU: _prepare
 * comes while RCU watches, _finish when it watches again.
 */
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/instruction_pointer.h>
#include <linux/kprobes.h>

/**
 * trace_hardirqs_on_prepare - interrupts are about to be enabled
 *
 * RCU watches. The caller tells lockdep by itself.
 */
void trace_hardirqs_on_prepare(void)
{
}
EXPORT_SYMBOL(trace_hardirqs_on_prepare);
NOKPROBE_SYMBOL(trace_hardirqs_on_prepare);

/**
 * trace_hardirqs_on - interrupts are about to be enabled, outside entry code
 */
void trace_hardirqs_on(void)
{
	lockdep_hardirqs_on_prepare();
	lockdep_hardirqs_on(_RET_IP_);
}
EXPORT_SYMBOL(trace_hardirqs_on);
NOKPROBE_SYMBOL(trace_hardirqs_on);

/**
 * trace_hardirqs_off_finish - interrupts were disabled a while ago
 *
 * RCU watches again. The caller told lockdep at once.
 */
void trace_hardirqs_off_finish(void)
{
}
EXPORT_SYMBOL(trace_hardirqs_off_finish);
NOKPROBE_SYMBOL(trace_hardirqs_off_finish);

/**
 * trace_hardirqs_off - interrupts were just disabled, outside entry code
 */
void trace_hardirqs_off(void)
{
	lockdep_hardirqs_off(_RET_IP_);
}
EXPORT_SYMBOL(trace_hardirqs_off);
NOKPROBE_SYMBOL(trace_hardirqs_off);
