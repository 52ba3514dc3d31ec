/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User space version of the kernel interfaces that kernel/trace/probe/{args,def,fetch,type}.c
 * use.
 *
 * Addresses are addresses of the program: an unmapped address is memory that cannot be read.
 */
#ifndef TEST_PROBE_ENV_H
#define TEST_PROBE_ENV_H

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

#include "lib/env.h"

typedef int64_t s64;

#define noinline

#define BITS_PER_BYTE		8
#define min(a, b)		((a) < (b) ? (a) : (b))
#define READ_ONCE(x)		(x)
#define GENMASK_ULL(high, low)	(~0ULL >> (63 - (high)) & ~0ULL << (low))
#define IS_ENABLED(option)	1
#define PROBE_SYMBOL_LEN	64

/* Registers are called r0 to r7. */
struct pt_regs {
	unsigned long r[8];
};

int kstrtoul(const char *text, unsigned int base, unsigned long *value);
int kstrtol(const char *text, unsigned int base, long *value);
int kstrtouint(const char *text, unsigned int base, unsigned int *value);

static inline bool strstarts(const char *text, const char *begin)
{
	return !strncmp(text, begin, strlen(begin));
}

static inline char *kmemdup_nul(const char *from, size_t len, gfp_t gfp)
{
	char *p = kmalloc(len + 1, gfp);

	if (p) {
		memcpy(p, from, len);
		p[len] = '\0';
	}
	return p;
}

#define kstrdup(text, gfp)	kmemdup_nul(text, strlen(text), gfp)
#define krealloc(p, size, gfp)	kvrealloc(p, size, gfp)
#define krealloc_array(p, n, size, gfp)	kvrealloc(p, (size_t)(n) * (size), gfp)

__attribute__((format(printf, 2, 3)))
static inline char *kasprintf(gfp_t gfp, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return kstrdup(text, gfp);
}

static inline u64 probe_env_number(const void *at, unsigned int len)
{
	u64 number = 0;

	memcpy(&number, at, len);
	return number;
}

static inline void probe_env_store(void *at, u64 value, unsigned int len)
{
	memcpy(at, &value, len);
}

static inline unsigned long probe_env_register(struct pt_regs *regs, long offset)
{
	return regs->r[offset / sizeof(long)];
}

#define probe_env_stack(regs, n)	((regs)->r[(n) % 8])
#define probe_env_stack_pointer(regs)	((unsigned long)(regs)->r)
#define probe_env_argument(regs, n)	((regs)->r[(n) % 8])
#define probe_env_argument_offset(n)	((n) < 2 ? (int)((n) * sizeof(long)) : -1)
#define probe_env_returned(regs)	((regs)->r[0])

unsigned long probe_env_comm(void);
bool probe_env_read(void *to, unsigned long from, size_t len, bool user);
unsigned int probe_env_string(char *to, unsigned long from, size_t size, bool user);
bool probe_env_read_sleeping(void *to, unsigned long from, size_t len);
unsigned int probe_env_string_sleeping(char *to, unsigned long from, size_t size);
unsigned long probe_env_symbol(const char *name);
int probe_env_register_offset(const char *name);

#define probe_env_dentry_name(address)	((void)(address), true)
#define probe_env_file_name(address)	((void)(address), true)
#define probe_env_symbol_text(text, address) \
	snprintf(text, PROBE_SYMBOL_LEN, "symbol+%#lx", address)

#endif
