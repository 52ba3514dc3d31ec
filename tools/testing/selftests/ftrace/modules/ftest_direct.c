// SPDX-License-Identifier: GPL-2.0
/*
 * ftest_direct - direct calls on ftest_one(), or on the function that `on` names.
 *
 * Writing 1 or 2 to the parameter `direct` makes the function call the first or the second of
 * two functions directly, and 0 removes the direct call. Reading it calls ftest_one() and other
 * functions, and returns the number of the direct function that was called.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "ftest_target.h"

static int __used ftest_direct_called;

/* A direct function preserves all argument registers, and returns to the traced function. */
#ifdef CONFIG_X86_64
#include <asm/asm-offsets.h>
#include <asm/ibt.h>
#include <asm/nospec-branch.h>
#define CALLED(nr)							\
	    ASM_ENDBR							\
	    CALL_DEPTH_ACCOUNT						\
	    "	movl $" #nr ", ftest_direct_called(%rip)\n"		\
	    ASM_RET
#else /* CONFIG_ARM64 */
#define CALLED(nr)							\
	    "	hint	34\n"						\
	    "	adrp	x16, ftest_direct_called\n"			\
	    "	mov	w17, #" #nr "\n"				\
	    "	str	w17, [x16, #:lo12:ftest_direct_called]\n"	\
	    "	mov	x10, x30\n"					\
	    "	mov	x30, x9\n"					\
	    "	ret	x10\n"
#endif

#define DIRECT(name, nr)						\
	asm("	.pushsection	.text, \"ax\", @progbits\n"		\
	    "	.type		" #name ", @function\n"			\
	    "	.globl		" #name "\n"				\
	    #name ":\n"							\
	    CALLED(nr)							\
	    "	.size		" #name ", .-" #name "\n"		\
	    "	.popsection\n")

DIRECT(ftest_direct_first, 1);
DIRECT(ftest_direct_second, 2);

static struct ftrace_ops *direct_ops;

static char *on;
module_param(on, charp, 0400);
MODULE_PARM_DESC(on, "The function with the direct call");

static int direct_filter(struct ftrace_ops *ops)
{
	return on ? ftrace_set_filter(ops, (unsigned char *)on, strlen(on), 1) :
		    ftrace_set_filter_ip(ops, (unsigned long)ftest_one, 0, 1);
}

static int direct_begin(unsigned long addr)
{
	struct ftrace_ops *ops = kzalloc(sizeof(*ops), GFP_KERNEL);
	int ret;

	if (!ops)
		return -ENOMEM;
	ret = direct_filter(ops);
	if (!ret)
		ret = register_ftrace_direct(ops, addr);
	if (ret) {
		ftrace_free_filter(ops);
		kfree(ops);
		return ret;
	}
	direct_ops = ops;
	return 0;
}

static int direct_end(void)
{
	struct ftrace_ops *ops = direct_ops;
	int ret;

	if (!ops)
		return 0;
	/* Either of the two addresses will do */
	ret = unregister_ftrace_direct(ops, ops->direct_call, true);
	if (ret)
		return ret;
	direct_ops = NULL;
	kfree(ops);
	return 0;
}

static int direct_set(const char *val, const struct kernel_param *kp)
{
	unsigned long addr;
	unsigned int nr;
	int ret = kstrtouint(val, 0, &nr);

	if (ret || nr > 2)
		return ret ?: -EINVAL;
	if (!nr)
		return direct_end();
	addr = (unsigned long)(nr == 1 ? ftest_direct_first : ftest_direct_second);
	return direct_ops ? modify_ftrace_direct(direct_ops, addr) : direct_begin(addr);
}

static int direct_get(char *buf, const struct kernel_param *kp)
{
	ftest_direct_called = 0;
	ftest_caller(0);
	return sysfs_emit(buf, "%d\n", READ_ONCE(ftest_direct_called));
}

static const struct kernel_param_ops direct_param_ops = {
	.set = direct_set,
	.get = direct_get,
};
module_param_cb(direct, &direct_param_ops, NULL, 0600);
MODULE_PARM_DESC(direct, "Which function the one with the direct call calls");

static int __init ftest_direct_init(void)
{
	return 0;
}
module_init(ftest_direct_init);

static void __exit ftest_direct_exit(void)
{
	direct_end();
}
module_exit(ftest_direct_exit);

MODULE_DESCRIPTION("Direct calls on a function of the ftrace tests");
MODULE_LICENSE("GPL");
