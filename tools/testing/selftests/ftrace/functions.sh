# SPDX-License-Identifier: GPL-2.0
#
# functions.sh - what the ftrace tests share; sourced by each of them.
# shellcheck shell=sh
#
# A test file defines functions and names them with `testcase`, then calls `finish`.
# Each case starts from the state that reset_tracing() makes, runs in a subshell, and
# ends early through expect*(), fail() or skip(). It fails as well when it checked
# nothing or when the kernel log gained a warning meanwhile. Output is KTAP.

TRACEFS=${TRACEFS:-/sys/kernel/tracing}
FTRACE_ENABLED=/proc/sys/kernel/ftrace_enabled
HERE=$(cd "$(dirname "$0")" && pwd)
FILEOP=$HERE/fileop
MODULES=$HERE/modules
SCRATCH=${TMPDIR:-/tmp}/ftest.$$

KSFT_FAIL=1
KSFT_SKIP=4

# What an empty filter and an empty notrace list read.
EMPTY_FILTER='#### all functions enabled ####'
EMPTY_NOTRACE='#### no functions disabled ####'

# What the log of a healthy kernel never says ...
SPLATS='WARNING:|BUG:|INFO: |Oops|Call Trace:|cut here|Kernel panic|general protection'
SPLATS="$SPLATS|UBSAN|ftrace bug|rcu:.*stall|unknown reason"
# ... but for this, which only tells that an emulated CPU is slow.
HARMLESS='INFO: NMI handler .* took too long|perf: interrupt took too long'

nr_done=0
nr_pass=0
nr_fail=0
nr_skip=0
nr_checks=0

note()
{
	echo "$*" | sed 's/^/# /'
}

fail()
{
	note "$*"
	exit $KSFT_FAIL
}

skip()
{
	note "$*"
	exit $KSFT_SKIP
}

# expect GOT WANT WHAT...: equal strings
expect()
{
	nr_checks=$((nr_checks + 1))
	[ "$1" = "$2" ] && return
	note "got:  $1"
	note "want: $2"
	shift 2
	fail "$*"
}

# expect_true WHAT COMMAND...: a command that succeeds
expect_true()
{
	nr_checks=$((nr_checks + 1))
	expect_what=$1
	shift
	"$@" && return
	note "failed: $*"
	fail "$expect_what"
}

# expect_false WHAT COMMAND...: a command that fails
expect_false()
{
	nr_checks=$((nr_checks + 1))
	expect_what=$1
	shift
	"$@" || return 0
	note "succeeded: $*"
	fail "$expect_what"
}

# expect_write WANT MODE FILE BYTES...: what each single write(2) gives, see fileop.c
expect_write()
{
	expect_want=$1
	shift
	expect "$("$FILEOP" write "$@" | tr '\n' ' ' | sed 's/ $//')" "$expect_want" "write $*"
}

# expect_file FILE WANT: the content of a file
expect_file()
{
	expect "$(cat "$1")" "$2" "content of $1"
}

# expect_lines FILE NAME...: a file has these lines and no others, in any order
expect_lines()
{
	expect_path=$1
	shift
	expect "$(sort "$expect_path" | tr '\n' ' ')" \
	       "$(printf '%s\n' "$@" | sort | tr '\n' ' ')" "lines of $expect_path"
}

# A write that has to succeed for the test to make sense.
put()
{
	printf '%s\n' "$1" > "$2" || fail "cannot write '$1' to $2"
}

put_more()
{
	printf '%s\n' "$1" >> "$2" || fail "cannot append '$1' to $2"
}

# The lines of a trace that are no header, and do not tell of lost events.
events()
{
	grep -v -e '^#' -e '^CPU:[0-9]* \[LOST' "${1:-trace}"
}

nr_events()
{
	events "$@" | wc -l
}

# wait_for SECONDS COMMAND...: until it succeeds
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

# Opens and reads a file by open(2) and read(2), so that vfs_open and vfs_read are called.
read_something()
{
	"$FILEOP" read r /proc/uptime > /dev/null 2>&1
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
	grep -q "^$1 " /proc/modules
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

call_targets()
{
	put "$1" "$(param ftest_target call)"
}

# in_background COMMAND...: until end_background PID, or the end of the case
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

# Fills what the tests leave of the CPUs: they have to go on meanwhile.
load_start()
{
	in_background "$FILEOP" load "${1:-120}"
	load_pid=$background_pid
}

load_stop()
{
	# those it has forked are of its process group
	expect_true "there was load until now" kill -KILL "-$load_pid"
	wait "$load_pid" 2> /dev/null
}

# What a case that broke off has left behind; it may have forked since. What a task has
# written takes effect when it closes the file, which a killed one has yet to do.
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

drop_patch()
{
	[ -d /sys/kernel/livepatch/ftest_klp ] || return 0
	echo 0 > /sys/kernel/livepatch/ftest_klp/enabled
	wait_for 60 test ! -d /sys/kernel/livepatch/ftest_klp
}

drop_modules()
{
	[ -f /proc/modules ] && read -r drop_any < /proc/modules || return 0
	drop_patch
	for drop_name in ftest_klp ftest_ring ftest_nmi ftest_printk ftest_export ftest_kprobe \
			 ftest_corrupt ftest_direct ftest_ops ftest_target; do
		drop_module $drop_name
	done
}

# Back to the size that the buffers had, or would have had when first used.
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
		# a size that was rounded up is the same size
		[ "$reset_now" -ge "$reset_want" ] && [ "$reset_now" -le $((reset_want + 8)) ] ||
			echo "$reset_want" > buffer_size_kb
		;;
	esac
}

# begins FILE LINE: is that its first line? Without another process, unlike cat.
begins()
{
	read -r begins_line < "$1"
	[ "$begins_line" = "$2" ]
}

# Commands on functions go by a word each, which has the form of the command.
reset_commands()
{
	sed -n -e 's/^\([^ :]*\)[^:]*:\([a-z]*\):unlimited$/!\1:\2/p' \
	       -e 's/^\([^ :]*\)[^:]*:\([a-z]*\):count=.*$/!\1:\2:0/p' \
	       set_ftrace_filter > "$SCRATCH/reset"
	while read -r reset_word; do
		echo "$reset_word" >> set_ftrace_filter
	done < "$SCRATCH/reset"
}

# The state that every case starts from and that the last one leaves behind.
reset_tracing()
{
	begins current_tracer nop || echo nop > current_tracer
	drop_modules
	begins $FTRACE_ENABLED 1 || echo 1 > $FTRACE_ENABLED
	begins tracing_on 1 || echo 1 > tracing_on
	begins set_ftrace_pid 'no pid' || echo > set_ftrace_pid
	begins set_ftrace_notrace_pid 'no pid' || echo > set_ftrace_notrace_pid
	begins options/function-fork 0 || echo 0 > options/function-fork
	begins set_ftrace_filter "$EMPTY_FILTER" || echo > set_ftrace_filter
	[ "$(wc -l < set_ftrace_filter)" -le 1 ] || reset_commands
	begins set_ftrace_notrace "$EMPTY_NOTRACE" || echo > set_ftrace_notrace
	read -r reset_clock < trace_clock
	[ "${reset_clock#*\[local\]}" != "$reset_clock" ] || echo local > trace_clock
	begins tracing_cpumask "$all_cpus" || echo "$all_cpus" > tracing_cpumask
	begins buffer_subbuf_size_kb 4 || echo 4 > buffer_subbuf_size_kb
	reset_size
	: > trace
}

log_since_mark()
{
	dmesg | awk -v mark="$log_mark" 'index($0, mark) { text = ""; next }
					 { text = text $0 "\n" }
					 END { printf "%s", text }'
}

# The same, if something is in it that a healthy kernel does not say.
log_of_trouble()
{
	log_since_mark | awk -v splats="$SPLATS" -v harmless="$HARMLESS" '
		{ text = text $0 "\n" }
		$0 ~ splats && $0 !~ harmless { bad = 1 }
		END { if (bad) printf "%s", text }'
}

# testcase FUNCTION DESCRIPTION; FTEST_ONLY=FUNCTION leaves out all others
testcase()
{
	[ "${FTEST_ONLY:-$1}" = "$1" ] || return 0
	nr_done=$((nr_done + 1))
	log_mark="ftest: $$ $1"
	read -r case_begin _ < /proc/uptime
	reset_tracing
	echo "$log_mark" > /dev/kmsg
	(
		"$1"
		[ $nr_checks -gt 0 ] || fail "nothing was checked"
	)
	case_rc=$?
	end_all_background
	case_log=$(log_of_trouble)
	if [ -n "$case_log" ]; then
		note "the kernel warned:"
		echo "$case_log" | sed 's/^/#   /'
		case_rc=$KSFT_FAIL
	fi
	read -r case_end _ < /proc/uptime
	echo "# $1: $((${case_end%.*} - ${case_begin%.*})) s"
	case $case_rc in
	0)
		nr_pass=$((nr_pass + 1))
		echo "ok $nr_done $2"
		;;
	"$KSFT_SKIP")
		nr_skip=$((nr_skip + 1))
		echo "ok $nr_done $2 # SKIP"
		;;
	*)
		nr_fail=$((nr_fail + 1))
		echo "not ok $nr_done $2"
		;;
	esac
}

finish()
{
	[ -n "$tracing_is_dead" ] || reset_tracing
	rm -rf "$SCRATCH"
	echo "1..$nr_done"
	echo "# Totals: pass:$nr_pass fail:$nr_fail xfail:0 xpass:0 skip:$nr_skip error:0"
	[ $nr_fail -eq 0 ]
	exit
}

skip_all()
{
	echo "1..0 # SKIP $*"
	exit $KSFT_SKIP
}

echo "TAP version 13"
[ "$(id -u)" = 0 ] || skip_all "root is needed"
[ -f "$TRACEFS/current_tracer" ] || mount -t tracefs nodev "$TRACEFS" 2> /dev/null
cd "$TRACEFS" 2> /dev/null || skip_all "no tracefs"
[ -f current_tracer ] || skip_all "no tracing"
[ -x "$FILEOP" ] || skip_all "no fileop, see README"
mkdir -p "$SCRATCH"
first_size=$(cat buffer_size_kb)
all_cpus=$(cat tracing_cpumask)
