// SPDX-License-Identifier: GPL-2.0
/*
 * Entries of an earlier boot: entries that can be printed are kept, with relocated addresses,
 * and whatever the bytes are, nothing outside them is accessed.
 */
#include "ring/persist.h"
#include "instance/core/entries.h"
#include "instance/core/last_boot.h"
#include "tap.h"

static const struct ring_persist_kernel was = { .text = 0x1000000, .text_size = 0x100000 };
static const struct ring_persist_kernel is = { .text = 0x5000000, .text_size = 0x100000 };

#define OLD(n)	(0x1000000UL + (n))
#define NEW(n)	(0x5000000UL + (n))

/* Returns an entry of exact size, so that the sanitizer detects reads beyond it. */
static void *entry_of(enum trace_type type, size_t size)
{
	struct trace_entry *entry = calloc(1, size);

	entry->type = type;
	return entry;
}

static bool keep(void *entry, size_t size)
{
	return trace_saved_entry(entry, size, &was, &is);
}

static void calls(void)
{
	struct ftrace_entry *call = entry_of(TRACE_FN, sizeof(*call));
	struct func_repeats_entry *repeats = entry_of(TRACE_FUNC_REPEATS, sizeof(*repeats));

	call->ip = OLD(0);
	call->parent_ip = OLD(0xfffff);
	EXPECT(keep(call, sizeof(*call)));
	EXPECT_EQ(call->ip, NEW(0));
	EXPECT_EQ(call->parent_ip, NEW(0xfffff));

	/* Just outside the text. */
	call->ip = OLD(-1);
	call->parent_ip = OLD(0x100000);
	EXPECT(keep(call, sizeof(*call)));
	EXPECT_EQ(call->ip, OLD(-1));
	EXPECT_EQ(call->parent_ip, OLD(0x100000));
	EXPECT(!keep(call, sizeof(*call) - 4));

	repeats->ip = OLD(5);
	repeats->count = 7;
	EXPECT(keep(repeats, sizeof(*repeats)));
	EXPECT_EQ(repeats->ip, NEW(5));
	EXPECT_EQ(repeats->count, 7);
	EXPECT(!keep(repeats, sizeof(*repeats) - 4));
	free(repeats);
	free(call);
}

static void graphs(void)
{
	struct graph_retaddr_entry *call = entry_of(TRACE_GRAPH_RETADDR_ENT, sizeof(*call));
	struct graph_ret_entry *ret = entry_of(TRACE_GRAPH_RET, sizeof(*ret));

	call->graph_ent.func = OLD(3);
	call->graph_ent.depth = 2;
	call->retaddr = OLD(4);
	EXPECT(!keep(call, sizeof(*call) - 4));
	EXPECT_EQ(call->graph_ent.func, OLD(3));
	EXPECT(keep(call, sizeof(*call)));
	EXPECT_EQ(call->graph_ent.func, NEW(3));
	EXPECT_EQ(call->graph_ent.depth, 2);
	EXPECT_EQ(call->retaddr, NEW(4));

	call->ent.type = TRACE_GRAPH_ENT;
	call->graph_ent.func = OLD(5);
	call->retaddr = OLD(6);
	EXPECT(!keep(call, sizeof(struct graph_ent_entry) - 4));
	EXPECT(keep(call, sizeof(struct graph_ent_entry)));
	EXPECT_EQ(call->graph_ent.func, NEW(5));
	EXPECT_EQ(call->retaddr, OLD(6));

	ret->ret.func = OLD(7);
	EXPECT(!keep(ret, sizeof(*ret) - 4));
	EXPECT(keep(ret, sizeof(*ret)));
	EXPECT_EQ(ret->ret.func, NEW(7));
	free(ret);
	free(call);
}

/* Events keep their types, which tools use. Types after the end belong to modules. */
static void events(void)
{
	struct trace_entry *entry = entry_of(TRACE_TYPE_FIXED, sizeof(*entry));

	EXPECT(!keep(entry, sizeof(*entry)));
	trace_saved_events(100);
	EXPECT(keep(entry, sizeof(*entry)));
	EXPECT_EQ(entry->type, TRACE_TYPE_FIXED);
	entry->type = 99;
	EXPECT(keep(entry, sizeof(*entry)));
	EXPECT_EQ(entry->type, 99);
	entry->type = 100;
	EXPECT(!keep(entry, sizeof(*entry)));
	trace_saved_events(TRACE_TYPE_FIXED);
	free(entry);
}

static void stacks(void)
{
	size_t size = sizeof(struct stack_entry) + 3 * sizeof(long);
	struct stack_entry *stack = entry_of(TRACE_STACK, size);
	int i;

	stack->size = 2;
	for (i = 0; i < 3; i++)
		stack->caller[i] = OLD(i);
	EXPECT(keep(stack, size));
	EXPECT_EQ(stack->caller[0], NEW(0));
	EXPECT_EQ(stack->caller[1], NEW(1));
	EXPECT_EQ(stack->caller[2], OLD(2));
	stack->size = 3;
	EXPECT(keep(stack, size));
	stack->size = 4;
	EXPECT(!keep(stack, size));
	stack->size = -1;
	EXPECT(!keep(stack, size));
	EXPECT(!keep(stack, sizeof(*stack) - 4));
	free(stack);
}

static void texts(void)
{
	size_t size = sizeof(struct print_entry) + 4;
	struct print_entry *print = entry_of(TRACE_PRINT, size);

	print->ip = OLD(1);
	memcpy(print->buf, "abc", 4);
	EXPECT(keep(print, size));
	EXPECT_EQ(print->ip, NEW(1));
	print->buf[3] = 'd';
	EXPECT(!keep(print, size));
	EXPECT(!keep(print, sizeof(*print)));
	free(print);
}

/* The names of a branch end inside them. */
static void branches(void)
{
	struct trace_branch *branch = entry_of(TRACE_BRANCH, sizeof(*branch));

	memset(branch->func, 'f', TRACE_FUNC_SIZE);
	memset(branch->file, 'c', TRACE_FILE_SIZE);
	EXPECT(keep(branch, sizeof(*branch)));
	EXPECT(!keep(branch, sizeof(*branch) - 4));
	branch->func[TRACE_FUNC_SIZE] = 'f';
	EXPECT(!keep(branch, sizeof(*branch)));
	branch->func[TRACE_FUNC_SIZE] = '\0';
	branch->file[TRACE_FILE_SIZE] = 'c';
	EXPECT(!keep(branch, sizeof(*branch)));
	free(branch);
}

/* Entries that refer to text elsewhere, and types that are registered at run time. */
static void others(void)
{
	struct trace_entry *entry = entry_of(0, 200);
	int type;

	for (type = 0; type < 70000; type += type < 30 ? 1 : 997) {
		entry->type = type;
		switch (entry->type) {
		case TRACE_FN:
		case TRACE_FUNC_REPEATS:
		case TRACE_STACK:
		case TRACE_PRINT:
		case TRACE_USER_STACK:
		case TRACE_RAW_DATA:
		case TRACE_GRAPH_ENT:
		case TRACE_GRAPH_RET:
		case TRACE_GRAPH_RETADDR_ENT:
		case TRACE_CTX:
		case TRACE_WAKE:
		case TRACE_BRANCH:
		case TRACE_HWLAT:
		case TRACE_OSNOISE:
		case TRACE_TIMERLAT:
			EXPECT(keep(entry, 200));
			break;
		default:
			EXPECT(!keep(entry, 200));
		}
	}
	EXPECT(!keep(entry, 4));
	free(entry);
}

static void noise(void)
{
	struct trace_entry *entry;
	unsigned int rounds;
	size_t size, i;

	srandom(tap_seed());
	for (rounds = 0; rounds < 200000; rounds++) {
		size = random() % 40 * 4;
		entry = malloc(size ?: 1);
		for (i = 0; i < size; i++)
			((u8 *)entry)[i] = random() % 3 ? 0 : random();
		if (size >= 2)
			entry->type = random() % TRACE_TYPE_FIXED;
		keep(entry, size);
		free(entry);
	}
}

static const struct tap_case cases[] = {
	TAP_CASE(calls),
	TAP_CASE(graphs),
	TAP_CASE(events),
	TAP_CASE(stacks),
	TAP_CASE(texts),
	TAP_CASE(branches),
	TAP_CASE(others),
	TAP_CASE(noise),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
