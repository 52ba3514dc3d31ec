// SPDX-License-Identifier: GPL-2.0
/*
 * Matching of entries with event filters. See predicate_match.h.
 *
 * Matching allocates no memory, works in any context, and takes time at most proportional to the
 * length of the filter, whatever the entry is.
 */
#include "event/filter/predicate_match.h"

/* Maximum length of a compared string that a pointer points to, see events.rst. */
#define STRING_MAX	1024

/* Maximum length for globs of a string that fills its field and is not NUL-terminated. */
#define ENDLESS_MAX	64

/* Maximum number of matches with strings that interrupt each other on a CPU. */
#define STRING_NEST	4

/**
 * struct predicate_match_pointed - copies of strings that pointers point to
 * @depth: number of matches on the CPU that use one
 * @text: a string for each of them
 */
struct predicate_match_pointed {
	unsigned int	depth;
	char		text[STRING_NEST][STRING_MAX];
};

/* Allocated with the first filter that needs it, under pointed_lock, and never freed. */
static struct predicate_match_pointed __percpu *pointed;
static DEFINE_MUTEX(pointed_lock);

/* Load the bits of a number, which may be signed. */
static __always_inline u64 predicate_match_number_load(const struct predicate *p, const void *entry)
{
	const void *at = entry + p->offset;

	switch (p->load) {
	case LOAD_8:
		return *(const u8 *)at;
	case LOAD_16:
		return get_unaligned((const u16 *)at);
	case LOAD_32:
		return get_unaligned((const u32 *)at);
	case LOAD_64:
		return get_unaligned((const u64 *)at);
	default:
		return event_env_cpu();
	}
}

/* Find bytes of the entry, or the comm. There may be fewer bytes than the field specifies. */
static const void *predicate_match_bytes_find(const struct predicate *p, const void *entry,
					      size_t len,
					      size_t *size)
{
	size_t at = p->offset;
	u32 loc;

	if (p->load == LOAD_COMM) {
		*size = TASK_COMM_LEN;
		return event_env_comm();
	}

	*size = p->size;
	if (p->load != LOAD_STATIC) {
		loc = get_unaligned((const u32 *)(entry + at));
		at = (p->load == LOAD_REL ? at + sizeof(loc) : 0) + (loc & 0xffff);
		*size = loc >> 16;
	}
	at = min_t(size_t, at, len);
	*size = min_t(size_t, *size, len - at);
	return entry + at;
}

static bool predicate_match_glob_test(const char *glob, const char *text, size_t size)
{
	char copy[ENDLESS_MAX];

	if (strnlen(text, size) < size)
		return glob_match(glob, text);

	size = min_t(size_t, size, sizeof(copy) - 1);
	memcpy(copy, text, size);
	copy[size] = 0;
	return glob_match(glob, copy);
}

static bool predicate_match_text_test(const struct predicate *p, const char *text, size_t size)
{
	if (p->test == TEST_TEXT_GLOB)
		return predicate_match_glob_test(p->text, text, size) != p->not;

	return (strnlen(text, size) == p->len && !memcmp(text, p->text, p->len)) != p->not;
}

/* If the string cannot be read, or too many matches are nested, the test is false. */
static bool predicate_match_pointer_test(const struct predicate *p, const void *entry)
{
	struct predicate_match_pointed *mine;
	unsigned long from;
	bool match = false;
	unsigned int depth;

	from = p->size == 4 ? get_unaligned((const u32 *)(entry + p->offset)) :
			      get_unaligned((const u64 *)(entry + p->offset));

	preempt_disable_notrace();
	mine = this_cpu_ptr(pointed);
	depth = mine->depth++;
	/* Interrupting contexts use the next text. */
	barrier();
	if (depth < STRING_NEST &&
	    event_env_string(mine->text[depth], from, STRING_MAX, p->load == LOAD_UPTR))
		match = predicate_match_text_test(p, mine->text[depth], STRING_MAX);
	barrier();
	mine->depth--;
	preempt_enable_notrace();
	return match;
}

static bool predicate_match_mask_test(const struct predicate *p, const void *bytes, size_t size)
{
	const unsigned long *want = cpumask_bits(p->mask);
	unsigned int nr = BITS_TO_LONGS(nr_cpu_ids), i;
	bool meets = false, is = true;

	for (i = 0; i < nr; i++) {
		size_t at = min_t(size_t, i * sizeof(long), size);
		unsigned long have = 0;

		memcpy(&have, bytes + at, min_t(size_t, size - at, sizeof(long)));
		if (i == nr - 1)
			have &= BITMAP_LAST_WORD_MASK(nr_cpu_ids);
		meets |= have & want[i];
		is &= have == want[i];
	}
	return (p->test == TEST_MASK_MEETS ? meets : is) != p->not;
}

static __always_inline bool predicate_match_number_test(const struct predicate *p, u64 value)
{
	if (likely(p->test == TEST_RANGE))
		return ((value - p->low) & p->bits) <= p->span;
	if (p->test == TEST_BITS)
		return value & p->low;

	return value < nr_cpu_ids && cpumask_test_cpu(value, p->mask);
}

/* Index of the jump target after a test of a number. */
static __always_inline unsigned int predicate_match_number_next(const struct predicate *p,
								const void *entry)
{
	return p->next[predicate_match_number_test(p, predicate_match_number_load(p, entry)) !=
		       p->not];
}

/* Test a value other than a number. */
static bool predicate_match_bytes_test(const struct predicate *p, const void *entry, size_t len)
{
	const void *bytes;
	size_t size;

	if (p->test == TEST_FUNCTION)
		return true;
	if (p->load == LOAD_PTR || p->load == LOAD_UPTR)
		return predicate_match_pointer_test(p, entry);

	bytes = predicate_match_bytes_find(p, entry, len, &size);
	return p->test == TEST_MASK_IS || p->test == TEST_MASK_MEETS ?
	       predicate_match_mask_test(p, bytes, size) :
	       predicate_match_text_test(p, bytes, size);
}

/* The rest of a match after the first test of a value other than a number. */
static noinline bool predicate_match_from(const struct event_filter *filter,
					  const struct predicate *p,
					  const void *entry, size_t len)
{
	unsigned int i;

	for (;;) {
		if (p->load <= LOAD_CPU)
			i = predicate_match_number_next(p, entry);
		else
			i = p->next[predicate_match_bytes_test(p, entry, len)];
		if (i >= REJECT)
			return i == ACCEPT;
		p = &filter->test[i];
	}
}

/**
 * trace_filter_match - check whether an entry matches a filter
 * @filter: filter of the event; not NULL
 * @entry: the entry, which begins with struct trace_entry
 * @len: its length in bytes; the memory after it is not accessed
 *
 * Context: any
 */
bool trace_filter_match(const struct event_filter *filter, const void *entry, size_t len)
{
	const struct predicate *p = filter->test;
	unsigned int i;

	if (unlikely(len < filter->need))
		return false;

	/* Tests of numbers need few registers, so they have a separate loop. */
	while (p->load <= LOAD_CPU) {
		i = predicate_match_number_next(p, entry);
		if (i >= REJECT)
			return i == ACCEPT;
		p = &filter->test[i];
	}

	return predicate_match_from(filter, p, entry, len);
}

#ifdef CONFIG_PERF_EVENTS
/**
 * filter_match_preds - check whether an entry matches a filter
 * @filter: the filter, or NULL to match every entry
 * @rec: the entry, which is as long as its fields require
 *
 * Context: any
 *
 * Return: 0 or 1
 */
int filter_match_preds(struct event_filter *filter, void *rec)
{
	return !filter || trace_filter_match(filter, rec, SIZE_MAX);
}
EXPORT_SYMBOL_GPL(filter_match_preds);
#endif

/**
 * trace_filter_reads_kernel - check whether a filter compares data outside the entry
 * @filter: the filter, not NULL
 *
 * Return: true if it reads strings in the kernel that fields of the entry point to
 */
bool trace_filter_reads_kernel(const struct event_filter *filter)
{
	unsigned int i;

	for (i = 0; i < filter->nr; i++)
		if (filter->test[i].load == LOAD_PTR)
			return true;
	return false;
}

/**
 * trace_pointed_prepare - prepare for tests of strings that pointers point to
 *
 * Context: may sleep
 *
 * Return: 0 or -ENOMEM
 */
int trace_pointed_prepare(void)
{
	guard(mutex)(&pointed_lock);

	if (!pointed)
		pointed = alloc_percpu(struct predicate_match_pointed);
	return pointed ? 0 : -ENOMEM;
}

static bool predicate_match_has_mask(const struct predicate *p)
{
	return p->test == TEST_CPU_IN || p->test == TEST_MASK_IS ||
	       p->test == TEST_MASK_MEETS;
}

/**
 * trace_filter_free - free a filter
 * @filter: the filter, which is no longer used by matches, or NULL
 */
void trace_filter_free(struct event_filter *filter)
{
	unsigned int i;

	if (!filter)
		return;

	for (i = 0; i < filter->nr; i++)
		if (predicate_match_has_mask(&filter->test[i]))
			kfree(filter->test[i].mask);
	kvfree(filter);
}

static void predicate_match_filter_free_rcu(struct rcu_head *head)
{
	trace_filter_free(container_of(head, struct event_filter, rcu));
}

/**
 * trace_filter_free_rcu - free a filter after a grace period
 * @filter: the filter, or NULL
 *
 * Matches that use it have preemption disabled, or are RCU readers.
 */
void trace_filter_free_rcu(struct event_filter *filter)
{
	if (filter)
		call_rcu(&filter->rcu, predicate_match_filter_free_rcu);
}
