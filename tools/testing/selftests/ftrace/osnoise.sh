#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The tracer osnoise and its directory.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

. "$HERE/workload.sh"

NO_OTHERS="NO_PANIC_ON_STOP NO_OSNOISE_PREEMPT_DISABLE"

reset_more()
{
	reset_workload period_us 1000000 runtime_us 1000000
}

# Short periods, with time for other tasks
use()
{
	need_tracer osnoise
	put 50000 "$DIR/runtime_us"
	put 100000 "$DIR/period_us"
	put osnoise current_tracer
}

files()
{
	need_tracer osnoise
	expect_file "$DIR/runtime_us" 1000000
	expect_file "$DIR/period_us" 1000000
	expect_file "$DIR/stop_tracing_us" 0
	expect_file "$DIR/stop_tracing_total_us" 0
	expect_file "$DIR/cpus" "$ALL_CPUS"
	expect_file "$DIR/options" "DEFAULTS OSNOISE_WORKLOAD $NO_OTHERS NO_OSNOISE_IRQ_DISABLE "
	put OSNOISE_IRQ_DISABLE "$DIR/options"
	put NO_OSNOISE_WORKLOAD "$DIR/options"
	expect_file "$DIR/options" "NO_DEFAULTS NO_OSNOISE_WORKLOAD $NO_OTHERS OSNOISE_IRQ_DISABLE "
	put DEFAULTS "$DIR/options"
	expect_file "$DIR/options" "DEFAULTS OSNOISE_WORKLOAD $NO_OTHERS NO_OSNOISE_IRQ_DISABLE "
	put 0 "$DIR/cpus"
	expect_file "$DIR/cpus" 0
}

bad_input()
{
	need_tracer osnoise
	expect_write EINVAL w "$DIR/runtime_us" '1000001\n'
	expect_write EINVAL w "$DIR/period_us" '999999\n'
	expect_write EINVAL w "$DIR/period_us" 'x\n'
	expect_write EINVAL w "$DIR/options" 'NO_SUCH\n'
	before=$(cat "$DIR/options")
	# Shown among the options, and without an effect
	expect_write 12 w "$DIR/options" 'NO_DEFAULTS\n'
	expect_file "$DIR/options" "$before"
	expect_write EINVAL w "$DIR/options" 'PANIC_ON_STOP NO_SUCH\n'
	expect_file "$DIR/options" "$before"
	expect_write EINVAL w "$DIR/cpus" 'x\n'
	expect_file "$DIR/runtime_us" 1000000
	expect_file "$DIR/period_us" 1000000
	expect_file "$DIR/cpus" "$ALL_CPUS"
}

lines()
{
	use
	wait_for_events 4
	put 0 tracing_on
	line='(osnoise/[0-9]+|<[.]{3}>)-[0-9]+ +\[[0-9]{3}\] [^ ]{5} +[0-9]+\.[0-9]{6}: '
	line="$line"'[0-9]+ [ 0-9]{10} [ 0-9]{3}\.[0-9]{5} [ 0-9]{7}( [ 0-9]{6}){5}$'
	expect "$(events | grep -Evc "$line")" 0 "lines of another form"
	expect "$(head -n 1 trace)" "# tracer: osnoise" "the first line"
	line='^#  *TASK-PID  *CPU# |||||  *TIMESTAMP  *IN US  *IN US  *AVAILABLE  *IN US'
	expect_true "there is a header" grep -q "$line  *HW  *NMI  *IRQ  *SIRQ THREAD\$" trace
	expect "$(events | awk '$5 < 50000 || $5 > 500000 || $6 > $5 { n++ }
				END { print n + 0 }')" \
	       0 "lines with an impossible runtime or noise"
	expect "$(events | awk '{ d = 100 - 100 * $6 / $5 - $7; if (d > 0.1 || d < -0.1) n++ }
				END { print n + 0 }')" \
	       0 "lines whose percentage does not match the noise"
	# Tools read the entries themselves
	events | awk '{ print "runtime=" $5, "noise=" $6 }' > "$SCRATCH/lines"
	put 1 options/fields
	events | sed 's/=0x[0-9a-f]* (\([0-9]*\))/=\1/g' |
		sed -n 's/.* noise=\([0-9]*\) runtime=\([0-9]*\) .*/runtime=\2 noise=\1/p' \
		> "$SCRATCH/fields"
	expect "$(cat "$SCRATCH/fields")" "$(cat "$SCRATCH/lines")" "times in the entries"
}

# There is a timer interrupt in each period, and another task if one is runnable.
counts()
{
	use
	load_start
	wait_for_events 6
	put 0 tracing_on
	load_stop
	expect_true "interrupts are counted: $(events | tail -n 2)" \
		    [ "$(events | awk '{ n += $11 } END { print n + 0 }')" -gt 0 ]
	expect_true "threads are counted: $(events | tail -n 2)" \
		    [ "$(events | awk '{ n += $13 } END { print n + 0 }')" -gt 0 ]
	expect_true "they are noise: $(events | tail -n 2)" \
		    [ "$(events | awk '{ n += $6 } END { print n + 0 }')" -gt 1000 ]
}

irq_disable()
{
	need_tracer osnoise
	put 5000 "$DIR/runtime_us"
	put 50000 "$DIR/period_us"
	put OSNOISE_IRQ_DISABLE "$DIR/options"
	put osnoise current_tracer
	wait_for_events 4
	put 0 tracing_on
	expect "$(events | awk '{ n += $11 + $12 + $13 } END { print n + 0 }')" 0 "interferences"
}

# Interrupts still interfere, with another task on each CPU.
preempt_disable()
{
	need_tracer osnoise
	put 20000 "$DIR/runtime_us"
	put 100000 "$DIR/period_us"
	put OSNOISE_PREEMPT_DISABLE "$DIR/options"
	load_start
	put osnoise current_tracer
	wait_for_events 4
	put 0 tracing_on
	load_stop
	expect "$(events | awk '{ n += $13 } END { print n + 0 }')" 0 "threads that interfere"
	expect_true "interrupts are counted: $(events | tail -n 2)" \
		    [ "$(events | awk '{ n += $11 } END { print n + 0 }')" -gt 0 ]
}

nmis()
{
	need_tracer osnoise
	need_module ftest_target
	need_module ftest_nmi
	[ ! -d events/osnoise ] || put 1 events/osnoise/nmi_noise/enable
	use
	wait_for 30 grep -q ': [0-9][0-9]* ' trace || fail "no period"
	put 0 tracing_on
	expect_true "NMIs are counted: $(events | grep -v _noise | tail -n 2)" \
		    [ "$(events | awk '!/_noise: / { n += $10 } END { print n + 0 }')" -gt 0 ]
	[ ! -d events/osnoise ] ||
		expect_true "NMIs are recorded" \
			    grep -Eq ': nmi_noise: start [0-9]+\.[0-9]{9} duration [0-9]+ ns$' trace
}

# Only gaps of at least tracing_thresh are noise; interferences are counted in any case.
thresh()
{
	need_tracer osnoise
	put 1000000 tracing_thresh
	load_start
	use
	wait_for_events 4
	put 0 tracing_on
	load_stop
	expect "$(events | awk '{ n += $6 + $8 + $9 } END { print n + 0 }')" 0 \
	       "noise that is shorter than tracing_thresh"
	expect_true "interrupts are counted: $(events | tail -n 2)" \
		    [ "$(events | awk '{ n += $11 } END { print n + 0 }')" -gt 0 ]
}

all_kinds()
{
	for kind in irq_noise softirq_noise thread_noise sample_threshold; do
		grep -q ": $kind: " trace || return
	done
}

# An interference is recorded while its sample lasts, as often as the sample counts it; or just
# before the entry of the previous sample. Durations exclude the time of interruptions, and are
# not longer than the time from the beginning to the entry. The first sample of a CPU may
# contain an interference that began before it. On an emulated CPU, recording a sample takes
# longer than the usual threshold.
noise_events()
{
	need_tracer osnoise
	[ -d events/osnoise ] || skip "no events of osnoise"
	put 1 events/osnoise/enable
	put 100 tracing_thresh
	load_start
	use
	wait_for 60 all_kinds || fail "not all kinds: $(events | tail -n 20)"
	put 0 tracing_on
	load_stop
	line='.*\[([0-9]+)\] [^ ]+ +([0-9.]+): ([a-z]+)_(noise|threshold): .*start ([0-9.]+)'
	line="$line"' duration ([0-9]+) ns( interference ([0-9]+))?'
	events | sed -nE "s/$line\$/\1 \3 \2 \5 \6 \8/p" > "$SCRATCH/noise"
	awk '$2 == "sample" { n = 0
			end = $4 + $5 * 1e-9
			for (i = first[$1]; i < nr[$1]; i++)
				n += since[$1, i] > $4 - 4e-10 && since[$1, i] < end - 4e-10
			if (samples[$1]++ && n != $6) print "not", n, "in", $0
			first[$1] = last[$1] + 0
			last[$1] = nr[$1]
			next }
	     $2 == "thread" { stolen = 0
			for (i = first[$1]; i < nr[$1]; i++)
				if (kind[$1, i] != "thread" && since[$1, i] >= $4)
					stolen += ns[$1, i]
			if ($5 + stolen > ($3 - $4) * 1e9 + 1000) print "not without", stolen, $0
			if (stolen > 5000) interrupted++ }
	     { kind[$1, nr[$1] + 0] = $2; since[$1, nr[$1] + 0] = $4; ns[$1, nr[$1] + 0] = $5
	       nr[$1]++ }
	     END { if (!interrupted) print "no thread was interrupted" }' "$SCRATCH/noise" \
		> "$SCRATCH/wrong"
	expect "$(head -n 20 "$SCRATCH/wrong")" '' "samples and durations"
}

stops()
{
	need_tracer osnoise
	put 1 "$DIR/stop_tracing_us"
	use
	wait_for 30 begins tracing_on 0 || fail "it did not stop"
	put 0 "$DIR/stop_tracing_us"
	put 1 "$DIR/stop_tracing_total_us"
	put 1 tracing_on
	expect_true "it stops for the sum of noise" wait_for 30 begins tracing_on 0
}

# Interferences are also recorded without threads to interfere with.
no_workload()
{
	need_tracer osnoise
	[ -d events/osnoise ] || skip "no events of osnoise"
	put NO_OSNOISE_WORKLOAD "$DIR/options"
	put 1 events/osnoise/irq_noise/enable
	put osnoise current_tracer
	expect "$(threads)" 0 "threads"
	expect_true "interrupts are recorded" wait_for 30 grep -Eq \
		    ': irq_noise: .*:[0-9]+ start [0-9]+\.[0-9]{9} duration [0-9]+ ns$' trace
	put 0 tracing_on
	expect "$(events | grep -vc ': irq_noise: ')" 0 "other entries"
}

cpus()
{
	threads_follow_cpus
}

instances()
{
	threads_are_shared timerlat
}

# With a runtime of the whole period the threads never sleep. Removing an instance waits until
# each task has been scheduled.
whole_period()
{
	need_tracer osnoise
	put osnoise current_tracer
	mkdir instances/ftest || skip "no instances"
	{
		rmdir instances/ftest
		: > "$SCRATCH/removed"
	} &
	wait_for 30 test -f "$SCRATCH/removed"
	removed=$?
	put nop current_tracer
	wait $!
	expect $removed 0 "status of waiting for the removal of an instance"
}

testcase files "the files show the values that were written"
testcase bad_input "the runtime must not exceed the period, and options must be names"
testcase lines "periods are shown in the columns of the documentation"
testcase counts "interrupts and other threads are counted"
testcase irq_disable "with interrupts off only hardware interferes"
testcase preempt_disable "with preemption off no other thread interferes"
# By chance there may be none in the period, on a kernel with many debug checks
slowcase nmis "NMIs are counted and recorded"
testcase thresh "gaps shorter than tracing_thresh are not noise"
testcase noise_events "events have the kind, duration and sample of an interference"
testcase stops "noise above the limit stops recording"
testcase no_workload "without the workload interrupts are still recorded"
testcase cpus "there is a thread for each CPU of a list, as CPUs go offline and online"
testcase instances "instances share the threads, and exclude timerlat"
testcase whole_period "threads that never sleep do not block other tasks"
finish
