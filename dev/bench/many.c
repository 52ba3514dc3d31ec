// SPDX-License-Identifier: GPL-2.0
/*
 * A module of a thousand traceable functions, to measure the cost of loading it.
 */
#include <linux/module.h>

int many_called;

#define ONE(n)	void many_##n(void); noinline void many_##n(void) { many_called++; }
#define TEN(n)	ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) \
		ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
#define HUNDRED(n) TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) \
		TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)

HUNDRED(0) HUNDRED(1) HUNDRED(2) HUNDRED(3) HUNDRED(4)
HUNDRED(5) HUNDRED(6) HUNDRED(7) HUNDRED(8) HUNDRED(9)

MODULE_DESCRIPTION("A thousand functions");
MODULE_LICENSE("GPL");
