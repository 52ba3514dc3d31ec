/* SPDX-License-Identifier: GPL-2.0 */
/* What kernel/trace/event/core/fields.h takes of this header, in user space. */
#include "lib/env.h"
