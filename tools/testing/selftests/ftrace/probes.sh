# SPDX-License-Identifier: GPL-2.0
#
# Functions that the tests of probe events share. The file with the commands is $PROBE_FILE.

# define LINE...: defines an event for each line
define()
{
	for define_line; do
		put_more "$define_line" "$PROBE_FILE"
	done
}

# enabled GROUP/EVENT COMMAND...: runs the command while the event, or the group, is enabled
enabled()
{
	enabled_event=events/$1
	shift
	: > trace
	put 1 "$enabled_event/enable"
	"$@"
	put 0 "$enabled_event/enable"
}

# entries EVENT: its entries, without the text before the arguments, sorted
entries()
{
	events | sed -n "s/.* $1: ([^)]*) *//p" | sort
}

# refused LINE MESSAGE ERRNO: the command is rejected, and error_log has the message and a caret
# at the position of the caret in LINE
refused()
{
	refused_line=${1%%^*}${1#*^}
	refused_before=${1%%^*}
	expect_write "$3" w "$PROBE_FILE" "$(printf %s "$refused_line" | sed 's/\\/\\\\/g')\n"
	expect "$(tail -n 3 error_log | sed 's/^\[[ 0-9.]*\] //')" \
"$PROBE_FILE: error: $2
  Command: $refused_line
           $(printf '%*s' $((${#refused_before} + 1)) '^')" "error_log of $refused_line"
}

# undefine_all GROUP...: disables the events of these groups, and removes all events
undefine_all()
{
	for undefine_group; do
		[ ! -d "events/$undefine_group" ] || echo 0 > "events/$undefine_group/enable"
	done
	: > dynamic_events
}

# expect_written_back FILE: the lines that FILE shows define the same events again
expect_written_back()
{
	cp "$1" "$SCRATCH/shown"
	: > "$1"
	expect_file "$1" ''
	while IFS= read -r written_line; do
		put_more "$written_line" "$1"
	done < "$SCRATCH/shown"
	expect_file "$1" "$(cat "$SCRATCH/shown")"
}

# expect_removed FILE: each line that FILE shows, with "-" in place of the command, removes its
# event
expect_removed()
{
	cp "$1" "$SCRATCH/shown"
	while IFS= read -r removed_line; do
		put_more "-:${removed_line#*:}" "$1"
	done < "$SCRATCH/shown"
	expect_file "$1" ''
}

# expect_hits_in_module EVENT: EVENT is at ftest_one() of ftest_target, and is enabled. It has
# an entry x=0 each time that the module is loaded and calls the function
expect_hits_in_module()
{
	for _ in 1 2; do
		need_module ftest_target
		: > trace
		put 1 "$(param ftest_target call)"
		expect "$(entries "$1")" 'x=0' "the hit in the module"
		drop_module ftest_target
	done
}

# expect_symbols_of_module COMMAND...: the command defines the event ftest/m at ftest_one() of
# ftest_target. A symbol in its arguments is found each time that the module is loaded. With such
# a number, loading the module fails after a call of the function.
expect_symbols_of_module()
{
	[ -f "$MODULES/ftest_target.ko" ] || skip "no module ftest_target"
	define "$* s=@fails_after:string"
	put 1 events/ftest/m/enable
	for symbols_number in 65 66; do
		: > trace
		expect_false "loading fails" insmod "$MODULES/ftest_target.ko" \
			fails_after=$symbols_number
		[ $symbols_number = 65 ] && symbols_text=A || symbols_text=B
		# insmod tries twice
		expect "$(entries m | sort -u)" "s=\"$symbols_text\"" "the number in the module"
	done
	put 0 events/ftest/m/enable
}

# first_callers NUMBER: the names of the first functions of the first stack in the input. Without
# static calls, a function of a tracepoint calls its probes.
first_callers()
{
	awk -v n="$1" '/<stack trace>|[{] common_stacktrace:/ { found = 1; next }
		/__traceiter_/ { next }
		found && n-- > 0 { sub(/\+0x.*/, ""); printf "%s ", $NF }'
}

# expect_stacks GROUP/EVENT "FUNCTION..." COMMAND...: the first stack that tracing records for a
# hit by the command begins in these functions
expect_stacks()
{
	stacks_event=$1
	stacks_begin=$2
	stacks_nr=$(echo "$2" | wc -w)
	shift 2
	put 1 options/stacktrace
	enabled "$stacks_event" "$@"
	put 0 options/stacktrace
	expect "$(first_callers "$stacks_nr" < trace)" "$stacks_begin " "$stacks_event: the option"
	: > trace
	put stacktrace "events/$stacks_event/trigger"
	"$@"
	put '!stacktrace' "events/$stacks_event/trigger"
	expect "$(first_callers "$stacks_nr" < trace)" "$stacks_begin " "$stacks_event: a trigger"
	[ -f "events/$stacks_event/hist" ] || return 0
	put hist:keys=common_stacktrace "events/$stacks_event/trigger"
	"$@"
	expect "$(first_callers "$stacks_nr" < "events/$stacks_event/hist")" "$stacks_begin " \
	       "$stacks_event: a key"
	put '!hist:keys=common_stacktrace' "events/$stacks_event/trigger"
}
