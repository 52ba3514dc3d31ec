/* SPDX-License-Identifier: GPL-2.0 */
/*
 * External dependencies of probe_{args,def,fetch,type,value}.c. The user-space harness has
 * its own header of this name, see tools/testing/trace/.
 */
#ifndef _TRACE_PROBE_ARG_ENV_H
#define _TRACE_PROBE_ARG_ENV_H

#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>

#include <asm/tlb.h>

#define PROBE_SYMBOL_LEN	KSYM_SYMBOL_LEN

/*
 * Values.
 */
#define probe_env_comm()			((unsigned long)current->comm)
#define probe_env_register(regs, offset)	regs_get_register(regs, offset)
#define probe_env_stack(regs, n)		regs_get_kernel_stack_nth(regs, n)
#define probe_env_returned(regs)		regs_return_value(regs)

static inline unsigned long probe_env_stack_pointer(struct pt_regs *regs)
{
	return user_mode(regs) ? user_stack_pointer(regs) : kernel_stack_pointer(regs);
}

static inline unsigned long probe_env_argument(struct pt_regs *regs, unsigned int n)
{
#ifdef CONFIG_HAVE_FUNCTION_ARG_ACCESS_API
	return regs_get_kernel_argument(regs, n);
#else
	return 0;
#endif
}

/*
 * Return: the offset in struct pt_regs of the register with the argument @n of a function, negative
 * if it is not in a register
 */
static inline int probe_env_argument_offset(unsigned int n)
{
	unsigned long words[sizeof(struct pt_regs) / sizeof(long)], word;
	unsigned int i;

	/* Numbered registers tell which one the architecture reads. */
	for (i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = i + 1;
	word = probe_env_argument((struct pt_regs *)words, n);

	return word && word <= ARRAY_SIZE(words) ? (word - 1) * sizeof(long) : -1;
}

/* Is @from in user space, if the architecture can tell this from the address? */
static inline bool probe_env_is_user(unsigned long from, bool user)
{
	return user || (IS_ENABLED(CONFIG_ARCH_HAS_NON_OVERLAPPING_ADDRESS_SPACE) &&
			from < TASK_SIZE);
}

/**
 * probe_env_read - copy from an address that may be invalid
 * @to: destination
 * @from: the address
 * @len: number of bytes
 * @user: true if it is a user space address
 *
 * Any context.
 *
 * Return: true if all bytes were copied
 */
static inline bool probe_env_read(void *to, unsigned long from, size_t len, bool user)
{
	if (probe_env_is_user(from, user))
		return !copy_from_user_nofault(to, (void __user *)from, len);

	return !copy_from_kernel_nofault(to, (void *)from, len);
}

/**
 * probe_env_string - copy a string from an address that may be invalid
 * @to: destination
 * @from: the address
 * @size: size of @to in bytes; a longer string is truncated
 * @user: true if it is a user space address
 *
 * Any context.
 *
 * Return: number of copied bytes including the NUL, 0 if the string cannot be read
 */
static inline unsigned int probe_env_string(char *to, unsigned long from, size_t size, bool user)
{
	long len;

	if (!probe_env_is_user(from, user))
		return max(strncpy_from_kernel_nofault(to, (void *)from, size), 0L);

	/* An NMI may have occurred during a switch of the address space. */
	if (!nmi_uaccess_okay())
		return 0;
	len = strncpy_from_user_nofault(to, (void __user *)from, size);
	/* Here the length of an empty string is 0, without its NUL. */
	if (!len)
		return 1;

	return max(len, 0L);
}

/* probe_env_read_sleeping - like probe_env_read() for user space, with page faults allowed */
static inline bool probe_env_read_sleeping(void *to, unsigned long from, size_t len)
{
	return !copy_from_user(to, (void __user *)from, len);
}

/* probe_env_string_sleeping - like probe_env_string() for user space, with page faults allowed */
static inline unsigned int probe_env_string_sleeping(char *to, unsigned long from, size_t size)
{
	long len = strncpy_from_user(to, (void __user *)from, size);

	if (len < 0)
		return 0;
	if (len < size)
		return len + 1;
	/* A truncated string also ends with a 0 byte. */
	to[size - 1] = '\0';

	return size;
}

/* Read the number of @len bytes at @at, which may be unaligned. */
static inline u64 probe_env_number(const void *at, unsigned int len)
{
	switch (len) {
	case 1:
		return *(const u8 *)at;
	case 2:
		return get_unaligned((const u16 *)at);
	case 4:
		return get_unaligned((const u32 *)at);
	default:
		return get_unaligned((const u64 *)at);
	}
}

/* Store the low @len bytes of @value at @at. */
static inline void probe_env_store(void *at, u64 value, unsigned int len)
{
	if (likely(len == 8))
		put_unaligned(value, (u64 *)at);
	else if (len == 4)
		put_unaligned((u32)value, (u32 *)at);
	else if (len == 2)
		put_unaligned((u16)value, (u16 *)at);
	else
		*(u8 *)at = value;
}

/*
 * Names. Replace the address of a structure by the address of the string that is its name;
 * false if it cannot be read.
 */
static inline bool probe_env_dentry_name(unsigned long *address)
{
	const struct dentry *dentry = (void *)*address;

	return !copy_from_kernel_nofault(address, &dentry->d_name.name, sizeof(*address));
}

static inline bool probe_env_file_name(unsigned long *address)
{
	const struct file *file = (void *)*address;

	return !copy_from_kernel_nofault(address, &file->f_path.dentry, sizeof(*address)) &&
	       probe_env_dentry_name(address);
}

/* Symbol of a kernel address, as "symbol+offset/size", or the number if there is no symbol. */
static inline void probe_env_symbol_text(char *text, unsigned long address)
{
	sprint_symbol(text, address);
}

/*
 * Look-up of names.
 */
#define probe_env_symbol(name)		kallsyms_lookup_name(name)

/* Return: the offset of a register in struct pt_regs, or a negative number. */
#define probe_env_register_offset(name)	regs_query_register_offset(name)

#endif /* _TRACE_PROBE_ARG_ENV_H */
