/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kinds of values that histograms derive from event fields, and that synthetic events accept.
 */
#ifndef _TRACE_EVENT_CORE_VALUE_H
#define _TRACE_EVENT_CORE_VALUE_H

/* Maximum size of strings and masks of variable length in bytes, of stack traces in addresses. */
#define VALUE_TEXT_MAX		256
#define VALUE_STACK_MAX		16

enum value_kind {
	VALUE_NUMBER,
	VALUE_TEXT,
	VALUE_STACK,
	VALUE_MASK,		/* bitmask; not in synthetic events */
};

#endif /* _TRACE_EVENT_CORE_VALUE_H */
