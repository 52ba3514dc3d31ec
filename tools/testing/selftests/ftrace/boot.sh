#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What the boot parameters of tracing did. A case is skipped whose parameter is not on
# the command line; these are the values that are looked for:
#
#   ftrace=function ftrace_filter=vfs_open,vfs_read trace_clock=global
#   trace_options=sym-addr,noirq-info trace_buf_size=300k ftrace_boot_snapshot
#   ftrace_dump_on_oops=orig_cpu traceoff_on_warning tp_printk
#
# Runs before any other test of the boot, since those begin by undoing all of it; so
# everything is noted first.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

booted_with()
{
	for booted_word in $(cat /proc/cmdline); do
		[ "$booted_word" = "$1" ] && return
	done
	skip "boot with $1"
}

cat current_tracer set_ftrace_filter > "$SCRATCH/tracer"
cat trace_clock > "$SCRATCH/clock"
cat trace_options > "$SCRATCH/options"
cat buffer_size_kb > "$SCRATCH/size"
cat snapshot > "$SCRATCH/snapshot"
cat tracing_on /proc/sys/kernel/ftrace_dump_on_oops /proc/sys/kernel/traceoff_on_warning \
	/proc/sys/kernel/tracepoint_printk > "$SCRATCH/values"
echo 0 > /proc/sys/kernel/ftrace_dump_on_oops
echo 0 > /proc/sys/kernel/traceoff_on_warning
echo nosym-addr > trace_options
echo irq-info > trace_options
dmesg | grep -i -e 'tracing: ' -e 'unknown kernel command line' > "$SCRATCH/dmesg"

tracer()
{
	booted_with ftrace=function
	booted_with ftrace_filter=vfs_open,vfs_read
	expect "$(head -n 1 "$SCRATCH/tracer")" function "tracer"
	expect "$(sed 1d "$SCRATCH/tracer" | sort | tr '\n' ' ')" "vfs_open vfs_read " "filter"
}

clock()
{
	booted_with trace_clock=global
	expect "$(grep -o '\[.*\]' "$SCRATCH/clock")" '[global]' "clock"
}

options()
{
	booted_with trace_options=sym-addr,noirq-info
	expect_true "sym-addr" grep -qx sym-addr "$SCRATCH/options"
	expect_true "noirq-info" grep -qx noirq-info "$SCRATCH/options"
}

size()
{
	booted_with trace_buf_size=300k
	got=$(cat "$SCRATCH/size")
	expect_true "$got" [ "${got%% *}" -ge 300 ] && expect_true "$got" [ "${got%% *}" -le 308 ]
}

# What was recorded when user space began, and nothing of that.
boot_snapshot()
{
	booted_with ftrace_boot_snapshot
	expect_true "a snapshot of calls" grep -q ': vfs_open ' "$SCRATCH/snapshot"
	early='swapper/[0-9]+|kworker/.*|<idle>|kdevtmpfs|.*modprobe|init|<\.\.\.>'
	expect "$(grep -v '^#' "$SCRATCH/snapshot" | grep -cvE "^ +($early)-[0-9]+ ")" 0 \
	       "entries of programs"
}

values()
{
	booted_with ftrace_dump_on_oops=orig_cpu
	booted_with traceoff_on_warning
	booted_with tp_printk
	expect "$(tr '\n' ' ' < "$SCRATCH/values")" "1 orig_cpu 1 0 " \
	       "tracing_on, ftrace_dump_on_oops, traceoff_on_warning and tracepoint_printk"
}

log()
{
	expect "$(grep -i -e unknown -e 'no such' -e error "$SCRATCH/dmesg")" '' \
	       "complaints in the log"
}

testcase tracer "ftrace= and ftrace_filter="
testcase clock "trace_clock="
testcase options "trace_options="
testcase size "trace_buf_size="
testcase boot_snapshot "ftrace_boot_snapshot"
testcase values "ftrace_dump_on_oops=, traceoff_on_warning and tp_printk"
testcase log "nothing was wrong with them"
finish
