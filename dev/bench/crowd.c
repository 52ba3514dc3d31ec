// SPDX-License-Identifier: GPL-2.0
/*
 * A module of 2,500 traceable functions, which are called once each when its parameter "call"
 * is written. Writing 1 or 0 to "names" looks up the names of 2,500 addresses in the module, or
 * in the kernel. Writing an address to "puts" calls trace_puts() with that address as the
 * caller. The benchmark loads the module 20 times, each time with another name.
 */
#include <linux/kallsyms.h>
#include <linux/module.h>

int crowd_called;

#define ONE(n)	void crowd_##n(void); noinline void crowd_##n(void) { crowd_called++; }
#define CALL(n)	crowd_##n();
#define TEN(do, n)	do(n##0) do(n##1) do(n##2) do(n##3) do(n##4) \
			do(n##5) do(n##6) do(n##7) do(n##8) do(n##9)
#define HUNDRED(do, n)	TEN(do, n##0) TEN(do, n##1) TEN(do, n##2) TEN(do, n##3) \
			TEN(do, n##4) TEN(do, n##5) TEN(do, n##6) TEN(do, n##7) \
			TEN(do, n##8) TEN(do, n##9)
#define FIVE(do, n)	HUNDRED(do, n##0) HUNDRED(do, n##1) HUNDRED(do, n##2) \
			HUNDRED(do, n##3) HUNDRED(do, n##4)
#define ALL(do)		FIVE(do, a) FIVE(do, b) FIVE(do, c) FIVE(do, d) FIVE(do, e)

ALL(ONE)

static int call_all(const char *val, const struct kernel_param *kp)
{
	ALL(CALL)
	return 0;
}

static const struct kernel_param_ops call_ops = { .set = call_all };
module_param_cb(call, &call_ops, NULL, 0200);

static int look_up(const char *val, const struct kernel_param *kp)
{
	unsigned long addr = *val == '1' ? (unsigned long)call_all - 2500 * 20 :
					   (unsigned long)sprint_symbol;
	char name[KSYM_SYMBOL_LEN];

	for (int i = 0; i < 2500; i++)
		sprint_symbol(name, addr + i * 20);
	return 0;
}

static const struct kernel_param_ops names_ops = { .set = look_up };
module_param_cb(names, &names_ops, NULL, 0200);

static int put(const char *val, const struct kernel_param *kp)
{
	unsigned long addr;
	int ret = kstrtoul(val, 16, &addr);

	if (!ret)
		__trace_puts(addr, "called\n", 7);
	return ret;
}

static const struct kernel_param_ops puts_ops = { .set = put };
module_param_cb(puts, &puts_ops, NULL, 0200);

MODULE_DESCRIPTION("2,500 functions");
MODULE_LICENSE("GPL");
