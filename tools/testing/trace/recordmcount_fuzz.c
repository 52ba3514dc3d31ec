// SPDX-License-Identifier: GPL-2.0
/*
 * recordmcount on objects that were damaged at random.
 *
 * Usage: recordmcount_fuzz [-n ROUNDS] [-s SEED] FILE.o...
 *
 * Each round damages a copy of one of the objects in a few places, preferably in sensitive ones
 * (headers, symbols, relocations), or truncates it, and processes it in memory. The sanitizers
 * verify that nothing outside the object is accessed. If an object is accepted nevertheless,
 * processing the result again must find nothing to do.
 */
#include <stdio.h>

#include "recordmcount_test.h"

/* The messages about thousands of broken objects are not shown */
static FILE *messages;
#undef stderr
#define stderr messages
#define main recordmcount_main
#include "../../../scripts/recordmcount.c"
#undef main

#include <time.h>

struct sample {
	unsigned char	*data;
	size_t		size;
};

/* xorshift64*: the same damage on every libc */
static unsigned long long state = 88172645463325252ull;

static unsigned long long any(unsigned long long below)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 2685821657736338717ull % below;
}

/* a number that is likely to trigger an overflow or an off-by-one error */
static unsigned long long evil_number(size_t size)
{
	static const unsigned long long numbers[] = {
		0, 1, 2, 3, 7, 8, 24, 63, 64, 0xff, 0xfeff, 0xff00, 0xffff, 0x10000,
		0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
		0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffc0,
	};
	unsigned long long n;

	switch (any(4)) {
	case 0:
		n = numbers[any(ARRAY_SIZE(numbers))];
		break;
	case 1:
		n = size;
		break;
	case 2:
		n = any(size + 1);
		break;
	default:
		n = -(unsigned long long)size;
		break;
	}
	return n + any(3) - 1;
}

/* the place to damage: a header, a section header, inside some section, or anywhere */
static size_t evil_place(const struct sample *s)
{
	const Elf64_Ehdr *ehdr = (const Elf64_Ehdr *)s->data;
	unsigned long long off, size;
	const Elf64_Shdr *shdr;
	struct object obj = {
		/* only to read the undamaged sample in its byte order */
		.swap = ehdr->e_ident[EI_DATA] == ELFDATA2MSB,
	};
	unsigned int num = x16(&obj, ehdr->e_shnum);

	if (any(8) == 0 || !num)
		return any(s->size);
	if (any(8) == 0)
		return any(sizeof(*ehdr));
	off = x64(&obj, ehdr->e_shoff);
	size = num * sizeof(*shdr);
	if (any(2)) {
		shdr = (const Elf64_Shdr *)(s->data + off) + any(num);
		off = x64(&obj, shdr->sh_offset);
		size = x64(&obj, shdr->sh_size);
	}
	if (!size || off >= s->size || size > s->size - off)
		return any(s->size);
	return off + any(size);
}

static void damage(const struct sample *s, unsigned char *data, size_t size)
{
	size_t at = evil_place(s);
	unsigned long long n = evil_number(size);
	unsigned int width = 1 << any(4);
	unsigned int i;
	bool big = s->data[EI_DATA] == ELFDATA2MSB;

	if (any(4) == 0) {
		if (at < size)
			data[at] ^= 1 << any(8);
		return;
	}
	at -= at % width;
	for (i = 0; i < width && at + i < size; i++)
		data[at + i] = n >> (big ? 8 * (width - 1 - i) : 8 * i);
}

static void end_object(struct object *obj)
{
	free(obj->spans);
	free(obj->path);
	free(obj->sites);
	free(obj->secsym);
	free(obj->is_callee);
	free(obj->data);
}

/* processes the new file as an object; there must be nothing left to do */
static int again(const struct image *image)
{
	struct object obj = { .name = "again", .size = image->size + image->used };
	const struct wishes wishes = { .source = true, .warn = true };
	struct image none = { };
	int ret;

	/* exact in size, so that the sanitizer knows its end */
	obj.data = malloc(obj.size);
	if (!obj.data)
		return -1;
	memcpy(obj.data, image->head, image->size);
	if (image->used)
		memcpy(obj.data + image->size, image->tail, image->used);
	ret = record_calls(&obj, &wishes, &none);
	free(none.memory);
	end_object(&obj);
	return ret;
}

static int fuzz_round(const struct sample *s, unsigned long *treated)
{
	struct object obj = { .name = "fuzz", .size = s->size };
	struct wishes wishes = { };
	struct image image = { };
	int ret, bad_again = 0;
	unsigned int i, num = any(6);

	if (any(16) == 0)
		obj.size = any(s->size + 1);
	obj.data = malloc(obj.size ? obj.size : 1);
	if (!obj.data)
		return -1;
	memcpy(obj.data, s->data, obj.size);
	for (i = 0; i < num; i++)
		damage(s, obj.data, obj.size);

	wishes.source = any(2);
	wishes.warn = any(2);
	ret = record_calls(&obj, &wishes, &image);
	if (ret > 0) {
		++*treated;
		bad_again = again(&image);
	}
	free(image.memory);
	end_object(&obj);
	return bad_again;
}

int main(int argc, char **argv)
{
	unsigned long round, rounds = 20000, treated = 0;
	struct sample samples[64];
	unsigned int num = 0;
	int opt;

	while ((opt = getopt(argc, argv, "n:s:")) != -1) {
		if (opt == 'n')
			rounds = atol(optarg);
		else if (opt == 's')
			state ^= atoll(optarg) * 0x9e3779b97f4a7c15ull;
		else
			return 2;
	}
	messages = fopen("/dev/null", "w");
	for (; optind < argc && num < ARRAY_SIZE(samples); optind++) {
		struct object obj = { .name = argv[optind] };
		struct stat st;

		if (!messages || read_file(&obj, &st) || obj.size < sizeof(Elf64_Ehdr))
			return 2;
		samples[num++] = (struct sample){ obj.data, obj.size };
	}
	if (!num)
		return 2;

	for (round = 0; round < rounds; round++) {
		if (fuzz_round(&samples[any(num)], &treated)) {
			printf("# round %lu: a treated object could be treated again\n", round);
			return 1;
		}
	}
	printf("# %lu damaged objects, %lu of them could be treated\n", rounds, treated);
	while (num)
		free(samples[--num].data);
	fclose(messages);
	/* Damage that is never or always fatal is no test */
	return !treated || treated == rounds;
}
