/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of this header that kernel/trace/instance/core/entries.h uses, in user space. */
#ifndef _SAVED_TIME64_H
#define _SAVED_TIME64_H

struct timespec64 {
	long long	tv_sec;
	long		tv_nsec;
};

#endif
