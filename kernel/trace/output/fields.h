/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fields of entries by type: for tools that read pages (format), and for
 * the option fields.
 */
#ifndef _TRACE_OUTPUT_FIELDS_H
#define _TRACE_OUTPUT_FIELDS_H

#include <linux/trace_events.h>
#include <linux/types.h>

/* What a field is; arrays go up to the end of the entry if they have no size. */
enum entry_field_kind {
	FIELD_NUMBER,
	FIELD_ADDRESS,
	FIELD_ADDRESSES,
	FIELD_USER_ADDRESSES,
	FIELD_TEXT,
	FIELD_TEXT_POINTER,
	FIELD_BYTES,
};

/**
 * struct entry_field - a field of an entry
 * @text: type and name as in C; NULL ends the fields
 * @name: name alone
 * @offset: where it is
 * @size: its size, 0 for an array up to the end of the entry
 * @is_signed: whether its type is
 * @kind: what it is
 */
struct entry_field {
	const char		*text;
	const char		*name;
	u16			offset;
	u16			size;
	bool			is_signed;
	enum entry_field_kind	kind;
};

/**
 * struct entry_format - a type of entries
 * @name: of its directory; NULL ends the formats
 * @id: its number
 * @print: how it is printed, the way printf() is called
 * @fields: beyond those that all have
 */
struct entry_format {
	const char			*name;
	int				id;
	const char			*print;
	const struct entry_field	*fields;
};

extern const struct entry_field trace_common_fields[];
extern const struct entry_format trace_entry_formats[];

bool trace_print_fields(struct trace_iterator *iter);

#endif /* _TRACE_OUTPUT_FIELDS_H */
