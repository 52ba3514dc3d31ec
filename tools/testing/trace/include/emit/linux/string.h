/* SPDX-License-Identifier: GPL-2.0 */
/* What kernel/trace/output/emit.h takes of this header, in user space. */
#include <string.h>
