/* SPDX-License-Identifier: GPL-2.0 */
/*
 * BPF programs by raw system calls: an assembler, maps, programs and links.
 */
#ifndef BPFPROG_H
#define BPFPROG_H

#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_CODE	256
#define COOKIE		0x1234567887654321ULL

/* Values that a program counts: eight bytes each, in the only element of a map. */
enum slot { CALLS, COUNTS, AGAIN, RETURNS, ARGUMENTS, ADDRESS, COOKIES, STACK, NR_SLOTS = 16 };

static const char * const names[] = {
	"calls", "counts", "again", "returns", "arguments", "address", "cookies",
};

static struct bpf_insn code[MOST_CODE];
/* @sleeps: programs that are loaded may sleep */
static int nr_code, map = -1, sleeps;

static inline void fail(const char *what)
{
	printf("%s:%d\n", what, errno);
	exit(1);
}

static inline int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

/*
 * An assembler
 */

static inline void emit(int op, int dst, int src, int off, int imm)
{
	if (nr_code == MOST_CODE) {
		errno = E2BIG;
		fail("emit");
	}
	code[nr_code++] = (struct bpf_insn) {
		.code = op, .dst_reg = dst, .src_reg = src, .off = off, .imm = imm,
	};
}

static inline void set(int dst, int value)
{
	emit(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, value);
}

static inline void move(int dst, int src)
{
	emit(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

static inline void load(int size, int dst, int src, int off)
{
	emit(BPF_LDX | BPF_MEM | size, dst, src, off, 0);
}

static inline void store(int dst, int off, int src)
{
	emit(BPF_STX | BPF_MEM | BPF_DW, dst, src, off, 0);
}

static inline void call(int helper)
{
	emit(BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

static inline void load_map(int dst, int fd)
{
	emit(BPF_LD | BPF_DW | BPF_IMM, dst, BPF_PSEUDO_MAP_FD, 0, fd);
	emit(0, 0, 0, 0, 0);
}

static inline void load_number(int dst, uint64_t value)
{
	emit(BPF_LD | BPF_DW | BPF_IMM, dst, 0, 0, value);
	emit(0, 0, 0, 0, value >> 32);
}

/* Loads the address of the only element of a map. */
static inline void load_element(int dst, int fd)
{
	emit(BPF_LD | BPF_DW | BPF_IMM, dst, BPF_PSEUDO_MAP_VALUE, 0, fd);
	emit(0, 0, 0, 0, 0);
}

/* Loads the address of a slot. */
static inline void load_slot(int dst, enum slot slot)
{
	emit(BPF_LD | BPF_DW | BPF_IMM, dst, BPF_PSEUDO_MAP_VALUE, 0, map);
	emit(0, 0, 0, 0, slot * sizeof(uint64_t));
}

/* Stores a register in a slot. Changes R1. */
static inline void keep(enum slot slot, int src)
{
	load_slot(BPF_REG_1, slot);
	store(BPF_REG_1, 0, src);
}

/* Adds a register to a slot. Changes R1. */
static inline void add(enum slot slot, int src)
{
	load_slot(BPF_REG_1, slot);
	emit(BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_1, src, 0, BPF_ADD);
}

static inline void stack_address(int dst, int off)
{
	move(dst, BPF_REG_10);
	emit(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, off);
}

/* Loads the address of 8 bytes on the stack, which are 0. */
static inline void stack_word(int dst)
{
	emit(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -8, 0);
	stack_address(dst, -8);
}

static inline void leave(int ret)
{
	set(BPF_REG_0, ret);
	emit(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

/* Ends the program unless the register has this value. */
static inline void only_if(int reg, int value, int ret)
{
	emit(BPF_JMP | BPF_JEQ | BPF_K, reg, 0, 2, value);
	leave(ret);
}

/* Begins a program. The context is in R6 from now on. */
static inline void begin(void)
{
	nr_code = 0;
	move(BPF_REG_6, BPF_REG_1);
}

static inline void begin_own_as(enum slot slot, int ret)
{
	begin();
	call(BPF_FUNC_get_current_pid_tgid);
	emit(BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_0, 0, 0, 32);
	only_if(BPF_REG_0, getpid(), ret);
	set(BPF_REG_2, 1);
	add(slot, BPF_REG_2);
}

static inline void begin_own(int ret)
{
	begin_own_as(CALLS, ret);
}

/*
 * Maps, programs and links
 */

static inline int map_create(int type, int value_size, int nr)
{
	union bpf_attr attr = {
		.map_type = type, .key_size = 4, .value_size = value_size, .max_entries = nr,
	};
	int fd = bpf(BPF_MAP_CREATE, &attr);

	if (fd < 0)
		fail("map");
	return fd;
}

static inline void map_set(int fd, uint32_t key, const void *value)
{
	union bpf_attr attr = {
		.map_fd = fd, .key = (uintptr_t)&key, .value = (uintptr_t)value,
	};

	if (bpf(BPF_MAP_UPDATE_ELEM, &attr))
		fail("update");
}

static inline void map_read(uint64_t *slots)
{
	uint32_t key = 0;
	union bpf_attr attr = {
		.map_fd = map, .key = (uintptr_t)&key, .value = (uintptr_t)slots,
	};

	if (bpf(BPF_MAP_LOOKUP_ELEM, &attr))
		fail("read");
}

static inline int try_load(int type, int attach_type, int id)
{
	static char log[65536];
	union bpf_attr attr = {
		.prog_type = type,
		.expected_attach_type = attach_type,
		.attach_btf_id = id,
		.insns = (uintptr_t)code,
		.insn_cnt = nr_code,
		.license = (uintptr_t)"GPL",
		.prog_flags = sleeps || type == BPF_PROG_TYPE_SYSCALL ? BPF_F_SLEEPABLE : 0,
	};
	int fd = bpf(BPF_PROG_LOAD, &attr);

	if (fd < 0 && getenv("BPFOP_LOG")) {
		attr.log_buf = (uintptr_t)log;
		attr.log_size = sizeof(log);
		attr.log_level = 1;
		bpf(BPF_PROG_LOAD, &attr);
		fprintf(stderr, "%s", log);
	}
	return fd;
}

static inline int prog_load(int type, int attach_type, int id)
{
	int fd = try_load(type, attach_type, id);

	if (fd < 0)
		fail("load");
	return fd;
}

/* Older headers have no cookies here. */
static inline int raw_open(int prog, const char *name)
{
	struct {
		uint64_t name;
		uint32_t prog, unused;
		uint64_t cookie;
	} attr = { (uintptr_t)name, prog, 0, COOKIE };

	return syscall(SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr));
}

static inline int link_create(int prog, int target, int attach_type)
{
	union bpf_attr attr = { };

	attr.link_create.prog_fd = prog;
	attr.link_create.target_fd = target;
	attr.link_create.attach_type = attach_type;
	if (attach_type == BPF_PERF_EVENT)
		attr.link_create.perf_event.bpf_cookie = COOKIE;
	else if (attach_type != BPF_TRACE_ITER)
		attr.link_create.tracing.cookie = COOKIE;
	return bpf(BPF_LINK_CREATE, &attr);
}

/*
 * Values that programs have counted
 */

static inline void print_slots(void)
{
	uint64_t slots[NR_SLOTS];
	int i;

	map_read(slots);
	for (i = 0; i < STACK; i++)
		if (i == ADDRESS || i == COOKIES)
			printf("%s %llx\n", names[i], (unsigned long long)slots[i]);
		else
			printf("%s %lld\n", names[i], (long long)slots[i]);
}

#endif
