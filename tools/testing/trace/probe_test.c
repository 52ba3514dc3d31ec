// SPDX-License-Identifier: GPL-2.0
/*
 * Arguments of dynamic events (kernel/trace/probe/): valid and invalid arguments, the values
 * that they fetch, and random arguments and memory.
 */
#include <sys/uio.h>
#include <unistd.h>

#include "probe/arg/probe_args.h"
#include "probe/arg/probe_btf.h"
#include "probe/arg/probe_field.h"
#include "probe/arg/probe_type.h"
#include "probe/arg/probe_def.h"
#include "tap.h"

ENV_VARIABLES;

#define HEAD	16

/* --- environment ------------------------------------------------------------- */

static const char banner[] = "Banner";
static struct pt_regs regs;

static int number(const char *text, unsigned int base, unsigned long long *value)
{
	char *end;

	if (!isdigit(*text))
		return -EINVAL;
	errno = 0;
	*value = strtoull(text, &end, base);
	return *end ? -EINVAL : errno ? -ERANGE : 0;
}

int kstrtoul(const char *text, unsigned int base, unsigned long *value)
{
	unsigned long long n;
	int err = number(text, base, &n);

	if (!err)
		*value = n;
	return err;
}

int kstrtol(const char *text, unsigned int base, long *value)
{
	bool negative = *text == '-';
	unsigned long long n;
	int err = number(text + negative, base, &n);

	if (!err && n > (unsigned long long)LONG_MAX + negative)
		return -ERANGE;
	if (!err)
		*value = negative ? -n : n;
	return err;
}

int kstrtouint(const char *text, unsigned int base, unsigned int *value)
{
	unsigned long long n;
	int err = number(text, base, &n);

	if (!err && n > UINT_MAX)
		return -ERANGE;
	if (!err)
		*value = n;
	return err;
}

unsigned long probe_env_comm(void)
{
	return (unsigned long)"task";
}

unsigned long probe_env_symbol(const char *name)
{
	return strcmp(name, "banner") ? 0 : (unsigned long)banner;
}

int probe_env_register_offset(const char *name)
{
	if (name[0] != 'r' || name[1] < '0' || name[1] > '7' || name[2])
		return -EINVAL;
	return (name[1] - '0') * sizeof(long);
}

/* The entry of the event that probes are attached to */
static struct {
	u8	less;
	int16_t	minus;
	u32	number;
	char	text[8];
	u32	loc;
	u32	rel_loc;
	u64	pointer;
	char	data[16];
} record;

#define FIELD(field, how, sign, text)						\
	{ #field, { .offset = offsetof(typeof(record), field), .size = sizeof(record.field),	\
		    .form = how, .is_signed = sign, .is_string = text } }

static const struct {
	const char		*name;
	struct probe_field	field;
} fields[] = {
	FIELD(less, PROBE_FIELD_NUMBER, false, false),
	FIELD(minus, PROBE_FIELD_NUMBER, true, false),
	FIELD(number, PROBE_FIELD_NUMBER, false, false),
	FIELD(text, PROBE_FIELD_ARRAY, false, true),
	FIELD(loc, PROBE_FIELD_LOC, false, true),
	FIELD(rel_loc, PROBE_FIELD_REL_LOC, false, true),
	FIELD(pointer, PROBE_FIELD_NUMBER, false, true),
};

int probe_field_find(struct probe_field *to, struct trace_event_call *call, const char *name)
{
	unsigned int i;

	(void)call;
	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		if (!strcmp(fields[i].name, name)) {
			*to = fields[i].field;
			return 0;
		}
	}
	return -ENOENT;
}

/* BTF information: a structure; some of its values are arguments of the function */
struct btf_type {
	struct probe_btf_info	info;
	const struct btf_type	*to;
};

struct task {
	struct task	*parent;
	int32_t		pid;
	char		comm[8];
	const char	*path;
	u32		low : 3, mode : 5, sign : 24;
	struct {
		u16	x, y;
	} inner;
	u64		big[2];
};

static const struct btf_type type_void = { { PROBE_BTF_OTHER, false, 0 }, NULL };
static const struct btf_type type_task = { { PROBE_BTF_STRUCT, false, 100 }, NULL };
static const struct btf_type type_inner = { { PROBE_BTF_STRUCT, false, 4 }, NULL };
static const struct btf_type type_wrapped = { { PROBE_BTF_STRUCT, false, 8 }, NULL };
static const struct btf_type type_pair = { { PROBE_BTF_STRUCT, false, 16 }, NULL };
static const struct btf_type type_task_pointer = { { PROBE_BTF_POINTER, false, 8 }, &type_task };
static const struct btf_type type_s32 = { { PROBE_BTF_NUMBER, true, 4 }, NULL };
static const struct btf_type type_u16 = { { PROBE_BTF_NUMBER, false, 2 }, NULL };
static const struct btf_type type_u32 = { { PROBE_BTF_NUMBER, false, 4 }, NULL };
static const struct btf_type type_u64 = { { PROBE_BTF_NUMBER, false, 8 }, NULL };
static const struct btf_type type_chars = { { PROBE_BTF_CHARS, false, 0 }, NULL };
static const struct btf_type type_path = { { PROBE_BTF_CHAR_POINTER, false, 8 }, &type_void };
static const struct btf_type type_array = { { PROBE_BTF_OTHER, false, 0 }, NULL };

#define MEMBER(in, member, of, width, first)					\
	{ &type_##in, #member, { .offset = (first) / 8, .type = { NULL, &type_##of },	\
				 .bits = width, .bit = (first) % 8 } }

static const struct {
	const struct btf_type	*in;
	const char		*name;
	struct probe_btf_member	member;
} members[] = {
	MEMBER(task, parent, task_pointer, 0, offsetof(struct task, parent) * 8),
	MEMBER(task, pid, s32, 0, offsetof(struct task, pid) * 8),
	MEMBER(task, comm, chars, 0, offsetof(struct task, comm) * 8),
	MEMBER(task, path, path, 0, offsetof(struct task, path) * 8),
	MEMBER(task, mode, u32, 5, (offsetof(struct task, inner) - 4) * 8 + 3),
	MEMBER(task, inner, inner, 0, offsetof(struct task, inner) * 8),
	MEMBER(task, big, array, 0, offsetof(struct task, big) * 8),
	MEMBER(inner, y, u16, 0, 16),
};

static const struct {
	const char		*name;
	const struct btf_type	*type;
} params[] = {
	{ "task", &type_task_pointer },
	{ "count", &type_u64 },
	{ "path", &type_path },
	{ "wrapped", &type_wrapped },
	{ "pair", &type_pair },
};

/* All but the pair */
static unsigned int nr_params = ARRAY_SIZE(params) - 1;

static bool is_known;
static const struct btf_type *returned = &type_task_pointer;
static unsigned int nr_btf;

int probe_btf_find(struct probe_btf *to, const char *function, bool is_tracepoint)
{
	static const struct btf_type proto;

	if (!is_known || strcmp(function, "known"))
		return -ENOENT;
	to->btf = (void *)&proto;
	to->proto = &proto;
	nr_btf++;
	return 0;
}

void probe_btf_put(const struct probe_btf *of)
{
	if (of->btf)
		nr_btf--;
}

const char *probe_btf_param_name(const struct probe_btf *of, unsigned int n)
{
	return n < nr_params ? params[n].name : NULL;
}

int probe_btf_param(const struct probe_btf *of, const char *name, struct probe_btf_type *type)
{
	unsigned int n;

	for (n = 0; n < nr_params; n++) {
		if (!strcmp(params[n].name, name)) {
			type->type = params[n].type;
			return n;
		}
	}
	return -ENOENT;
}

void probe_btf_returned(const struct probe_btf *of, struct probe_btf_type *type)
{
	type->type = returned;
}

bool probe_btf_pointee(struct probe_btf_type *type)
{
	if (!type->type->to)
		return false;
	type->type = type->type->to;
	return true;
}

int probe_btf_member(const struct probe_btf_type *type, const char *name,
		     struct probe_btf_member *member)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(members); i++) {
		if (members[i].in == type->type && !strcmp(members[i].name, name)) {
			*member = members[i].member;
			return 0;
		}
	}
	return -ENOENT;
}

struct probe_btf_info probe_btf_info(const struct probe_btf_type *type)
{
	return type->type->info;
}

/* User memory that is faulted in only if the context may sleep */
static unsigned long absent_begin, absent_end;
static unsigned int nr_sleeping;

/* Through a separate buffer, so that the sanitizer sees the write. */
static bool read_memory(void *to, unsigned long from, size_t len)
{
	char copy[PROBE_ENTRY_MAX];
	struct iovec here = { copy, len }, there = { (void *)from, len };

	if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != (ssize_t)len)
		return false;
	memcpy(to, copy, len);
	return true;
}

bool probe_env_read(void *to, unsigned long from, size_t len, bool user)
{
	if (user && from < absent_end && from + len > absent_begin)
		return false;
	return read_memory(to, from, len);
}

bool probe_env_read_sleeping(void *to, unsigned long from, size_t len)
{
	nr_sleeping++;
	return read_memory(to, from, len);
}

unsigned int probe_env_string_sleeping(char *to, unsigned long from, size_t size)
{
	nr_sleeping++;
	return probe_env_string(to, from, size, false);
}

unsigned int probe_env_string(char *to, unsigned long from, size_t size, bool user)
{
	size_t i;

	for (i = 0; i < size; i++) {
		if (!probe_env_read(to + i, from + i, 1, user))
			return 0;
		if (!to[i])
			return i + 1;
	}
	to[size - 1] = '\0';
	return size;
}

/* --- one definition --------------------------------------------------------- */

static struct probe_def def;
static struct probe_args args;
static unsigned char entry[PROBE_ENTRY_MAX];
static unsigned int entry_len;
static unsigned long kept[PROBE_ARGS_MAX];

static void undefine(void)
{
	probe_args_free(&args);
	probe_def_free(&def);
	EXPECT_EQ(env_allocs_live, 0);
	EXPECT_EQ(nr_btf, 0);
}

/* The arguments begin with the first token. */
static int define_at(const char *text, unsigned int flags)
{
	const struct probe_place place = { .flags = flags, .function = "known" };
	int err = probe_def_split(&def, text);

	if (err)
		return err;
	err = probe_args_parse(&args, &def, 0, &place, HEAD);
	if (err)
		undefine();
	return err;
}

static int define(const char *text)
{
	return define_at(text, PROBE_AT_ENTRY);
}

static void hit(unsigned int max_size)
{
	struct probe_source source = { .regs = &regs, .kept = kept, .entry = &record };

	memcpy(kept, regs.r, sizeof(regs.r));
	memset(entry, 0xee, sizeof(entry));
	entry_len = probe_fetch(args.steps, args.nr_steps, &source, entry, args.size, max_size);
}

static u64 value(unsigned int arg, unsigned int nth)
{
	u64 number = 0;

	memcpy(&number, entry + args.arg[arg].offset + nth * args.arg[arg].type->size,
	       args.arg[arg].type->size);
	return number;
}

/* Returns NULL for a string without bytes */
static const char *string(unsigned int arg, unsigned int nth)
{
	u32 loc = value(arg, nth);

	if (!PROBE_LOC_LEN(loc))
		return NULL;
	if (!EXPECT(PROBE_LOC_OFFSET(loc) >= args.size) ||
	    !EXPECT(PROBE_LOC_OFFSET(loc) + PROBE_LOC_LEN(loc) <= entry_len) ||
	    !EXPECT(!entry[PROBE_LOC_OFFSET(loc) + PROBE_LOC_LEN(loc) - 1]))
		return NULL;
	return (const char *)entry + PROBE_LOC_OFFSET(loc);
}

static bool is(const char *text, const char *want)
{
	return text && want && !strcmp(text, want);
}

/* --- tests ------------------------------------------------------------------ */

static void numbers(void)
{
	regs.r[0] = 0x1122334455667788;
	if (!EXPECT(!define("%r0 a=%r0:u8 b=%r0:s16 c=%r0:x32 d=\\-1 e=\\0x10:u16 f=$stack0:char")))
		return;
	EXPECT_EQ(args.nr, 7);
	EXPECT_EQ(args.size, HEAD + 8 + 1 + 2 + 4 + 8 + 2 + 1);
	EXPECT(is(args.arg[0].name, "arg1"));
	EXPECT(is(args.arg[0].c_type, "u64"));
	EXPECT(is(args.arg[2].text, "%r0:s16"));
	hit(args.size);
	EXPECT_EQ(entry_len, args.size);
	EXPECT_EQ(value(0, 0), 0x1122334455667788);
	EXPECT_EQ(value(1, 0), 0x88);
	EXPECT_EQ(value(2, 0), 0x7788);
	EXPECT_EQ(value(3, 0), 0x55667788);
	EXPECT_EQ(value(4, 0), ~0ULL);
	EXPECT_EQ(value(5, 0), 0x10);
	EXPECT_EQ(value(6, 0), 0x88);
	undefine();
}

/* Numbers before and after an argument that is none; $arg4 is not in a register. */
static void mixed(void)
{
	regs.r[0] = 0xfedc;
	regs.r[1] = (unsigned long)"text";
	regs.r[3] = 0x12345;
	if (!EXPECT(!define("a=$arg1:u16 b=$arg4:u16 s=+0($arg2):string c=$arg1:s8 "
			    "d=$arg4:b4@4/32 e=$arg4")))
		return;
	hit(sizeof(entry));
	EXPECT_EQ(value(0, 0), 0xfedc);
	EXPECT_EQ(value(1, 0), 0x2345);
	EXPECT(is(string(2, 0), "text"));
	EXPECT_EQ(value(3, 0), 0xdc);
	EXPECT_EQ(value(4, 0), 4);
	EXPECT_EQ(value(5, 0), 0x12345);
	EXPECT_EQ(entry_len, args.size + sizeof("text"));
	undefine();
}

static void symbols(void)
{
	EXPECT_EQ(define("@none+4"), -EINVAL);
	EXPECT_EQ(define_at("@+4", PROBE_WAITS), -EINVAL);
	if (!EXPECT(!define_at("@none+4:u8 a=@banner+1:string", PROBE_WAITS)))
		return;
	EXPECT_EQ(args.nr_symbols, 2);
	EXPECT(is(args.symbols[0].name, "none"));
	EXPECT_EQ(args.symbols[0].offset, 4);
	hit(sizeof(entry));
	EXPECT_EQ(value(0, 0), 0);
	EXPECT(is(string(1, 0), "anner"));
	args.steps[args.symbols[0].step].arg = (unsigned long)banner + args.symbols[0].offset;
	hit(sizeof(entry));
	EXPECT_EQ(value(0, 0), 'e');
	undefine();
}

static const char memory_text[] =
	"a=+0(+8(%r0)):x32 b=+u0(%r1):x16[4] c=+2(%r1):b4@4/16 d=+0(%r1):b8@8/16[2] e=+0(%r2) "
	"f=+0(+0(%r2)):u8 g=-8(%r0):u8";

static void memory(void)
{
	static unsigned long third = 0xabcdef, second[2] = { 1, (unsigned long)&third };
	static u16 many[4] = { 0x1234, 0x5678, 0x9abc, 0xdef0 };

	regs.r[0] = (unsigned long)second;
	regs.r[1] = (unsigned long)many;
	regs.r[2] = 8;
	if (!EXPECT(!define(memory_text)))
		return;
	hit(args.size);
	EXPECT_EQ(value(0, 0), 0xabcdef);
	EXPECT_EQ(value(1, 0), 0x1234);
	EXPECT_EQ(value(1, 3), 0xdef0);
	EXPECT_EQ(value(2, 0), 7);
	EXPECT_EQ(value(3, 0), 0x12);
	EXPECT_EQ(value(3, 1), 0x56);
	EXPECT_EQ(value(4, 0), 0);
	EXPECT_EQ(value(5, 0), 0);
	undefine();
}

static const char strings_text[] =
	"a=+0(+0(%r0)):string b=+0(%r0):string[4] c=$comm d=@banner:string e=+0(%r1):ustring "
	"f=\\\"text\" g=%r1:symstr h=$comm:string";

static void strings(void)
{
	static const char * const many[] = { "one", "", (const char *)8, "four" };

	regs.r[0] = (unsigned long)many;
	regs.r[1] = 8;
	if (!EXPECT(!define(strings_text)))
		return;
	EXPECT(args.has_strings);
	hit(sizeof(entry));
	EXPECT(is(string(0, 0), "one"));
	EXPECT(is(string(1, 0), "one"));
	EXPECT(is(string(1, 1), ""));
	EXPECT(!string(1, 2));
	EXPECT(is(string(1, 3), "four"));
	EXPECT(is(string(2, 0), "task"));
	EXPECT(is(string(3, 0), "Banner"));
	EXPECT(!string(4, 0));
	EXPECT(is(string(5, 0), "text"));
	EXPECT(is(string(6, 0), "symbol+0x8"));

	/* Space for only a part of it */
	hit(args.size + 2);
	EXPECT(is(string(0, 0), "o"));
	EXPECT(!string(1, 0));
	EXPECT_EQ(entry_len, args.size + 2);
	hit(args.size);
	EXPECT(!string(0, 0));
	undefine();
}

static void returns(void)
{
	regs.r[0] = 5;
	regs.r[2] = 7;
	EXPECT_EQ(define("$retval"), -EINVAL);
	EXPECT_EQ(define_at("$arg1", 0), -EINVAL);
	if (!EXPECT(!define_at("$retval a=$arg3 b=+0($arg2)", PROBE_AT_RETURN)))
		return;
	EXPECT_EQ(args.nr_kept, 3);
	hit(args.size);
	EXPECT_EQ(value(0, 0), 5);
	EXPECT_EQ(value(1, 0), 7);
	undefine();
}

static void tracepoints(void)
{
	regs.r[1] = 6;
	EXPECT_EQ(define_at("$retval", PROBE_AT_ENTRY | PROBE_AT_TRACEPOINT), -EINVAL);
	EXPECT_EQ(define_at("%r0", PROBE_AT_ENTRY | PROBE_NO_REGISTERS), -EINVAL);
	if (!EXPECT(!define_at("$arg1", PROBE_AT_ENTRY | PROBE_AT_TRACEPOINT)))
		return;
	hit(args.size);
	EXPECT_EQ(value(0, 0), 6);
	undefine();
}

static const char fields_text[] =
	"$less a=$minus b=$minus:s32 c=$number:u16 $text d=$text:string e=+4($text):u8[2] $loc "
	"f=$rel_loc g=$pointer h=$pointer:x64 i=+0($pointer):string j=$comm k=$loc:ustring";

static void event_fields(void)
{
	record.less = 200;
	record.minus = -2;
	record.number = 0x12345678;
	strcpy(record.text, "seven77");
	record.loc = PROBE_LOC(offsetof(typeof(record), data), 6);
	/* It is relative to the end of the field. */
	record.rel_loc = PROBE_LOC(offsetof(typeof(record), data) + 3 -
				   offsetof(typeof(record), rel_loc) - sizeof(u32), 3);
	strcpy(record.data, "first");
	record.pointer = (unsigned long)banner;

	EXPECT_EQ(define_at("$none", PROBE_ON_EVENT), -EINVAL);
	EXPECT_EQ(define_at("$arg1", PROBE_ON_EVENT), -EINVAL);
	EXPECT_EQ(define_at("$less:string", PROBE_ON_EVENT), -EINVAL);
	EXPECT_EQ(define_at("$pointer:string[2]", PROBE_ON_EVENT), -EINVAL);
	if (!EXPECT(!define_at(fields_text, PROBE_ON_EVENT)))
		return;
	hit(sizeof(entry));
	EXPECT_EQ(value(0, 0), 200);
	EXPECT_EQ(value(1, 0), -2ULL);
	EXPECT_EQ(value(2, 0), 0xfffffffe);
	EXPECT_EQ(value(3, 0), 0x5678);
	EXPECT(is(string(4, 0), "seven77"));
	EXPECT(is(string(5, 0), "seven77"));
	EXPECT_EQ(value(6, 0), 'n');
	EXPECT_EQ(value(6, 1), '7');
	EXPECT(is(string(7, 0), "first"));
	EXPECT(is(string(8, 0), "st"));
	EXPECT(is(string(9, 0), "Banner"));
	EXPECT_EQ(value(10, 0), (unsigned long)banner);
	EXPECT(is(string(11, 0), "Banner"));
	EXPECT(is(string(12, 0), "task"));
	EXPECT(is(string(13, 0), "first"));
	undefine();
}

/* A string that could not be read has no bytes. Behind the bytes of a field is other data. */
static void field_bounds(void)
{
	strcpy(record.data, "oneother");
	record.loc = PROBE_LOC(offsetof(typeof(record), data), 3);
	record.rel_loc = PROBE_LOC(offsetof(typeof(record), data) -
				   offsetof(typeof(record), rel_loc) - sizeof(u32), 0);

	if (!EXPECT(!define_at("$loc a=+1($loc):string b=+3($loc):string c=+2($loc):u8 "
			       "d=+2($loc):u16 e=-1($loc):u8 $rel_loc f=+0($rel_loc):u8 "
			       "g=$rel_loc:x64 h=+0(+0($loc)):string i=$comm", PROBE_ON_EVENT)))
		return;
	hit(sizeof(entry));
	EXPECT(is(string(0, 0), "one"));
	EXPECT(is(string(1, 0), "ne"));
	EXPECT(!string(2, 0));
	EXPECT_EQ(value(3, 0), 'e');
	EXPECT_EQ(value(4, 0), 0);
	EXPECT_EQ(value(5, 0), 0);
	EXPECT(!string(6, 0));
	EXPECT_EQ(value(7, 0), 0);
	EXPECT_EQ(value(8, 0), 0);
	EXPECT(!string(9, 0));
	EXPECT(is(string(10, 0), "task"));
	undefine();
}

static const char known_text[] =
	"task count a=task->pid b=task->parent->pid:u16 c=task->comm d=task->comm:string "
	"e=task->path:string f=path:string g=task->mode h=task->inner.y task->pid i=path "
	"j=task->parent->parent->comm k=task->mode:x32";

static struct task *make_tasks(void)
{
	static struct task parent = { .pid = -7, .comm = "parent" };
	static struct task task = { .parent = &parent, .pid = 5, .comm = "child", .path = "/here",
				    .low = 7, .mode = 21, .sign = 0xffffff,
				    .inner = { 1, 0x1234 } };

	return &task;
}

static void known(void)
{
	regs.r[0] = (unsigned long)make_tasks();
	regs.r[1] = 12;
	regs.r[2] = (unsigned long)banner;
	EXPECT_EQ(define("count"), -EINVAL);
	is_known = true;
	EXPECT_EQ(define_at("count", 0), -EINVAL);
	if (!EXPECT(!define(known_text)))
		return;
	hit(sizeof(entry));
	EXPECT(is(args.arg[0].name, "task") && is(args.arg[0].type->name, "x64"));
	EXPECT_EQ(value(0, 0), regs.r[0]);
	EXPECT(is(args.arg[1].name, "count") && is(args.arg[1].type->name, "u64"));
	EXPECT_EQ(value(1, 0), 12);
	EXPECT(is(args.arg[2].type->name, "s32"));
	EXPECT_EQ(value(2, 0), 5);
	EXPECT_EQ(value(3, 0), 0xfff9);
	EXPECT(is(string(4, 0), "child"));
	EXPECT(is(string(5, 0), "child"));
	EXPECT(is(string(6, 0), "/here"));
	EXPECT(is(string(7, 0), "Banner"));
	EXPECT(is(args.arg[8].type->name, "u32"));
	EXPECT_EQ(value(8, 0), 21);
	EXPECT_EQ(value(9, 0), 0x1234);
	EXPECT(is(args.arg[10].name, "pid") && is(args.arg[10].text, "task->pid"));
	EXPECT_EQ(value(10, 0), 5);
	EXPECT_EQ(value(11, 0), regs.r[2]);
	EXPECT(!string(12, 0));
	EXPECT_EQ(value(13, 0), 21);
	undefine();
}

static void known_returns(void)
{
	regs.r[0] = (unsigned long)make_tasks();
	regs.r[1] = 3;
	is_known = true;
	if (!EXPECT(!define_at("$retval $retval->pid c=count", PROBE_AT_RETURN)))
		return;
	EXPECT_EQ(args.nr_kept, 2);
	EXPECT(is(args.arg[0].name, "arg1") && is(args.arg[1].name, "pid"));
	hit(args.size);
	EXPECT_EQ(value(0, 0), regs.r[0]);
	EXPECT_EQ(value(1, 0), 5);
	EXPECT_EQ(value(2, 0), 3);
	undefine();
	returned = &type_void;
	EXPECT_EQ(define_at("$retval", PROBE_AT_RETURN), -EINVAL);
	EXPECT_EQ(define_at("$retval:u8", PROBE_AT_RETURN), -EINVAL);
	returned = &type_task_pointer;
	EXPECT_EQ(define_at("$retval:string", PROBE_AT_RETURN), -EINVAL);
	returned = &type_path;
	if (!EXPECT(!define_at("$retval:string $retval:x16", PROBE_AT_RETURN)))
		return;
	regs.r[0] = (unsigned long)banner;
	hit(sizeof(entry));
	EXPECT(is(string(0, 0), "Banner"));
	EXPECT_EQ(value(1, 0), (unsigned long)banner & 0xffff);
	undefine();
	returned = &type_task_pointer;
	is_known = false;
	EXPECT_EQ(define_at("$retval:u8", PROBE_AT_RETURN), 0);
	undefine();
	EXPECT_EQ(define_at("$retval->pid", PROBE_AT_RETURN), -EINVAL);
	EXPECT_EQ(define_at("$retval", PROBE_AT_RETURN), 0);
	undefine();
}

static void all_params(void)
{
	is_known = true;
	if (!EXPECT(!define("$arg* n=task->pid")))
		return;
	EXPECT_EQ(args.nr, 5);
	EXPECT(is(args.arg[2].name, "path") && is(args.arg[2].text, "path"));
	EXPECT(is(args.arg[3].name, "wrapped") && is(args.arg[3].type->name, "x64"));
	EXPECT(is(args.arg[4].name, "n"));
	regs.r[0] = (unsigned long)make_tasks();
	regs.r[3] = 0x1234;
	hit(args.size);
	EXPECT_EQ(value(3, 0), 0x1234);
	undefine();
	/* It is in two registers, if in any. */
	nr_params = ARRAY_SIZE(params);
	EXPECT_EQ(define("$arg*"), -EINVAL);
	EXPECT_EQ(define("pair"), -EINVAL);
	nr_params--;
	EXPECT_EQ(define("count $arg*"), -EINVAL);
	is_known = false;
	EXPECT_EQ(define("$arg*"), -EINVAL);
}

/* In programs */

static const u16 in_file[] = { 0x1122, 0x3344 };

static unsigned long in_memory(const struct probe_source_user *user, unsigned long offset)
{
	(void)user;
	return offset < sizeof(in_file) ? (unsigned long)in_file + offset : 0;
}

static bool hit_user(bool sleeps)
{
	struct probe_source_user user = { .mapped = in_memory, .sleeps = sleeps };
	struct probe_source source = {
		.regs = &regs, .kept = kept, .entry = &record, .user = &user,
	};

	entry_len = probe_fetch(args.steps, args.nr_steps, &source, entry, args.size,
				sizeof(entry));
	return user.absent;
}

static const char user_text[] =
	"a=+0(%r0):u16 b=+u2(%r0):u16 c=$stack1 d=@+2:u16 e=+0(%r1):string f=$comm g=@+9:u16 "
	"h=%r2:u8";

static void users(void)
{
	static const char text[] = "text";
	static u16 many[2] = { 0x1234, 0x5678 };

	EXPECT_EQ(define_at("$arg1", PROBE_AT_USER), -EINVAL);
	EXPECT_EQ(define_at("@banner", PROBE_AT_USER), -EINVAL);
	EXPECT_EQ(define_at("%r0:%pd", PROBE_AT_USER), -EINVAL);
	EXPECT_EQ(define_at("@+x", PROBE_AT_USER), -EINVAL);
	EXPECT_EQ(define("@+2"), -EINVAL);
	if (!EXPECT(!define_at("%r0", PROBE_AT_USER)))
		return;
	EXPECT(!args.reads_user);
	undefine();
	if (!EXPECT(!define_at("+0(%r0)", PROBE_AT_USER)))
		return;
	EXPECT(args.reads_user);
	undefine();

	regs.r[0] = (unsigned long)many;
	regs.r[1] = (unsigned long)text;
	regs.r[2] = 9;
	if (!EXPECT(!define_at(user_text, PROBE_AT_USER)))
		return;
	absent_begin = (unsigned long)&many[1];
	absent_end = (unsigned long)&many[2];
	nr_sleeping = 0;
	EXPECT(hit_user(false));
	EXPECT_EQ(nr_sleeping, 0);
	EXPECT_EQ(value(0, 0), 0x1234);
	EXPECT_EQ(value(1, 0), 0);
	EXPECT_EQ(value(2, 0), (unsigned long)text);
	EXPECT_EQ(value(3, 0), 0);
	EXPECT(is(string(4, 0), "text"));
	EXPECT(!hit_user(true));
	EXPECT_EQ(nr_sleeping, 5);
	EXPECT_EQ(value(1, 0), 0x5678);
	EXPECT_EQ(value(2, 0), (unsigned long)text);
	EXPECT_EQ(value(3, 0), 0x3344);
	EXPECT(is(string(4, 0), "text"));
	EXPECT(is(string(5, 0), "task"));
	EXPECT_EQ(value(6, 0), 0);
	EXPECT_EQ(value(7, 0), 9);
	absent_begin = 0;
	absent_end = 0;
	undefine();
}

/* A caret precedes the first invalid character */
static const char * const wrong[] = {
	"^", "^x", "$^x", "$^arg0", "$^arg129", "$^stackx", "%^r8", "%^", "@^none", "@banner^+",
	"@^0x", "\\^", "\\^x", "\\\"a^", "+^(%r0)", "+8(%r0^", "+8^", "+^8x(%r0)", "+8(^$comm)",
	"+8(^)", "a=^", "^9=%r0", "^=%r0", "^a-b=%r0", "^common_pid=%r0", "a=%r0 ^a=%r0",
	"%r0:^", "%r0:^u9", "%r0:^string", "%r0:^u8[1]", "+0(%r0):u8[^]", "+0(%r0):u8[^0]",
	"+0(%r0):u8[^65]", "+0(%r0):u8[1^", "%r0:^b", "%r0:b^0@0/8", "%r0:b^4@5/8", "%r0:b^4@0/7",
	"%r0:b^4@0", "$comm:^u8", "$comm:^string[2]", "%r0:^symstr[2]", "+0(^\\\"a\")",
};

/* The same, if the function is known */
static const char * const known_wrong[] = {
	"^none", "^taskx->pid", "task->^none", "task->^", "task.^pid",
	"count->^x", "task->pid.^x", "task->comm->^x", "task^-x", "task->inner:^string",
	"task->pid:^string", "^task->inner", "^task->big", "task->mode:^u8", "task->mode:^string",
	"task ^task", "task->pid ^task->pid", "$^arg*x",
};

static void expect_refused(const char *marked)
{
	const char *caret = strchr(marked, '^');
	size_t at = caret - marked;
	char text[64];

	snprintf(text, sizeof(text), "%.*s%s", (int)at, marked, caret + 1);
	if (!*text)
		return;
	if (!EXPECT_EQ(define(text), -EINVAL) || !EXPECT(def.what) || !EXPECT_EQ(def.at, at))
		printf("# %s: %s at %zu\n", text, def.what, def.at);
}

static void mistakes(void)
{
	unsigned int i;

	is_known = false;
	for (i = 0; i < ARRAY_SIZE(wrong); i++)
		expect_refused(wrong[i]);
	is_known = true;
	for (i = 0; i < ARRAY_SIZE(known_wrong); i++)
		expect_refused(known_wrong[i]);
}

/* The limits of nested dereferences, and of text, are exact. */
static void limits(void)
{
	char text[32 * 1024];
	unsigned int i, depth;
	int err;

	for (depth = 1; depth < 40; depth++) {
		*text = '\0';
		for (i = 0; i < depth; i++)
			strcat(text, "+8(");
		strcat(text, "%r0");
		for (i = 0; i < depth; i++)
			strcat(text, ")");
		err = define(text);
		EXPECT_EQ(err, depth > 32 ? -EINVAL : 0);
		if (!err)
			undefine();
	}

	for (i = 0, *text = '\0'; i < 129; i++)
		strcat(text, "%r0:u8 ");
	EXPECT_EQ(define(text), -E2BIG);
	text[strlen(text) - strlen("%r0:u8 ")] = '\0';
	EXPECT_EQ(define(text), 0);
	undefine();
	for (i = 0, *text = '\0'; i < 128; i++)
		strcat(text, "+0(%r0):u64[64] ");
	EXPECT_EQ(define(text), -E2BIG);
}

static void without_memory(void)
{
	const char *text = "a=+0(+8(%r0)):x16[4] b=+0(%r1):string[20] c=\\\"t\" +0(%r0):b4@0/8[9]";
	long after;
	int err;

	for (after = 0, err = -ENOMEM; err == -ENOMEM && after < 100; after++) {
		env_fail_alloc(after);
		err = define(text);
		EXPECT_EQ(env_allocs_live == 0, err != 0);
	}
	env_fail_alloc(-1);
	EXPECT_EQ(err, 0);
	EXPECT(after > 10);
	undefine();
}

/* xorshift64 */
static u64 state;

static unsigned int any(unsigned int below)
{
	if (!state)
		state = tap_seed();
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state * 2685821657736338717ull >> 32) % below;
}

static const char * const pieces[] = {
	"%r0", "%r1", "$arg1", "$stack", "$stack2", "$comm", "$retval", "@banner", "@0x10", "\\1",
	"\\-5", "\\\"t\"", "+0(", "+u8(", "-16(", ")", ")", ":", "u8", "x64", "string", "ustring",
	"symstr", "symbol", "char", "%pd", "%pD", "b4@0/8", "b", "@+1", "[", "]", "4", "64", "a", "=",
	" ", " ", "\t", "9", "+", "-", "$", "%", "@", "\\", "\"", "/", "s16", "0x", "$less", "$text",
	"$loc", "$pointer", "task", "count", "path", "->", ".", "pid", "inner", "mode", "comm",
	"$arg*",
};

static const unsigned int flags[] = {
	0, PROBE_AT_ENTRY, PROBE_AT_RETURN, PROBE_AT_ENTRY | PROBE_AT_TRACEPOINT, PROBE_ON_EVENT,
	PROBE_AT_USER, PROBE_AT_RETURN | PROBE_AT_USER,
};

static void random_tokens(void)
{
	static unsigned long memory[64];
	unsigned int round, i, good = 0;
	char text[512];
	int err;

	for (i = 0; i < ARRAY_SIZE(memory); i++)
		memory[i] = any(2) ? (unsigned long)&memory[any(64)] : any(256);
	for (round = 0; round < 200000; round++) {
		*text = '\0';
		for (i = any(20) + 1; i; i--)
			strcat(text, pieces[any(ARRAY_SIZE(pieces))]);
		for (i = 0; i < 8; i++)
			regs.r[i] = any(4) ? (unsigned long)&memory[any(64)] : any(~0u);
		def.what = NULL;
		is_known = any(2);
		err = define_at(text, flags[any(ARRAY_SIZE(flags))]);
		if (err) {
			if (!EXPECT(err != -EINVAL || def.what) ||
			    !EXPECT(def.at <= strlen(text)))
				printf("# %s\n", text);
			continue;
		}
		good++;
		if (any(2))
			hit(args.size + any(sizeof(entry) - args.size + 1));
		else
			hit_user(any(2));
		EXPECT(entry_len >= args.size && entry_len <= sizeof(entry));
		for (i = 0; i < args.nr; i++) {
			if (probe_argtype_is_string(args.arg[i].type))
				string(i, 0);
		}
		undefine();
	}
	EXPECT(good > 1000);
}

static const struct tap_case cases[] = {
	TAP_CASE(numbers),
	TAP_CASE(mixed),
	TAP_CASE(symbols),
	TAP_CASE(memory),
	TAP_CASE(strings),
	TAP_CASE(returns),
	TAP_CASE(tracepoints),
	TAP_CASE(event_fields),
	TAP_CASE(field_bounds),
	TAP_CASE(known),
	TAP_CASE(known_returns),
	TAP_CASE(all_params),
	TAP_CASE(users),
	TAP_CASE(mistakes),
	TAP_CASE(limits),
	TAP_CASE(without_memory),
	TAP_CASE(random_tokens),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
