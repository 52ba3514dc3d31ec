/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events: the interface between kernel/trace/ and the macros of include/trace/, perf and
 * users in the kernel.
 */
#ifndef _LINUX_TRACE_EVENT_H
#define _LINUX_TRACE_EVENT_H

#include <linux/bits.h>
#include <linux/hardirq.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/refcount.h>
#include <linux/ring_buffer.h>
#include <linux/trace_seq.h>
#include <linux/tracepoint.h>

struct array_buffer;
struct bpf_prog;
struct bpf_prog_array;
struct bpf_raw_event_map;
struct bpf_raw_tp_link;
struct dentry;
struct event_filter;
struct eventfs_inode;
struct perf_event;
struct trace_array;
struct trace_event;
struct trace_event_call;
struct trace_event_file;
struct trace_iterator;
struct tracer;
union bpf_attr;

/*
 * Entries.
 */

/**
 * struct trace_entry - header of every entry in a trace buffer
 * @type: number of the entry's type
 * @flags: TRACE_FLAG_* of the context that wrote it
 * @preempt_count: nested preempt_disable() in the low four bits, nested migrate_disable() in the
 *	high four bits
 * @pid: pid of the task that wrote it
 */
struct trace_entry {
	unsigned short		type;
	unsigned char		flags;
	unsigned char		preempt_count;
	int			pid;
};

/* The largest number of a type. */
#define TRACE_EVENT_TYPE_MAX						\
	((1 << (sizeof_field(struct trace_entry, type) * BITS_PER_BYTE)) - 1)

enum trace_flag_type {
	TRACE_FLAG_IRQS_OFF		= 0x01,
	TRACE_FLAG_IRQS_NOSUPPORT	= 0x02,
	TRACE_FLAG_NEED_RESCHED		= 0x04,
	TRACE_FLAG_HARDIRQ		= 0x08,
	TRACE_FLAG_SOFTIRQ		= 0x10,
	TRACE_FLAG_PREEMPT_RESCHED	= 0x20,
	TRACE_FLAG_NMI			= 0x40,
	TRACE_FLAG_BH_OFF		= 0x80,
};

/* Content of a string field for a NULL pointer. */
#define EVENT_NULL_STR		"(null)"

/* The maximum size in bytes of a string field made with a format (__vstring). */
#define TRACE_EVENT_STR_MAX	512

/* Size in bytes of the formatted string, with the NUL, at most TRACE_EVENT_STR_MAX. */
#define __trace_event_vstr_len(fmt, va)					\
({									\
	va_list __args;							\
	int __len;							\
									\
	va_copy(__args, *(va));						\
	__len = vsnprintf(NULL, 0, fmt, __args) + 1;			\
	va_end(__args);							\
	min(__len, TRACE_EVENT_STR_MAX);				\
})

/*
 * Readers.
 */

/**
 * struct trace_iterator - state of a reader, for functions that print an entry
 * @tr: the instance
 * @trace: the tracer whose format is used
 * @array_buffer: the buffer that is read
 * @private: private data of @trace
 * @cpu_file: the CPU that is read, or RING_BUFFER_ALL_CPUS
 * @mutex: serializes readers of one open file
 * @buffer_iter: iterators by CPU, NULL for a reader that consumes
 * @iter_flags: bits of enum trace_iter_flags
 * @temp: copy of an entry
 * @temp_size: capacity of @temp in bytes
 * @tmp_seq: text of an argument of a format
 * @started: mask of the CPUs that had an entry printed
 * @snapshot: the spare buffer is read
 * @seq: the text
 * @ent: the current entry
 * @lost_events: number of events that were lost before @ent
 * @ent_size: size of @ent in bytes
 * @cpu: CPU that wrote @ent
 * @ts: time stamp of @ent
 * @pos: position in the file
 * @idx: number of entries up to now
 */
struct trace_iterator {
	struct trace_array		*tr;
	struct tracer			*trace;
	struct array_buffer		*array_buffer;
	void				*private;
	int				cpu_file;
	struct mutex			mutex;
	struct ring_buffer_iter		**buffer_iter;
	unsigned long			iter_flags;
	void				*temp;
	unsigned int			temp_size;
	struct trace_seq		tmp_seq;
	cpumask_var_t			started;
	bool				snapshot;

	struct trace_seq		seq;
	struct trace_entry		*ent;
	unsigned long			lost_events;
	int				ent_size;
	int				cpu;
	u64				ts;
	loff_t				pos;
	long				idx;
};

enum trace_iter_flags {
	TRACE_FILE_LAT_FMT	= 1,
	TRACE_FILE_ANNOTATE	= 2,
	TRACE_FILE_TIME_IN_NS	= 4,
};

/**
 * enum print_line_t - result of a function that prints an entry
 * @TRACE_TYPE_PARTIAL_LINE: the text did not fit
 * @TRACE_TYPE_HANDLED: the text is in iter->seq
 * @TRACE_TYPE_UNHANDLED: not printed, another function has to print it
 * @TRACE_TYPE_NO_CONSUME: as @TRACE_TYPE_HANDLED, but the entry is still needed
 */
enum print_line_t {
	TRACE_TYPE_PARTIAL_LINE	= 0,
	TRACE_TYPE_HANDLED	= 1,
	TRACE_TYPE_UNHANDLED	= 2,
	TRACE_TYPE_NO_CONSUME	= 3,
};

typedef enum print_line_t (*trace_print_func)(struct trace_iterator *iter, int flags,
					      struct trace_event *event);

/**
 * struct trace_event_functions - output functions of a type of entries
 * @trace: prints text
 * @raw: prints numbers (option raw)
 * @hex: prints the same in hexadecimal (option hex)
 * @binary: writes bytes (option bin)
 *
 * Each may be NULL.
 */
struct trace_event_functions {
	trace_print_func	trace;
	trace_print_func	raw;
	trace_print_func	hex;
	trace_print_func	binary;
};

/**
 * struct trace_event - a type of entries
 * @type: number of the type
 * @funcs: functions that print its entries
 */
struct trace_event {
	int				type;
	struct trace_event_functions	*funcs;
};

int register_trace_event(struct trace_event *event);
int unregister_trace_event(struct trace_event *event);

/* Expansion of TP_printk() of include/trace/. */
enum print_line_t trace_handle_return(struct trace_seq *s);
int trace_raw_output_prep(struct trace_iterator *iter, struct trace_event *event);
__printf(2, 3)
void trace_event_printf(struct trace_iterator *iter, const char *fmt, ...);
__printf(3, 4)
int trace_output_call(struct trace_iterator *iter, char *name, char *fmt, ...);

const char *trace_print_flags_seq(struct trace_seq *p, const char *delim,
				  unsigned long flags,
				  const struct trace_print_flags *flag_array);
const char *trace_print_symbols_seq(struct trace_seq *p, unsigned long val,
				    const struct trace_print_flags *symbol_array);
#if BITS_PER_LONG == 32
const char *trace_print_flags_seq_u64(struct trace_seq *p, const char *delim,
				      unsigned long long flags,
				      const struct trace_print_flags_u64 *flag_array);
const char *trace_print_symbols_seq_u64(struct trace_seq *p, unsigned long long val,
					const struct trace_print_flags_u64 *symbol_array);
#endif
const char *trace_print_bitmask_seq(struct trace_seq *p, void *bitmask_ptr,
				    unsigned int bitmask_size);
const char *trace_print_hex_seq(struct trace_seq *p, const unsigned char *buf, int len,
				bool concatenate);
const char *trace_print_array_seq(struct trace_seq *p, const void *buf, int count,
				  size_t el_size);
const char *trace_print_hex_dump_seq(struct trace_seq *p, const char *prefix_str,
				     int prefix_type, int rowsize, int groupsize,
				     const void *buf, size_t len, bool ascii);

/*
 * Fields.
 */

/* Content of a __data_loc field: offset of its data in the entry, and size in bytes. */
struct trace_dynamic_info {
#ifdef CONFIG_CPU_BIG_ENDIAN
	u16	len;
	u16	offset;
#else
	u16	offset;
	u16	len;
#endif
} __packed;

/* How filters interpret a field. */
enum {
	FILTER_OTHER = 0,
	FILTER_STATIC_STRING,
	FILTER_DYN_STRING,
	FILTER_RDYN_STRING,
	FILTER_PTR_STRING,
	FILTER_TRACE_FN,
	FILTER_CPUMASK,
	FILTER_COMM,
	FILTER_CPU,
	FILTER_STACKTRACE,
};

/* The longest string that a filter can compare with; a symbol's name has to fit. */
#define MAX_FILTER_STR_VAL	256U

/* Value of trace_event_fields.type in a row whose @define_fields adds fields. */
#define TRACE_FUNCTION_TYPE	((const char *)~0UL)

/**
 * struct trace_event_fields - a field of a class of events, or a function that adds fields
 * @type: type as in C; TRACE_FUNCTION_TYPE for a function; NULL ends the fields
 * @name: name of the field
 * @size: size in bytes
 * @align: alignment of its offset in bytes
 * @is_signed: true if a number is signed
 * @needs_test: unused
 * @filter_type: one of FILTER_*; FILTER_OTHER to derive it from @type
 * @len: number of elements of an array
 * @define_fields: calls trace_define_field(); returns 0 or an error
 */
struct trace_event_fields {
	const char *type;
	union {
		struct {
			const char		*name;
			const int		size;
			const int		align;
			const unsigned int	is_signed:1;
			unsigned int		needs_test:1;
			const int		filter_type;
			const int		len;
		};
		int (*define_fields)(struct trace_event_call *call);
	};
};

int trace_define_field(struct trace_event_call *call, const char *type,
		       const char *name, int offset, int size, int is_signed,
		       int filter_type);

/*
 * Events.
 */
enum trace_reg {
	TRACE_REG_REGISTER,
	TRACE_REG_UNREGISTER,
#ifdef CONFIG_PERF_EVENTS
	TRACE_REG_PERF_REGISTER,
	TRACE_REG_PERF_UNREGISTER,
	TRACE_REG_PERF_OPEN,
	TRACE_REG_PERF_CLOSE,
	/* These return true if they have done all the work. */
	TRACE_REG_PERF_ADD,
	TRACE_REG_PERF_DEL,
#endif
};

/**
 * struct trace_event_class - events that have the same fields
 * @system: directory of the events in events/
 * @probe: probe on the tracepoint that records an entry; its data is the event file
 * @perf_probe: probe on the tracepoint for perf; its data is the event
 * @reg: performs the operation in enum trace_reg. @data is the event file, or a perf_event. May
 *	sleep. Return: 0 or an error
 * @fields_array: the fields, ended by one without a type
 * @get_fields: returns the list of fields if an event has its own list
 * @fields: list of fields, made when it is first needed
 * @raw_init: makes an event ready for use; returns 0 or an error
 */
struct trace_event_class {
	const char			*system;
	void				*probe;
#ifdef CONFIG_PERF_EVENTS
	void				*perf_probe;
#endif
	int				(*reg)(struct trace_event_call *event,
					       enum trace_reg type, void *data);
	struct trace_event_fields	*fields_array;
	struct list_head		*(*get_fields)(struct trace_event_call *event);
	struct list_head		fields;
	int				(*raw_init)(struct trace_event_call *event);
};

int trace_event_reg(struct trace_event_call *event, enum trace_reg type, void *data);
int trace_event_raw_init(struct trace_event_call *call);

/**
 * enum trace_event_flags - properties of an event
 * @TRACE_EVENT_FL_CAP_ANY: any user may have perf count it
 * @TRACE_EVENT_FL_NO_SET_FILTER: its filter could not be set
 * @TRACE_EVENT_FL_IGNORE_ENABLE: tracing itself writes it: it cannot be enabled
 * @TRACE_EVENT_FL_TRACEPOINT: it is based on a tracepoint, trace_event_call.tp
 * @TRACE_EVENT_FL_DYNAMIC: user space created it, trace_event_call.refcnt
 * @TRACE_EVENT_FL_KPROBE: it is a kprobe
 * @TRACE_EVENT_FL_UPROBE: it is a uprobe
 * @TRACE_EVENT_FL_EPROBE: it is a probe on another event
 * @TRACE_EVENT_FL_FPROBE: it is a probe on functions
 * @TRACE_EVENT_FL_CUSTOM: it was defined by TRACE_CUSTOM_EVENT() and has not found its
 *	tracepoint
 * @TRACE_EVENT_FL_TEST_STR: it has pointers to strings outside of its entries
 */
enum trace_event_flags {
	TRACE_EVENT_FL_CAP_ANY		= BIT(0),
	TRACE_EVENT_FL_NO_SET_FILTER	= BIT(1),
	TRACE_EVENT_FL_IGNORE_ENABLE	= BIT(2),
	TRACE_EVENT_FL_TRACEPOINT	= BIT(3),
	TRACE_EVENT_FL_DYNAMIC		= BIT(4),
	TRACE_EVENT_FL_KPROBE		= BIT(5),
	TRACE_EVENT_FL_UPROBE		= BIT(6),
	TRACE_EVENT_FL_EPROBE		= BIT(7),
	TRACE_EVENT_FL_FPROBE		= BIT(8),
	TRACE_EVENT_FL_CUSTOM		= BIT(9),
	TRACE_EVENT_FL_TEST_STR		= BIT(10),
};

#define TRACE_EVENT_FL_UKPROBE	(TRACE_EVENT_FL_KPROBE | TRACE_EVENT_FL_UPROBE)

/**
 * struct trace_event_call - an event
 * @list: node in the list of events
 * @class: properties that it shares with other events
 * @name: name of the event, unless @flags has TRACE_EVENT_FL_TRACEPOINT
 * @tp: its tracepoint otherwise
 * @event: the type of its entries
 * @print_fmt: format of an entry for tools, in the form of arguments of printf()
 * @module: module that defines it, NULL for the kernel's own events
 * @refcnt: reference count of an event that user space created
 * @data: private data of @class
 * @flags: bits of enum trace_event_flags
 * @perf_refcount: number of users in perf
 * @perf_events: the perf events of each CPU
 * @prog_array: BPF programs
 * @perf_perm: checks whether a perf event is allowed; returns 0 or an error
 */
struct trace_event_call {
	struct list_head		list;
	struct trace_event_class	*class;
	union {
		const char		*name;
		struct tracepoint	*tp;
	};
	struct trace_event		event;
	char				*print_fmt;
	union {
		void			*module;
		atomic_t		refcnt;
	};
	void				*data;
	int				flags;
#ifdef CONFIG_PERF_EVENTS
	int				perf_refcount;
	struct hlist_head __percpu	*perf_events;
	struct bpf_prog_array __rcu	*prog_array;
	int				(*perf_perm)(struct trace_event_call *event,
						     struct perf_event *perf_event);
#endif
};

/* trace_event_name - the name of an event, without its system */
static inline const char *trace_event_name(struct trace_event_call *call)
{
	if ((call->flags & (TRACE_EVENT_FL_CUSTOM | TRACE_EVENT_FL_TRACEPOINT)) !=
	    TRACE_EVENT_FL_TRACEPOINT)
		return call->name;

	return call->tp ? call->tp->name : NULL;
}

int trace_add_event_call(struct trace_event_call *call);
int trace_remove_event_call(struct trace_event_call *call);
int trace_event_get_offsets(struct trace_event_call *call);

/*
 * An event in an instance.
 */
enum {
	EVENT_FILE_FL_ENABLED_BIT,
	EVENT_FILE_FL_FILTERED_BIT,
	EVENT_FILE_FL_SOFT_MODE_BIT,
	EVENT_FILE_FL_SOFT_DISABLED_BIT,
	EVENT_FILE_FL_TRIGGER_MODE_BIT,
	EVENT_FILE_FL_TRIGGER_COND_BIT,
	EVENT_FILE_FL_PID_FILTER_BIT,
};

/**
 * enum event_file_flags - the state of an event in an instance
 * @EVENT_FILE_FL_ENABLED: its probe is registered
 * @EVENT_FILE_FL_FILTERED: it has a filter
 * @EVENT_FILE_FL_SOFT_MODE: triggers may enable and disable it, so the probe remains registered
 * @EVENT_FILE_FL_SOFT_DISABLED: the probe does not record
 * @EVENT_FILE_FL_TRIGGER_MODE: it has triggers
 * @EVENT_FILE_FL_TRIGGER_COND: a trigger reads the fields
 * @EVENT_FILE_FL_PID_FILTER: only some tasks are traced
 */
enum event_file_flags {
	EVENT_FILE_FL_ENABLED		= BIT(EVENT_FILE_FL_ENABLED_BIT),
	EVENT_FILE_FL_FILTERED		= BIT(EVENT_FILE_FL_FILTERED_BIT),
	EVENT_FILE_FL_SOFT_MODE		= BIT(EVENT_FILE_FL_SOFT_MODE_BIT),
	EVENT_FILE_FL_SOFT_DISABLED	= BIT(EVENT_FILE_FL_SOFT_DISABLED_BIT),
	EVENT_FILE_FL_TRIGGER_MODE	= BIT(EVENT_FILE_FL_TRIGGER_MODE_BIT),
	EVENT_FILE_FL_TRIGGER_COND	= BIT(EVENT_FILE_FL_TRIGGER_COND_BIT),
	EVENT_FILE_FL_PID_FILTER	= BIT(EVENT_FILE_FL_PID_FILTER_BIT),
};

/**
 * struct trace_event_file - an event in an instance
 * @event_call: the event
 * @tr: the instance
 * @filter: filter of its entries, NULL to keep all
 * @filter_error: text that its filter file shows after a filter was refused, or NULL
 * @triggers: triggers to run when the event occurs
 * @flags: bits of enum event_file_flags, changed by atomic operations
 * @soft_users: number of triggers that may enable and disable it
 *
 * Created when it is first needed, and freed with the event or the instance.
 */
struct trace_event_file {
	struct trace_event_call		*event_call;
	struct trace_array		*tr;
	struct event_filter __rcu	*filter;
	char				*filter_error;
	struct list_head		triggers;
	unsigned long			flags;
	unsigned int			soft_users;
};

/**
 * struct trace_event_buffer - an entry that is being written
 * @buffer: buffer of the instance, where @event was reserved
 * @event: the entry in the buffer
 * @trace_file: the event
 * @entry: the data of @event
 * @trace_ctx: the writer's context, see tracing_gen_ctx()
 * @regs: unused, for probes that have registers
 */
struct trace_event_buffer {
	struct trace_buffer		*buffer;
	struct ring_buffer_event	*event;
	struct trace_event_file		*trace_file;
	void				*entry;
	unsigned int			trace_ctx;
	struct pt_regs			*regs;
};

void *trace_event_buffer_reserve(struct trace_event_buffer *fbuffer,
				 struct trace_event_file *trace_file,
				 unsigned long len);
void trace_event_buffer_commit(struct trace_event_buffer *fbuffer);
bool __trace_trigger_soft_disabled(struct trace_event_file *file);

/**
 * trace_trigger_soft_disabled - is there nothing to record for an event?
 * @file: the event
 *
 * Runs the triggers that do not read the fields first. Called by the event's probe, with
 * preemption disabled.
 */
static __always_inline bool trace_trigger_soft_disabled(struct trace_event_file *file)
{
	unsigned long flags = READ_ONCE(file->flags);

	if (likely(!(flags & (EVENT_FILE_FL_TRIGGER_MODE | EVENT_FILE_FL_SOFT_DISABLED))) ||
	    flags & EVENT_FILE_FL_TRIGGER_COND)
		return false;

	return __trace_trigger_soft_disabled(file);
}

struct trace_event_file *trace_get_event_file(const char *instance, const char *system,
					      const char *event);
void trace_put_event_file(struct trace_event_file *file);
int trace_set_clr_event(const char *system, const char *event, int set);
int trace_array_set_clr_event(struct trace_array *tr, const char *system,
			      const char *event, bool enable);

/*
 * The context of a writer: TRACE_FLAG_* in bits 16 to 23, trace_entry.preempt_count in bits 0 to
 * 7.
 */
unsigned int tracing_gen_ctx_irq_test(unsigned int irqs_status);

static inline unsigned int tracing_gen_ctx_flags(unsigned long irqflags)
{
	if (!IS_ENABLED(CONFIG_TRACE_IRQFLAGS_SUPPORT))
		return tracing_gen_ctx_irq_test(TRACE_FLAG_IRQS_NOSUPPORT);

	return tracing_gen_ctx_irq_test(irqs_disabled_flags(irqflags) ?
					TRACE_FLAG_IRQS_OFF : 0);
}

static inline unsigned int tracing_gen_ctx(void)
{
	unsigned long irqflags;

	local_save_flags(irqflags);

	return tracing_gen_ctx_flags(irqflags);
}

void tracing_record_cmdline(struct task_struct *task);

/*
 * TRACE_EVENT_FLAGS() and TRACE_EVENT_PERF_PERM() change an event before user space can use it.
 */
#define __TRACE_EVENT_CHANGE(id, change)				\
	static int __init trace_event_change_##id(void)			\
	{								\
		change;							\
		return 0;						\
	}								\
	early_initcall(trace_event_change_##id);

#define __TRACE_EVENT_FLAGS(name, value)				\
	__TRACE_EVENT_CHANGE(flags_##name, event_##name.flags |= (value))

#define __TRACE_EVENT_PERF_PERM(name, expr...)				\
	static int perf_perm_##name(struct trace_event_call *tp_event,	\
				    struct perf_event *p_event)		\
	{								\
		return expr;						\
	}								\
	__TRACE_EVENT_CHANGE(perf_perm_##name,				\
			     event_##name.perf_perm = &perf_perm_##name)

/*
 * Perf.
 */
#ifdef CONFIG_PERF_EVENTS
/* The maximum size in bytes of an entry for perf. */
#define PERF_MAX_TRACE_SIZE	8192

DECLARE_PER_CPU(struct pt_regs, perf_trace_regs);

int filter_match_preds(struct event_filter *filter, void *rec);
int perf_trace_init(struct perf_event *event);
void perf_trace_destroy(struct perf_event *event);
int perf_trace_add(struct perf_event *event, int flags);
void perf_trace_del(struct perf_event *event, int flags);
int ftrace_profile_set_filter(struct perf_event *event, int event_id,
			      char *filter_str);
void ftrace_profile_free_filter(struct perf_event *event);
void *perf_trace_buf_alloc(int size, struct pt_regs **regs, int *rctxp);
void perf_trace_buf_update(void *record, u16 type);
void perf_trace_run_bpf_submit(void *raw_data, int size, int rctx,
			       struct trace_event_call *call, u64 count,
			       struct pt_regs *regs, struct hlist_head *head,
			       struct task_struct *task);

static inline void perf_trace_buf_submit(void *raw_data, int size, int rctx, u16 type,
					 u64 count, struct pt_regs *regs, void *head,
					 struct task_struct *task)
{
	perf_tp_event(type, count, raw_data, size, regs, head, rctx, task);
}

/*
 * bpf_prog_array_valid - does an event have BPF programs?
 *
 * A hint that saves work: it has to be checked again where the programs are run.
 */
static inline bool bpf_prog_array_valid(struct trace_event_call *call)
{
	return READ_ONCE(call->prog_array);
}

int perf_event_set_bpf_prog(struct perf_event *event, struct bpf_prog *prog, u64 bpf_cookie);
void perf_event_free_bpf_prog(struct perf_event *event);
#endif

#ifdef CONFIG_KPROBE_EVENTS
int perf_kprobe_init(struct perf_event *event, bool is_retprobe);
void perf_kprobe_destroy(struct perf_event *event);
#endif
#ifdef CONFIG_UPROBE_EVENTS
int perf_uprobe_init(struct perf_event *event, unsigned long ref_ctr_offset, bool is_retprobe);
void perf_uprobe_destroy(struct perf_event *event);
#endif

#ifdef CONFIG_BPF_EVENTS
unsigned int trace_call_bpf(struct trace_event_call *call, void *ctx);
unsigned int trace_call_bpf_uprobe(struct trace_event_call *call, struct pt_regs *regs);
int perf_event_attach_bpf_prog(struct perf_event *event, struct bpf_prog *prog, u64 bpf_cookie);
void perf_event_detach_bpf_prog(struct perf_event *event);
int perf_event_query_prog_array(struct perf_event *event, void __user *info);
int bpf_get_perf_event_info(const struct perf_event *event, u32 *prog_id, u32 *fd_type,
			    const char **buf, u64 *probe_offset, u64 *probe_addr,
			    unsigned long *missed);

struct bpf_raw_event_map *bpf_get_raw_tracepoint(const char *name);
void bpf_put_raw_tracepoint(struct bpf_raw_event_map *btp);
int bpf_probe_register(struct bpf_raw_event_map *btp, struct bpf_raw_tp_link *link);
int bpf_probe_unregister(struct bpf_raw_event_map *btp, struct bpf_raw_tp_link *link);

/*
 * bpf_trace_runN - run a BPF program at a tracepoint that has N arguments
 *
 * The probes that include/trace/bpf_probe.h defines call them.
 */
void bpf_trace_run1(struct bpf_raw_tp_link *link, u64 a1);
void bpf_trace_run2(struct bpf_raw_tp_link *link, u64 a1, u64 a2);
void bpf_trace_run3(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3);
void bpf_trace_run4(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4);
void bpf_trace_run5(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5);
void bpf_trace_run6(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		    u64 a6);
void bpf_trace_run7(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		    u64 a6, u64 a7);
void bpf_trace_run8(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		    u64 a6, u64 a7, u64 a8);
void bpf_trace_run9(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		    u64 a6, u64 a7, u64 a8, u64 a9);
void bpf_trace_run10(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		     u64 a6, u64 a7, u64 a8, u64 a9, u64 a10);
void bpf_trace_run11(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		     u64 a6, u64 a7, u64 a8, u64 a9, u64 a10, u64 a11);
void bpf_trace_run12(struct bpf_raw_tp_link *link, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
		     u64 a6, u64 a7, u64 a8, u64 a9, u64 a10, u64 a11, u64 a12);
#else
static inline unsigned int trace_call_bpf(struct trace_event_call *call, void *ctx)
{
	return 1;
}

static inline unsigned int trace_call_bpf_uprobe(struct trace_event_call *call,
						 struct pt_regs *regs)
{
	return 1;
}

static inline int perf_event_attach_bpf_prog(struct perf_event *event,
					     struct bpf_prog *prog, u64 bpf_cookie)
{
	return -EOPNOTSUPP;
}

static inline void perf_event_detach_bpf_prog(struct perf_event *event)
{
}

static inline int perf_event_query_prog_array(struct perf_event *event, void __user *info)
{
	return -EOPNOTSUPP;
}

static inline int bpf_probe_register(struct bpf_raw_event_map *btp,
				     struct bpf_raw_tp_link *link)
{
	return -EOPNOTSUPP;
}

static inline int bpf_probe_unregister(struct bpf_raw_event_map *btp,
				       struct bpf_raw_tp_link *link)
{
	return -EOPNOTSUPP;
}

static inline struct bpf_raw_event_map *bpf_get_raw_tracepoint(const char *name)
{
	return NULL;
}

static inline void bpf_put_raw_tracepoint(struct bpf_raw_event_map *btp)
{
}

static inline int bpf_get_perf_event_info(const struct perf_event *event, u32 *prog_id,
					  u32 *fd_type, const char **buf,
					  u64 *probe_offset, u64 *probe_addr,
					  unsigned long *missed)
{
	return -EOPNOTSUPP;
}
#endif /* CONFIG_BPF_EVENTS */

#if defined(CONFIG_BPF_EVENTS) && defined(CONFIG_FPROBE)
int bpf_kprobe_multi_link_attach(const union bpf_attr *attr, struct bpf_prog *prog);
#else
static inline int bpf_kprobe_multi_link_attach(const union bpf_attr *attr,
					       struct bpf_prog *prog)
{
	return -EOPNOTSUPP;
}
#endif

#if defined(CONFIG_BPF_EVENTS) && defined(CONFIG_UPROBE_EVENTS)
int bpf_uprobe_multi_link_attach(const union bpf_attr *attr, struct bpf_prog *prog);
#else
static inline int bpf_uprobe_multi_link_attach(const union bpf_attr *attr,
					       struct bpf_prog *prog)
{
	return -EOPNOTSUPP;
}
#endif

/* Dynamic events of kernel code: a command is assembled, and run by dynevent_create(). */
#define MAX_DYNEVENT_CMD_LEN	(2048)

enum dynevent_type {
	DYNEVENT_TYPE_SYNTH = 1,
	DYNEVENT_TYPE_KPROBE,
	DYNEVENT_TYPE_NONE,
};

struct dynevent_cmd;

typedef int (*dynevent_create_fn_t)(struct dynevent_cmd *cmd);

/**
 * struct dynevent_cmd - a command
 * @seq: text of the command
 * @event_name: name of the event
 * @n_fields: number of fields up to now
 * @type: type of the event
 * @run_command: runs the command
 * @private_data: private data of @run_command
 */
struct dynevent_cmd {
	struct seq_buf		seq;
	const char		*event_name;
	unsigned int		n_fields;
	enum dynevent_type	type;
	dynevent_create_fn_t	run_command;
	void			*private_data;
};

int dynevent_create(struct dynevent_cmd *cmd);

/*
 * Synthetic events. See Documentation/trace/events.rst, "In-kernel trace event API".
 */

/**
 * struct synth_field_desc - a field of a synthetic event
 * @type: type as in C
 * @name: name of the field
 */
struct synth_field_desc {
	const char	*type;
	const char	*name;
};

struct synth_event;

/**
 * struct synth_event_trace_state - a synthetic event whose fields are set one by one
 * @fbuffer: location of its entry
 * @entry: the entry
 * @buffer: the ring buffer
 * @event: the event
 * @cur_field: index of the field that synth_event_add_next_val() sets
 * @n_u64: position of that field in the entry
 * @disabled: the event is not recorded
 * @add_next: fields are set one after the other
 * @add_name: fields are set by their names
 */
struct synth_event_trace_state {
	struct trace_event_buffer	fbuffer;
	struct synth_trace_event	*entry;
	struct trace_buffer		*buffer;
	struct synth_event		*event;
	unsigned int			cur_field;
	unsigned int			n_u64;
	bool				disabled;
	bool				add_next;
	bool				add_name;
};

void synth_event_cmd_init(struct dynevent_cmd *cmd, char *buf, int maxlen);
int __synth_event_gen_cmd_start(struct dynevent_cmd *cmd, const char *name,
				struct module *mod, ...);
#define synth_event_gen_cmd_start(cmd, name, mod, ...)	\
	__synth_event_gen_cmd_start(cmd, name, mod, ## __VA_ARGS__, NULL)
int synth_event_gen_cmd_array_start(struct dynevent_cmd *cmd, const char *name,
				    struct module *mod, struct synth_field_desc *fields,
				    unsigned int n_fields);
int synth_event_add_field(struct dynevent_cmd *cmd, const char *type, const char *name);
int synth_event_add_field_str(struct dynevent_cmd *cmd, const char *type_name);
int synth_event_add_fields(struct dynevent_cmd *cmd, struct synth_field_desc *fields,
			   unsigned int n_fields);
#define synth_event_gen_cmd_end(cmd)	dynevent_create(cmd)

int synth_event_create(const char *name, struct synth_field_desc *fields,
		       unsigned int n_fields, struct module *mod);
int synth_event_delete(const char *name);

int synth_event_trace(struct trace_event_file *file, unsigned int n_vals, ...);
int synth_event_trace_array(struct trace_event_file *file, u64 *vals, unsigned int n_vals);
int synth_event_trace_start(struct trace_event_file *file,
			    struct synth_event_trace_state *trace_state);
int synth_event_add_next_val(u64 val, struct synth_event_trace_state *trace_state);
int synth_event_add_val(const char *field_name, u64 val,
			struct synth_event_trace_state *trace_state);
int synth_event_trace_end(struct synth_event_trace_state *trace_state);

/*
 * Kprobe events. See Documentation/trace/events.rst, "In-kernel trace event API".
 */
void kprobe_event_cmd_init(struct dynevent_cmd *cmd, char *buf, int maxlen);
int __kprobe_event_gen_cmd_start(struct dynevent_cmd *cmd, bool kretprobe, const char *name,
				 const char *loc, ...);
#define kprobe_event_gen_cmd_start(cmd, name, loc, ...)			\
	__kprobe_event_gen_cmd_start(cmd, false, name, loc, ## __VA_ARGS__, NULL)
#define kretprobe_event_gen_cmd_start(cmd, name, loc, ...)		\
	__kprobe_event_gen_cmd_start(cmd, true, name, loc, ## __VA_ARGS__, NULL)
int __kprobe_event_add_fields(struct dynevent_cmd *cmd, ...);
#define kprobe_event_add_fields(cmd, ...)	\
	__kprobe_event_add_fields(cmd, ## __VA_ARGS__, NULL)
#define kprobe_event_add_field(cmd, field)	__kprobe_event_add_fields(cmd, field, NULL)
#define kprobe_event_gen_cmd_end(cmd)		dynevent_create(cmd)
#define kretprobe_event_gen_cmd_end(cmd)	dynevent_create(cmd)
int kprobe_event_delete(const char *name);

#endif /* _LINUX_TRACE_EVENT_H */

/*
 * Not guarded: include/trace/define_custom_trace.h undefines these for every header.
 */
#ifndef TRACE_CUSTOM_EVENT
#define DECLARE_CUSTOM_EVENT_CLASS(name, proto, args, tstruct, assign, print)
#define DEFINE_CUSTOM_EVENT(template, name, proto, args)
#define TRACE_CUSTOM_EVENT(name, proto, args, struct, assign, print)
#endif
