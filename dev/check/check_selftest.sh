#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Tests dev/check.py itself: how it handles results, invalid arguments, and Ctrl-C. It runs in a
# separate project, with tables whose only script is written here for each case.

. "$(dirname "$0")/tap.sh"
# regardless of the settings of this run
export ARCHES="x86_64 arm64" AGAIN=1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set +e
tap_plan 67

mkdir "$work/check"
cp "$TOP/dev/check.py" "$work"
for module in jobs ktap; do
	sed -e 's|^CHECK = .*|CHECK = TOP|' \
	    -e "s|^TOP = .*|TOP = os.environ['$([ $module = ktap ] && echo REAL_TOP || echo WORK)']|" \
	    -e 's|^LOGS = .*|LOGS = CHECK + "/logs"|' -e 's|^KEPT = .*|KEPT = CHECK + "/kept"|' \
	    -e 's|^PATIENCE, THEN_SOME = .*|PATIENCE, THEN_SOME = 0, 3|' \
		"$TOP/dev/check/$module.py" >"$work/check/$module.py"
done
: >"$work/kernels"
printf '# none\nt:skip.fine why not\n' >"$work/skips"
printf '[t]\nscript = t.sh\nwants = one\n' >"$work/tests"
git -C "$work" init -q

# script LINE...: sets the script that the job runs
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

# result ID: of the previous command
result() {
	ended=$?
	[ $ended = 0 ] || sed 's/^/# /' "$work/said"
	tap $ended "$1"
}

# judged SUMS STATUS ID LINE...: SUMS is the last line of the check if a script prints these
# lines and exits with this status
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

# A guest that reboots prints its header and its plan again.
printf '[t]\nscript = t.sh\nreboots = 1\n' >"$work/tests"
printf '*:skip.fine by chance\n' >"$work/skips"
judged "2 passed, 0 failed, 0 skipped" 0 check.several-boots \
	1..1 '  KTAP version 1' '  1..2' '  ok 1 a' 'KTAP version 1' 1..1 '  ok 2 b' 'ok 1 one'
printf '[t]\nscript = t.sh\nwants = one\n' >"$work/tests"

# A test may be skipped only for the reason in quotes. The reason follows SKIP, or is in a
# comment before.
printf 't:skip.fine "no * here" why not\n' >"$work/skips"
judged "1 passed, 0 failed, 1 skipped" 0 check.skip-for-reason \
	1..2 'ok 1 one' 'ok 2 skip.fine # SKIP no bananas here'
judged "1 passed, 0 failed, 1 skipped" 0 check.skip-for-reason-before \
	1..2 'ok 1 one' '# no bananas here' '# fine: 0 s' 'ok 2 skip.fine # SKIP'
judged "1 passed, 1 failed, 0 skipped" 0 check.skip-for-other-reason \
	1..2 'ok 1 one' '# no bananas here' '# no time' 'ok 2 skip.fine # SKIP'
judged "1 passed, 1 failed, 0 skipped" 0 check.skip-without-reason \
	'# no bananas here' 1..2 'ok 1 one' 'ok 2 skip.fine # SKIP'

# A pattern for rows of several lengths must match a skipped test in each of them, and a pattern
# that matches no row is an error in any.
# unused LENGTH PATTERN ID: the pattern, and only that, fails
unused() {
	length=$1
	check
	[ "$status" = 1 ] && [ "$(tail -n 1 "$work/said")" = "1 passed, 1 failed, 0 skipped" ] &&
		at_end "skips: .* allows $2,"
	result "$3"
	length=check
}
# at_end TEXT: succeeds if it follows "failed:", at the end of the output
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

# The reason is also there.
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
[ "$(tail -n 3 "$work/said" | head -n 2)" = "    t:two
      make check ONLY='t:two'" ]
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

# A case that fails by chance is unsteady at the length check, if it then passes twice. It is a
# failure at other lengths, and if only a part of the rows runs.
# unsteady PASSES STATUS PATTERN...: the second of two cases fails, and then passes PASSES times
unsteady() {
	passes=$1 want=$2
	shift 2
	rm -f "$work/count"
	script "echo x >>$work/count" "nr=\$(grep -c x $work/count)" \
		"[ \$nr -gt 1 ] && [ \$nr -le $((passes + 1)) ] || not='not '" \
		"printf '%s\n' 'KTAP version 1' 1..2 'ok 1 one' \"\${not}ok 2 two\""
	check "$@"
	[ "$status" = "$want" ]
}
unsteady 2 0 && grep -q "^    t:two, see .*logs/t" "$work/said" &&
	[ "$(tail -n 1 "$work/said")" = "2 passed, 0 failed, 0 skipped" ]
result check.unsteady
# Cases are not run again if the job did not end well, or if many failed.
script "echo x >>$work/count" "[ \$(grep -c x $work/count) -gt 1 ] || { echo 'qemu: the kernel warned' >&2
	not='not '; }" "printf '%s\n' 'KTAP version 1' 1..2 'ok 1 one' \"\${not:-}ok 2 two\""
rm -f "$work/count"
check
[ "$status" = 1 ] && [ "$(grep -c x "$work/count")" = 1 ]
result check.unsteady-with-warning
script "echo x >>$work/count" "echo 'KTAP version 1'; echo 1..7; echo ok 1 one" \
	'for i in 2 3 4 5 6 7; do echo not ok $i c$i; done'
rm -f "$work/count"
check
[ "$status" = 1 ] && [ "$(grep -c x "$work/count")" = 1 ]
result check.unsteady-many
unsteady 1 1 && [ "$(tail -n 1 "$work/said")" = "1 passed, 1 failed, 0 skipped" ]
result check.unsteady-passes-once
unsteady 2 1 t
result check.unsteady-by-pattern
printf '[t]\nscript = t.sh\nlength = check full\n' >"$work/tests"
length=full
unsteady 2 1
result check.unsteady-of-full
length=check

# A test that passed is not run again until its inputs have changed, unless AGAIN is set.
# runs TIMES ID [VARIABLE=VALUE]: after one more check, the script has run TIMES times
runs() {
	times=$1
	(export CI='' AGAIN='' "${3:-LENGTH=}"; check t)
	[ "$(grep -c x "$work/count")" = "$times" ]
	result "$2"
}
script "echo x >>$work/count" "printf '%s\n' 'KTAP version 1' 1..1 'ok 1 one'"
rm -f "$work/count"
printf '[t]\nscript = t.sh\nreads = read -read/not\n' >"$work/tests"
mkdir "$work/read"
echo a >"$work/read/a"
runs 1 replay.first
runs 1 replay.nothing-changed
runs 2 replay.again AGAIN=1
runs 3 replay.ci CI=true
echo b >"$work/read/a"
runs 4 replay.file-changed
GIT_TEST_ASSUME_DIFFERENT_OWNER=1 runs 4 replay.nothing-changed-of-others
echo c >"$work/read/a"
GIT_TEST_ASSUME_DIFFERENT_OWNER=1 runs 5 replay.file-changed-of-others
echo a >"$work/read/not"
runs 5 replay.other-file-changed
printf '[t]\nscript = t.sh\nreads = read\n' >"$work/tests"
runs 6 replay.row-changed
printf 'KTAP version 1\n1..2\n' >"$work/kept/passed/t"
runs 7 replay.damaged
echo none >"$work/kept/seconds/t"
runs 7 replay.damaged-seconds
# An input was edited during the run, and then restored.
script "echo x >>$work/count" "echo d >$work/read/a" "printf '%s\n' 'KTAP version 1' 1..1 'ok 1 one'"
echo e >"$work/read/a"
runs 8 replay.edited-meanwhile
echo e >"$work/read/a"
runs 9 replay.edited-meanwhile-is-not-kept
# A partial run does not count as a full one, and a failed test has not passed.
script "echo x >>$work/count" "printf '%s\n' 'KTAP version 1' 1..2 'ok 1 one' 'not ok 2 two'"
echo f >"$work/read/a"
(export CI='' AGAIN=''; check t:one)
runs 11 replay.part
script "echo x >>$work/count" "printf '%s\n' 'KTAP version 1' 1..1 'ok 1 one'"
WORK=$work REAL_TOP=$TOP python3 - "$work" >"$work/said" 2>&1 <<'END'
import sys
sys.path.insert(0, sys.argv[1] + '/check')
import jobs
def sum_of(words, **files):
	sources = jobs.Sources()
	sources.files = sorted((n.replace('_', '/'), c) for n, c in files.items())
	return sources.sum(words.split())
some = dict(a_b=1, a_c=2, d=3)
assert sum_of('.', **some) != sum_of('.', **{**some, 'd': 4})
assert sum_of('. -d', **some) == sum_of('. -d', **{**some, 'd': 4})
assert sum_of('a', **some) != sum_of('a', **{**some, 'a_c': 4})
assert sum_of('. -a a/b', **some) == sum_of('. -a a/b', **{**some, 'a_c': 4})
assert sum_of('. -a a/b', **some) != sum_of('. -a a/b', **{**some, 'a_b': 4})
assert sum_of('a', **some) == sum_of('a', **some, ab=1)
END
result replay.files
printf '[t]\nscript = t.sh\nwants = one\n' >"$work/tests"

# On a terminal the running jobs are shown.
script "cat <<'END'" 'KTAP version 1' 1..1 'ok 1 one' END 'sleep 3'
WORK=$work REAL_TOP=$TOP command script -q -e -c "python3 $work/check.py check" /dev/null \
	>"$work/said" 2>&1 </dev/null
grep -q '0 jobs wait, about .* left; t one' "$work/said"
result check.terminal
check
! grep -q 'jobs wait' "$work/said"
result check.no-terminal

# Each pattern must match something.
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
# A script with the key "picks" runs only the selected tests.
printf '[t]\nscript = t.sh A=1\npicks = yes\nwants = one two\n' >"$work/tests"
# shellcheck disable=SC2016 # the script expands it
script "cat <<'END'" 'KTAP version 1' 1..1 '  KTAP version 1' '  1..2' '  ok 1 a' '  ok 2 b' \
	'ok 1 two' END '[ "$*" = "A=1 two" ]'
check 't:tw*'
[ "$status" = 0 ] && [ "$(tail -n 1 "$work/said")" = "2 passed, 0 failed, 0 skipped" ]
result check.picked
check t:three
[ "$status" = 1 ] && grep -q 'no test fits t:three' "$work/said"
result check.picked-unknown
printf '[t]\nscript = t.sh\nwants = one\n' >"$work/tests"

# Two patterns for one row select both; if a kernel is not built, its guests fail.
printf '[k]\n' >"$work/kernels"
printf '[k/g]\nkernel = k\njobs =\n\tkselftest pid trace memory\n\tkunit\n' >"$work/tests"
printf '[k/h]\nkernel = k\nlength = stress\njobs =\n\tkselftest pid\n' >>"$work/tests"
printf '#!/bin/sh\nexit 1\n' >"$work/kernel.sh"
chmod +x "$work/kernel.sh"
WORK=$work REAL_TOP=$TOP python3 - "$work" >"$work/said" 2>&1 <<'END'
import sys
sys.path.insert(0, sys.argv[1] + '/check')
import jobs
chosen, unused = jobs.choose('check', ['k/g:pid', 'k/*:mem*'])
assert not unused
assert chosen[-1].jobs == [('kselftest', ['pid', 'memory'])], chosen[-1].jobs
END
result check.two-patterns
WORK=$work REAL_TOP=$TOP python3 - "$work" >"$work/said" 2>&1 <<'END'
import sys
sys.path.insert(0, sys.argv[1] + '/check')
import jobs
def names(pattern):
	return [j.name for j in jobs.choose('check', [pattern])[0] if j.row]
for pattern in 'pid', '*:pid':
	assert names(pattern) == ['k/g'], names(pattern)
assert names('k/h:pid') == ['k/h'], names('k/h:pid')
END
result check.pattern-of-all-rows
WORK=$work REAL_TOP=$TOP python3 - "$work" >"$work/said" 2>&1 <<'END'
import sys
sys.path.insert(0, sys.argv[1] + '/check')
import jobs
def picked(*patterns):
	(guest,) = [j for j in jobs.choose('check', list(patterns))[0] if j.row]
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

# Cases of a kernel can be selected. A kernel that a guest needs is judged as a whole.
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
sys.path.insert(0, sys.argv[1] + '/check')
import jobs
def only(*patterns):
	chosen, unused = jobs.choose('check', list(patterns))
	assert not unused
	return {j.name: list(j.only) for j in chosen}
assert only('build/k:fine', 'build/k:quiet') == {'build/k': ['fine', 'quiet']}
assert only('build/k:fine', 'build/k') == {'build/k': []}
assert only('build/k:fine', 'k/g') == {'build/k': [], 'k/g': []}
assert only('*:fine') == {'build/k': ['fine']}
END
result check.case-of-kernel-for-guest

# The selftests fail for a name that matches no case. They check that without needing tracefs.
mkdir -p "$work/st/ftrace" "$work/st/kselftest" "$work/st/tracefs" "$work/bin"
cp "$TOP"/tools/testing/selftests/ftrace/run.sh "$TOP"/tools/testing/selftests/ftrace/functions.sh \
	"$TOP"/tools/testing/selftests/ftrace/log_errors "$work/st/ftrace"
cp "$BUILD"/linux/tools/testing/selftests/kselftest/*.sh "$work/st/kselftest"
for file in current_tracer buffer_size_kb buffer_subbuf_size_kb trace_options tracing_cpumask; do
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
printf '%s\n' '. "$(dirname "$0")/functions.sh"' 'testcase one "a case"' 'slowcase two "a case"' \
	'cat "$SCRATCH/cases"' >"$work/st/ftrace/t.sh"
# cases VARIABLE=VALUE...: prints the number of cases of the file
cases() {
	PATH=$work/bin:$PATH TRACEFS=$work/st/tracefs env "$@" sh "$work/st/ftrace/t.sh" |
		grep -c ' t\.'
}
{ cases A=b && cases FTEST_FAST=y && cases FTEST_FAST=y FTEST_ONLY=t.two; } >"$work/said"
[ "$(paste -s -d ' ' "$work/said")" = "2 1 1" ]
result check.selftest-slow-cases
WORK=$work REAL_TOP=$TOP python3 - "$work" >"$work/said" 2>&1 <<'END'
import sys
sys.path.insert(0, sys.argv[1] + '/check')
import jobs, ktap
row = {'jobs': 'kselftest A=1 pid trace \\\n ring -ring'}
assert jobs.jobs_of(row, []) == [('kselftest', ['A=1', 'pid', 'trace'])]
assert jobs.jobs_of(row, ['pid']) == [('kselftest', ['A=1', 'pid'])]
guest = jobs.Guest('k/g', row, None, ())
def part(name):
	return guest.part(ktap.Case('k/g:' + name, 'failed'))
assert part('kselftest/event_filter/event-filter.x-y: of: that') == 'event_filter.x-y'
assert part('kselftest/pid') == 'pid'
assert part('kselftest/memory.one/memory.one: it') == 'memory.one'
few = {'jobs': 'kselftest memory.one memory.two-x pid'}
assert jobs.jobs_of(few, ['memory']) == [('kselftest', ['memory.one', 'memory.two-x'])]
assert jobs.jobs_of(few, ['memory.t*']) == [('kselftest', ['memory.two-x'])]
assert jobs.jobs_of(few, ['memory.one', 'pid.a*']) == [('kselftest', ['memory.one', 'pid.a*'])]
assert not jobs.jobs_of(few, ['memory.three'])
assert part('kunit/suite/case/1') == 'kunit/suite.case'
assert part('rtla/rtla.hist: it counts') == 'rtla/rtla.hist*'
assert part('map') == 'map'
assert guest.part(ktap.Case('k/g', 'failed')) == ''
END
result check.part-of-case

# If its output is not read, it still runs to its end.
script "cat <<'END'" 'KTAP version 1' 1..1 'ok 1 one' END
WORK=$work REAL_TOP=$TOP timeout 60 sh -c 'python3 "$WORK/check.py" check | :' 2>"$work/said"
[ $? != 124 ]
result check.nobody-reads

# Ctrl-C ends the check and all processes that it started.
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
