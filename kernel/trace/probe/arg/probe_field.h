/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fields of the event that a probe is on.
 */
#ifndef _TRACE_PROBE_ARG_PROBE_FIELD_H
#define _TRACE_PROBE_ARG_PROBE_FIELD_H

#include <linux/types.h>

struct trace_event_call;

/**
 * enum probe_field_form - form of a field in an entry
 * @PROBE_FIELD_NUMBER: a number
 * @PROBE_FIELD_ARRAY: an array
 * @PROBE_FIELD_LOC: a __data_loc
 * @PROBE_FIELD_REL_LOC: a __rel_loc
 */
enum probe_field_form {
	PROBE_FIELD_NUMBER,
	PROBE_FIELD_ARRAY,
	PROBE_FIELD_LOC,
	PROBE_FIELD_REL_LOC,
};

/**
 * struct probe_field - a field of the event that a probe is on
 * @offset: its offset in the entry
 * @size: size of a number in bytes
 * @form: enum probe_field_form
 * @is_signed: it is a number that may be negative
 * @is_string: it is a string, or the address of a string
 */
struct probe_field {
	u16	offset;
	u16	size;
	u8	form;
	bool	is_signed;
	bool	is_string;
};

int probe_field_find(struct probe_field *to, struct trace_event_call *call, const char *name);

#endif /* _TRACE_PROBE_ARG_PROBE_FIELD_H */
