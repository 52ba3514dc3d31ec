// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the litmus tests of Documentation/litmus-tests/ring-buffer/: all executions that are
 * possible on a weakly ordered machine.
 *
 * Each CPU performs its accesses in any order that is not forbidden by: barriers, acquire and
 * release, a successful cmpxchg(), an address dependency, a branch before a store, two accesses
 * to one variable. A load may be performed before a branch that precedes it. All CPUs see one
 * memory, which is stronger than the kernel's memory model if more than two CPUs take part: the
 * tests have two. A grace period waits for each critical section, or the critical section comes
 * after it.
 *
 * The comment of a test has the expected result ("Result: Never"), and the primitives that are
 * required for it ("Needs: P0 smp_mb, P1 smp_load_acquire(seq)"). The test is run once more
 * without each of these, and then the result must be Sometimes. "atomicity" stands for the
 * atomicity of a cmpxchg().
 *
 * Only the parts of the litmus language that these tests use are implemented.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#define MAX_CPUS	2
#define MAX_OPS		16
#define MAX_VARS	8
#define MAX_REGS	8
#define ADDRESS		1000	/* the value of a pointer to variable n is ADDRESS + n */

enum kind {
	READ, WRITE, CMPXCHG, MB, RMB, WMB, RCU_LOCK, RCU_UNLOCK, GP_START, GP_END,
};

struct op {
	enum kind	kind;
	const char	*name;		/* name of the primitive */
	bool		acquire, release;
	int		var;		/* or -1: the variable that @pointer holds */
	int		pointer;
	int		reg;		/* destination of the value, or -1 */
	int		value, expect;
	int		if_reg, if_value;	/* -1: always */
	/* a guess that the execution must make true */
	bool		fails;
};

struct test {
	char		text[8192];
	const char	*body, *exists;
	char		vars[MAX_VARS][32];
	int		nr_vars, init[MAX_VARS];
	struct op	ops[MAX_CPUS][MAX_OPS];
	int		nr_ops[MAX_CPUS];
	const char	*result;
};

static struct {
	unsigned int	done[MAX_CPUS];
	int		memory[MAX_VARS];
	int		regs[MAX_CPUS][MAX_REGS];
} now;

/* for each grace period and critical section: the section precedes the grace period */
static bool section_first;
static bool found;
static const char *bad;

static const char *skip_blanks(const char *s)
{
	for (;;) {
		while (isspace((unsigned char)*s))
			s++;
		if (s[0] != '/' || s[1] != '/')
			return s;
		s = strchr(s, '\n');
	}
}

static bool eat(const char **s, const char *word)
{
	const char *at = skip_blanks(*s);
	size_t len = strlen(word);

	if (strncmp(at, word, len) ||
	    (isalnum((unsigned char)word[len - 1]) &&
	     (isalnum((unsigned char)at[len]) || at[len] == '_')))
		return false;
	*s = at + len;
	return true;
}

static void need(const char **s, const char *word)
{
	if (!eat(s, word) && !bad)
		bad = *s;
}

static int number_of_var(struct test *t, const char **s)
{
	const char *at = skip_blanks(*s);
	size_t len = strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789");
	int i;

	*s = at + len;
	for (i = 0; i < t->nr_vars; i++) {
		if (strlen(t->vars[i]) == len && !strncmp(t->vars[i], at, len))
			return i;
	}
	if (!len || len >= sizeof(t->vars[0]) || t->nr_vars == MAX_VARS) {
		bad = at;
		return 0;
	}
	memcpy(t->vars[t->nr_vars], at, len);
	return t->nr_vars++;
}

static bool eat_reg(const char **s, int *reg)
{
	const char *at = skip_blanks(*s);

	if (at[0] != 'r' || !isdigit((unsigned char)at[1]) || isalnum((unsigned char)at[2]))
		return false;
	*reg = at[1] - '0';
	*s = at + 2;
	return *reg < MAX_REGS;
}

/* A number, or a variable, which stands for its address. */
static int value_of(struct test *t, const char **s)
{
	const char *at = skip_blanks(*s);
	char *end;
	int value = strtol(at, &end, 10);

	if (end == at)
		return ADDRESS + number_of_var(t, s);
	*s = end;
	return value;
}

static const struct primitive {
	const char	*name;
	enum kind	kind;
	bool		acquire, release;
} primitives[] = {
	{ "READ_ONCE", READ }, { "smp_load_acquire", READ, true },
	{ "WRITE_ONCE", WRITE }, { "smp_store_release", WRITE, .release = true },
	{ "cmpxchg", CMPXCHG, true, true },
	{ "smp_mb", MB }, { "smp_rmb", RMB }, { "smp_wmb", WMB },
	{ "rcu_read_lock", RCU_LOCK }, { "rcu_read_unlock", RCU_UNLOCK },
	{ "synchronize_rcu", GP_START },
};

static struct op *add(struct test *t, int cpu)
{
	if (t->nr_ops[cpu] == MAX_OPS) {
		bad = t->body;
		return &t->ops[cpu][0];
	}
	return &t->ops[cpu][t->nr_ops[cpu]++];
}

static void parse_statement(struct test *t, int cpu, const char **s, int if_reg, int if_value)
{
	const struct primitive *p;
	struct op op = { .var = -2, .reg = -1, .pointer = -1 };
	int reg;

	if (eat(s, "int")) {
		*s = strchr(*s, ';') + 1;
		return;
	}
	if (eat_reg(s, &reg)) {
		op.reg = reg;
		need(s, "=");
	}
	for (p = primitives; p < primitives + sizeof(primitives) / sizeof(*p); p++) {
		if (eat(s, p->name))
			break;
	}
	if (p == primitives + sizeof(primitives) / sizeof(*p)) {
		bad = *s;
		return;
	}
	op.kind = p->kind;
	op.name = p->name;
	op.acquire = p->acquire;
	op.release = p->release;
	op.if_reg = if_reg;
	op.if_value = if_value;
	need(s, "(");
	if (op.kind <= CMPXCHG) {
		eat(s, "*");
		op.var = -1;
		if (!eat_reg(s, &op.pointer))
			op.var = number_of_var(t, s);
	}
	if (op.kind == CMPXCHG) {
		need(s, ",");
		op.expect = value_of(t, s);
	}
	if (op.kind == CMPXCHG || op.kind == WRITE) {
		need(s, ",");
		op.value = value_of(t, s);
	}
	need(s, ")");
	need(s, ";");
	*add(t, cpu) = op;
	if (op.kind == GP_START) {
		op.kind = GP_END;
		*add(t, cpu) = op;
	}
}

static void parse_cpu(struct test *t, int cpu, const char **s)
{
	int if_reg = -1, if_value = 0;

	*s = strchr(*s, '{') + 1;
	while (!bad) {
		if (eat(s, "if")) {
			need(s, "(");
			if (if_reg >= 0 || !eat_reg(s, &if_reg))
				bad = *s;
			need(s, "==");
			if_value = value_of(t, s);
			need(s, ")");
			need(s, "{");
		} else if (eat(s, "}")) {
			if (if_reg < 0)
				return;
			if_reg = -1;
		} else {
			parse_statement(t, cpu, s, if_reg, if_value);
		}
	}
}

static bool load(struct test *t, const char *path)
{
	FILE *f = fopen(path, "r");
	const char *s;
	size_t len;
	int cpu, var;

	memset(t, 0, sizeof(*t));
	bad = NULL;
	if (!f)
		return false;
	len = fread(t->text, 1, sizeof(t->text) - 1, f);
	fclose(f);
	t->result = strstr(t->text, "Result: ");
	s = strstr(t->text, "*)");
	if (len == sizeof(t->text) - 1 || !s || !t->result)
		return false;
	t->result += strlen("Result: ");
	s += 2;
	t->body = s;
	need(&s, "{");
	while (!bad && !eat(&s, "}")) {
		var = number_of_var(t, &s);
		need(&s, "=");
		t->init[var] = value_of(t, &s);
		need(&s, ";");
	}
	for (cpu = 0; !bad && (eat(&s, "P0") || eat(&s, "P1")); cpu++) {
		if (cpu == MAX_CPUS)
			return false;
		parse_cpu(t, cpu, &s);
	}
	need(&s, "exists");
	t->exists = s;
	return !bad;
}

/*
 * Conditions
 */
static bool eval(struct test *t, const char **s);

static bool eval_term(struct test *t, const char **s)
{
	int cpu, reg = 0;
	bool result;

	if (eat(s, "(")) {
		result = eval(t, s);
		need(s, ")");
		return result;
	}
	cpu = strtol(skip_blanks(*s), (char **)s, 10);
	need(s, ":");
	if (!eat_reg(s, &reg) || cpu >= MAX_CPUS)
		bad = *s;
	need(s, "=");
	return !bad && now.regs[cpu][reg] == value_of(t, s);
}

static bool eval(struct test *t, const char **s)
{
	bool result = eval_term(t, s);

	while (!bad) {
		if (eat(s, "/\\"))
			result &= eval_term(t, s);
		else if (eat(s, "\\/"))
			result |= eval_term(t, s);
		else
			break;
	}
	return result;
}

/*
 * Executions
 */
static bool is_done(int cpu, int i)
{
	return now.done[cpu] >> i & 1;
}

/* Is the condition of the branch known yet? */
static bool branch_known(struct test *t, int cpu, int i)
{
	int reg = t->ops[cpu][i].if_reg, j;

	for (j = i - 1; reg >= 0 && j >= 0; j--) {
		if (t->ops[cpu][j].reg == reg && !is_done(cpu, j))
			return false;
	}
	return true;
}

static bool skipped(struct test *t, int cpu, int i)
{
	struct op *op = &t->ops[cpu][i];

	return op->if_reg >= 0 && branch_known(t, cpu, i) &&
	       now.regs[cpu][op->if_reg] != op->if_value;
}

static bool reads(struct op *op)
{
	return op->kind == READ || op->kind == CMPXCHG;
}

static bool writes(struct op *op)
{
	return op->kind == WRITE || (op->kind == CMPXCHG && !op->fails);
}

/* Must @a, which precedes @b on the same CPU, be performed before it? */
static bool ordered(struct op *a, struct op *b)
{
	if (a->kind == MB || b->kind == MB || a->kind == GP_START || b->kind == GP_START ||
	    a->kind == GP_END || b->kind == GP_END)
		return true;
	if (a->kind == RMB || b->kind == RMB)
		return reads(a) || reads(b);
	if (a->kind == WMB || b->kind == WMB)
		return writes(a) || writes(b);
	if ((a->acquire && !a->fails) || (b->release && !b->fails))
		return true;
	if (a->kind <= CMPXCHG && b->kind <= CMPXCHG && a->var >= 0 && a->var == b->var)
		return true;
	if (b->pointer >= 0 && a->reg == b->pointer)
		return true;
	/* a branch before a store */
	return writes(b) && b->if_reg >= 0 && a->reg == b->if_reg;
}

/* Finds the begin and the end of the critical section of a CPU, if there is one. */
static bool section(struct test *t, int cpu, int *from, int *to)
{
	int i;

	*from = -1;
	*to = -1;
	for (i = 0; i < t->nr_ops[cpu]; i++) {
		if (t->ops[cpu][i].kind == RCU_LOCK)
			*from = i;
		else if (t->ops[cpu][i].kind == RCU_UNLOCK)
			*to = i;
	}
	return *from >= 0 && *to >= 0;
}

/* Do grace periods and critical sections of the two CPUs allow it? */
static bool rcu_allows(struct test *t, int cpu, int i)
{
	int other = !cpu, from, to, j;

	if (t->ops[cpu][i].kind == GP_END && section_first && section(t, other, &from, &to)) {
		for (j = 0; j <= to; j++) {
			if (!is_done(other, j) && !skipped(t, other, j))
				return false;
		}
	}
	if (!section_first && section(t, cpu, &from, &to) && i >= from) {
		for (j = 0; j < t->nr_ops[other]; j++) {
			if (t->ops[other][j].kind == GP_START && !is_done(other, j))
				return false;
		}
	}
	return true;
}

static bool may_run(struct test *t, int cpu, int i)
{
	struct op *op = &t->ops[cpu][i];
	int j;

	if (is_done(cpu, i) || skipped(t, cpu, i))
		return false;
	if (op->kind != READ && !branch_known(t, cpu, i))
		return false;
	for (j = 0; j < i; j++) {
		if (!is_done(cpu, j) && !skipped(t, cpu, j) && ordered(&t->ops[cpu][j], op))
			return false;
	}
	return rcu_allows(t, cpu, i);
}

/* Performs an operation. Returns whether the guess about it is true. */
static bool perform(struct test *t, int cpu, int i)
{
	struct op *op = &t->ops[cpu][i];
	int var = op->var >= 0 ? op->var : -1, *place;

	now.done[cpu] |= 1u << i;
	if (op->kind > CMPXCHG)
		return true;
	if (var < 0)
		var = now.regs[cpu][op->pointer] - ADDRESS;
	if (var < 0 || var >= t->nr_vars)
		return false;
	place = &now.memory[var];
	if (reads(op) && op->reg >= 0)
		now.regs[cpu][op->reg] = *place;
	if (op->kind == CMPXCHG && (*place != op->expect) != op->fails)
		return false;
	if (writes(op))
		*place = op->value;
	return true;
}

static void explore(struct test *t)
{
	typeof(now) before = now;
	bool any = false;
	const char *s;
	int cpu, i;

	for (cpu = 0; cpu < MAX_CPUS && !found; cpu++) {
		for (i = 0; i < t->nr_ops[cpu] && !found; i++) {
			if (!may_run(t, cpu, i))
				continue;
			any = true;
			if (perform(t, cpu, i))
				explore(t);
			now = before;
		}
	}
	if (any || found)
		return;
	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		for (i = 0; i < t->nr_ops[cpu]; i++) {
			if (!is_done(cpu, i) && !skipped(t, cpu, i))
				return;
		}
	}
	s = t->exists;
	found = eval(t, &s);
}

/* Tries all guesses: which cmpxchg() fail, and how RCU orders the sections. */
static const char *run(struct test *t)
{
	struct op *guessed[MAX_OPS];
	int nr = 0, cpu, i;
	unsigned int guess;

	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		for (i = 0; i < t->nr_ops[cpu]; i++) {
			if (t->ops[cpu][i].kind == CMPXCHG)
				guessed[nr++] = &t->ops[cpu][i];
		}
	}
	found = false;
	for (guess = 0; guess < 2u << nr && !found; guess++) {
		section_first = guess & 1;
		for (i = 0; i < nr; i++)
			guessed[i]->fails = guess >> (i + 1) & 1;
		memset(&now, 0, sizeof(now));
		memcpy(now.memory, t->init, sizeof(now.memory));
		explore(t);
	}
	return found ? "Sometimes" : "Never";
}

static void drop(struct test *t, int cpu, int i)
{
	memmove(&t->ops[cpu][i], &t->ops[cpu][i + 1],
		(t->nr_ops[cpu] - i - 1) * sizeof(t->ops[0][0]));
	t->nr_ops[cpu]--;
}

/* Splits an operation in two steps, between which other CPUs may run. */
static void split(struct test *t, int cpu, int i)
{
	struct op *op = &t->ops[cpu][i];

	add(t, cpu);
	memmove(op + 1, op, (t->nr_ops[cpu] - i - 1) * sizeof(*op));
	op[0].kind = READ;
	op[1].kind = WRITE;
	op[1].if_reg = op->reg;
	op[1].if_value = op->expect;
	op[1].reg = -1;
}

/* Removes the primitive that "P0 smp_store_release(seq)" names; the name ends at @end. */
static bool weaken(struct test *t, const char *s, const char *end)
{
	int cpu = s[1] - '0', i, var = -1;
	bool atomic, match, any = false;
	const char *at = s + 3, *paren;
	size_t len = strcspn(at, "(,\n");
	struct op *op;

	if (cpu < 0 || cpu >= MAX_CPUS)
		return false;
	atomic = !strncmp(at, "atomicity", len);
	if (at[len] == '(') {
		paren = at + len + 1;
		var = number_of_var(t, &paren);
	}
	for (i = 0; i < t->nr_ops[cpu]; i++) {
		op = &t->ops[cpu][i];
		match = atomic ? op->kind == CMPXCHG :
				 strlen(op->name) == len && !strncmp(op->name, at, len);
		if (!match || (var >= 0 && op->var != var))
			continue;
		any = true;
		if (atomic) {
			split(t, cpu, i++);
		} else if (op->kind <= CMPXCHG) {
			op->acquire = false;
			op->release = false;
		} else {
			drop(t, cpu, i--);
		}
	}
	return any && at + len <= end;
}

static const char *dir;
static struct dirent **names;
static int at;

/* Runs the variant of a test without the primitive named between @s and @end. */
static void run_twin(const char *path, const char *s, const char *end)
{
	static struct test twin;
	const char *says = "not there";

	load(&twin, path);
	if (weaken(&twin, s, end))
		says = run(&twin);
	printf("# without %.*s: %s\n", (int)(end - s), s, says);
	EXPECT(!strcmp(says, "Sometimes"));
}

static void run_file(void)
{
	static struct test test;
	const char *s, *end, *says;
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", dir, names[at++]->d_name);
	if (!EXPECT(load(&test, path))) {
		printf("# cannot be read from: %.40s\n", bad ? bad : "the start");
		return;
	}
	says = run(&test);
	printf("# %s\n", says);
	EXPECT(!bad && !strncmp(test.result, says, strlen(says)));

	s = strstr(test.text, "Needs: ");
	if (!EXPECT(s))
		return;
	for (s += strlen("Needs: "); *s == 'P'; s = *end == ',' ? end + 2 : end) {
		end = s + strcspn(s, ",\n");
		run_twin(path, s, end);
	}
}

static int is_litmus(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && !strcmp(dot, ".litmus");
}

int main(int argc, char **argv)
{
	struct tap_case *cases;
	int i, nr, status;

	dir = argc > 1 ? argv[1] : LITMUS_DIR;
	nr = scandir(dir, &names, is_litmus, alphasort);
	if (nr <= 0) {
		printf("# no tests in %s\n", dir);
		return 1;
	}
	cases = calloc(nr, sizeof(*cases));
	if (!cases)
		return 1;
	for (i = 0; i < nr; i++)
		cases[i] = (struct tap_case){ .name = names[i]->d_name, .run = run_file };

	status = tap_run(cases, nr);

	for (i = 0; i < nr; i++)
		free(names[i]);
	free(names);
	free(cases);
	return status;
}
