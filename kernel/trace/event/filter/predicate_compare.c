// SPDX-License-Identifier: GPL-2.0
/*
 * Compiler for a comparison in an event filter. See predicate.h for the valid combinations.
 */
#include "event/core/fields.h"
#include "event/filter/predicate_compare.h"

static int predicate_compare_fail(struct comparison *cmp, const char *what)
{
	cmp->wrong = what;
	return -EINVAL;
}

static bool predicate_compare_is_mask(struct comparison *cmp)
{
	return !cmp->quoted && !strncmp(cmp->text, "CPUS{", 5);
}

/* Parse the mask of CPUS{...}; the predicate owns it from now on. */
static int predicate_compare_parse_mask(struct comparison *cmp, struct predicate *p)
{
	char *list = cmp->text + strlen("CPUS{");
	int err;

	p->mask = kzalloc(cpumask_size(), GFP_KERNEL);
	if (!p->mask)
		return -ENOMEM;

	list[strlen(list) - 1] = '\0';
	err = cpulist_parse(list, p->mask);
	return err || cpumask_empty(p->mask) ?
	       predicate_compare_fail(cmp, "Bad list of CPUs") : 0;
}

/*
 * Compare a number with CPUS{}: a number is equal to a mask that has only this CPU. A negative
 * number is not a CPU. It is loaded without sign extension, so a negative one-byte number would
 * look like a CPU from 128 on.
 */
static int predicate_compare_compile_cpu(struct comparison *cmp, struct predicate *p,
					 bool signed_byte)
{
	unsigned int i, first = signed_byte ? BITS_TO_LONGS(128) : BITS_TO_LONGS(nr_cpu_ids);
	int err;

	if (cmp->op != OP_EQ && cmp->op != OP_NE && cmp->op != OP_BITS)
		return predicate_compare_fail(cmp, "CPUS{} goes with ==, != and & only");

	p->test = TEST_CPU_IN;
	p->not = cmp->op == OP_NE;
	err = predicate_compare_parse_mask(cmp, p);
	if (!err && cmp->op != OP_BITS && cpumask_weight(p->mask) > 1)
		cpumask_clear(p->mask);
	for (i = first; !err && i < BITS_TO_LONGS(nr_cpu_ids); i++)
		cpumask_bits(p->mask)[i] = 0;
	return err;
}

/*
 * Parse a number. A signed field accepts 0xffff... for the value with these bits. @below: set
 * if the number is less, @above: if it is greater than any value of the field.
 */
static int predicate_compare_parse_number(struct comparison *cmp, unsigned int bits,
					  bool is_signed, u64 *number, bool *below, bool *above)
{
	u64 most = is_signed ? U64_MAX >> (65 - bits) : U64_MAX >> (64 - bits);
	bool hex = cmp->text[0] == '0' && tolower(cmp->text[1]) == 'x';
	s64 least = is_signed ? -(s64)most - 1 : 0;
	s64 negative;
	int err;

	*below = false;
	*above = false;
	if (cmp->quoted)
		return predicate_compare_fail(cmp, "Number expected");

	if (cmp->text[0] == '-') {
		err = kstrtos64(cmp->text, 0, &negative);
		*number = negative;
		*below = !err && negative < least;
	} else {
		err = kstrtou64(cmp->text, 0, number);
		*above = !err && *number > most;
	}
	if (err == -ERANGE)
		return predicate_compare_fail(cmp, "Number is too large");
	if (err)
		return predicate_compare_fail(cmp, "Number expected");

	if (*above && is_signed && hex && *number <= U64_MAX >> (64 - bits)) {
		*number |= ~(U64_MAX >> (64 - bits));
		*above = false;
	}
	return 0;
}

/* Set the range to all values between two values of a field of @size bytes, or to no value. */
static void predicate_compare_set_range(struct predicate *p, unsigned int size, u64 low, u64 high,
					bool nothing)
{
	p->test = TEST_RANGE;
	p->bits = U64_MAX >> (64 - size * 8);
	p->low = low;
	p->span = nothing ? U64_MAX : high - low;
	if (nothing)
		p->not = !p->not;
}

static int predicate_compare_compile_number(struct comparison *cmp, struct predicate *p,
					    unsigned int size,
					    bool is_signed)
{
	u64 most = is_signed ? U64_MAX >> (65 - size * 8) : U64_MAX >> (64 - size * 8);
	u64 least = is_signed ? ~most : 0, number;
	bool below, above;
	int err;

	if (cmp->op == OP_GLOB)
		return predicate_compare_fail(cmp, "Field is no string");
	if (predicate_compare_is_mask(cmp))
		return predicate_compare_compile_cpu(cmp, p, is_signed && size == 1);

	err = predicate_compare_parse_number(cmp, size * 8, is_signed, &number, &below, &above);
	if (err)
		return err;

	switch (cmp->op) {
	case OP_BITS:
		p->test = TEST_BITS;
		/* The bits of a negative number are limited to the bits of the field. */
		p->low = number & (U64_MAX >> (64 - size * 8));
		break;
	case OP_EQ:
	case OP_NE:
		p->not = cmp->op == OP_NE;
		predicate_compare_set_range(p, size, number, number, below || above);
		break;
	/* v > n is the opposite of v <= n, and v < n is the opposite of v >= n. */
	case OP_LE:
	case OP_GT:
		p->not = cmp->op == OP_GT;
		predicate_compare_set_range(p, size, least, above ? most : number, below);
		break;
	default:
		p->not = cmp->op == OP_LT;
		predicate_compare_set_range(p, size, below ? least : number, most, above);
		break;
	}
	return 0;
}

static int predicate_compare_compile_function(struct comparison *cmp, struct predicate *p)
{
	unsigned long start = 0, size;
	bool named = !isdigit(cmp->text[0]);

	if (cmp->op != OP_EQ && cmp->op != OP_NE)
		return predicate_compare_fail(cmp, ".function goes with == and != only");
	if (!named && kstrtoul(cmp->text, 0, &start))
		return predicate_compare_fail(cmp, "Function or address expected");
	if (!event_env_function(named ? cmp->text : NULL, &start, &size))
		return predicate_compare_fail(cmp, "Function not found");

	p->not = cmp->op == OP_NE;
	predicate_compare_set_range(p, sizeof(start), start, start + size - 1, !size);
	return 0;
}

static int predicate_compare_compile_text(struct comparison *cmp, struct predicate *p)
{
	if (cmp->op != OP_EQ && cmp->op != OP_NE && cmp->op != OP_GLOB)
		return predicate_compare_fail(cmp, "A string goes with ==, != and ~ only");

	p->test = cmp->op == OP_GLOB ? TEST_TEXT_GLOB : TEST_TEXT_IS;
	p->not = cmp->op == OP_NE;
	p->text = cmp->text;
	p->len = cmp->len;
	return 0;
}

static int predicate_compare_compile_mask(struct comparison *cmp, struct predicate *p)
{
	if (!predicate_compare_is_mask(cmp))
		return predicate_compare_fail(cmp, "CPUS{} expected");
	if (cmp->op != OP_EQ && cmp->op != OP_NE && cmp->op != OP_BITS)
		return predicate_compare_fail(cmp, "CPUS{} goes with ==, != and & only");

	p->test = cmp->op == OP_BITS ? TEST_MASK_MEETS : TEST_MASK_IS;
	p->not = cmp->op == OP_NE;
	return predicate_compare_parse_mask(cmp, p);
}

static int predicate_compare_load_number(unsigned int size)
{
	switch (size) {
	case 1:
		return LOAD_8;
	case 2:
		return LOAD_16;
	case 4:
		return LOAD_32;
	case 8:
		return LOAD_64;
	default:
		return -EINVAL;
	}
}

static int predicate_compare_load_bytes(const struct ftrace_event_field *field)
{
	if (!strncmp(field->type, "__data_loc", strlen("__data_loc")))
		return LOAD_DYN;
	if (!strncmp(field->type, "__rel_loc", strlen("__rel_loc")))
		return LOAD_REL;
	return LOAD_STATIC;
}

static bool predicate_compare_is_pointer(const struct ftrace_event_field *field)
{
	return field->size == sizeof(long) && !field->len &&
	       (field->filter_type == FILTER_PTR_STRING || field->filter_type == FILTER_OTHER);
}

/* How a test of the field loads its value; negative if there is no such test. */
static int predicate_compare_load_of(const struct ftrace_event_field *field, enum modifier modifier)
{
	if (modifier == MOD_USTRING)
		return predicate_compare_is_pointer(field) ? LOAD_UPTR : -EINVAL;
	if (modifier == MOD_FUNCTION)
		return field->filter_type == FILTER_OTHER && !field->len &&
		       field->size == sizeof(long) ?
		       predicate_compare_load_number(field->size) : -EINVAL;

	switch (field->filter_type) {
	case FILTER_CPU:
		return LOAD_CPU;
	case FILTER_COMM:
		return LOAD_COMM;
	case FILTER_TRACE_FN:
	case FILTER_STATIC_STRING:
		return LOAD_STATIC;
	case FILTER_DYN_STRING:
		return LOAD_DYN;
	case FILTER_RDYN_STRING:
		return LOAD_REL;
	case FILTER_PTR_STRING:
		return LOAD_PTR;
	case FILTER_CPUMASK:
		return predicate_compare_load_bytes(field);
	case FILTER_OTHER:
		if (field->len || predicate_compare_load_bytes(field) != LOAD_STATIC)
			return -EINVAL;
		return predicate_compare_load_number(field->size);
	default:
		return -EINVAL;
	}
}

/**
 * comparison_field - compile the field of a comparison
 * @cmp: the comparison, with the field and the modifier set
 * @p: set to the way that the test loads its value
 *
 * Context: may sleep
 *
 * Return: 0; -EINVAL if the field has no such test; -ENOMEM
 */
int comparison_field(struct comparison *cmp, struct predicate *p)
{
	const struct ftrace_event_field *field = cmp->field;
	int load = predicate_compare_load_of(field, cmp->modifier);

	if (load < 0 || field->offset > U16_MAX - max_t(unsigned int, field->size, 4))
		return predicate_compare_fail(cmp, "Operator not valid for this field type");

	p->load = load;
	p->offset = field->offset;
	/* A string without a size extends to the end of the entry. */
	p->size = field->size ?: U16_MAX;
	if (load == LOAD_PTR || load == LOAD_UPTR)
		return trace_pointed_prepare();
	return 0;
}

/**
 * comparison_value - compile the operator and the value of a comparison
 * @cmp: the comparison
 * @p: predicate after comparison_field(); set to the test, which may own memory from now on,
 *	even after an error
 *
 * Context: may sleep
 *
 * Return: 0; -EINVAL if they are not valid for the field; -ENOMEM
 */
int comparison_value(struct comparison *cmp, struct predicate *p)
{
	const struct ftrace_event_field *field = cmp->field;
	int err;

	if (cmp->modifier == MOD_FUNCTION)
		return predicate_compare_compile_function(cmp, p);
	if (p->load == LOAD_CPU)
		return predicate_compare_compile_number(cmp, p, sizeof(int), true);
	if (p->load < LOAD_CPU)
		return predicate_compare_compile_number(cmp, p, field->size, field->is_signed);
	if (field->filter_type == FILTER_CPUMASK && cmp->modifier == MOD_NONE)
		return predicate_compare_compile_mask(cmp, p);

	err = predicate_compare_compile_text(cmp, p);
	if (err || field->filter_type != FILTER_TRACE_FN)
		return err;
	if (cmp->op == OP_GLOB)
		return predicate_compare_fail(cmp, "A function goes with == and != only");

	p->test = TEST_FUNCTION;
	return 0;
}
