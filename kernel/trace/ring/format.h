/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_RING_FORMAT_H
#define _TRACE_RING_FORMAT_H
/*
 * Binary format of a sub-buffer, as user space reads it.
 *
 * A sub-buffer is a header followed by events. The source of the format is events/header_page
 * and events/header_event of tracefs, which libtraceevent parses; <linux/ring_buffer.h> lists
 * the kinds of events. The functions here convert events to bytes and back. They do not depend
 * on concurrent readers or writers.
 */

#include "ring/env.h"

/**
 * struct buffer_data_page - a sub-buffer
 * @time_stamp: time base of the first event's delta
 * @commit: number of bytes in @data that may be read, and RB_MISSED_* above them
 * @data: events
 */
struct buffer_data_page {
	u64		time_stamp;
	unsigned long	commit;
	unsigned char	data[] __aligned(4);
};

/* In @commit of a page passed to a reader: events before the page were lost. */
#define RB_MISSED_EVENTS	BIT(31)
/* Along with RB_MISSED_EVENTS: their number follows the last event, as an unsigned long. */
#define RB_MISSED_STORED	BIT(30)

#define RING_COMMIT_MASK	(BIT(27) - 1)

/* The delta of an event has 27 bits; a time extend or time stamp adds 32 bits. */
#define RING_DELTA_BITS		27
#define RING_DELTA_LIMIT	BIT_ULL(RING_DELTA_BITS)
#define RING_STAMP_MASK		((1ULL << (RING_DELTA_BITS + 32)) - 1)

#define RING_PAGE_HDR		offsetof(struct buffer_data_page, data)
#define RING_EVENT_HDR		sizeof(struct ring_buffer_event)
#define RING_EXTEND_SIZE	(RING_EVENT_HDR + sizeof(u32))

/* Maximum length of data whose length fits into the four-byte header. */
#define RING_SHORT_DATA		(RINGBUF_TYPE_DATA_TYPE_LEN_MAX * 4)

static_assert(RING_PAGE_HDR == 16);
static_assert(RING_EVENT_HDR == 4);
static_assert(offsetof(struct buffer_data_page, commit) == 8);
static_assert(RINGBUF_TYPE_TIME_STAMP == 31);

/**
 * ring_event_size_for - number of bytes that an event takes in a page
 * @length: length of its data in bytes
 */
static __always_inline unsigned int ring_event_size_for(unsigned long length)
{
	unsigned int data = ALIGN(length, 4);

	if (unlikely(!data))
		data = 4;
	if (data > RING_SHORT_DATA)
		data += sizeof(u32);
	return RING_EVENT_HDR + data;
}

/* Store struct ring_buffer_event without its array, as laid out by the compiler, in one store. */
static __always_inline void ring_event_header(struct ring_buffer_event *event,
					      u32 type_len, u32 delta)
{
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		*(u32 *)event = type_len + (delta << 5);
	else
		*(u32 *)event = (type_len << RING_DELTA_BITS) + delta;
}

/**
 * ring_event_encode_short - write the header of an event with short data
 * @event: location of the header
 * @size: return value of ring_event_size_for() for at most RING_SHORT_DATA bytes
 * @delta: time since the previous event, less than RING_DELTA_LIMIT
 */
static __always_inline void ring_event_encode_short(struct ring_buffer_event *event,
						    u32 size, u32 delta)
{
	ring_event_header(event, size / 4 - RING_EVENT_HDR / 4, delta);
}

/**
 * ring_event_encode - write the header of an event with data
 * @event: location of the header
 * @size: return value of ring_event_size_for()
 * @delta: time since the previous event, less than RING_DELTA_LIMIT
 */
static inline void ring_event_encode(struct ring_buffer_event *event, u32 size, u32 delta)
{
	u32 data = size - RING_EVENT_HDR;

	if (data <= RING_SHORT_DATA) {
		ring_event_encode_short(event, size, delta);
	} else {
		ring_event_header(event, 0, delta);
		event->array[0] = data;
	}
}

/**
 * ring_extend_encode - write an event that has only a time
 * @event: location of the event, RING_EXTEND_SIZE bytes
 * @type: RINGBUF_TYPE_TIME_EXTEND or RINGBUF_TYPE_TIME_STAMP
 * @value: the delta or the time
 */
static inline void ring_extend_encode(struct ring_buffer_event *event,
				      enum ring_buffer_type type, u64 value)
{
	event->type_len = type;
	event->time_delta = value & (RING_DELTA_LIMIT - 1);
	event->array[0] = value >> RING_DELTA_BITS;
}

/**
 * ring_padding_encode - turn an event into padding, which readers skip
 * @event: a complete event
 * @size: size of the event in bytes
 * @delta: time since the previous event; 0 means that the rest of the page is empty
 */
static inline void ring_padding_encode(struct ring_buffer_event *event,
				       unsigned int size, u32 delta)
{
	event->time_delta = delta;
	event->type_len = RINGBUF_TYPE_PADDING;
	event->array[0] = size - RING_EVENT_HDR;
}

/* Size of an event with data in bytes, including the header. */
static __always_inline unsigned int
ring_data_event_size(const struct ring_buffer_event *event)
{
	unsigned int data = event->type_len * 4;

	return RING_EVENT_HDR + (data ? data : event->array[0]);
}

static inline u64 ring_extend_value(const struct ring_buffer_event *event)
{
	return event->time_delta + ((u64)event->array[0] << RING_DELTA_BITS);
}

/**
 * struct ring_cursor - a position between two events of a page
 * @page: the sub-buffer; writers may still append after @end
 * @at: offset of the next event in its data
 * @end: offset after the last event
 * @stamp: time at @at, the base of the next event's delta
 */
struct ring_cursor {
	struct buffer_data_page	*page;
	unsigned int		at;
	unsigned int		end;
	u64			stamp;
};

/* The event at a cursor that has not reached its end. */
static __always_inline struct ring_buffer_event *ring_cursor_at(struct ring_cursor *cur)
{
	return (void *)cur->page->data + cur->at;
}

/**
 * ring_cursor_skip - skip an event without data
 * @cur: a cursor before its end, at padding, a time extend or a time stamp
 *
 * A reader may copy an event while a writer overwrites it. So the cursor always advances: a
 * size that exceeds the page ends the page.
 */
static inline void ring_cursor_skip(struct ring_cursor *cur)
{
	struct ring_buffer_event *event = ring_cursor_at(cur);
	u64 size = RING_EXTEND_SIZE;

	switch (event->type_len) {
	case RINGBUF_TYPE_TIME_EXTEND:
		cur->stamp += ring_extend_value(event);
		break;
	case RINGBUF_TYPE_TIME_STAMP:
		cur->stamp = ring_extend_value(event) |
			     (cur->page->time_stamp & ~RING_STAMP_MASK);
		break;
	default:
		cur->stamp += event->time_delta;
		size = cur->end - cur->at;
		if (event->time_delta)
			size = RING_EVENT_HDR + (u64)event->array[0];
	}
	cur->at = size > cur->end - cur->at ? cur->end : cur->at + size;
}

/**
 * ring_cursor_event - find the next event with data, without consuming it
 * @cur: moved to that event, or to the end
 *
 * Returns NULL at the end.
 */
static __always_inline struct ring_buffer_event *
ring_cursor_event(struct ring_cursor *cur)
{
	struct ring_buffer_event *event;

	while (cur->at < cur->end) {
		event = ring_cursor_at(cur);
		if (likely(event->type_len <= RINGBUF_TYPE_DATA_TYPE_LEN_MAX))
			return event;
		ring_cursor_skip(cur);
	}
	return NULL;
}

/* Consume the event that ring_cursor_event() returned. */
static __always_inline void ring_cursor_advance(struct ring_cursor *cur,
						struct ring_buffer_event *event)
{
	unsigned int size = ring_data_event_size(event);

	cur->stamp += event->time_delta;
	cur->at += size;
}

#endif /* _TRACE_RING_FORMAT_H */
