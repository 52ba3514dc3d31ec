/* SPDX-License-Identifier: GPL-2.0 */
/* What kernel/trace/event/fields.h takes of this header, in user space. */
#include "lib/env.h"
