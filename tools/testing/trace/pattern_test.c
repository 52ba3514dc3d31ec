// SPDX-License-Identifier: GPL-2.0
/*
 * Patterns of a filter file (kernel/trace/lib/pattern.c): how writes are split into tokens, how
 * tokens are parsed, and which names they match.
 */
#include "lib/pattern.h"
#include "tap.h"

/* xorshift64 */
static u64 state = 88172645463325252ull;

static unsigned int any(unsigned int below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % below;
}

/* --- splitting -------------------------------------------------------------- */

#define MAX_TOKENS	64

/* the result of splitting some text */
struct result {
	char		token[MAX_TOKENS][FTRACE_TOKEN_MAX];
	unsigned int	num;
	int		error;
};

static struct ftrace_tokens tokens;

/* feeds one piece; the text is copied so that reads beyond its end are detected */
static void feed(struct result *r, const char *piece, size_t len, bool last)
{
	char *copy = memcpy(malloc(len + 1), piece, len);
	const char *text = copy;
	int ret;

	while (!r->error && (ret = ftrace_tokens_next(&tokens, &text, &len, last))) {
		if (ret < 0) {
			r->error = ret;
		} else if (!EXPECT(ret == 1 && tokens.len && tokens.len < FTRACE_TOKEN_MAX &&
				   strlen(tokens.text) == tokens.len && r->num < MAX_TOKENS)) {
			r->error = 1;
		} else {
			memcpy(r->token[r->num++], tokens.text, tokens.len + 1);
			ftrace_tokens_used(&tokens);
		}
	}
	EXPECT(r->error || !len);
	free(copy);
}

/* "[module]", and maybe a colon with more after it */
static bool is_module(const char *token)
{
	size_t len = strcspn(token, "]");

	return *token == '[' && token[len] && len > 1 &&
	       (!token[len + 1] || token[len + 1] == ':') &&
	       strcspn(token + 1, "!:[") >= len - 1;
}

/* the same text split the simple way, as a whole; a module belongs to the function before it */
static void oracle(struct result *r, const char *text, size_t len)
{
	bool line = false, joined = false;
	unsigned int n = 0;
	size_t i;

	memset(r, 0, sizeof(*r));
	for (i = 0; i <= len; i++) {
		char c = i < len ? text[i] : ' ';

		if (c && !strchr(" \t\n\v\f\r", c)) {
			r->token[r->num][n++] = c;
			continue;
		}
		if (n) {
			char *token = r->token[r->num];
			char *before = r->num ? token - FTRACE_TOKEN_MAX : "*";

			token[n] = '\0';
			n = 0;
			joined = !joined && !line && is_module(token) &&
				 !strpbrk(before, FTRACE_GLOB_CHARS ":");
			line = false;
			if (joined)
				sprintf(before + strlen(before), " %s", token);
			else
				r->num++;
		}
		line |= c != ' ' && c != '\t';
	}
	memset(r->token[r->num], 0, sizeof(r->token[0]));
}

static bool same_tokens(const struct result *a, const struct result *b)
{
	unsigned int i;
	bool same = EXPECT_EQ(a->num, b->num) && EXPECT_EQ(a->error, b->error);

	for (i = 0; same && i < a->num; i++)
		same = EXPECT(!strcmp(a->token[i], b->token[i]));
	return same;
}

/* Any text, split anywhere: no token is lost, joined, torn or invented */
static void split_anywhere(void)
{
	static const char letters[] = "ab*!:#_ \t\n\v\f\r\0x[]";
	static struct result got, want;
	unsigned int round;

	for (round = 0; round < 20000; round++) {
		char text[96];
		size_t len = any(sizeof(text) + 1), at = 0, step, i;

		for (i = 0; i < len; i++)
			text[i] = letters[any(sizeof(letters) - 1)];
		memset(&got, 0, sizeof(got));
		ftrace_tokens_reset(&tokens);
		while (at < len) {
			step = any(4) ? any(4) : any(len - at + 1);
			step = step < len - at ? step : len - at;
			feed(&got, text + at, step, false);
			at += step;
		}
		feed(&got, "", 0, true);
		oracle(&want, text, len);
		if (!same_tokens(&got, &want))
			return;
	}
}

/* A token of the maximum length is accepted; one more byte is an error, in one write or many */
static void length_of_tokens(void)
{
	static char text[FTRACE_TOKEN_MAX + 8];
	static struct result got;
	size_t len, step, at;

	for (len = FTRACE_TOKEN_MAX - 3; len <= FTRACE_TOKEN_MAX + 2; len++) {
		for (step = 1; step <= len; step = step * 3 + 1) {
			memset(text, 'w', len);
			text[len] = '\n';
			memset(&got, 0, sizeof(got));
			ftrace_tokens_reset(&tokens);
			for (at = 0; at <= len && !got.error; at += step)
				feed(&got, text + at, step < len + 1 - at ? step : len + 1 - at,
				     false);
			if (len < FTRACE_TOKEN_MAX) {
				EXPECT_EQ(got.error, 0);
				EXPECT_EQ(got.num, 1);
				EXPECT_EQ(strlen(got.token[0]), len);
			} else {
				EXPECT_EQ(got.error, -EINVAL);
				EXPECT_EQ(got.num, 0);
			}
		}
	}
}

/* --- parsing ---------------------------------------------------------------- */

static const struct {
	const char	*token;
	int		error;
	const char	*name;
	const char	*module;
	bool		negate;
	bool		glob;
	bool		not_module;
	const char	*command;
	const char	*param;
	const char	*source;
} meanings[] = {
	{ "schedule",		0, "schedule" },
	{ "!schedule",		0, "schedule",	NULL,	true },
	{ "vfs_*",		0, "vfs_*",	NULL,	false,	true },
	{ "*lock*",		0, "*lock*",	NULL,	false,	true },
	{ "!*lock",		0, "*lock",	NULL,	true,	true },
	{ "a?c",		0, "a?c",	NULL,	false,	true },
	{ "a[bc]",		0, "a[bc]",	NULL,	false,	true },
	{ "*",			0, "*",		NULL,	false,	true },
	{ "write*:mod:ext3",	0, "write*",	"ext3",	false,	true },
	{ "write:mod:ext*",	0, "write",	"ext*" },
	{ "!write:mod:ext3",	0, "write",	"ext3",	true },
	{ ":mod:ext3",		0, "*",		"ext3",	false,	true },
	{ "!:mod:ext3",		0, "*",		"ext3",	true,	true },
	{ "*:mod:!ext3",	0, "*",		"ext3",	false,	true,	true },
	{ "!w:mod:!*",		0, "w",		"*",	true,	false,	true },
	{ "f:traceoff",		0, "f", .command = "traceoff" },
	{ "!f*:traceoff:0",	0, "f*", .negate = true, .glob = true,
	  .command = "traceoff", .param = "0" },
	{ "f:nothing:m",	0, "f", .command = "nothing", .param = "m" },
	{ "f:a:b:c",		0, "f", .command = "a", .param = "b:c" },
	{ "f:a:",		0, "f", .command = "a", .param = "" },
	{ "f:module:m",		0, "f", .command = "module", .param = "m" },
	{ "f:MOD:m",		0, "f", .command = "MOD", .param = "m" },
	{ "f:src:a/b.o",	0, "f", .source = "a/b.o" },
	{ "f:src:a/b.c",	0, "f", .source = "a/b.o" },
	{ "f:src:a/b.cc",	0, "f", .source = "a/b.cc" },
	{ "f:src:.c",		0, "f", .source = ".c" },
	{ "!:src:fs/*",		0, "*", .negate = true, .glob = true, .source = "fs/*" },
	{ "v*:mod:!m:src:fs/*",	0, "v*", "m", .glob = true, .not_module = true,
	  .source = "fs/*" },
	{ "f:src:fs/*:mod:m",	0, "f", "m", .source = "fs/*" },
	{ "f:src:s:traceoff:1",	0, "f", .source = "s", .command = "traceoff", .param = "1" },
	{ "f:mod:m:x",		0, "f", "m", .command = "x" },
	{ "123",		0, "123" },
	{ "f [m]",		0, "f", "m" },
	{ "!f [m]",		0, "f", "m", true },
	{ "f [m]:traceoff:unlimited", 0, "f", "m", .command = "traceoff",
	  .param = "unlimited" },
	{ "f [m]:src:s",	0, "f", "m", .source = "s" },
	{ "f [m]:mod:m",	-EINVAL },
	{ "f [m]:",		-EINVAL },
	{ "",			-EINVAL },
	{ "!",			-EINVAL },
	{ ":",			-EINVAL },
	{ "f:",			-EINVAL },
	{ "f:mod",		-EINVAL },
	{ "f:mod:",		-EINVAL },
	{ "f:mod:m:",		-EINVAL },
	{ "f:mod:m:mod:m",	-EINVAL },
	{ "f:src",		-EINVAL },
	{ "f:src:",		-EINVAL },
	{ "f:src::mod:m",	-EINVAL },
	{ "f:src:s:src:s",	-EINVAL },
	{ "f:mod:!",		-EINVAL },
	{ "f::mod:m",		-EINVAL },
	{ ":traceoff",		-EINVAL },
};

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void meaning_of_patterns(void)
{
	unsigned int i;

	for (i = 0; i < TAP_NUM(meanings); i++) {
		/* exact in size, so that reads beyond it are detected */
		char *token = strdup(meanings[i].token);
		struct ftrace_pattern p;
		unsigned long before = tap_failures;

		if (EXPECT_EQ(ftrace_pattern_parse(&p, token), meanings[i].error) &&
		    !meanings[i].error) {
			EXPECT(same_text(p.name, meanings[i].name));
			EXPECT(same_text(p.module, meanings[i].module));
			EXPECT_EQ(p.negate, meanings[i].negate);
			EXPECT_EQ(p.glob, meanings[i].glob);
			EXPECT_EQ(p.not_module, meanings[i].not_module);
			EXPECT(same_text(p.command, meanings[i].command));
			EXPECT(same_text(p.param, meanings[i].param));
			EXPECT(same_text(p.source, meanings[i].source));
		}
		if (tap_failures != before)
			printf("# in \"%s\"\n", meanings[i].token);
		free(token);
	}
}

/* No token, however strange, is read beyond its end or results in an empty name */
static void meaning_of_noise(void)
{
	static const char *const pieces[] = {
		"!", ":", "mod", ":mod:", "*", "?", "[", "]", "\\", "-", "a", "vfs_", "#",
		"\xff", "src", "0",
	};
	unsigned int round, i;

	for (round = 0; round < 100000; round++) {
		struct ftrace_pattern p;
		char text[64] = "", *token;
		int ret;

		for (i = any(8); i; i--)
			strcat(text, pieces[any(TAP_NUM(pieces))]);
		token = strdup(text);
		ret = ftrace_pattern_parse(&p, token);
		if (!EXPECT(ret == 0 || ret == -EINVAL) ||
		    (!ret && !EXPECT(p.name && *p.name && (!p.module || *p.module)))) {
			printf("# in \"%s\"\n", text);
			free(token);
			return;
		}
		if (!ret) {
			ftrace_pattern_match(p.name, "vfs_a");
			if (p.module)
				ftrace_pattern_match(p.module, "mod");
		}
		free(token);
	}
}

/* --- damage ----------------------------------------------------------------- */

/* typical input */
static const char *const written[] = {
	"vfs_read vfs_write\n", "vfs_*\n", "!*lock*\n", "write*:mod:ext3\n",
	"!*:mod:!ext3\n", ":src:kernel/sched/*\n", "vfs_*:mod:!*:src:fs/*.c\n",
	"do_fault:traceoff:3\n", "!do_trap:traceoff:0\n", "[a-z]?*x\\*y\n", "1 50 123\n",
	"  a\tb\n\nc ", "f:src:a/../b.o:snapshot:1\n",
};

/* damages one text a few times; returns its length */
static size_t damaged(char *text, size_t max)
{
	static const char hot[] = "!:*?[]\\-#.\n\t \0m\xff";
	const char *from = written[any(TAP_NUM(written))];
	unsigned int times = any(6);
	size_t len = strlen(from), at, n;

	memcpy(text, from, len);
	while (times--) {
		at = any(len + 1);
		switch (any(6)) {
		case 0:			/* another byte */
			if (at < len)
				text[at] = any(256);
			break;
		case 1:			/* a special byte */
			if (at < len)
				text[at] = hot[any(sizeof(hot) - 1)];
			break;
		case 2:			/* an extra byte */
			if (len == max)
				break;
			memmove(text + at + 1, text + at, len - at);
			text[at] = hot[any(sizeof(hot) - 1)];
			len++;
			break;
		case 3:			/* fewer bytes */
			n = any(len - at + 1);
			memmove(text + at, text + at + n, len - at - n);
			len -= n;
			break;
		case 4:			/* a piece of another text */
			from = written[any(TAP_NUM(written))];
			n = any(strlen(from) + 1);
			n = n < max - len ? n : max - len;
			memcpy(text + len, from, n);
			len += n;
			break;
		case 5:			/* a piece repeated */
			n = any(len - at + 1);
			n = n < max - len ? n : max - len;
			memcpy(text + len, text + at, n);
			len += n;
			break;
		}
	}
	return len;
}

/* A parsed pattern that is written out is parsed the same way again */
static bool same_meaning(const struct ftrace_pattern *p)
{
	char text[2 * FTRACE_TOKEN_MAX];
	struct ftrace_pattern q;

	snprintf(text, sizeof(text), "%s%s%s%s%s%s%s%s%s%s%s", p->negate ? "!" : "", p->name,
		 p->module ? ":mod:" : "", p->not_module ? "!" : "", p->module ?: "",
		 p->source ? ":src:" : "", p->source ?: "", p->command ? ":" : "",
		 p->command ?: "", p->param ? ":" : "", p->param ?: "");
	return !ftrace_pattern_parse(&q, text) && same_text(p->name, q.name) &&
	       same_text(p->module, q.module) && same_text(p->source, q.source) &&
	       same_text(p->command, q.command) && same_text(p->param, q.param) &&
	       p->negate == q.negate && p->not_module == q.not_module && p->glob == q.glob;
}

static bool use_token(const char *text)
{
	char *token = strdup(text);
	struct ftrace_pattern p;
	int ret = ftrace_pattern_parse(&p, token);
	bool fine = ret == 0 || ret == -EINVAL;

	if (!ret) {
		fine = *p.name && (!p.module || *p.module) && (!p.source || *p.source) &&
		       (!p.command || *p.command) && same_meaning(&p);
		ftrace_pattern_match(p.name, "vfs_read");
		if (p.module)
			ftrace_pattern_match(p.module, "ext3");
		if (p.source)
			ftrace_pattern_match(p.source, "fs/read_write.o");
	}
	if (!EXPECT(fine))
		printf("# in \"%s\"\n", text);
	free(token);
	return fine;
}

/* a million writes, whole and in pieces, split and parsed as the file does */
static void damaged_writes(void)
{
	unsigned int round;
	char text[160];

	for (round = 0; round < 1000000; round++) {
		size_t len = damaged(text, sizeof(text)), cut = any(len + 1), part;

		ftrace_tokens_reset(&tokens);
		for (part = 0; part < 2; part++) {
			size_t left = part ? len - cut : cut;
			char *copy = memcpy(malloc(left + 1), text + (part ? cut : 0), left);
			const char *from = copy;
			bool fine = true;

			while (fine && ftrace_tokens_next(&tokens, &from, &left, part) > 0) {
				fine = use_token(tokens.text);
				ftrace_tokens_used(&tokens);
			}
			free(copy);
			if (!fine)
				return;
		}
	}
}

/* --- matching --------------------------------------------------------------- */

static const struct {
	const char	*pattern;
	const char	*name;
	bool		match;
} matches[] = {
	{ "schedule", "schedule", true },	{ "schedule", "schedule_work", false },
	{ "schedule", "reschedule", false },	{ "schedule", "", false },
	{ "vfs_*", "vfs_read", true },		{ "vfs_*", "vfs_", true },
	{ "vfs_*", "ovfs_read", false },	{ "vfs_*", "vfs", false },
	{ "*lock", "spin_lock", true },		{ "*lock", "lock", true },
	{ "*lock", "spin_lock_irq", false },	{ "*lock", "spin_unlock", true },
	{ "*lock*", "spin_lock_irq", true },	{ "*lock*", "lo_ck", false },
	{ "a*b", "ab", true },			{ "a*b", "axxb", true },
	{ "a*b", "axbx", false },		{ "a*b*c", "a1b2b3c", true },
	{ "a*b*c", "a1b2", false },		{ "*a*a*", "banana", true },
	{ "*a*a*a*a*", "banana", false },	{ "?", "a", true },
	{ "?", "", false },			{ "a?c", "abc", true },
	{ "a?c", "ac", false },			{ "??*", "a", false },
	{ "a[bc]d", "abd", true },		{ "a[bc]d", "aed", false },
	{ "a[b-d]e", "ace", true },		{ "a[b-d]e", "aee", false },
	{ "a[!b-d]e", "aee", true },		{ "a[!b-d]e", "ace", false },
	{ "[sv]*", "vfs_read", true },		{ "[sv]*", "read", false },
	{ "*", "anything", true },		{ "*", "", true },
	{ "**", "x", true },			{ "\\*", "*", true },
	{ "\\*", "a", false },			{ "a\\?", "a?", true },
	{ "a\\?", "ab", false },		{ "a[", "a[", true },
	{ "f.part.0", "f.part.0", true },	{ "f.*", "fpart", false },
};

static void matching(void)
{
	unsigned int i;

	for (i = 0; i < TAP_NUM(matches); i++)
		if (!EXPECT_EQ(ftrace_pattern_match(matches[i].pattern, matches[i].name),
			       matches[i].match))
			printf("# \"%s\" and \"%s\"\n", matches[i].pattern, matches[i].name);
}

/* by definition, without regard to cost: the text that the first part of a pattern may match */
static bool plain_match(const char *p, const char *s)
{
	const char *from;
	bool found, not;

	switch (*p) {
	case '\0':
		return !*s;
	case '*':
		return plain_match(p + 1, s) || (*s && plain_match(p, s + 1));
	case '?':
		return *s && plain_match(p + 1, s + 1);
	case '[':
		/* Only complete classes are generated here, of single letters and ranges */
		if (!*s)
			return false;
		not = p[1] == '!';
		found = false;
		for (from = p + 1 + not; *from != ']'; from++) {
			if (from[1] == '-' && from[2] != ']') {
				found |= from[0] <= *s && *s <= from[2];
				from += 2;
			} else {
				found |= *from == *s;
			}
		}
		return found != not && plain_match(from + 1, s + 1);
	case '\\':
		p++;
		break;
	}
	return *p == *s && plain_match(p + 1, s + 1);
}

/* patterns of a few letters, so that matches are not rare */
static void matching_by_definition(void)
{
	static const char *const parts[] = {
		"a", "b", "c", "*", "?", "[ab]", "[!a]", "[a-c]", "[!b-c]", "[b-]", "\\*",
		"\\a", "ab", "*b",
	};
	unsigned int round, i, n, yes = 0;

	for (round = 0; round < 200000; round++) {
		char pattern[64] = "", name[10] = "";
		bool want;

		for (i = any(6); i; i--)
			strcat(pattern, parts[any(TAP_NUM(parts))]);
		n = any(sizeof(name));
		for (i = 0; i < n; i++)
			name[i] = "abc*-"[any(any(4) ? 3 : 5)];
		name[n] = '\0';

		want = plain_match(pattern, name);
		yes += want;
		if (!EXPECT_EQ(ftrace_pattern_match(pattern, name), want)) {
			printf("# \"%s\" and \"%s\"\n", pattern, name);
			return;
		}
	}
	/* otherwise the letters were chosen badly */
	EXPECT(yes > round / 20 && yes < round / 2);
}

static const struct tap_case cases[] = {
	TAP_CASE(split_anywhere),
	TAP_CASE(length_of_tokens),
	TAP_CASE(meaning_of_patterns),
	TAP_CASE(meaning_of_noise),
	TAP_CASE(damaged_writes),
	TAP_CASE(matching),
	TAP_CASE(matching_by_definition),
};

int main(void)
{
	return tap_run(cases, TAP_NUM(cases));
}
