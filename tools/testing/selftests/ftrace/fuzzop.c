// SPDX-License-Identifier: GPL-2.0
/*
 * fuzzop FILE SEED NUMBER - writes changed lines to a file
 *
 * Reads lines from the standard input, and NUMBER times writes one of them to FILE in one write,
 * after some random changes: characters and tokens are removed, repeated, replaced, or taken from
 * another line. What is accepted is removed again now and then, by "!" and the same line, or "-:"
 * and the name after the first colon, or by opening the file with O_TRUNC. The same SEED gives the
 * same lines.
 *
 * Prints "accepted N refused M". Exits with 1 if FILE cannot be opened, and with 2 if a write
 * fails with an errno that no file of tracing should return: EFAULT, EIO, EINTR or EAGAIN.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_LINES	256
#define LINE_MAX_LEN	1024

static char *lines[MOST_LINES];
static int nr_lines;
static uint64_t state;

#define NR(array)	(sizeof(array) / sizeof(*(array)))

/* Characters and tokens that parsers treat in a special way */
static const char *const special[] = {
	"", " ", "  ", "\t", "\n", ",", ".", ":", ";", "=", "==", "!", "!=", "~", "&", "&&", "|",
	"||", "(", ")", "((", "+", "-", "*", "/", "%", "$", "$$", "@", "\"", "'", "[", "]", "{",
	"}", "<", ">", "->", "0", "-1", "0x", "18446744073709551616", "9223372036854775808",
	"4294967296", "00000000000000000000000000001", "a", "_", "*?*", "\\", "\x7f", "\xff", "if",
	"keys", "vals=", ":sort=", "common_pid", "hitcount", "$arg1", "$retval", "$stack9999",
	"$comm", "+0(", "-u8(", ":u8", ":x64[64]", ":string", ":b1@0/8",
	"long_long_long_long_long_long_long_long_long_long_long_long_long_name",
};

static unsigned int below(unsigned int n)
{
	/* xorshift64* */
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 0x2545f4914f6cdd1dULL >> 32) % n;
}

/* Replaces @drop bytes at @at by @len bytes of @from, if there is space for them. */
static void replace(char *text, size_t at, size_t drop, const char *from, size_t len)
{
	size_t size = strlen(text);

	if (at > size)
		at = size;
	if (drop > size - at)
		drop = size - at;
	if (size - drop + len >= LINE_MAX_LEN)
		return;
	memmove(text + at + len, text + at + drop, size - at - drop + 1);
	memcpy(text + at, from, len);
}

static void change(char *text)
{
	size_t size = strlen(text), at = below(size + 1), len;
	char *copy;
	const char *other;

	switch (below(7)) {
	case 0:
		replace(text, at, 1 + below(4), "", 0);
		break;
	case 1:
		text[at] = '\0';
		break;
	case 2:
		copy = strdup(text);
		len = below(16);
		replace(text, at, 0, copy + at, len < size - at ? len : size - at);
		free(copy);
		break;
	case 3:
		other = lines[below(nr_lines)];
		len = strlen(other);
		at = below(len + 1);
		replace(text, below(size + 1), below(8), other + at, below(len - at + 1));
		break;
	default:
		other = special[below(NR(special))];
		replace(text, at, below(3), other, strlen(other));
	}
}

static int put(const char *path, const char *text, int flags)
{
	int err = 0, fd = open(path, O_WRONLY | flags);

	if (fd < 0)
		return errno;
	if (*text && write(fd, text, strlen(text)) < 0)
		err = errno;
	close(fd);
	return err;
}

static void undo(const char *path, const char *text)
{
	char other[LINE_MAX_LEN + 8];
	const char *colon = strchr(text, ':');

	if (below(2)) {
		snprintf(other, sizeof(other), "!%s", text);
		put(path, other, O_APPEND);
	}
	if (colon && below(2)) {
		snprintf(other, sizeof(other), "-%.*s", (int)strcspn(colon, " \t\n"), colon);
		put(path, other, O_APPEND);
	}
	if (!below(4))
		put(path, "", O_TRUNC);
}

static int is_strange(int err)
{
	return err == EFAULT || err == EIO || err == EINTR || err == EAGAIN;
}

int main(int argc, char **argv)
{
	char line[LINE_MAX_LEN];
	int number, accepted = 0, err;

	if (argc != 4 || access(argv[1], W_OK))
		return 1;
	state = strtoull(argv[2], NULL, 0) | 1;
	number = atoi(argv[3]);
	while (nr_lines < MOST_LINES && fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		lines[nr_lines++] = strdup(line);
	}
	if (!nr_lines)
		return 1;

	for (int i = 0; i < number; i++) {
		snprintf(line, sizeof(line), "%s", lines[below(nr_lines)]);
		for (int n = below(5); n; n--)
			change(line);
		/* Without it, some files parse the rest only when they are closed. */
		if (below(4))
			replace(line, strlen(line), 0, "\n", 1);
		err = put(argv[1], line, below(8) ? O_APPEND : 0);
		if (is_strange(err)) {
			printf("errno %d for: %s\n", err, line);
			return 2;
		}
		accepted += !err;
		if (!err)
			undo(argv[1], line);
	}
	put(argv[1], "", O_TRUNC);
	printf("accepted %d refused %d\n", accepted, number - accepted);
	return 0;
}
