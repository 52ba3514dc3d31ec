// SPDX-License-Identifier: GPL-2.0
/*
 * Events of system calls: sys_enter_NAME and sys_exit_NAME in the system syscalls.
 *
 * SYSCALL_DEFINEn() defines metadata and two events for each system call. These have no
 * tracepoints of their own: while an instance uses such events, it has one probe on sys_enter
 * and one on sys_exit, which find the event by the system call number. System calls of 32-bit
 * programs have other numbers, and are not recorded here; raw_syscalls records them.
 */
#include <linux/bsearch.h>
#include <linux/compat.h>
#include <linux/kallsyms.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/syscalls.h>
#include <linux/trace_seq.h>

#include <asm/syscall.h>
#include <trace/events/syscalls.h>
#include <trace/syscall.h>

#include "event/core/event_list.h"
#include "event/record/event_instance.h"
#include "event/record/perf_entry.h"
#include "event/record/syscall.h"
#include "instance/core/instance.h"
#include "instance/core/options.h"

/* Layout of the entries. */
struct syscall_enter_entry {
	struct trace_entry	ent;
	int			nr;
	unsigned long		args[];
};

struct syscall_exit_entry {
	struct trace_entry	ent;
	int			nr;
	long			ret;
};

/**
 * struct trace_syscalls - events of system calls in an instance
 * @enter: entry events by system call number
 * @exit: exit events by system call number
 * @nr_enter: number of @enter events in use
 * @nr_exit: number of @exit events in use
 *
 * Changed under trace_event_lock; read by the probes.
 */
struct trace_syscalls {
	struct trace_event_file __rcu	*enter[NR_syscalls];
	struct trace_event_file __rcu	*exit[NR_syscalls];
	unsigned int			nr_enter;
	unsigned int			nr_exit;
};

extern struct syscall_metadata *__start_syscalls_metadata[];
extern struct syscall_metadata *__stop_syscalls_metadata[];

/* By system call number. */
static struct syscall_metadata *syscalls[NR_syscalls] __ro_after_init;

/*
 * Numbers
 */

static int syscall_compare(const void *a, const void *b)
{
	const struct syscall_metadata *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static struct syscall_metadata *syscall_find(const char *name)
{
	const struct syscall_metadata key = { .name = name }, *keyp = &key;
	struct syscall_metadata **found;

	found = bsearch(&keyp, __start_syscalls_metadata,
			__stop_syscalls_metadata - __start_syscalls_metadata,
			sizeof(*found), syscall_compare);

	return found ? *found : NULL;
}

/* On MIPS the system calls of 32-bit ABIs precede the native ones, which begin here. */
#ifdef __NR_Linux
#define NR_FIRST	__NR_Linux
#else
#define NR_FIRST	0
#endif

static unsigned long __init syscall_function_of(int nr)
{
#ifdef CONFIG_HAVE_SPARSE_SYSCALL_NR
	return arch_syscall_addr(nr);
#else
	return (unsigned long)sys_call_table[nr];
#endif
}

/*
 * Determine the number of each system call from the name of the function in the system call
 * table, which is sys_NAME after an architecture prefix. Entries after the native ABI belong to
 * another ABI, often with the same functions, so the first match is used.
 */
static void __init syscall_number(void)
{
	char name[KSYM_NAME_LEN];
	int nr;

	sort(__start_syscalls_metadata, __stop_syscalls_metadata - __start_syscalls_metadata,
	     sizeof(__start_syscalls_metadata[0]), syscall_compare, NULL);

	for (nr = NR_FIRST; nr < NR_syscalls; nr++) {
		struct syscall_metadata *meta = NULL;
		const char *sys;

		if (lookup_symbol_name(syscall_function_of(nr), name))
			continue;
		sys = strstr(name, "sys_");
		/* sys_ni_syscall fills many table slots; it has no single number. */
		if (sys && strcmp(sys, "sys_ni_syscall"))
			meta = syscall_find(sys);
		if (!meta || meta->syscall_nr >= 0)
			continue;
		meta->syscall_nr = nr;
		syscalls[nr] = meta;
	}
}

/**
 * trace_syscall_name - get the name of a system call
 * @nr: its number
 *
 * Return: the name, or NULL if there is no event of such a system call
 */
const char *trace_syscall_name(u64 nr)
{
	return nr < NR_syscalls && syscalls[nr] ? syscalls[nr]->name : NULL;
}

/* A system call that is not in the table has no number, and no event. */
static int __init syscall_event_init(struct trace_event_call *call)
{
	static bool numbered;
	struct syscall_metadata *meta = call->data;

	if (!numbered)
		syscall_number();
	numbered = true;

	if (meta->syscall_nr < 0)
		return -ENOSYS;

	/* The format of an entry event is created when it is first needed. */
	call->print_fmt = call->class == &event_class_syscall_exit ?
			  "\"0x%lx\", REC->ret" : "\"\"";

	return trace_event_raw_init(call);
}

/*
 * Probes
 */

/* Return: the system call number, negative if there is no event for it */
static int syscall_number_of(struct pt_regs *regs)
{
	int nr = in_compat_syscall() ? -1 : syscall_get_nr(current, regs);

	return nr < NR_syscalls ? nr : -1;
}

static void syscall_probe_enter(void *data, struct pt_regs *regs, long id)
{
	struct trace_syscalls *here = data;
	struct trace_event_buffer fbuffer;
	struct trace_event_file *file;
	unsigned long args[6];
	struct syscall_enter_entry *entry;
	unsigned int nr_args;
	int nr = syscall_number_of(regs);

	file = nr < 0 ? NULL : rcu_dereference_sched(here->enter[nr]);
	if (!file || trace_trigger_soft_disabled(file))
		return;

	nr_args = syscalls[nr]->nb_args;
	entry = trace_event_buffer_reserve(&fbuffer, file,
					   struct_size(entry, args, nr_args));
	if (!entry)
		return;

	entry->nr = nr;
	syscall_get_arguments(current, regs, args);
	memcpy(entry->args, args, nr_args * sizeof(args[0]));
	trace_event_buffer_commit(&fbuffer);
}

static void syscall_probe_exit(void *data, struct pt_regs *regs, long ret)
{
	struct trace_syscalls *here = data;
	struct trace_event_buffer fbuffer;
	struct trace_event_file *file;
	struct syscall_exit_entry *entry;
	int nr = syscall_number_of(regs);

	file = nr < 0 ? NULL : rcu_dereference_sched(here->exit[nr]);
	if (!file || trace_trigger_soft_disabled(file))
		return;

	entry = trace_event_buffer_reserve(&fbuffer, file, sizeof(*entry));
	if (!entry)
		return;

	entry->nr = nr;
	entry->ret = syscall_get_return_value(current, regs);
	trace_event_buffer_commit(&fbuffer);
}

/* Data of the instance, which is freed with the instance. */
static struct trace_syscalls *syscall_of(struct trace_array *tr)
{
	if (!tr->events->syscalls)
		tr->events->syscalls = kvzalloc(sizeof(*tr->events->syscalls), GFP_KERNEL);

	return tr->events->syscalls;
}

static int syscall_attach(struct trace_event_file *file, bool enter)
{
	struct syscall_metadata *meta = file->event_call->data;
	struct trace_syscalls *here = syscall_of(file->tr);
	int nr = meta->syscall_nr, err = 0;

	if (!here)
		return -ENOMEM;

	if (enter && !here->nr_enter)
		err = register_trace_sys_enter(syscall_probe_enter, here);
	else if (!enter && !here->nr_exit)
		err = register_trace_sys_exit(syscall_probe_exit, here);
	if (err)
		return err;

	rcu_assign_pointer(*(enter ? &here->enter[nr] : &here->exit[nr]), file);
	(*(enter ? &here->nr_enter : &here->nr_exit))++;

	return 0;
}

static void syscall_detach(struct trace_event_file *file, bool enter)
{
	struct syscall_metadata *meta = file->event_call->data;
	struct trace_syscalls *here = file->tr->events->syscalls;
	int nr = meta->syscall_nr;

	if (enter) {
		RCU_INIT_POINTER(here->enter[nr], NULL);
		if (!--here->nr_enter)
			unregister_trace_sys_enter(syscall_probe_enter, here);
	} else {
		RCU_INIT_POINTER(here->exit[nr], NULL);
		if (!--here->nr_exit)
			unregister_trace_sys_exit(syscall_probe_exit, here);
	}
}

#ifdef CONFIG_PERF_EVENTS
/*
 * System calls whose entry or exit events perf uses. The list of an event is allocated before
 * its bit is set, and is never freed.
 */
static DECLARE_BITMAP(perf_enter_on, NR_syscalls);
static DECLARE_BITMAP(perf_exit_on, NR_syscalls);

/* Perf events of this CPU; NULL if there are no perf events and no BPF programs. */
static struct hlist_head *syscall_perf_list(const unsigned long *on, struct trace_event_call *call,
					    int nr)
{
	struct hlist_head *list;

	/* Pairs with syscall_perf_attach(): a probe that sees the bit sees the list. */
	if (!test_bit_acquire(nr, on))
		return NULL;

	list = this_cpu_ptr(call->perf_events);

	return hlist_empty(list) && !bpf_prog_array_valid(call) ? NULL : list;
}

static void syscall_perf_probe_enter(void *unused, struct pt_regs *regs, long id)
{
	int nr = syscall_number_of(regs), size, context;
	struct syscall_metadata *meta = nr < 0 ? NULL : syscalls[nr];
	struct syscall_enter_entry *entry;
	struct hlist_head *list;
	unsigned long args[6];

	list = meta ? syscall_perf_list(perf_enter_on, meta->enter_event, nr) : NULL;
	if (!list)
		return;

	size = trace_perf_size(struct_size(entry, args, meta->nb_args));
	entry = perf_trace_buf_alloc(size, NULL, &context);
	if (!entry)
		return;

	entry->nr = nr;
	syscall_get_arguments(current, regs, args);
	memcpy(entry->args, args, meta->nb_args * sizeof(args[0]));
	perf_trace_run_bpf_submit(entry, size, context, meta->enter_event, 1, regs, list, NULL);
}

static void syscall_perf_probe_exit(void *unused, struct pt_regs *regs, long ret)
{
	int nr = syscall_number_of(regs), size, context;
	struct syscall_metadata *meta = nr < 0 ? NULL : syscalls[nr];
	struct syscall_exit_entry *entry;
	struct hlist_head *list;

	list = meta ? syscall_perf_list(perf_exit_on, meta->exit_event, nr) : NULL;
	if (!list)
		return;

	size = trace_perf_size(sizeof(*entry));
	entry = perf_trace_buf_alloc(size, NULL, &context);
	if (!entry)
		return;

	entry->nr = nr;
	entry->ret = syscall_get_return_value(current, regs);
	perf_trace_run_bpf_submit(entry, size, context, meta->exit_event, 1, regs, list, NULL);
}

static int syscall_perf_attach(struct trace_event_call *call, bool enter)
{
	struct syscall_metadata *meta = call->data;
	unsigned long *on = enter ? perf_enter_on : perf_exit_on;
	int err = 0;

	if (bitmap_empty(on, NR_syscalls))
		err = enter ? register_trace_sys_enter(syscall_perf_probe_enter, NULL) :
			      register_trace_sys_exit(syscall_perf_probe_exit, NULL);
	if (err)
		return err;

	/* Pairs with syscall_perf_list(). */
	smp_mb__before_atomic();
	set_bit(meta->syscall_nr, on);

	return 0;
}

static void syscall_perf_detach(struct trace_event_call *call, bool enter)
{
	struct syscall_metadata *meta = call->data;
	unsigned long *on = enter ? perf_enter_on : perf_exit_on;

	clear_bit(meta->syscall_nr, on);
	if (!bitmap_empty(on, NR_syscalls))
		return;

	if (enter)
		unregister_trace_sys_enter(syscall_perf_probe_enter, NULL);
	else
		unregister_trace_sys_exit(syscall_perf_probe_exit, NULL);
}
#endif

static int syscall_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	bool enter = call->class == &event_class_syscall_enter;

	switch (type) {
	case TRACE_REG_REGISTER:
		return syscall_attach(data, enter);
	case TRACE_REG_UNREGISTER:
		syscall_detach(data, enter);
		return 0;
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
		return syscall_perf_attach(call, enter);
	case TRACE_REG_PERF_UNREGISTER:
		syscall_perf_detach(call, enter);
		return 0;
#endif
	default:
		return 0;
	}
}

/*
 * Fields and formats
 */

static struct list_head *syscall_enter_fields(struct trace_event_call *call)
{
	struct syscall_metadata *meta = call->data;

	return &meta->enter_fields;
}

/* "NAME: 0x%08lx, ...", ((unsigned long)(REC->NAME)), ... */
static char *syscall_enter_format(const struct syscall_metadata *meta)
{
	size_t len = 3;
	char *text, *at;
	int i;

	for (i = 0; i < meta->nb_args; i++)
		len += strlen(": 0x%08lx, , ((unsigned long)(REC->))") +
		       2 * strlen(meta->args[i]);

	text = kmalloc(len, GFP_KERNEL);
	if (!text)
		return NULL;
	at = text;

	at += sprintf(at, "\"");
	for (i = 0; i < meta->nb_args; i++)
		at += sprintf(at, "%s%s: 0x%%08lx", i ? ", " : "", meta->args[i]);
	at += sprintf(at, "\"");
	for (i = 0; i < meta->nb_args; i++)
		at += sprintf(at, ", ((unsigned long)(REC->%s))", meta->args[i]);

	return text;
}

/* The format is created along with the fields, when it is first needed. */
static int syscall_define_enter(struct trace_event_call *call)
{
	struct syscall_metadata *meta = call->data;
	char *format = syscall_enter_format(meta);
	int i, err = 0;

	if (!format)
		return -ENOMEM;

	for (i = 0; !err && i < meta->nb_args; i++)
		err = trace_define_field(call, meta->types[i], meta->args[i],
					 offsetof(struct syscall_enter_entry, args[i]),
					 sizeof(unsigned long), 0, FILTER_OTHER);
	if (err)
		kfree(format);
	else
		call->print_fmt = format;

	return err;
}

static int syscall_define_exit(struct trace_event_call *call)
{
	return trace_define_field(call, "long", "ret", offsetof(struct syscall_exit_entry, ret),
				  sizeof(long), 1, FILTER_OTHER);
}

#define NUMBER_FIELD {							\
	.type		= "int",					\
	.name		= "__syscall_nr",				\
	.size		= sizeof(int),					\
	.align		= __alignof__(int),				\
	.is_signed	= 1,						\
	.filter_type	= FILTER_OTHER,					\
}

static struct trace_event_fields enter_table[] = {
	NUMBER_FIELD,
	{ .type = TRACE_FUNCTION_TYPE, .define_fields = syscall_define_enter },
	{ }
};

static struct trace_event_fields exit_table[] = {
	NUMBER_FIELD,
	{ .type = TRACE_FUNCTION_TYPE, .define_fields = syscall_define_exit },
	{ }
};

struct trace_event_class __refdata event_class_syscall_enter = {
	.system		= "syscalls",
	.reg		= syscall_reg,
	.fields_array	= enter_table,
	.get_fields	= syscall_enter_fields,
	.raw_init	= syscall_event_init,
};

struct trace_event_class __refdata event_class_syscall_exit = {
	.system		= "syscalls",
	.reg		= syscall_reg,
	.fields_array	= exit_table,
	.fields		= LIST_HEAD_INIT(event_class_syscall_exit.fields),
	.raw_init	= syscall_event_init,
};

/*
 * Text
 */

static struct syscall_metadata *syscall_meta_of(int nr)
{
	return nr >= 0 && nr < NR_syscalls ? syscalls[nr] : NULL;
}

static enum print_line_t syscall_print_enter(struct trace_iterator *iter, int flags,
					     struct trace_event *event)
{
	const struct syscall_enter_entry *entry = (const void *)iter->ent;
	const struct syscall_metadata *meta = syscall_meta_of(entry->nr);
	struct trace_seq *s = &iter->seq;
	int i;

	if (!meta || iter->ent_size < struct_size(entry, args, meta->nb_args))
		return TRACE_TYPE_UNHANDLED;

	trace_seq_printf(s, "%s(", meta->name);
	for (i = 0; i < meta->nb_args; i++) {
		if (i)
			trace_seq_puts(s, ", ");
		if (READ_ONCE(iter->tr->options) & TRACE_OPT(VERBOSE))
			trace_seq_printf(s, "%s ", meta->types[i]);
		trace_seq_printf(s, "%s: %lx", meta->args[i], entry->args[i]);
	}
	trace_seq_puts(s, ")\n");

	return trace_handle_return(s);
}

static enum print_line_t syscall_print_exit(struct trace_iterator *iter, int flags,
					    struct trace_event *event)
{
	const struct syscall_exit_entry *entry = (const void *)iter->ent;
	const struct syscall_metadata *meta = syscall_meta_of(entry->nr);
	struct trace_seq *s = &iter->seq;

	if (!meta || iter->ent_size < sizeof(*entry))
		return TRACE_TYPE_UNHANDLED;

	trace_seq_printf(s, "%s -> 0x%lx\n", meta->name, entry->ret);

	return trace_handle_return(s);
}

struct trace_event_functions enter_syscall_print_funcs = {
	.trace	= syscall_print_enter,
};

struct trace_event_functions exit_syscall_print_funcs = {
	.trace	= syscall_print_exit,
};
