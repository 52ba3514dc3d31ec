// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers that write text: to the trace, to the file of an iterator, and to memory.
 */
#define pr_fmt(fmt) "bpf: " fmt

#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/err.h>
#include <linux/filter.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "bpf/helper/helpers.h"

#define CREATE_TRACE_POINTS
#include "bpf/helper/bpf_printk_event.h"

/*
 * Trace
 */

/* bpf_bprintf_prepare() has separate buffers for contexts that can interrupt each other. */
static long bpf_printk_print(char *format, u32 size, const u64 *args, u32 nr_args)
{
	struct bpf_bprintf_data data = { .get_bin_args = true, .get_buf = true };
	int ret = bpf_bprintf_prepare(format, size, args, nr_args, &data);

	if (ret < 0)
		return ret;

	ret = bstr_printf(data.buf, MAX_BPRINTF_BUF, format, data.bin_args);
	trace_bpf_trace_printk(data.buf);
	bpf_bprintf_cleanup(&data);

	return min(ret, MAX_BPRINTF_BUF - 1);
}

BPF_CALL_5(bpf_trace_printk, char *, format, u32, size, u64, arg1, u64, arg2, u64, arg3)
{
	u64 args[] = { arg1, arg2, arg3 };

	return bpf_printk_print(format, size, args, ARRAY_SIZE(args));
}

/* Are @args and @size, its size in bytes, a valid array of format arguments? */
static bool bpf_printk_are_args(const u64 *args, u32 size)
{
	return size % sizeof(*args) == 0 && size <= MAX_BPRINTF_VARARGS * sizeof(*args) &&
	       (args || !size);
}

BPF_CALL_4(bpf_trace_vprintk, char *, format, u32, size, const u64 *, args, u32, args_size)
{
	if (!bpf_printk_are_args(args, args_size))
		return -EINVAL;

	return bpf_printk_print(format, size, args, args_size / sizeof(*args));
}

static const struct bpf_func_proto printk_proto = {
	.func		= bpf_trace_printk,
	.gpl_only	= true,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_MEM | MEM_RDONLY,
	.arg2_type	= ARG_CONST_SIZE,
};

static const struct bpf_func_proto vprintk_proto = {
	.func		= bpf_trace_vprintk,
	.gpl_only	= true,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_MEM | MEM_RDONLY,
	.arg2_type	= ARG_CONST_SIZE,
	.arg3_type	= ARG_PTR_TO_MEM | PTR_MAYBE_NULL | MEM_RDONLY,
	.arg4_type	= ARG_CONST_SIZE_OR_ZERO,
};

/*
 * Loading a program that calls bpf_trace_printk() or bpf_trace_vprintk() enables the event
 * bpf_trace:bpf_trace_printk.
 */
static void bpf_printk_show(void)
{
	if (trace_set_clr_event("bpf_trace", "bpf_trace_printk", 1))
		pr_warn_ratelimited("could not enable the event bpf_trace_printk\n");
}

/**
 * bpf_get_trace_printk_proto - allow a program that is being loaded to call bpf_trace_printk()
 *
 * May sleep.
 */
const struct bpf_func_proto *bpf_get_trace_printk_proto(void)
{
	bpf_printk_show();
	return &printk_proto;
}

/**
 * bpf_get_trace_vprintk_proto - allow a program that is being loaded to call
 * bpf_trace_vprintk()
 *
 * May sleep.
 */
const struct bpf_func_proto *bpf_get_trace_vprintk_proto(void)
{
	bpf_printk_show();
	return &vprintk_proto;
}

/*
 * Iterators
 */

BTF_ID_LIST_SINGLE(seq_file_id, struct, seq_file)

BPF_CALL_5(bpf_seq_printf, struct seq_file *, seq, char *, format, u32, size,
	   const u64 *, args, u32, args_size)
{
	struct bpf_bprintf_data data = { .get_bin_args = true };
	int err;

	if (!bpf_printk_are_args(args, args_size))
		return -EINVAL;

	err = bpf_bprintf_prepare(format, size, args, args_size / sizeof(*args), &data);
	if (err < 0)
		return err;

	seq_bprintf(seq, format, data.bin_args);
	bpf_bprintf_cleanup(&data);

	return seq_has_overflowed(seq) ? -EOVERFLOW : 0;
}

const struct bpf_func_proto bpf_seq_printf_proto = {
	.func		= bpf_seq_printf,
	.gpl_only	= true,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_BTF_ID,
	.arg1_btf_id	= &seq_file_id[0],
	.arg2_type	= ARG_PTR_TO_MEM | MEM_RDONLY,
	.arg3_type	= ARG_CONST_SIZE,
	.arg4_type	= ARG_PTR_TO_MEM | PTR_MAYBE_NULL | MEM_RDONLY,
	.arg5_type	= ARG_CONST_SIZE_OR_ZERO,
};

BPF_CALL_3(bpf_seq_write, struct seq_file *, seq, const void *, bytes, u32, size)
{
	return seq_write(seq, bytes, size) ? -EOVERFLOW : 0;
}

const struct bpf_func_proto bpf_seq_write_proto = {
	.func		= bpf_seq_write,
	.gpl_only	= true,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_BTF_ID,
	.arg1_btf_id	= &seq_file_id[0],
	.arg2_type	= ARG_PTR_TO_MEM | MEM_RDONLY,
	.arg3_type	= ARG_CONST_SIZE_OR_ZERO,
};

/*
 * Output of an object by its type
 */

/* Return: the BTF that contains the type, or an error */
static const struct btf *bpf_printk_type_of(const struct btf_ptr *ptr, u32 size, u64 flags)
{
	const struct btf *btf;

	if (size != sizeof(*ptr) || !ptr->type_id || ptr->flags ||
	    flags & ~(BTF_F_COMPACT | BTF_F_NONAME | BTF_F_PTR_RAW | BTF_F_ZERO))
		return ERR_PTR(-EINVAL);

	btf = bpf_get_btf_vmlinux();
	if (IS_ERR_OR_NULL(btf))
		return btf ?: ERR_PTR(-EINVAL);

	return btf_type_by_id(btf, ptr->type_id) ? btf : ERR_PTR(-ENOENT);
}

BPF_CALL_5(bpf_snprintf_btf, char *, text, u32, text_size, struct btf_ptr *, ptr, u32, size,
	   u64, flags)
{
	const struct btf *btf = bpf_printk_type_of(ptr, size, flags);

	if (IS_ERR(btf))
		return PTR_ERR(btf);

	return btf_type_snprintf_show(btf, ptr->type_id, ptr->ptr, text, text_size, flags);
}

const struct bpf_func_proto bpf_snprintf_btf_proto = {
	.func		= bpf_snprintf_btf,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_MEM | MEM_WRITE,
	.arg2_type	= ARG_CONST_SIZE,
	.arg3_type	= ARG_PTR_TO_MEM | MEM_RDONLY,
	.arg4_type	= ARG_CONST_SIZE,
	.arg5_type	= ARG_ANYTHING,
};

BPF_CALL_4(bpf_seq_printf_btf, struct seq_file *, seq, struct btf_ptr *, ptr, u32, size,
	   u64, flags)
{
	const struct btf *btf = bpf_printk_type_of(ptr, size, flags);

	if (IS_ERR(btf))
		return PTR_ERR(btf);

	return btf_type_seq_show_flags(btf, ptr->type_id, ptr->ptr, seq, flags);
}

const struct bpf_func_proto bpf_seq_printf_btf_proto = {
	.func		= bpf_seq_printf_btf,
	.gpl_only	= true,
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_BTF_ID,
	.arg1_btf_id	= &seq_file_id[0],
	.arg2_type	= ARG_PTR_TO_MEM | MEM_RDONLY,
	.arg3_type	= ARG_CONST_SIZE,
	.arg4_type	= ARG_ANYTHING,
};
