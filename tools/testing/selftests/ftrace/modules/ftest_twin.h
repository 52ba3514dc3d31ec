/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The body of ftest_twin_a and ftest_twin_b: two modules that differ only in the name of their
 * function, so that it is at the same address when one of them is loaded after the other was
 * unloaded.
 *
 * Writing N to the parameter `call` calls the function N times.
 */
#include <linux/kernel.h>
#include <linux/module.h>

void FTEST_TWIN_CALL(void);

noinline void FTEST_TWIN_CALL(void)
{
	barrier();
}

static int call_set(const char *val, const struct kernel_param *kp)
{
	unsigned int i, nr;
	int ret = kstrtouint(val, 0, &nr);

	for (i = 0; !ret && i < nr; i++)
		FTEST_TWIN_CALL();
	return ret;
}

static const struct kernel_param_ops call_ops = {
	.set = call_set,
};
module_param_cb(call, &call_ops, NULL, 0200);
MODULE_PARM_DESC(call, "How often to call the function");

MODULE_DESCRIPTION("A function where another module had its own");
MODULE_LICENSE("GPL");
