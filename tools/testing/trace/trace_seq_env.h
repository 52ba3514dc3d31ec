/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User space version of the kernel interfaces that trace_seq.c and the kernel's seq_buf.c use.
 * It is included before anything else; the headers that these files include are empty or the
 * kernel's.
 */
#ifndef TRACE_SEQ_ENV_H
#define TRACE_SEQ_ENV_H

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

/* the kernel defines only the one that applies, libc defines both */
#if __BYTE_ORDER == __LITTLE_ENDIAN
#undef __BIG_ENDIAN
#endif

typedef uint8_t u8;
typedef uint32_t u32;

#define __user
#define likely(x)		(x)
#define unlikely(x)		(x)
#define CONFIG_TRACING		1
#define CONFIG_BINARY_PRINTF	1

/* A warning is a failure of the test */
#define WARN_ON(cond)		({ bool _c = (cond); if (_c) abort(); _c; })
#define WARN_ON_ONCE(cond)	WARN_ON(cond)
#define BUILD_BUG_ON(cond)	static_assert(!(cond), #cond)
#define min(a, b)		({ typeof(a) _a = (a); typeof(b) _b = (b); _a < _b ? _a : _b; })

#define IS_ERR(p)		((uintptr_t)(p) >= (uintptr_t)-4095)
#define hex_asc_hi(b)		("0123456789abcdef"[(b) >> 4])
#define hex_asc_lo(b)		("0123456789abcdef"[(b) & 15])

enum { DUMP_PREFIX_NONE, DUMP_PREFIX_ADDRESS, DUMP_PREFIX_OFFSET };

/* Only the name of a file is used */
struct path {
	const char	*name;
};

/* a file that accepts @space bytes of text */
struct seq_file {
	char		*text;
	size_t		space;
};

/* user memory; only the first @user_ok bytes can be written */
extern size_t user_ok;

char *d_path(const struct path *path, char *buf, int size);
char *mangle_path(char *to, const char *from, const char *esc);
int seq_write(struct seq_file *m, const void *data, size_t len);
unsigned long copy_to_user(void *to, const void *from, unsigned long len);
int bstr_printf(char *buf, size_t size, const char *fmt, const u32 *binary);
int hex_dump_to_buffer(const void *buf, size_t len, int rowsize, int groupsize,
		       void *line, size_t size, bool ascii);

#endif
