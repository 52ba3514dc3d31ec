/* SPDX-License-Identifier: GPL-2.0 */
/* What kernel/trace/event/core/fields.h takes of this header, in user space. */
#ifndef _EVENT_LIST_H
#define _EVENT_LIST_H

struct list_head {
	struct list_head *next, *prev;
};

#endif
