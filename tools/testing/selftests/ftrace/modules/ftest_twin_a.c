// SPDX-License-Identifier: GPL-2.0
/* One of two twins, see ftest_twin.h. */
#define FTEST_TWIN_CALL	ftest_twin_a_call
#include "ftest_twin.h"
