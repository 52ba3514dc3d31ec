// SPDX-License-Identifier: GPL-2.0
/*
 * bpf_d_path(). Programs of LSM hooks have bpf_path_d_path(), which is safe by its types.
 */
#include <linux/bpf.h>
#include <linux/bpf_lsm.h>
#include <linux/btf_ids.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/filter.h>
#include <linux/path.h>
#include <linux/string.h>

#include "bpf/helper/helpers.h"

/* d_path() builds the string at the end of the buffer. */
BPF_CALL_3(bpf_d_path, struct path *, path, char *, buffer, u32, size)
{
	struct path stable;
	const char *string;
	long length;

	if (!size)
		return 0;
	/* The program may have a wrong idea of what it passes. */
	if (copy_from_kernel_nofault(&stable, path, sizeof(stable)))
		return -EFAULT;
	string = d_path(&stable, buffer, size);
	if (IS_ERR(string))
		return PTR_ERR(string);
	length = buffer + size - string;
	memmove(buffer, string, length);

	return length;
}

/*
 * d_path() takes locks, and needs a path that is referenced. In these functions it is, and they
 * are not called with these locks held.
 */
BTF_SET_START(d_path_functions)
BTF_ID(func, dentry_open)
BTF_ID(func, filp_close)
BTF_ID(func, vfs_fallocate)
BTF_ID(func, vfs_getattr)
BTF_ID(func, vfs_truncate)
#ifdef CONFIG_SECURITY_PATH
BTF_ID(func, security_path_truncate)
#endif
#ifdef CONFIG_SECURITY
BTF_ID(func, security_file_open)
BTF_ID(func, security_file_permission)
BTF_ID(func, security_inode_getattr)
#endif
BTF_SET_END(d_path_functions)

static bool d_path_allowed(const struct bpf_prog *prog)
{
	if (prog->type == BPF_PROG_TYPE_LSM)
		return bpf_lsm_is_sleepable_hook(prog->aux->attach_btf_id);
	if (prog->type == BPF_PROG_TYPE_TRACING && prog->expected_attach_type == BPF_TRACE_ITER)
		return true;

	return btf_id_set_contains(&d_path_functions, prog->aux->attach_btf_id);
}

BTF_ID_LIST_SINGLE(d_path_type, struct, path)

const struct bpf_func_proto bpf_d_path_proto = {
	.func		= bpf_d_path,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_BTF_ID,
	.arg1_btf_id	= &d_path_type[0],
	.arg2_type	= ARG_PTR_TO_MEM | MEM_WRITE,
	.arg3_type	= ARG_CONST_SIZE_OR_ZERO,
	.allowed	= d_path_allowed,
};
