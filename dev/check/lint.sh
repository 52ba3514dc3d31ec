#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Compiles our files of the kernel with W=1 and C=1: gcc, kernel-doc and sparse must have no
# complaints. If there were none the last time, unchanged files are not compiled again, except
# in CI.

. "$(dirname "$0")/tap.sh"
. "$TOP/dev/lay.sh"

check_arch
case $arch in
x86_64) folder=arch/x86/kernel files='ftrace ftrace_64' ;;
arm64)
	folder=arch/arm64/kernel
	files='ftrace entry-ftrace probes/ftrace probes/rethook probes/rethook_trampoline'
	;;
esac
objects=
for file in $files; do
	objects="$objects $folder/$file.o"
done
out=$BUILD/lint-$arch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tap_plan 2

set +e
if [ ! -e "$out/lint.clean" ] || [ -n "${CI:-}${AGAIN:-}" ]; then
	rm -rf "$out/kernel/trace"
	# shellcheck disable=SC2086 # words
	(cd "$out" 2>/dev/null && rm -f $objects)
fi
rm -f "$out/lint.clean"
ARCH=$arch O=$out TARGETS="W=1 C=1 kernel/trace/ $objects" \
	"$TOP/dev/build.sh"
built=$?
tap $built lint.builds
our_files | grep '\.[chS]$' >"$work/ours"
grep -F -f "$work/ours" "$BUILD/log/build-lint-$arch" | grep -E 'warning:|error:' |
	sort -u >"$work/found"
[ ! -s "$work/found" ]
status=$?
sed 's/^/# /' "$work/found"
tap $status lint.clean
[ $built != 0 ] || [ $status != 0 ] || : >"$out/lint.clean"
