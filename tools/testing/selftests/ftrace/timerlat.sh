#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The tracer timerlat and its files in the directory osnoise.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

. "$HERE/workload.sh"

TIMERLATOP=$HERE/timerlatop

reset_more()
{
	[ ! -f "$DIR/timerlat_period_us" ] || reset_workload timerlat_period_us 1000 print_stack 0
}

# A long period, so that an emulated CPU keeps up
use()
{
	need_tracer timerlat
	put 20000 "$DIR/timerlat_period_us"
	put timerlat current_tracer
}

files()
{
	need_tracer timerlat
	expect_file "$DIR/timerlat_period_us" 1000
	expect_file "$DIR/print_stack" 0
	put 100 "$DIR/timerlat_period_us"
	expect_file "$DIR/timerlat_period_us" 100
	put 1000000 "$DIR/timerlat_period_us"
	expect_file "$DIR/timerlat_period_us" 1000000
	expect_write EINVAL w "$DIR/timerlat_period_us" '99\n'
	expect_write EINVAL w "$DIR/timerlat_period_us" '1000001\n'
	expect_write EINVAL w "$DIR/timerlat_period_us" 'x\n'
	expect_file "$DIR/timerlat_period_us" 1000000
	put 25 "$DIR/print_stack"
	expect_file "$DIR/print_stack" 25
}

lines()
{
	use
	wait_for_events 40
	put 0 tracing_on
	expect "$(head -n 1 trace)" "# tracer: timerlat" "the first line"
	line='^#  *TASK-PID  *CPU# |||||  *TIMESTAMP  *ID  *CONTEXT  *LATENCY$'
	expect_true "there is a header" grep -q "$line" trace
	line='[^ ].*-[0-9]+ +\[[0-9]{3}\] [^ ]{5} +[0-9]+\.[0-9]{6}: '
	line="$line"'#[0-9]+ +context (   irq|thread) timer_latency [ 0-9]{9} ns$'
	expect "$(events | grep -Evc "$line")" 0 "lines of another form"
	expect "$(events | grep 'context    irq' | grep -Evc '\] [dD][^ ]{0,1}[^ ]?[hH]')" 0 \
	       "interrupts outside of an interrupt"
	expect "$(events | grep 'context thread' | grep -Evc 'timerlat/[0-9]+-[0-9]+ ')" 0 \
	       "threads with another name"
}

# For each CPU: the latency of the interrupt, and then the latency of the thread, which is
# longer, with the same number.
activations()
{
	use
	wait_for_events 40
	put 0 tracing_on
	for file in per_cpu/cpu*/trace; do
		events "$file" | awk '
			{ sub(/.*: #/, ""); id = $1; context = $3; ns = $5 }
			NR == 1 && context == "thread" { last = id; next }
			context == "irq" { if (late || (last && id != last + 1)) bad++
					   late = ns; last = id }
			context == "thread" { if (id != last || ns < late) bad++; late = 0; n++ }
			END { print bad + 0, (n > 2 ? "several" : n + 0) }'
	done > "$SCRATCH/all"
	expect "$(sort -u "$SCRATCH/all")" "0 several" "wrong ones of each CPU, and right ones"
}

# The time of an interrupt minus its latency is a multiple of the period, up to a constant.
period()
{
	use
	wait_for_events 60
	put 0 tracing_on
	got=$(events per_cpu/cpu0/trace | awk '
		/context    irq/ {
			for (i = 1; $i !~ /^[0-9]+\.[0-9]+:$/; i++)
				;
			us = $i * 1000000 - $(NF - 1) / 1000
			if (n++) {
				rest = (us - last) % 20000
				if (rest > 10000)
					rest = 20000 - rest
				if (rest > 4000)
					bad++
				if (us - last < 16000)
					bad++
			}
			last = us
		}
		END { print (n > 10 && bad * 5 < n) ? "right" : bad " of " n }')
	expect "$got" right "periods"
}

# The longest latency is that of a recorded entry.
max_of_recorded()
{
	use
	wait_for_events 40
	put 0 tracing_on
	longest=$(events | awk '$(NF - 1) > max { max = $(NF - 1) }
				END { printf "%d", (max + 500) / 1000 }')
	expect_true "$(cat tracing_max_latency) for $longest" \
		    [ "$(cat tracing_max_latency)" -ge "$longest" ]
	sleep 0.1
	put 0 tracing_max_latency
	sleep 0.3
	expect_file tracing_max_latency 0
	: > trace
	put 1 tracing_on
	wait_for_events 4
	expect_true "it rises again" [ "$(cat tracing_max_latency)" -gt 0 ]
}

# The threads have the priority that tools expect. Counted after the name, field 38 is the
# priority, and field 39 the policy, which is SCHED_FIFO.
priority()
{
	use
	for stat in /proc/[0-9]*/stat; do
		sed -n 's/^[0-9]* (timerlat\/[0-9]*) //p' "$stat" 2> /dev/null
	done | awk '{ print $38, $39 }' > "$SCRATCH/all"
	expect "$(wc -l < "$SCRATCH/all")" "$(threads)" "threads"
	expect "$(sort -u "$SCRATCH/all")" "95 1" "priority and policy"
}

stops()
{
	need_tracer timerlat
	put 1 "$DIR/stop_tracing_us"
	use
	wait_for 30 begins tracing_on 0 || fail "it did not stop"
	expect_true "the last line is of an interrupt: $(events | tail -n 1)" \
		    eval 'events | tail -n 1 | grep -q "context    irq"'
	put 0 "$DIR/stop_tracing_us"
	put 1 "$DIR/stop_tracing_total_us"
	: > trace
	put 1 tracing_on
	wait_for 30 begins tracing_on 0 || fail "it did not stop for a thread"
	expect_true "the last line is of a thread: $(events | tail -n 1)" \
		    eval 'events | tail -n 1 | grep -q "context thread"'
}

# stack_after CONTEXT: prints the first line of the stack after the first line of CONTEXT
stack_after()
{
	awk -v context="context $1" '
		seen == 2 && /^ => / { print; exit }
		seen == 1 { if (!/<stack trace>$/) { print; exit } seen = 2 }
		!seen && index($0, context) { seen = 1 }' per_cpu/cpu0/trace
}

stacks()
{
	need_tracer timerlat
	put 1 "$DIR/print_stack"
	put 0 "$DIR/cpus"
	use
	wait_for_events 8
	put 0 tracing_on
	expect "$(stack_after thread)" " => timerlat_irq" "the stack after a thread"
	put nop current_tracer
	put 1000000000 "$DIR/print_stack"
	put 1 tracing_on
	use
	wait_for_events 8
	expect "$(grep -c 'stack trace' trace)" 0 "stacks of threads that are not as late"
	put 1 "$DIR/stop_tracing_us"
	wait_for 30 begins tracing_on 0 || fail "it did not stop"
	expect "$(tail -n +2 per_cpu/cpu0/trace | grep -A 1 'stack trace' | tail -n 1)" \
	       " => timerlat_irq" "the stack of the interrupt that stopped it"
}

# If the timer interrupts a thread, the thread is noise from the interrupt on, not from the time
# it was scheduled in. It becomes noise when the thread of the tracer gets the CPU.
noise_since_timer()
{
	need_tracer timerlat
	[ -d events/osnoise ] || skip "no events of osnoise"
	load_start
	put 1 events/osnoise/thread_noise/enable
	use
	wait_for_events 80
	put 0 tracing_on
	load_stop
	# The noise begins after the entry of the timer's interrupt, give or take half a ms
	got=$(events per_cpu/cpu0/trace | awk '
		function time() { match($0, / [0-9]+\.[0-9]+:/); return substr($0, RSTART) + 0 }
		/context    irq/ { late = time() }
		/context thread/ { late = 0 }
		/thread_noise:/ && late { n++; if ($(NF - 3) < late - .0005) { bad++; print } }
		END { print (n >= 3 && !bad) ? "since" : bad + 0 " of " n + 0 }')
	expect "$got" since "noise of threads that the timer interrupted"
}

cpus()
{
	threads_follow_cpus
}

instances()
{
	threads_are_shared osnoise
}

fd_of()
{
	echo "$DIR/per_cpu/cpu$1/timerlat_fd"
}

# Starts the tracer without kernel threads, for timerlat_fd
use_fd()
{
	need_tracer timerlat
	put NO_OSNOISE_WORKLOAD "$DIR/options"
	use
}

# measure CPU COUNT [THEN]: see timerlatop.c
measure()
{
	measure_cpu=$1
	shift
	"$TIMERLATOP" "$(fd_of "$measure_cpu")" "$measure_cpu" "$@"
}

user()
{
	use_fd
	expect "$(measure 0 3)" "done" "three reads"
	put 0 tracing_on
	expect "$(events | awk '{ sub(/.*: #/, ""); printf "%s", $1 substr($3, 1, 1) }')" \
	       1i1t1u2i2t2u3i3t "activations and contexts"
	expect "$(events | awk '/thread/ { thread = $(NF - 1) }
				/user-ret/ && $(NF - 1) < thread + 1000000 { n++ }
				END { print n + 0 }')" \
	       0 "returns from user space without the millisecond of work"
	expect_true "the task is named" eval 'events | grep -q "timerlatop-[0-9].*user-ret"'
}

user_refused()
{
	need_tracer timerlat
	expect "$(measure 0 1)" "errno 22" "without the tracer"
	use
	expect "$(measure 0 1)" "errno 22" "with threads of the kernel"
	put NO_OSNOISE_WORKLOAD "$DIR/options"
	[ "$ALL_CPUS" = 0 ] ||
		expect "$("$TIMERLATOP" "$(fd_of 0)" -1 1)" "errno 1" "a thread that may migrate"
	[ "$ALL_CPUS" = 0 ] ||
		expect "$("$TIMERLATOP" "$(fd_of 1)" 0 1)" "errno 1" "a thread of another CPU"
	expect "$(measure 0 1 again | tr '\n' ' ')" "done errno 16 " "a file that is open"
	expect "$(measure 0 1 given | tr '\n' ' ')" "done errno 1 " "a task that got the file"
	expect "$(measure 0 1)" "done" "afterwards"
}

# killed HOW FILE THEN...: a measuring thread is killed by writing HOW to FILE, or else by its
# own action THEN
killed()
{
	killed_how=$1
	killed_file=$2
	shift 2
	: > "$SCRATCH/said"
	measure 0 1 "$@" > "$SCRATCH/said" &
	killed_pid=$!
	echo $killed_pid >> "$SCRATCH/background"
	wait_for 30 begins "$SCRATCH/said" "done" || fail "it did not begin: $(cat "$SCRATCH/said")"
	[ -z "$killed_how" ] || put "$killed_how" "$killed_file"
	wait $killed_pid
	expect $? 137 "the end of a thread that should $*, by '$killed_how'"
}

user_killed()
{
	use_fd
	killed nop current_tracer read
	put timerlat current_tracer
	killed nop current_tracer work
	put timerlat current_tracer
	killed OSNOISE_WORKLOAD "$DIR/options" read
	expect "$(threads)" "$NR_CPUS" "threads instead"
	put NO_OSNOISE_WORKLOAD "$DIR/options"
	expect "$(measure 0 1)" "done" "afterwards"
}

user_migrates()
{
	[ "$ALL_CPUS" != 0 ] || skip "one CPU only"
	use_fd
	killed "" "" move 1
	expect "$(measure 0 1)" "done" "afterwards"
}

# The CPU goes offline while a user space thread measures on it.
user_offline()
{
	use_fd
	online=/sys/devices/system/cpu/cpu1/online
	[ -f $online ] || skip "no CPU can go offline"
	: > "$SCRATCH/said"
	measure 1 1 read > "$SCRATCH/said" &
	pid=$!
	echo $pid >> "$SCRATCH/background"
	wait_for 30 begins "$SCRATCH/said" "done" || fail "it did not begin: $(cat "$SCRATCH/said")"
	put 0 $online
	wait $pid
	status=$?
	put 1 $online
	expect $status 137 "the end of the thread"
	expect "$(measure 1 1)" "done" "afterwards"
}

testcase files "the files show the values that were written, within limits"
testcase lines "latencies are shown in the columns of the documentation"
testcase activations "a thread is later than its timer, and has its number"
testcase period "timers are a period apart"
testcase max_of_recorded "tracing_max_latency does not change while nothing is recorded"
slowcase priority "threads have FIFO priority 95"
testcase stops "a timer or a thread that is too late stops recording"
testcase stacks "the stack that the timer interrupted is shown"
testcase noise_since_timer "a thread that the timer interrupts is noise from then on"
testcase cpus "there is a thread for each CPU of a list, as CPUs go offline and online"
testcase instances "instances share the threads, and exclude osnoise"
testcase user "a user space thread measures, also the duration of its work"
testcase user_refused "a file is for one thread that is bound to its CPU"
testcase user_killed "a user space thread is killed when the tracer stops"
testcase user_migrates "a user space thread must not migrate"
testcase user_offline "a user space thread is killed when its CPU goes offline"
finish
