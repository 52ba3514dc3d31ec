/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kinds of values that histograms make of the fields of events, and that synthetic events take.
 */
#ifndef _TRACE_EVENT_CORE_VALUE_H
#define _TRACE_EVENT_CORE_VALUE_H

/* Bytes of a string whose length differs from entry to entry, and addresses of a stack. */
#define VALUE_TEXT_MAX		256
#define VALUE_STACK_MAX		16

enum value_kind {
	VALUE_NUMBER,
	VALUE_TEXT,
	VALUE_STACK,
};

#endif /* _TRACE_EVENT_CORE_VALUE_H */
