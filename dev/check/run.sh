#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What make run promises: output and status of a command line, and its time limit.

. "$(dirname "$0")/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set +e
tap_plan 6

# run CMD [VARIABLE...]: leaves its output in out, its messages in err, and its $status
run() {
	cmd=$1
	shift
	make --no-print-directory -C "$TOP" run CMD="$cmd" "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
}

# result ID: of the command before it
result() {
	ended=$?
	[ $ended = 0 ] || sed 's/^/# /' "$work/out" "$work/err"
	tap $ended "$1"
}

# A second run compiles nothing: the log of the build has no object in it.
run 'echo "one  two"; echo $((1 + 1))'
[ "$status" = 0 ] && [ "$(cat "$work/out")" = "one  two
2" ]
result run.output
! grep -E '^ +(CC|AS|LD|HOSTCC)' "$BUILD/log/build-x86_64" >"$work/out"
result run.second-builds-nothing
run 'exit 7'
[ "$status" = 7 ]
result run.status
# Also if a signal ends the command without a word.
run 'kill -9 $$'
[ "$status" = 137 ]
result run.status-of-signal
run 'sleep 1000' TIMEOUT=15
[ "$status" != 0 ] && grep -q 'did not end in 15 s' "$work/err"
result run.timeout
# A warning of the kernel fails the run, whatever the command says.
run 'echo "WARNING: of a test" >/dev/kmsg; true'
[ "$status" != 0 ] && grep -q 'WARNING: of a test' "$work/err"
result run.warning-fails
