// SPDX-License-Identifier: GPL-2.0
/*
 * Filters of events (kernel/trace/event/filter/predicate.c): valid and invalid texts, and
 * random filters of random entries against a simple recursive evaluation.
 */
#include "event/filter/predicate_match.h"
#include "event/filter/predicate.h"
#include "event/core/fields.h"
#include "tap.h"

ENV_VARIABLES;

/* --- environment ------------------------------------------------------------- */

char env_comm[TASK_COMM_LEN] = "bash";
unsigned int env_cpu = 3;

/* xorshift64 */
static u64 state;

static u64 random64(void)
{
	if (!state)
		state = tap_seed();
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 2685821657736338717ull;
}

static unsigned int any(unsigned int below)
{
	return (random64() >> 32) % below;
}

static int parse(const char *text, unsigned int base, unsigned long long *value)
{
	char *end;

	if (!isdigit(*text))
		return -EINVAL;
	errno = 0;
	*value = strtoull(text, &end, base);
	return *end ? -EINVAL : errno ? -ERANGE : 0;
}

int kstrtou64(const char *text, unsigned int base, u64 *value)
{
	unsigned long long number;
	int err = parse(text, base, &number);

	if (!err)
		*value = number;
	return err;
}

int kstrtos64(const char *text, unsigned int base, s64 *value)
{
	bool negative = *text == '-';
	unsigned long long number;
	int err = parse(text + negative, base, &number);

	if (!err && number > INT64_MAX + (unsigned long long)negative)
		err = -ERANGE;
	if (!err)
		*value = negative ? -number : number;
	return err;
}

int cpulist_parse(const char *list, struct cpumask *mask)
{
	while (*list) {
		char *end;
		unsigned long first, last;

		if (!isdigit(*list))
			return -EINVAL;
		first = strtoul(list, &end, 10);
		last = first;
		if (*end == '-') {
			if (!isdigit(end[1]))
				return -EINVAL;
			last = strtoul(end + 1, &end, 10);
		}
		if (last < first)
			return -EINVAL;
		if (last >= ENV_CPUS)
			return -ERANGE;
		for (; first <= last; first++)
			mask->bits[first / 64] |= 1UL << (first % 64);
		if (*end && *end != ',')
			return -EINVAL;
		list = *end ? end + 1 : end;
	}
	return 0;
}

#define FUNCTION_START	0xffffffff81000100ul
#define FUNCTION_SIZE	0x40ul

bool event_env_function(const char *name, unsigned long *start, unsigned long *size)
{
	if (name ? strcmp(name, "vfs_read.cold") :
		   *start - FUNCTION_START >= FUNCTION_SIZE)
		return false;

	*start = FUNCTION_START;
	*size = FUNCTION_SIZE;
	return true;
}

/* Strings that pointers may point to: kernel memory below, user memory above. */
static char kernel_text[64] = "kernel text", user_text[2048] = "user text";

/* Called in the middle of reading a string. */
static void (*interrupt)(void);

bool event_env_string(char *text, unsigned long from, size_t size, bool user)
{
	const char *source = user ? user_text : kernel_text;

	if (from != (unsigned long)source)
		return false;
	snprintf(text, size, "%s", source);
	if (interrupt)
		interrupt();
	return true;
}

/* --- an event --------------------------------------------------------------- */

#define DATA	24

struct entry {
	u32	pid;
	u8	u8;
	s8	s8;
	u16	u16;
	s16	s16;
	u32	u32;
	s32	s32;
	u64	u64;
	s64	s64;
	char	name[8];
	u32	dyn;
	u32	rel;
	u64	ptr;
	u64	uptr;
	u32	mask;
	u64	low_mask;
	u16	array[4];
	char	data[DATA];
} __packed;

#define FIELD(member, text, filter, sign, elements) {			\
	.name = #member, .type = text, .filter_type = filter,		\
	.offset = offsetof(struct entry, member),			\
	.size = sizeof(((struct entry *)0)->member), .is_signed = sign,	\
	.len = elements,						\
}

static const struct ftrace_event_field fields[] = {
	FIELD(pid, "int", FILTER_OTHER, true, 0),
	FIELD(u8, "u8", FILTER_OTHER, false, 0),
	FIELD(s8, "s8", FILTER_OTHER, true, 0),
	FIELD(u16, "u16", FILTER_OTHER, false, 0),
	FIELD(s16, "s16", FILTER_OTHER, true, 0),
	FIELD(u32, "u32", FILTER_OTHER, false, 0),
	FIELD(s32, "s32", FILTER_OTHER, true, 0),
	FIELD(u64, "u64", FILTER_OTHER, false, 0),
	FIELD(s64, "s64", FILTER_OTHER, true, 0),
	FIELD(name, "char[8]", FILTER_STATIC_STRING, false, 8),
	FIELD(dyn, "__data_loc char[]", FILTER_DYN_STRING, false, 0),
	FIELD(rel, "__rel_loc char[]", FILTER_RDYN_STRING, false, 0),
	FIELD(ptr, "const char *", FILTER_PTR_STRING, false, 0),
	FIELD(uptr, "const char *", FILTER_OTHER, false, 0),
	FIELD(mask, "__data_loc cpumask_t", FILTER_CPUMASK, false, 0),
	FIELD(low_mask, "cpumask_t", FILTER_CPUMASK, false, 0),
	FIELD(array, "u16[4]", FILTER_OTHER, false, 4),
	{ .name = "rest", .type = "char[]", .filter_type = FILTER_STATIC_STRING,
	  .offset = offsetof(struct entry, data) },
	{ .name = "bytes", .type = "__data_loc u8[]", .filter_type = FILTER_OTHER, .size = 4 },
	{ .name = "stack", .type = "__data_loc u64[]", .filter_type = FILTER_STACKTRACE,
	  .size = 4 },
	{ .name = "ip", .type = "unsigned long", .filter_type = FILTER_TRACE_FN, .size = 8 },
	{ .name = "far", .type = "int", .filter_type = FILTER_OTHER, .size = 4,
	  .offset = 70000 },
};

static const struct ftrace_event_field *find(const void *data, const char *name)
{
	unsigned int i;

	EXPECT(data == fields);
	for (i = 0; i < TAP_NUM(fields); i++)
		if (!strcmp(fields[i].name, name))
			return &fields[i];
	return NULL;
}

/* allocation of the fields fails */
static const struct ftrace_event_field *find_without_memory(const void *data, const char *name)
{
	return ERR_PTR(-ENOMEM);
}

static u32 place(size_t offset, size_t len)
{
	return offset | len << 16;
}

static struct entry sample(void)
{
	struct entry entry = {
		.pid = 100, .u8 = 200, .s8 = -5, .u16 = 60000, .s16 = -300, .u32 = 4000000000u,
		.s32 = -70000, .u64 = 0xffffffff81000120ull, .s64 = -1, .name = "12345678",
		.dyn = place(offsetof(struct entry, data), 6),
		.rel = place(offsetof(struct entry, data) + 6 -
			     offsetof(struct entry, rel) - sizeof(u32), 4),
		.ptr = (unsigned long)kernel_text, .uptr = (unsigned long)user_text,
		.mask = place(offsetof(struct entry, data) + 12, 9),
		.low_mask = 1ull << 5, .array = { 1, 2, 3, 4 },
	};

	memcpy(entry.data, "hello\0rel\0??", 12);
	/* CPUs 1, 65 */
	entry.data[12] = 2;
	entry.data[20] = 2;
	return entry;
}

/* Compile a text whose size is exact, so that reads beyond it are detected. */
static struct event_filter *compile(const char *text, struct trace_filter_error *error)
{
	char *exact = strdup(text);
	struct event_filter *filter = trace_filter_compile(exact, find, fields, error);

	free(exact);
	return filter;
}

/* Match a copy of an entry whose size is exact. */
static bool match(const struct event_filter *filter, const struct entry *entry, size_t len)
{
	void *exact = memcpy(malloc(len ?: 1), entry, len);
	bool ret = trace_filter_match(filter, exact, len);

	free(exact);
	return ret;
}

/* --- valid texts ------------------------------------------------------------ */

static const struct {
	const char	*text;
	bool		match;
} right[] = {
	/* numbers of all sizes */
	{ "pid == 100", true },			{ "pid != 100", false },
	{ "pid==100", true },			{ "pid == 0x64", true },
	{ "pid == 0144", true },		{ "  pid  ==  100\n  ", true },
	{ "pid < 100", false },			{ "pid <= 100", true },
	{ "pid > 100", false },			{ "pid >= 100", true },
	{ "pid > -1", true },			{ "pid < -1", false },
	{ "pid & 4", true },			{ "pid & 3", false },
	{ "pid&4", true },			{ "!pid & 4", false },
	{ "u8 == 200", true },			{ "u8 > 199", true },
	{ "s8 == -5", true },			{ "s8 < 0", true },
	{ "s8 > -6", true },			{ "s8 >= -4", false },
	{ "s8 == 0xfb", true },			{ "s8 & 0x80", true },
	{ "s8 & 0x100", false },		{ "u8 & 0x100", false },
	{ "u16 == 60000", true },		{ "u16 < 60000", false },
	{ "s16 == -300", true },		{ "s16 <= -300", true },
	{ "u32 == 4000000000", true },		{ "u32 > 3999999999", true },
	{ "s32 == -70000", true },		{ "s32 < -69999", true },
	{ "u64 == 0xffffffff81000120", true },	{ "u64 > 0", true },
	{ "s64 == -1", true },			{ "s64 == 0xffffffffffffffff", true },
	{ "s64 < 0", true },			{ "s64 > -9223372036854775808", true },
	{ "s64 < -9223372036854775808", false },
	/* out of the range of the field */
	{ "u8 < 300", true },			{ "u8 == 456", false },
	{ "u8 != 456", true },			{ "u8 >= 256", false },
	{ "u8 > 255", false },			{ "u8 <= 1000", true },
	{ "u8 > -1", true },			{ "u8 < -1", false },
	{ "u8 == -56", false },			{ "u8 != -56", true },
	{ "s8 > -129", true },			{ "s8 < -129", false },
	{ "s8 <= 128", true },			{ "s8 >= 128", false },
	{ "s8 == 251", false },			{ "u64 >= -1", true },
	{ "u64 == -1", false },			{ "s64 > 18446744073709551615", false },
	{ "s64 <= 9223372036854775808", true },
	/* strings; name has no terminator */
	{ "name == 12345678", true },		{ "name == \"12345678\"", true },
	{ "name == '12345678'", true },		{ "name == 1234567", false },
	{ "name == 123456789", false },		{ "name != 1234567", true },
	{ "name ~ *8", true },			{ "name ~ \"1*5*8\"", true },
	{ "name ~ 1*7", false },		{ "name ~ ?2345678", true },
	{ "name ~ [0-3]*", true },		{ "name ~ [!0-3]*", false },
	{ "name ~ \"\"", false },		{ "name != \"\"", true },
	{ "name ~ *a* || name ~ *4*", true },
	{ "dyn == hello", true },		{ "dyn ~ h*o", true },
	{ "dyn == \"hello \"", false },		{ "dyn == hell", false },
	{ "rel == rel", true },			{ "rel ~ *l", true },
	{ "rel != rel", false },		{ "dyn == \"a && b\" || rel == rel", true },
	{ "dyn == \"(\" || rel == 'rel'", true },
	{ "(dyn==hello)", true },		{ "dyn==hello&&rel==rel", true },
	{ "dyn==hello||rel==x", true },
	{ "rest == hello", true },		{ "rest ~ h*", true },
	{ "ptr == \"kernel text\"", true },	{ "ptr ~ *text", true },
	{ "ptr != 'kernel text'", false },	{ "ptr == \"kernel tex\"", false },
	{ "uptr.ustring == \"user text\"", true }, { "uptr.ustring ~ user*", true },
	{ "uptr.ustring != user", true },
	/* A string that cannot be read makes any test false */
	{ "ptr.ustring == x", false },		{ "ptr.ustring != x", false },
	{ "!(ptr.ustring == x)", true },	{ "u64.ustring ~ *", false },
	/* functions */
	{ "u64.function == vfs_read.cold", true }, { "u64.function != vfs_read.cold", false },
	{ "u64.function == 0xffffffff81000101", true },
	{ "s64.function == vfs_read.cold", false },
	/* masks of CPUs */
	{ "pid & CPUS{0-69}", false },		{ "u8 & CPUS{1}", false },
	{ "cpu & CPUS{2,3}", true },		{ "cpu & CPUS{4-69}", false },
	{ "cpu == CPUS{3}", true },		{ "cpu == CPUS{3,4}", false },
	{ "cpu != CPUS{3}", false },		{ "cpu != CPUS{3,4}", true },
	{ "mask & CPUS{65}", true },		{ "mask & CPUS{64,66-69}", false },
	{ "mask == CPUS{1,65}", true },		{ "mask == CPUS{1}", false },
	{ "mask != CPUS{65}", true },		{ "mask != CPUS{65,1}", false },
	{ "low_mask == CPUS{5}", true },	{ "low_mask & CPUS{6-69}", false },
	/* fields of every event */
	{ "CPU == 3", true },			{ "common_cpu < 3", false },
	{ "comm == bash", true },		{ "COMM ~ ba*", true },
	{ "common_comm != bash", false },	{ "comm ~ \"*s?\"", true },
	/* operators */
	{ "pid == 1 || pid == 100", true },	{ "pid == 1 && pid == 100", false },
	{ "pid == 100 || pid == 1 && pid == 2", true },
	{ "(pid == 100 || pid == 1) && pid == 2", false },
	{ "pid == 2 && (pid == 1 || pid == 100)", false },
	{ "!(pid == 1) && !(pid == 2)", true },	{ "!!(pid == 1)", false },
	{ "! ! ! pid == 1", true },		{ "((((pid == 100))))", true },
	{ "!(pid == 1 || !(u8 == 200 && s8 == -5))", true },
	{ "!(!pid == 100 || !u8 == 200)", true },
	{ "((pid >= 10 && pid < 15) || pid == 17) && comm != bash", false },
	{ "((pid >= 10 && pid < 150) || pid == 17) && comm != sh", true },
};

static void right_texts(void)
{
	struct entry entry = sample();
	unsigned int i;

	for (i = 0; i < TAP_NUM(right); i++) {
		struct trace_filter_error error;
		struct event_filter *filter = compile(right[i].text, &error);

		if (!EXPECT(!IS_ERR(filter))) {
			printf("# %s: %s at %u\n", right[i].text, error.what, error.at);
			continue;
		}
		EXPECT(!error.what);
		EXPECT(!strcmp(filter->text, right[i].text));
		if (!EXPECT_EQ(match(filter, &entry, sizeof(entry)), right[i].match) ||
		    !EXPECT_EQ(filter_match_preds(filter, &entry), right[i].match))
			printf("# in \"%s\"\n", right[i].text);
		trace_filter_free(filter);
	}
	EXPECT_EQ(filter_match_preds(NULL, &entry), 1);
}

/* --- invalid texts ---------------------------------------------------------- */

static const struct {
	const char	*text;
	unsigned int	at;
	const char	*what;
} wrong[] = {
	{ "", 0, "Field expected" },
	{ "\n   ", 4, "Field expected" },
	{ "()", 1, "Field expected" },
	{ "!", 1, "Field expected" },
	{ "== 1", 0, "Field expected" },
	{ "pid == 1 &&", 11, "Field expected" },
	{ "pid == 1 || || pid == 1", 12, "Field expected" },
	{ "dsig == 17", 5, "Field not found" },
	{ "dsig==17", 4, "Field not found" },
	{ "dsig", 4, "Field not found" },
	{ "dsig  ", 6, "Field not found" },
	{ "((pid >= 10 && pid < 15) || dsig == 17) && comm != bash", 33, "Field not found" },
	{ "pid", 3, "Operator expected" },
	{ "pid 1", 4, "Operator expected" },
	{ "pid && u8 == 1", 4, "Operator expected" },
	{ "pid = 1", 4, "Operator expected" },
	{ "pid=1", 3, "Operator expected" },
	{ "pid ==", 6, "Value expected" },
	{ "pid == )", 7, "Value expected" },
	{ "pid == && u8 == 1", 7, "Value expected" },
	{ "pid == x", 7, "Number expected" },
	{ "pid == 1x", 7, "Number expected" },
	{ "pid == 1(", 7, "Number expected" },
	{ "pid == --1", 7, "Number expected" },
	{ "pid == -", 7, "Number expected" },
	{ "pid == \"1\"", 7, "Number expected" },
	{ "pid == 18446744073709551616", 7, "Number is too large" },
	{ "pid == -9223372036854775809", 7, "Number is too large" },
	{ "pid ~ 1*", 6, "Field is no string" },
	{ "comm < bash", 7, "A string goes with ==, != and ~ only" },
	{ "comm & 1", 7, "A string goes with ==, != and ~ only" },
	{ "comm == \"bash", 8, "Closing quote is missing" },
	{ "comm == 'bash\"", 8, "Closing quote is missing" },
	{ "cpu & CPUS{1", 6, "Closing '}' is missing" },
	{ "cpu & CPUS{}", 6, "Bad list of CPUs" },
	{ "cpu & CPUS{x}", 6, "Bad list of CPUs" },
	{ "cpu & CPUS{70}", 6, "Bad list of CPUs" },
	{ "cpu & CPUS{3-1}", 6, "Bad list of CPUs" },
	{ "low_mask & CPUS{ 5 }", 11, "Bad list of CPUs" },
	{ "cpu < CPUS{1}", 6, "CPUS{} goes with ==, != and & only" },
	{ "mask < CPUS{1}", 7, "CPUS{} goes with ==, != and & only" },
	{ "mask & 3", 7, "CPUS{} expected" },
	{ "mask & \"CPUS{3}\"", 7, "CPUS{} expected" },
	{ "pid.x == 1", 4, "A field can be followed by .function or .ustring only" },
	{ "pid. == 1", 4, "A field can be followed by .function or .ustring only" },
	{ "u64.functio == x", 4, "A field can be followed by .function or .ustring only" },
	{ "pid.function == vfs_read.cold", 0, "Operator not valid for this field type" },
	{ "pid.ustring == x", 0, "Operator not valid for this field type" },
	{ "ip.ustring == x", 0, "Operator not valid for this field type" },
	{ "name.ustring == x", 0, "Operator not valid for this field type" },
	{ "array.ustring == x", 0, "Operator not valid for this field type" },
	{ "array == 1", 0, "Operator not valid for this field type" },
	{ "bytes == 1", 0, "Operator not valid for this field type" },
	{ "stack == 1", 0, "Operator not valid for this field type" },
	{ "far == 1", 0, "Operator not valid for this field type" },
	{ "u64.function == vfs_open", 16, "Function not found" },
	{ "u64.function == 0", 16, "Function not found" },
	{ "u64.function == 0xffffffff81000140", 16, "Function not found" },
	{ "u64.function == 0xz", 16, "Function or address expected" },
	{ "u64.function > vfs_read.cold", 15, ".function goes with == and != only" },
	{ "ip ~ vfs_*", 5, "A function goes with == and != only" },
	{ "(pid == 1", 0, "')' is missing" },
	{ "pid == 1 && ((u8 == 1)", 12, "')' is missing" },
	{ "pid == 1)", 8, "Too many ')'" },
	{ "pid == 1 u8 == 1", 9, "&&, || or ')' expected" },
	{ "pid == 1 & u8 == 1", 9, "&&, || or ')' expected" },
	{ "comm == \"a\"b", 11, "&&, || or ')' expected" },
	{ "(pid == 1) !(u8 == 1)", 11, "&&, || or ')' expected" },
};

static bool refused(const char *text, unsigned int at, const char *what)
{
	struct trace_filter_error error;
	struct event_filter *filter = compile(text, &error);

	if (EXPECT(IS_ERR(filter)) && EXPECT_EQ(PTR_ERR(filter), -EINVAL) &&
	    EXPECT(error.what) && EXPECT(!strcmp(error.what, what)) &&
	    EXPECT_EQ(error.at, at))
		return true;

	printf("# in \"%.60s\": %s at %u\n", text, error.what ?: "no error", error.at);
	if (!IS_ERR(filter))
		trace_filter_free(filter);
	return false;
}

static void wrong_texts(void)
{
	unsigned int i;

	for (i = 0; i < TAP_NUM(wrong); i++)
		refused(wrong[i].text, wrong[i].at, wrong[i].what);
	EXPECT_EQ(env_allocs_live, 1);	/* the buffer for strings */
}

/* The maximum is accepted, and one more is rejected */
static void limits(void)
{
	static char text[TRACE_FILTER_TEXT_MAX + 64];
	struct entry entry = sample();
	struct trace_filter_error error;
	struct event_filter *filter;
	unsigned int i, more;

	for (more = 0; more < 2; more++) {
		memset(text, '(', TRACE_FILTER_DEPTH_MAX + more);
		i = TRACE_FILTER_DEPTH_MAX + more;
		i += sprintf(text + i, "pid == 100");
		memset(text + i, ')', TRACE_FILTER_DEPTH_MAX + more);
		text[i + TRACE_FILTER_DEPTH_MAX + more] = '\0';
		if (more) {
			refused(text, TRACE_FILTER_DEPTH_MAX, "Too many '('");
			continue;
		}
		filter = compile(text, &error);
		if (EXPECT(!IS_ERR(filter))) {
			EXPECT(match(filter, &entry, sizeof(entry)));
			trace_filter_free(filter);
		}
	}

	for (more = 0; more < 2; more++) {
		i = sprintf(text, "name != ");
		memset(text + i, 'x', MAX_FILTER_STR_VAL - 1 + more);
		text[i + MAX_FILTER_STR_VAL - 1 + more] = '\0';
		if (more) {
			refused(text, i, "Value is too long");
			continue;
		}
		filter = compile(text, &error);
		if (EXPECT(!IS_ERR(filter)))
			trace_filter_free(filter);
	}

	/* as many tests as the text has space for; the last one is true */
	for (i = 0; i + 9 + 7 <= TRACE_FILTER_TEXT_MAX; i += 9)
		memcpy(text + i, "u8 == 1||", 9);
	memset(text + i, ' ', TRACE_FILTER_TEXT_MAX - i);
	memcpy(text + i, "u8==200", 7);
	text[TRACE_FILTER_TEXT_MAX] = '\0';
	filter = compile(text, &error);
	if (EXPECT(!IS_ERR(filter))) {
		EXPECT(match(filter, &entry, sizeof(entry)));
		entry.u8 = 2;
		EXPECT(!match(filter, &entry, sizeof(entry)));
		trace_filter_free(filter);
	}
	text[TRACE_FILTER_TEXT_MAX] = ' ';
	text[TRACE_FILTER_TEXT_MAX + 1] = '\0';
	refused(text, 0, "Filter is too long");

	memset(text, 'x', 300);
	memcpy(text + 300, " == 1", sizeof(" == 1"));
	refused(text, 301, "Field not found");
}

/* --- entries that are shorter than their fields require -------------------- */

static void short_entries(void)
{
	static const struct {
		const char	*text;
		size_t		len;
		bool		match;
	} tests[] = {
		{ "pid == 100", 4, true },
		{ "pid == 100", 3, false },
		{ "pid != 100", 0, false },
		{ "dyn == hello", offsetof(struct entry, data) + 5, true },
		{ "dyn == hello", offsetof(struct entry, data) + 4, false },
		{ "dyn == hell", offsetof(struct entry, data) + 4, true },
		{ "dyn ~ hel", offsetof(struct entry, data) + 3, true },
		{ "dyn == \"\"", offsetof(struct entry, data) - 8, true },
		{ "rest == hell", offsetof(struct entry, data) + 4, true },
		{ "rest == \"\"", offsetof(struct entry, data), true },
		{ "rest == \"\"", offsetof(struct entry, data) - 1, false },
		{ "rel ~ r*", offsetof(struct entry, data) + 7, true },
		{ "mask & CPUS{1}", offsetof(struct entry, data) + 13, true },
		{ "mask & CPUS{65}", offsetof(struct entry, data) + 20, false },
		{ "mask == CPUS{1}", offsetof(struct entry, data) + 20, true },
	};
	struct entry entry = sample();
	unsigned int i;

	for (i = 0; i < TAP_NUM(tests); i++) {
		struct trace_filter_error error;
		struct event_filter *filter = compile(tests[i].text, &error);

		if (!EXPECT(!IS_ERR(filter)))
			continue;
		if (!EXPECT_EQ(match(filter, &entry, tests[i].len), tests[i].match))
			printf("# in \"%s\" of %zu bytes\n", tests[i].text, tests[i].len);
		trace_filter_free(filter);
	}
}

/* --- strings that pointers point to ----------------------------------------- */

static struct event_filter *inner;
static unsigned int depth, deepest, inner_matches;

static void again(void)
{
	struct entry entry = sample();

	if (++depth <= deepest)
		inner_matches += match(inner, &entry, sizeof(entry));
	depth--;
}

/* Nested matches have separate string buffers, up to a maximum depth */
static void nested_matches(void)
{
	struct entry entry = sample();
	struct trace_filter_error error;
	struct event_filter *outer = compile("uptr.ustring ~ user*", &error);

	inner = compile("ptr == 'kernel text'", &error);
	if (!EXPECT(!IS_ERR(outer)) || !EXPECT(!IS_ERR(inner)))
		return;

	interrupt = again;
	for (deepest = 0; deepest < 8; deepest++) {
		inner_matches = 0;
		EXPECT(match(outer, &entry, sizeof(entry)));
		EXPECT_EQ(inner_matches, deepest < 4 ? deepest : 3);
	}
	interrupt = NULL;
	EXPECT(match(outer, &entry, sizeof(entry)));
	trace_filter_free(outer);
	trace_filter_free(inner);
}

/* No more than 1024 bytes are compared */
static void long_strings(void)
{
	struct entry entry = sample();
	struct trace_filter_error error;
	struct event_filter *filter = compile("uptr.ustring ~ *y*", &error);
	char saved[sizeof(user_text)];

	memcpy(saved, user_text, sizeof(saved));
	if (!EXPECT(!IS_ERR(filter)))
		return;

	memset(user_text, 'x', sizeof(user_text) - 1);
	user_text[1022] = 'y';
	EXPECT(match(filter, &entry, sizeof(entry)));
	user_text[1022] = 'x';
	user_text[1024] = 'y';
	EXPECT(!match(filter, &entry, sizeof(entry)));
	memcpy(user_text, saved, sizeof(saved));
	trace_filter_free(filter);
}

/* An address is in a function from its first byte to its last */
static void ends_of_functions(void)
{
	static const struct {
		u64	address;
		bool	inside;
	} tests[] = {
		{ FUNCTION_START - 1, false }, { FUNCTION_START, true },
		{ FUNCTION_START + FUNCTION_SIZE - 1, true },
		{ FUNCTION_START + FUNCTION_SIZE, false },
	};
	struct entry entry = sample();
	struct trace_filter_error error;
	struct event_filter *filter = compile("u64.function == vfs_read.cold", &error);
	unsigned int i;

	if (!EXPECT(!IS_ERR(filter)))
		return;

	for (i = 0; i < TAP_NUM(tests); i++) {
		entry.u64 = tests[i].address;
		EXPECT_EQ(match(filter, &entry, sizeof(entry)), tests[i].inside);
	}
	trace_filter_free(filter);
}

/* --- filters of ftrace:function --------------------------------------------- */

static char listed[256];

static int list(void *data, const char *name, bool not)
{
	EXPECT(data == listed);
	if (!strcmp(name, "stop"))
		return -EBUSY;
	snprintf(listed + strlen(listed), sizeof(listed) - strlen(listed), "%s%s ",
		 not ? "!" : "", name);
	return 0;
}

static void functions(void)
{
	static const struct {
		const char	*text;
		int		ret;
		const char	*list;
	} tests[] = {
		{ "ip == a", 0, "a " },
		{ "ip == a || ip == b", 0, "a b " },
		{ "ip == a || (ip == \"vfs_*\" || ip == c)", 0, "a vfs_* c " },
		{ "ip != a", 0, "!a " },
		{ "ip != a && ip != b", 0, "!a !b " },
		{ "ip == a && ip == b", -EINVAL, "" },
		{ "ip != a || ip != b", -EINVAL, "" },
		{ "ip == a || ip != b", -EINVAL, "" },
		{ "ip == a && ip != b", -EINVAL, "" },
		{ "!(ip == a)", -EINVAL, "" },
		{ "ip == a || pid == 1", -EINVAL, "" },
		{ "pid == 1", -EINVAL, "" },
		{ "ip == a || ip == stop || ip == b", -EBUSY, "a " },
	};
	unsigned int i;

	for (i = 0; i < TAP_NUM(tests); i++) {
		struct trace_filter_error error;
		struct event_filter *filter = compile(tests[i].text, &error);

		listed[0] = '\0';
		if (!EXPECT(!IS_ERR(filter)))
			continue;
		if (!EXPECT_EQ(trace_filter_functions(filter, list, listed), tests[i].ret) ||
		    !EXPECT(!strcmp(listed, tests[i].list)))
			printf("# in \"%s\": %s\n", tests[i].text, listed);
		trace_filter_free(filter);
	}
}

/* --- the oracle ------------------------------------------------------------- */

/* a filter as a tree, along with its text */
struct node {
	enum { NOT, AND, OR, NUMBER, TEXT } kind;
	struct node			*side[2];
	const struct ftrace_event_field	*field;
	unsigned int			op;
	__int128			number;
	const char			*text;
};

static const char *const op_names[] = { "==", "!=", "<=", "<", ">=", ">", "&" };
static const char *const texts[] = { "", "a", "ab", "aab", "b", "abab", "12345678", "bash" };
static const char *const globs[] = { "*", "a*", "*b", "*a*", "?", "a?b", "a*b", "ab", "" };

static struct node nodes[512];
static unsigned int nodes_used;
static char written[8192];
static size_t written_len;

#define WRITE(...)							\
	(written_len += snprintf(written + written_len,			\
				 sizeof(written) - written_len, __VA_ARGS__))

static void spaces(void)
{
	while (!any(3))
		WRITE(" ");
}

/* a number at the edges of the field, or anywhere */
static __int128 number_for(const struct ftrace_event_field *field)
{
	unsigned int bits = field->size * 8;
	__int128 most = ((__int128)1 << (bits - field->is_signed)) - 1;
	__int128 least = field->is_signed ? -most - 1 : 0;
	__int128 number;

	switch (any(5)) {
	case 0:
		number = most + any(3) - 1;
		break;
	case 1:
		number = least + any(3) - 1;
		break;
	case 2:
		number = (__int128)any(7) - 3;
		break;
	default:
		number = (s64)random64() >> any(64);
		break;
	}
	if (number > (__int128)UINT64_MAX)
		number = UINT64_MAX;
	return number < INT64_MIN ? INT64_MIN : number;
}

static void write_number(__int128 number)
{
	if (number < 0)
		WRITE("-%llu", (unsigned long long)-number);
	else
		WRITE(any(2) ? "%llu" : "0%llo", (unsigned long long)number);
}

static void leaf(struct node *node)
{
	/* pid up to rel */
	node->field = &fields[any(12)];
	WRITE("%s", node->field->name);
	spaces();
	if (node->field->filter_type == FILTER_OTHER) {
		node->kind = NUMBER;
		node->op = any(7);
		node->number = number_for(node->field);
		WRITE("%s", op_names[node->op]);
		spaces();
		write_number(node->number);
	} else {
		node->kind = TEXT;
		node->op = any(3);
		node->text = node->op == 2 ? globs[any(TAP_NUM(globs))] :
					     texts[any(TAP_NUM(texts))];
		WRITE("%s", node->op == 2 ? "~" : op_names[node->op]);
		spaces();
		WRITE(*node->text && any(2) ? "%s" : "\"%s\"", node->text);
	}
	WRITE(" ");
}

/* @level: precedence of the outer operator: 0 for ||, 1 for &&, 2 for ! */
static struct node *grow(unsigned int level, unsigned int height)
{
	struct node *node = &nodes[nodes_used++];
	unsigned int kind = !height || nodes_used > TAP_NUM(nodes) - 64 ? 3 : any(4);
	bool parens = kind == NOT ? false : kind == AND ? level > 1 :
		      kind == OR ? level > 0 : false;

	parens |= !any(6);
	spaces();
	if (parens)
		WRITE("(");
	if (kind == 3) {
		spaces();
		leaf(node);
	} else if (kind == NOT) {
		node->kind = NOT;
		WRITE("!");
		node->side[0] = grow(2, height - 1);
	} else {
		node->kind = kind;
		node->side[0] = grow(kind == AND, height - 1);
		WRITE(kind == AND ? "&&" : "||");
		node->side[1] = grow(kind == AND, height - 1);
	}
	if (parens)
		WRITE(")");
	spaces();
	return node;
}

static __int128 value_of(const struct node *node, const struct entry *entry)
{
	switch (node->field->offset) {
	case offsetof(struct entry, pid):
		return (int)entry->pid;
	case offsetof(struct entry, u8):
		return entry->u8;
	case offsetof(struct entry, s8):
		return entry->s8;
	case offsetof(struct entry, u16):
		return entry->u16;
	case offsetof(struct entry, s16):
		return entry->s16;
	case offsetof(struct entry, u32):
		return entry->u32;
	case offsetof(struct entry, s32):
		return entry->s32;
	case offsetof(struct entry, u64):
		return entry->u64;
	default:
		return entry->s64;
	}
}

static bool number_is(const struct node *node, __int128 value)
{
	u128 bits = ((u128)1 << node->field->size * 8) - 1;

	switch (node->op) {
	case 0:
		return value == node->number;
	case 1:
		return value != node->number;
	case 2:
		return value <= node->number;
	case 3:
		return value < node->number;
	case 4:
		return value >= node->number;
	case 5:
		return value > node->number;
	default:
		return (value & node->number & bits) != 0;
	}
}

static bool glob(const char *pattern, const char *text)
{
	if (!*pattern)
		return !*text;
	if (*pattern == '*')
		return glob(pattern + 1, text) || (*text && glob(pattern, text + 1));
	return *text && (*pattern == '?' || *pattern == *text) && glob(pattern + 1, text + 1);
}

static bool text_is(const struct node *node, const struct entry *entry)
{
	char text[sizeof(*entry) + 1] = "";

	if (node->field->offset == offsetof(struct entry, name))
		memcpy(text, entry->name, 8);
	else if (node->field->offset == offsetof(struct entry, dyn))
		memcpy(text, (char *)entry + (entry->dyn & 0xffff), entry->dyn >> 16);
	else
		memcpy(text, (char *)(&entry->rel + 1) + (entry->rel & 0xffff),
		       entry->rel >> 16);

	if (node->op == 2)
		return glob(node->text, text);
	return !strcmp(node->text, text) == !node->op;
}

static bool evaluate(const struct node *node, const struct entry *entry)
{
	switch (node->kind) {
	case NOT:
		return !evaluate(node->side[0], entry);
	case AND:
		return evaluate(node->side[0], entry) && evaluate(node->side[1], entry);
	case OR:
		return evaluate(node->side[0], entry) || evaluate(node->side[1], entry);
	case NUMBER:
		return number_is(node, value_of(node, entry));
	default:
		return text_is(node, entry);
	}
}

/* changes fields to numbers of the filter, or to nearby numbers */
static void disturb(struct entry *entry)
{
	const struct node *node = &nodes[any(nodes_used)];
	u64 number;

	if (node->kind == NUMBER) {
		number = node->number + any(3) - 1;
		memcpy((char *)entry + node->field->offset, &number, node->field->size);
	} else if (node->kind == TEXT && node->op < 2) {
		memset(entry->name, 0, 8);
		memcpy(entry->name, node->text, strnlen(node->text, 8));
		memset(entry->data, 0, 9);
		memcpy(entry->data, node->text, strnlen(node->text, 9));
		entry->dyn = place(offsetof(struct entry, data), any(10));
		entry->rel = place(offsetof(struct entry, data) + any(3) -
				   offsetof(struct entry, rel) - sizeof(u32), any(10));
	}
}

/* Counts both results: a test whose filters never match is pointless. */
static void random_filters(void)
{
	unsigned int round, i, yes = 0, no = 0;

	for (round = 0; round < 40000; round++) {
		struct trace_filter_error error;
		struct event_filter *filter;
		struct entry entry = sample();
		struct node *root;

		nodes_used = 0;
		written_len = 0;
		root = grow(0, any(7));
		filter = compile(written, &error);
		if (!EXPECT(!IS_ERR(filter))) {
			printf("# \"%s\": %s at %u\n", written, error.what, error.at);
			return;
		}
		for (i = 0; i < 8; i++) {
			bool want = evaluate(root, &entry);

			if (!EXPECT_EQ(match(filter, &entry, sizeof(entry)), want)) {
				printf("# \"%s\"\n", written);
				trace_filter_free(filter);
				return;
			}
			want ? yes++ : no++;
			disturb(&entry);
		}
		trace_filter_free(filter);
	}
	EXPECT(yes > round && no > round);
}

/* --- damage ----------------------------------------------------------------- */

/* Any text is compiled or rejected, with the error position inside it; any entry is matched */
static void damaged_texts(void)
{
	static const char hot[] = "()!&|=<>~\"'{}.,-*?[]\\0 9aC\n\t\xff";
	unsigned int round;

	for (round = 0; round < 400000; round++) {
		const char *from = right[any(TAP_NUM(right))].text;
		struct trace_filter_error error;
		struct event_filter *filter;
		struct entry entry;
		char text[256];
		unsigned int times = any(5), at, n;
		size_t len = strlen(from), i;

		memcpy(text, from, len + 1);
		while (times--) {
			at = any(len + 1);
			switch (any(4)) {
			case 0:
				if (at < len)
					text[at] = hot[any(sizeof(hot) - 1)];
				break;
			case 1:
				memmove(text + at + 1, text + at, len + 1 - at);
				text[at] = hot[any(sizeof(hot) - 1)];
				len++;
				break;
			case 2:
				n = any(len - at + 1);
				memmove(text + at, text + at + n, len + 1 - at - n);
				len -= n;
				break;
			case 3:
				from = right[any(TAP_NUM(right))].text;
				if (len + strlen(from) < 200) {
					len += sprintf(text + len, "%s%s",
						       any(2) ? "&&" : "||", from);
				}
				break;
			}
		}
		filter = compile(text, &error);
		if (IS_ERR(filter)) {
			if (!EXPECT_EQ(PTR_ERR(filter), -EINVAL) || !EXPECT(error.what) ||
			    !EXPECT(error.at <= len))
				return;
			continue;
		}
		for (i = 0; i < sizeof(entry); i++)
			((char *)&entry)[i] = any(256);
		match(filter, &entry, any(2) ? any(sizeof(entry)) : sizeof(entry));
		trace_filter_free(filter);
	}
}

/* --- memory ----------------------------------------------------------------- */

/* Each allocation fails in turn: nothing leaks, and no error in the text is reported */
static void failing_allocations(void)
{
	static const char text[] =
		"cpu & CPUS{1} && (mask == CPUS{1} || low_mask != CPUS{1}) && uptr.ustring ~ a";
	long before = env_allocs_live;
	struct event_filter *filter;
	struct trace_filter_error error;
	long n;

	for (n = 0; ; n++) {
		env_fail_alloc(n);
		filter = trace_filter_compile(text, find, fields, &error);
		if (!IS_ERR(filter))
			break;
		EXPECT_EQ(PTR_ERR(filter), -ENOMEM);
		EXPECT(!error.what);
		EXPECT_EQ(env_allocs_live, before);
	}
	env_fail_alloc(-1);
	/* the program, the parser, three masks */
	EXPECT(n >= 5);
	trace_filter_free_rcu(filter);
	trace_filter_free_rcu(NULL);
	trace_filter_free(NULL);
	/* the buffer for strings remains */
	EXPECT(env_allocs_live - before <= 1);

	filter = trace_filter_compile("pid == 1 || (uptr == 2)", find_without_memory, fields,
				      &error);
	EXPECT_EQ(PTR_ERR(filter), -ENOMEM);
	EXPECT(!error.what);
}

static const struct tap_case cases[] = {
	TAP_CASE(failing_allocations),
	TAP_CASE(right_texts),
	TAP_CASE(wrong_texts),
	TAP_CASE(limits),
	TAP_CASE(short_entries),
	TAP_CASE(nested_matches),
	TAP_CASE(long_strings),
	TAP_CASE(ends_of_functions),
	TAP_CASE(functions),
	TAP_CASE(random_filters),
	TAP_CASE(damaged_texts),
};

int main(void)
{
	int status = tap_run(cases, TAP_NUM(cases));

	/* No case leaks a filter. */
	if (env_allocs_live != 1) {
		printf("# %ld pieces of memory are left\n", env_allocs_live);
		return 1;
	}
	return status;
}
