#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# dev/check.py itself: what it makes of results, of wrong arguments, and of Ctrl-C. It works
# on tables of its own, whose only script is written here for each case.

. "$(dirname "$0")/tap.sh"
# whatever this run is about
export ARCHES="x86_64 arm64"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set +e
tap_plan 39

sed -e 's|^CHECK = .*|CHECK = os.environ["WORK"]|' \
    -e 's|^TOP = .*|TOP = os.environ["REAL_TOP"]|' \
    -e 's|^LOGS = .*|LOGS = CHECK + "/logs"|' -e 's|^KEPT = .*|KEPT = CHECK + "/kept"|' \
    -e 's|^PATIENCE, THEN_SOME = .*|PATIENCE, THEN_SOME = 0, 3|' \
	"$TOP/dev/check.py" >"$work/check.py"
: >"$work/kernels"
printf '# none\nt:skip.fine why not\n' >"$work/skips"
printf '[t]\nscript = t.sh\nwants = one\n' >"$work/tests"

# script LINE...: what the job runs
script() {
	printf '%s\n' '#!/bin/sh' "$@" >"$work/t.sh"
	chmod +x "$work/t.sh"
}

# check PATTERN...: runs it, at the length $length; $status is its exit status
length=check
check() {
	WORK=$work REAL_TOP=$TOP python3 "$work/check.py" "$length" "$@" >"$work/said" 2>&1
	status=$?
}

# result ID: of the command before it
result() {
	ended=$?
	[ $ended = 0 ] || sed 's/^/# /' "$work/said"
	tap $ended "$1"
}

# judged SUMS STATUS ID LINE...: the last line of the check, when a script prints these
# lines and ends with this status
judged() {
	want=$1 ends=$2 id=$3
	shift 3
	script "cat <<'END'" 'KTAP version 1' "$@" END "exit $ends"
	check
	[ "$(tail -n 1 "$work/said")" = "$want" ]
	result "$id"
}

judged "3 passed, 0 failed, 1 skipped" 0 check.counts \
	1..3 '  KTAP version 1' '  1..2' '  ok 1 a' '  ok 2 b' 'ok 1 two' \
	'ok 2 skip.fine # SKIP not here' 'ok 3 one'
judged "1 passed, 1 failed, 0 skipped" 0 check.plan 1..2 'ok 1 one'
judged "1 passed, 1 failed, 0 skipped" 0 check.skip-not-allowed \
	1..2 'ok 1 one' 'ok 2 other # SKIP'
judged "1 passed, 1 failed, 0 skipped" 0 check.skip-unused 1..1 'ok 1 one'
printf '*:skip.fine by chance\n' >"$work/skips"
judged "1 passed, 0 failed, 0 skipped" 0 check.skip-by-chance 1..1 'ok 1 one'
judged "1 passed, 1 failed, 0 skipped" 0 check.wanted 1..1 'ok 1 two'
printf '*:one by chance\n' >"$work/skips"
judged "1 passed, 1 failed, 1 skipped" 0 check.wanted-not-skipped \
	1..2 'ok 1 one # SKIP' 'ok 2 two'
printf '*:skip.fine by chance\n' >"$work/skips"
judged "1 passed, 1 failed, 0 skipped" 3 check.status 1..1 'ok 1 one'

# A guest that boots again prints its header and its plan again.
printf '[t]\nscript = t.sh\nreboots = 1\n' >"$work/tests"
printf '*:skip.fine by chance\n' >"$work/skips"
judged "2 passed, 0 failed, 0 skipped" 0 check.several-boots \
	1..1 '  KTAP version 1' '  1..2' '  ok 1 a' 'KTAP version 1' 1..1 '  ok 2 b' 'ok 1 one'
printf '[t]\nscript = t.sh\nwants = one\n' >"$work/tests"

# A test may be skipped for no other reason than the one in quotes. It stands behind SKIP, or
# in a comment before.
printf 't:skip.fine "no * here" why not\n' >"$work/skips"
judged "1 passed, 0 failed, 1 skipped" 0 check.skip-for-reason \
	1..2 'ok 1 one' 'ok 2 skip.fine # SKIP no bananas here'
judged "1 passed, 0 failed, 1 skipped" 0 check.skip-for-reason-before \
	1..2 'ok 1 one' '# no bananas here' '# fine: 0 s' 'ok 2 skip.fine # SKIP'
judged "1 passed, 1 failed, 0 skipped" 0 check.skip-for-other-reason \
	1..2 'ok 1 one' '# no bananas here' '# no time' 'ok 2 skip.fine # SKIP'
judged "1 passed, 1 failed, 0 skipped" 0 check.skip-without-reason \
	'# no bananas here' 1..2 'ok 1 one' 'ok 2 skip.fine # SKIP'

# A pattern that is about rows of several lengths has to fit a skipped test in each of them,
# and one that is about no row is wrong in any.
# unused LENGTH PATTERN ID: the pattern, and only that, fails
unused() {
	length=$1
	check
	[ "$status" = 1 ] && [ "$(tail -n 1 "$work/said")" = "1 passed, 1 failed, 0 skipped" ] &&
		at_end "skips: .* allows $2,"
	result "$3"
	length=check
}
# at_end TEXT: whether it stands behind "failed:", where those who see only the end look
at_end() {
	sed '1,/^failed:/d' "$work/said" | grep -q "$1"
}
script "cat <<'END'" 'KTAP version 1' 1..1 'ok 1 one' END
printf '[p/%s]\nscript = t.sh\nlength = %s\n' a check b configs >"$work/tests"
printf 'p/*:skip.fine why not\n' >"$work/skips"
unused check 'p/\*:skip.fine' check.skip-unused-of-length
unused configs 'p/\*:skip.fine' check.skip-unused-of-other-length
printf 'p/b:skip.fine why not\n' >"$work/skips"
check
[ "$status" = 0 ]
result check.skip-of-other-length
printf 'q/*:skip.fine why not\n' >"$work/skips"
unused check 'q/\*:skip.fine' check.skip-of-no-row
printf '*:skip.fine by chance\n' >"$work/skips"
printf '[t]\nscript = t.sh\nwants = one\n' >"$work/tests"

# The reason stands there, too.
script 'echo no compiler here >&2' 'exit 1'
check
at_end 'no compiler here'
result check.reason-of-script
[ "$status" = 1 ] && [ "$(tail -n 1 "$work/said")" = "0 passed, 1 failed, 0 skipped" ]
result check.script-without-results
script "cat <<'END'" 'KTAP version 1' 1..2 'ok 1 one' '# seven is not eight' 'not ok 2 two' END
check
at_end 'seven is not eight'
result check.reason-of-case
[ "$(tail -n 2 "$work/said" | head -n 1)" = "    t:two" ]
result check.failed-case-at-the-end
script "cat <<'END'" 'KTAP version 1' 1..1 '  KTAP version 1' 1..3 \
	'  # seven is not eight' '  not ok 1 s.one' '  ok 2 s.two' '  ok 3 s.three' \
	'  # Totals: pass:2 fail:1 xfail:0 xpass:0 skip:0 error:0' 'not ok 1 s' END
check
at_end 'seven is not eight' && ! at_end 's.three'
result check.reason-of-case-inside
script 'exec sleep 100'
check
[ "$status" = 1 ] && at_end 'ended after 3 s'
result check.time-limit

# Each pattern has to fit something.
script "cat <<'END'" 'KTAP version 1' 1..1 'ok 1 one' END
check t
[ "$status" = 0 ]
result check.pattern
check nothing
[ "$status" = 1 ] && grep -q 'no test fits nothing' "$work/said"
result check.pattern-without-match
check t nothing
[ "$status" = 1 ] && grep -q 'no test fits nothing' "$work/said"
result check.pattern-beside-one-that-matches
script "cat <<'END'" 'KTAP version 1' 1..2 'not ok 1 one' 'ok 2 two' END 'exit 1'
check 't:t*'
[ "$status" = 0 ] && [ "$(tail -n 1 "$work/said")" = "1 passed, 0 failed, 0 skipped" ]
result check.case-of-script
check t:one
[ "$status" = 1 ] && [ "$(tail -n 1 "$work/said")" = "0 passed, 1 failed, 0 skipped" ]
result check.case-of-script-fails
check t:three
[ "$status" = 1 ] && at_end 'there is no three'
result check.case-of-script-unknown

# Two patterns for one row pick both; a kernel that was not built fails its guests.
printf '[k]\n' >"$work/kernels"
printf '[k/g]\nkernel = k\njobs =\n\tkselftest pid trace memory\n\tkunit\n' >"$work/tests"
printf '[k/h]\nkernel = k\nlength = stress\njobs =\n\tkselftest pid\n' >>"$work/tests"
printf '#!/bin/sh\nexit 1\n' >"$work/kernel.sh"
chmod +x "$work/kernel.sh"
WORK=$work REAL_TOP=$TOP python3 - "$work" >"$work/said" 2>&1 <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import check
jobs, unused = check.choose('check', ['k/g:pid', 'k/*:mem*'])
assert not unused
assert jobs[-1].jobs == [('kselftest', ['pid', 'memory'])], jobs[-1].jobs
END
result check.two-patterns
WORK=$work REAL_TOP=$TOP python3 - "$work" >"$work/said" 2>&1 <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import check
def names(pattern):
	return [j.name for j in check.choose('check', [pattern])[0] if j.row]
for pattern in 'pid', '*:pid':
	assert names(pattern) == ['k/g'], names(pattern)
assert names('k/h:pid') == ['k/h'], names('k/h:pid')
END
result check.pattern-of-all-rows
WORK=$work REAL_TOP=$TOP python3 - "$work" >"$work/said" 2>&1 <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import check
def picked(*patterns):
	(guest,) = [j for j in check.choose('check', list(patterns))[0] if j.row]
	return guest.jobs, guest.prepare()['APPEND']
both = [('kselftest', ['pid']), ('kunit', [])]
assert picked('k/g:kunit/ops.*gone') == (both[1:], 'kunit.filter_glob=ops.*gone')
assert picked('k/g:kunit/ops', 'k/g:pid') == (both, 'kunit.filter_glob=ops')
assert picked('k/g:kunit/ops', 'k/g:kunit/graph') == (both[1:], '')
assert picked('k/g:kunit', 'k/g:pid') == (both, '')
END
result check.pattern-of-suite
check
[ "$status" = 1 ] && at_end 'k/g: build/k failed'
result check.kernel-not-built

# Cases of a kernel can be picked. One that a guest needs is judged as a whole.
printf '[k]\nproofs = fine bad\n[l]\nproofs = other\n' >"$work/kernels"
printf '%s\n' '#!/bin/sh' "cat <<'END'" 'KTAP version 1' 1..4 'ok 1 kernel' 'ok 2 quiet' \
	'ok 3 fine' 'not ok 4 bad' END 'exit 1' >"$work/kernel.sh"
check build/k:fine
[ "$status" = 0 ] && [ "$(tail -n 1 "$work/said")" = "1 passed, 0 failed, 0 skipped" ]
result check.case-of-kernel
check 'build/*:b*'
[ "$status" = 1 ] && [ "$(tail -n 1 "$work/said")" = "0 passed, 1 failed, 0 skipped" ] &&
	! grep -q build/l "$work/said"
result check.case-of-kernel-fails
check build/k:other
[ "$status" = 1 ] && grep -q 'no test fits build/k:other' "$work/said"
result check.case-of-kernel-unknown
WORK=$work REAL_TOP=$TOP python3 - "$work" >"$work/said" 2>&1 <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import check
def only(*patterns):
	jobs, unused = check.choose('check', list(patterns))
	assert not unused
	return {j.name: list(j.only) for j in jobs}
assert only('build/k:fine', 'build/k:quiet') == {'build/k': ['fine', 'quiet']}
assert only('build/k:fine', 'build/k') == {'build/k': []}
assert only('build/k:fine', 'k/g') == {'build/k': [], 'k/g': []}
assert only('*:fine') == {'build/k': ['fine']}
END
result check.case-of-kernel-for-guest

# The selftests fail for a name that fits no case. They get as far as that without a tracefs.
mkdir -p "$work/st/ftrace" "$work/st/kselftest" "$work/st/tracefs" "$work/bin"
cp "$TOP"/tools/testing/selftests/ftrace/run.sh "$TOP"/tools/testing/selftests/ftrace/functions.sh \
	"$TOP"/tools/testing/selftests/ftrace/splats "$work/st/ftrace"
cp "$BUILD"/linux/tools/testing/selftests/kselftest/*.sh "$work/st/kselftest"
for file in current_tracer buffer_size_kb trace_options tracing_cpumask; do
	: >"$work/st/tracefs/$file"
done
printf '#!/bin/sh\necho 0\n' >"$work/bin/id"
printf '#!/bin/sh\n' >"$work/st/ftrace/fileop"
chmod +x "$work/bin/id" "$work/st/ftrace/fileop"
printf '%s\n' '. "$(dirname "$0")/functions.sh"' 'testcase one "a case"' finish >"$work/st/ftrace/t.sh"
PATH=$work/bin:$PATH TRACEFS=$work/st/tracefs sh "$work/st/ftrace/run.sh" t.two >"$work/said" 2>&1
[ $? = 1 ] && grep -q "no case matches 't.two'" "$work/said" &&
	grep -q '^# Totals: pass:0 fail:1 ' "$work/said"
result check.selftest-without-case

# Ctrl-C ends the check and all that it started.
: >"$work/kernels"
printf '[t]\nscript = t.sh\n' >"$work/tests"
script "trap '' TERM INT" "sleep 1000 & echo \$! >$work/pid" wait
rm -f "$work/pid"
WORK=$work REAL_TOP=$TOP setsid python3 "$work/check.py" check >"$work/said" 2>&1 &
checker=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
	[ -s "$work/pid" ] || sleep 1
done
kill -TERM "$checker"
wait "$checker"
[ $? = 130 ] && grep -q interrupted "$work/said" && [ -s "$work/pid" ] &&
	! grep -q '^State:.[^Z]' "/proc/$(cat "$work/pid")/status" 2>/dev/null
result check.interrupted
