/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of this header that kernel/trace/event/core/fields.h uses, in user space. */
#ifndef _EVENT_LIST_H
#define _EVENT_LIST_H

struct list_head {
	struct list_head *next, *prev;
};

#endif
