/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function tracing: the interface for the rest of the kernel and for modules.
 *
 * A user fills in a struct ftrace_ops, selects functions with ftrace_set_filter*(), and
 * registers the ops. From then on its callback runs at the start of these functions.
 * Documentation/trace/ftrace-uses.rst is the manual for users,
 * Documentation/trace/ftrace-design.rst describes the implementation, and linux/ftrace_arch.h
 * the interface to the architectures.
 */
#ifndef _LINUX_FTRACE_H
#define _LINUX_FTRACE_H

#include <linux/trace_recursion.h>
#include <linux/trace_clock.h>
#include <linux/jump_label.h>
#include <linux/kallsyms.h>
#include <linux/linkage.h>
#include <linux/bitops.h>
#include <linux/ptrace.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <linux/init.h>
#include <linux/fs.h>

#include <asm/ftrace.h>

struct dyn_ftrace;
struct ftrace_hash;
struct ftrace_ops;
struct ftrace_ops_node;
struct ftrace_regs;
struct module;
struct seq_file;

/* Setup of the trace buffers, called from start_kernel(). */
#ifdef CONFIG_TRACING
void early_trace_init(void);
void trace_init(void);
#else
static inline void early_trace_init(void) { }
static inline void trace_init(void) { }
#endif

/*
 * Registers at the start of a function
 */

#ifdef CONFIG_FUNCTION_TRACER

#include <linux/ftrace_regs.h>

/**
 * struct ftrace_regs - registers that are passed to a callback
 *
 * Opaque: the layout belongs to the architecture and may hold fewer registers than struct
 * pt_regs. The ftrace_regs_*() accessors read and write arguments, stack pointer, return value
 * and, in an ops with FTRACE_OPS_FL_IPMODIFY, the instruction pointer. ftrace_get_regs() returns
 * a complete struct pt_regs if the ops requested one with FTRACE_OPS_FL_SAVE_REGS.
 */
struct ftrace_regs {
};

#define ftrace_regs_size()	sizeof(struct __arch_ftrace_regs)

#if !defined(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS) && !defined(HAVE_ARCH_FTRACE_REGS) && \
	!defined(arch_ftrace_get_regs)
static inline struct pt_regs *arch_ftrace_get_regs(struct ftrace_regs *fregs)
{
	return &arch_ftrace_regs(fregs)->regs;
}

#define ftrace_regs_set_instruction_pointer(fregs, ip)	do { } while (0)
#endif

/**
 * ftrace_get_regs - get the complete registers of a callback
 * @fregs: registers that were passed to the callback, may be NULL
 *
 * Return: the registers, or NULL if not all of them were saved
 */
static __always_inline struct pt_regs *ftrace_get_regs(struct ftrace_regs *fregs)
{
	return fregs ? arch_ftrace_get_regs(fregs) : NULL;
}

#ifndef HAVE_ARCH_FTRACE_REGS

#ifndef arch_ftrace_partial_regs
#define arch_ftrace_partial_regs(regs)	do { } while (0)
#endif

/**
 * ftrace_partial_regs - get the saved registers as a struct pt_regs
 * @fregs: registers that were passed to the callback
 * @regs: storage, for architectures that have to copy
 *
 * Return: the registers; registers that @fregs does not save are undefined
 */
static __always_inline struct pt_regs *
ftrace_partial_regs(struct ftrace_regs *fregs, struct pt_regs *regs)
{
	regs = &arch_ftrace_regs(fregs)->regs;
	arch_ftrace_partial_regs(regs);
	return regs;
}
#endif

/**
 * ftrace_fill_perf_regs - get enough of a struct pt_regs for a stack walk by perf
 * @fregs: registers that were passed to the callback
 * @regs: storage, for architectures that have to copy
 *
 * Return: registers that make user_mode() false and that the stack can be unwound from
 */
static __always_inline struct pt_regs *
ftrace_fill_perf_regs(struct ftrace_regs *fregs, struct pt_regs *regs)
{
#ifdef arch_ftrace_fill_perf_regs
	arch_ftrace_fill_perf_regs(fregs, regs);
	return regs;
#else
	return &arch_ftrace_regs(fregs)->regs;
#endif
}

/**
 * ftrace_regs_has_args - can the arguments be read from these registers?
 * @fregs: registers that were passed to the callback
 */
static __always_inline bool ftrace_regs_has_args(struct ftrace_regs *fregs)
{
	return IS_ENABLED(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS) ||
	       ftrace_get_regs(fregs);
}

/*
 * Users of call sites
 */

/**
 * typedef ftrace_func_t - callback at the start of a traced function
 * @ip: address of the call site in the traced function
 * @parent_ip: address that the traced function will return to
 * @op: the ops that was registered; carries @op->private
 * @fregs: registers of the traced function
 *
 * Context: any, NMI included; possibly preemptible, possibly with RCU not watching. See the
 * FTRACE_OPS_FL_* flags for guarantees that an ops can request, and
 * ftrace_test_recursion_trylock() for callbacks that call other functions.
 */
typedef void (*ftrace_func_t)(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *op, struct ftrace_regs *fregs);

/*
 * Flags of an ftrace_ops. The flags of the first group are set by the user before the ops is
 * registered, and do not change while it is registered. The flags of the second group belong to
 * ftrace.
 *
 * SAVE_REGS    ftrace_get_regs() must return all registers. Registering fails with
 *              EINVAL if the architecture cannot save them.
 * SAVE_REGS_IF_SUPPORTED
 *              the same, but the callback can cope with NULL registers
 * RECURSION    call the callback with preemption disabled, and at most once more from
 *              inside itself: as if it called ftrace_test_recursion_trylock(), but
 *              with a guard that only ops with this flag share
 * RCU          call the callback only where RCU is watching; includes RECURSION
 * IPMODIFY     the callback may change the instruction pointer; without the flag, a
 *              change may have no effect. A function can have one such ops; a second
 *              one fails with EBUSY. A DIRECT ops can share the function if its
 *              @ops_func agrees.
 * PERMANENT    kernel.ftrace_enabled cannot become 0 while this ops is registered, and
 *              the ops cannot be registered while the sysctl is 0. Like IPMODIFY and
 *              DIRECT ops, it stays in force when function tracing is shut down.
 * PID          call the callback only for the tasks in set_ftrace_pid
 * STUB         the ops is idle: no function calls it
 * TRACE_ARRAY  @private is a struct trace_array
 *
 * ENABLED      the ops is registered
 * DYNAMIC      the memory of the ops may be freed once it is unregistered, so
 *              unregistering waits until no task can be in the callback
 * INITIALIZED  its filters and their lock are initialized
 * DIRECT       the ops has a direct call, see register_ftrace_direct()
 * SHARE_IPMODIFY
 *              the owner of this DIRECT ops has agreed to share functions with an
 *              IPMODIFY ops
 * GRAPH        the ops is embedded in a struct fgraph_ops
 */
enum {
	FTRACE_OPS_FL_ENABLED			= BIT(0),
	FTRACE_OPS_FL_DYNAMIC			= BIT(1),
	FTRACE_OPS_FL_SAVE_REGS			= BIT(2),
	FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED	= BIT(3),
	FTRACE_OPS_FL_RECURSION			= BIT(4),
	FTRACE_OPS_FL_STUB			= BIT(5),
	FTRACE_OPS_FL_INITIALIZED		= BIT(6),
	FTRACE_OPS_FL_IPMODIFY			= BIT(12),
	FTRACE_OPS_FL_PID			= BIT(13),
	FTRACE_OPS_FL_RCU			= BIT(14),
	FTRACE_OPS_FL_TRACE_ARRAY		= BIT(15),
	FTRACE_OPS_FL_PERMANENT			= BIT(16),
	FTRACE_OPS_FL_DIRECT			= BIT(17),
	FTRACE_OPS_FL_SHARE_IPMODIFY		= BIT(19),
	FTRACE_OPS_FL_GRAPH			= BIT(20),
};

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
#define FTRACE_OPS_FL_SAVE_ARGS		0
#else
#define FTRACE_OPS_FL_SAVE_ARGS		FTRACE_OPS_FL_SAVE_REGS
#endif

/**
 * enum ftrace_ops_cmd - requests and notifications to the owner of a DIRECT ops
 * @FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF: the ops is being registered, and shares a function
 *	with a registered IPMODIFY ops
 * @FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER: an IPMODIFY ops is being registered, or its filter
 *	is being changed, and it shares a function with this ops
 * @FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER: no IPMODIFY ops shares a function with this ops
 *	any longer
 *
 * ftrace_ops.ops_func is called with these. For the first two it returns 0 to agree, or an
 * error, with which registering fails. It is not called again while the agreement holds.
 *
 * Context: process context, with the lock of direct calls held, so that it can use
 * modify_ftrace_direct_nolock(). For SELF, further locks of ftrace are held, so that it must not
 * call any function of ftrace.
 */
enum ftrace_ops_cmd {
	FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF,
	FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER,
	FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER,
};

typedef int (*ftrace_ops_func_t)(struct ftrace_ops *op, enum ftrace_ops_cmd cmd);

/**
 * struct ftrace_ops_hash - filters: the set of functions that an ops traces
 * @notrace_hash: call sites that are excluded, NULL for no exception
 * @filter_hash: call sites that are traced, NULL for all
 * @regex_lock: held while the filters are edited
 * @serial: serial number of the call sites for which the members are valid
 * @forget: drops state that is kept elsewhere for these filters, or NULL; ftrace_lock to change
 */
struct ftrace_ops_hash {
	struct ftrace_hash __rcu	*notrace_hash;
	struct ftrace_hash __rcu	*filter_hash;
	struct mutex			regex_lock;	/* edits, see above */
	unsigned long			serial;
	void				(*forget)(const struct ftrace_ops_hash *hash);
};

/**
 * struct ftrace_ops - a user of call sites
 * @func: the callback
 * @flags: FTRACE_OPS_FL_*
 * @private: the user's own
 * @node: its node in the list of registered ops
 * @local_hash: the ops' own filters
 * @func_hash: the filters in force: @local_hash, or the filters of another ops that it shares
 * @ops_func: handler of enum ftrace_ops_cmd, optional
 * @direct_call: trampoline of a DIRECT ops
 * @trampoline: not used; users of direct calls set it to 0 before they try again
 *
 * The memory of an ops must remain valid, at the same address, until
 * unregister_ftrace_function() returns.
 */
struct ftrace_ops {
	ftrace_func_t			func;
	unsigned long			flags;
	void				*private;
	struct ftrace_ops_node		*node;
	struct ftrace_ops_hash		local_hash;
	struct ftrace_ops_hash		*func_hash;
	ftrace_ops_func_t		ops_func;
	unsigned long			direct_call;
	unsigned long			trampoline;
};

extern int ftrace_enabled;

int register_ftrace_function(struct ftrace_ops *ops);
int unregister_ftrace_function(struct ftrace_ops *ops);
void ftrace_kill(void);

int ftrace_set_filter(struct ftrace_ops *ops, unsigned char *buf, int len,
		      int reset);
int ftrace_set_notrace(struct ftrace_ops *ops, unsigned char *buf, int len,
		       int reset);
int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip, int remove,
			 int reset);
int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips,
			  unsigned int cnt, int remove, int reset);
void ftrace_set_global_filter(unsigned char *buf, int len, int reset);
void ftrace_set_global_notrace(unsigned char *buf, int len, int reset);
void ftrace_ops_set_global_filter(struct ftrace_ops *ops);
void ftrace_free_filter(struct ftrace_ops *ops);

int ftrace_lookup_symbols(const char **sorted_syms, size_t cnt,
			  unsigned long *addrs);

/* A callback that does nothing, in assembly. */
void ftrace_stub(unsigned long ip, unsigned long parent_ip,
		 struct ftrace_ops *op, struct ftrace_regs *fregs);

#else /* !CONFIG_FUNCTION_TRACER */

/* Macros, because callers' ops do not exist without the tracer. */
#define register_ftrace_function(ops)		({ 0; })
#define unregister_ftrace_function(ops)		({ 0; })
#define ftrace_set_filter(ops, buf, len, reset)		({ -ENODEV; })
#define ftrace_set_notrace(ops, buf, len, reset)	({ -ENODEV; })
#define ftrace_set_filter_ip(ops, ip, remove, reset)	({ -ENODEV; })
#define ftrace_set_filter_ips(ops, ips, cnt, remove, reset) ({ -ENODEV; })
#define ftrace_ops_set_global_filter(ops)	do { } while (0)
#define ftrace_free_filter(ops)			do { } while (0)

static inline void ftrace_kill(void) { }

static inline int ftrace_lookup_symbols(const char **sorted_syms, size_t cnt,
					unsigned long *addrs)
{
	return -EOPNOTSUPP;
}
#endif /* CONFIG_FUNCTION_TRACER */

/*
 * Call sites
 */

#ifdef CONFIG_FTRACE_MCOUNT_USE_PATCHABLE_FUNCTION_ENTRY
#define FTRACE_CALLSITE_SECTION	"__patchable_function_entries"
#else
#define FTRACE_CALLSITE_SECTION	"__mcount_loc"
#endif

#ifdef CONFIG_DYNAMIC_FTRACE

/**
 * struct dyn_ftrace - one call site
 * @offset: bytes from the base of the ftrace_page that holds the record
 * @state: the current and the requested call of the site, see patch/plan.h
 */
struct dyn_ftrace {
	u32	offset;
	u32	state;
};

/* The call sites as the build listed them, from the linker script. */
extern unsigned long __start_mcount_loc[];
extern unsigned long __stop_mcount_loc[];

void ftrace_init(void);
void ftrace_free_init_mem(void);
void ftrace_free_mem(struct module *mod, void *start, void *end);
void ftrace_module_init(struct module *mod);
void ftrace_module_enable(struct module *mod);
void ftrace_release_mod(struct module *mod);

unsigned long ftrace_location(unsigned long ip);
unsigned long ftrace_location_range(unsigned long start, unsigned long end);
int ftrace_text_reserved(const void *start, const void *end);

bool is_ftrace_trampoline(unsigned long addr);
unsigned long ftrace_trampoline_template(unsigned long addr);

int ftrace_mod_address_lookup(unsigned long addr, unsigned long *size,
			      unsigned long *off, char **modname,
			      const unsigned char **modbuildid, char *sym);
int ftrace_mod_get_kallsym(unsigned int symnum, unsigned long *value,
			   char *type, char *name, char *module_name,
			   int *exported);

#else /* !CONFIG_DYNAMIC_FTRACE */

static inline void ftrace_init(void) { }
static inline void ftrace_free_init_mem(void) { }
static inline void ftrace_free_mem(struct module *mod, void *start, void *end) { }
static inline void ftrace_module_init(struct module *mod) { }
static inline void ftrace_module_enable(struct module *mod) { }
static inline void ftrace_release_mod(struct module *mod) { }

static inline unsigned long ftrace_location(unsigned long ip)
{
	return 0;
}

static inline unsigned long ftrace_location_range(unsigned long start, unsigned long end)
{
	return 0;
}

static inline int ftrace_text_reserved(const void *start, const void *end)
{
	return 0;
}

static inline bool is_ftrace_trampoline(unsigned long addr)
{
	return false;
}

static inline int ftrace_mod_address_lookup(unsigned long addr, unsigned long *size,
					    unsigned long *off, char **modname,
					    const unsigned char **modbuildid, char *sym)
{
	return 0;
}

static inline int ftrace_mod_get_kallsym(unsigned int symnum, unsigned long *value,
					 char *type, char *name,
					 char *module_name, int *exported)
{
	return -1;
}
#endif /* CONFIG_DYNAMIC_FTRACE */

/* Direct calls: sites call a user's own trampoline */

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS

unsigned long ftrace_find_rec_direct(unsigned long ip);
int register_ftrace_direct(struct ftrace_ops *ops, unsigned long addr);
int unregister_ftrace_direct(struct ftrace_ops *ops, unsigned long addr,
			     bool free_filters);
int modify_ftrace_direct(struct ftrace_ops *ops, unsigned long addr);
int modify_ftrace_direct_nolock(struct ftrace_ops *ops, unsigned long addr);

#else /* !CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS */

static inline unsigned long ftrace_find_rec_direct(unsigned long ip)
{
	return 0;
}

static inline int register_ftrace_direct(struct ftrace_ops *ops, unsigned long addr)
{
	return -ENODEV;
}

static inline int unregister_ftrace_direct(struct ftrace_ops *ops, unsigned long addr,
					   bool free_filters)
{
	return -ENODEV;
}

static inline int modify_ftrace_direct(struct ftrace_ops *ops, unsigned long addr)
{
	return -ENODEV;
}

static inline int modify_ftrace_direct_nolock(struct ftrace_ops *ops, unsigned long addr)
{
	return -ENODEV;
}
#endif /* CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS */

#if defined(CONFIG_FUNCTION_TRACER) && !defined(arch_ftrace_set_direct_caller)
static inline void arch_ftrace_set_direct_caller(struct ftrace_regs *fregs,
						 unsigned long addr)
{
}
#endif

/*
 * Function graph: entry and return of functions
 */

/**
 * struct ftrace_graph_ent - call of a function, passed to users of function graph
 * @func: call site of the function
 * @depth: number of calls that the same user has accepted in this task and that have not
 *	returned yet; 0 for the outermost
 *
 * Also the payload of a funcgraph_entry in a trace buffer, therefore packed.
 */
struct ftrace_graph_ent {
	unsigned long func;
	int depth;
} __packed;

/**
 * struct ftrace_graph_ret - return from a function, passed to users of function graph
 * @func: call site of the function
 * @retval: first register of its return value
 * @depth: depth at the call
 * @overrun: number of calls of the task up to now whose return could not be caught, because too
 *	many had not returned yet or because memory was short
 * @calltime: time of the call, by trace_clock_local()
 * @rettime: time of the return
 *
 * Also the payload of a funcgraph_exit in a trace buffer, therefore packed.
 */
struct ftrace_graph_ret {
	unsigned long func;
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	unsigned long retval;
#endif
	int depth;
	unsigned int overrun;
	unsigned long long calltime;
	unsigned long long rettime;
} __packed;

struct fgraph_ops;

/*
 * Entry callback; returns 0 if the user does not need the return callback. May change its first
 * argument, which is shared with the other users.
 *
 * Context of both: any, NMI included; preemption disabled. At most one more call of any user's
 * callback begins inside one in the same context, see linux/trace_recursion.h.
 */
typedef int (*trace_func_graph_ent_t)(struct ftrace_graph_ent *, struct fgraph_ops *);
typedef void (*trace_func_graph_ret_t)(struct ftrace_graph_ret *, struct fgraph_ops *);

/*
 * Called in place of both for a call that is lost: its task got no return stack for lack of
 * memory, or has no space left on it. The depth is 0 in a task without a return stack.
 */
typedef void (*trace_func_graph_lost_t)(const struct ftrace_graph_ent *, struct fgraph_ops *);

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/**
 * struct fgraph_ops - a user of entry and return of functions
 * @entryfunc: called at the entry
 * @retfunc: called at the return, if @entryfunc requested it; may be NULL
 * @ops: its filters select the functions. Of its flags, PID and RCU are applied; its callback
 *	belongs to ftrace.
 * @private: the user's own
 * @saved_func: not used
 * @idx: index of the user, for fgraph_reserve_data(). Valid while registered.
 * @lostfunc: called for each call that is lost; may be NULL
 */
struct fgraph_ops {
	trace_func_graph_ent_t		entryfunc;
	trace_func_graph_ret_t		retfunc;
	struct ftrace_ops		ops;
	void				*private;
	trace_func_graph_ent_t		saved_func;
	int				idx;
	trace_func_graph_lost_t		lostfunc;
};

int register_ftrace_graph(struct fgraph_ops *gops);
void unregister_ftrace_graph(struct fgraph_ops *gops);
int ftrace_graph_entry_stub(struct ftrace_graph_ent *trace, struct fgraph_ops *gops);

void *fgraph_reserve_data(int idx, int size_bytes);
void *fgraph_retrieve_data(int idx, int *size_bytes);
unsigned long *fgraph_get_task_var(struct fgraph_ops *gops);

unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *idx,
				    unsigned long ret, unsigned long *retp);

void ftrace_graph_init_task(struct task_struct *t);
void ftrace_graph_exit_task(struct task_struct *t);
void ftrace_graph_init_idle_task(struct task_struct *t, int cpu);

/* Return address of functions while their return is caught, in assembly. */
void return_to_handler(void);

/* For functions that do not return to their caller, or not on its stack. */
#define __notrace_funcgraph		notrace

/* Do not record returns for this task from here on, e.g. before suspend switches stacks. */
static inline void pause_graph_tracing(void)
{
	atomic_inc(&current->tracing_graph_pause);
}

static inline void unpause_graph_tracing(void)
{
	atomic_dec(&current->tracing_graph_pause);
}

#else /* !CONFIG_FUNCTION_GRAPH_TRACER */

#define __notrace_funcgraph

static inline void ftrace_graph_init_task(struct task_struct *t) { }
static inline void ftrace_graph_exit_task(struct task_struct *t) { }
static inline void ftrace_graph_init_idle_task(struct task_struct *t, int cpu) { }
static inline void pause_graph_tracing(void) { }
static inline void unpause_graph_tracing(void) { }

/* Macros, because struct fgraph_ops does not exist either. */
#define register_ftrace_graph(ops)	({ -1; })
#define unregister_ftrace_graph(ops)	do { } while (0)

static inline unsigned long
ftrace_graph_ret_addr(struct task_struct *task, int *idx, unsigned long ret,
		      unsigned long *retp)
{
	return ret;
}
#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

struct ctl_table;

#ifdef CONFIG_STACK_TRACER
extern int stack_tracer_enabled;
DECLARE_PER_CPU(int, disable_stack_tracer);

int stack_trace_sysctl(const struct ctl_table *table, int write, void *buffer,
		       size_t *lenp, loff_t *ppos);

/*
 * stack_tracer_disable - make the stack tracer ignore this CPU temporarily
 *
 * For code that unwinding must not interrupt. Preemption is disabled until
 * stack_tracer_enable(); calls nest. Any context.
 */
static inline void stack_tracer_disable(void)
{
	lockdep_assert_preemption_disabled();
	this_cpu_inc(disable_stack_tracer);
}

/* stack_tracer_enable - undo stack_tracer_disable() */
static inline void stack_tracer_enable(void)
{
	lockdep_assert_preemption_disabled();
	this_cpu_dec(disable_stack_tracer);
}
#else
static inline void stack_tracer_disable(void) { }
static inline void stack_tracer_enable(void) { }
#endif

/*
 * For kexec and other code that must not be traced temporarily. No other code may change
 * ftrace_enabled between the two calls.
 */
static inline int __ftrace_enabled_save(void)
{
#ifdef CONFIG_FUNCTION_TRACER
	return xchg(&ftrace_enabled, 0);
#else
	return 0;
#endif
}

static inline void __ftrace_enabled_restore(int enabled)
{
#ifdef CONFIG_FUNCTION_TRACER
	WRITE_ONCE(ftrace_enabled, enabled);
#endif
}

/*
 * tracer_disable - stop function tracing until the next boot
 *
 * For machine_kexec() of an architecture, which must no longer run code that the old kernel has
 * set up. Any context.
 */
static inline void tracer_disable(void)
{
	__ftrace_enabled_save();
}

/*
 * The function of system call @nr, on architectures whose system call numbers have gaps
 * (HAVE_SPARSE_SYSCALL_NR), as in a kernel with several ABIs; 0 for a number in a gap. The
 * architecture provides it.
 */
unsigned long arch_syscall_addr(int nr);

/* Addresses of callers, for lock and latency debugging */

#ifndef ftrace_return_address0
# define ftrace_return_address0	__builtin_return_address(0)
#endif

#ifndef ftrace_return_address
# ifdef CONFIG_FRAME_POINTER
#  define ftrace_return_address(n)	__builtin_return_address(n)
# else
#  define ftrace_return_address(n)	0UL
# endif
#endif

#define CALLER_ADDR0	((unsigned long)ftrace_return_address0)
#define CALLER_ADDR1	((unsigned long)ftrace_return_address(1))
#define CALLER_ADDR2	((unsigned long)ftrace_return_address(2))
#define CALLER_ADDR3	((unsigned long)ftrace_return_address(3))
#define CALLER_ADDR4	((unsigned long)ftrace_return_address(4))
#define CALLER_ADDR5	((unsigned long)ftrace_return_address(5))
#define CALLER_ADDR6	((unsigned long)ftrace_return_address(6))

/* The nearest caller that is not part of a lock's implementation. */
static __always_inline unsigned long get_lock_parent_ip(void)
{
	unsigned long addr = CALLER_ADDR0;

	if (in_lock_functions(addr))
		addr = CALLER_ADDR1;
	if (in_lock_functions(addr))
		addr = CALLER_ADDR2;
	return addr;
}

#ifdef CONFIG_TRACE_PREEMPT_TOGGLE
void trace_preempt_on(unsigned long ip, unsigned long parent_ip);
void trace_preempt_off(unsigned long ip, unsigned long parent_ip);
#else
#define trace_preempt_on(a0, a1)	do { } while (0)
#define trace_preempt_off(a0, a1)	do { } while (0)
#endif

/* Settings of tracing that sysctl and the oops path use */

#ifdef CONFIG_TRACING
#define MAX_TRACER_SIZE		100
extern char ftrace_dump_on_oops[];
int ftrace_dump_on_oops_enabled(void);

extern int __disable_trace_on_warning;
void disable_trace_on_warning(void);

extern int tracepoint_printk;
int tracepoint_printk_sysctl(const struct ctl_table *table, int write,
			     void *buffer, size_t *lenp, loff_t *ppos);
#else
static inline void disable_trace_on_warning(void) { }
#endif

#endif /* _LINUX_FTRACE_H */
