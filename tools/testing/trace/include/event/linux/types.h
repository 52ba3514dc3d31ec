/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of this header that kernel/trace/event/core/fields.h uses, in user space. */
#include "lib/env.h"
