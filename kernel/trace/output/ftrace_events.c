// SPDX-License-Identifier: GPL-2.0
/*
 * Fields of the entry types that are not trace events. Their text is in entry_text.c.
 */
#include <linux/compiler.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/stddef.h>

#include "event/control/event_add.h"
#include "event/core/fields.h"
#include "event/record/perf_function.h"
#include "instance/core/entries.h"
#include "output/entry_text.h"

#define FIELD(struct_type, c_type, field, filter) {			\
	.name		= #field,					\
	.type		= #c_type,					\
	.filter_type	= filter,					\
	.offset		= offsetof(struct_type, field),			\
	.size		= sizeof_field(struct_type, field),		\
	.is_signed	= is_signed_type(c_type),			\
}

#define FIELD_ARRAY(struct_type, c_type, field, n, filter) {		\
	.name		= #field,					\
	.type		= #c_type "[" #n "]",				\
	.filter_type	= filter,					\
	.offset		= offsetof(struct_type, field),			\
	.size		= (n) * sizeof(c_type),				\
	.is_signed	= is_signed_type(c_type),			\
	.len		= n,						\
}

#define FIELD_REST(struct_type, c_type, field, filter) {		\
	.name		= #field,					\
	.type		= #c_type "[]",					\
	.filter_type	= filter,					\
	.offset		= offsetof(struct_type, field),			\
	.is_signed	= is_signed_type(c_type),			\
}

#define FIELD_POINTER(struct_type, c_type, field) {			\
	.name		= #field,					\
	.type		= #c_type,					\
	.filter_type	= FILTER_PTR_STRING,				\
	.offset		= offsetof(struct_type, field),			\
	.size		= sizeof_field(struct_type, field),		\
}

static struct ftrace_event_field function_fields[] = {
	FIELD(struct ftrace_entry, unsigned long, ip, FILTER_TRACE_FN),
	FIELD(struct ftrace_entry, unsigned long, parent_ip, FILTER_TRACE_FN),
	FIELD_REST(struct ftrace_entry, unsigned long, args, FILTER_OTHER),
	{ }
};

/* Each type links its own copies of the fields. */
#define TASK_FIELDS							\
	FIELD(struct ctx_switch_entry, unsigned int, prev_pid, FILTER_OTHER),	\
	FIELD(struct ctx_switch_entry, unsigned int, next_pid, FILTER_OTHER),	\
	FIELD(struct ctx_switch_entry, unsigned int, next_cpu, FILTER_OTHER),	\
	FIELD(struct ctx_switch_entry, unsigned char, prev_prio, FILTER_OTHER),	\
	FIELD(struct ctx_switch_entry, unsigned char, prev_state, FILTER_OTHER),	\
	FIELD(struct ctx_switch_entry, unsigned char, next_prio, FILTER_OTHER),	\
	FIELD(struct ctx_switch_entry, unsigned char, next_state, FILTER_OTHER),	\
	{ }

static struct ftrace_event_field ctx_fields[] = { TASK_FIELDS };
static struct ftrace_event_field wake_fields[] = { TASK_FIELDS };

#define TASKS_FMT(arrow)						\
	"\"%u:%u:%u  " arrow " %u:%u:%u [%03u]\", "			\
	"REC->prev_pid, REC->prev_prio, REC->prev_state, "		\
	"REC->next_pid, REC->next_prio, REC->next_state, REC->next_cpu"

#define FIELD_IN(struct_type, c_type, member, field, filter) {		\
	.name		= #field,					\
	.type		= #c_type,					\
	.filter_type	= filter,					\
	.offset		= offsetof(struct_type, member.field),		\
	.size		= sizeof(((struct_type *)NULL)->member.field),	\
	.is_signed	= is_signed_type(c_type),			\
}

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
static struct ftrace_event_field graph_ent_fields[] = {
	FIELD_IN(struct graph_ent_entry, unsigned long, graph_ent, func,
		 FILTER_TRACE_FN),
	FIELD_IN(struct graph_ent_entry, int, graph_ent, depth, FILTER_OTHER),
	FIELD_REST(struct graph_ent_entry, unsigned long, args, FILTER_OTHER),
	{ }
};

static struct ftrace_event_field graph_retaddr_fields[] = {
	FIELD_IN(struct graph_retaddr_entry, unsigned long, graph_ent, func,
		 FILTER_TRACE_FN),
	FIELD_IN(struct graph_retaddr_entry, int, graph_ent, depth, FILTER_OTHER),
	FIELD(struct graph_retaddr_entry, unsigned long, retaddr, FILTER_TRACE_FN),
	FIELD_REST(struct graph_retaddr_entry, unsigned long, args, FILTER_OTHER),
	{ }
};

static struct ftrace_event_field graph_ret_fields[] = {
	FIELD_IN(struct graph_ret_entry, unsigned long, ret, func, FILTER_TRACE_FN),
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	FIELD_IN(struct graph_ret_entry, unsigned long, ret, retval, FILTER_OTHER),
#endif
	FIELD_IN(struct graph_ret_entry, int, ret, depth, FILTER_OTHER),
	FIELD_IN(struct graph_ret_entry, unsigned int, ret, overrun, FILTER_OTHER),
	FIELD_IN(struct graph_ret_entry, unsigned long long, ret, calltime,
		 FILTER_OTHER),
	FIELD_IN(struct graph_ret_entry, unsigned long long, ret, rettime,
		 FILTER_OTHER),
	{ }
};

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
#define GRAPH_RET_FMT							\
	"\"<-- %ps (%d) (start: %llx  end: %llx) over: %d retval: %lx\", (void *)REC->func, REC->depth, REC->calltime, REC->rettime, REC->depth, REC->retval"
#else
#define GRAPH_RET_FMT							\
	"\"<-- %ps (%d) (start: %llx  end: %llx) over: %d\", (void *)REC->func, REC->depth, REC->calltime, REC->rettime, REC->depth"
#endif
#endif

static struct ftrace_event_field func_repeats_fields[] = {
	FIELD(struct func_repeats_entry, unsigned long, ip, FILTER_TRACE_FN),
	FIELD(struct func_repeats_entry, unsigned long, parent_ip,
	      FILTER_TRACE_FN),
	FIELD(struct func_repeats_entry, u16, count, FILTER_OTHER),
	FIELD(struct func_repeats_entry, u16, top_delta_ts, FILTER_OTHER),
	FIELD(struct func_repeats_entry, u32, bottom_delta_ts, FILTER_OTHER),
	{ }
};

static struct ftrace_event_field stack_fields[] = {
	FIELD(struct stack_entry, int, size, FILTER_OTHER),
	/* libtraceevent needs an array size; the real length is entry->size. */
	FIELD_ARRAY(struct stack_entry, unsigned long, caller, 8, FILTER_STACKTRACE),
	{ }
};

static struct ftrace_event_field user_stack_fields[] = {
	FIELD(struct userstack_entry, unsigned int, tgid, FILTER_OTHER),
	FIELD_ARRAY(struct userstack_entry, unsigned long, caller, 8,
		    FILTER_OTHER),
	{ }
};

static struct ftrace_event_field print_fields[] = {
	FIELD(struct print_entry, unsigned long, ip, FILTER_TRACE_FN),
	FIELD_REST(struct print_entry, char, buf, FILTER_STATIC_STRING),
	{ }
};

static struct ftrace_event_field bprint_fields[] = {
	FIELD(struct bprint_entry, unsigned long, ip, FILTER_TRACE_FN),
	FIELD_POINTER(struct bprint_entry, const char *, fmt),
	FIELD_REST(struct bprint_entry, u32, buf, FILTER_OTHER),
	{ }
};

static struct ftrace_event_field bputs_fields[] = {
	FIELD(struct bputs_entry, unsigned long, ip, FILTER_TRACE_FN),
	FIELD_POINTER(struct bputs_entry, const char *, str),
	{ }
};

static struct ftrace_event_field raw_data_fields[] = {
	FIELD(struct raw_data_entry, unsigned int, id, FILTER_OTHER),
	FIELD_REST(struct raw_data_entry, char, buf, FILTER_OTHER),
	{ }
};

static struct ftrace_event_field hwlat_fields[] = {
	FIELD(struct hwlat_entry, u64, duration, FILTER_OTHER),
	FIELD(struct hwlat_entry, u64, outer_duration, FILTER_OTHER),
	FIELD(struct hwlat_entry, u64, nmi_total_ts, FILTER_OTHER),
	FIELD_IN(struct hwlat_entry, s64, timestamp, tv_sec, FILTER_OTHER),
	FIELD_IN(struct hwlat_entry, long, timestamp, tv_nsec, FILTER_OTHER),
	FIELD(struct hwlat_entry, unsigned int, nmi_count, FILTER_OTHER),
	FIELD(struct hwlat_entry, unsigned int, seqnum, FILTER_OTHER),
	FIELD(struct hwlat_entry, unsigned int, count, FILTER_OTHER),
	{ }
};

static struct ftrace_event_field osnoise_fields[] = {
	FIELD(struct osnoise_entry, u64, noise, FILTER_OTHER),
	FIELD(struct osnoise_entry, u64, runtime, FILTER_OTHER),
	FIELD(struct osnoise_entry, u64, max_sample, FILTER_OTHER),
	FIELD(struct osnoise_entry, unsigned int, hw_count, FILTER_OTHER),
	FIELD(struct osnoise_entry, unsigned int, nmi_count, FILTER_OTHER),
	FIELD(struct osnoise_entry, unsigned int, irq_count, FILTER_OTHER),
	FIELD(struct osnoise_entry, unsigned int, softirq_count, FILTER_OTHER),
	FIELD(struct osnoise_entry, unsigned int, thread_count, FILTER_OTHER),
	{ }
};

static struct ftrace_event_field timerlat_fields[] = {
	FIELD(struct timerlat_entry, unsigned int, seqnum, FILTER_OTHER),
	FIELD(struct timerlat_entry, int, context, FILTER_OTHER),
	FIELD(struct timerlat_entry, u64, timer_latency, FILTER_OTHER),
	{ }
};

static struct ftrace_event_field branch_fields[] = {
	FIELD(struct trace_branch, unsigned int, line, FILTER_OTHER),
	FIELD_ARRAY(struct trace_branch, char, func, 31, FILTER_STATIC_STRING),
	FIELD_ARRAY(struct trace_branch, char, file, 21, FILTER_STATIC_STRING),
	FIELD(struct trace_branch, char, correct, FILTER_OTHER),
	FIELD(struct trace_branch, char, constant, FILTER_OTHER),
	{ }
};

static struct ftrace_event_field mmio_rw_fields[] = {
	FIELD(struct mmio_rw_entry, resource_size_t, phys, FILTER_OTHER),
	FIELD(struct mmio_rw_entry, unsigned long, value, FILTER_OTHER),
	FIELD(struct mmio_rw_entry, unsigned long, pc, FILTER_OTHER),
	FIELD(struct mmio_rw_entry, int, map_id, FILTER_OTHER),
	FIELD(struct mmio_rw_entry, unsigned char, opcode, FILTER_OTHER),
	FIELD(struct mmio_rw_entry, unsigned char, width, FILTER_OTHER),
	{ }
};

static struct ftrace_event_field mmio_map_fields[] = {
	FIELD(struct mmio_map_entry, resource_size_t, phys, FILTER_OTHER),
	FIELD(struct mmio_map_entry, unsigned long, virt, FILTER_OTHER),
	FIELD(struct mmio_map_entry, unsigned long, len, FILTER_OTHER),
	FIELD(struct mmio_map_entry, int, map_id, FILTER_OTHER),
	FIELD(struct mmio_map_entry, unsigned char, opcode, FILTER_OTHER),
	{ }
};

#define HWLAT_FMT							\
	"\"cnt:%u\\tts:%010llu.%010lu\\tinner:%llu\\touter:%llu\\t"	\
	"count:%d\\tnmi-ts:%llu\\tnmi-count:%u\\n\", "			\
	"REC->seqnum, REC->tv_sec, REC->tv_nsec, REC->duration, REC->outer_duration, "	\
	"REC->count, REC->nmi_total_ts, REC->nmi_count"

#define OSNOISE_FMT							\
	"\"noise:%llu\\tmax_sample:%llu\\thw:%u\\tnmi:%u\\tirq:%u\\t"	\
	"softirq:%u\\tthread:%u\\n\", "					\
	"REC->noise, REC->max_sample, REC->hw_count, REC->nmi_count, "	\
	"REC->irq_count, REC->softirq_count, REC->thread_count"

#define TIMERLAT_FMT							\
	"\"seq:%u\\tcontext:%d\\ttimer_latency:%llu\\n\", REC->seqnum, REC->context, REC->timer_latency"

#define BRANCH_FMT							\
	"\"%u:%s:%s (%u)%s\", REC->line, REC->func, REC->file, REC->correct, REC->constant ? \" CONSTANT\" : \"\""

#define MMIO_RW_FMT							\
	"\"%lx %lx %lx %d %x %x\", (unsigned long)REC->phys, REC->value, REC->pc, REC->map_id, REC->opcode, REC->width"

#define MMIO_MAP_FMT							\
	"\"%lx %lx %lx %d %x\", (unsigned long)REC->phys, REC->virt, REC->len, REC->map_id, REC->opcode"

static_assert(TRACE_USER_STACK_MAX == 8);
static_assert(sizeof_field(struct trace_branch, func) == 31);
static_assert(sizeof_field(struct trace_branch, file) == 21);

#define STACK_FMT							\
	"\"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\" "			\
	"\"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\" "			\
	"\"\\t=> %ps\\n\\t=> %ps\\n\", "				\
	"(void *)REC->caller[0], (void *)REC->caller[1], (void *)REC->caller[2], "	\
	"(void *)REC->caller[3], (void *)REC->caller[4], (void *)REC->caller[5], "	\
	"(void *)REC->caller[6], (void *)REC->caller[7]"

#define REPEATS_FMT							\
	"\" %ps <-%ps\\t(repeats:%u  delta: -%llu)\", (void *)REC->ip, (void *)REC->parent_ip, REC->count, (((u64)(REC)->top_delta_ts << 32) | (REC)->bottom_delta_ts)"

/**
 * struct ftrace_events_fixed_type - an entry type that is not a trace event
 * @call: its descriptor as a trace event
 * @class: class of @call
 * @fields: its fields, ended by a field without a name
 */
struct ftrace_events_fixed_type {
	struct trace_event_call		call;
	struct trace_event_class	class;
	struct ftrace_event_field	*fields;
};

#define TYPE(id, type_name, fields_of, fmt) {				\
	.call = {							\
		.name		= type_name,				\
		.event = {						\
			.type	= id,					\
			.funcs	= &trace_fixed_funcs[id],		\
		},							\
		.print_fmt	= fmt,					\
		.flags		= TRACE_EVENT_FL_IGNORE_ENABLE,		\
	},								\
	.class.system	= "ftrace",					\
	.fields		= fields_of,					\
}

static struct ftrace_events_fixed_type fixed_types[] = {
	TYPE(TRACE_FN, "function", function_fields,
	     "\" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip"),
	TYPE(TRACE_CTX, "context_switch", ctx_fields, TASKS_FMT("==>")),
	TYPE(TRACE_WAKE, "wakeup", wake_fields, TASKS_FMT("==+")),
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	TYPE(TRACE_GRAPH_ENT, "funcgraph_entry", graph_ent_fields,
	     "\"--> %ps (%d)\", (void *)REC->func, REC->depth"),
	TYPE(TRACE_GRAPH_RETADDR_ENT, "fgraph_retaddr_entry", graph_retaddr_fields,
	     "\"--> %ps (%d) <- %ps\", (void *)REC->func, REC->depth, (void *)REC->retaddr"),
	TYPE(TRACE_GRAPH_RET, "funcgraph_exit", graph_ret_fields, GRAPH_RET_FMT),
#endif
	TYPE(TRACE_STACK, "kernel_stack", stack_fields, STACK_FMT),
	TYPE(TRACE_USER_STACK, "user_stack", user_stack_fields, STACK_FMT),
	TYPE(TRACE_PRINT, "print", print_fields,
	     "\"%ps: %s\", (void *)REC->ip, REC->buf"),
	TYPE(TRACE_BPRINT, "bprint", bprint_fields,
	     "\"%ps: %s\", (void *)REC->ip, REC->fmt"),
	TYPE(TRACE_BPUTS, "bputs", bputs_fields,
	     "\"%ps: %s\", (void *)REC->ip, REC->str"),
	TYPE(TRACE_RAW_DATA, "raw_data", raw_data_fields,
	     "\"id:%04x %08x\", REC->id, (int)REC->buf[0]"),
	TYPE(TRACE_HWLAT, "hwlat", hwlat_fields, HWLAT_FMT),
	TYPE(TRACE_OSNOISE, "osnoise", osnoise_fields, OSNOISE_FMT),
	TYPE(TRACE_TIMERLAT, "timerlat", timerlat_fields, TIMERLAT_FMT),
	TYPE(TRACE_BRANCH, "branch", branch_fields, BRANCH_FMT),
	TYPE(TRACE_MMIO_RW, "mmiotrace_rw", mmio_rw_fields, MMIO_RW_FMT),
	TYPE(TRACE_MMIO_MAP, "mmiotrace_map", mmio_map_fields, MMIO_MAP_FMT),
	TYPE(TRACE_FUNC_REPEATS, "func_repeats", func_repeats_fields, REPEATS_FMT),
};

static int __init ftrace_events_fixed_types_init(void)
{
	struct ftrace_events_fixed_type *type;

	for (type = fixed_types; type < fixed_types + ARRAY_SIZE(fixed_types); type++) {
		INIT_LIST_HEAD(&type->class.fields);
		trace_event_fields_link(&type->class.fields, type->fields);
		type->call.class = &type->class;
		if (trace_perf_is_function(&type->call))
			trace_perf_function_add(&type->call);
		trace_event_add_fixed(&type->call);
	}

	return 0;
}
early_initcall(ftrace_events_fixed_types_init);
