#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Random changes of valid text into the files that parse what is written. A kernel with KASAN
# also finds out whether a parser reads too far. FTEST_SEED makes a run repeatable.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

FUZZOP=$HERE/fuzzop
NR_WRITES=200

[ -x "$FUZZOP" ] || skip_all "no fuzzop, see README"

reset_more()
{
	for fuzzed in events/enable events/sched/sched_switch/filter events/sched/filter; do
		[ ! -f $fuzzed ] || echo 0 > $fuzzed
	done
	forget_triggers
	for fuzzed in dynamic_events set_graph_function; do
		[ ! -f $fuzzed ] || : > $fuzzed
	done
}

# Triggers refer to the variables of others, so that they are removed in several passes.
forget_triggers()
{
	[ -d events/sched ] || return 0
	for _ in 1 2 3; do
		while read -r fuzzed; do
			case $fuzzed in
			'#'*) ;;
			*) echo "!$fuzzed" >> events/sched/sched_switch/trigger ;;
			esac
		done < events/sched/sched_switch/trigger 2> /dev/null
	done
}

# fuzz FILE LINE...: writes changed lines, of which some are accepted and some are rejected
fuzz()
{
	fuzz_file=$1
	[ -f "$fuzz_file" ] || skip "no $fuzz_file here"
	shift
	fuzz_accepted=0 fuzz_refused=0
	for fuzz_round in $(rounds 10); do
		printf '%s\n' "$@" | "$FUZZOP" "$fuzz_file" $((FTEST_SEED + fuzz_round)) \
			"$NR_WRITES" > "$SCRATCH/fuzz" ||
			fail "$fuzz_file, seed $FTEST_SEED: $(cat "$SCRATCH/fuzz")"
		read -r _ fuzz_n _ fuzz_m < "$SCRATCH/fuzz"
		fuzz_accepted=$((fuzz_accepted + fuzz_n)) fuzz_refused=$((fuzz_refused + fuzz_m))
	done
	note "$fuzz_file, seed $FTEST_SEED: accepted $fuzz_accepted, rejected $fuzz_refused"
	expect_true "writes were accepted" [ "$fuzz_accepted" -gt 0 ]
	expect_true "writes were rejected" [ "$fuzz_refused" -gt 0 ]
}

triggers()
{
	[ ! -f synthetic_events ] || put 'fuzz_lat u64 lat; pid_t pid' synthetic_events
	fuzz events/sched/sched_switch/trigger \
	     'hist:keys=prev_pid,next_pid:vals=prev_prio:sort=prev_pid.descending:size=256' \
	     'hist:keys=prev_pid.execname:b=(3+1)*2,ts0=common_timestamp.usecs:c=$b+1' \
	     'hist:keys=prev_comm:d=$b*3/(2-$c) if prev_prio > 3' \
	     'hist:keys=common_pid,common_cpu,stacktrace:pause' \
	     'hist:name=x:keys=prev_comm:onmax($b).save(prev_prio,next_comm):b=prev_pid' \
	     'hist:keys=next_pid:l=$b-$ts0:onmatch(sched.sched_waking).fuzz_lat($l,next_pid)' \
	     'hist:keys=next_pid.buckets=10,prev_state.log2:vals=next_prio.percent:nohitcount' \
	     'hist:keys=next_pid.log2:clear' \
	     'hist:keys=prev_pid:onchange($z).snapshot():z=next_prio' \
	     'traceoff:1 if prev_pid == 3' 'enable_event:kmem:kmalloc:2' \
	     'disable_hist:sched:sched_waking' 'stacktrace:5 if next_comm ~ "*sh"' \
	     'snapshot:1 if prev_prio & 4'
}

# The lines of a filter of an event
filters()
{
	set -- "$1" 'prev_pid == 3 && (next_comm ~ "*sh" || !(prev_prio > 0x10))' \
	       'prev_comm != "a b" && common_pid & 7' 'next_pid<=99||prev_state==1&&CPU==0' 0 \
	       "next_comm == 'x' || (((prev_pid >= 1)))" 'prev_comm ~ "a[b-d]?*"' \
	       'CPU & CPUS{0-1,3}' 'common_cpu == 1'
	fuzz "$@"
}

event_filter()
{
	filters events/sched/sched_switch/filter
}

system_filter()
{
	filters events/sched/filter
}

kprobe_events()
{
	fuzz kprobe_events 'p:ftest/a vfs_read a=$arg1 b=+8(+0($stack)):u64' \
	     'p:ftest/d vfs_read c=+0(+16($arg2)):string' \
	     'r10:ftest/b vfs_open+0 $retval:x32 $comm' \
	     'p vfs_write s=@jiffies:u64 t=\3:u8 v=+0($stack3):x8[16] w=\"text"' \
	     'p:ftest/ 0xffffffff81000000' 'r vfs_read%return a=$arg1 +u0($retval):ustring' \
	     'p:ftest/c vfs_read d=$stack:symbol e=$arg2:%pd f=$arg1:b3@2/8 g=$stack2:symstr' \
	     'p:ftest_target:ftest_step'
}

dynamic_events()
{
	fuzz dynamic_events 'p:ftest/a vfs_read a=$arg1' \
	     'f:ftest/f vfs_read%return r=$retval a=$arg2' \
	     't:ftest/t sched_switch p=$arg1 n=+0($arg2):u8' \
	     'e:ftest/e sched/sched_switch a=$prev_pid b=+0($prev_comm):string if prev_pid > 3' \
	     's:fuzz_s int a; char b[8]; u64 c' \
	     'p:ftest/u /bin/busybox:0x1000 b=+0($stack):string' \
	     'f3:ftest/g vfs_write $arg*' '-:ftest/a' '-:ftest/'
}

synthetic_events()
{
	fuzz synthetic_events 'fuzz_a u64 lat; pid_t pid' \
	     'fuzz_b char name[16]; __data_loc char[] s; unsigned long st[]' \
	     'fuzz_c int a; int b; int c' 'fuzz_d char s[]; bool x; cpumask_t m; gfp_t f' '!fuzz_a'
}

uprobe_events()
{
	fuzz uprobe_events 'p:ftest/u /bin/busybox:0x1000 a=+0($stack) b=$stack3:string' \
	     'r:ftest/v /bin/busybox:0x1010(0x20) $retval' \
	     'p /bin/busybox:0x2000%return s=+0(+8($stack)):ustring @+0x100'
}

# Each line that is accepted changes the text of many tracepoints.
events()
{
	NR_WRITES=20
	fuzz set_event 'signal:*' '!signal:signal_generate' 'sched_wakeup' '*:mod:ftest_events' \
	     'printk' 'signal:signal_generate,printk:console' 'timer:timer_[a-c]*'
}

functions()
{
	fuzz set_ftrace_filter 'vfs_*' '*lock*:mod:*' 'schedule:traceoff:3' \
	     'vfs_read:enable_event:sched:sched_switch:1' ':src:kernel/sched/*' '!vfs_*' 7 \
	     'do_*:src:fs/*' 'schedul[ef]?'
}

graph_functions()
{
	fuzz set_graph_function 'vfs_read' 'do_*' '!vfs_read' 'vfs_*:mod:*' '*_[a-z]d'
}

testcase triggers "changed triggers do no harm"
testcase event_filter "changed filters of an event do no harm"
testcase system_filter "changed filters of a system do no harm"
testcase kprobe_events "changed definitions of probes do no harm"
testcase dynamic_events "changed definitions of events of all kinds do no harm"
testcase synthetic_events "changed definitions of synthetic events do no harm"
testcase uprobe_events "changed definitions of probes in programs do no harm"
testcase events "changed specifiers of events do no harm"
testcase functions "changed patterns and commands of functions do no harm"
testcase graph_functions "changed patterns of function graph do no harm"
finish
