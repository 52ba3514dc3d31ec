#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tests that run in user space, with sanitizers.
# usage: user.sh [SETTING=VALUE...] [TEST...]
#
# Programs of another architecture run under QEMU, which takes settings from the environment.

. "$(dirname "$0")/tap.sh"

check_arch
tests=$BUILD/linux/tools/testing/trace
out=$BUILD/trace
while [ $# -gt 0 ]; do
	case $1 in
	*=*) export "${1?}" ;;
	*) break ;;
	esac
	shift
done
if [ -n "$cross" ]; then
	out=$out-$arch
	export QEMU_LD_PREFIX="/usr/$uname-linux-gnu"
	# which cannot detect leaks; the tests count their allocations
	export ASAN_OPTIONS=detect_leaks=0
fi

# made TARGET [TEST...]: makes a target for these tests, or for all
made() {
	target=$1
	shift
	make -s -C "$tests" -j"$JOBS" O="$out" ${cross:+CC="${cross}gcc" EMULATOR="qemu-$uname"} \
		${1:+TESTS="$*" SCRIPTS=} "$target"
}

locked "$(basename "$out")"
made all "$@" >&2
made run "$@"
