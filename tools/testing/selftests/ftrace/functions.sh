# SPDX-License-Identifier: GPL-2.0
#
# functions.sh - functions that all ftrace tests share; each test file sources it.
# shellcheck shell=sh
#
# A test file defines a function for each case, lists the cases with `testcase`, and calls
# `finish`, which prints the plan and runs them. Each case starts from the state that
# reset_tracing() sets up, runs in a subshell, and ends early through expect*(), fail() or
# skip(). A case also fails if it checks nothing, or if the kernel log gains a warning while it
# runs or while its settings are undone. The output is KTAP, printed by the helpers of the
# kselftests.
#
# The id of a case is FILE.FUNCTION with dashes for underscores, like pid.follows-forks. Ids are
# stable because tools refer to them; the sentence after an id may change.

TRACEFS=${TRACEFS:-/sys/kernel/tracing}
FTRACE_ENABLED=/proc/sys/kernel/ftrace_enabled
HERE=$(cd "$(dirname "$0")" && pwd)
FILEOP=$HERE/fileop
MODULES=$HERE/modules
SCRATCH=${TMPDIR:-/tmp}/ftest.$$
NAME=$(basename "$0" .sh | tr _ -)

# The helpers of most cases start as few processes as possible: on an emulated CPU, with a
# kernel with many debug checks, starting a process takes longer than most tests.

# shellcheck source=../kselftest/ktap_helpers.sh
. "$HERE/../kselftest/ktap_helpers.sh" || exit 1

# The text of an empty filter and an empty notrace list.
EMPTY_FILTER='#### all functions enabled ####'
EMPTY_NOTRACE='#### no functions disabled ####'

# Patterns that the log of a healthy kernel never contains
LOG_ERRORS=$(paste -s -d '|' "$HERE/log_errors")

NEWLINE='
'
nr_checks=0

# note TEXT...: prints at most 2000 characters of it, since it may be a whole trace
note()
{
	printf '%.2000s\n' "$*" | sed 's/^/# /'
}

# fail WHY...: ends the case. In a subshell of a case, such as the end of a pipe, it ends only
# the subshell, but the file that it leaves fails the case nevertheless.
fail()
{
	note "$*"
	: > "$SCRATCH/failed"
	exit "$KSFT_FAIL"
}

skip()
{
	note "$*"
	exit "$KSFT_SKIP"
}

# need_time: skips the case if durations are not meaningful
need_time()
{
	[ ! -e /sys/kernel/debug/kcsan ] || skip "KCSAN delays accesses by chance"
}

# expect GOT WANT LABEL...: checks that the strings are equal
expect()
{
	nr_checks=$((nr_checks + 1))
	[ "$1" = "$2" ] && return
	note "got:  $1"
	note "want: $2"
	shift 2
	fail "$*"
}

# expect_true LABEL COMMAND...: checks that the command succeeds
expect_true()
{
	nr_checks=$((nr_checks + 1))
	expect_what=$1
	shift
	"$@" && return
	note "failed: $*"
	fail "$expect_what"
}

# expect_false LABEL COMMAND...: checks that the command fails
expect_false()
{
	nr_checks=$((nr_checks + 1))
	expect_what=$1
	shift
	"$@" || return 0
	note "succeeded: $*"
	fail "$expect_what"
}

# expect_write WANT MODE FILE BYTES...: checks the result of each single write(2), see fileop.c
expect_write()
{
	expect_want=$1
	shift
	expect_what="write $*"
	# shellcheck disable=SC2046 # a word for each write
	set -- $("$FILEOP" write "$@")
	expect "$*" "$expect_want" "$expect_what"
}

# slurp FILE: sets $slurped to its content, without newlines at the end. A sysctl must be read
# with one read(2), and so must many files of tracing on a stock kernel.
slurp()
{
	case ${FTEST_STOCK:+/proc/}$1 in
	/proc/*)
		slurped=$(cat "$1")
		return ;;
	esac
	slurped=
	while IFS= read -r slurp_line || [ -n "$slurp_line" ]; do
		slurped=$slurped$slurp_line$NEWLINE
	done < "$1"
	while [ "${slurped%"$NEWLINE"}" != "$slurped" ]; do
		slurped=${slurped%"$NEWLINE"}
	done
}

# expect_file FILE WANT: the file contains exactly this
expect_file()
{
	slurp "$1"
	expect "$slurped" "$2" "content of $1"
}

# expect_formats COUNT FILE...: COUNT or more format files of events are consistent: each has
# the name of its directory, a unique number, and its fields in their order, without overlap
expect_formats()
{
	formats_least=$1
	shift
	# One awk for all files: starting a process costs more than reading a file
	awk -v least="$formats_least" '
		function wrong(what) { print FILENAME ": " what }
		FNR == 1 { split(FILENAME, part, "/"); common = ""; end = 0; files++
			   if ($0 != "name: " part[3]) wrong($0) }
		/^ID: / { number = $2; if (used[number]++) wrong("number of two types")
			  file = FILENAME; sub(/format$/, "id", file)
			  if ((getline id < file) > 0 && number != id) wrong("number")
			  close(file) }
		/^\tfield:/ { match($0, /offset:[0-9]+/); at = substr($0, RSTART + 7, RLENGTH - 7)
			      match($0, /size:[0-9]+/); size = substr($0, RSTART + 5, RLENGTH - 5)
			      if (at + 0 < end) wrong("at " at)
			      end = at + size
			      if (!/signed:[01];$/) wrong($0) }
		/ common_/ { sub(/;.*/, ""); sub(/.* common_/, ""); common = common $0 " " }
		/^print fmt: "/ { if (common != "type flags preempt_count pid ") wrong(common)
				  complete++ }
		END { if (files < least || complete != files) print files, complete }' \
		"$@" > "$SCRATCH/formats"
	expect_file "$SCRATCH/formats" ''
}

# expect_lines FILE NAME...: a file has these lines and no other lines, in any order
expect_lines()
{
	expect_path=$1
	shift
	expect "$(sort "$expect_path" | tr '\n' ' ')" \
	       "$(printf '%s\n' "$@" | sort | tr '\n' ' ')" "lines of $expect_path"
}

# needs_filters FILE: skips the case if FILE is a filter, and the kernel has no filters
needs_filters()
{
	case $1 in
	*set_ftrace_filter | *set_ftrace_notrace | *set_graph_function)
		[ -e "$1" ] || skip "no filters of functions here" ;;
	esac
}

# put TEXT FILE: a write that must succeed for the case to make sense
put()
{
	needs_filters "$2"
	printf '%s\n' "$1" > "$2" || fail "cannot write '$1' to $2"
}

put_more()
{
	needs_filters "$2"
	printf '%s\n' "$1" >> "$2" || fail "cannot append '$1' to $2"
}

# The lines of a trace that are entries: no header, no report of lost events
events()
{
	grep -v -e '^#' -e '^CPU:[0-9]* \[LOST' "${1:-trace}"
}

nr_events()
{
	grep -c -v -e '^#' -e '^CPU:[0-9]* \[LOST' "${1:-trace}"
}

# has_events COUNT [FILE]: a trace has at least COUNT entries
has_events()
{
	has_least=$1
	shift
	[ "$(nr_events "$@")" -ge "$has_least" ]
}

wait_for_events()
{
	wait_for 30 has_events "$@" || fail "there are $(nr_events) lines"
}

# wait_for SECONDS COMMAND...: repeats the command until it succeeds; fails after SECONDS
wait_for()
{
	wait_left=$(($1 * 10))
	shift
	until "$@"; do
		wait_left=$((wait_left - 1))
		[ $wait_left -gt 0 ] || return 1
		sleep 0.1
	done
}

# rounds N: prints a number for each of N rounds, or of $FTEST_ROUNDS if that is less
rounds()
{
	seq "${FTEST_ROUNDS:-$1}" | head -n "$1"
}

# Opens and reads a file by open(2) and read(2), so that vfs_open and vfs_read are called.
read_something()
{
	"$FILEOP" read r /proc/uptime > /dev/null 2>&1
}

# The rest of the case works in its own instance. Removing the instance also removes filters and
# triggers. It is removed at the end of the case, wherever the case ends.
in_instance()
{
	mkdir instances/ftest || fail "cannot make an instance"
	at_end 'cd "$TRACEFS" && { [ ! -d instances/ftest ] || rmdir instances/ftest; }'
	cd instances/ftest || fail "no directory of the instance"
}

is_preempt_rt()
{
	case $(uname -v) in
	*PREEMPT_RT*) return 0 ;;
	esac
	return 1
}

need_module()
{
	need_name=$1
	[ -f "$MODULES/$1.ko" ] || skip "no module $1"
	shift
	insmod "$MODULES/$need_name.ko" "$@" || fail "cannot load $need_name"
}

module_loaded()
{
	[ -d "/sys/module/$1/holders" ]
}

drop_module()
{
	module_loaded "$1" || return 0
	rmmod "$1"
}

param()
{
	echo "/sys/module/$1/parameters/$2"
}

# args_of NUMBER: prints the text of call_args(), called with the number (-128 to -1) in all of
# its arguments, as a regular expression: names if the module has BTF, otherwise all registers;
# the upper parts of the last two registers may have any value
args_of()
{
	args_long=$(printf '0x%x' "$1")
	args_flag=$(($1 & 1))
	if [ -e /sys/kernel/btf/ftest_target ]; then
		[ $args_flag = 1 ] && args_flag=true || args_flag=false
		printf '(number=%d, word=%s, pointer=%s, flag=%s, small=%d, half=0xff%s)' "$1" \
		       "$args_long" "$args_long" "$args_flag" "$1" "${args_long#0xffffffffffffff}"
	else
		printf '(%s, %s, %s, 0x%d, 0x[0-9a-f]*%s, 0x[0-9a-f]*ff%s\(, 0x[0-9a-f]*\)*)' \
		       "$args_long" "$args_long" "$args_long" "$args_flag" \
		       "${args_long#0xffffffffffffff}" "${args_long#0xffffffffffffff}"
	fi
}

# trace_no_walks [INSTANCE]: excludes the functions that walk the stack by frame pointers. KASAN
# calls them at each allocation and when memory is freed.
trace_no_walks()
{
	put "unwind_* __unwind_start update_stack_state get_stack_info \
	     stack_trace_consume_entry *kernel_text_address preempt_count_*" \
	    "${1:-.}/set_ftrace_notrace"
}

call_targets()
{
	put "$1" "$(param ftest_target call)"
}

# expect_targets N: the trace has N calls of each function that ftest_caller calls
expect_targets()
{
	for target_name in ftest_one ftest_two ftest_three; do
		expect "$(grep -c ": $target_name <-ftest_caller" trace)" "$1" \
		       "calls of $target_name"
	done
}

# in_background COMMAND...: runs it until end_background PID, or until the case ends; its pid is
# in $background_pid
in_background()
{
	"$@" &
	background_pid=$!
	echo $background_pid >> "$SCRATCH/background"
}

end_background()
{
	kill "$1" 2> /dev/null
	wait "$1" 2> /dev/null
}

# Starts a process, $target, that ignores signals; $self is the sender.
begin_signals()
{
	trap '' USR1 USR2 WINCH
	in_background sleep 1000
	target=$background_pid
	sh -c 'echo $PPID' > "$SCRATCH/self"
	read -r self < "$SCRATCH/self"
}

# signals NAME COUNT: sends COUNT signals
signals()
{
	for _ in $(seq "$2"); do
		kill "-$1" "$target"
	done
}

# load_start [SECONDS]: keeps all CPUs busy, at a low priority, so that the test makes progress
load_start()
{
	in_background "$FILEOP" load "${1:-120}"
	load_pid=$background_pid
	# the command creates a process group first
	wait_for 10 kill -0 "-$load_pid" 2> /dev/null
}

load_stop()
{
	# The children of the load are in its process group
	expect_true "the load ran until now" kill -KILL "-$load_pid"
	wait "$load_pid" 2> /dev/null
}

# Kills the background processes of a case and their children. It waits for them, because some
# writes take effect when a killed task closes its files.
end_all_background()
{
	[ -f "$SCRATCH/background" ] || return 0
	while read -r stray_pid; do
		kill -KILL "-$stray_pid" 2> /dev/null
		kill -KILL "$stray_pid" 2> /dev/null
		wait "$stray_pid" 2> /dev/null
	done < "$SCRATCH/background"
	rm -f "$SCRATCH/background"
}

# at_end COMMAND: runs the command at the end of the case, wherever that is, after its background
# processes have ended: in the shell of the case, because no other shell can wait for them
at_end()
{
	# shellcheck disable=SC2064 # the command of now
	trap "end_all_background; $1" EXIT
}

drop_patch()
{
	[ -d /sys/kernel/livepatch/ftest_klp ] || return 0
	echo 0 > /sys/kernel/livepatch/ftest_klp/enabled
	wait_for 60 test ! -d /sys/kernel/livepatch/ftest_klp
}

drop_modules()
{
	# without starting a process, because this is called often
	[ -f /proc/modules ] && read -r _ < /proc/modules || return 0
	drop_patch
	for drop_name in ftest_api ftest_step ftest_klp ftest_ring ftest_nmi ftest_printk \
			 ftest_export ftest_kprobe ftest_corrupt ftest_direct ftest_ops \
			 ftest_target ftest_twin_a ftest_twin_b ftest_weak ftest_same \
			 ftest_latency ftest_stack ftest_events ftest_kdb ftest_rv ftest_synth \
			 ftest_probe; do
		drop_module $drop_name
	done
}

# Restores the initial size of the buffers, or the size that they would have had after first
# use.
reset_size()
{
	reset_want=${first_size##* }
	reset_want=${reset_want%)}
	read -r reset_now < buffer_size_kb
	case $reset_now in
	*expanded*) ;;
	X)
		echo "$reset_want" > buffer_size_kb
		;;
	*)
		# A size is rounded up to whole pages
		[ "$reset_now" -ge "$reset_want" ] &&
			[ "$reset_now" -le $((reset_want + 2 * page_kb)) ] ||
			echo "$reset_want" > buffer_size_kb
		;;
	esac
}

# Restores the initial values of the options.
reset_options()
{
	slurp trace_options
	[ "$slurped" != "$first_options" ] || return 0
	for reset_option in $first_options; do
		case $NEWLINE$slurped$NEWLINE in
		*"$NEWLINE$reset_option$NEWLINE"*) ;;
		*) echo "$reset_option" > trace_options ;;
		esac
	done
}

# Undoes the trace_options= that boot.sh needs, for files that run after it.
undo_boot_options()
{
	for undo_option in nosym-addr irq-info; do
		put $undo_option trace_options
	done
	first_options=$(cat trace_options)
}

# begins FILE LINE: succeeds if LINE is the first line. It starts no process, unlike cat.
begins()
{
	read -r begins_line < "$1"
	[ "$begins_line" = "$2" ]
}

# has_second_line FILE: succeeds if there is a second line, without starting a process
has_second_line()
{
	{ read -r _ && read -r _; } < "$1"
}

# Removes the commands on functions, each with its own token.
reset_commands()
{
	sed -n -e 's/^\([^ :]*\)[^:]*:\(.*\):unlimited$/!\1:\2/p' \
	       -e 's/^\([^ :]*\)[^:]*:\(.*\):count=.*$/!\1:\2:0/p' \
	       set_ftrace_filter > "$SCRATCH/reset"
	while read -r reset_word; do
		echo "$reset_word" >> set_ftrace_filter || note "cannot write $reset_word"
	done < "$SCRATCH/reset"
}

# A kernel with static tracing has no filters.
reset_filters()
{
	[ -f set_ftrace_filter ] || return 0
	begins set_ftrace_filter "$EMPTY_FILTER" || echo > set_ftrace_filter
	begins set_ftrace_notrace "$EMPTY_NOTRACE" || echo > set_ftrace_notrace
}

# Disables all trace events, and clears the lists of tasks for them.
reset_events()
{
	[ -f set_event ] || return 0
	begins events/enable 0 || echo > set_event
	for reset_file in set_event_pid set_event_notrace_pid; do
		! read -r _ < $reset_file || echo > $reset_file
	done
}

# Undoes the settings of a test file that reset_tracing() does not undo; the file may redefine
# it.
reset_more()
{
	:
}

# Sets up the initial state of every case.
reset_tracing()
{
	begins current_tracer nop || echo nop > current_tracer
	reset_events
	# before their functions are unloaded
	[ ! -f set_ftrace_filter ] || ! has_second_line set_ftrace_filter || reset_commands
	drop_modules
	begins $FTRACE_ENABLED 1 || echo 1 > $FTRACE_ENABLED
	begins tracing_on 1 || echo 1 > tracing_on
	[ ! -f function_profile_enabled ] || begins function_profile_enabled 0 ||
		echo 0 > function_profile_enabled
	begins set_ftrace_pid 'no pid' || echo > set_ftrace_pid
	begins set_ftrace_notrace_pid 'no pid' || echo > set_ftrace_notrace_pid
	begins options/function-fork 0 || echo 0 > options/function-fork
	reset_filters
	read -r reset_clock < trace_clock
	[ "${reset_clock#*\[local\]}" != "$reset_clock" ] || echo local > trace_clock
	begins tracing_cpumask "$all_cpus" || echo "$all_cpus" > tracing_cpumask
	begins buffer_subbuf_size_kb "$page_kb" || echo "$page_kb" > buffer_subbuf_size_kb
	reset_size
	reset_options
	reset_more
	: > trace
}

# log_open: opens the kernel's log on fd 8, from its current end
log_open()
{
	exec 8< /dev/kmsg
	"$FILEOP" log 8 > /dev/null
}

# log_begin NAME: writes a mark to the log. The output of log_since_mark begins there, or
# earlier with messages that arrived too late for the previous case.
log_begin()
{
	: > "$SCRATCH/kernel_log"
	log_mark="ftest: $$ $1"
	echo "$log_mark" > /dev/kmsg
}

# Appends new messages of the kernel's log to $SCRATCH/kernel_log.
log_read()
{
	"$FILEOP" log 8 "$log_mark" >> "$SCRATCH/kernel_log"
}

log_since_mark()
{
	log_read
	cat "$SCRATCH/kernel_log"
}

# True if these contain a message that a healthy kernel does not print
log_has_trouble()
{
	log_read
	[ -s "$SCRATCH/kernel_log" ] && grep -Eq "$LOG_ERRORS" "$SCRATCH/kernel_log"
}

# dashed NAME: sets $dashed to the name with dashes for underscores
dashed()
{
	dashed=$1
	while [ "${dashed%%_*}" != "$dashed" ]; do
		dashed=${dashed%%_*}-${dashed#*_}
	done
}

# testcase FUNCTION SENTENCE: adds a case, unless FTEST_ONLY is set and its id does not match
# this pattern.
testcase()
{
	dashed "$1"
	testcase_id=$NAME.$dashed
	# shellcheck disable=SC2254 # it is a pattern
	case $testcase_id in
	${FTEST_ONLY:-*}) echo "$1 $testcase_id: $2" >> "$SCRATCH/cases" ;;
	esac
}

# slowcase FUNCTION SENTENCE: adds a case that takes more than two seconds on a kernel with many
# debug checks. FTEST_FAST leaves it out, unless FTEST_ONLY is set.
slowcase()
{
	case ${FTEST_FAST:+fast}${FTEST_ONLY:-} in
	fast) ;;
	*) testcase "$@" ;;
	esac
}

# True if the case needs a feature of this series, and a stock kernel is tested.
is_stock_xfail()
{
	[ -n "${FTEST_STOCK:-}" ] || return
	dashed "$1"
	grep -q "^$NAME.${dashed}[[:blank:]]" "$HERE/stock_xfail"
}

# run_case FUNCTION: runs the case and undoes its settings; the result is in $case_rc
run_case()
{
	read -r case_begin _ < /proc/uptime
	log_begin "$1"
	[ ! -f "$SCRATCH/failed" ] || rm "$SCRATCH/failed"
	(
		at_end :
		! is_stock_xfail "$1" || skip "see stock_xfail"
		"$1"
		[ $nr_checks -gt 0 ] || fail "nothing was checked"
	) < /dev/null
	case_rc=$?
	[ ! -f "$SCRATCH/failed" ] || case_rc=$KSFT_FAIL
	end_all_background
	reset_tracing
	if log_has_trouble; then
		note "the kernel's log:"
		sed 's/^/#   /' "$SCRATCH/kernel_log"
		note "the kernel warned:"
		grep -E "$LOG_ERRORS" "$SCRATCH/kernel_log" | head -n 5 | sed 's/^/#   /'
		case_rc=$KSFT_FAIL
	fi
	read -r case_end _ < /proc/uptime
	echo "# $1: $((${case_end%.*} - ${case_begin%.*})) s"
}

# finish: runs all cases of the file and prints the totals
finish()
{
	[ -f "$SCRATCH/cases" ] || bail_out "no case matches '${FTEST_ONLY:-}'"
	ktap_set_plan "$(grep -c '' "$SCRATCH/cases")"
	log_open
	log_begin reset
	reset_tracing
	! log_has_trouble || bail_out "the kernel warns when settings are undone"
	exec 9< "$SCRATCH/cases"
	while read -r finish_case finish_name <&9; do
		run_case "$finish_case" 9<&-
		case $case_rc in
		"$KSFT_PASS") ktap_test_pass "$finish_name" ;;
		"$KSFT_SKIP") ktap_test_skip "$finish_name" ;;
		*) ktap_test_fail "$finish_name" ;;
		esac
	done
	rm -rf "$SCRATCH"
	ktap_finished
}

bail_out()
{
	rm -rf "$SCRATCH"
	ktap_exit_fail_msg "$*"
}

skip_all()
{
	rm -rf "$SCRATCH"
	ktap_skip_all "$*"
	exit "$KSFT_SKIP"
}

ktap_print_header
[ "$(id -u)" = 0 ] || skip_all "root is needed"
[ -f "$TRACEFS/current_tracer" ] || mount -t tracefs nodev "$TRACEFS" 2> /dev/null
cd "$TRACEFS" 2> /dev/null || skip_all "no tracefs"
[ -f current_tracer ] || skip_all "no tracing"
[ -x "$FILEOP" ] || skip_all "no fileop, see README"
# All random input is derived from this seed; setting it again repeats a run.
FTEST_SEED=${FTEST_SEED:-$(od -A n -N 4 -t u4 /dev/urandom | tr -d ' ')}
rm -rf "$SCRATCH"
mkdir -p "$SCRATCH"
first_size=$(cat buffer_size_kb)
# The initial size of a sub-buffer is a page. $pad makes a short text so much longer that any
# page holds as many entries as a page of 4 KiB.
page_kb=$(cat buffer_subbuf_size_kb)
pad=$(printf "%$(((page_kb - 4) * 12))s" '')
first_options=$(cat trace_options)
all_cpus=$(cat tracing_cpumask)
