// SPDX-License-Identifier: GPL-2.0
/*
 * A module of 2,500 traceable functions. The benchmark loads it 20 times, under 20 names. Its
 * parameters do something when they are written:
 *
 * call		calls each function once
 * names	looks up the names of 2,500 addresses: 1 in the module, 0 in the kernel
 * puts		calls trace_puts(), with the written address as the caller
 */
#include <linux/kallsyms.h>
#include <linux/module.h>

#define ADDRESSES	2500
#define ADDRESS_STEP	20

int in_clone_calls;

#define DEFINE(n)	void in_clone_##n(void); \
			noinline void in_clone_##n(void) { in_clone_calls++; }
#define CALL(n)		in_clone_##n();
#define TEN(do, n)	do(n##0) do(n##1) do(n##2) do(n##3) do(n##4) \
			do(n##5) do(n##6) do(n##7) do(n##8) do(n##9)
#define HUNDRED(do, n)	TEN(do, n##0) TEN(do, n##1) TEN(do, n##2) TEN(do, n##3) \
			TEN(do, n##4) TEN(do, n##5) TEN(do, n##6) TEN(do, n##7) \
			TEN(do, n##8) TEN(do, n##9)
#define FIVE_HUNDRED(do, n)	HUNDRED(do, n##0) HUNDRED(do, n##1) HUNDRED(do, n##2) \
				HUNDRED(do, n##3) HUNDRED(do, n##4)
#define ALL(do)		FIVE_HUNDRED(do, a) FIVE_HUNDRED(do, b) FIVE_HUNDRED(do, c) \
			FIVE_HUNDRED(do, d) FIVE_HUNDRED(do, e)

ALL(DEFINE)

static int clone_call_all(const char *val, const struct kernel_param *kp)
{
	ALL(CALL)
	return 0;
}

static const struct kernel_param_ops call_ops = { .set = clone_call_all };
module_param_cb(call, &call_ops, NULL, 0200);

static int clone_look_up_names(const char *val, const struct kernel_param *kp)
{
	/* The functions are before clone_call_all(). */
	unsigned long addr = *val == '1' ?
		(unsigned long)clone_call_all - ADDRESSES * ADDRESS_STEP :
		(unsigned long)sprint_symbol;
	char name[KSYM_SYMBOL_LEN];

	for (int i = 0; i < ADDRESSES; i++)
		sprint_symbol(name, addr + i * ADDRESS_STEP);
	return 0;
}

static const struct kernel_param_ops names_ops = { .set = clone_look_up_names };
module_param_cb(names, &names_ops, NULL, 0200);

static int clone_puts(const char *val, const struct kernel_param *kp)
{
	unsigned long addr;
	int ret = kstrtoul(val, 16, &addr);

	if (!ret)
		__trace_puts(addr, "called\n", 7);
	return ret;
}

static const struct kernel_param_ops puts_ops = { .set = clone_puts };
module_param_cb(puts, &puts_ops, NULL, 0200);

MODULE_DESCRIPTION("2,500 functions");
MODULE_LICENSE("GPL");
