#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Tests of make run: output and status of a command line, and its time limit.

. "$(dirname "$0")/tap.sh"
check_arch

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set +e
tap_plan 10

# run CMD [VARIABLE...]: leaves its output in out, its messages in err, and its $status
run() {
	cmd=$1
	shift
	make --no-print-directory -C "$TOP" run ARCH="$arch" CMD="$cmd" "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
}

# result ID: of the previous command
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
[ -f "$BUILD/log/build-$arch" ] && ! grep -E '^ +(CC|AS|LD|HOSTCC)' "$BUILD/log/build-$arch" >"$work/out"
result run.second-builds-nothing
run 'exit 7'
[ "$status" = 7 ]
result run.status
# Also if a signal silently kills the command.
run 'kill -9 $$'
[ "$status" = 137 ]
result run.status-of-signal
run 'sleep 1000' TIMEOUT=8
[ "$status" != 0 ] && grep -q 'did not end in 8 s' "$work/err"
result run.timeout
# A warning of the kernel fails the run, whatever the status of the command is.
run 'echo "WARNING: of a test" >/dev/kmsg; true'
[ "$status" != 0 ] && grep -q 'WARNING: of a test' "$work/err"
result run.warning-fails

# The warnings that a guest must give are listed one by one. QEMU is replaced by a program that
# copies a log.
mkdir "$work/bin"
cat >"$work/bin/$qemu" <<'END'
#!/bin/sh
for word; do
	case $word in
	file:*) cp "$KERNEL_SAYS" "${word#file:}" ;;
	file,id=status,*) echo 0 >"${word#*path=}" ;;
	esac
done
END
chmod +x "$work/bin/$qemu"
: >"$work/job"
printf '[    1.0] %s\n' fine 'WARNING: of a test' 'Oops: 1' 'Oops: 2' 'done' >"$work/says"

# warns PATTERN...: boots that with these warnings expected
warns() {
	printf '%s\n' "$@" >"$work/warns"
	PATH=$work/bin:$PATH KERNEL_SAYS=$work/says WARNS=$work/warns LOG=$work/log ARCH=$arch \
		"$TOP/dev/qemu.sh" "$BUILD/$arch" "$work/job" >"$work/out" 2>"$work/err"
	status=$?
}

warns 'Oops: [0-9]' 'WARNING: *' 'Oops: 2' 'done'
[ "$status" = 0 ]
result run.warnings-named
warns 'Oops: [0-9]' 'WARNING: *'
[ "$status" != 0 ] && grep -q '^Oops: 2' "$work/err"
result run.warning-more-often
warns 'Oops: [0-9]' 'Oops: [0-9]' 'Oops: [0-9]' 'WARNING: *'
[ "$status" != 0 ] && grep -q "did not say 'Oops: \[0-9\]'" "$work/err"
result run.warning-less-often
warns 'Oops: [0-9]' 'Oops: 2' 'WARNING: *' 'not done'
[ "$status" != 0 ] && grep -q "did not say 'not done'" "$work/err"
result run.warning-does-not-come
