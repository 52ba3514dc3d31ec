// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers that read memory at addresses that may be invalid, and write user space memory.
 *
 * They neither sleep nor fault a page in. Any context, including NMIs.
 */
#define pr_fmt(fmt) "bpf: " fmt

#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <asm/tlb.h>

#include "bpf/helper/helpers.h"

/* Clear the memory on an error, because the verifier treats it as initialized. Return: @ret */
static long probe_read_written(void *to, u32 size, long ret)
{
	if (ret < 0)
		memset(to, 0, size);

	return ret;
}

static long probe_read_user(void *to, u32 size, const void __user *from)
{
	return probe_read_written(to, size, copy_from_user_nofault(to, from, size));
}

static long probe_read_kernel(void *to, u32 size, const void *from)
{
	return probe_read_written(to, size, copy_from_kernel_nofault(to, from, size));
}

/* An NMI may have occurred during a switch of the address space. */
static long probe_read_user_string(void *to, u32 size, const void __user *from)
{
	return probe_read_written(to, size,
				  nmi_uaccess_okay() ? strncpy_from_user_nofault(to, from, size) :
						      -EFAULT);
}

static long probe_read_kernel_string(void *to, u32 size, const void *from)
{
	return probe_read_written(to, size, strncpy_from_kernel_nofault(to, from, size));
}

BPF_CALL_3(bpf_probe_read_user, void *, to, u32, size, const void __user *, from)
{
	return probe_read_user(to, size, from);
}

BPF_CALL_3(bpf_probe_read_user_str, void *, to, u32, size, const void __user *, from)
{
	return probe_read_user_string(to, size, from);
}

BPF_CALL_3(bpf_probe_read_kernel, void *, to, u32, size, const void *, from)
{
	return probe_read_kernel(to, size, from);
}

BPF_CALL_3(bpf_probe_read_kernel_str, void *, to, u32, size, const void *, from)
{
	return probe_read_kernel_string(to, size, from);
}

/*
 * Old programs use these helpers for both kernel and user space memory. If the two share
 * addresses, the helpers are not available.
 */
BPF_CALL_3(bpf_probe_read, void *, to, u32, size, const void *, from)
{
	if ((unsigned long)from < TASK_SIZE)
		return probe_read_user(to, size, (const void __user __force *)from);

	return probe_read_kernel(to, size, from);
}

BPF_CALL_3(bpf_probe_read_str, void *, to, u32, size, const void *, from)
{
	if ((unsigned long)from < TASK_SIZE)
		return probe_read_user_string(to, size, (const void __user __force *)from);

	return probe_read_kernel_string(to, size, from);
}

#define READ_PROTO(name)						\
const struct bpf_func_proto name##_proto = {				\
	.func		= name,						\
	.gpl_only	= true,						\
	.ret_type	= RET_INTEGER,					\
	.arg1_type	= ARG_PTR_TO_UNINIT_MEM,			\
	.arg2_type	= ARG_CONST_SIZE_OR_ZERO,			\
	.arg3_type	= ARG_ANYTHING,					\
}

READ_PROTO(bpf_probe_read_user);
READ_PROTO(bpf_probe_read_user_str);
READ_PROTO(bpf_probe_read_kernel);
READ_PROTO(bpf_probe_read_kernel_str);
READ_PROTO(bpf_probe_read);
READ_PROTO(bpf_probe_read_str);

/*
 * Only allow writes that the task itself could do now: not in an interrupt, not while it exits.
 */
BPF_CALL_3(bpf_probe_write_user, void __user *, to, const void *, from, u32, size)
{
	if (in_interrupt() || current->flags & (PF_KTHREAD | PF_EXITING) || !nmi_uaccess_okay())
		return -EPERM;

	return copy_to_user_nofault(to, from, size);
}

static const struct bpf_func_proto write_user_proto = {
	.func		= bpf_probe_write_user,
	.gpl_only	= true,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_ANYTHING,
	.arg2_type	= ARG_PTR_TO_MEM | MEM_RDONLY,
	.arg3_type	= ARG_CONST_SIZE,
};

/**
 * bpf_get_probe_write_user_proto - allow a program that is being loaded to write user space
 * memory
 *
 * May sleep.
 *
 * Return: the prototype, NULL if the loader lacks the permission
 */
const struct bpf_func_proto *bpf_get_probe_write_user_proto(void)
{
	if (!capable(CAP_SYS_ADMIN) || security_locked_down(LOCKDOWN_BPF_WRITE_USER))
		return NULL;

	pr_warn_ratelimited("%s[%d] loads a program that can change the memory of tasks\n",
			    current->comm, task_pid_nr(current));

	return &write_user_proto;
}
