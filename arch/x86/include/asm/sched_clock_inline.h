/* SPDX-License-Identifier: GPL-2.0 */
/* native_sched_clock(), inline: see asm-generic/sched_clock_inline.h. */
#ifndef _ASM_X86_SCHED_CLOCK_INLINE_H
#define _ASM_X86_SCHED_CLOCK_INLINE_H

#ifndef CONFIG_X86_64
#include <asm-generic/sched_clock_inline.h>
#else

#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/seqlock.h>
#include <linux/types.h>

#include <asm/timer.h>

/**
 * struct cyc2ns - how a CPU converts cycles of the TSC to nanoseconds
 * @data: two copies of the scale
 * @seq: odd while data[0] is being written, see seqcount_latch_t
 */
struct cyc2ns {
	struct cyc2ns_data	data[2];
	seqcount_latch_t	seq;
};

DECLARE_PER_CPU_ALIGNED(struct cyc2ns, cyc2ns);

/* On once sched_clock() is known to be native_sched_clock(), which reads the TSC. */
#ifdef CONFIG_JUMP_LABEL
DECLARE_STATIC_KEY_FALSE(sched_clock_is_tsc);
#else
extern bool sched_clock_is_tsc;
#endif

static __always_inline bool arch_sched_clock_is_inline(void)
{
#ifdef CONFIG_JUMP_LABEL
	return static_branch_likely(&sched_clock_is_tsc);
#else
	return likely(sched_clock_is_tsc);
#endif
}

static __always_inline bool cyc2ns_seq_is(u32 seq)
{
	bool same;

	asm volatile("cmpl %[seq], " __percpu_arg([now])
		     : "=@cce" (same)
		     : [seq] "r" (seq), [now] "m" (__my_cpu_var(cyc2ns.seq.seqcount.sequence)));
	return same;
}

/* rdtsc(), in the register that the multiplication needs */
static __always_inline u64 cyc2ns_tsc(void)
{
	u64 tsc;

	asm volatile("rdtsc\n\t"
		     "shlq $32, %%rdx\n\t"
		     "orq %%rdx, %%rax"
		     : "=a" (tsc) : : "rdx", "cc");
	return tsc;
}

/* The inline form of native_sched_clock(). It makes no call, and needs few registers. */
static __always_inline u64 arch_sched_clock_inline(void)
{
	u32 seq = this_cpu_read(cyc2ns.seq.seqcount.sequence), idx, shift;
	u64 tsc, high, offset, mul;

	mul = this_cpu_read(cyc2ns.data[0].cyc2ns_mul);
	shift = this_cpu_read(cyc2ns.data[0].cyc2ns_shift);
	offset = this_cpu_read(cyc2ns.data[0].cyc2ns_offset);
	tsc = cyc2ns_tsc();
	/* An odd number is never the same: data[0] is being written. */
	while (unlikely(!cyc2ns_seq_is(seq & ~1U))) {
		seq = this_cpu_read(cyc2ns.seq.seqcount.sequence);
		idx = seq & 1;
		mul = this_cpu_read(cyc2ns.data[idx].cyc2ns_mul);
		shift = this_cpu_read(cyc2ns.data[idx].cyc2ns_shift);
		offset = this_cpu_read(cyc2ns.data[idx].cyc2ns_offset);
		tsc = cyc2ns_tsc();
		if (cyc2ns_seq_is(seq))
			break;
	}

	/* The shift is below 32: see __set_cyc2ns_scale(). */
	asm ("mulq %[mul]\n\t"
	     "shrdq %%cl, %[high], %[tsc]"
	     : [tsc] "+a" (tsc), [high] "=&d" (high)
	     : [mul] "r" (mul), "c" (shift)
	     : "cc");
	return tsc + offset;
}

#endif /* CONFIG_X86_64 */
#endif /* _ASM_X86_SCHED_CLOCK_INLINE_H */
