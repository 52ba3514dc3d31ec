// SPDX-License-Identifier: GPL-2.0
/*
 * A QEMU plugin: counts how often each block of code is executed while the guest is between two
 * of the marks of abi.h. When QEMU exits, it writes a line "<address> <instructions in it>
 * <times>" for each block.
 *
 * Arguments: out=FILE; with boot=on it counts only the code before the first mark. Debian has
 * no package with QEMU's header for plugins; the parts that are used are declared here.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void (*tb_trans_cb)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*exec_cb)(unsigned int cpu, void *data);
typedef void (*exit_cb)(qemu_plugin_id_t id, void *data);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, tb_trans_cb cb);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, exec_cb cb,
					  int flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    exec_cb cb, int flags, void *data);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, exit_cb cb, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb,
						 size_t index);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);

int qemu_plugin_version = 1;

/* A block of code without a jump in it. */
struct block {
	struct block *next;
	uint64_t address;
	uint64_t instructions;
	uint64_t times;
};

#define BUCKETS	65536

static struct block *blocks[BUCKETS];
static const char *out;
static bool counting;
static bool boot;

static struct block *find(uint64_t address, uint64_t instructions)
{
	struct block **bucket = &blocks[address % BUCKETS], *block;

	for (block = *bucket; block; block = block->next)
		if (block->address == address && block->instructions == instructions)
			return block;
	block = calloc(1, sizeof(*block));
	block->address = address;
	block->instructions = instructions;
	block->next = *bucket;
	return *bucket = block;
}

static void on_block(unsigned int cpu, void *data)
{
	struct block *block = data;

	if (counting)
		block->times++;
}

static void on_begin(unsigned int cpu, void *data)
{
	counting = !boot;
}

static void on_end(unsigned int cpu, void *data)
{
	counting = false;
}

/* Returns the mark that an arm64 instruction sets, 0 if it sets none */
static uint32_t movz_mark(const uint8_t *code, size_t size)
{
	uint32_t insn;

	if (size != sizeof(insn))
		return 0;
	memcpy(&insn, code, sizeof(insn));
	if (insn == (uint32_t)BENCH_MARK_MOVZ(BENCH_MARK_BEGIN))
		return BENCH_MARK_BEGIN;
	return insn == (uint32_t)BENCH_MARK_MOVZ(BENCH_MARK_END) ? BENCH_MARK_END : 0;
}

static void on_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	static const uint8_t nop[] = { BENCH_MARK_NOP };
	size_t n = qemu_plugin_tb_n_insns(tb);
	uint32_t mark;

	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, 0,
					     find(qemu_plugin_tb_vaddr(tb), n));
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		const uint8_t *code = qemu_plugin_insn_data(insn);

		if (qemu_plugin_insn_size(insn) == sizeof(nop) + sizeof(mark) &&
		    !memcmp(code, nop, sizeof(nop)))
			memcpy(&mark, code + sizeof(nop), sizeof(mark));
		else
			mark = movz_mark(code, qemu_plugin_insn_size(insn));
		if (mark == BENCH_MARK_BEGIN || mark == BENCH_MARK_END)
			qemu_plugin_register_vcpu_insn_exec_cb(insn,
				mark == BENCH_MARK_BEGIN ? on_begin : on_end, 0, NULL);
	}
}

static void on_exit_of_qemu(qemu_plugin_id_t id, void *data)
{
	FILE *file = fopen(out, "w");

	for (int i = 0; file && i < BUCKETS; i++)
		for (struct block *block = blocks[i]; block; block = block->next)
			if (block->times)
				fprintf(file, "%" PRIx64 " %" PRIu64 " %" PRIu64 "\n",
					block->address, block->instructions,
					block->times);
	if (file)
		fclose(file);
}

int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv);
int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		if (!strncmp(argv[i], "out=", 4))
			out = strdup(argv[i] + 4);
		else if (!strcmp(argv[i], "boot=on"))
			counting = boot = true;
	if (!out)
		return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translated);
	qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
	return 0;
}
