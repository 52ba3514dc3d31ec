/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of this header that kernel/trace/output/emit.h uses, in user space. */
#include <string.h>
