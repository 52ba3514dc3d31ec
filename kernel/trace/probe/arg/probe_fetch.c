// SPDX-License-Identifier: GPL-2.0
/*
 * Fetching of probe arguments. All code here runs in any context, when a probe is hit; it does
 * not sleep unless probe_source_user.sleeps allows this, and no address is trusted.
 */
#include "probe/arg/env.h"
#include "probe/arg/probe_fetch.h"

/**
 * struct probe_fetch_run - state of a run
 * @source: source of the values
 * @entry: destination of the values
 * @end: number of bytes of @entry in use
 * @max_size: maximum size of @entry in bytes
 * @value: current value
 * @known: the current value is known
 * @bound: number of bytes that may be read from the address in the current value
 */
struct probe_fetch_run {
	const struct probe_source	*source;
	void				*entry;
	unsigned int			end;
	unsigned int			max_size;
	unsigned long			value;
	bool				known;
	unsigned int			bound;
};

/* Any number of bytes may be read, as far as this is known. */
#define FETCH_UNBOUND	UINT_MAX

/* Read a number from the entry of the event that the probe is on */
static __always_inline unsigned long probe_fetch_field_of(const struct probe_step *step,
							  const void *entry)
{
	unsigned int spare = 64 - step->len * BITS_PER_BYTE;
	u64 number = probe_env_number(entry + step->arg, step->len);

	return step->left ? (s64)(number << spare) >> spare : number;
}

static unsigned long probe_fetch_value_of(const struct probe_step *step,
					  const struct probe_source *source)
{
	switch (step->op) {
	case PROBE_OP_REGISTER:
		return probe_env_register(source->regs, step->arg);
	case PROBE_OP_STACK:
		return probe_env_stack(source->regs, step->arg);
	case PROBE_OP_STACK_POINTER:
		return probe_env_stack_pointer(source->regs);
	case PROBE_OP_ARGUMENT:
		return probe_env_argument(source->regs, step->arg);
	case PROBE_OP_KEPT:
		return source->kept ? source->kept[step->arg] : 0;
	case PROBE_OP_RETURNED:
		return probe_env_returned(source->regs);
	case PROBE_OP_COMM:
		return probe_env_comm();
	case PROBE_OP_FIELD:
		return probe_fetch_field_of(step, source->entry);
	case PROBE_OP_FIELD_ADDRESS:
		return (unsigned long)source->entry + step->arg;
	default:
		/* It changes if it is the address of a symbol in a module. */
		return READ_ONCE(step->arg);
	}
}

/* May reading of user space memory sleep? */
static bool probe_fetch_sleeps(const struct probe_source *source)
{
	return source->user && source->user->sleeps;
}

static void probe_fetch_set_absent(const struct probe_source *source)
{
	if (source->user)
		source->user->absent = true;
}

/* Return: true if all bytes were read */
static bool probe_fetch_bytes(struct probe_fetch_run *run, void *to, unsigned long from,
			      size_t len, bool user)
{
	const struct probe_source *source = run->source;

	if (user && probe_fetch_sleeps(source))
		return probe_env_read_sleeping(to, from, len);
	if (probe_env_read(to, from, len, user))
		return true;
	if (user)
		probe_fetch_set_absent(source);

	return false;
}

/* Return: length of the string in @to including its NUL, 0 if it cannot be read */
static unsigned int probe_fetch_string(struct probe_fetch_run *run, char *to, unsigned long from,
				       size_t size, bool user)
{
	const struct probe_source *source = run->source;
	unsigned int len;

	if (user && probe_fetch_sleeps(source))
		return probe_env_string_sleeping(to, from, size);
	len = probe_env_string(to, from, size, user);
	if (!len && user)
		probe_fetch_set_absent(source);

	return len;
}

/* May @len bytes be read from the current value plus @arg? */
static bool probe_fetch_is_inside(const struct probe_fetch_run *run, long arg, unsigned int len)
{
	return run->known && (run->bound == FETCH_UNBOUND ||
			      (arg >= 0 && arg <= run->bound && len <= run->bound - arg));
}

/* Append the string at @from to the entry. A string that is too long is truncated. */
static void probe_fetch_put_string(struct probe_fetch_run *run, unsigned int to,
				   unsigned long from, bool user)
{
	unsigned int left = run->max_size - run->end, len = 0;

	if (run->known && left)
		len = probe_fetch_string(run, run->entry + run->end, from, left, user);
	probe_env_store(run->entry + to, PROBE_LOC(run->end, len), sizeof(u32));
	run->end += len;
}

/*
 * Append a string of the entry that the probe is on, from the current value plus @arg. It may have
 * no NUL.
 */
static void probe_fetch_put_field(struct probe_fetch_run *run, const struct probe_step *step)
{
	unsigned int left = run->max_size - run->end, len = 0;
	char *to = run->entry + run->end;

	if (left && probe_fetch_is_inside(run, step->arg, 1)) {
		len = min(left - 1, run->bound - (unsigned int)step->arg);
		to[len] = '\0';
		if (probe_fetch_bytes(run, to, run->value + step->arg, len, false))
			len = strlen(to) + 1;
		else
			len = 0;
	}
	probe_env_store(run->entry + step->to, PROBE_LOC(run->end, len), sizeof(u32));
	run->end += len;
}

/* Replace the current value by the word that @step reads at its address. */
static void probe_fetch_load(struct probe_fetch_run *run, const struct probe_step *step)
{
	unsigned long from = run->value + step->arg;

	run->known = probe_fetch_is_inside(run, step->arg, sizeof(run->value)) &&
		     probe_fetch_bytes(run, &run->value, from, sizeof(run->value),
				       step->user & PROBE_USER);
	run->bound = FETCH_UNBOUND;
}

static void probe_fetch_copy(struct probe_fetch_run *run, const struct probe_step *step)
{
	void *to = run->entry + step->to;

	if (!probe_fetch_is_inside(run, step->arg, step->len) ||
	    !probe_fetch_bytes(run, to, run->value + step->arg, step->len,
			       step->user & PROBE_USER))
		memset(to, 0, step->len);
}

/*
 * The address of a byte in the probe's file is in the list of mappings, which can be read only
 * if the context may sleep.
 */
static void probe_fetch_find_mapped(struct probe_fetch_run *run, const struct probe_step *step)
{
	const struct probe_source *source = run->source;

	run->value = 0;
	run->bound = FETCH_UNBOUND;
	if (probe_fetch_sleeps(source))
		run->value = source->user->mapped(source->user, step->arg);
	else
		probe_fetch_set_absent(source);
	run->known = run->value;
}

static void probe_fetch_store(struct probe_fetch_run *run, const struct probe_step *step)
{
	probe_env_store(run->entry + step->to, run->known ? run->value : 0, step->put);
}

static void probe_fetch_set_value(struct probe_fetch_run *run, const struct probe_step *step)
{
	run->value = probe_fetch_value_of(step, run->source);
	run->known = true;
	run->bound = FETCH_UNBOUND;
	if (step->put)
		probe_fetch_store(run, step);
}

/* Make the address that the __data_loc of a field refers to the current value. */
static void probe_fetch_set_field(struct probe_fetch_run *run, const struct probe_step *step)
{
	const void *entry = run->source->entry;
	u32 loc = probe_env_number(entry + step->arg, sizeof(loc));

	run->value = (unsigned long)entry + step->to + PROBE_LOC_OFFSET(loc);
	run->bound = PROBE_LOC_LEN(loc);
	/* A string that could not be read has no bytes. */
	run->known = run->bound;
}

static void probe_fetch_shift(struct probe_fetch_run *run, const struct probe_step *step)
{
	void *at = run->entry + step->to;
	u64 number = probe_env_number(at, step->len);
	u64 mask = GENMASK_ULL(step->len * BITS_PER_BYTE - 1, 0);

	probe_env_store(at, (number << step->left & mask) >> step->right, step->len);
}

/* Append the string at the current value plus an offset. */
static void probe_fetch_put(struct probe_fetch_run *run, const struct probe_step *step)
{
	if (run->bound != FETCH_UNBOUND)
		probe_fetch_put_field(run, step);
	else
		probe_fetch_put_string(run, step->to, run->value + step->arg,
				       step->user & PROBE_USER);
}

/*
 * Append a string whose address is in memory. The current value, which is the address of an
 * array, is not changed.
 */
static void probe_fetch_put_string_at(struct probe_fetch_run *run,
				      const struct probe_step *step)
{
	struct probe_fetch_run here = *run;

	probe_fetch_load(&here, step);
	probe_fetch_put_string(&here, step->to, here.value, step->user & PROBE_STRING_USER);
	run->end = here.end;
}

/* Append a name from a kernel structure: find the address of the name. */
static void probe_fetch_put_name(struct probe_fetch_run *run, const struct probe_step *step)
{
	unsigned long name = run->value;

	run->known = run->known && (step->op == PROBE_OP_FILE ? probe_env_file_name(&name) :
								 probe_env_dentry_name(&name));
	probe_fetch_put_string(run, step->to, name, false);
}

static void probe_fetch_put_symbol(struct probe_fetch_run *run, const struct probe_step *step)
{
	char name[PROBE_SYMBOL_LEN];

	probe_env_symbol_text(name, run->value);
	probe_fetch_put_string(run, step->to, (unsigned long)name, false);
}

/*
 * Common steps that set the value, and store it. They call no functions, so their loop needs few
 * registers. Return: false for other steps
 */
static __always_inline bool probe_fetch_simple(unsigned long *value, const struct probe_step *step,
					       const struct probe_source *source)
{
	if (!step->put)
		return false;

	switch (step->op) {
	case PROBE_OP_REGISTER:
		*value = probe_env_register(source->regs, step->arg);
		return true;
	case PROBE_OP_KEPT:
		*value = source->kept ? source->kept[step->arg] : 0;
		return true;
	case PROBE_OP_RETURNED:
		*value = probe_env_returned(source->regs);
		return true;
	case PROBE_OP_FIELD:
		*value = probe_fetch_field_of(step, source->entry);
		return true;
	default:
		return false;
	}
}

/* Run the program from its first step that is not simple. Return: size of the entry */
static noinline unsigned int probe_fetch_from(const struct probe_step *step,
					      const struct probe_step *end,
					      const struct probe_source *source, void *entry,
					      unsigned int size, unsigned int max_size)
{
	struct probe_fetch_run run = { .source = source, .entry = entry, .end = size,
				       .max_size = max_size };

	for (; step < end; step++) {
		switch (step->op) {
		case PROBE_OP_FIELD_LOC:
			probe_fetch_set_field(&run, step);
			break;
		case PROBE_OP_MAPPED:
			probe_fetch_find_mapped(&run, step);
			break;
		case PROBE_OP_LOAD:
			probe_fetch_load(&run, step);
			break;
		case PROBE_OP_STORE:
			probe_fetch_store(&run, step);
			break;
		case PROBE_OP_COPY:
			probe_fetch_copy(&run, step);
			break;
		case PROBE_OP_BITS:
			probe_fetch_shift(&run, step);
			break;
		case PROBE_OP_STRING:
			probe_fetch_put(&run, step);
			break;
		case PROBE_OP_STRING_AT:
			probe_fetch_put_string_at(&run, step);
			break;
		case PROBE_OP_SYMSTR:
			probe_fetch_put_symbol(&run, step);
			break;
		case PROBE_OP_DENTRY:
		case PROBE_OP_FILE:
			probe_fetch_put_name(&run, step);
			break;
		default:
			probe_fetch_set_value(&run, step);
		}
	}

	return run.end;
}

/**
 * probe_fetch - fill in the entry of a probe
 * @steps: the program
 * @nr: number of steps
 * @source: source of the values
 * @entry: filled in by the steps; the caller fills in the part before the arguments
 * @size: size of the fixed part of @entry in bytes, for which there must be space
 * @max_size: maximum size of @entry in bytes, including its strings
 *
 * Context: any, preemption disabled unless @source->user->sleeps
 *
 * Return: size of @entry in bytes, including its strings
 */
unsigned int probe_fetch(const struct probe_step *steps, unsigned int nr,
			 const struct probe_source *source, void *entry, unsigned int size,
			 unsigned int max_size)
{
	const struct probe_step *step = steps, *end = steps + nr;

	unsigned long value;

	for (; step < end; step++) {
		if (!probe_fetch_simple(&value, step, source))
			return probe_fetch_from(step, end, source, entry, size, max_size);
		probe_env_store(entry + step->to, value, step->put);
	}

	return size;
}
